//! A module called `cmp`: `cmp::min` is its function, not that of the standard library.
//!
//! The generated code should fail to compile, or the index not be known: the function is not the standard library's.

use jacobian::jacobian;

mod cmp {
    pub fn min(a: usize, b: usize) -> usize {
        a.max(b)
    }
}

#[jacobian]
fn f(a: [f64; 3]) -> f64 {
    a[cmp::min(1, 2)]
}

fn main() {
    println!("{:?} {:?}", f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]));
}
