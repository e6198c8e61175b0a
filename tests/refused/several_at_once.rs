#![allow(unused_variables)]

use jacobian::jacobian;

#[jacobian]
fn several(x: f64, n: usize) -> f64 {
    let y = if n > 0 { x } else { 2.0 };
    let z = x.next_up() + square(y) + square(x);
    let w = square(z) * x.to_bits() as f64;
    let is_more = x > 1.0;
    for _ in 0..n {}
    w * z
}

#[jacobian(strategy = "fast", wrt(y), quick)]
fn in_the_options_and_the_body(x: f64) -> f64 {
    square(x) as f32 as f64
}

fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    let (value, [entry]) = several_jac(1.0, 2);
    let _: f64 = value + entry;
    let (_, [_]) = in_the_options_and_the_body_jac(1.0);
}
