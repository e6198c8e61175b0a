//! A trait for `usize`, whose method takes `&self`, where the receiver is a reference to a known integer.
//!
//! The generated code should fail to compile: multiple applicable items in scope (E0034).

use jacobian::jacobian;

trait Odd {
    fn pow(&self, n: u32) -> usize;
}

impl Odd for usize {
    fn pow(&self, _: u32) -> usize {
        0
    }
}

#[jacobian]
fn f(a: [f64; 5]) -> f64 {
    let mut s = 0.0;
    for k in &[1_usize, 2] {
        s += a[k.pow(2)];
    }
    s
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0, 3.0, 4.0, 5.0]), f_jac([1.0, 2.0, 3.0, 4.0, 5.0]));
}
