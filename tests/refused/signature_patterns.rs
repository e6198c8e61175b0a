#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

#[jacobian]
fn mutable_reference(ref mut x: f64) -> f64 {
    *x
}

fn main() {
    let (_, [_]) = mutable_reference_jac(1.0);
}
