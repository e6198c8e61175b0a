//! The depth-first schedule: what a statement uses is put close before it (Tadjouddine, Forth and Pryce 2003).

use super::dependence::DependenceGraph;

/// Visits the statements that nothing uses, the last one first, and before each statement what it uses, the last one
/// first.
pub(super) fn order(graph: &DependenceGraph) -> Vec<usize> {
    let mut order = Vec::with_capacity(graph.len());
    let mut is_visited = vec![false; graph.len()];
    for sink in (0..graph.len()).rev().filter(|&statement| graph.successors(statement).is_empty()) {
        visit(graph, sink, &mut is_visited, &mut order);
    }
    order
}

fn visit(graph: &DependenceGraph, sink: usize, is_visited: &mut [bool], order: &mut Vec<usize>) {
    is_visited[sink] = true;
    let mut open = vec![(sink, graph.predecessors(sink).iter().rev())];
    while let Some((statement, uses)) = open.last_mut() {
        match uses.find(|&&used| !is_visited[used]) {
            Some(&used) => {
                is_visited[used] = true;
                open.push((used, graph.predecessors(used).iter().rev()));
            }
            None => {
                order.push(*statement);
                open.pop();
            }
        }
    }
}
