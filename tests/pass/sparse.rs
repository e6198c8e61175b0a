//! The documentation of the generated functions shows where the Jacobian is not zero by structure, and names the others.

use jacobian::jacobian;

#[jacobian(forms(jac_sparse, vjp))]
pub fn chain(x: &[f64; 4]) -> [f64; 3] {
    core::array::from_fn(|i| x[i] * x[i + 1].sin())
}

fn main() {
    let x = [1.0, 2.0, 3.0, 4.0];
    assert_eq!(chain_jac_pattern(), ([0, 1, 3, 5, 6], [0, 0, 1, 1, 2, 2]));
    assert_eq!(chain_jac_sparse(&x), expansion::chain_jac_sparse(&x));
    assert_eq!(chain_jac_pattern(), expansion::chain_jac_pattern());
    assert_eq!(chain_vjp(&x, &[1.0; 3]), expansion::chain_vjp(&x, &[1.0; 3]));
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    #[allow(dead_code)]
    pub fn chain(x: &[f64; 4]) -> [f64; 3] {
        core::array::from_fn(|i| x[i] * x[i + 1].sin())
    }
    /// Returns the value of `chain` and its Jacobian, sparse: `(value, jacobian)`.
    ///
    /// `jacobian[k]`: the partial derivative of float `i` of 3 of the result with respect to column `j` of 4, entry `k` by columns of those which are not zero, for the places in `chain_jac_pattern`.
    ///
    /// Columns:
    ///
    /// - 0 to 3: the floats of `x` in order
    ///
    /// Of 12 entries, 6 are not zero by structure:
    ///
    /// ```text
    /// **..
    /// .**.
    /// ..**
    /// ```
    ///
    /// Operations:
    ///
    /// - `chain`: 6 operations (3 multiplications, 3 calls)
    /// - with the Jacobian: 12 operations (6 multiplications, 6 calls)
    /// - elimination: 3 multiplications; forward 3, reverse 3, no order below that
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(8, 6, 4)`, its statements ordered by `latency`
    ///
    /// Generated for `chain`: `chain_jac_sparse`, `chain_vjp`, `chain_jac_pattern`.
    #[inline]
    pub fn chain_jac_sparse(
        x: &[f64; 4],
    ) -> ([::core::primitive::f64; 3], [::core::primitive::f64; 6]) {
        let v4 = x[1].sin();
        let v5 = x[1].cos();
        let v6 = x[2].sin();
        let v7 = x[2].cos();
        let v8 = x[3].sin();
        let v9 = x[3].cos();
        let v10 = x[0] * v4;
        let v11 = x[1] * v6;
        let v12 = v7 * x[1];
        let v13 = v5 * x[0];
        let v14 = x[2] * v8;
        let v15 = v9 * x[2];
        ([v10, v11, v14], [v4, v13, v6, v12, v8, v15])
    }
    /// Returns where the entries of the Jacobian of `chain` are that are not zero by structure, of 3 rows and 4 columns: `(column_starts, rows)`.
    ///
    /// The entries of column `k` are those from `column_starts[k]` to `column_starts[k + 1]`, in the rows that `rows` has at these places, ascending.
    pub const fn chain_jac_pattern() -> (
        [::core::primitive::usize; 5],
        [::core::primitive::usize; 6],
    ) {
        ([0, 1, 3, 5, 6], [0, 0, 1, 1, 2, 2])
    }
    /// Returns the value of `chain` and its transposed Jacobian times `cotangent`: `(value, product)`.
    ///
    /// `cotangent[i]`: the factor of float `i` of 3 of the result.
    ///
    /// `product[j]`: the derivative of the results, weighted with `cotangent`, with respect to column `j` of 4.
    ///
    /// Columns:
    ///
    /// - 0 to 3: the floats of `x` in order
    ///
    /// Operations:
    ///
    /// - `chain`: 6 operations (3 multiplications, 3 calls)
    /// - with the product: 20 operations (12 multiplications, 2 additions, 6 calls)
    /// - elimination: 9 multiplications; forward 9, reverse 9, no order below that
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(9, 8, 7, 6, 5, 4)`, its statements ordered by `latency`
    ///
    /// Generated for `chain`: `chain_jac_sparse`, `chain_vjp`, `chain_jac_pattern`.
    #[inline]
    pub fn chain_vjp(
        x: &[f64; 4],
        cotangent: &[::core::primitive::f64; 3],
    ) -> ([::core::primitive::f64; 3], [::core::primitive::f64; 4]) {
        let v7 = x[1].cos();
        let v8 = x[2].sin();
        let v9 = x[2].cos();
        let v10 = x[3].sin();
        let v11 = x[1].sin();
        let v12 = x[3].cos();
        let v13 = x[1] * cotangent[1];
        let v14 = x[0] * cotangent[0];
        let v15 = x[2] * cotangent[2];
        let v16 = v10 * cotangent[2];
        let v17 = v9 * v13;
        let v18 = v16 + v17;
        let v19 = v8 * cotangent[1];
        let v20 = v7 * v14;
        let v21 = v19 + v20;
        let v22 = x[0] * v11;
        let v23 = x[1] * v8;
        let v24 = x[2] * v10;
        let v25 = v11 * cotangent[0];
        let v26 = v12 * v15;
        ([v22, v23, v24], [v25, v21, v18, v26])
    }
}
