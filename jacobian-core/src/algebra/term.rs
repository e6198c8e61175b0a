//! Values with signs, and how keys of them are hashed.

use std::hash::Hasher;

use jacobian_list::code_list::ValueId;

/// A value with a sign that is not yet applied to it. A constant float is nonnegative (or NaN) under its sign.
///
/// It is one word, twice the number of the value and one more for minus: searches handle millions without
/// optimization.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Term(u32);

impl std::ops::Neg for Term {
    type Output = Term;

    #[inline(always)]
    fn neg(self) -> Term {
        Term(self.0 ^ 1)
    }
}

impl Term {
    /// The structural zero: the first value of every algebra.
    pub const ZERO: Term = Term(0);

    /// The number one: the second value of every algebra.
    pub const ONE: Term = Term(2);

    /// The value without a sign.
    #[inline(always)]
    pub(crate) fn plus(id: ValueId) -> Term {
        Term(id.0 << 1)
    }

    /// The value.
    #[inline(always)]
    pub fn id(self) -> ValueId {
        ValueId(self.0 >> 1)
    }

    /// The number of the value, to index with.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the term is minus the value.
    #[inline(always)]
    pub fn is_negative(self) -> bool {
        self.0 & 1 != 0
    }

    /// The term, negated if `negative`.
    #[inline(always)]
    pub(crate) fn signed(self, negative: bool) -> Term {
        Term(self.0 ^ negative as u32)
    }

    /// The value of the term without its sign.
    #[inline(always)]
    pub(crate) fn magnitude(self) -> Term {
        Term(self.0 & !1)
    }

    /// Whether it is the structural zero.
    #[inline(always)]
    pub fn is_zero(self) -> bool {
        self.index() == Term::ZERO.index()
    }

    /// Whether it is one or minus one.
    #[inline(always)]
    pub(crate) fn is_unit(self) -> bool {
        self.index() == Term::ONE.index()
    }

    /// Whether two terms are the same.
    #[inline(always)]
    pub(crate) fn is(self, other: Term) -> bool {
        self.0 == other.0
    }

    /// Whether two terms have the same sign.
    #[inline(always)]
    pub(crate) fn agrees(self, other: Term) -> bool {
        (self.0 ^ other.0) & 1 == 0
    }
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
