//! The model, and its fit to the readings of one sensor: takes readings, in any order; gives the parameters of least
//! squares, or none where the readings do not determine them.

use jacobian::jacobian;
use nalgebra::{Matrix3, Vector3};

/// A temperature, and when it was measured.
#[derive(Copy, Clone, Debug)]
pub struct Reading {
    pub time: f64,
    pub temperature: f64,
}

/// Newton's law of cooling less what was measured: `p` is the ambient temperature, the excess over it at the start, and
/// the rate.
#[jacobian(wrt(p), forms(normal))]
fn misfit(p: [f64; 3], time: f64, temperature: f64) -> f64 {
    p[0] + p[1] * (-p[2] * time).exp() - temperature
}

/// Half the sum of squares, its gradient, and `Jᵀ J`.
fn sums(p: &Vector3<f64>, readings: &[Reading]) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let (mut cost, mut gradient, mut matrix) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for reading in readings {
        let (r, jt_r, jt_j) = misfit_normal((*p).into(), reading.time, reading.temperature);
        cost += 0.5 * r * r;
        gradient += Vector3::from(jt_r);
        // It is symmetric, so that its rows are its columns.
        matrix += Matrix3::from(jt_j);
    }
    (cost, gradient, matrix)
}

/// The fit, by the method of Levenberg and Marquardt.
pub fn fit(readings: &[Reading]) -> Option<[f64; 3]> {
    let first = readings.iter().min_by(|a, b| a.time.total_cmp(&b.time))?;
    let last = readings.iter().max_by(|a, b| a.time.total_cmp(&b.time))?;
    let mut p = Vector3::new(last.temperature, first.temperature - last.temperature, 3.0 / (last.time - first.time));
    let (mut cost, mut gradient, mut matrix) = sums(&p, readings);
    let mut damping = 1e-3;
    for _ in 0..100 {
        let damped = matrix + Matrix3::from_diagonal(&(matrix.diagonal() * damping));
        let step = damped.cholesky()?.solve(&gradient);
        let tried = sums(&(p - step), readings);
        if tried.0 <= cost {
            p -= step;
            (cost, gradient, matrix) = tried;
            damping *= 0.1;
        } else {
            damping *= 10.0;
        }
        if step.norm() <= 1e-12 * p.norm() {
            return is_determined(&matrix).then(|| p.into());
        }
    }
    None
}

/// Whether each column of the Jacobian is more than what the ones before it explain, but for round-off.
fn is_determined(matrix: &Matrix3<f64>) -> bool {
    let Some(factor) = matrix.cholesky() else { return false };
    (0..3).all(|i| factor.l_dirty()[(i, i)].powi(2) > 1e-10 * matrix[(i, i)])
}
