//! Plans, and the small changes of them that a search tries.

use super::random::Random;
use crate::eliminate::edge::Edge;
use crate::eliminate::face::Face;
use crate::eliminate::vertex::Vertex;
use crate::eliminate::{Mode, Target};
use crate::graph::{Graph, Role};
use crate::program::Ends;

/// What may stand in a plan.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Space {
    /// Every intermediate vertex once.
    Vertices,
    /// Single edges before the vertices that they belong to, too.
    Edges,
    /// Single faces before the vertices that they are around, too.
    Faces,
}

impl Space {
    /// The name of the mode in a strategy.
    pub fn name(self) -> &'static str {
        match self {
            Space::Vertices => Vertex::NAME,
            Space::Edges => Edge::NAME,
            Space::Faces => Face::NAME,
        }
    }
}

/// How far a target is moved in half of the moves: a long way is hardly ever for the better.
const NEAR: usize = 10;

/// The changes of plans for one graph.
pub struct Moves {
    /// By vertex, its intermediate neighbours.
    neighbours: Vec<Vec<Target>>,
    /// What may be eliminated ahead of its vertex: edges, or faces.
    parts: Vec<Target>,
}

impl Moves {
    /// The moves in `space`. The parts of `start` may be inserted, too: they may be there only in the course of an
    /// elimination.
    pub fn new(graph: &Graph, space: Space, start: &[Target]) -> Self {
        let is_intermediate = |&vertex: &_| graph.role(vertex) == Role::Intermediate;
        let neighbours = |vertex| {
            let all = graph.predecessors(vertex).chain(graph.successors(vertex));
            all.filter(is_intermediate).map(Target::Vertex).collect()
        };
        let mut parts = match space {
            Space::Vertices => Vec::new(),
            Space::Edges => edges(graph),
            Space::Faces => faces(graph),
        };
        parts.extend(start.iter().filter(|target| !matches!(target, Target::Vertex(_))));
        parts.sort_unstable();
        parts.dedup();
        Moves { neighbours: graph.vertices().map(neighbours).collect(), parts }
    }

    /// Whether there is nothing to change in `plan`, which has all vertices.
    pub fn is_empty(&self, plan: &[Target]) -> bool {
        plan.is_empty() || plan.len() == 1 && self.parts.is_empty()
    }

    /// Changes `plan`, which is not empty, at random. Now and then it stays as it is.
    pub fn apply(&self, plan: &mut Vec<Target>, random: &mut Random) {
        let at = random.below(plan.len());
        let kinds = if self.parts.is_empty() { 8 } else { 12 };
        match random.below(kinds) {
            0..4 => self.put_beside_neighbour(plan, at, random),
            4 | 5 => shift(plan, at, NEAR, random),
            6 | 7 => shift(plan, at, plan.len(), random),
            8 | 9 => plan.insert(at, self.parts[random.below(self.parts.len())]),
            _ => remove_part(plan, random),
        }
    }

    /// Puts a vertex right before or behind a neighbour: between two neighbours its place does not matter.
    fn put_beside_neighbour(&self, plan: &mut Vec<Target>, at: usize, random: &mut Random) {
        let Target::Vertex(vertex) = plan[at] else { return shift(plan, at, NEAR, random) };
        let neighbours = &self.neighbours[vertex.index()];
        if neighbours.is_empty() {
            return;
        }
        let neighbour = neighbours[random.below(neighbours.len())];
        let target = plan.remove(at);
        let place = plan.iter().position(|other| *other == neighbour).unwrap_or(at);
        plan.insert((place + random.below(2)).min(plan.len()), target);
    }
}

/// Every edge of the graph, at each end that is intermediate.
fn edges(graph: &Graph) -> Vec<Target> {
    let edges = graph.vertices().flat_map(|vertex| graph.outgoing(vertex)).map(|&edge| graph.edge(edge));
    let targets = edges.flat_map(|edge| {
        let ends = Ends { source: edge.source, target: edge.target };
        let is_intermediate = |vertex| graph.role(vertex) == Role::Intermediate;
        let front = is_intermediate(edge.target).then_some(Target::Front(ends));
        let back = is_intermediate(edge.source).then_some(Target::Back(ends));
        front.into_iter().chain(back)
    });
    targets.collect()
}

/// Every path of two edges of the graph.
fn faces(graph: &Graph) -> Vec<Target> {
    let mut faces = Vec::new();
    for centre in graph.vertices() {
        for source in graph.predecessors(centre) {
            faces.extend(graph.successors(centre).map(|target| Target::Face { source, centre, target }));
        }
    }
    faces
}

/// Moves a target by up to `reach` places.
fn shift(plan: &mut Vec<Target>, at: usize, reach: usize, random: &mut Random) {
    let target = plan.remove(at);
    let (low, high) = (at.saturating_sub(reach), (at + reach).min(plan.len()));
    plan.insert(low + random.below(high - low + 1), target);
}

/// Removes one of the edges or faces.
fn remove_part(plan: &mut Vec<Target>, random: &mut Random) {
    let is_part = |place: &usize| !matches!(plan[*place], Target::Vertex(_));
    let parts: Vec<_> = (0..plan.len()).filter(is_part).collect();
    if !parts.is_empty() {
        plan.remove(parts[random.below(parts.len())]);
    }
}
