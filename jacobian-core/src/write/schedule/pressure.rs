//! The schedule for few live values: found backwards, from the results. Of the statements that no later one waits for,
//! it takes the one that makes the fewest values live, of these the one whose own value became live last, so that a
//! value is computed close to its first use.

use std::cmp::Reverse;

use super::dependence::DependenceGraph;
use crate::ranking::Ranking;

/// The best statement is the first: by the values that it makes live less the one that it ends, by when its value
/// became live, the last one first, and from the last statement to the first.
type Key = (isize, Reverse<usize>, Reverse<usize>);

/// The order with few live values.
pub(super) fn order(graph: &DependenceGraph) -> Vec<usize> {
    let mut state = PressureScheduler::new(graph);
    let mut order = Vec::with_capacity(graph.len());
    while let Some((_, statement)) = state.ready.pop_first() {
        state.put_in_front(statement);
        order.push(statement);
    }
    order.reverse();
    order
}

struct PressureScheduler<'a> {
    graph: &'a DependenceGraph,
    /// By statement: how many of those that use it are not in the order.
    waiting: Vec<usize>,
    /// By statement: how many of those that it uses are not live.
    fresh: Vec<usize>,
    /// By statement: when its value became live, from 1 on; 0 where it is not.
    live_since: Vec<usize>,
    clock: usize,
    ready: Ranking<Key>,
}

impl<'a> PressureScheduler<'a> {
    fn new(graph: &'a DependenceGraph) -> Self {
        let all = 0..graph.len();
        let mut state = PressureScheduler {
            graph,
            waiting: all.clone().map(|statement| graph.successors(statement).len()).collect(),
            fresh: all.clone().map(|statement| graph.predecessors(statement).len()).collect(),
            live_since: vec![0; graph.len()],
            clock: 0,
            ready: Ranking::new(),
        };
        for sink in all.filter(|&statement| graph.successors(statement).is_empty()) {
            state.ready.insert(sink, state.key(sink));
        }
        state
    }

    fn key(&self, statement: usize) -> Key {
        let live_since = self.live_since[statement];
        let ended = isize::from(live_since > 0);
        (self.fresh[statement] as isize - ended, Reverse(live_since), Reverse(statement))
    }

    fn put_in_front(&mut self, statement: usize) {
        let graph = self.graph;
        self.clock += 1;
        for &used in graph.predecessors(statement) {
            if self.live_since[used] == 0 {
                self.make_live(used);
            }
            self.waiting[used] -= 1;
            if self.waiting[used] == 0 {
                self.ready.insert(used, self.key(used));
            }
        }
    }

    /// The statements that use the value make one less live.
    fn make_live(&mut self, value: usize) {
        self.live_since[value] = self.clock;
        for &user in self.graph.successors(value) {
            let is_ready = self.ready.key(user).is_some();
            self.fresh[user] -= 1;
            if is_ready {
                self.ready.insert(user, self.key(user));
            }
        }
    }
}
