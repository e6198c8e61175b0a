//! Functions that compute indices of what is known: there is no branch over the elements in what is generated.

use jacobian::jacobian;

#[jacobian]
pub mod model {
    #[derive(Clone, Copy)]
    pub enum State {
        Level,
        Rate,
    }

    impl State {
        fn index(self) -> usize {
            self as usize
        }
    }

    fn at(i: usize, j: usize) -> usize {
        assert!(j < 2, "there are two columns");
        i * 2 + j
    }

    #[jacobian]
    pub fn next(x: [f64; 2], a: [f64; 4]) -> [f64; 2] {
        let mut y = [0.0; 2];
        for i in 0..2 {
            y[i] = a[at(i, 0)] * x[State::Level.index()] + a[at(i, 1)] * x[State::Rate as usize];
        }
        y
    }
}

fn main() {
    let (x, a) = ([0.5, 0.25], [1.0, 0.1, -0.2, 0.9]);
    assert_eq!(model::next_jac(x, a), expansion::model::next_jac(x, a));
    assert_eq!(model::next_jac(x, a).0, model::next(x, a));
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    pub mod model {
        #[derive(Clone, Copy)]
        pub enum State {
            Level,
            Rate,
        }
        impl State {
            fn index(self) -> usize {
                self as usize
            }
        }
        fn at(i: usize, j: usize) -> usize {
            assert!(j < 2, "there are two columns");
            i * 2 + j
        }
        #[allow(dead_code)]
        pub fn next(x: [f64; 2], a: [f64; 4]) -> [f64; 2] {
            let mut y = [0.0; 2];
            for i in 0..2 {
                y[i] = a[at(i, 0)] * x[State::Level.index()]
                    + a[at(i, 1)] * x[State::Rate as usize];
            }
            y
        }
        /// Returns the value of `next` and its Jacobian: `(value, jacobian)`.
        ///
        /// `jacobian[i][j]`: the partial derivative of float `i` of 2 of the result with respect to column `j` of 6.
        ///
        /// Columns:
        ///
        /// - 0 to 1: the floats of `x` in order
        /// - 2 to 5: the floats of `a` in order
        ///
        /// Of 12 entries, 8 are not zero by structure:
        ///
        /// ```text
        /// ****..
        /// **..**
        /// ```
        ///
        /// Operations:
        ///
        /// - `next`: 6 operations (4 multiplications, 2 additions)
        /// - with the Jacobian: 6 operations (4 multiplications, 2 additions)
        /// - elimination: 0 multiplications
        /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(10, 9, 7, 6)`
        ///
        /// Generated for `next`: `next_jac`.
        #[inline]
        pub fn next_jac(
            x: [f64; 2],
            a: [f64; 4],
        ) -> ([::core::primitive::f64; 2], [[::core::primitive::f64; 6]; 2]) {
            {
                use ::core::*;
                let _ = |a: ::core::primitive::bool| assert!(a);
            }
            let v6 = a[0] * x[0];
            let v7 = a[1] * x[1];
            let y_1 = v6 + v7;
            let v9 = a[2] * x[0];
            let v10 = a[3] * x[1];
            let y_2 = v9 + v10;
            (
                [y_1, y_2],
                [[a[0], a[1], x[0], x[1], 0.0, 0.0], [a[2], a[3], 0.0, 0.0, x[0], x[1]]],
            )
        }
    }
}
