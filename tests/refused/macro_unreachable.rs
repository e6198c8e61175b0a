//! An `unreachable!` of the user, which has a value.
//!
//! The error should say that `unreachable` is ambiguous (E0659), or that the macro is not known: it is defined here.

use jacobian::jacobian;

macro_rules! unreachable {
    () => {
        2.0
    };
}

#[jacobian]
fn f(x: f64, n: usize) -> f64 {
    match n {
        0 => x,
        1 => x * x,
        _ => unreachable!(),
    }
}

fn main() {
    println!("{:?} {:?}", f(3.0, 2), f_jac(3.0, 2));
}
