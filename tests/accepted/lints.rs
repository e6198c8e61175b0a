//! Where the user's function has no warnings, the generated one has none.

use jacobian::jacobian;

use crate::check;

#[test]
fn what_is_not_used_on_purpose() {
    use std::fmt::Write;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let mut text = String::new();
        let _ = write!(text, "a");
        _ = write!(text, "b");
        let (_, k) = (write!(text, "d"), 2.0);
        x * text.len() as f64 * k
    }
    check(f(3.0), f_jac(3.0), &[6.0]);
}

#[test]
fn a_part_that_is_assigned() {
    #[jacobian(wrt(x))]
    fn f(x: f64, k: f64) -> f64 {
        let mut q = (1.0, x);
        q.0 = k;
        q.0 * q.1
    }
    check(f(3.0, 2.5), f_jac(3.0, 2.5), &[2.5]);
}

#[jacobian]
mod lints {
    #[deprecated]
    pub fn old(n: u8) -> f64 {
        f64::from(n)
    }

    #[allow(deprecated)]
    fn helper(x: f64, n: u8) -> f64 {
        x * old(n)
    }

    fn other(x: f64, n: u8) -> f64 {
        #[expect(deprecated)]
        let k = old(n);
        k * x
    }

    #[jacobian(wrt(x))]
    pub fn f(x: f64, n: u8) -> f64 {
        #[allow(deprecated)]
        let k = old(n);
        k * helper(x, n) * other(x, n)
    }
}

#[test]
fn lints_that_are_allowed_inside() {
    check(lints::f(1.0, 2), lints::f_jac(1.0, 2), &[16.0]);
}

#[test]
fn items_that_are_used_in_branches_that_are_not_taken() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        enum Mode {
            Fast,
            Slow,
        }
        fn factor(mode: Mode) -> usize {
            match mode {
                Mode::Fast => 1,
                Mode::Slow => 2,
            }
        }
        const IS_FAST: bool = true;
        let n = if IS_FAST { factor(Mode::Fast) } else { factor(Mode::Slow) };
        x * n as f64
    }
    check(f(3.0), f_jac(3.0), &[1.0]);
}
