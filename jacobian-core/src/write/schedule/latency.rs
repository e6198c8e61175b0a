//! List scheduling by critical paths (Gibbons and Muchnick 1986), with the times of
//! [`COSTS`](crate::write::cost::time::COSTS): of the statements whose operands are there, the one that the longest
//! chain waits for; while that chain waits for a call or a division, what is left.
//!
//! A processor orders instructions by itself, yet looks ahead over less than a call has: what follows a call whose
//! argument is late waits with it. And the compiler does not move anything over a call.

use super::arrivals::Arrivals;
use super::dependence::DependenceGraph;
use crate::ranking::{Ranking, pair};

/// The order of the greedy algorithm.
pub(super) fn order(graph: &DependenceGraph) -> Vec<usize> {
    let chains = graph.chains();
    let (mut arrivals, mut ready) = (Arrivals::of(graph), Ranking::new());
    let (mut order, mut time) = (Vec::with_capacity(graph.len()), 0);
    while order.len() < graph.len() {
        while let Some(statement) = arrivals.arrived(time) {
            ready.insert(statement, pair(u32::MAX as usize - chains[statement], statement));
        }
        match ready.pop_first() {
            Some((_, statement)) => {
                let estimate = graph.estimate(statement);
                arrivals.issue(statement, time + estimate.path);
                time += estimate.work;
                order.push(statement);
            }
            None => time = arrivals.next_time().expect("some statement waits for what is issued"),
        }
    }
    order
}
