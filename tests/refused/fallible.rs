#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

#[jacobian]
fn with_an_output(x: f64, out: &mut f64) -> Option<f64> {
    *out = x * x;
    Some(x)
}

#[jacobian]
fn of_integers(x: f64) -> Option<usize> {
    Some(x as usize)
}

#[jacobian]
fn bound(x: f64) -> Result<f64, String> {
    let found = Ok(x * x);
    found
}

#[jacobian]
fn taken_apart(x: f64) -> Option<f64> {
    let y = Ok::<f64, String>(x).unwrap_or(0.0);
    Some(y)
}

#[jacobian(wrt(x))]
fn in_a_closure(x: f64, data: [Option<f64>; 2]) -> Option<f64> {
    let sum = |i: usize| -> Option<f64> { Some(data[i]? * x) };
    Some(sum(0)? * x)
}

#[jacobian(wrt(x))]
fn in_no_option(x: f64, k: Option<f64>) -> f64 {
    let twice = || Some(k? * 2.0);
    x * k?
}

#[jacobian]
mod helpers {
    fn root(x: f64) -> Option<f64> {
        if x > 0.0 { Some(x.sqrt()) } else { None }
    }

    fn checked(x: f64) -> Result<f64, String> {
        if x > 0.0 { Ok(x.sqrt()) } else { Err("negative".to_string()) }
    }

    #[jacobian]
    pub fn without_question_mark(x: f64) -> Option<f64> {
        let y = checked(x).unwrap_or_else(|error| error.len() as f64);
        Some(y)
    }

    #[jacobian]
    pub fn in_another(x: f64) -> f64 {
        match checked(x) {
            Ok(y) => y,
            Err(error) => error.len() as f64,
        }
    }

    fn only_sometimes(x: f64) -> Option<f64> {
        if x > 1.0 && root(x)? > 2.0 { Some(x) } else { None }
    }

    #[jacobian]
    pub fn tried_aside(x: f64) -> f64 {
        only_sometimes(x).unwrap_or(1.0)
    }

    #[jacobian]
    pub fn unknown_method(x: f64) -> f64 {
        root(x).xor(root(-x)).unwrap_or(x)
    }

    #[jacobian]
    pub fn range_of_floats(x: f64) -> f64 {
        match root(x) {
            Some(v) if v > 1.0 => v * v,
            Some(0.5..) => x * x,
            Some(_) | None => x,
        }
    }
}

#[jacobian]
mod conversions {
    pub struct Low;
    pub struct Top;

    impl From<Low> for Top {
        fn from(_: Low) -> Top {
            println!("converted");
            Top
        }
    }

    fn low(x: f64) -> Result<f64, Low> {
        if x > 0.0 { Ok(x.sqrt()) } else { Err(Low) }
    }

    fn converted(x: f64) -> Result<f64, Top> {
        Ok(low(x)? * x)
    }

    #[jacobian]
    pub fn with_effects(x: f64) -> f64 {
        converted(x).unwrap_or(0.0)
    }

    impl From<Low> for String {
        fn from(_: Low) -> String {
            panic!("converted")
        }
    }

    fn said(x: f64) -> Result<f64, String> {
        Ok(low(x)? * x)
    }

    #[jacobian]
    pub fn of_std(x: f64) -> f64 {
        if let Ok(v) = said(x) { v } else { x }
    }
}

#[jacobian]
fn never(x: f64) -> Option<f64> {
    None
}

fn main() {
    let _: Result<(f64, [f64; 1]), String> = bound_jac(1.0);
}
