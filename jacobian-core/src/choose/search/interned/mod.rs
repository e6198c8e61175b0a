//! Values as nodes: every operation on the same nodes is the same node, so that what a plan costs is what the nodes
//! cost that its entries need. Nodes are never forgotten, for the next plan needs most of them again; nothing is
//! written.
//!
//! The nodes are the values that the [algebra](crate::algebra) would make of a code list without blocks, by the same
//! [rules](crate::algebra::rules). Products that are the same monomial are of one *class*, of which a plan uses the
//! node that it reaches first.
//!
//! All of this is done thousands of times in a build, without optimization: so nodes are in plain slices.

mod count;
mod operate;
mod read;

use std::collections::HashMap;

use super::objective::Cost;
use super::state::Reversible;
use crate::algebra::Term;
use crate::algebra::monomial::Monomial;
use crate::algebra::rules::{Numbering, Rules};
use crate::graph::elimination::Arithmetic;
use crate::graph::program::{Ends, LabelId};
use crate::linearize::Linearization;
use crate::slices::extend;

#[derive(Copy, Clone, Default)]
struct Node {
    /// Whether it is computed from two nodes; else, from the arguments of the statement with its number.
    is_pair: bool,
    /// Whether it is a number: this one.
    is_number: bool,
    number: f64,
    /// Whether it depends on constants alone: what the compiler computes costs nothing.
    is_constant: bool,
    /// Whether it is minus its monomial.
    is_minus: bool,
    left: u32,
    right: u32,
    work: u32,
    /// The longest chain of operations that ends with it.
    depth: u32,
    /// The first node of the same monomial.
    class: u32,
    /// Of the first node of a class: whether the present plan uses a node of it, and that node, with the sign that
    /// makes it the monomial.
    is_used: bool,
    used: Term,
    /// The evaluation in which it was needed last.
    needed: u32,
}

/// The nodes, and in what equal ones meet.
pub struct Interned {
    linearization: Linearization,
    /// The nodes, and room for more; first the statements of the list, `given_count` of them.
    nodes: Box<[Node]>,
    count: usize,
    given_count: usize,
    /// The nodes that are numbers, by their bits.
    numbers: HashMap<u64, usize>,
    /// What is known of the nodes.
    numbering: Numbering,
    /// The nodes that the present plan has reached, in order, after those of the list.
    trail: Box<[u32]>,
    trail_length: usize,
    given_trail: usize,
    /// The statements that cost something, and are not needed in any case.
    optional: Box<[u32]>,
    /// What is computed in any case.
    function: Cost,
    /// Room for the edges from a column.
    entries: Box<[Ends]>,
    evaluation: u32,
}

impl Interned {
    /// Appends a node.
    fn push(&mut self, node: Node, monomial: Monomial) -> usize {
        if self.count == self.nodes.len() {
            extend(&mut self.nodes);
            extend(&mut self.trail);
        }
        let class = self.numbering.monomials.push(monomial) as u32;
        self.nodes[self.count] = Node { class, is_minus: monomial.negative, ..node };
        self.count += 1;
        self.count - 1
    }
}

impl Arithmetic for Interned {
    type Label = Term;

    #[inline(always)]
    fn product(&mut self, first: Term, second: Term, _: Ends) -> Term {
        self.mul(first, second)
    }

    #[inline(always)]
    fn absorb(&mut self, addend: Term, first: Term, second: Term, _: Ends) -> Term {
        let product = self.mul(first, second);
        self.add(addend, product)
    }

    #[inline(always)]
    fn sum(&mut self, first: Term, second: Term, _: Ends) -> Term {
        self.add(first, second)
    }
}

impl Reversible for Interned {
    /// The number of nodes that the plan has reached.
    type Mark = usize;

    fn given(&self, label: LabelId) -> Term {
        self.linearization.labels[label.index()]
    }

    fn mark(&self) -> usize {
        self.trail_length
    }

    fn reset(&mut self, mark: usize) {
        while self.trail_length > mark {
            self.trail_length -= 1;
            let node = self.trail[self.trail_length] as usize;
            let class = self.nodes[node].class as usize;
            self.nodes[class].is_used = false;
        }
    }
}
