#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros, unused_labels)]

use jacobian::jacobian;

#[jacobian]
fn endless(x: f64) -> f64 {
    loop {
        x + 1.0;
    }
}

#[jacobian]
fn chain_of_conditions(x: f64, n: Option<u8>) -> f64 {
    if 1 < 2 && let Some(n) = n { x * n as f64 } else { x }
}

fn main() {
    let (_, [_]) = endless_jac(1.0);
    let (_, [_]) = chain_of_conditions_jac(1.0, None);
}
