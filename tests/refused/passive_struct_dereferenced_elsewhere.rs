//! A struct that is passive as a whole and implements `Deref` where the macro does not see it.

use jacobian::jacobian;

#[jacobian]
mod m {
    pub struct Outer {
        pub k: f64,
        pub name: String,
    }
    impl Outer {
        fn scaled(&self, x: f64) -> f64 {
            self.k * x
        }
    }
    #[jacobian]
    pub fn f(outer: &Outer, x: f64) -> f64 {
        outer.scaled(x)
    }
}

impl std::ops::Deref for m::Outer {
    type Target = String;
    fn deref(&self) -> &String {
        &self.name
    }
}

fn main() {}
