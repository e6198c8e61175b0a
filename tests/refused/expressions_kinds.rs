#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

struct Point {
    x: f64,
}

#[jacobian]
fn asynchronous(x: f64) -> f64 {
    let y = async { 1.0 };
    x
}

#[jacobian]
fn constant_block(x: f64) -> f64 {
    x * const { 2.0 }
}

#[jacobian]
fn unsafe_block(x: f64) -> f64 {
    x * unsafe { constant() }
}

#[jacobian]
fn structure(x: f64) -> f64 {
    let point = Point { x };
    point.x
}

#[jacobian]
fn raw_pointer(x: f64) -> f64 {
    let pointer = &raw const x;
    x
}

#[jacobian]
fn mutable_reference(x: f64) -> f64 {
    let mut y = x;
    let z = [&mut y];
    *z[0] *= 2.0;
    y
}

#[jacobian]
fn format(x: f64) -> f64 {
    let message = format!("{x}");
    x
}

#[jacobian]
fn never(x: f64) -> f64 {
    todo!()
}

unsafe fn constant() -> f64 {
    2.0
}

fn main() {
    let (_, [_]) = asynchronous_jac(1.0);
    let (_, [_]) = constant_block_jac(1.0);
    let (_, [_]) = unsafe_block_jac(1.0);
    let (_, [_]) = structure_jac(1.0);
    let (_, [_]) = raw_pointer_jac(1.0);
    let (_, [_]) = mutable_reference_jac(1.0);
    let (_, [_]) = format_jac(1.0);
    let (_, [_]) = never_jac(1.0);
}
