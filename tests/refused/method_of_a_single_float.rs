//! A trait for `f32`, whose method takes `&self`.
//!
//! The generated code should fail to compile: multiple applicable items in scope (E0034).

use jacobian::jacobian;

trait Odd {
    fn powi(&self, n: i32) -> f32;
}

impl Odd for f32 {
    fn powi(&self, n: i32) -> f32 {
        *self * n as f32
    }
}

#[jacobian]
fn f(a: [f32; 2]) -> f32 {
    a.iter().map(|v| v.powi(4)).sum()
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0]), f_jac([1.0, 2.0]));
}
