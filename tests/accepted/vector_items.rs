//! Vectors, matrices and points of nalgebra in slices of run-time length: what is taken from these is one, whatever
//! takes it.

use jacobian::jacobian;
use nalgebra::{Isometry3, Matrix2, Point3, Vector2, Vector3};

use crate::differences;

#[jacobian(wrt(t, r))]
fn registration(t: Vector3<f64>, r: Vector3<f64>, from: &[Point3<f64>], to: &[Point3<f64>]) -> f64 {
    let pose = Isometry3::new(t, r);
    let mut sum = 0.0;
    for (p, q) in from.iter().zip(to) {
        sum += (pose * p - q).norm_squared();
    }
    sum
}

#[jacobian(wrt(v))]
fn pairs(v: Point3<f64>, data: &[(Point3<f64>, Point3<f64>)]) -> f64 {
    let mut sum = 0.0;
    for (p, q) in data {
        sum += (v - p).norm_squared() * (v - q).norm();
    }
    sum
}

#[jacobian(wrt(v))]
#[allow(clippy::needless_range_loop, clippy::unnecessary_to_owned)]
fn indexed(v: Vector3<f64>, data: &[Vector3<f64>], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += (v - data[i]).norm_squared() + data[i].dot(&v);
    }
    for q in data.iter().rev().skip(1).copied() {
        sum += v.dot(&q) * q.cross(&v).x;
    }
    sum + data.iter().map(|q| (v - q).norm()).sum::<f64>()
}

#[jacobian(wrt(v))]
#[allow(clippy::needless_range_loop, clippy::ptr_arg)]
fn weighted(v: Vector2<f64>, data: Vec<(Matrix2<f64>, f64)>, points: &Vec<Vector2<f64>>) -> f64 {
    let mut sum = 0.0;
    for (i, (m, w)) in data.iter().enumerate() {
        sum += (m * v).norm() * w * i as f64;
    }
    for k in 0..data.len() {
        sum += (data[k].0 * v).x * data[k].1;
    }
    for w in points.windows(2) {
        sum += (w[1] - w[0]).dot(&v);
    }
    if let Some(q) = points.first() {
        sum += q.dot(&v);
    }
    sum
}

#[jacobian(wrt(v))]
fn given(v: Vector2<f64>, q: Vector2<f64>, p: &Vector2<f64>) -> f64 {
    q.dot(&v) + p.component_mul(&v).norm() + q.map(|e| e * 2.0).x
}

/// Parts of passive vectors, as they are: no type is written for them.
#[jacobian(wrt(t))]
fn parts_of(t: Vector3<f64>, from: &[Point3<f64>], poses: &[(usize, Isometry3<f64>)], whole: &Isometry3<f64>) -> f64 {
    let mut sum = 0.0;
    for q in from {
        let coords = q.coords;
        sum += (q.coords - t).norm_squared() + (t - coords).x * q.x;
    }
    for (n, pose) in poses {
        sum += (pose.translation.vector + t).norm() * pose.rotation.w + *n as f64 * (pose.rotation * t).x;
    }
    let Isometry3 { translation, rotation } = whole;
    let chosen = if from.len() > 2 { from[0].coords } else { whole.translation.vector };
    sum + whole.translation.vector.dot(&t) + chosen.dot(&t) + translation.x + rotation.i
}

#[test]
fn items_of_slices_are_vectors() {
    let from = [Point3::new(0.1, -0.4, 0.9), Point3::new(1.2, 0.3, -0.7), Point3::new(-0.5, 0.8, 0.2)];
    let to = [Point3::new(0.3, -0.2, 1.0), Point3::new(1.0, 0.1, -0.9), Point3::new(-0.6, 0.6, 0.4)];
    let parts = |x: [f64; 6]| (Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]));
    let f = |x| registration(parts(x).0, parts(x).1, &from, &to);
    let jac = |x| registration_jac(parts(x).0, parts(x).1, &from, &to);
    differences(f, jac, [0.1, 0.2, -0.3, 0.4, -0.2, 0.3]);

    let data: Vec<_> = from.into_iter().zip(to).collect();
    differences(|x: [f64; 3]| pairs(x.into(), &data), |x| pairs_jac(x.into(), &data), [0.4, 0.5, -0.6]);

    let vectors = from.map(|point| point.coords);
    differences(|x: [f64; 3]| indexed(x.into(), &vectors, 2), |x| indexed_jac(x.into(), &vectors, 2), [0.4, 0.5, -0.6]);

    let pose = Isometry3::new(Vector3::new(0.2, 0.4, -0.1), Vector3::new(0.5, -0.3, 0.8));
    let poses = [(2, pose), (3, pose.inverse())];
    let f = |x: [f64; 3]| parts_of(x.into(), &from, &poses, &pose);
    differences(f, |x| parts_of_jac(x.into(), &from, &poses, &pose), [0.4, 0.5, -0.6]);

    let data = || vec![(Matrix2::new(1.0, 2.0, 3.0, 4.0), 0.5), (Matrix2::new(0.3, -1.0, 0.7, 0.2), 1.5)];
    let points = vec![Vector2::new(0.2, 0.1), Vector2::new(-0.4, 0.8), Vector2::new(0.9, -0.3)];
    let f = |x: [f64; 2]| weighted(x.into(), data(), &points);
    differences(f, |x| weighted_jac(x.into(), data(), &points), [0.7, -0.4]);

    let (q, p) = (Vector2::new(0.3, -0.8), Vector2::new(1.1, 0.6));
    differences(|x: [f64; 2]| given(x.into(), q, &p), |x| given_jac(x.into(), q, &p), [0.7, -0.4]);
}
