//! Functions with outputs behind `&mut` that other functions call by their Jacobians.

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

#[jacobian(with(fill))]
fn of_fill(x: [f64; 2]) -> f64 {
    let mut out = [0.0; 2];
    fill(x, x[0], &mut out);
    let first = out;
    fill(out, 0.5, &mut out);
    first[0] * out[0] + out[1]
}

#[jacobian(with(summed: fn([f64; 2], &f64, &mut [[f64; 2]; 2], &mut f64) -> f64))]
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

#[jacobian(with(fill: fn([f64; 2], f64, &mut [f64; 2])))]
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
