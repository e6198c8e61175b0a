#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros, unused_labels)]

use jacobian::jacobian;

#[jacobian]
fn branch(x: f64) -> f64 {
    if x > 0.0 { x } else { -x }
}

#[jacobian]
fn branch_on_passive(x: f64, n: usize) -> f64 {
    let y = if n > 0 { x } else { 1.0 };
    y
}

#[jacobian]
fn branch_with_let(x: f64, n: Option<u8>) -> f64 {
    if let Some(n) = n { x * n as f64 } else { x }
}

#[jacobian]
fn matching(x: f64, n: usize) -> f64 {
    match n {
        0 => x,
        _ => x * x,
    }
}

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

#[jacobian]
fn constants_outside(x: f64) -> f64 {
    match 3 {
        THREE => x,
        other => x * x,
    }
}

const THREE: usize = 3;

fn main() {
    let (_, [_]) = branch_jac(1.0);
    let (_, [_]) = branch_on_passive_jac(1.0, 2);
    let (_, [_]) = branch_with_let_jac(1.0, None);
    let (_, [_]) = matching_jac(1.0, 2);
    let (_, [_]) = while_loop_jac(1.0, 2);
    let (_, [_]) = endless_jac(1.0);
    let (_, [_]) = while_let_jac(1.0, vec![1.0]);
    let (_, [_]) = chain_of_conditions_jac(1.0, None);
    let (_, [_]) = constants_outside_jac(1.0);
}
