//! The comparison of values and derivatives with what the interpreter says.

use super::forms::Returned;
use super::oracle::{Entry, Expected};

/// The largest error of an entry in units of roundoff of its magnitude, the sum over all paths of the absolute values
/// of their products: for functions of few operations, and for each operation.
const TOLERANCE: (f64, f64) = (64.0, 4.0);

/// What lies below is lost to underflow.
const UNDERFLOW: f64 = 1e-30;

/// How far the value may be off where functions are not rounded correctly and another process computed it.
const ANOTHER_LIBRARY: f64 = 1e-4;

/// What has been compared.
#[derive(Default, Clone, Copy, Debug)]
pub struct Counts {
    pub points: usize,
    pub entries: usize,
    pub nonzero: usize,
    /// The largest error in units of the magnitude's roundoff.
    pub worst: f64,
}

impl Counts {
    pub fn add(&mut self, other: Counts) {
        self.points += other.points;
        self.entries += other.entries;
        self.nonzero += other.nonzero;
        self.worst = self.worst.max(other.worst);
    }
}

/// Whether the values are the same bit for bit, or nearly the same if they need not be. What is wrong, if not.
pub fn value(expected: &Expected, values: &[f64], is_exact: bool) -> Result<(), String> {
    let agrees = |(a, b): (&f64, &f64)| {
        a.to_bits() == b.to_bits() || !is_exact && (a - b).abs() <= ANOTHER_LIBRARY * (1.0 + a.abs())
    };
    match values.len() == expected.values.len() && values.iter().zip(&expected.values).all(agrees) {
        true => Ok(()),
        false => Err(format!("the value is {values:?}, not {:?}", expected.values)),
    }
}

/// Compares a Jacobian, given row by row.
pub fn jacobian(expected: &Expected, found: &[f64], unit: f64) -> Result<Counts, String> {
    let columns = expected.columns.len();
    let rows = 0..expected.values.len();
    let entries: Vec<_> = rows.flat_map(|row| expected.columns.iter().map(move |column| column[row])).collect();
    let name = |index: usize| format!("row {}, column {}", index / columns, index % columns);
    self::entries(&entries, found, expected.operations, unit).map_err(|(index, message)| match index {
        Some(index) => format!("the entry in {} {message}", name(index)),
        None => format!("the Jacobian {message}"),
    })
}

/// Compares the normal equations, `Jᵀ r` and `Jᵀ J` for the results `r`.
pub fn normal(expected: &Expected, found: &Returned, unit: f64) -> Result<Counts, String> {
    expected.ending.agrees(&found.ending)?;
    value(expected, &found.value, true)?;
    if expected.ending.panic.is_some() {
        return Ok(Counts::default());
    }
    let results = expected.values.iter().map(|value| [*value, value.abs()]).collect();
    let product = |one: &Vec<Entry>, other: &Vec<Entry>| {
        one.iter().zip(other).fold([0.0; 2], |[sum, size], ([a, m], [b, n])| [sum + a * b, size + m * n])
    };
    let columns = &expected.columns;
    let mut entries: Vec<Entry> = columns.iter().map(|column| product(column, &results)).collect();
    entries.extend(columns.iter().flat_map(|one| columns.iter().map(|other| product(one, other))));
    second(&entries, &found.jacobian, expected.operations, unit)
}

/// Compares a gradient and what follows it, the Hessian or its product with a direction.
pub fn second(expected: &[Entry], found: &[f64], operations: usize, unit: f64) -> Result<Counts, String> {
    entries(expected, found, operations, unit).map_err(|(index, message)| match index {
        Some(index) => format!("entry {index} after the value {message}"),
        None => format!("what is after the value {message}"),
    })
}

/// Compares derivatives with those that are expected of a function of this many operations. What is wrong, if not, and
/// with which.
fn entries(expected: &[Entry], found: &[f64], operations: usize, unit: f64) -> Result<Counts, (Option<usize>, String)> {
    if found.len() != expected.len() {
        return Err((None, format!("has {} entries", found.len())));
    }
    let tolerance = (TOLERANCE.0 + TOLERANCE.1 * operations as f64) * unit;
    let mut counts = Counts { points: 1, ..Counts::default() };
    for (index, (&entry, &[derivative, magnitude])) in found.iter().zip(expected).enumerate() {
        let error = (entry - derivative).abs();
        // NaN is no agreement: the comparison is false for it.
        let agrees = error <= tolerance * magnitude + UNDERFLOW;
        if !agrees {
            return Err((Some(index), format!("is {entry:e}, not {derivative:e}; its magnitude is {magnitude:e}")));
        }
        counts.entries += 1;
        counts.nonzero += usize::from(derivative != 0.0);
        if error > UNDERFLOW {
            counts.worst = counts.worst.max(error / (unit * magnitude));
        }
    }
    Ok(counts)
}
