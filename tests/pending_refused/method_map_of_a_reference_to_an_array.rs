//! A trait for arrays, whose `map` takes `&self` and wins where the receiver is a reference.
//!
//! The generated code should fail to compile, for `map` of the reference is not that of arrays.

use jacobian::jacobian;

trait Doubled {
    fn map(&self, f: impl Fn(f64) -> f64) -> [f64; 2];
}

impl Doubled for [f64; 2] {
    fn map(&self, f: impl Fn(f64) -> f64) -> [f64; 2] {
        [2.0 * f(self[0]), 2.0 * f(self[1])]
    }
}

#[jacobian]
fn f(a: &[f64; 2]) -> [f64; 2] {
    a.map(|v| v * v)
}

fn main() {
    println!("{:?} {:?}", f(&[1.0, 2.0]), f_jac(&[1.0, 2.0]));
}
