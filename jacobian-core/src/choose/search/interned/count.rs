//! What the entries of a Jacobian need, and what that costs.

use jacobian_list::code_list::ValueId;

use super::{Interned, Node};
use crate::algebra::Term;
use crate::choose::search::edges::Edges;
use crate::choose::search::objective::{Cost, Measuring};
use crate::graph::program::Ends;

impl Measuring for Interned {
    fn cost(&mut self, edges: &Edges<Term>) -> Cost {
        self.evaluation += 1;
        let (mut cost, mut entries) = (self.function, std::mem::take(&mut self.entries));
        for column in 0..self.linearization.columns.len() {
            let count = edges.list_outgoing(self.linearization.columns[column], &mut entries);
            self.need(edges, &entries[..count], &mut cost);
        }
        self.entries = entries;
        self.count_needed(&mut cost);
        Cost { first: cost.first + cost.second, second: 0 }
    }
}

impl Interned {
    /// Marks the entries of a column as needed.
    fn need(&mut self, edges: &Edges<Term>, entries: &[Ends], cost: &mut Cost) {
        let mut at = 0;
        while at < entries.len() {
            let entry = entries[at];
            at += 1;
            let node = &mut self.nodes[edges.label(entry).index()];
            node.needed = self.evaluation;
            if node.depth as usize > cost.second {
                cost.second = node.depth as usize;
            }
        }
    }

    /// Counts what is needed, and all that it needs, from the last node of the plan to the first.
    fn count_needed(&mut self, cost: &mut Cost) {
        let (nodes, evaluation) = (&mut self.nodes[..], self.evaluation);
        let mut at = self.trail_length;
        while at > self.given_trail {
            at -= 1;
            let node = &nodes[self.trail[at] as usize];
            if node.needed == evaluation {
                cost.first += node.work as usize;
                let (left, right) = (node.left as usize, node.right as usize);
                nodes[left].needed = evaluation;
                nodes[right].needed = evaluation;
            }
        }
        at = self.optional.len();
        while at > 0 {
            at -= 1;
            let node = self.optional[at] as usize;
            if self.nodes[node].needed == evaluation {
                cost.first += self.nodes[node].work as usize;
                self.need_args(node);
            }
        }
    }

    fn need_args(&mut self, node: usize) {
        let Node { is_pair, left, right, .. } = self.nodes[node];
        if is_pair {
            self.nodes[left as usize].needed = self.evaluation;
            self.nodes[right as usize].needed = self.evaluation;
        } else if node < self.given_count {
            for arg in self.linearization.algebra.list().args(ValueId::new(node)) {
                self.nodes[arg.index()].needed = self.evaluation;
            }
        }
    }
}
