//! Outputs of functions that are called by their Jacobians.

use jacobian::jacobian;

#[jacobian]
fn fill(x: f64, out: &mut [f64; 2]) {
    *out = [x, x * x];
}

#[jacobian(with(fill = |x, out| [1.0, 0.0]))]
fn by_partials(x: f64) -> f64 {
    let mut out = [0.0; 2];
    fill(x, &mut out);
    out[1]
}

#[jacobian(with(fill: fn(f64, &mut [usize; 2])))]
fn of_another_type(x: f64) -> f64 {
    let mut out = [0.0; 2];
    fill(x, &mut out);
    out[1]
}

#[jacobian(with(fill))]
fn active_before(x: f64) -> f64 {
    let mut out = [1.0, x];
    fill(x, &mut out);
    out[1]
}

#[jacobian(with(fill: fn(#[inout] f64, &mut [f64; 2])))]
fn marked(x: f64) -> f64 {
    let mut out = [0.0; 2];
    fill(x, &mut out);
    out[1]
}

#[jacobian(with(fill: fn(f64, #[out] #[inout] &mut [f64; 2])))]
fn marked_twice(x: f64) -> f64 {
    let mut out = [0.0; 2];
    fill(x, &mut out);
    out[1]
}

fn main() {}
