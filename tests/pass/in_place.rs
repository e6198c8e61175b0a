//! With `into`, a second function writes the value and the Jacobian to where its last two parameters refer to.

use jacobian::jacobian;

#[jacobian(into)]
pub fn product(x: [f64; 3]) -> f64 {
    x[0] * x[1] * x[2]
}

fn main() {
    assert_eq!(product_jac([2.0, 3.0, 5.0]), (30.0, [15.0, 10.0, 6.0]));
    assert_eq!(product_jac([2.0, 3.0, 5.0]), expansion::product_jac([2.0, 3.0, 5.0]));
    for product_jac_into in [product_jac_into, expansion::product_jac_into] {
        let (mut value, mut gradient) = (0.0, [0.0; 3]);
        product_jac_into([2.0, 3.0, 5.0], &mut value, &mut gradient);
        assert_eq!((value, gradient), (30.0, [15.0, 10.0, 6.0]));
    }
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    #[allow(dead_code)]
    pub fn product(x: [f64; 3]) -> f64 {
        x[0] * x[1] * x[2]
    }
    /// Returns the value of `product` and its Jacobian: `(value, jacobian)`.
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
    /// - `product`: 2 operations (2 multiplications)
    /// - with the Jacobian: 4 operations (4 multiplications)
    /// - elimination: 2 multiplications; forward 2, reverse 2, no order below that
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(3)`
    ///
    /// Generated for `product`: `product_jac`, `product_jac_into`.
    #[inline]
    pub fn product_jac(
        x: [f64; 3],
    ) -> (::core::primitive::f64, [::core::primitive::f64; 3]) {
        let v3 = x[0] * x[1];
        let v4 = v3 * x[2];
        let v5 = x[1] * x[2];
        let v6 = x[0] * x[2];
        (v4, [v5, v6, v3])
    }
    /// Writes the value of `product` to `value` and its Jacobian to `jacobian`.
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
    /// - `product`: 2 operations (2 multiplications)
    /// - with the Jacobian: 4 operations (4 multiplications)
    /// - elimination: 2 multiplications; forward 2, reverse 2, no order below that
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(3)`
    ///
    /// Generated for `product`: `product_jac`, `product_jac_into`.
    #[inline]
    pub fn product_jac_into(
        x: [f64; 3],
        value: &mut ::core::primitive::f64,
        jacobian: &mut [::core::primitive::f64; 3],
    ) {
        let v3 = x[0] * x[1];
        let v4 = v3 * x[2];
        let v5 = x[1] * x[2];
        let v6 = x[0] * x[2];
        *jacobian = [v5, v6, v3];
        *value = v4;
    }
}
