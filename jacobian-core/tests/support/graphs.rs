//! Random graphs: small, of any density, with labels of every kind.

use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::program::LabelKind;

use crate::support::random::Random;

/// A graph of one to four independents, this many other vertices, and one to four dependents; some vertices are
/// dependents as well, by a copy after them. What intermediates are left are on paths.
pub fn random_graph(random: &mut Random, intermediates: usize) -> Graph {
    let mut graph = Graph::default();
    let density = random.between(0.1, 0.6);
    for _ in 0..=random.below(4) {
        graph.add_vertex(Role::Independent);
    }
    for _ in 0..intermediates {
        add_with_edges(&mut graph, random, Role::Intermediate, density);
    }
    let sources = graph.vertex_count();
    for _ in 0..=random.below(4) {
        add_with_edges(&mut graph, random, Role::Dependent, density);
    }
    for source in 0..sources as u32 {
        if random.below(6) == 0 {
            let sink = graph.add_vertex(Role::Dependent);
            graph.add_edge(VertexId(source), sink, LabelKind::Copy);
        }
    }
    graph.prune();
    graph
}

/// Adds a vertex, and an edge to it from every vertex that is no dependent, with the probability `density`.
fn add_with_edges(graph: &mut Graph, random: &mut Random, role: Role, density: f64) {
    let sources: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) != Role::Dependent).collect();
    let vertex = graph.add_vertex(role);
    for source in sources {
        if random.between(0.0, 1.0) < density {
            let kind =
                [LabelKind::Unit, LabelKind::Constant, LabelKind::Variable, LabelKind::Variable][random.below(4)];
            graph.add_edge(source, vertex, kind);
        }
    }
}
