//! A matrix that cannot be seen, where a float is taken for granted: before a vector.

use jacobian::jacobian;
use nalgebra::{Matrix2, Vector2};

struct Config {
    r: Matrix2<f64>,
}

#[jacobian(wrt(v))]
fn weighted(config: &Config, v: Vector2<f64>) -> Vector2<f64> {
    config.r * v
}

fn main() {}
