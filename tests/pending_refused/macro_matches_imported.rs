//! A `matches!` that is imported, and hides that of the prelude.
//!
//! The error should say that `matches` is ambiguous, or that the macro is not the standard library's.

use jacobian::jacobian;

mod mine {
    macro_rules! is_two {
        ($value:expr, $pattern:pat) => {
            $value == 2
        };
    }

    pub(crate) use is_two;
}

use mine::is_two as matches;

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
