//! The mass, the stiffness and the damping of a spring, found from how it moves after a push: the parameters and the
//! state are structs with methods and operators, the integration is a run-time loop, and gradient and Hessian of
//! the misfit come from `#[jacobian]`. The solver is argmin's, Newton's method in a trust region.
//!
//! Takes nothing. Prints the parameters and the misfit before and after, and checks that they are those from which the
//! data were made, by the solution in closed form.
//!
//!     cargo run --release -p solvers --bin spring

use approx::relative_eq;
use std::process::ExitCode;

use argmin::core::{CostFunction, Error, Executor, Gradient, Hessian, State as _};
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use jacobian::jacobian;
use model::{Params, misfit, misfit_hess, misfit_jac};

/// What the data are made from.
const TRUTH: Params = Params { mass: 1.25, stiffness: 8.0, damping: 0.6 };

/// The time between two measurements.
const STEP: f64 = 0.05;

#[jacobian]
mod model {
    use std::ops::{Add, Mul};

    /// What is looked for.
    #[derive(Copy, Clone, Debug)]
    pub struct Params {
        pub mass: f64,
        pub stiffness: f64,
        pub damping: f64,
    }

    /// Where the mass is, and how fast it moves.
    #[derive(Copy, Clone, Default)]
    struct State {
        position: f64,
        velocity: f64,
    }

    impl Add for State {
        type Output = State;
        fn add(self, other: State) -> State {
            State { position: self.position + other.position, velocity: self.velocity + other.velocity }
        }
    }

    impl Mul<f64> for State {
        type Output = State;
        fn mul(self, by: f64) -> State {
            State { position: self.position * by, velocity: self.velocity * by }
        }
    }

    impl Params {
        /// How the state changes under a force of one.
        fn rate(&self, s: State) -> State {
            let force = 1.0 - self.stiffness * s.position - self.damping * s.velocity;
            State { position: s.velocity, velocity: force / self.mass }
        }

        /// A step of the method of Runge and Kutta.
        fn step(&self, s: State, h: f64) -> State {
            let k1 = self.rate(s);
            let k2 = self.rate(s + k1 * (0.5 * h));
            let k3 = self.rate(s + k2 * (0.5 * h));
            let k4 = self.rate(s + k3 * h);
            s + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0)
        }
    }

    /// Half the sum of the squares of what the model gives more than was measured, `h` apart, from rest on.
    #[jacobian(wrt(p), forms(jac, hess))]
    pub fn misfit(p: Params, measured: &[f64], h: f64) -> f64 {
        let mut s = State::default();
        let mut sum = 0.0;
        for y in measured {
            s = p.step(s, h);
            let r = s.position - y;
            sum += 0.5 * r * r;
        }
        sum
    }
}

/// What the solver asks for.
struct Fit {
    measured: Vec<f64>,
}

fn params(x: &[f64]) -> Params {
    let [mass, stiffness, damping] = *x else { unreachable!("the solver keeps the number of parameters") };
    Params { mass, stiffness, damping }
}

impl CostFunction for Fit {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        Ok(misfit(params(x), &self.measured, STEP))
    }
}

impl Gradient for Fit {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(misfit_jac(params(x), &self.measured, STEP).1.to_vec())
    }
}

impl Hessian for Fit {
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;

    fn hessian(&self, x: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        Ok(misfit_hess(params(x), &self.measured, STEP).2.iter().map(|row| row.to_vec()).collect())
    }
}

/// Where the mass of [`TRUTH`] is at this time after a force of one has been put on it at rest.
fn response(t: f64) -> f64 {
    let Params { mass, stiffness, damping } = TRUTH;
    let decay = damping / (2.0 * mass);
    let frequency = (stiffness / mass - decay * decay).sqrt();
    let (sin, cos) = (frequency * t).sin_cos();
    (1.0 - (-decay * t).exp() * (cos + decay / frequency * sin)) / stiffness
}

fn main() -> Result<ExitCode, Error> {
    let measured: Vec<f64> = (1..=200).map(|k| response(f64::from(k) * STEP)).collect();
    let start = vec![1.0, 6.0, 1.0];
    println!("start: misfit {:.3e} at {:?}", misfit(params(&start), &measured, STEP), params(&start));
    let solver = TrustRegion::new(Steihaug::new().with_max_iters(start.len() as u64));
    let run = Executor::new(Fit { measured }, solver).configure(|state| state.param(start).max_iters(60)).run()?;
    let state = run.state();
    let best = state.get_best_param().expect("the solver has made steps");
    println!("after {} steps: misfit {:.3e} at {:?}", state.get_iter(), state.get_best_cost(), params(best));
    let truth = [TRUTH.mass, TRUTH.stiffness, TRUTH.damping];
    let is_found = best.iter().zip(truth).all(|(found, truth)| relative_eq!(*found, truth, max_relative = 1e-4));
    Ok(if is_found { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
