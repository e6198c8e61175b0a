//! Fields that are not of the type that `wrt` says, or not fields of the parameter's own type: what is generated does
//! not compile.

use std::ops::Deref;

use jacobian::jacobian;

struct Inner {
    k: f64,
    single: f32,
    boxed: Box<f64>,
    gains: [f64; 3],
    n: i64,
}

struct Outer {
    inner: Inner,
}

impl Deref for Outer {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

#[jacobian(wrt(p.single, x))]
fn single(x: f64, p: &Inner) -> f64 {
    x * f64::from(p.n as i32)
}

#[jacobian(wrt(p.boxed, x))]
fn boxed(x: f64, p: &Inner) -> f64 {
    x * 2.0
}

#[jacobian(wrt(p.gains, x))]
fn array(x: f64, p: &Inner) -> f64 {
    x
}

#[jacobian(wrt(p.gains: [f64; 2], x))]
fn length(x: f64, p: &Inner) -> f64 {
    x
}

#[jacobian(wrt(p.n, x))]
fn integer(x: f64, p: &Inner) -> f64 {
    x
}

#[jacobian(wrt(p.missing, x))]
fn missing(x: f64, p: &Inner) -> f64 {
    x
}

#[jacobian(wrt(p.k))]
fn behind_deref(p: &Outer) -> f64 {
    p.k * p.inner.k
}

#[jacobian(wrt(p.inner.k))]
fn other_name(p: &Outer) -> f64 {
    p.k * p.inner.k
}

fn main() {}
