//! Calls of functions that give a `Result`, of which only the value in the `Ok` is asked.

#![allow(
    clippy::question_mark,
    clippy::unnecessary_lazy_evaluations,
    clippy::redundant_closure,
    reason = "that it is written so is what is tested"
)]

use std::cell::Cell;

use jacobian::jacobian;

use crate::differences;

thread_local! {
    static MADE: Cell<usize> = const { Cell::new(0) };
}

fn note() {
    MADE.with(|made| made.set(made.get() + 1));
}

#[jacobian]
mod roots {
    use super::note;

    #[derive(Debug, Clone, PartialEq)]
    pub enum Error {
        Negative,
        Large(f64),
        Said(String),
    }

    fn noted(error: Error) -> Error {
        note();
        error
    }

    fn root(x: f64) -> Result<f64, Error> {
        if x < 0.0 {
            return Err(Error::Negative);
        }
        if x > 4.0 { Err(Error::Large(x)) } else { Ok(x.sqrt()) }
    }

    fn said(x: f64) -> Result<f64, String> {
        if x < 0.0 { Err(format!("{x} is negative")) } else { Ok(x * x) }
    }

    fn converted(x: f64) -> Result<f64, String> {
        if x < 0.0 {
            return Err("negative".into());
        }
        Ok(x * x)
    }

    fn chained(x: f64, y: f64) -> Result<[f64; 2], Error> {
        let a = root(x)?;
        let b = root(y * x)?;
        Ok([a * b, a])
    }

    fn logarithm(x: f64) -> Result<f64, Error> {
        let inside = (x > 0.5).then(|| x.ln());
        let value = inside.ok_or(Error::Negative)?;
        Ok(value * x)
    }

    fn of_twice(x: f64) -> Result<f64, Error> {
        root(x * 2.0)
    }

    fn square(x: f64) -> Option<f64> {
        if x > 0.3 { Some(x * x) } else { None }
    }

    fn lazy(x: f64) -> Result<f64, Error> {
        square(x).ok_or_else(|| noted(Error::Negative))
    }

    fn eager(x: f64) -> Result<f64, Error> {
        square(x).ok_or(noted(Error::Negative))
    }

    fn parsed(x: f64, text: &str) -> Result<f64, std::num::ParseFloatError> {
        let k: f64 = text.parse::<f64>()?;
        Ok(k * x)
    }

    fn refused(x: f64) -> Result<f64, Error> {
        if x > 0.4 { Err(noted(Error::Said("large".to_string()))) } else { Ok(x) }
    }

    fn passed_on(x: f64) -> Result<f64, Error> {
        let v = match root(x) {
            Ok(v) => v,
            Err(error) => return Err(error),
        };
        match of_twice(v) {
            Ok(w) => Ok(v * w),
            Err(error) => Err(error),
        }
    }

    pub struct Limit {
        pub k: f64,
        pub name: String,
    }

    impl Limit {
        fn within(&self, x: f64) -> Result<f64, Error> {
            if x > self.k { Err(Error::Large(self.k)) } else { Ok(x * self.k) }
        }

        #[jacobian(wrt(x, y))]
        pub fn left(&self, x: f64, y: f64) -> Result<f64, Error> {
            Ok(self.within(x)? * y)
        }
    }

    #[jacobian]
    pub fn matched(x: f64, y: f64) -> f64 {
        let first = match root(x) {
            Ok(v) => v * y,
            Err(_) => x,
        };
        let pair = match chained(x, y) {
            Ok([a, b]) => a * b,
            Err(..) => 0.0,
        };
        first + pair + if let Ok(v) = root(x * y) { v } else { y * y }
    }

    #[jacobian]
    pub fn or_left(x: f64, y: f64) -> f64 {
        let Ok(v) = said(x - y) else { return x };
        v * y
    }

    #[jacobian]
    pub fn or_otherwise(x: f64, y: f64) -> f64 {
        root(x).unwrap_or(0.25) * converted(y - 0.5).unwrap_or(x)
            + logarithm(x).unwrap_or_default()
            + of_twice(x).unwrap_or_else(|_| y)
            + root(x).map(|v| v * y).unwrap_or(y)
            + root(x).ok().map_or(y, |v| v * y)
            + passed_on(x).map_or(0.0, |v| v * x)
            + if root(y).is_ok() { x } else { y }
    }

    #[jacobian]
    pub fn with_effects(x: f64, y: f64) -> f64 {
        lazy(y).unwrap_or(x)
            + lazy(x * y).map_or(0.0, |v| v * x)
            + eager(y).unwrap_or(0.5)
            + refused(x).unwrap_or(y)
            + refused(y).ok().unwrap_or(x)
    }

    #[jacobian]
    pub fn of_text(x: f64, y: f64, text: &str) -> f64 {
        match parsed(x, text) {
            Ok(v) if v > 1.0 => v * y,
            Ok(v) => v,
            Err(_) => y,
        }
    }

    fn half(x: f64) -> Result<f64, Error> {
        if x < 0.1 {
            return Err(Error::Negative);
        }
        Ok(0.5)
    }

    fn count(x: f64, n: usize) -> Result<f64, Error> {
        if x < 0.1 {
            return Err(Error::Large(x));
        }
        Ok(n as f64)
    }

    #[jacobian(wrt(x, y))]
    pub fn of_passive_values(x: f64, y: f64, n: usize) -> f64 {
        let first = match half(y) {
            Ok(v) => v * x,
            Err(_) => y,
        };
        let second = if let Ok(v) = count(y, n) { v * x } else { y };
        half(x).unwrap_or(x) * y
            + first
            + second
            + if half(x).is_ok() { x } else { y }
            + count(x, n).ok().map_or(y, |v| v * v * x)
    }

    #[jacobian(wrt(x, y))]
    pub fn of_passive(x: f64, y: f64, t: f64) -> f64 {
        root(t).unwrap_or_else(|_| x) * y + root(t).unwrap_or(y)
    }

    #[jacobian]
    pub fn in_loops(x: f64, y: f64, n: usize, limit: &Limit) -> f64 {
        let mut sum = [x, y].iter().filter_map(|&v| root(v).ok()).sum::<f64>();
        for v in [x, y, x * y] {
            match limit.within(v) {
                Ok(w) => sum += w,
                Err(_) => continue,
            }
        }
        for i in 0..n {
            if let Ok(v) = root(sum - i as f64) {
                sum += v * y;
            }
        }
        sum
    }

    #[jacobian]
    pub fn fails(x: f64, y: f64) -> Result<f64, Error> {
        let a = root(x)?;
        let b = root(y).unwrap_or(a);
        if root(x * y).is_err() {
            return Err(Error::Negative);
        }
        match passed_on(b) {
            Ok(c) => Ok(a * b * c),
            Err(error) => Err(error),
        }
    }
}

#[jacobian]
mod conversions {
    use super::note;

    #[derive(Debug)]
    pub struct Low;

    #[derive(Debug)]
    #[allow(dead_code, reason = "nothing reads what it holds")]
    pub enum Top {
        Low(Low),
        Said(String),
    }

    impl From<Low> for Top {
        fn from(low: Low) -> Top {
            Top::Low(low)
        }
    }

    impl From<String> for Top {
        fn from(text: String) -> Top {
            Top::Said(text)
        }
    }

    fn noted(low: Low) -> Low {
        note();
        low
    }

    fn low(x: f64) -> Result<f64, Low> {
        if x > 0.4 { Err(Low) } else { Ok(x * x) }
    }

    fn said(x: f64) -> Result<f64, String> {
        if x < 0.0 { Err(format!("{x}")) } else { Ok(x) }
    }

    fn converted(x: f64) -> Result<f64, Top> {
        let v = low(x)? + said(x)?;
        Ok(v * 2.0)
    }

    fn from_options(x: f64) -> Result<f64, Top> {
        Ok((x > 0.0).then(|| x * 3.0).ok_or(Low)? + (x < 2.0).then(|| x).ok_or_else(|| noted(Low))?)
    }

    fn mapped(x: f64) -> Result<f64, Top> {
        let v = low(x).map_err(|_| noted(Low))?;
        let w = low(v).map_err(|error| Top::Low(error))?;
        let u = low(w).map_err(Top::Low)?;
        Ok(u * v)
    }

    fn at_the_end(x: f64) -> Result<f64, Top> {
        low(x).map_err(|_| Top::Low(noted(Low)))
    }

    #[jacobian]
    pub fn sum(x: f64, y: f64) -> f64 {
        let converted = converted(x).unwrap_or(y) * converted(y).ok().unwrap_or(x);
        let last = match mapped(y) {
            Ok(v) => v,
            Err(_) => x,
        };
        converted
            + from_options(x).unwrap_or(y)
            + from_options(y).unwrap_or(2.0)
            + mapped(x).unwrap_or(y)
            + at_the_end(y).unwrap_or(x)
            + last
    }
}

const POINTS: [[f64; 2]; 6] = [[0.7, 0.41], [-0.3, 0.2], [5.1, 0.35], [0.2, -3.0], [0.35, 6.2], [3.1, 1.1]];

#[test]
fn results_are_asked_for_their_values() {
    use roots::*;
    let limit = Limit { k: 0.6, name: String::new() };
    assert!(limit.name.is_empty());
    for at in POINTS {
        differences(|[x, y]| matched(x, y), |[x, y]| matched_jac(x, y), at);
        differences(|[x, y]| or_left(x, y), |[x, y]| or_left_jac(x, y), at);
        differences(|[x, y]| or_otherwise(x, y), |[x, y]| or_otherwise_jac(x, y), at);
        differences(|[x, y]| with_effects(x, y), |[x, y]| with_effects_jac(x, y), at);
        for text in ["0.5", "2.5", "none"] {
            differences(|[x, y]| of_text(x, y, text), |[x, y]| of_text_jac(x, y, text), at);
        }
        for t in [-1.0, 2.0] {
            differences(|[x, y]| of_passive(x, y, t), |[x, y]| of_passive_jac(x, y, t), at);
        }
        for n in 0..3 {
            differences(|[x, y]| of_passive_values(x, y, n), |[x, y]| of_passive_values_jac(x, y, n), at);
            differences(|[x, y]| in_loops(x, y, n, &limit), |[x, y]| in_loops_jac(x, y, n, &limit), at);
        }
        differences(|[x, y]| conversions::sum(x, y), |[x, y]| conversions::sum_jac(x, y), at);
        let [x, y] = at;
        assert_eq!(fails_jac(x, y).map(|(value, _)| value), fails(x, y));
        assert_eq!(limit.left_jac(x, y).map(|(value, _)| value), limit.left(x, y));
    }
    let (x, y) = (1.1, 0.7);
    let difference = |h: [f64; 2]| (fails(x + h[0], y + h[1]).unwrap() - fails(x - h[0], y - h[1]).unwrap()) / 2e-6;
    let (_, gradient) = fails_jac(x, y).unwrap();
    for (exact, close) in gradient.iter().zip([difference([1e-6, 0.0]), difference([0.0, 1e-6])]) {
        assert!((exact - close).abs() < 1e-8, "{exact} and {close}");
    }
}

#[test]
fn errors_are_made_as_often_as_they_are() {
    for [x, y] in POINTS {
        let count = |call: &dyn Fn() -> f64| {
            MADE.with(|made| made.set(0));
            (call().to_bits(), MADE.with(Cell::get))
        };
        let own = count(&|| roots::with_effects(x, y));
        assert_eq!(own, count(&|| roots::with_effects_jac(x, y).0), "at {x}, {y}");
        assert!(own.1 > 0);
        let own = count(&|| conversions::sum(x, y));
        assert_eq!(own, count(&|| conversions::sum_jac(x, y).0), "at {x}, {y}");
    }
}

// What is in the `Ok` of something passive has a type of the module.
#[jacobian]
mod laws {
    pub struct Law {
        pub k: f64,
    }

    impl Law {
        pub fn parse(n: i32) -> Result<Law, String> {
            if n > 0 { Ok(Law { k: n as f64 }) } else { Err(format!("{n} is no law")) }
        }

        fn of(&self, x: f64) -> f64 {
            self.k * x * x
        }
    }

    #[jacobian(wrt(x))]
    pub fn passed_on(x: f64, n: i32) -> Result<f64, String> {
        let law = Law::parse(n)?;
        Ok(law.of(x) + Law::parse(n + 1).map_err(|error| error + "!")?.of(x))
    }

    #[jacobian(wrt(x))]
    pub fn asked(x: f64, n: i32, known: &Result<Law, String>) -> f64 {
        let first = match Law::parse(n) {
            Ok(law) => law.of(x),
            Err(_) => x,
        };
        let second = if let Ok(law) = known { law.of(x * x) } else { 1.0 };
        let Ok(law) = Law::parse(n) else { return first + second };
        first * second * law.of(x) + Law::parse(1).unwrap().of(x) + Law::parse(2).expect("there is one").of(x)
    }

    #[jacobian(wrt(x))]
    pub fn optional(x: f64, n: i32, laws: &[Option<Law>]) -> Option<f64> {
        let mut sum = Law::parse(n).ok()?.of(x);
        for law in laws.iter().flatten() {
            sum += law.of(x);
        }
        Some(sum)
    }
}

#[test]
fn passive_results_of_structs() {
    use laws::*;
    for n in 0..3 {
        assert_eq!(passed_on_jac(0.7, n).map(|(value, _)| value), passed_on(0.7, n));
        let value = |[x]: [f64; 1]| passed_on(x, n).unwrap_or(0.0);
        differences(value, |[x]| passed_on_jac(x, n).unwrap_or((0.0, [0.0])), [0.7]);
        for known in [Ok(Law { k: 0.5 }), Err(String::new())] {
            differences(|[x]| asked(x, n, &known), |[x]| asked_jac(x, n, &known), [0.7]);
        }
        let laws = [None, Some(Law { k: 0.25 }), Some(Law { k: 2.0 })];
        let value = |[x]: [f64; 1]| optional(x, n, &laws).unwrap_or(0.0);
        differences(value, |[x]| optional_jac(x, n, &laws).unwrap_or((0.0, [0.0])), [0.7]);
    }
}
