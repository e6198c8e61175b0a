//! Parts of a dual graph that no elimination of faces connects: the best elimination of the whole is one of each, in
//! any order.
//!
//! Call a label *closing* if only a sink follows it, and a vertex of the graph *last* if all labels that leave it are
//! closing, no two to the same dependent. A source belongs to one part with all labels that it reaches, except for
//! closing ones, and all labels to a vertex that is not last belong to one part. So if sources of different parts reach
//! a label, it is closing and leaves a last vertex `v`. No product ever starts at `v`, for there is no intermediate
//! face after a closing label. So there never is another label with the same ends, with which it could merge or which
//! could absorb for it. Every other label has predecessors in its own part alone, and those which have the same
//! predecessors are in that part, too. Hence no step in one part changes another.
//!
//! The same holds from the sinks upwards.

use crate::choose::bound::Side;
use crate::graph::VertexId;
use crate::graph::dual_graph::{DualGraph, DualId, FaceId};

/// The intermediate faces of a smallest part.
pub(super) fn smallest(dual: &DualGraph) -> Vec<FaceId> {
    let mut smallest: Option<Vec<FaceId>> = None;
    for side in [Side::Below, Side::Above] {
        let parts = Parts::new(dual, side);
        let mut by_part = vec![Vec::new(); parts.above.len()];
        for face in dual.faces().filter(|&face| dual.is_intermediate(face)) {
            by_part[parts.part(labels(dual, side, face).0).index()].push(face);
        }
        for part in by_part.into_iter().filter(|part| !part.is_empty()) {
            if smallest.as_ref().is_none_or(|smallest| part.len() < smallest.len()) {
                smallest = Some(part);
            }
        }
    }
    smallest.unwrap_or_default()
}

/// By vertex of the graph: the part of an independent, from the sources on.
pub(super) fn of_columns(dual: &DualGraph) -> Vec<Option<DualId>> {
    let parts = Parts::new(dual, Side::Below);
    let mut of_columns = vec![None; dual.roles().len()];
    for source in dual.vertices().filter(|&source| dual.vertex(source).label.is_none()) {
        let VertexId(column) = dual.vertex(source).ends.source;
        of_columns[column as usize] = Some(parts.part(source));
    }
    of_columns
}

/// The dual vertices of a face, that first from which the parts start.
fn labels(dual: &DualGraph, side: Side, face: FaceId) -> (DualId, DualId) {
    let face = dual.face(face);
    if side == Side::Below { (face.source, face.target) } else { (face.target, face.source) }
}

/// Sets of dual vertices: each leads by way of others to the one that stands for its set.
struct Parts {
    above: Vec<DualId>,
}

impl Parts {
    /// The parts from the sources on as far as the last vertices, or, with [`Side::Above`], from the sinks on.
    fn new(dual: &DualGraph, side: Side) -> Self {
        let mut parts = Parts { above: dual.vertices().collect() };
        let faces: Vec<_> = dual.faces().collect();
        let is_closing = |label: DualId| {
            let after = if side == Side::Below { dual.outgoing(label) } else { dual.incoming(label) };
            after.iter().all(|&face| dual.vertex(labels(dual, side, face).1).label.is_none())
        };
        for around in faces.chunk_by(|&one, &other| dual.centre(one) == dual.centre(other)) {
            let seconds = || around.iter().map(|&face| labels(dual, side, face).1);
            let is_alone = |label: DualId| {
                seconds().all(|other| other == label || dual.vertex(other).ends != dual.vertex(label).ends)
            };
            let is_last = seconds().all(|label| is_closing(label) && is_alone(label));
            for &face in around {
                let (first, second) = labels(dual, side, face);
                if !is_last {
                    parts.unite(first, labels(dual, side, around[0]).0);
                }
                if !is_closing(second) {
                    parts.unite(first, second);
                }
            }
        }
        parts
    }

    fn part(&self, mut vertex: DualId) -> DualId {
        while self.above[vertex.index()] != vertex {
            vertex = self.above[vertex.index()];
        }
        vertex
    }

    fn unite(&mut self, one: DualId, other: DualId) {
        let [one, other] = [one, other].map(|vertex| self.part(vertex));
        self.above[one.index()] = other;
    }
}
