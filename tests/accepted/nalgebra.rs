//! nalgebra as it is written: macros, parts of matrices, inverses; the value is nalgebra's to the last bit, the
//! derivative that of differences.

#![allow(clippy::type_complexity, reason = "a function has many results")]

use jacobian::jacobian;
use nalgebra as na;
use nalgebra::{
    Matrix1, Matrix2, Matrix2x3, Matrix3, Matrix4, Point2, Point3, SMatrix, Vector2, Vector3, Vector4, matrix, vector,
};

use crate::{bits, differences};

/// Numbers between -1 and 1.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// The value and the Jacobian at many points.
macro_rules! at_random {
    ($count:literal, $x:ident => $arguments:expr, $f:ident, $jac:ident) => {
        for seed in 0..30 {
            let mut next = numbers(seed);
            let point: [f64; $count] = std::array::from_fn(|_| next());
            differences(
                |$x| {
                    let a = $arguments;
                    $f(a.0, a.1)
                },
                |$x| {
                    let a = $arguments;
                    $jac(a.0, a.1)
                },
                point,
            );
        }
    };
}

#[test]
fn macros() {
    #[jacobian]
    fn f(v: Vector3<f64>, s: f64) -> (Vector3<f64>, (Matrix2x3<f64>, Point2<f64>)) {
        let w = vector![s, v.x * 2.0, 1.0];
        let table = vector![1.0, 2.0, 3.0];
        let n = 2;
        let m = matrix![v.x, s, 0.0; 1.0, v.y * v.z, n as f64];
        (w + v.component_mul(&Vector3::from(table)), (m * 2.0, na::point![v.z, s * s]))
    }
    at_random!(4, x => (Vector3::new(x[0], x[1], x[2]), x[3]), f, f_jac);
}

#[test]
fn parts() {
    #[jacobian]
    fn f(
        m: &Matrix4<f64>,
        v: Vector4<f64>,
    ) -> ((Vector2<f64>, Vector3<f64>, Matrix2<f64>), (f64, Matrix2x3<f64>, na::RowVector4<f64>)) {
        const N: usize = 3;
        let tail = v.fixed_rows::<2>(2);
        let block = m.fixed_view::<2, N>(1, 0) * 2.0;
        let i = 1;
        (
            (tail + m.column(i).xy(), v.xyz() - m.fixed_view::<3, 1>(0, 3), m.fixed_view::<2, 2>(2, 2).transpose()),
            (m.column(0).dot(&v) + m.row(3)[2], block, m.row(1) - m.row(2)),
        )
    }
    at_random!(20, x => (&Matrix4::from_column_slice(&x[..16]), Vector4::from_column_slice(&x[16..])), f, f_jac);
}

#[test]
fn assigned_parts() {
    #[jacobian]
    fn f(m: &Matrix3<f64>, v: Vector3<f64>) -> (SMatrix<f64, 4, 4>, Matrix3<f64>) {
        let mut out = SMatrix::<f64, 4, 4>::zeros();
        out.fixed_view_mut::<3, 3>(0, 0).copy_from(m);
        out.fixed_view_mut::<3, 1>(0, 3).copy_from(&(m * v));
        out.row_mut(3).fill(v.x);
        out[(3, 3)] = 1.0;
        let mut turned = Matrix3::identity();
        turned.set_column(1, &v);
        turned.set_row(2, &v.transpose());
        if v.x > 0.0 {
            turned.set_column(0, &(v * v.y));
        }
        let mut copy = turned;
        copy.copy_from(&turned.transpose());
        (out, copy * m)
    }
    at_random!(12, x => (&Matrix3::from_column_slice(&x[..9]), Vector3::from_column_slice(&x[9..])), f, f_jac);
}

#[test]
fn methods() {
    #[jacobian]
    fn f(
        m: &Matrix3<f64>,
        v: Vector3<f64>,
    ) -> ((f64, f64, f64), (Vector3<f64>, Vector4<f64>, Matrix3<f64>), (f64, Vector2<f64>, Vector3<f64>)) {
        let w = m.column(0).cross(&v);
        let squares = m.map(|x| x * x);
        (
            (m.trace(), m.determinant(), v.metric_distance(&w) + v.magnitude()),
            (m.diagonal() + m.tr_mul(&v), v.push(w.x), v.cross_matrix() * m + v * w.transpose()),
            (v.xy().perp(&w.zx()) + squares.sum(), v.yx(), v.zip_map(&w, |a, b| a * b).add_scalar(v.z)),
        )
    }
    at_random!(12, x => (&Matrix3::from_column_slice(&x[..9]), Vector3::from_column_slice(&x[9..])), f, f_jac);
}

#[test]
fn operators_of_what_is_passive() {
    #[jacobian(wrt(v))]
    fn f(v: Vector3<f64>, m: &Matrix3<f64>, s: f64) -> Vector3<f64> {
        let k = s * (m * m - m) / 2.0 + Matrix3::identity() * 2.0;
        v + k * (m * Vector3::x() + Vector3::y() * s) + k * v
    }
    let m = Matrix3::from_column_slice(&std::array::from_fn::<_, 9, _>(|i| (i as f64).sin()));
    let at = |x: [f64; 3]| Vector3::from_column_slice(&x);
    differences(|x| f(at(x), &m, 0.7), |x| f_jac(at(x), &m, 0.7), [0.3, -0.5, 2.0]);
}

#[test]
fn products_of_kronecker() {
    #[jacobian]
    fn f(m: &Matrix2<f64>, n: Matrix2x3<f64>) -> (SMatrix<f64, 4, 6>, (Vector3<f64>, Point3<f64>)) {
        let p = Point2::from(m.column(0).clone_owned());
        (m.kronecker(&n), (p.to_homogeneous(), Point3::from(n.row(0).transpose())))
    }
    at_random!(10, x => (&Matrix2::from_column_slice(&x[..4]), Matrix2x3::from_column_slice(&x[4..])), f, f_jac);
}

#[test]
fn inverses() {
    #[jacobian]
    fn f(m: &Matrix2<f64>, n: Matrix3<f64>) -> (Matrix2<f64>, Matrix3<f64>, Matrix1<f64>) {
        let one = Matrix1::new(m.m11);
        let inner = match n.try_inverse() {
            Some(inverse) => inverse,
            None => n,
        };
        let outer = if let Some(inverse) = m.try_inverse() { inverse * 2.0 } else { m * 3.0 };
        (outer, inner, one.try_inverse().unwrap_or(one))
    }
    at_random!(13, x => (&Matrix2::from_column_slice(&x[..4]), Matrix3::from_column_slice(&x[4..])), f, f_jac);
    let (m, n) = (Matrix2::new(0.0, 0.0, 1.0, 2.0), Matrix3::from_element(1.0));
    let (value, jacobian) = f_jac(&m, n);
    assert_eq!(bits(&value), bits(&f(&m, n)));
    for (row, entries) in jacobian.iter().enumerate() {
        for (column, entry) in entries.iter().enumerate() {
            let weight = [3.0, 1.0, 1.0][[0..4, 4..13, 13..14].iter().position(|part| part.contains(&row)).unwrap()];
            let is_own = row == column || row == 13 && column == 0;
            assert_eq!(*entry, if is_own { weight } else { 0.0 }, "{row}, {column}");
        }
    }
}

#[test]
fn inverses_of_four_rows() {
    #[jacobian]
    fn f(m: &Matrix4<f64>, v: Vector4<f64>) -> (Vector4<f64>, Matrix4<f64>) {
        let inverse = m.try_inverse().expect("it is regular");
        let again = m.try_inverse().unwrap();
        (inverse * v, again)
    }
    at_random!(20, x => (&(Matrix4::from_column_slice(&x[..16]) + Matrix4::identity() * 2.0), Vector4::from_column_slice(&x[16..])), f, f_jac);
}

#[test]
fn an_inverse_that_is_not_there() {
    #[jacobian]
    fn f(m: &Matrix2<f64>, s: f64) -> f64 {
        let Some(inverse) = m.try_inverse() else { return s };
        inverse.m11 * s
    }
    #[jacobian]
    fn g(m: &Matrix2<f64>) -> f64 {
        m.try_inverse().unwrap().m11
    }
    at_random!(5, x => (&Matrix2::from_column_slice(&x[..4]), x[4]), f, f_jac);
    assert_eq!(f_jac(&Matrix2::zeros(), 2.0), (2.0, [0.0, 0.0, 0.0, 0.0, 1.0]));
    let message = |result: std::thread::Result<f64>| *result.unwrap_err().downcast::<&str>().unwrap();
    let own = message(std::panic::catch_unwind(|| g_jac(&Matrix2::zeros()).0));
    assert_eq!(own, message(std::panic::catch_unwind(|| g(&Matrix2::zeros()))));
}
