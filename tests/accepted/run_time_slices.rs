//! Slices of active arrays whose bounds are known at run time only.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jacobian::jacobian;

use crate::differences;

#[jacobian(forms(jac, hess, vjp))]
fn correlation(x: [f64; 4], n: usize) -> f64 {
    let (near, far) = (&x[..n], &x[1..]);
    near.iter().zip(far).map(|(a, b)| a * b).sum::<f64>() / near.len() as f64
}

#[jacobian]
fn pair(x: [f64; 4], n: usize) -> f64 {
    let w = &x[n..n + 2];
    w[0] * w[1] + w.len() as f64
}

#[jacobian]
fn halves(x: [f64; 4], n: usize) -> f64 {
    let (left, right) = x.split_at(n);
    left.iter().sum::<f64>() * right.iter().map(|v| v * v).sum::<f64>()
}

#[jacobian]
mod inlined {
    fn horner(coefficients: &[f64], t: f64) -> f64 {
        coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c)
    }

    #[jacobian]
    pub fn polynomial(x: [f64; 4], n: usize) -> f64 {
        horner(&x[..n], x[3])
    }
}

#[jacobian]
fn parts_of_parts(x: [f64; 4], n: usize) -> f64 {
    let part = &x[..=n];
    let inner = &part[1..];
    inner.iter().rev().enumerate().map(|(i, v)| v * v * (i as f64 + 1.0)).sum()
}

#[jacobian]
fn elements(x: [f64; 4], n: usize) -> f64 {
    let part = &x[n..];
    let inner = part.get(1).copied().unwrap_or(2.0) * part.last().map_or(x[0], |v| v * v);
    if part.is_empty() { inner } else { inner + part.first().copied().unwrap_or(1.0) }
}

#[jacobian]
fn triangle(x: [f64; 4], n: usize) -> f64 {
    let mut a = x;
    for i in 0..n {
        let sum: f64 = a[..i % 4].iter().sum();
        a[i % 4] += sum * a[3];
    }
    a[3] * a[0]
}

#[jacobian(unroll = "never")]
fn rolled(x: [f64; 4]) -> f64 {
    let mut sum = 0.0;
    for i in 0..4 {
        sum += x[..i].iter().sum::<f64>() * x[i];
    }
    sum
}

#[jacobian]
fn rows(x: [f64; 4], n: usize) -> f64 {
    let m = [[x[0], x[1]], [x[2], x[3]], [x[1], x[0]]];
    let mut sum = 0.0;
    for row in &m[n..] {
        sum += row[0] * row[1];
    }
    sum + m[..n].iter().map(|row| row.iter().sum::<f64>()).sum::<f64>()
}

#[jacobian]
fn neighbours(x: [f64; 4], n: usize) -> f64 {
    let products: f64 = x[n..].windows(2).map(|w| w[0] * w[1]).sum();
    x[..n].chunks_exact(2).rev().fold(products, |sum, pair| sum * pair[0] + pair[1])
}

#[jacobian]
fn changed(x: [f64; 4], n: usize) -> f64 {
    let mut a = x;
    for v in &mut a[..n] {
        *v *= *v;
    }
    for (v, w) in a[n..].iter_mut().zip(&x) {
        *v += v.sin() * w;
    }
    a[0] * a[1] + a[2] * a[3]
}

#[jacobian]
mod behind_references {
    fn scale(values: &mut [f64], by: f64) {
        for v in values {
            *v *= by;
        }
    }

    #[jacobian]
    pub fn scaled(x: [f64; 4], n: usize) -> f64 {
        let mut a = x;
        scale(&mut a[n..], x[0]);
        a[0] * a[1] * a[2] + a[3]
    }
}

const POINT: [f64; 4] = [0.7, -1.3, 2.1, 0.4];

/// A function of a point and a number, with its derivatives.
type Case<'c> = (&'c str, &'c dyn Fn([f64; 4], usize) -> f64, &'c dyn Fn([f64; 4], usize) -> (f64, [f64; 4]));

fn cases() -> [Case<'static>; 10] {
    [
        ("correlation", &correlation, &correlation_jac),
        ("pair", &pair, &pair_jac),
        ("halves", &halves, &halves_jac),
        ("polynomial", &inlined::polynomial, &inlined::polynomial_jac),
        ("parts_of_parts", &parts_of_parts, &parts_of_parts_jac),
        ("elements", &elements, &elements_jac),
        ("rows", &rows, &rows_jac),
        ("neighbours", &neighbours, &neighbours_jac),
        ("changed", &changed, &changed_jac),
        ("scaled", &behind_references::scaled, &behind_references::scaled_jac),
    ]
}

#[test]
fn slices_of_run_time_bounds_have_their_derivatives() {
    for (name, f, jac) in cases() {
        for n in 0..=4 {
            // No slice of none has a mean.
            if name == "correlation" && n == 0 || catch_unwind(AssertUnwindSafe(|| f(POINT, n))).is_err() {
                continue;
            }
            differences(|x| f(x, n), |x| jac(x, n), POINT);
        }
    }
    for n in 0..7 {
        differences(|x| triangle(x, n), |x| triangle_jac(x, n), POINT);
    }
    differences(rolled, rolled_jac, POINT);
}

#[test]
fn bounds_panic_as_they_do_for_the_user() {
    let message = |run: &dyn Fn() -> f64| {
        let panic = catch_unwind(AssertUnwindSafe(run)).err()?;
        panic.downcast_ref::<String>().cloned().or(panic.downcast_ref::<&str>().map(|text| text.to_string()))
    };
    for (name, f, jac) in cases() {
        for n in 0..7 {
            assert_eq!(message(&|| f(POINT, n)), message(&|| jac(POINT, n).0), "{name} of {n}");
        }
    }
}

#[test]
fn slices_of_run_time_bounds_have_second_derivatives() {
    let (_, gradient, hessian) = correlation_hess(POINT, 2);
    assert_eq!(gradient, correlation_jac(POINT, 2).1);
    let mut expected = [[0.0; 4]; 4];
    for (i, j) in [(0, 1), (1, 2)] {
        expected[i][j] = 0.5;
        expected[j][i] = 0.5;
    }
    assert_eq!(hessian, expected);
}
