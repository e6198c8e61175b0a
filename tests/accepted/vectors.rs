//! Vectors, matrices and points of nalgebra: the operations are those of nalgebra to the last bit.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;
use nalgebra as na;
use nalgebra::{Matrix2, Matrix2x3, Matrix3, Matrix3x2, Point2, Point3, RealField, SMatrix, SVector, Vector2, Vector3};

use crate::{Floats, bits, check, differences};

impl<T: Floats + na::Scalar, const R: usize, const C: usize> Floats for SMatrix<T, R, C> {
    fn floats(&self) -> Vec<f64> {
        self.iter().flat_map(Floats::floats).collect()
    }
}

impl<T: Floats + na::Scalar, const N: usize> Floats for na::Point<T, N> {
    fn floats(&self) -> Vec<f64> {
        self.coords.floats()
    }
}

/// Numbers of many magnitudes and signs, zeros of both signs among them, so that an order of operations shows.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let sign = if state >> 63 == 0 { 1.0 } else { -1.0 };
        match (state >> 40) % 8 {
            0 => 0.0 * sign,
            exponent => sign * ((state >> 20) as f64) * 0.1f64.powi(exponent as i32),
        }
    }
}

#[test]
fn elements_of_a_vector() {
    #[jacobian]
    fn f(x: Vector3<f64>, y: &na::Vector2<f64>) -> Vector2<f64> {
        Vector2::new(x[0] * y.x, x.z - y[1] * x.y)
    }
    let (x, y) = (Vector3::new(2.0, 3.0, 5.0), Vector2::new(7.0, 11.0));
    check(f(x, &y), f_jac(x, &y), &[7.0, 0.0, 0.0, 2.0, 0.0, 0.0, -11.0, 1.0, 0.0, -3.0]);
}

#[test]
fn entries_of_a_matrix_are_columns_of_the_jacobian_in_the_order_of_its_storage() {
    #[jacobian]
    fn f(m: &Matrix2x3<f64>) -> Matrix3x2<f64> {
        let mut n = m.transpose();
        n[(0, 1)] *= m.m21;
        n.m31 += m[0];
        n
    }
    let m = Matrix2x3::new(2.0, 3.0, 5.0, 7.0, 11.0, 13.0);
    let (value, jacobian) = f_jac(&m);
    assert_eq!((f(&m), f(&m)), (value, Matrix3x2::new(2.0, 49.0, 3.0, 11.0, 7.0, 13.0)));
    // The storage is column by column: m11 m21 m12 m22 m13 m23, and n11 n21 n31 n12 n22 n32.
    let mut expected = [[0.0; 6]; 6];
    for (row, column, partial) in
        [(0, 0, 1.0), (1, 2, 1.0), (2, 4, 1.0), (2, 0, 1.0), (3, 1, 14.0), (4, 3, 1.0), (5, 5, 1.0)]
    {
        expected[row][column] = partial;
    }
    assert_eq!(jacobian, expected);
}

#[test]
fn sums_and_multiples() {
    #[jacobian]
    fn f(v: Vector3<f64>, w: &Vector3<f64>, s: f64) -> [Vector3<f64>; 8] {
        let mut sum = v;
        sum += w;
        sum *= 0.1;
        [v + w, v - w, -v, v * s, s * w, w / s, sum, (v + w * 0.3) / 3.0 - w]
    }
    for seed in 0..100 {
        let mut next = numbers(seed);
        let (v, w, s) = (Vector3::from_fn(|_, _| next()), Vector3::from_fn(|_, _| next()), next());
        let (value, own) = (f(v, &w, s), f_jac(v, &w, s).0);
        for (index, (value, own)) in value.floats().iter().zip(own.floats()).enumerate() {
            assert!(value.to_bits() == own.to_bits() || value.is_nan() && own.is_nan(), "{index}: {own}, not {value}");
        }
    }
    let (v, w) = (Vector3::new(1.0, 2.0, 3.0), Vector3::new(5.0, 7.0, 11.0));
    let (_, jacobian) = f_jac(v, &w, 2.0);
    assert_eq!(jacobian[0], [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(jacobian[4], [0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0]);
    assert_eq!(jacobian[8], [0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(jacobian[9], [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(jacobian[13], [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 7.0]);
    assert_eq!(jacobian[17], [0.0, 0.0, 0.0, 0.0, 0.0, 0.5, -2.75]);
}

#[test]
fn iterators_over_elements() {
    #[jacobian]
    fn f(v: &Vector3<f64>, m: Matrix2x3<f64>, p: Point2<f64>, w: [f64; 3]) -> [f64; 3] {
        let mut horner = 0.0;
        for (k, entry) in m.iter().enumerate().rev() {
            horner = horner * p.x + entry * k as f64;
        }
        let weighted = v.iter().zip(&w).map(|(a, b)| a * b).sum::<f64>();
        [horner, weighted, p.iter().product::<f64>() * (v - v * 0.5).iter().fold(0.0, |sum, a| sum + a)]
    }
    let (v, m) = (Vector3::new(2.0, 3.0, 5.0), Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
    let (p, w) = (Point2::new(0.5, 7.0), [-0.0, 1.5, 0.1]);
    // m22 + 2 m12 x + 3 m21 x^2... in the order of the storage: entry k has the weight k x^k.
    let by_p =
        4.0 + 2.0 * 2.0 * 2.0 * 0.5 + 3.0 * 3.0 * 5.0 * 0.25 + 4.0 * 4.0 * 3.0 * 0.125 + 5.0 * 5.0 * 6.0 * 0.0625;
    let mut expected = [[0.0; 14]; 3];
    expected[0][3..9].copy_from_slice(&[0.0, 0.5, 0.5, 0.375, 0.25, 0.15625]);
    expected[0][9] = by_p;
    expected[1][..3].copy_from_slice(&w);
    expected[1][11..].copy_from_slice(&[2.0, 3.0, 5.0]);
    expected[2][..3].copy_from_slice(&[1.75; 3]);
    expected[2][9..11].copy_from_slice(&[35.0, 2.5]);
    check(f(&v, m, p, w), f_jac(&v, m, p, w), expected.as_flattened());
}

#[test]
fn points() {
    #[jacobian]
    fn f(p: &Point3<f64>, q: Point3<f64>, v: Vector3<f64>) -> (Point3<f64>, Point3<f64>, Vector3<f64>, Point2<f64>) {
        let middle = Point3::from((p.coords + q.coords) * 0.5);
        (*p + v * 2.0, middle - v, p - q, Point2::new(p.x * q.y, p[2]))
    }
    let (p, q, v) = (Point3::new(1.0, 2.0, 3.0), Point3::new(5.0, 7.0, 11.0), Vector3::new(0.1, 0.2, 0.3));
    let (value, jacobian) = f_jac(&p, q, v);
    assert_eq!(bits(&[value.0, value.1]), bits(&[f(&p, q, v).0, f(&p, q, v).1]));
    assert_eq!((value.2, value.3), (f(&p, q, v).2, f(&p, q, v).3));
    assert_eq!(jacobian[0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    assert_eq!(jacobian[4], [0.0, 0.5, 0.0, 0.0, 0.5, 0.0, 0.0, -1.0, 0.0]);
    assert_eq!(jacobian[8], [0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
    assert_eq!(jacobian[9], [7.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(jacobian[10], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn construction() {
    #[jacobian]
    fn f(x: &[f64; 4]) -> ([SMatrix<f64, 2, 2>; 5], na::RowVector2<f64>) {
        let [a, b, c, d] = *x;
        let (v, w) = (SVector::from([a, b]), SVector::<f64, 2>::new(c, d));
        (
            [
                SMatrix::<f64, 2, 2>::new(a, b, c, d),
                Matrix2::from([[a, b], [c, d]]),
                na::Matrix2::from_columns(&[v, w]),
                Matrix2::from_rows(&[v.transpose(), w.transpose()]) + Matrix2::repeat(d)
                    - Matrix2::from_column_slice(&[d; 4]),
                Matrix2::from_diagonal(&(v + w)) + Matrix2::from_row_slice(x) - Matrix2::from_element(a),
            ],
            na::RowVector2::new(b, c),
        )
    }
    let x = [2.0, 3.0, 5.0, 7.0];
    let (value, jacobian) = f_jac(&x);
    assert_eq!(value, f(&x));
    let column_of = |row: usize| jacobian[row].iter().position(|&entry| entry == 1.0).unwrap();
    assert_eq!([0, 1, 2, 3].map(column_of), [0, 2, 1, 3]);
    assert_eq!([4, 5, 6, 7].map(column_of), [0, 1, 2, 3]);
    assert_eq!([8, 9, 10, 11].map(column_of), [0, 1, 2, 3]);
    assert_eq!([12, 13, 14, 15].map(column_of), [0, 2, 1, 3]);
    assert_eq!(jacobian[16], [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(jacobian[17], [-1.0, 0.0, 1.0, 0.0]);
    assert_eq!([20, 21].map(column_of), [1, 2]);
}

#[test]
fn conversions() {
    #[jacobian]
    fn f(x: f64, v: Vector2<f64>) -> (Vector2<f64>, Point2<f64>, [f64; 2]) {
        let w: na::Vector2<f64> = [x, x * x].into();
        let p: Point2<f64> = w.into();
        let back: [f64; 2] = (v + p.coords).into();
        let mut q = v;
        q = [back[0], q.y].into();
        (q + v, [back[1], x].into(), v.into())
    }
    let v = Vector2::new(3.0, 5.0);
    let (value, jacobian) = f_jac(2.0, v);
    assert_eq!(value, f(2.0, v));
    assert_eq!(jacobian[0], [1.0, 2.0, 0.0]);
    assert_eq!(jacobian[1], [0.0, 0.0, 2.0]);
    assert_eq!(jacobian[2], [4.0, 0.0, 1.0]);
    assert_eq!(jacobian[3], [1.0, 0.0, 0.0]);
    assert_eq!(jacobian[4], [0.0, 1.0, 0.0]);
}

#[test]
fn passive_vectors() {
    struct Camera {
        focal: Matrix2<f64>,
        axis: Vector2<f64>,
    }
    #[jacobian(wrt(x))]
    fn f(x: Vector2<f64>, camera: &Camera, offset: &Vector2<f64>, n: usize) -> (Vector2<f64>, f64) {
        let focal: Matrix2<f64> = camera.focal;
        let axis: &Vector2<f64> = &camera.axis;
        let table = Vector2::new(n as f64, 2.0);
        let scale = offset.norm() + camera.axis[n];
        let mut moved: Vector2<f64> = camera.axis;
        moved.x = x[0] * x[1];
        (focal * x + offset * x.y - axis + Vector2::zeros() + moved, x.dot(&table) * scale + table[1])
    }
    let camera = Camera { focal: Matrix2::new(2.0, 3.0, 5.0, 7.0), axis: Vector2::new(0.5, 0.25) };
    let offset = Vector2::new(3.0, 4.0);
    let x = Vector2::new(11.0, 13.0);
    let value = f(x, &camera, &offset, 1);
    check(value, f_jac(x, &camera, &offset, 1), &[2.0 + 13.0, 6.0 + 11.0, 5.0, 11.0, 5.25, 10.5]);
}

#[test]
fn outputs_and_arrays_of_vectors() {
    #[jacobian]
    fn f(x: &[Vector2<f64>; 2], v: &mut Vector2<f64>, m: &mut Matrix2<f64>, p: &mut [Point2<f64>; 1]) -> f64 {
        *v = x[0] + x[1];
        m[(0, 0)] = v[0];
        m[(1, 0)] = x[0].x * x[1].y;
        m[(0, 1)] = m[(1, 0)] * 2.0;
        m.m22 = 0.0;
        p[0] = Point2::from(x[1]);
        p[0].x *= v.y;
        x[0].norm()
    }
    let x = [Vector2::new(3.0, 4.0), Vector2::new(5.0, 7.0)];
    let (mut v, mut m, mut p) = (Vector2::zeros(), Matrix2::zeros(), [Point2::origin()]);
    let value = f(&x, &mut v, &mut m, &mut p);
    let (mut own_v, mut own_m, mut own_p) = (v * 0.0, m * 0.0, [Point2::origin()]);
    let own = f_jac(&x, &mut own_v, &mut own_m, &mut own_p);
    assert_eq!((v, m, p), (own_v, own_m, own_p));
    let expected = [
        [0.6, 0.8, 0.0, 0.0],
        [1.0, 0.0, 1.0, 0.0],
        [0.0, 1.0, 0.0, 1.0],
        [1.0, 0.0, 1.0, 0.0],
        [7.0, 0.0, 0.0, 3.0],
        [14.0, 0.0, 0.0, 6.0],
        [0.0, 0.0, 0.0, 0.0],
        [0.0, 5.0, 11.0, 5.0],
        [0.0, 0.0, 0.0, 1.0],
    ];
    check(value, own, &expected.concat());
}

#[test]
fn vectors_of_a_type_parameter() {
    #[jacobian]
    fn f<T: RealField + Copy>(v: &Vector3<T>, w: Vector3<T>) -> (Vector3<T>, T) {
        let half: T = na::convert(0.5);
        ((v.cross(&w) + v * half).normalize(), v.dot(&w))
    }
    let (v, w) = (Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.5, -1.0, 2.0));
    let (value, _) = f_jac(&v, w);
    assert_eq!(value, f(&v, w));
    crate::differences(
        |[a, b, c, d, e, g]: [f64; 6]| {
            let (v, s) = f(&Vector3::new(a, b, c), Vector3::new(d, e, g));
            ([v.x, v.y, v.z], s)
        },
        |[a, b, c, d, e, g]| {
            let ((v, s), jacobian) = f_jac(&Vector3::new(a, b, c), Vector3::new(d, e, g));
            (([v.x, v.y, v.z], s), jacobian)
        },
        [1.0, 2.0, 3.0, 0.5, -1.0, 2.0],
    );
    let (v, w) = (v.cast::<f32>(), w.cast::<f32>());
    assert_eq!(f_jac(&v, w).0, f(&v, w));
    assert_eq!(f_jac(&v, w).1[3], [0.5, -1.0, 2.0, 1.0, 2.0, 3.0]);
}

/// A function for each method and number of elements, compared with nalgebra's.
macro_rules! methods {
    ($($module:ident $ty:ident: $rows:literal x $columns:literal;)*) => {$(
        mod $module {
            use super::*;
            use nalgebra::$ty;

            #[jacobian]
            fn f(v: $ty<f64>, w: &$ty<f64>, s: f64) -> ([f64; 5], [$ty<f64>; 5]) {
                (
                    [v.dot(w), v.norm(), w.norm_squared(), v.sum(), (v - w).norm()],
                    [v.normalize(), v.component_mul(w), v.component_div(w), v.scale(s), w.unscale(s)],
                )
            }

            #[test]
            fn are_those_of_nalgebra() {
                for seed in 0..400 {
                    let mut next = numbers(seed);
                    let (v, w, s) = ($ty::from_fn(|_, _| next()), $ty::from_fn(|_, _| next()), next());
                    same(&f(v, &w, s), &f_jac(v, &w, s).0);
                    let zeros = $ty::repeat(-0.0);
                    same(&f(zeros, &w.map(f64::abs), s), &f_jac(zeros, &w.map(f64::abs), s).0);
                }
            }

            #[test]
            fn have_the_derivatives_of_their_operations() {
                let (v, w) = ($ty::from_fn(|r, c| 1.0 + (r + 2 * c) as f64), $ty::from_fn(|r, c| 0.5 - (r * r + c) as f64));
                let ((_, [normal, ..]), jacobian) = f_jac(v, &w, 2.0);
                let count = $rows * $columns;
                for column in 0..count {
                    assert_eq!(jacobian[0][column], w[column]);
                    assert_eq!(jacobian[0][count + column], v[column]);
                    assert_abs_diff_eq!(jacobian[1][column], v[column] / v.norm(), epsilon = 1e-12);
                    assert_abs_diff_eq!(jacobian[2][count + column], 2.0 * w[column], epsilon = 1e-12);
                    assert_eq!(jacobian[3][column], 1.0);
                    assert_abs_diff_eq!(jacobian[4][column], (v - w)[column] / (v - w).norm(), epsilon = 1e-12);
                    for row in 0..count {
                        let unit = if row == column { 1.0 } else { 0.0 };
                        let expected = (unit - normal[row] * normal[column]) / v.norm();
                        assert_abs_diff_eq!(jacobian[5 + row][column], expected, epsilon = 1e-12);
                    }
                }
            }
        }
    )*};
}

fn same(value: &impl Floats, own: &impl Floats) {
    for (index, (value, own)) in value.floats().into_iter().zip(own.floats()).enumerate() {
        assert!(value.to_bits() == own.to_bits() || value.is_nan() && own.is_nan(), "{index}: {own:?}, not {value:?}");
    }
}

methods! {
    vector1 Vector1: 1 x 1;
    vector2 Vector2: 2 x 1;
    vector3 Vector3: 3 x 1;
    vector4 Vector4: 4 x 1;
    vector5 Vector5: 5 x 1;
    vector6 Vector6: 6 x 1;
    row_vector2 RowVector2: 1 x 2;
    row_vector3 RowVector3: 1 x 3;
    row_vector4 RowVector4: 1 x 4;
    matrix2 Matrix2: 2 x 2;
    matrix2x3 Matrix2x3: 2 x 3;
    matrix3x2 Matrix3x2: 3 x 2;
    matrix4 Matrix4: 4 x 4;
    matrix5x2 Matrix5x2: 5 x 2;
    matrix6 Matrix6: 6 x 6;
}

#[test]
fn long_dot_products() {
    macro_rules! of_length {
        ($($length:literal)*) => {$({
            #[jacobian]
            fn f(v: SVector<f64, $length>, w: &SVector<f64, $length>) -> [f64; 3] {
                [v.dot(w), v.norm(), w.sum()]
            }
            for seed in 0..100 {
                let mut next = numbers(seed);
                let (v, w) = (SVector::from_fn(|_, _| next()), SVector::from_fn(|_, _| next()));
                same(&f(v, &w), &f_jac(v, &w).0);
            }
            let zeros = SVector::repeat(-0.0);
            same(&f(zeros, &SVector::repeat(1.0)), &f_jac(zeros, &SVector::repeat(1.0)).0);
        })*};
    }
    of_length!(7 8 9 15 16 17 24);
}

#[test]
fn products() {
    #[jacobian]
    fn f(
        m: &Matrix3<f64>,
        n: Matrix2x3<f64>,
        v: Vector3<f64>,
        p: Point3<f64>,
    ) -> (Vector3<f64>, Point2<f64>, Matrix2x3<f64>, Matrix2<f64>) {
        (m * v, n * p, n * m, n * n.transpose())
    }
    for seed in 0..200 {
        let mut next = numbers(seed);
        let (m, n) = (Matrix3::from_fn(|_, _| next()), Matrix2x3::from_fn(|_, _| next()));
        let (v, p) = (Vector3::from_fn(|_, _| next()), Point3::from(Vector3::from_fn(|_, _| next())));
        let (value, own) = (f(&m, n, v, p), f_jac(&m, n, v, p).0);
        same(&(value.0, value.1, value.2), &(own.0, own.1, own.2));
        same(&value.3, &own.3);
    }
    let (m, v) = (Matrix3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0), Vector3::new(2.0, 3.0, 5.0));
    let (_, jacobian) = f_jac(&m, Matrix2x3::new(1.0, -1.0, 2.0, 0.0, 3.0, 1.0), v, Point3::new(1.0, 1.0, 2.0));
    // d(m v)[1]/dm[(1, 2)] and /dv[0]; d(n m)[(0, 1)]/dn[(0, 2)]; d(n n')[(0, 1)]/dn[(1, 2)].
    assert_eq!((jacobian[1][7], jacobian[1][15]), (5.0, 4.0));
    assert_eq!(jacobian[5 + 2][9 + 4], 8.0);
    assert_eq!(jacobian[5 + 6 + 2][9 + 5], 2.0);
}

#[test]
fn large_products_are_those_of_nalgebra() {
    #[jacobian]
    fn f(m: &na::Matrix6<f64>, n: &SMatrix<f64, 6, 7>) -> SMatrix<f64, 6, 7> {
        m * n
    }
    for seed in 0..50 {
        let mut next = numbers(seed);
        let (m, n) = (na::Matrix6::from_fn(|_, _| next()), SMatrix::from_fn(|_, _| next()));
        same(&f(&m, &n), &f_jac(&m, &n).0);
    }
}

#[test]
fn cross_products() {
    #[jacobian]
    fn f(v: &Vector3<f64>, w: Vector3<f64>) -> (Vector3<f64>, na::RowVector3<f64>) {
        (v.cross(&w), v.transpose().cross(&w.transpose()))
    }
    for seed in 0..200 {
        let mut next = numbers(seed);
        let (v, w) = (Vector3::from_fn(|_, _| next()), Vector3::from_fn(|_, _| next()));
        same(&f(&v, w), &f_jac(&v, w).0);
    }
    let (_, jacobian) = f_jac(&Vector3::new(1.0, 2.0, 3.0), Vector3::new(5.0, 7.0, 11.0));
    assert_eq!(jacobian[0], [0.0, 11.0, -7.0, 0.0, -3.0, 2.0]);
    assert_eq!(jacobian[1], [-11.0, 0.0, 5.0, 3.0, 0.0, -1.0]);
    assert_eq!(jacobian[5], [7.0, -5.0, 0.0, -2.0, 1.0, 0.0]);
}

/// What constructors make has no type in what is generated, where all of it is assigned.
mod overwritten {
    use jacobian::jacobian;
    use nalgebra::{Matrix2, SMatrix, Vector2, Vector3, Vector6};

    #[jacobian]
    pub fn elements(x: [f64; 3]) -> Vector3<f64> {
        let mut torque = Vector3::zeros();
        for i in 0..3 {
            torque[i] = x[i] * x[0];
        }
        torque
    }

    #[jacobian]
    pub fn entries(x: [f64; 3]) -> f64 {
        let mut m = Matrix2::zeros();
        for i in 0..2 {
            for j in 0..2 {
                m[(i, j)] = x[i] * x[j + 1];
            }
        }
        let mut k = SMatrix::<_, 2, 2>::identity();
        k[(0, 1)] = x[0];
        k[(0, 0)] = x[1];
        m[(0, 0)] * k.determinant() + m[(1, 1)]
    }

    #[jacobian]
    #[allow(unused_assignments)]
    pub fn variables(x: [f64; 3]) -> Vector3<f64> {
        let (mut a, mut b) = (Vector3::zeros(), Vector3::repeat(1.0));
        a = Vector3::new(x[0], x[1], 1.0);
        b = a * x[2];
        a + b
    }

    #[jacobian]
    pub fn lists(x: [f64; 3]) -> f64 {
        let mut forces = [Vector2::zeros(); 2];
        for i in 0..2 {
            forces[i] = Vector2::new(x[i], x[2]);
        }
        forces[0].dot(&forces[1])
    }

    #[jacobian]
    pub fn copied(x: [f64; 3]) -> Vector6<f64> {
        let acceleration = Vector3::new(0.0, x[0] * x[1], 1.0);
        let mut rate = Vector6::zeros();
        rate.fixed_rows_mut::<3>(3).copy_from(&acceleration);
        rate
    }
}

#[test]
fn what_constructors_make_is_overwritten() {
    let x = [0.7, 1.3, -0.4];
    let vector = |v: Vector3<f64>| -> [f64; 3] { v.into() };
    differences(|x| vector(overwritten::elements(x)), |x| with_array(overwritten::elements_jac(x)), x);
    differences(overwritten::entries, overwritten::entries_jac, x);
    differences(|x| vector(overwritten::variables(x)), |x| with_array(overwritten::variables_jac(x)), x);
    differences(overwritten::lists, overwritten::lists_jac, x);
    let (value, jacobian) = overwritten::copied_jac(x);
    assert_eq!(value, overwritten::copied(x));
    assert_eq!(jacobian[4], [x[1], x[0], 0.0]);
}

fn with_array((value, jacobian): (Vector3<f64>, [[f64; 3]; 3])) -> ([f64; 3], [[f64; 3]; 3]) {
    (value.into(), jacobian)
}
