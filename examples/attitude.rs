//! The attitude of a spacecraft from its gyroscopes, the Jacobians coming from `#[jacobian] mod`.
//!
//! Takes nothing: a flight with turns and rests is made up, and gyroscopes with a constant bias measure it. Prints the
//! iterations by which the Gauss-Newton method finds the bias from fixes by a star tracker. Shows functions that call
//! one another in a module, and branches: the quaternion of a turn has a series of its own near the angle zero, and a
//! quaternion is normalized only where its norm has drifted. The Jacobian is checked against dual numbers on both sides
//! of both branches, and a disagreement is a panic.
//!
//!     cargo run --release --example attitude

mod dual;

use dual::{Dual64, Noise, check_at, dual_twin};
use jacobian::jacobian;
use nalgebra::{SMatrix, SVector, Vector3};
use std::process::ExitCode;

/// Quaternions are written with their real part first.
#[dual_twin(attitude_of_duals)]
#[jacobian]
mod attitude {
    /// How far a norm may be from one.
    const DRIFT: f64 = 1e-3;
    /// Angles below are turned by the series.
    const SMALL: f64 = 1e-4;

    /// The product of two quaternions: first the turn `b`, then `a`.
    fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
    }

    /// The quaternion of a turn about `v` by its length.
    fn turn(v: [f64; 3]) -> [f64; 4] {
        let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        let (real, scale) = if square < SMALL * SMALL {
            (1.0 - square / 8.0, 0.5 - square / 48.0)
        } else {
            let angle = square.sqrt();
            ((0.5 * angle).cos(), (0.5 * angle).sin() / angle)
        };
        [real, scale * v[0], scale * v[1], scale * v[2]]
    }

    fn normalized(q: [f64; 4]) -> [f64; 4] {
        let norm = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
        if (norm - 1.0).abs() > DRIFT {
            return [q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm];
        }
        q
    }

    /// The attitude after a time `dt` at a rate measured by gyroscopes with a bias.
    #[jacobian(wrt(q, bias))]
    pub fn step(q: [f64; 4], bias: [f64; 3], rate: [f64; 3], dt: f64) -> [f64; 4] {
        let turned = turn([(rate[0] - bias[0]) * dt, (rate[1] - bias[1]) * dt, (rate[2] - bias[2]) * dt]);
        normalized(product(q, turned))
    }
}

type Bias = Vector3<f64>;
type Fix = SVector<f64, 4>;
type FixJacobian = SMatrix<f64, 4, 3>;

/// The time between two rates in seconds, and the attitude at the start: rounded, so that the first step normalizes it.
const DT: f64 = 0.1;
const START: [f64; 4] = [0.71, 0.0, 0.71, 0.0];

/// The bias to be found in radians per second.
const BIAS: [f64; 3] = [4e-4, -2e-4, 3e-4];

/// The number of steps between two fixes, and the number of fixes.
const STEPS: usize = 200;
const FIXES: usize = 3;

/// The iterations end when the fixes are met to this distance, or after this many.
const NEAR: f64 = 1e-13;
const ITERATIONS: usize = 20;

fn main() -> ExitCode {
    let worst = check_both_sides();
    let fixes = fly(Bias::zeros(), &rates(Bias::zeros())).map(|(fix, _)| fix);
    let measured = rates(BIAS.into());

    println!("iteration  missed by [arc seconds]  error of the bias [degrees per hour]");
    let mut bias = Bias::zeros();
    for iteration in 0..ITERATIONS {
        let predicted = fly(bias, &measured);
        let missed = predicted.iter().zip(&fixes).map(|((q, _), fix)| (q - fix).norm()).fold(0.0, f64::max);
        // A small turn moves the quaternion by half its angle.
        let [seconds, per_hour] = [2.0 * missed.to_degrees() * 3600.0, (bias - Bias::from(BIAS)).norm().to_degrees()];
        println!("{iteration:>9} {seconds:>24.3e} {:>37.3e}", per_hour * 3600.0);
        if missed <= NEAR {
            println!("\nGenerated Jacobians and dual numbers differ by {worst:.1e} at most.");
            return ExitCode::SUCCESS;
        }
        bias -= gauss_newton(&predicted, &fixes);
    }
    ExitCode::FAILURE
}

/// What gyroscopes with this bias measure: the craft turns and rests by turns, for twenty steps each.
fn rates(bias: Bias) -> Vec<[f64; 3]> {
    let turning = |step: usize| {
        let phase = step as f64 * DT;
        Vector3::new(0.2 * (0.3 * phase).sin(), 0.1, 0.15 * (0.2 * phase).cos())
    };
    let rate = |step: usize| if (step / 20).is_multiple_of(2) { turning(step) } else { Vector3::zeros() };
    (0..STEPS * FIXES).map(|step| (rate(step) + bias).into()).collect()
}

/// The attitudes at the fixes that follow from a bias, with their Jacobians by it.
fn fly(bias: Bias, rates: &[[f64; 3]]) -> [(Fix, FixJacobian); FIXES] {
    let (mut q, mut by_bias) = (START, FixJacobian::zeros());
    let mut rates = rates.iter();
    std::array::from_fn(|_| {
        for &rate in rates.by_ref().take(STEPS) {
            let (next, jacobian) = attitude::step_jac(q, bias.into(), rate, DT);
            let jacobian = SMatrix::<f64, 4, 7>::from_row_slice(jacobian.as_flattened());
            by_bias = jacobian.fixed_columns::<4>(0) * by_bias + jacobian.fixed_columns::<3>(4);
            q = next;
        }
        (q.into(), by_bias)
    })
}

/// The correction of the bias that meets the fixes best to first order.
fn gauss_newton(predicted: &[(Fix, FixJacobian); FIXES], fixes: &[Fix; FIXES]) -> Bias {
    let mut normal = SMatrix::<f64, 3, 3>::zeros();
    let mut gradient = Bias::zeros();
    for ((q, jacobian), fix) in predicted.iter().zip(fixes) {
        normal += jacobian.tr_mul(jacobian);
        gradient += jacobian.tr_mul(&(q - fix));
    }
    normal.cholesky().expect("the craft has turned: the fixes tell the bias").solve(&gradient)
}

/// Checks the Jacobian for quaternions that have drifted and that have not, and for turns that are large, small and
/// none.
fn check_both_sides() -> f64 {
    let mut noise = Noise(1);
    let mut worst = 0.0_f64;
    for (norm, spread) in [(1.0, 1.0), (1.0, 1e-4), (1.0, 0.0), (1.1, 1.0), (1.1, 1e-4), (1.1, 0.0)] {
        for _ in 0..100 {
            let q = Fix::from(noise.around([0.0; 4], [1.0; 4])).normalize() * norm;
            let bias = noise.around([0.0; 3], [0.1; 3]);
            let rate = noise.around(bias, [spread; 3]);
            worst = worst.max(check_step([q[0], q[1], q[2], q[3], bias[0], bias[1], bias[2]], rate));
        }
    }
    worst
}

fn check_step(x: [f64; 7], rate: [f64; 3]) -> f64 {
    check_at(
        [x],
        |[a, b, c, d, e, f, g]| attitude::step([a, b, c, d], [e, f, g], rate, DT),
        |[a, b, c, d, e, f, g]| attitude::step_jac([a, b, c, d], [e, f, g], rate, DT),
        |[a, b, c, d, e, f, g]| {
            attitude_of_duals::step([a, b, c, d], [e, f, g], rate.map(Dual64::from), Dual64::from(DT))
        },
    )
}
