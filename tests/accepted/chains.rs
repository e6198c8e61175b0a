//! Chains of iterators over data whose length is known only at run time, with closures that use active values. Each has
//! a twin that is a `for` loop, and the Jacobian of the twin.

#![allow(clippy::needless_range_loop, reason = "a macro knows the items of a range")]

use jacobian::jacobian;

use crate::{differences, twins};

const DATA: [(f64, f64); 4] = [(0.5, 1.0), (-1.25, 0.25), (2.0, -0.5), (0.75, 3.0)];
const VALUES: [f64; 5] = [0.5, -1.25, 2.0, 0.75, -0.1];

#[test]
fn sums_and_products() {
    #[jacobian(wrt(p))]
    fn f(p: [f64; 2], data: &[(f64, f64)], n: usize) -> [f64; 6] {
        let annotated: f64 = data.iter().map(|(t, y)| p[0] * t - y).sum();
        [
            data.iter().map(|&(t, y)| (p[0] * (-p[1] * t).exp() - y).powi(2)).sum::<f64>(),
            data.iter().map(|d| d.0 * p[1] + d.1).product(),
            (0..n).map(|i| p[0] * i as f64 / p[1]).sum(),
            annotated,
            data.iter().copied().map(|(t, _)| t).map(|t| t.sin() * p[0]).sum::<f64>() / n as f64,
            (1..=n).map(|i| p[0] + 1.0 / i as f64).product::<f64>(),
        ]
    }
    #[jacobian(wrt(p))]
    fn twin(p: [f64; 2], data: &[(f64, f64)], n: usize) -> [f64; 6] {
        let mut r = [-0.0, 1.0, -0.0, -0.0, -0.0, 1.0];
        for &(t, y) in data {
            r[0] += (p[0] * (-p[1] * t).exp() - y).powi(2);
            r[1] *= t * p[1] + y;
            r[3] += p[0] * t - y;
            r[4] += t.sin() * p[0];
        }
        r[4] /= n as f64;
        for i in 0..n {
            r[2] += p[0] * i as f64 / p[1];
        }
        for i in 1..=n {
            r[5] *= p[0] + 1.0 / i as f64;
        }
        r
    }
    for length in 0..=4 {
        twins!(f, f_jac, twin, twin_jac, [1.5, 0.3], &DATA[..length], length);
    }
}

#[test]
fn numbers_of_active_items_of_the_run_time() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> [f64; 7] {
        let mut count = n;
        let first = x.iter().take(count);
        count += 1;
        let mut r = [0.0; 7];
        for v in first {
            r[0] = r[0] * 0.5 + v;
        }
        for (i, c) in x.iter().enumerate().skip(count).take(n).rev() {
            r[1] = r[1] * 0.5 + c * i as f64;
        }
        for i in (0..4).step_by(count) {
            r[2] += x[i] * i as f64;
        }
        r[3] = x.iter().zip(&x[1..]).take(n).map(|(a, b)| a * b).sum();
        r[4] = x.windows(2).skip(n).map(|w| w[1] / w[0]).product();
        r[5] = x.iter().copied().step_by(count).fold(f64::MIN, f64::max);
        r[6] = (0..4).map(|i| x[i] * x[(i + 1) % 4]).take(n).sum::<f64>() * count as f64;
        r
    }
    #[jacobian(wrt(x))]
    fn twin(x: [f64; 4], n: usize) -> [f64; 7] {
        let mut r = [0.0, 0.0, 0.0, -0.0, 1.0, f64::MIN, -0.0];
        for i in 0..n.min(4) {
            r[0] = r[0] * 0.5 + x[i];
            r[6] += x[i] * x[(i + 1) % 4];
        }
        for i in (n + 1..(2 * n + 1).min(4)).rev() {
            r[1] = r[1] * 0.5 + x[i] * i as f64;
        }
        for i in 0..4 {
            if i % (n + 1) == 0 {
                r[2] += x[i] * i as f64;
                r[5] = r[5].max(x[i]);
            }
        }
        for i in 0..3 {
            if i < n {
                r[3] += x[i] * x[i + 1];
            } else {
                r[4] *= x[i + 1] / x[i];
            }
        }
        r[6] *= (n + 1) as f64;
        r
    }
    for n in 0..7 {
        twins!(f, f_jac, twin, twin_jac, [1.5, 0.25, -2.0, 0.75], n);
    }

    #[jacobian(wrt(x))]
    fn every(x: [f64; 4], step: usize) -> f64 {
        x.iter().step_by(step).sum()
    }
    assert_eq!(every_jac([1.0, 2.0, 3.0, 4.0], 2), (every([1.0, 2.0, 3.0, 4.0], 2), [1.0, 0.0, 1.0, 0.0]));
    assert!(std::panic::catch_unwind(|| every([1.0; 4], 0)).is_err());
    assert!(std::panic::catch_unwind(|| every_jac([1.0; 4], 0)).is_err());
}

#[test]
fn signs_of_sums_of_nothing() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> [f64; 3] {
        [
            data.iter().map(|t| t * x).sum(),
            data.iter().map(|t| t * x).product(),
            data.iter().filter(|t| **t > x).map(|t| t * x).sum::<f64>(),
        ]
    }
    for data in [&[][..], &[-0.0], &[0.0], &[0.0, -0.0], &[-0.0, -0.0], &[f64::NAN], &[f64::INFINITY, -1.0]] {
        for x in [1.0, -1.0, 0.0, -0.0] {
            let (value, _) = f_jac(x, data);
            assert_eq!(value.map(f64::to_bits), f(x, data).map(f64::to_bits), "{data:?} {x}");
        }
    }
    assert_eq!(f_jac(2.0, &[]), ([-0.0, 1.0, -0.0], [[0.0]; 3]));
}

#[test]
fn folds_of_all_shapes() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> [f64; 9] {
        let horner = data.iter().rev().fold(0.0, |acc, c| acc * x[0] + c);
        let largest = data.iter().map(|v| v * x[0]).fold(f64::NEG_INFINITY, f64::max);
        let (sum, product) = data.iter().fold((0.0, 1.0), |(sum, product), v| (sum + v * x[1], product * (v + x[0])));
        let state = data.iter().fold(x, |s, v| [s[1] + v * s[0], s[0] - 0.5 * s[1]]);
        let (count, total) =
            data.iter().fold((0, x[0]), |(n, s), v| if s > *v { (n + 1, s * 0.5) } else { (n, s + v) });
        let mut last = x[1];
        data.iter().for_each(|v| last = last * 0.5 + v * x[0]);
        [horner, largest, sum, product, state[0], state[1], total, count as f64, last]
    }
    #[jacobian(wrt(x))]
    fn twin(x: [f64; 2], data: &[f64]) -> [f64; 9] {
        let (mut horner, mut largest, mut sum, mut product, mut s) = (0.0, f64::NEG_INFINITY, 0.0, 1.0, x);
        let (mut count, mut total, mut last) = (0, x[0], x[1]);
        for c in data.iter().rev() {
            horner = horner * x[0] + c;
        }
        for v in data {
            largest = largest.max(v * x[0]);
            sum += v * x[1];
            product *= v + x[0];
            s = [s[1] + v * s[0], s[0] - 0.5 * s[1]];
            if total > *v {
                count += 1;
                total *= 0.5;
            } else {
                total += v;
            }
            last = last * 0.5 + v * x[0];
        }
        [horner, largest, sum, product, s[0], s[1], total, count as f64, last]
    }
    for length in 0..=5 {
        twins!(f, f_jac, twin, twin_jac, [1.5, 0.3], &VALUES[..length]);
    }
}

#[test]
fn adaptors_before_what_is_active() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], other: &[f64], k: usize) -> [f64; 8] {
        [
            data.iter().zip(other).map(|(a, b)| a * x - b).sum(),
            data.iter().enumerate().map(|(i, v)| v * x * i as f64).sum(),
            data.windows(2).map(|w| (w[1] - w[0] * x).powi(2)).sum(),
            data.chunks_exact(2).map(|c| c[0] * x + c[1]).product(),
            data.iter().skip(1).step_by(k).map(|v| v * x).sum(),
            data.iter().take(k).rev().fold(x, |acc, v| acc * 0.5 + v),
            data.iter().filter(|v| **v > 0.0).map(|v| (v * x).sin()).sum(),
            data.iter().chain(other).map(|v| x / (v * v + 1.0)).sum(),
        ]
    }
    #[jacobian(wrt(x))]
    fn twin(x: f64, data: &[f64], other: &[f64], k: usize) -> [f64; 8] {
        let mut r = [-0.0, -0.0, -0.0, 1.0, -0.0, x, -0.0, -0.0];
        for (a, b) in data.iter().zip(other) {
            r[0] += a * x - b;
        }
        for (i, v) in data.iter().enumerate() {
            r[1] += v * x * i as f64;
        }
        for w in data.windows(2) {
            r[2] += (w[1] - w[0] * x).powi(2);
        }
        for c in data.chunks_exact(2) {
            r[3] *= c[0] * x + c[1];
        }
        for v in data.iter().skip(1).step_by(k) {
            r[4] += v * x;
        }
        for v in data.iter().take(k).rev() {
            r[5] = r[5] * 0.5 + v;
        }
        for v in data.iter().filter(|v| **v > 0.0) {
            r[6] += (v * x).sin();
        }
        for v in data.iter().chain(other) {
            r[7] += x / (v * v + 1.0);
        }
        r
    }
    for (length, k) in [(0, 1), (1, 1), (3, 2), (5, 3), (5, 7)] {
        twins!(f, f_jac, twin, twin_jac, 1.5, &VALUES[..length], &VALUES[..3], k);
    }
}

#[test]
fn adaptors_after_what_is_active() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], other: &[f64], k: usize) -> [f64; 9] {
        [
            data.iter().map(|v| v * x).zip(other).map(|(a, b)| (a - b).powi(2)).sum(),
            data.iter().zip(other.iter().map(|v| v * x)).map(|(a, b)| a / (b + 9.0)).sum(),
            data.iter().map(|v| v + x).enumerate().map(|(i, v)| v * i as f64).sum(),
            data.iter().map(|v| v + x).rev().fold(0.0, |acc, v| acc * x + v),
            data.iter().map(|v| v + x).skip(1).take(k).sum(),
            data.iter().map(|v| v + x).step_by(k + 1).product(),
            data.iter().map(|v| v * x).filter(|v| *v > 0.5).map(|v| v * v).sum(),
            data.iter().map(|v| v.sin() * x).take_while(|v| v.abs() < 1.2).map(|v| v * 2.0).sum(),
            data.iter().flat_map(|v| (0..2).map(move |j| v * x + j as f64)).map(|v| v * v).sum::<f64>(),
        ]
    }
    #[jacobian(wrt(x))]
    fn twin(x: f64, data: &[f64], other: &[f64], k: usize) -> [f64; 9] {
        let mut r = [-0.0, -0.0, -0.0, 0.0, -0.0, 1.0, -0.0, -0.0, -0.0];
        for (v, b) in data.iter().zip(other) {
            r[0] += (v * x - b).powi(2);
        }
        for (a, v) in data.iter().zip(other) {
            r[1] += a / (v * x + 9.0);
        }
        for (i, v) in data.iter().enumerate() {
            r[2] += (v + x) * i as f64;
        }
        for v in data.iter().rev() {
            r[3] = r[3] * x + (v + x);
        }
        for v in data.iter().skip(1).take(k) {
            r[4] += v + x;
        }
        for v in data.iter().step_by(k + 1) {
            r[5] *= v + x;
        }
        for v in data {
            let v = v * x;
            if v > 0.5 {
                r[6] += v * v;
            }
        }
        for v in data {
            let v = v.sin() * x;
            if v.abs() >= 1.2 {
                break;
            }
            r[7] += v * 2.0;
        }
        for v in data {
            for j in 0..2 {
                let w = v * x + j as f64;
                r[8] += w * w;
            }
        }
        r
    }
    for (length, k) in [(0, 1), (1, 1), (3, 2), (5, 3), (5, 7)] {
        for x in [1.5, -0.75] {
            twins!(f, f_jac, twin, twin_jac, x, &VALUES[..length], &VALUES[..length.min(3)], k);
        }
    }
}

#[test]
fn what_counts_and_decides() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> [f64; 4] {
        let above = data.iter().filter(|v| **v > x).count();
        let is_small = data.iter().all(|v| v * x < 1.0);
        let is_large = data.iter().map(|v| v * x).any(|v| v > 2.5);
        let picked: f64 = data.iter().filter(|&&v| v * x > 0.0).sum();
        [x * above as f64, if is_small { x * x } else { x }, if is_large { x.sin() } else { x.cos() }, picked * x]
    }
    #[jacobian(wrt(x))]
    fn twin(x: f64, data: &[f64]) -> [f64; 4] {
        let (mut above, mut is_small, mut is_large, mut picked) = (0, true, false, -0.0);
        for v in data {
            if *v > x {
                above += 1;
            }
            if v * x >= 1.0 {
                is_small = false;
            }
            if v * x > 2.5 {
                is_large = true;
            }
            if v * x > 0.0 {
                picked += v;
            }
        }
        [x * above as f64, if is_small { x * x } else { x }, if is_large { x.sin() } else { x.cos() }, picked * x]
    }
    for length in 0..=5 {
        for x in [0.3, 1.5, -1.0] {
            twins!(f, f_jac, twin, twin_jac, x, &VALUES[..length]);
        }
    }
}

#[test]
fn loops_over_what_closures_give() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[1];
        for (i, v) in data.iter().enumerate().map(|(i, v)| (i, v * x[0])).filter(|(_, v)| *v < 2.5) {
            if s > 3.0 {
                break;
            }
            if v < -1.5 {
                continue;
            }
            s += v * (i + 1) as f64;
        }
        let steps = data.iter().map(move |v| v * s);
        for v in steps.clone() {
            s += 0.1 * v;
        }
        for v in steps {
            s -= v.sin();
        }
        s
    }
    #[jacobian(wrt(x))]
    fn twin(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[1];
        for (i, v) in data.iter().enumerate() {
            let v = v * x[0];
            if v >= 2.5 {
                continue;
            }
            if s > 3.0 {
                break;
            }
            if v < -1.5 {
                continue;
            }
            s += v * (i + 1) as f64;
        }
        let t = s;
        for v in data {
            s += 0.1 * (v * t);
        }
        for v in data {
            s -= (v * t).sin();
        }
        s
    }
    for length in 0..=5 {
        for x in [[1.5, 0.5], [0.1, 3.5], [-2.0, 1.0]] {
            let _ = (length, x, f(x, &VALUES[..length]));
            twins!(f, f_jac, twin, twin_jac, x, &VALUES[..length]);
        }
    }
}

#[test]
fn forms_of_a_fit() {
    #[jacobian(wrt(p), forms(jac, jac_only, jvp, vjp, hess, hvp, jac_into))]
    fn f(p: [f64; 3], data: &[(f64, f64)]) -> f64 {
        data.iter().map(|(t, y)| p[0] * (-p[1] * t).exp() + p[2] - y).map(|r| r * r).sum::<f64>().sqrt()
    }
    let p = [1.5, 0.3, -0.2];
    let (value, gradient) = f_jac(p, &DATA);
    differences(|p| f(p, &DATA), |p| f_jac(p, &DATA), p);
    assert_eq!(value.to_bits(), f(p, &DATA).to_bits());
    let d = [0.3, -1.0, 2.0];
    let along: f64 = gradient.iter().zip(d).map(|(g, d)| g * d).sum();
    approx::assert_abs_diff_eq!(f_jvp(p, &DATA, &d).1, along, epsilon = 1e-12);
    let (_, g, h) = f_hess(p, &DATA);
    let (_, _, hd) = f_hvp(p, &DATA, &d);
    differences(|p| f_jac(p, &DATA).1, |p| (f_jac(p, &DATA).1, f_hess(p, &DATA).2), p);
    for i in 0..3 {
        approx::assert_abs_diff_eq!(f_vjp(p, &DATA, 1.0).1[i], gradient[i], epsilon = 1e-12);
        approx::assert_abs_diff_eq!(g[i], gradient[i], epsilon = 1e-12);
        approx::assert_abs_diff_eq!(f_jac_only(p, &DATA)[i], gradient[i], epsilon = 1e-12);
        let of_row: f64 = h[i].iter().zip(d).map(|(h, d)| h * d).sum();
        approx::assert_abs_diff_eq!(hd[i], of_row, epsilon = 1e-12);
    }
}

/// An array of active values beside data, which may be more or fewer.
#[test]
fn arrays_beside_data() {
    #[jacobian(wrt(x), forms(jac, hess))]
    fn f(x: [f64; 3], m: [[f64; 2]; 2], data: &[f64]) -> [f64; 5] {
        let mut s = 1.0;
        for (v, d) in x.iter().zip(data) {
            s *= v + d;
        }
        let mut t = 0.0;
        for (i, (d, v)) in data.iter().zip(x).enumerate() {
            if v > 2.0 {
                break;
            }
            t += d * v * v + i as f64;
        }
        [
            s,
            t,
            x.iter().zip(data).map(|(v, d)| v.sin() * d).sum(),
            m.iter().zip(data).map(|(row, d)| row[0] * d + row[1] * x[1]).sum(),
            data.iter().map(|d| d * x[0]).zip(&x).fold(0.0, |acc, (d, v)| acc * v + d),
        ]
    }
    #[jacobian(wrt(x))]
    fn twin(x: [f64; 3], m: [[f64; 2]; 2], data: &[f64]) -> [f64; 5] {
        let (mut r, mut is_left) = ([1.0, 0.0, -0.0, -0.0, 0.0], false);
        for i in 0..3 {
            if i < data.len() {
                let d = data[i];
                r[0] *= x[i] + d;
                is_left = is_left || x[i] > 2.0;
                if !is_left {
                    r[1] += d * x[i] * x[i] + i as f64;
                }
                r[2] += x[i].sin() * d;
                if i < 2 {
                    r[3] += m[i][0] * d + m[i][1] * x[1];
                }
                r[4] = r[4] * x[i] + d * x[0];
            }
        }
        r
    }
    for n in 0..=VALUES.len() {
        for x in [[0.5, 1.25, -0.75], [0.5, 2.5, 1.0]] {
            twins!(f, f_jac, twin, twin_jac, x, [[0.5, 2.0], [-1.0, 0.25]], &VALUES[..n]);
        }
    }
}

/// Nothing in the array is active, and its elements are known one by one.
#[test]
fn passive_arrays_beside_data() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], c: f64) -> f64 {
        let (weights, pairs) = ([c, 2.0, 0.5], [(c, 1_i32), (3.0, 2)]);
        let mut s = x;
        for (d, w) in data.iter().zip(weights.iter()) {
            s += w * x * d;
        }
        for (w, d) in weights.iter().rev().zip(data).skip(1) {
            s = s * w + d;
        }
        for ((w, n), d) in pairs.iter().zip(data) {
            s += x.powi(*n) * w * d;
        }
        s + weights.iter().zip(data).map(|(w, d)| w * d * x).sum::<f64>()
    }
    for data in [&[][..], &[0.5], &[2.0, -0.5], &[1.5, 3.0, -2.0, 7.0]] {
        differences(|[x]| f(x, data, 0.75), |[x]| f_jac(x, data, 0.75), [0.6]);
    }
}
