//! Double-double arithmetic: a sum of two floats, the second below the last place of the first. About 106 bits.

use std::ops::{Add, Mul, Sub};

/// The sum of both.
#[derive(Copy, Clone)]
pub struct DoubleDouble(f64, f64);

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        DoubleDouble(value, 0.0)
    }
}

impl DoubleDouble {
    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        self.0 + self.1
    }
}

/// The sum and what was rounded off (Knuth).
fn two_sum(left: f64, right: f64) -> DoubleDouble {
    let sum = left + right;
    let right_part = sum - left;
    DoubleDouble(sum, (left - (sum - right_part)) + (right - right_part))
}

/// The same, where `left` is the larger in size (Dekker).
fn quick_two_sum(left: f64, right: f64) -> DoubleDouble {
    let sum = left + right;
    DoubleDouble(sum, right - (sum - left))
}

impl Add for DoubleDouble {
    type Output = DoubleDouble;

    fn add(self, other: DoubleDouble) -> DoubleDouble {
        let (high, low) = (two_sum(self.0, other.0), two_sum(self.1, other.1));
        let partial = quick_two_sum(high.0, high.1 + low.0);
        quick_two_sum(partial.0, partial.1 + low.1)
    }
}

impl Sub<f64> for DoubleDouble {
    type Output = DoubleDouble;

    fn sub(self, other: f64) -> DoubleDouble {
        self + DoubleDouble::from(-other)
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = DoubleDouble;

    fn mul(self, factor: f64) -> DoubleDouble {
        let product = self.0 * factor;
        let error = self.0.mul_add(factor, -product);
        quick_two_sum(product, self.1.mul_add(factor, error))
    }
}
