//! A curve fit by the Gauss-Newton method of argmin, on matrices of nalgebra.
//!
//!     cargo run --release -p fits --bin gauss_newton

use argmin::core::{Error, Executor, Jacobian, Operator, State};
use argmin::solver::gaussnewton::GaussNewton;
use fits::{DATA, START, check};
use jacobian::jacobian;
use nalgebra::{DMatrix, DVector};

#[jacobian(wrt(b))]
fn residual(b: [f64; 2], x: f64, y: f64) -> f64 {
    b[0] * (1.0 - (-b[1] * x).exp()) - y
}

struct Fit;

impl Operator for Fit {
    type Param = DVector<f64>;
    type Output = DVector<f64>;

    fn apply(&self, b: &DVector<f64>) -> Result<DVector<f64>, Error> {
        Ok(DVector::from_iterator(DATA.len(), DATA.iter().map(|&(x, y)| residual([b[0], b[1]], x, y))))
    }
}

impl Jacobian for Fit {
    type Param = DVector<f64>;
    type Jacobian = DMatrix<f64>;

    fn jacobian(&self, b: &DVector<f64>) -> Result<DMatrix<f64>, Error> {
        let rows = DATA.iter().flat_map(|&(x, y)| residual_jac([b[0], b[1]], x, y).1);
        Ok(DMatrix::from_row_iterator(DATA.len(), 2, rows))
    }
}

fn main() -> Result<(), Error> {
    let start = DVector::from_row_slice(&START);
    let run = Executor::new(Fit, GaussNewton::new()).configure(|state| state.param(start).max_iters(20)).run()?;
    let best = run.state().get_best_param().expect("the solver has made steps");
    check([best[0], best[1]]);
    Ok(())
}
