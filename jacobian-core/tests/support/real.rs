//! Numbers of 256 bits, with the functions of the catalogue written for them without care for speed or cancellation:
//! of 256 bits some may be lost.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use astro_float_num::{BigFloat, Consts, RoundingMode, WORD_BIT_SIZE, Word};

/// The bits of the significand.
const BITS: usize = 256;

const ROUNDING: RoundingMode = RoundingMode::ToEven;

thread_local! {
    static CONSTANTS: RefCell<Consts> = RefCell::new(Consts::new().expect("memory for the constants"));
}

/// A number.
#[derive(Clone, PartialEq, PartialOrd)]
pub struct Real(BigFloat);

impl From<f64> for Real {
    fn from(value: f64) -> Self {
        Real(BigFloat::from_f64(value, BITS))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident),+) => {$(
        impl $trait for &Real {
            type Output = Real;

            fn $method(self, other: &Real) -> Real {
                Real(self.0.$method(&other.0, BITS, ROUNDING))
            }
        }
    )+};
}

operators!(Add add, Sub sub, Mul mul, Div div);

impl Neg for &Real {
    type Output = Real;

    fn neg(self) -> Real {
        Real(-&self.0)
    }
}

macro_rules! functions {
    ($($name:ident),+) => {$(
        pub fn $name(&self) -> Real {
            CONSTANTS.with_borrow_mut(|constants| Real(self.0.$name(BITS, ROUNDING, constants)))
        }
    )+};
}

impl Real {
    functions!(exp, ln, log2, log10, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh);

    pub fn pi() -> Real {
        CONSTANTS.with_borrow_mut(|constants| Real(constants.pi(BITS, ROUNDING)))
    }

    pub fn sqrt(&self) -> Real {
        Real(self.0.sqrt(BITS, ROUNDING))
    }

    pub fn cbrt(&self) -> Real {
        Real(self.0.cbrt(BITS, ROUNDING))
    }

    pub fn power(&self, exponent: &Real) -> Real {
        CONSTANTS.with_borrow_mut(|constants| Real(self.0.pow(&exponent.0, BITS, ROUNDING, constants)))
    }

    /// A power with an integer exponent.
    pub fn int_power(&self, exponent: &Real) -> Real {
        let power = Real(self.0.powi(exponent.to_f64().abs() as usize, BITS, ROUNDING));
        if exponent.is_negative() { &Real::from(1.0) / &power } else { power }
    }

    pub fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    pub fn abs(&self) -> Real {
        Real(self.0.abs())
    }

    pub fn floor(&self) -> Real {
        Real(self.0.floor())
    }

    pub fn ceil(&self) -> Real {
        Real(self.0.ceil())
    }

    /// The integer part.
    pub fn trunc(&self) -> Real {
        Real(self.0.int())
    }

    /// `self * 2^exponent`.
    pub fn scaled(&self, exponent: i32) -> Real {
        let mut result = self.clone();
        if let Some(own) = result.0.exponent() {
            result.0.set_exponent(own + exponent);
        }
        result
    }

    /// The exponent `e` for which the size is from `2^(e - 1)` to `2^e`; 0 for zero.
    pub fn exponent(&self) -> i32 {
        self.0.exponent().unwrap_or(0)
    }

    /// A float near it.
    pub fn to_f64(&self) -> f64 {
        let Some((words, _, _, exponent, _)) = self.0.as_raw_parts() else { return f64::NAN };
        let leading = words.last().map_or(0.0, |&word: &Word| word as f64);
        let size = leading * 2.0_f64.powi(exponent - WORD_BIT_SIZE as i32);
        if self.is_negative() { -size } else { size }
    }
}
