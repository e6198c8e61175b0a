//! A graph in the middle of an elimination that can be taken back.

use super::edges::Edges;
use super::slices::write;
use super::touched::Touched;
use crate::eliminate::Target;
use crate::graph::program::{Ends, LabelId};
use crate::graph::{Graph, Role, VertexId};

/// What labels are, and how they are multiplied and added.
pub trait Arithmetic {
    /// A label.
    type Label: Copy + Default;

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
    roles: Box<[Role]>,
    scratch: Scratch<A::Label>,
}

/// Room for the sources and the targets of a vertex.
#[derive(Default)]
struct Scratch<L> {
    sources: Box<[usize]>,
    targets: Box<[(usize, L)]>,
}

/// A moment to go back to.
#[derive(Copy, Clone)]
pub struct Mark<M> {
    changes: usize,
    arithmetic: M,
}

impl<A: Arithmetic> State<A> {
    /// The state of `graph`, which has [`MAX_VERTICES`](super::edges::MAX_VERTICES) vertices at most.
    pub fn new(graph: &Graph, arithmetic: A) -> Self {
        let size = graph.vertex_count();
        State {
            edges: Edges::new(graph, |label| arithmetic.given(label)),
            roles: graph.vertices().map(|vertex| graph.role(vertex)).collect(),
            arithmetic,
            scratch: Scratch { sources: vec![0; size].into(), targets: vec![(0, A::Label::default()); size].into() },
        }
    }

    /// Eliminates `target`, if it is there: a vertex or an edge.
    pub fn eliminate(&mut self, target: Target) -> bool {
        match target {
            Target::Vertex(vertex) => self.eliminate_vertex(vertex.index()),
            Target::Front(edge) => self.eliminate_front(edge.source.index(), edge.target.index()),
            Target::Back(edge) => self.eliminate_back(edge.source.index(), edge.target.index()),
            Target::Face { .. } | Target::Pair(..) => unreachable!("{target} is no part of this graph"),
        }
    }

    /// Appends what `target` would touch now.
    pub fn touch(&self, target: Target, touched: &mut Touched) {
        touched.push();
        match target {
            Target::Vertex(vertex) => {
                let (sources, targets) = touched.last(vertex.index());
                self.edges.copy_sources(vertex.index(), sources);
                self.edges.copy_targets(vertex.index(), targets);
            }
            Target::Front(Ends { source, target: centre }) if self.is_there(source, centre, centre) => {
                let (sources, targets) = touched.last(centre.index());
                write(sources, [source.index()]);
                self.edges.copy_targets(centre.index(), targets);
            }
            Target::Back(Ends { source: centre, target }) if self.is_there(centre, target, centre) => {
                let (sources, targets) = touched.last(centre.index());
                self.edges.copy_sources(centre.index(), sources);
                write(targets, [target.index()]);
            }
            _ => {}
        }
    }

    /// Whether there is an edge, and it can be eliminated at `centre`.
    fn is_there(&self, source: VertexId, target: VertexId, centre: VertexId) -> bool {
        self.roles[centre.index()] == Role::Intermediate && self.edges.label(source.index(), target.index()).is_some()
    }

    /// Whether no path from an independent to a dependent leads through an intermediate vertex. (Every edge leads from a
    /// lower to a higher number.)
    pub fn is_done(&self) -> bool {
        let targets = |vertex: usize| self.edges.outgoing(VertexId(vertex as u32)).map(|(target, _)| target.index());
        let size = self.roles.len();
        let (mut is_reached, mut leads_on) = (vec![false; size], vec![false; size]);
        for vertex in 0..size {
            if is_reached[vertex] || self.roles[vertex] == Role::Independent {
                targets(vertex).for_each(|target| is_reached[target] = true);
            }
        }
        for vertex in (0..size).rev() {
            leads_on[vertex] = self.roles[vertex] == Role::Dependent || targets(vertex).any(|target| leads_on[target]);
        }
        (0..size).all(|vertex| self.roles[vertex] != Role::Intermediate || !is_reached[vertex] || !leads_on[vertex])
    }

    fn eliminate_vertex(&mut self, vertex: usize) -> bool {
        let Scratch { mut sources, mut targets } = std::mem::take(&mut self.scratch);
        let source_count = self.edges.read_sources(vertex, &mut sources);
        let target_count = self.edges.read_targets(vertex, &mut targets);
        let mut at = 0;
        while at < source_count {
            self.accumulate(sources[at], vertex, &targets[..target_count]);
            self.edges.remove(sources[at], vertex);
            at += 1;
        }
        at = 0;
        while at < target_count {
            self.edges.remove(vertex, targets[at].0);
            at += 1;
        }
        self.scratch = Scratch { sources, targets };
        source_count > 0
    }

    /// Multiplies an edge with those from its target.
    fn eliminate_front(&mut self, source: usize, centre: usize) -> bool {
        if self.roles[centre] != Role::Intermediate || self.edges.label(source, centre).is_none() {
            return false;
        }
        let Scratch { sources, mut targets } = std::mem::take(&mut self.scratch);
        let count = self.edges.read_targets(centre, &mut targets);
        self.accumulate(source, centre, &targets[..count]);
        self.edges.remove(source, centre);
        self.scratch = Scratch { sources, targets };
        self.isolate_if_off_all_paths(centre);
        true
    }

    /// Multiplies an edge with those to its source.
    fn eliminate_back(&mut self, centre: usize, target: usize) -> bool {
        let Some(label) = self.edges.label(centre, target).filter(|_| self.roles[centre] == Role::Intermediate) else {
            return false;
        };
        let Scratch { mut sources, targets } = std::mem::take(&mut self.scratch);
        let count = self.edges.read_sources(centre, &mut sources);
        for &source in &sources[..count] {
            self.accumulate(source, centre, &[(target, label)]);
        }
        self.edges.remove(centre, target);
        self.scratch = Scratch { sources, targets };
        self.isolate_if_off_all_paths(centre);
        true
    }

    /// Multiplies the edge from `source` to `centre` with edges from there.
    fn accumulate(&mut self, source: usize, centre: usize, targets: &[(usize, A::Label)]) {
        let Some(first) = self.edges.label(source, centre) else { return };
        let mut at = 0;
        while at < targets.len() {
            let (target, second) = targets[at];
            let ends = Ends { source: VertexId(source as u32), target: VertexId(target as u32) };
            if let Some(addend) = self.edges.label(source, target) {
                let label = self.arithmetic.absorb(addend, first, second, ends);
                self.edges.set_label(source, target, label);
            } else {
                let label = self.arithmetic.product(first, second, ends);
                self.edges.add(source, target, label);
            }
            at += 1;
        }
    }

    /// A vertex without sources, or without targets, is eliminated by the removal of its edges.
    fn isolate_if_off_all_paths(&mut self, vertex: usize) {
        if self.edges.is_off_all_paths(vertex) {
            self.eliminate_vertex(vertex);
        }
    }
}

impl<A: Reversible> State<A> {
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
