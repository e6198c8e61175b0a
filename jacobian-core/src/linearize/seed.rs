//! Seeds: the vector that a product with the Jacobian is of. Its entries are inputs, and the labels of edges: from one
//! vertex before all independents for a tangent, to one after all dependents for a cotangent. So the sum over all
//! paths between these is the product, and the elimination finds the order of its operations as that of any others. So
//! are the derivatives of what a loop carries, before an iteration (`iteration.rs`).

use super::draft::Draft;
use crate::algebra::Term;
use crate::graph::{Role, VertexId};
use crate::list::code_list::{CodeList, Kind, Statement, ValueId};

/// What a code list is differentiated by, and what is differentiated of it.
#[derive(Copy, Clone, Debug)]
pub struct Interface<'a> {
    /// By input, whether it is an independent where it is a float.
    pub is_active: &'a [bool],
    /// The first output that is a dependent. Those before it are computed.
    pub first_dependent: usize,
    /// Whether the outputs are outputs of the derivative.
    pub has_values: bool,
    /// What the Jacobian is multiplied by.
    pub seed: SeedKind<'a>,
    /// Where the gradient of the sum of all results is differentiated, and not the function: the weights of the
    /// results, a cotangent or ones.
    pub gradient_of: SeedKind<'a>,
    /// Whether the Jacobian is symmetric, so that the entries above its diagonal need not be computed.
    pub is_symmetric: bool,
}

impl<'a> Interface<'a> {
    /// All outputs are dependents, and outputs of the derivative, which is that by the inputs that are active.
    pub fn all(is_active: &'a [bool]) -> Self {
        let none = SeedKind::None;
        Interface {
            is_active,
            first_dependent: 0,
            has_values: true,
            seed: none,
            gradient_of: none,
            is_symmetric: false,
        }
    }
}

/// What a Jacobian is multiplied by.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SeedKind<'a> {
    /// Nothing.
    None,
    /// A vector with an entry for each independent.
    Tangent,
    /// A vector with an entry for each dependent.
    Cotangent,
    /// The vector of ones: the rows are added up.
    Sum,
    /// A matrix with a row for each value that a loop carries, and a column for each active argument of it: the
    /// derivatives before an iteration. Its variable entries are inputs, and after them their masks.
    Iteration(&'a Iteration),
}

/// What is known of a companion before every iteration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Companion {
    /// It is a structural zero.
    Zero,
    /// It is 1.
    One,
    /// It is a value, which may be infinite or no number.
    Carried {
        /// Whether it may be that.
        is_unbounded: bool,
    },
}

/// What is known before an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The number of arguments that are the same in all iterations, which are the first inputs of the body.
    pub read: usize,
    /// By input of the body: the column of what is active among the arguments of the loop. Equal ones have one column.
    pub columns: Vec<Option<usize>>,
    /// By value that is carried, by column: the derivative of the one by the other.
    pub companions: Vec<Vec<Companion>>,
    /// By value that is carried: whether it may be infinite or no number.
    pub is_unbounded: Vec<bool>,
}

/// How many columns there are.
pub(super) fn count(columns: &[Option<usize>]) -> usize {
    columns.iter().flatten().max().map_or(0, |last| last + 1)
}

/// The seed itself.
#[derive(Default)]
pub(super) struct Seed {
    /// Its entries.
    entries: Vec<Term>,
    /// The sources that are no inputs: that of a tangent, those of the columns of a loop.
    sources: Vec<VertexId>,
    /// By value that a loop carries: what stands for its companions.
    companions: Vec<Vec<Term>>,
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
                seed.sources.push(draft.add_seed(Role::Independent));
            }
            SeedKind::Cotangent => seed.declare(dependents(), "bar", function, draft),
            SeedKind::Sum => seed.entries.extend(dependents().map(|_| Term::ONE)),
            SeedKind::Iteration(iteration) => seed.declare_iteration(iteration, function, draft),
        }
        seed
    }

    /// Declares the companions before an iteration, after all of them their masks.
    fn declare_iteration(&mut self, iteration: &Iteration, function: &CodeList, draft: &mut Draft) {
        let name = |input: usize| function.name(function.inputs()[input]);
        let mut declared = Vec::new();
        for (value, row) in iteration.companions.iter().enumerate() {
            let mut terms = Vec::with_capacity(row.len());
            for companion in row {
                terms.push(match *companion {
                    Companion::Zero => Term::ZERO,
                    Companion::One => Term::ONE,
                    Companion::Carried { is_unbounded } => {
                        let entry = draft.algebra.function_statement(Statement::Input(Kind::Float));
                        if let Some(name) = name(iteration.read + value) {
                            draft.algebra.list_mut().set_name(entry, &format!("d{name}"));
                        }
                        if is_unbounded {
                            draft.algebra.set_unbounded(entry);
                        }
                        declared.push(entry);
                        draft.algebra.term(entry)
                    }
                });
            }
            self.companions.push(terms);
        }
        for entry in declared {
            let mask = draft.algebra.function_statement(Statement::Input(Kind::Float));
            draft.algebra.list_mut().set_name(mask, "mask");
            draft.algebra.set_mask(entry, draft.algebra.term(mask));
        }
        self.sources.extend((0..count(&iteration.columns)).map(|_| draft.add_seed(Role::Independent)));
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
    pub(super) fn role_of_inputs(interface: Interface<'_>) -> Role {
        match interface.seed {
            SeedKind::Tangent | SeedKind::Iteration(_) => Role::Intermediate,
            SeedKind::None | SeedKind::Cotangent | SeedKind::Sum => Role::Independent,
        }
    }

    /// Says of the input at this position whether it may be infinite or no number.
    pub(super) fn note_bounds(interface: Interface<'_>, position: usize, value: ValueId, draft: &mut Draft) {
        if let SeedKind::Iteration(iteration) = interface.seed
            && position.checked_sub(iteration.read).is_some_and(|value| iteration.is_unbounded[value])
        {
            draft.algebra.set_unbounded(value);
        }
    }

    /// Connects the vertex of the input of an iteration at this position to the sources.
    pub(super) fn connect(&self, interface: Interface<'_>, position: usize, vertex: VertexId, draft: &mut Draft) {
        let SeedKind::Iteration(iteration) = interface.seed else { return };
        match (position.checked_sub(iteration.read), iteration.columns[position]) {
            (Some(value), _) => {
                let labels = self.sources.iter().zip(&self.companions[value]);
                for (&source, &companion) in labels.filter(|(_, companion)| !companion.is_zero()) {
                    draft.add_edge(source, vertex, companion);
                }
            }
            (None, Some(column)) => draft.add_edge(self.sources[column], vertex, Term::ONE),
            (None, None) => {}
        }
    }

    /// The columns, where those of the inputs are `inputs`: the sources, where there are any. It connects that of a
    /// tangent.
    pub(super) fn columns(&self, interface: Interface<'_>, inputs: Vec<VertexId>, draft: &mut Draft) -> Vec<VertexId> {
        match interface.seed {
            SeedKind::Tangent => {
                for (&input, &entry) in inputs.iter().zip(&self.entries) {
                    draft.add_edge(self.sources[0], input, entry);
                }
                self.sources.clone()
            }
            SeedKind::Iteration(_) => self.sources.clone(),
            SeedKind::None | SeedKind::Cotangent | SeedKind::Sum => inputs,
        }
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
