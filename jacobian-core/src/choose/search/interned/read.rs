//! The statements of a list as nodes.

use std::collections::HashMap;

use jacobian_list::code_list::{CodeList, Statement, ValueId};
use jacobian_list::evaluate::constants;

use super::{Interned, Node};
use crate::algebra::Term;
use crate::algebra::rules::{Operation, Rules};
use crate::choose::search::objective::Cost;
use crate::graph::program::Ends;
use crate::linearize::Linearization;
use crate::slices::filled;
use crate::write::cost::time::Estimate;

impl Interned {
    /// The nodes of the statements of `linearization`, whose list has no branches and no calls.
    pub fn new(linearization: &Linearization) -> Self {
        let linearization = linearization.with_program();
        let list = linearization.algebra.list().clone();
        let numbering = linearization.algebra.known_values();
        let count = list.statements().len();
        let vertices = linearization.graph.vertex_count();
        let mut interned = Interned {
            linearization,
            nodes: vec![Node::default(); 2 * count].into(),
            count: 0,
            given_count: count,
            numbers: HashMap::new(),
            numbering,
            trail: vec![0; 2 * count].into(),
            trail_length: 0,
            given_trail: 0,
            optional: Box::default(),
            function: Cost::default(),
            entries: filled(Ends::default(), vertices),
            evaluation: 0,
        };
        interned.read(&list);
        interned.count_function(&list);
        interned
    }

    fn read(&mut self, list: &CodeList) {
        let constants = constants(list);
        for id in list.ids() {
            let node = self.read_statement(list, id, constants[id.index()]);
            self.nodes[id.index()] = node;
            self.read_number(list, id);
        }
        self.count = self.given_count;
        for id in list.ids() {
            self.known(Term::plus(id));
        }
        self.given_trail = self.trail_length;
    }

    fn read_statement(&self, list: &CodeList, id: ValueId, is_constant: bool) -> Node {
        let own = match list.statement(id) {
            Statement::Apply { intrinsic, .. } if !is_constant => Estimate::of_class(intrinsic.row().class),
            _ => Estimate::default(),
        };
        let depth = list.args(id).map(|arg| self.nodes[arg.index()].depth).max().unwrap_or(0) + own.path as u32;
        let (class, monomial) = (self.numbering.monomials.first_like(id), self.numbering.monomials.get(id));
        let node = Node {
            is_constant,
            work: own.work as u32,
            depth,
            class: class.0,
            is_minus: monomial.negative,
            ..Node::default()
        };
        match list.statement(id) {
            Statement::Apply { intrinsic, args, .. } if Operation::of(*intrinsic).is_some() => {
                Node { is_pair: true, left: args[0].0, right: args[1].0, ..node }
            }
            _ => node,
        }
    }

    fn read_number(&mut self, list: &CodeList, id: ValueId) {
        if let Some(value) = list.as_constant(id).map(|constant| constant.as_float()) {
            let node = &mut self.nodes[id.index()];
            (node.is_number, node.number) = (true, value);
            self.numbers.entry(value.to_bits()).or_insert(id.index());
        }
    }

    /// What the function needs is computed in any case, and costs nothing more.
    fn count_function(&mut self, list: &CodeList) {
        let Linearization { values, gradient, .. } = &self.linearization;
        let needed = list.needed_by(values.iter().copied().chain(gradient.iter().flatten().map(|term| term.id())));
        for (node, _) in self.nodes.iter_mut().zip(needed).filter(|(_, is_needed)| *is_needed) {
            self.function.first += std::mem::take(&mut node.work) as usize;
            self.function.second = self.function.second.max(node.depth as usize);
        }
        self.optional = (0..self.count as u32).filter(|node| self.nodes[*node as usize].work > 0).collect();
    }
}
