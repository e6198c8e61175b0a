//! A trait for arrays, whose `len` wins over that of slices.
//!
//! The generated code should fail to compile, for `len` of the array is not that of slices.

use jacobian::jacobian;

trait Part {
    fn len(&self) -> usize;
}

impl Part for [f64; 3] {
    fn len(&self) -> usize {
        1
    }
}

#[jacobian]
fn f(a: [f64; 3]) -> f64 {
    a[a.len() - 1]
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]));
}
