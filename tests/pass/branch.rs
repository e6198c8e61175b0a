//! A branch is taken once. Its arms give the values and the partial derivatives that are needed after it.

use jacobian::jacobian;

/// Huber's loss.
#[jacobian]
pub fn huber(x: f64, center: f64) -> f64 {
    let r = x - center;
    if r.abs() < 1.0 {
        0.5 * r * r
    } else {
        r.abs() - 0.5
    }
}

fn main() {
    for (x, derivative) in [(1.5, 0.5), (3.0, 1.0), (-3.0, -1.0)] {
        assert_eq!(huber_jac(x, 1.0), (huber(x, 1.0), [derivative, -derivative]));
        assert_eq!(huber_jac(x, 1.0), expansion::huber_jac(x, 1.0));
    }
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    #[allow(dead_code)]
    /// Huber's loss.
    pub fn huber(x: f64, center: f64) -> f64 {
        let r = x - center;
        if r.abs() < 1.0 { 0.5 * r * r } else { r.abs() - 0.5 }
    }
    /// Returns the value of `huber` and its Jacobian: `(value, jacobian)`.
    ///
    /// `jacobian[j]`: the partial derivative with respect to column `j` of 2.
    ///
    /// Columns:
    ///
    /// - 0: `x`
    /// - 1: `center`
    ///
    /// All 2 entries are there: none is zero by structure.
    ///
    /// Operations:
    ///
    /// - `huber`: 5 operations (2 additions, 3 calls)
    /// - with the Jacobian: 7 operations (2 additions, 1 negation, 4 calls)
    /// - elimination: 0 multiplications outside of 1 branch
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(2)` (2 `r`)
    ///
    /// Generated for `huber`: `huber_jac`.
    #[inline]
    pub fn huber_jac(
        x: f64,
        center: f64,
    ) -> (::core::primitive::f64, [::core::primitive::f64; 2]) {
        let r = x - center;
        let v4 = r.abs();
        let (v8, v7): (::core::primitive::f64, ::core::primitive::f64) = if v4 < 1.0 {
            let v2 = 0.5 * r;
            let v3 = v2 * r;
            (v3, r)
        } else {
            let v1 = r.abs();
            let v2_1 = r.signum();
            let v4_1 = v1 - 0.5;
            (v4_1, v2_1)
        };
        let v9 = -v7;
        (v8, [v7, v9])
    }
}
