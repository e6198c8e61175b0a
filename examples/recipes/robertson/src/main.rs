//! Robertson's stiff reaction by diffsol, and how it depends on its rates. Both take products of the Jacobian with
//! vectors, `forms(jvp)`: along a state, and along rates.
//!
//!     cargo run -p robertson

use diffsol::{DiffsolError, MatrixCommon, NalgebraLU, NalgebraMat, OdeBuilder, SensitivitiesOdeSolverMethod};
use jacobian::jacobian;

const RATES: [f64; 3] = [0.04, 1e4, 3e7];
const TIMES: [f64; 4] = [0.4, 4.0, 40.0, 400.0];

#[jacobian(wrt(y, k), forms(jvp))]
fn rates(y: &[f64; 3], k: &[f64; 3]) -> [f64; 3] {
    let forward = k[0] * y[0];
    let back = k[1] * y[1] * y[2];
    let pair = k[2] * y[1] * y[1];
    [back - forward, forward - back - pair, pair]
}

fn three(values: &[f64]) -> &[f64; 3] {
    values.try_into().expect("there are three species and three rates")
}

/// Three species at the four times.
type States = [[f64; 3]; 4];

/// The states, and their derivatives by each rate.
fn solved(k: [f64; 3]) -> Result<(States, [States; 3]), DiffsolError> {
    let problem = OdeBuilder::<NalgebraMat<f64>>::new()
        .p(k)
        .rtol(1e-9)
        .atol([1e-12, 1e-14, 1e-12])
        .sens_rtol(1e-6)
        .sens_atol([1e-9, 1e-12, 1e-9])
        .param_scales(k)
        .rhs_sens_implicit(
            |y, k, _, dy| dy.copy_from_slice(&rates(three(y), three(k))),
            |y, k, _, v, jv| jv.copy_from_slice(&rates_jvp(three(y), three(k), &[v[0], v[1], v[2], 0.0, 0.0, 0.0]).1),
            |y, k, _, w, jw| jw.copy_from_slice(&rates_jvp(three(y), three(k), &[0.0, 0.0, 0.0, w[0], w[1], w[2]]).1),
        )
        .init_sens(|_, _, y| y.copy_from_slice(&[1.0, 0.0, 0.0]), |_, _, _, s| s.fill(0.0), 3)
        .build()?;
    let (states, by_rate, _) = problem.bdf_sens::<NalgebraLU<f64>>()?.solve_dense_sensitivities(&TIMES)?;
    let rows = |matrix: &NalgebraMat<f64>| [0, 1, 2, 3].map(|j| [0, 1, 2].map(|i| matrix.inner()[(i, j)]));
    Ok((rows(&states), [0, 1, 2].map(|rate| rows(&by_rate[rate]))))
}

fn main() -> Result<(), DiffsolError> {
    let (states, by_rate) = solved(RATES)?;
    println!("y = {states:?}");
    assert!(states.iter().all(|state| (state.iter().sum::<f64>() - 1.0).abs() < 1e-9), "the mass stays what it is");
    // The derivatives by the logarithm of each rate are those that differences give.
    for (rate, derivatives) in by_rate.iter().enumerate() {
        let turned =
            |factor: f64| solved(core::array::from_fn(|i| if i == rate { factor * RATES[i] } else { RATES[i] }));
        let (more, less) = (turned(1.001)?.0, turned(0.999)?.0);
        for (j, time) in TIMES.iter().enumerate() {
            let exact: [f64; 3] = core::array::from_fn(|i| RATES[rate] * derivatives[j][i]);
            println!("t = {time}, k{rate}: dy/dlog(k) = {exact:?}");
            let is_near =
                |i: usize| (exact[i] - (more[j][i] - less[j][i]) / 0.002).abs() < 1e-3 * exact[i].abs() + 1e-8;
            assert!((0..3).all(is_near), "differences are {:?} and {:?}", more[j], less[j]);
        }
    }
    Ok(())
}
