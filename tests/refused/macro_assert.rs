//! An `assert!` of the user, which panics where that of the standard library does not.
//!
//! The error should say that `assert` is ambiguous (E0659), or that the macro is not known: it is defined here.

use jacobian::jacobian;

macro_rules! assert {
    ($condition:expr) => {
        if $condition {
            panic!("it holds");
        }
    };
}

#[jacobian]
fn f(x: f64) -> f64 {
    assert!(x > 2.0);
    x * x
}

fn main() {
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
