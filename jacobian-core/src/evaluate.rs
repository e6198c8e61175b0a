//! Evaluation of code lists: in floats, as the generated code computes, and modulo a prime, where nothing is rounded.

use crate::catalogue::{Intrinsic, known};
use crate::code_list::{CodeList, Constant, Precision, Statement, ValueId};

/// The numbers in which a code list can be evaluated.
pub trait Domain {
    /// A number.
    type Number: Copy;

    /// A constant of the code list.
    fn constant(&self, constant: Constant) -> Self::Number;

    /// The application of an intrinsic.
    fn apply(&self, intrinsic: Intrinsic, args: &[Self::Number]) -> Self::Number;
}

/// Every value of `list`, by position, at the given inputs and passive values (each in the order of declaration).
///
/// # Panics
/// Where fewer numbers are given than the list declares.
pub fn evaluate<D: Domain>(list: &CodeList, domain: &D, inputs: &[D::Number], passive: &[D::Number]) -> Vec<D::Number> {
    let (mut inputs, mut passive) = (inputs.iter(), passive.iter());
    let mut values: Vec<D::Number> = Vec::with_capacity(list.statements().len());
    for statement in list.statements() {
        let value = match statement {
            Statement::Input => *inputs.next().expect("a number for every input"),
            Statement::Passive(_) => *passive.next().expect("a number for every passive value"),
            Statement::Constant(constant) => domain.constant(*constant),
            Statement::Apply { intrinsic, args, .. } => {
                let args: Vec<_> = args.iter().map(|arg| values[arg.index()]).collect();
                domain.apply(*intrinsic, &args)
            }
        };
        values.push(value);
    }
    values
}

/// The values at `ids` of what [`evaluate`] returned.
pub fn select<N: Copy>(values: &[N], ids: &[ValueId]) -> Vec<N> {
    ids.iter().map(|id| values[id.index()]).collect()
}

/// By position, the number that a value is which is computed from constants alone.
pub fn constants(list: &CodeList) -> Vec<Option<f64>> {
    let domain = Floats(list.precision());
    let mut constants: Vec<Option<f64>> = Vec::with_capacity(list.statements().len());
    for statement in list.statements() {
        constants.push(match statement {
            Statement::Input | Statement::Passive(_) => None,
            Statement::Constant(constant) => Some(constant.as_float()),
            Statement::Apply { intrinsic, args, .. } if args.iter().all(|arg| constants[arg.index()].is_some()) => {
                let args: Vec<_> = args.iter().filter_map(|arg| constants[arg.index()]).collect();
                Some(domain.apply(*intrinsic, &args))
            }
            Statement::Apply { .. } => None,
        });
    }
    constants
}

/// Floats of either precision; those of the single one are held in `f64`.
pub struct Floats(pub Precision);

impl Domain for Floats {
    type Number = f64;

    fn constant(&self, constant: Constant) -> f64 {
        constant.as_float()
    }

    fn apply(&self, intrinsic: Intrinsic, args: &[f64]) -> f64 {
        let evaluate = &intrinsic.row().evaluate;
        match self.0 {
            Precision::F64 | Precision::Generic => (evaluate.f64)(args),
            Precision::F32 => {
                let args: Vec<_> = args.iter().map(|&arg| arg as f32).collect();
                f64::from((evaluate.f32)(&args))
            }
        }
    }
}

/// The integers modulo 2^61 - 1. The rational operations are exact, every other intrinsic is an arbitrary function of
/// its arguments. So two code lists that are the same up to the laws of a field have the same values here, and others
/// have not, except with a probability of about 2^-60.
pub struct Modular;

/// The modulus, a prime.
pub const MODULUS: u64 = (1 << 61) - 1;

impl Modular {
    /// The sum.
    pub fn add(left: u64, right: u64) -> u64 {
        (left + right) % MODULUS
    }

    /// The product.
    pub fn mul(left: u64, right: u64) -> u64 {
        (u128::from(left) * u128::from(right) % u128::from(MODULUS)) as u64
    }

    /// Minus `value`.
    pub fn neg(value: u64) -> u64 {
        (MODULUS - value) % MODULUS
    }

    /// `base` to the power `exponent`.
    pub fn power(mut base: u64, mut exponent: u64) -> u64 {
        let mut result = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = Self::mul(result, base);
            }
            base = Self::mul(base, base);
            exponent >>= 1;
        }
        result
    }

    /// The inverse of a nonzero value; 0 for 0.
    pub fn inverse(value: u64) -> u64 {
        Self::power(value, MODULUS - 2)
    }

    /// A float, which is a fraction with a power of two below the line.
    fn float(value: f64) -> u64 {
        if !value.is_finite() {
            return scramble(value.to_bits());
        }
        let (mut significand, mut exponent) = (value.abs(), 0_i64);
        while significand.fract() != 0.0 {
            significand *= 2.0;
            exponent -= 1;
        }
        while significand >= 2.0_f64.powi(60) {
            significand /= 2.0;
            exponent += 1;
        }
        // 2 has the order 61 modulo 2^61 - 1.
        let power = Self::power(2, exponent.rem_euclid(61) as u64);
        let magnitude = Self::mul(significand as u64, power);
        if value < 0.0 { Self::neg(magnitude) } else { magnitude }
    }

    fn int_power(base: u64, exponent: u64) -> u64 {
        let is_negative = exponent > MODULUS / 2;
        let magnitude = if is_negative { Self::neg(exponent) } else { exponent };
        let power = Self::power(base, magnitude);
        if is_negative { Self::inverse(power) } else { power }
    }
}

impl Domain for Modular {
    type Number = u64;

    fn constant(&self, constant: Constant) -> u64 {
        Self::float(constant.as_float())
    }

    fn apply(&self, intrinsic: Intrinsic, args: &[u64]) -> u64 {
        match (intrinsic, args) {
            (known::ADD, &[x, y]) => Self::add(x, y),
            (known::SUB, &[x, y]) => Self::add(x, Self::neg(y)),
            (known::MUL, &[x, y]) => Self::mul(x, y),
            (known::DIV, &[x, y]) => Self::mul(x, Self::inverse(y)),
            (known::NEG, &[x]) => Self::neg(x),
            (known::RECIP, &[x]) => Self::inverse(x),
            (known::MUL_ADD, &[x, y, z]) => Self::add(Self::mul(x, y), z),
            (known::POWI | known::POWF, &[x, n]) if !(64..=MODULUS - 64).contains(&n) => Self::int_power(x, n),
            (known::FLOAT, &[n]) => n,
            (known::PRED, &[n]) => Self::add(n, MODULUS - 1),
            (known::SELECT_EQ, &[x, y, z, w]) => {
                if x == y {
                    z
                } else {
                    w
                }
            }
            _ => {
                args.iter().fold(scramble(intrinsic.index() as u64), |hash, &arg| scramble(hash ^ arg.rotate_left(17)))
            }
        }
    }
}

/// A residue without pattern.
fn scramble(value: u64) -> u64 {
    split_mix(value) % MODULUS
}

/// A number without pattern: a step of SplitMix64.
pub(crate) fn split_mix(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
