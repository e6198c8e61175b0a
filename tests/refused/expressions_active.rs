#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

#[jacobian]
fn compare(x: f64, y: f64) -> f64 {
    let is_less = x < y;
    let is_equal = x == 0.0;
    let is_other = 1.0 != y * x;
    let is_more: f64 = (x >= y).into();
    x
}

#[jacobian]
fn cast_to_the_other_float(x: f64) -> f64 {
    (x as f32) as f64
}

#[jacobian]
fn index_by_an_outer_constant(x: [f64; 3]) -> f64 {
    const INNER: usize = 1;
    x[INNER] + x[OUTER]
}

#[jacobian]
fn index_out_of_range(x: [f64; 3]) -> f64 {
    let y = [x[0], x[1]];
    const LAST: usize = 3;
    y[LAST - 1] * x[2]
}

#[jacobian]
fn length_at_run_time<const N: usize>(x: f64) -> f64 {
    let list = [x; N];
    x
}

#[jacobian]
fn too_long(x: f64) -> f64 {
    let list = [x; 1_000_000];
    x
}

#[jacobian]
fn call(x: f64) -> f64 {
    square(x) + crate::square(2.0 * x) + square(3.0)
}

#[jacobian]
fn call_of_the_other_float(x: f64) -> f64 {
    f32::sin(x as f32) as f64
}

#[jacobian]
fn turbofish(x: f64) -> f64 {
    Into::<f64>::into(x)
}

#[jacobian]
fn whole_array(x: [f64; 2]) -> f64 {
    length(x) + length(&x)
}

#[jacobian]
fn lazy(x: f64, n: usize) -> f64 {
    let mut y = x;
    let b = n > 0 && {
        y = x * 2.0;
        true
    };
    let c = n > 0 || (y = x) == ();
    y
}

const OUTER: usize = 2;

fn square(x: f64) -> f64 {
    x * x
}

fn length<T>(_: T) -> f64 {
    2.0
}

fn main() {
    let (_, [_, _]) = compare_jac(1.0, 2.0);
    let (_, [_]) = cast_to_integer_jac(1.0);
    let (_, [_]) = cast_to_the_other_float_jac(1.0);
    let (_, [_]) = index_by_an_active_value_jac(1.0, &[1, 2, 3]);
    let (_, [_, _, _]) = index_by_an_outer_constant_jac([1.0, 2.0, 3.0]);
    let (_, [_, _, _]) = index_out_of_range_jac([1.0, 2.0, 3.0]);
    let (_, [_]) = length_at_run_time_jac::<2>(1.0);
    let (_, [_]) = too_long_jac(1.0);
    let (_, [_]) = exponent_jac(1.0);
    let (_, [_]) = call_jac(1.0);
    let (_, [_]) = call_of_the_other_float_jac(1.0);
    let (_, [_]) = call_of_a_parameter_jac(1.0, |n| n, &|_| {});
    let (_, [_]) = turbofish_jac(1.0);
    let (_, [_, _]) = whole_array_jac([1.0, 2.0]);
    let (_, [_]) = lazy_jac(1.0, 2);
}
