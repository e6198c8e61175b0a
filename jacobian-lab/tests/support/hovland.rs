//! Graphs with the numbers of the examples of Hovland 2016, and those of their representations.

use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::program::Kind;

/// A graph and how many edges its representations have.
pub struct Example {
    pub sizes: [usize; 3],
    pub edges: &'static [(u32, u32)],
    /// After each vertex that is eliminated, in topological order.
    pub forward: &'static [usize],
    /// In reverse topological order.
    pub reverse: &'static [usize],
    /// The fewest.
    pub least: usize,
}

impl Example {
    pub fn graph(&self) -> Graph {
        graph(self.sizes, self.edges)
    }
}

/// Graphs with the numbers of the three examples of Hovland 2016.
pub const EXAMPLES: &[Example] = &[
    Example {
        sizes: [3, 2, 3],
        edges: &[(0, 3), (1, 3), (2, 3), (3, 4), (4, 5), (4, 6), (4, 7)],
        forward: &[7, 6, 9],
        reverse: &[7, 6, 9],
        least: 6,
    },
    Example {
        sizes: [3, 4, 3],
        edges: &[(0, 3), (1, 3), (2, 3), (3, 4), (3, 5), (3, 6), (4, 7), (4, 8), (5, 8), (5, 9), (6, 7), (6, 9)],
        forward: &[12, 15, 16, 14, 9],
        reverse: &[12, 11, 9, 6, 9],
        least: 6,
    },
    Example {
        sizes: [2, 7, 3],
        edges: &[
            (0, 2),
            (0, 3),
            (0, 4),
            (1, 2),
            (1, 3),
            (1, 4),
            (2, 5),
            (2, 6),
            (3, 6),
            (4, 7),
            (5, 8),
            (6, 8),
            (7, 8),
            (8, 9),
            (8, 10),
            (8, 11),
        ],
        forward: &[16, 16, 13, 12, 11, 8, 5, 6],
        reverse: &[16, 19, 18, 19, 15, 16, 11, 6],
        least: 5,
    },
];

/// A graph with this many independents, then intermediates, then dependents, and these edges between them by number.
pub fn graph(sizes: [usize; 3], edges: &[(u32, u32)]) -> Graph {
    let mut graph = Graph::default();
    let roles = [Role::Independent, Role::Intermediate, Role::Dependent];
    for (role, size) in roles.into_iter().zip(sizes) {
        for _ in 0..size {
            graph.add_vertex(role);
        }
    }
    for &(source, target) in edges {
        graph.add_edge(VertexId(source), VertexId(target), Kind::Variable);
    }
    graph
}
