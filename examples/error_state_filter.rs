//! An error-state Kalman filter: its state is a struct, of the attitude of a body as a `UnitQuaternion` and the bias of
//! its gyroscope.
//!
//! Takes nothing. The body tumbles for a minute; the filter sees a biased, noisy gyroscope at 100 Hz, and the directions
//! of gravity and of the magnetic field at 10 Hz. Its error state is the tangent of the attitude and the error of the
//! bias: six numbers, whose `F` and `H` are generated, by `retract` and as matrices. Prints the errors of the estimate,
//! with the gyroscope alone and with the filter. The generated matrices are checked at every step against the closed
//! forms of the literature (J. Solà, "Quaternion kinematics for the error-state Kalman filter") and against dual
//! numbers, and a disagreement is a panic.
//!
//!     cargo run --release --example error_state_filter

mod dual;

use dual::{Dual64, DualNum, Noise, check, jacobian_by_duals};
use jacobian::jacobian;
use model::State;
use nalgebra::{Matrix3, SMatrix, UnitQuaternion, Vector3, Vector6};

#[jacobian]
mod model {
    use nalgebra::{UnitQuaternion, Vector3};

    /// What the filter estimates. The error of the attitude is on the right, in the frame of the body.
    #[derive(Clone, Copy)]
    pub struct State {
        pub attitude: UnitQuaternion<f64>,
        pub bias: Vector3<f64>,
    }

    impl State {
        fn turned(&self, turn: Vector3<f64>) -> State {
            State { attitude: self.attitude * UnitQuaternion::from_scaled_axis(turn), ..*self }
        }
    }

    /// The state after a step of time.
    #[jacobian(wrt(state), retract(state, return), layout = "matrix")]
    pub fn predicted(state: &State, rate: &Vector3<f64>, dt: f64) -> State {
        state.turned((rate - state.bias) * dt)
    }

    /// The directions of gravity and of the magnetic field, as the body sees them.
    #[jacobian(wrt(state), retract(state), layout = "matrix")]
    pub fn measured(state: &State, down: &Vector3<f64>, north: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        (state.attitude.inverse_transform_vector(down), state.attitude.inverse_transform_vector(north))
    }
}

const DT: f64 = 0.01;
const STEPS: usize = 6000;
const GYROSCOPE: f64 = 0.02;
const DIRECTIONS: f64 = 0.03;

type Matrix6 = SMatrix<f64, 6, 6>;

struct Filter {
    state: State,
    covariance: Matrix6,
}

impl Filter {
    fn predict(&mut self, rate: &Vector3<f64>) {
        let (next, f) = model::predicted_jac(&self.state, rate, DT);
        near(&f, &predicted_by_hand(&((rate - self.state.bias) * DT)));
        check(&rows(&f), &predicted_by_duals(&self.state, rate, &next));
        let mut noise = Matrix6::zeros();
        noise.fixed_view_mut::<3, 3>(0, 0).fill_diagonal((GYROSCOPE * DT).powi(2));
        noise.fixed_view_mut::<3, 3>(3, 3).fill_diagonal(1e-12);
        self.covariance = f * self.covariance * f.transpose() + noise;
        self.state = next;
    }

    fn update(&mut self, seen: [Vector3<f64>; 2], down: &Vector3<f64>, north: &Vector3<f64>) {
        let ((to_down, to_north), h) = model::measured_jac(&self.state, down, north);
        near(&h, &measured_by_hand(&to_down, &to_north));
        check(&rows(&h), &measured_by_duals(&self.state, [down, north]));
        let residual = stacked(seen[0] - to_down, seen[1] - to_north);
        let variance = h * self.covariance * h.transpose() + Matrix6::identity() * DIRECTIONS.powi(2);
        let gain = self.covariance * h.transpose() * variance.try_inverse().expect("it is positive definite");
        let error: Vector6<f64> = gain * residual;
        self.state.attitude *= UnitQuaternion::from_scaled_axis(error.fixed_rows::<3>(0).clone_owned());
        self.state.bias += error.fixed_rows::<3>(3);
        self.covariance -= gain * h * self.covariance;
    }
}

/// `F` for a turn by this rotation vector: the inverse of the turn, and the right Jacobian of the rotation group.
fn predicted_by_hand(turn: &Vector3<f64>) -> Matrix6 {
    let (angle, cross) = (turn.norm(), turn.cross_matrix());
    let right = Matrix3::identity() - cross * ((1.0 - angle.cos()) / angle.powi(2))
        + cross * cross * ((angle - angle.sin()) / angle.powi(3));
    let mut f = Matrix6::identity();
    f.fixed_view_mut::<3, 3>(0, 0).copy_from(UnitQuaternion::from_scaled_axis(-turn).to_rotation_matrix().matrix());
    f.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-right * DT));
    f
}

fn measured_by_hand(down: &Vector3<f64>, north: &Vector3<f64>) -> Matrix6 {
    let mut h = Matrix6::zeros();
    h.fixed_view_mut::<3, 3>(0, 0).copy_from(&down.cross_matrix());
    h.fixed_view_mut::<3, 3>(3, 0).copy_from(&north.cross_matrix());
    h
}

fn near(generated: &Matrix6, by_hand: &Matrix6) {
    let distance = (generated - by_hand).amax();
    assert!(distance < 1e-9, "the generated matrix is off by {distance:e}: {generated}, not {by_hand}");
}

fn rows(matrix: &Matrix6) -> [[f64; 6]; 6] {
    matrix.transpose().into()
}

/// `F` by dual numbers: how the tangent from the next state depends on that at the state.
fn predicted_by_duals(state: &State, rate: &Vector3<f64>, next: &State) -> [[f64; 6]; 6] {
    let f = |error: [Dual64; 6]| {
        let bias: [Dual64; 3] = std::array::from_fn(|i| error[3 + i] + state.bias[i]);
        let turn: [Dual64; 3] = std::array::from_fn(|i| (-bias[i] + rate[i]) * DT);
        let [x, y, z, _] = product(duals(&next.attitude.inverse()), product(perturbed(state, error), exp(turn)));
        [x * 2.0, y * 2.0, z * 2.0, bias[0], bias[1], bias[2]]
    };
    jacobian_by_duals(f, [0.0; 6])
}

fn measured_by_duals(state: &State, directions: [&Vector3<f64>; 2]) -> [[f64; 6]; 6] {
    let h = |error: [Dual64; 6]| {
        let q = perturbed(state, error);
        let inverse = [-q[0], -q[1], -q[2], q[3]];
        let seen = directions.map(|v| product(product(inverse, [v.x, v.y, v.z, 0.0].map(Dual64::from_re)), q));
        std::array::from_fn(|row| seen[row / 3][row % 3])
    };
    jacobian_by_duals(h, [0.0; 6])
}

/// The attitude times the rotation by a small vector.
fn perturbed(state: &State, error: [Dual64; 6]) -> [Dual64; 4] {
    product(duals(&state.attitude), [error[0] * 0.5, error[1] * 0.5, error[2] * 0.5, Dual64::from_re(1.0)])
}

fn duals(q: &UnitQuaternion<f64>) -> [Dual64; 4] {
    [q.i, q.j, q.k, q.w].map(Dual64::from_re)
}

fn product(a: [Dual64; 4], b: [Dual64; 4]) -> [Dual64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

fn exp(turn: [Dual64; 3]) -> [Dual64; 4] {
    let angle = (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]).sqrt();
    let (sin, cos) = (angle * 0.5).sin_cos();
    let [x, y, z] = turn.map(|entry| entry * sin / angle);
    [x, y, z, cos]
}

fn stacked(one: Vector3<f64>, other: Vector3<f64>) -> Vector6<f64> {
    Vector6::new(one.x, one.y, one.z, other.x, other.y, other.z)
}

fn vector(noise: &mut Noise, deviation: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| noise.normal() * deviation)
}

fn main() {
    let (down, north) = (Vector3::new(0.0, 0.0, -1.0), Vector3::new(0.9, 0.0, -0.4).normalize());
    let bias = Vector3::new(0.02, -0.03, 0.015);
    let mut noise = Noise(1);
    let mut attitude = UnitQuaternion::from_euler_angles(0.3, -0.2, 1.0);
    let mut integrated = attitude;
    let mut filter = Filter {
        state: State { attitude: UnitQuaternion::identity(), bias: Vector3::zeros() },
        covariance: Matrix6::from_diagonal(&stacked(Vector3::repeat(1.0), Vector3::repeat(1e-2))),
    };
    let (mut squares, mut count) = (0.0, 0);
    for step in 0..STEPS {
        let t = step as f64 * DT;
        let rate = Vector3::new(0.5 * (0.7 * t).sin(), 0.4 * (0.3 * t).cos(), 0.2);
        attitude *= UnitQuaternion::from_scaled_axis(rate * DT);
        let gyroscope = rate + bias + vector(&mut noise, GYROSCOPE);
        integrated *= UnitQuaternion::from_scaled_axis(gyroscope * DT);
        filter.predict(&gyroscope);
        if step % 10 == 9 {
            let seen = [down, north].map(|direction| attitude.inverse() * direction + vector(&mut noise, DIRECTIONS));
            filter.update(seen, &down, &north);
        }
        if t > 20.0 {
            squares += filter.state.attitude.angle_to(&attitude).powi(2);
            count += 1;
        }
    }
    let rms = (squares / f64::from(count)).sqrt();
    let off = (filter.state.bias - bias).norm();
    println!("after {:.0} s, in degrees", STEPS as f64 * DT);
    println!("gyroscope alone, off by  {:>9.4}", integrated.angle_to(&attitude).to_degrees());
    println!("filter, off by           {:>9.4}", filter.state.attitude.angle_to(&attitude).to_degrees());
    println!("filter, rms after 20 s   {:>9.4}", rms.to_degrees());
    println!("bias, off by per second  {:>9.4}", off.to_degrees());
    assert!(rms.to_degrees() < 1.0 && off.to_degrees() < 0.2, "the filter has not converged");
    println!("\nThe generated F and H are those of the closed forms and of dual numbers.");
}
