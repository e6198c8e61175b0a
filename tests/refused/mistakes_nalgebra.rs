//! What a newcomer writes with nalgebra and with `retract`.

use jacobian::jacobian;
use nalgebra::{DVector, Matrix3, Matrix6, SVector, UnitQuaternion, Vector3, Vector6};

#[jacobian]
fn dynamic(x: &DVector<f64>) -> f64 {
    x[0]
}

#[jacobian]
fn length<const N: usize>(x: SVector<f64, N>) -> f64 {
    x.norm()
}

#[jacobian]
fn lu(m: Matrix3<f64>, b: Vector3<f64>) -> Option<Vector3<f64>> {
    m.lu().solve(&b)
}

#[jacobian]
fn cholesky(m: Matrix3<f64>, b: Vector3<f64>) -> Option<Vector3<f64>> {
    let factor = m.cholesky()?;
    Some(factor.solve(&b))
}

#[jacobian]
fn large(m: Matrix6<f64>, v: Vector6<f64>) -> Vector6<f64> {
    m.try_inverse().unwrap() * v
}

#[jacobian]
fn eigenvalues(m: Matrix3<f64>) -> Vector3<f64> {
    m.symmetric_eigenvalues()
}

#[jacobian(retract(v))]
fn of_a_vector(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract(p))]
fn of_nothing(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract(return))]
fn of_the_result(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract(q), wrt(v))]
fn of_what_is_passive(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract(q), forms(hess))]
fn second(q: UnitQuaternion<f64>, v: Vector3<f64>) -> f64 {
    (q * v).x
}

#[jacobian(retract(q: UnitQuaternion<f64>))]
fn with_a_type(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract)]
fn of_what(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

fn main() {}
