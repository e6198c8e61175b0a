//! A mark on a method of an implementation of a trait, outside of a `#[jacobian] mod`: the trait has no method for the
//! Jacobian, and the attribute does not see that it is one.

use jacobian::jacobian;

struct Gain(f64);

trait Law {
    fn law(&self, x: f64) -> f64;
}

impl Law for Gain {
    #[jacobian]
    fn law(&self, x: f64) -> f64 {
        self.0 * x
    }
}

fn main() {}
