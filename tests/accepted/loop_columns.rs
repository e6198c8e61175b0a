//! Run-time loops that depend on more values than the function has columns: derivatives are carried by the
//! columns, and those before the loop are given to it, with their signs and masks.

#![allow(clippy::needless_range_loop, reason = "a macro knows the items of a range")]

use approx::assert_relative_eq;
use jacobian::jacobian;

use crate::differences;

const DATA: [f64; 7] = [0.3, -0.4, 1.2, 0.1, 0.2, 0.5, -0.7];

#[jacobian(wrt(k), forms(jac, jvp, vjp, hess, hvp))]
fn cells(k: [f64; 2], n: usize) -> f64 {
    let mut u = [0.0; 6];
    for i in 0..6 {
        u[i] = (k[0] * (i + 1) as f64).sin();
    }
    for _ in 0..n {
        let mut v = u;
        for i in 1..5 {
            v[i] = u[i] + 0.1 * k[1] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        u = v;
    }
    u[2] + u[3] * u[4]
}

#[jacobian(wrt(x), forms(jac, jvp, vjp, hess, hvp))]
fn nested(x: [f64; 2], n: usize) -> f64 {
    let (mut p, mut q, mut r) = (x[0], x[1], x[0] * x[1]);
    for i in 0..n {
        let (a, b, c, d) = (p * q, q.sin(), r + p, p - r);
        let (mut s, mut t) = (a, b);
        for j in 0..n / 2 {
            s = 0.7 * s + c * t + d * (j as f64);
            t = t * 0.5 - a * 0.01 + b * s * 0.02;
        }
        if s > 2.0 {
            p = p * 0.5 + t;
        } else {
            q += 0.1 * s;
        }
        r = (s * t + r * i as f64).tanh();
    }
    p + q * r
}

#[jacobian(wrt(x), forms(jac, jvp, vjp, hess, hvp))]
fn in_an_arm(x: [f64; 2], n: usize) -> f64 {
    let (a, b, c) = (x[0] * x[1], x[0].exp(), -x[1].cos());
    if x[0] > 0.0 {
        let (mut s, mut t, mut u) = (a, b, c);
        for v in &DATA[..n] {
            s += a * t * v;
            t = t * 0.9 + b * 0.1;
            u = u * c - s * 0.1;
        }
        s + t * u
    } else {
        a - b
    }
}

/// The second loop begins with what the first one gives, and the third one reads it.
#[jacobian(wrt(x), forms(jac, jvp, vjp, hess, hvp))]
fn one_after_another(x: [f64; 2], n: usize) -> f64 {
    let mut s = x[0];
    for v in &DATA[..n] {
        s += v * s * x[1];
    }
    let mut t = s;
    for v in &DATA[..n] {
        t -= v * x[0];
    }
    let mut u = 1.0;
    for v in &DATA[1..n.max(1)] {
        u += v * s * t * u;
    }
    if s > t {
        for v in &DATA[..n] {
            u += v * t * s;
        }
        for v in &DATA[..n] {
            u *= 1.0 + v * u;
        }
    }
    t * u
}

/// All forms of a function of two floats, at a point.
macro_rules! all_forms {
    ($f:ident, $jac:ident, $jvp:ident, $vjp:ident, $hess:ident, $hvp:ident, $x:expr, $n:expr) => {{
        let (x, n, along) = ($x, $n, [0.3, -1.7]);
        differences(|x| $f(x, n), |x| $jac(x, n), x);
        differences(|x| $jac(x, n).1, |x| ($jac(x, n).1, $hess(x, n).2), x);
        let (value, gradient) = $jac(x, n);
        let (_, of_hess, hessian) = $hess(x, n);
        let dot = |row: [f64; 2]| row[0] * along[0] + row[1] * along[1];
        let (of_jvp, product) = $jvp(x, n, &along);
        assert_eq!(value.to_bits(), of_jvp.to_bits());
        assert_relative_eq!(product, dot(gradient), max_relative = 1e-11, epsilon = 1e-12);
        for i in 0..2 {
            assert_relative_eq!($vjp(x, n, 1.0).1[i], gradient[i], max_relative = 1e-11, epsilon = 1e-12);
            assert_relative_eq!(of_hess[i], gradient[i], max_relative = 1e-11, epsilon = 1e-12);
            assert_relative_eq!($hvp(x, n, &along).2[i], dot(hessian[i]), max_relative = 1e-10, epsilon = 1e-10);
        }
    }};
}

/// Linear loops one in the other, by as many columns as the inner one has inputs.
#[jacobian(wrt(x), forms(jac, jvp, vjp, hess, hvp))]
fn rods(x: [f64; 2], n: usize) -> f64 {
    let mut u = [0.0; 6];
    for i in 0..6 {
        u[i] = (x[0] * (i + 1) as f64).sin() * x[1];
    }
    for _ in 0..n {
        for _ in 0..n / 2 {
            let old = u;
            for i in 1..5 {
                u[i] += 0.1 * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
            }
        }
        u[0] = u[5];
    }
    u[2] * u[2] + u[3]
}

#[test]
fn all_forms() {
    for n in [0, 1, 2, 7] {
        all_forms!(cells, cells_jac, cells_jvp, cells_vjp, cells_hess, cells_hvp, [0.7, 1.1], n);
        all_forms!(rods, rods_jac, rods_jvp, rods_vjp, rods_hess, rods_hvp, [0.7, 1.1], n);
        for x in [[0.7, 1.1], [-0.7, 2.1]] {
            all_forms!(nested, nested_jac, nested_jvp, nested_vjp, nested_hess, nested_hvp, x, n);
            all_forms!(
                one_after_another,
                one_after_another_jac,
                one_after_another_jvp,
                one_after_another_vjp,
                one_after_another_hess,
                one_after_another_hvp,
                x,
                n
            );
            all_forms!(in_an_arm, in_an_arm_jac, in_an_arm_jvp, in_an_arm_vjp, in_an_arm_hess, in_an_arm_hvp, x, n);
        }
    }
}

#[test]
fn what_the_loop_reads_has_derivatives() {
    #[jacobian(wrt(x), forms(jac, jvp, vjp, hess))]
    fn f(x: [f64; 2], data: &[f64]) -> [f64; 2] {
        let (a, b, c, d) = (x[0] * x[1], x[0].sin(), -x[1], x[0] - x[1]);
        let e = if x[0] > 1.0 { x[1].sqrt() } else { 2.0 };
        let (mut s, mut t, mut u) = (a, 1.0, e);
        for v in data {
            s = 0.5 * s + a * v + b * c;
            t *= d + e * v;
            u = u * 0.9 + (b * v + e).exp();
        }
        [s * t, u + a]
    }
    for length in [0, 1, 2, 7] {
        for x in [[0.7, 1.1], [1.7, 0.4]] {
            let data = &DATA[..length];
            differences(|x| f(x, data), |x| f_jac(x, data), x);
            let jacobian = f_jac(x, data).1;
            let (along, across) = (f_jvp(x, data, &[0.3, -1.7]).1, f_vjp(x, data, &[0.4, -0.6]).1);
            for i in 0..2 {
                assert_relative_eq!(along[i], 0.3 * jacobian[i][0] - 1.7 * jacobian[i][1], max_relative = 1e-11);
                assert_relative_eq!(across[i], 0.4 * jacobian[0][i] - 0.6 * jacobian[1][i], max_relative = 1e-11);
            }
            let across = |x| f_vjp(x, data, &[0.4, -0.6]).1;
            differences(across, |x| (across(x), f_hess(x, data, &[0.4, -0.6]).2), x);
        }
    }
}

#[test]
fn structural_zeros_before_the_loop_meet_no_infinity() {
    #[jacobian(wrt(x), forms(jac, hess))]
    fn f(x: [f64; 1], n: usize) -> f64 {
        let a = if x[0] > 0.5 { x[0] * 2.0 } else { 0.0 };
        let b = if x[0] > 0.5 { x[0] } else { 4.0 };
        let (mut s, mut r, mut q) = (a, b, x[0]);
        for _ in 0..n {
            r = r.sqrt() + a.sqrt();
            s = s.sqrt() * 0.5 + b.sqrt();
            q = q * 0.5 + s;
        }
        s + r + q
    }
    for n in [0, 1, 2, 5] {
        for x in [0.3, 0.9] {
            differences(|x| f(x, n), |x| f_jac(x, n), [x]);
            assert!(f_hess([x], n).2[0][0].is_finite());
        }
    }
}
