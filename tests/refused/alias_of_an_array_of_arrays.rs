//! An alias of an array of arrays of floats as a parameter: its columns would be missing.
//!
//! The generated code should fail to compile, or the error say: write `[[f64; 2]; 2]`, or name the active parameters in
//! `wrt(...)`.

use jacobian::jacobian;

type Matrix = [[f64; 2]; 2];

#[jacobian]
fn f(m: &Matrix, l: f64) -> f64 {
    l * m[0][0] * m[1][1]
}

fn main() {
    let m = [[1.0, 2.0], [3.0, 4.0]];
    println!("{:?} {:?}", f(&m, 2.0), f_jac(&m, 2.0));
}
