//! Methods of passive `Option`s and `Result`s with something active: what is made of the value that is there, or is there
//! instead of it. Each has a twin with branches.

use std::cell::RefCell;

use jacobian::jacobian;

use crate::{differences, twins};

#[test]
fn options_and_results() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[Option<f64>], text: &str, pair: Option<[f64; 2]>) -> [f64; 7] {
        let mut r = [0.0; 7];
        for d in data {
            r[0] += d.map_or(x[1], |d| d * x[0]);
            r[1] = r[1] * x[1] + d.map_or_else(|| x[0] * x[1], f64::sin);
            r[2] += d.unwrap_or(x[0] * r[0]);
        }
        r[3] = data.first().map_or(x[0], |d| d.unwrap_or_else(|| x[1].cos()));
        r[4] = text.parse::<f64>().map_or(0.0, |t| t * x[0]) * text.parse().unwrap_or(x[1]);
        let [a, b] = pair.unwrap_or(x);
        r[5] = pair.map_or((x[0], b), |[p, q]| (p * x[1], q)).0 * a;
        r[6] = *data.iter().flatten().next().unwrap_or(&x[1]);
        r
    }
    #[jacobian(wrt(x))]
    fn twin(x: [f64; 2], data: &[Option<f64>], text: &str, pair: Option<[f64; 2]>) -> [f64; 7] {
        let mut r = [0.0; 7];
        for d in data {
            if let Some(d) = d {
                r[0] += d * x[0];
                r[1] = r[1] * x[1] + d.sin();
                r[2] += d;
            } else {
                r[0] += x[1];
                r[1] = r[1] * x[1] + x[0] * x[1];
                r[2] += x[0] * r[0];
            }
        }
        r[3] = match data.first() {
            Some(Some(d)) => *d,
            Some(None) => x[1].cos(),
            None => x[0],
        };
        let number: Option<f64> = text.parse().ok();
        r[4] = if let Some(t) = number { t * x[0] * t } else { 0.0 * x[1] };
        r[5] = if let Some([p, _]) = pair { p * x[1] * p } else { x[0] * x[0] };
        r[6] = x[1];
        for d in data.iter().rev().flatten() {
            r[6] = *d;
        }
        r
    }
    for data in [&[][..], &[None], &[Some(0.5), None], &[None, Some(-2.0), Some(0.25)]] {
        for (text, pair) in [("2.5", None), ("none", Some([0.5, 3.0]))] {
            twins!(f, f_jac, twin, twin_jac, [1.5, -0.75], data, text, pair);
        }
    }
}

#[test]
fn indices_that_may_be_missing() {
    #[jacobian(wrt(x), forms(jac, hess))]
    fn f(x: [f64; 3], steps: usize) -> f64 {
        let mut u = x;
        for step in 0..steps {
            let k = step % 3;
            let before = k.checked_sub(1).map_or(0.5, |j| u[j]);
            let after = if k < 2 { Some(k + 1) } else { None };
            u[k] = 0.5 * u[k] + 0.25 * before * after.map_or_else(|| x[1].cos(), |j| u[j]);
        }
        u[0] + u[1] * u[2]
    }
    for steps in [0, 1, 2, 3, 8] {
        differences(|x| f(x, steps), |x| f_jac(x, steps), [1.5, 0.25, -0.5]);
        let second = |x| {
            let (_, gradient, hessian) = f_hess(x, steps);
            (gradient, hessian)
        };
        differences(|x| f_hess(x, steps).1, second, [1.5, 0.25, -0.5]);
    }
}

#[test]
fn what_is_done_and_when() {
    #[jacobian(wrt(x))]
    fn f(x: f64, log: &RefCell<Vec<u8>>, is_there: bool) -> f64 {
        let note = |what: u8| log.borrow_mut().push(what);
        let a = {
            note(1);
            is_there.then_some(2.0)
        }
        .map_or(
            {
                note(2);
                x
            },
            |v| {
                note(3);
                v * x
            },
        );
        let b = {
            note(4);
            is_there.then_some(3.0)
        }
        .map_or_else(
            || {
                note(5);
                x
            },
            |v| {
                note(6);
                v * x * x
            },
        );
        a * b + {
            note(7);
            is_there.then_some(5.0)
        }
        .unwrap_or({
            note(8);
            x
        })
    }
    for (is_there, expected) in [(true, [1, 2, 3, 4, 6, 7, 8]), (false, [1, 2, 4, 5, 7, 8, 0])] {
        let [own, generated] = [RefCell::default(), RefCell::default()];
        let (value, derivative) = f_jac(1.5, &generated, is_there);
        assert_eq!(value, f(1.5, &own, is_there));
        assert_eq!(derivative, if is_there { [18.0 * 1.5 * 1.5] } else { [2.0 * 1.5 + 1.0] });
        assert_eq!(own, generated);
        assert_eq!(own.take(), expected.into_iter().filter(|&what| what > 0).collect::<Vec<_>>());
    }
}
