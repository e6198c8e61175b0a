//! An alias of a float as a parameter: it is a column, which would be missing.
//!
//! The generated code should fail to compile, or the error say: write `f64`, or name the active parameters in `wrt(...)`.

use jacobian::jacobian;

type Angle = f64;

#[jacobian]
fn f(q: Angle, l: f64) -> f64 {
    l * q.sin()
}

fn main() {
    println!("{:?} {:?}", f(1.0, 2.0), f_jac(1.0, 2.0));
}
