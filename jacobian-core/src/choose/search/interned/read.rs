//! The statements of a list as nodes.

use std::collections::HashMap;

use super::table::{Classes, Key, Table, key};
use super::{Interned, Label, Node};
use crate::algebra::Term;
use crate::algebra::monomial::Monomials;
use crate::choose::search::objective::Cost;
use crate::linearize::Linearization;
use crate::list::catalogue::known;
use crate::list::code_list::{CodeList, Statement, ValueId};
use crate::list::evaluate::constants;
use crate::write::cost::time::ClassCost;

impl Interned {
    /// The nodes of the statements of `linearization`, whose list has no branches and no calls.
    pub fn new(linearization: &Linearization) -> Self {
        let linearization = linearization.with_program();
        let list = linearization.algebra.list().clone();
        let count = list.statements().len();
        let vertices = linearization.graph.vertex_count();
        let mut interned = Interned {
            linearization,
            nodes: vec![Node::default(); 2 * count].into(),
            count: 0,
            given_count: count,
            values: HashMap::new(),
            numbers: HashMap::new(),
            classes: Classes::new(),
            table: Table::new(),
            trail: vec![0; 2 * count].into(),
            trail_length: 0,
            given_trail: 0,
            given: Vec::new(),
            optional: Box::default(),
            function: Cost::default(),
            entries: vec![(0, 0); vertices].into(),
            evaluation: 0,
        };
        interned.read(&list);
        interned.count_function(&list);
        interned.given = interned.linearization.labels.iter().map(|term| label(*term)).collect();
        interned
    }

    fn read(&mut self, list: &CodeList) {
        let (constants, mut monomials) = (constants(list), Monomials::default());
        monomials.extend(list);
        for id in list.ids() {
            let node = self.read_statement(list, id, constants[id.index()]);
            self.push(node, monomials.get(id));
            self.read_number(list, id);
            self.read_operation(list, id);
        }
        for node in 0..self.count as Label {
            self.used(node << 1);
        }
        self.given_trail = self.trail_length;
    }

    fn read_statement(&self, list: &CodeList, id: ValueId, is_constant: bool) -> Node {
        let (work, latency) = match list.statement(id) {
            Statement::Apply { intrinsic, .. } if !is_constant => {
                let row = ClassCost::of(intrinsic.row().class);
                (row.work as u32, row.latency as u32)
            }
            _ => (0, 0),
        };
        let depth = list.args(id).map(|arg| self.nodes[arg.index()].depth).max().unwrap_or(0) + latency;
        Node { is_constant, work, depth, ..Node::default() }
    }

    fn read_number(&mut self, list: &CodeList, id: ValueId) {
        if let Some(value) = list.as_constant(id).map(|constant| constant.as_float()) {
            self.nodes[id.index()].is_number = true;
            self.values.insert(id.index(), value);
            self.numbers.entry(value.to_bits()).or_insert(id.index());
        }
    }

    /// Makes an operation known to those that come later.
    fn read_operation(&mut self, list: &CodeList, id: ValueId) {
        let &Statement::Apply { intrinsic, args, .. } = list.statement(id) else { return };
        if ![known::ADD, known::SUB, known::MUL].contains(&intrinsic) {
            return;
        }
        let [left, right] = [args[0], args[1]].map(|arg| label(self.linearization.algebra.term(arg)));
        let right = if intrinsic == known::SUB { right ^ 1 } else { right };
        let (first, second) = ((left >> 1) as usize, (right >> 1) as usize);
        let (kind, sign) = match intrinsic {
            known::MUL => (Key::Product, (left ^ right) & 1),
            _ if (left ^ right) & 1 == 0 => (Key::Sum, left & 1),
            _ => (Key::Difference, if first <= second { left & 1 } else { right & 1 }),
        };
        let key = key(kind, first, second);
        let place = self.table.place(key);
        if self.table.get(place, key).is_none() {
            self.table.enter(place, key, (id.index() as Label) << 1 | sign);
        }
        let node = &mut self.nodes[id.index()];
        (node.left, node.right) = (args[0].index() as u32, args[1].index() as u32);
        node.is_pair = true;
    }

    /// What the function needs is computed in any case, and costs nothing more.
    fn count_function(&mut self, list: &CodeList) {
        let needed = list.needed_by(self.linearization.values.iter().copied());
        for (node, _) in self.nodes.iter_mut().zip(needed).filter(|(_, is_needed)| *is_needed) {
            self.function.first += std::mem::take(&mut node.work) as usize;
            self.function.second = self.function.second.max(node.depth as usize);
        }
        self.optional = (0..self.count as u32).filter(|node| self.nodes[*node as usize].work > 0).collect();
    }
}

fn label(term: Term) -> Label {
    (term.id.index() as Label) << 1 | Label::from(term.negative)
}
