//! A float under another name as a parameter: it is a column, which would be missing.
//!
//! The generated code should fail to compile, or the error say: write `f64`, or name the active parameters in `wrt(...)`.

use jacobian::jacobian;

use core::primitive::f64 as Real;

#[jacobian]
fn f(q: [Real; 2], l: f64) -> f64 {
    l * q[0] * q[1]
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0], 2.0), f_jac([1.0, 2.0], 2.0));
}
