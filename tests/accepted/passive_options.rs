//! Passive `Option`s and `Result`s of which something active is made.

use core::cell::Cell;
use std::str::FromStr;

use jacobian::jacobian;

use crate::{bits, differences};

const TABLE: [f64; 3] = [0.5, -1.25, 3.0];

#[jacobian(wrt(x))]
fn element(x: f64, t: &[f64], n: usize) -> f64 {
    t.get(n).map(|t| t * x).unwrap_or(x * 2.0)
}

#[jacobian(wrt(x))]
fn bound(x: f64, t: &[f64], n: usize) -> f64 {
    let found = t.get(n);
    let scaled = found.map(|a| a * x);
    match scaled {
        Some(v) if v > 1.0 => v * v,
        Some(v) => v * x,
        None => x,
    }
}

#[jacobian(wrt(x))]
fn given(x: f64, p: Option<f64>, q: &Option<f64>) -> f64 {
    let y = p.map(|p| p * x);
    let z = q.map(|q| q + 1.0).map(|q| q * x * x).unwrap_or_default();
    if let Some(y) = y { y + z } else { x - z }
}

#[jacobian(wrt(x))]
fn filtered(x: f64, t: &[f64], p: Option<f64>) -> f64 {
    let first = t.first().filter(|t| **t > x).map_or(x, |t| t * x);
    let last = t.last().filter(|t| **t > x).map(|t| t * x * x).unwrap_or(x.sin());
    first * last + p.filter(|p| *p * x > 1.0).unwrap_or(x)
}

#[jacobian(wrt(x))]
fn together(x: f64, p: Option<f64>, t: &[(f64, usize)], n: usize) -> f64 {
    let square = p.and(Some(x * x)).unwrap_or(x);
    let power = t.get(n).map(|(a, k)| (a * x, *k)).map(|(a, k)| a.powi(k as i32)).unwrap_or(x);
    square * power
}

#[jacobian(wrt(x))]
fn tried(x: f64, t: &[f64], n: usize) -> Option<f64> {
    let v = t.get(n).map(|v| v * x)?;
    Some(v * v)
}

#[jacobian(wrt(x))]
fn parsed(x: f64, text: &str) -> f64 {
    let y = text.parse::<f64>().map(|v| v * x).unwrap_or(x * x);
    y * f64::from_str(text).ok().map(|v| v + x).unwrap_or(3.0)
}

#[jacobian(wrt(x))]
fn advanced(x: f64, t: &[f64]) -> f64 {
    let mut items = t.iter();
    let first = items.next().map(|a| a * x).unwrap_or(x);
    let second = items.next().map(|b| b + x).unwrap_or(first);
    let at = t.iter().position(|t| *t > 1.0).map(|i| i as f64 * x).unwrap_or(0.5);
    first * second + at
}

pub struct Limits {
    pub least: Option<f64>,
    pub calls: Cell<usize>,
}

impl Limits {
    fn least(&self) -> Option<f64> {
        self.calls.set(self.calls.get() + 1);
        self.least
    }

    /// Not what `get` gives elsewhere.
    fn get(&self, n: usize) -> Result<f64, usize> {
        self.least.ok_or(n)
    }

    fn other(&self) -> f64 {
        self.calls.set(self.calls.get() * 10);
        0.75
    }
}

#[jacobian(wrt(x))]
fn of_fields(x: f64, limits: &Limits) -> f64 {
    let y = limits.least.map(|least| least * x).unwrap_or(x);
    y * limits.least().map(|least| least * x).unwrap_or(limits.other()) + limits.get(3).map(|v| v * x).unwrap_or(x * x)
}

fn note(limits: &Limits, k: usize) -> Option<f64> {
    limits.calls.set(limits.calls.get() * 7 + k);
    limits.least
}

#[jacobian(wrt(x))]
fn in_turn(x: f64, p: Option<f64>, limits: &Limits) -> f64 {
    let either = note(limits, 1).or(note(limits, 2));
    either.map(|v| v * x).or(p.and(note(limits, 3)).map(|v| v + x)).or(p.map(|p| p * x * x)).unwrap_or(x)
}

#[test]
fn what_is_made_of_them() {
    for n in 0..5 {
        differences(|[x]| element(x, &TABLE, n), |[x]| element_jac(x, &TABLE, n), [0.7]);
        differences(|[x]| bound(x, &TABLE, n), |[x]| bound_jac(x, &TABLE, n), [0.7]);
        let pairs = [(0.5, 2), (-1.5, 3)];
        differences(|[x]| together(x, None, &pairs, n), |[x]| together_jac(x, None, &pairs, n), [0.7]);
        differences(|[x]| together(x, Some(2.0), &pairs, n), |[x]| together_jac(x, Some(2.0), &pairs, n), [0.7]);
        match (tried(0.7, &TABLE, n), tried_jac(0.7, &TABLE, n)) {
            (None, None) => {}
            (Some(value), Some((own, [slope]))) => {
                assert_eq!(bits(&value), bits(&own));
                let t = TABLE.get(n).expect("an element");
                assert!((slope - 2.0 * t * t * 0.7).abs() < 1e-14);
            }
            (value, own) => panic!("{value:?}, and {own:?}"),
        }
    }
}

#[test]
fn given_and_filtered() {
    for p in [None, Some(0.5), Some(4.0)] {
        for q in [None, Some(-2.0)] {
            differences(|[x]| given(x, p, &q), |[x]| given_jac(x, p, &q), [1.3]);
        }
        for x in [-2.0, 0.2, 0.7, 5.0] {
            differences(|[x]| filtered(x, &TABLE, p), |[x]| filtered_jac(x, &TABLE, p), [x]);
            differences(|[x]| filtered(x, &[], p), |[x]| filtered_jac(x, &[], p), [x]);
        }
    }
}

#[test]
fn of_texts_and_iterators() {
    for text in ["2.5", "none"] {
        differences(|[x]| parsed(x, text), |[x]| parsed_jac(x, text), [0.7]);
    }
    for length in 0..4 {
        differences(|[x]| advanced(x, &TABLE[..length]), |[x]| advanced_jac(x, &TABLE[..length]), [0.7]);
    }
}

#[test]
fn of_fields_in_their_order() {
    for least in [None, Some(1.5)] {
        let limits = || Limits { least, calls: Cell::new(1) };
        differences(|[x]| of_fields(x, &limits()), |[x]| of_fields_jac(x, &limits()), [0.7]);
        let (own, generated) = (limits(), limits());
        of_fields(0.7, &own);
        of_fields_jac(0.7, &generated);
        assert_eq!((own.calls.get(), generated.calls.get()), (20, 20));
        for p in [None, Some(0.5)] {
            differences(|[x]| in_turn(x, p, &limits()), |[x]| in_turn_jac(x, p, &limits()), [0.7]);
            let (own, generated) = (limits(), limits());
            in_turn(0.7, p, &own);
            in_turn_jac(0.7, p, &generated);
            assert_eq!(own.calls.get(), generated.calls.get());
        }
    }
}

const FAR: f64 = 3.5;

// What is not a number of the function's own has the default of its type where nothing is there.
#[jacobian(wrt(x))]
fn beside_active_ones(x: f64, c: bool, n: usize) -> f64 {
    let pair = if c { Some((0.25_f64, FAR)) } else { Some((x, FAR)) };
    let mut kept = if x > 1.0 { Some((x, n)) } else { None };
    if c {
        kept = Some((2.0, 7));
    }
    let (a, k) = kept.unwrap_or((x, 1));
    pair.map_or(1.0, |(a, b)| a * b * x) + a.powi(k as i32)
}

#[jacobian(wrt(x))]
fn replaced(x: f64, t: f64) -> f64 {
    let mut kept = Some(t + 0.5);
    let old = kept.replace(x);
    let Some(scaled) = Some(t.abs()).map(|t| t * x) else { return 1.0 };
    old.unwrap_or(1.0) * kept.unwrap_or(2.0) + scaled * scaled
}

// The inner loops are written out, and leave what is `None` in a variable of the arm that goes on.
#[jacobian(wrt(x))]
fn emptied(x: f64, t: f64, n: usize) -> f64 {
    let (mut kept, mut single) = (Some((t.powi(2), x)), Some(x));
    let (mut sum, mut left) = (0.0, n);
    loop {
        if left == 0 {
            break;
        }
        left -= 1;
        if let Some((a, b)) = kept {
            sum += a * b;
        }
        sum += single.unwrap_or(0.125);
        kept = None;
        for i in 0..2 {
            kept = None;
            single = None;
            sum *= 0.5 + i as f64;
        }
        if sum > 3.0 {
            kept = Some((1.5, sum));
        }
    }
    sum + kept.map_or(x, |(a, b)| a * b)
}

#[test]
fn what_is_beside_active_ones() {
    for c in [false, true] {
        for x in [0.7, 1.3] {
            differences(|[x]| beside_active_ones(x, c, 2), |[x]| beside_active_ones_jac(x, c, 2), [x]);
        }
    }
    differences(|[x]| replaced(x, -0.75), |[x]| replaced_jac(x, -0.75), [0.7]);
    for n in 0..5 {
        for x in [0.7, 4.0] {
            differences(|[x]| emptied(x, 1.5, n), |[x]| emptied_jac(x, 1.5, n), [x]);
        }
    }
}

// What is surely there, and passive, is changed in its place.
#[jacobian(wrt(x))]
fn changed(x: f64, t: f64, n: usize) -> f64 {
    let (mut kept, mut other, mut parts) = (Some(2.0), Some(t + 1.0), [Some(t), None]);
    let mut s = x;
    for _ in 0..n {
        if let Some(v) = &mut kept {
            *v *= s;
        }
        s += 0.5;
    }
    if x > 2.0 {
        if let Some(v) = &mut kept {
            *v += 1.0;
        }
        if let Some(v) = &mut parts[0] {
            *v -= x;
        }
    } else if n > 1 {
        parts[1] = Some(x * t);
    }
    match &mut other {
        Some(v) if n > 2 => *v += x,
        Some(v) => *v *= 0.5,
        None => s = t,
    }
    let [a, b] = parts.map(|part| part.map_or(x, |v| v * s));
    kept.unwrap_or(x) * other.unwrap_or(t) * s + a - b
}

#[test]
fn what_is_there_changes() {
    for n in 0..5 {
        for x in [0.7, 2.5] {
            differences(|[x]| changed(x, 1.5, n), |[x]| changed_jac(x, 1.5, n), [x]);
        }
    }
}

// What branches give is an `Option` where one of their arms gives one, and so is what iterators choose.
#[jacobian(wrt(x))]
fn of_branches(x: f64, t: &[f64], n: usize) -> f64 {
    let kept = if n > 1 { Some(0.5) } else { None };
    let found = match n {
        0 => None,
        1 => t.first().copied(),
        _ => t.last().copied(),
    };
    let a = kept.map(|v| v * x);
    let b = found.map(|v| v + x);
    let c = (if t.is_empty() { None } else { Some(n) }).map(|n| x * n as f64);
    let d = t.iter().map(|t| t * 2.0).reduce(|a, b| a + b).map(|v| v * x);
    let e = t.iter().copied().max_by(f64::total_cmp).filter(|v| *v > x);
    let mut f = None;
    if n > 2 {
        f = Some(t.len() as f64);
    }
    let g = f.map(|v| v * x * x);
    let a = match a {
        Some(v) => v,
        None => x,
    };
    if let (Some(b), Some(c)) = (b, c) { a * b + c * d.unwrap_or(x) } else { a * e.unwrap_or(1.0) + g.map_or(x, |v| v) }
}

#[test]
fn what_branches_give() {
    for n in 0..5 {
        for t in [&[][..], &[0.25], &TABLE] {
            differences(|[x]| of_branches(x, t, n), |[x]| of_branches_jac(x, t, n), [0.7]);
        }
    }
}

// That they are `Option`s, the types of the module say.
#[jacobian]
mod typed {
    pub struct Limits {
        pub least: Option<f64>,
        pub name: String,
    }

    impl Limits {
        fn most(&self, t: &[f64]) -> Option<f64> {
            t.iter().copied().reduce(f64::max)
        }
    }

    fn lookup(t: &[f64], n: usize) -> Option<f64> {
        t.get(n).copied()
    }

    #[jacobian(wrt(x))]
    pub fn of_fields_and_calls(x: f64, limits: &Limits, t: &[f64], n: usize) -> f64 {
        let field = limits.least.map(|l| l * x);
        let method = limits.most(t).map(|l| l + x);
        let function = lookup(t, n).filter(|l| *l > x);
        let length = limits.name.len() as f64;
        match (field, method) {
            (Some(a), Some(b)) => a * b + function.map_or(x, |c| c * x),
            (Some(a), None) => a * length,
            (None, method) => method.unwrap_or(length) * x,
        }
    }

    #[jacobian(wrt(x))]
    pub fn of_elements(x: f64, t: &[Option<f64>], pairs: &[(f64, Option<f64>)], p: (Option<f64>, usize)) -> f64 {
        let first = t[0].map(|v| v * x);
        let part = p.0.map(|v| v + x);
        let mut s = x * p.1 as f64;
        for element in t {
            let scaled = element.map(|v| v * x);
            if let Some(v) = scaled {
                s += v * x;
            }
        }
        let all: f64 = pairs.iter().map(|(w, o)| o.map(|o| o * x).unwrap_or(0.25) + w).sum();
        let some: f64 = pairs.iter().filter_map(|(w, o)| o.map(|o| o * x * w)).sum();
        match (first, part) {
            (Some(v), Some(w)) => v * w + s * all,
            _ => x * some - all,
        }
    }

    #[jacobian(wrt(x))]
    pub fn of_declared(x: f64, t: &[f64]) -> f64 {
        let mut last: Option<usize> = None;
        let mut kept: Option<(f64, Option<usize>)> = None;
        let mut s = x;
        for (i, v) in t.iter().enumerate() {
            let next = last.map(|k| x * k as f64);
            if let Some(next) = next {
                s += next;
                kept = Some((next, last));
            }
            if *v > 0.0 {
                last = i.checked_sub(1);
            } else if i > 1 {
                kept = Some((*v, None));
            }
        }
        let (a, k) = kept.unwrap_or((x, Some(3)));
        let most = t.iter().map(|v| if false { x } else { v + 0.5 }).reduce(|s, v| s * v);
        let mut least = None;
        for v in t {
            if *v < 0.5 {
                least = Some(*v);
            }
        }
        let (most, least) = (most.map(|v| v * x), least.map(|v| v + x));
        if let Some(v) = most {
            s += v;
        }
        if let Some(v) = least {
            s *= v;
        }
        s * a * k.map_or(x, |k| x + k as f64)
    }
}

#[test]
fn what_types_say() {
    for t in [&[][..], &[0.25], &TABLE, &[1.0, 2.0, -0.5, 3.0, 0.75]] {
        for n in 0..3 {
            for least in [None, Some(1.5)] {
                let limits = typed::Limits { least, name: "abc".to_string() };
                differences(
                    |[x]| typed::of_fields_and_calls(x, &limits, t, n),
                    |[x]| typed::of_fields_and_calls_jac(x, &limits, t, n),
                    [0.7],
                );
            }
        }
        differences(|[x]| typed::of_declared(x, t), |[x]| typed::of_declared_jac(x, t), [0.7]);
    }
    for t in [&[None][..], &[Some(0.5), None, Some(-2.0)]] {
        for p in [(None, 2), (Some(0.25), 3)] {
            let pairs = [(0.5, Some(2.0)), (1.5, None), (-0.75, Some(0.25))];
            differences(
                |[x]| typed::of_elements(x, t, &pairs, p),
                |[x]| typed::of_elements_jac(x, t, &pairs, p),
                [0.7],
            );
        }
    }
}

fn outside(n: usize) -> Option<f64> {
    n.checked_sub(1).map(|n| n as f64 + 0.5)
}

// A passive `Option` of which nothing is known but that it is one gets its parts where something active comes into it.
#[jacobian(wrt(x))]
fn made_active(x: f64, t: &[f64], n: usize) -> f64 {
    let mut most = t.iter().map(|t| t * 2.0).reduce(f64::max);
    let mut kept: Option<f64> = outside(n);
    let mut pair: Option<(f64, f64)> = Some((t.len() as f64, 0.5));
    let mut chosen = (n != 2).then_some(n as f64);
    let mut count = t.iter().position(|t| *t > 1.0);
    let mut passive = outside(n + 1);
    let mut s = x;
    for _ in 0..n {
        if let Some(v) = &mut most {
            *v *= s;
        }
        match &mut kept {
            Some(v) if *v > 2.0 => *v -= x,
            Some(v) => *v += s,
            None => s += 0.25,
        }
        if let Some(k) = &mut count {
            *k += 1;
        }
        if let Some(v) = &mut passive {
            *v += 1.0;
        }
        s += 0.5;
    }
    let old = pair.replace((x, s)).map_or(x, |(a, b)| a * b);
    let inserted = chosen.get_or_insert(x * s);
    *inserted *= x;
    let (a, b) = pair.unwrap_or((1.0, 2.0));
    let rest = most.unwrap_or(x) * kept.unwrap_or(s) + chosen.unwrap_or(2.0) * passive.unwrap_or(1.0);
    old + a * b + rest + count.map_or(x, |k| x * k as f64)
}

// Which element tells that a list is one of floats does not matter.
#[jacobian(wrt(x))]
fn lists(x: f64, c: bool, n: usize) -> f64 {
    use core::f64::consts::LOG10_E;
    let a = if c { Some([LOG10_E, x]) } else { Some([0.25, LOG10_E]) };
    let mut list = [1.5, n as f64, LOG10_E];
    match Some((x, 0.7)) {
        Some((v, w)) if v > 2.0 => list = [v, w, LOG10_E],
        Some(_) => {
            let last = &mut list[2];
            *last += 0.5;
            list[n % 3] -= 0.75;
        }
        None => {}
    }
    a.map_or(1.0, |[p, q]| p * q * x) + list[0] * list[1] + list[2] * x
}

#[test]
fn what_becomes_active() {
    for t in [&[][..], &[0.25], &TABLE[..]] {
        for n in 0..5 {
            differences(|[x]| made_active(x, t, n), |[x]| made_active_jac(x, t, n), [0.7]);
        }
    }
    for x in [0.7, 2.5] {
        for n in 0..4 {
            differences(|[x]| lists(x, true, n), |[x]| lists_jac(x, true, n), [x]);
            differences(|[x]| lists(x, false, n), |[x]| lists_jac(x, false, n), [x]);
        }
    }
}

// What a variable may hold is told by what comes into it later.
#[jacobian(wrt(x))]
fn later(x: f64, data: &[(f64, f64)]) -> f64 {
    let (mut before, mut last, mut exponent, mut kept) = (None, [None; 2], None, Vec::new());
    let mut total = 0.0;
    for (i, &(t, y)) in data.iter().enumerate() {
        if let Some((t0, y0)) = before {
            let step: f64 = t - t0;
            total += 0.5 * step * (x * y + x * x * y0);
        }
        if let Some(v) = last[i % 2] {
            total += x * v + if x > v { x.max(v) } else { x - v };
        }
        if let Some(n) = exponent {
            total += x.powi(n);
        }
        while let Some(k) = kept.pop() {
            total += x * k;
            if k > t {
                break;
            }
        }
        (before, exponent) = (Some((t, y)), Some(i as i32));
        last[i % 2] = Some(y);
        kept.push(t);
    }
    total
}

#[jacobian(wrt(x))]
fn peaks(x: f64, data: &[f64]) -> f64 {
    let mut peak = None;
    let mut queue = std::collections::VecDeque::new();
    let mut total = 0.0;
    for v in data {
        if let Some(first) = queue.pop_front() {
            total += x * first;
        }
        queue.push_back(*v);
        let Some(p) = peak else {
            peak = Some(v);
            continue;
        };
        total += x * p + peak.map_or(0.0, |p| x * p);
    }
    total
}

#[jacobian(wrt(x))]
fn windows(x: f64, data: &[f64]) -> f64 {
    let mut before;
    before = None;
    let mut queue = std::collections::VecDeque::with_capacity(3);
    let (mut window, mut stack, mut found) = (vec![None; 3], vec![], Err(()));
    let mut total = 0.0;
    for (i, &v) in data.iter().enumerate() {
        if let Some(first) = queue.pop_front() {
            total += x * first;
        }
        if let Some(old) = window[i % 3] {
            total += x * old;
        }
        if let (Some(last), Ok(found)) = (before, found) {
            let product: f64 = last * found;
            total += x.max(last) * product;
        }
        while let Some(top) = stack.pop() {
            total += x * top;
            if top > v {
                break;
            }
        }
        queue.push_back(v);
        stack.push(v);
        window[i % 3] = Some(v);
        (before, found) = (Some(v), Ok(v));
    }
    total
}

#[test]
fn types_that_are_told_later() {
    differences(|[x]| windows(x, &[0.5, 0.2, 0.9, 1.0]), |[x]| windows_jac(x, &[0.5, 0.2, 0.9, 1.0]), [0.7]);
    let data = [(0.1, 0.9), (0.3, 0.5), (0.4, 1.5), (0.8, 0.2)];
    for n in 0..4 {
        differences(|[x]| later(x, &data[..n]), |[x]| later_jac(x, &data[..n]), [0.7]);
    }
    differences(|[x]| peaks(x, &[0.5, 2.0, 1.5]), |[x]| peaks_jac(x, &[0.5, 2.0, 1.5]), [0.7]);
}
