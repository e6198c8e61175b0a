//! Chains of iterators over run-time data: what is called for an item, in which order, and where the data are.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jacobian::jacobian;

use crate::{bits, differences};

const DATA: [f64; 5] = [0.5, -1.25, 2.0, 0.75, -0.1];

thread_local!(static LOG: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) });

fn log(value: f64) -> f64 {
    LOG.with(|log| log.borrow_mut().push(value));
    value
}

/// What is logged, and the result, or with what it panics.
fn logged<T>(run: impl FnOnce() -> T) -> (Vec<f64>, Result<T, String>) {
    LOG.with(|log| log.borrow_mut().clear());
    let result = catch_unwind(AssertUnwindSafe(run));
    let result = result.map_err(|error| match error.downcast::<String>() {
        Ok(text) => *text,
        Err(error) => (*error.downcast::<&str>().expect("a text")).to_string(),
    });
    (LOG.with(|log| log.borrow().clone()), result)
}

#[test]
fn closures_are_called_for_the_same_items_in_the_same_order() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let scaled = data.iter().map(|v| log(*v) * x);
        let positive = scaled.filter(|v| {
            log(7.0);
            *v > 0.0
        });
        let squared = positive.map(|v| {
            log(8.0);
            v * v
        });
        log(100.0);
        squared.take_while(|v| log(9.0) > 0.0 && *v < 3.0).fold(log(5.0), |a, b| {
            log(6.0);
            a + b
        })
    }
    #[jacobian(wrt(x))]
    fn backwards(x: f64, data: &[f64], n: usize) -> f64 {
        data.iter().map(|v| log(*v) * x).rev().take(n).enumerate().map(|(i, v)| log(i as f64) * v).sum()
    }
    for x in [1.3, 0.2, -2.0] {
        assert_eq!(logged(|| f(x, &DATA)), logged(|| f_jac(x, &DATA).0));
        for n in [0, 1, 3, 9] {
            assert_eq!(logged(|| backwards(x, &DATA, n)), logged(|| backwards_jac(x, &DATA, n).0));
        }
    }
}

#[test]
fn panics_come_in_their_turn() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], table: &[f64]) -> f64 {
        let terms = data.iter().enumerate().map(|(i, v)| {
            assert!(*v < 5.0, "value {v}");
            table[i] * v * x
        });
        terms.sum()
    }
    let cases: [(&[f64], &[f64]); 4] = [
        (&[1.0, 6.0, 2.0], &[1.0, 2.0, 3.0]),
        (&[1.0, 2.0, 6.0], &[1.0, 2.0]),
        (&[1.0, 2.0, 6.0], &[1.0]),
        (&[1.0, 2.0], &[1.0, 2.0]),
    ];
    for (data, table) in cases {
        assert_eq!(logged(|| f(1.5, data, table)), logged(|| f_jac(1.5, data, table).0));
    }
}

struct Sample {
    t: f64,
    y: f64,
    tags: Vec<usize>,
}

struct Model {
    data: Vec<Sample>,
    cell: RefCell<Vec<f64>>,
    rows: Vec<Vec<f64>>,
}

impl Model {
    #[jacobian(wrt(p))]
    fn cost(&self, p: [f64; 3]) -> [f64; 6] {
        let borrowed = self.cell.borrow().iter().map(|v| v * p[0]).sum::<f64>();
        let of_rows = |k: f64| self.rows.iter().map(|row| row.iter().map(|v| v * k).sum::<f64>().sin()).sum::<f64>();
        [
            self.data.iter().map(|Sample { t, y, .. }| (t * p[0] - y).powi(2)).sum(),
            borrowed,
            of_rows(p[1]) * p[2],
            self.rows.iter().flat_map(|row| row.iter().map(|v| v + p[2])).product(),
            self.data.iter().map(|s| p[s.tags[0] % 3] * s.t).sum(),
            self.data.iter().map(|s| s.tags.iter().map(|&k| k as f64 * p[1]).sum::<f64>() * s.tags.len() as f64).sum(),
        ]
    }
}

#[test]
fn data_of_the_user() {
    let sample = |i: usize| Sample { t: i as f64 * 0.3, y: 1.0 / (i + 1) as f64, tags: vec![i, i + 1] };
    let model = Model {
        data: (0..4).map(sample).collect(),
        cell: RefCell::new(vec![1.0, 2.0]),
        rows: vec![vec![1.0, 0.5], vec![], vec![2.0]],
    };
    differences(|p| model.cost(p), |p| model.cost_jac(p), [1.2, 0.7, -0.3]);
}

#[test]
fn variables_that_closures_change() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64], list: Vec<String>) -> [f64; 5] {
        let (mut s, mut k) = (x[0], 0);
        let total: f64 = data
            .iter()
            .map(|v| {
                s += v * x[1];
                k += 1;
                s * k as f64
            })
            .sum();
        let lengths = list.into_iter().map(|text| text.len() as f64 * x[0]).fold(x[1], |a, b| a * 0.5 + b);
        let (sum, seen) = data
            .iter()
            .fold((0.0, false), |(sum, seen), v| (if seen { sum + v * x[0] } else { sum }, seen || v * x[0] > 0.4));
        let seen = if seen { sum } else { x[1] };
        let mut last = data.to_vec();
        let drained = last.drain(1..).map(|v| v * x[0]).sum::<f64>() * last.len() as f64;
        [total, s * k as f64, lengths, seen, drained]
    }
    let list = || vec!["a".to_string(), "bcd".to_string()];
    for x in [[1.2, 0.7], [-0.4, 2.0]] {
        differences(|x| f(x, &DATA, list()), |x| f_jac(x, &DATA, list()), x);
    }
}

#[test]
fn names_that_the_expansion_might_use() {
    #[jacobian(wrt(item))]
    fn f(item: [f64; 1], value: &[f64], folded: f64) -> f64 {
        let items = 2.0;
        let sum = value.iter().map(|v| v * item[0] * items * folded).sum::<f64>();
        let count = value.iter().filter(|sum| **sum > item[0]).count();
        value.iter().fold(sum, |fold, item_1| fold + item_1 * item[0] * count as f64)
    }
    differences(|x| f(x, &DATA, 0.3), |x| f_jac(x, &DATA, 0.3), [0.6]);
}

#[test]
fn single_precision_and_helpers() {
    #[jacobian(wrt(x))]
    fn single(x: f32, data: &[f32]) -> f32 {
        data.iter().map(|v| v * x).sum::<f32>() + data.iter().fold(0.0, |a, v| a + (v * x).sin())
    }
    let data = [0.1, 0.7, -3.0];
    assert_eq!(bits(&single(1.5, &data)), bits(&single_jac(1.5, &data).0));

    differences(|p| helpers::cost(p, &DATA), |p| helpers::cost_jac(p, &DATA), [1.2, 0.3]);
}

#[jacobian]
mod helpers {
    const K: f64 = 2.0;

    fn model(p: [f64; 2], t: f64) -> f64 {
        p[0] * (-p[1] * t).exp() * K
    }

    fn total(p: [f64; 2], data: &[f64]) -> f64 {
        data.iter().map(|&t| model(p, t)).map(square).sum()
    }

    fn square(x: f64) -> f64 {
        x * x
    }

    fn each(data: &[f64], mut f: impl FnMut(f64)) {
        data.iter().for_each(|v| f(*v));
    }

    #[jacobian(wrt(p))]
    pub fn cost(p: [f64; 2], data: &[f64]) -> f64 {
        let mut s = 0.0;
        each(data, |v| s += v * p[0]);
        total(p, data) * total([p[1], p[0]], &data[1..]) + s
    }
}

#[test]
fn long_chains_of_known_length_are_loops() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        (0..30_000).map(|i| (x * i as f64).sin()).sum::<f64>()
    }
    #[jacobian(unroll = "never")]
    fn short(x: f64) -> f64 {
        (0..3).map(|i| x.powi(i)).fold(x, |a, b| a * b)
    }
    let (value, derivative) = f_jac(1.3e-4);
    assert_eq!(value.to_bits(), f(1.3e-4).to_bits());
    let expected: f64 = (0..30_000).map(f64::from).map(|i| i * (1.3e-4 * i).cos()).sum();
    approx::assert_relative_eq!(derivative[0], expected, max_relative = 1e-12);
    differences(|[x]: [f64; 1]| short(x), |[x]: [f64; 1]| short_jac(x), [1.7]);
}

#[jacobian]
mod parts_of_calls {
    use super::log;

    fn pair() -> ([f64; 2], f64) {
        ([log(0.5), 1.5], 0.5)
    }

    #[jacobian]
    pub fn items(x: f64, n: usize) -> f64 {
        let mut sum = pair().0.iter().map(|e| e * x).sum::<f64>();
        for e in &pair().0 {
            sum += e * x * x;
        }
        sum + pair().0.windows(2).map(|w| w[0] * x + w[n % 2]).sum::<f64>()
    }
}

#[test]
fn a_call_whose_parts_are_items_is_made_once() {
    use parts_of_calls::*;
    let (made, value) = logged(|| items(0.7, 1));
    let (own, result) = logged(|| items_jac(0.7, 1));
    assert_eq!(made, own);
    assert_eq!(value.unwrap().to_bits(), result.unwrap().0.to_bits());
    differences(|[x]| items(x, 1), |[x]| items_jac(x, 1), [0.7]);
}
