//! Products and quotients as monomials, so that `(x + x) * y` is found where `(2.0 * y) * x` is there already, and
//! `x / y` for `x * (1.0 / y)`: factors and their order do not matter.
//!
//! A monomial is held as its value at a random point modulo 2^61 - 1, twice: equal monomials have equal values, and
//! others have different ones but for a chance of 2^-122 each. Sums are no monomials: a sum that is written in another
//! way rounds in another way, and may cancel; products do not.

use jacobian_list::catalogue::known;
use jacobian_list::code_list::{CodeList, Constant, Statement, ValueId};
use jacobian_list::modular::{MODULUS, Modular, split_mix};

use super::table::{Key, Table};
use super::term::Term;

/// The monomials of the values of a growing list, and the first value of each.
#[derive(Clone)]
pub(crate) struct Monomials(Table<Monomial>);

impl Key for Monomial {
    #[inline(always)]
    fn hash(&self) -> usize {
        (self.values[0] >> 20) as usize
    }

    #[inline(always)]
    fn is(&self, other: &Self) -> bool {
        self.values[0] == other.values[0] && self.values[1] == other.values[1]
    }

    #[inline(always)]
    fn is_alone(&self) -> bool {
        self.is_degenerate()
    }
}

impl Monomials {
    /// None yet.
    pub fn new() -> Self {
        Monomials(Table::new())
    }

    /// Examines the statements that have been added to `list`.
    pub fn extend(&mut self, list: &CodeList) {
        for index in self.0.len()..list.statements().len() {
            let monomial = self.of_statement(list, ValueId::new(index));
            self.push(monomial);
        }
    }

    /// The monomial of a value that has been examined.
    #[inline(always)]
    pub fn get(&self, value: ValueId) -> Monomial {
        self.0.key(value.index())
    }

    /// The first value that is the same monomial as a value, or the value itself.
    pub fn first_like(&self, value: ValueId) -> ValueId {
        self.find(self.get(value)).map_or(value, Term::id)
    }

    /// The first value of a monomial, if there is one, with the sign that makes it the monomial.
    pub fn find(&self, monomial: Monomial) -> Option<Term> {
        if monomial.is_degenerate() {
            return None;
        }
        let first = ValueId(self.0.find(&monomial)? as u32);
        Some(Term::plus(first).signed(self.get(first).negative != monomial.negative))
    }

    /// Adds the value with the next number, and returns the first value of that monomial.
    pub fn push(&mut self, monomial: Monomial) -> usize {
        self.0.enter(monomial)
    }

    /// Forgets the statements from `length` on.
    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    fn of_statement(&self, list: &CodeList, id: ValueId) -> Monomial {
        let known = match *list.statement(id) {
            Statement::Constant(Constant::Float(value)) => Monomial::number(value),
            Statement::Apply { intrinsic: known::NEG, args, .. } => self.get(args[0]).opposite(),
            Statement::Apply { intrinsic: known::MUL, args, .. } => self.get(args[0]).times(self.get(args[1])),
            Statement::Apply { intrinsic: known::DIV, args, .. } => self.get(args[0]).over(self.get(args[1])),
            Statement::Apply { intrinsic: known::RECIP, args, .. } => self.get(args[0]).reciprocal(),
            Statement::Apply { intrinsic: known::ADD, args, .. } if args[0] == args[1] => self.get(args[0]).twice(),
            Statement::Apply { intrinsic: known::POWI, args, .. } => match list.as_constant(args[1]) {
                Some(Constant::Int(exponent)) if exponent > 0 => self.get(args[0]).raised(exponent),
                _ => Monomial::leaf(id.index()),
            },
            _ => Monomial::leaf(id.index()),
        };
        // (A number that is zero or infinite stays what it is.)
        match known.is_degenerate() && list.as_constant(id).is_none() {
            true => Monomial::leaf(id.index()),
            false => known,
        }
    }
}

/// A monomial.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Monomial {
    /// The values of the product of its factors' magnitudes.
    pub values: [u64; 2],
    /// Whether it is minus that product.
    pub negative: bool,
}

impl Monomial {
    /// Zero: of which nothing is a factor.
    const ZERO: Monomial = Monomial { values: [0, 0], negative: false };

    /// The monomial of a value that is no product, by its number.
    pub fn leaf(number: usize) -> Self {
        Monomial::random(2 * number as u64 + 3)
    }

    fn random(seed: u64) -> Self {
        let value = |which: u64| 1 + split_mix(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ which) % (MODULUS - 1);
        Monomial { values: [value(0x5851_f42d_4c95_7f2d), value(0x1405_7b7e_f767_814f)], negative: false }
    }

    /// The monomial of a number: its odd part, and the number two as often as it is a factor. (Powers of two repeat
    /// modulo this prime; so two is a factor like any other.)
    pub fn number(value: f64) -> Self {
        if value == 0.0 || !value.is_finite() {
            return Monomial { negative: value.is_sign_negative(), ..Monomial::ZERO };
        }
        let bits = value.abs().to_bits();
        let exponent = (bits >> 52) as i32;
        let mantissa = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = match exponent {
            0 => (mantissa, -1074),
            _ => (mantissa | 1 << 52, exponent - 1075),
        };
        let twos = mantissa.trailing_zeros();
        let odd = mantissa >> twos;
        let number = Monomial { values: [odd, odd], negative: value < 0.0 };
        number.times(Monomial::random(1).power(exponent + twos as i32))
    }

    /// Whether it is that of a number that is zero, infinite or no number, of which nothing is known.
    #[inline(always)]
    pub fn is_degenerate(self) -> bool {
        self.values[0] == 0 && self.values[1] == 0
    }

    /// Twice the monomial.
    pub fn twice(self) -> Self {
        self.times(Monomial::random(1))
    }

    /// The product.
    pub fn times(self, other: Self) -> Self {
        let values = [Modular::mul(self.values[0], other.values[0]), Modular::mul(self.values[1], other.values[1])];
        Monomial { values, negative: self.negative != other.negative }
    }

    /// The quotient.
    pub fn over(self, divisor: Self) -> Self {
        self.times(divisor.reciprocal())
    }

    /// The reciprocal, a factor of its own: nothing cancels, for `x * (1 / x)` is no number where `x` is zero.
    fn reciprocal(self) -> Self {
        if self.is_degenerate() {
            return self;
        }
        let [first, second] = self.values;
        Monomial { negative: self.negative, ..Monomial::random(split_mix(first) ^ second) }
    }

    fn inverse(self) -> Self {
        Monomial { values: self.values.map(Modular::inverse), ..self }
    }

    /// The power with a positive exponent.
    fn raised(self, exponent: i32) -> Self {
        Monomial { negative: self.negative && exponent % 2 == 1, ..self.power(exponent) }
    }

    /// The negative.
    pub fn opposite(self) -> Self {
        Monomial { negative: !self.negative, ..self }
    }

    /// The power, of an inverse if the exponent is negative.
    fn power(self, exponent: i32) -> Self {
        let base = if exponent < 0 { self.inverse() } else { self };
        Monomial {
            values: base.values.map(|value| Modular::power(value, exponent.unsigned_abs().into())),
            negative: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_commute_and_numbers_are_exact() {
        let (x, y) = (Monomial::leaf(0), Monomial::leaf(1));
        let number = Monomial::number;
        assert_eq!(number(2.0).times(y).times(x), x.twice().times(y));
        assert_eq!(number(0.75).times(number(4.0)), number(3.0));
        assert!(number(-0.1).times(x).negative);
        assert_eq!(number(f64::MIN_POSITIVE).times(number(2.0_f64.powi(1022))), number(1.0));
        assert_eq!(number(f64::MIN_POSITIVE / 4.0).times(number(4.0)), number(f64::MIN_POSITIVE));
        // Two to the power 61 is one modulo the prime.
        assert_ne!(number(2.0_f64.powi(61)).times(x), x);
        assert_ne!(number(0.1).times(number(10.0)), number(1.0));
        assert_ne!(x.times(x), x);
        assert_eq!(number(-1.0).over(y).times(x), x.over(y.opposite()));
        assert_ne!(x.over(y).times(y), x);
        assert!(x.over(number(0.0)).is_degenerate());
    }
}
