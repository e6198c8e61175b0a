//! A module called `libm`: `libm::sin` is its function, not that of the crate.
//!
//! The generated code should fail to compile, or `with(libm::sin)` be asked for: a derivative of another function is no
//! derivative of this one. Inside of `#[jacobian] mod`, it can be seen.

use jacobian::jacobian;

mod libm {
    pub fn sin(x: f64) -> f64 {
        2.0 * x
    }

    pub fn cos(x: f64) -> f64 {
        x
    }
}

#[jacobian]
fn f(x: f64) -> f64 {
    libm::sin(x) * x
}

fn main() {
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
