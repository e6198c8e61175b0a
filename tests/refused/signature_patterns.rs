#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

#[jacobian]
fn mutable_reference(ref mut x: f64) -> f64 {
    *x
}

#[jacobian(wrt(y))]
fn passive_at(n @ 0..: usize, y: f64) -> f64 {
    y
}

fn main() {
    let (_, [_]) = mutable_reference_jac(1.0);
    let (_, [_]) = passive_at_jac(1, 1.0);
}
