//! Closures and helpers that mention what a pattern or a loop around their call hides: each name means one thing in the
//! generated code.

#![allow(clippy::while_let_on_iterator, clippy::needless_range_loop)]

use jacobian::jacobian;

use crate::differences;

#[jacobian(wrt(x))]
fn of_match(x: f64, k: f64, v: Option<f64>) -> f64 {
    let f = |y: f64| y * k;
    match v {
        Some(k) => f(x) * k,
        None => x,
    }
}

#[jacobian(wrt(x))]
fn of_guard(x: f64, k: f64, v: Option<f64>) -> f64 {
    let f = |y: f64| y * k;
    match v {
        Some(k) if k > 5.0 => f(x) - k,
        Some(k) => k * x - f(k * x),
        None => f(x),
    }
}

#[jacobian(wrt(x))]
fn of_branches(x: f64, a: Option<f64>, b: Option<f64>) -> f64 {
    if let Some(d) = a {
        let f = |y: f64| y * d;
        if let Some(d) = b {
            return f(x) * d;
        }
        f(x)
    } else {
        x
    }
}

#[jacobian(wrt(x))]
fn of_else(x: f64, k: f64, v: Option<f64>) -> f64 {
    let f = |y: f64| y * k;
    let Some(k) = v else { return f(x) };
    f(x) * k + x
}

#[jacobian(wrt(x))]
fn of_while(x: f64, k: f64, v: &[f64]) -> f64 {
    let f = |y: f64| y * k;
    let (mut items, mut s) = (v.iter(), x);
    while let Some(k) = items.next() {
        s += k * x;
        s = f(s) * 0.5;
    }
    s
}

#[jacobian(wrt(x))]
fn of_loops(x: f64, v: &[(f64, f64)]) -> f64 {
    let mut s = x;
    for (t, y) in v {
        let m = |x: f64| (x * t).sin() - y;
        for (t, y) in v {
            s += m(t * x) * y;
        }
    }
    s
}

#[jacobian(wrt(x))]
fn of_indices(x: f64, k: usize, v: &[f64]) -> f64 {
    let f = |y: f64| y * v[k];
    let mut s = x;
    for k in 0..v.len() {
        let q = v[k] * x;
        s += f(q);
    }
    s
}

#[jacobian(wrt(x), unroll = "never")]
fn of_known_loops(x: f64, k: usize) -> f64 {
    let f = |y: f64| y * k as f64;
    let mut s = x;
    for k in 0..3 {
        s += k as f64 * x;
        s = f(s) * 0.1;
    }
    s
}

#[jacobian]
mod helpers {
    fn rule(f: impl Fn(f64) -> f64, x: f64, n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += f(x * i as f64);
        }
        s
    }

    fn scaled(x: f64, by: f64, v: Option<f64>) -> f64 {
        match v {
            Some(k) => x * by * k,
            None => x * by,
        }
    }

    fn counted(x: f64, by: f64, n: usize) -> f64 {
        let mut c = 0.0;
        for k in 0..n {
            c += by * k as f64;
        }
        x * c
    }

    #[jacobian(wrt(p))]
    pub fn quadrature(p: f64, n: usize, m: usize) -> f64 {
        let mut t = 0.0;
        for i in 1..m {
            t += rule(|x| (p * x).powi(i as i32) * i as f64, 0.5, n);
        }
        t
    }

    #[jacobian(wrt(x))]
    pub fn arguments(x: f64, k: f64, v: Option<f64>) -> f64 {
        scaled(x, k, v) + counted(x, k, 4)
    }
}

#[test]
fn names_that_are_hidden_where_a_closure_is_called() {
    let data = [(0.3, 0.5), (1.1, -0.4), (0.7, 2.0)];
    let v = [0.5, 1.5, 0.25];
    for x in [0.3, 1.2] {
        for of in [Some(7.0), Some(2.0), None] {
            differences(|[x]: [f64; 1]| of_match(x, 3.0, of), |[x]| of_match_jac(x, 3.0, of), [x]);
            differences(|[x]: [f64; 1]| of_guard(x, 3.0, of), |[x]| of_guard_jac(x, 3.0, of), [x]);
            differences(|[x]: [f64; 1]| of_else(x, 3.0, of), |[x]| of_else_jac(x, 3.0, of), [x]);
            differences(|[x]: [f64; 1]| of_branches(x, of, Some(5.0)), |[x]| of_branches_jac(x, of, Some(5.0)), [x]);
            differences(|[x]: [f64; 1]| helpers::arguments(x, 3.0, of), |[x]| helpers::arguments_jac(x, 3.0, of), [x]);
        }
        differences(|[x]: [f64; 1]| of_while(x, 3.0, &v), |[x]| of_while_jac(x, 3.0, &v), [x]);
        differences(|[x]: [f64; 1]| of_loops(x, &data), |[x]| of_loops_jac(x, &data), [x]);
        differences(|[x]: [f64; 1]| of_indices(x, 1, &v), |[x]| of_indices_jac(x, 1, &v), [x]);
        differences(|[x]: [f64; 1]| of_known_loops(x, 2), |[x]| of_known_loops_jac(x, 2), [x]);
        differences(|[x]: [f64; 1]| helpers::quadrature(x, 3, 3), |[x]| helpers::quadrature_jac(x, 3, 3), [x]);
    }
}
