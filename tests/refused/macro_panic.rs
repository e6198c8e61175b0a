//! A `panic!` of the user, which has a value.
//!
//! The error should say that `panic` is ambiguous (E0659), or that the macro is not known: it is defined here.

use jacobian::jacobian;

macro_rules! panic {
    () => {
        2.0
    };
}

#[jacobian]
fn f(x: f64) -> f64 {
    if x > 2.0 { panic!() } else { x * x }
}

fn main() {
    println!("{:?} {:?}", f(3.0), f_jac(3.0));
}
