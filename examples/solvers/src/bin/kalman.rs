//! An extended Kalman filter with the crate `kfilter`, the Jacobian of its step coming from `#[jacobian]`.
//!
//! Takes nothing. The system is that of the example `kf_nonlinear` of kfilter 0.5.1 (by dw-labs-org, MIT license): a
//! van der Pol oscillator that is stepped by Euler's method and whose position is measured. The example has a Jacobian
//! by hand, and one entry of it is wrong: at the origin it is -1 where the truth is -0.1. Prints both Jacobians and how
//! far each is from central differences, then how two filters do that differ in the Jacobian only. Shows what a slip in
//! a derivative costs: nothing fails, the estimate is just worse than it need be. The generated Jacobian is checked
//! against dual numbers, and a disagreement is a panic.
//!
//!     cargo run --release -p solvers --bin kalman

#[path = "../../../dual/mod.rs"]
mod dual;

use approx::assert_abs_diff_eq;
use dual::{Noise, check_at, dual_twin};
use jacobian::jacobian;
use kfilter::kalman::{EKF1M, KalmanPredictInput};
use kfilter::system::{StepFunction, StepReturn};
use nalgebra::{Matrix1, Matrix1x2, Matrix2, SVector, Vector1, Vector2};

/// Position and velocity after a step of time.
#[dual_twin(step_of_duals)]
#[jacobian]
fn step(state: [f64; 2]) -> [f64; 2] {
    let dt = 0.1;
    let mu = 0.5;
    let [x, v] = state;
    [x + v * dt, v + dt * ((mu * (1.0 - x.powi(2)) * v) - x)]
}

/// Its Jacobian as the example of kfilter has it.
fn jacobian_by_hand([x, v]: [f64; 2]) -> [[f64; 2]; 2] {
    let dt = 0.1;
    let mu = 0.5;
    [[1.0, dt], [dt * mu * (1.0 - 2.0 * x) * v - 1.0, 1.0 + dt * mu * (1.0 - x.powi(2))]]
}

/// The variance of what disturbs position and velocity in every step, and that of a measured position.
const DISTURBANCE: f64 = 1e-4;
const MEASUREMENT: f64 = 0.01;

const STEPS: usize = 5000;

fn main() {
    let worst = check_at(Noise(1).points(500, [0.0; 2], [3.0; 2]), step, step_jac, step_of_duals);

    for state in [[0.0, 0.0], [1.0, 2.0]] {
        println!("at position {:.1}, velocity {:.1}          off central differences by", state[0], state[1]);
        let (generated, by_hand) = (step_jac(state).1, jacobian_by_hand(state));
        print_jacobian("generated", &generated, &differences(state));
        print_jacobian("by hand", &by_hand, &differences(state));
        assert_abs_diff_eq!(generated.as_flattened(), differences(state).as_flattened(), epsilon = 1e-9);
        assert!(distance(&by_hand, &differences(state)) > 0.1, "the Jacobian by hand is right");
    }

    println!("\nrms errors of {STEPS} estimates   position  velocity");
    let generated = errors_of_filter(with_generated_jacobian);
    let by_hand = errors_of_filter(with_jacobian_by_hand);
    println!("generated {:>29.4} {:>9.4}\nby hand {:>31.4} {:>9.4}", generated.x, generated.y, by_hand.x, by_hand.y);
    assert!(generated.norm() < by_hand.norm(), "the right Jacobian is the worse one");
    println!("\nGenerated Jacobians and dual numbers differ by {worst:.1e} at most.");
}

/// What kfilter asks of a system: the state after a step, its Jacobian, and the covariance of what disturbs it.
fn with_generated_jacobian(state: Vector2<f64>, _: SVector<f64, 0>) -> StepReturn<f64, 2> {
    let (value, jacobian) = step_jac(state.into());
    step_return(value, jacobian)
}

fn with_jacobian_by_hand(state: Vector2<f64>, _: SVector<f64, 0>) -> StepReturn<f64, 2> {
    step_return(step(state.into()), jacobian_by_hand(state.into()))
}

fn step_return(state: [f64; 2], jacobian: [[f64; 2]; 2]) -> StepReturn<f64, 2> {
    StepReturn {
        state: state.into(),
        jacobian: Matrix2::from_row_slice(jacobian.as_flattened()),
        covariance: Matrix2::identity() * DISTURBANCE,
    }
}

/// The root mean square errors of a filter that follows an oscillator, the same for every filter.
fn errors_of_filter(model: StepFunction<f64, 2, 0>) -> Vector2<f64> {
    let mut noise = Noise(2);
    let mut truth = Vector2::new(1.0, 0.0);
    let position = Matrix1x2::new(1.0, 0.0);
    let mut filter = EKF1M::new_ekf_with_input(model, position, Matrix1::new(MEASUREMENT), truth, Matrix2::identity());
    let mut squares = Vector2::zeros();
    for _ in 0..STEPS {
        let disturbance = Vector2::new(noise.normal(), noise.normal()) * DISTURBANCE.sqrt();
        truth = Vector2::from(step(truth.into())) + disturbance;
        let measured = truth.x + MEASUREMENT.sqrt() * noise.normal();
        filter.predict(SVector::zeros()).expect("a prediction inverts nothing");
        let estimate = *filter.update(Vector1::new(measured)).expect("the variance of what is measured is positive");
        squares += (estimate - truth).map(|error| error * error);
    }
    (squares / STEPS as f64).map(f64::sqrt)
}

/// The Jacobian of a step by central differences.
fn differences(state: [f64; 2]) -> [[f64; 2]; 2] {
    const H: f64 = 1e-5;
    let moved = |j: usize, by: f64| {
        let mut moved = state;
        moved[j] += by;
        step(moved)
    };
    let quotient = |i: usize, j: usize| (moved(j, H)[i] - moved(j, -H)[i]) / (2.0 * H);
    std::array::from_fn(|i| std::array::from_fn(|j| quotient(i, j)))
}

/// The largest difference between two entries.
fn distance(left: &[[f64; 2]; 2], right: &[[f64; 2]; 2]) -> f64 {
    let pairs = left.as_flattened().iter().zip(right.as_flattened());
    pairs.fold(0.0, |worst, (left, right)| worst.max((left - right).abs()))
}

fn print_jacobian(name: &str, [first, second]: &[[f64; 2]; 2], differences: &[[f64; 2]; 2]) {
    let distance = distance(&[*first, *second], differences);
    println!("  {name:<10} {first:>6.3?} {second:>6.3?} {distance:>10.1e}");
}
