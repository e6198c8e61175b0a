//! Structs of a `#[jacobian] mod` as values: parameters, results, locals, patterns, in branches and in loops.

#![allow(clippy::match_single_binding)]

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::{Floats, check, differences};

/// The floats of a struct are those of its fields, in order.
macro_rules! fields {
    ($($ty:path { $($field:tt),* })*) => {
        $(impl Floats for $ty {
            fn floats(&self) -> Vec<f64> {
                [$(self.$field.floats()),*].concat()
            }
        })*
    };
}

fields! {
    springs::Params { m, k, c }
    springs::State { x, v }
    robot::Pose { position, yaw }
    robot::Pair { 0, 1 }
    robot::Frame { pose, pair, scale }
}

#[jacobian]
mod springs {
    #[derive(Copy, Clone, Debug, PartialEq)]
    pub struct Params {
        pub m: f64,
        pub k: f64,
        pub c: f64,
    }

    #[derive(Copy, Clone, Debug, PartialEq)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }

    fn rate(s: &State, p: &Params) -> State {
        State { x: s.v, v: -(p.k * s.x + p.c * s.v) / p.m }
    }

    fn moved(State { x, v }: State, by: &State, h: f64) -> State {
        State { x: x + h * by.x, v: v + h * by.v }
    }

    fn kick(s: &mut State, by: f64) {
        s.v += by;
        *s = State { x: s.x * by, ..*s };
    }

    #[jacobian(forms(jac, jac_only, jvp, vjp, hess, hvp, normal, jac_sparse, lin, jac_into, jvp_into))]
    pub fn midpoint(s: State, p: &Params, h: f64) -> State {
        let half = moved(s, &rate(&s, p), 0.5 * h);
        moved(s, &rate(&half, p), h)
    }

    /// A run-time loop, whose state is a struct.
    #[jacobian(wrt(p, s), forms(jac, hess))]
    pub fn misfit(s: State, p: &Params, data: &[f64], h: f64) -> f64 {
        let (mut s, mut cost) = (s, 0.0);
        for y in data {
            s = moved(s, &rate(&s, p), h);
            if s.x > 1.5 {
                s.v *= 0.5;
            } else {
                s = State { v: s.v - 0.1 * s.x, ..s };
            }
            cost += (s.x - y) * (s.x - y);
        }
        cost
    }

    /// Passive structs, made by literals, of constants and by calls, meet active ones.
    #[jacobian(wrt(x))]
    pub fn from_rest(x: f64, p: Params, n: usize) -> [f64; 3] {
        const REST: State = State { x: 0.25, v: -1.0 };
        let mut s = REST;
        let mut count = State { x: 0.0, v: 1.0 };
        for i in 0..n {
            count.x += i as f64;
        }
        s.x += x;
        let other = rest(n);
        let State { x: first, .. } = other;
        let stiff = if n > 2 { p } else { Params { k: x * x, ..p } };
        [s.x * s.v + count.x * x, moved(s, &other, x).v + first, rate(&s, &stiff).v]
    }

    fn rest(n: usize) -> State {
        State { x: n as f64, v: 0.5 }
    }

    /// Written through a mutable reference, by a helper and by the function.
    #[jacobian]
    pub fn kicked(s: State, by: f64, out: &mut State) -> f64 {
        let mut own = s;
        kick(&mut own, by);
        kick(&mut own, by * by);
        out.x = own.v;
        out.v = own.x * by;
        own.x
    }

    /// In arrays and tuples, chosen at run time, and bound by patterns.
    #[jacobian(wrt(all, h))]
    pub fn chosen(all: [State; 3], h: f64, k: usize) -> (State, f64) {
        let mut states = all;
        states[k % 3].x += h;
        let [first, .., last] = &states;
        let (State { x, .. }, v) = (first, last.v);
        let best = states[(k + 1) % 3];
        let sum: f64 = states.iter().map(|State { x, v }| x * v).sum();
        let turned = match best {
            State { x, v } => State { x: v, v: x },
        };
        (moved(turned, &best, h), sum * x + v)
    }
}

#[test]
fn all_forms_of_a_struct() {
    use springs::*;
    let (p, s, h) = (Params { m: 1.5, k: 2.0, c: 0.25 }, State { x: 1.0, v: -0.5 }, 0.1);
    let f = |[x, v, m, k, c, h]: [f64; 6]| midpoint(State { x, v }, &Params { m, k, c }, h);
    let point = [s.x, s.v, p.m, p.k, p.c, h];
    differences(f, |[x, v, m, k, c, h]| midpoint_jac(State { x, v }, &Params { m, k, c }, h), point);
    let (value, j): (State, [[f64; 6]; 2]) = midpoint_jac(s, &p, h);
    assert_eq!(value, midpoint(s, &p, h));
    check(value, (value, midpoint_jac_only(s, &p, h)), &j.concat());
    let t = [1.0, -2.0, 0.5, 3.0, -1.0, 0.25];
    let along = j.map(|row| row.iter().zip(t).map(|(entry, t)| entry * t).sum::<f64>());
    check(value, midpoint_jvp(s, &p, h, &t), &along);
    let (mut own, mut product) = (s, [0.0; 2]);
    midpoint_jvp_into(s, &p, h, &t, &mut own, &mut product);
    check(value, (own, product), &along);
    let (mut own, mut rows) = (s, [[0.0; 6]; 2]);
    midpoint_jac_into(s, &p, h, &mut own, &mut rows);
    check(value, (own, rows), &j.concat());
    let w = [2.0, -0.75];
    let weighted: Vec<f64> = (0..6).map(|column| w[0] * j[0][column] + w[1] * j[1][column]).collect();
    check(value, midpoint_vjp(s, &p, h, &w), &weighted);
    let (own, gradient, hessian) = midpoint_hess(s, &p, h, &w);
    check(value, (own, gradient), &weighted);
    let product: [f64; 6] = std::array::from_fn(|row| hessian[row].iter().zip(t).map(|(entry, t)| entry * t).sum());
    let (own, gradient, along) = midpoint_hvp(s, &p, h, &w, &t);
    check(value, (own, gradient), &weighted);
    check(value, (value, along), &product);
    let gradient_at = |[x, v, m, k, c, h]: [f64; 6]| midpoint_vjp(State { x, v }, &Params { m, k, c }, h, &w).1;
    differences(gradient_at, |point| (gradient_at(point), hessian), point);
    let (r, jtr, jtj) = midpoint_normal(s, &p, h);
    let squared: Vec<f64> = (0..6).map(|column| r.x * j[0][column] + r.v * j[1][column]).collect();
    check(value, (r, jtr), &squared);
    assert_abs_diff_eq!(jtj[1][3], j[0][1] * j[0][3] + j[1][1] * j[1][3], epsilon = 1e-12);
    let (own, entries) = midpoint_jac_sparse(s, &p, h);
    let (starts, _) = midpoint_jac_pattern();
    assert_eq!((starts[6], own), (entries.len(), value));
    let (own, labels) = midpoint_lin(s, &p, h);
    check(value, (own, midpoint_lin_jvp(&labels, &t)), &along_of(&j, &t));
}

fn along_of(j: &[[f64; 6]; 2], t: &[f64; 6]) -> [f64; 2] {
    j.map(|row| row.iter().zip(t).map(|(entry, t)| entry * t).sum())
}

#[test]
fn state_of_a_loop_of_the_run_time() {
    use springs::*;
    let data = [1.0, 0.5, 2.5, -0.5, 0.25];
    let f = |[m, k, c, x, v]: [f64; 5]| misfit(State { x, v }, &Params { m, k, c }, &data, 0.3);
    let jac = |[m, k, c, x, v]: [f64; 5]| misfit_jac(State { x, v }, &Params { m, k, c }, &data, 0.3);
    differences(f, jac, [1.5, 2.0, 0.25, 1.25, 2.0]);
    differences(f, jac, [0.5, 3.0, 0.1, -1.25, 1.0]);
    let (_, gradient, hessian) =
        misfit_hess(State { x: 1.25, v: 2.0 }, &Params { m: 1.5, k: 2.0, c: 0.25 }, &data, 0.3);
    differences(|at| jac(at).1, |_| (gradient, hessian), [1.5, 2.0, 0.25, 1.25, 2.0]);
}

#[test]
fn passive_structs_meet_active_ones() {
    use springs::*;
    let p = Params { m: 1.5, k: 2.0, c: 0.25 };
    for n in [0, 2, 5] {
        differences(|[x]| from_rest(x, p, n), |[x]| from_rest_jac(x, p, n), [0.75]);
    }
}

#[test]
fn behind_mutable_references() {
    use springs::*;
    let f = |[x, v, by]: [f64; 3]| {
        let mut out = State { x: 0.0, v: 0.0 };
        let y = kicked(State { x, v }, by, &mut out);
        [y, out.x, out.v]
    };
    let jac = |[x, v, by]: [f64; 3]| {
        let mut out = State { x: 0.0, v: 0.0 };
        let (y, j) = kicked_jac(State { x, v }, by, &mut out);
        ([y, out.x, out.v], j)
    };
    differences(f, jac, [0.5, 1.5, 0.75]);
}

#[test]
fn in_arrays_and_tuples() {
    use springs::*;
    for k in 0..4 {
        let all = |x: [f64; 7]| [0, 2, 4].map(|i| State { x: x[i], v: x[i + 1] });
        differences(
            |x| chosen(all(x), x[6], k),
            |x| chosen_jac(all(x), x[6], k),
            [1.0, 0.5, -2.0, 3.0, 0.25, 1.5, 0.75],
        );
    }
}

#[jacobian]
mod robot {
    const N: usize = 3;
    type Turned = Pose;

    /// Without `Copy`: moved, and cloned.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Pose {
        pub position: [f64; N],
        pub yaw: f64,
    }

    #[derive(Copy, Clone, Debug, PartialEq)]
    pub struct Pair(pub f64, pub [f64; 2]);

    /// Some of its fields are private, and some are no floats.
    #[derive(Clone)]
    pub struct Frame {
        pub pose: Pose,
        pub pair: Pair,
        pub scale: f64,
    }

    #[derive(Copy, Clone)]
    pub struct Link {
        pub length: f64,
        pub joints: usize,
        pub is_fixed: bool,
    }

    fn turned(pose: Pose, by: f64) -> Turned {
        let Pose { position: [x, y, z], yaw } = pose;
        let (s, c) = by.sin_cos();
        Pose { position: [c * x - s * y, s * x + c * y, z], yaw: yaw + by }
    }

    #[jacobian(forms(jac, vjp))]
    pub fn turn(pose: Pose, by: f64) -> Pose {
        let mut pose = turned(pose, by);
        pose.position[2] *= 2.0;
        pose.position.swap(0, 1);
        pose
    }

    #[jacobian(wrt(pair, k))]
    pub fn scaled(pair: Pair, k: f64, up: bool) -> Pair {
        let Pair(a, b) = pair;
        let scale = |Pair(a, [b, _]): Pair, k: f64| Pair(a * k, [b, k]);
        let mut pair = scale(Pair(b[0], [a, b[1]]), k);
        pair.1[0] += pair.0;
        if up { Pair(pair.1[1], pair.1) } else { pair }
    }

    #[jacobian]
    pub fn framed(frame: &Frame, by: f64) -> Frame {
        let Frame { pose, pair, .. } = frame;
        let Pair(first, ..) = *pair;
        let pose = Pose { yaw: first * by, ..pose.clone() };
        Frame { pose: turned(pose, by), pair: Pair(pair.0, [by; 2]), scale: frame.scale * frame.pose.yaw }
    }

    /// The fields of a struct that are no floats are passive, and known where they are written.
    #[jacobian(wrt(link, q))]
    pub fn reach(link: Link, q: f64, n: usize) -> f64 {
        let mut own = Link { joints: n, ..link };
        let fixed = Link { length: q * link.length, joints: 3, is_fixed: true };
        let mut sum = 0.0;
        for i in 0..fixed.joints {
            sum += fixed.length * (i as f64 * q).cos();
        }
        own.joints += 1;
        if link.is_fixed { sum + own.length } else { sum * own.joints as f64 * own.length }
    }
}

#[test]
fn nested_structs_and_tuple_structs() {
    use robot::*;
    let pose = |x: &[f64]| Pose { position: [x[0], x[1], x[2]], yaw: x[3] };
    differences(|x| turn(pose(&x), x[4]), |x| turn_jac(pose(&x), x[4]), [1.0, 2.0, -0.5, 0.25, 0.75]);
    for up in [false, true] {
        let pair = |x: [f64; 4]| Pair(x[0], [x[1], x[2]]);
        differences(|x| scaled(pair(x), x[3], up), |x| scaled_jac(pair(x), x[3], up), [1.0, 2.0, -0.5, 0.25]);
    }
    let frame = |x: [f64; 9]| Frame { pose: pose(&x), pair: Pair(x[4], [x[5], x[6]]), scale: x[7] };
    let point = [1.0, 2.0, -0.5, 0.25, 0.75, 1.25, -1.5, 2.0, 0.5];
    differences(|x| framed(&frame(x), x[8]), |x| framed_jac(&frame(x), x[8]), point);
}

#[test]
fn fields_that_are_no_floats() {
    use robot::*;
    for is_fixed in [false, true] {
        let link = |length| Link { length, joints: 2, is_fixed };
        differences(|[x, q]| reach(link(x), q, 4), |[x, q]| reach_jac(link(x), q, 4), [1.5, 0.5]);
    }
}
