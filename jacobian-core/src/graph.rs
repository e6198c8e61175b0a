//! The linearized computational graph: a vertex for every value that an independent reaches and that reaches a
//! dependent, an edge for every local partial.
//!
//! Vertices are numbered in topological order, neighbours are kept sorted by that number: whatever iterates over the
//! graph does so in the same order on every machine. The labels of the edges live elsewhere; an elimination is a
//! sequence of [`Accumulation`]s, which says what happens to them.
//!
//! Adjacency is a sorted vector a vertex. That serves the three things that elimination asks of a graph, neighbours in
//! order, the edge between two vertices, and the removal of a vertex, with one binary search at most.
//! A graph library would serve, too, but at the price of half as much build time again for every user.

use std::fmt;

/// A vertex; its number is its place in the topological order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VertexId(pub u32);

impl VertexId {
    /// The number, to index with.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge. It keeps its number when it absorbs another; one that is removed gives its number to none.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeId(pub u32);

impl EdgeId {
    /// The number, to index with.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a vertex is to the Jacobian.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// A column: no edge leads to it.
    Independent,
    /// To be eliminated.
    Intermediate,
    /// A row: no edge leaves it.
    Dependent,
}

/// A directed edge.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: VertexId,
    /// Where it leads.
    pub target: VertexId,
}

/// One Jacobian accumulation expression: `c[target] (+)= c[first] * c[second]`, where `first` leads to the vertex in
/// the middle and `second` away from it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Accumulation {
    /// The edge whose label changes.
    pub target: EdgeId,
    /// Whether the edge was there, so that the product is added to its label, or is filled in.
    pub absorbs: bool,
    /// The edge to the middle.
    pub first: EdgeId,
    /// The edge from the middle.
    pub second: EdgeId,
}

/// The graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    roles: Vec<Role>,
    edges: Vec<Edge>,
    /// Edges to a vertex, by their source.
    incoming: Vec<Vec<EdgeId>>,
    /// Edges from a vertex, by their target.
    outgoing: Vec<Vec<EdgeId>>,
}

impl Graph {
    /// Adds the vertex that is next in the topological order.
    pub fn add_vertex(&mut self, role: Role) -> VertexId {
        let id = VertexId(self.roles.len() as u32);
        self.roles.push(role);
        self.incoming.push(Vec::new());
        self.outgoing.push(Vec::new());
        id
    }

    /// Adds an edge, which must not be there yet.
    pub fn add_edge(&mut self, source: VertexId, target: VertexId) -> EdgeId {
        let id = EdgeId(self.edges.len() as u32);
        self.edges.push(Edge { source, target });
        let edges = &self.edges;
        let place = self.outgoing[source.index()].partition_point(|edge| edges[edge.index()].target < target);
        self.outgoing[source.index()].insert(place, id);
        let place = self.incoming[target.index()].partition_point(|edge| edges[edge.index()].source < source);
        self.incoming[target.index()].insert(place, id);
        id
    }

    /// The number of vertices, eliminated ones included.
    pub fn vertex_count(&self) -> usize {
        self.roles.len()
    }

    /// All vertices in topological order, eliminated ones included.
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = VertexId> + use<> {
        (0..self.roles.len() as u32).map(VertexId)
    }

    /// The role of a vertex.
    pub fn role(&self, vertex: VertexId) -> Role {
        self.roles[vertex.index()]
    }

    /// Changes the role of a vertex.
    pub fn set_role(&mut self, vertex: VertexId, role: Role) {
        self.roles[vertex.index()] = role;
    }

    /// Source and target of an edge.
    pub fn edge(&self, edge: EdgeId) -> Edge {
        self.edges[edge.index()]
    }

    /// The number of edges that there are or have been: one more than the largest edge number.
    pub fn edge_capacity(&self) -> usize {
        self.edges.len()
    }

    /// The edges that lead to a vertex, by their sources.
    pub fn incoming(&self, vertex: VertexId) -> &[EdgeId] {
        &self.incoming[vertex.index()]
    }

    /// The edges that leave a vertex, by their targets.
    pub fn outgoing(&self, vertex: VertexId) -> &[EdgeId] {
        &self.outgoing[vertex.index()]
    }

    /// The edge between two vertices, if there is one.
    pub fn find_edge(&self, source: VertexId, target: VertexId) -> Option<EdgeId> {
        let list = &self.outgoing[source.index()];
        let place = list.partition_point(|edge| self.edges[edge.index()].target < target);
        list.get(place).copied().filter(|&edge| self.edge(edge).target == target)
    }

    /// Multiplies the labels along `first` and `second` into the edge from the source of the one to the target of the
    /// other, which is made where it is missing.
    pub fn accumulate(&mut self, first: EdgeId, second: EdgeId) -> Accumulation {
        let (source, target) = (self.edge(first).source, self.edge(second).target);
        let existing = self.find_edge(source, target);
        Accumulation {
            target: existing.unwrap_or_else(|| self.add_edge(source, target)),
            absorbs: existing.is_some(),
            first,
            second,
        }
    }

    /// Removes every edge at a vertex.
    pub fn isolate(&mut self, vertex: VertexId) {
        for edge in std::mem::take(&mut self.incoming[vertex.index()]) {
            let source = self.edge(edge).source;
            self.outgoing[source.index()].retain(|&other| other != edge);
        }
        for edge in std::mem::take(&mut self.outgoing[vertex.index()]) {
            let target = self.edge(edge).target;
            self.incoming[target.index()].retain(|&other| other != edge);
        }
    }

    /// Removes the edges on no path from an independent to a dependent.
    pub fn prune(&mut self) {
        for vertex in self.vertices() {
            if self.role(vertex) == Role::Intermediate && self.incoming(vertex).is_empty() {
                self.isolate(vertex);
            }
        }
        for vertex in self.vertices().rev() {
            if self.role(vertex) == Role::Intermediate && self.outgoing(vertex).is_empty() {
                self.isolate(vertex);
            }
        }
    }
}

impl fmt::Display for Graph {
    /// The graph in the language of Graphviz.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "digraph {{")?;
        for vertex in self.vertices() {
            match self.role(vertex) {
                Role::Independent => writeln!(formatter, "    {} [shape=box]", vertex.0)?,
                Role::Dependent => writeln!(formatter, "    {} [shape=doublecircle]", vertex.0)?,
                Role::Intermediate => {}
            }
            for &edge in self.outgoing(vertex) {
                writeln!(formatter, "    {} -> {}", vertex.0, self.edge(edge).target.0)?;
            }
        }
        writeln!(formatter, "}}")
    }
}
