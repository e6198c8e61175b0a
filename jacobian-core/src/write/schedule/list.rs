//! Greedy list scheduling (Tadjouddine, Bodman, Pryce and Forth): in every cycle, of the statements whose operands are
//! there, the one with the highest rank; first of all those that the last statement makes urgent.
//!
//! What uses the last statement is urgent, and all that is less high than the highest of these, for they may need it.

use std::cmp::Reverse;

use super::arrivals::Arrivals;
use super::dependence::DependenceGraph;
use crate::ranking::Ranking;

/// The statements by descending rank, then by ascending height, then as they are numbered.
type Key = (Reverse<usize>, usize, usize);

/// The order of the greedy algorithm with ranks `a * depth + b * successors`.
pub(super) fn order(graph: &DependenceGraph, a: usize, b: usize) -> Vec<usize> {
    let mut state = ListScheduler::new(graph, a, b);
    let (mut order, mut cycle) = (Vec::with_capacity(graph.len()), 0);
    while order.len() < graph.len() {
        state.arrive(cycle);
        if let Some(statement) = state.choose(order.last().copied()) {
            state.issue(statement, cycle);
            order.push(statement);
        }
        cycle += 1;
    }
    order
}

struct ListScheduler<'a> {
    graph: &'a DependenceGraph,
    keys: Vec<Key>,
    arrivals: Arrivals<'a>,
    ready: Ranking<Key>,
}

impl<'a> ListScheduler<'a> {
    fn new(graph: &'a DependenceGraph, a: usize, b: usize) -> Self {
        let (ranks, heights) = (graph.ranks(a, b), graph.heights());
        let keys = (0..graph.len()).map(|index| (Reverse(ranks[index]), heights[index], index)).collect();
        ListScheduler { graph, keys, arrivals: Arrivals::of(graph), ready: Ranking::new() }
    }

    /// Makes ready what has all it uses in this cycle.
    fn arrive(&mut self, cycle: usize) {
        while let Some(statement) = self.arrivals.arrived(cycle) {
            self.ready.insert(statement, self.keys[statement]);
        }
    }

    /// The best statement that is ready and urgent.
    fn choose(&self, last: Option<usize>) -> Option<usize> {
        let users = last.map_or(&[][..], |last| self.graph.successors(last));
        let highest = users.iter().map(|&user| self.keys[user].1).max();
        let is_urgent =
            |key: &Key| highest.is_none_or(|highest| key.1 < highest || users.binary_search(&key.2).is_ok());
        self.ready.all().filter(is_urgent).min().map(|key| key.2)
    }

    fn issue(&mut self, statement: usize, cycle: usize) {
        self.ready.remove(statement);
        self.arrivals.issue(statement, cycle + self.graph.cycles(statement));
    }
}
