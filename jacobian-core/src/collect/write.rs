//! Writes nodes as statements.

use jacobian_list::code_list::{CodeList, Statement, ValueId};

use super::nodes::{Choice, Form, Multiple, NodeId, Nodes};
use super::scale::Scales;
use crate::algebra::rules::{Rules, exact_quotient};
use crate::algebra::{Algebra, Term};

/// The code list with the same inputs and outputs, of which what is free is computed as multiples of nodes.
pub(super) fn write(
    list: &CodeList,
    is_free: &[bool],
    nodes: &Nodes<'_>,
    order: &[NodeId],
    scales: &Scales,
) -> CodeList {
    let mut writer = Writer {
        list,
        is_free,
        nodes,
        scales,
        algebra: Algebra::new(list),
        moved: vec![None; list.statements().len()],
        there: vec![Vec::new(); nodes.nodes.len()],
    };
    let mut order = order.iter().copied().peekable();
    for id in list.ids() {
        if !is_free[id.index()] {
            writer.statement(id);
        }
        while let Some(node) = order.next_if(|&node| nodes.nodes[node].home <= id) {
            writer.node(node);
        }
    }
    let outputs: Vec<_> = list.outputs().iter().map(|&output| writer.value(output)).collect();
    let mut list = writer.algebra.into_list();
    outputs.into_iter().for_each(|output| list.output(output));
    list
}

struct Writer<'a> {
    list: &'a CodeList,
    is_free: &'a [bool],
    nodes: &'a Nodes<'a>,
    scales: &'a Scales,
    algebra: Algebra,
    /// By statement that is not free: where it is.
    moved: Vec<Option<ValueId>>,
    /// By node: the multiples of it that have been written.
    there: Vec<Vec<(f64, Term)>>,
}

impl Writer<'_> {
    /// Writes a statement that is not free, if it is not there.
    fn statement(&mut self, id: ValueId) {
        if self.moved[id.index()].is_some() {
            return;
        }
        let args: Vec<_> = self.list.args(id).collect();
        let moved: Vec<_> = args.iter().map(|&arg| self.value(arg)).collect();
        let place = |arg: ValueId| moved[args.iter().position(|known| *known == arg).expect("it is read")];
        self.algebra.list_mut().resume_entry(self.list.entry(id));
        let new = match self.list.statement(id) {
            Statement::Block(_) => self.algebra.block(self.list.block_of(id).clone().map_args(place)),
            statement => self.algebra.function_statement(statement.map_args(place)),
        };
        self.name(new, id);
        self.moved[id.index()] = Some(new);
    }

    /// A value of the list.
    fn value(&mut self, id: ValueId) -> ValueId {
        if self.is_free[id.index()] {
            let multiple = self.nodes.values[id.index()];
            let term = self.multiple(multiple);
            let new = self.algebra.materialize(term, !self.scales.is_wanted_once(multiple));
            self.name(new, id);
            return new;
        }
        self.statement(id);
        self.moved[id.index()].expect("it has been written")
    }

    fn name(&mut self, new: ValueId, old: ValueId) {
        if let Some(name) = self.list.name(old)
            && self.algebra.list().name(new).is_none()
            && self.algebra.list().as_constant(new).is_none()
        {
            self.algebra.list_mut().set_name(new, name);
        }
    }

    /// Writes the multiples of a node that are wanted.
    fn node(&mut self, node: NodeId) {
        let origin = self.nodes.nodes[node].origin;
        self.algebra.list_mut().resume_entry(self.list.entry(origin));
        if let Some(Choice { factor, of }) = &self.scales.chosen[node] {
            let terms: Vec<_> = of.iter().map(|&operand| self.multiple(operand)).collect();
            let term = match self.nodes.nodes[node].form {
                Form::Product(_) => self.algebra.mul(terms[0], terms[1]),
                Form::Quotient(..) => self.algebra.div(terms[0], terms[1]),
                _ => {
                    // A difference takes the sign that it is read with.
                    let is_negative = self.scales.is_negative[node];
                    let mut terms = terms.into_iter().map(|term| term.signed(is_negative));
                    let first = terms.next().unwrap_or(Term::ZERO);
                    terms.fold(first, |sum, term| self.algebra.add(sum, term)).signed(is_negative)
                }
            };
            self.there[node].push((*factor, term));
            if self.nodes.values[origin.index()] == (Multiple { factor: *factor, node }) {
                self.name(term.id(), origin);
            }
        }
    }

    /// A positive multiple of a node, if it is there.
    fn there(&mut self, node: NodeId, magnitude: f64) -> Option<Term> {
        if let Some((_, term)) = self.there[node].iter().find(|(known, _)| *known == magnitude) {
            return Some(*term);
        }
        let &(factor, id) = self.nodes.nodes[node].own.iter().find(|(factor, _)| factor.abs() == magnitude)?;
        let id = self.value(id);
        Some(self.algebra.term(id).signed(factor < 0.0))
    }

    /// A multiple of a node, of which one is there.
    fn multiple(&mut self, Multiple { factor, node }: Multiple) -> Term {
        let (nodes, magnitude) = (&self.nodes.nodes, factor.abs());
        if let Form::Number(number) = nodes[node].form {
            let number = self.algebra.constant(number);
            let factor = self.algebra.constant(factor);
            return self.algebra.mul(factor, number);
        }
        let is_negative = factor < 0.0;
        if let Some(term) = self.there(node, magnitude) {
            return term.signed(is_negative);
        }
        // Twice what is there, or what is wanted besides, is a sum.
        let half = magnitude / 2.0;
        let is_own = nodes[node].own.iter().any(|(known, _)| known.abs() == half);
        let (ratio, of) = match is_own || self.scales.is_wanted(Multiple { factor: half, node }) {
            true => (2.0, self.multiple(Multiple { factor: half, node })),
            false => {
                let known = self.there[node].iter().map(|(known, _)| *known);
                let own = nodes[node].own.iter().map(|(known, _)| known.abs());
                let is_exact = |known: &f64| exact_quotient(magnitude, *known).is_some();
                let known = known.chain(own).find(is_exact).expect("a multiple is there");
                (magnitude / known, self.there(node, known).expect("it is there"))
            }
        };
        let term = match ratio == 2.0 {
            true => self.algebra.add(of, of),
            false => {
                let ratio = self.algebra.constant(ratio);
                self.algebra.mul(ratio, of)
            }
        };
        self.there[node].push((magnitude, term));
        term.signed(is_negative)
    }
}
