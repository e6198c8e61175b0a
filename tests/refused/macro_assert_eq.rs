//! An `assert_eq!` of the user, which never panics.
//!
//! The error should say that `assert_eq` is ambiguous (E0659), or that the macro is not known: it is defined here.

use jacobian::jacobian;

macro_rules! assert_eq {
    ($left:expr, $right:expr) => {
        let _ = ($left, $right);
    };
}

#[jacobian]
fn f(x: f64) -> f64 {
    assert_eq!(x, 7.0);
    x * x
}

fn main() {
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
