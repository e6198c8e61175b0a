//! A constant with a name of small letters behind a reference in a pattern of `matches!`: it is no new
//! variable.
//!
//! The generated code should fail to compile: `limit` cannot be bound, for it is a constant (E0005 or E0308).

use jacobian::jacobian;

#[allow(non_upper_case_globals)]
const limit: usize = 1;

#[jacobian]
fn f(a: [f64; 3]) -> f64 {
    let mut s = 0.0;
    for (i, v) in a.iter().enumerate() {
        if matches!(&i, &limit) {
            s += v;
        }
    }
    s
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]));
}
