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
}

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
        let (sources, seconds) = (self.edges.sources(vertex).to_vec(), self.edges.outgoing(vertex).to_vec());
        for &source in &sources {
            self.accumulate(source, vertex, &seconds);
        }
        self.edges.isolate(vertex);
        !sources.is_empty()
    }

    /// Multiplies an edge with those from its target.
    fn eliminate_front(&mut self, edge: Ends) -> bool {
        let centre = edge.target;
        if self.roles[centre.index()] != Role::Intermediate || self.edges.label(edge).is_none() {
            return false;
        }
        let seconds = self.edges.outgoing(centre).to_vec();
        self.accumulate(edge.source, centre, &seconds);
        self.edges.remove(edge);
        self.isolate_if_off_all_paths(centre);
        true
    }

    /// Multiplies an edge with those to its source.
    fn eliminate_back(&mut self, edge: Ends) -> bool {
        let centre = edge.source;
        let Some(label) = self.edges.label(edge).filter(|_| self.roles[centre.index()] == Role::Intermediate) else {
            return false;
        };
        for source in self.edges.sources(centre).to_vec() {
            self.accumulate(source, centre, &[(edge.target, label)]);
        }
        self.edges.remove(edge);
        self.isolate_if_off_all_paths(centre);
        true
    }

    /// Multiplies the edge from `source` to `centre` with edges from there.
    fn accumulate(&mut self, source: VertexId, centre: VertexId, seconds: &[(VertexId, A::Label)]) {
        let Some(first) = self.edges.label(Ends { source, target: centre }) else { return };
        for &(target, second) in seconds {
            let (ends, arithmetic) = (Ends { source, target }, &mut self.arithmetic);
            self.edges.change(ends, |old| {
                Some(match old {
                    Some(addend) => arithmetic.absorb(addend, first, second, ends),
                    None => arithmetic.product(first, second, ends),
                })
            });
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

    fn remove(&mut self, ends: Ends) {
        self.change(ends, |_| None);
    }

    /// Changes, adds or removes an edge, and writes down what it was.
    fn change(&mut self, ends: Ends, new: impl FnOnce(Option<L>) -> Option<L>) {
        let old = self.write(ends, new);
        self.trail.push(Change { ends, old });
    }

    fn reset(&mut self, changes: usize) {
        while self.trail.len() > changes
            && let Some(Change { ends, old }) = self.trail.pop()
        {
            self.write(ends, |_| old);
        }
    }

    /// Returns what was there before.
    fn write(&mut self, ends: Ends, new: impl FnOnce(Option<L>) -> Option<L>) -> Option<L> {
        let edges = &mut self.outgoing[ends.source.index()];
        let place = find(edges, ends.target);
        let old = place.ok().map(|place| edges[place].1);
        match (place, new(old)) {
            (Ok(place), Some(label)) => edges[place].1 = label,
            (Ok(place), None) => {
                edges.remove(place);
                let sources = &mut self.incoming[ends.target.index()];
                sources.remove(sources.partition_point(|&source| source < ends.source));
            }
            (Err(place), Some(label)) => {
                edges.insert(place, (ends.target, label));
                let sources = &mut self.incoming[ends.target.index()];
                sources.insert(sources.partition_point(|&source| source < ends.source), ends.source);
            }
            (Err(_), None) => {}
        }
        old
    }
}

/// Where the edge to `target` stands, or would stand.
fn find<L>(edges: &[(VertexId, L)], target: VertexId) -> Result<usize, usize> {
    edges.binary_search_by(|(other, _)| other.cmp(&target))
}
