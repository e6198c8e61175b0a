//! An alias of an array of floats as a parameter: its columns would be missing.
//!
//! The generated code should fail to compile, or the error say: write `[f64; 2]`, or name the active parameters in `wrt(...)`.

use jacobian::jacobian;

type Point = [f64; 2];

#[jacobian]
fn f(p: &Point, l: f64) -> f64 {
    l * p[0] * p[1]
}

fn main() {
    println!("{:?} {:?}", f(&[1.0, 2.0], 2.0), f_jac(&[1.0, 2.0], 2.0));
}
