//! Calls of long functions of a module: their zeros and their constants are known, and what saves is inlined.

#![allow(clippy::needless_range_loop)]

use crate::{Floats, bits, check, differences};
use approx::assert_abs_diff_eq;

/// A helper of a module, in the ways in which it is called.
macro_rules! chain {
    ($name:ident, $option:tt, [$($mark:tt)*]) => {
        #[jacobian::jacobian $option]
        mod $name {
            const N: usize = 40;

            #[$($mark)*]
            fn tri(u: [f64; N], k: f64) -> [f64; N] {
                let mut r = [0.0; N];
                for i in 0..N {
                    let left = if i > 0 { u[i - 1] } else { 0.0 };
                    let right = if i + 1 < N { u[i + 1] } else { 0.0 };
                    r[i] = (3.0 - 2.0 * u[i]) * u[i] - left * u[i] - 2.0 * right + k * k + u[i].sin();
                }
                r
            }

            #[jacobian(forms(jac, jac_into, jac_only, jac_sparse, jvp, vjp, lin, normal))]
            pub fn residual(u: [f64; N], k: f64) -> [f64; N] {
                tri(u, k * u[0]).map(|r| r * k)
            }

            #[jacobian]
            pub fn weighted(u: [f64; N], w: [f64; N]) -> f64 {
                tri(u, 1.0).iter().zip(w).map(|(r, w)| w * r).sum()
            }
        }
    };
}

chain!(called, (strategy = "auto"), [allow(dead_code)]);
chain!(marked, (), [jacobian]);
chain!(inlined, (with(inline tri)), [allow(dead_code)]);

fn point() -> [f64; 40] {
    std::array::from_fn(|i| (i as f64 * 0.7).sin())
}

/// Each entry is near the other one.
#[track_caller]
fn near(found: &impl Floats, expected: &impl Floats) {
    let (found, expected) = (found.floats(), expected.floats());
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        let bound = 1e-11 * expected.abs().max(1.0);
        assert_abs_diff_eq!(found, expected, epsilon = bound);
    }
}

macro_rules! as_inlined {
    ($name:ident) => {{
        let (u, k) = (point(), 0.75);
        let w: [f64; 40] = std::array::from_fn(|i| 1.0 - 0.05 * i as f64);
        let d: [f64; 41] = std::array::from_fn(|i| (i as f64).cos());
        let (value, jacobian) = $name::residual_jac(u, k);
        let expected = inlined::residual_jac(u, k).1;
        check($name::residual(u, k), (value, jacobian), expected.as_flattened());
        assert_eq!(jacobian, $name::residual_jac_only(u, k));
        let mut written = ([0.0; 40], [[0.0; 41]; 40]);
        $name::residual_jac_into(u, k, &mut written.0, &mut written.1);
        assert_eq!(written, (value, jacobian));
        near(&$name::residual_jac_sparse(u, k).1, &inlined::residual_jac_sparse(u, k).1);
        assert_eq!($name::residual_jac_pattern(), inlined::residual_jac_pattern());
        near(&$name::residual_jvp(u, k, &d).1, &inlined::residual_jvp(u, k, &d).1);
        near(&$name::residual_vjp(u, k, &w).1, &inlined::residual_vjp(u, k, &w).1);
        near(&$name::residual_normal(u, k).2, &inlined::residual_normal(u, k).2);
        let labels = $name::residual_lin(u, k).1;
        near(&$name::residual_lin_jvp(&labels, &d), &inlined::residual_jvp(u, k, &d).1);
        near(&$name::residual_lin_vjp(&labels, &w), &inlined::residual_vjp(u, k, &w).1);
        let (value, gradient) = $name::weighted_jac(u, w);
        assert_eq!(bits(&value), bits(&$name::weighted(u, w)));
        near(&gradient, &inlined::weighted_jac(u, w).1);
    }};
}

#[test]
fn a_tridiagonal_helper_is_called_as_if_it_were_inlined() {
    as_inlined!(called);
    as_inlined!(marked);
    differences(
        |u| inlined::residual(u, 0.75),
        |u| {
            let (value, jacobian) = called::residual_jac(u, 0.75);
            (value, jacobian.map(|row| std::array::from_fn::<f64, 40, _>(|column| row[column])))
        },
        point(),
    );
}

#[test]
fn infinite_values_of_a_call_meet_no_zero_of_its_jacobian() {
    let mut u = point();
    u[7] = f64::INFINITY;
    let (_, jacobian) = called::residual_jac(u, 0.75);
    for (row, entries) in jacobian.iter().enumerate() {
        for (column, entry) in entries[1..40].iter().enumerate() {
            let is_near = row.abs_diff(column + 1) <= 1;
            assert!(is_near || *entry == 0.0, "entry {row}, {}: {entry}", column + 1);
        }
    }
}

#[jacobian::jacobian]
mod second {
    const N: usize = 30;

    #[jacobian(forms(jac, hess))]
    fn chain(u: [f64; N], k: f64) -> [f64; 2] {
        let mut r = [2.0 * u[0], k];
        for i in 1..N {
            r[i % 2] += (u[i] - u[i - 1]).powi(2) * 0.5 + (u[i] * k).sin() * 0.25 + u[i] * 3.0 + (u[i] + k).exp();
        }
        r
    }

    #[jacobian(forms(jac, hess, hvp))]
    pub fn energy(u: [f64; N], k: f64) -> f64 {
        let [even, odd] = chain(u, k);
        even * odd
    }

    #[jacobian(forms(hess), with(inline chain))]
    pub fn inlined(u: [f64; N], k: f64) -> f64 {
        let [even, odd] = chain(u, k);
        even * odd
    }
}

#[test]
fn second_derivatives_of_long_functions() {
    let u: [f64; 30] = std::array::from_fn(|i| (i as f64 * 0.3).cos());
    let (found, expected) = (second::energy_hess(u, 0.5), second::inlined_hess(u, 0.5));
    assert_eq!(found.0.to_bits(), second::energy(u, 0.5).to_bits());
    near(&found.1, &expected.1);
    near(&second::energy_jac(u, 0.5).1, &expected.1);
    let scale = 1e-3;
    near(&found.2.map(|row| row.map(|it| it * scale)), &expected.2.map(|row| row.map(|it| it * scale)));
    let direction: [f64; 31] = std::array::from_fn(|i| if i == 3 { 1.0 } else { 0.0 });
    let along = second::energy_hvp(u, 0.5, &direction).2;
    near(&along.map(|it| it * scale), &expected.2.map(|row| row[3] * scale));
}
