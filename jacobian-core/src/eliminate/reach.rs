//! Which independents reach a vertex, and which dependents it reaches, while edges are eliminated.

use crate::bits::Sets;
use crate::graph::{Graph, Role, VertexId};

/// For every vertex, the set of the ends that it is connected to by a path.
#[derive(Clone)]
pub(super) struct Reach {
    towards: Role,
    sets: Sets,
}

impl Reach {
    /// The independents that reach each vertex, or the dependents that it reaches.
    pub(super) fn new(graph: &Graph, towards: Role) -> Self {
        let ends: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) == towards).collect();
        let mut reach = Reach { towards, sets: Sets::new(graph.vertex_count(), ends.len()) };
        for (number, end) in ends.iter().enumerate() {
            reach.sets.insert(end.index(), number);
        }
        let mut vertices: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) != towards).collect();
        if towards == Role::Dependent {
            vertices.reverse();
        }
        for vertex in vertices {
            reach.renew(graph, vertex);
        }
        reach
    }

    /// Renews the set of a vertex that has lost edges; those of its neighbours must be right.
    pub(super) fn renew(&mut self, graph: &Graph, vertex: VertexId) {
        match self.towards {
            Role::Independent => self.sets.unite(vertex.index(), graph.predecessors(vertex).map(VertexId::index)),
            _ => self.sets.unite(vertex.index(), graph.successors(vertex).map(VertexId::index)),
        }
    }

    /// The number of ends in the set of a vertex.
    pub(super) fn count(&self, vertex: VertexId) -> i64 {
        self.sets.count(vertex.index()) as i64
    }
}
