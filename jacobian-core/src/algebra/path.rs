//! Products and sums along paths, where an arm of a branch may end a path.
//!
//! A partial that is a structural zero in some arms of a branch is a number in the code around it, 0 where such an arm
//! is taken. Its product with a partial that has no bound, such as `0.5 / v` of a root at zero, would then be
//! `0 * inf`, though nothing depends on that root. A *mask* tells the structural zero from a zero that is computed,
//! after which `0 * inf` is the honest answer: it is 0 where the arm that is taken has a structural zero, else 1. A
//! product of a masked label with one that has no bound is 0 where the mask is.

use jacobian_list::catalogue::known;
use jacobian_list::code_list::{NotationId, Statement, ValueId};

use super::rules::Rules;
use super::{Algebra, Term};

impl Algebra {
    /// Lets `mask` tell where the value is a structural zero.
    pub(crate) fn set_mask(&mut self, value: ValueId, mask: Term) {
        if self.value(mask).is_none() && self.list.as_constant(value).is_none() {
            self.masks.entry(value).or_insert(mask);
        }
    }

    /// The same for parts of a block, each with the part that is its mask.
    pub(crate) fn mask_parts(&mut self, block: ValueId, masks: &[(usize, usize)]) {
        for &(part, mask) in masks {
            let [part, mask] = [part, mask].map(|index| self.part(block, index));
            self.set_mask(part, self.term(mask));
        }
    }

    /// Says that an input may be infinite or no number, before anything is made of it.
    pub(crate) fn set_unbounded(&mut self, input: ValueId) {
        self.unbounded.input(input);
    }

    /// A selection of 0 or 1, such as the partials of a maximum, is its own mask.
    pub(crate) fn mask_selection(&mut self, label: Term) {
        if self.is_selection(label.id()) {
            self.set_mask(label.id(), label.magnitude());
        }
    }

    /// Whether a value is 0 or 1 by a comparison, or by one inside of another.
    fn is_selection(&self, value: ValueId) -> bool {
        let is_choice =
            |choice: &ValueId| *choice == Term::ZERO.id() || *choice == Term::ONE.id() || self.is_selection(*choice);
        match self.list.statement(value) {
            Statement::Apply { intrinsic: known::SELECT_EQ | known::SELECT_LT | known::SELECT_LE, args, .. } => {
                args[2..].iter().all(is_choice)
            }
            _ => false,
        }
    }

    /// The mask of a label: one, unless some arm of a branch ends its paths.
    pub(crate) fn mask(&self, label: Term) -> Term {
        match label.is_zero() {
            true => Term::ZERO,
            false => self.masks.get(&label.id()).copied().unwrap_or(Term::ONE),
        }
    }

    /// The product of the labels of two edges of a path.
    pub(crate) fn path_product(&mut self, first: Term, second: Term) -> Term {
        let product = self.mul(first, second);
        if !self.has_masks() || product.is_zero() {
            return product;
        }
        let (first_mask, second_mask) = (self.mask(first), self.mask(second));
        let mask = self.mul(first_mask, second_mask);
        let first_guards = self.is_unbounded(second.id()).then_some(first_mask);
        let second_guards = self.is_unbounded(first.id()).then_some(second_mask);
        let guard = match (first_guards, second_guards) {
            (Some(_), Some(_)) => mask,
            (guard, None) | (None, guard) => guard.unwrap_or(Term::ONE),
        };
        let guarded = self.guarded(guard, product);
        self.set_mask(guarded.id(), mask);
        guarded
    }

    /// Whether some labels are structural zeros only now and then.
    pub(crate) fn has_masks(&self) -> bool {
        !self.masks.is_empty()
    }

    /// The sum of the labels of two paths with the same ends.
    pub(crate) fn path_sum(&mut self, first: Term, second: Term) -> Term {
        let sum = self.add(first, second);
        if self.has_masks() {
            let (first_mask, second_mask) = (self.mask(first), self.mask(second));
            if self.value(first_mask).is_none() && self.value(second_mask).is_none() {
                let mask = self.either(first_mask, second_mask);
                self.set_mask(sum.id(), mask);
            }
        }
        sum
    }

    /// One where one of two masks is one, else zero.
    fn either(&mut self, first: Term, second: Term) -> Term {
        match first == second {
            true => first,
            false => {
                let args = [first, Term::ZERO, second, Term::ONE];
                self.apply(known::SELECT_EQ, NotationId::default(), &args)
            }
        }
    }

    /// The product where the guard is one, else zero.
    fn guarded(&mut self, guard: Term, product: Term) -> Term {
        match self.value(guard) {
            Some(_) => product,
            None => {
                let args = [guard, Term::ZERO, Term::ZERO, product.magnitude()];
                self.apply(known::SELECT_EQ, NotationId::default(), &args).signed(product.is_negative())
            }
        }
    }

    /// Whether a value may be infinite or no number though the inputs are finite.
    pub(crate) fn is_unbounded(&mut self, value: ValueId) -> bool {
        self.unbounded.extend(&self.list);
        self.unbounded.has(value)
    }
}
