//! Assertions about active values, and what may not be evaluated in one.

use jacobian::jacobian;

#[jacobian]
fn condition(x: f64) -> f64 {
    assert!(x);
    x
}

#[jacobian]
fn message(x: f64, n: usize) -> f64 {
    assert!(n > 0, "{x} is {n}");
    debug_assert!(n > 1, "{} is {n}", x);
    x
}

#[jacobian]
fn statements(x: f64, n: usize) -> f64 {
    debug_assert!({
        let m = n + 1;
        m > 0
    });
    x
}

#[jacobian]
fn others(x: f64, n: usize) -> f64 {
    println!("{n}");
    my::assert!(n > 0);
    x * vec![1.0][0]
}

fn main() {}
