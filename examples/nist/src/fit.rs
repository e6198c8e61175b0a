//! The bridge to the solver.
//!
//! Takes a model, its gradient, the observations and a starting point; gives the parameters that `levenberg-marquardt`
//! ends at, and what it took to get there. The residuals are `model(x, b) - y`, so that a row of their Jacobian is the
//! gradient of the model at that observation.

use crate::dataset::Observation;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{Const, DVector, Dyn, OMatrix, SVector, storage::Owned};
use std::cell::Cell;

pub type Model<const N: usize> = fn(f64, &[f64; N]) -> f64;
pub type Gradient<'a, const N: usize> = &'a dyn Fn(f64, &[f64; N]) -> [f64; N];

/// Where the solver ended.
pub struct Fit<const N: usize> {
    pub b: [f64; N],
    pub residual_evaluations: usize,
    pub jacobian_evaluations: usize,
}

/// Fits the model to the observations, from the starting point `b`.
pub fn fit<const N: usize>(
    model: Model<N>,
    gradient: Gradient<'_, N>,
    observations: &[Observation],
    b: [f64; N],
) -> Fit<N> {
    let start = LeastSquares { model, gradient, observations, b, jacobian_evaluations: Cell::new(0) };
    let (end, report) = solver().minimize(start);
    Fit {
        b: end.b,
        residual_evaluations: report.number_of_evaluations,
        jacobian_evaluations: end.jacobian_evaluations.get(),
    }
}

/// The solver's defaults, which stop at the limits of the arithmetic, with more patience: from its first start, MGH09
/// takes a few evaluations more than the 500 that the default grants to four parameters.
fn solver() -> LevenbergMarquardt<f64> {
    LevenbergMarquardt::new().with_patience(1000)
}

struct LeastSquares<'a, const N: usize> {
    model: Model<N>,
    gradient: Gradient<'a, N>,
    observations: &'a [Observation],
    b: [f64; N],
    // The solver counts the residuals only.
    jacobian_evaluations: Cell<usize>,
}

impl<const N: usize> LeastSquaresProblem<f64, Dyn, Const<N>> for LeastSquares<'_, N> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Const<N>>;
    type ParameterStorage = Owned<f64, Const<N>>;

    fn set_params(&mut self, b: &SVector<f64, N>) {
        self.b = (*b).into();
    }

    fn params(&self) -> SVector<f64, N> {
        self.b.into()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let residual = |o: &Observation| (self.model)(o.x, &self.b) - o.y;
        let residuals = self.observations.iter().map(residual);
        Some(DVector::from_iterator(self.observations.len(), residuals))
    }

    fn jacobian(&self) -> Option<OMatrix<f64, Dyn, Const<N>>> {
        self.jacobian_evaluations.update(|count| count + 1);
        let rows = self.observations.iter().flat_map(|o| (self.gradient)(o.x, &self.b));
        let rows: Vec<f64> = rows.collect();
        Some(OMatrix::<f64, Dyn, Const<N>>::from_row_slice(&rows))
    }
}
