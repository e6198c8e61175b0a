//! A function of floats with one float as its result: the value, and the gradient as an array. What the function and
//! its derivative have in common is computed once.

use approx::assert_relative_eq;
use jacobian::jacobian;

#[jacobian]
pub fn gauss(x: f64, width: f64) -> f64 {
    let z = x / width;
    (-z * z).exp() / width
}

fn main() {
    let (value, [dx, dwidth]) = gauss_jac(3.0, 2.0);
    assert_eq!((value, [dx, dwidth]), expansion::gauss_jac(3.0, 2.0));
    assert_eq!(value, gauss(3.0, 2.0));
    assert_relative_eq!(dx, -1.5 * value);
    assert_relative_eq!(dwidth, 1.75 * value);
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    #[allow(dead_code)]
    pub fn gauss(x: f64, width: f64) -> f64 {
        let z = x / width;
        (-z * z).exp() / width
    }
    /// Returns the value of `gauss` and its Jacobian: `(value, jacobian)`.
    ///
    /// `jacobian[j]`: the partial derivative with respect to column `j` of 2.
    ///
    /// Columns:
    ///
    /// - 0: `x`
    /// - 1: `width`
    ///
    /// All 2 entries are there: none is zero by structure.
    ///
    /// Operations:
    ///
    /// - `gauss`: 5 operations (1 multiplication, 2 divisions, 1 negation, 1 call)
    /// - with the Jacobian: 15 operations (7 multiplications, 2 additions, 3 divisions, 2 negations, 1 call)
    /// - elimination: 4 multiplications; forward 8, reverse 5, no order below that
    /// - strategy: `vertex: markowitz > forward` (the cheapest that `auto` has found), in the order `vertex: order(3, 4, 5, 2)` (2 `z`), its statements ordered by `latency`
    ///
    /// Generated for `gauss`: `gauss_jac`.
    #[inline]
    pub fn gauss_jac(
        x: f64,
        width: f64,
    ) -> (::core::primitive::f64, [::core::primitive::f64; 2]) {
        let z = x / width;
        let v4 = 1.0 / width;
        let v5 = -z;
        let v6 = z + z;
        let v7 = v5 * z;
        let v8 = v7.exp();
        let v9 = z * v4;
        let v10 = v8 / width;
        let v11 = v6 * v8;
        let v12 = v11 * v4;
        let v13 = v4 * v12;
        let v14 = -v13;
        let v15 = v10 * v4;
        let v16 = v9 * v12;
        let v17 = v16 - v15;
        (v10, [v14, v17])
    }
}
