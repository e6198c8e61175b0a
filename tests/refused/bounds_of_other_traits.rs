//! Bounds that lead to methods of other traits than those which they seem to be of.

use jacobian::jacobian;

#[jacobian]
mod through_a_marker {
    pub trait HasSine {
        fn sin(&self) -> f64;
    }
    impl HasSine for f64 {
        fn sin(&self) -> f64 {
            3.0 * *self
        }
    }
    pub trait Marker: HasSine + Copy {}
    impl Marker for f64 {}
    fn of_marker<T: Marker>(t: T) -> f64 {
        t.sin()
    }
    #[jacobian]
    pub fn a(x: f64) -> f64 {
        of_marker(x)
    }
}

#[jacobian]
mod by_its_last_name {
    pub mod other {
        pub trait Real: Copy {
            fn abs(&self) -> f64;
        }
        impl Real for f64 {
            fn abs(&self) -> f64 {
                *self * 100.0
            }
        }
    }
    pub trait Real: Copy {}
    impl Real for f64 {}
    #[derive(Clone, Copy)]
    pub struct W<T> {
        a: T,
    }
    impl<T: other::Real> W<T> {
        fn g(&self) -> f64 {
            self.a.abs()
        }
    }
    #[jacobian]
    pub fn a(x: f64) -> f64 {
        W::<f64> { a: x }.g()
    }
}

#[jacobian]
mod by_a_clause {
    pub trait HasAbs {
        fn abs(&self) -> f64;
    }
    impl HasAbs for f64 {
        fn abs(&self) -> f64 {
            *self * 100.0
        }
    }
    pub trait Marker
    where
        Self: HasAbs + Copy,
    {
    }
    impl Marker for f64 {}
    #[derive(Clone, Copy)]
    pub struct W<T> {
        a: T,
    }
    impl<T: Marker> W<T> {
        fn g(&self) -> f64 {
            self.a.abs()
        }
    }
    #[jacobian]
    pub fn a(x: f64) -> f64 {
        W::<f64> { a: x }.g()
    }
}

mod far {
    pub trait Clone {
        fn abs(&self) -> f64;
    }
    impl Clone for f64 {
        fn abs(&self) -> f64 {
            *self * 7.0
        }
    }
}

#[jacobian]
mod by_far_names {
    #[derive(Clone, Copy)]
    pub struct W<T> {
        a: T,
    }
    impl<T: super::far::Clone> W<T> {
        fn g(&self) -> f64 {
            self.a.abs()
        }
    }
    #[jacobian]
    pub fn a(x: f64) -> f64 {
        W::<f64> { a: x }.g()
    }
}

fn main() {}
