//! A `matches!` of the user, which is not that of the standard library.
//!
//! The error should say that `matches` is ambiguous (E0659), or that the macro is not known: it is defined here.

use jacobian::jacobian;

macro_rules! matches {
    ($value:expr, $pattern:pat) => {
        $value == 2
    };
}

#[jacobian]
fn f(a: [f64; 3]) -> f64 {
    let mut s = 0.0;
    for (i, v) in a.iter().enumerate() {
        if matches!(i, 1) {
            s += v;
        }
    }
    s
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]));
}
