//! A graph in the middle of an elimination that can be taken back: every change is written down.

use crate::eliminate::Target;
use crate::graph::{Graph, Role, VertexId};
use crate::program::{Ends, LabelId};

/// What labels are, and how they are multiplied and added.
pub trait Arithmetic {
    /// A label.
    type Label: Copy;

    /// The label of an edge that is there before the elimination.
    fn given(&self, label: LabelId) -> Self::Label;

    /// `first * second`, the label of paths with these ends.
    fn product(&mut self, first: Self::Label, second: Self::Label, ends: Ends) -> Self::Label;

    /// `addend + first * second`, the label of paths with these ends.
    fn absorb(&mut self, addend: Self::Label, first: Self::Label, second: Self::Label, ends: Ends) -> Self::Label;
}

/// An arithmetic that can forget.
pub trait Reversible: Arithmetic {
    /// A moment to go back to.
    type Mark: Copy;

    /// This moment.
    fn mark(&self) -> Self::Mark;

    /// Forgets what has been computed since `mark`.
    fn reset(&mut self, mark: Self::Mark);
}

/// The graph, with the arithmetic of its labels.
pub struct State<A: Arithmetic> {
    /// The arithmetic.
    pub arithmetic: A,
    /// The edges that there are now.
    pub edges: Edges<A::Label>,
    roles: Vec<Role>,
    scratch: Scratch<A::Label>,
}

/// The sources and the targets of a vertex.
type Scratch<L> = (Vec<VertexId>, Vec<(VertexId, L)>);

/// A moment to go back to.
#[derive(Copy, Clone)]
pub struct Mark<M> {
    changes: usize,
    arithmetic: M,
}

impl<A: Arithmetic> State<A> {
    /// The state of `graph`.
    pub fn new(graph: &Graph, arithmetic: A) -> Self {
        State {
            edges: Edges::new(graph, |label| arithmetic.given(label)),
            roles: graph.vertices().map(|vertex| graph.role(vertex)).collect(),
            arithmetic,
            scratch: Scratch::default(),
        }
    }

    /// Eliminates `target`, if it is there: a vertex or an edge.
    pub fn eliminate(&mut self, target: Target) -> bool {
        match target {
            Target::Vertex(vertex) => self.eliminate_vertex(vertex),
            Target::Front(edge) => self.eliminate_front(edge),
            Target::Back(edge) => self.eliminate_back(edge),
            Target::Face { .. } | Target::Pair(..) => unreachable!("{target} is no part of this graph"),
        }
    }

    fn eliminate_vertex(&mut self, vertex: VertexId) -> bool {
        let (sources, seconds) = self.take_scratch();
        let (mut sources, mut seconds) = (sources, seconds);
        sources.extend_from_slice(self.edges.sources(vertex));
        seconds.extend_from_slice(self.edges.outgoing(vertex));
        for &source in &sources {
            self.accumulate(source, vertex, &seconds);
        }
        self.edges.isolate(vertex);
        let is_there = !sources.is_empty();
        self.scratch = (sources, seconds);
        is_there
    }

    /// Multiplies an edge with those from its target.
    fn eliminate_front(&mut self, edge: Ends) -> bool {
        let centre = edge.target;
        if self.roles[centre.index()] != Role::Intermediate || self.edges.label(edge).is_none() {
            return false;
        }
        let (sources, mut seconds) = self.take_scratch();
        seconds.extend_from_slice(self.edges.outgoing(centre));
        self.accumulate(edge.source, centre, &seconds);
        self.edges.remove(edge);
        self.isolate_if_off_all_paths(centre);
        self.scratch = (sources, seconds);
        true
    }

    /// Multiplies an edge with those to its source.
    fn eliminate_back(&mut self, edge: Ends) -> bool {
        let centre = edge.source;
        let Some(label) = self.edges.label(edge).filter(|_| self.roles[centre.index()] == Role::Intermediate) else {
            return false;
        };
        let (mut sources, seconds) = self.take_scratch();
        sources.extend_from_slice(self.edges.sources(centre));
        for &source in &sources {
            self.accumulate(source, centre, &[(edge.target, label)]);
        }
        self.edges.remove(edge);
        self.isolate_if_off_all_paths(centre);
        self.scratch = (sources, seconds);
        true
    }

    /// Two empty lists, whose memory is used again and again.
    fn take_scratch(&mut self) -> Scratch<A::Label> {
        let (mut sources, mut seconds) = std::mem::take(&mut self.scratch);
        sources.clear();
        seconds.clear();
        (sources, seconds)
    }

    /// Multiplies the edge from `source` to `centre` with edges from there.
    fn accumulate(&mut self, source: VertexId, centre: VertexId, seconds: &[(VertexId, A::Label)]) {
        let Some(first) = self.edges.label(Ends { source, target: centre }) else { return };
        for &(target, second) in seconds {
            let ends = Ends { source, target };
            let place = find(&self.edges.outgoing[source.index()], target);
            match place {
                Ok(place) => {
                    let addend = self.edges.outgoing[source.index()][place].1;
                    let sum = self.arithmetic.absorb(addend, first, second, ends);
                    self.edges.outgoing[source.index()][place].1 = sum;
                    self.edges.trail.push(Change { ends, old: Some(addend) });
                }
                Err(place) => {
                    let product = self.arithmetic.product(first, second, ends);
                    self.edges.insert(ends, place, product);
                    self.edges.trail.push(Change { ends, old: None });
                }
            }
        }
    }

    fn isolate_if_off_all_paths(&mut self, vertex: VertexId) {
        if self.edges.sources(vertex).is_empty() || self.edges.outgoing(vertex).is_empty() {
            self.edges.isolate(vertex);
        }
    }
}

impl<A: Reversible> State<A> {
    /// This moment.
    pub fn mark(&self) -> Mark<A::Mark> {
        Mark { changes: self.edges.trail.len(), arithmetic: self.arithmetic.mark() }
    }

    /// Takes back every elimination since `mark`.
    pub fn reset(&mut self, mark: Mark<A::Mark>) {
        self.edges.reset(mark.changes);
        self.arithmetic.reset(mark.arithmetic);
    }
}

/// Labelled edges, and how they were before each change.
pub struct Edges<L> {
    /// By source: the targets, in order, with the labels.
    outgoing: Vec<Vec<(VertexId, L)>>,
    /// By target: the sources, in order.
    incoming: Vec<Vec<VertexId>>,
    trail: Vec<Change<L>>,
}

/// An edge as it was before it changed.
struct Change<L> {
    ends: Ends,
    old: Option<L>,
}

impl<L: Copy> Edges<L> {
    fn new(graph: &Graph, given: impl Fn(LabelId) -> L) -> Self {
        let edges = |vertex| graph.outgoing(vertex).iter().map(|&edge| graph.edge(edge));
        let labelled = |vertex| edges(vertex).map(|edge| (edge.target, given(edge.label))).collect();
        Edges {
            outgoing: graph.vertices().map(labelled).collect(),
            incoming: graph.vertices().map(|vertex| graph.predecessors(vertex).collect()).collect(),
            trail: Vec::new(),
        }
    }

    /// The targets of the edges from a vertex, in order, with the labels.
    pub fn outgoing(&self, vertex: VertexId) -> &[(VertexId, L)] {
        &self.outgoing[vertex.index()]
    }

    fn sources(&self, vertex: VertexId) -> &[VertexId] {
        &self.incoming[vertex.index()]
    }

    /// The label of the edge between two vertices, if there is one.
    pub fn label(&self, ends: Ends) -> Option<L> {
        let edges = self.outgoing(ends.source);
        find(edges, ends.target).ok().map(|place| edges[place].1)
    }

    /// Removes every edge at a vertex.
    fn isolate(&mut self, vertex: VertexId) {
        while let Some(&source) = self.sources(vertex).last() {
            self.remove(Ends { source, target: vertex });
        }
        while let Some(&(target, _)) = self.outgoing(vertex).last() {
            self.remove(Ends { source: vertex, target });
        }
    }

    /// Removes an edge, if it is there, and writes down what it was.
    fn remove(&mut self, ends: Ends) {
        if let Ok(place) = find(&self.outgoing[ends.source.index()], ends.target) {
            let old = Some(self.take(ends, place));
            self.trail.push(Change { ends, old });
        }
    }

    fn reset(&mut self, changes: usize) {
        while self.trail.len() > changes
            && let Some(Change { ends, old }) = self.trail.pop()
        {
            match (find(&self.outgoing[ends.source.index()], ends.target), old) {
                (Ok(place), Some(label)) => self.outgoing[ends.source.index()][place].1 = label,
                (Err(place), Some(label)) => self.insert(ends, place, label),
                (Ok(place), None) => drop(self.take(ends, place)),
                (Err(_), None) => {}
            }
        }
    }

    /// Inserts an edge, which stands at `place` among those from its source.
    fn insert(&mut self, ends: Ends, place: usize, label: L) {
        self.outgoing[ends.source.index()].insert(place, (ends.target, label));
        let sources = &mut self.incoming[ends.target.index()];
        let place = behind(sources, ends.source);
        sources.insert(place, ends.source);
    }

    /// Takes out the edge that stands at `place` among those from its source.
    fn take(&mut self, ends: Ends, place: usize) -> L {
        let (_, label) = self.outgoing[ends.source.index()].remove(place);
        let sources = &mut self.incoming[ends.target.index()];
        let place = behind(sources, ends.source);
        sources.remove(place);
        label
    }
}

/// Where the edge to `target` stands, or would stand. (A loop over plain numbers: this is called a million times without
/// optimization.)
fn find<L>(edges: &[(VertexId, L)], target: VertexId) -> Result<usize, usize> {
    let (mut low, mut high) = (0, edges.len());
    while low < high {
        let middle = (low + high) / 2;
        let at = edges[middle].0.0;
        if at == target.0 {
            return Ok(middle);
        }
        if at < target.0 {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Err(low)
}

/// The number of vertices in front of `vertex` among ascending ones.
fn behind(vertices: &[VertexId], vertex: VertexId) -> usize {
    let (mut low, mut high) = (0, vertices.len());
    while low < high {
        let middle = (low + high) / 2;
        if vertices[middle].0 < vertex.0 {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
