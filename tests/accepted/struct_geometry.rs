//! Structs of a module with types of nalgebra in them: the value is that of the function, bit for bit, the derivative
//! that of differences, by coordinates and by tangents.

use approx::relative_eq;
use jacobian::jacobian;
use nalgebra::{Isometry3, Matrix2, SMatrix, Translation3, UnitQuaternion, Vector3};

use crate::{Floats, bits, differences};
use states::{Arm, Body, State};

#[jacobian]
mod states {
    use nalgebra::{Isometry3, Matrix2, UnitQuaternion, Vector3};
    use std::ops::Add;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct State {
        pub attitude: UnitQuaternion<f64>,
        pub bias: Vector3<f64>,
    }

    /// A struct in a struct, an array of points, and what has no derivative.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Body {
        pub pose: Isometry3<f64>,
        pub state: State,
        pub gains: Matrix2<f64>,
        pub points: [Vector3<f64>; 2],
    }

    pub struct Arm {
        pub joint: UnitQuaternion<f64>,
        pub tip: Vector3<f64>,
        pub pose: Isometry3<f64>,
        pub number: usize,
    }

    impl State {
        fn turned(&self, by: Vector3<f64>) -> Self {
            State { attitude: self.attitude * UnitQuaternion::from_scaled_axis(by), ..*self }
        }

        #[jacobian(wrt(self), retract(self), layout = "matrix")]
        pub fn seen(&self, v: &Vector3<f64>) -> Vector3<f64> {
            self.attitude.inverse_transform_vector(v) + self.bias * v.x
        }
    }

    impl Add<Vector3<f64>> for State {
        type Output = State;
        fn add(self, by: Vector3<f64>) -> State {
            State { bias: self.bias + by, ..self }
        }
    }

    #[jacobian(
        wrt(state),
        retract(state, return),
        layout = "matrix",
        forms(jac, jac_into, jac_only, jvp, vjp, lin, jac_sparse)
    )]
    pub fn predicted(state: State, rate: &Vector3<f64>, dt: f64) -> State {
        state.turned((rate - state.bias) * dt) + state.bias.cross(rate) * dt
    }

    #[jacobian(wrt(state, rate), forms(jac, jvp, vjp, hess, hvp, normal))]
    pub fn by_coordinates(state: &State, rate: Vector3<f64>, n: usize) -> Vector3<f64> {
        let mut state = *state;
        for _ in 0..n {
            state.bias = state.attitude * state.bias + rate;
            state.attitude *= UnitQuaternion::from_scaled_axis(rate);
        }
        state.bias
    }

    #[jacobian(retract(body, return))]
    pub fn moved(body: &Body, by: Vector3<f64>) -> Body {
        let Body { pose, state, mut points, .. } = *body;
        points[0] += pose.rotation * by;
        points[1] = state.attitude * points[0] + body.gains.m12 * by;
        let turn = Isometry3::new(by, points[1]);
        let gains = if by.x > 0.0 { body.gains * body.gains } else { body.gains.transpose() };
        Body { pose: pose * turn, state: state.turned(by) + pose.translation.vector, gains, points }
    }

    #[jacobian(wrt(bodies))]
    pub fn of_an_array(bodies: [Body; 2], k: usize) -> f64 {
        let chosen = bodies[k % 2];
        let far = bodies.iter().map(|body| body.points[1].norm_squared()).sum::<f64>();
        chosen.pose.translation.vector.dot(&chosen.state.bias) + far
    }

    #[jacobian(wrt(arm), retract(arm.joint))]
    pub fn one_of_them(arm: &Arm) -> Vector3<f64> {
        arm.joint * arm.tip + arm.pose.rotation * arm.tip * arm.number as f64
    }

    #[jacobian(wrt(arm.joint, arm.pose: Isometry3<f64>), retract(arm))]
    pub fn all_that_are_named(arm: &Arm) -> Vector3<f64> {
        arm.joint * arm.tip + arm.pose.rotation * arm.tip * arm.number as f64
    }

    #[jacobian(wrt(body, by), retract(body.state, body.pose))]
    pub fn of_a_part(body: Body, by: Vector3<f64>) -> Vector3<f64> {
        body.state.attitude * (body.pose.rotation * by + body.points[0])
    }

    #[jacobian(wrt(x), retract(out.attitude))]
    pub fn of_an_output(x: &[f64; 3], out: &mut State) {
        *out = State {
            attitude: UnitQuaternion::from_euler_angles(x[0], x[1], x[2]),
            bias: Vector3::new(x[0], x[1], 1.0),
        };
    }

    impl Arm {
        #[jacobian(wrt(self.joint), retract(self.joint))]
        pub fn reach(&self) -> Vector3<f64> {
            self.joint * self.tip
        }
    }
}

impl Floats for State {
    fn floats(&self) -> Vec<f64> {
        (self.attitude, self.bias).floats()
    }
}

impl Floats for Body {
    fn floats(&self) -> Vec<f64> {
        [self.pose.floats(), self.state.floats(), self.gains.floats(), self.points.floats()].concat()
    }
}

fn vector(x: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(&x[..3])
}

fn turn(d: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(vector(d))
}

fn shift(d: &[f64]) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(vector(&d[3..])), turn(d))
}

fn state() -> State {
    State { attitude: UnitQuaternion::from_euler_angles(0.3, -0.2, 0.9), bias: Vector3::new(0.1, -0.2, 0.3) }
}

fn moved_state(state: &State, d: &[f64]) -> State {
    State { attitude: state.attitude * turn(d), bias: state.bias + vector(&d[3..]) }
}

/// The tangents from one value to another one near it.
fn between(from: &State, to: &State) -> Vec<f64> {
    [(from.attitude.inverse() * to.attitude).scaled_axis().floats(), to.bias.floats()].concat()
}

fn between_poses(from: &Isometry3<f64>, to: &Isometry3<f64>) -> Vec<f64> {
    let relative = from.inverse() * to;
    [relative.rotation.scaled_axis().floats(), relative.translation.vector.floats()].concat()
}

fn body() -> Body {
    Body {
        pose: Isometry3::new(Vector3::new(1.0, 2.0, -1.0), Vector3::new(0.4, -0.1, 0.7)),
        state: state(),
        gains: Matrix2::new(1.0, 2.0, 0.5, -1.0),
        points: [Vector3::new(0.5, 0.25, -0.5), Vector3::new(-1.0, 0.3, 0.8)],
    }
}

fn moved_body(body: &Body, d: &[f64]) -> Body {
    Body {
        pose: body.pose * shift(d),
        state: moved_state(&body.state, &d[6..]),
        gains: body.gains + Matrix2::from_column_slice(&d[12..16]),
        points: [body.points[0] + vector(&d[16..]), body.points[1] + vector(&d[19..])],
    }
}

fn between_bodies(from: &Body, to: &Body) -> Vec<f64> {
    let states = between(&from.state, &to.state);
    [between_poses(&from.pose, &to.pose), states, to.gains.floats(), to.points.floats()].concat()
}

/// The rows are near the difference quotients of what gives floats for a change of each column.
#[track_caller]
fn near<const N: usize>(rows: &[[f64; N]], f: impl Fn(&[f64; N]) -> Vec<f64>) {
    for column in 0..N {
        let at = |step: f64| {
            let mut d = [0.0; N];
            d[column] = step;
            f(&d)
        };
        let quotients = at(1e-6).into_iter().zip(at(-1e-6)).map(|(above, below)| (above - below) / 2e-6);
        let quotients: Vec<f64> = quotients.collect();
        assert_eq!(rows.len(), quotients.len());
        for (row, expected) in quotients.iter().enumerate() {
            let entry = rows[row][column];
            let is_near = relative_eq!(entry, *expected, epsilon = 2e-8, max_relative = 2e-8);
            assert!(is_near, "entry {row}, {column} is {entry}; the difference quotient is {expected}");
        }
    }
}

#[track_caller]
fn same(found: Vec<f64>, expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(relative_eq!(found, expected, epsilon = 1e-12, max_relative = 1e-12), "{found}, not {expected}");
    }
}

fn rows<const M: usize, const N: usize>(matrix: &SMatrix<f64, M, N>) -> [[f64; N]; M] {
    std::array::from_fn(|row| std::array::from_fn(|column| matrix[(row, column)]))
}

#[test]
fn every_form_by_tangents() {
    let (from, rate, dt) = (state(), Vector3::new(0.5, -1.5, 2.0), 0.1);
    let (value, f) = states::predicted_jac(from, &rate, dt);
    assert_eq!(bits(&value), bits(&states::predicted(from, &rate, dt)));
    let rows = rows::<6, 6>(&f);
    near(&rows, |d| between(&value, &states::predicted(moved_state(&from, d), &rate, dt)));
    let (mut own_value, mut own) = (from, SMatrix::<f64, 6, 6>::zeros());
    states::predicted_jac_into(from, &rate, dt, &mut own_value, &mut own);
    assert_eq!((own_value, own, states::predicted_jac_only(from, &rate, dt)), (value, f, f));
    let (tangent, cotangent) = ([1.0, 2.0, -1.0, 0.5, 0.25, -2.0], [1.0, -2.0, 0.5, 3.0, -1.0, 2.0]);
    let along = f * SMatrix::<f64, 6, 1>::from(tangent);
    let across = f.transpose() * SMatrix::<f64, 6, 1>::from(cotangent);
    let labels = states::predicted_lin(from, &rate, dt).1;
    let products = [
        (states::predicted_jvp(from, &rate, dt, &tangent).1.floats(), along),
        (states::predicted_lin_jvp(&labels, &tangent).floats(), along),
        (states::predicted_vjp(from, &rate, dt, &cotangent).1.floats(), across),
        (states::predicted_lin_vjp(&labels, &cotangent).floats(), across),
    ];
    for (product, expected) in products {
        same(product, expected.as_slice());
    }
    let (starts, places) = states::predicted_jac_pattern();
    let (_, entries) = states::predicted_jac_sparse(from, &rate, dt);
    let mut dense = SMatrix::<f64, 6, 6>::zeros();
    for column in 0..6 {
        (starts[column]..starts[column + 1]).for_each(|at| dense[(places[at], column)] = entries[at]);
    }
    same(dense.floats(), f.as_slice());
    let (seen, h) = from.seen_jac(&rate);
    assert_eq!(bits(&seen), bits(&from.seen(&rate)));
    near(&self::rows::<3, 6>(&h), |d| moved_state(&from, d).seen(&rate).floats());
}

#[test]
fn every_form_by_coordinates() {
    let quaternion = |x: &[f64]| UnitQuaternion::new_unchecked([x[0], x[1], x[2], x[3]].into());
    let at = |x: [f64; 10]| (State { attitude: quaternion(&x), bias: vector(&x[4..]) }, vector(&x[7..]));
    let x = [0.1, -0.3, 0.2, 0.9, 0.5, 1.5, -0.5, 0.25, 0.75, -1.0];
    for n in 0..3 {
        let jac = |x: [f64; 10]| states::by_coordinates_jac(&at(x).0, at(x).1, n);
        differences(|x| states::by_coordinates(&at(x).0, at(x).1, n), jac, x);
        let (_, rows) = jac(x);
        let (weights, direction) = ([1.0, -2.0, 0.5], [1.0, 0.5, -1.0, 0.25, 2.0, -0.5, 1.5, 0.75, -0.25, 1.0]);
        let gradient = |x: [f64; 10]| -> [f64; 10] {
            std::array::from_fn(|column| (0..3).map(|row| weights[row] * jac(x).1[row][column]).sum())
        };
        let (_, product) = states::by_coordinates_vjp(&at(x).0, at(x).1, n, &weights);
        same(product.floats(), &gradient(x));
        let along: Vec<f64> = rows.iter().map(|row| row.iter().zip(&direction).map(|(a, b)| a * b).sum()).collect();
        same(states::by_coordinates_jvp(&at(x).0, at(x).1, n, &direction).1.floats(), &along);
        let hess = |x: [f64; 10]| states::by_coordinates_hess(&at(x).0, at(x).1, n, &weights).2;
        differences(gradient, |x| (gradient(x), hess(x)), x);
        let second: Vec<f64> = hess(x).iter().map(|row| row.iter().zip(&direction).map(|(a, b)| a * b).sum()).collect();
        same(states::by_coordinates_hvp(&at(x).0, at(x).1, n, &weights, &direction).2.floats(), &second);
        let square: Vec<f64> =
            (0..100).map(|at| (0..3).map(|row| rows[row][at / 10] * rows[row][at % 10]).sum::<f64>()).collect();
        same(states::by_coordinates_normal(&at(x).0, at(x).1, n).2.floats(), &square);
    }
}

#[test]
fn structs_in_structs() {
    let from = body();
    for by in [Vector3::new(0.3, -0.4, 0.2), Vector3::new(-0.3, 0.1, 0.5)] {
        let (value, jacobian) = states::moved_jac(&from, by);
        assert_eq!(bits(&value), bits(&states::moved(&from, by)));
        near::<25>(&jacobian, |d| between_bodies(&value, &states::moved(&moved_body(&from, d), by + vector(&d[22..]))));
    }
}

#[test]
fn arrays_of_structs() {
    let pair = [body(), moved_body(&body(), &[0.1; 22])];
    for k in 0..2 {
        let (value, gradient) = states::of_an_array_jac(pair, k);
        assert_eq!(value.to_bits(), states::of_an_array(pair, k).to_bits());
        assert_eq!(gradient.len(), 2 * 24);
        let chosen = pair[k];
        for (number, own) in pair.iter().enumerate() {
            let part = &gradient[number * 24..][..24];
            let zero = Vector3::zeros();
            let (bias, shift) =
                if number == k { (chosen.pose.translation.vector, chosen.state.bias) } else { (zero, zero) };
            let mut expected = vec![0.0; 24];
            expected[4..7].copy_from_slice(shift.as_slice());
            expected[11..14].copy_from_slice(bias.as_slice());
            expected[21..24].copy_from_slice((own.points[1] * 2.0).as_slice());
            same(part.to_vec(), &expected);
        }
    }
}

fn arm() -> Arm {
    Arm { joint: state().attitude, tip: Vector3::new(1.0, -0.5, 0.25), pose: body().pose, number: 3 }
}

#[test]
fn tangents_of_fields() {
    let own = arm();
    let (value, jacobian) = states::one_of_them_jac(&own);
    assert_eq!(bits(&value), bits(&states::one_of_them(&own)));
    let translated = |pose: &Isometry3<f64>, d: &[f64]| {
        let (q, t) =
            (pose.rotation.coords + SMatrix::from_column_slice(&d[..4]), pose.translation.vector + vector(&d[4..]));
        Isometry3::from_parts(t.into(), UnitQuaternion::new_unchecked(q.into()))
    };
    near::<13>(&jacobian, |d| {
        let joint = own.joint * turn(d);
        let moved = Arm { joint, tip: own.tip + vector(&d[3..]), pose: translated(&own.pose, &d[6..]), ..own };
        states::one_of_them(&moved).floats()
    });
    let (value, jacobian) = states::all_that_are_named_jac(&own);
    assert_eq!(bits(&value), bits(&states::all_that_are_named(&own)));
    near::<9>(&jacobian, |d| {
        states::all_that_are_named(&Arm { joint: own.joint * turn(d), pose: own.pose * shift(&d[3..]), ..own }).floats()
    });
    let (value, jacobian) = own.reach_jac();
    assert_eq!(bits(&value), bits(&own.reach()));
    near::<3>(&jacobian, |d| Arm { joint: own.joint * turn(d), ..own }.reach().floats());
    let (from, by) = (body(), Vector3::new(0.1, -0.2, 0.3));
    let (value, jacobian) = states::of_a_part_jac(from, by);
    assert_eq!(bits(&value), bits(&states::of_a_part(from, by)));
    near::<25>(&jacobian, |d| states::of_a_part(moved_body(&from, d), by + vector(&d[22..])).floats());
    let (mut out, mut again) = (state(), state());
    let x = [0.2, -0.3, 0.5];
    let jacobian = states::of_an_output_jac(&x, &mut out);
    states::of_an_output(&x, &mut again);
    assert_eq!(out, again);
    near::<3>(&jacobian, |d| {
        let mut moved = out;
        states::of_an_output(&[x[0] + d[0], x[1] + d[1], x[2] + d[2]], &mut moved);
        between(&out, &moved)
    });
}
