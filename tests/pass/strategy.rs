//! The strategy is the order in which the chain rule is applied. Here are two on one function, which compute the same
//! Jacobian: forward carries the derivatives of every value by `a` and `b` along, reverse those of the results.

use approx::assert_relative_eq;
use jacobian::jacobian;

#[jacobian(strategy = "forward", name = "by_forward")]
pub fn lion(a: f64, b: f64) -> [f64; 4] {
    let t = a / b;
    let u = t.cos();
    [u.exp(), 3.14 * u, u.sin(), u * t]
}

#[jacobian(strategy = "reverse", name = "by_reverse")]
pub fn the_same_lion(a: f64, b: f64) -> [f64; 4] {
    let t = a / b;
    let u = t.cos();
    [u.exp(), 3.14 * u, u.sin(), u * t]
}

fn main() {
    let (value, forward) = by_forward(1.5, 2.0);
    let (same_value, reverse) = by_reverse(1.5, 2.0);
    assert_eq!((value, forward), expansion::by_forward(1.5, 2.0));
    assert_eq!((same_value, reverse), expansion::by_reverse(1.5, 2.0));
    assert_eq!((value, value), (lion(1.5, 2.0), the_same_lion(1.5, 2.0)));
    for (one, other) in forward.iter().flatten().zip(reverse.iter().flatten()) {
        assert_relative_eq!(one, other);
    }
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    #[allow(dead_code)]
    pub fn lion(a: f64, b: f64) -> [f64; 4] {
        let t = a / b;
        let u = t.cos();
        [u.exp(), 3.14 * u, u.sin(), u * t]
    }
    /// Returns the value of `lion` and its Jacobian: `(value, jacobian)`.
    ///
    /// `jacobian[i][j]`: the partial derivative of float `i` of 4 of the result with respect to column `j` of 2.
    ///
    /// Columns:
    ///
    /// - 0: `a`
    /// - 1: `b`
    ///
    /// All 8 entries are there: none is zero by structure.
    ///
    /// Operations:
    ///
    /// - `lion`: 6 operations (2 multiplications, 1 division, 3 calls)
    /// - with the Jacobian: 25 operations (14 multiplications, 2 additions, 2 divisions, 2 negations, 5 calls)
    /// - elimination: 12 multiplications; forward 12, reverse 12, no order below 8
    /// - strategy: `vertex: forward`, in the order `vertex: order(2, 3)` (2 `t`, 3 `u`), its statements ordered by `latency`
    ///
    /// Generated for `lion`: `by_forward`.
    #[inline]
    pub fn by_forward(
        a: f64,
        b: f64,
    ) -> ([::core::primitive::f64; 4], [[::core::primitive::f64; 2]; 4]) {
        let t = a / b;
        let v6 = 1.0 / b;
        let u = t.cos();
        let v8 = t.sin();
        let v9 = t * v6;
        let v10 = u.exp();
        let v11 = u.cos();
        let v12 = u.sin();
        let du_db = v9 * v8;
        let du_da = v6 * v8;
        let v15 = 3.14 * u;
        let v16 = v6 * u;
        let v17 = v16 - du_db;
        let v18 = v9 * u;
        let v19 = du_db * t;
        let v20 = v19 - v18;
        let v21 = du_da * v10;
        let v22 = -v21;
        let v23 = du_da * v11;
        let v24 = -v23;
        let v25 = u * t;
        let v26 = du_db * v10;
        let v27 = du_db * 3.14;
        let v28 = du_db * v11;
        let v29 = du_da * (-3.14);
        ([v10, v15, v12, v25], [[v22, v26], [v29, v27], [v24, v28], [v17, v20]])
    }
    #[allow(dead_code)]
    pub fn the_same_lion(a: f64, b: f64) -> [f64; 4] {
        let t = a / b;
        let u = t.cos();
        [u.exp(), 3.14 * u, u.sin(), u * t]
    }
    /// Returns the value of `the_same_lion` and its Jacobian: `(value, jacobian)`.
    ///
    /// `jacobian[i][j]`: the partial derivative of float `i` of 4 of the result with respect to column `j` of 2.
    ///
    /// Columns:
    ///
    /// - 0: `a`
    /// - 1: `b`
    ///
    /// All 8 entries are there: none is zero by structure.
    ///
    /// Operations:
    ///
    /// - `the_same_lion`: 6 operations (2 multiplications, 1 division, 3 calls)
    /// - with the Jacobian: 27 operations (15 multiplications, 1 addition, 2 divisions, 4 negations, 5 calls)
    /// - elimination: 12 multiplications; forward 12, reverse 12, no order below 8
    /// - strategy: `vertex: reverse`, in the order `vertex: order(3, 2)` (2 `t`, 3 `u`), its statements ordered by `latency`
    ///
    /// Generated for `the_same_lion`: `by_reverse`.
    #[inline]
    pub fn by_reverse(
        a: f64,
        b: f64,
    ) -> ([::core::primitive::f64; 4], [[::core::primitive::f64; 2]; 4]) {
        let t = a / b;
        let v5 = 1.0 / b;
        let u = t.cos();
        let v7 = t.sin();
        let v8 = t * v5;
        let v9 = u.exp();
        let v10 = u.cos();
        let v11 = u.sin();
        let v12 = v7 * t;
        let v13 = u - v12;
        let v14 = v7 * v9;
        let v15 = v7 * 3.14;
        let v16 = 3.14 * u;
        let v17 = v7 * v10;
        let v18 = v5 * v14;
        let v19 = -v18;
        let v20 = v5 * v15;
        let v21 = -v20;
        let v22 = v5 * v17;
        let v23 = -v22;
        let v24 = v8 * v13;
        let v25 = -v24;
        let v26 = u * t;
        let v27 = v5 * v13;
        let v28 = v8 * v14;
        let v29 = v8 * v15;
        let v30 = v8 * v17;
        ([v9, v16, v11, v26], [[v19, v28], [v21, v29], [v23, v30], [v27, v25]])
    }
}
