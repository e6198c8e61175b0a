//! A glob in the function hides the function of the module.

use jacobian::jacobian;

#[jacobian]
mod laws {
    pub fn g(x: f64) -> f64 {
        100.0 * x
    }

    mod other {
        pub fn g(x: f64) -> f64 {
            2.0 * x
        }
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        use self::other::*;
        g(x) * x
    }
}

fn main() {
    use laws::{f, f_jac};
    println!("{:?} {:?}", f(3.0), f_jac(3.0));
}
