//! Values with signs, and how keys of them are hashed.

use std::hash::Hasher;

use crate::list::code_list::ValueId;

/// A value with a sign that is not yet applied to it. A constant float is nonnegative (or NaN) under its sign.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Term {
    /// The value.
    pub id: ValueId,
    /// Whether the term is minus the value.
    pub negative: bool,
}

impl std::ops::Neg for Term {
    type Output = Term;

    fn neg(self) -> Term {
        Term { negative: !self.negative, ..self }
    }
}

impl Term {
    /// The term, negated if `negative`.
    pub(super) fn signed(self, negative: bool) -> Term {
        Term { negative: self.negative != negative, ..self }
    }
}

pub(super) fn plus(id: ValueId) -> Term {
    Term { id, negative: false }
}

/// A multiplicative hash of few small integers: the standard one costs microseconds a look-up without optimization.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl KeyHasher {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(u64::from(byte));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.mix(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }
}
