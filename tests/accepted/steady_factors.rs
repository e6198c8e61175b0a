//! Factors of a loop that are computed in its body: from variables of outside that nothing changes, from parts of these,
//! and from others that are called as these are.

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

struct Rod {
    rate: f64,
    rates: [f64; 4],
    steps: usize,
}

const RATE: f64 = 0.15;

/// A field, an element, a constant, a cast and a method, in place and in variables of the body.
#[jacobian(wrt(u), forms(jac, jvp, vjp))]
fn parts(u: [f64; 4], rod: &Rod, rates: [f64; 4], dt: &f64, n: usize) -> f64 {
    let mut u = u;
    let blend = |a: f64, b: f64, rate: f64| b + rate * (a - b);
    for _ in 0..n {
        let r: f64 = rod.rate * *dt;
        let decay = (-rates[1] * r).exp();
        let scaled = rod.steps as f64 / rates[2];
        let old = u;
        u[1] = blend(old[0], decay * old[1], r * dt) + RATE * old[3];
        u[2] = old[2] - rod.rate.powi(2) * old[1] + scaled * 0.1 * old[2];
        for (v, rate) in u.iter_mut().zip(&rates) {
            *v *= 1.0 - rate * std::f64::consts::FRAC_1_PI;
        }
    }
    u[0] + u[1] * u[2]
}

/// What changes in the loop or before it, behind a reference too, and what a pattern calls as it is called outside.
#[jacobian(wrt(u), forms(jac, jvp, vjp))]
fn changing_parts(u: [f64; 3], rod: &Rod, rates: [f64; 3], factors: &[[f64; 2]], n: usize) -> f64 {
    let (mut a, mut b) = (u[0], u[1]);
    let mut rates = rates;
    rates[1] *= 0.5;
    for rod in factors {
        (a, b) = (rod[0] * a + b, (1.0 - rod[1]) * b);
    }
    for _ in 0..n {
        (a, b) = (a * rates[0] + b, b * (rates[1] - rod.rates[2]));
        rates[0] *= 0.9;
        rates.swap(0, 1);
    }
    let first = &mut rates;
    for _ in 0..n {
        (a, b) = (a * first[0] + b, b * (first[2] - 1.0));
        first[0] *= 0.8;
    }
    a * b * rod.rate + u[2]
}

/// Arithmetic on integers overflows where the loop runs, and there alone.
#[jacobian(wrt(u), forms(jac, jvp, vjp))]
fn counted(u: [f64; 2], rod: &Rod, rates: &[f64], n: usize) -> f64 {
    let mut u = u;
    for _ in 0..n {
        let left = rod.steps - 1;
        let share = (rod.steps - 1) as f64 * 0.1;
        u = [u[0] * share + u[1], u[1] * rates[left] + (rod.steps - 1) as f64 * u[0]];
    }
    u[0] * u[1]
}

#[jacobian]
mod rods {
    /// A rod of the module.
    #[derive(Clone, Copy)]
    pub struct Bar {
        pub rate: f64,
        pub inner: Inner,
    }

    #[derive(Clone, Copy)]
    pub struct Inner {
        pub rates: [f64; 4],
    }

    impl Bar {
        #[jacobian(wrt(u), forms(jac, jvp, vjp))]
        pub fn behind(&self, u: [f64; 4], n: usize) -> f64 {
            let mut u = u;
            for _ in 0..n {
                u = step(u, self.rate * self.inner.rates[2], [self.inner.rates[0], self.rate]);
            }
            u[0] + u[1] * u[2]
        }

        #[jacobian(wrt(u), forms(jac, jvp, vjp))]
        pub fn owned(self, u: [f64; 4], n: usize) -> f64 {
            let mut u = u;
            let Bar { inner, mut rate } = self;
            for _ in 0..n {
                let rates = [inner.rates[0] * 0.5, self.rate];
                u = step(u, self.rate - inner.rates[1], rates);
            }
            for _ in 0..n {
                u = step(u, rate, [rate - inner.rates[1], 0.5]);
                rate *= 0.9;
            }
            u[0] + u[1] * u[2]
        }
    }

    fn step(old: [f64; 4], rate: f64, ends: [f64; 2]) -> [f64; 4] {
        let mut u = old;
        for i in 1..3 {
            u[i] = old[i] + rate * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
        }
        u[0] *= ends[0];
        u[3] -= ends[1] * old[2];
        u
    }
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

/// The methods as closures.
macro_rules! method {
    ($it:ident $f:ident $jac:ident $jvp:ident $vjp:ident) => {
        (
            |u: [f64; 4], n| $it.$f(u, n),
            |u: [f64; 4], n| $it.$jac(u, n),
            |u: [f64; 4], n, along: &[f64; 4]| $it.$jvp(u, n, along),
            |u: [f64; 4], n, across| $it.$vjp(u, n, across),
        )
    };
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

#[test]
fn parts_are_read_where_they_hold() {
    let bar = rods::Bar { rate: 0.3, inner: rods::Inner { rates: [0.4, -0.2, 0.7, 0.9] } };
    for n in [0, 1, 2, 5] {
        for rate in [0.4, -0.3, 0.0] {
            let rod = &Rod { rate, rates: [0.3, 0.2, -0.6, 0.8], steps: 3 };
            let (u, rates) = ([0.3, -0.4, 1.2, 0.8], [0.2, 0.5, -0.7, 0.1]);
            agree!(parts parts_jac parts_jvp parts_vjp, u, rod, rates, &0.6, n);
            let factors = &[[0.4, -0.6], [1.3, 0.2], [0.9, 0.5], [-0.2, 0.3], [0.6, 0.7]][..n];
            let three = [0.3, -0.4, 1.2];
            agree!(changing_parts changing_parts_jac changing_parts_jvp changing_parts_vjp, three, rod, three, factors, n);
            agree!(counted counted_jac counted_jvp counted_vjp, [0.3, 0.8], rod, &rates, n);
        }
        let u = [0.3, -0.4, 1.2, 0.8];
        let (f, jac, jvp, vjp) = method!(bar behind behind_jac behind_jvp behind_vjp);
        agree!(f jac jvp vjp, u, n);
        let (f, jac, jvp, vjp) = method!(bar owned owned_jac owned_jvp owned_vjp);
        agree!(f jac jvp vjp, u, n);
    }
}

#[test]
fn nothing_is_evaluated_before_a_loop_that_does_not_run() {
    let rod = &Rod { rate: 0.4, rates: [0.0; 4], steps: 0 };
    assert_eq!(counted_jac([2.0, 3.0], rod, &[], 0), (6.0, [3.0, 2.0]));
    assert_eq!(counted_vjp([2.0, 3.0], rod, &[], 0, 1.0), (6.0, [3.0, 2.0]));
}
