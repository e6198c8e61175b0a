//! The Jacobian at a million points, on all cores: what is generated is a function like any other.
//!
//!     cargo run --release -p points

use jacobian::jacobian;
use rayon::prelude::*;

#[jacobian]
fn spherical(r: f64, theta: f64, phi: f64) -> [f64; 3] {
    let rho = r * theta.sin();
    [rho * phi.cos(), rho * phi.sin(), r * theta.cos()]
}

/// The factor of a volume, `r² sin θ` in theory.
fn volume(r: f64, theta: f64, phi: f64) -> f64 {
    let [a, b, c] = spherical_jac(r, theta, phi).1;
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
}

fn main() {
    use std::f64::consts::PI;
    const N: usize = 100;
    // The volume of the unit ball, by the midpoint rule.
    let at = |i: usize| (i as f64 + 0.5) / N as f64;
    let sum: f64 =
        (0..N * N * N).into_par_iter().map(|i| volume(at(i % N), PI * at(i / N % N), 2.0 * PI * at(i / N / N))).sum();
    let volume = sum * 2.0 * PI * PI / (N * N * N) as f64;
    println!("{} points: the unit ball has the volume {volume:.6}, {:.6} in theory", N * N * N, 4.0 / 3.0 * PI);
    assert!((volume / (4.0 / 3.0 * PI) - 1.0).abs() < 1e-4);
}
