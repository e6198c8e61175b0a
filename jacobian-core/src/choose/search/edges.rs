//! The labelled edges of a graph in the middle of an elimination, and how they were before each change.
//!
//! They are a matrix of labels, with a bit for each label that is there, in plain slices: a search reads edges a
//! million times without optimization, where a look at a slice is a few instructions, and every method of a collection
//! some calls.

use crate::bits::Sets;
use crate::graph::program::{Ends, LabelId};
use crate::graph::{Edge, Graph, VertexId};
use crate::slices::{extend, filled};

/// The most vertices of a graph that is searched: the matrix takes 36 megabytes or more for this many.
pub const MAX_VERTICES: usize = 3_000;

/// Labelled edges.
pub struct Edges<L> {
    size: usize,
    /// By source and target; where there is no edge, anything.
    labels: Box<[L]>,
    /// By source, the targets.
    outgoing: Sets,
    /// By target, the sources.
    incoming: Sets,
    /// The changes in order, and room for more.
    trail: Box<[Change<L>]>,
    changes: usize,
    start: Start<L>,
}

/// The edges that were there at first.
struct Start<L> {
    edges: Box<[(Ends, L)]>,
    outgoing: Sets,
    incoming: Sets,
}

/// What has happened to an edge.
#[derive(Copy, Clone, Default)]
struct Change<L> {
    kind: ChangeKind,
    ends: Ends,
    /// The label that it had, if it was there.
    label: L,
}

#[derive(Copy, Clone, Default)]
enum ChangeKind {
    #[default]
    Added,
    Labelled,
    Removed,
}

impl<L: Copy + Default> Edges<L> {
    /// The edges of `graph`, which has [`MAX_VERTICES`] vertices at most.
    pub fn new(graph: &Graph, given: impl Fn(LabelId) -> L) -> Self {
        let size = graph.vertex_count();
        let edges = graph.vertices().flat_map(|vertex| graph.outgoing(vertex)).map(|&edge| graph.edge(edge));
        let edges: Box<[_]> =
            edges.map(|Edge { source, target, label }| (Ends { source, target }, given(label))).collect();
        let mut sets = [Sets::new(size, size), Sets::new(size, size)];
        for (ends, _) in &edges {
            sets[0].insert(ends.source.index(), ends.target.index());
            sets[1].insert(ends.target.index(), ends.source.index());
        }
        let [outgoing, incoming] = sets;
        let mut edges = Edges {
            size,
            labels: filled(L::default(), size * size),
            outgoing: outgoing.clone(),
            incoming: incoming.clone(),
            trail: filled(Change::default(), 2 * size),
            changes: 0,
            start: Start { edges, outgoing, incoming },
        };
        edges.restart();
        edges
    }

    /// Takes back all changes, at once.
    fn restart(&mut self) {
        self.changes = 0;
        self.outgoing.copy_from(&self.start.outgoing);
        self.incoming.copy_from(&self.start.incoming);
        let mut at = 0;
        while at < self.start.edges.len() {
            let (ends, label) = self.start.edges[at];
            self.labels[ends.source.index() * self.size + ends.target.index()] = label;
            at += 1;
        }
    }

    /// Whether there is an edge.
    #[inline(always)]
    pub fn has(&self, edge: Ends) -> bool {
        self.outgoing.has(edge.source.index(), edge.target.index())
    }

    /// The label of an edge, which is there.
    #[inline(always)]
    pub fn label(&self, edge: Ends) -> L {
        self.labels[edge.source.index() * self.size + edge.target.index()]
    }

    /// Lists the edges from a vertex, by their targets, and returns their number.
    pub fn list_outgoing(&self, source: VertexId, edges: &mut [Ends]) -> usize {
        // (Targets have higher numbers.)
        let (count, mut at, mut after) = (self.outgoing.count(source.index()), 0, source.index());
        while at < count {
            let target = self.outgoing.next(source.index(), after);
            edges[at] = Ends { source, target: VertexId(target as u32) };
            at += 1;
            after = target + 1;
        }
        count
    }

    /// Lists the edges to a vertex, by their sources, and returns their number.
    pub fn list_incoming(&self, target: VertexId, edges: &mut [Ends]) -> usize {
        let (count, mut at, mut after) = (self.incoming.count(target.index()), 0, 0);
        while at < count {
            let source = self.incoming.next(target.index(), after);
            edges[at] = Ends { source: VertexId(source as u32), target };
            at += 1;
            after = source + 1;
        }
        count
    }

    /// The words of a set of vertices.
    pub fn words(&self) -> usize {
        self.outgoing.words()
    }

    /// Writes the set of the targets of the edges from a vertex.
    pub fn copy_targets(&self, source: usize, set: &mut [u64]) {
        set.copy_from_slice(self.outgoing.set(source));
    }

    /// Writes the set of the sources of the edges to a vertex.
    pub fn copy_sources(&self, target: usize, set: &mut [u64]) {
        set.copy_from_slice(self.incoming.set(target));
    }

    /// Whether no edge leads to a vertex, or none from it.
    #[inline(always)]
    pub fn is_off_all_paths(&self, vertex: VertexId) -> bool {
        self.incoming.count(vertex.index()) == 0 || self.outgoing.count(vertex.index()) == 0
    }

    /// Adds an edge, which is not there, and writes that down.
    #[inline(always)]
    pub fn add(&mut self, edge: Ends, label: L) {
        self.write_down(ChangeKind::Added, edge, L::default());
        self.put(edge, label);
    }

    /// Changes the label of an edge, which is there, and writes down what it was.
    #[inline(always)]
    pub fn set_label(&mut self, edge: Ends, label: L) {
        let place = edge.source.index() * self.size + edge.target.index();
        self.write_down(ChangeKind::Labelled, edge, self.labels[place]);
        self.labels[place] = label;
    }

    /// Removes an edge, which is there, and writes down what it was.
    pub fn remove(&mut self, edge: Ends) {
        self.write_down(ChangeKind::Removed, edge, self.label(edge));
        self.take(edge);
    }

    /// Removes every edge at a vertex.
    pub fn isolate(&mut self, vertex: VertexId) {
        let (mut left, mut after) = (self.incoming.count(vertex.index()), 0);
        while left > 0 {
            let source = self.incoming.next(vertex.index(), after);
            self.remove(Ends { source: VertexId(source as u32), target: vertex });
            left -= 1;
            after = source + 1;
        }
        (left, after) = (self.outgoing.count(vertex.index()), vertex.index());
        while left > 0 {
            let target = self.outgoing.next(vertex.index(), after);
            self.remove(Ends { source: vertex, target: VertexId(target as u32) });
            left -= 1;
            after = target + 1;
        }
    }

    /// The number of changes.
    pub fn changes(&self) -> usize {
        self.changes
    }

    /// Takes back all but this many changes.
    pub fn reset(&mut self, changes: usize) {
        if changes == 0 {
            self.restart();
        }
        while self.changes > changes {
            self.changes -= 1;
            let Change { kind, ends, label } = self.trail[self.changes];
            match kind {
                ChangeKind::Added => self.take(ends),
                ChangeKind::Labelled => self.labels[ends.source.index() * self.size + ends.target.index()] = label,
                ChangeKind::Removed => self.put(ends, label),
            }
        }
    }

    #[inline(always)]
    fn put(&mut self, edge: Ends, label: L) {
        let (source, target) = (edge.source.index(), edge.target.index());
        self.labels[source * self.size + target] = label;
        self.outgoing.insert(source, target);
        self.incoming.insert(target, source);
    }

    #[inline(always)]
    fn take(&mut self, edge: Ends) {
        let (source, target) = (edge.source.index(), edge.target.index());
        self.outgoing.remove(source, target);
        self.incoming.remove(target, source);
    }

    #[inline(always)]
    fn write_down(&mut self, kind: ChangeKind, ends: Ends, label: L) {
        if self.changes == self.trail.len() {
            extend(&mut self.trail);
        }
        self.trail[self.changes] = Change { kind, ends, label };
        self.changes += 1;
    }
}
