//! Seeds: the vector that a product with the Jacobian is of. Its entries are inputs, and the labels of edges: from one vertex
//! in front of all independents for a tangent, to one behind all dependents for a cotangent. So the sum over all paths
//! between these is the product, and the elimination finds the order of its operations as that of any others.

use super::Draft;
use crate::algebra::Term;
use crate::form::Form;
use crate::graph::{Role, VertexId};
use crate::list::code_list::{CodeList, Kind, Statement, ValueId};

/// The seed of a form.
#[derive(Default)]
pub(super) struct Seed {
    /// Its entries, if the form has one.
    entries: Vec<Term>,
    /// The source that the edges with the entries of a tangent leave.
    source: Option<VertexId>,
}

impl Seed {
    /// Declares the inputs that `form` takes beside those of `function`. Nothing else is in `draft` yet.
    pub(super) fn new(form: Form, function: &CodeList, is_active: &[bool], draft: &mut Draft) -> Seed {
        let is_column = |(id, is_active): &(ValueId, bool)| *is_active && function.kind(*id) == Kind::Float;
        let mut seed = Seed::default();
        match form {
            Form::Jacobian | Form::JacobianOnly => {}
            Form::TangentProduct => {
                let inputs = function.inputs().iter().copied().zip(is_active.iter().copied()).filter(is_column);
                seed.declare(inputs.map(|(id, _)| id), "dot", function, draft);
                seed.source = Some(draft.add_seed(Role::Independent));
            }
            Form::CotangentProduct => seed.declare(function.outputs().iter().copied(), "bar", function, draft),
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

    /// The sink of a cotangent, to which it connects the vertices of the results.
    pub(super) fn sink(&self, results: &[Option<VertexId>], draft: &mut Draft) -> Option<VertexId> {
        let mut edges = Vec::new();
        for (&vertex, &entry) in results.iter().zip(&self.entries) {
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
