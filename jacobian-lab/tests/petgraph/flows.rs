//! The lower bound by petgraph's maximum flows: at every intermediate vertex, the largest families of paths to it from
//! independents, and from it to dependents, that share no vertex but this one. A family is a flow through vertices of
//! capacity one.

use jacobian_core::bound::lower_bound;
use jacobian_core::graph::{Graph, Role};
use jacobian_core::program::{LabelId, LabelKind, Measure, Program};
use jacobian_lab::digraph::{picture, to_petgraph};
use petgraph::algo::ford_fulkerson;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::{benchmarks, random_graphs};

/// The largest number of paths that leave `centre` by edges of which the label is `counted`, and share no other vertex.
fn disjoint_paths(digraph: &DiGraph<Role, LabelId>, centre: NodeIndex, counted: impl Fn(LabelId) -> bool) -> usize {
    let mut network = DiGraph::<(), usize>::new();
    let gates: Vec<_> = digraph.node_indices().map(|_| (network.add_node(()), network.add_node(()))).collect();
    let sink = network.add_node(());
    for node in digraph.node_indices().filter(|&node| node != centre) {
        let (enter, leave) = gates[node.index()];
        network.add_edge(enter, leave, 1);
        if digraph[node] != Role::Intermediate {
            network.add_edge(leave, sink, 1);
        }
    }
    for edge in digraph.edge_references().filter(|edge| edge.source() != centre || counted(*edge.weight())) {
        network.add_edge(gates[edge.source().index()].1, gates[edge.target().index()].0, 1);
    }
    ford_fulkerson(&network, gates[centre.index()].1, sink).0
}

/// The bound: as many multiplications as pairs of a path above and a path below, but for pairs whose product is free.
fn bound_by_flows(graph: &Graph, program: &Program, measure: Measure) -> usize {
    let below = to_petgraph(graph);
    let mut above = below.clone();
    above.reverse();
    let counts = |label| {
        program.kind(label) != LabelKind::Copy
            && (measure == Measure::Textbook || program.kind(label) != LabelKind::Unit)
    };
    let is_variable = |label| program.kind(label) == LabelKind::Variable;
    let intermediates = below.node_indices().filter(|&node| below[node] == Role::Intermediate);
    let bound = |centre| {
        let [above, below] = [&above, &below].map(|side| {
            let all = disjoint_paths(side, centre, counts);
            match measure {
                Measure::Textbook => [all, 0],
                // Those that begin with a number that is known only at run time are taken first.
                Measure::Folded => {
                    let variable = disjoint_paths(side, centre, is_variable);
                    [variable, all - variable]
                }
            }
        });
        // No product of two constants is a multiplication.
        (above[0] + above[1]) * (below[0] + below[1]) - above[1] * below[1]
    };
    intermediates.map(bound).sum()
}

#[test]
fn the_lower_bound_is_a_sum_of_flows() {
    let linearized = benchmarks().into_iter().map(|graph| graph.linearize().graph);
    for graph in random_graphs(500, 9).map(|(graph, _)| graph).chain(linearized) {
        let program = Program::new(&graph);
        for measure in [Measure::Textbook, Measure::Folded] {
            let expected = bound_by_flows(&graph, &program, measure);
            assert_eq!(lower_bound(&graph, &program, measure), expected, "{measure:?}\n{}", picture(&graph));
        }
    }
}
