//! Calls of functions with a Jacobian of their own that are refused.

use jacobian::jacobian;

struct Parameters {
    gain: f64,
}

fn g(x: f64, _: f64) -> f64 {
    x
}

fn g_jac(x: f64, _: f64) -> (f64, [f64; 2]) {
    (x, [1.0, 0.0])
}

fn pair(x: f64) -> [f64; 2] {
    [x, x]
}

fn pair_jac(x: f64) -> ([f64; 2], [[f64; 1]; 2]) {
    ([x, x], [[1.0], [1.0]])
}

#[jacobian(with(g))]
fn unknown_argument(x: f64, p: &Parameters) -> f64 {
    g(x, p.gain)
}

#[jacobian(with(g: fn(f64) -> f64))]
fn too_few(x: f64) -> f64 {
    g(x, 1.0)
}

#[jacobian(with(g: fn(f64, usize) -> f64))]
fn an_integer(x: f64) -> f64 {
    g(x, x)
}

#[jacobian(with(g: fn(f64, f64)))]
fn returns_nothing(x: f64) -> f64 {
    g(x, 1.0)
}

fn single(x: f64) -> f32 {
    x as f32
}

#[jacobian(with(single: fn(f64) -> f32))]
fn other_floats(x: f64) -> f64 {
    f64::from(single(x))
}

fn singles(x: f64) -> [f32; 2] {
    [x as f32, 1.0]
}

#[jacobian(with(singles: fn(f64) -> [f32; 2]))]
fn an_array_of_other_floats(x: f64) -> f64 {
    f64::from(singles(x)[0])
}

#[jacobian(with(pair))]
fn both(x: f64) -> f64 {
    let y = pair(x);
    y[0] + y
}

#[jacobian(with(pair))]
fn unknown_length(x: f64) -> f64 {
    let [first, ..] = pair(x);
    first
}

#[jacobian(with())]
fn empty(x: f64) -> f64 {
    x
}

#[jacobian(with(g, g))]
fn twice(x: f64) -> f64 {
    x
}

#[jacobian(with(1))]
fn no_path(x: f64) -> f64 {
    x
}

#[jacobian]
fn unnamed(x: f64) -> f64 {
    g(x, 1.0)
}

#[jacobian]
mod ordered {
    #[jacobian(wrt(y, x))]
    fn g(x: f64, y: f64) -> f64 {
        x * y
    }

    #[jacobian(with(g))]
    fn other_order(x: f64) -> f64 {
        g(x, 1.0)
    }
}

fn main() {}
