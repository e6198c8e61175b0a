//! The comparison: values by their bits, derivatives within a number of units in the last place of their magnitude; and
//! the identities between the forms.

use crate::dual::{Part, dual32, dual64};

/// The largest error of an entry in units of roundoff of the magnitude. An entry is the sum of products of up to some
/// dozens of partials, each within a few units.
const TOLERANCE: f64 = 256.0;

/// What lies below is lost to underflow and not compared.
const UNDERFLOW: f64 = 1e-30;

/// The floats of a value in order.
pub trait Flat {
    type Scalar;

    fn append_to(self, floats: &mut Vec<Self::Scalar>);
}

macro_rules! flat {
    ($($scalar:ty => $into:ty: $value:ident => $flat:expr;)+) => {
        $(impl Flat for $scalar {
            type Scalar = $into;

            fn append_to(self, floats: &mut Vec<$into>) {
                let $value = self;
                floats.push($flat);
            }
        })+
    };
}

flat! {
    f64 => f64: value => value;
    f32 => f64: value => value.into();
    dual64::Dual => [f64; 5]: value => numbers(value.re, value.along, value.mixed);
    dual32::Dual => [f64; 5]: value => numbers(value.re.into(), value.along, value.mixed);
}

/// A value, its derivative with the magnitude, and the second one with its own.
fn numbers(value: f64, first: Part, second: Part) -> [f64; 5] {
    [value, first.derivative, first.magnitude, second.derivative, second.magnitude]
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    type Scalar = T::Scalar;

    fn append_to(self, floats: &mut Vec<T::Scalar>) {
        self.into_iter().for_each(|element| element.append_to(floats));
    }
}

impl<A: Flat, B: Flat<Scalar = A::Scalar>> Flat for (A, B) {
    type Scalar = A::Scalar;

    fn append_to(self, floats: &mut Vec<A::Scalar>) {
        self.0.append_to(floats);
        self.1.append_to(floats);
    }
}

impl<A: Flat, B: Flat<Scalar = A::Scalar>, C: Flat<Scalar = A::Scalar>> Flat for (A, B, C) {
    type Scalar = A::Scalar;

    fn append_to(self, floats: &mut Vec<A::Scalar>) {
        self.0.append_to(floats);
        self.1.append_to(floats);
        self.2.append_to(floats);
    }
}

/// What can be overwritten with NaN, so that what is not written afterwards is seen.
pub trait Spoil {
    fn spoil(&mut self);
}

impl Spoil for f64 {
    fn spoil(&mut self) {
        *self = f64::NAN;
    }
}

impl Spoil for f32 {
    fn spoil(&mut self) {
        *self = f32::NAN;
    }
}

impl<T: Spoil, const N: usize> Spoil for [T; N] {
    fn spoil(&mut self) {
        self.iter_mut().for_each(T::spoil);
    }
}

impl<A: Spoil, B: Spoil> Spoil for (A, B) {
    fn spoil(&mut self) {
        self.0.spoil();
        self.1.spoil();
    }
}

impl<A: Spoil, B: Spoil, C: Spoil> Spoil for (A, B, C) {
    fn spoil(&mut self) {
        self.0.spoil();
        self.1.spoil();
        self.2.spoil();
    }
}

/// The floats of a value in order.
pub fn flat<T: Flat>(value: T) -> Vec<T::Scalar> {
    let mut floats = Vec::new();
    value.append_to(&mut floats);
    floats
}

/// The floats of a value and of a Jacobian.
pub fn pair<V: Flat, J: Flat>((value, jacobian): (V, J)) -> (Vec<V::Scalar>, Vec<J::Scalar>) {
    (flat(value), flat(jacobian))
}

/// The floats of a value, of a gradient, and of what second derivatives are given after them.
pub fn triple<V: Flat, G: Flat, H: Flat>((value, gradient, second): (V, G, H)) -> Triple<V::Scalar, G::Scalar, H::Scalar> {
    (flat(value), flat(gradient), flat(second))
}

type Triple<V, G, H> = (Vec<V>, Vec<G>, Vec<H>);

/// A vector to multiply with: its entries are exact in both precisions.
pub fn factors<T: From<f32>, const N: usize>() -> [T; N] {
    std::array::from_fn(|index| [0.5, -1.0, 2.0, 1.5, -0.25][index % 5].into())
}

/// A derivative and its magnitude.
type Entry = [f64; 2];

/// The sum of entries, each times a factor.
fn combined(entries: impl Iterator<Item = Entry>, factors: &[f64]) -> Entry {
    entries.zip(factors).fold([0.0; 2], |sum, (entry, factor)| {
        [sum[0] + entry[0] * factor, sum[1] + entry[1] * factor.abs()]
    })
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// A function at a point.
pub struct Place {
    pub function: &'static str,
    pub point: usize,
    /// The unit of roundoff of its floats.
    pub unit: f64,
    pub value: Vec<f64>,
    /// By column: the dual numbers of the result.
    pub columns: Vec<Vec<[f64; 5]>>,
}

impl Place {
    /// The entry of the Jacobian.
    fn entry(&self, row: usize, column: usize) -> Entry {
        let [_, derivative, magnitude, ..] = self.columns[column][row];
        [derivative, magnitude]
    }

    /// The product of the Jacobian with a tangent.
    fn along(&self, tangent: &[f64]) -> Vec<Entry> {
        let entries = |row| (0..self.columns.len()).map(move |column| self.entry(row, column));
        (0..self.value.len()).map(|row| combined(entries(row), tangent)).collect()
    }

    /// The product of the transposed Jacobian with a cotangent.
    fn across(&self, cotangent: &[f64]) -> Vec<Entry> {
        let entries = |column| (0..self.value.len()).map(move |row| self.entry(row, column));
        (0..self.columns.len()).map(|column| combined(entries(column), cotangent)).collect()
    }
}

/// What has been found so far.
#[derive(Default)]
pub struct Check {
    pub values: usize,
    pub entries: usize,
    pub nonzero: usize,
    pub failures: usize,
    /// Places where the function or its derivative is infinite or undefined.
    pub singular: usize,
    /// Places where Hessians are compared, and those where one is infinite or undefined.
    pub hessians: usize,
    pub without_second: usize,
    pub worst: f64,
}

impl Check {
    /// The dual numbers must have the function's own values: otherwise the two are not the same function. False where
    /// there is nothing to compare with.
    pub fn twins(&mut self, place: &Place) -> bool {
        let mut is_regular = place.value.iter().all(|value| value.is_finite());
        for column in &place.columns {
            let same = column.iter().zip(&place.value).all(|(dual, value)| dual[0].to_bits() == value.to_bits());
            if !same || column.len() != place.value.len() {
                self.fail(place, "dual numbers", &format!("value {:?}, by dual numbers {column:?}", place.value));
            }
            is_regular &= column.iter().flat_map(|dual| &dual[..3]).all(|number| number.is_finite());
        }
        self.singular += usize::from(!is_regular);
        is_regular
    }

    /// Compares a value and a Jacobian.
    pub fn compare(&mut self, place: &Place, strategy: &str, (value, jacobian): (Vec<f64>, Vec<f64>)) {
        self.values += 1;
        if value.len() != place.value.len() || value.iter().zip(&place.value).any(|(a, b)| a.to_bits() != b.to_bits()) {
            self.fail(place, strategy, &format!("value {value:?} instead of {:?}", place.value));
        }
        if jacobian.len() != place.value.len() * place.columns.len() {
            return self.fail(place, strategy, &format!("{} entries", jacobian.len()));
        }
        for (index, entry) in jacobian.into_iter().enumerate() {
            let (row, column) = (index / place.columns.len(), index % place.columns.len());
            self.entry(place, strategy, (row, column), entry, place.entry(row, column));
        }
    }

    /// Compares the products of the Jacobian with unit vectors: its columns, or else its rows.
    pub fn products(&mut self, place: &Place, what: &str, products: Vec<(Vec<f64>, Vec<f64>)>, are_columns: bool) {
        let (values, parts): (Vec<_>, Vec<_>) = products.into_iter().unzip();
        let jacobian: Vec<_> = match are_columns {
            true => (0..place.value.len()).flat_map(|row| parts.iter().map(move |part| part[row])).collect(),
            false => parts.concat(),
        };
        for value in values {
            self.compare(place, what, (value, jacobian.clone()));
        }
    }

    /// Compares the products of the Jacobian with a tangent and a cotangent, and these with each other: `w (J v)` is
    /// `(w J) v`.
    pub fn both(&mut self, place: &Place, tangent: &[f64], along: &[f64], cotangent: &[f64], across: &[f64]) {
        let expected = place.along(tangent);
        self.vector(place, "along a tangent", along, &expected);
        self.vector(place, "along a cotangent", across, &place.across(cotangent));
        let [_, magnitude] = combined(expected.into_iter(), cotangent);
        self.identity(place, "w (J v) = (w J) v", [dot(cotangent, along), dot(across, tangent)], magnitude);
    }

    /// Compares the entries of the Jacobian that are not zero by structure; all others are zero.
    pub fn sparse<const STARTS: usize, const COUNT: usize>(
        &mut self,
        place: &Place,
        (starts, rows): ([usize; STARTS], [usize; COUNT]),
        (value, entries): (Vec<f64>, Vec<f64>),
    ) {
        let columns = place.columns.len();
        let mut jacobian = vec![0.0; place.value.len() * columns];
        for (column, ends) in starts.windows(2).enumerate() {
            for at in ends[0]..ends[1] {
                jacobian[rows[at] * columns + column] = entries[at];
            }
        }
        self.compare(place, "sparse", (value, jacobian));
    }

    /// Compares the products of the transposed Jacobian with the results and with the Jacobian.
    pub fn normal(&mut self, place: &Place, (value, product, square): Triple<f64, f64, f64>) {
        if value.iter().zip(&place.value).any(|(a, b)| a.to_bits() != b.to_bits()) {
            self.fail(place, "normal equations", &format!("value {value:?} instead of {:?}", place.value));
        }
        self.vector(place, "transposed Jacobian times value", &product, &place.across(&place.value));
        let columns = 0..place.columns.len();
        let pairs = columns.clone().flat_map(|i| columns.clone().map(move |j| (i, j)));
        let expected = pairs.map(|(i, j)| {
            let rows = (0..place.value.len()).map(|row| (place.entry(row, i), place.entry(row, j)));
            rows.fold([0.0; 2], |sum, (a, b)| [sum[0] + a[0] * b[0], sum[1] + a[1] * b[1]])
        });
        self.vector(place, "transposed Jacobian times Jacobian", &square, &expected.collect::<Vec<_>>());
    }

    /// Compares gradients, Hessian and its product with a direction, of the sum of the results with these weights.
    /// `second` gives the dual numbers of the results by row and column of the Hessian.
    pub fn second(
        &mut self,
        place: &Place,
        weights: &[f64],
        second: impl Fn(usize, usize) -> Vec<[f64; 5]>,
        (value, gradient, hessian): Triple<f64, f64, f64>,
        direction: &[f64],
        (own, again, product): Triple<f64, f64, f64>,
    ) {
        let columns = place.columns.len();
        let weighted = |duals: Vec<[f64; 5]>| combined(duals.iter().map(|dual| [dual[3], dual[4]]), weights);
        let expected: Vec<Entry> =
            (0..columns * columns).map(|index| weighted(second(index / columns, index % columns))).collect();
        if expected.iter().flatten().any(|number| !number.is_finite()) {
            self.without_second += 1;
            return;
        }
        self.hessians += 1;
        for (what, values, gradient) in [("Hessian", value, gradient), ("product with the Hessian", own, again)] {
            if values.iter().zip(&place.value).any(|(a, b)| a.to_bits() != b.to_bits()) {
                self.fail(place, what, &format!("value {values:?} instead of {:?}", place.value));
            }
            self.vector(place, what, &gradient, &place.across(weights));
        }
        self.vector(place, "Hessian", &hessian, &expected);
        for (index, entry) in hessian.iter().enumerate() {
            let other = hessian[index % columns * columns + index / columns];
            if entry.to_bits() != other.to_bits() {
                self.fail(place, "Hessian", &format!("entry {index} is {entry}, beyond the diagonal {other}"));
            }
        }
        let rows = || expected.chunks(columns).map(|row| combined(row.iter().copied(), direction));
        self.vector(place, "product with the Hessian", &product, &rows().collect::<Vec<_>>());
        for ((row, entry), [_, magnitude]) in hessian.chunks(columns).zip(product).zip(rows()) {
            self.identity(place, "H v by both forms", [dot(row, direction), entry], magnitude);
        }
    }

    fn vector(&mut self, place: &Place, what: &str, entries: &[f64], expected: &[Entry]) {
        if entries.len() != expected.len() {
            return self.fail(place, what, &format!("{} entries", entries.len()));
        }
        for (row, (entry, expected)) in entries.iter().zip(expected).enumerate() {
            self.entry(place, what, (row, 0), *entry, *expected);
        }
    }

    fn identity(&mut self, place: &Place, what: &str, sides: [f64; 2], magnitude: f64) {
        let agrees = (sides[0] - sides[1]).abs() <= TOLERANCE * place.unit * magnitude + UNDERFLOW;
        if !agrees {
            self.fail(place, what, &format!("{sides:?} are not the same, magnitude {magnitude}"));
        }
    }

    fn entry(&mut self, place: &Place, strategy: &str, at: (usize, usize), entry: f64, [expected, magnitude]: Entry) {
        self.entries += 1;
        self.nonzero += usize::from(expected != 0.0);
        let error = (entry - expected).abs();
        if error > UNDERFLOW {
            self.worst = self.worst.max(error / (place.unit * magnitude));
        }
        // NaN is no agreement: the comparison is false for it.
        let agrees = error <= TOLERANCE * place.unit * magnitude + UNDERFLOW;
        if !agrees {
            let message = format!("entry {at:?}: {entry}, by dual numbers {expected}, magnitude {magnitude}");
            self.fail(place, strategy, &message);
        }
    }

    fn fail(&mut self, place: &Place, strategy: &str, message: &str) {
        self.failures += 1;
        println!("{} at point {}, {strategy}: {message}", place.function, place.point);
    }
}

/// The inputs at a point: between -1.5 and 1.5, none of them near 0.
pub fn inputs(function: usize, point: usize) -> Vec<f64> {
    let mut state = (function * 1_000 + point) as u64;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let uniform = ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        let magnitude = 0.01 + 1.48 * uniform;
        if mixed & 1 == 0 { magnitude } else { -magnitude }
    };
    (0..32).map(|_| next()).collect()
}
