//! An independent look at a generated Jacobian: the same function over the dual numbers of `num-dual`.
//!
//! `#[dual_twin(NAME)]` gives a function of `f64`, which `#[jacobian]` differentiates at compile time, a second time
//! for `Dual64`, which differentiates at run time. Nothing is shared but the text of the function.

#![allow(dead_code, unused_imports, reason = "each example uses a part of this")]

mod noise;

pub use self::noise::Noise;
pub use dual_twin::dual_twin;
pub use num_dual::{Dual64, DualNum};

/// The largest difference that roundings account for, relative to the largest partial derivative by the same variable.
const TOLERANCE: f64 = 1e-12;

/// The Jacobian of `f` at `x`, a column for each evaluation.
pub fn jacobian_by_duals<const N: usize, const M: usize>(
    f: impl Fn([Dual64; N]) -> [Dual64; M],
    x: [f64; N],
) -> [[f64; N]; M] {
    let mut jacobian = [[0.0; N]; M];
    for j in 0..N {
        let mut seeded = x.map(Dual64::from_re);
        seeded[j].eps = 1.0;
        for (row, y) in jacobian.iter_mut().zip(f(seeded)) {
            row[j] = y.eps;
        }
    }
    jacobian
}

/// The largest difference between the two, relative to the largest entry of its column.
///
/// # Panics
///
/// Panics where that is more than roundings account for.
pub fn check<const N: usize, const M: usize>(generated: &[[f64; N]; M], duals: &[[f64; N]; M]) -> f64 {
    let mut worst = 0.0_f64;
    for j in 0..N {
        let scale = duals.iter().fold(0.0_f64, |scale, row| scale.max(row[j].abs()));
        for (i, (a, b)) in generated.iter().zip(duals).enumerate() {
            let error = (a[j] - b[j]).abs();
            // NaN is no agreement: the comparison is false for it.
            let agrees = error <= TOLERANCE * scale;
            assert!(agrees, "entry ({i}, {j}): generated {}, by dual numbers {}", a[j], b[j]);
            worst = worst.max(if error == 0.0 { 0.0 } else { error / scale });
        }
    }
    worst
}

/// Checks a function's Jacobian at one point after another: its value against the function bit for bit, its derivatives
/// against `twin`, the function over dual numbers. The largest difference of these.
///
/// # Panics
///
/// Panics at a point where one of them disagrees.
pub fn check_at<const N: usize, const M: usize>(
    points: impl IntoIterator<Item = [f64; N]>,
    function: impl Fn([f64; N]) -> [f64; M],
    with_jacobian: impl Fn([f64; N]) -> ([f64; M], [[f64; N]; M]),
    twin: impl Fn([Dual64; N]) -> [Dual64; M],
) -> f64 {
    let mut worst = 0.0_f64;
    for x in points {
        let (value, jacobian) = with_jacobian(x);
        assert_eq!(value.map(f64::to_bits), function(x).map(f64::to_bits), "the value at {x:?}");
        worst = worst.max(check(&jacobian, &jacobian_by_duals(&twin, x)));
    }
    worst
}

/// What a function over dual numbers may call beside the methods of [`DualNum`]. Comparisons look at the values.
pub trait Select: Sized {
    /// The absolute value.
    fn abs(self) -> Self;
    /// The larger of two.
    fn max(self, other: Self) -> Self;
}

impl Select for Dual64 {
    fn abs(self) -> Self {
        if self.re < 0.0 { -self } else { self }
    }

    fn max(self, other: Self) -> Self {
        if self.re < other.re { other } else { self }
    }
}
