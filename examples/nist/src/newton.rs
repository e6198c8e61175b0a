//! The same fits by Newton's method, which needs second derivatives: the Hessian of the sum of squares is
//! `2 * sum(g gᵀ + r H)`, of the residuals `r` and of gradients `g` and Hessians `H` of the model.
//!
//! Takes a model's value, gradient and Hessian, the observations and a starting point; gives the parameters at the end.
//! A step is shortened, as in Levenberg and Marquardt's method, where it does not make the sum smaller.

use crate::dataset::Observation;
use nalgebra::{DMatrix, DVector};

/// What `#[jacobian(forms(hess), wrt(b))]` makes of a model: value, gradient and Hessian by `b`.
pub type Second<const N: usize> = fn(f64, &[f64; N]) -> (f64, [f64; N], [[f64; N]; N]);

/// The most steps, those that are taken back among them.
const STEPS: usize = 1000;

/// The damping at the start, and the least of it: below, there is none.
const DAMPING: (f64, f64) = (1e-3, 1e-12);

/// Fits the model to the observations, from the starting point `b`.
pub fn fit<const N: usize>(model: Second<N>, observations: &[Observation], mut b: [f64; N]) -> [f64; N] {
    let (mut quadratic, mut damping) = (Quadratic::of(model, observations, &b), DAMPING.0);
    for _ in 0..STEPS {
        let Some(step) = quadratic.step(damping) else {
            damping = 10.0 * damping.max(DAMPING.1);
            continue;
        };
        let next = std::array::from_fn(|i| b[i] - step[i]);
        let at_next = Quadratic::of(model, observations, &next);
        if at_next.sum < quadratic.sum {
            (b, quadratic) = (next, at_next);
            damping = if damping < DAMPING.1 { 0.0 } else { 0.1 * damping };
        } else if next == b || damping > 1e20 {
            break;
        } else {
            damping = 10.0 * damping.max(DAMPING.1);
        }
    }
    b
}

/// The sum of squares with its derivatives at a point.
struct Quadratic {
    sum: f64,
    gradient: DVector<f64>,
    hessian: DMatrix<f64>,
    /// The units of the parameters: the lengths of the columns of the Jacobian.
    units: DVector<f64>,
}

impl Quadratic {
    fn of<const N: usize>(model: Second<N>, observations: &[Observation], b: &[f64; N]) -> Self {
        let (mut sum, mut gradient, mut squares) = (0.0, DVector::zeros(N), DVector::zeros(N));
        let mut hessian = DMatrix::zeros(N, N);
        for observation in observations {
            let (value, by, second) = model(observation.x, b);
            let residual = value - observation.y;
            sum += residual * residual;
            for i in 0..N {
                gradient[i] += 2.0 * residual * by[i];
                squares[i] += by[i] * by[i];
                for j in 0..N {
                    hessian[(i, j)] += 2.0 * (by[i] * by[j] + residual * second[i][j]);
                }
            }
        }
        Quadratic { sum, gradient, hessian, units: squares.map(f64::sqrt) }
    }

    /// Newton's step, with so much damping; none where the sum has no minimum in this quadratic.
    fn step(&self, damping: f64) -> Option<DVector<f64>> {
        let scaled = |(i, j): (usize, usize)| {
            let own = self.hessian[(i, j)] / (self.units[i] * self.units[j]);
            if i == j { own + damping } else { own }
        };
        let count = self.units.len();
        let matrix = DMatrix::from_fn(count, count, |i, j| scaled((i, j)));
        let step = matrix.cholesky()?.solve(&self.gradient.component_div(&self.units));
        Some(step.component_div(&self.units))
    }
}
