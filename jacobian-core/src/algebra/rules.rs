//! What sums and products are known without being computed, and which of them are equal: the rules of the algebra and
//! of all that only counts what the algebra would write.
//!
//! A term is a value with a sign, which is carried along: `a - b` serves for `b - a`, and `a * b` for `b * -a`. Folded
//! are structural zeros, ones, what cancels, and sums, products and quotients of numbers where these are exact. Equal are sums and
//! products of the same values, and products of the same factors in another order ([`Monomial`]).

use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::ValueId;

use super::monomial::{Monomial, Monomials};
use super::table::{Key, Table};
use super::term::Term;
use crate::slices::extend;

/// An operation on two values, in one word: the engine asks for these hundreds of times a statement.
#[derive(Copy, Clone, Default)]
pub(crate) struct Pair(u64);

/// What is done with the two values of a [`Pair`].
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    Sum = 0,
    Difference = 1,
    Product = 2,
    Quotient = 3,
}

impl Operation {
    /// The operation of an intrinsic, if it is one of these.
    pub fn of(intrinsic: Intrinsic) -> Option<Self> {
        match intrinsic {
            known::ADD => Some(Operation::Sum),
            known::SUB => Some(Operation::Difference),
            known::MUL => Some(Operation::Product),
            known::DIV => Some(Operation::Quotient),
            _ => None,
        }
    }

    /// The intrinsic of the operation.
    pub fn intrinsic(self) -> Intrinsic {
        match self {
            Operation::Sum => known::ADD,
            Operation::Difference => known::SUB,
            Operation::Product => known::MUL,
            Operation::Quotient => known::DIV,
        }
    }
}

impl Pair {
    #[inline(always)]
    fn new(operation: Operation, left: Term, right: Term) -> Self {
        Pair((operation as u64) << 62 | (left.index() as u64) << 31 | right.index() as u64)
    }

    /// The operation on two values in this order.
    pub fn of(operation: Operation, left: ValueId, right: ValueId) -> Self {
        Pair::new(operation, Term::plus(left), Term::plus(right))
    }

    /// The key of a sum, and its sign: that in which the value with the smaller number is positive.
    #[inline(always)]
    pub fn sum(left: Term, right: Term) -> (Self, bool) {
        let operation = if left.agrees(right) { Operation::Sum } else { Operation::Difference };
        if left.index() <= right.index() {
            (Pair::new(operation, left, right), left.is_negative())
        } else {
            (Pair::new(operation, right, left), right.is_negative())
        }
    }

    /// The key of a product, the smaller number first, and its sign.
    #[inline(always)]
    pub fn product(left: Term, right: Term) -> (Self, bool) {
        let negative = !left.agrees(right);
        if left.index() <= right.index() {
            (Pair::new(Operation::Product, left, right), negative)
        } else {
            (Pair::new(Operation::Product, right, left), negative)
        }
    }

    /// The key of a quotient, and its sign.
    pub fn quotient(left: Term, right: Term) -> (Self, bool) {
        (Pair::new(Operation::Quotient, left, right), !left.agrees(right))
    }
}

impl Key for Pair {
    #[inline(always)]
    fn hash(&self) -> usize {
        // No product of halves overflows.
        ((((self.0 & 0xffff_ffff) * 0x9e37_79b1) ^ ((self.0 >> 32) * 0x85eb_ca77)) >> 15) as usize
    }

    #[inline(always)]
    fn is(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// What is known of values: the operations that gave them, and the monomials that they are.
#[derive(Clone)]
pub(crate) struct Numbering {
    pairs: Table<Pair>,
    /// By the number of the pair: its value.
    terms: Box<[Term]>,
    /// By value.
    pub monomials: Monomials,
}

impl Numbering {
    /// Nothing yet.
    pub fn new() -> Self {
        Numbering { pairs: Table::new(), terms: Box::default(), monomials: Monomials::new() }
    }

    /// What an operation gives, if it is known.
    #[inline(always)]
    pub fn find(&self, pair: Pair) -> Option<Term> {
        let number = self.pairs.find(&pair)?;
        Some(self.terms[number])
    }

    /// Lets `term`, which is of the last value, be what an operation gives that is not known yet.
    pub fn enter(&mut self, pair: Pair, term: Term) {
        let number = self.pairs.enter(pair);
        if number == self.terms.len() {
            extend(&mut self.terms);
        }
        self.terms[number] = term;
    }

    /// Forgets the values from `length` on.
    pub fn truncate(&mut self, length: usize) {
        let mut count = self.pairs.len();
        while count > 0 && self.terms[count - 1].index() >= length {
            count -= 1;
        }
        self.pairs.truncate(count);
        self.monomials.truncate(length);
    }
}

/// Values that are added and multiplied by the rules.
pub(crate) trait Rules {
    /// What is known of the values.
    fn numbering(&self) -> &Numbering;

    /// Whether a term is a number that is known now.
    fn is_number(&self, term: Term) -> bool;

    /// The number that a term is, if it is known now to the last bit.
    fn exact_value(&self, term: Term) -> Option<f64>;

    /// The term that a number is, if none of its bits is lost.
    fn exact_number(&mut self, value: f64) -> Option<Term>;

    /// The monomial of a value.
    fn monomial(&mut self, term: Term) -> Monomial;

    /// What serves for a term that is known, of all that are equal to it.
    fn known(&mut self, term: Term) -> Term;

    /// An operation, that is not known, on the values of two terms, whose signs do not count: what serves for it. It
    /// may be another value that is the same `monomial`; a new one is entered under its `pair`, of which it has this
    /// sign.
    fn unknown(
        &mut self,
        operation: Operation,
        terms: [Term; 2],
        pair: (Pair, bool),
        monomial: Option<Monomial>,
    ) -> Term;

    /// `left + right`.
    fn add(&mut self, left: Term, right: Term) -> Term {
        if left.is_zero() {
            return right;
        }
        if right.is_zero() {
            return left;
        }
        if left.is(-right) {
            return Term::ZERO;
        }
        if self.is_number(left)
            && self.is_number(right)
            && let Some(folded) = self.fold(left, right, exact_sum)
        {
            return folded;
        }
        let (pair, negative) = Pair::sum(left, right);
        if let Some(known) = self.numbering().find(pair) {
            return self.known(known).signed(negative);
        }
        // `p - n` where the signs differ.
        let (first, second) = if left.is_negative() && !right.is_negative() { (right, left) } else { (left, right) };
        let operation = if left.agrees(right) { Operation::Sum } else { Operation::Difference };
        let twice = if left.is(right) { Some(self.monomial(left).twice()) } else { None };
        let is_reversed = first.is_negative() != negative;
        self.unknown(operation, [first, second], (pair, is_reversed), twice).signed(first.is_negative())
    }

    /// `left * right`.
    fn mul(&mut self, left: Term, right: Term) -> Term {
        if left.is_zero() || right.is_zero() {
            return Term::ZERO;
        }
        if left.is_unit() {
            return right.signed(left.is_negative());
        }
        if right.is_unit() {
            return left.signed(right.is_negative());
        }
        if self.is_number(left)
            && self.is_number(right)
            && let Some(folded) = self.fold(left, right, exact_product)
        {
            return folded;
        }
        let (pair, negative) = Pair::product(left, right);
        if let Some(known) = self.numbering().find(pair) {
            return self.known(known).signed(negative);
        }
        let (first, second) = (self.monomial(left), self.monomial(right));
        self.unknown(Operation::Product, [left, right], (pair, false), Some(first.times(second))).signed(negative)
    }

    /// An operation on two numbers, where they and its result are exact.
    fn fold(&mut self, left: Term, right: Term, exact: fn(f64, f64) -> Option<f64>) -> Option<Term> {
        let (left, right) = (self.exact_value(left)?, self.exact_value(right)?);
        self.exact_number(exact(left, right)?)
    }
}

/// The sum, where no bit of it is lost (Knuth's two-sum).
pub(crate) fn exact_sum(left: f64, right: f64) -> Option<f64> {
    let sum = left + right;
    let right_part = sum - left;
    let error = (left - (sum - right_part)) + (right - right_part);
    (error == 0.0).then_some(sum)
}

/// The quotient, where no bit of it is lost.
pub(crate) fn exact_quotient(of: f64, by: f64) -> Option<f64> {
    let quotient = of / by;
    (quotient.is_normal() && quotient.mul_add(by, -of) == 0.0).then_some(quotient)
}

/// The product, where no bit of it is lost.
pub(crate) fn exact_product(left: f64, right: f64) -> Option<f64> {
    let product = left * right;
    (left.mul_add(right, -product) == 0.0 && product.abs() > 1e-250).then_some(product)
}
