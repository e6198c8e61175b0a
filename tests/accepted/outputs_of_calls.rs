//! Functions with outputs behind `&mut` that other functions call by their Jacobians.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::{check, differences};

#[jacobian]
fn fill(x: [f64; 2], h: f64, out: &mut [f64; 2]) {
    out[0] = x[0] * x[1];
    out[1] = h.sin() * x[0];
}

#[jacobian]
fn summed(x: [f64; 2], h: &f64, out: &mut [[f64; 2]; 2], sum: &mut f64) -> f64 {
    *out = [[x[0], h * x[1]], [x[0] * x[0], 3.0]];
    *sum = x[0] + x[1];
    h * x[0]
}

#[jacobian]
fn one(x: f64, out: &mut f64) {
    *out = x.exp();
}

#[jacobian(with(fill: fn([f64; 2], f64, #[out] &mut [f64; 2])))]
fn of_fill(x: [f64; 2]) -> f64 {
    let mut out = [0.0; 2];
    fill(x, x[0], &mut out);
    let first = out;
    fill(out, 0.5, &mut out);
    first[0] * out[0] + out[1]
}

#[jacobian(with(summed: fn([f64; 2], &f64, #[out] &mut [[f64; 2]; 2], &mut f64) -> f64))]
fn of_summed(x: [f64; 2], h: f64) -> [f64; 3] {
    let (mut rows, mut rest) = ([x, [0.0; 2]], [h, 1.0]);
    let y = summed(x, &h, &mut rows, &mut rest[1]);
    [y * rows[0][1] * rest[1], rows[1][0] + rows[1][1], rest[0] * rows[0][0]]
}

#[jacobian(with(one))]
fn of_one(x: [f64; 3]) -> f64 {
    let mut values = [0.0; 3];
    for (value, x) in values.iter_mut().zip(x) {
        one(x, value);
    }
    let mut last = 2.0;
    one(x[0], &mut last);
    values[0] * values[1] * values[2] + last
}

#[jacobian(with(fill, one))]
fn into_outputs(x: [f64; 2], out: &mut [f64; 2], last: &mut f64) {
    fill(x, 2.0, out);
    one(out[0], last);
}

#[jacobian(with(fill: fn([f64; 2], f64, #[out] &mut [f64; 2])))]
fn in_loop(x: [f64; 2], n: usize) -> [f64; 2] {
    let mut out = x;
    for i in 0..n {
        fill(out, i as f64, &mut out);
    }
    if out[0] > 0.1 {
        fill([out[1], 2.0], 1.0, &mut out);
    }
    out
}

/// Not made by the attribute: its Jacobian is by hand.
fn polar(r: f64, t: f64, out: &mut [f64; 2]) {
    *out = [r * t.cos(), r * t.sin()];
}

fn dpolar(r: f64, t: f64, out: &mut [f64; 2]) -> [[f64; 2]; 2] {
    polar(r, t, out);
    [[t.cos(), -r * t.sin()], [t.sin(), r * t.cos()]]
}

#[jacobian(with(polar = dpolar))]
fn by_hand(r: f64, t: f64) -> f64 {
    let mut at = [0.0; 2];
    polar(r, t * r, &mut at);
    at[0] * at[1]
}

#[test]
fn outputs_of_functions_that_are_named() {
    for x in [[0.7, 1.3], [-0.4, 0.2]] {
        differences(of_fill, of_fill_jac, x);
        differences(|[x, y, h]| of_summed([x, y], h), |[x, y, h]| of_summed_jac([x, y], h), [x[0], x[1], 0.6]);
        differences(
            |[x, y]| of_one([x, y, x]),
            |[x, y]| {
                let (value, [a, b, c]) = of_one_jac([x, y, x]);
                (value, [a + c, b])
            },
            x,
        );
        differences(|x| in_loop(x, 3), |x| in_loop_jac(x, 3), x);
        differences(|[r, t]| by_hand(r, t), |[r, t]| by_hand_jac(r, t), x);
        let value = |x: [f64; 2]| {
            let (mut out, mut last) = ([0.0; 2], 0.0);
            into_outputs(x, &mut out, &mut last);
            (out, last)
        };
        let jacobian = |x: [f64; 2]| {
            let (mut out, mut last) = ([0.0; 2], 0.0);
            let jacobian = into_outputs_jac(x, &mut out, &mut last);
            ((out, last), jacobian)
        };
        differences(value, jacobian, x);
    }
}

/// They read what they change: the first has columns for it, the others need none, for it is passive where they are
/// called.
fn relax(rate: f64, state: &mut [f64; 2], energy: &mut f64) -> f64 {
    let before = *state;
    *state = [before[0] + rate * before[1], before[1] - rate * before[0].sin()];
    *energy = *energy * rate + before[0];
    before[0] * before[1]
}

fn relax_jac(rate: f64, state: &mut [f64; 2], energy: &mut f64) -> (f64, [[f64; 4]; 4]) {
    let ([p, v], old) = (*state, *energy);
    let value = relax(rate, state, energy);
    let rows = [[0.0, v, p, 0.0], [v, 1.0, rate, 0.0], [-p.sin(), -rate * p.cos(), 1.0, 0.0], [old, 1.0, 0.0, rate]];
    (value, rows)
}

fn scale(by: f64, value: &mut f64) {
    *value = by * by * *value + *value;
}

fn scale_jac(by: f64, value: &mut f64) -> [f64; 1] {
    let slope = 2.0 * by * *value;
    scale(by, value);
    [slope]
}

fn collect(x: f64, into: &mut [f64; 2]) -> f64 {
    into[1] += into[0] * x;
    into[1] * 2.0
}

fn collect_jac(x: f64, into: &mut [f64; 2]) -> (f64, [[f64; 1]; 3]) {
    let value = collect(x, into);
    (value, [[2.0 * into[0]], [0.0], [into[0]]])
}

#[jacobian(forms(jac, jac_only, jvp, vjp), with(relax: fn(f64, #[inout] &mut [f64; 2], #[inout] &mut f64) -> f64))]
fn relaxed(x: [f64; 2], rate: f64, n: usize) -> [f64; 2] {
    let (mut state, mut energies) = (x, [1.5, x[0] * rate]);
    let mut sum = relax(rate, &mut state, &mut energies[0]);
    for i in 0..n {
        sum += relax(rate / (i + 1) as f64, &mut state, &mut energies[1]);
        if sum > 100.0 {
            relax(x[0], &mut state, &mut energies[0]);
        }
    }
    [state[0] * sum + energies[0], state[1] - energies[1]]
}

#[jacobian(wrt(x), with(scale, collect: fn(f64, &mut [f64; 2]) -> f64))]
fn of_passive(x: f64, level: f64, n: usize, data: &[f64; 2]) -> [f64; 4] {
    let mut here = level;
    for k in 0..n {
        here += k as f64;
    }
    let mut known = 3.0;
    scale(x, &mut known);
    scale(x, &mut here);
    let mut both = [data[1], n as f64];
    let y = collect(x, &mut both);
    [known, here, y * both[0], both[1]]
}

#[jacobian(wrt(x), with(scale))]
fn of_its_output(x: f64, out: &mut [f64; 2]) {
    scale(x, &mut out[1]);
    out[0] = out[1] * x;
}

#[test]
fn what_is_read_and_changed_has_columns() {
    for (x, n) in [([0.7, 1.3], 0), ([-0.4, 0.2], 3), ([20.0, 9.0], 2)] {
        let function = |[a, b, rate]: [f64; 3]| relaxed([a, b], rate, n);
        differences(function, |[a, b, rate]| relaxed_jac([a, b], rate, n), [x[0], x[1], 0.6]);
        let (value, jacobian) = relaxed_jac(x, 0.6, n);
        assert_eq!(relaxed_jac_only(x, 0.6, n), jacobian);
        let (of_tangent, along) = relaxed_jvp(x, 0.6, n, &[0.0, 1.0, 0.0]);
        assert_eq!(of_tangent, value);
        let (_, across) = relaxed_vjp(x, 0.6, n, &[0.0, 1.0]);
        assert_abs_diff_eq!(along[1], jacobian[1][1], epsilon = 1e-12);
        assert_abs_diff_eq!(across[1], jacobian[1][1], epsilon = 1e-12);
    }
}

#[test]
fn what_is_read_and_passive_is_what_it_is() {
    for (x, n) in [(0.7, 0), (-1.25, 3)] {
        let data = [0.5, -2.0];
        differences(|[x]: [f64; 1]| of_passive(x, 0.25, n, &data), |[x]| of_passive_jac(x, 0.25, n, &data), [x]);
        let (mut out, mut own) = ([1.0, 0.75], [1.0, 0.75]);
        of_its_output(x, &mut own);
        let rows = of_its_output_jac(x, &mut out);
        assert_eq!(out, own);
        assert_abs_diff_eq!(rows[1][0], 2.0 * x * 0.75, epsilon = 1e-12);
    }
}

/// Second derivatives, with a result beside the outputs, without one, and of a float alone; by hand where what is
/// changed is read.
#[jacobian(forms(jac, hess))]
fn spread(x: [f64; 2], h: f64, out: &mut [f64; 2], last: &mut f64) -> f64 {
    *out = [x[0] * x[1].sin(), h * x[0] * x[0]];
    *last = (x[0] * h).exp();
    x[1] * x[1] * x[0]
}

#[jacobian(forms(jac, hess))]
fn pair(x: f64, out: &mut [f64; 2]) {
    *out = [x * x, x.sin()];
}

#[jacobian(forms(jac, hess))]
fn square(x: f64, out: &mut f64) {
    *out = x * x * x;
}

fn compound(rate: f64, sum: &mut f64) {
    *sum *= rate * rate;
}

fn compound_jac(rate: f64, sum: &mut f64) -> [f64; 2] {
    compound_hess(rate, sum).0
}

fn compound_hess(rate: f64, sum: &mut f64) -> ([f64; 2], [[f64; 2]; 2]) {
    let old = *sum;
    compound(rate, sum);
    ([2.0 * rate * old, rate * rate], [[2.0 * old, 2.0 * rate], [2.0 * rate, 0.0]])
}

#[jacobian(
    forms(jac, hess, hvp),
    with(
        spread: fn([f64; 2], f64, &mut [f64; 2], &mut f64) -> f64,
        pair: fn(f64, #[out] &mut [f64; 2]),
        square,
        compound: fn(f64, #[inout] &mut f64) = (compound_jac, compound_hess)
    )
)]
fn curved(x: [f64; 3]) -> f64 {
    let (mut out, mut last, mut cube) = ([0.0; 2], 1.0, 0.0);
    let y = spread([x[0], x[1] * x[2]], x[2], &mut out, &mut last);
    square(x[1] + out[0], &mut cube);
    compound(x[2] * y, &mut cube);
    pair(out[1], &mut out);
    y * out[0] + last * out[1] + cube
}

#[test]
fn second_derivatives() {
    for x in [[0.7, 1.3, 0.4], [-0.4, 0.2, 1.1]] {
        differences(curved, curved_jac, x);
        let gradient = |x: [f64; 3]| curved_jac(x).1;
        differences(gradient, |x| (gradient(x), curved_hess(x).2), x);
        let (value, second, hessian) = curved_hess(x);
        assert_eq!(value, curved(x));
        for (one, other) in second.into_iter().zip(gradient(x)) {
            assert_abs_diff_eq!(one, other, epsilon = 1e-14);
        }
        let (_, _, product) = curved_hvp(x, &[0.0, 1.0, 0.0]);
        for i in 0..3 {
            assert_abs_diff_eq!(product[i], hessian[i][1], epsilon = 1e-9 * (1.0 + product[i].abs()));
        }
    }
}

#[jacobian]
mod long {
    const N: usize = 300;

    /// Too long to be inlined; of its Jacobian, a half is zero.
    fn iterated(x: [f64; 2], out: &mut [f64; 2], other: &mut f64) {
        let mut s = x[0];
        for _ in 0..N {
            s = s.sin() * x[1];
        }
        *out = [s, 2.0];
        *other = x[1];
    }
    fn returning(x: f64, out: &mut f64) -> f64 {
        let mut s = x;
        for _ in 0..N {
            s = (s * x).cos();
        }
        *out = s * s;
        s
    }
    /// It reads what it changes, so that it is inlined.
    fn changing(x: f64, out: &mut f64) {
        for _ in 0..N {
            *out = (*out * x).cos();
        }
    }
    #[jacobian]
    pub fn first(x: [f64; 2]) -> f64 {
        let mut out = x;
        let mut other = 0.0;
        iterated(x, &mut out, &mut other);
        out[0] * other + out[1] * x[0]
    }
    #[jacobian]
    pub fn both(x: [f64; 2], out: &mut [f64; 2]) -> f64 {
        let mut other = 0.0;
        iterated(x, out, &mut other);
        let y = returning(x[0] * other, &mut other);
        changing(y, &mut other);
        other * out[0] * y
    }
}

#[test]
fn outputs_of_long_functions_of_a_module() {
    let x = [0.7, 1.3];
    differences(long::first, long::first_jac, x);
    let value = |x: [f64; 2]| {
        let mut out = [0.0; 2];
        (long::both(x, &mut out), out)
    };
    let jacobian = |x: [f64; 2]| {
        let mut out = [0.0; 2];
        let (value, jacobian) = long::both_jac(x, &mut out);
        ((value, out), jacobian)
    };
    differences(value, jacobian, x);
    check(long::first(x), long::first_jac(x), &long::first_jac(x).1);
}
