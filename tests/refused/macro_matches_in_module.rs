//! A `matches!` of the module, which is not that of the standard library.
//!
//! The error should point at the call and say that macros of the module are not expanded here.

use jacobian::jacobian;

#[jacobian]
mod laws {
    macro_rules! matches {
        ($value:expr, $pattern:pat) => {
            $value == 2
        };
    }

    #[jacobian]
    pub fn f(a: [f64; 3]) -> f64 {
        let mut s = 0.0;
        for (i, v) in a.iter().enumerate() {
            if matches!(i, 1) {
                s += v;
            }
        }
        s
    }
}

fn main() {
    use laws::{f, f_jac};
    println!("{:?} {:?}", f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]));
}
