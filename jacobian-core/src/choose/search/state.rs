//! A graph in the middle of an elimination that can be taken back.

use super::affected::Affected;
use super::edges::Edges;
use crate::bits::{add_images, write};
use crate::eliminate::Target;
use crate::graph::elimination::{Arithmetic, Axis, Eliminate};
use crate::graph::program::{Ends, LabelId};
use crate::graph::{Graph, Role, VertexId};
use crate::slices::filled;

/// An arithmetic that can forget.
pub trait Reversible: Arithmetic<Label: Default> {
    /// The label of an edge that is there before the elimination.
    fn given(&self, label: LabelId) -> Self::Label;

    /// A moment to go back to.
    type Mark: Copy;

    /// This moment.
    fn mark(&self) -> Self::Mark;

    /// Forgets what has been computed since `mark`.
    fn reset(&mut self, mark: Self::Mark);
}

/// The graph, with the arithmetic of its labels.
pub struct State<A: Reversible> {
    /// The arithmetic.
    pub arithmetic: A,
    /// The edges that there are now.
    pub edges: Edges<A::Label>,
    roles: Box<[Role]>,
    axis: Option<Axis>,
    /// Room for the edges to a vertex, and for those from it.
    incoming: Box<[Ends]>,
    outgoing: Box<[Ends]>,
}

/// A moment to go back to.
#[derive(Copy, Clone)]
pub struct Mark<M> {
    changes: usize,
    arithmetic: M,
}

impl<A: Reversible> State<A> {
    /// The state of `graph`, which has [`MAX_VERTICES`](super::edges::MAX_VERTICES) vertices at most.
    pub fn new(graph: &Graph, arithmetic: A) -> Self {
        let size = graph.vertex_count();
        State {
            edges: Edges::new(graph, |label| arithmetic.given(label)),
            roles: graph.vertices().map(|vertex| graph.role(vertex)).collect(),
            axis: graph.axis(),
            arithmetic,
            incoming: filled(Ends::default(), size),
            outgoing: filled(Ends::default(), size),
        }
    }

    /// Eliminates `target`, if it is there: a vertex or an edge.
    pub fn eliminate(&mut self, target: Target) {
        match target {
            Target::Vertex(vertex) if self.roles[vertex.index()] == Role::Image => {}
            Target::Vertex(vertex) => self.eliminate_vertex(vertex),
            Target::Front(edge) if self.is_there(edge, edge.target) => self.eliminate_front(edge),
            Target::Back(edge) if self.is_there(edge, edge.source) => self.eliminate_back(edge),
            Target::Front(_) | Target::Back(_) => {}
            Target::Face { .. } | Target::Pair(..) => unreachable!("{target} is no part of this graph"),
        }
    }

    /// Appends what `target` would affect now, and what its image would.
    pub fn note_affected(&self, target: Target, affected: &mut Affected) {
        self.note_affected_by(target, affected);
        if let (Some(axis), Some((sources, targets))) = (self.axis, affected.last_sets()) {
            let image = |vertex: usize| axis.image(VertexId(vertex as u32)).index();
            add_images(sources, targets, |target| Some(image(target)).filter(|&source| source < target));
            add_images(targets, sources, |source| Some(image(source)));
        }
    }

    fn note_affected_by(&self, target: Target, affected: &mut Affected) {
        affected.push();
        match target {
            Target::Vertex(vertex) => {
                let (sources, targets) = affected.last(vertex.index());
                self.edges.copy_sources(vertex.index(), sources);
                self.edges.copy_targets(vertex.index(), targets);
            }
            Target::Front(edge) if self.is_there(edge, edge.target) => {
                let (sources, targets) = affected.last(edge.target.index());
                write(sources, [edge.source.index()]);
                self.edges.copy_targets(edge.target.index(), targets);
            }
            Target::Back(edge) if self.is_there(edge, edge.source) => {
                let (sources, targets) = affected.last(edge.source.index());
                self.edges.copy_sources(edge.source.index(), sources);
                write(targets, [edge.target.index()]);
            }
            _ => {}
        }
    }

    /// Whether there is an edge, and it can be eliminated at `centre`.
    fn is_there(&self, edge: Ends, centre: VertexId) -> bool {
        self.roles[centre.index()] == Role::Intermediate && self.edges.has(edge)
    }

    /// This moment.
    pub fn mark(&self) -> Mark<A::Mark> {
        Mark { changes: self.edges.changes(), arithmetic: self.arithmetic.mark() }
    }

    /// Takes back every elimination since `mark`.
    pub fn reset(&mut self, mark: Mark<A::Mark>) {
        self.edges.reset(mark.changes);
        self.arithmetic.reset(mark.arithmetic);
    }
}

impl<A: Reversible> Eliminate for State<A> {
    type Edge = Ends;
    type Arithmetic = A;

    #[inline(always)]
    fn list_incoming(&mut self, vertex: VertexId) -> usize {
        self.edges.list_incoming(vertex, &mut self.incoming)
    }

    #[inline(always)]
    fn list_outgoing(&mut self, vertex: VertexId) -> usize {
        self.edges.list_outgoing(vertex, &mut self.outgoing)
    }

    #[inline(always)]
    fn incoming_edge(&self, place: usize) -> Ends {
        self.incoming[place]
    }

    #[inline(always)]
    fn outgoing_edge(&self, place: usize) -> Ends {
        self.outgoing[place]
    }

    #[inline(always)]
    fn ends(&self, edge: Ends) -> Ends {
        edge
    }

    #[inline(always)]
    fn find(&self, ends: Ends) -> Option<Ends> {
        if self.edges.has(ends) { Some(ends) } else { None }
    }

    #[inline(always)]
    fn label(&self, edge: Ends) -> A::Label {
        self.edges.label(edge)
    }

    #[inline(always)]
    fn set_label(&mut self, edge: Ends, label: A::Label) {
        self.edges.set_label(edge, label);
    }

    #[inline(always)]
    fn add(&mut self, ends: Ends, label: A::Label) -> Ends {
        self.edges.add(ends, label);
        ends
    }

    #[inline(always)]
    fn remove(&mut self, edge: Ends) {
        self.edges.remove(edge);
    }

    #[inline(always)]
    fn isolate(&mut self, vertex: VertexId) {
        self.edges.isolate(vertex);
    }

    #[inline(always)]
    fn is_off_all_paths(&self, vertex: VertexId) -> bool {
        self.edges.is_off_all_paths(vertex)
    }

    #[inline(always)]
    fn axis(&self) -> Option<Axis> {
        self.axis
    }

    #[inline(always)]
    fn arithmetic(&mut self) -> &mut A {
        &mut self.arithmetic
    }
}
