//! The linearized computational graph: a vertex for every value that an independent reaches and that reaches a
//! dependent, an edge for every local partial.
//!
//! Vertices are numbered in topological order, neighbours are kept sorted by that number: whatever iterates over the
//! graph does so in the same order on every machine. An edge names its label; what the labels are is written in a
//! [`Program`].
//!
//! Adjacency is a sorted vector a vertex. That serves the three things that elimination asks of a graph, neighbours in
//! order, the edge between two vertices, and the removal of a vertex, with one binary search at most.
//! A graph library would serve, too, but at the price of half as much build time again for every user; jacobian-lab
//! turns graphs into those of petgraph, for its algorithms and for pictures.

pub mod dual_graph;
pub mod elimination;
pub mod label;
pub mod path_graph;
pub mod program;

use crate::graph::elimination::{Axis, Eliminate};
pub use crate::graph::label::{Edge, EdgeId, Role, VertexId};
use crate::graph::label::{Ends, Entry, LabelId, LabelKind};
use crate::graph::program::Program;

/// The graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    roles: Vec<Role>,
    /// Whether the second half of the vertices are the images of the first.
    is_symmetric: bool,
    edges: Vec<Edge>,
    /// What is known of the labels of the edges that were given.
    kinds: Vec<LabelKind>,
    /// By label: the one that it is with the other sign, where that is known.
    opposites: Vec<Option<LabelId>>,
    /// Edges to a vertex, by their source.
    incoming: Vec<Vec<EdgeId>>,
    /// Edges from a vertex, by their target.
    outgoing: Vec<Vec<EdgeId>>,
}

impl Program {
    /// A program over the labels of `graph`, of which nothing has been eliminated yet.
    pub fn new(graph: &Graph) -> Self {
        let given = graph.edges().map(|edge| Ends { source: edge.source, target: edge.target }).collect();
        Program::over(given, graph.kinds().to_vec())
    }
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

    /// Adds an edge, which must not be there yet, with a label of its own. This is for graphs of which nothing has been
    /// eliminated.
    pub fn add_edge(&mut self, source: VertexId, target: VertexId, kind: LabelKind) -> EdgeId {
        debug_assert_eq!(self.edges.len(), self.kinds.len());
        let label = LabelId(self.kinds.len() as u32);
        self.kinds.push(kind);
        self.opposites.push(None);
        self.insert(Edge { source, target, label })
    }

    /// Lets an edge carry `label`, which is known to be equal to its own.
    pub fn share_label(&mut self, edge: EdgeId, label: LabelId) {
        self.edges[edge.index()].label = label;
    }

    /// Declares that `label` is `of` with the other sign.
    pub fn set_opposite(&mut self, label: LabelId, of: LabelId) {
        self.opposites[label.index()] = Some(of);
    }

    /// The label that `label` is with the other sign, if one is known.
    pub fn opposite(&self, label: LabelId) -> Option<LabelId> {
        *self.opposites.get(label.index())?
    }

    /// The graph without shared labels: every edge that was given has its own again, unless it has absorbed a product.
    pub fn with_own_labels(&self) -> Graph {
        let mut graph = Graph { opposites: vec![None; self.opposites.len()], ..self.clone() };
        for (label, edge) in (0..self.kinds.len() as u32).map(LabelId).zip(&mut graph.edges) {
            if edge.label.index() < self.kinds.len() {
                edge.label = label;
            }
        }
        graph
    }

    fn insert(&mut self, edge: Edge) -> EdgeId {
        let Edge { source, target, .. } = edge;
        let id = EdgeId(self.edges.len() as u32);
        let (among_outgoing, among_incoming) = self.places(source, target);
        self.edges.push(edge);
        self.outgoing[source.index()].insert(among_outgoing, id);
        self.incoming[target.index()].insert(among_incoming, id);
        id
    }

    /// Where the edge between two vertices is, or would be, among those from the one and those to the other.
    fn places(&self, source: VertexId, target: VertexId) -> (usize, usize) {
        (self.place_among_outgoing(source, target), self.place_among_incoming(source, target))
    }

    fn place_among_outgoing(&self, source: VertexId, target: VertexId) -> usize {
        place(&self.outgoing[source.index()], target, |edge| self.edges[edge.0 as usize].target)
    }

    fn place_among_incoming(&self, source: VertexId, target: VertexId) -> usize {
        place(&self.incoming[target.index()], source, |edge| self.edges[edge.0 as usize].source)
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

    /// Whether a vertex is neither an independent nor a dependent.
    fn is_inner(&self, vertex: VertexId) -> bool {
        matches!(self.role(vertex), Role::Intermediate | Role::Image)
    }

    /// Changes the role of a vertex.
    pub fn set_role(&mut self, vertex: VertexId, role: Role) {
        self.roles[vertex.index()] = role;
    }

    /// Declares that the graph is symmetric, see [`elimination`]: the vertices in its second half are the images of
    /// those in the first, in reverse order, and edges that are images of one another have the same label.
    pub fn set_symmetric(&mut self) {
        self.is_symmetric = true;
    }

    /// Where each vertex has its image, if the graph is symmetric.
    pub fn axis(&self) -> Option<Axis> {
        self.is_symmetric.then(|| Axis::of(self.roles.len()))
    }

    /// The graph without a symmetry: its images are vertices like any others.
    pub fn without_symmetry(&self) -> Graph {
        let as_other = |role: &Role| if *role == Role::Image { Role::Intermediate } else { *role };
        Graph { roles: self.roles.iter().map(as_other).collect(), is_symmetric: false, ..self.clone() }
    }

    /// What is known of the labels of the edges that were given, in their order.
    pub fn kinds(&self) -> &[LabelKind] {
        &self.kinds
    }

    /// Every edge that there is or has been, by its number.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.edges.iter().copied()
    }

    /// An edge, which may have been removed.
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

    /// The vertices from which edges lead to a vertex, in order.
    pub fn predecessors(&self, vertex: VertexId) -> impl Iterator<Item = VertexId> + '_ {
        self.incoming(vertex).iter().map(|&edge| self.edge(edge).source)
    }

    /// The vertices to which edges lead from a vertex, in order.
    pub fn successors(&self, vertex: VertexId) -> impl Iterator<Item = VertexId> + '_ {
        self.outgoing(vertex).iter().map(|&edge| self.edge(edge).target)
    }

    /// The edge between two vertices, if there is one.
    pub fn find_edge(&self, source: VertexId, target: VertexId) -> Option<EdgeId> {
        let place = self.place_among_outgoing(source, target);
        let &edge = self.outgoing[source.index()].get(place)?;
        if self.edge(edge).target == target { Some(edge) } else { None }
    }

    /// Whether an edge has not been removed.
    pub fn has(&self, edge: EdgeId) -> bool {
        let Edge { source, target, .. } = self.edge(edge);
        self.find_edge(source, target) == Some(edge)
    }

    /// Removes an edge, which is there.
    pub fn remove_edge(&mut self, edge: EdgeId) {
        let Edge { source, target, .. } = self.edge(edge);
        let (among_outgoing, among_incoming) = self.places(source, target);
        self.outgoing[source.index()].remove(among_outgoing);
        self.incoming[target.index()].remove(among_incoming);
    }

    /// Eliminates a vertex, by the rules of [`Eliminate`].
    pub fn eliminate_vertex(&mut self, vertex: VertexId, program: &mut Program) {
        self.with(program).eliminate_vertex(vertex);
    }

    /// Front-eliminates an edge to an intermediate vertex. Returns the edges that hold the products, and those that are
    /// gone.
    pub fn eliminate_front(&mut self, edge: EdgeId, program: &mut Program) -> Vec<EdgeId> {
        let mut working = WithProgram { changed: Some(Vec::new()), ..self.with(program) };
        working.eliminate_front(edge);
        working.changed.unwrap_or_default()
    }

    /// Back-eliminates an edge from an intermediate vertex. Returns the edges that hold the products, and those that
    /// are gone.
    pub fn eliminate_back(&mut self, edge: EdgeId, program: &mut Program) -> Vec<EdgeId> {
        let mut working = WithProgram { changed: Some(Vec::new()), ..self.with(program) };
        working.eliminate_back(edge);
        working.changed.unwrap_or_default()
    }

    /// The graph as one from which vertices and edges can be eliminated; the expressions are appended to `program`.
    pub(crate) fn with<'a>(&'a mut self, program: &'a mut Program) -> WithProgram<'a> {
        WithProgram { graph: self, program, incoming: Vec::new(), outgoing: Vec::new(), changed: None }
    }

    /// The number of products that the elimination of a vertex and of its image takes.
    pub fn products_of_pair(&self, vertex: VertexId, axis: Axis) -> usize {
        let (sources, image) = (self.incoming(vertex).len(), axis.image(vertex));
        let with_arc = self.predecessors(vertex).filter(|&source| self.find_edge(source, image).is_some()).count();
        let has_own = self.find_edge(vertex, image).is_some();
        // Those that lead to no predecessor's image, and not to its own.
        let others = self.outgoing(vertex).len() - with_arc - usize::from(has_own);
        let pairs = |count: usize| count * (count + 1) / 2;
        let without_arc = sources - with_arc;
        // A pair of arcs takes a product for each of the two, and so does a single arc with an edge.
        let of_arcs = with_arc * with_arc + with_arc * without_arc;
        let of_edges = if has_own { sources + pairs(without_arc) } else { 0 };
        sources * others + of_arcs + of_edges
    }

    /// Removes every edge at a vertex.
    pub fn isolate(&mut self, vertex: VertexId) {
        for edge in std::mem::take(&mut self.incoming[vertex.index()]) {
            let source = self.edge(edge).source;
            let place = self.place_among_outgoing(source, vertex);
            self.outgoing[source.index()].remove(place);
        }
        for edge in std::mem::take(&mut self.outgoing[vertex.index()]) {
            let target = self.edge(edge).target;
            let place = self.place_among_incoming(vertex, target);
            self.incoming[target.index()].remove(place);
        }
    }

    /// Removes the edges on no path from an independent to a dependent.
    pub fn prune(&mut self) {
        for vertex in self.vertices() {
            if self.is_inner(vertex) && self.incoming(vertex).is_empty() {
                self.isolate(vertex);
            }
        }
        for vertex in self.vertices().rev() {
            if self.is_inner(vertex) && self.outgoing(vertex).is_empty() {
                self.isolate(vertex);
            }
        }
    }
}

/// A graph and the program of its labels.
pub(crate) struct WithProgram<'a> {
    graph: &'a mut Graph,
    program: &'a mut Program,
    incoming: Vec<EdgeId>,
    outgoing: Vec<EdgeId>,
    /// The edges that hold products, and those that are gone, if these are asked for.
    changed: Option<Vec<EdgeId>>,
}

impl WithProgram<'_> {
    fn note(&mut self, edge: EdgeId) {
        if let Some(changed) = &mut self.changed {
            changed.push(edge);
        }
    }
}

impl Eliminate for WithProgram<'_> {
    type Edge = EdgeId;
    type Arithmetic = Program;

    fn list_incoming(&mut self, vertex: VertexId) -> usize {
        self.incoming = self.graph.incoming(vertex).to_vec();
        self.incoming.len()
    }

    fn list_outgoing(&mut self, vertex: VertexId) -> usize {
        self.outgoing = self.graph.outgoing(vertex).to_vec();
        self.outgoing.len()
    }

    #[inline(always)]
    fn incoming_edge(&self, place: usize) -> EdgeId {
        self.incoming[place]
    }

    #[inline(always)]
    fn outgoing_edge(&self, place: usize) -> EdgeId {
        self.outgoing[place]
    }

    #[inline(always)]
    fn ends(&self, edge: EdgeId) -> Ends {
        let Edge { source, target, .. } = self.graph.edges[edge.index()];
        Ends { source, target }
    }

    #[inline(always)]
    fn find(&self, ends: Ends) -> Option<EdgeId> {
        self.graph.find_edge(ends.source, ends.target)
    }

    #[inline(always)]
    fn label(&self, edge: EdgeId) -> LabelId {
        self.graph.edges[edge.index()].label
    }

    #[inline(always)]
    fn set_label(&mut self, edge: EdgeId, label: LabelId) {
        self.graph.edges[edge.index()].label = label;
        self.note(edge);
    }

    fn add(&mut self, ends: Ends, label: LabelId) -> EdgeId {
        let edge = self.graph.insert(Edge { source: ends.source, target: ends.target, label });
        self.note(edge);
        edge
    }

    fn remove(&mut self, edge: EdgeId) {
        self.graph.remove_edge(edge);
        self.note(edge);
    }

    fn isolate(&mut self, vertex: VertexId) {
        if let Some(changed) = &mut self.changed {
            changed.extend(self.graph.incoming(vertex).iter().chain(self.graph.outgoing(vertex)));
        }
        self.graph.isolate(vertex);
    }

    fn is_off_all_paths(&self, vertex: VertexId) -> bool {
        self.graph.incoming(vertex).is_empty() || self.graph.outgoing(vertex).is_empty()
    }

    #[inline(always)]
    fn axis(&self) -> Option<Axis> {
        self.graph.axis()
    }

    #[inline(always)]
    fn arithmetic(&mut self) -> &mut Program {
        self.program
    }
}

/// Where the edge with this end is in a list that is sorted by these ends, or would be. (By hand: eliminations ask for
/// it thousands of times without optimization, and the search of the standard library takes twice as long then.)
fn place(list: &[EdgeId], vertex: VertexId, end: impl Fn(EdgeId) -> VertexId) -> usize {
    let (mut low, mut high) = (0, list.len());
    while low < high {
        let middle = (low + high) / 2;
        if end(list[middle]).0 < vertex.0 { low = middle + 1 } else { high = middle }
    }
    low
}

/// The entries of the Jacobian that the edges of a bipartite graph are.
pub fn entries(graph: &Graph) -> Vec<Entry> {
    let mut entries = Vec::new();
    for column in graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Independent) {
        for &edge in graph.outgoing(column) {
            let edge = graph.edge(edge);
            entries.push(Entry { row: edge.target, column: edge.source, label: edge.label });
        }
    }
    entries
}
