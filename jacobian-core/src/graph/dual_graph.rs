//! The dual graph, or line graph, of the linearized computational graph, on which faces are eliminated (Naumann 2004,
//! "Optimal accumulation of Jacobian matrices by elimination methods on the dual computational graph").
//!
//! It has a vertex for every edge of the graph, a *source* for every independent and a *sink* for every dependent. Its
//! edges are the *faces*: from every dual vertex to all that begin where it ends, at the *centre* of these faces. A
//! face is *intermediate* if it touches no source and no sink; those are eliminated until there is none.
//!
//! Elimination keeps three invariants:
//!
//! - The second vertex of a face begins where the first ends. So dual vertices with a common predecessor begin, and
//!   those with a common successor end, at the same vertex of the graph.
//! - A dual vertex after a source has no other predecessor, and one before a sink has no other successor.
//! - No two dual vertices between sources and sinks have the same predecessors and the same successors. For a step
//!   takes successors from the first vertex of the face alone and predecessors from the second alone, and these two are
//!   compared anew. To all others it gives the product as a neighbour where they had one of the two, or it takes one
//!   of the two where its place is taken by another: so they differ as before.
//!
//! So what is left in the end is one dual vertex between a source and a sink for every entry of the Jacobian.

use std::cmp::Ordering;

use crate::graph::program::{Ends, Entry, LabelId, Program};
use crate::graph::{Edge, Graph, Role, VertexId};

/// A dual vertex. One that is removed gives its number to none.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DualId(pub u32);

impl DualId {
    /// The number, to index with.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A face. One that is removed gives its number to none.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FaceId(pub u32);

impl FaceId {
    /// The number, to index with.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a dual vertex stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct DualVertex {
    /// Where its paths begin and end; at a source or a sink the independent or the dependent, twice.
    pub ends: Ends,
    /// The label; none at a source or a sink.
    pub label: Option<LabelId>,
}

/// A face: an edge of the dual graph.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct DualEdge {
    /// Where it starts.
    pub source: DualId,
    /// Where it leads.
    pub target: DualId,
}

/// What the elimination of a face has changed.
#[derive(Clone, Debug)]
pub struct Step {
    /// The vertex in the middle of the face.
    pub centre: VertexId,
    /// The dual vertex that has the product: a new one, or the one that absorbed it.
    pub product: DualId,
    /// What replaces the face's first vertex: itself, the vertex that it was merged with, or nothing.
    pub first: Option<DualId>,
    /// What replaces the face's second vertex.
    pub second: Option<DualId>,
    /// The faces of a new vertex.
    pub added: Vec<FaceId>,
    /// The faces that are gone, the eliminated one among them.
    pub removed: Vec<FaceId>,
}

/// The dual graph.
#[derive(Clone, Debug, Default)]
pub struct DualGraph {
    vertices: Vec<DualVertex>,
    faces: Vec<DualEdge>,
    /// Faces to a dual vertex, by their source.
    incoming: Vec<Vec<FaceId>>,
    /// Faces from a dual vertex, by their target.
    outgoing: Vec<Vec<FaceId>>,
    /// Faces by their centre, then by their number.
    centres: Vec<Vec<FaceId>>,
}

impl DualGraph {
    /// The dual of `graph`, in which every edge must lie on a path from an independent to a dependent, no edge may lead
    /// to an independent and none from a dependent.
    pub fn new(graph: &Graph) -> Self {
        let mut dual = DualGraph { centres: vec![Vec::new(); graph.vertex_count()], ..DualGraph::default() };
        let mut entering = vec![Vec::new(); graph.vertex_count()];
        let mut leaving = entering.clone();
        for vertex in graph.vertices() {
            let end = DualVertex { ends: Ends { source: vertex, target: vertex }, label: None };
            match graph.role(vertex) {
                Role::Independent => entering[vertex.index()].push(dual.add_vertex(end)),
                Role::Dependent => leaving[vertex.index()].push(dual.add_vertex(end)),
                Role::Intermediate | Role::Image => {}
            }
            for &edge in graph.outgoing(vertex) {
                let Edge { source, target, label } = graph.edge(edge);
                let id = dual.add_vertex(DualVertex { ends: Ends { source, target }, label: Some(label) });
                leaving[source.index()].push(id);
                entering[target.index()].push(id);
            }
        }
        for centre in graph.vertices() {
            let (entering, leaving) = (&entering[centre.index()], &leaving[centre.index()]);
            let is_intermediate = graph.role(centre) == Role::Intermediate;
            debug_assert!(!is_intermediate || entering.is_empty() == leaving.is_empty(), "every edge is on a path");
            for &source in entering {
                for &target in leaving {
                    dual.add_face(DualEdge { source, target });
                }
            }
        }
        dual
    }

    fn add_vertex(&mut self, vertex: DualVertex) -> DualId {
        let id = DualId(self.vertices.len() as u32);
        self.vertices.push(vertex);
        self.incoming.push(Vec::new());
        self.outgoing.push(Vec::new());
        id
    }

    fn add_face(&mut self, face: DualEdge) -> FaceId {
        let id = FaceId(self.faces.len() as u32);
        self.faces.push(face);
        let place = self.place_below(face);
        self.outgoing[face.source.index()].insert(place, id);
        let place = self.place_above(face);
        self.incoming[face.target.index()].insert(place, id);
        let centre = self.centre(id);
        self.centres[centre.index()].push(id);
        id
    }

    /// Where a face is, or would be, among those from its source.
    fn place_below(&self, face: DualEdge) -> usize {
        self.outgoing(face.source).partition_point(|&other| self.face(other).target < face.target)
    }

    /// Where a face is, or would be, among those to its target.
    fn place_above(&self, face: DualEdge) -> usize {
        self.incoming(face.target).partition_point(|&other| self.face(other).source < face.source)
    }

    fn remove_face(&mut self, id: FaceId) {
        let face = self.face(id);
        let place = self.place_below(face);
        self.outgoing[face.source.index()].remove(place);
        let place = self.place_above(face);
        self.incoming[face.target.index()].remove(place);
        let centre = self.centre(id);
        let of_centre = &mut self.centres[centre.index()];
        of_centre.remove(of_centre.partition_point(|&other| other < id));
    }

    /// A dual vertex; one that has been removed is still known.
    pub fn vertex(&self, id: DualId) -> DualVertex {
        self.vertices[id.index()]
    }

    /// A face; one that has been removed is still known.
    pub fn face(&self, id: FaceId) -> DualEdge {
        self.faces[id.index()]
    }

    /// The dual vertices that there are or have been.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = DualId> + use<> {
        (0..self.vertices.len() as u32).map(DualId)
    }

    /// The faces that there are, by their centre, then by their number.
    pub fn faces(&self) -> impl Iterator<Item = FaceId> + '_ {
        self.centres.iter().flatten().copied()
    }

    /// By vertex of the graph: its role.
    pub fn roles(&self) -> Vec<Role> {
        let mut roles = vec![Role::Intermediate; self.centres.len()];
        for (vertex, outgoing) in self.vertices.iter().zip(&self.outgoing).filter(|(vertex, _)| vertex.label.is_none())
        {
            roles[vertex.ends.source.index()] = if outgoing.is_empty() { Role::Dependent } else { Role::Independent };
        }
        roles
    }

    /// The faces that lead to a dual vertex, by their sources.
    pub fn incoming(&self, vertex: DualId) -> &[FaceId] {
        &self.incoming[vertex.index()]
    }

    /// The faces that leave a dual vertex, by their targets.
    pub fn outgoing(&self, vertex: DualId) -> &[FaceId] {
        &self.outgoing[vertex.index()]
    }

    /// The dual vertices from which faces lead to one, in order.
    pub fn predecessors(&self, vertex: DualId) -> impl Iterator<Item = DualId> + '_ {
        self.incoming(vertex).iter().map(|&face| self.face(face).source)
    }

    /// The dual vertices to which faces lead from one, in order.
    pub fn successors(&self, vertex: DualId) -> impl Iterator<Item = DualId> + '_ {
        self.outgoing(vertex).iter().map(|&face| self.face(face).target)
    }

    /// The vertex in the middle of a face.
    pub fn centre(&self, face: FaceId) -> VertexId {
        self.vertex(self.face(face).source).ends.target
    }

    /// Where the paths through a face begin and end.
    pub fn ends(&self, face: FaceId) -> Ends {
        let DualEdge { source, target } = self.face(face);
        Ends { source: self.vertex(source).ends.source, target: self.vertex(target).ends.target }
    }

    /// Whether there is a vertex that may be a centre.
    pub fn has_centre(&self, centre: VertexId) -> bool {
        centre.index() < self.centres.len()
    }

    /// The faces with this centre, by their numbers.
    pub fn faces_at(&self, centre: VertexId) -> &[FaceId] {
        &self.centres[centre.index()]
    }

    /// Whether a face has not been removed.
    pub fn has(&self, face: FaceId) -> bool {
        self.faces_at(self.centre(face)).binary_search(&face).is_ok()
    }

    /// Whether a face touches no source and no sink.
    pub fn is_intermediate(&self, face: FaceId) -> bool {
        let DualEdge { source, target } = self.face(face);
        self.vertex(source).label.is_some() && self.vertex(target).label.is_some()
    }

    /// Whether two dual vertices have the same predecessors.
    pub fn have_same_predecessors(&self, one: DualId, other: DualId) -> bool {
        self.incoming(one).len() == self.incoming(other).len() && self.predecessors(one).eq(self.predecessors(other))
    }

    /// Whether two dual vertices have the same successors.
    pub fn have_same_successors(&self, one: DualId, other: DualId) -> bool {
        self.outgoing(one).len() == self.outgoing(other).len() && self.successors(one).eq(self.successors(other))
    }

    /// The dual vertex with the predecessors of `above` and the successors of `below`, other than these two. There is
    /// one at most.
    pub fn similar(&self, above: DualId, below: DualId) -> Option<DualId> {
        let is_similar = |&vertex: &DualId| {
            vertex != above
                && vertex != below
                && self.have_same_predecessors(vertex, above)
                && self.have_same_successors(vertex, below)
        };
        // Wherever it is, each of those predecessors leads to it and each of those successors follows it.
        let parent = self.predecessors(above).min_by_key(|&parent| self.outgoing(parent).len())?;
        let child = self.successors(below).min_by_key(|&child| self.incoming(child).len())?;
        if self.outgoing(parent).len() <= self.incoming(child).len() {
            the_only(self.successors(parent).filter(is_similar))
        } else {
            the_only(self.predecessors(child).filter(is_similar))
        }
    }

    /// The dual vertex that would absorb the product of a face.
    pub fn absorber(&self, face: FaceId) -> Option<DualId> {
        let DualEdge { source, target } = self.face(face);
        self.similar(source, target)
    }

    /// Whether every path from a predecessor to a successor of a dual vertex leads through it (xaifBooster, data
    /// locality heuristics, Definition 5).
    pub fn is_final(&self, vertex: DualId) -> bool {
        let end = self.vertex(vertex).ends.target;
        let mut seen = vec![false; self.vertices.len()];
        seen[vertex.index()] = true;
        let mut stack: Vec<_> = self.predecessors(vertex).flat_map(|parent| self.successors(parent)).collect();
        while let Some(other) = stack.pop() {
            if std::mem::replace(&mut seen[other.index()], true) {
                continue;
            }
            match self.vertex(other).ends.target.cmp(&end) {
                Ordering::Less => stack.extend(self.successors(other)),
                Ordering::Equal if self.have_common_successor(vertex, other) => return false,
                Ordering::Equal | Ordering::Greater => {}
            }
        }
        true
    }

    fn have_common_successor(&self, one: DualId, other: DualId) -> bool {
        self.successors(one).any(|target| {
            let place = self.place_below(DualEdge { source: other, target });
            self.outgoing(other).get(place).is_some_and(|&face| self.face(face).target == target)
        })
    }

    /// Eliminates an intermediate face: its product goes to the dual vertex that has the predecessors of the first
    /// and the successors of the second vertex, which is made where it is missing. Then the face is removed, and with
    /// it each of the two that has lost all neighbours on that side, or now has the same as another,
    /// with which it is merged.
    pub fn eliminate(&mut self, face: FaceId, program: &mut Program) -> Step {
        debug_assert!(self.has(face) && self.is_intermediate(face));
        let DualEdge { source, target } = self.face(face);
        let centre = self.centre(face);
        let (product, added) = self.accumulate(face, program);
        self.remove_face(face);
        let mut removed = vec![face];
        let first = self.prune_or_merge(source, &mut removed, program);
        let second = self.prune_or_merge(target, &mut removed, program);
        Step { centre, product, first, second, added, removed }
    }

    /// Multiplies the labels along a face. Returns the dual vertex with the product, and the faces that are new.
    fn accumulate(&mut self, face: FaceId, program: &mut Program) -> (DualId, Vec<FaceId>) {
        let DualEdge { source, target } = self.face(face);
        let (first, second, ends) = (self.label(source), self.label(target), self.ends(face));
        if let Some(absorber) = self.absorber(face) {
            let label = program.absorb(self.label(absorber), first, second, Some(ends));
            self.vertices[absorber.index()].label = Some(label);
            return (absorber, Vec::new());
        }
        let label = program.product(first, second, Some(ends));
        let product = self.add_vertex(DualVertex { ends, label: Some(label) });
        let parents: Vec<_> = self.predecessors(source).collect();
        let children: Vec<_> = self.successors(target).collect();
        let mut added = Vec::with_capacity(parents.len() + children.len());
        for source in parents {
            added.push(self.add_face(DualEdge { source, target: product }));
        }
        for target in children {
            added.push(self.add_face(DualEdge { source: product, target }));
        }
        (product, added)
    }

    /// Removes a dual vertex that is on no path any more, and merges one with its twin. Returns what replaces it.
    fn prune_or_merge(&mut self, vertex: DualId, removed: &mut Vec<FaceId>, program: &mut Program) -> Option<DualId> {
        let place = if self.incoming(vertex).is_empty() || self.outgoing(vertex).is_empty() {
            None
        } else if let Some(twin) = self.similar(vertex, vertex) {
            let label = program.sum(self.label(twin), self.label(vertex), Some(self.vertex(vertex).ends));
            self.vertices[twin.index()].label = Some(label);
            Some(twin)
        } else {
            return Some(vertex);
        };
        let start = removed.len();
        removed.extend_from_slice(self.incoming(vertex));
        removed.extend_from_slice(self.outgoing(vertex));
        for &face in &removed[start..] {
            self.remove_face(face);
        }
        place
    }

    fn label(&self, vertex: DualId) -> LabelId {
        self.vertex(vertex).label.expect("an intermediate face touches no source and no sink")
    }

    /// The entries of the Jacobian that the dual vertices between a source and a sink are. Once no intermediate face is
    /// left, these are all.
    pub fn entries(&self) -> Vec<Entry> {
        let labelled = self.vertices.iter().zip(&self.incoming).zip(&self.outgoing);
        let entry = |((vertex, incoming), outgoing): ((&DualVertex, &Vec<FaceId>), &Vec<FaceId>)| {
            let (&above, &below) = (incoming.first()?, outgoing.first()?);
            let is_end = |vertex: DualId| self.vertex(vertex).label.is_none();
            let is_entry = is_end(self.face(above).source) && is_end(self.face(below).target);
            let Ends { source: column, target: row } = vertex.ends;
            vertex.label.filter(|_| is_entry).map(|label| Entry { row, column, label })
        };
        labelled.filter_map(entry).collect()
    }
}

/// The only element, if there is one.
fn the_only(mut vertices: impl Iterator<Item = DualId>) -> Option<DualId> {
    let only = vertices.next();
    debug_assert!(vertices.next().is_none(), "no two dual vertices have the same neighbours");
    only
}
