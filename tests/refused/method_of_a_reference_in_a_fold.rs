//! A trait whose method takes `&self`, in a closure of two parameters.
//!
//! The generated code should fail to compile: multiple applicable items in scope (E0034).

use jacobian::jacobian;

trait Odd {
    fn tanh(&self) -> f64;
}

impl Odd for f64 {
    fn tanh(&self) -> f64 {
        2.0 * *self
    }
}

#[jacobian]
fn f(a: [f64; 2]) -> f64 {
    a.iter().fold(0.0, |s, v| s + v.tanh())
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0]), f_jac([1.0, 2.0]));
}
