//! A module called `f64`: `f64::sin` is its function, not the method of the floats.
//!
//! The generated code should fail to compile, where it names the method of the float: `sin` of this module is none (E0308,
//! or E0425 for what the module has not).

use jacobian::jacobian;

mod f64 {
    pub fn sin(x: core::primitive::f64) -> core::primitive::f64 {
        2.0 * x
    }
}

#[jacobian]
fn f(x: core::primitive::f64) -> core::primitive::f64 {
    f64::sin(x) * x
}

fn main() {
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
