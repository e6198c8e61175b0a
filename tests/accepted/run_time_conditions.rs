//! Iterators whose items are known one by one, and whose conditions are not: they stay iterators in the generated code,
//! as the user wrote them where nothing in them is active, and as run-time loops where something is.

#![allow(clippy::skip_while_next, clippy::double_ended_iterator_last, reason = "as users write it")]

use jacobian::jacobian;

use crate::differences;

/// Which numbers a range has that fit `n`.
#[jacobian(wrt(x))]
fn picked(x: f64, n: usize) -> f64 {
    let k = (0..5).filter(|i| *i > n).count();
    let m = (0..5).map(|i| (i + n) % 3).max().unwrap();
    let is_below = (0..5).all(|i| i < n);
    let first = (0..7).find(|&i| i * i > n);
    let least = (0..7).min_by(|a, b| (a + n).cmp(&(b * 3))).unwrap();
    let doubled = (0..7).map(|i| 2 * i).rev().filter(|&i| i < n).map(|i| i as f64).sum::<f64>();
    let later = (0..4).skip_while(|i| *i < n).next().unwrap_or(0);
    let at = (0..5).position(|i| i == n).unwrap_or(7);
    let s = if (0..5).any(|i| i == n) { x * x } else { x };
    let t = if is_below { x } else { 1.0 };
    s * k as f64
        + t * m as f64
        + first.map_or(0.0, |f| f as f64) * x
        + (least + later) as f64 * x
        + doubled * x
        + at as f64
}

/// What a loop or a closure does for them.
#[jacobian(wrt(x, a))]
fn chosen(x: f64, a: [f64; 5], n: usize) -> f64 {
    let mut s = 0.0;
    for i in (0..5).filter(|&i| i != n) {
        s += a[i] * x;
    }
    for (k, i) in (0..9).step_by(2).take_while(|i| *i < 2 * n).enumerate() {
        s += a[k] * i as f64;
    }
    s += (0..5).filter(|&i| i > n).map(|i| a[i] * a[i]).sum::<f64>();
    s * (0..5).filter(|&i| i % 2 == 0 && i > n).fold(x, |s, i| s * a[i])
}

/// Conditions on active values, and on passive ones in an array.
#[jacobian(wrt(x, a))]
fn asked(x: f64, a: [f64; 5], low: f64, high: f64, n: usize) -> f64 {
    let limits = [low, high, low * high];
    let mut s = if limits.iter().all(|l| *l > 0.0) { 2.0 } else { 3.0 };
    if a.iter().any(|v| *v > x) {
        s += x;
    }
    if a.iter().enumerate().all(|(i, v)| i > n || *v > x) {
        s *= x * x;
    }
    s * a[0]
}

/// An iterator in a variable, and closures with effects.
#[jacobian(wrt(x))]
fn kept(x: f64, n: usize) -> f64 {
    let items = (0..6).filter(|i| i % 2 == 0).map(|i| i + n).filter(|i| *i > 3);
    let count = items.clone().count();
    let last = items.last().unwrap_or(1);
    let mut calls = 0;
    let k = (0..5)
        .filter(|i| {
            calls += 1;
            *i > n
        })
        .count();
    let mut hits = 0;
    (0..5).take_while(|i| *i < n).for_each(|i| hits += i);
    x.powi(2) * (count * 7 + last * 5 + k * 3 + calls + hits) as f64
}

#[test]
fn conditions_of_the_run_time_choose_known_items() {
    for n in 0..7 {
        differences(|[x]| picked(x, n), |[x]| picked_jac(x, n), [0.7]);
        differences(|[x]| kept(x, n), |[x]| kept_jac(x, n), [0.7]);
    }
    let a = [0.3, -0.8, 1.2, 0.5, 0.9];
    let at = [0.6, a[0], a[1], a[2], a[3], a[4]];
    for n in 0..5 {
        let split = |[x, a @ ..]: [f64; 6]| (x, a);
        differences(|x| chosen(split(x).0, split(x).1, n), |x| chosen_jac(split(x).0, split(x).1, n), at);
        for (low, high) in [(1.0, 2.0), (-1.0, 2.0), (-1.0, -2.0)] {
            let f = |x| asked(split(x).0, split(x).1, low, high, n);
            let jac = |x| asked_jac(split(x).0, split(x).1, low, high, n);
            differences(f, jac, at);
            differences(f, jac, [-1.0, 0.3, 0.8, 1.2, 0.5, 0.9]);
            differences(f, jac, [2.0, 0.3, 0.8, 1.2, 0.5, 0.9]);
        }
    }
}
