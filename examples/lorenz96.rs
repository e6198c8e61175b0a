//! The Lyapunov exponents of the Lorenz-96 model, the Jacobian coming from `#[jacobian]`.
//!
//! Takes the number of steps, or nothing: ten variables on a circle (E. Lorenz, Predictability: a problem partly
//! solved, 1996) are driven by a constant forcing. Prints the exponents, the rates at which small disturbances of the
//! model's weather grow or decay, and what follows from them. Shows a loop whose indices run around a circle, and a
//! parameter that is not differentiated, `wrt(x)`. Every entry is checked against dual numbers, and the sum of the
//! exponents against the divergence of the model, which is -10 everywhere; a disagreement is a panic.
//!
//!     cargo run --release --example lorenz96 [STEPS]

mod dual;

use approx::assert_abs_diff_eq;
use dual::{Dual64, Noise, check_at, dual_twin};
use jacobian::jacobian;
use nalgebra::{SMatrix, SVector};

/// How fast each variable changes: advection, damping, and forcing.
#[dual_twin(tendency_of_duals)]
#[jacobian(wrt(x))]
fn tendency(x: [f64; 10], forcing: f64) -> [f64; 10] {
    const N: usize = 10;
    let mut rate = [0.0; N];
    for i in 0..N {
        rate[i] = (x[(i + 1) % N] - x[(i + N - 2) % N]) * x[(i + N - 1) % N] - x[i] + forcing;
    }
    rate
}

const N: usize = 10;
type State = SVector<f64, N>;
type Tangents = SMatrix<f64, N, N>;

/// The forcing at which Lorenz found weather that is hard to predict.
const FORCING: f64 = 8.0;

/// The time step, a twentieth of that for which one unit is five days; the steps that reach the attractor, and those
/// that the exponents are the mean of, unless the command says another number.
const DT: f64 = 0.01;
const SPIN_UP: usize = 2_000;
const STEPS: usize = 200_000;

fn main() {
    let points = Noise(1).points(300, [2.0; N], [8.0; N]);
    let worst = check_at(
        points,
        |x| tendency(x, FORCING),
        |x| tendency_jac(x, FORCING),
        |x| tendency_of_duals(x, Dual64::from(FORCING)),
    );

    let steps = std::env::args().nth(1).map_or(STEPS, |steps| steps.parse().expect("a number of steps"));
    let exponents = exponents(steps);
    let sum: f64 = exponents.iter().sum();
    println!("Lyapunov exponents of Lorenz-96, N = {N}, F = {FORCING}, over a time of {}", steps as f64 * DT);
    exponents.iter().for_each(|exponent| print!(" {exponent:.3}"));
    println!("\nThe leading exponent doubles an error in a time of {:.2}.", 2.0_f64.ln() / exponents[0]);
    println!("The attractor's dimension is {:.2} (Kaplan and Yorke).", dimension(&exponents));
    println!("The exponents add up to {sum:.5}; the trace of every Jacobian is -10.");
    assert_abs_diff_eq!(sum, -10.0, epsilon = 1e-3);
    println!("Generated Jacobians and dual numbers differ by {worst:.1e} at most.");
}

/// All exponents: a frame of disturbances is carried along and made orthonormal again after every step. The mean rates
/// by which that shortens its vectors are the exponents (Benettin, Galgani, Giorgilli and Strelcyn 1980).
fn exponents(steps: usize) -> [f64; N] {
    let (mut state, mut frame) = (State::from_fn(|i, _| FORCING + 0.01 * i as f64), Tangents::identity());
    let mut sums = State::zeros();
    for step in 0..SPIN_UP + steps {
        let (next, tangents) = runge_kutta(state, frame);
        let (q, r) = tangents.qr().unpack();
        if step >= SPIN_UP {
            sums += r.diagonal().map(|stretch| stretch.abs().ln());
        }
        (state, frame) = (next, q);
    }
    (sums / (steps as f64 * DT)).into()
}

/// A step of the classical Runge-Kutta method for the model together with its tangent linear model.
fn runge_kutta(state: State, tangents: Tangents) -> (State, Tangents) {
    let rates = |state: State, tangents: Tangents| {
        let (rate, jacobian) = tendency_jac(state.into(), FORCING);
        (State::from(rate), Tangents::from_row_slice(jacobian.as_flattened()) * tangents)
    };
    let (k1, t1) = rates(state, tangents);
    let (k2, t2) = rates(state + k1 * (DT / 2.0), tangents + t1 * (DT / 2.0));
    let (k3, t3) = rates(state + k2 * (DT / 2.0), tangents + t2 * (DT / 2.0));
    let (k4, t4) = rates(state + k3 * DT, tangents + t3 * DT);
    let step = (k1 + (k2 + k3) * 2.0 + k4) * (DT / 6.0);
    (state + step, tangents + (t1 + (t2 + t3) * 2.0 + t4) * (DT / 6.0))
}

/// The dimension in which volumes neither grow nor shrink.
fn dimension(exponents: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for (count, exponent) in exponents.iter().enumerate() {
        if sum + exponent < 0.0 {
            return count as f64 - sum / exponent;
        }
        sum += exponent;
    }
    N as f64
}
