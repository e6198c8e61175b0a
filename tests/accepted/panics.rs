//! Assertions and other macros that panic.

use jacobian::jacobian;

use crate::{check, differences};

/// What a call panics with; nothing if it does not.
pub fn panic_of<T>(call: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    let Err(panic) = std::panic::catch_unwind(call) else { return String::new() };
    match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => panic.downcast_ref::<&str>().unwrap_or(&"").to_string(),
    }
}

#[test]
fn assertions_about_passive_values() {
    #[jacobian]
    #[allow(clippy::bool_assert_comparison)]
    fn f(x: f64, n: usize, on: bool, list: &[u8]) -> f64 {
        assert!(n > 0);
        let n = n + 1;
        debug_assert!(on || n < 10, "{n} of {width:>3}, {{}}, {}, {n:?}, {COUNT}", list.len(), width = n + 1);
        std::assert_eq!(list.len(), n, "the list has {} and not {n} elements: {0:?}", list.len());
        assert_ne!(n, 7,);
        core::debug_assert_ne!(n, 8);
        debug_assert_eq!(on, true, "{on} {0:1$}", 5, n);
        x * n as f64
    }
    check(f(2.0, 1, true, &[1, 2]), f_jac(2.0, 1, true, &[1, 2]), &[2.0]);
    let own = panic_of(|| f_jac(2.0, 2, true, &[1]));
    assert_eq!(own, panic_of(|| f(2.0, 2, true, &[1])));
    assert!(own.contains("the list has 1 and not 3 elements: 1"), "{own}");
    // The types of numbers, which the generated code may write, are not in the text.
    let [own, user] = [panic_of(|| f_jac(2.0, 0, true, &[1])), panic_of(|| f(2.0, 0, true, &[1]))];
    assert_eq!(own.replace(' ', ""), user.replace(' ', ""));
}

const COUNT: usize = 3;

#[test]
fn assertions_about_active_values() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 3], limit: f64, names: &[&str]) -> f64 {
        let r = x[0].hypot(x[1]);
        assert!(r > limit, "{} is too near: {{{limit}}}", names[0]);
        debug_assert!(x[2] < 10.0 && !r.is_nan());
        let y = r.ln() * x[2];
        assert_ne!(y, x[2]);
        core::debug_assert_eq!(x[0], x[0] * 1.0, "{limit:.2}");
        for v in x {
            assert!(v < 100.0);
        }
        y
    }
    let names = ["the pole"];
    differences(|x| f(x, 0.1, &names), |x| f_jac(x, 0.1, &names), [0.3, 0.4, 0.7]);
    let fails = |x: [f64; 3]| {
        let own = panic_of(move || f_jac(x, 0.1, &["the pole"]));
        let user = panic_of(move || f(x, 0.1, &["the pole"]));
        assert_eq!(own.replace(' ', ""), user.replace(' ', ""));
        own
    };
    assert_eq!(fails([0.03, 0.04, 0.7]), "the pole is too near: {0.1}");
    assert_eq!(fails([0.3, 0.4, 10.5]), "assertion failed: x [2] < 10.0 && ! r.is_nan()");
    assert_eq!(fails([std::f64::consts::E, 0.0, 1.0]), "assertion `left != right` failed\n  left: 1.0\n right: 1.0");
    assert_eq!(fails([0.3, 100.0, 0.5]), "assertion failed: v < 100.0");
}

#[test]
fn arms_that_panic() {
    enum Law {
        Linear,
        Power(i32),
        Unknown,
    }

    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], law: &Law) -> f64 {
        let y = match law {
            Law::Linear => x[0],
            Law::Power(0) => panic!("the power {} is no law", 0),
            Law::Power(n) => x[0].powi(*n),
            Law::Unknown => unreachable!("a law is known"),
        };
        if x[1] < 0.0 {
            panic!();
        }
        let z = if x[1] > 2.0 { todo!() } else { x[1] * y };
        if z.is_nan() {
            unimplemented!("NaN");
        }
        z.sin()
    }
    for law in [Law::Linear, Law::Power(3)] {
        differences(|x| f(x, &law), |x| f_jac(x, &law), [0.7, 1.1]);
    }
    assert_eq!(panic_of(|| f_jac([0.7, 1.1], &Law::Power(0))), "the power 0 is no law");
    assert_eq!(
        panic_of(|| f_jac([0.7, 1.1], &Law::Unknown)),
        "internal error: entered unreachable code: a law is known"
    );
    assert_eq!(panic_of(|| f_jac([0.7, -1.1], &Law::Linear)), "explicit panic");
    assert_eq!(panic_of(|| f_jac([0.7, 2.5], &Law::Linear)), "not yet implemented");
    assert_eq!(panic_of(|| f_jac([f64::NAN, 1.0], &Law::Linear)), "not implemented: NaN");
}

#[test]
fn panics_that_are_known_not_to_be_reached() {
    #[jacobian]
    fn f(x: [f64; 3]) -> f64 {
        let mut y = 0.0;
        for (i, v) in x.iter().enumerate() {
            y += match i {
                0 => *v,
                1 | 2 => v * v,
                _ => unreachable!(),
            };
        }
        y
    }
    differences(f, f_jac, [0.7, 1.1, -0.3]);
}

#[test]
fn an_arm_all_of_whose_arms_panic() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let y = if x > 2.0 {
            if x > 3.0 { panic!("{n} is far too large") } else { panic!("{n} is too large") }
        } else {
            x * x
        };
        if y < 0.25 {
            match n {
                0 => panic!("nothing"),
                _ => unreachable!(),
            }
        }
        y * x
    }
    check(f(1.5, 1), f_jac(1.5, 1), &[6.75]);
    for (x, n) in [(2.5, 1), (3.5, 1), (0.1, 0), (0.1, 1)] {
        let own = panic_of(|| f_jac(x, n));
        assert!(!own.is_empty());
        assert_eq!(own, panic_of(|| f(x, n)));
    }
}

#[test]
fn let_else_that_panics() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: Option<f64>, m: Option<f64>) -> f64 {
        if x < 0.0 {
            return x;
        }
        let Some(n) = n else { panic!("there is no factor") };
        let mut y = x * n;
        for _ in 0..2 {
            let Some(m) = m else { unreachable!() };
            y *= m;
        }
        let scaled = |y: f64| {
            let Some(n) = m else { panic!("there is none") };
            y * n
        };
        scaled(y) + y
    }
    crate::check(f(2.0, Some(3.0), Some(5.0)), f_jac(2.0, Some(3.0), Some(5.0)), &[3.0 * 25.0 * 6.0]);
    crate::check(f(-2.0, None, None), f_jac(-2.0, None, None), &[1.0]);
    assert_eq!(panic_of(|| f_jac(2.0, None, None)), "there is no factor");
}
