//! The problems of Moré, Garbow and Hillstrom ("Testing unconstrained optimization software", ACM TOMS 7, 1981),
//! written from their formulas: Jacobians of the residuals, and gradients and Hessians of the sums of squares, against
//! central differences in double-double arithmetic, which see nothing but the values; and the minima, found by Newton's
//! method.

mod data;
mod differences;
mod problems;
mod wide;

use approx::abs_diff_eq;
use nalgebra::{DMatrix, DVector};
use wide::Wide;

/// A problem with `N` variables and `M` residuals.
struct Problem<const N: usize, const M: usize> {
    name: &'static str,
    start: [f64; N],
    /// Near a minimum, so that Newton's method finds it.
    near: [f64; N],
    /// The least sum of squares, to six digits.
    minimum: f64,
    residuals: Function<N, f64, [f64; M]>,
    residuals_jac: Function<N, f64, ([f64; M], [[f64; N]; M])>,
    wide_residuals: Function<N, Wide, [Wide; M]>,
    objective: Function<N, f64, f64>,
    objective_jac: Function<N, f64, (f64, [f64; N])>,
    objective_hess: Function<N, f64, Second<N, [[f64; N]; N]>>,
    objective_hvp: fn(&[f64; N], &[f64; N]) -> Second<N, [f64; N]>,
    wide_objective: Function<N, Wide, Wide>,
}

type Function<const N: usize, T, R> = fn(&[T; N]) -> R;

/// A value, its gradient, and second derivatives.
type Second<const N: usize, H> = (f64, [f64; N], H);

/// The largest error of an entry in units of what it is compared with: the problems cancel, some of them eight digits.
const TOLERANCE: f64 = 1e-10;

/// Residuals that are zero are some roundings in one of the two arithmetics.
const RESIDUAL: f64 = 1e-4;

/// Second differences of a large value have fewer digits.
const OF_DIFFERENCES: f64 = 1e-9;

/// How near the minimum the value must be that Newton's method finds: as many digits as are known, or none but
/// roundings.
const OF_MINIMUM: (f64, f64) = (1e-5, 1e-18);

/// The most steps of Newton's method.
const STEPS: usize = 20;

impl<const N: usize, const M: usize> Problem<N, M> {
    fn check(&self) {
        // Away from the start, too: there, some entries are zero.
        let moved =
            std::array::from_fn(|i| self.start[i] + 0.01 * (1.0 + self.start[i].abs()) * (1.0 + i as f64).cos());
        for x in [self.start, moved, self.near] {
            self.check_jacobian(&x);
            self.check_second(&x);
        }
        self.check_minimum();
    }

    fn check_jacobian(&self, x: &[f64; N]) {
        let (value, jacobian) = (self.residuals_jac)(x);
        assert_eq!(value.map(f64::to_bits), (self.residuals)(x).map(f64::to_bits), "{} at {x:?}", self.name);
        for column in 0..N {
            let expected = differences::first(self.wide_residuals, x, column);
            for (row, expected) in expected.into_iter().enumerate() {
                let entry = jacobian[row][column];
                let scale = entry.abs().max(value[row].abs() / x[column].abs().max(1.0)).max(1e-3);
                self.near(x, &format!("residual {row} by {column}"), entry, expected, scale);
            }
        }
    }

    fn check_second(&self, x: &[f64; N]) {
        let (value, gradient, hessian) = (self.objective_hess)(x);
        assert_eq!(value.to_bits(), (self.objective)(x).to_bits(), "{} at {x:?}", self.name);
        let (_, by_jac) = (self.objective_jac)(x);
        // Every entry is a sum over the residuals, whose squares are larger where they cancel.
        let (_, jacobian) = (self.residuals_jac)(x);
        let of_column = |column: usize| jacobian.iter().map(|row| row[column] * row[column]).sum::<f64>().sqrt();
        for row in 0..N {
            let [expected] = differences::first(|x| [(self.wide_objective)(x)], x, row);
            let scale = 2.0 * of_column(row) * (value.sqrt() + RESIDUAL) + expected.abs();
            self.near(x, &format!("gradient, {row}"), gradient[row], expected, scale);
            self.near(x, &format!("gradient by jac, {row}"), by_jac[row], expected, scale);
            for column in 0..N {
                let (entry, name) = (hessian[row][column], format!("Hessian, {row}, {column}"));
                assert_eq!(entry.to_bits(), hessian[column][row].to_bits(), "{}: {name}", self.name);
                let expected = differences::second(self.wide_objective, x, [row, column]);
                let diagonal = (hessian[row][row] * hessian[column][column]).abs().sqrt();
                let differences = value * OF_DIFFERENCES;
                let scale = 2.0 * of_column(row) * of_column(column) + expected.abs() + diagonal + differences;
                self.near(x, &name, entry, expected, scale);
            }
        }
        let direction = std::array::from_fn(|i| 1.0 - 0.75 * i as f64);
        let (_, _, product) = (self.objective_hvp)(x, &direction);
        for row in 0..N {
            let terms = || hessian[row].iter().zip(&direction).map(|(entry, factor)| entry * factor);
            let scale = terms().map(f64::abs).sum::<f64>();
            self.near(x, &format!("product, {row}"), product[row], terms().sum(), scale);
        }
    }

    fn near(&self, x: &[f64; N], what: &str, actual: f64, expected: f64, scale: f64) {
        let agrees = abs_diff_eq!(actual, expected, epsilon = TOLERANCE * scale);
        assert!(agrees, "{} at {x:?}: {what} is {actual:e}, by differences {expected:e}", self.name);
    }

    /// Newton's method, with the generated Hessian, reaches the minimum that is known.
    fn check_minimum(&self) {
        let (mut x, mut best) = (self.near, (self.objective)(&self.near));
        for _ in 0..STEPS {
            let (_, gradient, hessian) = (self.objective_hess)(&x);
            let hessian = DMatrix::from_fn(N, N, |row, column| hessian[row][column]);
            let Some(step) = hessian.lu().solve(&DVector::from_row_slice(&gradient)) else { break };
            let next = std::array::from_fn(|i| x[i] - step[i]);
            let value = (self.objective)(&next);
            if value.is_nan() || value >= best {
                break;
            }
            (x, best) = (next, value);
        }
        let error = (best - self.minimum).abs();
        let (relative, absolute) = OF_MINIMUM;
        assert!(error <= relative * self.minimum + absolute, "{}: {best:e} at {x:?}", self.name);
    }
}
