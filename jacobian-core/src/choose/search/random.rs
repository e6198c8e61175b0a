//! Random numbers that are the same on every machine.

use std::f64::consts::LN_2;

/// A generator: xorshift64* (Marsaglia 2003, Vigna 2016).
pub struct Random(u64);

impl Random {
    /// The generator with this seed, which must not be zero.
    pub fn new(seed: u64) -> Self {
        debug_assert_ne!(seed, 0);
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// An integer from 0 to `bound`, which is left out.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Minus the logarithm of a number between 0 and 1, as if it were linear between the powers of two: the library's
    /// logarithm may differ in its last bit between machines, and whole searches with it.
    pub fn exponential(&mut self) -> f64 {
        let bits = self.bits() | 1;
        let exponent = bits.leading_zeros();
        let mantissa = (bits << exponent << 1 >> 12) as f64 / (1_u64 << 52) as f64;
        (f64::from(exponent) + 1.0 - mantissa) * LN_2
    }
}
