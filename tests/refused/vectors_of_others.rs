//! A type with the name of one of nalgebra's: the generated code does not compile.

use jacobian::jacobian;
use std::ops::{Index, Mul};

#[derive(Clone, Copy)]
struct Vector3<T>([T; 3]);

impl<T> Index<usize> for Vector3<T> {
    type Output = T;
    fn index(&self, index: usize) -> &T {
        &self.0[2 - index]
    }
}

impl<T> From<[T; 3]> for Vector3<T> {
    fn from(array: [T; 3]) -> Self {
        Vector3(array)
    }
}

impl Vector3<f64> {
    fn new(x: f64, y: f64, z: f64) -> Self {
        Vector3([x, y, z])
    }
}

impl Mul<f64> for Vector3<f64> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Vector3(self.0.map(|x| x.powf(factor)))
    }
}

#[jacobian]
fn parameter(x: &Vector3<f64>) -> f64 {
    x[0] * x[1]
}

#[jacobian]
fn inside(x: f64) -> f64 {
    let v = Vector3::new(x, x, 2.0) * x;
    v[0]
}

fn main() {}
