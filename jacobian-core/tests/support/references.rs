//! The catalogue's functions over numbers of 256 bits: what the partials are measured against.

use crate::support::real::Real;
use crate::support::special::{bessel_j, bessel_y, digamma, erf, ln_gamma};

/// A function of a row's arguments.
pub type Reference = fn(&[Real]) -> Real;

/// The function of the row with this name.
pub fn reference(name: &str) -> Option<Reference> {
    REFERENCES.iter().find(|(row, _)| *row == name).map(|&(_, reference)| reference)
}

/// By the names of the rows.
const REFERENCES: &[(&str, Reference)] = &[
    // Arithmetic.
    ("add", |a| &a[0] + &a[1]),
    ("sub", |a| &a[0] - &a[1]),
    ("mul", |a| &a[0] * &a[1]),
    ("div", |a| &a[0] / &a[1]),
    ("rem", |a| &a[0] - &(&(&a[0] / &a[1]).trunc() * &a[1])),
    ("neg", |a| -&a[0]),
    ("mul_add", |a| &(&a[0] * &a[1]) + &a[2]),
    ("recip", |a| &one() / &a[0]),
    ("midpoint", |a| &(&a[0] + &a[1]) * &half()),
    ("to_degrees", |a| &(&a[0] * &Real::from(180.0)) / &Real::pi()),
    ("to_radians", |a| &(&a[0] * &Real::pi()) / &Real::from(180.0)),
    // Powers and roots.
    ("sqrt", |a| a[0].sqrt()),
    ("cbrt", |a| a[0].cbrt()),
    ("powi", |a| a[0].int_power(&a[1])),
    ("powf", |a| a[0].power(&a[1])),
    ("hypot", |a| (&(&a[0] * &a[0]) + &(&a[1] * &a[1])).sqrt()),
    // Exponentials and logarithms.
    ("exp", |a| a[0].exp()),
    ("exp2", |a| (&a[0] * &Real::from(2.0).ln()).exp()),
    ("exp10", |a| (&a[0] * &Real::from(10.0).ln()).exp()),
    ("exp_m1", |a| &a[0].exp() - &one()),
    ("ln", |a| a[0].ln()),
    ("log2", |a| a[0].log2()),
    ("log10", |a| a[0].log10()),
    ("ln_1p", |a| (&one() + &a[0]).ln()),
    ("log", |a| &a[0].ln() / &a[1].ln()),
    // Trigonometric functions.
    ("sin", |a| a[0].sin()),
    ("cos", |a| a[0].cos()),
    ("tan", |a| a[0].tan()),
    ("asin", |a| a[0].asin()),
    ("acos", |a| a[0].acos()),
    ("atan", |a| a[0].atan()),
    ("atan2", |a| atan2(&a[0], &a[1])),
    // Hyperbolic functions.
    ("sinh", |a| a[0].sinh()),
    ("cosh", |a| a[0].cosh()),
    ("tanh", |a| a[0].tanh()),
    ("asinh", |a| a[0].asinh()),
    ("acosh", |a| a[0].acosh()),
    ("atanh", |a| a[0].atanh()),
    // Special functions.
    ("erf", |a| erf(&a[0])),
    ("erfc", |a| &one() - &erf(&a[0])),
    ("gamma", |a| ln_gamma(&a[0]).exp()),
    ("ln_gamma", |a| ln_gamma(&a[0])),
    ("j0", |a| bessel_j(0, &a[0])),
    ("j1", |a| bessel_j(1, &a[0])),
    ("y0", |a| bessel_y(0, &a[0])),
    ("y1", |a| bessel_y(1, &a[0])),
    // Piecewise smooth.
    ("abs", |a| a[0].abs()),
    ("max", |a| largest(&a[0], &a[1])),
    ("min", |a| smallest(&a[0], &a[1])),
    ("maximum", |a| largest(&a[0], &a[1])),
    ("minimum", |a| smallest(&a[0], &a[1])),
    ("clamp", |a| smallest(&largest(&a[0], &a[1]), &a[2])),
    ("copysign", |a| &a[0].abs() * &sign(&a[1])),
    ("fract", |a| &a[0] - &a[0].trunc()),
    ("rem_euclid", |a| &a[0] - &(&div_euclid(&a[0], &a[1]) * &a[1])),
    ("abs_sub", |a| largest(&(&a[0] - &a[1]), &Real::from(0.0))),
    // Piecewise constant.
    ("floor", |a| a[0].floor()),
    ("ceil", |a| a[0].ceil()),
    ("round", |a| &(&a[0].abs() + &half()).floor() * &sign(&a[0])),
    ("round_ties_even", |a| &(&a[0].abs() + &half()).floor() * &sign(&a[0])), // No tie is sampled.
    ("trunc", |a| a[0].trunc()),
    ("signum", |a| sign(&a[0])),
    ("div_euclid", |a| div_euclid(&a[0], &a[1])),
    // What only partials write.
    ("select_eq", |a| select(a[0] == a[1], a)),
    ("select_lt", |a| select(a[0] < a[1], a)),
    ("select_le", |a| select(a[0] <= a[1], a)),
    ("digamma", |a| digamma(&a[0])),
    ("float", |a| a[0].clone()),
    ("pred", |a| &a[0] - &one()),
];

fn one() -> Real {
    Real::from(1.0)
}

fn half() -> Real {
    Real::from(0.5)
}

fn sign(x: &Real) -> Real {
    Real::from(if x.is_negative() { -1.0 } else { 1.0 })
}

fn largest(x: &Real, y: &Real) -> Real {
    if x < y { y.clone() } else { x.clone() }
}

fn smallest(x: &Real, y: &Real) -> Real {
    if y < x { y.clone() } else { x.clone() }
}

fn atan2(y: &Real, x: &Real) -> Real {
    let principal = (y / x).atan();
    match (x.is_negative(), y.is_negative()) {
        (false, _) => principal,
        (true, false) => &principal + &Real::pi(),
        (true, true) => &principal - &Real::pi(),
    }
}

/// The integer `n` for which `x - n * y` is from 0 to the size of `y`.
fn div_euclid(x: &Real, y: &Real) -> Real {
    if y.is_negative() { (x / y).ceil() } else { (x / y).floor() }
}

fn select(holds: bool, args: &[Real]) -> Real {
    if holds { args[2].clone() } else { args[3].clone() }
}
