//! Jumps under run-time conditions: out of loops that stay loops and out of unrolled ones, to the end of the
//! function, of a loop further out or of a block with a label, and out of branches in branches.

#![allow(clippy::needless_range_loop, reason = "a macro knows the items of a range")]
#![allow(
    clippy::never_loop,
    clippy::while_let_loop,
    clippy::manual_find,
    reason = "these are the jumps that are tested"
)]

use approx::assert_abs_diff_eq;
use jacobian::jacobian;
use nalgebra::{Matrix2, Vector2};

use crate::{bits, differences, twins};

const DATA: [f64; 5] = [0.5, -1.25, 2.0, 0.75, -0.5];

/// Points between those where the iterations of the loops below change.
const POINTS: [[f64; 2]; 5] = [[0.3, 0.2], [1.37, -0.4], [2.6, 1.9], [-0.83, 0.61], [-3.1, -2.2]];

/// At all points, with more and more items, the value is the function's own and the derivatives are the differences.
macro_rules! at_all_points {
    ($f:ident, $jac:ident) => {
        for x in POINTS {
            for n in 0..=DATA.len() {
                differences(|x| $f(x, &DATA[..n]), |x| $jac(x, &DATA[..n]), x);
            }
        }
    };
}

/// The products and the second derivatives are those of the Jacobian.
macro_rules! forms_agree {
    ($f:ident, $jac:ident, $jvp:ident, $vjp:ident, $hess:ident) => {
        for x in POINTS {
            for n in 0..=DATA.len() {
                let data = &DATA[..n];
                let (value, gradient) = $jac(x, data);
                let (own, along) = $jvp(x, data, &[0.5, -2.0]);
                assert_eq!(value.to_bits(), own.to_bits());
                assert_abs_diff_eq!(
                    along,
                    0.5 * gradient[0] - 2.0 * gradient[1],
                    epsilon = 1e-12 * along.abs().max(1.0)
                );
                let (own, back) = $vjp(x, data, 3.0);
                assert_eq!(value.to_bits(), own.to_bits());
                for (own, entry) in back.iter().zip(&gradient) {
                    assert_abs_diff_eq!(*own, 3.0 * entry, epsilon = 1e-12 * own.abs().max(1.0));
                }
                let second = |x: [f64; 2]| $hess(x, data);
                differences(|x| $jac(x, data).1, |x| (second(x).1, second(x).2), x);
            }
        }
    };
}

#[test]
fn returns() {
    #[jacobian(wrt(x), forms(jac, jvp, vjp, hess))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        for d in data {
            s = s * x[1] + d;
            if s.abs() > 2.0 {
                return s * s + x[0];
            }
        }
        s.sin()
    }
    at_all_points!(f, f_jac);
    forms_agree!(f, f_jac, f_jvp, f_vjp, f_hess);
}

#[test]
fn returns_of_passive_values_and_under_passive_conditions() {
    #[jacobian(wrt(x))]
    fn first(x: [f64; 2], data: &[f64]) -> f64 {
        for d in data {
            if *d > 1.0 {
                return *d;
            }
        }
        x[0] * x[1]
    }
    at_all_points!(first, first_jac);

    #[jacobian(wrt(x))]
    fn either(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = 1.0;
        for (i, d) in data.iter().enumerate() {
            if *d < -1.0 {
                return s;
            }
            if i == 3 {
                return 0.25;
            }
            s *= x[0] + d;
            if s > x[1] {
                return d * x[1];
            }
        }
        s
    }
    at_all_points!(either, either_jac);

    #[jacobian(wrt(x))]
    fn nowhere_active(x: [f64; 2], data: &[f64]) -> f64 {
        for d in data {
            if *d > 1.0 {
                return 4.0;
            }
        }
        let _ = x;
        0.5
    }
    at_all_points!(nowhere_active, nowhere_active_jac);
}

#[test]
fn returns_of_arrays_tuples_and_vectors() {
    #[jacobian(wrt(x))]
    fn arrays(x: [f64; 2], data: &[f64]) -> [[f64; 2]; 2] {
        let mut a = [x, [x[1], 1.0]];
        for d in data {
            a[0][1] *= x[0] - d;
            if a[0][1] > 1.0 {
                return [[a[0][1], 3.0], a[1]];
            }
            a[1] = [a[1][1], a[0][0] + d];
        }
        a
    }
    at_all_points!(arrays, arrays_jac);

    #[jacobian(wrt(x))]
    fn tuples(x: [f64; 2], data: &[f64]) -> (f64, [f64; 2]) {
        let mut s = x[1];
        for d in data {
            if s * d > x[0] {
                return (*d, [s, x[0] * s]);
            }
            s += d * x[0];
        }
        (s, x)
    }
    at_all_points!(tuples, tuples_jac);

    #[jacobian(wrt(x))]
    fn vectors(x: [f64; 2], data: &[f64]) -> f64 {
        fn turned(v: Vector2<f64>, data: &[f64]) -> Vector2<f64> {
            let mut v = v;
            for d in data {
                v = Vector2::new(v.y * d, v.x + d);
                if v.norm_squared() > 3.0 {
                    return v * 2.0;
                }
            }
            Vector2::new(v.x, 1.0)
        }
        let v = turned(Vector2::new(x[0], x[1]), data);
        v.x * v.y
    }
    at_all_points!(vectors, vectors_jac);

    #[jacobian(wrt(m))]
    fn whole(m: Matrix2<f64>, n: usize) -> Vector2<f64> {
        let mut v = Vector2::new(m[(0, 1)], 0.5);
        for i in 0..n {
            v = m * v;
            if v.x > 4.0 {
                return v * i as f64;
            }
        }
        v
    }
    for n in 0..5 {
        let of = |a: [f64; 4]| Matrix2::new(a[0], a[2], a[1], a[3]);
        let jac = |a| {
            let (v, j) = whole_jac(of(a), n);
            ([v.x, v.y], j)
        };
        let f = |a| <[f64; 2]>::from(whole(of(a), n));
        differences(f, jac, [1.5, 0.4, 0.9, 1.2]);
        differences(f, jac, [0.5, -0.4, 0.9, 0.2]);
    }
}

#[test]
fn returns_without_a_value() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64], out: &mut [f64; 2]) {
        *out = [x[0], 1.0];
        for d in data {
            out[1] *= x[1] + d;
            if out[1] > 2.0 {
                return;
            }
            out[0] += out[1];
        }
        out[0] *= 2.0;
    }
    let value = |x: [f64; 2], n: usize| {
        let mut out = [0.0; 2];
        f(x, &DATA[..n], &mut out);
        out
    };
    let derivative = |x: [f64; 2], n: usize| {
        let mut out = [0.0; 2];
        let jacobian = f_jac(x, &DATA[..n], &mut out);
        (out, jacobian)
    };
    for x in POINTS {
        (0..=DATA.len()).for_each(|n| differences(|x| value(x, n), |x| derivative(x, n), x));
    }
}

#[test]
fn jumps_of_loops_further_out() {
    #[jacobian(wrt(x), forms(jac, jvp, vjp, hess))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let (mut s, mut count) = (x[0], 0);
        'rows: for a in data {
            s += 0.5 * a * x[1];
            for b in data {
                count += 1;
                if s * b > 2.0 {
                    break 'rows;
                }
                if s < -1.0 {
                    s = s * s * 0.3;
                    continue 'rows;
                }
                if *b > 1.5 && s > 1.0 {
                    break;
                }
                s = s.sin() + a * b * x[0];
            }
            s *= 1.25;
        }
        s * count as f64
    }
    at_all_points!(f, f_jac);
    forms_agree!(f, f_jac, f_jvp, f_vjp, f_hess);
}

#[test]
fn all_jumps_in_three_loops() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> [f64; 2] {
        let mut s = x;
        'outer: for a in data {
            let mut k = 0;
            'middle: while k < data.len() {
                k += 1;
                s[0] += 0.25 * a * s[1];
                loop {
                    s[1] = 0.5 * s[1] + data[k - 1] * x[0];
                    if s[1] > 1.75 {
                        continue 'outer;
                    }
                    if s[1] < -1.5 {
                        continue 'middle;
                    }
                    if s[0] > 3.0 {
                        break 'outer;
                    }
                    if s[0] < -2.5 {
                        break 'middle;
                    }
                    if s[0] * s[1] > 1.2 {
                        return [s[1], s[0] * a];
                    }
                    if s[1].abs() < 0.6 {
                        break;
                    }
                    s[0] -= 0.1;
                }
                s[0] *= 0.9;
            }
            s[1] += 0.05 * k as f64;
        }
        s
    }
    at_all_points!(f, f_jac);
}

#[test]
fn unrolled_loops_around_and_inside() {
    #[jacobian(wrt(x))]
    fn around(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        'rows: for i in 0..3 {
            for d in data {
                s = s * x[1] + d;
                if s > 2.0 {
                    continue 'rows;
                }
                if s < -2.0 {
                    break 'rows;
                }
                if s.abs() < 0.2 {
                    return s * i as f64;
                }
            }
            s += x[i % 2];
        }
        s
    }
    at_all_points!(around, around_jac);

    #[jacobian(wrt(x))]
    fn inside(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        'items: for d in data {
            for i in 0..2 {
                s = s * x[i] + d;
                if s > 2.0 {
                    continue 'items;
                }
                if s < -2.0 {
                    break 'items;
                }
                if s.abs() < 0.2 {
                    return s * i as f64;
                }
            }
            s += 1.0;
        }
        s
    }
    at_all_points!(inside, inside_jac);

    #[jacobian(wrt(x))]
    fn only(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = data.len() as f64;
        'rows: for v in x {
            for i in 0..3 {
                s = s * v + i as f64;
                if s > 9.0 {
                    continue 'rows;
                }
                if s > 6.0 {
                    break 'rows;
                }
                if s < 0.0 {
                    return s * v;
                }
            }
            s += 1.0;
        }
        s
    }
    at_all_points!(only, only_jac);
}

#[test]
fn blocks_with_labels() {
    #[jacobian(wrt(x))]
    fn value(x: [f64; 2], data: &[f64]) -> f64 {
        let found = 'found: {
            let mut s = x[0];
            if s > 2.0 {
                break 'found s * s;
            }
            for d in data {
                s += d * x[1];
                if s > 1.0 {
                    break 'found s * x[0];
                }
            }
            if s < 0.0 { 2.0 } else { s }
        };
        found * x[1]
    }
    at_all_points!(value, value_jac);

    #[jacobian(wrt(x))]
    fn statement(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        'done: {
            if s > x[1] {
                s *= x[1];
                if s < 0.0 {
                    break 'done;
                }
                s += 1.0;
            }
            for d in data {
                s += d * x[1];
                if s > 1.0 {
                    break 'done;
                }
                if s < -3.0 {
                    return s * s;
                }
            }
            s *= 2.0;
        }
        s + x[0]
    }
    at_all_points!(statement, statement_jac);

    #[jacobian(wrt(x))]
    fn added(x: [f64; 2], data: &[f64]) -> f64 {
        let mut sum = 0.0;
        for d in data {
            sum += 'term: {
                if *d < 0.0 {
                    break 'term x[0];
                }
                if sum > x[1] {
                    break 'term d * x[1];
                }
                sum
            };
            sum *= 1.5;
        }
        sum
    }
    at_all_points!(added, added_jac);
}

#[test]
fn loops_with_values() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let (mut s, mut k) = (x[0], 0);
        let r = loop {
            if k == data.len() {
                break s * x[1];
            }
            s = s * x[1] + data[k];
            if s > 2.0 {
                break s.sin();
            }
            if s < -2.0 {
                return s;
            }
            k += 1;
        };
        r + k as f64 * x[0]
    }
    at_all_points!(f, f_jac);

    #[jacobian(wrt(x))]
    fn last(x: [f64; 2], data: &[f64]) -> [f64; 2] {
        let (mut s, mut k) = (x, 0);
        loop {
            if k == data.len() {
                break [s[1], s[0]];
            }
            s = [s[1] * data[k], s[0] + 1.0];
            if s[0] > s[1] {
                break s;
            }
            k += 1;
        }
    }
    at_all_points!(last, last_jac);

    #[jacobian(wrt(x))]
    fn endless(x: [f64; 2], data: &[f64]) -> f64 {
        let (mut s, mut k) = (x[0], 0);
        loop {
            if k == data.len() {
                return s * x[1];
            }
            s = s * x[1] + data[k];
            if s > 2.0 {
                return s.sin();
            }
            k += 1;
        }
    }
    at_all_points!(endless, endless_jac);
}

#[test]
fn branches_in_branches() {
    #[jacobian(wrt(x))]
    fn returned(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        if data.len() > 2 {
            if x[0] > x[1] {
                return x[0] * x[0];
            }
            s += 1.0;
        } else if x[1] > 0.0 {
            s *= x[1];
            if s > 0.5 {
                return s;
            }
        }
        s * x[1]
    }
    at_all_points!(returned, returned_jac);

    #[jacobian(wrt(x))]
    fn looped(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        for d in data {
            if *d > 0.0 {
                if s > 1.0 {
                    break;
                }
                s += x[1];
                if s < 0.0 {
                    continue;
                }
                s *= 2.0;
            }
            match data.len() {
                1 | 2 => s -= 0.5,
                n if n > 4 => {
                    if s < -1.0 {
                        return s * n as f64;
                    }
                    s += d * x[0];
                }
                _ => {}
            }
            s += 0.25 * d;
        }
        s
    }
    at_all_points!(looped, looped_jac);

    #[jacobian(wrt(x))]
    fn unrolled(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        for v in [x[0], 0.5, x[1], 2.0] {
            if data.len() > 2 {
                if v > x[1] {
                    break;
                }
                s += v;
            }
            if v > s {
                if data.len() == 1 {
                    continue;
                }
                s *= 1.5;
            }
            s += 1.0;
        }
        s
    }
    at_all_points!(unrolled, unrolled_jac);

    #[jacobian(wrt(x))]
    fn blocks(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        {
            let t = s * x[1];
            if t > 1.0 {
                return t;
            }
            s += t;
        }
        if let Some(d) = data.first() {
            if *d * s > 0.3 {
                return d * s;
            }
            s -= d;
        }
        s
    }
    at_all_points!(blocks, blocks_jac);
}

#[test]
fn helpers_and_closures() {
    #[jacobian]
    mod inlined {
        fn root(x: f64, start: f64, n: usize) -> f64 {
            let mut r = start;
            for _ in 0..n {
                let step = 0.5 * (r - x / r);
                r -= step;
                if step.abs() < 1e-9 {
                    return r;
                }
            }
            r
        }

        fn crossing(x: f64, data: &[f64]) -> (f64, usize, bool) {
            let mut s = x;
            for (i, d) in data.iter().enumerate() {
                s += d * x;
                if s > 1.0 {
                    return (s, i + 1, true);
                }
            }
            (s * s, data.len(), false)
        }

        #[jacobian(wrt(x))]
        pub fn f(x: [f64; 2], data: &[f64]) -> f64 {
            let (s, i, is_found) = crossing(x[0], data);
            let r = root(x[1] * x[1] + 1.0, 1.0, data.len());
            if is_found { s * r * i as f64 } else { r - s }
        }
    }
    use inlined::{f, f_jac};
    at_all_points!(f, f_jac);

    #[jacobian(wrt(x))]
    fn closures(x: [f64; 2], data: &[f64]) -> f64 {
        let search = |from: f64| {
            let mut s = from;
            for d in data {
                s = s * x[1] + d;
                if s > 1.0 {
                    return [s, from];
                }
            }
            [s.cos(), 1.0]
        };
        let [a, b] = search(x[0]);
        let c = |limit: f64| -> f64 {
            for d in data {
                if *d * x[0] > limit {
                    return *d;
                }
            }
            limit
        };
        a * b + c(x[1])
    }
    at_all_points!(closures, closures_jac);
}

#[test]
fn variables_that_a_loop_assigns_first() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        let (mut last, mut pair, mut is_high): (f64, [f64; 2], bool);
        let mut k = 0;
        loop {
            last = s * x[1];
            pair = [s, last];
            is_high = s > x[1];
            if k == data.len() {
                break;
            }
            s += data[k] * last;
            k += 1;
        }
        let r = if is_high { last } else { 2.0 };
        r * pair[0] + pair[1]
    }
    at_all_points!(f, f_jac);

    #[jacobian(wrt(x))]
    fn inside(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        let mut w;
        for d in data {
            w = d * x[1];
            s += w.sin() * w;
        }
        s
    }
    at_all_points!(inside, inside_jac);
}

#[test]
fn order_of_effects_and_panics() {
    use std::cell::RefCell;

    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64], log: &RefCell<Vec<f64>>) -> f64 {
        let mut s = x[0];
        for d in data {
            log.borrow_mut().push(*d);
            s += d * x[1];
            if s > 1.0 {
                log.borrow_mut().push(100.0);
                return s;
            }
            log.borrow_mut().push(-1.0);
        }
        log.borrow_mut().push(7.0);
        s * x[0]
    }
    for x in POINTS {
        let logs = [RefCell::default(), RefCell::default()];
        let value = f(x, &DATA, &logs[0]);
        let (own, _) = f_jac(x, &DATA, &logs[1]);
        assert_eq!((value.to_bits(), logs[0].borrow().clone()), (own.to_bits(), logs[1].borrow().clone()));
    }

    /// The index is evaluated where the jump is reached, and nowhere else.
    #[jacobian(wrt(x))]
    fn indexed(x: [f64; 2], data: &[f64], n: usize) -> f64 {
        let mut s = x[0];
        for (i, d) in data.iter().enumerate() {
            s += d * x[1];
            if s > 1.0 {
                return s * data[i + n];
            }
        }
        s * data[n]
    }
    for x in POINTS {
        for n in 0..6 {
            let value = std::panic::catch_unwind(|| indexed(x, &DATA, n));
            let own = std::panic::catch_unwind(|| indexed_jac(x, &DATA, n).0);
            let text = |panic: Box<dyn std::any::Any + Send>| panic.downcast_ref::<String>().cloned();
            assert_eq!(value.map(f64::to_bits).map_err(text), own.map(f64::to_bits).map_err(text));
        }
    }
}

#[test]
fn other_floats() {
    #[jacobian(wrt(x))]
    fn generic<T: num_traits::Float>(x: T, y: T, data: &[T]) -> T {
        let mut s = x;
        for d in data {
            s = s * y + *d;
            if s > T::one() {
                return s * x;
            }
        }
        s
    }
    #[jacobian]
    fn single(x: f32, y: f32, n: usize) -> f32 {
        let mut s = x;
        for i in 0..n {
            s = s * y + i as f32;
            if s > 3.0 {
                return s * 0.1;
            }
        }
        s
    }
    for x in POINTS {
        differences(|[x]| generic(x, 0.7, &DATA), |[x]| generic_jac(x, 0.7, &DATA), [x[0]]);
        let x = x.map(|x| x as f32);
        let (value, gradient) = single_jac(x[0], x[1], 4);
        assert_eq!(bits(&value), bits(&single(x[0], x[1], 4)));
        let wide = |x: [f64; 2]| {
            (0..4)
                .try_fold(x[0], |s, i| {
                    let s = s * x[1] + i as f64;
                    if s > 3.0 { Err(s * 0.1) } else { Ok(s) }
                })
                .unwrap_or_else(|s| s)
        };
        let wide_gradient = |x: [f64; 2]| (wide(x), gradient.map(f64::from));
        let at = x.map(f64::from);
        for column in 0..2 {
            let moved = |by: f64| {
                let mut x = at;
                x[column] += by;
                wide(x)
            };
            let expected = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert_abs_diff_eq!(wide_gradient(at).1[column], expected, epsilon = 1e-4 * expected.abs().max(1.0));
        }
    }
}

#[test]
fn values_of_arms_that_jump() {
    #[jacobian(wrt(x))]
    fn bound(x: [f64; 2], data: &[f64]) -> f64 {
        let k = match data.len() {
            0 => 1.0,
            1 | 2 => x[1],
            3 => return x[0] * x[1],
            n if n == 4 => {
                if x[0] > 1.0 {
                    return x[0].sin();
                }
                x[0] + n as f64
            }
            _ => 0.25,
        };
        let (a, b): (f64, [f64; 2]) = if k > x[0] {
            if x[1] > 0.0 {
                return k;
            }
            (k, [x[1], 1.0])
        } else {
            (2.0, x)
        };
        a * b[0] + k * b[1]
    }
    at_all_points!(bound, bound_jac);

    #[jacobian(wrt(x))]
    fn panics(x: [f64; 2], data: &[f64]) -> f64 {
        let y = {
            let Some(d) = data.first() else { return x[1] };
            let [_, ..] = data else { panic!("there is no first one") };
            x[0] * d
        };
        y * y
    }
    at_all_points!(panics, panics_jac);

    #[jacobian(wrt(x))]
    fn looped(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        for (i, d) in data.iter().enumerate() {
            let factor = match i {
                0 => x[1],
                1 => continue,
                2 => {
                    if s > 1.0 {
                        break;
                    } else {
                        0.5
                    }
                }
                _ => *d,
            };
            let shift: usize = if *d > 0.5 {
                if s < 0.0 {
                    continue;
                }
                i
            } else {
                2
            };
            s = s * factor + shift as f64;
        }
        s
    }
    at_all_points!(looped, looped_jac);
}

/// What is given is passive as a whole in one place, and known element by element in others.
#[test]
fn passive_arrays() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> [f64; 2] {
        let pair: [f64; 2] = core::array::from_fn(|i| data.get(i).copied().unwrap_or(0.5));
        let s = {
            if data.len() > 3 {
                return pair;
            }
            x[0] * x[1]
        };
        for d in data {
            if s * d > 1.0 {
                return pair;
            }
        }
        [s, x[1]]
    }
    at_all_points!(f, f_jac);
}

/// What is passive in all of its values, without a type that is written.
#[test]
fn passive_values_of_jumps() {
    #[jacobian(wrt(x))]
    fn found(x: [f64; 2], data: &[f64]) -> f64 {
        let v = 'found: {
            for d in data {
                if *d > 1.0 {
                    break 'found *d;
                }
            }
            x[0]
        };
        let index = 'index: {
            for (i, d) in data.iter().enumerate() {
                if *d < -1.0 {
                    break 'index i;
                }
            }
            data.len()
        };
        let largest = {
            let mut largest = f64::MIN;
            for d in data {
                largest = d.max(largest);
            }
            largest
        };
        let first = |limit: f64| {
            for d in data {
                if d.abs() > limit {
                    return d.sqrt();
                }
            }
            limit.sqrt()
        };
        let half = if data.is_empty() {
            if x[0] > x[1] {
                return v;
            }
            data.len() + 7
        } else {
            index / 2
        };
        v * x[1] + index as f64 * x[0] + first(0.7) * x[0] + half as f64 + largest.max(0.0) * x[1]
    }
    for x in POINTS {
        for n in 1..=DATA.len() {
            differences(|x| found(x, &DATA.map(f64::abs)[..n]), |x| found_jac(x, &DATA.map(f64::abs)[..n]), x);
        }
    }
}

/// Arms of what is assigned.
#[test]
fn assigned_values() {
    #[jacobian(wrt(x), forms(jac, jvp, vjp, hess))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let (mut s, mut a) = ((x[0], 1.0), [x[1]; 2]);
        let mut table = [x, [x[1], 0.5]];
        for (i, d) in data.iter().enumerate() {
            s.0 += if d * x[1] > 1.0 { break } else { d * x[0] };
            s.1 *= match i {
                1 => continue,
                2 => {
                    if s.0 > 0.0 {
                        return s.0 * s.1 + a[0];
                    }
                    x[1]
                }
                _ => x[0] + 2.0,
            };
            a[i % 2] = if s.0 > 3.0 { break } else { s.0 * d + a[1] };
            a[i % 2] *= if a[0] > 4.0 { break } else { d - 0.5 };
            table[i % 2][1] += match i {
                3 => continue,
                _ => table[1 - i % 2][0] * d,
            };
            s.0 -= {
                let t = x[0] * d;
                if t > 2.0 {
                    continue;
                }
                0.25 * t
            };
        }
        s.0 * s.1 + a[0] * a[1] + table[0][1] * table[1][1]
    }
    #[jacobian(wrt(x))]
    fn twin(x: [f64; 2], data: &[f64]) -> f64 {
        let (mut s, mut a) = ((x[0], 1.0), [x[1]; 2]);
        let mut table = [x, [x[1], 0.5]];
        for (i, d) in data.iter().enumerate() {
            if d * x[1] > 1.0 {
                break;
            }
            s.0 += d * x[0];
            if i == 1 {
                continue;
            }
            if i == 2 {
                if s.0 > 0.0 {
                    return s.0 * s.1 + a[0];
                }
                s.1 *= x[1];
            } else {
                s.1 *= x[0] + 2.0;
            }
            if s.0 > 3.0 {
                break;
            }
            a[i % 2] = s.0 * d + a[1];
            if a[0] > 4.0 {
                break;
            }
            a[i % 2] *= d - 0.5;
            if i == 3 {
                continue;
            }
            table[i % 2][1] += table[1 - i % 2][0] * d;
            let t = x[0] * d;
            if t > 2.0 {
                continue;
            }
            s.0 -= 0.25 * t;
        }
        s.0 * s.1 + a[0] * a[1] + table[0][1] * table[1][1]
    }
    at_all_points!(f, f_jac);
    forms_agree!(f, f_jac, f_jvp, f_vjp, f_hess);
    for x in POINTS {
        for n in 0..=DATA.len() {
            twins!(f, f_jac, twin, twin_jac, x, &DATA[..n]);
        }
    }
}

/// In a run-time loop, in a block with a label, and where a jump is unrolled; what is passive stays as it
/// is.
#[test]
fn assigned_values_elsewhere() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let (mut s, mut k) = (x[0], 0);
        for d in data {
            k += if *d < -1.0 { break } else { 1 };
        }
        let t = 'block: {
            let mut t = x[1];
            t += if s > 1.0 { break 'block x[0] } else { s };
            t * s
        };
        for i in 0..3 {
            s += if i == 1 { continue } else { t * i as f64 };
        }
        s *= if t > 3.0 { return s } else { t };
        s + k as f64 * t
    }
    at_all_points!(f, f_jac);
}

#[test]
fn jumps_in_all_arms_after_a_jump_in_a_block() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        const IS_SHORT: bool = true;
        let p = {
            if IS_SHORT {
                let b = {
                    if x[0] > 0.5 {
                        return x[0] * x[1];
                    }
                    x[1] + data.len() as f64
                };
                return b * b * x[0];
            }
            x[0]
        };
        p * x[1]
    }
    at_all_points!(f, f_jac);
}

#[test]
fn arrays_that_are_known_after_one_arm_and_kept_after_another() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = x[0];
        for (k, d) in data.iter().enumerate() {
            let mut part = [*d, 2.0];
            if *d > 0.6 {
                s *= x[1];
            } else {
                part[k % 2] = 3.0;
            }
            s += part[0] * x[1] * part[1] * x[0];
        }
        s
    }
    at_all_points!(f, f_jac);
}
