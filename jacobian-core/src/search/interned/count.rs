//! What the entries of a Jacobian need, and what that costs.

use super::{Interned, Label, Node, Op};
use crate::catalogue::{Class, known};
use crate::code_list::{Statement, ValueId};
use crate::cost::time::ClassCost;
use crate::search::edges::Edges;
use crate::search::objective::{Cost, Measuring};

impl Measuring for Interned {
    fn cost(&mut self, edges: &Edges<Label>) -> Cost {
        self.evaluation += 1;
        let (mut cost, mut negative) = (self.function, std::mem::take(&mut self.negative));
        let mut entries = std::mem::take(&mut self.entries);
        negative.clear();
        for column in 0..self.linearization.columns.len() {
            let count = edges.read_targets(self.linearization.columns[column].index(), &mut entries);
            self.need(&entries[..count], &mut negative, &mut cost);
        }
        self.count_needed(&mut cost);
        self.count_negative(&negative, &mut cost);
        (self.negative, self.entries) = (negative, entries);
        Cost { first: cost.first + cost.second, second: 0 }
    }
}

impl Interned {
    /// Marks the positive entries as needed, and what the negative ones are computed from, which are collected.
    fn need(&mut self, entries: &[(usize, Label)], negative: &mut Vec<u32>, cost: &mut Cost) {
        let mut at = 0;
        while at < entries.len() {
            let label = entries[at].1;
            at += 1;
            let node = &mut self.nodes[(label >> 1) as usize];
            if node.depth as usize > cost.second {
                cost.second = node.depth as usize;
            }
            if label & 1 == 0 {
                node.needed = self.evaluation;
            } else if node.negated != self.evaluation {
                node.negated = self.evaluation;
                negative.push(label >> 1);
                self.need_args((label >> 1) as usize);
            }
        }
    }

    /// Counts what is needed, and all that it needs: what the plan has come to last first.
    fn count_needed(&mut self, cost: &mut Cost) {
        let mut at = self.trail_length;
        while at > self.given_trail {
            at -= 1;
            let node = &self.nodes[self.trail[at] as usize];
            if node.needed == self.evaluation {
                cost.first += node.work as usize;
                let (left, right) = (node.left as usize, node.right as usize);
                self.nodes[left].needed = self.evaluation;
                self.nodes[right].needed = self.evaluation;
            }
        }
        at = self.optional.len();
        while at > 0 {
            at -= 1;
            let node = self.optional[at] as usize;
            if self.nodes[node].needed == self.evaluation {
                cost.first += self.nodes[node].work as usize;
                self.need_args(node);
            }
        }
    }

    /// Counts the negative entries, each once, behind everything else.
    fn count_negative(&mut self, negative: &[u32], cost: &mut Cost) {
        let row = ClassCost::of(Class::Negation);
        for &node in negative {
            let node = node as usize;
            let is_needed = self.nodes[node].needed == self.evaluation;
            if !self.nodes[node].is_number && (is_needed || self.nodes[node].work == 0 || !self.takes_sign(node)) {
                cost.first += row.work;
                cost.second = cost.second.max(self.nodes[node].depth as usize + row.latency);
            }
            if !is_needed {
                cost.first += self.nodes[node].work as usize;
            }
        }
    }

    /// Whether the sign costs nothing: a difference is turned round, a constant operand takes it.
    fn takes_sign(&self, node: usize) -> bool {
        let Node { op, left, right, .. } = self.nodes[node];
        match op {
            Op::Sum => false,
            Op::Difference => true,
            Op::Product => self.nodes[left as usize].is_number || self.nodes[right as usize].is_number,
            Op::Given => match self.linearization.algebra.list().statement(ValueId::new(node)) {
                Statement::Apply { intrinsic: known::DIV, args, .. } => {
                    args.iter().any(|arg| self.nodes[arg.index()].is_number)
                }
                _ => false,
            },
        }
    }

    fn need_args(&mut self, node: usize) {
        let Node { op, left, right, .. } = self.nodes[node];
        if op != Op::Given {
            self.nodes[left as usize].needed = self.evaluation;
            self.nodes[right as usize].needed = self.evaluation;
        } else if node < self.given_count {
            for arg in self.linearization.algebra.list().args(ValueId::new(node)) {
                self.nodes[arg.index()].needed = self.evaluation;
            }
        }
    }
}
