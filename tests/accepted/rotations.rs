//! Quaternions, rotations, translations and isometries of nalgebra: the value is nalgebra's to the last bit, the
//! derivative that of differences.

#![allow(clippy::type_complexity, reason = "a function has many results")]

use approx::assert_abs_diff_eq;
use jacobian::jacobian;
use nalgebra as na;
use nalgebra::{
    Isometry2, Isometry3, Matrix3, Point2, Point3, Quaternion, RealField, Rotation2, Rotation3, Translation2,
    Translation3, Unit, UnitComplex, UnitQuaternion, UnitVector3, Vector2, Vector3,
};

use crate::{Floats, check, differences};

impl Floats for Quaternion<f64> {
    fn floats(&self) -> Vec<f64> {
        self.coords.floats()
    }
}

impl Floats for UnitQuaternion<f64> {
    fn floats(&self) -> Vec<f64> {
        self.coords.floats()
    }
}

impl Floats for UnitComplex<f64> {
    fn floats(&self) -> Vec<f64> {
        vec![self.re, self.im]
    }
}

impl<const D: usize> Floats for na::Rotation<f64, D> {
    fn floats(&self) -> Vec<f64> {
        self.matrix().floats()
    }
}

impl<const D: usize> Floats for na::Translation<f64, D> {
    fn floats(&self) -> Vec<f64> {
        self.vector.floats()
    }
}

impl<R: Floats, const D: usize> Floats for na::Isometry<f64, R, D> {
    fn floats(&self) -> Vec<f64> {
        [self.rotation.floats(), self.translation.floats()].concat()
    }
}

impl Floats for UnitVector3<f64> {
    fn floats(&self) -> Vec<f64> {
        self.as_ref().floats()
    }
}

/// Coordinates that are not of length one: the functions are those of all coordinates.
fn quaternion(q: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::from(q))
}

fn complex(c: [f64; 2]) -> UnitComplex<f64> {
    UnitComplex::from_cos_sin_unchecked(c[0], c[1])
}

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

const QUATERNION: [f64; 4] = [0.3, -0.4, 0.2, 0.8];

#[test]
fn quaternions() {
    #[jacobian]
    fn f(
        q: UnitQuaternion<f64>,
        r: &UnitQuaternion<f64>,
        v: Vector3<f64>,
    ) -> ((UnitQuaternion<f64>, (UnitQuaternion<f64>, Vector3<f64>, Rotation3<f64>)), (Vector3<f64>, f64, f64)) {
        let both = q * r;
        let back = q.inverse() * v + r.inverse_transform_vector(&v);
        (
            (both, (q / r, back - r.transform_vector(&v), r.to_rotation_matrix())),
            ((q * r).scaled_axis(), q.angle(), q.w * r.i + q[2] * r.coords.x),
        )
    }
    let split = |x: [f64; 11]| {
        let q = quaternion([x[0], x[1], x[2], x[3]]);
        (q, quaternion([x[4], x[5], x[6], x[7]]), Vector3::new(x[8], x[9], x[10]))
    };
    for seed in 0..200 {
        let mut next = numbers(seed);
        let x = std::array::from_fn(|_| next());
        differences(
            |x| {
                let (q, r, v) = split(x);
                f(q, &r, v)
            },
            |x| {
                let (q, r, v) = split(x);
                f_jac(q, &r, v)
            },
            x,
        );
    }
}

#[test]
fn rotations_of_angles() {
    #[jacobian]
    fn f(
        v: Vector3<f64>,
        angles: [f64; 3],
        axis: &UnitVector3<f64>,
        angle: f64,
    ) -> (
        (UnitQuaternion<f64>, UnitQuaternion<f64>),
        (Rotation3<f64>, Rotation3<f64>, Rotation3<f64>),
        (UnitQuaternion<f64>, Vector3<f64>),
    ) {
        let [roll, pitch, yaw] = angles;
        let turn =
            UnitQuaternion::from_axis_angle(&Vector3::z_axis(), roll) * UnitQuaternion::from_axis_angle(axis, angle);
        (
            (UnitQuaternion::from_scaled_axis(v), UnitQuaternion::from_euler_angles(roll, pitch, yaw)),
            (
                Rotation3::new(v),
                Rotation3::from_axis_angle(axis, angle),
                Rotation3::from_euler_angles(roll, pitch, yaw),
            ),
            (turn, UnitQuaternion::new(v * angle) * v),
        )
    }
    let split = |x: [f64; 10]| {
        let axis = Unit::new_unchecked(Vector3::new(x[6], x[7], x[8]));
        (Vector3::new(x[0], x[1], x[2]), [x[3], x[4], x[5]], axis, x[9])
    };
    let value = |x| {
        let (v, angles, axis, angle) = split(x);
        f(v, angles, &axis, angle)
    };
    let jac = |x| {
        let (v, angles, axis, angle) = split(x);
        f_jac(v, angles, &axis, angle)
    };
    for seed in 0..100 {
        let mut next = numbers(seed);
        differences(value, jac, std::array::from_fn(|_| 3.0 * next()));
    }
    // At angles of zero nalgebra takes other sides.
    let mut x = [0.0, 0.0, 0.0, 0.1, 0.2, 0.3, 0.6, 0.0, 0.8, 0.0];
    differences(value, jac, x);
    x[1] = -0.0;
    x[9] = -0.0;
    differences(value, jac, x);
    x[0] = 1e-17;
    let (own, all) = (value(x), jac(x));
    check(own, (all.0, 0.0), &[0.0]);
}

#[test]
fn the_logarithm_of_no_rotation() {
    #[jacobian]
    fn f(q: UnitQuaternion<f64>) -> Vector3<f64> {
        q.scaled_axis()
    }
    for w in [1.0, -1.0] {
        for zero in [0.0, -0.0] {
            let q = quaternion([zero, 0.0, zero, w]);
            let jacobian = [[2.0 * w, 0.0, 0.0, 0.0], [0.0, 2.0 * w, 0.0, 0.0], [0.0, 0.0, 2.0 * w, 0.0]];
            check(f(q), f_jac(q), jacobian.as_flattened());
        }
    }
}

#[test]
fn matrices_to_quaternions() {
    #[jacobian]
    fn f(
        m: &Rotation3<f64>,
        v: Vector3<f64>,
        p: Point3<f64>,
    ) -> (UnitQuaternion<f64>, (Vector3<f64>, Point3<f64>, Matrix3<f64>), (f64, f64, f64)) {
        let turned = m * v;
        let back = m.inverse() * p;
        let (roll, pitch, yaw) = m.euler_angles();
        (
            UnitQuaternion::from_rotation_matrix(m),
            (turned + m.inverse_transform_vector(&v), back, m.transpose().into_inner() * m.matrix()),
            (roll, pitch, yaw),
        )
    }
    let split = |x: [f64; 15]| {
        let m = Rotation3::from_matrix_unchecked(Matrix3::from_column_slice(&x[..9]));
        (m, Vector3::new(x[9], x[10], x[11]), Point3::new(x[12], x[13], x[14]))
    };
    for seed in 0..100 {
        let mut next = numbers(seed);
        let turn = Rotation3::new(Vector3::from_fn(|_, _| 3.0 * next()));
        let mut x = [0.0; 15];
        x[..9].copy_from_slice(turn.matrix().as_slice());
        x[9..].fill_with(&mut next);
        differences(
            |x| {
                let (m, v, p) = split(x);
                f(&m, v, p)
            },
            |x| {
                let (m, v, p) = split(x);
                f_jac(&m, v, p)
            },
            x,
        );
    }
}

#[test]
fn rotations_of_the_plane() {
    #[jacobian]
    fn f(
        c: UnitComplex<f64>,
        angle: f64,
        v: Vector2<f64>,
        p: &Point2<f64>,
    ) -> ((UnitComplex<f64>, Vector2<f64>, Point2<f64>), (f64, Rotation2<f64>), (f64, f64)) {
        let d = UnitComplex::new(angle) * c;
        let m = Rotation2::new(angle);
        (
            (d / c, d * v + m * v, c.inverse() * p),
            (d.angle(), c.to_rotation_matrix() * m),
            (c.re * v.x + c.im, d.sin_angle() * d.cos_angle()),
        )
    }
    let split = |x: [f64; 7]| (complex([x[0], x[1]]), x[2], Vector2::new(x[3], x[4]), Point2::new(x[5], x[6]));
    for seed in 0..50 {
        let mut next = numbers(seed);
        differences(
            |x| {
                let (c, angle, v, p) = split(x);
                f(c, angle, v, &p)
            },
            |x| {
                let (c, angle, v, p) = split(x);
                f_jac(c, angle, v, &p)
            },
            std::array::from_fn(|_| next()),
        );
    }
}

#[test]
fn isometries_of_space() {
    #[jacobian]
    fn f(
        a: &Isometry3<f64>,
        b: Isometry3<f64>,
        p: Point3<f64>,
        v: Vector3<f64>,
    ) -> ((Isometry3<f64>, Isometry3<f64>, Point3<f64>), (Vector3<f64>, Isometry3<f64>, Point3<f64>)) {
        let relative = a.inverse() * b;
        let moved = Isometry3::new(v, p.coords) * a;
        let shifted = Translation3::from(v) * b.rotation * Translation3::new(p.x, p.y, p.z);
        (
            (a * b, relative, a * p),
            (b.inverse_transform_vector(&v) + a.transform_vector(&v), moved * shifted, a.inverse_transform_point(&p)),
        )
    }
    let split = |x: [f64; 20]| {
        let isometry = |x: &[f64]| {
            let q = quaternion([x[0], x[1], x[2], x[3]]);
            Isometry3::from_parts(Translation3::new(x[4], x[5], x[6]), q)
        };
        (isometry(&x[..7]), isometry(&x[7..14]), Point3::new(x[14], x[15], x[16]), Vector3::new(x[17], x[18], x[19]))
    };
    for seed in 0..50 {
        let mut next = numbers(seed);
        differences(
            |x| {
                let (a, b, p, v) = split(x);
                f(&a, b, p, v)
            },
            |x| {
                let (a, b, p, v) = split(x);
                f_jac(&a, b, p, v)
            },
            std::array::from_fn(|_| next()),
        );
    }
}

#[test]
fn isometries_of_the_plane() {
    #[jacobian]
    fn f(
        a: &Isometry2<f64>,
        angle: f64,
        p: Point2<f64>,
        v: Vector2<f64>,
    ) -> ((Isometry2<f64>, Point2<f64>), (Vector2<f64>, Isometry2<f64>), Point2<f64>) {
        let b = Isometry2::new(v, angle);
        let odometry = Isometry2::from_parts(Translation2::new(v.x, p.y), UnitComplex::from_angle(angle));
        (
            (a * b, b.inverse() * p),
            (a.rotation * v + a.translation.vector, odometry * Isometry2::rotation(angle)),
            a.inverse_transform_point(&p),
        )
    }
    let split = |x: [f64; 9]| {
        let a = Isometry2::from_parts(Translation2::new(x[2], x[3]), complex([x[0], x[1]]));
        (a, x[4], Point2::new(x[5], x[6]), Vector2::new(x[7], x[8]))
    };
    for seed in 0..50 {
        let mut next = numbers(seed);
        differences(
            |x| {
                let (a, angle, p, v) = split(x);
                f(&a, angle, p, v)
            },
            |x| {
                let (a, angle, p, v) = split(x);
                f_jac(&a, angle, p, v)
            },
            std::array::from_fn(|_| next()),
        );
    }
}

#[test]
fn plain_quaternions() {
    #[jacobian]
    fn f(
        q: Quaternion<f64>,
        s: f64,
        v: Vector3<f64>,
    ) -> ((Quaternion<f64>, UnitQuaternion<f64>, Quaternion<f64>), (f64, f64, f64)) {
        let rate = Quaternion::from_parts(0.0, v);
        let next = q + q * rate * (0.5 * s);
        (
            (next.conjugate(), UnitQuaternion::from_quaternion(next), Quaternion::new(s, q.i, q.j, v.x) / s - q),
            (q.norm(), q.dot(&rate), next.scalar() * q.imag().x),
        )
    }
    let split = |x: [f64; 8]| (Quaternion::from([x[0], x[1], x[2], x[3]]), x[4], Vector3::new(x[5], x[6], x[7]));
    for seed in 0..50 {
        let mut next = numbers(seed);
        differences(
            |x| {
                let (q, s, v) = split(x);
                f(q, s, v)
            },
            |x| {
                let (q, s, v) = split(x);
                f_jac(q, s, v)
            },
            std::array::from_fn(|_| next()),
        );
    }
}

#[test]
fn passive_rotations() {
    struct Rig {
        mount: UnitQuaternion<f64>,
        pose: Isometry3<f64>,
    }
    #[jacobian(wrt(v))]
    fn f(v: Vector3<f64>, rig: &Rig, turn: &UnitQuaternion<f64>) -> (Vector3<f64>, Point3<f64>) {
        let mount: UnitQuaternion<f64> = rig.mount;
        let pose: &Isometry3<f64> = &rig.pose;
        let level = UnitQuaternion::from_euler_angles(0.1, 0.2, 0.3);
        let inner = if v.x > 10.0 { mount } else { mount.inverse() };
        (mount * v + turn * (level * v), pose * Point3::from(v) + inner * v)
    }
    let rig = Rig { mount: quaternion(QUATERNION), pose: Isometry3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::x()) };
    let turn = UnitQuaternion::new(Vector3::y());
    let at = |x: [f64; 3]| Vector3::from(x);
    differences(|x| f(at(x), &rig, &turn), |x| f_jac(at(x), &rig, &turn), [0.3, 0.5, -0.7]);
}

#[test]
fn rotations_in_control_flow() {
    #[jacobian(wrt(q, rate))]
    fn f(q: UnitQuaternion<f64>, rate: Vector3<f64>, steps: &[f64]) -> (UnitQuaternion<f64>, Vector3<f64>) {
        let mut q = q;
        let mut p = Vector3::new(rate.x, 0.0, 1.0);
        for &dt in steps {
            q *= UnitQuaternion::from_scaled_axis(rate * dt);
            p += q * rate * dt;
        }
        let flipped = if q.w < 0.0 { UnitQuaternion::new_unchecked(-q.into_inner()) } else { q };
        (flipped, p)
    }
    let split = |x: [f64; 7]| (quaternion([x[0], x[1], x[2], x[3]]), Vector3::new(x[4], x[5], x[6]));
    for sign in [1.0, -1.0] {
        let [i, j, k, w] = QUATERNION.map(|part| sign * part);
        differences(
            |x| {
                let (q, rate) = split(x);
                f(q, rate, &[0.1, 0.2, 0.3])
            },
            |x| {
                let (q, rate) = split(x);
                f_jac(q, rate, &[0.1, 0.2, 0.3])
            },
            [i, j, k, w, 0.2, 0.4, -0.3],
        );
    }
}

#[test]
fn outputs_and_fields() {
    struct State {
        attitude: UnitQuaternion<f64>,
        bias: Vector3<f64>,
    }
    #[jacobian(wrt(state.attitude: UnitQuaternion<f64>, state.bias: Vector3<f64>))]
    fn f(state: &State, v: &Vector3<f64>, pose: &mut Isometry3<f64>) -> Vector3<f64> {
        *pose = Isometry3::from_parts(Translation3::from(state.bias), state.attitude);
        state.attitude.inverse() * v - state.bias
    }
    let split =
        |x: [f64; 7]| State { attitude: quaternion([x[0], x[1], x[2], x[3]]), bias: Vector3::new(x[4], x[5], x[6]) };
    let v = Vector3::new(0.3, -0.5, 0.7);
    differences(
        |x| {
            let mut pose = Isometry3::identity();
            let value = f(&split(x), &v, &mut pose);
            (value, pose)
        },
        |x| {
            let mut pose = Isometry3::identity();
            let (value, jacobian) = f_jac(&split(x), &v, &mut pose);
            ((value, pose), jacobian)
        },
        [0.3, -0.4, 0.2, 0.8, 0.5, 0.1, -0.2],
    );
}

#[test]
fn single_precision_and_second_derivatives() {
    #[jacobian(forms(jac, hess))]
    fn f(q: UnitQuaternion<f32>, v: Vector3<f32>) -> f32 {
        let w = UnitQuaternion::from_scaled_axis(v) * (q * v);
        w.x * w.y
    }
    let q = UnitQuaternion::from_euler_angles(0.1f32, 0.2, 0.3);
    let v = Vector3::new(0.5f32, 0.25, -1.0);
    assert_eq!(f(q, v).to_bits(), f_jac(q, v).0.to_bits());
    let (_, gradient, hessian) = f_hess(q, v);
    for (own, expected) in gradient.into_iter().zip(f_jac(q, v).1) {
        assert_abs_diff_eq!(own, expected, epsilon = 1e-6);
    }
    let near = Vector3::new(0.5f32, 0.25, -1.0 + 1e-2);
    let quotient = (f_jac(q, near).1[4] - gradient[4]) / 1e-2;
    assert_abs_diff_eq!(hessian[4][6], quotient, epsilon = 2e-2);
}

/// At a rotation by zero nalgebra takes other sides, where the second derivatives are those of the rotation, too: of
/// `v + w x v + w x (w x v) / 2` and of `1 - |w|^2 / 8`.
#[test]
fn second_derivatives_at_no_rotation() {
    #[jacobian(forms(hess))]
    fn matrix(w: Vector3<f64>) -> f64 {
        (Rotation3::new(w) * Vector3::new(1.0, 2.0, 3.0)).x
    }
    #[jacobian(forms(hess))]
    fn turned(w: Vector3<f64>) -> f64 {
        (UnitQuaternion::from_scaled_axis(w) * Vector3::new(1.0, 2.0, 3.0)).x
    }
    #[jacobian(forms(hess))]
    fn real_part(w: Vector3<f64>) -> f64 {
        UnitQuaternion::from_scaled_axis(w).w
    }
    #[jacobian(forms(hess))]
    fn about_an_axis(u: [f64; 3], angle: f64) -> f64 {
        let axis = Unit::new_unchecked(Vector3::new(u[0], u[1], u[2]));
        (Rotation3::from_axis_angle(&axis, angle) * Vector3::new(1.0, 2.0, 3.0)).x
    }
    let rotated = [[0.0, 1.0, 1.5], [1.0, -1.0, 0.0], [1.5, 0.0, -1.0]];
    for zero in [0.0, -0.0] {
        let w = Vector3::repeat(zero);
        assert_eq!(matrix_hess(w), (1.0, [0.0, 3.0, -2.0], rotated));
        assert_eq!(turned_hess(w), (1.0, [0.0, 3.0, -2.0], rotated));
        let eighth = [[-0.25, 0.0, 0.0], [0.0, -0.25, 0.0], [0.0, 0.0, -0.25]];
        assert_eq!(real_part_hess(w), (1.0, [0.0; 3], eighth));
        // By the angle twice: the part of v across the axis, negated. By the axis and the angle: the derivative of u x v.
        let (value, gradient, hessian) = about_an_axis_hess([0.6, 0.0, 0.8], zero);
        assert_eq!((value, gradient), (1.0, [0.0, 0.0, 0.0, -0.8 * 2.0]));
        for (entry, expected) in hessian[3].into_iter().zip([0.0, 3.0, -2.0, 0.6 * (0.6 + 0.8 * 3.0) - 1.0]) {
            assert_abs_diff_eq!(entry, expected, epsilon = 1e-15);
        }
    }
    // nalgebra takes these for zero: the quaternion, and, where the square vanishes, the matrix.
    for tiny in [1e-17, -1e-100, 1e-170, f64::MIN_POSITIVE] {
        let w = Vector3::new(tiny, -tiny, 0.5 * tiny);
        for ((value, gradient, hessian), own) in [(matrix_hess(w), matrix(w)), (turned_hess(w), turned(w))] {
            assert_eq!(value.to_bits(), own.to_bits());
            for (entry, expected) in gradient.into_iter().zip([0.0, 3.0, -2.0]) {
                assert_abs_diff_eq!(entry, expected, epsilon = 1e-15);
            }
            for (entry, expected) in hessian.as_flattened().iter().zip(rotated.as_flattened()) {
                assert_abs_diff_eq!(*entry, *expected, epsilon = 1e-15);
            }
        }
    }
}

/// Near a rotation by zero, nalgebra's own operations cancel out, but not what the derivatives are of.
#[test]
fn derivatives_near_no_rotation() {
    #[jacobian(forms(jac, hess, hvp))]
    fn double(w: Vector3<f64>) -> f64 {
        (Rotation3::new(w) * Vector3::new(1.0, 2.0, 3.0)).x
    }
    #[jacobian(forms(hess))]
    fn single(w: Vector3<f32>) -> f32 {
        (Rotation3::new(w) * Vector3::new(1.0, 2.0, 3.0)).x
    }
    // The third order of the rotation, -|w|^2 w x v / 6, is what the gradient and the Hessian of the second lack.
    let second_order = |[x, y, z]: [f64; 3]| {
        let gradient = [0.5 * (2.0 * y + 3.0 * z), 3.0 + x - y, -2.0 + 1.5 * x - z];
        (gradient, [[0.0, 1.0, 1.5], [1.0, -1.0, 0.0], [1.5, 0.0, -1.0]])
    };
    for exponent in 1..=150 {
        let size = 10_f64.powi(-exponent);
        let w = [size, 0.3 * size, -size];
        let (gradient, hessian) = second_order(w);
        let (value, own_gradient, own) = double_hess(Vector3::from(w));
        assert_eq!(value.to_bits(), double(Vector3::from(w)).to_bits());
        assert_eq!(double_jac(Vector3::from(w)).0.to_bits(), value.to_bits());
        let rest = 8.0 * size;
        for (own, expected) in own_gradient.into_iter().zip(gradient) {
            assert_abs_diff_eq!(own, expected, epsilon = 1e-15 + rest * size);
        }
        for (own, expected) in own.as_flattened().iter().zip(hessian.as_flattened()) {
            assert_abs_diff_eq!(*own, *expected, epsilon = 1e-15 + rest);
        }
        for (own, expected) in double_hvp(Vector3::from(w), &[0.0, 1.0, 0.0]).2.into_iter().zip(own[1]) {
            assert_abs_diff_eq!(own, expected, epsilon = 1e-14);
        }
        if exponent < 38 {
            let w = w.map(|w| w as f32);
            let (value, _, own) = single_hess(Vector3::from(w));
            assert_eq!(value.to_bits(), single(Vector3::from(w)).to_bits());
            for (own, expected) in own.as_flattened().iter().zip(hessian.as_flattened()) {
                assert_abs_diff_eq!(f64::from(*own), *expected, epsilon = 1e-6 + rest);
            }
        }
    }
    for seed in 0..200 {
        let mut next = numbers(seed);
        let size = 0.2 * next().abs();
        differences(
            |w| [double(Vector3::from(w))],
            |w| {
                let (value, gradient) = double_jac(Vector3::from(w));
                ([value], gradient)
            },
            std::array::from_fn(|_| size * next()),
        );
    }
}

/// `2 v / w` in first and second order, where the square of `v` vanishes, too.
#[test]
fn the_logarithm_near_no_rotation() {
    #[jacobian(forms(jac, hess))]
    fn double(q: UnitQuaternion<f64>) -> f64 {
        q.scaled_axis().x
    }
    #[jacobian(forms(hess))]
    fn single(q: UnitQuaternion<f32>) -> f32 {
        q.scaled_axis().x
    }
    for exponent in 1..=300 {
        let size = 0.1 * 10_f64.powi(-exponent);
        for w in [1.0, -1.0] {
            let v = [size, -0.3 * size, 0.5 * size];
            let gradient = [2.0 * w, 0.0, 0.0, -2.0 * v[0]];
            let mut hessian = [[0.0; 4]; 4];
            (hessian[0][3], hessian[3][0]) = (-2.0, -2.0);
            let q = quaternion([v[0], v[1], v[2], w]);
            let (value, own_gradient, own) = double_hess(q);
            assert_eq!(value.to_bits(), double(q).to_bits());
            assert_eq!(double_jac(q).0.to_bits(), value.to_bits());
            for (own, expected) in own_gradient.into_iter().zip(gradient) {
                assert_abs_diff_eq!(own, expected, epsilon = 1e-15 + 8.0 * size * size);
            }
            for (own, expected) in own.as_flattened().iter().zip(hessian.as_flattened()) {
                assert_abs_diff_eq!(*own, *expected, epsilon = 1e-15 + 8.0 * size);
            }
            if exponent < 37 {
                let [x, y, z, w] = [v[0], v[1], v[2], w].map(|part| part as f32);
                let q = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
                let (value, own_gradient, own) = single_hess(q);
                assert_eq!(value.to_bits(), single(q).to_bits());
                assert_abs_diff_eq!(f64::from(own_gradient[0]), gradient[0], epsilon = 1e-6 + 8.0 * size * size);
                for (own, expected) in own.as_flattened().iter().zip(hessian.as_flattened()) {
                    assert_abs_diff_eq!(f64::from(*own), *expected, epsilon = 1e-6 + 8.0 * size);
                }
            }
        }
    }
    for seed in 0..200 {
        let mut next = numbers(seed);
        let x = [0.3 * next(), 0.3 * next(), 0.3 * next(), next()];
        let gradient = |x| double_jac(quaternion(x)).1;
        differences(gradient, |x| (gradient(x), double_hess(quaternion(x)).2), x);
    }
}

/// The residual of a rotation at its solution, where what is left over is a rotation by rounding errors.
#[test]
fn a_residual_at_its_solution() {
    #[jacobian(wrt(v), forms(jac, hess))]
    fn residual(v: Vector3<f64>, r: UnitQuaternion<f64>) -> f64 {
        (UnitQuaternion::from_scaled_axis(v).inverse() * r).scaled_axis().x
    }
    for seed in 0..200 {
        let mut next = numbers(seed);
        let v = [next(), next(), next()];
        let r = UnitQuaternion::from_scaled_axis(Vector3::from(v));
        let gradient = |v| residual_jac(Vector3::from(v), r).1;
        differences(gradient, |v| (gradient(v), residual_hess(Vector3::from(v), r).2), v);
    }
}

/// Where all of nalgebra is imported, its own `core` is what that name means.
mod imported {
    use jacobian::jacobian;
    use nalgebra::*;

    #[jacobian]
    pub fn single(q: UnitQuaternion<f32>) -> [f32; 3] {
        let (roll, pitch, yaw) = q.euler_angles();
        [roll, pitch, yaw]
    }

    #[jacobian]
    pub fn double(q: UnitQuaternion<f64>) -> [f64; 3] {
        let (roll, pitch, yaw) = q.euler_angles();
        [roll, pitch, yaw]
    }

    #[jacobian(wrt(v))]
    pub fn turned(v: Vector3<f64>, r: &Rotation3<f32>) -> [f64; 2] {
        let turned = Rotation3::new(v) * Vector3::new(1.0, 2.0, 3.0);
        let (_, pitch, _) = r.euler_angles();
        [turned.x * f64::from(pitch), turned.y]
    }
}

#[test]
fn euler_angles_of_both_floats() {
    // The last two are at a pitch of a quarter turn.
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    for [x, y, z, w] in [[0.1, -0.2, 0.3, 0.9], [0.0, quarter, 0.0, quarter], [0.0, -quarter, 0.0, quarter]] {
        let q = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
        let (value, jacobian) = imported::double_jac(q);
        assert_eq!(value, imported::double(q));
        let q = UnitQuaternion::new_normalize(Quaternion::new(w as f32, x as f32, y as f32, z as f32));
        let (single, single_jacobian) = imported::single_jac(q);
        assert_eq!(single, imported::single(q));
        for (single, double) in
            single_jacobian.as_flattened().iter().zip(jacobian.as_flattened()).take(if x == 0.0 { 0 } else { 12 })
        {
            assert_abs_diff_eq!(f64::from(*single), *double, epsilon = 1e-5);
        }
    }
    let r = Rotation3::from_euler_angles(0.1_f32, 0.2, 0.3);
    let turned = |v| imported::turned(Vector3::from(v), &r);
    differences(turned, |v| imported::turned_jac(Vector3::from(v), &r), [0.1, -0.2, 0.3]);
}

#[test]
fn rotations_of_a_type_parameter() {
    #[jacobian]
    fn f<T: RealField + Copy>(c: UnitComplex<T>, v: na::Vector2<T>) -> na::Vector2<T> {
        c * v - c.inverse() * v
    }
    let (c, v) = (UnitComplex::new(0.3), Vector2::new(2.0, 3.0));
    let s = c.im;
    check(f(c, v), f_jac(c, v), &[0.0, -6.0, 0.0, -2.0 * s, 0.0, 4.0, 2.0 * s, 0.0]);
}
