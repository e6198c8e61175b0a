//! Branches with more results than the product or the gradient has rows: the adjoints of their arguments are computed in
//! a second branch, and products with tangents carry these through the arms. Compared with the Jacobian, whose rows are
//! the results of the branch.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

use approx::assert_relative_eq;
use jacobian::jacobian;

const DIRECTION: [f64; 4] = [0.3, -0.7, 1.1, 0.4];
const WEIGHTS: [f64; 4] = [1.5, 0.2, -0.6, 0.9];

/// The values are those of `f` bit for bit, the products those of the Jacobian, the second derivatives those of the
/// differences of the gradient.
macro_rules! agree {
    ($f:ident $jac:ident $jvp:ident $vjp:ident $hess:ident $hvp:ident, $x:expr, ($($rest:expr),*)) => {{
        let x: [f64; 4] = $x;
        let bits = |values: [f64; 4]| values.map(f64::to_bits);
        let value = bits($f(x $(, $rest)*));
        let (of_jac, jacobian) = $jac(x $(, $rest)*);
        let (of_jvp, along) = $jvp(x $(, $rest)*, &DIRECTION);
        let (of_vjp, across) = $vjp(x $(, $rest)*, &WEIGHTS);
        let (of_hess, gradient, hessian) = $hess(x $(, $rest)*, &WEIGHTS);
        let (of_hvp, again, product) = $hvp(x $(, $rest)*, &WEIGHTS, &DIRECTION);
        assert_eq!([of_jac, of_jvp, of_vjp, of_hess, of_hvp].map(bits), [value; 5]);
        for i in 0..4 {
            let row: f64 = (0..4).map(|j| jacobian[i][j] * DIRECTION[j]).sum();
            let column: f64 = (0..4).map(|j| jacobian[j][i] * WEIGHTS[j]).sum();
            assert_relative_eq!(along[i], row, max_relative = 1e-12, epsilon = 1e-12);
            for entry in [across[i], gradient[i], again[i]] {
                assert_relative_eq!(entry, column, max_relative = 1e-12, epsilon = 1e-12);
            }
            let row: f64 = (0..4).map(|j| hessian[i][j] * DIRECTION[j]).sum();
            assert_relative_eq!(product[i], row, max_relative = 1e-11, epsilon = 1e-11);
            let step = 1e-6;
            let shifted = |by: f64| {
                let mut x = x;
                x[i] += by;
                $vjp(x $(, $rest)*, &WEIGHTS).1
            };
            let (after, before) = (shifted(step), shifted(-step));
            for j in 0..4 {
                assert_eq!(hessian[i][j].to_bits(), hessian[j][i].to_bits());
                let difference = (after[j] - before[j]) / (2.0 * step);
                assert_relative_eq!(hessian[i][j], difference, max_relative = 1e-5, epsilon = 1e-6);
            }
        }
    }};
}

/// What runs in an arm, and what panics in it, does so once.
#[jacobian(wrt(x), forms(jac, jvp, vjp, hess, hvp))]
fn chosen(x: [f64; 4], k: Option<f64>, calls: &Cell<u32>) -> [f64; 4] {
    match k {
        Some(a) if a > 1.0 => {
            calls.set(calls.get() + 1);
            let factor = a * f64::from(calls.get());
            let e = (factor * x[0] * x[1] * x[2] * x[3]).exp();
            let s = (e * x[1]).sin();
            [e * x[0] * s, e * x[1] * s, s * x[2].sin() * x[3], s * x[3].cos() * x[0]]
        }
        Some(a) => {
            let low = x[0] * x[1].clamp(a, 2.0);
            let e = (low * x[1] - x[2] * x[3]).exp();
            let t = (e * x[2]).tanh();
            [e * t * a, e * x[1] * x[2], t * x[2].sin(), x[0]]
        }
        None => panic!("none"),
    }
}

#[test]
fn arms_of_a_match() {
    let calls = Cell::new(0);
    let fresh = || {
        calls.set(0);
        &calls
    };
    for k in [Some(1.5), Some(0.25), Some(f64::NAN)] {
        if k.is_some_and(f64::is_nan) {
            assert!(panic::catch_unwind(AssertUnwindSafe(|| chosen_vjp([0.5; 4], k, &calls, &WEIGHTS))).is_err());
            continue;
        }
        for x in [[0.4, 0.7, 0.5, 1.1], [-0.3, 0.9, 1.2, 0.2]] {
            agree!(chosen chosen_jac chosen_jvp chosen_vjp chosen_hess chosen_hvp, x, (k, fresh()));
            assert_eq!(calls.get(), u32::from(k == Some(1.5)));
        }
    }
    assert!(panic::catch_unwind(AssertUnwindSafe(|| chosen_hess([0.5; 4], None, &calls, &WEIGHTS))).is_err());
}

/// Branches in arms, after one another, and by what is active.
#[jacobian(forms(jac, jvp, vjp, hess, hvp))]
fn nested(x: [f64; 4], k: bool) -> [f64; 4] {
    let mut y = x;
    if k {
        let p = y[0] * y[1] * y[2] * y[3];
        let e = p.exp();
        y = [e * y[1] * p, e * y[2], p * y[3].sin(), y[0] * e];
        if p > 0.1 {
            let q = (y[0] * y[1]).sin() * y[2];
            y = [q * y[0] * y[3], q * q, q.cos() * y[1], q * y[2] * y[3]];
        } else if p < -0.1 {
            y[0] *= y[1] * y[2];
        }
    }
    let s = y[0] * y[1] + y[2] * y[3];
    if s < 1.0 {
        let r = (1.0 + s * s).sqrt();
        y = [y[0] / r, y[1] / r, y[2] * r * s, y[3] * r * y[0]];
    }
    [y[0] * x[3], y[1] * y[2], y[2], y[3] - y[0]]
}

/// A loop before a branch, and in one of its arms.
#[jacobian(forms(jac, jvp, vjp, hess, hvp))]
fn mixed(x: [f64; 4], n: usize) -> [f64; 4] {
    let mut y = x;
    for _ in 0..n {
        if y[0] < y[1] {
            let p = y[0] * y[1];
            y = [p * y[2], y[1] * p.sin(), y[2] * y[3], y[0]];
        } else {
            y[3] *= y[0];
        }
    }
    if n > 1 {
        let mut p = y[0] * y[1] * y[2] * y[3];
        for _ in 0..n {
            p = p.sin() * y[0];
        }
        let e = p.exp();
        y = [e * y[1] * p, e * y[2] * p, p * y[3].sin() * e, y[0] * e * y[1]];
    }
    y
}

#[test]
fn branches_in_arms_and_with_loops() {
    let points = [[0.9, 1.1, 0.8, 0.7], [-0.9, 1.2, 0.8, 0.7], [0.2, 0.3, 0.4, 0.5], [1.4, -0.2, 0.6, -1.0]];
    for x in points {
        for k in [true, false] {
            agree!(nested nested_jac nested_jvp nested_vjp nested_hess nested_hvp, x, (k));
        }
        for n in [0, 1, 2, 3] {
            agree!(mixed mixed_jac mixed_jvp mixed_vjp mixed_hess mixed_hvp, x, (n));
        }
    }
}

/// `x[0]` is a root's argument in one arm only: at zero, its partial is infinite, and nothing depends on it elsewhere.
#[jacobian(forms(jac, jvp, vjp))]
fn rooted(x: [f64; 4], k: bool) -> [f64; 4] {
    let root = x[0].sqrt();
    let y = if k {
        let e = (root * x[1] * x[2] * x[3]).exp();
        [e * root, e * x[1] * x[2], e * x[2] * x[3], e * x[3] * x[1]]
    } else {
        let e = (x[1] * x[2] * x[3]).exp();
        [e * x[1], e * x[1] * x[2], e * x[2] * x[3], e * x[3] * x[1]]
    };
    let z = if x[1] > 0.0 {
        let s = (y[0] * y[1] * y[2] * y[3]).sin();
        [s * y[0], s * y[1] * y[2], s * y[3], s]
    } else {
        let s = (y[1] * y[2] * y[3]).sin();
        [s * y[1], s * y[1] * y[2], s * y[3], s]
    };
    [z[0], z[1] * z[2], z[2] * z[3], z[3]]
}

#[test]
fn what_nothing_depends_on_is_no_number_times_zero() {
    for y in [0.6, -0.6] {
        let x = [0.0, y, 0.7, 1.2];
        let (_, jacobian) = rooted_jac(x, false);
        let (_, across) = rooted_vjp(x, false, &WEIGHTS);
        let (_, along) = rooted_jvp(x, false, &DIRECTION);
        for i in 0..4 {
            let column: f64 = (0..4).map(|j| jacobian[j][i] * WEIGHTS[j]).sum();
            let row: f64 = (0..4).map(|j| jacobian[i][j] * DIRECTION[j]).sum();
            assert_relative_eq!(across[i], column, max_relative = 1e-12);
            assert_relative_eq!(along[i], row, max_relative = 1e-12);
        }
        assert_eq!(across[0], 0.0);
    }
    // By the root in that arm, at which the derivative is infinite.
    let (_, across) = rooted_vjp([0.0, -0.6, 0.7, 1.2], true, &WEIGHTS);
    assert!(!across[0].is_finite());
}
