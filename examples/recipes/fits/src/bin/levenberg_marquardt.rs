//! A curve fit by the crate levenberg-marquardt. `layout = "matrix"` gives the Jacobian as the matrix that it takes.
//!
//!     cargo run --release -p fits --bin levenberg_marquardt

use fits::{DATA, START, check};
use jacobian::jacobian;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::storage::Owned;
use nalgebra::{Const, SMatrix, SVector, Vector2};

#[jacobian(wrt(b), layout = "matrix")]
fn residuals(b: Vector2<f64>, data: &[(f64, f64); 14]) -> SVector<f64, 14> {
    SVector::<f64, 14>::from(core::array::from_fn::<f64, 14, _>(|i| b.x * (1.0 - (-b.y * data[i].0).exp()) - data[i].1))
}

struct Fit(Vector2<f64>);

impl LeastSquaresProblem<f64, Const<14>, Const<2>> for Fit {
    type ResidualStorage = Owned<f64, Const<14>>;
    type JacobianStorage = Owned<f64, Const<14>, Const<2>>;
    type ParameterStorage = Owned<f64, Const<2>>;

    fn set_params(&mut self, b: &Vector2<f64>) {
        self.0 = *b;
    }

    fn params(&self) -> Vector2<f64> {
        self.0
    }

    fn residuals(&self) -> Option<SVector<f64, 14>> {
        Some(residuals(self.0, &DATA))
    }

    fn jacobian(&self) -> Option<SMatrix<f64, 14, 2>> {
        Some(residuals_jac(self.0, &DATA).1)
    }
}

fn main() {
    let (fit, report) = LevenbergMarquardt::new().minimize(Fit(START.into()));
    assert!(report.termination.was_successful(), "{:?}", report.termination);
    check(fit.0.into());
}
