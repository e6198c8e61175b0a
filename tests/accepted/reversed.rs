//! Loops that are linear in what they carry: their derivative runs in reverse order where there are more columns than
//! rows, and forward in products with tangents, which it is compared with.

#![allow(clippy::needless_range_loop, reason = "a macro knows the items of a range")]

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

use approx::assert_relative_eq;
use jacobian::jacobian;

use crate::{check, differences};

/// What `f_vjp` and `f_jvp` give agrees with the Jacobian, and with the differences of `f`.
macro_rules! both_orders {
    ($f:ident $jac:ident $only:ident $jvp:ident $vjp:ident [$n:literal], $x:expr, ($($rest:expr),*)) => {{
        let x: [f64; $n] = $x;
        differences(|x| $f(x $(, $rest)*), |x| $jac(x $(, $rest)*), x);
        let (value, gradient) = $jac(x $(, $rest)*);
        for (entry, alone) in gradient.iter().zip($only(x $(, $rest)*)) {
            assert_eq!(entry.to_bits(), alone.to_bits());
        }
        let (of_vjp, across) = $vjp(x $(, $rest)*, 2.0);
        assert_eq!(of_vjp.to_bits(), value.to_bits());
        for i in 0..$n {
            let mut unit = [0.0; $n];
            unit[i] = 1.0;
            let (of_jvp, entry) = $jvp(x $(, $rest)*, &unit);
            assert_eq!(of_jvp.to_bits(), value.to_bits());
            assert_relative_eq!(gradient[i], entry, max_relative = 1e-12, epsilon = 1e-13);
            assert_relative_eq!(across[i], 2.0 * entry, max_relative = 1e-12, epsilon = 1e-13);
        }
    }};
}

const START: [f64; 6] = [0.3, -0.4, 1.2, 0.8, 0.5, -0.7];

#[jacobian(wrt(u, q), forms(jac, jac_only, jvp, vjp, hess, hvp, normal, lin))]
fn rod(u: [f64; 6], q: f64, r: f64, n: usize) -> f64 {
    let mut u = u;
    for _ in 0..n {
        let before = u;
        u[0] = 1.0;
        for i in 1..5 {
            u[i] += r * (before[i - 1] - 2.0 * before[i] + before[i + 1]) + q * q;
        }
        u[5] = 0.5 * before[4];
    }
    (u[1] * q).sin() + u[2] * u[2] - u[3] / q
}

#[test]
fn diffusion() {
    for n in [0, 1, 2, 9] {
        for r in [0.2, 0.0, -0.3] {
            let f = |[a, b, c, d, e, f, q]: [f64; 7]| rod([a, b, c, d, e, f], q, r, n);
            let jac = |[a, b, c, d, e, f, q]: [f64; 7]| rod_jac([a, b, c, d, e, f], q, r, n);
            let [a, b, c, d, e, g] = START;
            differences(f, jac, [a, b, c, d, e, g, 1.3]);
            let (value, gradient) = rod_jac(START, 1.3, r, n);
            assert_eq!(gradient, rod_jac_only(START, 1.3, r, n));
            let (of_hess, of_hvp_direction) = (rod_hess(START, 1.3, r, n), [0.3, -1.0, 0.5, 0.2, -0.1, 0.4, 1.5]);
            let of_hvp = rod_hvp(START, 1.3, r, n, &of_hvp_direction);
            let (normal, labels) = (rod_normal(START, 1.3, r, n), rod_lin(START, 1.3, r, n));
            assert_eq!([of_hess.0, of_hvp.0, normal.0].map(f64::to_bits), [value.to_bits(); 3]);
            assert_eq!(labels.0.to_bits(), value.to_bits());
            let across = rod_vjp(START, 1.3, r, n, -0.5).1;
            for i in 0..7 {
                let mut unit = [0.0; 7];
                unit[i] = 1.0;
                let near = |own: f64, expected: f64| {
                    assert_relative_eq!(own, expected, max_relative = 1e-11, epsilon = 1e-12);
                };
                near(rod_jvp(START, 1.3, r, n, &unit).1, gradient[i]);
                near(across[i], -0.5 * gradient[i]);
                near(of_hess.1[i], gradient[i]);
                near(of_hvp.1[i], gradient[i]);
                near(normal.1[i], value * gradient[i]);
                near(rod_lin_jvp(&labels.1, &unit), gradient[i]);
                near(of_hvp.2[i], (0..7).map(|j| of_hess.2[i][j] * of_hvp_direction[j]).sum());
            }
        }
    }
}

#[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp))]
fn smoothed(x: [f64; 5], data: &[f64], most: f64) -> f64 {
    let [mut a, mut b, c, d, e] = x;
    let (mut s, mut t, mut u) = (c * d, e, 0.0);
    for (k, v) in data.iter().enumerate() {
        if *v < 0.0 {
            continue;
        }
        (a, b) = (0.5 * a + b, b - 0.25 * a + v);
        (s, t, u) = (s + 0.5 * t, 0.25 * (s + t) - u + e * c, a + b + (k as f64));
        if s > most {
            break;
        }
    }
    a * b + s * t - u
}

#[test]
fn jumps() {
    let data = [0.3, -1.0, 0.2, 0.8, -0.1, 0.4];
    for most in [0.3, 1.5, 100.0] {
        for length in 0..=6 {
            both_orders!(smoothed smoothed_jac smoothed_jac_only smoothed_jvp smoothed_vjp [5],
                [0.3, 0.8, -0.4, 1.2, 0.7], (&data[..length], most));
        }
    }
}

#[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp))]
fn until(x: [f64; 4], least: f64) -> f64 {
    let [mut a, mut b, mut c, mut d] = x;
    let mut iterations = 0;
    while a * a + b * b > least {
        (a, b, c, d) = (0.5 * a - 0.25 * b + 0.125 * c, 0.5 * b + 0.25 * a, 0.5 * c + 0.25 * d, 0.75 * d - 0.125 * a);
        iterations += 1;
    }
    let left = a + f64::from(iterations);
    left * b + c * d
}

#[jacobian(forms(jac, jac_only, jvp, vjp))]
const fn constant(x: [f64; 4], mut n: u32) -> f64 {
    let [mut a, mut b, mut c, mut d] = x;
    loop {
        if n == 0 {
            break;
        }
        n -= 1;
        (a, b, c, d) = (0.5 * a + b, c - 0.25 * a, d + 0.5 * b, a - 0.5 * d);
    }
    a * b + c / d
}

#[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp))]
fn counted(x: [f64; 5], n: usize, h: f64) -> f64 {
    let ([mut a, mut b, c, mut d, e], mut k, mut t) = (x, 0, 0.5);
    while k < n {
        (a, b, d) = (0.5 * a - h * b + c, b + h * a, d * h + e - a);
        k += 1;
    }
    while t < 3.0 {
        (a, b) = (b - 0.25 * a, 0.5 * d);
        t *= 1.0 + h;
    }
    a * b + d * (k as f64) + t * e
}

#[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp))]
fn walked(x: [f64; 5], data: &[f64], most: f64) -> f64 {
    let ([mut a, mut b, c, d, e], mut k, mut seen) = (x, 0, 0.0);
    'walk: while k + 1 < data.len() && seen < most {
        if data[k] < 0.0 {
            k += 2;
            continue;
        }
        let mut j = 0;
        while j < k {
            if data[j] > 0.75 && k > 3 {
                break 'walk;
            }
            a += 0.125 * b * d;
            j += 1;
        }
        (a, b) = (0.5 * a + data[k] * c, b - 0.25 * a * e);
        if b > most {
            return b * a * c;
        }
        seen += data[k];
        k += 1;
    }
    a * b + seen * d
}

/// Conditions on what is passive beside active values.
#[jacobian]
mod beside {
    struct Run {
        q: f64,
        p: f64,
        left: u32,
        time: (f64, f64),
    }

    #[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp))]
    pub fn run(x: [f64; 3], n: u32, h: f64) -> f64 {
        let mut run = Run { q: x[0], p: x[1], left: n, time: (0.0, x[2]) };
        while run.left > 0 && run.time.0 < 4.0 {
            (run.q, run.p) = (0.5 * run.q + h * run.p, run.p - h * run.q + run.time.1);
            run.left -= 1;
            run.time.0 += h;
        }
        run.q * run.p + run.time.0 * run.time.1
    }
}

/// A body that is not reached may be one that cannot be.
#[jacobian(wrt(x))]
fn none_left(x: f64, n: usize) -> f64 {
    let (mut s, mut left): (f64, usize) = (x, 0);
    while left > 0 {
        left -= 1;
        s *= x;
        if s > n as f64 {
            break;
        }
    }
    let mut right: usize = 3;
    while right > 0 {
        right -= 1;
        s *= x + right as f64;
    }
    s
}

#[test]
fn counted_by_passive_values() {
    differences(|[x]| none_left(x, 2), |[x]| none_left_jac(x, 2), [1.25]);
    for n in [0, 1, 2, 9] {
        for h in [0.25, 1.5] {
            both_orders!(counted counted_jac counted_jac_only counted_jvp counted_vjp [5],
                [0.3, 0.8, -0.4, 1.2, 0.7], (n, h));
        }
    }
    use beside::{run, run_jac, run_jac_only, run_jvp, run_vjp};
    for (n, h) in [(0, 0.5), (5, 0.25), (40, 0.75)] {
        both_orders!(run run_jac run_jac_only run_jvp run_vjp [3], [0.3, 0.8, -0.4], (n, h));
    }
    let data = [0.3, 0.2, -1.0, 0.8, 0.1, 0.4, 0.9];
    for most in [0.4, 1.0, 100.0] {
        for length in 0..=7 {
            both_orders!(walked walked_jac walked_jac_only walked_jvp walked_vjp [5],
                [0.3, 0.8, -0.4, 1.2, 0.7], (&data[..length], most));
        }
    }
}

#[test]
fn while_and_loop() {
    for least in [100.0, 0.1, 1e-3] {
        both_orders!(until until_jac until_jac_only until_jvp until_vjp [4], [1.3, 0.8, -0.4, 1.2], (least));
    }
    for n in [0, 1, 7] {
        both_orders!(constant constant_jac constant_jac_only constant_jvp constant_vjp [4], [1.3, 0.8, -0.4, 1.2], (n));
    }
    const AT_ONCE: (f64, [f64; 4]) = constant_jac([1.3, 0.8, -0.4, 1.2], 7);
    assert_eq!(AT_ONCE, constant_jac([1.3, 0.8, -0.4, 1.2], 7));
}

/// A result that is what the loop carries, one that is what it begins with, the same value twice.
#[test]
fn results_of_the_loop() {
    #[jacobian(forms(jac, jvp))]
    fn f(x: [f64; 6], n: usize) -> [f64; 3] {
        let product = x[0] * x[1];
        let mut u = [product, product, x[2], x[3], x[4], x[5]];
        for _ in 0..n {
            u = [u[1] + u[2], u[2] - 0.5 * u[3], u[3] + u[4], 0.5 * u[4] - u[5], u[5] + u[0], 0.25 * u[0] - u[1]];
        }
        [u[3], product, u[3]]
    }
    for n in [0, 1, 5, 8] {
        differences(|x| f(x, n), |x| f_jac(x, n), START);
        let jacobian = f_jac(START, n).1;
        for i in 0..6 {
            let mut unit = [0.0; 6];
            unit[i] = 1.0;
            let along = f_jvp(START, n, &unit).1;
            for row in 0..3 {
                assert_relative_eq!(along[row], jacobian[row][i], max_relative = 1e-12, epsilon = 1e-13);
            }
        }
    }
}

/// What no result depends on has no derivative, whatever it is; after an iteration, one depends on it.
#[test]
fn zeros_by_structure_and_infinite_partials() {
    #[jacobian]
    fn f(x: [f64; 6], n: usize, is_first: bool) -> f64 {
        let mut u = [x[0].sqrt(), x[1], x[2], x[3], x[4], x[5]];
        for _ in 0..n {
            u = [0.5 * u[0], u[1] + u[2], 0.5 * u[2], u[3] - u[4], u[4] + u[5], u[5] + u[3]];
        }
        if is_first { u[1] } else { u[0] + u[3] }
    }
    let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    check(f(x, 0, true), f_jac(x, 0, true), &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    check(f(x, 2, true), f_jac(x, 2, true), &[0.0, 1.0, 1.5, 0.0, 0.0, 0.0]);
    let (_, gradient) = f_jac(x, 1, false);
    assert_eq!(gradient[0], f64::INFINITY);
    assert_eq!(gradient[1..], [0.0, 0.0, 1.0, -1.0, 0.0]);
    let mut x = x;
    x[4] = f64::NAN;
    let (value, gradient) = f_jac(x, 3, true);
    assert_eq!((value, gradient), (f(x, 3, true), [0.0, 1.0, 1.75, 0.0, 0.0, 0.0]));
}

/// A factor may be infinite, and what it is not multiplied with in any iteration stays zero.
#[test]
fn factors_without_bounds() {
    #[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp), linearize = "statement")]
    fn f(x: [f64; 5], h: f64, n: usize) -> f64 {
        let mut u = x;
        for _ in 0..n {
            u = [u[0] / h, u[1] + u[2] / h, 0.5 * u[2] + u[3], u[3] - u[4] / h, u[4] + u[1]];
        }
        u[1] * u[4]
    }
    let x = [0.3, 0.8, 0.4, 1.2, 0.7];
    for n in [0, 1, 2, 5] {
        both_orders!(f f_jac f_jac_only f_jvp f_vjp [5], x, (0.8, n));
    }
    assert_eq!(f_jac(x, 0.0, 0), (0.8 * 0.7, [0.0, 0.7, 0.0, 0.0, 0.8]));
    assert_eq!(f_jac(x, 0.0, 1), (f64::INFINITY, [0.0, f64::INFINITY, f64::INFINITY, 0.0, f64::INFINITY]));
    assert_eq!(f_jac(x, 0.0, 3).1[0], 0.0);
}

#[test]
fn effects_are_those_of_the_function() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 5], seen: &Cell<usize>, items: impl Iterator<Item = f64>) -> f64 {
        let mut u = x;
        for v in items {
            seen.set(seen.get() + 1);
            assert!(v < 10.0, "too much");
            u = [0.5 * u[1], u[2] - u[0], 0.25 * u[3] + v, u[4] + u[2], u[0]];
        }
        u[0] + u[3]
    }
    let x = [0.3, -0.4, 1.2, 0.8, 0.5];
    let seen = Cell::new(0);
    let items = |last: f64| [0.5, 1.5, last].into_iter();
    let own = f_jac(x, &seen, items(2.0));
    assert_eq!(seen.get(), 3);
    assert_eq!(own.0.to_bits(), f(x, &Cell::new(0), items(2.0)).to_bits());
    differences(|x| f(x, &Cell::new(0), items(2.0)), |x| f_jac(x, &Cell::new(0), items(2.0)), x);
    seen.set(0);
    assert!(panic::catch_unwind(AssertUnwindSafe(|| f_jac(x, &seen, items(20.0)))).is_err());
    assert_eq!(seen.get(), 3);
}

/// Passive variables that a pattern hides, or that the loop changes, are not the same in all iterations.
#[test]
fn factors_that_change() {
    #[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp))]
    fn f(x: [f64; 4], r: f64, data: &[f64]) -> f64 {
        let [mut a, mut b, mut c, mut d] = x;
        let (mut k, s) = (1.0, 0.5 * r);
        for r in data {
            (a, b, c, d) = (s * a + r * b, b * k + c, d * s - a, c + 0.5 * d);
            k *= 0.5;
        }
        for s in data {
            (a, b, c, d) = (a * r - b * s, a + b, s * d - c, a);
        }
        a * b + c * d
    }
    let data = [0.3, -0.7, 1.1];
    for length in 0..=3 {
        both_orders!(f f_jac f_jac_only f_jvp f_vjp [4], [1.3, 0.8, -0.4, 1.2], (0.7, &data[..length]));
    }
}

/// The last of several loops, in inlined functions and with calls after it.
#[test]
fn loops_before_and_after() {
    #[jacobian]
    mod inner {
        fn steps(mut u: [f64; 6], k: f64, n: usize) -> [f64; 6] {
            for _ in 0..n {
                u = [
                    u[0] + k * u[1],
                    u[1] - k * u[2],
                    u[2] + u[3],
                    u[3] - k * u[4],
                    u[4] + u[5],
                    0.5 * u[5] + k * u[0],
                ];
            }
            u
        }

        #[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp))]
        pub fn f(x: [f64; 6], k: f64, n: usize) -> f64 {
            let mut sum = 0.0;
            for v in [1.0, 2.0, 3.0] {
                sum += (v * x[0]).sin();
            }
            let u = steps(steps(x, k, n), 0.5 * k, n);
            let mut product = 1.0;
            if u[0] > 0.0 {
                product *= u[2] * sum;
            }
            product + u[1].cos() * x[5]
        }
    }
    use inner::{f, f_jac, f_jac_only, f_jvp, f_vjp};
    for n in [0, 1, 4] {
        both_orders!(f f_jac f_jac_only f_jvp f_vjp [6], START, (0.3, n));
        both_orders!(f f_jac f_jac_only f_jvp f_vjp [6], START.map(|x| -x), (0.3, n));
    }
}

/// Loops that go backwards, with others after them: sums over data, a loop that does not go backwards, another that does,
/// and one in an arm.
#[test]
fn loops_that_others_follow() {
    #[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp))]
    fn f(x: [f64; 6], r: f64, data: &[f64]) -> f64 {
        let mut u = x;
        for _ in data {
            let old = u;
            for i in 1..5 {
                u[i] += r * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
            }
        }
        let mut cost = 0.0;
        for (i, d) in data.iter().enumerate() {
            cost += (u[2] * d - u[i % 2]).powi(2);
        }
        let mut p = u[3];
        for d in data {
            p = (p * x[0] + d).sin();
        }
        for _ in data {
            let old = u;
            for i in 1..5 {
                u[i] = old[i] + 0.5 * r * (old[i + 1] - old[i - 1]);
            }
            u[0] = x[5];
        }
        if cost > 1.0 {
            for d in data {
                cost += 0.1 * d * u[4] * cost;
            }
        }
        cost + p * u[1]
    }
    let data = [0.5, -1.25, 2.0, 0.75];
    for n in 0..=data.len() {
        both_orders!(f f_jac f_jac_only f_jvp f_vjp [6], START, (0.2, &data[..n]));
        both_orders!(f f_jac f_jac_only f_jvp f_vjp [6], START.map(|x| -2.0 * x), (0.2, &data[..n]));
    }
}

#[test]
fn single_precision_and_generic() {
    #[jacobian]
    fn f(x: [f32; 6], n: u8) -> f32 {
        let mut u = x;
        for _ in 0..n {
            u = [0.5 * u[1], u[2] - 0.5 * u[0], u[3], u[4] + u[0], u[5], u[5] - u[0]];
        }
        u[0] * u[1]
    }
    #[jacobian]
    fn g<T: num_traits::Float>(x: [T; 6], n: u8) -> T {
        let half = T::from(0.5).unwrap();
        let mut u = x;
        for _ in 0..n {
            u = [half * u[1], u[2] - half * u[0], u[3], u[4] + u[0], u[5], u[5] - u[0]];
        }
        u[0] * u[1]
    }
    let x = START.map(|x| x as f32);
    for n in [0, 1, 5] {
        differences(|x| g(x, n), |x| g_jac(x, n), START);
        let (of_single, of_double) = (f_jac(x, n), g_jac(START, n));
        assert_eq!(f(x, n).to_bits(), of_single.0.to_bits());
        assert_eq!(of_single.1.map(f32::to_bits), g_jac(x, n).1.map(f32::to_bits));
        assert_eq!(g(x, n).to_bits(), g_jac(x, n).0.to_bits());
        for i in 0..6 {
            assert_relative_eq!(g_jac(x, n).1[i], of_double.1[i] as f32, max_relative = 1e-4, epsilon = 1e-5);
        }
    }
}
