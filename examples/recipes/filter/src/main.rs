//! An extended Kalman filter on nalgebra: `F` and `H` are generated, as the matrices that the filter multiplies with.
//!
//!     cargo run -p filter

use jacobian::jacobian;
use nalgebra::{Matrix2, SMatrix, Vector1, Vector2};

/// A pendulum after a step of time: its angle, and its rate.
#[jacobian(layout = "matrix")]
fn moved(x: Vector2<f64>) -> Vector2<f64> {
    let rate = x[1] - 0.01 * (9.81 * x[0].sin() + 0.1 * x[1]);
    Vector2::new(x[0] + 0.01 * rate, rate)
}

/// What is measured: how far the bob is to the side.
#[jacobian(layout = "matrix")]
fn measured(x: Vector2<f64>) -> Vector1<f64> {
    Vector1::new(x[0].sin())
}

const DISTURBANCE: f64 = 1e-6;
const NOISE: f64 = 0.01;

/// The estimate and its covariance after a step and a measurement.
fn filtered(x: Vector2<f64>, p: Matrix2<f64>, z: Vector1<f64>) -> (Vector2<f64>, Matrix2<f64>) {
    let (x, f) = moved_jac(x);
    let p = f * p * f.transpose() + Matrix2::identity() * DISTURBANCE;
    let (expected, h) = measured_jac(x);
    let innovation: SMatrix<f64, 1, 1> = h * p * h.transpose() + SMatrix::identity() * NOISE;
    let gain = p * h.transpose() / innovation[0];
    (x + gain * (z - expected), (Matrix2::identity() - gain * h) * p)
}

fn main() {
    // Numbers between -1 and 1, the same on every machine.
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut truth = Vector2::new(0.8, 0.0);
    let (mut x, mut p) = (Vector2::zeros(), Matrix2::identity());
    let (mut blind, steps) = (x, 2000);
    let mut squares = [0.0; 2];
    for step in 1..=steps {
        truth = moved(truth) + Vector2::new(random(), random()) * (3.0 * DISTURBANCE).sqrt();
        (x, p) = filtered(x, p, measured(truth) + Vector1::new(random() * (3.0 * NOISE).sqrt()));
        blind = moved(blind);
        if step > steps / 2 {
            squares = [squares[0] + (x - truth).norm_squared(), squares[1] + (blind - truth).norm_squared()];
        }
    }
    let [filter, none] = squares.map(|sum| (2.0 * sum / f64::from(steps)).sqrt());
    println!(
        "root mean square errors: filtered {filter:.3}, without measurements {none:.3}, by the covariance {:.3}",
        p.trace().sqrt()
    );
    assert!(filter < 0.1 * none && filter < 2.0 * p.trace().sqrt());
}
