//! Face elimination: the product of two labels on a path goes to a dual vertex between the neighbours of the two, and
//! the path over these two is cut (Naumann 2004, "Optimal accumulation of Jacobian matrices by elimination methods on
//! the dual computational graph"). It is the finest of the modes on the graph: an edge is eliminated as some of the
//! faces at one of its ends, a vertex as all the faces around it.

use super::{Heuristic, Mode, Scope, Target};
use crate::error::Error;
use crate::graph::dual_graph::{DualEdge, DualGraph, FaceId, Step};
use crate::graph::program::{Ends, Entry, Program};
use crate::graph::{Graph, VertexId};

/// The mode.
#[derive(Clone)]
pub struct Face {
    dual: DualGraph,
    previous: Option<Step>,
}

/// The filter `reverse`.
const REVERSE: Heuristic<Face> = Heuristic {
    name: "reverse",
    keeps: "the last face in topological order of its centre, then of its first and its last vertex",
    source: "Albrecht, Gottschling and Naumann 2003",
    is_total: true,
    scope: Scope::Name,
    key: |mode, face| -mode.place(face),
};

impl Mode for Face {
    type Target = FaceId;

    const NAME: &'static str = "face";

    const WRITTEN: &'static str = "faces: `order((2,3,7), (0,2,7))`; a number is all of a vertex";

    const REVERSE: &'static Heuristic<Self> = &REVERSE;

    const HEURISTICS: &'static [Heuristic<Self>] = &[
        Heuristic {
            name: "forward",
            keeps: "the first face in topological order of its centre, then of its first and its last vertex",
            source: "Albrecht, Gottschling and Naumann 2003",
            is_total: true,
            scope: Scope::Name,
            key: Face::place,
        },
        REVERSE,
        Heuristic {
            name: "distance",
            keeps: "the least distance in topological order from its first to its last vertex",
            source: "Albrecht, Gottschling and Naumann 2003 (minimal distance)",
            is_total: false,
            scope: Scope::Name,
            key: Face::distance,
        },
        Heuristic {
            name: "markowitz",
            keeps: "the fewest faces with the same centre",
            source: "Albrecht, Gottschling and Naumann 2003 (lowest Markowitz)",
            is_total: false,
            scope: Scope::Near,
            key: |mode, face| mode.dual.faces_at(mode.dual.centre(face)).len() as i64,
        },
        Heuristic {
            name: "absorb",
            keeps: "the faces whose product is absorbed, where there are some",
            source: "xaifBooster, data locality heuristics (absorption)",
            is_total: false,
            scope: Scope::Near,
            key: |mode, face| i64::from(mode.dual.absorber(face).is_none()),
        },
        Heuristic {
            name: "final",
            keeps: "the faces at a dual vertex beside which no other path leads from its predecessors to its successors, \
                    where there are some",
            source: "xaifBooster, data locality heuristics (final vertices)",
            is_total: false,
            scope: Scope::Near,
            key: Face::not_final,
        },
        Heuristic {
            name: "vertex",
            keeps: "the faces with the centre of the previous one, where there are some: whole vertices are eliminated",
            source: "Albrecht, Gottschling and Naumann 2003 (emulated vertex elimination)",
            is_total: false,
            scope: Scope::Previous,
            key: Face::leaves_centre,
        },
    ];

    fn new(graph: &Graph, _: &mut Program) -> Result<Self, Error> {
        Ok(Face { dual: DualGraph::new(graph), previous: None })
    }

    fn index(target: FaceId) -> usize {
        target.index()
    }

    fn targets(&self) -> Vec<FaceId> {
        self.dual.faces().filter(|&face| self.dual.is_intermediate(face)).collect()
    }

    fn is_target(&self, target: FaceId) -> bool {
        self.dual.is_intermediate(target) && self.dual.has(target)
    }

    fn describe(&self, target: FaceId) -> Target {
        let (ends, centre) = (self.dual.ends(target), self.dual.centre(target));
        let older = self.faces_at(centre, ends).take_while(|&face| face < target).count() as u32;
        Target::Face { source: ends.source, centre, target: ends.target, older }
    }

    fn may_name(target: Target) -> bool {
        matches!(target, Target::Vertex(_) | Target::Face { .. })
    }

    /// The parts of a vertex are the faces around it, by their ends.
    fn find(&self, description: Target) -> Option<FaceId> {
        match description {
            Target::Vertex(vertex) => self.intermediate_at(vertex).min_by_key(|&face| (self.dual.ends(face), face)),
            Target::Face { source, centre, target, older } => {
                self.faces_at(centre, Ends { source, target }).nth(older as usize)
            }
            _ => None,
        }
    }

    fn eliminate(&mut self, target: FaceId, program: &mut Program) {
        self.previous = Some(self.dual.eliminate(target, program));
    }

    fn changed(&self, scope: Scope, changed: &mut Vec<FaceId>) {
        let Some(step) = &self.previous else { return };
        changed.extend_from_slice(&step.removed);
        changed.extend_from_slice(&step.added);
        if scope == Scope::Near {
            self.near_centres(step, changed);
            self.near_finality(step, changed);
            self.near_absorption(step, changed);
        }
    }

    fn entries(&self) -> Vec<Entry> {
        self.dual.entries()
    }
}

impl Face {
    /// The dual graph as it is now.
    pub fn dual(&self) -> &DualGraph {
        &self.dual
    }

    /// The faces with this centre that can be eliminated, by age.
    fn intermediate_at(&self, centre: VertexId) -> impl Iterator<Item = FaceId> + '_ {
        let faces = if self.dual.has_centre(centre) { self.dual.faces_at(centre) } else { &[] };
        faces.iter().copied().filter(|&face| self.dual.is_intermediate(face))
    }

    /// Those with these ends.
    fn faces_at(&self, centre: VertexId, ends: Ends) -> impl Iterator<Item = FaceId> + '_ {
        self.intermediate_at(centre).filter(move |&face| self.dual.ends(face) == ends)
    }

    /// Centre, first and last vertex as one number. 21 bits hold every vertex of a function that can be compiled.
    fn place(&self, face: FaceId) -> i64 {
        let Ends { source, target } = self.dual.ends(face);
        let vertices = [self.dual.centre(face), source, target];
        debug_assert!(vertices.iter().all(|vertex| vertex.0 < 1 << 21));
        vertices.iter().fold(0, |place, vertex| place << 21 | i64::from(vertex.0))
    }

    fn distance(&self, face: FaceId) -> i64 {
        let Ends { source, target } = self.dual.ends(face);
        i64::from(target.0) - i64::from(source.0)
    }

    fn not_final(&self, face: FaceId) -> i64 {
        let DualEdge { source, target } = self.dual.face(face);
        i64::from(!self.dual.is_final(source) && !self.dual.is_final(target))
    }

    fn leaves_centre(&self, face: FaceId) -> i64 {
        let centre = self.dual.centre(face);
        i64::from(self.previous.as_ref().is_none_or(|step| step.centre != centre))
    }

    /// The faces with a centre at which there may be more or fewer than before: where the product begins, in the
    /// middle, and where it ends. All faces of the dual vertices that the step has touched are among them.
    fn near_centres(&self, step: &Step, changed: &mut Vec<FaceId>) {
        let Ends { source, target } = self.dual.vertex(step.product).ends;
        for centre in [source, step.centre, target] {
            changed.extend_from_slice(self.dual.faces_at(centre));
        }
    }

    /// What can have become final, besides vertices all of whose faces have one of the three centres: the vertices
    /// beside the two of the face, which a path over the eliminated face went round.
    fn near_finality(&self, step: &Step, changed: &mut Vec<FaceId>) {
        for vertex in step.first.into_iter().flat_map(|first| self.dual.successors(first)) {
            changed.extend_from_slice(self.dual.outgoing(vertex));
        }
        for vertex in step.second.into_iter().flat_map(|second| self.dual.predecessors(second)) {
            changed.extend_from_slice(self.dual.incoming(vertex));
        }
    }

    /// The faces whose product the vertex with the product, or one of the two of the face, absorbs or has absorbed.
    /// (Those whose own vertices have other neighbours now have one of the three centres.)
    fn near_absorption(&self, step: &Step, changed: &mut Vec<FaceId>) {
        let (dual, product) = (&self.dual, step.product);
        let end_of = |face: FaceId| dual.ends(face).target;
        let begin_of = |face: FaceId| dual.ends(face).source;
        let is_end = |vertex: VertexId| vertex == step.centre || vertex == dual.vertex(product).ends.target;
        if let Some(parent) = dual.predecessors(product).next() {
            for first in dual.successors(parent) {
                if dual.have_same_predecessors(first, product) {
                    changed.extend(dual.outgoing(first).iter().filter(|face| is_end(end_of(**face))));
                }
            }
        }
        if let Some(child) = dual.successors(product).next() {
            for second in dual.predecessors(child) {
                if dual.have_same_successors(second, product) {
                    changed.extend(dual.incoming(second).iter().filter(|face| begin_of(**face) == step.centre));
                }
            }
        }
    }
}
