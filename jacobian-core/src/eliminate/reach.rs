//! Which independents reach a vertex, and which dependents it reaches, while edges are eliminated.

use crate::graph::{Graph, Role, VertexId};

/// For every vertex, the set of the ends that it is connected to by a path.
#[derive(Clone)]
pub(super) struct Reach {
    towards: Role,
    /// 64-bit words in a set.
    words: usize,
    sets: Vec<u64>,
}

impl Reach {
    /// The independents that reach each vertex, or the dependents that it reaches.
    pub(super) fn new(graph: &Graph, towards: Role) -> Self {
        let ends: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) == towards).collect();
        let words = ends.len().div_ceil(64);
        let mut reach = Reach { towards, words, sets: vec![0; words * graph.vertex_count()] };
        for (number, end) in ends.iter().enumerate() {
            reach.sets[end.index() * words + number / 64] = 1 << (number % 64);
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
        let edges = if self.towards == Role::Independent { graph.incoming(vertex) } else { graph.outgoing(vertex) };
        let own = vertex.index() * self.words;
        self.sets[own..own + self.words].fill(0);
        for &edge in edges {
            let edge = graph.edge(edge);
            let neighbour = if self.towards == Role::Independent { edge.source } else { edge.target };
            for word in 0..self.words {
                self.sets[own + word] |= self.sets[neighbour.index() * self.words + word];
            }
        }
    }

    /// The number of ends in the set of a vertex.
    pub(super) fn count(&self, vertex: VertexId) -> i64 {
        let own = vertex.index() * self.words;
        self.sets[own..own + self.words].iter().map(|word| i64::from(word.count_ones())).sum()
    }
}
