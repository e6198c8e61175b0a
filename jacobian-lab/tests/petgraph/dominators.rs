//! A dual vertex is final if it dominates all its successors, for whoever comes from its predecessors (Definition 5 of
//! xaifBooster, data locality heuristics: every path from a predecessor to a successor leads through it).

use std::collections::BTreeMap;

use jacobian_core::dual_graph::{DualEdge, DualGraph, DualId};
use jacobian_core::eliminate::Mode;
use jacobian_core::eliminate::face::Face;
use jacobian_core::program::Program;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::random_graphs;

/// The dual graph as one of petgraph: node `i` is dual vertex `i`.
fn to_petgraph(dual: &DualGraph) -> DiGraph<(), ()> {
    let faces = dual.faces().map(|face| dual.face(face));
    let mut digraph = DiGraph::new();
    for _ in dual.vertices() {
        digraph.add_node(());
    }
    digraph.extend_with_edges(faces.map(|face| (face.source.0, face.target.0)));
    digraph
}

/// Whether a vertex dominates all its successors from a root before its predecessors.
fn dominates_successors(digraph: &DiGraph<(), ()>, vertex: DualId) -> bool {
    let vertex = NodeIndex::new(vertex.index());
    let mut rooted = digraph.clone();
    let root = rooted.add_node(());
    for predecessor in digraph.neighbors_directed(vertex, petgraph::Incoming) {
        rooted.add_edge(root, predecessor, ());
    }
    let dominators = simple_fast(&rooted, root);
    digraph.neighbors(vertex).all(|successor| {
        dominators.strict_dominators(successor).expect("the root reaches it").any(|dominator| dominator == vertex)
    })
}

#[test]
fn final_vertices_dominate_their_successors() {
    let filter = Face::HEURISTICS.iter().find(|row| row.name == "final").expect("a row of the table");
    let mut counts = [0; 2];
    for (graph, mut random) in random_graphs(100, 5) {
        let mut program = Program::new(&graph);
        let mut mode = Face::new(&graph, &mut program).expect("a small graph");
        loop {
            let dual = mode.dual();
            let digraph = to_petgraph(dual);
            let is_there = |vertex: &DualId| dual.vertex(*vertex).label.is_some() && !dual.incoming(*vertex).is_empty();
            let vertices = dual.vertices().filter(is_there);
            let is_final: BTreeMap<_, _> =
                vertices.map(|vertex| (vertex, dominates_successors(&digraph, vertex))).collect();
            for (&vertex, &is_final) in &is_final {
                assert_eq!(dual.is_final(vertex), is_final, "{vertex:?} of {dual:?}");
                counts[usize::from(is_final)] += 1;
            }
            let targets = mode.targets();
            for &face in &targets {
                let DualEdge { source, target } = dual.face(face);
                let is_kept = is_final[&source] || is_final[&target];
                assert_eq!((filter.key)(&mode, face) == 0, is_kept, "{face:?} of {dual:?}");
            }
            let Some(&face) = targets.get(random.below(targets.len().max(1))) else { break };
            mode.eliminate(face, &mut program);
        }
    }
    assert!(counts.iter().all(|&count| count > 1_000), "{counts:?}");
}
