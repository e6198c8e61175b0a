//! A method of a trait that one of the type itself hides, where the macro does not see it.

use jacobian::jacobian;

pub struct Spring {
    k: f64,
}

impl Spring {
    pub fn force(&self, x: f64) -> f64 {
        self.k * x * x
    }
}

#[jacobian]
mod m {
    use super::Spring;

    pub trait Law {
        fn force(&self, x: f64) -> f64;
    }
    impl Law for Spring {
        fn force(&self, x: f64) -> f64 {
            self.k * x
        }
    }
    #[jacobian]
    pub fn f(spring: &Spring, x: f64) -> f64 {
        spring.force(x)
    }
}

fn main() {}
