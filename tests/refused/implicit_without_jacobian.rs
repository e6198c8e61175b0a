//! A residual that has no Jacobian.

use jacobian::jacobian;

fn solve(x: f64) -> f64 {
    x.sqrt()
}

fn without_jacobian(x: f64, y: f64) -> f64 {
    y * y - x
}

#[jacobian(with(solve = implicit(without_jacobian)))]
fn no_jacobian(x: f64) -> f64 {
    solve(x)
}

fn main() {}
