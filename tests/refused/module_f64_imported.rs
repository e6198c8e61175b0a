//! A module imported as `f64`.
//!
//! The generated code should fail to compile, as for a module of that name.

use jacobian::jacobian;

mod doubled {
    pub fn sin(x: core::primitive::f64) -> core::primitive::f64 {
        2.0 * x
    }
}

use doubled as f64;

#[jacobian]
fn f(x: core::primitive::f64) -> core::primitive::f64 {
    f64::sin(x) * x
}

fn main() {
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
