//! An `assert!` of the module, which panics where that of the standard library does not.
//!
//! The error should point at the call and say that macros of the module are not expanded here.

use jacobian::jacobian;

#[jacobian]
mod laws {
    macro_rules! assert {
        ($condition:expr) => {
            if $condition {
                panic!("it holds");
            }
        };
    }

    fn checked(x: f64) -> f64 {
        assert!(x > 2.0);
        x
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        checked(x) * x
    }
}

fn main() {
    use laws::{f, f_jac};
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
