//! A loop that makes as many iterations as there are data is a loop of the derivative: what it carries from iteration
//! to iteration has its derivatives beside it.

use approx::assert_relative_eq;
use jacobian::jacobian;

#[jacobian(wrt(p))]
pub fn cost(p: [f64; 2], data: &[(f64, f64)]) -> f64 {
    let mut sum = 0.0;
    for (t, y) in data {
        let r = p[0] * (p[1] * t).exp() - y;
        sum += r * r;
    }
    sum
}

#[jacobian]
pub fn newton(a: f64) -> f64 {
    let mut x = a;
    while (x * x - a).abs() > 1e-12 {
        x = 0.5 * (x + a / x);
    }
    x
}

/// The condition is passive and an iteration is linear: the derivative goes back as often as the loop went on.
#[jacobian(wrt(x))]
pub fn mixed(x: [f64; 3], n: usize) -> f64 {
    let ([mut a, mut b, mut c], mut k) = (x, 0);
    while k < n {
        (a, b, c) = (0.5 * a + b, b - 0.25 * c, c + 2.0 * a);
        k += 1;
    }
    a * b
}

fn main() {
    let data = [(0.0, 1.0), (1.0, 0.5)];
    let (value, [dp, dq]) = cost_jac([2.0, 0.0], &data);
    assert_eq!((value, [dp, dq]), expansion::cost_jac([2.0, 0.0], &data));
    assert_eq!(value, cost([2.0, 0.0], &data));
    assert_relative_eq!(dp, 5.0);
    assert_relative_eq!(dq, 6.0);
    let (root, [slope]) = newton_jac(2.0);
    assert_eq!((root, [slope]), expansion::newton_jac(2.0));
    assert_eq!(root, newton(2.0));
    assert_relative_eq!(slope, 0.5 / root);
    let x = [1.0, -2.0, 0.5];
    assert_eq!(mixed_jac(x, 3), expansion::mixed_jac(x, 3));
    assert_eq!(mixed_jac(x, 3).0, mixed(x, 3));
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    #[allow(dead_code)]
    pub fn cost(p: [f64; 2], data: &[(f64, f64)]) -> f64 {
        let mut sum = 0.0;
        for (t, y) in data {
            let r = p[0] * (p[1] * t).exp() - y;
            sum += r * r;
        }
        sum
    }
    /// Returns the value of `cost` and its Jacobian: `(value, jacobian)`.
    ///
    /// `jacobian[j]`: the partial derivative with respect to column `j` of 2.
    ///
    /// Columns:
    ///
    /// - 0 to 1: the floats of `p` in order
    ///
    /// All 2 entries are there: none is zero by structure.
    ///
    /// Operations:
    ///
    /// - `cost`: 6 operations (3 multiplications, 2 additions, 1 call)
    /// - with the Jacobian: 12 operations (6 multiplications, 5 additions, 1 call)
    /// - elimination: 0 multiplications outside of 1 loop
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), its statements ordered by `latency`
    ///
    /// Generated for `cost`: `cost_jac`.
    #[inline]
    pub fn cost_jac(
        p: [f64; 2],
        data: &[(f64, f64)],
    ) -> (::core::primitive::f64, [::core::primitive::f64; 2]) {
        let mut sum_1: ::core::primitive::f64 = 0.0;
        let mut dsum: ::core::primitive::f64 = 0.0;
        let mut dsum_1: ::core::primitive::f64 = 0.0;
        for (t, y) in data {
            let t_3: ::core::primitive::f64 = t.clone();
            let v6 = p[1] * t_3;
            let y_3: ::core::primitive::f64 = y.clone();
            let v8 = v6.exp();
            let v9 = p[0] * v8;
            let r = v9 - y_3;
            let v11 = t_3 * v9;
            let dsum_dr = r + r;
            let v13 = r * r;
            let v14 = v8 * dsum_dr;
            let v15 = v14 + dsum;
            let v16 = v11 * dsum_dr;
            let v17 = v16 + dsum_1;
            let sum_2 = sum_1 + v13;
            sum_1 = sum_2;
            dsum = v15;
            dsum_1 = v17;
        }
        (sum_1, [dsum, dsum_1])
    }
    #[allow(dead_code)]
    pub fn newton(a: f64) -> f64 {
        let mut x = a;
        while (x * x - a).abs() > 1e-12 {
            x = 0.5 * (x + a / x);
        }
        x
    }
    /// Returns the value of `newton` and its Jacobian: `(value, jacobian)`.
    ///
    /// `jacobian[j]`: the partial derivative with respect to column `j` of 1.
    ///
    /// Columns:
    ///
    /// - 0: `a`
    ///
    /// Operations:
    ///
    /// - `newton`: 7 operations (2 multiplications, 2 additions, 1 division, 2 calls)
    /// - with the Jacobian: 14 operations (5 multiplications, 4 additions, 2 divisions, 3 calls)
    /// - elimination: 0 multiplications outside of 1 loop
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found)
    ///
    /// Generated for `newton`: `newton_jac`.
    #[inline]
    pub fn newton_jac(a: f64) -> (::core::primitive::f64, [::core::primitive::f64; 1]) {
        let mut x: ::core::primitive::f64 = a;
        let mut dx: ::core::primitive::f64 = 1.0;
        let mut mask: ::core::primitive::f64 = 1.0;
        loop {
            let v4 = x * x;
            let v5 = v4 - a;
            let v6 = v5.abs();
            let (
                x_2,
                v10,
                v11,
                chosen_2,
            ): (
                ::core::primitive::f64,
                ::core::primitive::f64,
                ::core::primitive::f64,
                _,
            ) = if v6 > 1e-12 {
                let v6_1 = a / x;
                let v7 = 1.0 / x;
                let v8 = v6_1 * v7;
                let v9 = x + v6_1;
                let x_1 = 0.5 * v9;
                let v12 = dx * v8;
                let v13 = if mask == 0.0 { 0.0 } else { v12 };
                let v14 = v7 - v13;
                let v15 = dx + v14;
                let v16 = v15 * 0.5;
                (x_1, v16, 1.0, true)
            } else {
                (x, dx, mask, false)
            };
            x = x_2;
            dx = v10;
            mask = v11;
            if !chosen_2 {
                break;
            }
        }
        (x, [dx])
    }
    #[allow(dead_code)]
    /// The condition is passive and an iteration is linear: the derivative goes back as often as the loop went on.
    pub fn mixed(x: [f64; 3], n: usize) -> f64 {
        let ([mut a, mut b, mut c], mut k) = (x, 0);
        while k < n {
            (a, b, c) = (0.5 * a + b, b - 0.25 * c, c + 2.0 * a);
            k += 1;
        }
        a * b
    }
    /// Returns the value of `mixed` and its Jacobian: `(value, jacobian)`.
    ///
    /// `jacobian[j]`: the partial derivative with respect to column `j` of 3.
    ///
    /// Columns:
    ///
    /// - 0 to 2: the floats of `x` in order
    ///
    /// All 3 entries are there: none is zero by structure.
    ///
    /// Operations:
    ///
    /// - `mixed`: 7 operations (4 multiplications, 3 additions)
    /// - with the Jacobian: 13 operations (7 multiplications, 6 additions)
    /// - elimination: 0 multiplications outside of 1 loop
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found)
    ///
    /// Generated for `mixed`: `mixed_jac`.
    #[inline]
    pub fn mixed_jac(
        x: [f64; 3],
        n: usize,
    ) -> (::core::primitive::f64, [::core::primitive::f64; 3]) {
        let mut k_1 = 0usize;
        let mut a: ::core::primitive::f64 = x[0];
        let mut b: ::core::primitive::f64 = x[1];
        let mut c: ::core::primitive::f64 = x[2];
        let mut iterations: ::core::primitive::u64 = 0;
        while k_1 < n {
            let v4 = 0.5 * a;
            let a_1 = v4 + b;
            let v7 = 0.25 * c;
            let b_1 = b - v7;
            let v10 = 2.0 * a;
            let c_1 = c + v10;
            k_1 += 1;
            let iterations_1 = iterations + 1;
            a = a_1;
            b = b_1;
            c = c_1;
            iterations = iterations_1;
        }
        let v7_1 = a * b;
        let mut da_bar: ::core::primitive::f64 = b;
        let mut db_bar: ::core::primitive::f64 = a;
        let mut dc_bar: ::core::primitive::f64 = 0.0;
        let mut left: ::core::primitive::u64 = iterations;
        while left > 0 {
            left -= 1;
            let v6 = dc_bar * 2.0;
            let v7_2 = db_bar * 0.25;
            let v8 = dc_bar - v7_2;
            let v9 = db_bar + da_bar;
            let v10_1 = da_bar * 0.5;
            let v11 = v6 + v10_1;
            da_bar = v11;
            db_bar = v9;
            dc_bar = v8;
        }
        (v7_1, [da_bar, db_bar, dc_bar])
    }
}
