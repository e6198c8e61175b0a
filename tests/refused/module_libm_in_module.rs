//! A module called `libm` inside of the module: `libm::sin` is its function, not that of the crate.
//!
//! The error should say that the derivative of `libm::sin` is not known.

use jacobian::jacobian;

#[jacobian]
mod laws {
    mod libm {
        pub fn sin(x: f64) -> f64 {
            2.0 * x
        }

        pub fn cos(x: f64) -> f64 {
            x
        }
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        libm::sin(x) * x
    }
}

fn main() {
    use laws::{f, f_jac};
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
