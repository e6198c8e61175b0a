//! Passive values whose types only their declarations tell: slices of several lengths, trait objects, references that
//! are chosen among others.

#![allow(clippy::needless_late_init, clippy::redundant_slicing, reason = "as users write it")]

use std::rc::Rc;

use jacobian::jacobian;

use crate::differences;

macro_rules! check {
    ($($f:ident, $jac:ident);+ $(;)?) => { $(
        for x in [0.3, 0.8, 1.6] {
            for n in 0..4 {
                differences(|[x]| $f(x, n), |[x]| $jac(x, n), [x]);
            }
        }
    )+ };
}

trait Law {
    fn force(&self, x: f64) -> f64;
}

struct Unit;

impl Law for Unit {
    fn force(&self, x: f64) -> f64 {
        x
    }
}

struct Spring(f64);

impl Law for Spring {
    fn force(&self, x: f64) -> f64 {
        x * self.0
    }
}

#[test]
fn trait_objects() {
    #[jacobian(wrt(x))]
    fn boxed(x: f64, n: usize) -> f64 {
        let law: Box<dyn Law> = if n > 1 { Box::new(Unit) } else { Box::new(Spring(3.0)) };
        let other: Rc<dyn Law> = match n {
            0 => Rc::new(Unit),
            _ => Rc::new(Spring(n as f64)),
        };
        let perhaps: Option<Box<dyn Law>> = if x > 1.0 { Some(Box::new(Unit)) } else { None };
        law.force(2.0) * x * other.force(1.5) * perhaps.map_or(1.0, |law| law.force(2.0))
    }
    #[jacobian(wrt(x))]
    fn referred_to(x: f64, n: usize) -> f64 {
        let law: &dyn Law = if x > 1.0 { &Unit } else { &Spring(2.0) };
        let count: Box<dyn Fn(usize) -> usize> = if n > 1 { Box::new(|k| k + 1) } else { Box::new(move |k| k * n) };
        law.force(2.0) * x + count(3) as f64 * x
    }
    check!(boxed, boxed_jac; referred_to, referred_to_jac);
}

#[test]
fn slices_of_several_lengths() {
    #[jacobian(wrt(x))]
    fn chosen(x: f64, n: usize) -> f64 {
        let first: &[f64] = if n > 1 { &[1.0] } else { &[1.0, 2.0] };
        let second: &[f64] = match n {
            0 => &[],
            1 => &[1.0],
            _ => &[2.0, 3.0],
        };
        let third: &[f64] = if n > 1 { if x > 1.0 { &[4.0] } else { &[1.0, 2.0] } } else { &[1.0, 2.0, 3.0] };
        let fourth: &[f64] = if n > 1 { &[7.0][..] } else { &[1.0, 2.0] };
        third.iter().map(|v| v * x).sum::<f64>() * first.len() as f64 + second.len() as f64 * x * fourth[0]
    }
    #[jacobian(wrt(x))]
    fn assigned(x: f64, n: usize) -> f64 {
        let mut first: &[f64] = &[1.0];
        if n > 1 {
            first = &[1.0, 2.0];
        }
        let second: &[f64];
        if x > 1.0 {
            second = &[1.0, 2.0];
        } else {
            second = &[3.0];
        }
        let third: &[f64] = 'a: {
            if n > 2 {
                break 'a &[1.0];
            }
            &[1.0, 2.0]
        };
        (first.len() + third.len()) as f64 * x * second[0]
    }
    check!(chosen, chosen_jac; assigned, assigned_jac);
}

#[test]
fn the_nearest_of_the_data() {
    #[jacobian(wrt(x))]
    fn value(x: f64, data: &[f64]) -> f64 {
        let nearest = data.iter().min_by(|a, b| (*a - x).abs().total_cmp(&(*b - x).abs()));
        let other = data.iter().copied().reduce(|a, b| if (a - x).abs() < (b - x).abs() { a } else { b });
        let greatest = match data.iter().filter(|d| **d > x).max_by(|a, b| (**a * x).total_cmp(&(**b * x))) {
            Some(v) => v * x,
            None => x,
        };
        nearest.copied().unwrap_or(0.0) * x + other.unwrap_or(2.0) * greatest
    }
    #[jacobian(wrt(x))]
    fn with_its_number(x: f64, data: &[f64]) -> f64 {
        let pair = data.iter().enumerate().min_by(|a, b| (a.1 - x).abs().total_cmp(&(b.1 - x).abs()));
        let i = (0..data.len()).min_by(|a, b| (data[*a] - x).abs().total_cmp(&(data[*b] - x).abs())).unwrap_or(0);
        x * pair.map_or(0, |pair| pair.0) as f64 + data.get(i).map_or(x, |v| v * x)
    }
    #[jacobian(wrt(x))]
    fn of_pairs(x: f64, data: &[(f64, f64)]) -> f64 {
        let nearest = data.iter().min_by(|a, b| (a.0 - x).abs().total_cmp(&(b.0 - x).abs()));
        let copied = data.iter().copied().min_by(|a, b| (a.0 - x).abs().total_cmp(&(b.0 - x).abs()));
        let Some((knot, value)) = copied else { return x };
        nearest.map_or(0.0, |pair| pair.1 * x) + (x - knot) * value
    }
    #[jacobian(wrt(x))]
    fn in_a_loop(x: f64, data: &[f64]) -> f64 {
        let mut best = &1.0;
        for d in data {
            if (d - x).abs() < (best - x).abs() {
                best = d;
            }
        }
        best * x
    }
    let (data, pairs) = ([0.5, 2.0, 0.9, 1.4], [(0.5, 1.0), (2.0, 3.0), (0.9, 7.0)]);
    for x in [0.3, 0.8, 1.6] {
        for data in [&data[..], &data[1..2], &[]] {
            differences(|[x]| value(x, data), |[x]| value_jac(x, data), [x]);
            differences(|[x]| with_its_number(x, data), |[x]| with_its_number_jac(x, data), [x]);
            differences(|[x]| in_a_loop(x, data), |[x]| in_a_loop_jac(x, data), [x]);
        }
        for pairs in [&pairs[..], &[]] {
            differences(|[x]| of_pairs(x, pairs), |[x]| of_pairs_jac(x, pairs), [x]);
        }
    }
}
