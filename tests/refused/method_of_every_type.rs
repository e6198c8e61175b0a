//! A trait for all types, whose method takes `&self`.
//!
//! The generated code should fail to compile: multiple applicable items in scope (E0034).

use jacobian::jacobian;

trait Odd {
    fn tanh(&self) -> f64;
}

impl<T: Copy + Into<f64>> Odd for T {
    fn tanh(&self) -> f64 {
        2.0 * (*self).into()
    }
}

#[jacobian]
fn f(a: [f64; 2]) -> f64 {
    a.iter().map(|v| v.tanh()).sum()
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0]), f_jac([1.0, 2.0]));
}
