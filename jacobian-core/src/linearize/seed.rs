//! Seeds: the vector that a product with the Jacobian is of. Its entries are inputs, and the labels of edges: from one vertex
//! in front of all independents for a tangent, to one behind all dependents for a cotangent. So the sum over all paths
//! between these is the product, and the elimination finds the order of its operations as that of any others.

use super::draft::Draft;
use crate::algebra::Term;
use crate::graph::{Role, VertexId};
use crate::list::code_list::{CodeList, Kind, Statement, ValueId};

/// What a code list is differentiated by, and what is differentiated of it.
#[derive(Copy, Clone, Debug)]
pub struct Interface<'a> {
    /// By input, whether it is an independent where it is a float.
    pub is_active: &'a [bool],
    /// The first output that is a dependent. Those in front of it are computed.
    pub first_dependent: usize,
    /// Whether the outputs are outputs of the derivative.
    pub has_values: bool,
    /// What the Jacobian is multiplied by.
    pub seed: SeedKind,
    /// Where the gradient of the sum of all results is differentiated, and not the function: the weights of the results, a cotangent
    /// or ones.
    pub gradient_of: SeedKind,
    /// Whether the Jacobian is symmetric, so that the entries above its diagonal need not be computed.
    pub is_symmetric: bool,
}

/// What a Jacobian is multiplied by.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SeedKind {
    /// Nothing.
    None,
    /// A vector with an entry for each independent.
    Tangent,
    /// A vector with an entry for each dependent.
    Cotangent,
    /// The vector of ones: the rows are added up.
    Sum,
}

/// The seed itself.
#[derive(Default)]
pub(super) struct Seed {
    /// Its entries.
    entries: Vec<Term>,
    /// The source that the edges with the entries of a tangent leave.
    source: Option<VertexId>,
}

impl Seed {
    /// Declares the inputs of the seed. Nothing but the inputs of another seed is in `draft` yet.
    pub(super) fn new(kind: SeedKind, interface: Interface<'_>, function: &CodeList, draft: &mut Draft) -> Seed {
        let Interface { is_active, first_dependent, .. } = interface;
        let dependents = || function.outputs()[first_dependent..].iter().copied();
        let is_column = |(id, is_active): &(ValueId, bool)| *is_active && function.kind(*id) == Kind::Float;
        let mut seed = Seed::default();
        match kind {
            SeedKind::None => {}
            SeedKind::Tangent => {
                let inputs = function.inputs().iter().copied().zip(is_active.iter().copied()).filter(is_column);
                seed.declare(inputs.map(|(id, _)| id), "dot", function, draft);
                seed.source = Some(draft.add_seed(Role::Independent));
            }
            SeedKind::Cotangent => seed.declare(dependents(), "bar", function, draft),
            SeedKind::Sum => seed.entries.extend(dependents().map(|_| Term::ONE)),
        }
        seed
    }

    /// Declares an entry for each of these values, named after it.
    fn declare(&mut self, values: impl Iterator<Item = ValueId>, suffix: &str, function: &CodeList, draft: &mut Draft) {
        for of in values {
            let entry = draft.algebra.function_statement(Statement::Input(Kind::Float));
            if let Some(name) = function.name(of) {
                draft.algebra.list_mut().set_name(entry, &format!("{name}_{suffix}"));
            }
            self.entries.push(draft.algebra.term(entry));
        }
    }

    /// Its entries.
    pub(super) fn entries(&self) -> impl Iterator<Item = Term> + '_ {
        self.entries.iter().copied()
    }

    /// The role of the vertex of an input.
    pub(super) fn role_of_inputs(&self) -> Role {
        if self.source.is_some() { Role::Intermediate } else { Role::Independent }
    }

    /// The columns, where those of the inputs are `inputs`: the source of a tangent, to which it connects them.
    pub(super) fn columns(&self, inputs: Vec<VertexId>, draft: &mut Draft) -> Vec<VertexId> {
        let Some(source) = self.source else { return inputs };
        for (&input, &entry) in inputs.iter().zip(&self.entries) {
            draft.add_edge(source, input, entry);
        }
        vec![source]
    }

    /// The sink of a cotangent, to which it connects the vertices of the dependents.
    pub(super) fn sink(&self, dependents: &[Option<VertexId>], draft: &mut Draft) -> Option<VertexId> {
        let mut edges = Vec::new();
        for (&vertex, &entry) in dependents.iter().zip(&self.entries) {
            if let Some(vertex) = vertex {
                draft.gather(&mut edges, vertex, entry);
            }
        }
        if edges.is_empty() {
            return None;
        }
        let sink = draft.add_seed(Role::Dependent);
        for (vertex, label) in edges {
            draft.add_edge(vertex, sink, label);
        }
        Some(sink)
    }
}
