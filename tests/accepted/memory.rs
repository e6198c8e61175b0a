//! `mem::swap` and its like, names of whole patterns, and arrays that are made where they are given.

use std::mem;

use jacobian::jacobian;

use crate::{check, differences};

#[test]
fn variables_that_are_swapped() {
    #[jacobian(forms(jac, vjp))]
    fn f(x: f64, y: f64) -> [f64; 2] {
        let (mut a, mut b) = (x * y, y);
        mem::swap(&mut a, &mut b);
        let old = std::mem::replace(&mut a, x);
        let t = mem::take(&mut b);
        [a + old, t * b + t * a]
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [1.3, 0.7]);
    assert_eq!(f_vjp(1.3, 0.7, &[1.0, 0.0]).1, f_jac(1.3, 0.7).1[0]);
}

#[test]
fn elements_that_are_swapped() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 3], k: usize, on: bool) -> f64 {
        use core::mem::{replace, swap as exchange};
        let mut a = x;
        let mut b = [x[1], 1.0, 2.0];
        core::mem::swap(&mut a, &mut b);
        let c = mem::replace(&mut b, [0.0; 3]);
        mem::swap(&mut a[k], &mut b[0]);
        if on {
            exchange(&mut a[0], &mut b[(k + 1) % 3]);
            let _ = replace(&mut a[2], c[0]);
        }
        for v in &mut a {
            let mut t = x[2];
            mem::swap(v, &mut t);
            b[1] += t * *v;
        }
        let (mut p, mut q) = ((x[0], [x[1]; 2]), (1.0, [2.0; 2]));
        mem::swap(&mut p, &mut q);
        let whole = mem::take(&mut q);
        let mut i = 3;
        let mut n = k;
        mem::swap(&mut i, &mut n);
        a[k] + b[0] + c[1] * b[1] + p.0 + q.0 + whole.1[1] * x[0] * n as f64 + i as f64
    }
    for k in 0..3 {
        for on in [true, false] {
            differences(|x| f(x, k, on), |x| f_jac(x, k, on), [1.3, 0.7, 0.2]);
        }
    }
}

#[test]
fn elements_at_indices_of_the_run_time() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], i: usize, j: usize) -> f64 {
        let mut a = x;
        a.swap(i, j);
        a.swap(0, i);
        a[0] * a[1] + a[2].sin() * a[3]
    }
    for i in 0..4 {
        for j in 0..4 {
            differences(|x| f(x, i, j), |x| f_jac(x, i, j), [1.3, 0.7, 0.2, -0.4]);
        }
    }
    let own = crate::panics::panic_of(|| f([1.0; 4], 1, 4));
    assert!(!own.is_empty());
    assert_eq!(crate::panics::panic_of(|| f_jac([1.0; 4], 1, 4)), own);
}

#[test]
fn names_of_whole_patterns() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 3], n: usize, data: [i32; 3]) -> f64 {
        let all @ [a, .., c] = x;
        let whole @ (p, q) = (x[0], x[1] * 2.0);
        let mut changed @ [_, second, _] = all;
        changed[1] += second * a;
        let list @ [first, ..] = data;
        let m = match n {
            k @ 1..=3 => k as f64,
            k @ (4 | 5) => 2.0 * k as f64,
            _ => 1.0,
        };
        let apply = |v @ [s, t]: [f64; 2]| v[0] * t + s;
        all[1] * a * c * p * whole.1 * m + q + changed[1] + f64::from(list[2] * first) * c + apply([a, c])
    }
    for n in [0, 2, 5] {
        differences(|x| f(x, n, [2, 3, 4]), |x| f_jac(x, n, [2, 3, 4]), [1.3, 0.7, 0.2]);
    }
}

#[jacobian]
mod lengths {
    fn norm(a: [f64; 3]) -> f64 {
        a.iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    fn norm_of(a: &[f64; 3], k: f64) -> f64 {
        norm(*a) * k
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        fn local(a: &[[f64; 2]; 2]) -> f64 {
            a[0][1] * a[1][0]
        }
        let sum = |a: [f64; 4]| a.iter().sum::<f64>();
        let a = norm(std::array::from_fn(|i| x * i as f64)) + norm_of(&std::array::from_fn(|i| x - i as f64), x);
        a + sum(core::array::from_fn(|i| x.powi(i as i32)))
            + local(&core::array::from_fn(|i| std::array::from_fn(|j| x * (i + 2 * j) as f64)))
    }
}

#[test]
fn arrays_that_are_made_where_they_are_given() {
    fn total(a: [f64; 4]) -> f64 {
        a.iter().sum()
    }

    fn total_jac(a: [f64; 4]) -> (f64, [f64; 4]) {
        (total(a), [1.0; 4])
    }

    #[jacobian(with(total: fn([f64; 4]) -> f64))]
    fn f(x: f64) -> f64 {
        total(core::array::from_fn(|i| x * i as f64))
    }
    check(f(1.3), f_jac(1.3), &[6.0]);
    differences(|[x]| lengths::f(x), |[x]| lengths::f_jac(x), [1.3]);
}

#[test]
fn messages_of_what_is_expected() {
    #[jacobian(wrt(x))]
    fn f(x: f64, k: Option<usize>, r: Result<f64, String>) -> f64 {
        let n = k.expect("there is no k");
        x * n as f64 * r.expect("there is no r")
    }
    check(f(2.0, Some(3), Ok(0.5)), f_jac(2.0, Some(3), Ok(0.5)), &[1.5]);
    for (k, r) in [(None, Ok(1.0)), (Some(1), Err("why".to_string()))] {
        let (own_k, own_r) = (k, r.clone());
        let own = crate::panics::panic_of(move || f(2.0, own_k, own_r));
        assert!(own.starts_with("there is no "), "{own}");
        assert_eq!(crate::panics::panic_of(move || f_jac(2.0, k, r)), own);
    }
}

#[test]
fn texts_that_are_written() {
    use std::fmt::Write;

    #[jacobian(wrt(x))]
    fn f(x: f64, out: &mut String) -> f64 {
        let y = x * x;
        write!(out, "{x:.2} {}", y + 1.0).unwrap();
        if writeln!(out, " {y}").is_err() {
            return 0.0;
        }
        y * x
    }
    let (mut own, mut texts) = (String::new(), String::new());
    let value = f(1.5, &mut own);
    check(value, f_jac(1.5, &mut texts), &[6.75]);
    assert_eq!(texts, own);
}

#[test]
fn arrays_that_are_rotated() {
    #[jacobian]
    fn f(x: [f64; 4]) -> [f64; 4] {
        let mut y = x;
        y.rotate_left(1);
        y[0] *= x[0];
        y[1..].rotate_right(2);
        y.reverse();
        y
    }
    differences(f, f_jac, [1.3, 0.7, -0.4, 2.1]);
}
