//! `match` on active values whose arms are told from each other by guards, and conditions with several `let`s.

use jacobian::jacobian;

use crate::differences;

#[jacobian]
fn folded(x: f64) -> f64 {
    match x {
        v if v < 0.0 => -v,
        v => v * v,
    }
}

#[jacobian]
fn in_tuples(x: f64, y: f64, n: usize) -> f64 {
    let larger = match (x, y) {
        (a, b) if a > b => a * b,
        (a, _) => a,
    };
    let of_none = match (x, y) {
        _ if x > y => x * y,
        _ => y,
    };
    let counted = match (x, n) {
        (a, 0) if a > y => a * y,
        (a, 1) => a,
        _ => y,
    };
    let compared = match (x * y, x > y) {
        (v, true) if v > 1.0 => v,
        (v, false) => v * v,
        (v, _) => v * 3.0,
    };
    let named = match x.abs() {
        v if v < 1.0 => v,
        _ => 1.0,
    };
    larger * of_none + counted * compared + named
}

#[jacobian]
fn in_arrays(x: [f64; 2]) -> f64 {
    match x {
        [a, b] if a > b => a * b,
        [a, ..] => a,
    }
}

#[jacobian]
fn in_loops(x: f64, n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        match s {
            v if v > 4.0 => break,
            v if v < 0.1 => {
                s = v + 1.0;
                continue;
            }
            v => s = v * v,
        }
    }
    let k = match s {
        v if v > 2.0 => 2,
        v if v > 1.0 => 1,
        _ => 0,
    };
    s * x * k as f64 + s
}

#[jacobian]
fn mean_difference(a: f64, b: f64) -> Option<f64> {
    match (a, b) {
        _ if a <= 0.0 || b <= 0.0 => None,
        _ if (a - b).abs() < 1e-6 => Some(0.5 * (a + b)),
        _ => Some((a - b) / (a / b).ln()),
    }
}

#[jacobian]
mod chained {
    fn root(x: f64) -> Option<f64> {
        if x >= 0.0 { Some(x.sqrt()) } else { None }
    }

    fn logarithm(x: f64) -> Result<f64, String> {
        if x > 0.3 { Ok(x.ln()) } else { Err("small".into()) }
    }

    #[jacobian]
    pub fn sum(a: f64, b: f64) -> f64 {
        if let Some(r) = root(a)
            && let Some(s) = root(b)
        {
            r + s
        } else {
            a
        }
    }

    #[jacobian]
    pub fn product(a: f64, b: f64) -> f64 {
        if a > 0.2
            && let Some(r) = root(a)
            && r < b
            && let Ok(s) = logarithm(r * b)
        {
            r * s
        } else if let Ok(v) = logarithm(b)
            && v > a
        {
            v * b
        } else {
            a * b
        }
    }

    #[jacobian(wrt(a, b))]
    pub fn in_loop(a: f64, b: f64, k: Option<usize>, n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            if let Some(k) = k
                && k > i
                && let Some(r) = root(a - i as f64)
            {
                sum += r * b;
            }
        }
        sum
    }
}

#[test]
fn guards_decide() {
    for x in [-0.5, 0.05, 0.5, 1.5, 3.0] {
        differences(|[x]| folded(x), |[x]| folded_jac(x), [x]);
        differences(in_arrays, in_arrays_jac, [x, 0.2]);
        for n in 0..4 {
            differences(|[x, y]| in_tuples(x, y, n), |[x, y]| in_tuples_jac(x, y, n), [x, 0.7]);
            differences(|[x]| in_loops(x, n), |[x]| in_loops_jac(x, n), [x]);
        }
        assert_eq!(mean_difference_jac(x, 0.7).map(|(value, _)| value), mean_difference(x, 0.7));
    }
    let some = |[a, b]: [f64; 2]| mean_difference(a, b).unwrap_or(f64::NAN);
    differences(some, |[a, b]| mean_difference_jac(a, b).unwrap(), [1.5, 0.7]);
}

#[jacobian(wrt(x))]
fn by_a_closure(x: f64, k: Option<f64>) -> f64 {
    let is_more = |v: f64| v > x;
    let first = if let Some(v) = k
        && is_more(v)
    {
        x * v
    } else {
        x
    };
    first
        + if let Some(v) = k
            && let Some(y) = Some(x * v)
        {
            y
        } else {
            x
        }
}

#[test]
fn conditions_with_several_lets() {
    use chained::*;
    for k in [None, Some(0.5), Some(2.0)] {
        differences(|[x]| by_a_closure(x, k), |[x]| by_a_closure_jac(x, k), [0.7]);
    }
    for at in [[0.5, 0.7], [-0.5, 0.7], [0.5, -0.7], [0.1, 1.7], [2.5, 3.0]] {
        differences(|[a, b]| sum(a, b), |[a, b]| sum_jac(a, b), at);
        differences(|[a, b]| product(a, b), |[a, b]| product_jac(a, b), at);
        for k in [None, Some(2)] {
            differences(|[a, b]| in_loop(a, b, k, 3), |[a, b]| in_loop_jac(a, b, k, 3), at);
        }
    }
}

#[jacobian]
mod beside {
    #[derive(Clone, Copy, PartialEq)]
    pub enum State {
        Idle,
        Moving,
        Held { at: f64 },
    }

    pub struct Part {
        pub state: State,
        pub stiffness: Option<f64>,
    }

    #[jacobian(wrt(x))]
    pub fn by_variant(x: f64, state: State) -> f64 {
        match (state, x) {
            (State::Idle, v) => v,
            (State::Moving, v) if v > 0.0 => v * v,
            (State::Held { at }, v) if v > at => (v - at).powi(2),
            (State::Moving | State::Held { .. }, _) => 0.0,
        }
    }

    #[jacobian(wrt(x))]
    pub fn by_option(x: f64, k: Option<f64>, names: Option<&str>) -> f64 {
        let first = match (k, x * 2.0) {
            (Some(k), v) if v > k => k * v,
            (None, v) => v,
            (_, v) => -v,
        };
        first
            + match (names, x) {
                (Some("long"), v) => v * v,
                (Some(name), v) => v * name.len() as f64,
                (None, v) => v.sin(),
            }
    }

    #[jacobian(wrt(x))]
    pub fn by_conditions(x: f64, state: State, k: Option<f64>) -> f64 {
        let first = if let (Some(k), v) = (k, x * 2.0) { k * v } else { x };
        let second = if let (Some(k), v) = (k, x)
            && v > k
        {
            k * v
        } else {
            x.sin()
        };
        let third = if matches!((state, x), (State::Idle | State::Moving, v) if v > 0.3) { x * x } else { x };
        let fourth = match (x, state) {
            (v, ref own) if *own == State::Idle => v * v,
            (v, _) => 1.5 * v,
        };
        let both = (state, x);
        let (State::Idle | State::Moving, v) = both else { return first * second };
        let fifth = match (state, 1, x) {
            (State::Idle, ..) => x,
            (.., v) if v > 0.5 => v * v,
            (_, n, .., v) => v * f64::from(n),
        };
        first + second * third + fourth * v * fifth
    }

    #[jacobian(wrt(x))]
    pub fn by_parts(x: f64, pair: Option<(f64, i32)>, states: &[State]) -> f64 {
        let mut v = match (pair, x) {
            (Some((_, n @ (1 | 2))), v) => v * f64::from(n),
            (Some((a, _)), v) => a * v,
            (None, v) => v,
        };
        for state in states {
            while let (State::Moving, w) = (*state, v)
                && w < 10.0
            {
                v = w * 2.0;
            }
        }
        v
    }

    #[jacobian(wrt(x))]
    pub fn by_field(x: f64, part: &Part, n: usize) -> f64 {
        let mut s = x;
        for _ in 0..n {
            s = match (&part.state, part.stiffness, s.abs()) {
                (State::Idle, _, l) if l > 2.0 => break,
                (State::Held { at }, Some(k), l) => (l - at) * k,
                (_, None, l) => l * 0.5,
                (_, Some(k), l) => l * k,
            };
        }
        s
    }
}

#[test]
fn patterns_of_what_is_passive_beside_active_values() {
    use beside::*;
    for state in [State::Idle, State::Moving, State::Held { at: 0.25 }] {
        for x in [0.7, -0.7] {
            differences(|[x]| by_variant(x, state), |[x]| by_variant_jac(x, state), [x]);
            for k in [None, Some(0.5), Some(2.0)] {
                differences(|[x]| by_conditions(x, state, k), |[x]| by_conditions_jac(x, state, k), [x]);
            }
            for pair in [None, Some((0.5, 1)), Some((0.5, 3))] {
                let states = [State::Idle, state];
                differences(|[x]| by_parts(x, pair, &states), |[x]| by_parts_jac(x, pair, &states), [x.abs()]);
            }
            for stiffness in [None, Some(0.5)] {
                let part = Part { state, stiffness };
                differences(|[x]| by_field(x, &part, 3), |[x]| by_field_jac(x, &part, 3), [x]);
            }
        }
    }
    for k in [None, Some(0.5), Some(2.0)] {
        for names in [None, Some("long"), Some("short")] {
            differences(|[x]| by_option(x, k, names), |[x]| by_option_jac(x, k, names), [0.7]);
        }
    }
}
