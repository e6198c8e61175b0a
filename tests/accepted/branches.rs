//! Branches on conditions that are known when the function runs: only the side that is taken is evaluated.

#![allow(clippy::obfuscated_if_else, clippy::unnecessary_lazy_evaluations)]

use std::cell::Cell;

use jacobian::jacobian;

use crate::panics::panic_of;
use crate::{check, differences};

#[test]
fn a_condition_on_active_values() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        let r = if x < y { x * y } else { x.sin() + y * y };
        r * x
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [0.4, 1.3]);
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [1.4, 0.3]);
}

#[test]
fn a_condition_on_passive_values() {
    #[jacobian]
    fn f(x: f64, squared: bool, n: usize) -> f64 {
        if squared && n > 2 { x * x } else { x }
    }
    check(f(3.0, true, 3), f_jac(3.0, true, 3), &[6.0]);
    check(f(3.0, true, 1), f_jac(3.0, true, 1), &[1.0]);
    check(f(3.0, false, 9), f_jac(3.0, false, 9), &[1.0]);
}

#[test]
fn branches_that_assign() {
    #[jacobian]
    fn f(x: [f64; 2]) -> [f64; 3] {
        let mut a = x[0];
        let mut b = [x[1], 0.0];
        let c;
        if a > 1.0 {
            a *= x[1];
            b[1] = a.exp();
            c = 2.0 * a;
        } else {
            b = [a, x[0] * x[1]];
            c = b[1];
        }
        [a, b[0] * b[1], c]
    }
    differences(f, f_jac, [1.4, 0.3]);
    differences(f, f_jac, [0.4, 0.3]);
}

#[test]
fn else_if_and_nesting() {
    #[jacobian]
    fn f(x: f64, y: f64) -> (f64, f64) {
        let mut count = 0.0;
        let z = if x < 0.0 {
            count += 1.0;
            if y < 0.0 {
                count += 10.0 * x;
                x * y
            } else {
                x - y
            }
        } else if x < 1.0 {
            x.exp()
        } else {
            if y > 2.0 {
                count = x * y;
            }
            y.cos() * x
        };
        (z * x, count)
    }
    for x in [-0.5, 0.5, 1.5] {
        for y in [-0.7, 0.6, 2.5] {
            differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [x, y]);
        }
    }
}

#[test]
fn an_if_without_else() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        let mut r = x * y;
        if r > 1.0 {
            r = r.sqrt();
        }
        r
    }
    check(f(2.0, 2.0), f_jac(2.0, 2.0), &[0.5, 0.5]);
    check(f(2.0, 0.25), f_jac(2.0, 0.25), &[0.25, 2.0]);
}

#[test]
fn nothing_comes_from_the_side_that_is_not_taken() {
    #[jacobian]
    fn root(x: f64) -> f64 {
        if x > 0.0 { x.sqrt() } else { 0.0 }
    }
    check(root(0.0), root_jac(0.0), &[0.0]);
    check(root(4.0), root_jac(4.0), &[0.25]);

    #[jacobian]
    fn sinc(x: f64, y: f64) -> f64 {
        y * if x == 0.0 { 1.0 } else { x.sin() / x }
    }
    check(sinc(0.0, 2.0), sinc_jac(0.0, 2.0), &[0.0, 1.0]);

    #[jacobian(wrt(x))]
    fn element(x: f64, table: &[f64], index: usize) -> f64 {
        if index < table.len() { x * table[index] } else { x }
    }
    check(element(2.0, &[3.0], 0), element_jac(2.0, &[3.0], 0), &[3.0]);
    check(element(2.0, &[3.0], 7), element_jac(2.0, &[3.0], 7), &[1.0]);
}

#[test]
fn what_the_side_that_is_taken_does_not_use_contributes_nothing() {
    #[jacobian]
    fn root(x: f64) -> f64 {
        let r = x.sqrt();
        if r > 0.0 { r } else { 0.0 }
    }
    check(root(0.0), root_jac(0.0), &[0.0]);
    check(root(4.0), root_jac(4.0), &[0.25]);

    #[jacobian]
    fn normalized(v: [f64; 2]) -> [f64; 2] {
        let n = (v[0] * v[0] + v[1] * v[1]).sqrt();
        if n > 0.0 { [v[0] / n, v[1] / n] } else { v }
    }
    assert_eq!(normalized_jac([0.0, 0.0]), ([0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]]));
    differences(normalized, normalized_jac, [0.6, -1.2]);

    #[jacobian]
    fn softplus(x: f64, y: f64) -> f64 {
        let e = (x * y).exp();
        let log = if x < 500.0 { (1.0 + e).ln() } else { x * y };
        log * y
    }
    check(softplus(1000.0, 2.0), softplus_jac(1000.0, 2.0), &[4.0, 4000.0]);
    differences(|[x, y]| softplus(x, y), |[x, y]| softplus_jac(x, y), [0.6, -1.2]);

    #[jacobian]
    fn nested(x: f64, y: f64) -> f64 {
        let (a, b) = (x.ln(), y.sqrt());
        let c = if x > 0.0 {
            a * if y > 0.0 { b } else { y }
        } else if y > 1.0 {
            b
        } else {
            x
        };
        (c + x) * y
    }
    for (x, y, derivative) in [(2.0, 0.0, [0.0, 2.0]), (0.0, 0.0, [0.0, 0.0]), (-1.0, 4.0, [4.0, 2.0])] {
        check(nested(x, y), nested_jac(x, y), &derivative);
    }
    differences(|[x, y]| nested(x, y), |[x, y]| nested_jac(x, y), [0.6, 1.2]);
}

#[test]
fn what_a_maximum_or_a_bound_passes_over_contributes_nothing() {
    #[jacobian]
    fn larger(x: f64, y: f64) -> f64 {
        x.sqrt().max(y) * y
    }
    check(larger(0.0, 2.0), larger_jac(0.0, 2.0), &[0.0, 4.0]);
    check(larger(4.0, 1.0), larger_jac(4.0, 1.0), &[0.25, 2.0]);

    #[jacobian]
    fn sine(cosine: f64) -> f64 {
        (1.0 - cosine * cosine).max(0.0).sqrt()
    }
    check(sine(1.5), sine_jac(1.5), &[0.0]);
    check(sine(0.6), sine_jac(0.6), &[-0.75]);

    #[jacobian]
    fn bounded(x: f64) -> f64 {
        x.ln().clamp(-1.0, 1.0)
    }
    check(bounded(0.0), bounded_jac(0.0), &[0.0]);
    check(bounded(2.0), bounded_jac(2.0), &[0.5]);
}

#[test]
fn a_zero_that_is_computed_meets_infinity_honestly() {
    #[jacobian]
    fn square_of_root(x: f64, squared: bool) -> f64 {
        let r = x.sqrt();
        if squared { r * r } else { 0.0 }
    }
    assert!(square_of_root_jac(0.0, true).1[0].is_nan());
    assert_eq!(square_of_root_jac(0.0, false), (0.0, [0.0]));
    check(square_of_root(4.0, true), square_of_root_jac(4.0, true), &[1.0]);
}

#[test]
fn lazy_operators() {
    #[jacobian(wrt(x, y))]
    fn f(x: f64, y: f64, table: &[f64], index: usize) -> f64 {
        let inside = index < table.len() && x > table[index];
        let outside = !(x < y || y < 0.0) || index >= table.len() || table[index] < x * y;
        let mut r = x * y;
        if inside {
            r += x;
        }
        if outside && !inside {
            r *= y;
        }
        r
    }
    for index in [0, 1, 2] {
        for (x, y) in [(0.5, 1.5), (1.5, 0.5), (2.5, -0.25)] {
            let (table, f, f_jac) = (&[1.0, 2.0], f, f_jac);
            differences(|[x, y]| f(x, y, table, index), |[x, y]| f_jac(x, y, table, index), [x, y]);
        }
    }
}

#[test]
fn lazy_operators_that_do_something() {
    #[jacobian]
    fn f(x: f64, y: f64, n: usize) -> [f64; 2] {
        let mut r = x;
        let mut is_set = false;
        let both = x > 1.0 && {
            r = x * y;
            is_set = y > 0.5;
            r > n as f64
        };
        let _unused = x < y && y * n as f64 > 1.0;
        let either = y > 2.0 || {
            r += y;
            true
        };
        [if both || is_set { r } else { y * y }, if either { r } else { x }]
    }
    for (x, y) in [(0.5, 1.5), (1.5, 0.75), (2.5, 2.25), (1.5, 0.25)] {
        for n in [0, 1, 5] {
            differences(|[x, y]| f(x, y, n), |[x, y]| f_jac(x, y, n), [x, y]);
        }
    }
}

#[test]
fn tests_of_floats() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        if (x / y).is_finite() && !f64::is_nan(y) && y.is_sign_positive() { x / y } else { x }
    }
    check(f(3.0, 2.0), f_jac(3.0, 2.0), &[0.5, -0.75]);
    check(f(3.0, 0.0), f_jac(3.0, 0.0), &[1.0, 0.0]);
    check(f(3.0, -2.0), f_jac(3.0, -2.0), &[1.0, 0.0]);
}

#[test]
fn conditions_are_values() {
    #[jacobian]
    fn f(x: f64, y: f64, flag: bool) -> f64 {
        let below = x < y;
        let both = if flag { below } else { y > 1.0 };
        let mut r = x;
        if both {
            r *= y;
        }
        if below {
            r += y * y;
        }
        r
    }
    for (x, y) in [(0.5, 1.5), (1.5, 0.5), (2.5, 1.25), (0.25, 0.5)] {
        for flag in [false, true] {
            differences(|[x, y]| f(x, y, flag), |[x, y]| f_jac(x, y, flag), [x, y]);
        }
    }
}

#[derive(Clone, Copy)]
enum Law {
    Linear,
    Power { exponent: i32 },
    Scaled(f64, Option<f64>),
}

#[test]
fn a_match_on_a_passive_value() {
    #[jacobian]
    fn f(x: f64, y: f64, law: Law) -> [f64; 2] {
        let mut weight = 1.0;
        let r = match law {
            Law::Linear => x * y,
            Law::Power { exponent: n } if n > 5 => x,
            Law::Power { exponent } => {
                weight = 0.5;
                x.powi(exponent) * y
            }
            Law::Scaled(_, Some(offset)) | Law::Scaled(offset, None) if is_large(offset) => offset * x,
            Law::Scaled(by, _) => by * x - y,
        };
        [r, weight * r]
    }
    fn is_large(value: f64) -> bool {
        value > 1.5
    }
    let laws = [
        Law::Linear,
        Law::Power { exponent: 3 },
        Law::Power { exponent: 6 },
        Law::Scaled(2.0, None),
        Law::Scaled(2.0, Some(1.0)),
        Law::Scaled(1.0, None),
    ];
    for law in laws {
        differences(|[x, y]| f(x, y, law), |[x, y]| f_jac(x, y, law), [1.5, 0.7]);
    }
}

#[test]
fn variables_of_a_pattern_that_change() {
    #[allow(unused_mut, unused_assignments)]
    #[jacobian(wrt(x))]
    fn f(x: f64, gain: Option<f64>) -> f64 {
        let y = if let Some(mut a) = gain {
            a += 1.0;
            if a > 2.0 {
                a = 2.0;
            }
            let b = a * x;
            a = 0.5;
            a * b
        } else {
            x
        };
        y * x
    }
    for gain in [None, Some(0.5), Some(3.0)] {
        differences(|[x]| f(x, gain), |[x]| f_jac(x, gain), [1.5]);
    }
}

#[test]
fn if_let_on_a_passive_value() {
    #[jacobian(wrt(x))]
    fn f(x: f64, gain: Option<f64>, shift: &Option<(f64, f64)>) -> f64 {
        let mut r = if let Some(gain) = gain { gain * x } else { x * x };
        if let Some((a, b)) = shift {
            r = r * a + b;
        }
        r
    }
    check(f(3.0, Some(2.0), &None), f_jac(3.0, Some(2.0), &None), &[2.0]);
    check(f(3.0, None, &Some((2.0, 1.0))), f_jac(3.0, None, &Some((2.0, 1.0))), &[12.0]);
}

#[test]
fn passive_values_that_depend_on_a_branch() {
    #[jacobian(wrt(x))]
    fn f(x: f64, table: &[f64; 3], flag: bool) -> f64 {
        let mut k = 0;
        let mut slope = 1.0;
        if x > 1.0 {
            k = 1 + usize::from(flag);
        } else {
            slope = -table[2];
        }
        let names = if flag { "ab" } else { "abc" };
        slope * x * table[k] + names.len() as f64 * x
    }
    let table = &[2.0, 3.0, 5.0];
    check(f(2.0, table, true), f_jac(2.0, table, true), &[7.0]);
    check(f(2.0, table, false), f_jac(2.0, table, false), &[6.0]);
    check(f(0.5, table, true), f_jac(0.5, table, true), &[-8.0]);
}

#[test]
fn equal_code_in_both_arms_runs_in_the_arm_that_is_taken() {
    let calls = Cell::new(0);
    let next = || {
        calls.set(calls.get() + 1);
        f64::from(calls.get())
    };
    #[jacobian(wrt(x))]
    fn f(x: f64, next: &dyn Fn() -> f64) -> f64 {
        let before = next();
        let a = if x > 1.0 { next() * x } else { x };
        let b = if x > 2.0 { 0.0 + next() } else { next() };
        a + b * x + next() * before
    }
    for x in [0.5, 1.5, 2.5] {
        calls.set(0);
        let value = f(x, &next);
        let expected = calls.replace(0);
        let (own, [derivative]) = f_jac(x, &next);
        assert_eq!((value.to_bits(), expected), (own.to_bits(), calls.get()));
        assert_eq!(derivative, if x > 1.0 { 5.0 } else { 3.0 });
    }
}

#[test]
fn arrays_and_tuples_from_branches() {
    #[jacobian]
    fn f(x: [f64; 3], turned: bool) -> [[f64; 2]; 2] {
        let (a, [b, c]) = if turned { (x[2], [x[0], 0.0]) } else { (x[0] * x[1], [1.0, x[2]]) };
        let row = if a > b { [a, b] } else { [b * c, x[1]] };
        [row, [c, if c > 0.0 { c * c } else { -c }]]
    }
    for turned in [false, true] {
        for x in [[0.5, 1.5, 2.5], [2.0, 0.3, -1.0], [3.0, 1.0, 2.0]] {
            differences(|x| f(x, turned), |x| f_jac(x, turned), x);
        }
    }
}

#[test]
fn an_arm_may_use_and_change_what_an_arm_around_it_declares() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        let mut total = 0.0;
        if x > 0.0 {
            let mut inner = x * y;
            let scale = if y > 0.0 {
                inner += total + y;
                inner * x
            } else {
                inner -= x;
                2.0
            };
            total += inner * scale;
        }
        total + x
    }
    for (x, y) in [(1.5, 0.5), (1.5, -0.5), (-1.0, 0.3)] {
        differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [x, y]);
    }
}

#[test]
fn single_precision() {
    #[jacobian]
    fn f(x: f32, up: bool) -> f32 {
        let scale = if up { 2.0 } else { 0.5 };
        if x >= 1.0 { scale * x } else { 3.0 }
    }
    check(f(2.0, true), f_jac(2.0, true), &[2.0]);
    check(f(0.5, false), f_jac(0.5, false), &[0.0]);
}

#[test]
fn matches_of_passive_values() {
    enum Law {
        Linear,
        Power(i32),
    }
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(a: [f64; 4], law: &Law, n: Option<usize>) -> [f64; 3] {
        const TWO: usize = 2;
        let mut sum = 0.0;
        for i in 0..4 {
            if matches!(i, 0 | TWO..=3) {
                sum += a[i];
            } else {
                sum *= 2.0 * a[i];
            }
        }
        let odd: f64 = (0..4).filter(|i| matches!(i, 1 | 3)).map(|i| a[i]).product();
        let scale = core::matches!(law, Law::Power(k) if *k > 2) as u8 as f64;
        let of_match = match n {
            Some(k) if matches!(k, 1..=TWO) => a[0] * k as f64,
            _ => a[1],
        };
        if matches!(n, Some(TWO) | None) && !matches!(law, Law::Linear) {
            return [a[3], odd * scale, of_match];
        }
        [sum, odd * scale, of_match]
    }
    let a = [2.0, 3.0, 5.0, 7.0];
    let (sum, odd) = ([6.0, 4.0, 1.0, 1.0], [0.0, 7.0, 0.0, 3.0]);
    let (one, none) = (|i: usize| core::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }), [0.0; 4]);
    let expected = |rows: [[f64; 4]; 3]| rows.concat();
    for (law, n, rows) in [
        (Law::Linear, Some(2), [sum, none, one(0).map(|v: f64| 2.0 * v)]),
        (Law::Power(3), Some(1), [sum, odd, one(0)]),
        (Law::Power(2), Some(2), [one(3), none, one(0).map(|v: f64| 2.0 * v)]),
        (Law::Power(4), None, [one(3), odd, one(1)]),
    ] {
        check(f(a, &law, n), f_jac(a, &law, n), &expected(rows));
    }
}

#[test]
fn a_variable_that_only_one_arm_assigns_and_uses() {
    #[jacobian]
    #[allow(clippy::needless_late_init, unused_assignments)]
    fn f(x: f64, y: f64, n: usize) -> f64 {
        let (active, passive);
        let mut changed = y * 3.0;
        if x > y {
            active = x * y;
            passive = n + 1;
            changed = active * passive as f64;
            changed * active
        } else {
            x
        }
    }
    check(f(3.0, 2.0, 1), f_jac(3.0, 2.0, 1), &[2.0 * 3.0 * 8.0, 2.0 * 2.0 * 18.0]);
    check(f(1.0, 2.0, 1), f_jac(1.0, 2.0, 1), &[1.0, 0.0]);
}

/// The searches for cheap second derivatives go back and forth among masks of values that were there before.
#[allow(clippy::collapsible_if, reason = "the depth of the branches is what is tried")]
#[jacobian(forms(hess, hvp))]
fn nested_twice(x: [f64; 2], n: usize) -> f64 {
    let mut s = x[0];
    if n > 0 {
        if s > 2.0 {
            let r = s * x[1];
            let t = if n == 7 { r } else { r * x[0] };
            if n == 1 {
                s = r * 2.0;
            } else {
                s += t;
            }
        }
    }
    if n > 1 {
        if s > 2.0 {
            let r = s * x[1];
            let t = if n == 7 { r } else { r * x[0] };
            if n == 1 {
                s = r * 2.0;
            } else {
                s += t;
            }
        }
    }
    s
}

#[test]
fn second_derivatives_of_nested_branches() {
    let (value, gradient, hessian) = nested_twice_hess([3.0, 0.5], 1);
    assert_eq!((value, gradient, hessian), (3.0, [1.0, 6.0], [[0.0, 2.0], [2.0, 0.0]]));
    let (_, _, product) = nested_twice_hvp([3.0, 0.5], 1, &[1.0, 10.0]);
    assert_eq!(product, [20.0, 2.0]);
    assert_eq!(nested_twice_hess([3.0, 0.5], 0).2, [[0.0; 2]; 2]);
    // s = x (1 + x y), then s (1 + x y): x (1 + x y)^2.
    let (value, gradient, hessian) = nested_twice_hess([3.0, 0.5], 2);
    assert_eq!((value, gradient, hessian), (18.75, [13.75, 45.0], [[6.5, 39.0], [39.0, 54.0]]));
}

#[jacobian]
fn by_then(x: f64, y: f64, n: usize) -> f64 {
    let a = (x > 0.5).then(|| x * x).unwrap_or(y);
    let b = (n > 2).then(|| x.sin() * y).unwrap_or_else(|| y.cos() * a);
    let c = 1.0 + (a < y).then_some(-x * y).unwrap_or(2.0 * x);
    let d = (n > 1).then(|| n as f64).unwrap_or(0.5);
    a * b + c * d
}

#[test]
fn then_and_unwrap_or_are_a_branch() {
    for n in [1, 2, 3] {
        for x in [[0.3, 1.2], [0.8, 0.4], [0.9, 0.95]] {
            differences(|[x, y]| by_then(x, y, n), |[x, y]| by_then_jac(x, y, n), x);
        }
    }
}

/// The guard of an arm is known here, and does something all the same.
#[test]
fn guards_that_are_known_have_their_effects() {
    #[jacobian(wrt(x, y))]
    #[allow(clippy::blocks_in_conditions)]
    fn active(x: f64, y: f64) -> f64 {
        let mut c = x;
        let z = match 3_usize {
            k if {
                c += y;
                k > 4
            } =>
            {
                y
            }
            k if {
                c *= y;
                k > 2
            } =>
            {
                x
            }
            _ => y * y,
        };
        z * c
    }
    #[jacobian(wrt(x, y))]
    #[allow(clippy::blocks_in_conditions)]
    fn passive(x: f64, y: f64, seen: &mut Vec<usize>, n: usize) -> f64 {
        let (mut s, mut count) = (0.0, 0);
        for i in 0..4 {
            let mut m = [0; 4];
            let z = match (x, i) {
                (v, k)
                    if {
                        m[k] = k + 1;
                        seen.push(k);
                        k == 2
                    } =>
                {
                    v * v
                }
                (_, k)
                    if {
                        m[k] += n;
                        count += 1;
                        k == 3
                    } =>
                {
                    y
                }
                _ => x,
            };
            s += z * m[i] as f64;
        }
        s * f64::from(count)
    }
    #[jacobian(wrt(x))]
    #[allow(clippy::blocks_in_conditions)]
    fn panicking(x: f64, n: usize) -> f64 {
        [2.0, 3.0].map(|c| match 3_usize {
            k if {
                assert!(n < 4, "{n} is too large");
                k > 2
            } =>
            {
                x * c
            }
            _ => c,
        })[1]
    }
    for x in [[0.3, 1.2], [-0.8, 0.4]] {
        differences(|[x, y]| active(x, y), |[x, y]| active_jac(x, y), x);
        differences(|[x, y]| passive(x, y, &mut vec![], 3), |[x, y]| passive_jac(x, y, &mut vec![], 3), x);
    }
    let (mut seen, mut seen_by_jac) = (Vec::new(), Vec::new());
    passive(0.5, 0.3, &mut seen, 1);
    passive_jac(0.5, 0.3, &mut seen_by_jac, 1);
    assert_eq!((seen_by_jac, seen), (vec![0, 1, 2, 3], vec![0, 1, 2, 3]));
    assert_eq!(panicking_jac(0.5, 3), (1.5, [3.0]));
    assert_eq!(panic_of(|| panicking(0.5, 4)), "4 is too large");
    assert_eq!(panic_of(|| panicking_jac(0.5, 4)), "4 is too large");
}
