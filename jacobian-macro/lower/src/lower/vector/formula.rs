//! What nalgebra computes where that is more than a few operations: written as functions of this language, over the
//! floats in the order of the storage, with nalgebra's own operations in nalgebra's own order, so that the value is
//! nalgebra's to the last bit. They are inlined as functions of the user's module are.
//!
//! Where nalgebra takes another side at a point at which the function is smooth all the same (the rotation of a vector
//! of length zero), the side has the value that it has there, and the derivatives of the function, of first and second
//! order. Where nalgebra's own operations cancel out near such a point, their derivatives would be noise (by eps/|v|^2
//! in second order): the value is theirs there, and the derivatives are those of other operations. Both are done with
//! what is `seen`, the same numbers, but passive: `v - seen` is zero, with the derivative of `v`.
//!
//! To add one is to add a row to [`FORMULAS`]. `F` is the type of the floats, `FLOAT` the name of its module.

use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::ItemFn;

use super::super::super::read::scalar::Scalar;
use super::super::super::refuse;
use super::super::super::syntax::{self, Placed};
use super::super::bindings::InlinedCall;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::generics::Given;
use super::super::value::Value;
use super::super::{Inlinable, Lowering};

/// The functions.
const FORMULAS: &[(&str, &str)] = &[
    (
        "quaternion_product",
        "(a: [F; 4], b: [F; 4]) -> [F; 4] {
            [
                a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
            ]
        }",
    ),
    (
        "rotated_by_quaternion",
        "(q: [F; 4], v: [F; 3]) -> [F; 3] {
            let t = [
                (q[1] * v[2] - q[2] * v[1]) * 2.0,
                (q[2] * v[0] - q[0] * v[2]) * 2.0,
                (q[0] * v[1] - q[1] * v[0]) * 2.0,
            ];
            [
                t[0] * q[3] + (q[1] * t[2] - q[2] * t[1]) + v[0],
                t[1] * q[3] + (q[2] * t[0] - q[0] * t[2]) + v[1],
                t[2] * q[3] + (q[0] * t[1] - q[1] * t[0]) + v[2],
            ]
        }",
    ),
    (
        "quaternion_of_axis",
        "(u: [F; 3], angle: F) -> [F; 4] {
            let (sin, cos) = (angle / 2.0).sin_cos();
            [u[0] * sin, u[1] * sin, u[2] * sin, cos]
        }",
    ),
    (
        "quaternion_of_scaled_axis",
        "(v: [F; 3], seen: [F; 3]) -> [F; 4] {
            let turn = |v: [F; 3]| {
                let h = [v[0] / 2.0, v[1] / 2.0, v[2] / 2.0];
                let nn = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
                if nn <= F::EPSILON * F::EPSILON {
                    [0.0, 0.0, 0.0, 1.0]
                } else {
                    let n = nn.sqrt();
                    let s = 1.0 * n.sin() / n;
                    [h[0] * s, h[1] * s, h[2] * s, 1.0 * n.cos()]
                }
            };
            let series = |v: [F; 3]| {
                let h = [v[0] * 0.5, v[1] * 0.5, v[2] * 0.5];
                let s = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
                let a = 1.0 - s * (1.0 - s * (1.0 - s * (1.0 - s * (1.0 - s / 110.0) / 72.0) / 42.0) / 20.0) / 6.0;
                let b = 1.0 - s * (1.0 - s * (1.0 - s * (1.0 - s * (1.0 - s / 90.0) / 56.0) / 30.0) / 12.0) * 0.5;
                [h[0] * a, h[1] * a, h[2] * a, b]
            };
            if v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < 0.01 {
                let (turned, near, by) = (turn(seen), series(seen), series(v));
                [
                    turned[0] - (near[0] - by[0]),
                    turned[1] - (near[1] - by[1]),
                    turned[2] - (near[2] - by[2]),
                    turned[3] - (near[3] - by[3]),
                ]
            } else {
                turn(v)
            }
        }",
    ),
    (
        "quaternion_of_euler_angles",
        "(roll: F, pitch: F, yaw: F) -> [F; 4] {
            let (sr, cr) = (roll * 0.5).sin_cos();
            let (sp, cp) = (pitch * 0.5).sin_cos();
            let (sy, cy) = (yaw * 0.5).sin_cos();
            [
                sr * cp * cy - cr * sp * sy,
                cr * sp * cy + sr * cp * sy,
                cr * cp * sy - sr * sp * cy,
                cr * cp * cy + sr * sp * sy,
            ]
        }",
    ),
    (
        "quaternion_of_matrix",
        "(m: [F; 9]) -> [F; 4] {
            let tr = m[0] + m[4] + m[8];
            if tr > 0.0 {
                let denom = (tr + 1.0).sqrt() * 2.0;
                [(m[5] - m[7]) / denom, (m[6] - m[2]) / denom, (m[1] - m[3]) / denom, 0.25 * denom]
            } else if m[0] > m[4] && m[0] > m[8] {
                let denom = (1.0 + m[0] - m[4] - m[8]).sqrt() * 2.0;
                [0.25 * denom, (m[3] + m[1]) / denom, (m[6] + m[2]) / denom, (m[5] - m[7]) / denom]
            } else if m[4] > m[8] {
                let denom = (1.0 + m[4] - m[0] - m[8]).sqrt() * 2.0;
                [(m[3] + m[1]) / denom, 0.25 * denom, (m[7] + m[5]) / denom, (m[6] - m[2]) / denom]
            } else {
                let denom = (1.0 + m[8] - m[0] - m[4]).sqrt() * 2.0;
                [(m[6] + m[2]) / denom, (m[7] + m[5]) / denom, 0.25 * denom, (m[1] - m[3]) / denom]
            }
        }",
    ),
    (
        "scaled_axis_of_quaternion",
        "(q: [F; 4], seen: [F; 4]) -> [F; 3] {
            let taken = |q: [F; 4]| {
                let v = if q[3] >= 0.0 { [q[0], q[1], q[2]] } else { [-q[0], -q[1], -q[2]] };
                let n = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
                if n > 0.0 {
                    let angle = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]).sqrt().atan2(q[3].abs()) * 2.0;
                    [v[0] / n * angle, v[1] / n * angle, v[2] / n * angle]
                } else {
                    [0.0, 0.0, 0.0]
                }
            };
            let series = |q: [F; 4]| {
                let ww = q[3] * q[3];
                let s = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) / ww;
                let c = 1.0 / 9.0 - s * (1.0 / 11.0 - s * (1.0 / 13.0 - s * (1.0 / 15.0 - s / 17.0)));
                let a = (1.0 - s * (1.0 / 3.0 - s * (1.0 / 5.0 - s * (1.0 / 7.0 - s * c)))) * 2.0 / q[3];
                [q[0] * a, q[1] * a, q[2] * a]
            };
            if q[0] * q[0] + q[1] * q[1] + q[2] * q[2] < 0.01 * (q[3] * q[3]) {
                let (value, near, by) = (taken(seen), series(seen), series(q));
                [value[0] - (near[0] - by[0]), value[1] - (near[1] - by[1]), value[2] - (near[2] - by[2])]
            } else {
                taken(q)
            }
        }",
    ),
    (
        "angle_of_quaternion",
        "(q: [F; 4]) -> F {
            (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]).sqrt().atan2(q[3].abs()) * 2.0
        }",
    ),
    (
        "matrix_of_quaternion",
        "(q: [F; 4]) -> [F; 9] {
            let [i, j, k, w] = q;
            let ww = w * w;
            let ii = i * i;
            let jj = j * j;
            let kk = k * k;
            let ij = i * j * 2.0;
            let wk = w * k * 2.0;
            let wj = w * j * 2.0;
            let ik = i * k * 2.0;
            let jk = j * k * 2.0;
            let wi = w * i * 2.0;
            [
                ww + ii - jj - kk,
                wk + ij,
                ik - wj,
                ij - wk,
                ww - ii + jj - kk,
                wi + jk,
                wj + ik,
                jk - wi,
                ww - ii - jj + kk,
            ]
        }",
    ),
    (
        "matrix_of_axis",
        "(u: [F; 3], angle: F) -> [F; 9] {
            if angle != 0.0 {
                let [ux, uy, uz] = u;
                let sqx = ux * ux;
                let sqy = uy * uy;
                let sqz = uz * uz;
                let (sin, cos) = angle.sin_cos();
                let one_m_cos = 1.0 - cos;
                [
                    sqx + (1.0 - sqx) * cos,
                    ux * uy * one_m_cos + uz * sin,
                    ux * uz * one_m_cos - uy * sin,
                    ux * uy * one_m_cos - uz * sin,
                    sqy + (1.0 - sqy) * cos,
                    uy * uz * one_m_cos + ux * sin,
                    ux * uz * one_m_cos + uy * sin,
                    uy * uz * one_m_cos - ux * sin,
                    sqz + (1.0 - sqz) * cos,
                ]
            } else {
                let t = [u[0] * angle, u[1] * angle, u[2] * angle];
                let h = [t[0] * 0.5, t[1] * 0.5, t[2] * 0.5];
                let s = 1.0 - angle * angle * 0.5;
                [
                    s + t[0] * h[0],
                    t[0] * h[1] + t[2] + 0.0,
                    t[0] * h[2] - t[1] + 0.0,
                    t[0] * h[1] - t[2] + 0.0,
                    s + t[1] * h[1],
                    t[1] * h[2] + t[0] + 0.0,
                    t[0] * h[2] + t[1] + 0.0,
                    t[1] * h[2] - t[0] + 0.0,
                    s + t[2] * h[2],
                ]
            }
        }",
    ),
    (
        "matrix_of_scaled_axis",
        "(v: [F; 3], seen: [F; 3]) -> [F; 9] {
            let turn = |v: [F; 3]| {
                let angle = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
                let [ux, uy, uz] = [v[0] / angle, v[1] / angle, v[2] / angle];
                let sqx = ux * ux;
                let sqy = uy * uy;
                let sqz = uz * uz;
                let (sin, cos) = angle.sin_cos();
                let one_m_cos = 1.0 - cos;
                [
                    sqx + (1.0 - sqx) * cos,
                    ux * uy * one_m_cos + uz * sin,
                    ux * uz * one_m_cos - uy * sin,
                    ux * uy * one_m_cos - uz * sin,
                    sqy + (1.0 - sqy) * cos,
                    uy * uz * one_m_cos + ux * sin,
                    ux * uz * one_m_cos + uy * sin,
                    uy * uz * one_m_cos - ux * sin,
                    sqz + (1.0 - sqz) * cos,
                ]
            };
            let series = |v: [F; 3]| {
                let sq = [v[0] * v[0], v[1] * v[1], v[2] * v[2]];
                let s = sq[0] + sq[1] + sq[2];
                let a = 1.0 - s * (1.0 - s * (1.0 - s * (1.0 - s * (1.0 - s / 110.0) / 72.0) / 42.0) / 20.0) / 6.0;
                let b = (1.0 - s * (1.0 - s * (1.0 - s * (1.0 - s * (1.0 - s / 132.0) / 90.0) / 56.0) / 30.0) / 12.0)
                    * 0.5;
                let t = [v[0] * a, v[1] * a, v[2] * a];
                let (xy, xz, yz) = (v[0] * v[1] * b, v[0] * v[2] * b, v[1] * v[2] * b);
                [
                    1.0 - (sq[1] + sq[2]) * b,
                    xy + t[2],
                    xz - t[1],
                    xy - t[2],
                    1.0 - (sq[0] + sq[2]) * b,
                    yz + t[0],
                    xz + t[1],
                    yz - t[0],
                    1.0 - (sq[0] + sq[1]) * b,
                ]
            };
            let angle = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            if angle != 0.0 && angle < 0.1 {
                let (turned, near, by) = (turn(seen), series(seen), series(v));
                ::core::array::from_fn(|k| turned[k] - (near[k] - by[k]))
            } else if angle != 0.0 {
                turn(v)
            } else {
                let t = [v[0] - seen[0], v[1] - seen[1], v[2] - seen[2]];
                let h = [t[0] * 0.5, t[1] * 0.5, t[2] * 0.5];
                [
                    1.0 - (t[1] * h[1] + t[2] * h[2]),
                    t[0] * h[1] + t[2],
                    t[0] * h[2] - t[1],
                    t[0] * h[1] - t[2],
                    1.0 - (t[0] * h[0] + t[2] * h[2]),
                    t[1] * h[2] + t[0],
                    t[0] * h[2] + t[1],
                    t[1] * h[2] - t[0],
                    1.0 - (t[0] * h[0] + t[1] * h[1]),
                ]
            }
        }",
    ),
    (
        "matrix_of_euler_angles",
        "(roll: F, pitch: F, yaw: F) -> [F; 9] {
            let (sr, cr) = roll.sin_cos();
            let (sp, cp) = pitch.sin_cos();
            let (sy, cy) = yaw.sin_cos();
            [
                cy * cp,
                sy * cp,
                -sp,
                cy * sp * sr - sy * cr,
                sy * sp * sr + cy * cr,
                cp * sr,
                cy * sp * cr + sy * sr,
                sy * sp * cr - cy * sr,
                cp * cr,
            ]
        }",
    ),
    (
        "euler_angles_of_matrix",
        "(m: [F; 9]) -> (F, F, F) {
            if m[2].abs() < 1.0 {
                let pitch = -m[2].asin();
                let theta_cos = pitch.cos();
                (
                    (m[5] / theta_cos).atan2(m[8] / theta_cos),
                    pitch,
                    (m[1] / theta_cos).atan2(m[0] / theta_cos),
                )
            } else if m[2] <= -1.0 {
                (m[3].atan2(m[6]), ::core::FLOAT::consts::FRAC_PI_2, 0.0)
            } else {
                (-m[3].atan2(-m[6]), -::core::FLOAT::consts::FRAC_PI_2, 0.0)
            }
        }",
    ),
    ("complex_of_angle", "(angle: F) -> [F; 2] { let (sin, cos) = angle.sin_cos(); [cos, sin] }"),
    ("angle_of_complex", "(c: [F; 2]) -> F { c[1].atan2(c[0]) }"),
    ("complex_product", "(a: [F; 2], b: [F; 2]) -> [F; 2] { [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]] }"),
    (
        "rotated_by_complex",
        "(c: [F; 2], v: [F; 2]) -> [F; 2] { [c[0] * v[0] - c[1] * v[1], c[1] * v[0] + c[0] * v[1]] }",
    ),
    (
        "between_floats",
        "(y: F, x: F, t: F) -> F {
            let b = 1.0 - t;
            if b != 0.0 {
                t * x + b * y
            } else if y > 0.0 && y < F::INFINITY {
                t * x - (t - 1.0) * y
            } else if y < 0.0 && y > F::NEG_INFINITY {
                t * x + b * y
            } else {
                t * x
            }
        }",
    ),
    (
        "angle_of_product",
        "(product: F, a: F, b: F) -> F {
            if a == 0.0 || b == 0.0 {
                0.0
            } else {
                let cosine = product / (a * b);
                if cosine < -1.0 {
                    (-1.0 as F).acos()
                } else if cosine > 1.0 {
                    (1.0 as F).acos()
                } else {
                    cosine.acos()
                }
            }
        }",
    ),
    ("angle_of_matrix_2", "(m: [F; 4]) -> F { m[1].atan2(m[0]) }"),
    ("angle_of_matrix_3", "(m: [F; 9]) -> F { ((m[0] + m[4] + m[8] - 1.0) / 2.0).acos() }"),
    (
        "quaternion_between",
        "(a: [F; 4], b: [F; 4], t: F) -> [F; 4] {
            let s = 1.0 - t;
            [a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t, a[3] * s + b[3] * t]
        }",
    ),
    ("larger", "(a: F, b: F) -> F { if a >= b { a } else { b } }"),
    ("smaller", "(a: F, b: F) -> F { if a <= b { a } else { b } }"),
    ("determinant_2", "(m: [F; 4]) -> F { m[0] * m[3] - m[1] * m[2] }"),
    (
        "determinant_3",
        "(m: [F; 9]) -> F {
            let [m11, m21, m31, m12, m22, m32, m13, m23, m33] = m;
            let minor_m12_m23 = m22 * m33 - m32 * m23;
            let minor_m11_m23 = m21 * m33 - m31 * m23;
            let minor_m11_m22 = m21 * m32 - m31 * m22;
            m11 * minor_m12_m23 - m12 * minor_m11_m23 + m13 * minor_m11_m22
        }",
    ),
    ("inverse_1", "(m: [F; 1], det: F) -> [F; 1] { [1.0 / det] }"),
    ("inverse_2", "(m: [F; 4], det: F) -> [F; 4] { [m[3] / det, -m[1] / det, -m[2] / det, m[0] / det] }"),
    (
        "inverse_3",
        "(m: [F; 9], det: F) -> [F; 9] {
            let [m11, m21, m31, m12, m22, m32, m13, m23, m33] = m;
            [
                (m22 * m33 - m32 * m23) / det,
                -(m21 * m33 - m31 * m23) / det,
                (m21 * m32 - m31 * m22) / det,
                (m13 * m32 - m33 * m12) / det,
                (m11 * m33 - m31 * m13) / det,
                (m12 * m31 - m32 * m11) / det,
                (m12 * m23 - m22 * m13) / det,
                (m13 * m21 - m23 * m11) / det,
                (m11 * m22 - m21 * m12) / det,
            ]
        }",
    ),
    (
        "cofactors_4",
        "(m: [F; 16]) -> [F; 16] {
            [
                m[5] * m[10] * m[15] - m[5] * m[11] * m[14] - m[9] * m[6] * m[15] + m[9] * m[7] * m[14]
                    + m[13] * m[6] * m[11] - m[13] * m[7] * m[10],
                -m[1] * m[10] * m[15] + m[1] * m[11] * m[14] + m[9] * m[2] * m[15] - m[9] * m[3] * m[14]
                    - m[13] * m[2] * m[11] + m[13] * m[3] * m[10],
                m[1] * m[6] * m[15] - m[1] * m[7] * m[14] - m[5] * m[2] * m[15] + m[5] * m[3] * m[14]
                    + m[13] * m[2] * m[7] - m[13] * m[3] * m[6],
                -m[1] * m[6] * m[11] + m[1] * m[7] * m[10] + m[5] * m[2] * m[11] - m[5] * m[3] * m[10]
                    - m[9] * m[2] * m[7] + m[9] * m[3] * m[6],
                -m[4] * m[10] * m[15] + m[4] * m[11] * m[14] + m[8] * m[6] * m[15] - m[8] * m[7] * m[14]
                    - m[12] * m[6] * m[11] + m[12] * m[7] * m[10],
                m[0] * m[10] * m[15] - m[0] * m[11] * m[14] - m[8] * m[2] * m[15] + m[8] * m[3] * m[14]
                    + m[12] * m[2] * m[11] - m[12] * m[3] * m[10],
                -m[0] * m[6] * m[15] + m[0] * m[7] * m[14] + m[4] * m[2] * m[15] - m[4] * m[3] * m[14]
                    - m[12] * m[2] * m[7] + m[12] * m[3] * m[6],
                m[0] * m[6] * m[11] - m[0] * m[7] * m[10] - m[4] * m[2] * m[11] + m[4] * m[3] * m[10]
                    + m[8] * m[2] * m[7] - m[8] * m[3] * m[6],
                m[4] * m[9] * m[15] - m[4] * m[11] * m[13] - m[8] * m[5] * m[15] + m[8] * m[7] * m[13]
                    + m[12] * m[5] * m[11] - m[12] * m[7] * m[9],
                -m[0] * m[9] * m[15] + m[0] * m[11] * m[13] + m[8] * m[1] * m[15] - m[8] * m[3] * m[13]
                    - m[12] * m[1] * m[11] + m[12] * m[3] * m[9],
                m[0] * m[5] * m[15] - m[0] * m[7] * m[13] - m[4] * m[1] * m[15] + m[4] * m[3] * m[13]
                    + m[12] * m[1] * m[7] - m[12] * m[3] * m[5],
                -m[0] * m[5] * m[11] + m[0] * m[7] * m[9] + m[4] * m[1] * m[11] - m[4] * m[3] * m[9]
                    - m[8] * m[1] * m[7] + m[8] * m[3] * m[5],
                -m[4] * m[9] * m[14] + m[4] * m[10] * m[13] + m[8] * m[5] * m[14] - m[8] * m[6] * m[13]
                    - m[12] * m[5] * m[10] + m[12] * m[6] * m[9],
                m[0] * m[9] * m[14] - m[0] * m[10] * m[13] - m[8] * m[1] * m[14] + m[8] * m[2] * m[13]
                    + m[12] * m[1] * m[10] - m[12] * m[2] * m[9],
                -m[0] * m[5] * m[14] + m[0] * m[6] * m[13] + m[4] * m[1] * m[14] - m[4] * m[2] * m[13]
                    - m[12] * m[1] * m[6] + m[12] * m[2] * m[5],
                m[0] * m[5] * m[10] - m[0] * m[6] * m[9] - m[4] * m[1] * m[10] + m[4] * m[2] * m[9]
                    + m[8] * m[1] * m[6] - m[8] * m[2] * m[5],
            ]
        }",
    ),
    (
        "determinant_by_cofactors",
        "(m: [F; 16], c: [F; 16]) -> F { m[0] * c[0] + m[1] * c[4] + m[2] * c[8] + m[3] * c[12] }",
    ),
    (
        "inverse_4",
        "(c: [F; 16], det: F) -> [F; 16] {
            let inv_det = 1.0 / det;
            c.map(|cofactor| cofactor * inv_det)
        }",
    ),
];

impl Lowering<'_> {
    /// What a formula gives for these arguments: floats, and arrays of floats.
    pub(super) fn formula(&mut self, name: &'static str, args: Vec<Value>, place: &dyn Placed) -> Flow {
        let (_, text) = FORMULAS.iter().find(|(known, _)| *known == name).expect("the formula is in the table");
        let has_numbers = [".0", ".5", ".25"].iter().any(|digits| text.contains(digits));
        if let (Scalar::Parameter(parameter), true) = (&self.scalar, has_numbers) {
            let message = refuse::formula_of_parameter(&parameter.name);
            return self.refuse(place, message);
        }
        let body = self.formula_body(name, text);
        let inlined = InlinedCall {
            function: format_ident!("{name}"),
            place: place.place(),
            given: Given::new(),
            bounds: None,
            has_plain_bounds: false,
        };
        let activation = self.bindings.activate(&body, Some(inlined));
        let caller = std::mem::replace(&mut self.activation, activation);
        let outer = std::mem::replace(&mut self.returned, Expected::of_type(body.output.as_ref()));
        let value = self.body_with(&body, &args);
        self.returned = outer;
        self.activation = caller;
        value
    }

    /// The same of a formula that takes what is `seen`, too.
    pub(super) fn formula_near(&mut self, name: &'static str, of: Value, place: &dyn Placed) -> Flow {
        let seen = self.copied(&of, place)?;
        self.formula(name, vec![of, seen], place)
    }

    fn formula_body(&mut self, name: &str, text: &str) -> Rc<syntax::Body> {
        // No function of the user has such a name.
        let key = Inlinable::Text(format!("nalgebra {name}"));
        if let Some(body) = self.bodies.get(&key) {
            return body.clone();
        }
        let float = self.scalar.ty().into_token_stream();
        let text = text.replace("FLOAT", self.scalar.suffix().unwrap_or_default());
        let text: TokenStream = format!("fn formula{text}").parse().expect("a formula is made of tokens");
        let function: ItemFn = syn::parse2(with_float(text, &float)).expect("a formula is a function");
        let body = Rc::new(syntax::function(&function, self.module.declared().items(), self.collections));
        self.numbers.infer(&body, (self.module.declared(), &[]), true);
        self.bodies.insert(key, body.clone());
        body
    }
}

/// The tokens with this type for `F`.
fn with_float(tokens: TokenStream, float: &TokenStream) -> TokenStream {
    let mut changed = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if ident == "F" => changed.extend(float.clone()),
            TokenTree::Group(group) => {
                let inner = with_float(group.stream(), float);
                changed.extend([TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))]);
            }
            other => changed.extend([other]),
        }
    }
    changed
}
