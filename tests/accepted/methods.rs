//! Methods, associated functions and constants, operators and traits of the structs of a `#[jacobian] mod`.

#![allow(clippy::op_ref)]

use approx::assert_relative_eq;
use jacobian::jacobian;

use crate::{Floats, check, differences};

impl Floats for springs::State {
    fn floats(&self) -> Vec<f64> {
        vec![self.x, self.v]
    }
}

impl Floats for robot::Pose {
    fn floats(&self) -> Vec<f64> {
        [&self.position[..], &[self.yaw]].concat()
    }
}

#[jacobian]
mod springs {
    use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub};

    #[derive(Copy, Clone, Debug, PartialEq)]
    pub struct Params {
        pub m: f64,
        pub k: f64,
        pub c: f64,
    }

    #[derive(Copy, Clone, Debug, Default, PartialEq)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }

    impl Params {
        pub const GRAVITY: f64 = 9.81;
        const STEPS: usize = 4;
        const REST: State = State { x: 0.5, v: 0.0 };

        pub fn new(m: f64, k: f64) -> Self {
            Self { m, k, c: 0.1 * m }
        }

        fn rate(&self, s: State) -> State {
            State { x: s.v, v: -(self.k * s.x + self.c * s.v) / self.m - Self::GRAVITY }
        }

        fn rk4(&self, s: State, h: f64) -> State {
            let k1 = self.rate(s);
            let k2 = self.rate(s + k1 * (0.5 * h));
            let k3 = self.rate(s + 0.5 * h * k2);
            let k4 = self.rate(s + k3 * h);
            s + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0)
        }
    }

    impl State {
        const fn at(x: f64) -> State {
            State { x, v: 0.0 }
        }

        fn energy(self, p: &Params) -> f64 {
            0.5 * (p.m * self.v * self.v + p.k * self.x * self.x)
        }

        fn advance(&mut self, p: &Params, h: f64) {
            *self += p.rate(*self) * h;
            self.clamp_low(-2.0);
        }

        fn clamp_low(&mut self, low: f64) {
            if self.x < low {
                self.x = low;
            }
        }

        fn swap(self) -> Self {
            Self { x: self.v, v: self.x }
        }
    }

    impl Add for State {
        type Output = Self;
        fn add(self, other: Self) -> Self::Output {
            Self { x: self.x + other.x, v: self.v + other.v }
        }
    }

    impl<'a> Add<&'a State> for &State {
        type Output = State;
        fn add(self, other: &'a State) -> State {
            *self + *other
        }
    }

    impl Sub for State {
        type Output = State;
        fn sub(self, other: State) -> State {
            self + -other
        }
    }

    impl Neg for State {
        type Output = State;
        fn neg(self) -> State {
            State { x: -self.x, v: -self.v }
        }
    }

    impl Mul<f64> for State {
        type Output = State;
        fn mul(self, by: f64) -> State {
            State { x: self.x * by, v: self.v * by }
        }
    }

    impl Mul<State> for f64 {
        type Output = State;
        fn mul(self, s: State) -> State {
            s * self
        }
    }

    /// Of the same type twice: the dot product.
    impl Mul for State {
        type Output = f64;
        fn mul(self, other: State) -> f64 {
            self.x * other.x + self.v * other.v
        }
    }

    /// Not what `Add` does, so that it is seen which is called.
    impl AddAssign for State {
        fn add_assign(&mut self, by: State) {
            self.x += by.x;
            self.v += by.v * 1.5;
        }
    }

    impl Index<usize> for State {
        type Output = f64;
        fn index(&self, i: usize) -> &f64 {
            match i {
                0 => &self.x,
                1 => &self.v,
                _ => panic!("there is no component {i}"),
            }
        }
    }

    impl From<f64> for State {
        fn from(x: f64) -> Self {
            State { x, v: 1.0 }
        }
    }

    impl From<[f64; 2]> for State {
        fn from([x, v]: [f64; 2]) -> Self {
            State { x, v }
        }
    }

    #[jacobian(forms(jac, vjp, hess))]
    pub fn simulated(p: &Params, s: State, h: f64) -> State {
        let mut s = s;
        for _ in 0..Params::STEPS {
            s = p.rk4(s, h);
        }
        s
    }

    #[jacobian(wrt(m, k, s))]
    pub fn marched(m: f64, k: f64, s: State, steps: usize) -> f64 {
        let p = Params::new(m, k);
        let mut s = s;
        let mut sum = 0.0;
        for _ in 0..steps {
            s.advance(&p, 0.05);
            sum += s.energy(&p);
        }
        sum + s.swap().x
    }

    #[jacobian(wrt(s, by))]
    pub fn operators(s: State, by: f64, i: usize) -> State {
        let mut sum = &s + &(s * 2.0);
        sum += by * s;
        sum += State::at(by) - State::at(1.0);
        let all = [s, sum, -s];
        let total = all.iter().fold(State::default(), |a, b| a + *b);
        total * (sum * s) + State::from(by) * sum[0] + State::from([by, s[i % 2]]) * s[1] + Params::REST
    }

    /// Nothing of these is active: they are called as they are, and their fields meet active values.
    #[jacobian(wrt(x))]
    pub fn of_passive(x: f64, n: usize) -> State {
        let mut s = State::default() + State::at(n as f64);
        s.advance(&Params::new(1.0, 2.0), 0.1);
        s += State::from(1.0);
        let t = s.swap();
        let u = -t * 3.0;
        State { x: x * u[0], v: x * x * s.x } + t * x
    }
}

#[test]
fn methods_operators_and_functions() {
    use springs::*;
    let p = |m, k, c| Params { m, k, c };
    let f = |[m, k, c, x, v, h]: [f64; 6]| simulated(&p(m, k, c), State { x, v }, h);
    let point = [1.5, 2.0, 0.3, 1.0, -0.5, 0.1];
    differences(f, |[m, k, c, x, v, h]| simulated_jac(&p(m, k, c), State { x, v }, h), point);
    for steps in [0, 1, 7] {
        let f = |[m, k, x, v]: [f64; 4]| marched(m, k, State { x, v }, steps);
        differences(f, |[m, k, x, v]| marched_jac(m, k, State { x, v }, steps), [1.5, 2.0, 1.0, -0.5]);
    }
    for i in 0..3 {
        let f = |[x, v, by]: [f64; 3]| operators(State { x, v }, by, i);
        differences(f, |[x, v, by]| operators_jac(State { x, v }, by, i), [1.0, -0.5, 0.75]);
    }
    differences(|[x]| of_passive(x, 3), |[x]| of_passive_jac(x, 3), [0.75]);
}

#[jacobian]
mod robot {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Pose {
        pub position: [f64; 3],
        pub yaw: f64,
    }

    /// A trait with a method that it provides, and one that a method of the struct itself hides.
    pub trait Moving {
        fn ahead(&self, by: f64) -> Self;
        fn twice(&self, by: f64) -> Self
        where
            Self: Sized,
        {
            self.ahead(by).ahead(by)
        }
        fn height(&self) -> f64;
    }

    impl Moving for Pose {
        fn ahead(&self, by: f64) -> Self {
            let (s, c) = self.yaw.sin_cos();
            let [x, y, z] = self.position;
            Pose { position: [x + by * c, y + by * s, z], ..*self }
        }
        fn height(&self) -> f64 {
            -self.position[2]
        }
    }

    impl Pose {
        fn height(&self) -> f64 {
            self.position[2]
        }

        /// Called like a function of floats.
        fn sqrt(&self) -> f64 {
            self.yaw.sqrt() * 3.0
        }

        fn turned(mut self, by: f64) -> Self {
            self.yaw += by;
            self
        }

        fn distance(&self, other: &Self) -> f64 {
            let mut sum = 0.0;
            for (a, b) in self.position.iter().zip(&other.position) {
                sum += (a - b).powi(2);
            }
            sum.sqrt()
        }
    }

    #[jacobian]
    pub fn reached(pose: &Pose, by: f64) -> (Pose, f64) {
        let start = pose.clone();
        let end = start.clone().turned(by).twice(by * by);
        let far = end.distance(pose) + Pose::distance(&end, &start);
        let other = <Pose as Moving>::height(&end) * by + end.height() + end.sqrt();
        (Moved::of(end).0, far * other)
    }

    struct Moved(Pose);

    impl Moved {
        fn of(pose: Pose) -> Self {
            Self(Pose { yaw: pose.yaw * 2.0, ..pose })
        }
    }
}

#[test]
fn traits_and_methods_that_move() {
    use robot::*;
    let pose = |x: &[f64]| Pose { position: [x[0], x[1], x[2]], yaw: x[3] };
    let point = [1.0, 2.0, -0.5, 0.25, 0.75];
    differences(|x| reached(&pose(&x), x[4]), |x| reached_jac(&pose(&x), x[4]), point);
}

/// Methods that are marked, in a module: they see its structs and functions.
#[jacobian]
mod marked {
    const HALF: f64 = 0.5;

    #[derive(Copy, Clone, Debug, PartialEq)]
    pub struct Params {
        pub m: f64,
        pub k: f64,
    }

    #[derive(Copy, Clone, Debug, PartialEq)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }

    fn square(x: f64) -> f64 {
        x * x
    }

    impl Params {
        fn force(&self, x: f64) -> f64 {
            -self.k * x - square(x) * self.m
        }

        /// By the state alone: `self` is passed through.
        #[jacobian]
        pub fn pull(&self, s: State) -> f64 {
            self.force(s.x) * s.v
        }

        /// By all of `self`, and the step.
        #[jacobian(wrt(h, self), forms(jac, vjp, hess))]
        pub fn step(self, s: State, h: f64) -> State {
            let Self { m, .. } = self;
            let v = s.v + h * self.force(s.x) / m;
            State { x: s.x + h * v, v }
        }

        /// By a field.
        #[jacobian(wrt(self.k, x))]
        pub fn energy(&self, x: f64) -> f64 {
            HALF * self.k * square(x)
        }
    }

    impl State {
        #[jacobian(wrt(self, p))]
        pub fn next(&self, p: &Params) -> Self {
            let moved = Self::at(self.x + self.v);
            let closure = |s: &Self| s.x * self.v;
            Self { v: p.force(moved.x) + closure(&moved), ..*self }
        }

        #[jacobian]
        pub fn at(x: f64) -> Self {
            Self { x, v: x * HALF }
        }
    }
}

impl Floats for marked::State {
    fn floats(&self) -> Vec<f64> {
        vec![self.x, self.v]
    }
}

#[test]
fn marked_methods() {
    use marked::*;
    let (p, s) = (Params { m: 1.5, k: 2.0 }, State { x: 0.5, v: -0.75 });
    differences(|[x, v]| p.pull(State { x, v }), |[x, v]| p.pull_jac(State { x, v }), [s.x, s.v]);
    let at = |m, k| Params { m, k };
    differences(|[h, m, k]| at(m, k).step(s, h), |[h, m, k]| at(m, k).step_jac(s, h), [0.25, p.m, p.k]);
    let (_, gradient, hessian) = p.step_hess(s, 0.25, &[1.0, -2.0]);
    let by = |[h, m, k]: [f64; 3]| at(m, k).step_vjp(s, h, &[1.0, -2.0]).1;
    for (one, other) in by([0.25, p.m, p.k]).into_iter().zip(gradient) {
        assert_relative_eq!(one, other, max_relative = 1e-14);
    }
    differences(by, |x| (by(x), hessian), [0.25, p.m, p.k]);
    differences(|[k, x]| at(1.5, k).energy(x), |[k, x]| at(1.5, k).energy_jac(x), [2.0, 0.5]);
    let state = |x, v| State { x, v };
    let point = [s.x, s.v, p.m, p.k];
    differences(|[x, v, m, k]| state(x, v).next(&at(m, k)), |[x, v, m, k]| state(x, v).next_jac(&at(m, k)), point);
    differences(|[x]| State::at(x), |[x]| State::at_jac(x), [0.5]);
}

/// Which method a call means depends on what it is called on: by value first, then by reference, the type's own before
/// those of traits.
#[jacobian]
mod chosen {
    #[derive(Copy, Clone)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }

    pub trait Pick {
        fn pick(self) -> f64;
    }

    impl Pick for State {
        fn pick(self) -> f64 {
            self.x * 10.0
        }
    }

    impl State {
        pub fn pick(&self) -> f64 {
            self.v
        }
    }

    fn behind(s: &State) -> f64 {
        s.pick()
    }

    #[jacobian]
    pub fn both(s: State) -> [f64; 3] {
        let r = &s;
        [s.pick(), r.pick(), behind(&s)]
    }
}

#[test]
fn the_receiver_tells_which_method_is_called() {
    use chosen::*;
    let expected = [[10.0, 0.0], [0.0, 1.0], [0.0, 1.0]].concat();
    check(both(State { x: 2.0, v: 3.0 }), both_jac(State { x: 2.0, v: 3.0 }), &expected);
}

/// An arm outside of a module, whose methods are called by their Jacobians.
struct Arm {
    length: f64,
}

impl Arm {
    #[jacobian(forms(jac, hess))]
    fn reach(&self, q: f64) -> f64 {
        self.length * q.cos()
    }

    fn tip(&self, q: f64, n: usize) -> [f64; 2] {
        [self.length * q.cos(), self.length * q.sin() * n as f64]
    }

    fn by_hand(&self, q: f64, n: usize) -> ([f64; 2], [[f64; 1]; 2]) {
        (self.tip(q, n), [[-self.length * q.sin()], [self.length * q.cos() * n as f64]])
    }

    #[jacobian(forms(jac, hess), with(self.reach: fn(&Self, f64) -> f64))]
    fn squared(&self, q: f64) -> f64 {
        let r = self.reach(q * q);
        r * r + self.reach(2.0)
    }

    #[jacobian(with(self.tip = Self::by_hand, Self::reach))]
    fn ahead(&self, q: f64, k: f64) -> f64 {
        let [x, y] = self.tip(q * k, 3);
        x * y * self.reach(k)
    }
}

#[test]
fn methods_of_self_by_their_jacobians() {
    let arm = Arm { length: 1.5 };
    differences(|[q]| arm.squared(q), |[q]| arm.squared_jac(q), [0.75]);
    let (_, gradient, hessian) = arm.squared_hess(0.75);
    differences(|[q]| arm.squared_jac(q).1, |_| (gradient, hessian), [0.75]);
    differences(|[q, k]| arm.ahead(q, k), |[q, k]| arm.ahead_jac(q, k), [0.75, 0.5]);
}
