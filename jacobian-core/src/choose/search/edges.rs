//! The labelled edges of a graph in the middle of an elimination, and how they were before each change.
//!
//! They are a matrix of labels, with a bit for each label that is there, in plain slices: a search looks at edges a million
//! times without optimization, where a look at a slice is a few instructions, and every method of a collection some calls.

use super::slices::{extend, filled, words};
use crate::graph::program::LabelId;
use crate::graph::{Graph, VertexId};

/// The most vertices of a graph that is searched: the matrix takes 36 megabytes or more for so many.
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
}

/// What has happened to an edge.
#[derive(Copy, Clone, Default)]
struct Change<L> {
    kind: Kind,
    source: u32,
    target: u32,
    /// The label that it had, if it was there.
    label: L,
}

#[derive(Copy, Clone, Default)]
enum Kind {
    #[default]
    Added,
    Labelled,
    Removed,
}

impl<L: Copy + Default> Edges<L> {
    /// The edges of `graph`, which has [`MAX_VERTICES`] vertices at most.
    pub fn new(graph: &Graph, given: impl Fn(LabelId) -> L) -> Self {
        let size = graph.vertex_count();
        let mut edges = Edges {
            size,
            labels: filled(L::default(), size * size),
            outgoing: Sets::new(size),
            incoming: Sets::new(size),
            trail: filled(Change::default(), 2 * size),
            changes: 0,
        };
        for edge in graph.vertices().flat_map(|vertex| graph.outgoing(vertex)).map(|&edge| graph.edge(edge)) {
            edges.put(edge.source.index(), edge.target.index(), given(edge.label));
        }
        edges
    }

    /// The targets of the edges from a vertex, in order, with the labels.
    pub fn outgoing(&self, source: VertexId) -> impl Iterator<Item = (VertexId, L)> + '_ {
        let (source, mut behind) = (source.index(), 0);
        (0..self.outgoing.counts[source]).map(move |_| {
            let target = self.outgoing.next(source, behind);
            behind = target + 1;
            (VertexId(target as u32), self.labels[source * self.size + target])
        })
    }

    /// The label of the edge between two vertices, if there is one.
    #[inline(always)]
    pub fn label(&self, source: usize, target: usize) -> Option<L> {
        if self.outgoing.has(source, target) { Some(self.labels[source * self.size + target]) } else { None }
    }

    /// Writes the targets of the edges from a vertex, with the labels, and returns their number.
    pub fn read_targets(&self, source: usize, targets: &mut [(usize, L)]) -> usize {
        let (count, mut at, mut behind) = (self.outgoing.counts[source] as usize, 0, 0);
        while at < count {
            let target = self.outgoing.next(source, behind);
            targets[at] = (target, self.labels[source * self.size + target]);
            at += 1;
            behind = target + 1;
        }
        count
    }

    /// Writes the sources of the edges to a vertex, and returns their number.
    pub fn read_sources(&self, target: usize, sources: &mut [usize]) -> usize {
        let (count, mut at, mut behind) = (self.incoming.counts[target] as usize, 0, 0);
        while at < count {
            let source = self.incoming.next(target, behind);
            sources[at] = source;
            at += 1;
            behind = source + 1;
        }
        count
    }

    /// The words of a set of vertices.
    pub fn words(&self) -> usize {
        self.outgoing.words
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
    pub fn is_off_all_paths(&self, vertex: usize) -> bool {
        self.incoming.counts[vertex] == 0 || self.outgoing.counts[vertex] == 0
    }

    /// Adds an edge, which is not there, and writes that down.
    #[inline(always)]
    pub fn add(&mut self, source: usize, target: usize, label: L) {
        self.write_down(Kind::Added, source, target);
        self.put(source, target, label);
    }

    /// Changes the label of an edge, which is there, and writes down what it was.
    #[inline(always)]
    pub fn set_label(&mut self, source: usize, target: usize, label: L) {
        self.write_down(Kind::Labelled, source, target);
        self.labels[source * self.size + target] = label;
    }

    /// Removes an edge, which is there, and writes down what it was.
    #[inline(always)]
    pub fn remove(&mut self, source: usize, target: usize) {
        self.write_down(Kind::Removed, source, target);
        self.take(source, target);
    }

    /// The number of changes.
    pub fn changes(&self) -> usize {
        self.changes
    }

    /// Takes back all but so many changes.
    pub fn reset(&mut self, changes: usize) {
        while self.changes > changes {
            self.changes -= 1;
            let Change { kind, source, target, label } = self.trail[self.changes];
            let (source, target) = (source as usize, target as usize);
            match kind {
                Kind::Added => self.take(source, target),
                Kind::Labelled => self.labels[source * self.size + target] = label,
                Kind::Removed => self.put(source, target, label),
            }
        }
    }

    #[inline(always)]
    fn put(&mut self, source: usize, target: usize, label: L) {
        self.labels[source * self.size + target] = label;
        self.outgoing.insert(source, target);
        self.incoming.insert(target, source);
    }

    #[inline(always)]
    fn take(&mut self, source: usize, target: usize) {
        self.outgoing.remove(source, target);
        self.incoming.remove(target, source);
    }

    #[inline(always)]
    fn write_down(&mut self, kind: Kind, source: usize, target: usize) {
        if self.changes == self.trail.len() {
            extend(&mut self.trail);
        }
        let label = self.labels[source * self.size + target];
        self.trail[self.changes] = Change { kind, source: source as u32, target: target as u32, label };
        self.changes += 1;
    }
}

/// A set of vertices for every vertex, as bits.
struct Sets {
    /// The words of a set.
    words: usize,
    bits: Box<[u64]>,
    /// The number of members.
    counts: Box<[u32]>,
}

impl Sets {
    fn new(size: usize) -> Self {
        let words = words(size);
        Sets { words, bits: vec![0; size * words].into(), counts: vec![0; size].into() }
    }

    fn set(&self, set: usize) -> &[u64] {
        &self.bits[set * self.words..(set + 1) * self.words]
    }

    #[inline(always)]
    fn has(&self, set: usize, member: usize) -> bool {
        self.bits[set * self.words + (member >> 6)] & 1 << (member & 63) != 0
    }

    /// Inserts a member, which is not there.
    #[inline(always)]
    fn insert(&mut self, set: usize, member: usize) {
        self.bits[set * self.words + (member >> 6)] |= 1 << (member & 63);
        self.counts[set] += 1;
    }

    /// Removes a member, which is there.
    #[inline(always)]
    fn remove(&mut self, set: usize, member: usize) {
        self.bits[set * self.words + (member >> 6)] &= !(1 << (member & 63));
        self.counts[set] -= 1;
    }

    /// The first member from `member` on, of which there is one.
    fn next(&self, set: usize, member: usize) -> usize {
        let (start, mut word) = (set * self.words, member >> 6);
        let mut rest = self.bits[start + word] & !0 << (member & 63);
        while rest == 0 {
            word += 1;
            rest = self.bits[start + word];
        }
        word << 6 | rest.trailing_zeros() as usize
    }
}
