#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros, unused_labels)]

use jacobian::jacobian;

#[jacobian]
fn while_loop(x: f64, n: usize) -> f64 {
    let mut y = x;
    while n > 0 {
        y *= x;
    }
    y
}

#[jacobian]
fn endless(x: f64) -> f64 {
    loop {
        break x;
    }
}

#[jacobian(wrt(x))]
fn while_let(x: f64, mut list: Vec<f64>) -> f64 {
    let mut y = x;
    while let Some(z) = list.pop() {
        y *= z;
    }
    y
}

#[jacobian]
fn chain_of_conditions(x: f64, n: Option<u8>) -> f64 {
    if 1 < 2 && let Some(n) = n { x * n as f64 } else { x }
}

fn main() {
    let (_, [_]) = while_loop_jac(1.0, 2);
    let (_, [_]) = endless_jac(1.0);
    let (_, [_]) = while_let_jac(1.0, vec![1.0]);
    let (_, [_]) = chain_of_conditions_jac(1.0, None);
}
