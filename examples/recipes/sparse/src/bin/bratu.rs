//! Bratu's problem, `u'' + exp(u) = 0` between two zeros, by Newton's method with the sparse LU factorization of faer.
//! Where the entries are is a constant, so that the symbolic factorization is made once.
//!
//!     cargo run -p sparse --bin bratu

use faer::Col;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use jacobian::jacobian;

/// The solution in closed form, whose parameter `theta = sqrt(2) cosh(theta / 4)` is the limit of its own iteration.
fn exact(x: f64) -> f64 {
    let theta = (0..50).fold(1.0, |theta: f64, _| 2.0_f64.sqrt() * (theta / 4.0).cosh());
    -2.0 * (((x - 0.5) * theta / 2.0).cosh() / (theta / 4.0).cosh()).ln()
}

/// A module with the discrete problem at `$n` inner points.
macro_rules! bratu {
    ($name:ident, $n:literal) => {
        mod $name {
            use super::*;

            #[jacobian(forms(jac_sparse))]
            fn residuals(u: &[f64; $n]) -> [f64; $n] {
                let h = 1.0 / ($n as f64 + 1.0);
                core::array::from_fn(|i| {
                    let left = if i == 0 { 0.0 } else { u[i - 1] };
                    let right = if i == $n - 1 { 0.0 } else { u[i + 1] };
                    (left - 2.0 * u[i] + right) / (h * h) + u[i].exp()
                })
            }

            /// Solves it, checks the solution, and returns its largest error.
            pub fn error() -> f64 {
                const PATTERN: &([usize; $n + 1], [usize; 3 * $n - 2]) = &residuals_jac_pattern();
                let pattern = SymbolicSparseColMatRef::new_checked($n, $n, &PATTERN.0, None, &PATTERN.1);
                let symbolic = SymbolicLu::try_new(pattern).expect("there is memory for it");
                let mut u = [0.0; $n];
                for _ in 0..6 {
                    let (residuals, entries) = residuals_jac_sparse(&u);
                    let matrix = SparseColMatRef::new(pattern, &entries);
                    let lu = Lu::try_new_with_symbolic(symbolic.clone(), matrix).expect("the matrix is regular");
                    let step = lu.solve(Col::from_fn($n, |i| residuals[i]));
                    u.iter_mut().zip(step.iter()).for_each(|(u, step)| *u -= step);
                }
                let largest = residuals(&u).into_iter().map(f64::abs).fold(0.0, f64::max);
                assert!(largest < 1e-10, "a residual is {largest}");
                let skew = (0..$n).map(|i| (u[i] - u[$n - 1 - i]).abs()).fold(0.0, f64::max);
                assert!(skew < 1e-12, "the solution is symmetric, this one is off by {skew}");
                let error = |i: usize| (u[i] - exact((i as f64 + 1.0) / ($n as f64 + 1.0))).abs();
                let error = (0..$n).map(error).fold(0.0, f64::max);
                println!("{} unknowns, {} entries: residuals {largest:.0e}, error {error:.1e}", $n, PATTERN.1.len());
                error
            }
        }
    };
}

bratu!(coarse, 50);
bratu!(fine, 500);

fn main() {
    let ratio = coarse::error() / fine::error();
    let expected = (501.0_f64 / 51.0).powi(2);
    assert!((ratio / expected - 1.0).abs() < 1e-3, "the error falls by {ratio}, and should by {expected}");
}
