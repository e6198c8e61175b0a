//! What list schedules have in common: the statements that wait, and when what they use is there.

use super::dependence::DependenceGraph;
use crate::ranking::{Ranking, pair};

/// The statements that have not arrived. One arrives when all it uses is there.
pub(super) struct Arrivals<'a> {
    graph: &'a DependenceGraph,
    /// By statement: how many of those that it uses are not issued, and when the others are there.
    missing: Vec<usize>,
    available: Vec<usize>,
    /// The statements all of whose operands are issued, with the time at which these are there.
    waiting: Ranking<u64>,
}

impl<'a> Arrivals<'a> {
    /// All statements of a graph, none issued.
    pub(super) fn of(graph: &'a DependenceGraph) -> Self {
        let missing: Vec<_> = (0..graph.len()).map(|statement| graph.predecessors(statement).len()).collect();
        let mut waiting = Ranking::new();
        for statement in (0..graph.len()).filter(|&statement| missing[statement] == 0) {
            waiting.insert(statement, pair(0, statement));
        }
        Arrivals { graph, available: vec![0; graph.len()], waiting, missing }
    }

    /// When the next statement arrives, if one is waiting.
    pub(super) fn next_time(&self) -> Option<usize> {
        self.waiting.first().map(|(key, _)| (key >> 32) as usize)
    }

    /// A statement that has arrived by this time; each is given once.
    pub(super) fn arrived(&mut self, time: usize) -> Option<usize> {
        self.next_time().filter(|&available| available <= time)?;
        self.waiting.pop_first().map(|(_, statement)| statement)
    }

    /// Issues a statement whose value is there at this time.
    pub(super) fn issue(&mut self, statement: usize, available: usize) {
        for &user in self.graph.successors(statement) {
            self.available[user] = self.available[user].max(available);
            self.missing[user] -= 1;
            if self.missing[user] == 0 {
                self.waiting.insert(user, pair(self.available[user], user));
            }
        }
    }
}
