//! What is passive of active values: integers and truth values that are made of them, and what is printed.

use approx::{abs_diff_eq, assert_abs_diff_eq};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt::{self, Display};

use jacobian::jacobian;

use crate::panics::panic_of;
use crate::{check, differences};

const TABLE: [f64; 5] = [0.5, -1.0, 2.0, 4.5, 3.0];

/// A table and an active array at an index that comes from an active value: linear interpolation.
#[test]
#[allow(clippy::needless_range_loop)]
fn indices() {
    #[jacobian(forms(jac, jac_into, jac_only, jvp, vjp, hess, hvp, jac_sparse, lin))]
    fn f(x: [f64; 3], h: f64) -> f64 {
        let k = (x[0] / h) as usize;
        let t = x[0] / h - k as f64;
        let near = x[(x[2] * 10.0) as usize % 3];
        TABLE[k] * (1.0 - t) + TABLE[k + 1] * t + near * x[1].sin() + t * t
    }
    let point = [0.73, 1.3, 0.41];
    differences(
        |x| f(x, 0.25),
        |x| (f_jac(x, 0.25).0, [f_jac(x, 0.25).1[0], f_jac(x, 0.25).1[1], f_jac(x, 0.25).1[2]]),
        point,
    );
    let (value, jacobian) = f_jac(point, 0.25);
    let (mut value_into, mut jacobian_into) = (0.0, [0.0; 4]);
    f_jac_into(point, 0.25, &mut value_into, &mut jacobian_into);
    assert_eq!((value, jacobian), (value_into, jacobian_into));
    check(value, (value, f_jac_only(point, 0.25)), &jacobian);
    let direction = [0.3, -0.2, 0.7, 1.1];
    let along: f64 = jacobian.iter().zip(direction).map(|(a, b)| a * b).sum();
    check(value, f_jvp(point, 0.25, &direction), &[along]);
    check(value, f_vjp(point, 0.25, 1.0), &jacobian);
    check(value, f_jac_sparse(point, 0.25), &jacobian);
    let (own, labels) = f_lin(point, 0.25);
    check(value, (own, f_lin_vjp(&labels, 1.0)), &jacobian);
    let (own, gradient, hessian) = f_hess(point, 0.25);
    check(value, (own, gradient), &jacobian);
    let (_, _, product) = f_hvp(point, 0.25, &direction);
    for column in 0..4 {
        let by_rows: f64 = hessian[column].iter().zip(direction).map(|(a, b)| a * b).sum();
        assert_abs_diff_eq!(product[column], by_rows, epsilon = 1e-12);
        let step = 1e-6;
        let at = |offset: f64| {
            let (mut x, mut h) = (point, 0.25);
            if column < 3 {
                x[column] += offset
            } else {
                h += offset
            }
            f_jac(x, h).1
        };
        let (above, below) = (at(step), at(-step));
        for row in 0..4 {
            let difference = (above[row] - below[row]) / (2.0 * step);
            assert_abs_diff_eq!(hessian[row][column], difference, epsilon = 1e-6);
        }
    }
}

#[test]
fn casts() {
    #[jacobian]
    fn f(x: f64, y: f64) -> [f64; 6] {
        let whole = x as i32;
        let up = x.ceil() as i64;
        let on = (x > y) as u8;
        let sign = y.signum() as i32;
        let byte = (x * 100.0) as u8 as f64;
        [
            f64::from(whole) * y,
            up as f64 * x * x,
            f64::from(on) * x,
            f64::from(sign) * y,
            byte * y + (x.round() as u8).pow(2) as f64,
            (x.floor() as i64).rem_euclid(3) as f64 + y.powi(whole),
        ]
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [3.7, -1.2]);
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [-2.2, 1.2]);
    let bits = |v: [f64; 6]| v.map(f64::to_bits);
    for x in [f64::NAN, -1e300, -0.0, 11.5] {
        assert_eq!(bits(f(x, 2.0)), bits(f_jac(x, 2.0).0));
    }
}

#[test]
fn casts_in_single_precision() {
    #[jacobian]
    fn f(x: f32) -> f32 {
        let n = (x * 3.0) as u16;
        x * f32::from(n) + n as f32
    }
    check(f(1.4), f_jac(1.4), &[4.0]);
}

#[test]
fn conversions_of_a_type_parameter() {
    use num_traits::Float;

    #[jacobian]
    fn f<T: Float>(x: T, table: &[T; 4]) -> T {
        let k = x.floor().to_usize().unwrap_or(0);
        let n = x.to_i32().expect("a small number");
        table[k] * x.powi(n)
    }
    let table = [1.0, 2.0, 3.0, 4.0];
    differences(|[x]| f(x, &table), |[x]| (f_jac(x, &table).0, f_jac(x, &table).1[0]), [2.3]);
    assert_eq!(f_jac(2.3f32, &[1.0, 2.0, 3.0, 4.0]).1[4], 0.0);
}

#[test]
#[allow(clippy::needless_range_loop)]
fn arms_by_integers_and_orders() {
    #[jacobian(forms(jac, jvp, vjp, hess))]
    fn f(x: f64, y: f64) -> f64 {
        let a = match (x * 4.0) as u32 {
            0 => x,
            1 | 2 => x * y,
            n if n % 2 == 1 => y.powi(3),
            n => y * f64::from(n),
        };
        let b = match x.partial_cmp(&y) {
            Some(Ordering::Less) => x * x,
            Some(_) => y * x,
            None => 0.0,
        };
        let c = if x.total_cmp(&y).is_lt() { x } else { y };
        let d = match x.classify() {
            std::num::FpCategory::Zero => 0.0,
            _ => x.sin(),
        };
        let e = if x.lt(&y) || y.ge(&3.0) { d } else { c * y };
        a + b * c + d * e
    }
    for point in [[0.1, 0.7], [0.3, 0.2], [0.6, 1.9], [0.8, 0.3], [1.1, 3.3]] {
        differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), point);
        let [x, y] = point;
        check(f(x, y), f_vjp(x, y, 1.0), &f_jac(x, y).1);
        check(f(x, y), f_jvp(x, y, &[1.0, 0.0]), &f_jac(x, y).1[..1]);
        let (_, _, hessian) = f_hess(x, y);
        let column = |x, y| f_jac(x, y).1;
        let step = 1e-6;
        for row in 0..2 {
            let difference = (column(x + step, y)[row] - column(x - step, y)[row]) / (2.0 * step);
            assert_abs_diff_eq!(hessian[row][0], difference, epsilon = 1e-6);
        }
    }
}

#[test]
fn loops_whose_number_of_iterations_is_active() {
    #[jacobian(forms(jac, jvp, vjp, hess))]
    fn f(x: f64, y: f64) -> f64 {
        let n = (x * 3.0).floor() as usize;
        let mut s = y;
        for i in 0..n {
            s = s * x + i as f64;
        }
        let mut k = 0;
        while s > 1.0 {
            s *= 0.5;
            k = (s * 8.0) as i32;
        }
        s * f64::from(k)
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [1.37, 0.71]);
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [0.2, 0.71]);
    check(f(1.37, 0.71), f_vjp(1.37, 0.71, 1.0), &f_jac(1.37, 0.71).1);
    assert_eq!(f_hess(1.37, 0.71).1, f_jac(1.37, 0.71).1);
}

#[test]
fn indices_in_loops() {
    #[jacobian]
    fn f(x: [f64; 4], data: &[f64; 3]) -> f64 {
        let mut s = x[0];
        let mut last = 0usize;
        for d in data.iter().copied() {
            last = (s * d) as usize % 4;
            s += x[last] * d + TABLE[last] * s;
        }
        s * last as f64
    }
    let data = [0.3, 1.7, 2.9];
    differences(
        |x| f(x, &data),
        |x| (f_jac(x, &data).0, <[f64; 4]>::try_from(&f_jac(x, &data).1[..4]).unwrap()),
        [0.9, 0.7, 1.3, 0.2],
    );
}

#[test]
#[allow(clippy::nonminimal_bool, clippy::obfuscated_if_else)]
fn conditions_as_values() {
    fn flag(on: bool, off: bool) -> f64 {
        if on && !off { 2.0 } else { 3.0 }
    }

    #[jacobian]
    fn f(x: f64, y: f64, k: bool) -> f64 {
        let a = x > 0.0;
        let b = y < 1.0;
        let mut s = if (x < 0.0) == (y < 0.0) { x * y } else { x + y };
        if a ^ b {
            s *= x;
        }
        if a & !b | k {
            s += y;
        }
        if a != b && (a == k) {
            s -= x;
        }
        s *= match (a, b) {
            (true, true) => x,
            (false, _) => y,
            _ => 2.0,
        };
        s += flag(a, b) * x + f64::from(a) * y + a.then_some(1.5).unwrap_or(0.5) * x;
        if matches!((a, k), (true, false)) { s * x } else { s }
    }
    for x in [-0.7, 1.3] {
        for y in [-0.4, 0.6, 2.2] {
            for k in [true, false] {
                differences(|[x, y]| f(x, y, k), |[x, y]| f_jac(x, y, k), [x, y]);
            }
        }
    }
}

thread_local! {
    static SEEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// What the calls of `note` have got, which is empty then.
fn seen() -> Vec<String> {
    SEEN.take()
}

/// A number that notes when it is shown.
struct Noted(&'static str);

impl Display for Noted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        SEEN.with_borrow_mut(|seen| seen.push(self.0.to_string()));
        formatter.write_str(self.0)
    }
}

struct Failing;

impl Display for Failing {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("it cannot be shown")
    }
}

/// What is printed is evaluated once and in its turn.
#[test]
#[allow(clippy::print_stderr)]
fn prints() {
    #[jacobian(forms(jac, jac_only, jvp, vjp, hess))]
    fn f(x: [f64; 2], k: usize) -> f64 {
        let r = x[0].hypot(x[1]);
        println!("{r} {:.3} {}", x[0] * 2.0, Noted("one"));
        let s = if r > 1.0 {
            eprintln!("{x:?} {r:>width$} {}", Noted("two"), width = k);
            r * x[0]
        } else {
            eprint!("{} ", Noted("three"));
            print!("{}", x[1] as i32);
            dbg!(x[1] * r)
        };
        let t = dbg!(s * k as f64, Noted("not shown").0.len()).0;
        let n = dbg!(k) as f64 * dbg!(x[0]) + dbg!(k) as f64 * x[1];
        println!("{} {}", if t > 0.0 { "up" } else { "down" }, Noted("four"));
        t.sin() + n
    }
    differences(|x| f(x, 3), |x| f_jac(x, 3), [0.9, 1.2]);
    differences(|x| f(x, 3), |x| f_jac(x, 3), [0.3, 0.2]);
    seen();
    for x in [[0.9, 1.2], [0.3, 0.2]] {
        f(x, 3);
        let own = seen();
        assert_eq!(own.len(), 3);
        f_jac(x, 3);
        assert_eq!(seen(), own);
        f_jac_only(x, 3);
        assert_eq!(seen(), own);
        f_jvp(x, 3, &[1.0, 0.0]);
        assert_eq!(seen(), own);
        f_vjp(x, 3, 1.0);
        assert_eq!(seen(), own);
        f_hess(x, 3);
        assert_eq!(seen(), own);
    }
}

#[test]
fn a_text_that_panics() {
    #[jacobian]
    fn f(x: f64, k: usize) -> f64 {
        println!("{}", Noted("before"));
        if x > 1.0 {
            println!("{x} {}", Failing);
        }
        println!("{}", Noted("after"));
        assert!(k > 1, "{x} {}", Noted("message"));
        x * x
    }
    for (x, k) in [(0.5, 2), (0.5, 1), (1.5, 2)] {
        let own = (panic_of(move || f(x, k)), seen());
        assert_eq!((panic_of(move || f_jac(x, k)), seen()), own);
    }
    check(f(0.5, 2), f_jac(0.5, 2), &[1.0]);
}

#[test]
fn assertions_with_active_values_in_the_message() {
    #[jacobian]
    fn f(x: [f64; 2], k: usize) -> f64 {
        assert!(x[0] > 0.0, "{} is not positive, and {x:?} neither: {k}", x[0]);
        assert!(k < 5, "{:.2}", x[1]);
        debug_assert!(x[1] < 10.0, "{0} {k}", x[1].sqrt());
        assert_eq!((x[1] * 2.0) as i32, 3, "{} {k}", x[0]);
        assert_ne!(x[0], x[1]);
        assert!((x[0] < 9.0) == (x[1] < 9.0));
        if x[0] > 8.0 {
            panic!("{} {}", x[0], x[0] as usize + k);
        }
        x[0].ln() * x[1]
    }
    differences(|x| f(x, 2), |x| f_jac(x, 2), [0.7, 1.8]);
    let cases = [
        ([-0.5, 1.8], 2),
        ([0.5, 1.8], 7),
        ([0.5, 16.0], 2),
        ([0.5, 2.1], 2),
        ([1.7, 1.7], 2),
        ([8.5, 1.7], 2),
        ([f64::NAN, 1.7], 2),
    ];
    for (x, k) in cases {
        let own = panic_of(move || f(x, k));
        assert!(!own.is_empty());
        assert_eq!(panic_of(move || f_jac(x, k)), own);
    }
}

#[test]
fn arguments_of_assertions_are_evaluated_once() {
    fn next(list: &RefCell<Vec<f64>>) -> f64 {
        list.borrow_mut().pop().unwrap_or(-1.0)
    }

    #[jacobian(wrt(x))]
    fn f(x: f64, list: &RefCell<Vec<f64>>) -> f64 {
        assert_ne!(x, next(list), "{}", next(list));
        assert!(x > next(list), "{x}");
        x * next(list)
    }
    let call = |jacobian: bool, list: Vec<f64>| {
        let list = RefCell::new(list);
        let text =
            panic_of(std::panic::AssertUnwindSafe(|| if jacobian { f_jac(2.0, &list).0 } else { f(2.0, &list) }));
        (text, list.into_inner())
    };
    for list in [vec![7.0, 3.0, 1.0, 5.0], vec![7.0, 3.0, 9.0, 5.0], vec![7.0, 3.0, 9.0, 2.0]] {
        assert_eq!(call(true, list.clone()), call(false, list));
    }
}

#[test]
fn conditions_with_patterns() {
    #[jacobian(wrt(x, y), forms(jac, vjp, hess))]
    fn f(x: f64, y: f64, data: &[f64; 4], names: &[usize]) -> f64 {
        let mut s = x;
        for i in 0..6 {
            if let Some(v) = data.get(i)
                && x > *v
                && y.sin() < 0.9
            {
                s += v * y;
            } else if x > 1.0
                && let Some(&k) = names.get(i)
                && let Some(d) = data.get(k)
            {
                s *= d + y;
            }
        }
        let n = names.len();
        s * match n {
            0 => x,
            k if y > 0.5 && k > 1 => y * k as f64,
            k if (x * 10.0) as usize == k => 2.0,
            _ => x * y,
        }
    }
    let data = [0.2, 0.9, 1.4, 2.0];
    for names in [&[][..], &[3], &[0, 1, 2, 3, 1, 2]] {
        for point in [[0.35, 0.7], [1.36, 0.4], [1.77, 2.0], [0.12, 0.3]] {
            differences(
                |[x, y]| f(x, y, &data, names),
                |[x, y]| {
                    (f_jac(x, y, &data, names).0, [f_jac(x, y, &data, names).1[0], f_jac(x, y, &data, names).1[1]])
                },
                point,
            );
            let [x, y] = point;
            check(f(x, y, &data, names), f_vjp(x, y, &data, names, 1.0), &f_jac(x, y, &data, names).1);
        }
    }
}

#[test]
fn searches() {
    #[jacobian(wrt(x, y))]
    fn f(x: f64, y: f64, knots: &[f64], list: &[f64]) -> f64 {
        let k = knots.partition_point(|t| *t <= x).saturating_sub(1).min(knots.len() - 2);
        let t = (x - knots[k]) / (knots[k + 1] - knots[k]);
        let found = match knots.binary_search_by(|t| t.total_cmp(&y)) {
            Ok(at) => at,
            Err(at) => at,
        };
        let mut s = list[k] * (1.0 - t) + list[k + 1] * t;
        if (0.0..1.5).contains(&x) && list.iter().any(|v| *v > y) {
            s *= y;
        }
        let at = list.iter().position(|v| v > &x).map_or(1.0, |at| at as f64);
        s * found as f64 + at * x
    }
    let (knots, list) = ([0.0, 0.5, 1.0, 2.0], [1.0, 4.0, 2.0, 3.0]);
    for point in [[0.7, 0.9], [1.7, 0.2], [0.2, 3.3], [2.7, 1.1]] {
        differences(|[x, y]| f(x, y, &knots, &list), |[x, y]| f_jac(x, y, &knots, &list), point);
    }
}

#[test]
fn searches_by_the_order_of_floats() {
    #[jacobian(wrt(x))]
    fn f(x: f64, knots: &[f64]) -> f64 {
        let k = knots.binary_search_by(|v| v.partial_cmp(&x).unwrap()).unwrap_or_else(|k| k.min(2));
        let j = match knots.binary_search_by(|v| x.partial_cmp(v).expect("no NaN").reverse()) {
            Ok(j) => j,
            Err(j) => j.max(1) - 1,
        };
        knots[k] * x * x + knots[j] * x
    }
    let knots = [0.5, 1.0, 2.5];
    for x in [0.25, 0.5, 0.75, 1.5, 3.0] {
        let (value, [slope]) = f_jac(x, &knots);
        assert_eq!(value.to_bits(), f(x, &knots).to_bits());
        let near = (f(x + 1e-6, &knots) - value) / 1e-6;
        let is_knot = knots.contains(&x);
        assert!(is_knot || abs_diff_eq!(near, slope, epsilon = 1e-4), "{near} is not {slope}");
    }
}

/// Functions of floats that compare, by their paths.
#[test]
fn comparisons_by_their_paths() {
    #[jacobian]
    fn f(x: [f64; 3]) -> [f64; 2] {
        let least = x.iter().copied().min_by(f64::total_cmp).unwrap();
        let greatest = x.iter().max_by(|a, b| f64::total_cmp(a, b)).unwrap();
        let order = f64::partial_cmp(&x[0], &x[1]);
        let chosen = if order == Some(core::cmp::Ordering::Less) { x[2] * x[0] } else { x[0] };
        [least * greatest, chosen]
    }
    for x in [[0.3, 0.7, -1.2], [0.9, 0.2, 0.4], [-2.0, 5.0, 1.0]] {
        differences(f, f_jac, x);
    }
}

/// What is passive takes truth values that depend on active ones: in its methods, and as its indices.
#[test]
fn truth_values_are_given_to_what_is_passive() {
    #[jacobian]
    fn f(x: [f64; 3], n: usize) -> f64 {
        let (mut flags, mut log, cell) = (Vec::new(), Vec::new(), std::cell::Cell::new(false));
        let mut s = x[0];
        for k in 0..n {
            s *= 1.5;
            flags.push(s > 2.0);
            log.push((k, x[k % 3] > 0.5));
        }
        flags.insert(0, x[2] > 0.0);
        flags.extend([x[0] > 0.0, x[1] > 0.0]);
        cell.set(x[0] > x[1]);
        let table = std::collections::HashMap::from([(true, 2.0), (false, 3.0)]);
        let found = table.get(&(x[1] > 1.0)).copied().unwrap_or(5.0) * table[&(x[0] > 0.0)];
        let logged: usize = log.iter().filter(|entry| entry.1).map(|entry| entry.0).sum();
        let count = flags.iter().filter(|flag| **flag).count();
        s * count as f64 + if cell.get() { x[0] * x[1] } else { x[2] } * found + x[1] * logged as f64
    }
    for n in 0..5 {
        for x in [[0.7, -1.3, 2.1], [1.9, 2.3, -0.6], [-0.8, 1.5, 0.9]] {
            differences(|x| f(x, n), |x| f_jac(x, n), x);
        }
    }
}
