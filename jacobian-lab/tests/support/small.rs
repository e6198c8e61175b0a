//! Small graphs: by their edges, and as sets of bits, with all that elimination makes of them.

use std::collections::BTreeSet;

use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::program::LabelKind;
use jacobian_lab::represent::By;

/// A graph with this many independents, then intermediates, then dependents, and these edges between them by number.
pub fn graph(sizes: [usize; 3], edges: &[(u32, u32)]) -> Graph {
    let mut graph = Graph::default();
    let roles = [Role::Independent, Role::Intermediate, Role::Dependent];
    for (role, size) in roles.into_iter().zip(sizes) {
        for _ in 0..size {
            graph.add_vertex(role);
        }
    }
    for &(source, target) in edges {
        graph.add_edge(VertexId(source), VertexId(target), LabelKind::Variable);
    }
    graph
}

/// A graph of eight vertices at most: independents, then intermediates, then dependents.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Small {
    sizes: [usize; 3],
    /// A bit for each edge, at eight times the source and the target.
    bits: u64,
}

/// Every graph of these sizes in which no vertex is alone and all intermediates are on paths, of which `step` divides
/// the number.
pub fn all_graphs(sizes: [usize; 3], step: usize) -> impl Iterator<Item = Small> {
    let [independents, intermediates, _] = sizes;
    let inner = independents + intermediates;
    let pairs = (0..inner).flat_map(|source| (source + 1..sizes.iter().sum()).map(move |target| (source, target)));
    let pairs: Vec<_> = pairs.filter(|&(_, target)| target >= independents).collect();
    let graph = move |number: u64| {
        let edges = pairs.iter().enumerate().filter(|(place, _)| number >> place & 1 == 1);
        edges.fold(Small { sizes, bits: 0 }, |graph, (_, &(source, target))| graph.with(source, target))
    };
    let count =
        1_u64 << (0..inner).map(|source| sizes.iter().sum::<usize>() - independents.max(source + 1)).sum::<usize>();
    (0..count).step_by(step).map(graph).filter(Small::is_whole)
}

impl Small {
    /// A graph of the engine.
    pub fn new(sizes: [usize; 3], graph: &Graph) -> Small {
        let ends = graph.vertices().flat_map(|source| graph.successors(source).map(move |target| (source, target)));
        ends.fold(Small { sizes, bits: 0 }, |small, (source, target)| small.with(source.index(), target.index()))
    }

    pub fn graph(&self) -> Graph {
        let edges: Vec<_> = self.pairs().map(|(source, target)| (source as u32, target as u32)).collect();
        graph(self.sizes, &edges)
    }

    pub fn edges(&self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Those that have edges.
    pub fn intermediates(&self) -> usize {
        self.inner().filter(|&vertex| self.successors(vertex) != 0).count()
    }

    /// All graphs that elimination reaches, by trying all sequences.
    pub fn reached(self, by: By) -> BTreeSet<Small> {
        let mut reached = BTreeSet::from([self]);
        let mut stack = vec![self];
        while let Some(graph) = stack.pop() {
            let next = match by {
                By::Vertices => graph.inner().map(|vertex| graph.without_vertex(vertex)).collect(),
                By::Edges => graph.without_edges(),
            };
            stack.extend(next.into_iter().filter(|&next| reached.insert(next)));
        }
        reached
    }

    fn inner(self) -> std::ops::Range<usize> {
        self.sizes[0]..self.sizes[0] + self.sizes[1]
    }

    fn is_whole(&self) -> bool {
        let has_source = |target| (0..target).any(|source| self.successors(source) >> target & 1 == 1);
        let [independents, intermediates, dependents] = self.sizes;
        let inner = independents + intermediates;
        (0..inner).all(|vertex| self.successors(vertex) != 0) && (independents..inner + dependents).all(has_source)
    }

    fn pairs(self) -> impl Iterator<Item = (usize, usize)> {
        (0..64).filter(move |bit| self.bits >> bit & 1 == 1).map(|bit| (bit / 8, bit % 8))
    }

    fn successors(&self, vertex: usize) -> u64 {
        self.bits >> (8 * vertex) & 0xff
    }

    fn with(self, source: usize, target: usize) -> Small {
        Small { bits: self.bits | 1 << (8 * source + target), ..self }
    }

    fn without(self, source: usize, target: usize) -> Small {
        Small { bits: self.bits & !(1 << (8 * source + target)), ..self }
    }

    fn without_edges(self) -> Vec<Small> {
        let front = self.pairs().filter(|(_, target)| self.inner().contains(target));
        let back = self.pairs().filter(|(source, _)| self.inner().contains(source));
        let front = front.map(|(source, target)| self.front(source, target));
        front.chain(back.map(|(source, target)| self.back(source, target))).collect()
    }

    fn without_vertex(self, vertex: usize) -> Small {
        let incoming = self.pairs().filter(|&(_, target)| target == vertex);
        incoming.fold(self, |graph, (source, _)| graph.front(source, vertex))
    }

    /// The graph without an edge, eliminated from the front, and without those from its target if no other leads there.
    fn front(self, source: usize, target: usize) -> Small {
        let bits = self.bits | self.successors(target) << (8 * source);
        let next = Small { bits, ..self }.without(source, target);
        let is_left = next.pairs().any(|(_, other)| other == target);
        if is_left { next } else { Small { bits: next.bits & !(0xff << (8 * target)), ..next } }
    }

    /// The same from the back.
    fn back(self, source: usize, target: usize) -> Small {
        let incoming = || self.pairs().filter(|&(_, other)| other == source);
        let next = incoming().fold(self, |graph, (above, _)| graph.with(above, target)).without(source, target);
        match next.successors(source) {
            0 => incoming().fold(next, |graph, (above, _)| graph.without(above, source)),
            _ => next,
        }
    }
}
