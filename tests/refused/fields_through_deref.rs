//! What `Deref` could make of a parameter with active fields: another type with the same floats.

use std::ops::Deref;

use jacobian::jacobian;

#[derive(Clone, Copy)]
pub struct Inner {
    k: f64,
}

#[derive(Clone, Copy)]
pub struct Outer {
    inner: Inner,
    n: usize,
}

impl Deref for Outer {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

#[jacobian(wrt(p.inner.k))]
fn target(p: &Outer) -> f64 {
    (**p).k * p.inner.k
}

#[jacobian(wrt(p.inner.k))]
fn pattern(p: &Outer) -> f64 {
    let Inner { k } = **p;
    k * p.inner.k
}

#[jacobian(wrt(p.inner.k))]
fn coerced(p: &Outer) -> f64 {
    let q: &Inner = p;
    q.k * p.inner.k
}

#[jacobian(wrt(p.inner.k))]
fn returned(p: &Outer) -> f64 {
    let inner = || -> &Inner { p };
    inner().k * p.inner.k
}

#[jacobian(wrt(p.inner.k))]
fn arms(p: &Outer, q: &Outer) -> f64 {
    let r = if p.n > 2 { p } else { q };
    r.inner.k * p.inner.k
}

#[jacobian]
mod springs {
    use super::{Inner, Outer};

    fn stiffness(spring: &Inner) -> f64 {
        spring.k
    }

    fn inner(spring: &Outer) -> &Inner {
        spring
    }

    #[jacobian(wrt(spring.inner.k))]
    pub fn force(spring: &Outer) -> f64 {
        stiffness(spring) * spring.inner.k
    }

    #[jacobian(wrt(spring.inner.k))]
    pub fn returned(spring: &Outer) -> f64 {
        inner(spring).k * spring.inner.k
    }
}

fn main() {}
