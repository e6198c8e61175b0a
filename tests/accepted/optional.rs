//! `Option`s of active values: what helpers give that may be missing, and what loops and branches keep.

#![allow(clippy::unnecessary_lazy_evaluations, clippy::unnecessary_unwrap, reason = "each method in its turn")]

use std::cell::RefCell;

use jacobian::jacobian;

use crate::{check, differences};

/// What calls note.
#[derive(Default)]
struct Log(RefCell<Vec<i32>>);

impl Log {
    fn note(&self, number: i32) -> i32 {
        self.0.borrow_mut().push(number);
        number
    }
}

#[jacobian]
mod helpers {
    use super::Log;

    fn root(x: f64) -> Option<f64> {
        if x < 0.0 {
            return None;
        }
        Some(x.sqrt())
    }

    fn noted(x: f64, at: i32, log: &Log) -> Option<f64> {
        if x > 10.0 {
            log.note(at);
            return None;
        }
        let y = root(x)?;
        log.note(at + 1);
        (y < 2.0).then_some(y * x)
    }

    fn direction(x: [f64; 2]) -> Option<[f64; 2]> {
        let n = x[0].hypot(x[1]);
        if n < 1e-3 { None } else { Some(x.map(|v| v / n)) }
    }

    fn tried(x: f64, y: f64, log: &Log) -> Option<f64> {
        let z = root(x)? * f64::from(log.note(3)) + root(y + f64::from(log.note(4)))?;
        if z > root(x + y)? {
            return Some(z);
        }
        Some(match root(z - 1.0) {
            Some(w) => root(w - 0.5)? * x,
            None => y,
        })
    }

    #[jacobian]
    pub fn unwrapped(x: f64, y: f64) -> f64 {
        root(x).unwrap_or(y) + root(y - x).map_or(x, |v| v * y) + root(x * y).map_or_else(|| x * y, |v| v + x)
            - root(x - y).unwrap_or_else(|| y * y)
            + root(y).unwrap_or_default() * x
    }

    #[jacobian]
    pub fn matched(x: f64, y: f64) -> f64 {
        let a = if let Some(v) = root(x) { v * y } else { y };
        let b = match root(y) {
            Some(v) if v > 1.0 => v * x,
            None => x * x,
            Some(v) => v,
        };
        let Some([c, d]) = direction([x, y]) else { return a * b };
        if matches!(root(c), Some(v) if v > 0.5) { a + b * d } else { a * c - b }
    }

    #[jacobian]
    pub fn two(x: f64, y: f64) -> f64 {
        match (root(x), root(y)) {
            (Some(v), Some(w)) => v * w,
            (Some(v), None) => v + y,
            (None, Some(w)) => w - x,
            (None, None) => x * y,
        }
    }

    #[jacobian]
    pub fn chained(x: f64, y: f64) -> f64 {
        let v = root(x).filter(|v| *v > y).or(root(y)).map(|v| v * 2.0).and_then(|v| root(v - 1.0));
        let w = v.as_ref().copied();
        let u = w.or_else(|| root(x + y));
        if v.is_some() && w.is_some_and(|w| w > 1.0) {
            v.unwrap() * x
        } else if u.is_none() || u.is_none_or(|u| u > y) {
            y * y
        } else {
            w.unwrap_or(x) * u.expect("it is there")
        }
    }

    #[jacobian]
    pub fn printed(x: f64) -> f64 {
        let v = root(x).map(|v| (v, [x * v, 2.0]));
        println!("{v:?}");
        v.map_or(-x, |(v, [w, z])| v * w * z)
    }

    #[jacobian(wrt(x, y))]
    pub fn in_turn(x: f64, y: f64, log: &Log) -> f64 {
        let a = noted(x, 10, log);
        let b = noted(y, 20, log).map(|v| {
            log.note(1);
            v * x
        });
        log.note(2);
        let c = tried(x, y, log).unwrap_or(1.0);
        a.or(b).unwrap_or(0.5) * x + b.map_or(y, |b| b * y) * c
    }

    #[jacobian(wrt(x, y))]
    pub fn given_up(x: f64, y: f64, log: &Log) -> Option<f64> {
        let a = noted(x, 10, log);
        let b = tried(x, y, log)?;
        if let Some(a) = a {
            return Some(a * b);
        }
        root(y - b).map(|v| v * x)
    }

    #[jacobian(wrt(x), forms(jac, jac_only, jvp, vjp, hess, hvp, lin, jac_sparse))]
    pub fn stepped(x: [f64; 2], n: usize) -> f64 {
        let [mut s, t] = x;
        for i in 0..n {
            let Some(v) = root(s - 0.5 * i as f64) else { break };
            if v > 3.0 {
                continue;
            }
            s = s * v + t;
        }
        s * t
    }

    #[jacobian(wrt(x))]
    pub fn until(x: [f64; 2], n: usize) -> f64 {
        let mut s = x[0];
        let mut k = 0;
        while let Some(v) = root(4.0 - s) {
            s += v * x[1] + 0.25;
            k += 1;
            if k > n {
                return s * x[0];
            }
        }
        s
    }
}

fn points() -> impl Iterator<Item = [f64; 2]> {
    let values = [-1.31, -0.23, 0.42, 1.13, 2.45, 5.93, 11.07];
    values.into_iter().flat_map(move |x| values.map(|y| [x, y + 0.11]))
}

#[test]
fn what_helpers_give() {
    for [x, y] in points() {
        let f = [helpers::unwrapped, helpers::matched, helpers::two, helpers::chained];
        let jac = [helpers::unwrapped_jac, helpers::matched_jac, helpers::two_jac, helpers::chained_jac];
        for (f, jac) in f.into_iter().zip(jac) {
            if f(x, y).is_finite() {
                differences(|[x, y]: [f64; 2]| f(x, y), |[x, y]| jac(x, y), [x, y]);
            }
        }
        differences(|[x]: [f64; 1]| helpers::printed(x), |[x]| helpers::printed_jac(x), [x]);
    }
}

#[test]
fn effects_stay_in_their_turn() {
    for [x, y] in points() {
        let [own, generated] = [Log::default(), Log::default()];
        let (value, _) = helpers::in_turn_jac(x, y, &generated);
        assert_eq!(helpers::in_turn(x, y, &own).to_bits(), value.to_bits(), "at {x}, {y}");
        assert_eq!(own.0, generated.0, "at {x}, {y}");
        let f = |[x, y]: [f64; 2]| helpers::in_turn(x, y, &Log::default());
        if value.is_finite() {
            differences(f, |[x, y]| helpers::in_turn_jac(x, y, &Log::default()), [x, y]);
        }
        let [own, generated] = [Log::default(), Log::default()];
        let given = helpers::given_up_jac(x, y, &generated);
        assert_eq!(helpers::given_up(x, y, &own), given.map(|(value, _)| value), "at {x}, {y}");
        assert_eq!(own.0, generated.0, "at {x}, {y}");
        if given.is_some() {
            let f = |[x, y]: [f64; 2]| helpers::given_up(x, y, &Log::default()).expect("it is there");
            let jac = |[x, y]: [f64; 2]| helpers::given_up_jac(x, y, &Log::default()).expect("it is there");
            differences(f, jac, [x, y]);
        }
    }
}

#[test]
fn loops_are_left_where_nothing_is() {
    for n in [0, 1, 2, 5] {
        for [x, y] in points() {
            differences(|x| helpers::stepped(x, n), |x| helpers::stepped_jac(x, n), [x, y]);
            differences(|x| helpers::until(x, n), |x| helpers::until_jac(x, n), [x, y]);
            let x = [x, y];
            let (value, jacobian) = helpers::stepped_jac(x, n);
            assert_eq!(helpers::stepped_jac_only(x, n), jacobian);
            let direction = [0.3, -0.2];
            let along = jacobian[0] * direction[0] + jacobian[1] * direction[1];
            check(value, helpers::stepped_jvp(x, n, &direction), &[along]);
            check(value, helpers::stepped_vjp(x, n, 2.0), &jacobian.map(|entry| 2.0 * entry));
            let (own, labels) = helpers::stepped_lin(x, n);
            check(value, (own, helpers::stepped_lin_jvp(&labels, &direction)), &[along]);
            differences(
                |x| helpers::stepped_hess(x, n).1,
                |x| {
                    let (_, gradient, hessian) = helpers::stepped_hess(x, n);
                    (gradient, hessian)
                },
                x,
            );
        }
    }
}

#[jacobian(wrt(x))]
fn nearest(x: f64, data: &[f64]) -> f64 {
    let mut best: Option<f64> = None;
    for d in data {
        let r = (x - d) * (x - d);
        best = Some(match best {
            None => r,
            Some(b) => b.min(r),
        });
    }
    best.unwrap_or(x)
}

#[jacobian(wrt(x))]
#[allow(clippy::unnecessary_unwrap)]
fn with_index(x: f64, data: &[f64]) -> f64 {
    let (mut best, mut first, mut last) = (None, None, None);
    for (i, d) in data.iter().enumerate() {
        let r = (x - d) * (x - d);
        if best.is_none_or(|(b, _)| r < b) {
            best = Some((r, i));
        }
        if first.is_none() || r > 2.0 * first.unwrap() {
            first = Some(r);
        }
        if r < 2.0 {
            last = Some([r, x * d]);
        } else if r > 9.0 {
            last = None;
        }
    }
    let first = first.map_or(0.5, |first| first * x);
    match (best, last) {
        (Some((b, i)), Some([r, d])) => b * data[i] + r * d + first,
        (Some((b, i)), None) => b + data[i] * x * first,
        (None, _) => x,
    }
}

#[jacobian(wrt(x, p), forms(jac, jvp, vjp, hess, jac_sparse))]
fn previous(x: f64, p: [f64; 2], data: &[f64]) -> [f64; 2] {
    let mut before: Option<[f64; 2]> = Some([x, 1.0]);
    let mut sum = 0.0;
    for d in data {
        if let Some([a, b]) = before.take() {
            sum += a * p[0] - b * d;
        }
        if *d > 0.0 {
            before.replace([x * d, p[1]]);
        }
        if let Some(b) = before.as_mut() {
            b[0] *= x;
        }
        if let Some(b) = &mut before {
            b[1] += sum;
        }
    }
    let largest = before.get_or_insert([sum, x]);
    largest[0] += p[1];
    [sum, before.map(|b| b[0] * b[1]).unwrap()]
}

#[jacobian]
fn unrolled(x: [f64; 4], y: f64) -> f64 {
    let mut best = None;
    let mut second = None;
    for r in x {
        let old = best;
        best = Some(match best {
            None => r,
            Some(b) if r < b => r * y,
            Some(b) => b,
        });
        if r > y {
            second = old;
        }
    }
    best.unwrap() * second.unwrap_or(y)
}

#[jacobian(unroll = "never")]
#[allow(clippy::needless_range_loop)]
fn rolled(x: [f64; 4], y: f64) -> f64 {
    let mut best = None;
    let mut second = None;
    for i in 0..4 {
        let (r, old) = (x[i], best);
        best = Some(match best {
            None => r,
            Some(b) if r < b => r * y,
            Some(b) => b,
        });
        if r > y {
            second = old;
        }
    }
    best.unwrap() * second.unwrap_or(y)
}

#[jacobian(wrt(x))]
fn passive_beside_active(x: f64, k: usize, table: &[f64]) -> f64 {
    let mut found = table.get(k).copied();
    if x > 1.0 {
        found = Some(x * x);
    }
    let known = if x < 0.5 { Some(2.0) } else { found };
    let of_closure = |v: f64| if v > 2.0 { Some(v.ln()) } else { None };
    found.unwrap_or(x) * known.unwrap_or(3.0) + of_closure(x).unwrap_or(x)
}

#[jacobian(wrt(x))]
fn passive_in_one_arm(x: f64, c: f64, table: &[f64]) -> f64 {
    let called = if c > 0.2 { Some(x * x) } else { table.iter().copied().reduce(|a, b| a * b) };
    let given = if c > 0.3 { Some(x.sin()) } else { (c > 0.1).then(|| 0.7) };
    let on_active = if c > 0.4 { Some(x) } else { (x > 0.5).then(|| 0.75) };
    let pairs = if c > 0.5 { Some((x, x * c)) } else { Some((2.0, c)) };
    let arrays = if c > 0.25 { (c > 0.35).then_some([c, 0.5]) } else { (x > 0.4).then(|| [x, x * x]) };
    let pairs = pairs.map(|(a, b)| (a, b * arrays.map_or(x, |[v, w]| v * w)));
    called.unwrap_or(x) * given.map_or(x, |v| v * x) + on_active.unwrap_or(c * x) * pairs.map_or(x, |(a, b)| a + b)
}

#[jacobian(wrt(x))]
#[allow(clippy::unnecessary_lazy_evaluations)]
fn passive_given_active(x: f64, table: &[f64], n: usize) -> f64 {
    let or = table.get(n).copied().or(Some(x * x)).map_or(x, |v| v * x);
    let or_else = table.get(n + 1).copied().or_else(|| (x > 0.4).then(|| x.sin())).unwrap_or(x);
    let then = table.get(n).and_then(|t| if *t > x { None } else { Some(t * x) }).unwrap_or(x * x);
    let above = table.get(n).is_some_and(|t| *t > x) || table.get(n + 1).is_none_or(|t| *t < x);
    if above { or * or_else + then } else { or - or_else * then }
}

#[test]
fn what_is_passive_meets_what_is_active() {
    for x in [-1.3, 0.3, 0.45, 0.9, 2.7] {
        for table in [&[][..], &[0.5], &[0.5, 1.5], &[2.0, -0.4, 0.25]] {
            for c in [0.05, 0.15, 0.25, 0.35, 0.45, 0.55] {
                let own = |[x]: [f64; 1]| passive_in_one_arm(x, c, table);
                differences(own, |[x]| passive_in_one_arm_jac(x, c, table), [x]);
            }
            for n in 0..3 {
                let own = |[x]: [f64; 1]| passive_given_active(x, table, n);
                differences(own, |[x]| passive_given_active_jac(x, table, n), [x]);
            }
        }
    }
}

#[test]
fn what_loops_keep() {
    for data in [&[][..], &[0.5], &[0.5, 3.0], &[2.0, -1.0, 1.25, 4.0], &[-2.0, 1.5, -0.25]] {
        for x in [-1.3, 0.3, 0.9, 1.1, 2.7] {
            differences(|[x]| nearest(x, data), |[x]| nearest_jac(x, data), [x]);
            differences(|[x]| with_index(x, data), |[x]| with_index_jac(x, data), [x]);
            differences(
                |[x, a, b]| previous(x, [a, b], data),
                |[x, a, b]| previous_jac(x, [a, b], data),
                [x, 0.7, 1.3],
            );
            let (value, jacobian) = previous_jac(x, [0.7, 1.3], data);
            let rows = [[1.0, 0.0], [0.0, 1.0]];
            for (row, expected) in rows.iter().zip(jacobian) {
                check(value, previous_vjp(x, [0.7, 1.3], data, row), &expected);
            }
            differences(
                |[x, a, b]| previous_hess(x, [a, b], data, &[0.3, 0.9]).1,
                |[x, a, b]| {
                    let (_, gradient, hessian) = previous_hess(x, [a, b], data, &[0.3, 0.9]);
                    (gradient, hessian)
                },
                [x, 0.7, 1.3],
            );
        }
    }
}

#[test]
fn known_or_not() {
    for y in [-1.3, 0.3, 0.9, 2.7] {
        for x in [[0.5, 0.4, 1.3, 0.2], [3.0, 1.0, 2.0, 5.0], [0.1, 0.2, 0.3, 0.4]] {
            let x = [x[0], x[1], x[2], x[3], y];
            let own = |f: fn([f64; 4], f64) -> f64| move |[a, b, c, d, y]: [f64; 5]| f([a, b, c, d], y);
            differences(own(unrolled), |[a, b, c, d, y]| unrolled_jac([a, b, c, d], y), x);
            differences(own(rolled), |[a, b, c, d, y]| rolled_jac([a, b, c, d], y), x);
        }
        for k in [0, 1, 2] {
            let table = [0.5, 1.5];
            differences(|[x]| passive_beside_active(x, k, &table), |[x]| passive_beside_active_jac(x, k, &table), [y]);
        }
    }
}

#[jacobian]
mod patterns {
    use super::Log;

    fn positive(x: f64) -> Option<f64> {
        if x > 0.0 { Some(x) } else { None }
    }

    fn numbered(x: f64, k: usize) -> Option<(usize, f64)> {
        if x > 0.7 { Some((k + 1, x * x)) } else { None }
    }

    fn nested(x: f64) -> Option<Option<f64>> {
        if x > 1.0 {
            return Some(None);
        }
        Some(Some(positive(x)?.sqrt()))
    }

    #[derive(Clone, Copy)]
    pub struct Mark {
        pub at: usize,
        pub height: f64,
    }

    fn raise(top: &mut Option<f64>, by: f64) {
        match top {
            Some(t) if *t >= by => {}
            Some(t) => *t += by,
            _ => *top = Some(by),
        }
    }

    fn below(x: f64, data: &[f64]) -> Option<(f64, usize)> {
        let mut n = 0;
        for d in data {
            if *d > x {
                return None;
            }
            n += 1;
        }
        Some((x * x, n))
    }

    #[jacobian(wrt(x, y))]
    pub fn numbers(x: f64, y: f64, k: usize) -> f64 {
        let a = match numbered(x, k) {
            Some((0 | 2, v)) => v * y,
            Some((n @ 3..=4, v)) => v * n as f64,
            Some((_, v)) => v,
            None => x * y,
        };
        let b = if let Some((1..=2, v)) = numbered(y, k) { v } else { y };
        match (positive(x), positive(y), k) {
            (Some(v), None, _) | (None, Some(v), _) => v * a,
            (Some(v), Some(w), 0..=1) => v * w * b,
            (Some(v), Some(w), _) => v + w * a,
            (None, None, n) => n as f64 * x + b,
        }
    }

    #[jacobian]
    pub fn cases(x: f64, y: f64) -> f64 {
        let a = match nested(x) {
            Some(Some(v)) if v > y => v,
            Some(None) | None => x * y,
            Some(Some(v)) => v * v,
        };
        let b = nested(y).flatten().zip(positive(x)).map_or(x, |(v, w)| v * w);
        let mut all = [positive(x), None, Some(y)];
        if let [Some(p), None, Some(q)] = &mut all {
            *p *= *q;
            *q += 1.0;
        }
        a * all[0].unwrap_or(y) + b * all[2].unwrap_or(x) + positive(x).and(positive(y)).unwrap_or(x)
    }

    #[jacobian(wrt(x, y))]
    pub fn raised(x: f64, y: f64, data: &[f64]) -> f64 {
        let (mut top, mut mark) = (None, None);
        for (at, d) in data.iter().enumerate() {
            raise(&mut top, d * x);
            if d * y > 0.5 {
                mark = Some(Mark { at, height: d * y });
            }
            if let Some(Mark { height, .. }) = &mut mark {
                *height *= x;
            }
        }
        let n = below(x, data).map_or(y, |(v, n)| v * n as f64);
        match mark {
            Some(Mark { at: 0 | 1, height }) => height * top.unwrap_or(x) + n,
            Some(Mark { at, height }) => height * at as f64 + n,
            None => top.unwrap_or(y) * n,
        }
    }

    #[jacobian(wrt(x, y))]
    pub fn eager(x: f64, y: f64, data: &[f64], log: &Log) -> f64 {
        let a = positive(x).unwrap_or(f64::from(log.note(1))) * y;
        let b = positive(y).map_or(f64::from(log.note(2)), |v| v * x);
        let mut kept = positive(x);
        let c = *kept.get_or_insert(f64::from(log.note(3)));
        let d = data.get(log.note(4) as usize - 3).map_or(f64::from(log.note(5)), |d| d * x);
        let e = positive(y - 1.0).or(data.get(log.note(6) as usize - 5).copied()).unwrap_or(y);
        let f = if x > 1.0 { Some(x) } else { data.get(log.note(1) as usize).copied() };
        a + b * c + d * e * f.unwrap_or(x)
    }

    #[jacobian(wrt(x))]
    pub fn references(x: f64, data: &[f64], k: usize) -> f64 {
        let (own, other) = ([x, x * x], data.get(k));
        let chosen = if x > 1.0 { own.get(1) } else { other };
        chosen.copied().unwrap_or(x) * x
    }
}

#[test]
fn patterns_of_what_is_there() {
    let data = [&[][..], &[1.5], &[0.4, -0.3, 2.0, 0.9], &[0.3, 0.2]];
    for [x, y] in points() {
        for k in 0..5 {
            differences(|[x, y]| patterns::numbers(x, y, k), |[x, y]| patterns::numbers_jac(x, y, k), [x, y]);
        }
        differences(|[x, y]| patterns::cases(x, y), |[x, y]| patterns::cases_jac(x, y), [x, y]);
        for data in data {
            differences(|[x, y]| patterns::raised(x, y, data), |[x, y]| patterns::raised_jac(x, y, data), [x, y]);
            for k in 0..3 {
                differences(|[x]| patterns::references(x, data, k), |[x]| patterns::references_jac(x, data, k), [x]);
            }
        }
    }
}

#[test]
fn what_is_given_instead_is_evaluated_in_any_case() {
    for [x, y] in points() {
        for data in [&[][..], &[0.5], &[0.5, 1.5, 2.5]] {
            let [own, generated] = [Log::default(), Log::default()];
            let value = patterns::eager_jac(x, y, data, &generated).0;
            assert_eq!(patterns::eager(x, y, data, &own).to_bits(), value.to_bits(), "at {x}, {y}");
            assert_eq!(own.0, generated.0, "at {x}, {y}");
            let f = |[x, y]: [f64; 2]| patterns::eager(x, y, data, &Log::default());
            differences(f, |[x, y]| patterns::eager_jac(x, y, data, &Log::default()), [x, y]);
        }
    }
}

#[test]
fn what_is_replaced_before_it_has_a_type() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        let mut last = None;
        if x > 1.0 {
            last.replace(y * x);
        }
        last.unwrap_or(x)
    }
    check(f(0.5, 3.0), f_jac(0.5, 3.0), &[1.0, 0.0]);
    check(f(1.5, 3.0), f_jac(1.5, 3.0), &[3.0, 1.5]);
}

#[test]
fn elements_past_the_end_are_missing() {
    #[jacobian]
    fn stencil(x: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| {
            let right = x.get(i + 1).copied().unwrap_or(1.0);
            let far = x.get(i + 2).cloned().map_or(0.5, |v| v * v);
            x[i] * right.sin() - far
        })
    }
    differences(stencil, stencil_jac, [0.3, -0.7, 1.9]);
}
