//! Loops that choose from arrays by run-time indices: what they carry is an array in what is generated. Here
//! elements are used after they have been replaced, arrays are copied, swapped and left half way.

#![allow(clippy::needless_range_loop, reason = "these are the loops that users write")]

use jacobian::jacobian;

use crate::differences;

const X: [f64; 3] = [0.4, -0.3, 0.8];

/// Compares a function of three floats and a number of iterations with differences.
macro_rules! compare {
    ($function:ident, $jacobian:ident) => {
        for n in 0..9 {
            differences(|x| $function(x, n), |x| $jacobian(x, n), X);
        }
    };
}

#[test]
fn elements_are_used_after_they_are_replaced() {
    #[jacobian(wrt(x))]
    fn swaps(x: [f64; 3], n: usize) -> [f64; 5] {
        let mut a = [x[0], x[1], x[2], x[0] * x[1], 1.5];
        for k in 0..n {
            let (i, j) = (k % 5, (2 * k + 1) % 5);
            let (first, last) = (a[i], a[4]);
            a[i] = a[j] * x[2];
            a[j] = first + a[0].sin();
            a[0] += last * a[i];
        }
        a
    }
    #[jacobian(wrt(x))]
    fn shifts(x: [f64; 3], n: usize) -> [f64; 4] {
        let mut a = [x[0], x[1], x[2], 1.0];
        for k in 0..n {
            let new = a[(k + 1) % 4] * x[0] + a[k % 4];
            a = [a[1], a[2], a[3], new];
        }
        a
    }
    #[jacobian(wrt(x))]
    fn two(x: [f64; 3], n: usize) -> [f64; 4] {
        let (mut a, mut b) = ([x[0], x[1], x[2], 1.0], [2.0, x[2], x[1], x[0]]);
        for k in 0..n {
            let i = k % 4;
            (a[i], b[i]) = (b[i] * x[1], a[i] + x[0]);
            if k == 3 {
                std::mem::swap(&mut a, &mut b);
            }
        }
        [a[0] * b[3], a[1], a[2] + b[1], b[0]]
    }
    #[jacobian(wrt(x))]
    fn before_and_after(x: [f64; 3], n: usize) -> [f64; 3] {
        let mut a = [x[0]; 6];
        let mut sum = 0.0;
        for k in 0..n {
            let old = a;
            a[k % 6] = old[(k + 5) % 6] * x[1] + x[2];
            sum += old[k % 6] * a[(k + 1) % 6] - old[2];
        }
        [a[1], a[5], sum]
    }
    compare!(swaps, swaps_jac);
    compare!(shifts, shifts_jac);
    compare!(two, two_jac);
    compare!(before_and_after, before_and_after_jac);
}

#[test]
fn loops_in_loops() {
    #[jacobian(wrt(x))]
    fn smoothed(x: [f64; 3], n: usize) -> [f64; 2] {
        let mut u = [x[0], x[1], x[2], 1.0, 0.5, x[0]];
        for _ in 0..n {
            let o = u;
            u[0] = o[0] + x[2];
            for i in 1..n.min(5) {
                u[i] = o[i] + x[1] * (o[i - 1] - 2.0 * o[i] + o[i + 1]);
            }
        }
        [u[1], u[4]]
    }
    #[jacobian(wrt(x))]
    fn in_place(x: [f64; 3], n: usize) -> [f64; 5] {
        let mut u = [x[0], x[1], x[2], 1.0, 0.5];
        for k in 0..n {
            for i in 1..(n - k).min(5) {
                u[i] = 0.5 * (u[i - 1] * x[0] + u[i]);
            }
            u[k % 5] *= u[4];
        }
        u
    }
    #[jacobian(wrt(x))]
    fn begun_again(x: [f64; 3], n: usize) -> f64 {
        let mut total = 0.0;
        for k in 0..n {
            let mut a = [x[0], x[1], x[2], 1.0];
            for i in 0..k {
                a[i % 4] = a[(i + 1) % 4] * a[(i + 2) % 4] + x[0];
            }
            total += a[k % 4] * a[0];
        }
        total
    }
    #[jacobian(wrt(x))]
    fn one_after_the_other(x: [f64; 3], n: usize) -> [f64; 4] {
        let mut a = [1.0, x[1], x[2], x[0]];
        for i in 0..n {
            a[i % 4] *= x[0] + a[(i + 3) % 4];
        }
        let kept = a;
        for i in 0..n {
            a[(3 * i) % 4] += kept[i % 4] * x[1];
        }
        [a[0] * kept[n % 4], a[1], a[n % 4], kept[3]]
    }
    #[jacobian(wrt(x))]
    fn matrix(x: [f64; 3], n: usize) -> [f64; 2] {
        let mut m = [[x[0], x[1], x[2], 1.0], [0.5, x[2], x[0], x[1]]];
        for k in 0..n {
            let (i, j) = (k % 2, (k + 1) % 4);
            m[i][j] = m[1 - i][k % 4] * x[2] + m[i][(j + 1) % 4];
            m[0][k % 4] += m[1][0];
        }
        [m[0][1] * m[1][2], m[1][n % 4]]
    }
    compare!(smoothed, smoothed_jac);
    compare!(in_place, in_place_jac);
    differences(|x| [begun_again(x, 7)], |x| ([begun_again_jac(x, 7).0], [begun_again_jac(x, 7).1]), X);
    compare!(one_after_the_other, one_after_the_other_jac);
    compare!(matrix, matrix_jac);
}

#[test]
fn branches_replace_elements() {
    #[jacobian(wrt(x))]
    fn sometimes(x: [f64; 3], n: usize) -> [f64; 4] {
        let mut a = [x[0], x[1], x[2], 1.0];
        for k in 0..n {
            let before = a[1];
            if a[k % 4] > 0.55 {
                a[k % 4] = before * x[0];
            } else if k % 3 == 1 {
                a[(k + 1) % 4] += x[2];
                a[1] = before + 0.5;
            } else {
                a = [a[3], before, a[1], a[0] * x[1]];
            }
        }
        a
    }
    #[jacobian(wrt(x))]
    fn left(x: [f64; 3], n: usize) -> [f64; 4] {
        let mut a = [x[0], x[1], x[2], 1.0];
        for k in 0..10 {
            a[k % 4] = a[(k + 1) % 4] * x[0] + x[2];
            if k == n || a[k % 4] > 1e3 {
                break;
            }
            if k % 3 == 2 {
                continue;
            }
            a[(k + 2) % 4] -= x[1] / (2.0 + a[0]);
        }
        a
    }
    #[jacobian(wrt(x))]
    fn returned(x: [f64; 3], n: usize) -> [f64; 4] {
        let mut a = [x[0], x[1], x[2], 1.0];
        let mut k = 0;
        loop {
            a[k % 4] = a[(k + 1) % 4] * x[0] + x[2];
            k += 1;
            if k > n {
                return a;
            }
            a[(k + 2) % 4] *= 0.5;
        }
    }
    #[jacobian(wrt(x))]
    fn divided(x: [f64; 3], n: usize) -> [f64; 3] {
        let mut a: [f64; 5] = [1.0, 0.0, 0.0, 0.0, 2.0];
        let mut s = x[1];
        for k in 0..n {
            let root = (1.0 + a[k % 5]).sqrt();
            s = s / root + a[(k + 3) % 5];
            a[(k + 2) % 5] = if s > 0.53 { s * x[0] } else { x[2] / root };
        }
        [a[0], a[3], s]
    }
    #[jacobian(wrt(x))]
    fn got(x: [f64; 3], n: usize) -> [f64; 4] {
        let mut a = [x[0], x[1], x[2], 1.0];
        for k in 0..n {
            a[k % 4] = match a.get(k) {
                Some(&element) => element * x[0],
                None => a[(k + 1) % 4] + x[1],
            };
            a[(k + 2) % 4] += a.get(2 * k).copied().unwrap_or(x[2]);
        }
        a
    }
    compare!(got, got_jac);
    compare!(sometimes, sometimes_jac);
    compare!(left, left_jac);
    compare!(returned, returned_jac);
    compare!(divided, divided_jac);
}

#[test]
fn all_kinds_of_elements() {
    #[jacobian(wrt(x))]
    fn bodies(x: [f64; 3], n: usize) -> [f64; 3] {
        let mut all = [(x[0], 1.0), (x[1], 2.0), (x[2], x[0]), (0.5, x[1])];
        for k in 0..n {
            let (i, j) = (k % 4, (k + 1) % 4);
            let pull = (all[j].0 - all[i].0) * all[j].1;
            all[i].0 += 0.1 * pull;
            all[i].1 *= x[2];
        }
        [all[0].0, all[1].1, all[2].0 * all[3].1]
    }
    #[jacobian(wrt(x))]
    fn arrays_in_tuples(x: [f64; 3], n: usize) -> [f64; 4] {
        let mut p = [(x[0], [x[1], 0.5]), (x[2], [1.0, x[0]]), (1.0, [x[0], x[0]]), (x[1], [0.0, 0.0])];
        for k in 0..n {
            let (q, v) = p[k % 4];
            p[(k + 1) % 4].1[k % 2] += q * v[0];
            p[k % 4].0 = q + 0.1 * v[1] + p[3].0;
            p[(k + 2) % 4] = (v[0], [q, v[1]]);
        }
        [p[0].0, p[1].1[1], p[2].1[0], p[n % 4].0]
    }
    #[jacobian(wrt(x))]
    fn read_after_replaced(x: [f64; 3], n: usize) -> [f64; 2] {
        let mut a = [x[0], x[1], 1.0, x[2], 2.0];
        let (mut m, mut s) = ([[x[0], x[1]], [x[2], 0.5]], 0.0);
        for k in 0..n {
            a[(k + 1) % 5] = x[0] * a[2];
            m[k % 2] = [a[k % 5], m[0][1]];
            s += a[(2 * k) % 5] * m[(k + 1) % 2][k / 2 % 2];
        }
        [a[0], s]
    }
    #[jacobian(wrt(x))]
    fn taken(x: [f32; 3], n: usize) -> [f32; 2] {
        let mut a = [x[0], x[1], x[2], 1.0, 0.25];
        for k in 0..n {
            a[k % 5] = a[(k + 2) % 5] * x[0] + a[(k + 1) % 5];
        }
        [a[0], a[n % 5]]
    }
    #[jacobian(wrt(x))]
    fn read_only(x: [f64; 8], n: usize) -> [f64; 2] {
        let (mut s, mut t) = (0.0, 1.0);
        for k in 0..n {
            s += x[k % 8] * x[(k + 3) % 8];
            for j in 0..k {
                t += x[j % 8] * s;
            }
        }
        [s, t]
    }
    compare!(bodies, bodies_jac);
    compare!(arrays_in_tuples, arrays_in_tuples_jac);
    compare!(read_after_replaced, read_after_replaced_jac);
    for n in 0..9 {
        let ([value, _], [row, _]) = taken_jac([0.4, -0.3, 0.8], n);
        let wide = |x: [f64; 3]| {
            let mut a = [x[0], x[1], x[2], 1.0, 0.25];
            for k in 0..n {
                a[k % 5] = a[(k + 2) % 5] * x[0] + a[(k + 1) % 5];
            }
            a[0]
        };
        assert_eq!(value.to_bits(), taken([0.4, -0.3, 0.8], n)[0].to_bits());
        for (place, entry) in row.iter().enumerate() {
            let at = |step: f64| {
                let mut x = X;
                x[place] += step;
                wide(x)
            };
            approx::assert_abs_diff_eq!(f64::from(*entry), (at(1e-6) - at(-1e-6)) / 2e-6, epsilon = 1e-4);
        }
        differences(|x| read_only(x, n), |x| read_only_jac(x, n), [0.4, -0.3, 0.8, 1.1, 0.2, -0.9, 0.6, 0.05]);
    }
}

#[test]
fn parameters_are_copied() {
    #[jacobian(wrt(x))]
    fn part(x: [f64; 5], n: usize) -> f64 {
        let a = [x[0], x[1], x[2], x[3]];
        let mut s = x[4];
        for k in 0..n {
            s += a[k % 4];
            let mut b = a;
            for i in 0..k {
                b[i % 4] *= 0.3 * s;
            }
            s += b[0] * b[k % 4];
        }
        s
    }
    #[jacobian(wrt(x))]
    fn behind_a_reference(x: &[f64; 4], n: usize) -> f64 {
        let mut s = x[0];
        for k in 0..n {
            s += x[k % 4];
            let mut b = *x;
            for i in 0..k {
                b[i % 4] *= 0.3 * s;
            }
            s += b[0] * b[k % 4];
        }
        s
    }
    for n in 0..6 {
        let alone = |(value, row)| ([value], [row]);
        differences(|x| [part(x, n)], |x| alone(part_jac(x, n)), [0.4, -0.3, 0.8, 0.2, 0.6]);
        let jacobian = |x: [f64; 4]| {
            let (value, row) = behind_a_reference_jac(&x, n);
            ([value], [row])
        };
        differences(|x| [behind_a_reference(&x, n)], jacobian, [0.4, -0.3, 0.8, 0.2]);
    }
}

/// More than a thousand statements are written in blocks: what is declared in one and changed in another stays `mut`.
#[test]
fn long_bodies_change_what_they_hold() {
    #[jacobian(wrt(x))]
    fn locked(x: [f64; 3], n: usize) -> [f64; 3] {
        let counts = std::sync::Mutex::new(vec![1usize, 2, 3]);
        let mut a = [x[0], x[1], x[2], 1.0, 0.7];
        let mut s: f64 = 1.0;
        for k in 0..n {
            let mut counts = counts.lock().unwrap();
            let count = &mut counts[k % 3];
            *count += 1;
            for i in 0..50 {
                s = 0.5 * s.sin() + 0.1 * x[i % 3] * s + 0.01 * a[i % 5];
                if i % 11 == 3 {
                    let t = a[(*count + i) % 5];
                    a[(k + 2 * i) % 5] = s * x[1] + 0.2 * t;
                    s -= 0.1 * t;
                }
            }
            a[counts[0] % 5] += a[(k + 1) % 5] * s;
        }
        [s, a[1], a[n % 5]]
    }
    #[jacobian(wrt(x))]
    fn noted(x: [f64; 3], n: usize) -> [f64; 1] {
        let mut s: f64 = 1.0;
        let mut notes = vec![n];
        for i in 0..300 {
            s = 0.5 * s.sin() + 0.1 * x[i % 3] * s + 0.01 * x[0];
            if i % 50 == 7 {
                notes.push(s as usize);
            }
        }
        [s * notes.len() as f64]
    }
    compare!(locked, locked_jac);
    compare!(noted, noted_jac);
}

/// An arm replaces elements that it does not read, and that are used after the branch.
#[test]
fn arms_replace_what_they_do_not_read() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 3], n: usize) -> [f64; 1] {
        let a = [1.0, x[2] * x[1], 0.5, 1.0, x[0] * x[1], 0.5];
        let mut b = [x[0]; 4];
        let m = [[x[2], 1.0, 0.5, x[0]], [0.3; 4]];
        for k in 0..n {
            b = [b[(2 * k + 3) % 4], 0.2, m[(2 * k) % 2][k % 4], a[(3 * k + 2) % 6]];
        }
        if n % 2 == 1 {
            b.swap((n + 4) % 4, (3 * n) % 4);
        } else {
            b[(n + n) % 4] -= 0.6 * a[(3 * n + 1) % 6];
        }
        [b[(n + 4) % 4]]
    }
    compare!(f, f_jac);
}

/// The derivative of `t` by `p` is `a[2]`, so that the arms are given this element twice.
#[test]
fn an_element_is_a_derivative_too() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], n: usize) -> [f64; 2] {
        let [p, q] = x;
        let (mut a, mut s) = ([q, q * q, 0.5 * q, 1.0 + q], 0.0);
        for k in 0..n {
            let t = p * a[2];
            if t > 0.31 {
                a[(k + 2) % 4] = q * a[1] + 0.1;
                s += t * t * a[0] + a[2];
            } else {
                a[(k + 1) % 4] += q;
                a[2] *= 1.5;
                s += t.sin() * a[3];
            }
        }
        [s, a[1]]
    }
    for n in 0..9 {
        differences(|x| f(x, n), |x| f_jac(x, n), [0.7, 0.6]);
    }
}

/// The type of what numbers add up to is not written; how many they are is.
#[test]
fn arrays_of_numbers_keep_their_lengths() {
    #[jacobian(wrt(x))]
    fn straight(x: [f64; 3], n: usize) -> [f64; 2] {
        let mut a = [0.5 * 1.25, 0.5, 0.25];
        a[1] += a[2];
        a[2] *= 0.75;
        a[n % 3] = 0.3;
        if n > 3 {
            a[2] = x[0];
        }
        [a[2] * x[1], a[1] * x[2]]
    }
    #[jacobian(wrt(x))]
    fn repeated(x: [f64; 3], n: usize) -> [f64; 2] {
        let mut a = [[0.5 * 1.25, 0.5], [0.5 - 0.1, 0.25]];
        for k in 0..n {
            a[1][0] += a[0][1];
            if n > 3 {
                a[0][1] *= 0.75;
                a[k % 2][n % 2] = 0.75;
            } else {
                a[0][1] = x[0];
            }
        }
        [a[0][1] * x[1], a[1][1] * x[2]]
    }
    compare!(straight, straight_jac);
    compare!(repeated, repeated_jac);
}

/// By its own elements, the inner loop would carry 10,000 derivatives; there is one column.
#[test]
fn a_large_matrix_in_nested_loops_has_few_columns() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let mut a = [[0.1 * x; 10]; 10];
        for i in 0..n {
            for j in 0..2 * n {
                a[i % 10][j % 10] = a[j % 10][(i + 1) % 10] * x + 0.1 * a[0][j % 10].sin();
            }
        }
        a[1][2] + a[n % 10][3]
    }
    for n in 0..9 {
        differences(|[x]| f(x, n), |[x]| f_jac(x, n), [0.7]);
    }
}
