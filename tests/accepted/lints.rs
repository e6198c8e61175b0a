//! Where the user's function has no warnings, the generated one has none.

use jacobian::jacobian;

use crate::{check, differences};

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

/// What a pattern binds is declared as `mut` only where something changes it there, and is read before it is assigned.
#[test]
fn items_that_are_changed() {
    #[jacobian(wrt(x))]
    #[deny(unused_mut, unused_assignments, unused_variables)]
    fn f(x: f64, n: i32, table: &[(f64, f64)]) -> f64 {
        let mut s = 0.0;
        for mut i in 0..n {
            if i > 2 {
                i -= 1;
            }
            s += x * f64::from(i);
            i *= 2;
            while i > 3 {
                i -= 1;
            }
            s += x * f64::from(i);
        }
        for (mut a, mut b) in table.iter().copied() {
            (a, b) = (b, a);
            s += x * a - b;
        }
        if let Some(mut k) = n.checked_sub(1) {
            k += 1;
            s *= f64::from(k);
        }
        s
    }
    // 0 + 0 + 1 + 2 + 2 + 3 + 2 + 3, then 2 x - 1, times 4.
    let table = [(1.0, 2.0)];
    check(f(1.5, 4, &table), f_jac(1.5, 4, &table), &[60.0]);

    #[jacobian(wrt(x))]
    #[deny(unused_mut, unused_assignments)]
    fn g(x: f64, rows: &[Vec<f64>]) -> f64 {
        let mut s = 0.0;
        for mut items in rows.iter().map(|row| row.iter()) {
            s += x * items.next().copied().unwrap_or(0.5);
            for v in items {
                s += x * x * v;
            }
        }
        s
    }
    let rows = [vec![1.0, 2.0], vec![]];
    check(g(1.5, &rows), g_jac(1.5, &rows), &[7.5]);
}

#[test]
fn imports_that_products_with_labels_do_not_need() {
    #[jacobian(wrt(x), forms(lin))]
    #[deny(unused_imports)]
    fn f(x: [f64; 2], n: u32) -> [f64; 2] {
        use std::cmp::max;
        let k = f64::from(max(n, 2));
        [x[0] * x[1] * k, x[1].sin() + x[0]]
    }
    let (value, labels) = f_lin([1.5, 2.0], 1);
    assert_eq!(value, f([1.5, 2.0], 1));
    assert_eq!(f_lin_jvp(&labels, &[1.0, 0.0]), [4.0, 1.0]);
}

/// What a pattern binds is read in a branch that is never taken.
#[test]
fn what_patterns_bind() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize, perhaps: Option<f64>, data: &[(f64, f64)]) -> f64 {
        const IS_SCALED: bool = false;
        let mut sum = x;
        for i in 0..n {
            if IS_SCALED {
                sum += i as f64;
            }
            sum = sum.sin();
        }
        for (a, b) in data {
            sum += a * x;
            if IS_SCALED {
                sum *= b;
            }
        }
        let factor = match n {
            0 => x,
            k => {
                if IS_SCALED {
                    x * k as f64
                } else {
                    x * x
                }
            }
        };
        if let Some(t) = perhaps { if IS_SCALED { sum * t } else { sum * factor } } else { sum }
    }
    let data = [(1.5, 2.0), (0.5, 3.0)];
    for n in 0..3 {
        for perhaps in [None, Some(2.0)] {
            differences(|[x]| f(x, n, perhaps, &data), |[x]| f_jac(x, n, perhaps, &data), [0.7]);
        }
    }
}
