//! Values as nodes: every operation on the same nodes is the same node, so that what a plan costs is what the nodes cost that
//! its entries need. Nodes are never forgotten, for the next plan needs most of them again; nothing is written.
//!
//! The nodes are those that the [algebra](crate::algebra) would make: the same signs, folds and keys, for a code list
//! without blocks. Products that are the same monomial are of one *class*, of which a plan uses the node that it comes to
//! first.
//!
//! All of this is done thousands of times in a build, without optimization: so tables are plain slices, and labels plain
//! numbers.

mod count;
mod operate;
mod read;
mod table;

use std::collections::HashMap;

use super::objective::Cost;
use super::slices::extend;
use super::state::{Arithmetic, Reversible};
use crate::algebra::monomial::Monomial;
use crate::graph::program::{Ends, LabelId};
use crate::linearize::Linearization;

use table::{Classes, Label, Table};

const ZERO: Label = 0;

/// The number of the node that is one.
const ONE: usize = 1;

const NONE: Label = Label::MAX;

#[derive(Copy, Clone, Default)]
struct Node {
    /// Whether it is computed from two nodes; else, from the arguments of the statement with its number.
    is_pair: bool,
    is_number: bool,
    /// Whether it depends on constants alone: what the compiler computes costs nothing.
    is_constant: bool,
    /// Whether it is minus its monomial, as a bit.
    sign: Label,
    left: u32,
    right: u32,
    work: u32,
    /// The longest chain of operations that ends with it.
    depth: u32,
    /// The first node of the same monomial.
    class: u32,
    /// Of the first node of a class: the node that the present plan uses, with the sign that makes it the monomial.
    used: Label,
    /// The evaluation in which it was needed last.
    needed: u32,
}

/// The nodes, and the table in which equal ones meet.
pub struct Interned {
    linearization: Linearization,
    /// The nodes, and room for more; first the statements of the list, `given_count` of them.
    nodes: Box<[Node]>,
    count: usize,
    given_count: usize,
    /// The numbers that nodes are, by node.
    values: HashMap<usize, f64>,
    /// The nodes that are numbers, by their bits.
    numbers: HashMap<u64, usize>,
    /// The monomials that nodes are, as in the algebra.
    classes: Classes,
    /// By the key of an operation: the label that it gives.
    table: Table,
    /// The nodes that the present plan has come to, in order, behind those of the list.
    trail: Box<[u32]>,
    trail_length: usize,
    given_trail: usize,
    /// The label of every edge that was there at first.
    given: Vec<Label>,
    /// The statements that cost something, and are not needed in any case.
    optional: Box<[u32]>,
    /// What is computed in any case.
    function: Cost,
    /// Room for the entries of a column.
    entries: Box<[(usize, Label)]>,
    evaluation: u32,
}

impl Interned {
    /// Appends a node.
    fn push(&mut self, node: Node, monomial: Monomial) -> usize {
        if self.count == self.nodes.len() {
            extend(&mut self.nodes);
            extend(&mut self.trail);
        }
        let class = self.classes.enter(self.count, monomial) as u32;
        self.nodes[self.count] = Node { class, used: NONE, sign: monomial.negative.into(), ..node };
        self.count += 1;
        self.count - 1
    }
}

impl Arithmetic for Interned {
    type Label = Label;

    fn given(&self, label: LabelId) -> Label {
        self.given[label.index()]
    }

    fn product(&mut self, first: Label, second: Label, _: Ends) -> Label {
        self.mul(first, second)
    }

    fn absorb(&mut self, addend: Label, first: Label, second: Label, _: Ends) -> Label {
        let product = self.mul(first, second);
        self.add(addend, product)
    }
}

impl Reversible for Interned {
    /// The number of nodes that the plan has come to.
    type Mark = usize;

    fn mark(&self) -> usize {
        self.trail_length
    }

    fn reset(&mut self, mark: usize) {
        while self.trail_length > mark {
            self.trail_length -= 1;
            let node = self.trail[self.trail_length] as usize;
            let class = self.nodes[node].class as usize;
            self.nodes[class].used = NONE;
        }
    }
}
