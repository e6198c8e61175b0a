//! Chains of iterators over arrays and ranges: unrolled item by item, as the standard library does it.

use jacobian::jacobian;

use crate::{check, twins};

#[test]
fn sums_and_products() {
    #[jacobian]
    fn f(x: [f64; 3], y: &[f64; 3]) -> [f64; 8] {
        [
            x.iter().sum(),
            x.iter().zip(y.iter()).map(|(a, b)| a * b).sum(),
            y.iter().product::<f64>(),
            x.iter().map(|v| v.powi(2)).sum::<f64>().sqrt(),
            x.iter().copied().map(f64::sin).product(),
            (0..3).map(|i| x[i] * y[2 - i]).sum::<f64>(),
            x.into_iter().enumerate().map(|(i, v)| v * i as f64).sum(),
            [2.0, x[0]].iter().chain(y).sum(),
        ]
    }
    #[jacobian]
    fn twin(x: [f64; 3], y: &[f64; 3]) -> [f64; 8] {
        [
            x[0] + x[1] + x[2],
            x[0] * y[0] + x[1] * y[1] + x[2] * y[2],
            y[0] * y[1] * y[2],
            (x[0].powi(2) + x[1].powi(2) + x[2].powi(2)).sqrt(),
            x[0].sin() * x[1].sin() * x[2].sin(),
            x[0] * y[2] + x[1] * y[1] + x[2] * y[0],
            x[0] * 0.0 + x[1] * 1.0 + x[2] * 2.0,
            2.0 + x[0] + y[0] + y[1] + y[2],
        ]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.0, -3.0], &[0.5, 0.6, 0.7]);
}

#[test]
fn sums_of_signed_zeros_and_of_nothing() {
    #[jacobian]
    #[allow(clippy::iter_skip_zero, clippy::iter_skip_next)]
    fn f(x: [f64; 2]) -> [f64; 6] {
        let none: f64 = x.iter().skip(2).sum();
        let annotated: f64 = x[..0].iter().product();
        [
            x.iter().sum(),
            x.iter().take(1).sum(),
            none,
            annotated,
            x[2..].iter().sum::<f64>(),
            x.iter().take(0).copied().product::<f64>(),
        ]
    }
    for x in [[-0.0, -0.0], [-0.0, 0.0], [0.0, -0.0], [f64::NAN, 1.0]] {
        let (value, jacobian) = f_jac(x);
        assert_eq!(value.map(f64::to_bits), f(x).map(f64::to_bits));
        assert_eq!(jacobian[..2], [[1.0, 1.0], [1.0, 0.0]]);
        assert_eq!(jacobian[2..], [[0.0; 2]; 4]);
    }
}

#[test]
fn folds() {
    #[jacobian]
    fn f(x: [f64; 4], y: f64) -> [f64; 6] {
        let horner = x.iter().rev().fold(0.0, |acc, c| acc * y + c);
        let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (sum, product) = x.iter().fold((0.0, 1.0), |(sum, product), v| (sum + v, product * v));
        let mut last = y;
        x.iter().for_each(|v| last = last * 0.5 + v);
        let count = x.iter().filter(|_| true).count();
        [horner, largest, sum, product, last, y * count as f64]
    }
    #[jacobian]
    fn twin(x: [f64; 4], y: f64) -> [f64; 6] {
        [
            (((0.0 * y + x[3]) * y + x[2]) * y + x[1]) * y + x[0],
            f64::NEG_INFINITY.max(x[0]).max(x[1]).max(x[2]).max(x[3]),
            0.0 + x[0] + x[1] + x[2] + x[3],
            1.0 * x[0] * x[1] * x[2] * x[3],
            (((y * 0.5 + x[0]) * 0.5 + x[1]) * 0.5 + x[2]) * 0.5 + x[3],
            y * 4.0,
        ]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.5, -3.0, 2.0], 0.7);
}

#[test]
fn arrays_made_by_closures() {
    #[jacobian]
    fn f(x: [f64; 3], y: f64) -> ([f64; 3], [[f64; 2]; 3]) {
        const N: usize = 3;
        let a: [f64; N] = core::array::from_fn(|i| x[i] * (i + 1) as f64);
        let b = a.map(|v| v * y);
        let c = std::array::from_fn::<_, 3, _>(|i| b[i] + a[N - 1 - i]);
        let mut d = [y; 2];
        d = std::array::from_fn(|i| d[i] + c[i]);
        let e = c.each_ref().map(|v| v * d[0]);
        (e, core::array::from_fn(|i| core::array::from_fn(|j| e[i] * x[j] + d[1])))
    }
    #[jacobian]
    fn twin(x: [f64; 3], y: f64) -> ([f64; 3], [[f64; 2]; 3]) {
        let a = [x[0] * 1.0, x[1] * 2.0, x[2] * 3.0];
        let b = [a[0] * y, a[1] * y, a[2] * y];
        let c = [b[0] + a[2], b[1] + a[1], b[2] + a[0]];
        let d = [y + c[0], y + c[1]];
        let e = [c[0] * d[0], c[1] * d[0], c[2] * d[0]];
        let rows = [
            [e[0] * x[0] + d[1], e[0] * x[1] + d[1]],
            [e[1] * x[0] + d[1], e[1] * x[1] + d[1]],
            [e[2] * x[0] + d[1], e[2] * x[1] + d[1]],
        ];
        (e, rows)
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.5, -3.0], 0.7);
}

#[test]
fn adaptors() {
    #[jacobian]
    #[allow(clippy::map_identity, clippy::needless_borrow, clippy::iter_cloned_collect)]
    fn f(x: [f64; 6], m: [[f64; 2]; 3]) -> [f64; 9] {
        let sum = |items: [f64; 3]| items.iter().sum::<f64>();
        [
            x.iter().step_by(2).fold(0.0, |a, v| a * 0.5 + v),
            x.iter().rev().step_by(4).fold(0.0, |a, v| a * 0.5 + v),
            x.iter().step_by(4).rev().fold(0.0, |a, v| a * 0.5 + v),
            x.iter().skip(1).take(3).rev().fold(0.0, |a, v| a * 0.5 + v),
            x.iter().enumerate().rev().skip(2).fold(0.0, |a, (i, v)| a * 0.5 + v * i as f64),
            x.iter().enumerate().filter(|(i, _)| i % 3 != 0).map(|(_, v)| v).cloned().sum(),
            m.iter().flat_map(|row| row.iter().rev()).fold(0.0, |a, v| a * 0.5 + v),
            m.into_iter().flatten().zip(x).fold(0.0, |a, (v, w)| a * 0.5 + v * w),
            (0..3).flat_map(|i| (0..2).map(move |j| (i, j))).map(|(i, j)| m[i][j] * x[i + j]).sum::<f64>()
                + sum([x[0], m[0][1], 2.0]),
        ]
    }
    #[jacobian]
    fn twin(x: [f64; 6], m: [[f64; 2]; 3]) -> [f64; 9] {
        [
            ((0.0 * 0.5 + x[0]) * 0.5 + x[2]) * 0.5 + x[4],
            (0.0 * 0.5 + x[5]) * 0.5 + x[1],
            (0.0 * 0.5 + x[4]) * 0.5 + x[0],
            ((0.0 * 0.5 + x[3]) * 0.5 + x[2]) * 0.5 + x[1],
            (((0.0 * 0.5 + x[3] * 3.0) * 0.5 + x[2] * 2.0) * 0.5 + x[1] * 1.0) * 0.5 + x[0] * 0.0,
            x[1] + x[2] + x[4] + x[5],
            (((((0.0 * 0.5 + m[0][1]) * 0.5 + m[0][0]) * 0.5 + m[1][1]) * 0.5 + m[1][0]) * 0.5 + m[2][1]) * 0.5
                + m[2][0],
            (((((0.0 * 0.5 + m[0][0] * x[0]) * 0.5 + m[0][1] * x[1]) * 0.5 + m[1][0] * x[2]) * 0.5 + m[1][1] * x[3])
                * 0.5
                + m[2][0] * x[4])
                * 0.5
                + m[2][1] * x[5],
            m[0][0] * x[0]
                + m[0][1] * x[1]
                + m[1][0] * x[1]
                + m[1][1] * x[2]
                + m[2][0] * x[2]
                + m[2][1] * x[3]
                + (x[0] + m[0][1] + 2.0),
        ]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.5, -3.0, 0.5, 4.0, 0.1], [[0.3, 0.4], [0.5, 0.6], [0.7, 0.8]]);
}

#[test]
fn slices_and_lengths() {
    #[jacobian]
    #[allow(clippy::redundant_slicing, clippy::len_zero)]
    fn f(x: [f64; 5], y: &[[f64; 2]; 2]) -> [f64; 5] {
        const K: usize = 2;
        let (low, high) = x.split_at(K);
        let part = &x[1..=K + 1];
        let all = &x[..];
        let norm = |v: &[f64]| v.iter().map(|a| a * a).sum::<f64>();
        [
            norm(&x[..K]) * norm(&x[K..]),
            low[1] * high[0] + (high.len() * part.len()) as f64,
            part.iter().sum::<f64>() / all.len() as f64,
            norm(&y[1]) + norm(&y[y.len() - 2][1..]),
            if low.is_empty() { x[0] } else { x.as_slice()[4] },
        ]
    }
    #[jacobian]
    fn twin(x: [f64; 5], y: &[[f64; 2]; 2]) -> [f64; 5] {
        [
            (x[0] * x[0] + x[1] * x[1]) * (x[2] * x[2] + x[3] * x[3] + x[4] * x[4]),
            x[1] * x[2] + 9.0,
            (x[1] + x[2] + x[3]) / 5.0,
            y[1][0] * y[1][0] + y[1][1] * y[1][1] + y[0][1] * y[0][1],
            x[4],
        ]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.5, -3.0, 0.5, 4.0], &[[0.3, 0.4], [0.5, 0.6]]);
}

#[test]
fn the_front_of_iterators_that_are_too_long() {
    #[jacobian]
    fn f(x: f64) -> [f64; 3] {
        let is_any = (0..u64::MAX).filter(|i| i % 10 == 7).any(|i| i > 20);
        let first: f64 = (0..u64::MAX).filter(|i| i % 10 == 7).take(3).map(|i| x * i as f64).sum();
        let last: f64 = (0..=u64::MAX).rev().take(2).map(|i| x * (i % 10) as f64).sum();
        [first, last, if is_any { x } else { 0.0 }]
    }
    let (value, jacobian) = f_jac(2.0);
    assert_eq!(value, f(2.0));
    assert_eq!(jacobian, [[51.0], [9.0], [1.0]]);
}

#[test]
fn iterators_in_variables() {
    #[jacobian]
    fn f(x: [f64; 3]) -> f64 {
        let range = 0..x.len();
        let squares = x.iter().map(|v| v * v);
        let later = squares.clone().rev();
        let mut s = 0.0;
        for (i, v) in range.clone().zip(squares) {
            s += v * i as f64;
        }
        for (i, v) in range.zip(later) {
            s *= v + i as f64;
        }
        s
    }
    #[jacobian]
    fn twin(x: [f64; 3]) -> f64 {
        let (a, b, c) = (x[0] * x[0], x[1] * x[1], x[2] * x[2]);
        let s = 0.0 + a * 0.0 + b * 1.0 + c * 2.0;
        s * (c + 0.0) * (b + 1.0) * (a + 2.0)
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.5, -3.0]);
}

#[test]
fn passive_chains() {
    #[jacobian(wrt(x))]
    fn f(x: f64, w: &[f64; 3], list: &[f64], n: usize) -> f64 {
        let total: f64 = w.iter().sum();
        let largest = w.iter().copied().fold(0.0, f64::max);
        let by_n: f64 = list[..n].iter().sum();
        let last = w.iter().rev().take(2).next_back().copied().unwrap_or_default();
        let numbers: usize = (1..4).sum();
        let product = (1..=4_u32).product::<u32>();
        let odd = (0..10).filter(|i| i % 2 == 1).map(|i| i * i).sum::<i32>();
        let scaled = w.map(|v| v * n as f64);
        let dot = w.iter().zip(list).count() as f64;
        let all = w.iter().zip(scaled).map(|(a, b)| a * b + x).sum::<f64>();
        let both = (0..3).all(|i| i < 3) && !(0..3).any(|i| i == 3) && (1..5).contains(&2);
        x * total * largest + x * by_n + last * x + x * (numbers + n) as f64 + all + x * dot
            - x * product as f64
            - x * odd as f64
            + if both { x } else { 0.0 }
    }
    let (w, list) = ([0.5, 1.5, 0.25], [3.0, 4.0, 5.0]);
    let slope = 2.25 * 1.5 + 7.0 + 1.5 + 8.0 + 3.0 - 24.0 - 165.0 + 3.0 + 1.0;
    check(f(2.0, &w, &list, 2), f_jac(2.0, &w, &list, 2), &[slope]);
}

#[test]
fn from_behind_where_the_front_is_skipped_or_has_no_partner() {
    #[jacobian]
    #[allow(clippy::iter_out_of_bounds)]
    fn f(x: [f64; 4], y: &[f64; 3]) -> [f64; 4] {
        [
            x.iter().skip(2).rev().fold(0.0, |a, v| a * 0.5 + v),
            x.iter().skip(5).rev().fold(y[0], |a, v| a * 0.5 + v),
            y.iter().zip(x).rev().fold(0.0, |a, (v, w)| a * 0.5 + v * w),
            x.iter().zip(y.iter().take(2)).rev().fold(0.0, |a, (v, w)| a * 0.5 + v * w),
        ]
    }
    #[jacobian]
    fn twin(x: [f64; 4], y: &[f64; 3]) -> [f64; 4] {
        [
            (0.0 * 0.5 + x[3]) * 0.5 + x[2],
            y[0],
            ((0.0 * 0.5 + y[2] * x[2]) * 0.5 + y[1] * x[1]) * 0.5 + y[0] * x[0],
            (0.0 * 0.5 + x[1] * y[1]) * 0.5 + x[0] * y[0],
        ]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.5, -3.0, 0.5], &[0.3, 0.4, 0.5]);
}

#[test]
fn a_zip_with_what_has_no_end() {
    #[jacobian]
    fn f(x: [f64; 3]) -> f64 {
        x.iter().zip((0..).map(|i| i as f64 + x[0])).map(|(v, w)| v * w).sum()
    }
    #[jacobian]
    fn twin(x: [f64; 3]) -> f64 {
        x[0] * (0.0 + x[0]) + x[1] * (1.0 + x[0]) + x[2] * (2.0 + x[0])
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.5, -3.0]);
}

/// Items that are taken off one by one, from both ends.
#[test]
fn items_that_are_taken_off() {
    #[jacobian]
    #[allow(
        clippy::iter_nth,
        clippy::iter_nth_zero,
        clippy::iter_skip_next,
        clippy::double_ended_iterator_last,
        clippy::get_first
    )]
    fn f(x: [f64; 4]) -> [f64; 6] {
        let mut rest = x.iter();
        let (a, b) = (rest.next().unwrap(), rest.next().unwrap());
        let left = a * b + rest.sum::<f64>();

        let mut differences = x.windows(2).map(|pair| pair[1] - pair[0]);
        let first = differences.next().unwrap();
        let both = first * differences.next_back().unwrap();

        let mut squares = x.into_iter().map(|v| v * v);
        let mut greatest = squares.next_back().unwrap_or_default();
        for v in squares {
            if v > greatest {
                greatest = v;
            }
        }

        let mut twos = x.iter();
        let mut twice = || twos.next().map_or(-1.0, |v| 2.0 * v);
        let called = twice() * twice();

        let mut skipping = x.iter();
        let (one, three) = (skipping.nth(1).unwrap(), skipping.nth(1).copied().unwrap());
        let (none, far) = (skipping.next().is_none(), skipping.nth(7).map_or(1.0, |v| v * 3.0));
        let skipped = if none { one * three * far } else { *one };

        let (mut few, mut total) = (x[..2].iter(), 0.0);
        for k in 0..3 {
            total += few.next().copied().unwrap_or(x[3]) * k as f64;
        }
        let skipped = skipped + total + x.iter().nth(9).copied().unwrap_or(2.0);

        let last =
            x.iter().last().unwrap() * x.iter().rev().skip(1).next().unwrap() + x.chunks_exact(2).nth(1).unwrap()[0];
        [left, both, greatest, called, skipped, last]
    }
    #[jacobian]
    fn twin(x: [f64; 4]) -> [f64; 6] {
        let mut greatest = x[3] * x[3];
        for v in &x[..3] {
            if v * v > greatest {
                greatest = v * v;
            }
        }
        [
            x[0] * x[1] + (x[2] + x[3]),
            (x[1] - x[0]) * (x[3] - x[2]),
            greatest,
            2.0 * x[0] * (2.0 * x[1]),
            x[1] * x[3] + (0.0 * x[0] + x[1] * 1.0 + x[3] * 2.0) + 2.0,
            x[3] * x[2] + x[2],
        ]
    }
    for x in [[1.5, 2.0, -3.0, 0.25], [0.3, -0.2, 0.1, 7.0]] {
        twins!(f, f_jac, twin, twin_jac, x);
    }
}

#[test]
fn zip_by_its_path() {
    use std::iter;

    #[jacobian]
    fn f(a: [f64; 3], b: &[f64; 3]) -> f64 {
        use core::iter::zip;
        let mut sum = 0.0;
        for (x, y) in std::iter::zip(&a, b) {
            sum += x * y;
        }
        sum + iter::zip(a, b).map(|(x, y)| x * y * y).sum::<f64>()
            * zip(a, 1..4).map(|(x, n)| x * f64::from(n)).sum::<f64>()
    }
    #[jacobian(wrt(x))]
    fn over_data(x: f64, a: &[f64], b: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (p, q) in iter::zip(a, b) {
            sum += p * q * x;
        }
        sum
    }
    crate::differences(
        |[a, b, c, d, e, g]| f([a, b, c], &[d, e, g]),
        |[a, b, c, d, e, g]| f_jac([a, b, c], &[d, e, g]),
        [0.5, 0.2, -0.4, 0.7, 1.1, 0.3],
    );
    let (a, b) = ([0.5, 0.25], [2.0, 3.0, 4.0]);
    crate::differences(|[x]| over_data(x, &a, &b), |[x]| over_data_jac(x, &a, &b), [0.7]);
}
