//! A module called `u8`: `u8::MAX` is its constant, and `u8::pow` its function.
//!
//! The generated code should fail to compile, or the numbers not be known.

use jacobian::jacobian;

mod u8 {
    pub const MAX: core::primitive::u8 = 2;

    pub fn pow(base: core::primitive::u8, _: u32) -> core::primitive::u8 {
        base
    }
}

#[jacobian]
fn f(x: f64) -> f64 {
    x * u8::MAX as f64 + x * u8::pow(3, 2) as f64
}

fn main() {
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
