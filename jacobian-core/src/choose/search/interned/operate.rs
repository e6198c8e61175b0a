//! Sums and products of nodes.

use jacobian_list::code_list::ValueId;

use super::{Interned, Node};
use crate::algebra::Term;
use crate::algebra::monomial::Monomial;
use crate::algebra::rules::{Numbering, Operation, Pair, Rules};
use crate::write::cost::time::Estimate;

impl Rules for Interned {
    #[inline(always)]
    fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    #[inline(always)]
    fn is_number(&self, term: Term) -> bool {
        self.nodes[term.index()].is_number
    }

    fn exact_value(&self, term: Term) -> Option<f64> {
        let value = self.nodes[term.index()].number;
        let value = if term.is_negative() { -value } else { value };
        self.linearization.algebra.list().is_exact(value).then_some(value)
    }

    /// The number as a node.
    fn exact_number(&mut self, value: f64) -> Option<Term> {
        if !self.linearization.algebra.list().is_exact(value) {
            return None;
        }
        let magnitude = value.abs();
        let node = match self.numbers.get(&magnitude.to_bits()) {
            Some(&node) => node,
            None => {
                let number = Node { is_number: true, number: magnitude, is_constant: true, ..Node::default() };
                let node = self.push(number, Monomial::number(magnitude));
                self.numbers.insert(magnitude.to_bits(), node);
                node
            }
        };
        Some(Term::plus(ValueId(node as u32)).signed(value.is_sign_negative() && magnitude != 0.0))
    }

    #[inline(always)]
    fn monomial(&mut self, term: Term) -> Monomial {
        self.numbering.monomials.get(term.id())
    }

    /// The node that the present plan uses for this one: itself, unless it has reached another node of the same class.
    #[inline(always)]
    fn known(&mut self, term: Term) -> Term {
        let node = &self.nodes[term.index()];
        let (class, is_minus) = (node.class as usize, node.is_minus);
        let first = &mut self.nodes[class];
        if first.is_used {
            return first.used.signed(is_minus).signed(term.is_negative());
        }
        first.is_used = true;
        first.used = term.magnitude().signed(is_minus);
        self.trail[self.trail_length] = term.index() as u32;
        self.trail_length += 1;
        term
    }

    /// A new node, be there others of its class or not.
    fn unknown(
        &mut self,
        operation: Operation,
        terms: [Term; 2],
        pair: (Pair, bool),
        monomial: Option<Monomial>,
    ) -> Term {
        let (left, right) = (&self.nodes[terms[0].index()], &self.nodes[terms[1].index()]);
        let is_constant = left.is_constant && right.is_constant;
        let own = if is_constant { Estimate::default() } else { Estimate::of_class(operation.intrinsic().row().class) };
        let (work, depth) = (own.work as u32, left.depth.max(right.depth) + own.path as u32);
        let (left, right) = (terms[0].id().0, terms[1].id().0);
        let node = Node { is_pair: true, is_constant, left, right, work, depth, ..Node::default() };
        let monomial = match monomial {
            Some(monomial) => monomial,
            None => Monomial::leaf(self.count),
        };
        let new = Term::plus(ValueId(self.push(node, monomial) as u32));
        self.numbering.enter(pair.0, new.signed(pair.1));
        self.known(new)
    }
}
