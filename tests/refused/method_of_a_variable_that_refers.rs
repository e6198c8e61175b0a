//! A trait whose method takes `&self`, where a variable refers to a float.
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
fn f(x: f64) -> f64 {
    let y = &x;
    y.tanh()
}

fn main() {
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
