#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_must_use, unused_labels)]

use jacobian::jacobian;

#[jacobian]
fn changes_what_it_has_moved(x: f64) -> f64 {
    let mut sum = x;
    let mut add = move |v: f64| {
        sum += v;
        sum
    };
    add(1.0) + add(2.0)
}

#[jacobian]
fn in_an_array(x: f64) -> f64 {
    let both = [|v: f64| v * 2.0, |v: f64| v * 3.0];
    let pair = (x, |v: f64| v);
    let later;
    later = |v: f64| v * x;
    later(x)
}

#[jacobian]
fn as_an_argument(x: f64, list: &[usize]) -> f64 {
    let y = apply(|v| v * x, x);
    let of_active: f64 = list.iter().map(|v| x * *v as f64).sum();
    let of_statements = list.iter().map(|v| { let w = v * 2; w }).max();
    apply(f64::sin, y)
}

#[jacobian]
fn asynchronous(x: f64) -> f64 {
    let f = async |v: f64| v;
    x
}

#[jacobian]
fn errors_once(x: f64) -> f64 {
    let f = |a: f64| a.next_up();
    f(x) + f(2.0 * x) + f(3.0 * x)
}

#[jacobian]
fn exponential(x: f64) -> f64 {
    let a = |v: f64| v * 0.5 + v;
    let b = |v: f64| a(a(a(a(v + x) + v) + v) + v);
    let c = |v: f64| b(b(b(b(v + x) + v) + v) + v);
    let d = |v: f64| c(c(c(c(v + x) + v) + v) + v);
    let e = |v: f64| d(d(d(d(v + x) + v) + v) + v);
    let f = |v: f64| e(e(e(e(v + x) + v) + v) + v);
    let g = |v: f64| f(f(f(f(v + x) + v) + v) + v);
    let h = |v: f64| g(g(g(g(v + x) + v) + v) + v);
    let i = |v: f64| h(h(h(h(v + x) + v) + v) + v);
    i(x)
}

fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[jacobian(wrt(x))]
fn changes_in_a_loop_what_it_has_moved(x: f64, data: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut add = move |v: f64| {
        for d in data {
            sum += d;
        }
        sum * v
    };
    add(x) + add(x) + sum
}

#[jacobian(wrt(x))]
fn propagates_errors(x: f64, data: &[f64]) -> f64 {
    let add = |t: f64, i: usize| -> Option<f64> {
        let k = data.get(i)?;
        Some(t + k)
    };
    add(x, 0).unwrap_or(x)
}

fn main() {
    let (_, [_]) = propagates_errors_jac(1.0, &[1.0]);
    let (_, [_]) = changes_in_a_loop_what_it_has_moved_jac(1.0, &[1.0]);
    let (_, [_]) = changes_what_it_has_moved_jac(1.0);
    let (_, [_]) = in_an_array_jac(1.0);
    let (_, [_]) = as_an_argument_jac(1.0, &[1]);
    let (_, [_]) = asynchronous_jac(1.0);
    let (_, [_]) = errors_once_jac(1.0);
    let (_, [_]) = exponential_jac(1.0);
}
