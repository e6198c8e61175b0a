//! The path graph (Lyons, "A new graph construction for the optimal Jacobian accumulation problem"): what a linearized
//! computational graph says of the Jacobian, without the order of the labels along a path.
//!
//! Its *vertices* are labels. Each entry of the Jacobian has a set of *cliques*, one for every path: the labels along
//! it. So an entry is a polynomial, the sum over its cliques of the products of their vertices (Bauer's formula). Two
//! vertices are joined by an *edge* where some clique holds both. Three operations change the cliques and keep the
//! polynomials:
//!
//! - The *contraction* of an edge `{a, b}` puts the product `ab` in the place of `a` and `b` in every clique that holds
//!   both: one multiplication, however many cliques there are. The sum over all cliques of their vertices less one
//!   decreases with each. (The number of edges need not.)
//! - The *clique merge*: two vertices `u` and `w` such that an entry has the cliques `R + u` and `R + w` give way there
//!   to their sum, in the one clique `R + (u + w)`, provided that this is so for every clique of `u` or for every
//!   clique of `w`. One of them, at least, is gone then, and no product has to be formed twice. The paper asks this of
//!   the product `ab` of the last contraction, and has it that `u` and `w` are both gone then (rule 1, lemma 1). But
//!   one of them may stay in other cliques, and `a` or `b` may get a partner as it leaves some of its own.
//! - The *simple vertex merge*: two vertices whose labels are equal become one, provided that no clique holds both and
//!   that no two cliques of an entry become the same. (A clique has no vertex twice, an entry no clique twice: sets
//!   keep no count, and a square or a double would be lost.)
//!
//! Of a label that is another with the other sign the vertex has that other, and the sign is its cliques': each is added
//! to its entry or subtracted. So two such labels are equal to all that merges vertices, and a clique merge gives
//! `u + w` or `u - w`, provided that it is the same for all the cliques that it takes. (The paper knows no signs.)
//!
//! Neither a contraction nor a clique merge makes two cliques of an entry the same: the new vertex is in no other.
//!
//! Where every entry has one path, no label is on it twice, and equal labels are one vertex, nothing merges any
//! more. What is left to choose are the contractions, and to choose the fewest is *ensemble computation* (Garey and
//! Johnson; theorem 1 of the paper): the cliques are sets, each of which is to be put together from single elements by
//! unions of two disjoint sets, where a set that has been made may be used as often as it occurs. That is NP-complete.
//!
//! A copy ([`LabelKind::Copy`]) is the factor one, and is left out of the cliques, except where it is all there is.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use jacobian_list::modular::{Modular, scramble};

use crate::error::Error;
use crate::graph::program::{Ends, Entry, LabelId, LabelKind, Program};
use crate::graph::{Edge, EdgeId, Graph, Role, VertexId};

/// The most pairs of labels on a path, summed over all paths, a label with itself included: what the construction takes
/// time and memory for. The number of paths may grow exponentially with the number of edges.
pub const MAX_PAIRS: usize = 100_000;

/// The paths of a graph have more than [`MAX_PAIRS`] pairs of labels.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TooManyPaths;

impl From<TooManyPaths> for Error {
    fn from(TooManyPaths: TooManyPaths) -> Self {
        Error::TooManyPaths { limit: MAX_PAIRS }
    }
}

/// A vertex of the path graph. Those that stand for edges of the graph come first, in topological order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathVertex(pub u32);

impl PathVertex {
    /// The number, to index with.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge of the path graph. One that is gone gives its number to none.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathEdge(pub u32);

impl PathEdge {
    /// The number, to index with.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is at a vertex.
#[derive(Clone, Debug)]
struct Factor {
    label: LabelId,
    /// The cliques that hold the vertex, in order. A vertex in no clique is gone.
    cliques: Vec<usize>,
    /// The numbers of the first and of the last edge of the graph whose labels are in it.
    span: (u32, u32),
    /// The ends of its paths, where it has no gaps and is in one place of the graph.
    ends: Option<Ends>,
    /// Its polynomial in the labels, modulo a prime at a random point: equal for equal polynomials.
    fingerprint: u64,
}

/// Two vertices that some clique holds.
#[derive(Clone, Debug)]
struct Joined {
    ends: (PathVertex, PathVertex),
    /// The number of cliques that hold both. An edge in none is gone.
    cliques: usize,
}

/// The cliques of an entry of the Jacobian.
#[derive(Clone, Debug)]
struct EntrySet {
    row: VertexId,
    column: VertexId,
    /// Their numbers.
    cliques: Range<usize>,
}

/// A vertex that stands in the place of another in a clique of the same entry, and whether the two cliques have
/// different signs.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Partner {
    vertex: PathVertex,
    is_opposite: bool,
}

/// A clique with another vertex in the place of some, and that vertex.
struct Alternative {
    clique: usize,
    partner: Partner,
}

/// What the last contraction changed.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// The edges that are in more or fewer cliques, new ones and those that are gone included; some of them repeatedly.
    pub edges: Vec<PathEdge>,
    /// The vertices that are in more or fewer cliques; some of them repeatedly.
    pub vertices: Vec<PathVertex>,
    /// The cliques that are others, and what they were before; some of them repeatedly.
    pub cliques: Vec<(usize, Vec<PathVertex>)>,
}

/// The path graph.
#[derive(Clone, Debug)]
pub struct PathGraph {
    /// The edges of the graph, in order: those that the first vertices stood for.
    given: Vec<Ends>,
    factors: Vec<Factor>,
    /// The vertices of each clique, in order; none where it has been merged into another.
    cliques: Vec<Vec<PathVertex>>,
    /// By clique: whether it is subtracted from its entry.
    are_negative: Vec<bool>,
    /// By clique: the number of its entry.
    entry_of: Vec<usize>,
    entries: Vec<EntrySet>,
    edges: Vec<Joined>,
    /// By the ends, the lesser first.
    numbers: HashMap<(PathVertex, PathVertex), PathEdge>,
    /// The number of edges that are not gone.
    edge_count: usize,
    /// Whether no vertices have been merged as equal, and no copies left out.
    is_plain: bool,
    changes: Changes,
}

impl PathGraph {
    /// The path graph of `graph`. Labels that edges of `graph` share become one vertex where that is a simple vertex
    /// merge, and cliques that merge without a contraction are merged, in `program`.
    ///
    /// # Errors
    /// Where `graph` has too many paths.
    pub fn new(graph: &Graph, program: &mut Program) -> Result<Self, TooManyPaths> {
        let mut graph = graph.clone();
        graph.prune();
        let mut path_graph = PathGraph::empty(&graph);
        let copies: Vec<_> =
            path_graph.factors.iter().map(|factor| program.kind(factor.label) == LabelKind::Copy).collect();
        path_graph.is_plain = !copies.contains(&true);
        let numbers = vertex_numbers(&graph);
        let is_negative = |edge: &&EdgeId| graph.opposite(graph.edge(**edge).label).is_some();
        for (row, entries) in graph.vertices().zip(paths(&graph)?) {
            for (column, paths) in entries {
                let cliques =
                    paths.iter().map(|path| path.iter().map(|edge| numbers[edge.index()]).collect()).collect();
                path_graph.add_entry(row, column, without_copies(cliques, &copies));
                let signs = paths.iter().map(|path| path.iter().filter(is_negative).count() % 2 == 1);
                path_graph.are_negative.extend(signs);
            }
        }
        path_graph.merge_equal_labels();
        path_graph.merge_cliques(path_graph.vertices().rev().collect(), program);
        path_graph.finish(program);
        Ok(path_graph)
    }

    /// The vertices for the edges of `graph`, without cliques.
    fn empty(graph: &Graph) -> Self {
        let edges = || graph.vertices().flat_map(|vertex| graph.outgoing(vertex)).map(|&edge| graph.edge(edge));
        let ends = |edge: Edge| Ends { source: edge.source, target: edge.target };
        let factors = edges().zip(0..).map(|(edge, number)| Factor {
            label: graph.opposite(edge.label).unwrap_or(edge.label),
            cliques: Vec::new(),
            span: (number, number),
            ends: Some(ends(edge)),
            fingerprint: scramble(u64::from(number)),
        });
        PathGraph {
            given: edges().map(ends).collect(),
            factors: factors.collect(),
            cliques: Vec::new(),
            are_negative: Vec::new(),
            entry_of: Vec::new(),
            entries: Vec::new(),
            edges: Vec::new(),
            numbers: HashMap::new(),
            edge_count: 0,
            is_plain: true,
            changes: Changes::default(),
        }
    }

    fn add_entry(&mut self, row: VertexId, column: VertexId, cliques: Vec<Vec<PathVertex>>) {
        let start = self.cliques.len();
        for clique in cliques {
            for (place, &vertex) in clique.iter().enumerate() {
                self.factors[vertex.index()].cliques.push(self.cliques.len());
                for &earlier in &clique[..place] {
                    self.join(earlier, vertex);
                }
            }
            self.cliques.push(clique);
            self.entry_of.push(self.entries.len());
        }
        self.entries.push(EntrySet { row, column, cliques: start..self.cliques.len() });
    }

    /// All vertices, those that are gone included.
    fn vertices(&self) -> impl DoubleEndedIterator<Item = PathVertex> + use<> {
        (0..self.factors.len() as u32).map(PathVertex)
    }

    /// The edges.
    pub fn edges(&self) -> impl Iterator<Item = PathEdge> + '_ {
        (0..self.edges.len() as u32).map(PathEdge).filter(|&edge| self.has(edge))
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edge_count
    }

    /// Whether an edge is not gone.
    pub fn has(&self, edge: PathEdge) -> bool {
        self.multiplicity(edge) > 0
    }

    /// The number of cliques that hold both ends of an edge.
    pub fn multiplicity(&self, edge: PathEdge) -> usize {
        self.edges[edge.index()].cliques
    }

    /// The ends of an edge, that which begins earlier in the graph first.
    pub fn ends(&self, edge: PathEdge) -> (PathVertex, PathVertex) {
        let (a, b) = self.edges[edge.index()].ends;
        if self.span(b) < self.span(a) { (b, a) } else { (a, b) }
    }

    /// The edge between two vertices, if there is one.
    pub fn find_edge(&self, a: PathVertex, b: PathVertex) -> Option<PathEdge> {
        self.numbers.get(&(a.min(b), a.max(b))).copied().filter(|&edge| self.has(edge))
    }

    /// The edges of the graph for which the first vertices stood, by their sources, then targets. The other vertices
    /// stand for the products and sums, in the order in which they were formed.
    pub fn given(&self) -> &[Ends] {
        &self.given
    }

    /// The label at a vertex: that of its edges, or the one that this is with the other sign.
    pub fn label(&self, vertex: PathVertex) -> LabelId {
        self.factors[vertex.index()].label
    }

    /// The cliques that hold a vertex.
    pub fn cliques_of(&self, vertex: PathVertex) -> &[usize] {
        &self.factors[vertex.index()].cliques
    }

    /// The polynomial of a vertex in the labels, modulo 2^61 - 1 at a random point: the same for equal polynomials, and
    /// for about one in 2^60 pairs of different ones.
    pub fn fingerprint(&self, vertex: PathVertex) -> u64 {
        self.factors[vertex.index()].fingerprint
    }

    /// Whether no vertices have been merged as equal, and no copies left out. Then every clique stood for a whole path,
    /// and every vertex for one edge of the graph.
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// The numbers, in topological order, of the first and of the last edge of the graph whose labels are in a vertex.
    pub fn span(&self, vertex: PathVertex) -> (u32, u32) {
        self.factors[vertex.index()].span
    }

    /// The ends of the paths in the product of two vertices, the first before the second; none where it has gaps.
    pub fn joint_ends(&self, first: PathVertex, second: PathVertex) -> Option<Ends> {
        let (first, second) = (self.factors[first.index()].ends?, self.factors[second.index()].ends?);
        (first.target == second.source).then_some(Ends { source: first.source, target: second.target })
    }

    /// The vertex of the graph at which the two labels of an edge meet, if they do, and in one place only.
    pub fn centre(&self, edge: PathEdge) -> Option<VertexId> {
        let (first, second) = self.ends(edge);
        let (first, second) = (self.factors[first.index()].ends?, self.factors[second.index()].ends?);
        (first.target == second.source).then_some(first.target)
    }

    /// The vertices of a clique.
    pub fn clique(&self, clique: usize) -> &[PathVertex] {
        &self.cliques[clique]
    }

    /// Whether a clique is subtracted from its entry.
    pub fn is_negative(&self, clique: usize) -> bool {
        self.are_negative[clique]
    }

    /// Appends the edges between vertices of a clique.
    pub fn edges_in(&self, clique: usize, edges: &mut Vec<PathEdge>) {
        let vertices = self.clique(clique);
        for (place, &vertex) in vertices.iter().enumerate() {
            edges.extend(vertices[..place].iter().map(|&earlier| self.numbers[&(earlier, vertex)]));
        }
    }

    /// Appends the edges at a vertex.
    pub fn edges_at(&self, vertex: PathVertex, edges: &mut Vec<PathEdge>) {
        let mut neighbours = Vec::new();
        for &clique in self.cliques_of(vertex) {
            neighbours.extend_from_slice(self.clique(clique));
        }
        neighbours.sort_unstable();
        neighbours.dedup();
        self.edges_between(vertex, &neighbours, edges);
    }

    /// The number of entries that are not zero by structure.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Row and column of an entry.
    pub fn row_and_column(&self, entry: usize) -> (VertexId, VertexId) {
        (self.entries[entry].row, self.entries[entry].column)
    }

    /// The numbers of the cliques of an entry.
    pub fn cliques_of_entry(&self, entry: usize) -> impl Iterator<Item = usize> + '_ {
        self.entries[entry].cliques.clone().filter(|&clique| !self.cliques[clique].is_empty())
    }

    /// What the last contraction changed.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// The sum over all cliques of their vertices less one: the most contractions that can follow.
    pub fn excess(&self) -> usize {
        self.cliques.iter().map(|clique| clique.len().saturating_sub(1)).sum()
    }

    /// Contracts an edge, and merges what can be merged then.
    pub fn contract(&mut self, edge: PathEdge, program: &mut Program) {
        self.changes = Changes::default();
        let (first, second) = self.ends(edge);
        let ends = self.joint_ends(first, second);
        let label = program.product(self.label(first), self.label(second), ends);
        let product = self.add_vertex(first, second, label, ends, Modular::mul);
        for clique in self.common_cliques(edge) {
            self.replace(clique, &[first, second], product);
        }
        self.merge_cliques(vec![first, second, product], program);
        self.finish(program);
    }

    /// Whether all cliques of the product of the ends of an edge would merge with those of another vertex.
    pub fn would_merge(&self, edge: PathEdge) -> bool {
        let (first, second) = self.ends(edge);
        let taken = [first, second];
        let cliques = self.common_cliques(edge);
        let partners = |clique| self.alternatives(clique, &taken).map(|alternative| alternative.partner);
        let has = |clique, other| partners(clique).any(|partner| partner == other);
        partners(cliques[0]).any(|other| cliques[1..].iter().all(|&clique| has(clique, other)))
    }

    /// Appends the edges whose contraction makes, of a clique of the entry of `clique`, an alternative to `vertices`.
    pub fn edges_towards(&self, clique: usize, vertices: &[PathVertex], edges: &mut Vec<PathEdge>) {
        for other in self.cliques_of_entry(self.entry_of[clique]) {
            let others = self.clique(other);
            if others.len() != vertices.len() + 1 {
                continue;
            }
            let mut new = others.iter().copied().filter(|vertex| vertices.binary_search(vertex).is_err());
            match (new.next(), new.next(), new.next()) {
                (Some(vertex), None, None) => self.edges_between(vertex, vertices, edges),
                (Some(one), Some(two), None) => edges.push(self.numbers[&(one, two)]),
                _ => {}
            }
        }
    }

    /// Appends the edges between a vertex and some others.
    fn edges_between(&self, vertex: PathVertex, others: &[PathVertex], edges: &mut Vec<PathEdge>) {
        edges.extend(others.iter().filter_map(|&other| self.find_edge(vertex, other)));
    }

    /// The simple vertex merge of `other` into `kept`, whose labels must be equal. Whether it is one.
    pub fn merge_vertices(&mut self, kept: PathVertex, other: PathVertex) -> bool {
        let moved = self.cliques_of(other).to_vec();
        let is_simple = moved.iter().all(|&clique| {
            !self.cliques[clique].contains(&kept)
                && self.alternatives(clique, &[other]).all(|alternative| alternative.partner.vertex != kept)
        });
        self.is_plain &= !is_simple;
        if is_simple {
            for clique in moved {
                self.replace(clique, &[other], kept);
            }
            let factor = &self.factors[other.index()];
            let (span, ends) = (factor.span, factor.ends);
            let kept = &mut self.factors[kept.index()];
            kept.span = (kept.span.0.min(span.0), kept.span.1.max(span.1));
            kept.ends = kept.ends.filter(|&same| ends == Some(same));
        }
        is_simple
    }

    /// Merges every vertex into the first with the same label with which that is a simple vertex merge.
    fn merge_equal_labels(&mut self) {
        let mut different: HashMap<LabelId, Vec<PathVertex>> = HashMap::new();
        for vertex in self.vertices() {
            let others = different.entry(self.label(vertex)).or_default();
            if !others.iter().any(|&kept| self.merge_vertices(kept, vertex)) {
                others.push(vertex);
            }
        }
    }

    /// Merges cliques until none of the vertices that may have a partner has one. The last is tried first.
    ///
    /// A contraction can give a partner to the product alone, and to its factors, which are in fewer cliques than
    /// before.
    fn merge_cliques(&mut self, mut vertices: Vec<PathVertex>, program: &mut Program) {
        while let Some(vertex) = vertices.pop() {
            if let Some(partner) = self.partner(vertex) {
                let sum = self.merge_pair(vertex, partner, program);
                vertices.extend([vertex, partner.vertex, sum]);
            }
        }
    }

    /// The first vertex with which a vertex merges.
    fn partner(&self, vertex: PathVertex) -> Option<Partner> {
        let cliques = self.cliques_of(vertex);
        let mut meetings = Vec::new();
        for &clique in cliques {
            for alternative in self.alternatives(clique, &[vertex]) {
                meetings.push(alternative.partner);
            }
        }
        meetings.sort_unstable();
        let is_always = |meetings: &&[Partner]| {
            meetings.len() == cliques.len() || meetings.len() == self.cliques_of(meetings[0].vertex).len()
        };
        meetings.chunk_by(Partner::eq).find(is_always).map(|meetings| meetings[0])
    }

    /// The cliques of the same entry that have one other vertex in the place of `taken`.
    fn alternatives(&self, clique: usize, taken: &[PathVertex]) -> impl Iterator<Item = Alternative> + '_ {
        let rest: Vec<_> = self.cliques[clique].iter().copied().filter(|vertex| !taken.contains(vertex)).collect();
        let range = self.entries[self.entry_of[clique]].cliques.clone();
        // All of them hold every vertex of the rest, so the one in the fewest cliques, too.
        let rarest = rest.iter().map(|&vertex| within(self.cliques_of(vertex), &range)).min_by_key(|some| some.len());
        let everywhere = if rarest.is_none() { range } else { 0..0 };
        let candidates = rarest.unwrap_or_default().iter().copied().chain(everywhere);
        candidates.filter(move |&other| other != clique).filter_map(move |other| {
            let vertex = only_other(&self.cliques[other], &rest)?;
            let is_opposite = self.are_negative[clique] != self.are_negative[other];
            Some(Alternative { clique: other, partner: Partner { vertex, is_opposite } })
        })
    }

    /// Puts the sum or the difference of two vertices in their place wherever they are alternatives.
    fn merge_pair(&mut self, one: PathVertex, partner: Partner, program: &mut Program) -> PathVertex {
        let Partner { vertex: other, is_opposite } = partner;
        let ends = self.factors[one.index()].ends.filter(|&ends| self.factors[other.index()].ends == Some(ends));
        let (first, second) = if self.span(other) < self.span(one) { (other, one) } else { (one, other) };
        let sum = self.add_sum(first, second, is_opposite, ends, program);
        for clique in self.cliques_of(one).to_vec() {
            let alternative = self.alternatives(clique, &[one]).find(|alternative| alternative.partner == partner);
            if let Some(absorbed) = alternative {
                if first == other {
                    self.are_negative[clique] = self.are_negative[absorbed.clique];
                }
                self.remove(absorbed.clique);
                self.replace(clique, &[one], sum);
            }
        }
        sum
    }

    /// The vertex of `first + second`, or of `first - second`.
    fn add_sum(
        &mut self,
        first: PathVertex,
        second: PathVertex,
        is_difference: bool,
        ends: Option<Ends>,
        program: &mut Program,
    ) -> PathVertex {
        let (mut added, mut operation): (_, fn(u64, u64) -> u64) = (self.label(second), Modular::add);
        if is_difference {
            (added, operation) = (program.negation(added), |first, second| Modular::add(first, Modular::neg(second)));
        }
        let label = program.sum(self.label(first), added, ends);
        self.add_vertex(first, second, label, ends, operation)
    }

    /// Once no edge is left, adds up what is left of every entry, with its signs.
    fn finish(&mut self, program: &mut Program) {
        if self.edge_count > 0 {
            return;
        }
        for entry in 0..self.entries.len() {
            let (target, source) = self.row_and_column(entry);
            let mut cliques: Vec<_> = self.cliques_of_entry(entry).collect();
            // What is subtracted comes after what it is subtracted from.
            cliques.sort_by_key(|&clique| self.are_negative[clique]);
            for &absorbed in &cliques[1..] {
                let (one, other) = (self.cliques[cliques[0]][0], self.cliques[absorbed][0]);
                let is_opposite = self.are_negative[cliques[0]] != self.are_negative[absorbed];
                let sum = self.add_sum(one, other, is_opposite, Some(Ends { source, target }), program);
                self.remove(absorbed);
                self.replace(cliques[0], &[one], sum);
            }
            if std::mem::take(&mut self.are_negative[cliques[0]]) {
                let vertex = self.cliques[cliques[0]][0];
                let (label, ends) = (program.negation(self.label(vertex)), self.factors[vertex.index()].ends);
                let negation = self.add_vertex(vertex, vertex, label, ends, |of, _| Modular::neg(of));
                self.replace(cliques[0], &[vertex], negation);
            }
        }
    }

    /// The entries of the Jacobian, once no edge is left.
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |set: &EntrySet| {
            let vertex = self.cliques[set.cliques.clone()].iter().flatten().next();
            let vertex = *vertex.expect("an entry has a clique");
            Entry { row: set.row, column: set.column, label: self.label(vertex) }
        };
        self.entries.iter().map(entry).collect()
    }

    fn common_cliques(&self, edge: PathEdge) -> Vec<usize> {
        let (first, second) = self.ends(edge);
        let others = self.cliques_of(second);
        let is_common = |clique: &usize| others.binary_search(clique).is_ok();
        self.cliques_of(first).iter().copied().filter(is_common).collect()
    }

    fn add_vertex(
        &mut self,
        first: PathVertex,
        second: PathVertex,
        label: LabelId,
        ends: Option<Ends>,
        operation: fn(u64, u64) -> u64,
    ) -> PathVertex {
        let (one, other) = (&self.factors[first.index()], &self.factors[second.index()]);
        let factor = Factor {
            label,
            cliques: Vec::new(),
            span: (one.span.0.min(other.span.0), one.span.1.max(other.span.1)),
            ends,
            fingerprint: operation(one.fingerprint, other.fingerprint),
        };
        self.factors.push(factor);
        PathVertex(self.factors.len() as u32 - 1)
    }

    /// Puts `new` in the place of `old` in a clique that holds all of these, and `new` not.
    fn replace(&mut self, clique: usize, old: &[PathVertex], new: PathVertex) {
        let mut vertices = std::mem::take(&mut self.cliques[clique]);
        self.part(clique, &vertices, old);
        self.changes.cliques.push((clique, vertices.clone()));
        vertices.retain(|vertex| !old.contains(vertex));
        for &vertex in &vertices {
            self.join(vertex, new);
        }
        vertices.insert(vertices.partition_point(|&vertex| vertex < new), new);
        let cliques = &mut self.factors[new.index()].cliques;
        cliques.insert(cliques.partition_point(|&other| other < clique), clique);
        self.changes.vertices.push(new);
        self.cliques[clique] = vertices;
    }

    /// Removes a clique.
    fn remove(&mut self, clique: usize) {
        let vertices = std::mem::take(&mut self.cliques[clique]);
        self.part(clique, &vertices, &vertices);
        self.changes.cliques.push((clique, vertices));
    }

    /// Takes `leaving`, some of the `vertices` of a clique, out of it in all that is known of them.
    fn part(&mut self, clique: usize, vertices: &[PathVertex], leaving: &[PathVertex]) {
        for (place, &vertex) in leaving.iter().enumerate() {
            let cliques = &mut self.factors[vertex.index()].cliques;
            cliques.remove(cliques.partition_point(|&other| other < clique));
            self.changes.vertices.push(vertex);
            for &other in vertices {
                if other != vertex && !leaving[..place].contains(&other) {
                    self.unjoin(vertex, other);
                }
            }
        }
    }

    /// Counts one more clique that holds both vertices.
    fn join(&mut self, a: PathVertex, b: PathVertex) {
        let next = PathEdge(self.edges.len() as u32);
        let ends = (a.min(b), a.max(b));
        let edge = *self.numbers.entry(ends).or_insert(next);
        if edge == next {
            self.edges.push(Joined { ends, cliques: 0 });
        }
        let joined = &mut self.edges[edge.index()];
        self.edge_count += usize::from(joined.cliques == 0);
        joined.cliques += 1;
        self.changes.edges.push(edge);
    }

    /// Counts one clique less that holds both vertices.
    fn unjoin(&mut self, a: PathVertex, b: PathVertex) {
        let edge = self.numbers[&(a.min(b), a.max(b))];
        let joined = &mut self.edges[edge.index()];
        joined.cliques -= 1;
        self.edge_count -= usize::from(joined.cliques == 0);
        self.changes.edges.push(edge);
    }
}

/// The part of a sorted list that lies in `range`.
fn within<'a>(list: &'a [usize], range: &Range<usize>) -> &'a [usize] {
    let start = list.partition_point(|&number| number < range.start);
    let end = list.partition_point(|&number| number < range.end);
    &list[start..end]
}

/// The one vertex that `clique` has besides those of `rest`, where it has all of these and just one more.
fn only_other(clique: &[PathVertex], rest: &[PathVertex]) -> Option<PathVertex> {
    if clique.len() != rest.len() + 1 {
        return None;
    }
    let place = clique.iter().zip(rest).take_while(|(vertex, other)| vertex == other).count();
    (clique[place + 1..] == rest[place..]).then_some(clique[place])
}

/// By edge of `graph`: its vertex in the path graph. The vertices are numbered in topological order.
fn vertex_numbers(graph: &Graph) -> Vec<PathVertex> {
    let mut numbers = vec![PathVertex(0); graph.edge_capacity()];
    let edges = graph.vertices().flat_map(|vertex| graph.outgoing(vertex));
    for (edge, number) in edges.zip(0..) {
        numbers[edge.index()] = PathVertex(number);
    }
    numbers
}

/// The edges along each path, from the independent on.
type Paths = Vec<Vec<EdgeId>>;

/// By row: its entries, each with its column and its paths, for a graph without edges that lie on no path.
fn paths(graph: &Graph) -> Result<Vec<Vec<(VertexId, Paths)>>, TooManyPaths> {
    let mut rows: Vec<Vec<(VertexId, Paths)>> = vec![Vec::new(); graph.vertex_count()];
    let mut pairs = 0;
    for column in graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Independent) {
        let mut open = vec![(column, Vec::new())];
        while let Some((vertex, path)) = open.pop() {
            if graph.role(vertex) == Role::Dependent {
                pairs += path.len() * (path.len() + 1) / 2;
                if pairs > MAX_PAIRS {
                    return Err(TooManyPaths);
                }
                match rows[vertex.index()].last_mut() {
                    Some((last, paths)) if *last == column => paths.push(path),
                    _ => rows[vertex.index()].push((column, vec![path])),
                }
                continue;
            }
            for &edge in graph.outgoing(vertex).iter().rev() {
                let mut longer = path.clone();
                longer.push(edge);
                open.push((graph.edge(edge).target, longer));
            }
        }
    }
    Ok(rows)
}

/// The cliques of an entry for its paths: without copies, where that leaves something that is not there already.
fn without_copies(paths: Vec<Vec<PathVertex>>, copies: &[bool]) -> Vec<Vec<PathVertex>> {
    let mut cliques: Vec<Vec<PathVertex>> = Vec::with_capacity(paths.len());
    let mut seen = HashSet::new();
    for path in paths {
        let short: Vec<_> = path.iter().copied().filter(|vertex| !copies[vertex.index()]).collect();
        let is_new = !short.is_empty() && seen.insert(short.clone());
        cliques.push(if is_new { short } else { path });
    }
    cliques
}
