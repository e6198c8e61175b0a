//! A method of the user's for references to floats wins over that of the float.

use jacobian::jacobian;

trait Rounded {
    fn sqrt(&self) -> f64;
}

impl Rounded for &f64 {
    fn sqrt(&self) -> f64 {
        7.0
    }
}

#[jacobian]
fn f(x: f64) -> f64 {
    let r = &x;
    r.sqrt()
}

fn main() {}
