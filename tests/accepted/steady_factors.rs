//! Factors of a loop that are computed in its body: from variables of outside that nothing changes, and from others that
//! are called as these are.

use approx::assert_relative_eq;
use jacobian::jacobian;

use crate::differences;

#[jacobian(wrt(u), forms(jac, jvp, vjp))]
fn steady(u: [f64; 4], k: f64, dx: f64, n: usize) -> f64 {
    let mut u = u;
    let scale = k + 0.1;
    for _ in 0..n {
        let old = u;
        for i in 1..3 {
            u[i] = old[i] + k * 0.5 / (dx * dx) * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
        }
        u[0] = -(scale - 0.2) * old[1];
    }
    u[0] + u[1] * u[2]
}

#[jacobian(wrt(u), forms(jac, jvp, vjp))]
fn shadowed(u: [f64; 3], k: f64, factors: &[f64]) -> f64 {
    let (mut a, mut b) = (u[0], u[1]);
    for k in factors {
        (a, b) = (0.5 * k * a + b, (1.0 - *k) * b);
    }
    for (j, &k) in factors.iter().enumerate() {
        let k = k / (j as f64 + 2.0);
        (a, b) = (0.5 * k * a + b, (k - 1.0) * b);
    }
    a * b * k + u[2]
}

#[jacobian(wrt(u), forms(jac, jvp, vjp))]
fn changed(u: [f64; 3], k: f64, n: usize) -> f64 {
    let (mut a, mut b, mut k) = (u[0], u[1], k);
    for _ in 0..n {
        (a, b) = (a * (0.5 * k) + b, b * (k - 1.0));
        k *= 0.9;
    }
    for j in 0..n {
        if j == 1 {
            k = 0.3;
        }
        (a, b) = (a * (0.5 * k) + b, b * (k - 1.0));
    }
    a * b * k + u[2]
}

macro_rules! agree {
    ($f:ident $jac:ident $jvp:ident $vjp:ident, $u:expr $(, $given:expr)*) => {{
        let u = $u;
        differences(|u| $f(u $(, $given)*), |u| $jac(u $(, $given)*), u);
        let (value, gradient) = $jac(u $(, $given)*);
        let across = $vjp(u $(, $given)*, 1.0);
        assert_eq!([across.0.to_bits(), $f(u $(, $given)*).to_bits()], [value.to_bits(); 2]);
        for (i, entry) in gradient.into_iter().enumerate() {
            let mut along = [0.0; _];
            along[i] = 1.0;
            assert_relative_eq!($jvp(u $(, $given)*, &along).1, entry, max_relative = 1e-12, epsilon = 1e-13);
            assert_relative_eq!(across.1[i], entry, max_relative = 1e-12, epsilon = 1e-13);
        }
    }};
}

#[test]
fn factors_are_evaluated_where_they_hold() {
    for n in [0, 1, 2, 5] {
        for k in [0.4, -0.3, 0.0] {
            agree!(steady steady_jac steady_jvp steady_vjp, [0.3, -0.4, 1.2, 0.8], k, 0.7, n);
            let factors = &[0.4, -0.6, 1.3, 0.2, 0.9][..n];
            agree!(shadowed shadowed_jac shadowed_jvp shadowed_vjp, [0.3, -0.4, 1.2], k, factors);
            agree!(changed changed_jac changed_jvp changed_vjp, [0.3, -0.4, 1.2], k, n);
        }
    }
}
