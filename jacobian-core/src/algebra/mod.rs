//! The arithmetic in which derivatives are written: a code list that grows by statements which are folded and
//! numbered as they are made.
//!
//! *Function statements* keep operation, operands and order; a repeated one is shared, nothing else. *Derivative terms*
//! are signed values, which are added and multiplied by the rules in `rules.rs`. Products and sums of constants are
//! folded where these are exact; others are left to the compiler, for a rounded constant would differ from the one that
//! the function computes.
//!
//! What is inside of an arm of a branch is a list of its own, with an algebra of its own.
//!
//! Invariant: the term of an entry in `numbering` is the value of its key.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

pub(crate) mod monomial;
mod path;
mod reciprocal;
pub(crate) mod rules;
mod table;
mod term;
pub(crate) mod unbounded;

use jacobian_list::block::{Block, Body};
use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{Args, CodeList, Constant, Kind, NotationId, Statement, ValueId};

use self::monomial::Monomial;
use self::rules::{Numbering, Operation, Pair, Rules, exact_quotient};
use self::term::KeyHasher;
pub use self::term::Term;
use crate::algebra::unbounded::Unbounded;

/// A growing code list with value numbering.
#[derive(Clone)]
pub struct Algebra {
    list: CodeList,
    numbering: Numbering,
    calls: HashMap<(Intrinsic, NotationId, Args), ValueId, BuildHasherDefault<KeyHasher>>,
    constants: HashMap<(Kind, u64), ValueId, BuildHasherDefault<KeyHasher>>,
    parts: HashMap<(ValueId, u32), ValueId, BuildHasherDefault<KeyHasher>>,
    /// Where labels are structural zeros, see [`path`].
    masks: HashMap<ValueId, Term>,
    /// Reciprocals that are no quotients, by what they are reciprocals of.
    reciprocals: HashMap<ValueId, Term>,
    unbounded: Unbounded,
    /// The blocks of partials that are written out, by origin and arguments: what is written out again is the same.
    of_partials: HashMap<(u32, Vec<ValueId>), ValueId>,
}

impl Algebra {
    /// An algebra over an empty code list like `list`.
    pub fn new(list: &CodeList) -> Self {
        let mut algebra = Algebra {
            list: CodeList::new(list.precision()),
            numbering: Numbering::new(),
            calls: HashMap::default(),
            constants: HashMap::default(),
            parts: HashMap::default(),
            masks: HashMap::new(),
            reciprocals: HashMap::new(),
            unbounded: Unbounded::default(),
            of_partials: HashMap::new(),
        };
        // The rules know these two by their numbers.
        algebra.constant_id(Constant::Float(0.0));
        algebra.constant_id(Constant::Float(1.0));
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

    /// What is known of the values so far.
    pub(crate) fn known_values(&self) -> Numbering {
        let mut numbering = self.numbering.clone();
        numbering.monomials.extend(&self.list);
        numbering
    }

    /// Adds a block, the values that it reads already in this list. Blocks are never shared, but for those of partials
    /// which the gradient has already.
    pub fn block(&mut self, block: Block) -> ValueId {
        match self.of_partials.is_empty() {
            true => self.list.block(block),
            false => self.same_block(&block).unwrap_or_else(|| self.list.block(block)),
        }
    }

    /// Gives a branch other arms, which have further results after those that it has.
    pub(crate) fn set_arms(&mut self, branch: ValueId, lists: Vec<Arc<CodeList>>) {
        let block = self.list.block_mut(branch);
        if let Body::Branch { arms, results, .. } = &mut block.body {
            *results = lists[0].outputs().len();
            *arms = lists;
        }
        debug_assert_eq!(self.list.block_of(branch).problem(&self.list), None);
        self.unbounded.change(&self.list, branch);
    }

    /// The block of a partial that is this one.
    fn same_block(&self, block: &Block) -> Option<ValueId> {
        let may_be_shared = match block.body {
            Body::Call { order: 0, .. } | Body::Opaque { .. } => !block.is_kept,
            _ => false,
        };
        let key = || (block.origin, block.args.clone());
        may_be_shared.then(|| self.of_partials.get(&key()).copied()).flatten()
    }

    /// Writes out the partials that a rule gives for these inputs.
    pub(crate) fn partials(&mut self, rule: &CodeList, inputs: &[ValueId]) -> Vec<Term> {
        let (mut terms, mut inputs) = (Vec::with_capacity(rule.statements().len()), inputs.iter());
        for id in rule.ids() {
            let term = match *rule.statement(id) {
                Statement::Input(_) => self.term(*inputs.next().expect("a value for every input")),
                Statement::Constant(Constant::Float(number)) => self.constant(number),
                Statement::Constant(constant) => Term::plus(self.constant_id(constant)),
                Statement::Apply { intrinsic, notation, args } => {
                    let args: Vec<Term> = args.iter().map(|arg| terms[arg.index()]).collect();
                    self.apply(intrinsic, notation, &args)
                }
                Statement::Block(_) => {
                    let mut block = rule.block_of(id).clone();
                    for arg in &mut block.args {
                        *arg = self.materialize(terms[arg.index()], false);
                    }
                    let decider = block.decider().map(|decider| self.materialize(terms[decider.index()], false));
                    let args = std::mem::take(&mut block.args);
                    let block = Block { args, ..block.map_args(|own| decider.unwrap_or(own)) };
                    let key = (block.origin, block.args.clone());
                    let value = self.block(block);
                    self.of_partials.entry(key).or_insert(value);
                    Term::plus(value)
                }
                Statement::Part { block, index } => {
                    let part = self.part(terms[block.index()].id(), index as usize);
                    self.term(part)
                }
            };
            if let Some(name) = rule.name(id).filter(|_| !matches!(rule.statement(id), Statement::Input(_)))
                && !term.is_negative()
                && self.list.name(term.id()).is_none()
                && self.list.as_constant(term.id()).is_none()
            {
                self.list.set_name(term.id(), name);
            }
            terms.push(term);
        }
        rule.outputs().iter().map(|output| terms[output.index()]).collect()
    }

    /// A part of a block.
    pub fn part(&mut self, block: ValueId, index: usize) -> ValueId {
        let list = &mut self.list;
        *self.parts.entry((block, index as u32)).or_insert_with(|| list.part(block, index))
    }

    /// Adds a statement of the function itself, its arguments already in this list, and returns its value. It is
    /// shared with a statement that is the same in operation, operands and order, for only that one has the same bits.
    pub fn function_statement(&mut self, statement: Statement) -> ValueId {
        let Statement::Apply { intrinsic, notation, args } = statement else {
            return match statement {
                Statement::Constant(constant) => self.constant_id(constant),
                Statement::Part { block, index } => self.part(block, index as usize),
                other => self.list.push(other),
            };
        };
        if let Some(shared) = self.same_statement(intrinsic, notation, args) {
            return shared;
        }
        let id = self.list.push(statement);
        let normal = self.normal_form(intrinsic, &args);
        let raw = Operation::of(intrinsic).map(|operation| (Pair::of(operation, args[0], args[1]), false));
        for (pair, negative) in normal.into_iter().chain(raw) {
            if self.numbering.find(pair).is_none() {
                self.numbering.enter(pair, Term::plus(id).signed(negative));
            }
        }
        if raw.is_none() {
            self.calls.insert((intrinsic, notation, args), id);
        }
        id
    }

    /// Forgets the statements from `length` on.
    pub fn truncate(&mut self, length: usize) {
        for index in (length..self.list.statements().len()).rev() {
            self.forget(ValueId::new(index));
        }
        self.list.truncate(length);
        self.numbering.truncate(length);
        // The mask of a value may have been found after the value.
        self.masks.retain(|value, mask| value.index() < length && mask.index() < length);
        self.reciprocals.retain(|_, reciprocal| reciprocal.index() < length);
        self.of_partials.retain(|_, block| block.index() < length);
        self.unbounded.truncate(length);
    }

    /// Removes a statement from where equal ones meet that are no sums, products or quotients.
    fn forget(&mut self, id: ValueId) {
        match *self.list.statement(id) {
            Statement::Apply { intrinsic, notation, args } if Operation::of(intrinsic).is_none() => {
                self.calls.remove(&(intrinsic, notation, args));
            }
            Statement::Constant(constant) => {
                self.constants.remove(&constant.key());
            }
            Statement::Part { block, index } => {
                self.parts.remove(&(block, index));
            }
            Statement::Apply { .. } | Statement::Input(_) | Statement::Block(_) => {}
        }
    }

    /// A statement of the list with this operation, operands and order.
    fn same_statement(&self, intrinsic: Intrinsic, notation: NotationId, args: Args) -> Option<ValueId> {
        let Some(operation) = Operation::of(intrinsic) else {
            return self.calls.get(&(intrinsic, notation, args)).copied();
        };
        let exact = |id: &ValueId| match self.list.statement(*id) {
            Statement::Apply { intrinsic: i, args: a, .. } => (*i, *a) == (intrinsic, args),
            _ => false,
        };
        let raw = self.numbering.find(Pair::of(operation, args[0], args[1]));
        let normal = self.normal_form(intrinsic, &args).and_then(|(pair, _)| self.numbering.find(pair));
        [raw, normal].into_iter().flatten().map(Term::id).find(exact)
    }

    /// The key under which equal derivative terms meet, and whether the statement is minus that key's value.
    fn normal_form(&self, intrinsic: Intrinsic, args: &[ValueId]) -> Option<(Pair, bool)> {
        let term = |position: usize| self.term(args[position]);
        Some(match intrinsic {
            known::ADD => Pair::sum(term(0), term(1)),
            known::SUB => Pair::sum(term(0), -term(1)),
            known::MUL => Pair::product(term(0), term(1)),
            known::DIV => Pair::quotient(term(0), term(1)),
            known::RECIP => Pair::quotient(Term::ONE, term(0)),
            _ => return None,
        })
    }

    /// The term that a value of the list is, with its sign brought out.
    pub fn term(&self, id: ValueId) -> Term {
        let mut term = Term::plus(id);
        while let Statement::Apply { intrinsic: known::NEG, args, .. } = self.list.statement(term.id()) {
            term = -Term::plus(args[0]).signed(term.is_negative());
        }
        match self.list.as_constant(term.id()) {
            Some(Constant::Float(value)) if value.is_sign_negative() && !value.is_nan() => {
                -Term::plus(self.constants[&Constant::Float(-value).key()]).signed(term.is_negative())
            }
            _ => term,
        }
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
        Term::plus(self.constant_id(Constant::Int(value)))
    }

    /// The number that a term is, if it is known now.
    pub fn value(&self, term: Term) -> Option<f64> {
        let value = self.list.as_constant(term.id())?.as_float();
        Some(if term.is_negative() { -value } else { value })
    }

    /// `left / right`, folded where it is a number that is exact; a product where the reciprocal of `right` is there already, or its half or double.
    pub fn div(&mut self, left: Term, right: Term) -> Term {
        if left.is_zero() {
            return Term::ZERO;
        }
        if right.is_unit() {
            return left.signed(right.is_negative());
        }
        if self.is_number(left)
            && self.is_number(right)
            && let Some(folded) = self.fold(left, right, exact_quotient)
        {
            return folded;
        }
        let (pair, negative) = Pair::quotient(left, right);
        if let Some(known) = self.numbering.find(pair) {
            return known.signed(negative);
        }
        let monomial = self.monomial(left).over(self.monomial(right));
        if let Some(known) = self.numbering.monomials.find(monomial) {
            return known.signed(negative);
        }
        match self.reciprocal(right.id()) {
            Some(reciprocal) => self.mul(left, reciprocal.signed(right.is_negative())),
            None => self.unknown(Operation::Quotient, [left, right], (pair, false), None).signed(negative),
        }
    }

    /// The application of any intrinsic of a partial.
    pub fn apply(&mut self, intrinsic: Intrinsic, notation: NotationId, args: &[Term]) -> Term {
        match (intrinsic, args) {
            (known::ADD, &[left, right]) => self.add(left, right),
            (known::SUB, &[left, right]) => self.add(left, -right),
            (known::MUL, &[left, right]) => self.mul(left, right),
            (known::DIV, &[left, right]) => self.div(left, right),
            (known::NEG, &[arg]) => -arg,
            (known::POWI, &[base, exponent]) => self.power(base, exponent, notation),
            (known::POWF, &[base, exponent]) => self.float_power(base, exponent, notation),
            (known::FLOAT | known::PRED, &[arg]) => self.of_int(intrinsic, arg),
            (known::SELECT_EQ, &[x, y, z, w]) => self.select(intrinsic, |x, y| x == y, [x, y, z, w]),
            (known::SELECT_LT, &[x, y, z, w]) => self.select(intrinsic, |x, y| x < y, [x, y, z, w]),
            (known::SELECT_LE, &[x, y, z, w]) => self.select(intrinsic, |x, y| x <= y, [x, y, z, w]),
            _ => self.call(intrinsic, notation, args),
        }
    }

    fn call(&mut self, intrinsic: Intrinsic, notation: NotationId, args: &[Term]) -> Term {
        let ids: Vec<_> = args.iter().map(|&arg| self.materialize(arg, false)).collect();
        Term::plus(self.called(intrinsic, notation, &ids))
    }

    fn called(&mut self, intrinsic: Intrinsic, notation: NotationId, ids: &[ValueId]) -> ValueId {
        let list = &mut self.list;
        let new = || list.apply(intrinsic, notation, ids);
        *self.calls.entry((intrinsic, notation, Args::new(ids))).or_insert_with(new)
    }

    fn select(&mut self, intrinsic: Intrinsic, holds: fn(f64, f64) -> bool, args: [Term; 4]) -> Term {
        let [x, y, then, otherwise] = args;
        if then == otherwise {
            return then;
        }
        match (self.exact_value(x), self.exact_value(y)) {
            (Some(x), Some(y)) if holds(x, y) => then,
            (Some(_), Some(_)) => otherwise,
            _ => self.call(intrinsic, NotationId::default(), &args),
        }
    }

    fn of_int(&mut self, intrinsic: Intrinsic, arg: Term) -> Term {
        match (intrinsic, self.list.as_constant(arg.id())) {
            (known::FLOAT, Some(Constant::Int(value))) => self.constant(f64::from(value)),
            (known::PRED, Some(Constant::Int(value))) => self.int(value.saturating_sub(1)),
            _ => self.call(intrinsic, NotationId::default(), &[arg]),
        }
    }

    /// A power with an integer exponent: small known ones by multiplication, which other terms can share.
    fn power(&mut self, base: Term, exponent: Term, notation: NotationId) -> Term {
        match self.list.as_constant(exponent.id()) {
            Some(Constant::Int(0)) => Term::ONE,
            Some(Constant::Int(1)) => base,
            Some(Constant::Int(-1)) => self.div(Term::ONE, base),
            Some(Constant::Int(n)) if (2..=8).contains(&n) => {
                let half = self.int(n / 2);
                let root = self.power(base, half, notation);
                let square = self.mul(root, root);
                if n % 2 == 0 { square } else { self.mul(square, base) }
            }
            _ => self.call(known::POWI, notation, &[base, exponent]),
        }
    }

    fn float_power(&mut self, base: Term, exponent: Term, notation: NotationId) -> Term {
        match self.value(exponent) {
            Some(value) if (-1.0..=8.0).contains(&value) && value.fract() == 0.0 => {
                let exponent = self.int(value as i32);
                self.power(base, exponent, notation)
            }
            _ => self.call(known::POWF, notation, &[base, exponent]),
        }
    }

    /// The term as a value of the list: its sign is applied. Unless the value without it is computed for others anyway,
    /// a difference or a constant factor takes the sign, and only one of the two is computed.
    pub fn materialize(&mut self, term: Term, is_computed: bool) -> ValueId {
        if !term.is_negative() {
            return term.id();
        }
        if let Some(value) = self.value(term) {
            return self.constant_id(Constant::Float(value));
        }
        if !is_computed && let Some(absorbed) = self.absorb_sign(term.id()) {
            return absorbed;
        }
        self.called(known::NEG, NotationId::default(), &[term.id()])
    }

    /// Minus a value at no cost: a difference with its operands swapped, or a constant operand that takes the sign.
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
            notation: NotationId::default(),
            args: Args::new(&ids),
        }))
    }
}

impl Rules for Algebra {
    fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    #[inline(always)]
    fn is_number(&self, term: Term) -> bool {
        matches!(self.list.statement(term.id()), Statement::Constant(_))
    }

    fn exact_value(&self, term: Term) -> Option<f64> {
        self.value(term).filter(|&value| self.list.is_exact(value))
    }

    fn exact_number(&mut self, value: f64) -> Option<Term> {
        self.list.is_exact(value).then(|| self.constant(value))
    }

    fn monomial(&mut self, term: Term) -> Monomial {
        self.numbering.monomials.extend(&self.list);
        self.numbering.monomials.get(term.id())
    }

    fn known(&mut self, term: Term) -> Term {
        term
    }

    /// The first value that is the monomial, or else a new statement. (What is found by its monomial is not entered:
    /// were the values of the pair forgotten, nothing would tell of the entry.)
    fn unknown(
        &mut self,
        operation: Operation,
        terms: [Term; 2],
        pair: (Pair, bool),
        monomial: Option<Monomial>,
    ) -> Term {
        if let Some(first) = monomial.and_then(|monomial| self.numbering.monomials.find(monomial)) {
            return first;
        }
        let new =
            Term::plus(self.list.apply(operation.intrinsic(), NotationId::default(), &[terms[0].id(), terms[1].id()]));
        self.numbering.enter(pair.0, new.signed(pair.1));
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jacobian_list::block::{Body, Local};

    #[test]
    fn parts_are_shared_until_they_are_forgotten_and_blocks_never() {
        let mut algebra = Algebra::new(&CodeList::default());
        let call = || {
            let body = Body::Call { results: 2, columns: 0, order: 0, local: Local::Unknown };
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
        let function = Statement::Apply { intrinsic: known::DIV, notation: NotationId::default(), args };
        let quotient = Term::plus(algebra.function_statement(function));
        let (x, y, one) = (Term::plus(x), Term::plus(y), Term::ONE);
        let reciprocal = algebra.div(one, y);
        assert_eq!(algebra.mul(-reciprocal, x), -quotient);
        let twice_x = algebra.add(x, x);
        assert_eq!(algebra.div(twice_x, y), algebra.mul(twice_x, reciprocal));
        assert_ne!(algebra.mul(y, reciprocal), one);
    }
}
