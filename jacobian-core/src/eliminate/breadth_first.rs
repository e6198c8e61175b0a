//! The breadth-first order of vertices, by which the manual of xaifBooster numbers the graphs that it hands to angel
//! (Breadth-First Ordering for Vertex Sets in DAGs).

use std::collections::VecDeque;

use crate::graph::Graph;

/// By vertex: its place in the order. It begins with the vertices without predecessors; then, from the first on, each
/// brings those of its successors of which all predecessors have a place.
pub(super) fn places(graph: &Graph) -> Vec<i64> {
    let mut places = vec![0; graph.vertex_count()];
    let mut missing: Vec<_> = graph.vertices().map(|vertex| graph.incoming(vertex).len()).collect();
    let mut next: VecDeque<_> = graph.vertices().filter(|vertex| missing[vertex.index()] == 0).collect();
    for place in 0.. {
        let Some(vertex) = next.pop_front() else { break };
        places[vertex.index()] = place;
        for successor in graph.successors(vertex) {
            missing[successor.index()] -= 1;
            if missing[successor.index()] == 0 {
                next.push_back(successor);
            }
        }
    }
    places
}
