#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

struct Meters(f64);

#[jacobian]
fn none(x: f64) {
    let _ = x * x;
}

#[jacobian]
fn unit(x: f64) -> () {
    let _ = x * x;
}

#[jacobian]
fn integer(x: f64) -> usize {
    let _ = x;
    1
}

#[jacobian]
fn structure(x: f64) -> Meters {
    Meters(x)
}

#[jacobian]
fn vector(x: f64) -> Vec<f64> {
    vec![x]
}

#[jacobian]
fn reference(x: &f64) -> &f64 {
    x
}

#[jacobian]
fn mixed(x: f64) -> (f64, usize) {
    (x, 1)
}

#[jacobian]
fn constant_length<const N: usize>(x: f64) -> [f64; N] {
    [x; N]
}

#[jacobian]
fn other_float(x: f64) -> f32 {
    let _ = x;
    1.0
}

#[jacobian]
fn both_floats(x: f64) -> (f64, f32) {
    (x, 1.0)
}

#[jacobian]
fn empty(x: f64) -> [f64; 0] {
    let _ = x;
    []
}

#[jacobian]
fn opaque(x: f64) -> impl Into<f64> {
    x
}

#[jacobian]
fn never(x: f64) -> ! {
    let _ = x;
    panic!()
}

#[jacobian]
fn too_large(x: [f64; 2000]) -> [f64; 2000] {
    x
}

fn main() {
    let _ = (none_jac(1.0), unit_jac(1.0), integer_jac(1.0), opaque_jac(1.0), never_jac(1.0), empty_jac(1.0));
    let (Meters(_), [[_]]) = structure_jac(1.0);
    let (value, [row]) = vector_jac(1.0);
    println!("{value:?} {row:?}");
    let (value, [_]) = reference_jac(&1.0);
    println!("{value:?}");
    let ((_, _), [[_]]) = mixed_jac(1.0);
    let ([_], [[_]]) = constant_length_jac(1.0);
    let (_, [_]) = other_float_jac(1.0);
    let (_, [[_], [_]]) = both_floats_jac(1.0);
    let _ = too_large_jac;
}
