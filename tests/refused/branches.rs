//! Branches that are refused.

use jacobian::jacobian;

enum Law {
    Linear,
    Power(f64),
}

#[jacobian]
fn matched(x: f64) -> f64 {
    match x {
        0.0 => x,
        _ => x * x,
    }
}

#[jacobian(wrt(x))]
fn guard(x: f64, law: Law) -> f64 {
    let is_more = |by: f64| by > x;
    match law {
        Law::Power(by) if is_more(by) => x,
        Law::Power(by) if { by > 1.0 } => x * x,
        _ => 2.0 * x,
    }
}

#[jacobian(wrt(x))]
fn without_else(x: f64, law: Law) -> f64 {
    x * {
        let Law::Power(by) = law else { panic!() };
        by
    }
}

#[jacobian(wrt(x))]
fn chained(x: f64, law: Option<f64>, flag: bool) -> f64 {
    if flag && let Some(by) = law { by * x } else { x }
}

#[jacobian]
fn shapes(x: [f64; 3], flag: bool) -> f64 {
    let part = if flag { [x[0], x[1]] } else { [x[0], x[1], x[2]].into() };
    part[0]
}

#[jacobian]
fn referred(x: [f64; 2], flag: bool, k: usize) -> f64 {
    let mut a = x;
    let part = if flag { &mut a[0] } else { &mut a[k] };
    *part += 1.0;
    a[0] * a[1]
}

fn main() {}
