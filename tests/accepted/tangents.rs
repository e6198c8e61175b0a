//! Tangents of rotations: columns and rows are those of `x * exp(d)`, the value is that at `x`, bit for bit.

#![allow(clippy::type_complexity, reason = "a function has many results")]

use approx::assert_abs_diff_eq;
use jacobian::jacobian;
use nalgebra::{
    Isometry2, Isometry3, Point3, Rotation3, SMatrix, Translation2, Translation3, UnitComplex, UnitQuaternion, Vector2,
    Vector3,
};

use crate::{Floats, bits};

const STEP: f64 = 1e-6;

fn moved(q: &UnitQuaternion<f64>, d: &[f64]) -> UnitQuaternion<f64> {
    q * UnitQuaternion::from_scaled_axis(Vector3::new(d[0], d[1], d[2]))
}

fn moved_pose(pose: &Isometry3<f64>, d: &[f64]) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(d[0], d[1], d[2]));
    pose * Isometry3::from_parts(Translation3::new(d[3], d[4], d[5]), turn)
}

fn moved_in_plane(pose: &Isometry2<f64>, d: &[f64]) -> Isometry2<f64> {
    pose * Isometry2::from_parts(Translation2::new(d[1], d[2]), UnitComplex::new(d[0]))
}

/// The difference quotients of `f`, as rows, by the first `N` floats that it is moved by.
fn quotients<const N: usize>(f: impl Fn(&[f64; N]) -> Vec<f64>) -> Vec<[f64; N]> {
    let rows = f(&[0.0; N]).len();
    let mut quotients = vec![[0.0; N]; rows];
    for column in 0..N {
        let at = |step: f64| {
            let mut d = [0.0; N];
            d[column] = step;
            f(&d)
        };
        for (row, (above, below)) in at(STEP).into_iter().zip(at(-STEP)).enumerate() {
            quotients[row][column] = (above - below) / (2.0 * STEP);
        }
    }
    quotients
}

#[track_caller]
fn near<const N: usize>(jacobian: &[[f64; N]], expected: &[[f64; N]]) {
    assert_eq!(jacobian.len(), expected.len());
    for (row, expected) in jacobian.iter().zip(expected) {
        for (entry, expected) in row.iter().zip(expected) {
            assert_abs_diff_eq!(entry, expected, epsilon = 2e-9 * (1.0 + expected.abs()));
        }
    }
}

#[jacobian(retract(q), forms(jac, jac_into, jac_only, jvp, vjp, lin, normal, jac_sparse))]
fn seen(scale: f64, q: &UnitQuaternion<f64>, p: Vector3<f64>) -> [f64; 4] {
    let v = q.inverse() * (p * scale);
    [v.x / v.z, v.y / v.z, v.norm(), scale * p.x]
}

fn point() -> (f64, UnitQuaternion<f64>, Vector3<f64>) {
    (1.5, UnitQuaternion::from_euler_angles(0.3, -0.2, 0.9), Vector3::new(0.4, -0.7, 2.0))
}

fn expected() -> Vec<[f64; 7]> {
    let (scale, q, p) = point();
    quotients(|d: &[f64; 7]| seen(scale + d[0], &moved(&q, &d[1..4]), p + Vector3::from_column_slice(&d[4..])).to_vec())
}

#[test]
fn tangents_of_a_quaternion_are_three_columns() {
    let (scale, q, p) = point();
    let (value, jacobian) = seen_jac(scale, &q, p);
    assert_eq!(bits(&value), bits(&seen(scale, &q, p)));
    near(&jacobian, &expected());
    let (mut own_value, mut own) = ([0.0; 4], [[0.0; 7]; 4]);
    seen_jac_into(scale, &q, p, &mut own_value, &mut own);
    assert_eq!(own_value, value);
    assert_eq!((own, seen_jac_only(scale, &q, p)), (jacobian, jacobian));
}

#[test]
fn products_and_labels_have_an_entry_for_each_tangent() {
    let ((scale, q, p), expected) = (point(), expected());
    let (tangent, cotangent) = ([0.5, -1.0, 2.0, 0.25, 1.5, -0.75, 1.0], [2.0, -1.0, 0.5, 3.0]);
    let along: Vec<_> = expected.iter().map(|row| row.iter().zip(&tangent).map(|(a, b)| a * b).sum::<f64>()).collect();
    let mut across = [0.0; 7];
    let mut normal = [[0.0; 7]; 7];
    let (value, _) = seen_jac(scale, &q, p);
    let mut gradient = [0.0; 7];
    for ((row, weight), residual) in expected.iter().zip(&cotangent).zip(value) {
        for i in 0..7 {
            across[i] += weight * row[i];
            gradient[i] += residual * row[i];
            for j in 0..7 {
                normal[i][j] += row[i] * row[j];
            }
        }
    }
    let (labels_value, labels) = seen_lin(scale, &q, p);
    assert_eq!(labels_value, value);
    let by_forms = [seen_jvp(scale, &q, p, &tangent).1, seen_lin_jvp(&labels, &tangent)];
    for (entry, expected) in by_forms.iter().flat_map(|product| product.iter().zip(&along)) {
        assert_abs_diff_eq!(entry, expected, epsilon = 1e-8);
    }
    near(&[seen_vjp(scale, &q, p, &cotangent).1, seen_lin_vjp(&labels, &cotangent)], &[across, across]);
    let (_, own_gradient, own_normal) = seen_normal(scale, &q, p);
    near(&[own_gradient], &[gradient]);
    near(&own_normal, &normal);
    let (starts, rows) = seen_jac_pattern();
    let (_, entries) = seen_jac_sparse(scale, &q, p);
    for column in 0..7 {
        for place in starts[column]..starts[column + 1] {
            assert_abs_diff_eq!(entries[place], expected[rows[place]][column], epsilon = 1e-8);
        }
    }
    assert!(entries.len() < 28);
}

#[test]
fn rows_are_tangents_of_the_result() {
    #[jacobian(retract(q, return), layout = "matrix", forms(jac, jvp, vjp, lin))]
    fn step(q: UnitQuaternion<f64>, bias: Vector3<f64>, rate: Vector3<f64>) -> (UnitQuaternion<f64>, Vector3<f64>) {
        let rate = rate - bias;
        (q * UnitQuaternion::from_scaled_axis(rate * 0.1), bias * 0.5)
    }
    let (_, q, rate) = point();
    let bias = Vector3::new(0.1, 0.2, -0.1);
    let (value, jacobian): (_, SMatrix<f64, 6, 9>) = step_jac(q, bias, rate);
    assert_eq!(bits(&value), bits(&step(q, bias, rate)));
    let expected = quotients(|d: &[f64; 9]| {
        let part = |first: usize| Vector3::from_column_slice(&d[first..first + 3]);
        let (next, bias) = step(moved(&q, &d[..3]), bias + part(3), rate + part(6));
        let tangent = (value.0.inverse() * next).scaled_axis();
        [tangent.floats(), bias.floats()].concat()
    });
    let rows: Vec<[f64; 9]> = (0..6).map(|row| std::array::from_fn(|column| jacobian[(row, column)])).collect();
    near(&rows, &expected);
    let (tangent, cotangent) = ([1.0, 2.0, 3.0, -1.0, 0.5, 0.25, -2.0, 1.5, 0.75], [1.0, -2.0, 0.5, 3.0, -1.0, 2.0]);
    let (_, labels) = step_lin(q, bias, rate);
    for (row, entry) in step_jvp(q, bias, rate, &tangent).1.iter().zip(step_lin_jvp(&labels, &tangent)).enumerate() {
        let expected: f64 = rows[row].iter().zip(&tangent).map(|(a, b)| a * b).sum();
        assert_abs_diff_eq!(*entry.0, expected, epsilon = 1e-12);
        assert_abs_diff_eq!(entry.1, expected, epsilon = 1e-12);
    }
    for (column, entry) in step_vjp(q, bias, rate, &cotangent).1.iter().enumerate() {
        let expected: f64 = rows.iter().zip(&cotangent).map(|(row, weight)| row[column] * weight).sum();
        assert_abs_diff_eq!(*entry, expected, epsilon = 1e-12);
    }
}

#[test]
fn isometries_of_space() {
    #[jacobian(retract(a, b, return))]
    fn between(a: &Isometry3<f64>, b: Isometry3<f64>) -> Isometry3<f64> {
        a.inverse() * b
    }
    let a = Isometry3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.3, -0.5, 0.2));
    let b = Isometry3::new(Vector3::new(-1.0, 0.5, 1.0), Vector3::new(-0.1, 0.4, 1.2));
    let (value, jacobian) = between_jac(&a, b);
    assert_eq!(bits(&value), bits(&between(&a, b)));
    let expected = quotients(|d: &[f64; 12]| {
        let difference = value.inverse() * between(&moved_pose(&a, &d[..6]), moved_pose(&b, &d[6..]));
        [difference.rotation.scaled_axis().floats(), difference.translation.vector.floats()].concat()
    });
    near(&jacobian, &expected);
}

#[test]
fn isometries_of_the_plane_and_circles() {
    #[jacobian(retract(pose, c, return))]
    fn odometry(pose: Isometry2<f64>, c: UnitComplex<f64>, v: Vector2<f64>) -> (Isometry2<f64>, UnitComplex<f64>) {
        (pose * Isometry2::from_parts(Translation2::from(v), c), c * c)
    }
    let pose = Isometry2::new(Vector2::new(1.0, -2.0), 0.7);
    let (c, v) = (UnitComplex::new(-0.4), Vector2::new(0.3, 0.1));
    let (value, jacobian) = odometry_jac(pose, c, v);
    assert_eq!(bits(&value), bits(&odometry(pose, c, v)));
    let expected = quotients(|d: &[f64; 6]| {
        let turned = c * UnitComplex::new(d[3]);
        let (next, double) = odometry(moved_in_plane(&pose, &d[..3]), turned, v + Vector2::new(d[4], d[5]));
        let difference = value.0.inverse() * next;
        vec![
            difference.rotation.angle(),
            difference.translation.x,
            difference.translation.y,
            (value.1.inverse() * double).angle(),
        ]
    });
    near(&jacobian, &expected);
}

#[test]
fn rotation_matrices() {
    #[jacobian(retract(r, return))]
    fn f(r: &Rotation3<f64>, v: Vector3<f64>) -> (Rotation3<f64>, Vector3<f64>) {
        (r * Rotation3::new(v) * r, r * v)
    }
    let (_, q, v) = point();
    let r = q.to_rotation_matrix();
    let (value, jacobian) = f_jac(&r, v);
    assert_eq!(bits(&value), bits(&f(&r, v)));
    let expected = quotients(|d: &[f64; 6]| {
        let part = |first: usize| Vector3::from_column_slice(&d[first..first + 3]);
        let (next, turned) = f(&(r * Rotation3::new(part(0))), v + part(3));
        let difference = UnitQuaternion::from_rotation_matrix(&(value.0.inverse() * next));
        [difference.scaled_axis().floats(), turned.floats()].concat()
    });
    near(&jacobian, &expected);
}

#[test]
fn outputs_fields_arrays_and_control_flow() {
    struct State {
        attitude: UnitQuaternion<f64>,
        gain: f64,
    }
    #[jacobian(wrt(state.attitude: UnitQuaternion<f64>, state.gain, legs), retract(state.attitude, legs, end))]
    fn f(state: &State, legs: &[UnitQuaternion<f64>; 2], steps: usize, end: &mut UnitQuaternion<f64>) -> f64 {
        let mut q = state.attitude;
        for _ in 0..steps {
            q *= legs[0];
        }
        *end = if q.w > 0.0 { q * legs[1] } else { q };
        let p = Isometry3::from_parts(Translation3::new(state.gain, 0.0, 0.0), q) * Point3::new(1.0, 2.0, 3.0);
        p.x * p.y
    }
    let (gain, attitude, _) = point();
    let legs = [UnitQuaternion::from_euler_angles(0.1, 0.0, 0.2), UnitQuaternion::from_euler_angles(0.0, 0.4, 0.1)];
    let at = |d: &[f64; 10]| {
        let state = State { attitude: moved(&attitude, &d[..3]), gain: gain + d[3] };
        let mut end = UnitQuaternion::identity();
        let value = f(&state, &[moved(&legs[0], &d[4..7]), moved(&legs[1], &d[7..])], 3, &mut end);
        (value, end)
    };
    let mut end = UnitQuaternion::identity();
    let (value, jacobian) = f_jac(&State { attitude, gain }, &legs, 3, &mut end);
    assert_eq!((value, end.floats()), (at(&[0.0; 10]).0, at(&[0.0; 10]).1.floats()));
    let expected = quotients(|d: &[f64; 10]| {
        let (value, moved) = at(d);
        [vec![value], (end.inverse() * moved).scaled_axis().floats()].concat()
    });
    near(&jacobian, &expected);
}

#[test]
fn strategies_agree_on_tangents() {
    macro_rules! with {
        ($($name:ident $jac:ident $strategy:literal $level:literal;)*) => {{
            let (_, q, p) = point();
            $(
                #[jacobian(retract(q), strategy = $strategy, linearize = $level)]
                fn $name(q: UnitQuaternion<f64>, p: Vector3<f64>) -> Vector3<f64> {
                    (q * p).cross(&(q.inverse() * p))
                }
                near(&$jac(q, p).1, &quotients(|d: &[f64; 6]| {
                    $name(moved(&q, &d[..3]), p + Vector3::new(d[3], d[4], d[5])).floats()
                }));
            )*
        }};
    }
    with! {
        forward forward_jac "forward" "code-list";
        reverse reverse_jac "reverse" "code-list";
        statements statements_jac "auto" "statement";
        searched searched_jac "search" "statement";
    }
}
