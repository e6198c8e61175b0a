//! Functions that give an `Option` or a `Result` of floats: what the generated ones give is in the `Some` or the `Ok`.

use approx::{abs_diff_eq, assert_abs_diff_eq};
use std::cell::RefCell;
use std::fmt::Debug;

use jacobian::jacobian;

use crate::{check, differences};

/// What calls note.
#[derive(Default)]
struct Log(RefCell<Vec<usize>>);

impl Log {
    fn note(&self, number: usize) -> usize {
        self.0.borrow_mut().push(number);
        number
    }
}

#[jacobian(
    wrt(x),
    forms(jac, jac_into, jac_only, jac_only_into, jvp, vjp, hess, hess_into, hvp, lin, normal, jac_sparse)
)]
#[allow(clippy::too_many_arguments)]
fn scaled(x: [f64; 3], k: usize, table: &[f64], log: &Log) -> Option<[f64; 3]> {
    if log.note(k) > 5 {
        return None;
    }
    let t = table.get(log.note(k + 10) - 10)?;
    let n = x[0].hypot(x[1]);
    log.note(20);
    if n < 1e-3 { None } else { Some(x.map(|v| v * t / n)) }
}

#[test]
#[allow(clippy::needless_range_loop)]
fn all_forms() {
    let (table, log) = ([1.0, 2.0], Log::default());
    let x = [3.0, 4.0, 1.0];
    let f = |x: [f64; 3]| scaled(x, 1, &table, &log).expect("it is there");
    differences(f, |x| scaled_jac(x, 1, &table, &log).expect("it is there"), x);
    let (value, jacobian) = scaled_jac(x, 1, &table, &log).expect("it is there");
    assert_eq!(scaled_jac_only(x, 1, &table, &log), Some(jacobian));
    let direction = [0.3, -0.2, 0.7];
    let along = jacobian.map(|row| row.iter().zip(direction).map(|(a, b)| a * b).sum::<f64>());
    check(value, scaled_jvp(x, 1, &table, &log, &direction).expect("it is there"), &along);
    let row = |i: usize| [0, 1, 2].map(|k| f64::from(u8::from(i == k)));
    for i in 0..3 {
        check(value, scaled_vjp(x, 1, &table, &log, &row(i)).expect("it is there"), &jacobian[i]);
        let (_, gradient, hessian) = scaled_hess(x, 1, &table, &log, &row(i)).expect("it is there");
        check(value, (value, gradient), &jacobian[i]);
        let (_, _, product) = scaled_hvp(x, 1, &table, &log, &row(i), &direction).expect("it is there");
        let expected = hessian.map(|row| row.iter().zip(direction).map(|(a, b)| a * b).sum::<f64>());
        check(value, (value, product), &expected);
    }
    let (own, labels) = scaled_lin(x, 1, &table, &log).expect("it is there");
    check(value, (own, scaled_lin_jvp(&labels, &direction)), &along);
    let (own, gradient, _) = scaled_normal(x, 1, &table, &log).expect("it is there");
    let expected = [0, 1, 2].map(|k| (0..3).map(|i| jacobian[i][k] * value[i]).sum::<f64>());
    check(value, (own, gradient), &expected);
    let (_, entries) = scaled_jac_sparse(x, 1, &table, &log).expect("it is there");
    assert_eq!(scaled_jac_pattern().1.len(), entries.len());
    let (mut own, mut into) = ([7.0; 3], [[7.0; 3]; 3]);
    assert_eq!(scaled_jac_into(x, 9, &table, &log, &mut own, &mut into), None);
    assert_eq!((own, into), ([7.0; 3], [[7.0; 3]; 3]));
    assert_eq!(scaled_jac_into(x, 1, &table, &log, &mut own, &mut into), Some(()));
    assert_eq!((own, into), (value, jacobian));
    let mut only = [[7.0; 3]; 3];
    assert_eq!(scaled_jac_only_into(x, 1, &table, &log, &mut only), Some(()));
    assert_eq!(only, jacobian);
}

#[test]
fn none_comes_in_its_turn() {
    let table = [1.0, 2.0];
    for (x, k) in [([3.0, 4.0, 1.0], 1), ([3.0, 4.0, 1.0], 2), ([3.0, 4.0, 1.0], 7), ([0.0, 0.0, 1.0], 1)] {
        let log = Log::default();
        let own = scaled(x, k, &table, &log).is_some();
        let expected = log.0.take();
        assert_eq!(scaled_jac(x, k, &table, &log).is_some(), own);
        assert_eq!(log.0.take(), expected);
        assert_eq!(scaled_jac_only(x, k, &table, &log).is_some(), own);
        assert_eq!(log.0.take(), expected);
        assert_eq!(scaled_hess(x, k, &table, &log, &[1.0; 3]).is_some(), own);
        assert_eq!(log.0.take(), expected);
        assert_eq!(scaled_vjp(x, k, &table, &log, &[1.0; 3]).is_some(), own);
        assert_eq!(log.0.take(), expected);
        assert_eq!(scaled_lin(x, k, &table, &log).is_some(), own);
        assert_eq!(log.0.take(), expected);
    }
}

#[derive(Debug, PartialEq)]
enum Failure {
    Small(f64),
    Text(String),
    Bad(std::num::ParseIntError),
}

impl From<std::num::ParseIntError> for Failure {
    fn from(error: std::num::ParseIntError) -> Self {
        Failure::Bad(error)
    }
}

/// Errors of all kinds, in loops and in arms, with conversions.
#[test]
#[allow(clippy::needless_return)]
fn errors() {
    type Result<T> = std::result::Result<T, Failure>;

    #[jacobian(wrt(x), forms(jac, vjp, hess))]
    fn f(x: f64, text: &str, data: &[f64]) -> Result<f64> {
        let n: i32 = text.parse()?;
        let mut s = x;
        for d in data {
            if s < -1.0 {
                return Err(Failure::Small(s * 2.0));
            }
            s = s * d - 1.0;
            let Some(q) = data.get(n as usize) else {
                return Err(Failure::Text(format!("{s:.3} {n} {:?}", x)));
            };
            s += q * x;
        }
        for d in data {
            if *d > 100.0 {
                return Err(Failure::Text("big".to_string()));
            }
        }
        match n {
            0 => Err(Failure::Text("zero".into())),
            1 if data.is_empty() => return Ok(x),
            _ => Ok(s.powi(n)),
        }
    }
    let cases: [(f64, &str, &[f64]); 9] = [
        (1.0, "2", &[1.0, 2.0, 3.0]),
        (1.0, "x", &[]),
        (1.0, "0", &[]),
        (1.0, "1", &[]),
        (1.0, "3", &[2.0]),
        (-0.1, "1", &[0.5, -2.0, 3.0]),
        (-3.0, "1", &[0.5, -2.0, 3.0]),
        (1.0, "1", &[200.0, 1.0]),
        (f64::NAN, "1", &[2.0, 1.0]),
    ];
    let mut good = 0;
    for (x, text, data) in cases {
        let own = f(x, text, data);
        let jacobian = f_jac(x, text, data);
        match (own, jacobian) {
            (Ok(value), Ok((own, [d]))) => {
                good += 1;
                assert_eq!(value.to_bits(), own.to_bits());
                let (_, [by_reverse]) = f_vjp(x, text, data, 1.0).expect("it is there");
                assert!(d.to_bits() == by_reverse.to_bits() || abs_diff_eq!(d, by_reverse, epsilon = 1e-9));
                if x.is_nan() {
                    continue;
                }
                let at = |x: f64| f(x, text, data).expect("it is there");
                let difference = (at(x + 1e-6) - at(x - 1e-6)) / 2e-6;
                assert_abs_diff_eq!(d, difference, epsilon = 1e-6 * d.abs().max(1.0));
            }
            (Err(own), Err(error)) => assert_eq!(own, error),
            (own, jacobian) => panic!("{own:?} {jacobian:?}"),
        }
    }
    assert_eq!(good, 4);
}

/// What would panic after it does not, and what panics before it does.
#[test]
fn panics_around_it() {
    #[jacobian]
    fn f(x: f64, lo: f64, hi: f64) -> Option<f64> {
        assert!(!x.is_nan(), "{x}");
        if lo > hi {
            return None;
        }
        let y = x.clamp(lo, hi);
        assert!(y < 9.0, "{y}");
        if y < 0.0 { None } else { Some(y * hi) }
    }
    differences(|[x, y, z]| f(x, y, z).unwrap(), |[x, y, z]| f_jac(x, y, z).unwrap(), [0.5, 0.1, 0.9]);
    for (x, lo, hi) in [(0.5, 1.0, 0.0), (f64::NAN, 1.0, 0.0), (9.5, 0.0, 9.5), (9.5, 10.0, 9.5), (-1.0, -2.0, 1.0)] {
        let own = crate::panics::panic_of(move || assert!(f(x, lo, hi).is_none(), "it is there"));
        assert_eq!(crate::panics::panic_of(move || assert!(f_jac(x, lo, hi).is_none(), "it is there")), own);
    }
    let own = crate::panics::panic_of(|| f(0.5, 0.1, f64::NAN));
    assert!(!own.is_empty());
    assert_eq!(crate::panics::panic_of(|| f_jac(0.5, 0.1, f64::NAN)), own);
}

/// The same result of a function and of its Jacobian, where there is none; the derivatives, where there is one.
#[track_caller]
fn both<E: PartialEq + Debug>(
    f: impl Fn(f64) -> Result<f64, E>,
    jac: impl Fn(f64) -> Result<(f64, [f64; 1]), E>,
    x: f64,
) {
    match (f(x), jac(x)) {
        (Ok(_), Ok(_)) => {
            differences(|[x]| f(x).expect("it is there"), |[x]| jac(x).expect("it is there"), [x]);
        }
        (Err(own), Err(error)) => assert_eq!(own, error),
        (own, jacobian) => panic!("{own:?} {jacobian:?}"),
    }
}

#[test]
fn ways_to_write_it() {
    #[jacobian(wrt(x))]
    fn mapped(x: f64, p: Option<f64>) -> Option<f64> {
        p.map(|p| p * x * x)
    }

    #[jacobian]
    fn guarded(x: f64) -> Option<f64> {
        (x > 0.0).then(|| x.ln())
    }

    #[jacobian(wrt(x))]
    fn chained(x: f64, p: Option<f64>) -> Option<f64> {
        p.and_then(|p| if p > x { Some(p * x) } else { None })
    }

    #[jacobian(wrt(x))]
    fn nested(x: f64, n: usize, p: Result<f64, i8>) -> std::result::Result<f64, i8> {
        let y = if x > 2.0 {
            x * x
        } else if n == 1 {
            return Ok(1.0);
        } else if n == 2 {
            return p;
        } else {
            return Err(n as i8);
        };
        let z = match n {
            0 => y,
            1 => p? * y,
            k => {
                let s: f64 = p.map_err(|e| e + k as i8)?;
                s + y
            }
        };
        if z > 50.0 {
            return if n > 1 { Err(-1) } else { Ok(z.sqrt()) };
        }
        Result::Ok(z.sin())
    }

    #[jacobian(wrt(x))]
    fn only_passive(x: f64, p: Option<f64>) -> Option<f64> {
        let _ = x;
        p
    }

    let ok = |value: Option<f64>| value.ok_or(());
    for p in [None, Some(2.0), Some(5.0)] {
        both(|x| ok(mapped(x, p)), |x| mapped_jac(x, p).ok_or(()), 3.0);
        both(|x| ok(chained(x, p)), |x| chained_jac(x, p).ok_or(()), 3.0);
        both(|x| ok(only_passive(x, p)), |x| only_passive_jac(x, p).ok_or(()), 3.0);
    }
    for x in [-1.0, 0.5] {
        both(|x| ok(guarded(x)), |x| guarded_jac(x).ok_or(()), x);
    }
    for x in [1.0, 2.5, 9.0] {
        for n in 0..4 {
            for p in [Ok(3.0), Err(4)] {
                both(|x| nested(x, n, p), |x| nested_jac(x, n, p), x);
            }
        }
    }
}

/// A loop that is unrolled, one of the run time, and one that is kept, each of which may end the function.
#[test]
#[allow(clippy::needless_range_loop)]
fn loops() {
    #[jacobian(wrt(x), forms(jac, hess))]
    fn f(x: [f64; 3], n: usize, data: &[f64]) -> Option<f64> {
        let mut s = 1.0;
        for (i, v) in x.iter().enumerate() {
            if *v < 0.0 {
                return None;
            }
            s += v * i as f64;
        }
        for i in 0..n {
            s = s * x[0] + *data.get(i)?;
            if s > 1e3 {
                return None;
            }
        }
        let mut total = 0.0;
        for d in data {
            if *d > 50.0 {
                return None;
            }
            total += d;
        }
        while s > 2.0 {
            s *= 0.5;
        }
        Some(s * total + x[2])
    }
    let data = [0.5, 1.5, 2.5];
    let value = |x| f(x, 3, &data).expect("it is there");
    differences(value, |x| f_jac(x, 3, &data).expect("it is there"), [1.1, 0.4, 0.8]);
    for (x, n, data) in [
        ([1.1, -0.4, 0.8], 3, [0.5, 1.5, 2.5]),
        ([1.1, 0.4, 0.8], 4, [0.5, 1.5, 2.5]),
        ([11.1, 0.4, 0.8], 3, [0.5, 1.5, 2.5]),
        ([1.1, 0.4, 0.8], 1, [0.5, 1.5, 52.5]),
    ] {
        assert_eq!((f(x, n, &data), f_jac(x, n, &data), f_hess(x, n, &data)), (None, None, None));
    }
    let (own, gradient, hessian) = f_hess([1.1, 0.4, 0.8], 3, &data).expect("it is there");
    assert_eq!((own, gradient), f_jac([1.1, 0.4, 0.8], 3, &data).expect("it is there"));
    let at = |x: f64| f_jac([x, 0.4, 0.8], 3, &data).expect("it is there").1;
    for row in 0..3 {
        let difference = (at(1.1 + 1e-6)[row] - at(1.1 - 1e-6)[row]) / 2e-6;
        assert_abs_diff_eq!(hessian[row][0], difference, epsilon = 1e-6);
    }
}

#[jacobian]
mod helpers {
    fn root(x: f64) -> Option<f64> {
        if x > 0.0 { Some(x.sqrt()) } else { None }
    }

    fn twice(x: f64) -> Option<f64> {
        let y = root(x)?;
        Some(root(y - 1.0)? * 2.0)
    }

    #[jacobian]
    pub fn pair(x: f64, y: f64) -> Option<(f64, [f64; 2])> {
        fn positive(x: f64) -> Option<f64> {
            match x > 0.0 {
                true => Some(x),
                false => None,
            }
        }
        let a = root(x)? + twice(y)? * root(4.0)?;
        let _ = positive(1.0)?;
        Some((a * positive(root(x)?)?, [x, root(x * y)?]))
    }

    fn checked(x: f64, limit: f64) -> Result<f64, String> {
        if x > limit {
            return Err(format!("{x} is more than {limit}"));
        }
        Ok(x * x)
    }

    #[jacobian]
    pub fn sum(x: f64, y: f64) -> Result<f64, String> {
        let s = checked(x, 3.0)? + checked(y, 4.0)? * checked(1.0, 2.0)?;
        checked(s, 20.0)
    }
}

#[test]
fn helpers_that_are_inlined() {
    use helpers::{pair, pair_jac, sum, sum_jac};
    differences(|[x, y]| pair(x, y).expect("it is there"), |[x, y]| pair_jac(x, y).expect("it is there"), [3.0, 4.0]);
    differences(|[x, y]| sum(x, y).expect("it is there"), |[x, y]| sum_jac(x, y).expect("it is there"), [1.5, 1.7]);
    for (x, y) in [(-1.0, 4.0), (1.0, 0.5), (1.0, -4.0), (3.5, 1.0), (1.0, 4.5), (2.9, 3.9), (2.5, 1.0)] {
        assert_eq!(pair(x, y).is_none(), pair_jac(x, y).is_none());
        assert_eq!(sum(x, y).err(), sum_jac(x, y).err());
    }
}

#[test]
fn other_floats() {
    use nalgebra::Vector2;
    use num_traits::Float;

    #[jacobian]
    fn single(x: [f32; 2]) -> Option<f32> {
        (x[0] > 0.0).then(|| x[0] * x[1])
    }

    #[jacobian]
    fn any<T: Float>(x: T, y: T) -> Result<[T; 2], &'static str> {
        if y == T::zero() {
            return Err("no quotient");
        }
        Ok([x / y, x * y])
    }

    #[jacobian]
    fn unit(v: Vector2<f64>) -> Option<Vector2<f64>> {
        let n = v.norm();
        if n == 0.0 { None } else { Some(v / n) }
    }

    struct Spring {
        k: Option<f64>,
    }

    impl Spring {
        #[jacobian]
        const fn energy(&self, x: f64) -> Option<f64> {
            match self.k {
                Some(k) => Some(0.5 * k * x * x),
                None => None,
            }
        }
    }
    check(single([2.0, 3.0]).unwrap(), single_jac([2.0, 3.0]).unwrap(), &[3.0, 2.0]);
    assert_eq!(single_jac([-2.0, 3.0]), None);
    differences(|[x, y]| any(x, y).unwrap(), |[x, y]| any_jac(x, y).unwrap(), [2.0, 3.0]);
    assert_eq!(any_jac(2.0f32, 0.0), Err("no quotient"));
    let (value, jacobian) = unit_jac(Vector2::new(3.0, 4.0)).unwrap();
    assert_eq!(value, unit(Vector2::new(3.0, 4.0)).unwrap());
    check(0.0, (0.0, jacobian), &[0.128, -0.096, -0.096, 0.072]);
    assert_eq!(unit_jac(Vector2::zeros()), None);
    check(Spring { k: Some(2.0) }.energy(3.0).unwrap(), Spring { k: Some(2.0) }.energy_jac(3.0).unwrap(), &[6.0]);
    assert_eq!(Spring { k: None }.energy_jac(3.0), None);
}

/// What `then_some` gives is evaluated in any case, after the condition.
#[test]
fn given_by_then_some() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], table: &[f64], k: usize) -> Option<f64> {
        (x[0] < x[1]).then_some(x[0] * x[1] * table[k])
    }
    assert_eq!(f([1.0, 2.0], &[3.0], 0), f_jac([1.0, 2.0], &[3.0], 0).map(|(value, _)| value));
    assert_eq!(f_jac([1.0, 2.0], &[3.0], 0), Some((6.0, [6.0, 3.0])));
    assert_eq!(f_jac([2.0, 1.0], &[3.0], 0), None);
    assert!(std::panic::catch_unwind(|| f([2.0, 1.0], &[3.0], 1)).is_err());
    assert!(std::panic::catch_unwind(|| f_jac([2.0, 1.0], &[3.0], 1)).is_err());
}

#[test]
fn a_loop_that_only_returns_leave() {
    #[jacobian]
    fn root(x: f64) -> Option<f64> {
        let (mut y, mut n) = (x, 0);
        loop {
            let step = (y * y - 2.0) / (2.0 * y);
            y -= step;
            n += 1;
            if step.abs() < 1e-3 * x {
                return Some(y * x);
            }
            if n >= 3 {
                return None;
            }
        }
    }

    #[jacobian]
    fn counted(x: f64) -> Result<f64, String> {
        let (mut y, mut n) = (x, 0);
        loop {
            y *= x;
            n += 1;
            if n >= 5 {
                return Err(format!("{n} steps"));
            } else if y > 4.0 {
                return Ok(y);
            }
        }
    }
    for x in [0.1, 1.3, 1.5, 2.0] {
        assert_eq!(root_jac(x).map(|(value, _)| value.to_bits()), root(x).map(f64::to_bits));
        let value = counted_jac(x).map(|(value, _)| value.to_bits());
        assert_eq!(value, counted(x).map(f64::to_bits));
    }
    let Ok((_, [derivative])) = counted_jac(1.5) else { panic!("1.5 to the fourth is more than 4") };
    approx::assert_relative_eq!(derivative, 4.0 * 1.5_f64.powi(3), max_relative = 1e-14);
}

/// What takes a value out of the `Result` of a function that is inlined: an error is converted, or a panic.
#[jacobian]
mod other_errors {
    use std::num::ParseFloatError;

    #[derive(Debug, Clone, PartialEq)]
    pub enum Inner {
        Small(f64),
        Text(String),
    }

    #[derive(Debug, Clone, PartialEq)]
    pub enum Outer {
        Of(Inner),
        Large,
    }

    impl From<Inner> for Outer {
        fn from(inner: Inner) -> Outer {
            Outer::Of(inner)
        }
    }

    impl From<ParseFloatError> for Inner {
        fn from(error: ParseFloatError) -> Inner {
            Inner::Text(error.to_string())
        }
    }

    fn root(x: f64) -> Result<f64, Inner> {
        if x < 0.5 { Err(Inner::Small(x)) } else { Ok(x.sqrt()) }
    }

    fn scaled(x: f64, text: &str) -> Result<f64, Inner> {
        let factor: f64 = text.parse()?;
        Ok(factor * root(x)?)
    }

    pub struct Law {
        pub gain: f64,
    }

    impl Law {
        fn at(&self, x: f64) -> Result<f64, Inner> {
            Ok(self.gain * root(x)?)
        }
    }

    #[jacobian(wrt(x))]
    pub fn converted(x: f64, text: &str, n: usize) -> Result<f64, Outer> {
        let mut s = scaled(x, text)?;
        if s > 2.0 {
            return Err(Outer::Large);
        }
        for _ in 0..n {
            s = root(s)? * 0.9 + s * x;
        }
        Ok(s)
    }

    #[jacobian(wrt(x))]
    pub fn mapped(law: &Law, x: f64, text: &str) -> Result<f64, String> {
        let a = root(2.0 * x).map_err(|error| format!("{error:?}"))?;
        let b = law.at(x).map_err(|_| "a law".to_string())?;
        Ok(a * b + scaled(x, text).map_err(|error| format!("{error:?}"))?)
    }

    #[jacobian(wrt(x))]
    pub fn dropped(x: f64, text: &str) -> Option<f64> {
        Some(scaled(x, text).ok()? * root(x).ok()?)
    }

    #[jacobian(wrt(x))]
    pub fn unwrapped(law: &Law, x: f64, text: &str) -> f64 {
        scaled(x, text).expect("no scale") * law.at(x * x).unwrap()
    }

    fn checked(x: f64, text: &str) -> Result<f64, ParseFloatError> {
        Ok(text.parse::<f64>()? * x)
    }

    #[jacobian(wrt(x))]
    pub fn boxed(x: f64, text: &str) -> Result<f64, Box<dyn std::error::Error>> {
        Ok(checked(x, text)? * x)
    }

    /// With passive arguments alone, the functions are called.
    #[jacobian(wrt(x))]
    pub fn of_passive(x: f64, q: f64) -> Result<f64, Outer> {
        Ok(root(q)? * x + root(q + 0.1).map_err(Outer::from)? * root(q + 0.2).unwrap())
    }
}

#[test]
fn errors_are_converted_and_panics_are_kept() {
    use other_errors::*;
    use std::panic::catch_unwind;

    let law = Law { gain: 2.0 };
    let text = |why: Box<dyn std::any::Any + Send>| why.downcast_ref::<String>().cloned();
    for x in [0.2, 0.6, 0.75, 1.5, 9.0] {
        for text_of in ["1.5", "one"] {
            for n in 0..3 {
                let own = converted(x, text_of, n).map(f64::to_bits);
                assert_eq!(converted_jac(x, text_of, n).map(|(value, _)| value.to_bits()), own);
            }
            let own = mapped(&law, x, text_of).map(f64::to_bits);
            assert_eq!(mapped_jac(&law, x, text_of).map(|(value, _)| value.to_bits()), own);
            let own = boxed(x, text_of).map(f64::to_bits).map_err(|error| error.to_string());
            let generated = boxed_jac(x, text_of).map(|(value, _)| value.to_bits());
            assert_eq!(generated.map_err(|error| error.to_string()), own);
            let own = dropped(x, text_of).map(f64::to_bits);
            assert_eq!(dropped_jac(x, text_of).map(|(value, _)| value.to_bits()), own);
            let own = catch_unwind(|| unwrapped(&law, x, text_of).to_bits()).map_err(text);
            assert_eq!(catch_unwind(|| unwrapped_jac(&law, x, text_of).0.to_bits()).map_err(text), own);
        }
        let own = of_passive(1.5, x - 0.1).map(f64::to_bits);
        assert_eq!(of_passive_jac(1.5, x - 0.1).map(|(value, _)| value.to_bits()), own);
    }
    differences(|[x]| mapped(&law, x, "1.5").unwrap(), |[x]| mapped_jac(&law, x, "1.5").unwrap(), [0.8]);
    differences(|[x]| unwrapped(&law, x, "1.5"), |[x]| unwrapped_jac(&law, x, "1.5"), [0.8]);
    differences(|[x]| converted(x, "1.5", 2).unwrap(), |[x]| converted_jac(x, "1.5", 2).unwrap(), [0.8]);
}

#[jacobian]
mod with_arguments {
    fn scaled<const M: usize>(x: f64) -> Result<f64, usize> {
        if x > 0.0 { Ok(x.sqrt() * M as f64) } else { Err(M) }
    }

    #[jacobian]
    pub fn tried(x: f64) -> Result<f64, usize> {
        Ok(scaled::<3>(x)? * scaled::<2>(x - 1.0)? + scaled::<4>(x + 5.0).unwrap())
    }

    #[jacobian]
    pub fn of_text(x: f64) -> Result<f64, String> {
        Ok(scaled::<3>(x).map_err(|m| format!("{m}"))? * x)
    }
}

#[test]
fn generic_functions_are_tried() {
    use with_arguments::*;
    differences(|[x]| tried(x).unwrap(), |[x]| tried_jac(x).unwrap(), [1.7]);
    assert_eq!(tried_jac(0.5), Err(2));
    assert_eq!(tried_jac(-0.5), Err(3));
    differences(|[x]| of_text(x).unwrap(), |[x]| of_text_jac(x).unwrap(), [1.7]);
    assert_eq!(of_text_jac(-0.5), Err("3".to_string()));
}

#[jacobian]
mod with_derivatives {
    pub fn limited(x: f64) -> Result<f64, String> {
        if x > 0.5 { Err("too large".to_string()) } else { Ok(x * x.sin()) }
    }

    #[jacobian(with(limited), forms(jac, vjp))]
    pub fn louder(x: f64, y: f64) -> Result<f64, String> {
        Ok(limited(x).map_err(|error| error + "!")? * y)
    }

    #[jacobian(with(limited))]
    pub fn counted(x: f64, y: f64) -> Result<f64, usize> {
        Ok(limited(x).map_err(|error| error.len())? * y)
    }

    #[jacobian(with(limited))]
    pub fn silent(x: f64, y: f64) -> Option<f64> {
        Some(limited(x).ok()? * y)
    }
}

#[test]
fn errors_of_called_functions_are_changed() {
    use with_derivatives::*;
    differences(|[x, y]| louder(x, y).unwrap(), |[x, y]| louder_jac(x, y).unwrap(), [0.3, 0.7]);
    differences(|[x, y]| counted(x, y).unwrap(), |[x, y]| counted_jac(x, y).unwrap(), [0.3, 0.7]);
    differences(|[x, y]| silent(x, y).unwrap(), |[x, y]| silent_jac(x, y).unwrap(), [0.3, 0.7]);
    assert_eq!(louder_jac(0.7, 1.0), Err("too large!".to_string()));
    assert_eq!(louder_vjp(0.7, 1.0, 1.0), Err("too large!".to_string()));
    assert_eq!(counted_jac(0.7, 1.0), Err(9));
    assert_eq!(silent_jac(0.7, 1.0), None);
}

#[jacobian]
mod with_errors {
    fn root(x: f64) -> Option<f64> {
        (x >= 0.0).then(|| x.sqrt())
    }

    fn chosen(x: f64, n: usize) -> Result<f64, String> {
        match n {
            0 => Err("zero".into()),
            1 => root(x).ok_or("one".into()),
            _ => root(x).ok_or_else(|| "more".into()),
        }
    }

    #[jacobian]
    pub fn at_the_end(x: f64) -> Result<f64, String> {
        root(x).ok_or_else(|| "negative".into())
    }

    #[jacobian]
    pub fn of_a_condition(x: f64) -> Result<f64, String> {
        (x > 0.0).then(|| x.ln()).ok_or_else(|| String::from("negative"))
    }

    #[jacobian(wrt(x))]
    pub fn of_passive(x: f64, table: &[f64], n: usize) -> Result<f64, String> {
        table.get(n).map(|v| v * x).ok_or("none".into())
    }

    #[jacobian]
    pub fn of_helpers(x: f64, n: usize) -> Result<f64, String> {
        let v = chosen(x, n)?;
        Ok(v * chosen(x * x, n).unwrap_or(x))
    }
}

#[test]
fn errors_at_the_end_are_of_the_type_of_the_function() {
    use with_errors::*;
    for x in [-0.5, 0.5, 1.5] {
        assert_eq!(at_the_end_jac(x).map(|(value, _)| value), at_the_end(x));
        assert_eq!(of_a_condition_jac(x).map(|(value, _)| value), of_a_condition(x));
        for n in 0..3 {
            assert_eq!(of_passive_jac(x, &[2.0, 3.0], n), of_passive(x, &[2.0, 3.0], n).map(|y| (y, [2.0 + n as f64])));
            assert_eq!(of_helpers_jac(x, n).map(|(value, _)| value), of_helpers(x, n));
        }
    }
    differences(|[x]| of_helpers(x, 2).unwrap(), |[x]| of_helpers_jac(x, 2).unwrap(), [0.5]);
}
