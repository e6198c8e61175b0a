//! Reciprocals that are shared: a division takes as long as five products.

use std::ops::RangeInclusive;

use jacobian_list::catalogue::known;
use jacobian_list::code_list::{Constant, Statement, ValueId};

use super::rules::{Pair, Rules, exact_product};
use super::{Algebra, Term};

/// The numbers whose quotients by a value give its reciprocal. Those of others overflow or lose digits where the
/// reciprocal is far from that.
const DIVIDENDS: RangeInclusive<f64> = 1e-3..=1e3;

impl Algebra {
    /// Computes the reciprocal of a value, which several partials are to share: where `statement` is a number divided
    /// by it, as a multiple of that.
    pub fn share_reciprocal(&mut self, value: ValueId, statement: ValueId) {
        let value = self.term(value);
        if self.reciprocal(value.id()).is_some() {
            return;
        }
        match self.dividend(statement).filter(|number| DIVIDENDS.contains(&number.abs())) {
            Some(number) => {
                let number = self.constant(number);
                let factor = self.exact_reciprocal(number).unwrap_or_else(|| self.div(Term::ONE, number));
                let reciprocal = self.mul(factor, Term::plus(statement)).signed(value.is_negative());
                self.reciprocals.insert(value.id(), reciprocal);
            }
            None => drop(self.div(Term::ONE, value)),
        }
    }

    /// The reciprocal of a power of two.
    fn exact_reciprocal(&mut self, number: Term) -> Option<Term> {
        let value = self.exact_value(number)?;
        let is_exact = exact_product(value, 1.0 / value) == Some(1.0);
        is_exact.then(|| self.constant(1.0 / value))
    }

    /// The number that a quotient divides, if it does.
    fn dividend(&self, id: ValueId) -> Option<f64> {
        match self.list.statement(id) {
            Statement::Apply { intrinsic: known::DIV, args, .. } => self.value(self.term(args[0])),
            _ => None,
        }
    }

    /// The reciprocal, if it takes no division: of a root, say, whose partial `0.5 / v` has been computed. Doubled and
    /// halved values are exact, unless they underflow.
    pub(super) fn reciprocal(&mut self, value: ValueId) -> Option<Term> {
        if let Some(&reciprocal) = self.reciprocals.get(&value) {
            return Some(reciprocal);
        }
        for (dividend, factor) in [(1.0, 1.0), (0.5, 2.0), (2.0, 0.5)] {
            let dividend = self.constants.get(&Constant::Float(dividend).key());
            let pair = |&dividend: &ValueId| Pair::quotient(Term::plus(dividend), Term::plus(value)).0;
            if let Some(quotient) = dividend.and_then(|dividend| self.numbering.find(pair(dividend))) {
                let factor = self.constant(factor);
                return Some(self.mul(factor, quotient));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::strategy::Strategy;
    use crate::pipeline::differentiate;
    use jacobian_list::code_list::CodeList;

    #[test]
    fn a_root_and_quotients_by_it_share_a_division() {
        let mut algebra = Algebra::new(&CodeList::default());
        let (root, other) = (Term::plus(algebra.list_mut().input("r")), Term::plus(algebra.list_mut().input("y")));
        let (half, one) = (algebra.constant(0.5), Term::ONE);
        let partial = algebra.div(half, root);
        let reciprocal = algebra.div(one, -root);
        let quotient = algebra.div(other, root);
        assert_eq!(algebra.div(one, root), -reciprocal);
        let division =
            |id: &ValueId| matches!(algebra.list().statement(*id), Statement::Apply { intrinsic: known::DIV, .. });
        assert_eq!(algebra.list().ids().filter(division).collect::<Vec<_>>(), [partial.id()]);
        let args: Vec<_> = algebra.list().args(quotient.id()).collect();
        assert_eq!(args, [other.id(), reciprocal.id()]);
    }

    /// The quotients that the derivative of a function adds to its own.
    fn divisions(text: &str) -> usize {
        let list: CodeList = text.parse().expect("a code list");
        let jacobian = differentiate(&list, &Strategy::default()).expect("it is small");
        jacobian.operations.divisions - jacobian.function_operations.divisions
    }

    #[test]
    fn what_divides_several_statements_divides_once() {
        assert_eq!(divisions("input t a\np = 8.75 / t\nq = a / t\nr = log2(t)\noutput p q r"), 0);
        assert_eq!(divisions("input t a\nm = -t\nq = a / m\np = -8.75 / m\nr = ln(m)\noutput p q r"), 1);
        assert_eq!(divisions("input t\np = 8.75 / t\noutput p"), 1);
        assert_eq!(divisions("input t a\np = 1e-200 / t\nq = a / t\noutput p q"), 1);
    }
}
