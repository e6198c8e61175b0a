//! Loops whose number of iterations is known only at run time. Each has a twin whose loops are known
//! here, and are unrolled; both are run on data of the same length.

#![allow(clippy::needless_range_loop, reason = "a macro knows the items of a range")]

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::{differences, twins};

const DATA: [f64; 4] = [0.5, -1.25, 2.0, 0.75];

#[test]
fn sums_over_data() {
    #[jacobian(wrt(p))]
    fn f(p: [f64; 3], data: &[(f64, f64)]) -> f64 {
        let mut cost = 0.0;
        for (t, y) in data {
            let r = p[0] * (-p[1] * t).exp() + p[2] - y;
            cost += r * r;
        }
        cost
    }
    #[jacobian(wrt(p))]
    fn twin(p: [f64; 3], data: [(f64, f64); 3]) -> f64 {
        let mut cost = 0.0;
        for i in 0..3 {
            let (t, y) = data[i];
            let r = p[0] * (-p[1] * t).exp() + p[2] - y;
            cost += r * r;
        }
        cost
    }
    let data = [(0.1, 2.0), (0.7, 1.5), (1.9, 0.25)];
    let (value, gradient) = twin_jac([1.5, 0.3, -0.2], data);
    assert_eq!(value.to_bits(), twin([1.5, 0.3, -0.2], data).to_bits());
    crate::check(f([1.5, 0.3, -0.2], &data), f_jac([1.5, 0.3, -0.2], &data), &gradient);
    assert_eq!(f_jac([1.0; 3], &[]), (0.0, [0.0; 3]));
}

#[test]
fn items_of_all_kinds() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64], n: usize) -> [f64; 6] {
        let mut r: [f64; 6] = [1.0; 6];
        for i in 0..n {
            r[0] = r[0] * x[0] + data[i];
        }
        for (a, b) in data.iter().zip(data.iter().skip(1)) {
            r[1] += x[1] * a * b;
        }
        for pair in data.windows(2) {
            r[2] = r[2].sin() * x[0] + pair[0] - pair[1];
        }
        for i in (0..n).rev().step_by(2) {
            r[3] = r[3] / (x[1] + 2.0) + data[i] * x[0];
        }
        for (i, &v) in data.iter().enumerate() {
            r[4] *= x[0] + v * i as f64;
        }
        for v in data.chunks_exact(2).map(|pair| pair[0] * pair[1]) {
            r[5] += (x[0] * v).cos();
        }
        r
    }
    #[jacobian(wrt(x))]
    fn twin(x: [f64; 2], data: [f64; 4]) -> [f64; 6] {
        let mut r: [f64; 6] = [1.0; 6];
        for i in 0..4 {
            r[0] = r[0] * x[0] + data[i];
        }
        for i in 0..3 {
            r[1] += x[1] * data[i] * data[i + 1];
        }
        for i in 0..3 {
            r[2] = r[2].sin() * x[0] + data[i] - data[i + 1];
        }
        for i in (0..4).rev().step_by(2) {
            r[3] = r[3] / (x[1] + 2.0) + data[i] * x[0];
        }
        for i in 0..4 {
            r[4] *= x[0] + data[i] * i as f64;
        }
        for i in (0..4).step_by(2) {
            r[5] += (x[0] * (data[i] * data[i + 1])).cos();
        }
        r
    }
    let x = [0.75, 1.25];
    let (_, jacobian) = twin_jac(x, DATA);
    crate::check(f(x, &DATA, 4), f_jac(x, &DATA, 4), &jacobian.concat());
    crate::check(twin(x, DATA), f_jac(x, &DATA, 4), &jacobian.concat());
}

#[test]
fn while_loops_and_jumps() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], limit: f64) -> [f64; 4] {
        let mut newton = x;
        let mut iterations = 0;
        while (newton * newton - x).abs() > 1e-12 && iterations < 50 {
            newton = 0.5 * (newton + x / newton);
            iterations += 1;
        }
        let mut sum = 0.0;
        for v in data {
            if *v < 0.0 {
                continue;
            }
            sum += x * v;
            if sum > limit {
                break;
            }
            sum *= 1.5;
        }
        let mut product = 1.0;
        let mut k = 0;
        loop {
            product *= x + k as f64;
            k += 1;
            if product > limit * 4.0 || k == 7 {
                break;
            }
        }
        [newton, sum, product, iterations as f64]
    }
    let at = |limit| differences(|[x]| f(x, &DATA, limit), |[x]| f_jac(x, &DATA, limit), [1.7]);
    at(1.0);
    at(2.0);
    at(100.0);
}

#[test]
fn state_of_all_shapes() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 3], n: u32) -> [f64; 6] {
        let (mut a, mut b) = (x[0], x[1]);
        let mut m = [[1.0, 0.0], [0.0, 1.0]];
        let mut pair = (x[2], 0.5);
        let mut is_large = false;
        let mut scale = 1.0;
        for _ in 0..n {
            (a, b) = (b, a + b * x[2]);
            for row in &mut m {
                let first = row[0];
                row[0] = row[1] * x[0] + first;
                row[1] = first * x[1];
            }
            pair = (pair.1 * x[0], pair.0 + scale);
            if a > 3.0 {
                is_large = true;
            }
            scale *= 0.5;
            if is_large {
                pair.0 += a;
            }
        }
        [a, b, m[0][0], m[1][1], pair.0 * scale, pair.1]
    }
    #[jacobian(wrt(x))]
    fn twin(x: [f64; 3]) -> [f64; 6] {
        let (mut a, mut b) = (x[0], x[1]);
        let mut m = [[1.0, 0.0], [0.0, 1.0]];
        let mut pair = (x[2], 0.5);
        let mut is_large = false;
        let mut scale = 1.0;
        for _ in 0..5 {
            (a, b) = (b, a + b * x[2]);
            for row in &mut m {
                let first = row[0];
                row[0] = row[1] * x[0] + first;
                row[1] = first * x[1];
            }
            pair = (pair.1 * x[0], pair.0 + scale);
            if a > 3.0 {
                is_large = true;
            }
            scale *= 0.5;
            if is_large {
                pair.0 += a;
            }
        }
        [a, b, m[0][0], m[1][1], pair.0 * scale, pair.1]
    }
    for x in [[1.0, 1.5, 0.25], [-0.5, 0.25, 0.75]] {
        let (_, jacobian) = twin_jac(x);
        crate::check(twin(x), f_jac(x, 5), &jacobian.concat());
    }
}

#[test]
fn nested_loops_with_branches_closures_and_calls() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], rows: &[[f64; 2]], n: usize) -> f64 {
        fn step(s: [f64; 2], x: f64, h: f64) -> [f64; 2] {
            let d = [s[1], -x * s[0]];
            [s[0] + h * d[0], s[1] + h * d[1]]
        }
        let mut total = 0.0;
        let mut add = |v: f64| total += v * x[1];
        for row in rows {
            let mut s = [row[0], 1.0];
            for k in 0..n {
                s = step(s, x[0], row[1]);
                if s[0] > 0.3 {
                    add(s[0] * k as f64);
                } else {
                    add(s[1].sin());
                }
            }
            add(s[0]);
        }
        total
    }
    let rows = [[0.25, 0.125], [-0.5, 0.25], [1.5, 0.0625]];
    differences(|x| f(x, &rows, 4), |x| f_jac(x, &rows, 4), [0.75, 1.25]);
}

#[test]
fn all_forms() {
    #[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp, hess, hvp, jac_into))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let (mut s, mut p) = (0.0, x[0]);
        for v in data {
            p = p * x[1] + v;
            s += p * p;
        }
        s
    }
    #[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp, hess, hvp, jac_into))]
    fn twin(x: [f64; 2], data: [f64; 4]) -> f64 {
        let (mut s, mut p) = (0.0, x[0]);
        for i in 0..4 {
            p = p * x[1] + data[i];
            s += p * p;
        }
        s
    }
    let x = [0.5, 1.5];
    twins!(f_rolled, f_rolled_jac, twin, twin_jac, x, DATA);
    fn f_rolled(x: [f64; 2], data: [f64; 4]) -> f64 {
        f(x, &data)
    }
    fn f_rolled_jac(x: [f64; 2], data: [f64; 4]) -> (f64, [f64; 2]) {
        f_jac(x, &data)
    }
    let near = |one: f64, other: f64| assert_abs_diff_eq!(one, other, epsilon = 1e-10 * (1.0 + other.abs()));
    let (_, g) = twin_jac(x, DATA);
    f_jac_only(x, &DATA).into_iter().zip(g).for_each(|(one, other)| near(one, other));
    let ((_, own), (_, other)) = (f_jvp(x, &DATA, &[0.3, -0.7]), twin_jvp(x, DATA, &[0.3, -0.7]));
    near(own, other);
    let ((_, own), (_, other)) = (f_vjp(x, &DATA, 1.5), twin_vjp(x, DATA, 1.5));
    own.into_iter().zip(other).for_each(|(one, other)| near(one, other));
    let ((_, g, h), (_, gt, ht)) = (f_hess(x, &DATA), twin_hess(x, DATA));
    g.into_iter().zip(gt).for_each(|(one, other)| near(one, other));
    h.concat().into_iter().zip(ht.concat()).for_each(|(one, other)| near(one, other));
    let ((_, _, own), (_, _, other)) = (f_hvp(x, &DATA, &[0.3, -0.7]), twin_hvp(x, DATA, &[0.3, -0.7]));
    own.into_iter().zip(other).for_each(|(one, other)| near(one, other));
}
