//! Closures: evaluated where they are called, with the variables that were in scope where they were written.

use jacobian::jacobian;

use crate::{check, differences, twins};

#[test]
fn closures_in_variables() {
    #[jacobian]
    #[allow(clippy::redundant_closure_call)]
    fn f(x: f64, y: f64) -> f64 {
        let k = 2.0;
        let scale = |v| v * k + y;
        let square = |v: f64| -> f64 {
            let w = v * v;
            w + 1.0
        };
        let swap = |(a, b): (f64, f64)| (b, a);
        let constant = || x;
        let (p, q) = swap((x, y));
        scale(x) * square(y) + scale(square(p)) - q * constant() + (|a: f64, b: f64| a / b)(x, y)
    }
    #[jacobian]
    fn twin(x: f64, y: f64) -> f64 {
        (x * 2.0 + y) * (y * y + 1.0) + ((y * y + 1.0) * 2.0 + y) - x * x + x / y
    }
    twins!(f, f_jac, twin, twin_jac, 1.5, 0.7);
}

#[test]
fn later_variables_of_the_same_name_are_others() {
    #[jacobian]
    #[allow(clippy::shadow_unrelated)]
    fn f(x: f64, y: f64) -> f64 {
        let k = x;
        let f = |v: f64| v * k;
        let k = y;
        let g = |v: f64| {
            let x = f(v) + k;
            x * x
        };
        let f = |v: f64| g(v) - k * x;
        let x = 100.0;
        let v = 3.0;
        f(y) * x + v * k
    }
    #[jacobian]
    fn twin(x: f64, y: f64) -> f64 {
        let g = (y * x + y) * (y * x + y);
        (g - y * x) * 100.0 + 3.0 * y
    }
    twins!(f, f_jac, twin, twin_jac, 1.5, 0.7);
}

#[test]
fn closures_that_change_what_they_capture() {
    #[jacobian]
    fn f(x: f64) -> [f64; 2] {
        let (mut sum, mut count) = (0.0, 0);
        let mut add = |v: f64| {
            sum += v;
            count += 1;
            sum * count as f64
        };
        let a = add(x);
        let b = add(x * x);
        let scale = |target: &mut f64| *target *= x;
        scale(&mut sum);
        [a * b, sum + count as f64]
    }
    #[jacobian]
    fn twin(x: f64) -> [f64; 2] {
        let a = (0.0 + x) * 1.0;
        let b = (0.0 + x + x * x) * 2.0;
        [a * b, (0.0 + x + x * x) * x + 2.0]
    }
    twins!(f, f_jac, twin, twin_jac, 1.5);
}

#[test]
fn what_is_moved_into_a_closure_stays_as_it_was() {
    #[jacobian]
    #[allow(unused_assignments, clippy::shadow_unrelated)]
    fn f(x: f64, n: usize) -> f64 {
        let mut k = x;
        let mut m = n;
        let f = move |v: f64| v * k + m as f64;
        k *= 2.0;
        m += 10;
        let g = {
            let half = 0.5 * k;
            move |v: f64| v - half
        };
        let adders: [f64; 2] = {
            let shift = x * x;
            [1.0, 2.0].map(move |v| v + shift)
        };
        f(k) * g(x) + m as f64 * adders[0] * adders[1]
    }
    #[jacobian]
    fn twin(x: f64, n: usize) -> f64 {
        let k = x * 2.0;
        let m = n + 10;
        (k * x + n as f64) * (x - 0.5 * k) + m as f64 * (1.0 + x * x) * (2.0 + x * x)
    }
    twins!(f, f_jac, twin, twin_jac, 1.5, 3);
}

#[test]
fn closures_return_from_themselves() {
    #[jacobian]
    #[allow(clippy::needless_return)]
    fn f(x: [f64; 3]) -> f64 {
        let pick = |k: usize| {
            for (i, v) in x.iter().enumerate() {
                if i == k {
                    return v * v;
                }
            }
            0.0
        };
        pick(2) + pick(0) * pick(3)
            - x.iter().enumerate().map(|(i, v)| if i == 1 { return *v } else { 2.0 * v }).sum::<f64>()
    }
    check(f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]), &[-2.0, -1.0, 6.0 - 2.0]);
}

#[test]
fn closures_in_loops() {
    #[jacobian]
    fn f(x: [f64; 3], y: f64) -> f64 {
        let mut s = y;
        for (i, v) in x.iter().enumerate() {
            let step = |w: f64| w * v + i as f64;
            s = step(s);
            s += x.iter().map(|u| step(u * y)).sum::<f64>();
        }
        s
    }
    #[jacobian]
    fn twin(x: [f64; 3], y: f64) -> f64 {
        let s = y * x[0] + 0.0;
        let s = s + (x[0] * y * x[0] + 0.0 + (x[1] * y * x[0] + 0.0) + (x[2] * y * x[0] + 0.0));
        let s = s * x[1] + 1.0;
        let s = s + (x[0] * y * x[1] + 1.0 + (x[1] * y * x[1] + 1.0) + (x[2] * y * x[1] + 1.0));
        let s = s * x[2] + 2.0;
        s + (x[0] * y * x[2] + 2.0 + (x[1] * y * x[2] + 2.0) + (x[2] * y * x[2] + 2.0))
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.5, -3.0], 0.7);
}

#[test]
fn constants_and_passive_values_in_closures() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        const HALF: f64 = 0.5;
        let table = [1.0, 2.0, 4.0];
        let weight = |i: usize| table[i] * HALF + n as f64;
        let outer = |v: f64| {
            const HALF: f64 = 0.25;
            let inner = |w: f64| w * HALF * weight(n);
            inner(v) + weight(0)
        };
        outer(x) * HALF
    }
    // (x / 4 w(2) + w(0)) / 2
    check(f(2.0, 2), f_jac(2.0, 2), &[0.25 * 4.0 * 0.5]);
}

#[test]
fn closures_that_functions_call_whose_bodies_are_not_known() {
    fn sum_of(list: &[f64], term: impl Fn(f64) -> f64) -> f64 {
        list.iter().map(|&v| term(v)).sum()
    }
    struct Sample {
        x: f64,
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, list: &[f64], samples: &[Sample], n: usize) -> [f64; 4] {
        const HALF: f64 = 0.5;
        let mut k = n;
        let v: f64 = 10.0;
        let scaled = move |v: &f64| v * k as f64;
        k += 100;
        let total = list.iter().map(scaled).sum::<f64>();
        let (of_fields, even): (f64, usize) = match k > 7 {
            true => (samples.iter().map(|s| s.x * HALF).sum(), list.iter().filter(|v| **v > 2.5).count()),
            false => (0.0, 0),
        };
        let least = list.iter().fold(v, |least, v| least.min(*v)) * x;
        let greatest = *list.iter().max_by(|a, b| a.total_cmp(b)).unwrap();
        [total * x, of_fields * x, (even + k) as f64 * x + sum_of(list, |x| x * v), greatest * x * x + least]
    }
    let (list, samples) = ([2.0, 3.0, 5.0], [Sample { x: 7.0 }, Sample { x: 4.0 }]);
    let arguments = (2.0, &list, &samples, 3);
    check(
        f(arguments.0, arguments.1, arguments.2, arguments.3),
        f_jac(arguments.0, arguments.1, arguments.2, arguments.3),
        &[30.0, 5.5, 105.0, 2.0 * 5.0 * 2.0 + 2.0],
    );
}

#[test]
fn closures_that_propagate_errors_are_called_as_they_are_written() {
    #[jacobian(wrt(x))]
    fn f(x: f64, text: &str) -> f64 {
        let mut calls = 0;
        let mut read = |text: &str| -> Option<f64> {
            calls += 1;
            let k: f64 = text.split(' ').next()?.parse().ok()?;
            Some(2.0 * k)
        };
        let y = x * read(text).unwrap_or(1.0) + x * read("u").unwrap_or(7.0);
        y * f64::from(calls)
    }
    // 2 (5 + 7)
    check(f(3.0, "2.5 1"), f_jac(3.0, "2.5 1"), &[24.0]);
}

#[jacobian(wrt(x))]
fn of_an_fn_mut(x: f64, mut next: impl FnMut() -> f64, n: usize) -> f64 {
    let mut s = x * next();
    for _ in 0..n {
        s *= next();
    }
    s + next()
}

struct Counting<F: FnMut(f64) -> f64> {
    f: F,
}

#[jacobian(wrt(x))]
fn of_a_field<F: FnMut(f64) -> f64>(x: f64, mut counting: Counting<F>) -> f64 {
    let first = (counting.f)(2.0);
    first * x + (counting.f)(3.0) * x * x
}

/// Calls change what is called.
#[test]
fn parameters_that_are_fn_mut() {
    let counting = || {
        let mut count = 1.0;
        move || {
            count += 0.5;
            count
        }
    };
    check(2.0 * 1.5 * 2.0 * 2.5 + 3.0, of_an_fn_mut_jac(2.0, counting(), 2), &[7.5]);
    assert_eq!(of_an_fn_mut(2.0, counting(), 2), 18.0);
    let field = || {
        let mut next = counting();
        Counting { f: move |v| v * next() }
    };
    check(2.0 * 3.0 + 4.0 * 6.0, of_a_field_jac(2.0, field()), &[3.0 + 4.0 * 6.0]);
    assert_eq!(of_a_field(2.0, field()), 30.0);
}

/// Functions that a `let` gives another name.
#[test]
fn functions_by_another_name() {
    fn square(v: f64) -> f64 {
        v * v
    }
    #[jacobian]
    fn f(x: f64) -> f64 {
        fn next(n: usize) -> usize {
            n + 1
        }
        let sine = f64::sin;
        let cosine: fn(f64) -> f64 = f64::cos;
        let limit = f64::MAX;
        let other = next;
        let again = sine;
        let i = other(2);
        [x, x * x, again(x), cosine(sine(x))][i] * [x, 2.0 * x].map(sine)[1] * if limit > 1.0 { sine(2.0) } else { x }
    }
    #[jacobian(with(square = square_partial))]
    fn g(x: f64) -> f64 {
        let other = square;
        other(x) + other(x * x)
    }
    fn square_partial(v: f64) -> (f64, [f64; 1]) {
        (v * v, [2.0 * v])
    }
    for x in [0.4, 1.7] {
        differences(|[x]| f(x), |[x]| f_jac(x), [x]);
        differences(|[x]| g(x), |[x]| g_jac(x), [x]);
    }
}
