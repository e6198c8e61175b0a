//! Structs in the uses that other values have: with closures and iterators, in arrays at run-time indices, chosen
//! by branches, given to generic functions and through mutable references, beside those of which nothing is active.

#![allow(clippy::needless_late_init)]

use jacobian::jacobian;

use crate::{Floats, check, differences};

#[jacobian]
mod uses {
    use std::ops::{self, Add, Mul};
    #[derive(Clone, Copy, Debug, PartialEq, Default)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Wrap(pub State, pub [State; 2]);
    impl Add for State {
        type Output = State;
        fn add(self, o: State) -> State {
            State { x: self.x + o.x, v: self.v + o.v }
        }
    }
    impl ops::Sub for State {
        type Output = State;
        fn sub(self, o: State) -> State {
            State { x: self.x - o.x, v: self.v - o.v }
        }
    }
    impl Mul<f64> for State {
        type Output = State;
        fn mul(self, k: f64) -> State {
            State { x: self.x * k, v: self.v * k }
        }
    }
    impl core::ops::SubAssign<f64> for State {
        fn sub_assign(&mut self, k: f64) {
            self.x -= k;
        }
    }
    impl std::iter::Sum for State {
        fn sum<I: Iterator<Item = State>>(it: I) -> State {
            it.fold(State::default(), |a, b| a + b)
        }
    }
    // shadowed by a local struct of another order
    #[jacobian]
    pub fn shadow(x: f64, y: f64) -> f64 {
        #[derive(Clone, Copy)]
        struct State {
            v: f64,
            x: f64,
        }
        let s = State { v: 2.0, x: 3.0 };
        x * s.v + y * s.x
    }
    // closures and iterators over structs
    #[jacobian]
    pub fn iterate(a: [State; 3], k: f64) -> State {
        let total = a.iter().copied().fold(State::default(), |a, b| a + b * k);
        let b = a.map(|s| State { x: s.v, ..s });
        let c: [State; 3] = core::array::from_fn(|i| b[i] * k);
        let mut t = total;
        for s in &c {
            t = t + *s;
        }
        for s in c.iter().rev().skip(1) {
            t = t - *s * 0.5;
        }
        for (i, State { x, v }) in c.into_iter().enumerate() {
            t.x += x * i as f64;
            t.v -= v;
        }
        t
    }
    // early return, match, nested wraps
    #[jacobian]
    pub fn early(w: &Wrap, k: f64) -> Wrap {
        let Wrap(first, [a, b]) = *w;
        if first.x > k {
            return Wrap(a, [b, first]);
        }
        let mut out = *w;
        out.1[1].x *= k;
        out.0 = State { x: out.1[0].v, v: k };
        (out.1[0], out.1[1]) = (out.1[1], out.1[0]);
        out.0 -= k * k;
        out
    }
    // loops with arrays of structs, run time indices
    #[jacobian(wrt(a, k))]
    pub fn looped(a: [State; 2], k: f64, n: usize) -> f64 {
        let mut all = a;
        let mut best = all[0];
        for i in 0..n {
            let s = all[i % 2];
            all[(i + 1) % 2] = s * k + best;
            if s.x > best.x {
                best = s;
            }
            all[i % 2].v += 0.1 * best.x;
        }
        best.x + all[0].v * all[1].x
    }
    // passive with unknown shape
    #[jacobian(wrt(x))]
    pub fn passive(x: f64, all: &[State], n: usize) -> f64 {
        let s = all[n];
        let t: State = all[0];
        let u = State { x, ..all[n] };
        let v = State { v: x, ..Default::default() };
        let w: State = Default::default();
        (t + u).x * s.v + (v + w).v + (u * all[0].x).x
    }
    // tuple with struct, swap
    #[jacobian]
    pub fn tuple(s: State, t: State) -> (State, [f64; 2]) {
        let (mut a, mut b) = (s, t);
        let pair = (a, b);
        a = pair.1;
        b = pair.0;
        let f = |State { x, .. }: State, by: f64| x * by;
        (a + b * 2.0, [f(a, b.v), f(b, a.v)])
    }
    // a let without init, in branches
    #[jacobian]
    pub fn unset(s: State, k: f64) -> f64 {
        let t;
        if s.x > k {
            t = s * k;
        } else {
            t = State { x: k, v: s.x * s.v };
        }
        let r = if k > 0.5 { &t } else { &s };
        r.x * t.v
    }
    // while loop on struct state
    #[jacobian]
    pub fn newton(s: State) -> f64 {
        let mut t = s;
        let mut i = 0;
        while (t.x * t.x - s.v).abs() > 1e-14 && i < 60 {
            t.x = 0.5 * (t.x + s.v / t.x);
            i += 1;
        }
        t.x
    }
    // passive state that a loop changes
    #[jacobian(wrt(x))]
    pub fn passive_state(x: f64, n: usize) -> f64 {
        let mut s = State::default();
        let mut acc = State { x: 0.0, v: 0.0 };
        for i in 0..n {
            s = s + State { x: i as f64, v: 1.0 };
            acc.x += x * s.x;
            acc.v = s.v;
        }
        acc.x * acc.v
    }
    #[jacobian]
    pub fn of_f32(a: Small, k: f32) -> Small {
        Small { b: a.c * k, c: a.b.sin() }
    }
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Small {
        pub b: f32,
        pub c: f32,
    }
}

#[jacobian]
mod given {
    use std::ops::{Add, Mul};
    #[derive(Clone, Copy, Debug, PartialEq, Default)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }
    impl Add for State {
        type Output = State;
        fn add(self, o: State) -> State {
            State { x: self.x + o.x, v: self.v + o.v }
        }
    }
    impl Mul<f64> for State {
        type Output = State;
        fn mul(self, k: f64) -> State {
            State { x: self.x * k, v: self.v * k }
        }
    }
    impl State {
        fn norm(&self) -> f64 {
            self.x * 100.0
        }
        fn bump(&mut self, k: f64) {
            self.x += k;
            self.v *= 2.0;
        }
    }
    // An inherent method hides the one of this name.
    #[allow(dead_code)]
    pub trait Norm {
        fn norm(&self) -> f64;
        fn only(&self) -> f64;
        fn both(&self) -> f64
        where
            Self: Sized,
        {
            self.only() * 2.0
        }
    }
    impl Norm for State {
        fn norm(&self) -> f64 {
            self.v
        }
        fn only(&self) -> f64 {
            self.x * self.v
        }
    }
    // generic
    fn lerp<T: Add<Output = T> + Mul<f64, Output = T> + Copy>(a: T, b: T, t: f64) -> T {
        a * (1.0 - t) + b * t
    }
    fn of_bound<T: Norm>(t: &T) -> f64 {
        t.only() + t.both()
    }
    fn rk<F: Fn(State) -> State>(f: F, s: State, h: f64) -> State {
        let mut t = s + f(s) * h;
        t.bump(h);
        t
    }
    fn apply(f: impl Fn(&State) -> f64, s: &State) -> f64 {
        f(s) * s.norm()
    }
    fn bump_twice(s: &mut State, k: f64) {
        s.bump(k);
        s.bump(1.0);
    }
    #[jacobian]
    pub fn ok(s: State, t: State, k: f64) -> f64 {
        let l = lerp(s, t, k);
        let r = rk(|s| State { x: s.v, v: -s.x }, l, k);
        r.x + of_bound(&r) + apply(|s| s.v, &l) + l.norm()
    }
    #[jacobian(wrt(x))]
    pub fn passive_mut(x: f64) -> f64 {
        let mut s = State { x: 1.0, v: 2.0 };
        bump_twice(&mut s, 3.0);
        let mut t = State::default();
        t.bump(0.5);
        let mut u = t;
        for i in 0..3 {
            u.bump(i as f64);
        }
        bump_twice(&mut u, 1.0);
        x * s.x + x * x * s.v + t.x + u.x * x + u.v
    }
    #[jacobian(wrt(x))]
    pub fn passive_loop(x: f64, n: usize) -> f64 {
        let mut s = State { x: 1.0, v: 2.0 };
        let mut sum = 0.0;
        for i in 0..n {
            bump_twice(&mut s, i as f64);
            s.bump(1.0);
            sum += x * s.x;
            s = s + State { x: 0.5, v: -1.0 };
        }
        sum * s.v
    }
}

impl Floats for uses::State {
    fn floats(&self) -> Vec<f64> {
        vec![self.x, self.v]
    }
}

impl Floats for uses::Wrap {
    fn floats(&self) -> Vec<f64> {
        [self.0.floats(), self.1.floats()].concat()
    }
}

impl Floats for uses::Small {
    fn floats(&self) -> Vec<f64> {
        vec![f64::from(self.b), f64::from(self.c)]
    }
}

fn state(x: &[f64]) -> uses::State {
    uses::State { x: x[0], v: x[1] }
}

fn states<const N: usize>(x: &[f64]) -> [uses::State; N] {
    std::array::from_fn(|index| state(&x[2 * index..]))
}

#[test]
fn in_the_function_another_struct_hides_that_of_the_module() {
    differences(|[x, y]| uses::shadow(x, y), |[x, y]| uses::shadow_jac(x, y), [0.3, 0.7]);
}

#[test]
fn closures_iterators_and_early_returns() {
    let point = [0.3, 0.7, -1.0, 2.0, 0.5, 1.5, 0.75];
    differences(|x| uses::iterate(states(&x), x[6]), |x| uses::iterate_jac(states(&x), x[6]), point);
    let wrap = |x: &[f64]| uses::Wrap(state(x), states(&x[2..]));
    for first in [0.3, 1.3] {
        let mut point = point;
        point[0] = first;
        differences(|x| uses::early(&wrap(&x), x[6]), |x| uses::early_jac(&wrap(&x), x[6]), point);
    }
    let both = |x: &[f64]| (state(x), state(&x[2..]));
    let f = |x: [f64; 4]| uses::tuple(both(&x).0, both(&x).1);
    differences(f, |x| uses::tuple_jac(both(&x).0, both(&x).1), [0.3, 0.7, -1.0, 2.0]);
}

#[test]
fn loops_branches_and_indices_of_the_run_time() {
    for n in 0..5 {
        let point = [0.3, 0.7, -1.0, 2.0, 0.75];
        differences(|x| uses::looped(states(&x), x[4], n), |x| uses::looped_jac(states(&x), x[4], n), point);
    }
    for point in [[0.3, 0.7, 0.1], [0.3, 0.7, 0.6], [0.9, 0.7, 0.6]] {
        differences(|x| uses::unset(state(&x), x[2]), |x| uses::unset_jac(state(&x), x[2]), point);
    }
    differences(|x| uses::newton(state(&x)), |x| uses::newton_jac(state(&x)), [1.0, 2.0]);
}

#[test]
fn beside_passive_ones() {
    let all: [uses::State; 3] = states(&[0.3, 0.7, -1.0, 2.0, 0.5, 1.5]);
    differences(|[x]| uses::passive(x, &all, 1), |[x]| uses::passive_jac(x, &all, 1), [0.4]);
    differences(|[x]| uses::passive_state(x, 4), |[x]| uses::passive_state_jac(x, 4), [0.5]);
    let small = uses::Small { b: 1.0, c: 2.0 };
    let (sin, cos) = (1.0_f32).sin_cos();
    let (value, jacobian) = uses::of_f32_jac(small, 0.5);
    assert_eq!((value, jacobian), (uses::Small { b: 1.0, c: sin }, [[0.0, 0.5, 2.0], [cos, 0.0, 0.0]]));
}

#[test]
fn given_to_functions_that_know_them_by_traits_or_change_them() {
    let state = |x: &[f64]| given::State { x: x[0], v: x[1] };
    let f = |x: [f64; 5]| given::ok(state(&x), state(&x[2..]), x[4]);
    differences(f, |x| given::ok_jac(state(&x), state(&x[2..]), x[4]), [0.3, 0.7, -1.0, 2.0, 0.5]);
    differences(|[x]| given::passive_mut(x), |[x]| given::passive_mut_jac(x), [0.5]);
    check(given::passive_loop(0.5, 0), given::passive_loop_jac(0.5, 0), &[0.0]);
    for n in 1..4 {
        differences(|[x]| given::passive_loop(x, n), |[x]| given::passive_loop_jac(x, n), [0.5]);
    }
}

#[jacobian]
mod odd_names {
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy)]
    pub struct r#type {
        pub r#fn: f64,
        pub jacobian: [f64; 2],
        pub v2: f64,
    }

    impl r#type {
        fn r#match(&self, r#in: f64) -> f64 {
            self.r#fn * r#in - self.jacobian[1] * self.v2
        }

        fn r#loop() -> Self {
            r#type { v2: 2.0, r#fn: 3.0, jacobian: [0.5; 2] }
        }
    }

    #[jacobian(forms(jac, jvp))]
    pub fn f(r#struct: r#type, r#mod: f64) -> f64 {
        let v1 = r#struct.r#match(r#mod);
        let value = v1 * r#struct.jacobian[0] * r#type::r#loop().v2;
        value.sin() + r#struct.v2
    }
}

#[test]
fn names_with_a_mark() {
    let of = |[a, b, c, d, e]: [f64; 5]| (odd_names::r#type { r#fn: a, jacobian: [b, c], v2: d }, e);
    let f = |(s, k)| odd_names::f(s, k);
    let f_jac = |(s, k)| odd_names::f_jac(s, k);
    differences(|x| f(of(x)), |x| f_jac(of(x)), [0.5, 1.2, -0.7, 0.9, 1.1]);
}

#[jacobian]
mod by_their_traits {
    pub trait Turning {
        fn turned(&self, by: f64) -> f64;
        fn turn(&mut self, by: f64);
        fn into_float(self) -> f64;
    }

    #[derive(Clone, Copy)]
    pub struct Angle {
        pub a: f64,
        pub b: f64,
    }

    #[derive(Clone, Copy)]
    pub struct Hand(pub f64, pub f64);

    impl Angle {
        fn turned(&self, by: f64) -> f64 {
            self.a + by
        }
    }

    impl Turning for Angle {
        fn turned(&self, by: f64) -> f64 {
            self.a * self.b * by
        }
        fn turn(&mut self, by: f64) {
            self.a *= by;
        }
        fn into_float(self) -> f64 {
            self.b.sin()
        }
    }

    impl Turning for Hand {
        fn turned(&self, by: f64) -> f64 {
            self.1 - by
        }
        fn turn(&mut self, by: f64) {
            self.0 += by;
        }
        fn into_float(self) -> f64 {
            self.0 * self.1
        }
    }

    #[jacobian]
    pub fn f(mut angle: Angle, k: f64) -> [f64; 4] {
        let mut hand = Hand(k, angle.b);
        Turning::turn(&mut angle, k);
        self::Turning::turn(&mut hand, angle.a);
        let r = &angle;
        [
            Turning::turned(r, k),
            angle.turned(k),
            Turning::turned(&hand, k),
            Turning::into_float(hand) * Turning::into_float(*r),
        ]
    }
}

#[test]
fn methods_by_the_path_of_their_trait() {
    let of = |[a, b, _]: [f64; 3]| by_their_traits::Angle { a, b };
    for x in [[0.5, 1.2, -0.7], [-1.5, 0.3, 2.0]] {
        let value = by_their_traits::f(of(x), x[2]);
        let [a, b, k] = x;
        assert_eq!(value[..3], [a * k * b * k, a * k + k, b - k]);
        differences(|x| by_their_traits::f(of(x), x[2]), |x| by_their_traits::f_jac(of(x), x[2]), x);
    }
}

mod noting {
    use std::cell::Cell;

    thread_local! {
        static NOTED: Cell<usize> = const { Cell::new(0) };
    }

    /// Notes that something has been called.
    pub fn note(number: usize) {
        NOTED.set(10 * NOTED.get() + number);
    }

    /// What has been noted since the last time.
    pub fn noted() -> usize {
        NOTED.replace(0)
    }
}

#[jacobian]
mod evaluated_once {
    use super::noting::note;
    use std::ops::{Mul, Neg};

    #[derive(Clone, Copy)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }

    impl Mul<f64> for State {
        type Output = State;
        fn mul(self, by: f64) -> State {
            note(1);
            State { x: by, v: self.x }
        }
    }

    impl Neg for State {
        type Output = State;
        fn neg(self) -> State {
            note(2);
            State { x: -self.x, v: self.v }
        }
    }

    impl State {
        fn turned(self) -> State {
            note(3);
            State { x: self.v, v: self.x }
        }

        fn pair(&self) -> [f64; 2] {
            note(4);
            [self.v, self.x]
        }
    }

    #[jacobian(wrt(x))]
    pub fn arms(x: f64, n: usize, g: f64) -> [f64; 4] {
        let own = State { x: g, v: 0.5 };
        let s = match n {
            0 => State { x, v: x * x },
            1 => own * g,
            2 => -own,
            _ => own.turned(),
        };
        let (t, a) = if n > 1 { (own * g, own.pair()) } else { (State { x: 2.0 * x, v: x }, [x, g]) };
        [s.x * x, s.v, t.x * t.v, a[0] - a[1]]
    }

    #[jacobian(wrt(x))]
    pub fn taken_apart(x: f64, g: f64) -> [f64; 3] {
        let State { x: a, v: b } = State { x: g, v: 0.0 } * g;
        let (c, State { x: d, v: e }) = (x, -State { x: g, v: 0.25 });
        let s = State { v: x, ..State { x: g, v: 1.0 } * g };
        [a * c * b, d * e * s.x, (State { x: g, v: 2.0 } * g).v * x * s.v]
    }

    #[jacobian(wrt(x))]
    pub fn assigned(x: f64, n: usize, g: f64) -> f64 {
        let mut s = State { x, v: x * x };
        if n > 0 {
            s = State { x: g, v: 0.5 } * g;
        }
        for _ in 1..n {
            s = -State { x: s.v * x, v: g };
            if s.x > 3.0 {
                s = State { x: g, v: 0.5 }.turned();
            }
        }
        s.x * s.v * x
    }
}

#[test]
fn operators_and_methods_of_passive_structs_are_called_once() {
    use noting::noted;
    for (n, noted_by_arms) in [(0, 0), (1, 1), (2, 214), (3, 314)] {
        let value = evaluated_once::arms(0.7, n, 1.5);
        assert_eq!(noted(), noted_by_arms);
        assert_eq!(evaluated_once::arms_jac(0.7, n, 1.5).0, value);
        assert_eq!(noted(), noted_by_arms);
        differences(|[x]| evaluated_once::arms(x, n, 1.5), |[x]| evaluated_once::arms_jac(x, n, 1.5), [0.7]);
        noted();
        let value = evaluated_once::assigned(1.7, n, 1.5);
        let of_value = noted();
        assert_eq!(evaluated_once::assigned_jac(1.7, n, 1.5).0, value);
        assert_eq!(noted(), of_value);
    }
    let value = evaluated_once::taken_apart(0.7, 1.5);
    assert_eq!(noted(), 1211);
    assert_eq!(evaluated_once::taken_apart_jac(0.7, 1.5).0, value);
    assert_eq!(noted(), 1211);
    differences(|[x]| evaluated_once::taken_apart(x, 1.5), |[x]| evaluated_once::taken_apart_jac(x, 1.5), [0.7]);
}

#[jacobian]
mod tuples_in_structs {
    #[derive(Clone, Copy)]
    pub struct Pair {
        pub k: [f64; 2],
        pub both: (f64, (f64, f64)),
    }

    fn made(a: f64) -> Pair {
        Pair { k: [a; 2], both: (a, (a + 1.0, a + 2.0)) }
    }

    #[jacobian(wrt(x))]
    pub fn f(x: f64, g: f64, n: usize) -> f64 {
        let mut p: Pair = made(3.0);
        p.k[1] *= g;
        p.both.0 *= g;
        p.both.1.0 += x;
        for _ in 0..n {
            p.both.1.1 *= x * g;
            p.both.0 += 1.0;
        }
        let mut q = made(g);
        q.both.1 = (g, 2.0);
        p.both.0 * x + p.both.1.0 * p.both.1.1 + p.k[0] * p.k[1] * q.both.1.0
    }
}

#[test]
fn parts_of_tuples_in_passive_structs_are_assigned() {
    for n in [0, 2] {
        let f = |[x]: [f64; 1]| tuples_in_structs::f(x, 1.5, n);
        differences(f, |[x]| tuples_in_structs::f_jac(x, 1.5, n), [0.7]);
    }
}

/// Constants of a trait in a method that it provides: those of the implementation, whatever else of the type is called so.
#[jacobian]
mod provided_with_constants {
    pub trait Law {
        const GAIN: f64;
        const COUNT: usize = 2;

        fn raw(&self, x: f64) -> f64;

        fn force(&self, x: f64) -> f64 {
            let mut force = self.raw(x) * Self::GAIN;
            for _ in 0..Self::COUNT {
                force = force * x + Self::GAIN;
            }
            force
        }
    }

    pub struct Spring {
        pub stiffness: f64,
    }

    impl Spring {
        pub const GAIN: f64 = 100.0;
    }

    impl Law for Spring {
        const GAIN: f64 = 9.81;

        fn raw(&self, x: f64) -> f64 {
            x * self.stiffness * Self::GAIN
        }
    }

    pub struct Damper(pub f64);

    impl Law for Damper {
        const GAIN: f64 = 0.5;
        const COUNT: usize = 3;

        fn raw(&self, x: f64) -> f64 {
            x.sin() * self.0
        }
    }

    #[jacobian]
    pub fn forces(stiffness: f64, damping: f64, x: f64) -> f64 {
        Spring { stiffness }.force(x) + Damper(damping).force(x * x)
    }
}

#[test]
fn constants_of_traits_in_provided_methods() {
    use provided_with_constants::{forces, forces_jac};
    assert!(forces(1.0, 0.0, 0.1) > 10.0);
    crate::differences(|[k, d, x]| forces(k, d, x), |[k, d, x]| forces_jac(k, d, x), [1.5, 0.4, 0.7]);
}
