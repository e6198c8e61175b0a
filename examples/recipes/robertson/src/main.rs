//! Robertson's stiff reaction by diffsol, which asks for products of the Jacobian with vectors: `forms(jvp)`.
//!
//!     cargo run -p robertson

use diffsol::{DiffsolError, MatrixCommon, NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod};
use jacobian::jacobian;

const RATES: [f64; 3] = [0.04, 1e4, 3e7];

#[jacobian(wrt(y), forms(jvp))]
fn rates(y: &[f64; 3], k: &[f64]) -> [f64; 3] {
    let forward = k[0] * y[0];
    let back = k[1] * y[1] * y[2];
    let pair = k[2] * y[1] * y[1];
    [back - forward, forward - back - pair, pair]
}

fn three(y: &[f64]) -> &[f64; 3] {
    y.try_into().expect("there are three species")
}

fn largest(values: [f64; 3]) -> f64 {
    values.into_iter().map(f64::abs).fold(0.0, f64::max)
}

fn main() -> Result<(), DiffsolError> {
    let problem = OdeBuilder::<NalgebraMat<f64>>::new()
        .p(RATES)
        .rtol(1e-8)
        .atol([1e-12, 1e-14, 1e-12])
        .rhs_implicit(
            |y, k, _, dy| dy.copy_from_slice(&rates(three(y), k)),
            |y, k, _, v, jv| jv.copy_from_slice(&rates_jvp(three(y), k, three(v)).1),
        )
        .init(|_, _, y| y.copy_from_slice(&[1.0, 0.0, 0.0]), 3)
        .build()?;
    // The solution keeps the mass, and changes at the rates that the equation says.
    for t in [0.4, 4.0, 40.0, 400.0] {
        let h = t / 200.0;
        let mut solver = problem.bdf::<NalgebraLU<f64>>()?;
        let (solution, _) = solver.solve_dense(&[t - h, t, t + h])?;
        let [before, now, after] = [0, 1, 2].map(|j| [0, 1, 2].map(|i| solution.inner()[(i, j)]));
        let mass = now.iter().sum::<f64>();
        let expected = rates(&now, &RATES);
        let residuals = core::array::from_fn(|i| (after[i] - before[i]) / (2.0 * h) - expected[i]);
        let residual = largest(residuals) / largest(expected);
        println!("t = {t}: y = {now:?}, mass - 1 = {:.0e}, residual {residual:.0e}", mass - 1.0);
        assert!((mass - 1.0).abs() < 1e-9, "the mass is {mass}");
        assert!(residual < 1e-4, "the rates are {expected:?}, off by {residuals:?}");
    }
    Ok(())
}
