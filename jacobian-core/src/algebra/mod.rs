//! The arithmetic in which derivatives are written: a code list that grows by statements which are folded and
//! numbered as they are made.
//!
//! *Function statements* keep operation, operands and order; a repeated one is shared, nothing else. *Derivative terms*
//! are signed values: a change of sign is carried along instead of computed, so that `a - b` serves for `b - a`, and
//! `a * b` for `b * -a`. Folded are the structural zeros, ones, and products and sums of constants where these are
//! exact; others are left to the compiler, for a rounded constant would differ from the one that the function computes.
//!
//! What is inside of an arm of a branch is a list of its own, with an algebra of its own.
//!
//! Invariant: the term of an entry in `numbering` is the value of its key.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

pub(crate) mod monomial;
mod path;
mod reciprocal;
mod term;
mod unbounded;

use self::monomial::{Monomial, Monomials};
pub use self::term::Term;
use self::term::{KeyHasher, plus};
use crate::algebra::unbounded::Unbounded;
use crate::list::block::Block;
use crate::list::catalogue::{Intrinsic, known};
use crate::list::code_list::{Args, CodeList, Constant, Dialect, Kind, Statement, ValueId};

/// An operation `+ - * /` on two values, in one word: the engine asks for these hundreds of times a statement.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Pair(u64);

impl Pair {
    fn new(intrinsic: Intrinsic, left: ValueId, right: ValueId) -> Self {
        Pair((intrinsic.index() as u64) << 56 | (left.index() as u64) << 28 | right.index() as u64)
    }
}

/// A growing code list with value numbering.
#[derive(Clone)]
pub struct Algebra {
    list: CodeList,
    numbering: HashMap<Pair, Term, BuildHasherDefault<KeyHasher>>,
    calls: HashMap<(Intrinsic, Dialect, Args), ValueId, BuildHasherDefault<KeyHasher>>,
    constants: HashMap<(Kind, u64), ValueId, BuildHasherDefault<KeyHasher>>,
    parts: HashMap<(ValueId, u32), ValueId, BuildHasherDefault<KeyHasher>>,
    /// In which products meet that are equal but for the order of their factors.
    monomials: Monomials,
    /// Where labels are structural zeros, see [`path`].
    masks: HashMap<ValueId, Term>,
    /// Reciprocals that are no quotients, by what they are reciprocals of.
    reciprocals: HashMap<ValueId, Term>,
    unbounded: Unbounded,
    zero: ValueId,
    one: ValueId,
}

impl Algebra {
    /// An algebra over an empty code list like `list`.
    pub fn new(list: &CodeList) -> Self {
        let mut algebra = Algebra {
            list: CodeList::new(list.precision()),
            numbering: HashMap::default(),
            calls: HashMap::default(),
            constants: HashMap::default(),
            parts: HashMap::default(),
            monomials: Monomials::default(),
            masks: HashMap::new(),
            reciprocals: HashMap::new(),
            unbounded: Unbounded::default(),
            zero: ValueId::new(0),
            one: ValueId::new(0),
        };
        algebra.zero = algebra.constant_id(Constant::Float(0.0));
        algebra.one = algebra.constant_id(Constant::Float(1.0));
        algebra
    }

    /// The code list so far.
    pub fn list(&self) -> &CodeList {
        &self.list
    }

    /// The code list.
    pub fn into_list(self) -> CodeList {
        self.list
    }

    /// The code list, to declare outputs and names.
    pub fn list_mut(&mut self) -> &mut CodeList {
        &mut self.list
    }

    /// Adds a block, the values that it reads already in this list. Blocks are never shared.
    pub fn block(&mut self, block: Block) -> ValueId {
        self.list.block(block)
    }

    /// A part of a block.
    pub fn part(&mut self, block: ValueId, index: usize) -> ValueId {
        let list = &mut self.list;
        *self.parts.entry((block, index as u32)).or_insert_with(|| list.part(block, index))
    }

    /// Adds a statement of the function itself, its arguments already in this list, and returns its value. It is
    /// shared with a statement that is the same in operation, operands and order, for only that one has the same bits.
    pub fn function_statement(&mut self, statement: Statement) -> ValueId {
        let Statement::Apply { intrinsic, dialect, args } = statement else {
            return match statement {
                Statement::Constant(constant) => self.constant_id(constant),
                Statement::Part { block, index } => self.part(block, index as usize),
                other => self.list.push(other),
            };
        };
        if let Some(shared) = self.same_statement(intrinsic, dialect, args) {
            return shared;
        }
        let id = self.list.push(statement);
        if let Some((pair, negative)) = self.normal_form(intrinsic, &args) {
            self.numbering.entry(pair).or_insert(Term { id, negative });
        }
        if is_arithmetic(intrinsic) {
            let raw = Pair::new(intrinsic, args[0], args[1]);
            self.numbering.entry(raw).or_insert(Term { id, negative: false });
        } else {
            self.calls.insert((intrinsic, dialect, args), id);
        }
        id
    }

    /// Forgets the statements from `length` on.
    pub fn truncate(&mut self, length: usize) {
        for index in (length..self.list.statements().len()).rev() {
            self.forget(ValueId::new(index));
        }
        self.list.truncate(length);
        self.monomials.truncate(length);
        self.masks.retain(|value, _| value.index() < length);
        self.reciprocals.retain(|_, reciprocal| reciprocal.id.index() < length);
        self.unbounded.truncate(length);
    }

    /// Removes a statement from the numbering, where an equal one before it does not stand for both.
    fn forget(&mut self, id: ValueId) {
        match *self.list.statement(id) {
            Statement::Apply { intrinsic, args, .. } if is_arithmetic(intrinsic) => {
                let normal = self.normal_form(intrinsic, &args).map(|(pair, _)| pair);
                let raw = Pair::new(intrinsic, args[0], args[1]);
                for pair in normal.into_iter().chain((normal != Some(raw)).then_some(raw)) {
                    if let Entry::Occupied(entry) = self.numbering.entry(pair)
                        && entry.get().id == id
                    {
                        entry.remove();
                    }
                }
            }
            Statement::Apply { intrinsic, dialect, args } => {
                self.calls.remove(&(intrinsic, dialect, args));
            }
            Statement::Constant(constant) => {
                self.constants.remove(&constant.key());
            }
            Statement::Part { block, index } => {
                self.parts.remove(&(block, index));
            }
            Statement::Input(_) | Statement::Block(_) => {}
        }
    }

    /// A statement of the list with this operation, operands and order.
    fn same_statement(&self, intrinsic: Intrinsic, dialect: Dialect, args: Args) -> Option<ValueId> {
        if !is_arithmetic(intrinsic) {
            return self.calls.get(&(intrinsic, dialect, args)).copied();
        }
        let exact = |id: &ValueId| match self.list.statement(*id) {
            Statement::Apply { intrinsic: i, args: a, .. } => (*i, *a) == (intrinsic, args),
            _ => false,
        };
        let raw = self.numbering.get(&Pair::new(intrinsic, args[0], args[1]));
        let normal = self.normal_form(intrinsic, &args).and_then(|(pair, _)| self.numbering.get(&pair));
        [raw, normal].into_iter().flatten().map(|term| term.id).find(exact)
    }

    /// The key under which equal derivative terms meet, and whether the statement is minus that key's value.
    fn normal_form(&self, intrinsic: Intrinsic, args: &[ValueId]) -> Option<(Pair, bool)> {
        let term = |position: usize| self.term(args[position]);
        Some(match intrinsic {
            known::ADD => sum(term(0), term(1)),
            known::SUB => sum(term(0), -term(1)),
            known::MUL => product(term(0), term(1)),
            known::DIV => quotient(term(0), term(1)),
            known::RECIP => quotient(self.one(), term(0)),
            _ => return None,
        })
    }

    /// The term that a value of the list is, with its sign brought out.
    pub fn term(&self, id: ValueId) -> Term {
        let mut term = plus(id);
        while let Statement::Apply { intrinsic: known::NEG, args, .. } = self.list.statement(term.id) {
            term = -plus(args[0]).signed(term.negative);
        }
        match self.list.as_constant(term.id) {
            Some(Constant::Float(value)) if value.is_sign_negative() && !value.is_nan() => {
                -plus(self.constants[&Constant::Float(-value).key()]).signed(term.negative)
            }
            _ => term,
        }
    }

    /// The structural zero.
    pub fn zero(&self) -> Term {
        plus(self.zero)
    }

    /// The number one.
    pub fn one(&self) -> Term {
        plus(self.one)
    }

    fn constant_id(&mut self, constant: Constant) -> ValueId {
        if let Some(&id) = self.constants.get(&constant.key()) {
            return id;
        }
        // The magnitude of a constant is always there before the constant, for `term` to find.
        if let Constant::Float(value) = constant
            && value.is_sign_negative()
            && !value.is_nan()
        {
            self.constant_id(Constant::Float(-value));
        }
        let id = self.list.constant(constant);
        self.constants.insert(constant.key(), id);
        id
    }

    /// A constant, rounded to the list's precision.
    pub fn constant(&mut self, value: f64) -> Term {
        let value = self.list.round(value);
        let id = self.constant_id(Constant::Float(value));
        self.term(id)
    }

    /// An integer constant.
    pub fn int(&mut self, value: i32) -> Term {
        plus(self.constant_id(Constant::Int(value)))
    }

    /// The number that a term is, if it is known now.
    pub fn value(&self, term: Term) -> Option<f64> {
        let value = self.list.as_constant(term.id)?.as_float();
        Some(if term.negative { -value } else { value })
    }

    /// Whether the term is a structural zero.
    pub fn is_zero(&self, term: Term) -> bool {
        term.id == self.zero
    }

    fn is_one(&self, id: ValueId) -> bool {
        id == self.one
    }

    /// `left + right`.
    pub fn add(&mut self, left: Term, right: Term) -> Term {
        if self.is_zero(left) {
            return right;
        }
        if self.is_zero(right) {
            return left;
        }
        if left == -right {
            return self.zero();
        }
        if let Some(folded) = self.fold(left, right, exact_sum) {
            return folded;
        }
        let (pair, negative) = sum(left, right);
        if let Some(&known) = self.numbering.get(&pair) {
            return known.signed(negative);
        }
        if left == right
            && let Some(known) = self.first_of(|monomials| monomials.get(left.id).twice())
        {
            return known.signed(left.negative);
        }
        let new = self.new_sum(left, right);
        self.numbering.insert(pair, new.signed(negative));
        new
    }

    /// Writes a sum; `p - n` where the signs differ.
    fn new_sum(&mut self, left: Term, right: Term) -> Term {
        let (first, second) = if left.negative && !right.negative { (right, left) } else { (left, right) };
        let intrinsic = if first.negative == second.negative { known::ADD } else { known::SUB };
        let id = self.list.apply(intrinsic, Dialect::default(), &[first.id, second.id]);
        plus(id).signed(first.negative)
    }

    /// `left * right`.
    pub fn mul(&mut self, left: Term, right: Term) -> Term {
        if self.is_zero(left) || self.is_zero(right) {
            return self.zero();
        }
        if self.is_one(left.id) {
            return right.signed(left.negative);
        }
        if self.is_one(right.id) {
            return left.signed(right.negative);
        }
        if let Some(folded) = self.fold(left, right, exact_product) {
            return folded;
        }
        let (pair, negative) = product(left, right);
        if let Some(&known) = self.numbering.get(&pair) {
            return known.signed(negative);
        }
        match self.first_of(|monomials| monomials.get(left.id).times(monomials.get(right.id))) {
            Some(known) => known.signed(negative),
            None => self.numbered(pair, known::MUL, left, right).signed(negative),
        }
    }

    /// The first value that is this monomial. (It is not entered into the numbering: were the factors forgotten, nothing
    /// would tell of the entry.)
    fn first_of(&mut self, monomial: impl FnOnce(&Monomials) -> Monomial) -> Option<Term> {
        self.monomials.extend(&self.list);
        self.monomials.find(monomial(&self.monomials))
    }

    /// `left / right`; a product where the reciprocal of `right` is there already, or its half or double.
    pub fn div(&mut self, left: Term, right: Term) -> Term {
        if self.is_zero(left) {
            return self.zero();
        }
        if self.is_one(right.id) {
            return left.signed(right.negative);
        }
        let (pair, negative) = quotient(left, right);
        if let Some(&known) = self.numbering.get(&pair) {
            return known.signed(negative);
        }
        if let Some(known) = self.first_of(|monomials| monomials.get(left.id).over(monomials.get(right.id))) {
            return known.signed(negative);
        }
        match self.reciprocal(right.id) {
            Some(reciprocal) => self.mul(left, reciprocal.signed(right.negative)),
            None => self.numbered(pair, known::DIV, left, right).signed(negative),
        }
    }

    /// The product or quotient of the magnitudes of two terms.
    fn numbered(&mut self, pair: Pair, intrinsic: Intrinsic, left: Term, right: Term) -> Term {
        let list = &mut self.list;
        let new = || plus(list.apply(intrinsic, Dialect::default(), &[left.id, right.id]));
        *self.numbering.entry(pair).or_insert_with(new)
    }

    /// The application of any intrinsic of a partial.
    pub fn apply(&mut self, intrinsic: Intrinsic, dialect: Dialect, args: &[Term]) -> Term {
        match (intrinsic, args) {
            (known::ADD, &[left, right]) => self.add(left, right),
            (known::SUB, &[left, right]) => self.add(left, -right),
            (known::MUL, &[left, right]) => self.mul(left, right),
            (known::DIV, &[left, right]) => self.div(left, right),
            (known::NEG, &[arg]) => -arg,
            (known::POWI, &[base, exponent]) => self.power(base, exponent, dialect),
            (known::POWF, &[base, exponent]) => self.float_power(base, exponent, dialect),
            (known::FLOAT | known::PRED, &[arg]) => self.of_int(intrinsic, arg),
            (known::SELECT_EQ, &[x, y, z, w]) => self.select(intrinsic, |x, y| x == y, [x, y, z, w]),
            (known::SELECT_LT, &[x, y, z, w]) => self.select(intrinsic, |x, y| x < y, [x, y, z, w]),
            (known::SELECT_LE, &[x, y, z, w]) => self.select(intrinsic, |x, y| x <= y, [x, y, z, w]),
            _ => self.call(intrinsic, dialect, args),
        }
    }

    fn call(&mut self, intrinsic: Intrinsic, dialect: Dialect, args: &[Term]) -> Term {
        let ids: Vec<_> = args.iter().map(|&arg| self.materialize(arg, false)).collect();
        plus(self.called(intrinsic, dialect, &ids))
    }

    fn called(&mut self, intrinsic: Intrinsic, dialect: Dialect, ids: &[ValueId]) -> ValueId {
        let list = &mut self.list;
        let new = || list.apply(intrinsic, dialect, ids);
        *self.calls.entry((intrinsic, dialect, Args::new(ids))).or_insert_with(new)
    }

    fn select(&mut self, intrinsic: Intrinsic, holds: fn(f64, f64) -> bool, args: [Term; 4]) -> Term {
        let [x, y, then, otherwise] = args;
        if then == otherwise {
            return then;
        }
        match (self.exact_value(x), self.exact_value(y)) {
            (Some(x), Some(y)) if holds(x, y) => then,
            (Some(_), Some(_)) => otherwise,
            _ => self.call(intrinsic, Dialect::default(), &args),
        }
    }

    fn of_int(&mut self, intrinsic: Intrinsic, arg: Term) -> Term {
        match (intrinsic, self.list.as_constant(arg.id)) {
            (known::FLOAT, Some(Constant::Int(value))) => self.constant(f64::from(value)),
            (known::PRED, Some(Constant::Int(value))) => self.int(value.saturating_sub(1)),
            _ => self.call(intrinsic, Dialect::default(), &[arg]),
        }
    }

    /// A power with an integer exponent: small known ones by multiplication, which other terms can share.
    fn power(&mut self, base: Term, exponent: Term, dialect: Dialect) -> Term {
        match self.list.as_constant(exponent.id) {
            Some(Constant::Int(0)) => self.one(),
            Some(Constant::Int(1)) => base,
            Some(Constant::Int(-1)) => self.div(self.one(), base),
            Some(Constant::Int(n)) if (2..=8).contains(&n) => {
                let half = self.int(n / 2);
                let root = self.power(base, half, dialect);
                let square = self.mul(root, root);
                if n % 2 == 0 { square } else { self.mul(square, base) }
            }
            _ => self.call(known::POWI, dialect, &[base, exponent]),
        }
    }

    fn float_power(&mut self, base: Term, exponent: Term, dialect: Dialect) -> Term {
        match self.value(exponent) {
            Some(value) if (-1.0..=8.0).contains(&value) && value.fract() == 0.0 => {
                let exponent = self.int(value as i32);
                self.power(base, exponent, dialect)
            }
            _ => self.call(known::POWF, dialect, &[base, exponent]),
        }
    }

    /// The term as a value of the list: its sign is applied. Unless the value without it is computed for others anyway, a
    /// difference or a constant factor takes the sign, and only one of the two is computed.
    pub fn materialize(&mut self, term: Term, is_computed: bool) -> ValueId {
        if !term.negative {
            return term.id;
        }
        if let Some(value) = self.value(term) {
            return self.constant_id(Constant::Float(value));
        }
        if !is_computed && let Some(absorbed) = self.absorb_sign(term.id) {
            return absorbed;
        }
        self.called(known::NEG, Dialect::default(), &[term.id])
    }

    /// Minus a value at no cost: a difference turned round, or a constant operand that takes the sign.
    fn absorb_sign(&mut self, id: ValueId) -> Option<ValueId> {
        let &Statement::Apply { intrinsic, args, .. } = self.list.statement(id) else {
            return None;
        };
        let ids = match intrinsic {
            known::SUB => [args[1], args[0]],
            known::MUL | known::DIV => {
                let position = args.iter().position(|&arg| self.list.as_constant(arg).is_some())?;
                let negated = -self.list.as_constant(args[position])?.as_float();
                let mut ids = [args[0], args[1]];
                ids[position] = self.constant_id(Constant::Float(negated));
                ids
            }
            _ => return None,
        };
        Some(self.function_statement(Statement::Apply {
            intrinsic,
            dialect: Dialect::default(),
            args: Args::new(&ids),
        }))
    }

    /// An operation on two constants, where they and its result are exact in the list's precision.
    fn fold(&mut self, left: Term, right: Term, exact: fn(f64, f64) -> Option<f64>) -> Option<Term> {
        let result = exact(self.exact_value(left)?, self.exact_value(right)?)?;
        self.list.is_exact(result).then(|| self.constant(result))
    }

    /// The number that a term is, if it is known now to the last bit.
    fn exact_value(&self, term: Term) -> Option<f64> {
        self.value(term).filter(|&value| self.list.is_exact(value))
    }
}

/// Whether statements of the intrinsic are numbered as pairs.
fn is_arithmetic(intrinsic: Intrinsic) -> bool {
    matches!(intrinsic, known::ADD | known::SUB | known::MUL | known::DIV)
}

/// The key of a sum, `first + second` or `first - second` with the smaller number first, and its sign.
fn sum(left: Term, right: Term) -> (Pair, bool) {
    let (first, second) = if left.id <= right.id { (left, right) } else { (right, left) };
    let intrinsic = if first.negative == second.negative { known::ADD } else { known::SUB };
    (Pair::new(intrinsic, first.id, second.id), first.negative)
}

/// The key of a product, the smaller number first, and its sign.
fn product(left: Term, right: Term) -> (Pair, bool) {
    let pair = Pair::new(known::MUL, left.id.min(right.id), left.id.max(right.id));
    (pair, left.negative != right.negative)
}

/// The key of a quotient and its sign.
fn quotient(left: Term, right: Term) -> (Pair, bool) {
    (Pair::new(known::DIV, left.id, right.id), left.negative != right.negative)
}

/// The sum, where no bit of it is lost (Knuth's two-sum).
pub(crate) fn exact_sum(left: f64, right: f64) -> Option<f64> {
    let sum = left + right;
    let right_part = sum - left;
    let error = (left - (sum - right_part)) + (right - right_part);
    (error == 0.0).then_some(sum)
}

/// The product, where no bit of it is lost.
pub(crate) fn exact_product(left: f64, right: f64) -> Option<f64> {
    let product = left * right;
    (left.mul_add(right, -product) == 0.0 && product.abs() > 1e-250).then_some(product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::block::Body;

    #[test]
    fn parts_are_shared_until_they_are_forgotten_and_blocks_never() {
        let mut algebra = Algebra::new(&CodeList::default());
        let call = || {
            let body = Body::Call { results: 2, columns: 1, with_jacobian: false };
            Block { args: Vec::new(), body, is_kept: false, origin: 0 }
        };
        let (one, other) = (algebra.block(call()), algebra.block(call()));
        let part = algebra.part(one, 1);
        assert_eq!(algebra.part(one, 1), part);
        assert!(one != other && algebra.part(one, 0) != part && algebra.part(other, 1) != part);
        algebra.truncate(part.index());
        assert_eq!(algebra.part(other, 1), part);
        assert_ne!(algebra.part(one, 1), part);
        algebra.truncate(other.index());
        assert_eq!(algebra.list().blocks().len(), 1);
    }

    #[test]
    fn a_product_that_is_a_quotient_is_found() {
        let mut algebra = Algebra::new(&CodeList::default());
        let (x, y) = (algebra.list_mut().input("x"), algebra.list_mut().input("y"));
        let args = Args::new(&[x, y]);
        let function = Statement::Apply { intrinsic: known::DIV, dialect: Dialect::default(), args };
        let quotient = plus(algebra.function_statement(function));
        let (x, y, one) = (plus(x), plus(y), algebra.one());
        let reciprocal = algebra.div(one, y);
        assert_eq!(algebra.mul(-reciprocal, x), -quotient);
        let twice_x = algebra.add(x, x);
        assert_eq!(algebra.div(twice_x, y), algebra.mul(twice_x, reciprocal));
        assert_ne!(algebra.mul(y, reciprocal), one);
    }
}
