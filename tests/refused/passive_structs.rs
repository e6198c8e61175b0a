//! Methods of structs that are passive as a whole: what is not sure, and what would make them active.

use jacobian::jacobian;

#[jacobian]
mod unsure {
    pub trait Law {
        fn force(&self, x: f64) -> f64;
    }
    pub struct Cubic {
        pub k: f64,
        pub name: String,
        pub law: Box<dyn Law>,
    }
    impl Cubic {
        pub fn force(&self, x: f64) -> f64 {
            self.k * x * x * x
        }
        fn scaled<T: Into<f64>>(&self, x: f64, by: T) -> f64 {
            self.k * x * by.into()
        }
        #[cfg(debug_assertions)]
        fn configured(&self, x: f64) -> f64 {
            self.k * x
        }
    }
    impl Law for Cubic {
        fn force(&self, x: f64) -> f64 {
            x
        }
    }
    fn chained(law: &impl Law, x: f64) -> f64 {
        law.force(x)
    }
    // What is kept as it is written would be the method of the struct itself.
    fn dynamic(law: &dyn Law, x: f64) -> f64 {
        x * law.force(2.0)
    }

    #[jacobian]
    pub fn behind_a_bound(cubic: &Cubic, x: f64) -> f64 {
        chained(cubic, x)
    }
    #[jacobian]
    pub fn behind_dyn(cubic: &Cubic, x: f64) -> f64 {
        dynamic(cubic, x)
    }
    #[jacobian]
    pub fn in_a_variable(cubic: &Cubic, x: f64) -> f64 {
        let law: &dyn Law = cubic;
        law.force(x)
    }
    #[jacobian]
    pub fn in_a_box(cubic: &Cubic, x: f64) -> f64 {
        cubic.law.force(x)
    }
    #[jacobian]
    pub fn of_unknown_type(cubics: &std::collections::VecDeque<Cubic>, x: f64) -> f64 {
        cubics[0].force(x)
    }
    #[jacobian]
    pub fn under_cfg(cubic: &Cubic, x: f64) -> f64 {
        cubic.configured(x)
    }
    #[jacobian]
    pub fn not_there(cubic: &Cubic, x: f64) -> f64 {
        cubic.missing(x)
    }
    #[jacobian]
    pub fn converted_to_an_unknown_type(cubic: &Cubic, x: f64) -> f64 {
        cubic.scaled::<f64>(x, x)
    }
}

#[jacobian]
mod pointers {
    pub struct Inner {
        pub k: f64,
        pub name: String,
    }
    pub struct Outer {
        pub inner: Inner,
    }
    impl std::ops::Deref for Outer {
        type Target = Inner;
        fn deref(&self) -> &Inner {
            &self.inner
        }
    }
    impl Inner {
        fn scaled(&self, x: f64) -> f64 {
            self.k * x
        }
    }
    impl Outer {
        fn own(&self, x: f64) -> f64 {
            x
        }
    }
    #[jacobian]
    pub fn through(outer: &Outer, x: f64) -> f64 {
        outer.scaled(x)
    }
    #[jacobian]
    pub fn own(outer: &Outer, x: f64) -> f64 {
        outer.own(x)
    }
}

#[jacobian]
mod for_all {
    pub struct Named {
        pub k: f64,
        pub name: String,
    }
    impl Named {
        fn scaled(&self, x: f64) -> f64 {
            self.k * x
        }
    }
    pub trait Scaled {
        fn scaled(self, x: f64) -> f64;
    }
    impl<T> Scaled for T {
        fn scaled(self, x: f64) -> f64 {
            x
        }
    }
    #[jacobian]
    pub fn hidden(named: Named, x: f64) -> f64 {
        named.scaled(x)
    }
    pub struct Generic<T> {
        pub k: f64,
        pub rest: T,
    }
    pub trait Shown {}
    impl Shown for u8 {}
    impl<T: Shown> Generic<Option<T>> {
        fn scaled_by(&self, x: f64) -> f64 {
            self.k * x
        }
    }
    #[jacobian]
    pub fn of_generic(generic: &Generic<Option<u8>>, x: f64) -> f64 {
        generic.scaled_by(x)
    }
}

#[jacobian]
mod active {
    pub struct Named {
        pub k: f64,
        pub name: String,
    }
    impl Named {
        fn set(&mut self, x: f64) {
            self.k = x;
        }
        fn made(x: f64) -> Named {
            Named { k: x, name: String::new() }
        }
    }
    #[jacobian]
    pub fn assigned(named: &mut Named, x: f64) -> f64 {
        named.set(x);
        named.k
    }
    #[jacobian]
    pub fn made_of(x: f64) -> f64 {
        Named::made(x).k
    }
    #[jacobian(wrt(named.k))]
    pub fn as_a_whole(named: &Named, x: f64) -> f64 {
        let copy = [named];
        copy[0].k * x
    }
    #[jacobian(wrt(named))]
    pub fn by_all(named: &Named, x: f64) -> f64 {
        named.k * x
    }
}

fn main() {}
