//! A curve fit by the L-BFGS method of argmin: the cost is one function over all data, whose loop is differentiated as
//! a loop. The parameters are scaled to the same size, as this method needs.
//!
//!     cargo run --release -p fits --bin lbfgs

use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use fits::{DATA, START, check};
use jacobian::jacobian;

#[jacobian(wrt(p))]
fn cost(p: [f64; 2], data: &[(f64, f64)]) -> f64 {
    let mut sum = 0.0;
    for (x, y) in data {
        let r = START[0] * p[0] * (1.0 - (-START[1] * p[1] * x).exp()) - y;
        sum += r * r;
    }
    sum
}

struct Fit;

impl CostFunction for Fit {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, p: &Vec<f64>) -> Result<f64, Error> {
        Ok(cost([p[0], p[1]], &DATA))
    }
}

impl Gradient for Fit {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, p: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(cost_jac([p[0], p[1]], &DATA).1.to_vec())
    }
}

fn main() -> Result<(), Error> {
    // A gradient above the roundings of the cost: below, this line search does not end.
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5).with_tolerance_grad(1e-4)?;
    let run = Executor::new(Fit, solver).configure(|state| state.param(vec![1.0; 2]).max_iters(50)).run()?;
    let best = run.state().get_best_param().expect("the solver has made steps");
    check([START[0] * best[0], START[1] * best[1]]);
    Ok(())
}
