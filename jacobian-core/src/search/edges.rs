//! The labelled edges of a graph in the middle of an elimination, and how they were before each change.
//!
//! They are a matrix of labels, with a bit for each label that is there, in plain slices: a search looks at edges a million
//! times without optimization, where a look at a slice is a few instructions, and every method of a collection some calls.

use super::touched::words;
use crate::graph::{Graph, VertexId};
use crate::program::LabelId;

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

/// An edge as it was before it changed.
#[derive(Copy, Clone, Default)]
struct Change<L> {
    source: u32,
    target: u32,
    was_there: bool,
    label: L,
}

impl<L: Copy + Default> Edges<L> {
    /// The edges of `graph`, which has [`MAX_VERTICES`] vertices at most.
    pub fn new(graph: &Graph, given: impl Fn(LabelId) -> L) -> Self {
        let size = graph.vertex_count();
        let mut edges = Edges {
            size,
            labels: vec![L::default(); size * size].into(),
            outgoing: Sets::new(size),
            incoming: Sets::new(size),
            trail: vec![Change::default(); 2 * size].into(),
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
        std::iter::from_fn(move || {
            let target = Some(self.outgoing.next(source, behind)).filter(|&target| target < self.size)?;
            behind = target + 1;
            Some((VertexId(target as u32), self.labels[source * self.size + target]))
        })
    }

    /// The label of the edge between two vertices, if there is one.
    #[inline(always)]
    pub fn label(&self, source: usize, target: usize) -> Option<L> {
        if self.outgoing.has(source, target) { Some(self.labels[source * self.size + target]) } else { None }
    }

    /// Writes the targets of the edges from a vertex, with the labels, and returns their number.
    pub fn read_targets(&self, source: usize, targets: &mut [(usize, L)]) -> usize {
        let (mut count, mut target) = (0, self.outgoing.next(source, 0));
        while target < self.size {
            targets[count] = (target, self.labels[source * self.size + target]);
            count += 1;
            target = self.outgoing.next(source, target + 1);
        }
        count
    }

    /// Writes the sources of the edges to a vertex, and returns their number.
    pub fn read_sources(&self, target: usize, sources: &mut [usize]) -> usize {
        let (mut count, mut source) = (0, self.incoming.next(target, 0));
        while source < self.size {
            sources[count] = source;
            count += 1;
            source = self.incoming.next(target, source + 1);
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
        self.incoming.next(vertex, 0) >= self.size || self.outgoing.next(vertex, 0) >= self.size
    }

    /// Sets the label of an edge, which may be new, and writes down what it was.
    #[inline(always)]
    pub fn set(&mut self, source: usize, target: usize, label: L) {
        self.write_down(source, target);
        self.put(source, target, label);
    }

    /// Removes an edge, which is there, and writes down what it was.
    #[inline(always)]
    pub fn remove(&mut self, source: usize, target: usize) {
        self.write_down(source, target);
        self.outgoing.remove(source, target);
        self.incoming.remove(target, source);
    }

    /// The number of changes.
    pub fn changes(&self) -> usize {
        self.changes
    }

    /// Takes back all but so many changes.
    pub fn reset(&mut self, changes: usize) {
        while self.changes > changes {
            self.changes -= 1;
            let Change { source, target, was_there, label } = self.trail[self.changes];
            let (source, target) = (source as usize, target as usize);
            if was_there {
                self.put(source, target, label);
            } else {
                self.outgoing.remove(source, target);
                self.incoming.remove(target, source);
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
    fn write_down(&mut self, source: usize, target: usize) {
        if self.changes == self.trail.len() {
            extend(&mut self.trail);
        }
        let was_there = self.outgoing.has(source, target);
        let label = self.labels[source * self.size + target];
        self.trail[self.changes] = Change { source: source as u32, target: target as u32, was_there, label };
        self.changes += 1;
    }
}

/// Makes room for as much again.
pub fn extend<T: Copy + Default>(slice: &mut Box<[T]>) {
    let mut longer = vec![T::default(); 2 * slice.len() + 16];
    longer[..slice.len()].copy_from_slice(slice);
    *slice = longer.into();
}

/// A set of vertices for every vertex, as bits.
struct Sets {
    /// The words of a set.
    words: usize,
    bits: Box<[u64]>,
}

impl Sets {
    fn new(size: usize) -> Self {
        let words = words(size);
        Sets { words, bits: vec![0; size * words].into() }
    }

    fn set(&self, set: usize) -> &[u64] {
        &self.bits[set * self.words..(set + 1) * self.words]
    }

    #[inline(always)]
    fn has(&self, set: usize, member: usize) -> bool {
        self.bits[set * self.words + (member >> 6)] & 1 << (member & 63) != 0
    }

    #[inline(always)]
    fn insert(&mut self, set: usize, member: usize) {
        self.bits[set * self.words + (member >> 6)] |= 1 << (member & 63);
    }

    #[inline(always)]
    fn remove(&mut self, set: usize, member: usize) {
        self.bits[set * self.words + (member >> 6)] &= !(1 << (member & 63));
    }

    /// The first member from `member` on, or a number that is none's.
    fn next(&self, set: usize, member: usize) -> usize {
        let (start, mut word) = (set * self.words, member >> 6);
        let mut rest = self.bits[start + word] & !0 << (member & 63);
        while rest == 0 {
            word += 1;
            if word == self.words {
                return usize::MAX;
            }
            rest = self.bits[start + word];
        }
        word << 6 | rest.trailing_zeros() as usize
    }
}
