//! An independent look at a generated Jacobian: the same function over the dual numbers of `num-dual`.
//!
//! Takes a function that is written once, over `Real`, and gives it for `f64`, where `#[jacobian]` differentiates it at
//! compile time, and for `Dual64`, which differentiates at run time. Nothing is shared but the text of the function.

use num_dual::Dual64;

/// The largest difference that roundings account for, relative to the largest partial derivative by the same variable.
const TOLERANCE: f64 = 1e-12;

/// Emits the function twice: for `f64`, with the attributes written on it, and as `twin` for `Dual64`.
macro_rules! with_dual_twin {
    (
        $(#[$attribute:meta])*
        fn $name:ident($($parameter:ident: [Real; $n:tt]),+) -> [Real; $m:tt] $body:tt
        twin $twin:ident
    ) => {
        $(#[$attribute])*
        fn $name($($parameter: [f64; $n]),+) -> [f64; $m] $body

        fn $twin($($parameter: [num_dual::Dual64; $n]),+) -> [num_dual::Dual64; $m] {
            use num_dual::DualNum as _;
            $body
        }
    };
}
pub(crate) use with_dual_twin;

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
