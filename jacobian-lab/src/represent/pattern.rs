//! The pattern of a graph: which vertices have an edge between them, without labels. It is what the number of edges
//! depends on, and rows of bits are quick to eliminate in and to copy.
//!
//! After a set of vertices is eliminated, in whatever order, there is an edge between two of the others if and only if
//! a path leads from the one to the other through that set alone. So the pattern depends on the set, not on the order.

use fixedbitset::FixedBitSet;
use jacobian_core::eliminate::Target;
use jacobian_core::graph::{Graph, Role, VertexId};

/// A pattern; its vertices are those of the graph that have edges, numbered in the same order.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    successors: Vec<FixedBitSet>,
    predecessors: Vec<FixedBitSet>,
    edges: usize,
}

/// A pattern and what its vertices are.
pub(super) struct Problem {
    pub(super) pattern: Pattern,
    /// What may be eliminated.
    pub(super) intermediates: FixedBitSet,
    /// The vertices of the graph.
    pub(super) vertices: Vec<VertexId>,
}

/// The elimination of an edge: the paths through it bypass one of its ends.
#[derive(Copy, Clone)]
pub(super) struct Bypass {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) end: End,
}

/// An end of an edge.
#[derive(Copy, Clone)]
pub(super) enum End {
    /// That of an elimination from the back.
    Source,
    /// That of an elimination from the front.
    Target,
}

impl Problem {
    pub(super) fn new(graph: &Graph) -> Self {
        let vertices = Problem::vertices(graph);
        let mut numbers = vec![0; graph.vertex_count()];
        let mut intermediates = FixedBitSet::with_capacity(vertices.len());
        for (number, &vertex) in vertices.iter().enumerate() {
            numbers[vertex.index()] = number;
            if graph.role(vertex) == Role::Intermediate {
                intermediates.insert(number);
            }
        }
        let mut pattern = Pattern::new(vertices.len());
        for &vertex in &vertices {
            for target in graph.successors(vertex) {
                pattern.insert(numbers[vertex.index()], numbers[target.index()]);
            }
        }
        Problem { pattern, intermediates, vertices }
    }

    /// The vertices of `graph` that have edges.
    pub(super) fn vertices(graph: &Graph) -> Vec<VertexId> {
        let has_edges = |&vertex: &VertexId| !graph.incoming(vertex).is_empty() || !graph.outgoing(vertex).is_empty();
        graph.vertices().filter(has_edges).collect()
    }

    /// The numbers of the vertices in a sequence of vertex mode.
    pub(super) fn numbers(&self, sequence: &[Target]) -> Vec<usize> {
        let number = |step: &Target| match step {
            Target::Vertex(vertex) => {
                self.vertices.binary_search(vertex).expect("it has been eliminated, so had edges")
            }
            _ => unreachable!("vertex mode eliminates vertices"),
        };
        sequence.iter().map(number).collect()
    }

    /// The vertices of the graph with these numbers.
    pub(super) fn vertices_of(&self, set: &FixedBitSet) -> Vec<VertexId> {
        set.ones().map(|number| self.vertices[number]).collect()
    }

    /// The number of edges that the elimination of `set` leaves.
    pub(super) fn edges_without(&self, set: &FixedBitSet) -> usize {
        let mut pattern = self.pattern.clone();
        for vertex in set.ones() {
            pattern.eliminate(vertex);
        }
        pattern.edges
    }
}

impl Pattern {
    fn new(vertices: usize) -> Self {
        let empty = vec![FixedBitSet::with_capacity(vertices); vertices];
        Pattern { successors: empty.clone(), predecessors: empty, edges: 0 }
    }

    fn insert(&mut self, source: usize, target: usize) {
        self.edges += usize::from(!self.successors[source].contains(target));
        self.successors[source].insert(target);
        self.predecessors[target].insert(source);
    }

    /// The number of vertices, eliminated ones included.
    pub(super) fn len(&self) -> usize {
        self.successors.len()
    }

    pub(super) fn edges(&self) -> usize {
        self.edges
    }

    pub(super) fn successors(&self, vertex: usize) -> &FixedBitSet {
        &self.successors[vertex]
    }

    pub(super) fn predecessors(&self, vertex: usize) -> &FixedBitSet {
        &self.predecessors[vertex]
    }

    /// The number of edges at a vertex.
    pub(super) fn degree(&self, vertex: usize) -> usize {
        self.predecessors[vertex].count_ones(..) + self.successors[vertex].count_ones(..)
    }

    /// The number of edges that the elimination of a vertex fills in.
    pub(super) fn fill_in(&self, vertex: usize) -> usize {
        let successors = &self.successors[vertex];
        self.predecessors[vertex].ones().map(|source| successors.difference_count(&self.successors[source])).sum()
    }

    /// Lets an edge bypass one of its ends, which keeps other edges on that side.
    pub(super) fn bypass(&mut self, bypass: Bypass) {
        let Bypass { source, target, end } = bypass;
        self.edges -= 1;
        self.successors[source].remove(target);
        self.predecessors[target].remove(source);
        match end {
            End::Target => {
                debug_assert!(!self.predecessors[target].is_clear());
                self.successors[target].clone().ones().for_each(|next| self.insert(source, next));
            }
            End::Source => {
                debug_assert!(!self.successors[source].is_clear());
                self.predecessors[source].clone().ones().for_each(|previous| self.insert(previous, target));
            }
        }
    }

    pub(super) fn eliminate(&mut self, vertex: usize) {
        self.edges += self.fill_in(vertex);
        self.edges -= self.degree(vertex);
        let none = FixedBitSet::with_capacity(self.len());
        let predecessors = std::mem::replace(&mut self.predecessors[vertex], none.clone());
        let successors = std::mem::replace(&mut self.successors[vertex], none);
        for source in predecessors.ones() {
            self.successors[source].remove(vertex);
            self.successors[source].union_with(&successors);
        }
        for target in successors.ones() {
            self.predecessors[target].remove(vertex);
            self.predecessors[target].union_with(&predecessors);
        }
    }
}
