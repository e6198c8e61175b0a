//! The comparison: values by their bits, Jacobians within a number of units in the last place of their magnitude.

use crate::dual::{dual32, dual64};

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
    dual64::Dual => [f64; 3]: value => [value.re, value.derivative, value.magnitude];
    dual32::Dual => [f64; 3]: value => [value.re.into(), value.derivative, value.magnitude];
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

/// A function at a point.
pub struct Place {
    pub function: &'static str,
    pub point: usize,
    /// The unit of roundoff of its floats.
    pub unit: f64,
    pub value: Vec<f64>,
    /// By column: the dual numbers of the result.
    pub columns: Vec<Vec<[f64; 3]>>,
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
            is_regular &= column.iter().flatten().all(|number| number.is_finite());
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
            let [_, derivative, magnitude] = place.columns[column][row];
            self.entry(place, strategy, (row, column), entry, derivative, magnitude);
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

    fn entry(&mut self, place: &Place, strategy: &str, at: (usize, usize), entry: f64, expected: f64, magnitude: f64) {
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
