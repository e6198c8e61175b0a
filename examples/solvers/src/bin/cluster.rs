//! The shape of the least energy of five atoms, by Newton's method in a trust region: the solver is argmin's, gradient
//! and Hessian come from `#[jacobian]`.
//!
//! Takes nothing. Prints the energy before and after, and checks the last against the one that is known for this
//! cluster, and that no force is left.
//!
//!     cargo run --release -p solvers --bin cluster

use approx::abs_diff_eq;
use std::process::ExitCode;

use argmin::core::{CostFunction, Error, Executor, Gradient, Hessian, State};
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use jacobian::jacobian;

/// The least energy: D. J. Wales and J. P. K. Doye, Journal of Physical Chemistry A 101 (1997).
const LEAST: f64 = -9.103852;

/// The energy of atoms by the potential of Lennard and Jones, in units of its depth and of its diameter.
#[jacobian(forms(jac, hess))]
fn energy(x: &[f64; 15]) -> f64 {
    let mut energy = 0.0;
    for i in 0..5 {
        for j in 0..i {
            let square: f64 = (0..3).map(|k| (x[3 * i + k] - x[3 * j + k]).powi(2)).sum();
            let sixth = square.powi(-3);
            energy += 4.0 * (sixth * sixth - sixth);
        }
    }
    energy
}

/// What the solver asks for.
struct Cluster;

fn coordinates(x: &[f64]) -> &[f64; 15] {
    x.try_into().expect("the solver keeps the number of coordinates")
}

impl CostFunction for Cluster {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        Ok(energy(coordinates(x)))
    }
}

impl Gradient for Cluster {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(energy_jac(coordinates(x)).1.to_vec())
    }
}

impl Hessian for Cluster {
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;

    fn hessian(&self, x: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        Ok(energy_hess(coordinates(x)).2.iter().map(|row| row.to_vec()).collect())
    }
}

fn main() -> Result<ExitCode, Error> {
    // Three atoms around the middle, one above and one below, all of them somewhat out of place.
    let start = vec![0.7, 0.1, 0.0, -0.3, 0.6, 0.1, -0.4, -0.5, 0.0, 0.1, 0.0, 0.9, 0.0, -0.1, -1.0];
    println!("start: energy {:.6}", energy(coordinates(&start)));
    let solver = TrustRegion::new(Steihaug::new().with_max_iters(start.len() as u64));
    let run = Executor::new(Cluster, solver).configure(|state| state.param(start).max_iters(40)).run()?;
    let state = run.state();
    let best = state.get_best_param().expect("the solver has made steps");
    let (least, forces, _) = energy_hess(coordinates(best));
    let force = forces.iter().fold(0.0_f64, |largest, force| largest.max(force.abs()));
    println!("after {} steps: energy {least:.6}, the largest force {force:.1e}", state.get_iter());
    let is_found = abs_diff_eq!(least, LEAST, epsilon = 1e-6) && force < 1e-6;
    Ok(if is_found { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
