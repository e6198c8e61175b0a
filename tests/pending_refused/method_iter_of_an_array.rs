//! A trait for arrays, whose `iter` wins over that of slices.
//!
//! The generated code should fail to compile, for `iter` of the array is not that of slices.

use jacobian::jacobian;

trait Part {
    fn iter(&self) -> std::slice::Iter<'_, f64>;
}

impl Part for [f64; 3] {
    fn iter(&self) -> std::slice::Iter<'_, f64> {
        self[1..].iter()
    }
}

#[jacobian]
fn f(a: [f64; 3]) -> f64 {
    a.iter().sum()
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]));
}
