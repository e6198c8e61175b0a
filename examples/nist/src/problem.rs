//! A regression problem: a model, its Jacobian and its data files, and what there is to find out about them.
//!
//! Takes the functions and the text of a file; gives a [`Report`]: the fits from both starting points, and how far the
//! generated gradient is from the one derived by hand.

use crate::dataset::{Dataset, ParseError};
use crate::fit::{Fit, Gradient, Model, fit};
use crate::newton;

/// The certified values have eleven digits: no more can agree.
const CERTIFIED_DIGITS: f64 = 11.0;

/// A model and its data files, whatever the number of its parameters.
pub trait Problem {
    fn files(&self) -> &[DataFile];
    fn report(&self, file: &DataFile) -> Result<Report, ParseError>;
}

/// A gradient derived by hand.
pub type ByHand<const N: usize> = fn(f64, &[f64; N]) -> [f64; N];

/// A model in `N` parameters and its data files.
pub struct Regression<const N: usize> {
    pub files: &'static [DataFile],
    pub model: Model<N>,
    /// What `#[jacobian(forms(jac, hess), wrt(b))]` makes of the model: the value and the gradient by `b`.
    pub model_jac: fn(f64, &[f64; N]) -> (f64, [f64; N]),
    /// With the Hessian by `b`.
    pub model_hess: newton::Second<N>,
    pub by_hand: Option<ByHand<N>>,
}

pub struct DataFile {
    pub name: &'static str,
    pub text: &'static str,
}

pub struct Report {
    pub outcomes: [Outcome; 2],
    /// Whether `model_jac` returns the value of the model bit for bit.
    pub keeps_value: bool,
    /// The largest difference between the two gradients, relative to the largest partial derivative by the same
    /// parameter; none where no gradient was derived by hand.
    pub disagreement: Option<f64>,
}

/// A fit from one of the starting points.
pub struct Outcome {
    pub residual_evaluations: usize,
    pub jacobian_evaluations: usize,
    /// The number of digits that agree with the certified values, for the parameter that agrees worst.
    pub digits: f64,
    /// The same when the solver is given the gradient derived by hand.
    pub digits_by_hand: Option<f64>,
    /// The same by Newton's method, with the generated Hessian.
    pub digits_by_newton: f64,
}

impl<const N: usize> Problem for Regression<N> {
    fn files(&self) -> &[DataFile] {
        self.files
    }

    fn report(&self, file: &DataFile) -> Result<Report, ParseError> {
        let dataset: Dataset<N> = file.text.parse()?;
        let disagreement = |by_hand| self.disagreement(&dataset, by_hand);
        Ok(Report {
            outcomes: dataset.starts.map(|start| self.outcome(&dataset, start)),
            keeps_value: self.keeps_value(&dataset),
            disagreement: self.by_hand.map(disagreement),
        })
    }
}

impl<const N: usize> Regression<N> {
    fn outcome(&self, dataset: &Dataset<N>, start: [f64; N]) -> Outcome {
        let run = |gradient: Gradient<'_, N>| fit(self.model, gradient, &dataset.observations, start);
        let digits = |fit: &Fit<N>| agreeing_digits(&fit.b, &dataset.certified);
        let generated = run(&|x, b| self.gradient(x, b));
        Outcome {
            residual_evaluations: generated.residual_evaluations,
            jacobian_evaluations: generated.jacobian_evaluations,
            digits: digits(&generated),
            digits_by_newton: agreeing_digits(
                &newton::fit(self.model_hess, &dataset.observations, start),
                &dataset.certified,
            ),
            digits_by_hand: self.by_hand.map(|by_hand| digits(&run(&by_hand))),
        }
    }

    fn gradient(&self, x: f64, b: &[f64; N]) -> [f64; N] {
        (self.model_jac)(x, b).1
    }

    fn keeps_value(&self, dataset: &Dataset<N>) -> bool {
        let keeps = |x, b| (self.model_jac)(x, b).0.to_bits() == (self.model)(x, b).to_bits();
        dataset.points().all(|b| dataset.observations.iter().all(|o| keeps(o.x, b)))
    }

    /// Compares the gradients at every observation and point, parameter by parameter: their units differ, and a partial
    /// derivative that all but vanishes at one observation has no relative precision to compare there.
    fn disagreement(&self, dataset: &Dataset<N>, by_hand: ByHand<N>) -> f64 {
        let at_point = |b| {
            let both = dataset.observations.iter().map(|o| (self.gradient(o.x, b), by_hand(o.x, b)));
            let both: Vec<_> = both.collect();
            let by_parameter = (0..N).map(|j| difference(both.iter().map(|(a, b)| (a[j], b[j]))));
            by_parameter.fold(0.0, worse)
        };
        dataset.points().map(at_point).fold(0.0, worse)
    }
}

/// The largest difference within the pairs, relative to the largest number among them.
fn difference(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (error, scale) =
        pairs.fold((0.0, 0.0), |(error, scale), (a, b)| (worse(error, (a - b).abs()), worse(scale, b.abs())));
    if error == 0.0 { 0.0 } else { error / scale }
}

/// `-log10 |b - certified| / |certified|` for the worst parameter, within what the certified values can tell.
fn agreeing_digits<const N: usize>(b: &[f64; N], certified: &[f64; N]) -> f64 {
    let error = |(b, certified): (&f64, &f64)| ((b - certified) / certified).abs();
    let worst = b.iter().zip(certified).map(error).fold(0.0, worse);
    (-worst.log10()).clamp(0.0, CERTIFIED_DIGITS)
}

/// The larger number; NaN if either is, where `f64::max` would drop it.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
