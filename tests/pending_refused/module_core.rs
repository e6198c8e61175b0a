//! A module called `core`: `core::array::from_fn` is its function, not that of the standard library.
//!
//! The generated code should fail to compile: the function is another.

use jacobian::jacobian;

mod core {
    pub mod array {
        pub fn from_fn(_: impl Fn(usize) -> f64) -> [f64; 2] {
            [5.0, 7.0]
        }
    }
}

#[jacobian]
fn f(x: [f64; 2]) -> [f64; 2] {
    core::array::from_fn(|i| x[i] * x[i])
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0]), f_jac([1.0, 2.0]));
}
