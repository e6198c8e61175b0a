//! On a module, the attribute sees all functions in it: those that a marked function calls are inlined. The module
//! stays as it is, and gets the derivative of every function that is marked.

use approx::assert_relative_eq;
use jacobian::jacobian;

#[jacobian]
pub mod springs {
    /// How far a spring of length 1 that ends here is stretched.
    fn stretch(x: f64, y: f64) -> f64 {
        (x * x + y * y).sqrt() - 1.0
    }

    /// The energy of two springs that hold a point between them.
    #[jacobian]
    pub fn energy(x: f64, y: f64) -> f64 {
        let (left, right) = (stretch(x + 1.0, y), stretch(x - 1.0, y));
        0.5 * (left * left + right * right)
    }
}

fn main() {
    let (energy, [dx, dy]) = springs::energy_jac(0.0, 0.75);
    assert_eq!((energy, [dx, dy]), expansion::springs::energy_jac(0.0, 0.75));
    assert_eq!(energy, springs::energy(0.0, 0.75));
    assert_eq!((energy, dx), (0.0625, 0.0));
    assert_relative_eq!(dy, 0.3);
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    pub mod springs {
        /// How far a spring of length 1 that ends here is stretched.
        fn stretch(x: f64, y: f64) -> f64 {
            (x * x + y * y).sqrt() - 1.0
        }
        #[allow(dead_code)]
        /// The energy of two springs that hold a point between them.
        pub fn energy(x: f64, y: f64) -> f64 {
            let (left, right) = (stretch(x + 1.0, y), stretch(x - 1.0, y));
            0.5 * (left * left + right * right)
        }
        /// Returns the value of `energy` and its Jacobian: `(value, jacobian)`.
        ///
        /// `jacobian[j]`: the partial derivative with respect to column `j` of 2.
        ///
        /// Columns:
        ///
        /// - 0: `x`
        /// - 1: `y`
        ///
        /// All 2 entries are there: none is zero by structure.
        ///
        /// Operations:
        ///
        /// - `energy`: 16 operations (7 multiplications, 7 additions, 2 calls)
        /// - with the Jacobian: 27 operations (11 multiplications, 12 additions, 2 divisions, 2 calls)
        /// - elimination: 7 multiplications; forward 10, reverse 7
        /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)` (2 `x`, 7 `left`, 8 `x`, 12 `right`)
        ///
        /// Generated for `energy`: `energy_jac`.
        #[inline]
        pub fn energy_jac(
            x: f64,
            y: f64,
        ) -> (::core::primitive::f64, [::core::primitive::f64; 2]) {
            let x_1 = x + 1.0;
            let v4 = x_1 * x_1;
            let v5 = x_1 + x_1;
            let v6 = y * y;
            let v7 = y + y;
            let v8 = v4 + v6;
            let v9 = v8.sqrt();
            let v11 = 0.5 / v9;
            let left = v9 - 1.0;
            let x_2 = x - 1.0;
            let v14 = x_2 * x_2;
            let v15 = x_2 + x_2;
            let v16 = v14 + v6;
            let v17 = v16.sqrt();
            let v18 = 0.5 / v17;
            let right = v17 - 1.0;
            let v20 = left * left;
            let v21 = right * right;
            let v22 = v20 + v21;
            let v23 = 0.5 * v22;
            let v24 = v18 * right;
            let v25 = v15 * v24;
            let v26 = v11 * left;
            let v27 = v24 + v26;
            let v28 = v7 * v27;
            let v29 = v5 * v26;
            let v30 = v25 + v29;
            (v23, [v30, v28])
        }
    }
}
