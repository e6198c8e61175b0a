//! Several floats as the result: a row of the Jacobian for each of them, a column for each float of the parameters.

use jacobian::jacobian;

#[jacobian]
pub fn polar(r: f64, t: f64) -> [f64; 2] {
    [r * t.cos(), r * t.sin()]
}

fn main() {
    let (y, j) = polar_jac(2.0, 0.5);
    assert_eq!((y, j), expansion::polar_jac(2.0, 0.5));
    assert_eq!(y, polar(2.0, 0.5));
    let (sin, cos) = f64::sin_cos(0.5);
    assert_eq!(j, [[cos, -2.0 * sin], [sin, 2.0 * cos]]);
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    #[allow(dead_code)]
    pub fn polar(r: f64, t: f64) -> [f64; 2] {
        [r * t.cos(), r * t.sin()]
    }
    /// Returns the value of `polar` and its Jacobian: `(value, jacobian)`.
    ///
    /// `jacobian[i][j]`: the partial derivative of float `i` of 2 of the result with respect to column `j` of 2.
    ///
    /// Columns:
    ///
    /// - 0: `r`
    /// - 1: `t`
    ///
    /// All 4 entries are there: none is zero by structure.
    ///
    /// Operations:
    ///
    /// - `polar`: 4 operations (2 multiplications, 2 calls)
    /// - with the Jacobian: 5 operations (2 multiplications, 1 negation, 2 calls)
    /// - elimination: 2 multiplications; forward 2, reverse 2, no order below that
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(4, 2)`, its statements ordered by `latency`
    ///
    /// Generated for `polar`: `polar_jac`.
    #[inline]
    pub fn polar_jac(
        r: f64,
        t: f64,
    ) -> ([::core::primitive::f64; 2], [[::core::primitive::f64; 2]; 2]) {
        let v2 = t.sin();
        let v3 = t.cos();
        let v4 = r * v2;
        let v5 = -v4;
        let v6 = r * v3;
        ([v6, v4], [[v3, v5], [v2, v6]])
    }
}
