#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_must_use, unused_labels)]

use jacobian::jacobian;

#[jacobian]
fn methods(x: [f64; 3]) -> f64 {
    let list: Vec<f64> = x.iter().copied().collect();
    let least = x.iter().copied().min_by_key(|v| v.to_bits());
    let reduced = x.iter().try_fold(0.0, |s, v| Some(s + v));
    let first = x.iter().next();
    let skipped = x.iter().skip_while(|v| true).count();
    let taken: f64 = x.iter().map(|v| v * v).take_while(|v| *v > 0.0).sum();
    let place = x.iter().position(|v| true);
    x[0]
}

#[jacobian]
fn conditions(x: [f64; 3], n: usize) -> f64 {
    let positive: f64 = x.iter().filter(|v| **v > 0.0).sum();
    let chosen: f64 = x.iter().enumerate().filter(|(i, _)| *i < n).map(|(_, v)| v).sum();
    positive
}

#[jacobian]
fn unknown_items(x: [f64; 3], list: &[usize], n: usize) -> f64 {
    let of_others: f64 = list.iter().zip(x.iter().map(|v| v * v)).map(|(w, v)| v * *w as f64).sum();
    let a: f64 = x.iter().map(|v| v * v).zip(list).map(|(v, w)| v * *w as f64).sum();
    let d: f64 = x.iter().map(|v| v * v).take(n).sum();
    let e: f64 = if x[..n].starts_with(&[1.0]) { 1.0 } else { 0.0 };
    let f: f64 = x.windows(n).map(|w| w[0]).sum();
    let g: f64 = (0..2).flat_map(|i| list[i..].iter()).map(|v| x[0] * *v as f64).sum();
    for v in [list, list].into_iter().flatten() {}
    a
}

#[jacobian]
fn lengths(x: [f64; 3]) -> [f64; 2] {
    let a = x.iter().map(|v| v * v).zip([1.0, 2.0]).map(|(v, w)| v * w).sum();
    let b = x.iter().step_by(0).sum();
    let c = norm(core::array::from_fn(|i| x[i]));
    let d = missing(x.iter().skip(3).sum());
    let e: f64 = (0..100).map(|i| x[i]).sum();
    let f = x[1..5][0];
    [a, b]
}

#[jacobian]
fn closures(x: [f64; 3]) -> f64 {
    let a: f64 = x.iter().map(|v| v.next_up()).sum();
    let b = x.into_iter().map(f64::to_bits).sum::<u64>();
    let c: f64 = x.iter().copied().map(missing).sum();
    let d = x.iter().copied().map(missing as fn(f64) -> f64).sum::<f64>();
    a
}

#[jacobian]
fn too_long(x: f64) -> f64 {
    let far = (0..).map(|i| x * i as f64).sum::<f64>();
    far
}

#[jacobian]
fn changes(x: [f64; 3], n: usize) -> f64 {
    let mut a = x;
    a.swap(0, 3);
    a.copy_from_slice(&x[1..]);
    a.iter_mut().map(|v| *v);
    a[1..n].fill(0.0);
    a[..4].fill(0.0);
    a.sort_by(f64::total_cmp);
    a[0]
}

#[jacobian]
fn advanced_elsewhere(x: [f64; 3]) -> f64 {
    let mut it = x.iter();
    let first: f64 = (&mut it).take(2).sum();
    let advance = |items: &mut core::slice::Iter<f64>| *items.next().unwrap();
    let second = advance(&mut it);
    let mut owned = x.into_iter();
    let mut next = move || owned.next().unwrap();
    first * second * next() * next()
}

fn norm(x: [f64; 3]) -> f64 {
    x[0]
}

fn missing(x: f64) -> f64 {
    x
}

/// What asks some of the items takes them off, as many as are known at run time only.
#[jacobian]
fn asked_in_part(x: [f64; 3]) -> f64 {
    let (mut it, mut others, mut numbered) = (x.iter(), x.iter(), x.iter().enumerate());
    let is_large = it.any(|v| *v > 1.0);
    let are_large = others.all(|v| *v > 1.0);
    let found = numbered.find(|(_, v)| **v > 1.0);
    it.sum::<f64>() + others.sum::<f64>() + numbered.map(|(_, v)| v).sum::<f64>()
}

fn main() {
    let (_, [_, _, _]) = methods_jac([1.0; 3]);
    let (_, [_, _, _]) = conditions_jac([1.0; 3], 2);
    let (_, [_, _, _]) = unknown_items_jac([1.0; 3], &[1], 2);
    let (_, [[_, _, _], [_, _, _]]) = lengths_jac([1.0; 3]);
    let (_, [_, _, _]) = closures_jac([1.0; 3]);
    let (_, [_]) = too_long_jac(1.0);
    let (_, [_, _, _]) = changes_jac([1.0; 3], 2);
}

#[jacobian(wrt(x))]
fn of_run_time(x: [f64; 3], data: &[f64], rows: &[Vec<f64>], n: usize) -> f64 {
    let largest = data.iter().map(|v| v * x[0]).max_by_key(|v| v.to_bits());
    let last = data.iter().map(|v| v * x[0]).last();
    let positive: f64 = x.iter().filter_map(|v| (*v > 0.0).then(|| v * x[0])).sum();
    let running: f64 = data.iter().scan(0.0, |sum, v| { *sum += v * x[0]; Some(*sum) }).sum();
    let largest = maximum(data).map(|v| v * x[0]);
    let first = largest.unwrap_or(0.0);
    let chained: f64 = data.iter().map(|v| v * x[0]).chain(x).sum();
    let both: f64 = data.iter().map(|v| v * x[0]).chain(data.iter().map(|v| v * x[1])).sum();
    let indexed: f64 = (0..n).map(|i| data[i] * x[0]).skip(1).sum();
    let chosen: f64 = (0..n).map(|i| x[i % 3]).zip(data).map(|(x, v)| v * x).sum();
    let counted: f64 = data.iter().map(|v| v * x[0]).filter(|v| *v > 1.0).enumerate().map(|(i, v)| v * i as f64).sum();
    let taken: f64 = data.iter().map(|v| v * x[0]).filter(|v| *v > 1.0).take(n).sum();
    let nested: f64 = rows.iter().flat_map(|row| row.iter().map(|v| v * x[0])).zip(data).map(|(a, b)| a * b).sum();
    let ended: f64 = rows.iter().flat_map(|row| row.iter().map(|v| v * x[0])).take_while(|v| *v < 1.0).sum();
    let mut calls = 0.0;
    let called: f64 = data.iter().map(|v| { calls += x[0]; v * calls }).zip(data).map(|(a, b)| a * b).sum();
    let unknown: f64 = data.iter().map(|v| missing(*v) * x[0]).skip(1).sum();
    let cut: f64 = data.iter().map(|v| missing(*v) * x[0]).take(n).rev().sum();
    let untold = missing(data.iter().map(|v| v * x[0]).sum());
    x[0]
}

#[jacobian]
fn changed_at_run_time(x: [f64; 3], n: usize) -> f64 {
    let (mut a, mut b) = (x, x);
    for v in a.iter_mut().chain(&mut b).take(n) {
        *v *= 2.0;
    }
    for v in a[..0].iter_mut().take(n) {
        *v *= 2.0;
    }
    a[0] + b[0]
}

fn unknown() -> Option<f64> {
    Some(1.0)
}

#[jacobian]
fn option_or_iterator_that_is_not_used(x: f64) -> f64 {
    let _ = unknown().map(|v| v * x);
    x
}
