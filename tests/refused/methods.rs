#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

#[jacobian]
fn unknown(x: f64) -> f64 {
    x.sine() + x.sinn() + x.logarithm()
}

#[jacobian]
fn of_a_trait(x: f64) -> f64 {
    x.square()
}

#[jacobian]
fn steps(x: f64) -> [f64; 2] {
    [x.next_up(), x.next_down()]
}

#[jacobian]
fn leaves(x: f64) -> f64 {
    let bits = x.to_bits();
    let bytes = x.to_le_bytes();
    x
}

#[jacobian]
fn tests(x: f64) -> f64 {
    let nan = x.is_nan();
    let sign = x.is_sign_negative();
    let finite = x.is_finite();
    x
}

#[jacobian]
fn operator(x: f64, y: f64) -> f64 {
    use std::ops::{Add, Neg};
    x.add(y).neg()
}

#[jacobian]
fn arity(x: f64) -> f64 {
    let y = f64::sin_cos(x);
    Into::into(x)
}

#[jacobian]
fn conversions(x: f64) -> f64 {
    let text = x.to_string();
    let other: f64 = x.into();
    x
}

#[jacobian]
fn arrays(x: [f64; 2]) -> f64 {
    let y = x.rchunks(2);
    let mut w = x;
    w.sort_by(f64::total_cmp);
    let z: [f64; 1] = x[..].try_into().unwrap();
    x.concat() + x.to_vec()[0]
}

#[jacobian]
fn libm_unknown(x: f64) -> f64 {
    libm::nextafter(x, x) + libm::lgamma_r(x).0 + x.j0()
}

#[jacobian]
fn turbofish(x: f64) -> f64 {
    x.same::<f64>()
}

trait Own {
    fn sine(self) -> f64;
    fn sinn(self) -> f64;
    fn logarithm(self) -> f64;
    fn square(self) -> f64;
    fn j0(self) -> f64;
    fn same<T>(self) -> f64;
}

impl Own for f64 {
    fn sine(self) -> f64 {
        self
    }
    fn sinn(self) -> f64 {
        self
    }
    fn logarithm(self) -> f64 {
        self
    }
    fn square(self) -> f64 {
        self
    }
    fn j0(self) -> f64 {
        self
    }
    fn same<T>(self) -> f64 {
        self
    }
}

fn main() {
    let (_, [_]) = unknown_jac(1.0);
    let (_, [_]) = of_a_trait_jac(1.0);
    let (_, [[_], [_]]) = steps_jac(1.0);
    let (_, [_]) = leaves_jac(1.0);
    let (_, [_, _]) = compares_jac(1.0, 2.0);
    let (_, [_]) = tests_jac(1.0);
    let (_, [_, _]) = operator_jac(1.0, 2.0);
    let (_, [_]) = arity_jac(1.0);
    let (_, [_]) = conversions_jac(1.0);
    let (_, [_, _]) = arrays_jac([1.0, 2.0]);
    let (_, [_]) = libm_unknown_jac(1.0);
    let (_, [_]) = turbofish_jac(1.0);
}
