//! Vectors, matrices and points of nalgebra: operations whose steps are not known, and what cannot be seen.

use jacobian::jacobian;
use nalgebra::{DVector, Matrix3, Point3, SVector, UnitQuaternion, Vector2, Vector3, Vector4};

const N: usize = 3;

#[jacobian]
fn constant_length(x: SVector<f64, N>) -> f64 {
    x[0]
}

#[jacobian]
fn unknown_length(x: DVector<f64>, q: UnitQuaternion<f64>) -> f64 {
    x[0]
}

#[jacobian]
fn other_floats(x: Vector3<f64>) -> Vector3<f32> {
    x.cast()
}

#[jacobian]
fn methods(x: Vector3<f64>) -> f64 {
    let y = x.yzx();
    x.amax() + x.fold(0.0, |a, b| a + b)
}

#[jacobian(wrt(x))]
fn rotation(x: Vector3<f64>, rotation: &UnitQuaternion<f64>) -> Vector3<f64> {
    rotation * x
}

struct Model {
    offset: Vector3<f64>,
}

#[jacobian]
fn fields(x: Vector3<f64>, q: UnitQuaternion<f64>, model: &Model) -> f64 {
    (q * model.offset).x + (q.inverse() * model.offset + x).y
}

#[jacobian]
fn construction(x: Vector2<f64>, p: Point3<f64>) -> f64 {
    let homogeneous = Vector4::from(p);
    let scaling = Matrix3::new_scaling(x[0]);
    let first = Vector2::ith(0, x[0]);
    0.0
}

#[jacobian]
fn conversion(x: Vector2<f64>) -> f64 {
    let a = [x[0], x[1]].into();
    let b: &Vector2<f64> = &a;
    let c: Pair = [x[0], x[1]].into();
    a[0] + b[0] + c.0[0]
}

struct Pair([f64; 2]);

impl From<[f64; 2]> for Pair {
    fn from([a, b]: [f64; 2]) -> Self {
        Pair([b, a])
    }
}

fn main() {
}
