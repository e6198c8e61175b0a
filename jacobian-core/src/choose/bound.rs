//! A lower bound on the multiplications of every vertex, edge and face elimination.
//!
//! Take an intermediate vertex `v`, `k` paths from independents to `v` that share no vertex but `v`, and `l` such paths
//! from `v` to dependents. Each of the `k * l` pairs needs a multiplication of its own: the two paths of a pair are one
//! path from an independent to a dependent, and an elimination ends with the product of the labels along that path
//! in a single label. So at some step it multiplies a label that ends in `v` with one that starts there, of which the
//! one sums up paths with a part of the pair's upper path among them, the other with a part of its lower path. All
//! paths that a label sums up have the same two ends, in every mode that eliminates vertices, edges or faces. So the
//! other ends of the two labels lie on the pair's own paths, and no other pair shares both. Summed over all `v`, with
//! `k` and `l` as large as possible (by Menger's theorem the smallest vertex cuts), these are the fewest
//! multiplications.
//!
//! Some products take no multiplication: those with a copy, and in [`Measure::Folded`] those with one or minus one, and
//! those of two constants. What is known of a label that sums up several paths is what is known least of their edges,
//! so paths are counted by the weight of their edge at `v`: the label that has a part of such a path has at least
//! this weight. Largest families of disjoint paths form a matroid by those edges, so a largest family of paths with
//! heavy edges extends to a largest one with heavy and light edges; of the pairs of two such families count those with
//! a heavy and another edge that is not free.
//!
//! On a symmetric graph, `j` goes with its image, and its `p` predecessors and `d` successors take `p d` products, each
//! of an edge to it and an edge from it; that its image is a successor does not change this, for one product serves a
//! pair of predecessors. If there is an arc from `j` to its image, all pairs of the predecessors that have no arc to
//! that image take one more. Of these there are `p - d + 1` at least. The image, which goes with `j`, ends paths.
//!
//! The bound does not hold for contractions in the path graph: there, labels with a gap between them are multiplied,
//! and such a product serves several vertices `v`.

use crate::graph::elimination::Axis;
pub(crate) use crate::graph::label::Weight;
use crate::graph::program::{Measure, Program};
use crate::graph::{Edge, EdgeId, Graph, Role, VertexId};

/// How many labels, or paths, there are of each weight that counts.
#[derive(Copy, Clone, Default)]
pub(crate) struct Weights {
    heavy: usize,
    light: usize,
}

impl Weights {
    /// Counts one more.
    pub(crate) fn add(&mut self, weight: Weight) {
        match weight {
            Weight::Free => {}
            Weight::Light => self.light += 1,
            Weight::Heavy => self.heavy += 1,
        }
    }

    /// The multiplications in the products of all of these with all of `others`.
    pub(crate) fn multiplications(self, others: Weights) -> usize {
        self.heavy * (others.heavy + others.light) + self.light * others.heavy
    }
}

/// A side of a vertex.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// Towards the independents.
    Above,
    /// Towards the dependents.
    Below,
}

impl Side {
    /// The other side.
    pub(crate) fn opposite(self) -> Side {
        match self {
            Side::Above => Side::Below,
            Side::Below => Side::Above,
        }
    }

    /// The edges of a vertex on this side.
    pub(crate) fn edges(self, graph: &Graph, vertex: VertexId) -> &[EdgeId] {
        match self {
            Side::Above => graph.incoming(vertex),
            Side::Below => graph.outgoing(vertex),
        }
    }

    /// The end of an edge on this side.
    pub(crate) fn end(self, edge: Edge) -> VertexId {
        match self {
            Side::Above => edge.source,
            Side::Below => edge.target,
        }
    }
}

/// The fewest multiplications that a vertex, edge or face elimination of `graph` can take. `program` has its labels.
///
/// It takes two maximum flows a vertex: time in the order of vertices times edges where no vertex has many neighbours.
pub fn lower_bound(graph: &Graph, program: &Program, measure: Measure) -> usize {
    let inner: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Intermediate).collect();
    let mut cuts = Cuts::new(graph, program, measure);
    match graph.axis() {
        Some(axis) => cuts.pair_bounds(&inner, axis).iter().sum(),
        None => cuts.lower_bounds(&inner).iter().sum(),
    }
}

/// The larger families of paths that share no vertex but the first, by augmenting paths on the graph with every vertex
/// split in its near and its far side.
pub(crate) struct Cuts<'a> {
    graph: &'a Graph,
    program: &'a Program,
    measure: Measure,
    /// Whether paths lead through a vertex; at others they end.
    is_inner: Vec<bool>,
    /// By vertex: the neighbour nearer to the centre, and the one farther from it, on the path through the vertex.
    near: Vec<Option<VertexId>>,
    far: Vec<Option<VertexId>>,
    /// By vertex and whether it is the far side: from where the current search came, in its numbered round.
    origins: Vec<[(u32, Origin); 2]>,
    round: u32,
    /// The vertices with entries in `near`, some more than once.
    touched: Vec<VertexId>,
    stack: Vec<State>,
}

/// A side of a split vertex; `true` is the far one.
type State = (VertexId, bool);

/// From where a search came: from another side, or from the centre.
type Origin = Option<State>;

impl<'a> Cuts<'a> {
    /// Nothing is inner yet.
    pub(crate) fn new(graph: &'a Graph, program: &'a Program, measure: Measure) -> Self {
        let count = graph.vertex_count();
        Cuts {
            graph,
            program,
            measure,
            is_inner: vec![false; count],
            near: vec![None; count],
            far: vec![None; count],
            origins: vec![[(0, None); 2]; count],
            round: 0,
            touched: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// For each of the vertices `inner`, the fewest multiplications in its elimination when these, and no others, are
    /// eliminated in any order.
    pub(crate) fn lower_bounds(&mut self, inner: &[VertexId]) -> Vec<usize> {
        self.set_inner(inner, true);
        let bounds = inner.iter().map(|&vertex| self.lower_bound(vertex)).collect();
        self.set_inner(inner, false);
        bounds
    }

    /// The fewest multiplications in the elimination of each of these vertices with its image, when these are
    /// eliminated in any order.
    pub(crate) fn pair_bounds(&mut self, vertices: &[VertexId], axis: Axis) -> Vec<usize> {
        let images: Vec<_> = vertices.iter().map(|&vertex| axis.image(vertex)).collect();
        self.set_inner(vertices, true);
        self.set_inner(&images, true);
        let mut bounds = Vec::with_capacity(vertices.len());
        for (&vertex, &image) in vertices.iter().zip(&images) {
            self.set_inner(&[image], false);
            let [above, below] = [Side::Above, Side::Below].map(|side| self.disjoint_paths(vertex, side));
            let has_arc = self.measure == Measure::Textbook && self.graph.find_edge(vertex, image).is_some();
            let without_arc = if has_arc { (above.heavy + 1).saturating_sub(below.heavy) } else { 0 };
            bounds.push(above.multiplications(below) + without_arc * (without_arc + 1) / 2);
            self.set_inner(&[image], true);
        }
        self.set_inner(vertices, false);
        self.set_inner(&images, false);
        bounds
    }

    fn set_inner(&mut self, vertices: &[VertexId], is_inner: bool) {
        for vertex in vertices {
            self.is_inner[vertex.index()] = is_inner;
        }
    }

    fn lower_bound(&mut self, centre: VertexId) -> usize {
        let above = self.disjoint_paths(centre, Side::Above);
        if above.heavy + above.light == 0 { 0 } else { above.multiplications(self.disjoint_paths(centre, Side::Below)) }
    }

    /// The size of a largest family of disjoint paths with the most heavy edges at the centre.
    fn disjoint_paths(&mut self, centre: VertexId, side: Side) -> Weights {
        let mut paths = Weights::default();
        while self.augment(centre, side, Weight::Heavy) {
            paths.heavy += 1;
        }
        if self.measure == Measure::Folded {
            while self.augment(centre, side, Weight::Light) {
                paths.light += 1;
            }
        }
        for vertex in self.touched.drain(..) {
            self.near[vertex.index()] = None;
            self.far[vertex.index()] = None;
        }
        paths
    }

    /// Adds a path to the family, if there is one more among those with at least this `weight`.
    fn augment(&mut self, centre: VertexId, side: Side, weight: Weight) -> bool {
        let graph = self.graph;
        self.round += 1;
        self.stack.clear();
        for &edge in side.edges(graph, centre) {
            let edge = graph.edge(edge);
            let neighbour = side.end(edge);
            let is_new = self.near[neighbour.index()] != Some(centre);
            if is_new && Weight::of(self.program.kind(edge.label), self.measure) >= weight {
                self.visit((neighbour, false), None);
            }
        }
        while let Some(state) = self.stack.pop() {
            let (vertex, is_far) = state;
            let is_free = self.near[vertex.index()].is_none();
            if is_far && is_free && !self.is_inner[vertex.index()] {
                self.follow(state, centre);
                return true;
            }
            match (is_far, is_free) {
                (false, true) => self.visit((vertex, true), Some(state)),
                (false, false) => self.withdraw(state, centre),
                (true, _) => self.extend(state, side),
            }
        }
        false
    }

    fn visit(&mut self, state: State, origin: Origin) {
        let (vertex, is_far) = state;
        let place = &mut self.origins[vertex.index()][usize::from(is_far)];
        if place.0 != self.round {
            *place = (self.round, origin);
            self.stack.push(state);
        }
    }

    /// A path leads through this vertex already: it is led another way from its nearer neighbour.
    fn withdraw(&mut self, state: State, centre: VertexId) {
        if let Some(nearer) = self.near[state.0.index()].filter(|&nearer| nearer != centre) {
            self.visit((nearer, true), Some(state));
        }
    }

    /// From the far side of a vertex away from the centre, and back to the near side where a path leads that can be
    /// given up.
    fn extend(&mut self, state: State, side: Side) {
        let (vertex, graph) = (state.0, self.graph);
        if self.is_inner[vertex.index()] {
            for &edge in side.edges(graph, vertex) {
                let farther = side.end(graph.edge(edge));
                if self.far[vertex.index()] != Some(farther) {
                    self.visit((farther, false), Some(state));
                }
            }
        }
        if self.near[vertex.index()].is_some() {
            self.visit((vertex, false), Some(state));
        }
    }

    /// Changes the family along the search that has reached `end`.
    fn follow(&mut self, end: State, centre: VertexId) {
        let mut states = vec![end];
        let mut state = end;
        while let Some(origin) = self.origins[state.0.index()][usize::from(state.1)].1 {
            states.push(origin);
            state = origin;
        }
        let mut last = (centre, true);
        for &state in states.iter().rev() {
            match (last, state) {
                ((from, true), (to, false)) if from == to => {
                    self.near[to.index()] = None;
                    self.far[to.index()] = None;
                }
                ((from, true), (to, false)) => {
                    self.far[from.index()] = Some(to);
                    self.near[to.index()] = Some(from);
                    self.touched.push(to);
                }
                _ => {}
            }
            last = state;
        }
        self.far[centre.index()] = None;
    }
}
