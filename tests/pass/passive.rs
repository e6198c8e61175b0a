//! What touches no float by which is differentiated is passive: it is kept as it is written, and done once.

use approx::assert_relative_eq;
use jacobian::jacobian;

#[jacobian(wrt(x))]
pub fn pull(x: [f64; 2], samples: &[f64]) -> f64 {
    const GAIN: f64 = 2.0;
    let mut level = 0.0;
    for s in samples {
        level += s;
    }
    let r = x[0].hypot(x[1]);
    GAIN * level * r
}

fn main() {
    let samples = [0.25, 0.5, 0.75];
    let (value, [dx, dy]) = pull_jac([3.0, 4.0], &samples);
    assert_eq!((value, [dx, dy]), expansion::pull_jac([3.0, 4.0], &samples));
    assert_eq!(value, pull([3.0, 4.0], &samples));
    assert_relative_eq!(dx, 1.8);
    assert_relative_eq!(dy, 2.4);
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    #[allow(dead_code)]
    pub fn pull(x: [f64; 2], samples: &[f64]) -> f64 {
        const GAIN: f64 = 2.0;
        let mut level = 0.0;
        for s in samples {
            level += s;
        }
        let r = x[0].hypot(x[1]);
        GAIN * level * r
    }
    /// Returns the value of `pull` and its Jacobian: `(value, jacobian)`.
    ///
    /// `jacobian[j]`: the partial derivative with respect to column `j` of 2.
    ///
    /// Columns:
    ///
    /// - 0 to 1: the floats of `x` in order
    ///
    /// All 2 entries are there: none is zero by structure.
    ///
    /// Operations:
    ///
    /// - `pull`: 2 operations (1 multiplication, 1 call)
    /// - with the Jacobian: 8 operations (3 multiplications, 2 divisions, 3 calls)
    /// - elimination: 2 multiplications; forward 2, reverse 2, no order below that
    /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(2)` (2 `r`), its statements ordered by `latency`
    ///
    /// Generated for `pull`: `pull_jac`.
    #[inline]
    pub fn pull_jac(
        x: [f64; 2],
        samples: &[f64],
    ) -> (::core::primitive::f64, [::core::primitive::f64; 2]) {
        const GAIN: f64 = 2.0;
        let r = x[0].hypot(x[1]);
        let mut level_1: ::core::primitive::f64 = 0.0;
        for s in samples {
            level_1 += s;
        }
        let gain_level_1: ::core::primitive::f64 = GAIN * level_1;
        let v5 = x[0] / r;
        let v6 = if r == 0.0 { 0.0 } else { v5 };
        let v7 = x[1] / r;
        let v8 = if r == 0.0 { 0.0 } else { v7 };
        let v9 = gain_level_1 * r;
        let v10 = v6 * gain_level_1;
        let v11 = v8 * gain_level_1;
        (v9, [v10, v11])
    }
}
