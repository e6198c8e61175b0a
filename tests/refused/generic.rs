//! Type parameters: what the derivative needs of them and does not have.

use jacobian::jacobian;
use nalgebra::{ComplexField, RealField, Vector2};
use num_traits::Float;
use std::ops::Mul;

#[jacobian]
fn without_a_bound<T>(x: T) -> T {
    x
}

#[jacobian]
fn literal<T: Float + Mul<f64, Output = T>>(x: T) -> T {
    x * 2.0
}

#[jacobian]
fn not_copy<T: RealField>(x: T) -> T {
    x.sin()
}

trait Number: core::ops::Mul<Output = Self> + core::ops::Add<Output = Self> + Clone {
    fn zero() -> Self;
    fn one() -> Self;
    fn sqrt(self) -> Self;
}

#[jacobian]
fn perhaps_not_copy<T: Number>(x: T) -> T {
    x.clone() * x
}

#[jacobian]
fn number_that_no_bound_offers<T: Number + Copy>(x: T) -> T {
    x.sqrt()
}

#[jacobian]
fn single_precision_is_too_coarse<T: Copy + From<f32> + Exponential>(x: T) -> T {
    x.exp2()
}

trait Exponential: Sized {
    fn exp2(self) -> Self;
}

#[jacobian]
fn two_parameters<T: Float, U: Float>(x: T, y: U) -> (T, U) {
    (x, y)
}

#[jacobian]
fn beside_a_float<T: Float>(x: T, y: f64) -> T {
    x * T::from(y).unwrap()
}

#[jacobian]
fn another_float<T: Float>(x: f64) -> T {
    T::from(x).unwrap()
}

#[jacobian]
fn wrapped<T: Float>(x: Vec<T>) -> T {
    x[0]
}

#[jacobian]
fn complex<T: ComplexField + Copy>(z: T, v: Vector2<T>) -> ([T; 2], Vector2<T>) {
    ([z.signum(), z.floor()], v.normalize())
}

trait Field: ComplexField + Copy {}

#[jacobian]
fn perhaps_complex<T: Field>(v: Vector2<T>) -> Vector2<T> {
    v.scale(v.norm_squared())
}

trait Other: Copy + Mul<Output = Self> {
    fn sine(self) -> Self;
}

#[jacobian]
fn unknown_function<T: Other>(x: T) -> T {
    Other::sine(x) * rate(x) * T::sine(x) * <T as Other>::sine(x)
}

fn rate<T: Other>(x: T) -> T {
    x
}

#[jacobian]
fn const_parameter<const N: usize>(x: [f64; N]) -> f64 {
    x[0]
}

fn main() {
    let (_, [_]) = wrapped_jac::<f64>(vec![1.0]);
}
