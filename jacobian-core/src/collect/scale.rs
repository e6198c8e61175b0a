//! Which multiple of a node is computed: such that as few as can be are wanted beside it. A multiple that a product or
//! a sum wants is wanted of what it is computed from, and so on; where all that is wanted of a node is twice it, say,
//! twice it is computed, and nothing is doubled.

use super::nodes::{Choice, Form, Multiple, Node, NodeId};
use crate::algebra::rules::exact_quotient;

/// How often the nodes are gone through: the second time, what is wanted of a node by those before it is known.
const SWEEPS: usize = 3;

/// What is given counts for as many readers.
const GIVEN: isize = 1000;

/// The most multiples that are tried for a node.
const MAX_TRIED: usize = 8;

/// By node: the multiples that are wanted of it, how often, and the one that is computed first, for an operation on
/// these multiples of what it is computed from.
#[derive(Clone)]
pub(super) struct Scales {
    pub(super) wanted: Vec<Vec<(f64, u32)>>,
    pub(super) chosen: Vec<Option<Choice>>,
    /// Whether, of multiples that are there, the one is taken that more read.
    prefers_readers: bool,
    /// By node: whether the roots are negative multiples of it, and none is a positive one.
    pub(super) is_negative: Vec<bool>,
    /// By node: how many read it.
    reads: Vec<isize>,
}

impl Scales {
    /// Decides for these nodes, in whose order each is after those that it is computed from. These multiples are
    /// wanted in any case. It begins with what the list computes, and with nothing.
    pub(super) fn of(nodes: &[Node], order: &[NodeId], roots: &[Multiple]) -> Scales {
        let unchosen = Scales::unchosen(nodes, order, roots);
        let starts = [(true, true), (false, true), (false, false)];
        let found = starts.map(|(begins_with_list, prefers_readers)| {
            let mut scales = Scales { prefers_readers, ..unchosen.clone() };
            if begins_with_list {
                scales.choose_first(nodes, order);
            }
            for _ in 0..SWEEPS {
                for &node in order.iter().rev() {
                    scales.decide(nodes, node);
                }
            }
            scales
        });
        let best = found.into_iter().min_by_key(|scales| scales.operations(nodes, order));
        best.unwrap_or(unchosen)
    }

    /// The multiples that the list computes, as far as what is wanted can be had from them.
    pub(super) fn first(nodes: &[Node], order: &[NodeId], roots: &[Multiple]) -> Scales {
        let mut scales = Scales::unchosen(nodes, order, roots);
        scales.choose_first(nodes, order);
        for &node in order.iter().rev() {
            let wanted = || scales.wanted[node].iter().map(|(factor, _)| *factor);
            let serves = |choice: &Choice| wanted().all(|factor| exact_quotient(factor, choice.factor).is_some());
            if !scales.chosen[node].as_ref().is_some_and(serves) {
                scales.decide(nodes, node);
            }
        }
        scales
    }

    fn choose_first(&mut self, nodes: &[Node], order: &[NodeId]) {
        for &node in order.iter().rev().filter(|&&node| !nodes[node].is_given()) {
            if let Some(first) = &nodes[node].first {
                self.choose(node, first.clone());
            }
        }
    }

    /// These multiples are wanted, and nothing is decided.
    fn unchosen(nodes: &[Node], order: &[NodeId], roots: &[Multiple]) -> Scales {
        let mut is_negative = vec![false; nodes.len()];
        roots.iter().filter(|root| root.factor < 0.0).for_each(|root| is_negative[root.node] = true);
        roots.iter().filter(|root| root.factor > 0.0).for_each(|root| is_negative[root.node] = false);
        let mut reads = vec![0; nodes.len()];
        for &node in order.iter().filter(|&&node| !nodes[node].is_given()) {
            nodes[node].operands().into_iter().for_each(|operand| reads[operand] += 1);
        }
        let mut scales = Scales {
            reads,
            wanted: vec![Vec::new(); nodes.len()],
            chosen: vec![None; nodes.len()],
            prefers_readers: true,
            is_negative,
        };
        roots.iter().for_each(|root| scales.want(*root));
        scales
    }

    /// The operations that differ: those that compute a multiple of a node.
    fn operations(&self, nodes: &[Node], order: &[NodeId]) -> usize {
        let of = |&node: &NodeId| {
            let wanted = self.wanted[node].iter().filter(|(factor, _)| !nodes[node].has(*factor)).count();
            let is_chosen = |choice: &Choice| self.wanted[node].iter().any(|(factor, _)| *factor == choice.factor);
            wanted + usize::from(self.chosen[node].as_ref().is_some_and(|choice| !is_chosen(choice)))
        };
        order.iter().map(of).sum()
    }

    /// Whether a multiple is wanted.
    pub(super) fn is_wanted(&self, multiple: Multiple) -> bool {
        self.wanted[multiple.node].iter().any(|(factor, _)| *factor == multiple.factor.abs())
    }

    /// Whether a multiple is wanted in one place alone.
    pub(super) fn is_wanted_once(&self, multiple: Multiple) -> bool {
        self.wanted[multiple.node].iter().any(|&(factor, count)| factor == multiple.factor.abs() && count == 1)
    }

    fn want(&mut self, multiple: Multiple) {
        let (wanted, factor) = (&mut self.wanted[multiple.node], multiple.factor.abs());
        match wanted.iter_mut().find(|(known, _)| *known == factor) {
            Some((_, count)) => *count += 1,
            None => wanted.push((factor, 1)),
        }
    }

    fn forgo(&mut self, multiple: Multiple) {
        let (wanted, factor) = (&mut self.wanted[multiple.node], multiple.factor.abs());
        if let Some(place) = wanted.iter().position(|(known, _)| *known == factor) {
            wanted[place].1 -= 1;
            if wanted[place].1 == 0 {
                wanted.remove(place);
            }
        }
    }

    fn decide(&mut self, nodes: &[Node], node: NodeId) {
        for operand in self.chosen[node].take().into_iter().flat_map(|choice| choice.of) {
            self.forgo(operand);
        }
        if nodes[node].is_given() || !self.wanted[node].iter().any(|(factor, _)| !nodes[node].has(*factor)) {
            return;
        }
        let mut best: Option<((usize, isize), Choice)> = None;
        for factor in self.candidates(nodes, node) {
            let own = usize::from(!self.wanted[node].iter().any(|(wanted, _)| *wanted == factor));
            for of in self.operands(nodes, node, factor) {
                let mut cost = (own, 0);
                for operand in &of {
                    let (operations, readers) = self.cost(nodes, *operand);
                    cost = (cost.0 + operations, cost.1 - readers);
                }
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, Choice { factor, of }));
                }
            }
        }
        let Some((_, choice)) = best else { return };
        self.choose(node, choice);
    }

    fn choose(&mut self, node: NodeId, choice: Choice) {
        choice.of.iter().for_each(|operand| self.want(*operand));
        self.chosen[node] = Some(choice);
    }

    /// The multiples of a node that may be computed first: from each, all that are wanted are exact.
    fn candidates(&self, nodes: &[Node], node: NodeId) -> Vec<f64> {
        let wanted = || self.wanted[node].iter().map(|(factor, _)| *factor).filter(|factor| !nodes[node].has(*factor));
        let mut candidates: Vec<_> = wanted().take(MAX_TRIED).collect();
        if !candidates.contains(&1.0) {
            candidates.push(1.0);
        }
        if let Form::Sum(terms) = &nodes[node].form {
            for term in terms {
                for known in self.known(nodes, term.node).take(MAX_TRIED) {
                    let candidate = exact_quotient(known, term.factor.abs());
                    if let Some(candidate) = candidate.filter(|known| !candidates.contains(known)) {
                        candidates.push(candidate);
                    }
                }
                if candidates.len() > MAX_TRIED {
                    break;
                }
            }
        }
        candidates.retain(|candidate| wanted().all(|wanted| exact_quotient(wanted, *candidate).is_some()));
        candidates
    }

    /// What a multiple of a node may be computed from.
    fn operands(&self, nodes: &[Node], node: NodeId, factor: f64) -> Vec<Vec<Multiple>> {
        match nodes[node].form {
            Form::Value | Form::Number(_) => Vec::new(),
            Form::Sum(ref terms) => {
                vec![terms.iter().map(|term| Multiple { factor: term.factor * factor, ..*term }).collect()]
            }
            Form::Quotient(of, by) => vec![vec![Multiple { factor, node: of }, by]],
            Form::Product([left, right]) => {
                let mut splits = Vec::new();
                let mut split = |left_factor: f64, right_factor: f64| {
                    let of = |factor, node| Multiple { factor, node };
                    splits.push(vec![of(left_factor, left), of(right_factor, right)]);
                };
                split(1.0, factor);
                split(factor, 1.0);
                for known in self.known(nodes, left).take(MAX_TRIED) {
                    exact_quotient(factor, known).into_iter().for_each(|rest| split(known, rest));
                }
                for known in self.known(nodes, right).take(MAX_TRIED) {
                    exact_quotient(factor, known).into_iter().for_each(|rest| split(rest, known));
                }
                splits
            }
        }
    }

    /// The multiples of a node that are there, or wanted.
    fn known(&self, nodes: &[Node], node: NodeId) -> impl Iterator<Item = f64> {
        let own = nodes[node].own.iter().map(|(factor, _)| factor.abs());
        own.chain(self.wanted[node].iter().map(|(factor, _)| *factor))
    }

    /// The operations that another multiple of a node takes, and how many read it already: of two that are there, the
    /// one that many read is more likely to stay.
    fn cost(&self, nodes: &[Node], multiple: Multiple) -> (usize, isize) {
        let (node, wanted) = (&nodes[multiple.node], &self.wanted[multiple.node]);
        let factor = multiple.factor.abs();
        if node.has(factor) {
            return (0, if self.prefers_readers { GIVEN } else { 0 });
        }
        match wanted.iter().find(|(known, _)| *known == factor) {
            Some((_, readers)) => (0, if self.prefers_readers { *readers as isize } else { 0 }),
            // Of those that are not there, what many read is more likely to be wanted again.
            None => {
                let readers = if self.prefers_readers { self.reads[multiple.node] } else { 0 };
                (usize::from(node.is_given() || !wanted.is_empty()), readers)
            }
        }
    }
}
