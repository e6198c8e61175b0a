//! The functions of the catalogue over nalgebra's fields. A row says which of its traits has the function, and whether
//! its partials hold for complex numbers: what it says wrongly does not compile here, or is found by differences.

use std::collections::BTreeSet;

use jacobian::jacobian;
use jacobian_core::catalogue::CATALOGUE;
use jacobian_core::code_list::Kind;
use nalgebra::{Complex, ComplexField, RealField};

/// A function of this field for each of these methods; what follows the receiver has a value for the tests.
macro_rules! functions {
    ($field:ident, $($method:ident($($other:ident: $ty:ident = $value:expr),*))+) => {
        $(pub mod $method {
            use super::super::*;

            #[jacobian]
            pub fn f<T: $field + Copy>(x: T $(, $other: $ty)*) -> T {
                x.$method($($other),*)
            }
        })+
    };
}

/// Hands these methods to a macro: those whose partials hold for complex numbers.
macro_rules! analytic {
    ($macro:ident!($($first:tt)*)) => {
        $macro! {
            $($first)*
            recip() sqrt() cbrt() exp() exp2() exp_m1() ln() log2() log10() ln_1p()
            sin() cos() tan() asin() acos() atan() sinh() cosh() acosh() atanh()
            powi(n: i32 = 3) mul_add(y: T = Y, z: T = Z)
        }
    };
}

/// The same of those whose partials hold for real numbers.
macro_rules! real {
    ($macro:ident!($($first:tt)*)) => {
        $macro! {
            $($first)*
            abs() signum() floor() ceil() round() trunc() fract() tanh() asinh()
            hypot(y: T = Y) log(y: T = Y) powf(y: T = Y) atan2(y: T = Y) copysign(y: T = Z) max(y: T = Y) min(y: T = Y)
            clamp(y: T = Z, z: T = Y)
        }
    };
}

/// What the fields do not have.
const OTHERS: &[&str] =
    &["midpoint", "to_degrees", "to_radians", "rem_euclid", "div_euclid", "abs_sub", "round_ties_even"];

mod complex {
    analytic!(functions!(ComplexField,));
}

mod real_field {
    analytic!(functions!(RealField,));
    real!(functions!(RealField,));
}

macro_rules! names {
    ($($method:ident $parameters:tt)+) => { [$(stringify!($method)),+] };
}

#[test]
fn every_row_is_listed() {
    let (analytic, real) = (analytic!(names!()), real!(names!()));
    for row in CATALOGUE.iter().filter(|row| row.is_method() && row.gives == Kind::Float) {
        let is_real = row.is_real || row.is_of_real_field;
        let listed = [analytic.contains(&row.name), real.contains(&row.name), OTHERS.contains(&row.name)];
        let expected = if listed[2] { [false, false, true] } else { [!is_real, is_real, false] };
        assert_eq!(listed, expected, "{}: analytic, real, of no field", row.name);
    }
    let known: BTreeSet<_> = CATALOGUE.iter().map(|row| row.name).collect();
    assert!(analytic.iter().chain(&real).chain(OTHERS).all(|name| known.contains(name)));
}

/// The derivative of an analytic function is the same in all directions.
#[test]
fn derivatives_are_complex() {
    const Y: Complex<f64> = Complex::new(2.0, 0.5);
    const Z: Complex<f64> = Complex::new(-1.0, 0.25);
    macro_rules! check {
        ($($method:ident($($other:ident: $ty:ident = $value:expr),*))+) => {$({
            let f = |z| complex::$method::f_jac(z $(, $value)*);
            let (z, step) = (Complex::new(0.4, 0.3), 1e-6);
            let (value, partials) = f(z);
            assert_eq!(value, complex::$method::f(z $(, $value)*));
            for direction in [Complex::new(step, 0.0), Complex::new(0.0, step)] {
                let expected = (f(z + direction).0 - f(z - direction).0) / (direction * 2.0);
                assert!((partials[0] - expected).norm() < 1e-8 * expected.norm().max(1.0), stringify!($method));
            }
        })+};
    }
    analytic!(check!());
}

#[test]
fn values_are_those_of_floats() {
    const Y: f64 = 2.5;
    const Z: f64 = -0.75;
    macro_rules! check {
        ($($method:ident($($other:ident: $ty:ident = $value:expr),*))+) => {$({
            let (value, expected): (f64, f64) = (real_field::$method::f_jac(0.5 $(, $value)*).0, 0.5f64.$method($($value),*));
            assert_eq!(value.to_bits(), expected.to_bits(), stringify!($method));
        })+};
    }
    analytic!(check!());
    real!(check!());
}
