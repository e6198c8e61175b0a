#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

#[jacobian]
fn tuple(x: (f64, f64)) -> f64 {
    x.0 * x.1
}

#[jacobian]
fn nested_tuple(x: [(f64, f64); 2]) -> f64 {
    x[0].0
}

#[jacobian]
fn mixed_tuple(x: f64, y: (f64, usize)) -> f64 {
    x * y.0
}

#[jacobian]
fn slice(x: &[f64]) -> f64 {
    x[0]
}

#[jacobian]
fn vector(x: Vec<f64>) -> f64 {
    x[0]
}

#[jacobian]
fn constant_length<const N: usize>(x: [f64; N]) -> f64 {
    x[0]
}

#[jacobian]
fn boxed(x: Box<f64>) -> f64 {
    *x
}

#[jacobian]
fn function(x: f64, f: impl Fn(f64) -> f64) -> f64 {
    x * f(1.0)
}

#[jacobian]
fn pointer(x: *const f64) -> f64 {
    0.0
}

#[jacobian]
fn option(x: f64, y: Option<[f64; 2]>) -> f64 {
    x
}

#[jacobian]
fn two_types(x: f64, y: f32) -> f64 {
    x * y as f64
}

#[jacobian]
fn none_active(n: usize) -> f64 {
    n as f64
}

#[jacobian]
fn no_parameter() -> f64 {
    1.0
}

#[jacobian]
fn attribute(#[cfg(all())] x: f64, #[allow(unused)] y: f64) -> f64 {
    x
}

#[jacobian]
fn generic<T: Into<f64>>(x: T) -> f64 {
    x.into()
}

fn main() {
    let (_, [_, _]) = tuple_jac((1.0, 2.0));
    let (_, [_, _, _, _]) = nested_tuple_jac([(1.0, 2.0); 2]);
    let (_, [_, _]) = mixed_tuple_jac(1.0, (2.0, 3));
    let (value, jacobian) = slice_jac(&[1.0]);
    println!("{value} {:?}", jacobian[0]);
    let (value, jacobian) = vector_jac(vec![1.0]);
    println!("{value} {:?}", jacobian[0]);
    let (value, jacobian) = constant_length_jac([1.0, 2.0]);
    println!("{value} {:?}", jacobian[0]);
    println!("{value} {:?}", jacobian[0]);
    let (_, [_]) = boxed_jac(Box::new(1.0));
    let (value, jacobian) = function_jac(1.0, |x| x);
    println!("{value} {:?}", jacobian[0]);
    let (_, [_]) = pointer_jac(&1.0);
    let (value, jacobian) = option_jac(1.0, None);
    println!("{value} {:?}", jacobian[0]);
    let (_, [_, _]) = two_types_jac(1.0, 2.0);
    let (_, []) = none_active_jac(1);
    let (_, []) = no_parameter_jac();
    let (_, [_, _]) = attribute_jac(1.0, 2.0);
    let (_, []) = generic_jac(1.0);
}
