//! The integers modulo 2^61 - 1, and numbers without pattern: what values are told apart by at random points.

/// The integers modulo 2^61 - 1.
pub struct Modular;

/// The modulus, a prime.
pub const MODULUS: u64 = (1 << 61) - 1;

impl Modular {
    /// The sum.
    pub fn add(left: u64, right: u64) -> u64 {
        (left + right) % MODULUS
    }

    /// The product. (2^61 is one: the bits from there on are added to the others, which takes no division.)
    #[inline(always)]
    pub fn mul(left: u64, right: u64) -> u64 {
        let product = left as u128 * right as u128;
        let sum = (product as u64 & MODULUS) + (product >> 61) as u64;
        if sum >= MODULUS { sum - MODULUS } else { sum }
    }

    /// Minus `value`.
    pub fn neg(value: u64) -> u64 {
        (MODULUS - value) % MODULUS
    }

    /// The integer next to zero that has this residue.
    pub(super) fn centred(value: u64) -> i64 {
        if value > MODULUS / 2 { value as i64 - MODULUS as i64 } else { value as i64 }
    }

    /// An integer.
    pub fn int(value: i32) -> u64 {
        Self::float(f64::from(value))
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
    pub(super) fn float(value: f64) -> u64 {
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

    pub(super) fn int_power(base: u64, exponent: u64) -> u64 {
        let is_negative = exponent > MODULUS / 2;
        let magnitude = if is_negative { Self::neg(exponent) } else { exponent };
        let power = Self::power(base, magnitude);
        if is_negative { Self::inverse(power) } else { power }
    }
}

/// A residue without pattern.
pub fn scramble(value: u64) -> u64 {
    split_mix(value) % MODULUS
}

/// A number without pattern: a step of SplitMix64 (Steele, Lea and Flood 2014).
pub fn split_mix(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
