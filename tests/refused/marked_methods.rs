//! Marks on methods inside of a marked module.

use jacobian::jacobian;

pub struct Gain(f64);

trait Law {
    fn law(&self, x: f64) -> f64;
}

#[jacobian]
mod methods_of_a_trait {
    impl super::Law for super::Gain {
        #[jacobian]
        fn law(&self, x: f64) -> f64 {
            self.0 * x
        }
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        x * x
    }
}

fn main() {}
