//! What iterators give that may be missing: `reduce`, `min_by`, `max_by`; and items that may be: `filter_map`, `map_while`.

#![allow(clippy::manual_map, clippy::filter_map_bool_then, reason = "what is given to `filter_map` is what is tried")]

use jacobian::jacobian;

use crate::differences;

#[jacobian]
fn of_arrays(x: [f64; 4], y: f64) -> f64 {
    let largest = x.iter().copied().reduce(f64::max).unwrap();
    let nested = x.into_iter().reduce(|a, b| a * y + b).unwrap();
    let by_order = x.iter().max_by(|a, b| a.total_cmp(b)).unwrap();
    let by_size = x.iter().copied().min_by(|a, b| a.abs().partial_cmp(&b.abs()).unwrap()).unwrap_or(0.0);
    let least = x.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).map_or(y, |v| v * y);
    let pair = x.map(|v| (v, v * y)).into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let none = x[..0].iter().copied().reduce(f64::min);
    least + largest + nested + by_order * by_size + pair.0 * pair.1 + none.unwrap_or(y)
}

#[jacobian(wrt(x))]
fn of_the_run_time(x: f64, data: &[f64]) -> f64 {
    let largest = data.iter().map(|d| d * x).reduce(f64::max).unwrap_or(1.0);
    let Some((near, at)) = data.iter().map(|d| (x - d, d * x)).min_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) else {
        return x * largest;
    };
    let passive = data.iter().copied().reduce(|a, b| a + x * b).unwrap();
    largest * near + at * passive
}

/// The first of equal items is the least one, the last of them the greatest.
#[jacobian(wrt(x))]
fn of_equal_items(x: f64, data: &[f64]) -> f64 {
    let pairs = || data.iter().map(|d| (d.floor() * x, d * x));
    let least = pairs().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |pair| pair.1);
    let greatest = pairs().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |pair| pair.1);
    least - 3.0 * greatest
}

#[jacobian]
mod chosen {
    fn root(x: f64) -> Option<f64> {
        if x < 0.0 {
            return None;
        }
        Some(x.sqrt())
    }

    #[jacobian(wrt(x))]
    pub fn of_the_run_time(x: f64, data: &[f64], table: &[Option<f64>]) -> f64 {
        let sum = data.iter().filter_map(|d| root(x - d)).sum::<f64>();
        let until = data.iter().map_while(|d| root(x + d)).fold(0.0, |s, v| s + v * x);
        let mut last = x;
        for v in table.iter().filter_map(|entry| match entry {
            Some(v) => Some(v * x),
            None => None,
        }) {
            if v > 9.0 {
                break;
            }
            last = last * v + 0.5;
        }
        let known: f64 = (0..4).filter_map(|i| (i % 2 == 0).then(|| x.powi(i))).sum();
        sum * until + last * known
    }
}

#[test]
fn reduced() {
    for y in [-0.4, 0.3, 1.7] {
        for x in [[0.5, 0.4, 1.3, 0.2], [-3.0, 1.0, 2.0, -5.0]] {
            let x = [x[0], x[1], x[2], x[3], y];
            differences(
                |[a, b, c, d, y]| of_arrays([a, b, c, d], y),
                |[a, b, c, d, y]| of_arrays_jac([a, b, c, d], y),
                x,
            );
        }
    }
    for data in [&[][..], &[0.5], &[2.25, -1.0, 1.25, 2.75, 4.0], &[-2.0, 1.5, -0.25, 1.25]] {
        for x in [-1.3, 0.3, 0.9, 2.2] {
            differences(|[x]| of_the_run_time(x, data), |[x]| of_the_run_time_jac(x, data), [x]);
            differences(|[x]| of_equal_items(x, data), |[x]| of_equal_items_jac(x, data), [x]);
        }
    }
}

#[test]
fn chosen_items() {
    for data in [&[][..], &[0.5], &[2.25, -1.0, 1.25, 2.75, 4.0], &[-2.0, 1.5, -0.25, 1.25]] {
        for table in [&[][..], &[None], &[Some(1.5), None, Some(-0.5)], &[Some(2.0), Some(20.0), Some(1.0)]] {
            for x in [0.3, 0.9, 2.2] {
                let f = |[x]: [f64; 1]| chosen::of_the_run_time(x, data, table);
                differences(f, |[x]| chosen::of_the_run_time_jac(x, data, table), [x]);
            }
        }
    }
}

fn table() -> Vec<f64> {
    vec![-1.5, 0.2, 1.0]
}

#[jacobian(wrt(x))]
fn of_temporary(x: [f64; 3], n: usize) -> f64 {
    table().iter().map(|&e| e + 1.0).fold(x[n % 3], f64::max) * table().iter().fold(x[(n + 1) % 3], |a, b| a * b + 1.0)
}

#[test]
fn what_is_borrowed_lives_as_long() {
    for n in 0..3 {
        differences(|x| of_temporary(x, n), |x| of_temporary_jac(x, n), [0.7, 2.4, -0.3]);
    }
}
