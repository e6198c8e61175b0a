//! Derivatives by central differences of fourth order in double-double arithmetic: with steps of a millionth, they are
//! exact to more digits than a `f64` has.

use crate::wide::Wide;

/// Beside the numbers themselves.
const STEP: f64 = 1e-6;

/// Places and weights of the differences, in steps and in twelfths of a step.
const STENCIL: [(f64, f64); 4] = [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)];

/// The derivatives of the results of `f` by a variable.
pub fn first<const N: usize, const M: usize>(f: impl Fn(&[Wide; N]) -> [Wide; M], x: &[f64; N], by: usize) -> [f64; M] {
    along(&f, x.map(Wide::from), by).map(f64::from)
}

/// A second derivative of `f`.
pub fn second<const N: usize>(f: impl Fn(&[Wide; N]) -> Wide, x: &[f64; N], by: [usize; 2]) -> f64 {
    let gradient = |x: &[Wide; N]| along(&|x: &[Wide; N]| [f(x)], *x, by[0]);
    let [result] = along(&gradient, x.map(Wide::from), by[1]);
    result.into()
}

fn along<const N: usize, const M: usize>(f: &dyn Fn(&[Wide; N]) -> [Wide; M], x: [Wide; N], by: usize) -> [Wide; M] {
    let step = STEP * f64::from(x[by]).abs().max(1e-2);
    let mut sums = [Wide::from(0.0); M];
    for (place, weight) in STENCIL {
        let mut moved = x;
        moved[by] += place * step;
        for (sum, value) in sums.iter_mut().zip(f(&moved)) {
            *sum += value * weight;
        }
    }
    sums.map(|sum| sum / (Wide::from(step) * 12.0))
}
