//! Equations, factors and determinants that nalgebra computes with pivots: the value is nalgebra's to the last bit, the
//! derivatives of first and second order are those of differences.

#![allow(clippy::type_complexity, reason = "a function has many results")]

use approx::{assert_relative_eq, relative_eq};
use jacobian::jacobian;
use nalgebra as na;
use nalgebra::{Matrix2, Matrix3, Matrix3x2, Matrix4, Matrix6, UnitComplex, UnitQuaternion, Vector2, Vector3, Vector4};

use crate::{Floats, bits, differences};

/// Numbers between -1 and 1.
fn numbers<const N: usize>(seed: u64) -> [f64; N] {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    std::array::from_fn(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    })
}

fn matrix3(x: &[f64]) -> Matrix3<f64> {
    Matrix3::from_column_slice(&x[..9])
}

fn vector3(x: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(&x[..3])
}

#[track_caller]
fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(relative_eq!(found, expected, epsilon = 1e-9, max_relative = 1e-9), "{found}, not {expected}");
    }
}

#[jacobian(forms(jac, jac_into, jac_only, jvp, vjp, hess, hvp, lin, normal, jac_sparse))]
fn solution(m: Matrix3<f64>, b: Vector3<f64>) -> Vector3<f64> {
    m.lu().solve(&b).unwrap()
}

/// The entries of the Jacobian by its sparse form.
fn dense<const N: usize>((starts, rows): (&[usize], &[usize]), entries: &[f64], height: usize) -> Vec<[f64; N]> {
    let mut dense = vec![[0.0; N]; height];
    for column in 0..N {
        for at in starts[column]..starts[column + 1] {
            dense[rows[at]][column] = entries[at];
        }
    }
    dense
}

#[test]
fn every_form_of_a_solution() {
    for seed in 0..40 {
        let x: [f64; 12] = numbers(seed);
        let at = |x: [f64; 12]| (matrix3(&x), vector3(&x[9..]));
        let ((m, b), of) = (at(x), |x: [f64; 12]| solution(at(x).0, at(x).1));
        if m.determinant().abs() < 0.2 {
            continue;
        }
        differences(of, |x| solution_jac(at(x).0, at(x).1), x);
        let (value, jacobian) = solution_jac(m, b);
        let (mut own_value, mut own) = (Vector3::zeros(), [[0.0; 12]; 3]);
        solution_jac_into(m, b, &mut own_value, &mut own);
        assert_eq!((own_value, own), (value, jacobian));
        near(&solution_jac_only(m, b).floats(), &jacobian.floats());
        let (direction, weights): ([f64; 12], [f64; 3]) = (numbers(seed + 100), numbers(seed + 200));
        let product = |row: &[f64; 12]| row.iter().zip(&direction).map(|(a, b)| a * b).sum::<f64>();
        let along: Vec<f64> = jacobian.iter().map(product).collect();
        let gradient = |j: &[[f64; 12]; 3]| -> [f64; 12] {
            std::array::from_fn(|column| (0..3).map(|row| weights[row] * j[row][column]).sum())
        };
        near(&solution_jvp(m, b, &direction).1, &along);
        near(&solution_vjp(m, b, &weights).1, &gradient(&jacobian));
        let labels = solution_lin(m, b).1;
        near(&solution_lin_jvp(&labels, &direction), &along);
        near(&solution_lin_vjp(&labels, &weights), &gradient(&jacobian));
        let (starts, rows) = solution_jac_pattern();
        let sparse: Vec<[f64; 12]> = dense((&starts, &rows), &solution_jac_sparse(m, b).1, 3);
        near(&sparse.concat(), &jacobian.floats());
        let (_, residual, normal) = solution_normal(m, b);
        let expected: Vec<f64> =
            (0..144).map(|at| (0..3).map(|row| jacobian[row][at / 12] * jacobian[row][at % 12]).sum::<f64>()).collect();
        near(&normal.concat(), &expected);
        near(&residual, &std::array::from_fn::<_, 12, _>(|c| (0..3).map(|r| value[r] * jacobian[r][c]).sum()));
        let (_, own_gradient, hessian) = solution_hess(m, b, &weights);
        near(&own_gradient, &gradient(&jacobian));
        differences(
            |x| gradient(&solution_jac(at(x).0, at(x).1).1),
            |x| (gradient(&solution_jac(at(x).0, at(x).1).1), solution_hess(at(x).0, at(x).1, &weights).2),
            x,
        );
        near(&solution_hvp(m, b, &weights, &direction).2, &hessian.map(|row| product(&row)));
    }
}

#[jacobian(forms(jac, jvp, vjp, hess))]
fn covariance(m: &Matrix3<f64>, b: Vector3<f64>) -> f64 {
    let factor = (m * m.transpose() + Matrix3::identity()).cholesky().expect("it is positive definite");
    let x = factor.solve(&b);
    x.dot(&b) + (factor.inverse() * m).trace()
}

/// Of the matrix itself, the lower triangle is read.
#[jacobian(forms(jac, hess))]
fn lower(m: na::Matrix2<f64>, b: na::Vector2<f64>) -> Option<na::Vector2<f64>> {
    let factor = m.cholesky()?;
    Some(factor.solve(&b) + factor.inverse() * m * b)
}

#[test]
fn factors_of_cholesky() {
    for seed in 0..20 {
        let x: [f64; 12] = numbers(seed);
        let of = |x: [f64; 12]| covariance_jac(&matrix3(&x), vector3(&x[9..]));
        differences(|x| covariance(&matrix3(&x), vector3(&x[9..])), of, x);
        let hess = |x: [f64; 12]| covariance_hess(&matrix3(&x), vector3(&x[9..])).2;
        differences(|x| of(x).1, |x| (of(x).1, hess(x)), x);
        assert_relative_eq!(covariance_vjp(&matrix3(&x), vector3(&x[9..]), 1.0).1[3], of(x).1[3], epsilon = 1e-12);
    }
    let at = |x: [f64; 6]| (Matrix2::from_column_slice(&x[..4]), Vector2::new(x[4], x[5]));
    let x = [2.0, 0.5, -3.0, 1.5, 0.7, -0.4];
    let jac = |x: [f64; 6]| lower_jac(at(x).0, at(x).1).unwrap();
    differences(|x| lower(at(x).0, at(x).1).unwrap(), jac, x);
    let weights = [0.5, -2.0];
    let gradient = |x: [f64; 6]| -> [f64; 6] { std::array::from_fn(|c| 0.5 * jac(x).1[0][c] - 2.0 * jac(x).1[1][c]) };
    differences(gradient, |x| (gradient(x), lower_hess(at(x).0, at(x).1, &weights).unwrap().2), x);
    for m in [Matrix2::new(-1.0, 0.0, 0.0, 1.0), Matrix2::new(1.0, 0.0, 2.0, 1.0), Matrix2::zeros()] {
        assert_eq!(lower(m, Vector2::x()), None);
        assert_eq!(lower_jac(m, Vector2::x()), None);
        assert_eq!(lower_hess(m, Vector2::x(), &weights), None);
    }
}

#[jacobian(forms(jac, jac_only, jvp, vjp, hess, hvp, lin))]
fn determinant(m: &Matrix4<f64>) -> f64 {
    m.determinant()
}

#[test]
fn determinants_of_four_rows() {
    let of = |x: [f64; 16]| Matrix4::from_column_slice(&x);
    let singular = |m: Matrix4<f64>| -> [f64; 16] { m.as_slice().try_into().unwrap() };
    let mut points: Vec<[f64; 16]> = (0..20).map(numbers).collect();
    // Of rank 3, 2 and 0, and with zeros on the diagonal.
    let mut m = of(points[0]);
    m.set_column(3, &(m.column(0) + m.column(1)));
    points.push(singular(m));
    m.set_column(2, &(m.column(0) * 2.0));
    points.push(singular(m));
    points.push([0.0; 16]);
    points.push(singular(Matrix4::new(0., 1., 0., 0., 0., 0., 2., 0., 0., 0., 0., 3., 4., 0., 0., 0.)));
    for x in points {
        differences(|x| determinant(&of(x)), |x| determinant_jac(&of(x)), x);
        let (_, gradient) = determinant_jac(&of(x));
        differences(|x| determinant_jac(&of(x)).1, |x| (determinant_jac(&of(x)).1, determinant_hess(&of(x)).2), x);
        near(&determinant_jac_only(&of(x)), &gradient);
        near(&determinant_vjp(&of(x), 1.0).1, &gradient);
        let direction: [f64; 16] = numbers(7);
        let along = gradient.iter().zip(&direction).map(|(a, b)| a * b).sum::<f64>();
        near(&[determinant_jvp(&of(x), &direction).1], &[along]);
        near(&[determinant_lin_jvp(&determinant_lin(&of(x)).1, &direction)], &[along]);
    }
}

#[test]
fn inverses_of_six_rows() {
    #[jacobian(wrt(s, b))]
    fn f(m: &Matrix6<f64>, s: f64, b: na::Vector6<f64>) -> Option<na::Vector6<f64>> {
        let inverse = (m * s + Matrix6::identity()).try_inverse()?;
        Some(inverse * b)
    }
    let m = Matrix6::from_column_slice(&numbers::<36>(3));
    let at = |x: [f64; 7]| (x[0], na::Vector6::from_column_slice(&x[1..]));
    let x = [0.5, 1.0, -1.0, 2.0, 0.3, 0.7, -0.2];
    differences(|x| f(&m, at(x).0, at(x).1).unwrap(), |x| f_jac(&m, at(x).0, at(x).1).unwrap(), x);
    assert_eq!(f_jac(&-Matrix6::identity(), 1.0, at(x).1), None);
}

#[test]
fn what_is_missing() {
    #[jacobian]
    fn matched(m: &Matrix2<f64>, b: Vector2<f64>) -> Vector2<f64> {
        let lu = m.lu();
        match lu.solve(&b) {
            Some(x) => x * b.x,
            None => b * b.y,
        }
    }
    #[jacobian]
    fn chosen(m: &Matrix2<f64>, b: Vector2<f64>) -> Vector2<f64> {
        let x = if let Some(x) = m.lu().solve(&b) { x } else { b * 2.0 };
        let Some(factor) = m.cholesky() else { return x };
        factor.solve(&x)
    }
    #[jacobian]
    fn otherwise(m: &Matrix2<f64>, b: Vector2<f64>) -> (Vector2<f64>, Matrix2<f64>) {
        let lu = m.lu();
        (lu.solve(&b).unwrap_or(b), lu.try_inverse().unwrap_or_else(|| m * 3.0))
    }
    #[jacobian]
    fn tried(m: &Matrix2<f64>, b: Vector2<f64>) -> Result<Vector2<f64>, String> {
        let factor = m.cholesky().ok_or_else(|| format!("{:.1}", m.m11))?;
        Ok(factor.solve(&b))
    }
    #[jacobian]
    fn last(m: &Matrix2<f64>, b: Vector2<f64>) -> Option<Vector2<f64>> {
        m.lu().solve(&b)
    }
    #[jacobian]
    fn tested(m: &Matrix2<f64>, b: Vector2<f64>) -> f64 {
        let lu = m.lu();
        if lu.solve(&b).is_some() && m.cholesky().is_none() { b.x * b.x } else { b.y }
    }
    #[jacobian]
    fn expected(m: &Matrix2<f64>, b: Vector2<f64>) -> Vector2<f64> {
        m.lu().solve(&b).expect("it is regular")
    }
    let b = Vector2::new(0.7, -1.3);
    let at = |x: [f64; 6]| (Matrix2::from_column_slice(&x[..4]), Vector2::new(x[4], x[5]));
    for m in [[2.0, 0.5, 0.5, 3.0], [0.0, 1.5, -2.0, 0.0], [-1.0, 0.5, 0.25, 2.0]] {
        let x = [m[0], m[1], m[2], m[3], b.x, b.y];
        differences(|x| matched(&at(x).0, at(x).1), |x| matched_jac(&at(x).0, at(x).1), x);
        differences(|x| chosen(&at(x).0, at(x).1), |x| chosen_jac(&at(x).0, at(x).1), x);
        differences(|x| otherwise(&at(x).0, at(x).1), |x| otherwise_jac(&at(x).0, at(x).1), x);
        differences(|x| last(&at(x).0, at(x).1).unwrap(), |x| last_jac(&at(x).0, at(x).1).unwrap(), x);
        differences(|x| tested(&at(x).0, at(x).1), |x| tested_jac(&at(x).0, at(x).1), x);
        differences(|x| expected(&at(x).0, at(x).1), |x| expected_jac(&at(x).0, at(x).1), x);
        let m = at(x).0;
        assert_eq!(tried(&m, b), tried_jac(&m, b).map(|(value, _)| value));
        if tried(&m, b).is_ok() {
            differences(|x| tried(&at(x).0, at(x).1).unwrap(), |x| tried_jac(&at(x).0, at(x).1).unwrap(), x);
        }
    }
    let zero = Matrix2::zeros();
    let by = |j: [[f64; 6]; 2]| j.concat();
    assert_eq!(by(matched_jac(&zero, b).1), [0.0, 0.0, 0.0, 0.0, -1.3, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0, -2.6]);
    assert_eq!(by(chosen_jac(&zero, b).1), [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
    let (value, jacobian) = otherwise_jac(&zero, b);
    assert_eq!(bits(&value), bits(&otherwise(&zero, b)));
    for (row, entries) in jacobian.iter().enumerate() {
        for (column, entry) in entries.iter().enumerate() {
            let expected = match row.checked_sub(2) {
                None => f64::from(u8::from(column == row + 4)),
                Some(own) => 3.0 * f64::from(u8::from(column == own)),
            };
            assert_eq!(*entry, expected, "{row}, {column}");
        }
    }
    assert_eq!(tested_jac(&zero, b), (-1.3, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]));
    assert_eq!((last_jac(&zero, b), tried_jac(&zero, b)), (None, Err("0.0".to_string())));
    let message = |result: std::thread::Result<Vector2<f64>>| {
        let payload = result.unwrap_err();
        payload.downcast_ref::<String>().cloned().unwrap_or_else(|| payload.downcast_ref::<&str>().unwrap().to_string())
    };
    let own = message(std::panic::catch_unwind(|| expected_jac(&Matrix2::zeros(), b).0));
    assert_eq!(own, message(std::panic::catch_unwind(|| expected(&Matrix2::zeros(), b))));
}

#[test]
fn right_sides() {
    /// A passive matrix with an active right side, several columns, and all of it passive.
    #[jacobian(wrt(b))]
    fn f(m: &Matrix3<f64>, b: Matrix3x2<f64>, c: &Vector3<f64>) -> (Matrix3x2<f64>, Vector3<f64>) {
        let mut n = *m;
        let lu = n.lu();
        n[(0, 0)] = 100.0;
        let solved: Vector3<f64> = lu.solve(c).unwrap();
        let passive: Vector3<f64> = solved * n[(0, 0)];
        let scale = lu.determinant();
        let x = lu.solve(&b).unwrap();
        (x * scale, passive + x.column(1))
    }
    let (m, c) = (matrix3(&numbers::<9>(5)) + Matrix3::identity() * 2.0, vector3(&numbers::<3>(6)));
    let of = |x: [f64; 6]| Matrix3x2::from_column_slice(&x);
    differences(|x| f(&m, of(x), &c), |x| f_jac(&m, of(x), &c), numbers(8));

    /// An active matrix that changes after it is taken apart.
    #[jacobian]
    fn g(m: Matrix3<f64>, b: &Matrix3x2<f64>) -> (Matrix3x2<f64>, Vector3<f64>) {
        let mut m = m;
        let lu = m.lu();
        m *= 2.0;
        (lu.solve(b).unwrap(), lu.solve(&m.column(0).clone_owned()).unwrap())
    }
    let at = |x: [f64; 15]| (matrix3(&x) + Matrix3::identity() * 2.0, Matrix3x2::from_column_slice(&x[9..]));
    differences(|x| g(at(x).0, &at(x).1), |x| g_jac(at(x).0, &at(x).1), numbers(9));
}

#[test]
fn steps_of_a_newton_method() {
    #[jacobian(wrt(x, a), forms(jac, vjp))]
    fn f(x: Vector2<f64>, a: f64, steps: usize) -> Vector2<f64> {
        let mut x = x;
        for _ in 0..steps {
            let residual = Vector2::new(x.x * x.x + x.y - a, x.x - x.y * x.y);
            let slope = Matrix2::new(2.0 * x.x, 1.0, 1.0, -2.0 * x.y);
            x -= slope.lu().solve(&residual).unwrap();
        }
        x
    }
    for steps in 0..4 {
        let jac = |x: [f64; 3]| f_jac(Vector2::new(x[0], x[1]), x[2], steps);
        differences(|x| f(Vector2::new(x[0], x[1]), x[2], steps), jac, [1.2, 0.9, 2.5]);
        let (_, gradient) = f_vjp(Vector2::new(1.2, 0.9), 2.5, steps, &[1.0, -2.0]);
        let rows = jac([1.2, 0.9, 2.5]).1;
        near(&gradient, &std::array::from_fn::<_, 3, _>(|column| rows[0][column] - 2.0 * rows[1][column]));
    }
}

#[jacobian]
mod filter {
    use nalgebra as na;

    #[derive(Clone, Copy)]
    pub struct Normal {
        pub mean: na::Vector2<f64>,
        pub variance: na::Matrix2<f64>,
    }

    impl Normal {
        fn whitened(&self, x: na::Vector2<f64>) -> Option<f64> {
            let residual = x - self.mean;
            Some(self.variance.cholesky()?.solve(&residual).dot(&residual))
        }
    }

    #[jacobian(forms(jac, hess))]
    pub fn distance(of: Normal, x: na::Vector2<f64>) -> Option<f64> {
        of.whitened(x)
    }

    #[jacobian(wrt(x))]
    pub fn single(m: na::Matrix2<f32>, x: na::Vector2<f32>) -> na::Vector2<f32> {
        m.lu().solve(&(x * x.x)).unwrap()
    }
}

#[test]
fn in_structs_and_in_single_precision() {
    let at = |x: [f64; 8]| {
        let mean = Vector2::new(x[0], x[1]);
        (filter::Normal { mean, variance: Matrix2::from_column_slice(&x[2..6]) }, Vector2::new(x[6], x[7]))
    };
    let x = [0.3, -0.2, 2.0, 0.5, 0.5, 1.5, 1.0, -0.7];
    let jac = |x: [f64; 8]| filter::distance_jac(at(x).0, at(x).1).unwrap();
    differences(|x| filter::distance(at(x).0, at(x).1).unwrap(), jac, x);
    differences(|x| jac(x).1, |x| (jac(x).1, filter::distance_hess(at(x).0, at(x).1).unwrap().2), x);
    let (m, v) = (Matrix2::new(1.0_f32, 2.0, 3.0, -1.0), Vector2::new(0.5_f32, 0.25));
    let (value, jacobian) = filter::single_jac(m, v);
    assert_eq!(bits(&value), bits(&filter::single(m, v)));
    let inverse = m.try_inverse().unwrap();
    let expected = inverse * Matrix2::new(1.0, 0.0, 0.25, 0.5);
    for (at, entry) in jacobian.concat().into_iter().enumerate() {
        assert_relative_eq!(entry, expected[(at / 2, at % 2)], epsilon = 1e-6);
    }
}

#[test]
fn greatest_and_least_elements() {
    #[jacobian]
    fn f(v: &Vector4<f64>, m: Matrix2<f64>) -> [f64; 4] {
        [v.max() * v.x, v.min() * m.max(), v.amax() + m.amin(), (v * 2.0).amin()]
    }
    for seed in 0..20 {
        let at = |x: [f64; 8]| (Vector4::from_column_slice(&x[..4]), Matrix2::from_column_slice(&x[4..]));
        differences(|x| f(&at(x).0, at(x).1), |x| f_jac(&at(x).0, at(x).1), numbers(seed));
    }
}

#[test]
fn angles_between_rotations() {
    #[jacobian(retract(p, q, c))]
    fn f(p: UnitQuaternion<f64>, q: &UnitQuaternion<f64>, c: UnitComplex<f64>, d: UnitComplex<f64>) -> [f64; 2] {
        [p.angle_to(q), c.angle_to(&d)]
    }
    for seed in 0..20 {
        let x: [f64; 9] = numbers(seed);
        let (p, q) = (UnitQuaternion::new(vector3(&x)), UnitQuaternion::new(vector3(&x[3..])));
        let (c, d) = (UnitComplex::new(x[6]), UnitComplex::new(x[7]));
        let moved = |t: [f64; 7]| {
            f(
                p * UnitQuaternion::new(vector3(&t)),
                &(q * UnitQuaternion::new(vector3(&t[3..]))),
                c * UnitComplex::new(t[6]),
                d,
            )
        };
        let jac = |t: [f64; 7]| {
            let (value, rows) = f_jac(p, &q, c, d);
            let rows = rows.map(|row| -> [f64; 7] { std::array::from_fn(|column| row[column]) });
            (if t == [0.0; 7] { value } else { moved(t) }, rows)
        };
        differences(moved, jac, [0.0; 7]);
    }
}

#[jacobian]
fn solved_if_positive(m: Matrix2<f64>, b: Vector2<f64>) -> Vector2<f64> {
    match m.lu().solve(&b) {
        Some(x) if x.x > 0.0 => x,
        _ => b,
    }
}

#[test]
fn solutions_that_are_matched() {
    let of = |x: [f64; 6]| (Matrix2::new(x[0], x[1], x[2], x[3]), Vector2::new(x[4], x[5]));
    for x in [[2.0, 0.3, -0.4, 1.5, 1.0, 0.2], [2.0, 0.3, -0.4, 1.5, -1.0, 0.2]] {
        let jacobian = |x| {
            let (m, b) = of(x);
            let (value, rows) = solved_if_positive_jac(m, b);
            // The columns of a matrix are in the order of its storage.
            (value, rows.map(|[a, c, b, d, e, f]| [a, b, c, d, e, f]))
        };
        differences(
            |x| {
                let (m, b) = of(x);
                solved_if_positive(m, b)
            },
            jacobian,
            x,
        );
    }
}
