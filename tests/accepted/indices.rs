//! Arrays of active values at indices that are known at run time only.

#![allow(clippy::needless_range_loop, clippy::assign_op_pattern, reason = "these are the loops that users write")]

use approx::assert_abs_diff_eq;
use jacobian::jacobian;
use nalgebra::{Matrix2x3, Point3, Vector3};

use crate::differences;
use crate::panics::panic_of;

const X: [f64; 4] = [0.3, -0.7, 1.9, 0.4];

#[test]
fn elements_are_read() {
    #[jacobian(wrt(a))]
    fn f(a: [f64; 4], k: usize, data: &[usize]) -> [f64; 4] {
        let n = a.len();
        let neighbour = a[(k + 1) % n];
        let r = &a[data[k]];
        let weights = [2.0, 3.0, a[0], 5.0];
        [a[k] * neighbour, r.sin() * *r, weights[k] * a[1], if [a[0] > 0.0, a[1] > 0.0][k % 2] { a[3] } else { a[2] }]
    }
    #[jacobian(wrt(a))]
    fn g(a: [f64; 4], k: usize, data: &[usize]) -> [f64; 3] {
        let (b, c) = ([a[0] * a[1], a[2], a[3].exp()], [(a[0], [a[1], 1.0]), (a[2] * a[0], [a[3], a[0]])]);
        [b[k.min(2)], c[k % 2].0 * c[k / 2].1[data[k] % 2], a[1..][k.min(2)]]
    }
    for k in 0..4 {
        differences(|a| f(a, k, &[2, 0, 3, 1]), |a| f_jac(a, k, &[2, 0, 3, 1]), X);
        differences(|a| g(a, k, &[2, 0, 3, 1]), |a| g_jac(a, k, &[2, 0, 3, 1]), X);
    }
}

#[test]
fn elements_are_assigned() {
    #[jacobian(wrt(a))]
    fn f(a: [f64; 4], k: usize, j: u8) -> [f64; 6] {
        let mut b = a;
        b[k] = a[0] * a[1];
        b[(k + 1) % 4] += b[k] * 2.0;
        b[j as usize] *= a[3];
        let mut sums = [0.0; 2];
        sums[k % 2] = a[2];
        sums[k / 2] -= 3.0;
        b[k] = 1.5 * b[k];
        [b[0], b[1], b[2], b[3], sums[0], sums[1]]
    }
    #[jacobian(wrt(a))]
    fn nested(a: [f64; 4], i: usize, j: usize) -> [f64; 4] {
        let mut m = [[a[0], a[1]], [a[2], a[3]]];
        m[i][j] += m[j][i] * a[0];
        m[1][j] = m[i][1].sin();
        let row = m[j];
        m[i] = [row[1], row[0] * row[i]];
        let mut pairs = [(a[0], 1.0), (2.0, a[1]), (a[2], a[3])];
        pairs[i + j].1 = m[0][0] * pairs[i].0;
        [m[0][i], m[1][j], pairs[i].1 * pairs[j].0, pairs[2].1]
    }
    for k in 0..4 {
        differences(|a| f(a, k, 3), |a| f_jac(a, k, 3), X);
        differences(|a| nested(a, k / 2, k % 2), |a| nested_jac(a, k / 2, k % 2), X);
    }
}

#[test]
fn loops_of_the_run_time() {
    #[jacobian(wrt(a), forms(jac, jac_only, jac_sparse, jvp, vjp, hess, hvp))]
    fn f(a: [f64; 4], n: usize, data: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += a[i].sin() * data[i] * a[(i + 1) % 4];
        }
        s
    }
    #[jacobian(wrt(a), forms(jac, jac_only, jac_sparse, jvp, vjp, hess, hvp))]
    fn twin(a: [f64; 4], data: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..4 {
            s += a[i].sin() * data[i] * a[(i + 1) % 4];
        }
        s
    }
    let (data, near) = ([0.5, 2.0, -1.0, 0.25], |own: &[f64], twin: &[f64]| {
        assert_eq!(own.len(), twin.len());
        own.iter().zip(twin).for_each(|(own, twin)| assert_abs_diff_eq!(own, twin, epsilon = 1e-13));
    });
    differences(|a| f(a, 3, &data), |a| f_jac(a, 3, &data), X);
    assert_eq!(f(X, 4, &data).to_bits(), twin(X, &data).to_bits());
    near(&f_jac(X, 4, &data).1, &twin_jac(X, &data).1);
    near(&f_jac_only(X, 4, &data), &twin_jac_only(X, &data));
    near(&f_jac_sparse(X, 4, &data).1, &twin_jac_sparse(X, &data).1);
    near(&[f_jvp(X, 4, &data, &[1.0, 0.5, -2.0, 3.0]).1], &[twin_jvp(X, &data, &[1.0, 0.5, -2.0, 3.0]).1]);
    near(&f_vjp(X, 4, &data, 1.0).1, &twin_vjp(X, &data, 1.0).1);
    let (own, other) = (f_hess(X, 4, &data), twin_hess(X, &data));
    near(&own.1, &other.1);
    near(own.2.as_flattened(), other.2.as_flattened());
    near(&f_hvp(X, 4, &data, &[1.0, 0.5, -2.0, 3.0]).2, &twin_hvp(X, &data, &[1.0, 0.5, -2.0, 3.0]).2);
}

#[test]
fn state_of_loops() {
    #[jacobian(wrt(a))]
    fn diffusion(a: [f64; 4], steps: usize) -> [f64; 4] {
        let mut u = a;
        for step in 0..steps {
            let old = u;
            for i in 1..3 {
                u[i] += 0.1 * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
            }
            u[step % 4] *= a[0];
        }
        u
    }
    #[jacobian(wrt(a))]
    fn histogram(a: [f64; 4], bins: &[usize]) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for (i, &bin) in bins.iter().enumerate() {
            sums[bin] += a[i] * a[i];
        }
        sums
    }
    #[jacobian(wrt(a))]
    fn nested(a: [f64; 4], n: usize) -> f64 {
        let m = [[a[0], a[1]], [a[2], a[3]]];
        let mut s = 0.0;
        for i in 0..n {
            for j in 0..=i {
                s += m[i][j] * m[j][i];
            }
        }
        s
    }
    #[jacobian(wrt(a))]
    fn searched(a: [f64; 4]) -> f64 {
        let (mut k, mut s) = (0, a[1]);
        while k < 4 && s < 2.0 {
            s += a[k] * a[k];
            k += 1;
        }
        s
    }
    for n in 0..6 {
        differences(|a| diffusion(a, n), |a| diffusion_jac(a, n), X);
    }
    differences(|a| histogram(a, &[2, 0, 2, 1]), |a| histogram_jac(a, &[2, 0, 2, 1]), X);
    differences(|a| nested(a, 2), |a| nested_jac(a, 2), X);
    differences(searched, searched_jac, X);
}

#[test]
fn vectors() {
    #[jacobian(wrt(v))]
    fn f(v: Vector3<f64>, k: usize) -> f64 {
        let mut w = v;
        w[k] = v[(k + 1) % 3] * v.x;
        w[0] * w[1] + w[2]
    }
    #[jacobian(wrt(m))]
    fn g(m: &Matrix2x3<f64>, i: usize, j: usize) -> f64 {
        let mut n = *m;
        n[(i, j)] *= m[(0, j)] * m[i + 2 * j];
        n[(i, 1)] + n[(1, 2)]
    }
    #[jacobian(wrt(p))]
    fn h(p: Point3<f64>, k: usize) -> f64 {
        p[k] * p.x
    }
    for k in 0..3 {
        let v = |x: [f64; 3]| Vector3::from(x);
        differences(|x| f(v(x), k), |x| f_jac(v(x), k), [0.3, -0.7, 1.9]);
        differences(|x| h(Point3::from(x), k), |x| h_jac(Point3::from(x), k), [0.3, -0.7, 1.9]);
        for i in 0..2 {
            let m = |x: [f64; 6]| Matrix2x3::from_column_slice(&x);
            differences(|x| g(&m(x), i, k), |x| g_jac(&m(x), i, k), [0.3, -0.7, 1.9, 1.1, 0.2, 0.6]);
        }
    }
    let (v, m) = (Vector3::new(1.0, 2.0, 3.0), Matrix2x3::zeros());
    assert_eq!(panic_of(|| f_jac(v, 3)), panic_of(|| v[3]));
    assert_eq!(panic_of(|| g_jac(&m, 2, 0)), panic_of(|| m[(2, 0)]));
    assert_eq!(panic_of(|| g_jac(&m, 0, 3)), panic_of(|| m[(0, 3)]));
}

#[test]
fn out_of_bounds() {
    #[jacobian(wrt(a))]
    fn f(a: [f64; 3], k: usize, j: usize) -> f64 {
        assert!(k != 5, "five");
        let mut b = a;
        let x = b[k];
        assert!(j != 4, "four");
        b[j] = x;
        b[0] * b[1] * b[2]
    }
    #[jacobian(wrt(a))]
    fn unused(a: [f64; 3], k: usize) -> f64 {
        let _unused = a[k] * 2.0;
        a[0]
    }
    for (k, j) in [(3, 0), (7, 4), (5, 7), (0, 4), (2, 3), (usize::MAX, 0), (0, 1)] {
        assert_eq!(panic_of(|| f_jac([1.0; 3], k, j)), panic_of(|| f([1.0; 3], k, j)));
    }
    assert_eq!(panic_of(|| f_jac([1.0; 3], 7, 0)), "index out of bounds: the len is 3 but the index is 7");
    assert_eq!(panic_of(|| unused_jac([1.0; 3], 3)), panic_of(|| unused([1.0; 3], 3)));
}

#[test]
fn numbers_without_bounds() {
    #[jacobian(wrt(a))]
    fn f(a: [f64; 3], k: usize) -> f64 {
        let mut b = [a[0], a[1].ln(), 1.0 / a[2]];
        let r = b[k];
        b[2] = 0.0;
        r + b[2]
    }
    let (value, gradient) = f_jac([2.0, 0.0, 0.0], 0);
    assert_eq!((value, gradient), (2.0, [1.0, 0.0, 0.0]));
    #[jacobian(wrt(a))]
    fn g(a: [f64; 3], k: usize) -> f64 {
        let mut b = [a[0], a[1].sqrt(), a[2]];
        b[k] = 3.0 * a[2];
        b[0] + b[1]
    }
    assert_eq!(g_jac([2.0, 0.0, 5.0], 1).1, [1.0, 0.0, 3.0]);
}

#[test]
fn a_delay_line_carries_its_derivatives() {
    #[jacobian(wrt(x), forms(jac, jvp, vjp, hess, hvp))]
    fn comb(x: [f64; 3], signal: &[f64]) -> f64 {
        let [near, far, loss] = x;
        let (mut line, mut out) = ([0.1; 5], 0.0);
        for (k, u) in signal.iter().enumerate() {
            out = near * line[(k + 3) % 5] + u / (1.0 + far * line[(k + 1) % 5]);
            line[k % 5] = loss * out;
        }
        out
    }
    let signal: Vec<_> = (0..14).map(|k| (0.3 * k as f64).sin()).collect();
    for length in 0..signal.len() {
        let (at, signal, direction) = ([0.4, 0.3, 0.8], &signal[..length], [0.5, -1.0, 0.25]);
        differences(
            |x| [comb(x, signal)],
            |x| {
                let (value, gradient) = comb_jac(x, signal);
                ([value], [gradient])
            },
            at,
        );
        differences(
            |x| comb_jac(x, signal).1,
            |x| {
                let (_, gradient, hessian) = comb_hess(x, signal);
                (gradient, hessian)
            },
            at,
        );
        let (gradient, hessian) = (comb_jac(at, signal).1, comb_hess(at, signal).2);
        let along =
            |row: &[f64; 3]| row.iter().zip(&direction).map(|(entry, direction)| entry * direction).sum::<f64>();
        assert_abs_diff_eq!(comb_jvp(at, signal, &direction).1, along(&gradient), epsilon = 1e-14);
        for (product, row) in comb_hvp(at, signal, &direction).2.iter().zip(&hessian) {
            assert_abs_diff_eq!(*product, along(row), epsilon = 1e-13);
        }
        comb_vjp(at, signal, 2.0).1.iter().zip(&gradient).for_each(|(product, entry)| {
            assert_abs_diff_eq!(*product, 2.0 * entry, epsilon = 1e-14);
        });
    }
}

#[test]
fn a_tridiagonal_system_of_a_length_of_the_run_time() {
    #[jacobian(wrt(x), into)]
    fn solve(x: [f64; 3], right: &[f64]) -> [f64; 6] {
        let [lower, diagonal, upper] = x;
        let (mut b, mut d, n) = ([diagonal; 6], [0.0; 6], right.len());
        d[0] = right[0];
        for i in 1..n {
            let factor = lower / b[i - 1];
            b[i] -= factor * upper;
            d[i] = right[i] - factor * d[i - 1];
        }
        d[n - 1] /= b[n - 1];
        for i in (0..n - 1).rev() {
            d[i] = (d[i] - upper * d[i + 1]) / b[i];
        }
        d
    }
    let right = [1.0, -0.5, 2.0, 0.3, -1.2, 0.7];
    for length in 1..=6 {
        let right = &right[..length];
        differences(|x| solve(x, right), |x| solve_jac(x, right), [0.4, 2.0, -0.7]);
        let (mut value, mut jacobian) = ([0.0; 6], [[0.0; 3]; 6]);
        solve_jac_into([0.4, 2.0, -0.7], right, &mut value, &mut jacobian);
        assert_eq!((value, jacobian), solve_jac([0.4, 2.0, -0.7], right));
    }
}

/// What is infinite in an iteration is multiplied by derivatives that are structural zeros in some iterations only: the
/// loop gives what it gives written out.
#[test]
fn infinite_partials_meet_zeros_that_are_chosen() {
    macro_rules! roots {
        ($name:ident [$($options:tt)*] ($($parameter:tt)*) $iterations:expr) => {
            #[jacobian(wrt(x) $($options)*)]
            fn $name(x: [f64; 2] $($parameter)*) -> [f64; 3] {
                let (mut a, mut last): ([f64; 3], _) = ([1.0, 0.0, 0.0], x[0]);
                for k in 0..$iterations {
                    let root = a[(k + 1) % 3].sqrt();
                    last = root / x[1] + last;
                    a[k % 3] = last * x[0];
                }
                a
            }
        };
    }
    roots!(rolled [] (, n: usize) n);
    roots!(two [, unroll = "always"] () 2);
    roots!(four [, unroll = "always"] () 4);
    roots!(seven [, unroll = "always"] () 7);
    let bits = |(value, jacobian): ([f64; 3], [[f64; 2]; 3])| {
        let all = value.into_iter().chain(jacobian.into_iter().flatten());
        all.map(|number| if number.is_nan() { None } else { Some((number + 0.0).to_bits()) }).collect::<Vec<_>>()
    };
    for x in [[0.0, 1.0], [0.5, 2.0], [0.0, 0.0], [1.0, 0.0], [-1.0, 3.0]] {
        assert_eq!(bits(rolled_jac(x, 2)), bits(two_jac(x)), "at {x:?}");
        assert_eq!(bits(rolled_jac(x, 4)), bits(four_jac(x)), "at {x:?}");
        assert_eq!(bits(rolled_jac(x, 7)), bits(seven_jac(x)), "at {x:?}");
    }
}
