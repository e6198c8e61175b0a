//! Methods and constructors of nalgebra that filters and robots use: the value is nalgebra's to the last bit, the
//! derivative that of differences.

#![allow(clippy::type_complexity, reason = "a function has many results")]

use jacobian::jacobian;
use nalgebra::{
    Isometry2, Isometry3, Matrix3, Quaternion, Rotation2, Rotation3, RowVector3, SVector, Translation2, Translation3,
    UnitComplex, UnitQuaternion, Vector2, Vector3, Vector4,
};

use crate::{bits, differences};

#[jacobian]
fn relative(a: Isometry3<f64>, b: Isometry3<f64>) -> Isometry3<f64> {
    a.inv_mul(&b)
}

#[jacobian]
fn relative_in_the_plane(a: Isometry2<f64>, b: Isometry2<f64>) -> Isometry2<f64> {
    a.inv_mul(&b)
}

#[jacobian]
fn interpolated(a: Vector3<f64>, b: Vector3<f64>, t: f64) -> (Vector3<f64>, Vector3<f64>, f64) {
    (a.lerp(&b, t), b.abs().lerp(&a, 0.25), a.angle(&b))
}

#[jacobian]
fn normalized_between(
    a: UnitQuaternion<f64>,
    b: UnitQuaternion<f64>,
    t: f64,
) -> (UnitQuaternion<f64>, Quaternion<f64>) {
    (a.nlerp(&b, t), a.lerp(&b, 1.0 - t))
}

#[jacobian]
fn factor(m: Matrix3<f64>) -> (Matrix3<f64>, f64, f64) {
    let s = m * m.transpose() + Matrix3::identity();
    let c = s.cholesky().unwrap();
    (c.l(), c.determinant(), c.ln_determinant())
}

#[jacobian]
fn from_functions(v: Vector3<f64>, k: f64) -> Matrix3<f64> {
    let m = Matrix3::from_fn(|i, j| v[i] * v[j] + if i == j { k } else { 0.0 });
    let w = Vector3::from_fn(|i, _| v[i] * i as f64);
    m + w * w.transpose()
}

#[jacobian]
fn inserted_and_removed(v: Vector3<f64>, k: f64) -> (Vector4<f64>, Matrix3<f64>, Vector2<f64>) {
    (v.insert_row(1, k), (v * v.transpose().remove_column(0)).insert_column(2, 1.0), v.remove_row(1))
}

#[jacobian]
fn sums(m: Matrix3<f64>) -> (Matrix3<f64>, (f64, f64), (Vector3<f64>, RowVector3<f64>)) {
    (m.symmetric_part(), (m.product(), m.mean()), (m.column_sum(), m.row_sum()))
}

#[jacobian]
fn angles(v: Vector3<f64>, a: f64) -> [f64; 3] {
    let r = Rotation3::new(v);
    let c = Rotation2::new(a);
    [r.angle(), c.angle(), r.angle_to(&Rotation3::from_axis_angle(&Vector3::x_axis(), a))]
}

#[jacobian]
fn mapped(v: SVector<f64, 4>, x: f64) -> SVector<f64, 4> {
    let w: SVector<f64, 4> = SVector::from_fn(|i, _| v[i].sin() * x);
    w.map(|e| e * e).zip_map(&v, |a, b| a - b)
}

#[jacobian(wrt(x))]
fn passive(x: Vector3<f64>, w: Vector3<f64>, q: UnitQuaternion<f64>, p: Isometry3<f64>) -> Vector3<f64> {
    let z = Matrix3::from_fn(|i, j| (i * j) as f64);
    w.lerp(&w.abs(), 0.3) * w.angle(&x) + q.nlerp(&q, 0.5) * x + p.inv_mul(&p) * x + z * w + x.lerp(&w, 1.0)
}

/// Numbers between -1 and 1.
fn numbers<const N: usize>(seed: usize) -> [f64; N] {
    std::array::from_fn(|at| (at as f64 * 1.7 + 0.37 * seed as f64).sin())
}

fn vector3(x: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(&x[..3])
}

fn matrix3(x: &[f64]) -> Matrix3<f64> {
    Matrix3::from_column_slice(&x[..9])
}

fn quaternion(x: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::from([x[0], x[1], x[2], x[3]]))
}

fn pose(x: &[f64]) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(vector3(&x[4..])), quaternion(x))
}

fn pose_in_the_plane(x: &[f64]) -> Isometry2<f64> {
    Isometry2::from_parts(Translation2::new(x[2], x[3]), UnitComplex::from_cos_sin_unchecked(x[0], x[1]))
}

/// Compares a function whose floats are made of an array with differences.
macro_rules! compare {
    ($f:path, $jac:path, $n:literal, $at:expr, |$x:ident| $($argument:expr),+) => {
        differences(|$x: [f64; $n]| $f($($argument),+), |$x: [f64; $n]| $jac($($argument),+), $at)
    };
}

#[test]
fn of_nalgebra() {
    for seed in 0..20 {
        compare!(relative, relative_jac, 14, numbers(seed), |x| pose(&x), pose(&x[7..]));
        let in_the_plane = pose_in_the_plane;
        compare!(
            relative_in_the_plane,
            relative_in_the_plane_jac,
            8,
            numbers(seed),
            |x| in_the_plane(&x),
            in_the_plane(&x[4..])
        );
        compare!(interpolated, interpolated_jac, 7, numbers(seed), |x| vector3(&x), vector3(&x[3..]), x[6]);
        compare!(
            normalized_between,
            normalized_between_jac,
            9,
            numbers(seed),
            |x| quaternion(&x),
            quaternion(&x[4..]),
            x[8]
        );
        compare!(factor, factor_jac, 9, numbers(seed), |x| matrix3(&x));
        compare!(from_functions, from_functions_jac, 4, numbers(seed), |x| vector3(&x), x[3]);
        compare!(inserted_and_removed, inserted_and_removed_jac, 4, numbers(seed), |x| vector3(&x), x[3]);
        compare!(sums, sums_jac, 9, numbers(seed), |x| matrix3(&x));
        compare!(angles, angles_jac, 4, numbers(seed), |x| vector3(&x), x[3]);
        compare!(mapped, mapped_jac, 5, numbers(seed), |x| SVector::from_column_slice(&x[..4]), x[4]);
        let (w, q, p) = (Vector3::new(0.3, -0.7, 1.1), quaternion(&numbers::<4>(1)), pose(&numbers::<7>(2)));
        compare!(passive, passive_jac, 3, numbers(seed), |x| vector3(&x), w, q, p);
    }
}

/// At `t = 1`, nalgebra leaves the first vector out.
#[test]
fn ends_of_an_interpolation() {
    for t in [0.0, 0.5, 1.0] {
        let x = [0.3, -0.2, 0.0, 0.5, 0.6, -0.7, t];
        compare!(interpolated, interpolated_jac, 7, x, |x| vector3(&x), vector3(&x[3..]), x[6]);
    }
    let infinite = f64::INFINITY;
    for (y, x) in [(infinite, 1.0), (-1.0, -0.0), (1.0, -0.0), (0.0, -0.0), (-infinite, 0.5), (-0.0, 0.0)] {
        let (from, to) = (Vector3::new(y, 0.2, 1.0), Vector3::new(x, y.signum(), 0.5));
        assert_eq!(bits(&interpolated_jac(from, to, 1.0).0.0), bits(&from.lerp(&to, 1.0)));
    }
    assert_eq!(interpolated_jac(Vector3::zeros(), Vector3::x(), 0.5).0.2, 0.0);
}

#[jacobian]
fn squares(v: SVector<f64, 5>, m: Matrix3<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..v.len() {
        sum += v[i] * v[i];
    }
    sum / v.len() as f64 + m[(0, 1)] * m.len() as f64
}

#[test]
fn the_number_of_elements() {
    let m = |x: f64| Matrix3::new(1.0, x, 2.0, 0.5, 0.25, 0.75, 3.0, 1.5, 2.5);
    let (value, gradient) = squares_jac(SVector::from([0.1, 0.2, 0.3, 0.4, 0.5]), m(0.7));
    assert_eq!(value.to_bits(), squares(SVector::from([0.1, 0.2, 0.3, 0.4, 0.5]), m(0.7)).to_bits());
    assert!((gradient[1] - 0.4 / 5.0).abs() < 1e-15);
    assert_eq!(gradient[8], 9.0);
}
