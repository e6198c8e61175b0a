//! The graph of a gradient: what second derivatives are eliminated on.
//!
//! The *adjoint* of a value is the derivative of the weighted sum of the results with respect to it. Adjoints are
//! computed in reverse: that of an operation times a partial is added to that of the argument. So the gradient, the
//! adjoints of the independents, has a graph with every vertex of the function and, after these, its *image*, which
//! stands for the adjoint. Each partial has an edge from `i` to `j`, and one from the image of `j` to that of `i` with
//! the same label; and where an operation has a second partial by `i` and `k`, its product with the adjoint of the
//! operation is the label of *arcs* from `i` to the image of `k` and from `k` to that of `i`. The sum over all paths
//! from an independent to the image of another is the second derivative by the two: the graph is symmetric, see
//! [`crate::graph::elimination`].

use super::draft::Draft;
use super::partials::{Operation, Partials};
use super::seed::Seed;
use crate::algebra::Term;
use crate::error::Error;
use crate::graph::{Role, VertexId};

/// What the gradient adds to the graph of a function.
pub(super) struct Gradient {
    /// By vertex of the function.
    adjoints: Vec<Term>,
    /// The labels of arcs, by the vertices that they connect, the larger number first.
    arcs: Vec<((VertexId, VertexId), Term)>,
}

/// An operation that is not linear, with its arguments that are active.
pub(super) struct Nonlinear {
    /// Its vertex.
    pub(super) vertex: VertexId,
    /// What is done.
    pub(super) operation: Operation,
    /// The vertices of the arguments.
    pub(super) sources: Vec<Option<VertexId>>,
}

impl Gradient {
    /// Computes the adjoints, from those of the dependents on. The operations are in topological order.
    pub(super) fn new(
        draft: &mut Draft,
        dependents: &[Option<VertexId>],
        weights: &Seed,
        mut nonlinear: Vec<Nonlinear>,
        partials: &mut Partials,
    ) -> Result<Self, Error> {
        let count = draft.graph().vertex_count();
        let mut gradient = Gradient { adjoints: vec![Term::ZERO; count], arcs: Vec::new() };
        for (vertex, weight) in dependents.iter().zip(weights.entries()) {
            if let Some(vertex) = vertex {
                gradient.add(draft, *vertex, weight);
            }
        }
        for vertex in draft.graph().vertices().rev() {
            let operation = nonlinear.pop_if(|operation| operation.vertex == vertex);
            let adjoint = gradient.adjoints[vertex.index()];
            if adjoint.is_zero() {
                continue;
            }
            draft.name_adjoint(vertex, adjoint);
            for edge in draft.graph().incoming(vertex).to_vec() {
                let (source, label) = (draft.graph().edge(edge).source, draft.label(edge));
                draft.algebra.list_mut().begin_entry();
                let product = draft.algebra.path_product(label, adjoint);
                gradient.add(draft, source, product);
            }
            if let Some(operation) = operation {
                gradient.add_arcs(draft, &operation, adjoint, partials)?;
            }
        }
        draft.algebra.list_mut().resume_entry(None);
        Ok(gradient)
    }

    fn add(&mut self, draft: &mut Draft, vertex: VertexId, addend: Term) {
        let adjoint = &mut self.adjoints[vertex.index()];
        *adjoint = draft.algebra.path_sum(*adjoint, addend);
    }

    /// The arcs of an operation with this adjoint.
    fn add_arcs(
        &mut self,
        draft: &mut Draft,
        nonlinear: &Nonlinear,
        adjoint: Term,
        partials: &mut Partials,
    ) -> Result<(), Error> {
        let active = |position: &usize| nonlinear.sources[*position].is_some();
        let positions: Vec<_> = (0..nonlinear.sources.len()).filter(active).collect();
        for (place, &one) in positions.iter().enumerate() {
            for &other in &positions[..=place] {
                draft.algebra.list_mut().begin_entry();
                let label = partials.second(&mut draft.algebra, &nonlinear.operation, [one, other], adjoint)?;
                let (Some(source), Some(target)) = (nonlinear.sources[one], nonlinear.sources[other]) else { continue };
                // Two arguments that are one: the partial by the one and the other, and that by the other and the one.
                let is_twice = one != other && source == target;
                let label = if is_twice { draft.algebra.path_sum(label, label) } else { label };
                self.arcs.push(((source.max(target), source.min(target)), label));
            }
        }
        Ok(())
    }

    /// The adjoints of these vertices.
    pub(super) fn adjoints(&self, vertices: &[VertexId]) -> Vec<Term> {
        vertices.iter().map(|vertex| self.adjoints[vertex.index()]).collect()
    }

    /// Adds the images of the vertices and of the edges, and the arcs. Returns the images of these independents, the
    /// rows. A symmetric graph has an image for each of its vertices, and images of the intermediate ones that go with
    /// them; else the source of a tangent has none.
    pub(super) fn reflect(mut self, draft: &mut Draft, independents: &[VertexId], is_symmetric: bool) -> Vec<VertexId> {
        let originals: Vec<_> = draft.graph().vertices().skip(usize::from(!is_symmetric)).collect();
        let mut images = vec![VertexId::default(); draft.graph().vertex_count()];
        let role = if is_symmetric { Role::Image } else { Role::Intermediate };
        for &vertex in originals.iter().rev() {
            let adjoint = Some(self.adjoints[vertex.index()].id()).filter(|&id| id != Term::ZERO.id());
            images[vertex.index()] = draft.add_image(vertex, adjoint, role);
        }
        for &independent in independents {
            draft.set_role(images[independent.index()], Role::Dependent);
        }
        for &vertex in &originals {
            for edge in draft.graph().incoming(vertex).to_vec() {
                let (source, label) = (draft.graph().edge(edge).source, draft.label(edge));
                draft.add_edge(images[vertex.index()], images[source.index()], label);
            }
        }
        self.arcs.sort_by_key(|(ends, _)| *ends);
        for parallel in self.arcs.chunk_by(|one, next| one.0 == next.0) {
            let (one, other) = parallel[0].0;
            let mut label = Term::ZERO;
            for &(_, addend) in parallel {
                label = draft.algebra.path_sum(label, addend);
            }
            if label.is_zero() {
                continue;
            }
            draft.add_edge(other, images[one.index()], label);
            if one != other {
                draft.add_edge(one, images[other.index()], label);
            }
        }
        if is_symmetric {
            draft.set_symmetric();
        }
        independents.iter().map(|independent| images[independent.index()]).collect()
    }
}
