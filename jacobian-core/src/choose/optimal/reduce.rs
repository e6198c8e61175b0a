//! Vertices that some best order eliminates first, so that they need no search.
//!
//! *At one end.* Let `p` be the only predecessor of `v`, and an independent. In place of every edge from `v` the
//! elimination of `v` puts one from `p`, which is there already or new: no vertex gets more predecessors or successors
//! that count. So none costs more after it, now or later, and if `v` costs now what it costs at least, it may be first.
//!
//! *Links of a chain.* Let `p` be the only predecessor of `v`, `s` its only successor, and `v` the only predecessor of
//! `s`. Take any order. If `v` comes before `s` in it, eliminate `v` at the start instead: it costs no less later. If
//! `s` comes before `v`, eliminate `v` at the start and `s` in the place of `v`: from the place of `s` on, `s` stands
//! for `v`, and what is saved is the cost of `s` in its old place. So `v` may be first if it costs no more than `s`
//! does at least.
//!
//! Both hold on the other side, too. In [`Measure::Folded`](crate::graph::program::Measure) edges differ in weight, and
//! two free edges that merge get a weight; hence the conditions on weights below, which see to it that no edge gets
//! heavier.

use crate::choose::bound::{Cuts, Side, Weight, Weights};
use crate::graph::program::{Measure, Program};
use crate::graph::{EdgeId, Graph, Role, VertexId};

/// Eliminates vertices that may be first until there are none, and returns them in order.
pub(super) fn eliminate_first(graph: &mut Graph, program: &mut Program, measure: Measure) -> Vec<VertexId> {
    let mut order = Vec::new();
    loop {
        let left: Vec<_> = graph.vertices().filter(|&vertex| is_left(graph, vertex)).collect();
        let bounds = Cuts::new(graph, program, measure).lower_bounds(&left);
        let mut least = vec![0; graph.vertex_count()];
        for (vertex, bound) in left.iter().zip(bounds) {
            least[vertex.index()] = bound;
        }
        let length = order.len();
        for vertex in left {
            // The bounds hold for all orders, so also for those that begin with what this round has eliminated.
            let view = View { graph, program, measure, least: &least };
            if view.may_be_first(vertex) {
                graph.eliminate_vertex(vertex, program);
                order.push(vertex);
            }
        }
        if order.len() == length {
            return order;
        }
    }
}

/// Whether a vertex is still to be eliminated.
pub(super) fn is_left(graph: &Graph, vertex: VertexId) -> bool {
    graph.role(vertex) == Role::Intermediate && !graph.incoming(vertex).is_empty()
}

/// What is known of a graph when its next vertex is chosen.
struct View<'a> {
    graph: &'a Graph,
    program: &'a Program,
    measure: Measure,
    /// By vertex: what it costs at least.
    least: &'a [usize],
}

impl View<'_> {
    fn may_be_first(&self, vertex: VertexId) -> bool {
        [Side::Above, Side::Below]
            .into_iter()
            .any(|side| self.is_at_one_end(vertex, side) || self.is_link_of_chain(vertex, side))
    }

    /// Whether the only neighbour on one side is an end of all paths, and the elimination raises no cost.
    fn is_at_one_end(&self, vertex: VertexId, side: Side) -> bool {
        let &[edge] = side.edges(self.graph, vertex) else { return false };
        let end = side.end(self.graph.edge(edge));
        if self.graph.role(end) == Role::Intermediate || self.cost(vertex) > self.least[vertex.index()] {
            return false;
        }
        let (weight, other) = (self.weight(edge), side.opposite());
        let takes_its_place = weight == Weight::Free && other.edges(self.graph, end).len() == 1;
        let gets_no_heavier = |&edge: &EdgeId| {
            let neighbour = other.end(self.graph.edge(edge));
            self.graph.role(neighbour) != Role::Intermediate || self.weight(edge) >= weight.max(Weight::Light)
        };
        takes_its_place || other.edges(self.graph, vertex).iter().all(gets_no_heavier)
    }

    /// Whether the vertex has one neighbour on each side, and is the only one of the neighbour on the side opposite to
    /// `side`.
    fn is_link_of_chain(&self, vertex: VertexId, side: Side) -> bool {
        let other = side.opposite();
        let (&[edge], &[next]) = (side.edges(self.graph, vertex), other.edges(self.graph, vertex)) else {
            return false;
        };
        let neighbour = other.end(self.graph.edge(next));
        let is_intermediate = self.graph.role(neighbour) == Role::Intermediate;
        side.edges(self.graph, neighbour).len() == 1
            && self.weight(next) <= self.weight(edge)
            && (!is_intermediate || self.cost(vertex) <= self.least[neighbour.index()])
    }

    fn weight(&self, edge: EdgeId) -> Weight {
        Weight::of(self.program.kind(self.graph.edge(edge).label), self.measure)
    }

    fn cost(&self, vertex: VertexId) -> usize {
        cost(self.graph, self.program, self.measure, vertex)
    }
}

/// The multiplications that the elimination of a vertex takes now.
pub(super) fn cost(graph: &Graph, program: &Program, measure: Measure, vertex: VertexId) -> usize {
    let weights = |side: Side| {
        let mut weights = Weights::default();
        for &edge in side.edges(graph, vertex) {
            weights.add(Weight::of(program.kind(graph.edge(edge).label), measure));
        }
        weights
    };
    weights(Side::Above).multiplications(weights(Side::Below))
}
