//! Seeds: the vector that a product with the Jacobian is of. Its entries are inputs, and the labels of edges: from one
//! vertex before all independents for a tangent, to one after all dependents for a cotangent. So the sum over all
//! paths between these is the product, and the elimination finds the order of its operations as that of any others. So
//! are the derivatives of what a loop carries, before an iteration (`iteration.rs`).

use jacobian_list::chart::{Chart, Charts};
use jacobian_list::code_list::{CodeList, Kind, Statement, ValueId};

use super::draft::Draft;
use crate::algebra::Term;
use crate::graph::{Role, VertexId};

/// What a code list is differentiated by, and what is differentiated of it.
#[derive(Copy, Clone, Debug)]
pub struct Interface<'a> {
    /// By input, whether it is an independent where it is a float.
    pub is_active: &'a [bool],
    /// The inputs and outputs that are coordinates, all of them active floats.
    pub charts: &'a Charts,
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
    /// What may be differentiated in reverse order.
    pub may_reverse: Reversed,
    /// Whether only the way of the edges matters: the derivative of a loop that takes too many products is left out, and
    /// the labels of its edges stand for any partials.
    pub is_outline: bool,
}

impl<'a> Interface<'a> {
    /// All outputs are dependents, and outputs of the derivative, which is that by the inputs that are active.
    pub fn all(is_active: &'a [bool]) -> Self {
        let none = SeedKind::None;
        Interface {
            is_active,
            charts: Charts::NONE,
            first_dependent: 0,
            has_values: true,
            seed: none,
            gradient_of: none,
            is_symmetric: false,
            may_reverse: Reversed::Nothing,
            is_outline: false,
        }
    }
}

/// Which blocks may be differentiated after all that follows them, in reverse order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reversed {
    /// None.
    Nothing,
    /// Branches (`adjoint.rs`).
    Branches,
    /// Loops, too (`reverse.rs`).
    All,
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
    /// A matrix with a row for each argument of a loop, and the columns that the loop is differentiated by: the
    /// derivatives before an iteration. Its variable entries are inputs, and after them their masks: first those of
    /// what is carried, then those of what is the same in all iterations. So it is for an arm of a branch, which carries
    /// nothing.
    Iteration(&'a Iteration),
    /// A matrix with a column for each output of an arm, and a row for each of the graph around it: the adjoints of the
    /// results of a branch. Its variable entries are inputs, and after them their masks.
    Adjoints {
        /// The number of rows.
        rows: usize,
        /// By output, by row.
        of_results: &'a [Vec<Companion>],
    },
}

/// What is known of a companion before every iteration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Companion {
    /// It is a structural zero.
    Zero,
    /// It is 1.
    One,
    /// It is a value, which may be infinite or no number, and perhaps a structural zero.
    Carried {
        /// Whether it may be infinite or no number.
        is_unbounded: bool,
        /// Whether it may be a structural zero, as a mask tells.
        is_masked: bool,
    },
}

/// What is known before an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The number of columns.
    pub columns: usize,
    /// By argument that is the same in all iterations, which are the first inputs of the body, by column: the derivative
    /// of the one by the other.
    pub read: Vec<Vec<Companion>>,
    /// By value that is carried, by column.
    pub companions: Vec<Vec<Companion>>,
    /// By value that is carried: whether it may be infinite or no number.
    pub is_unbounded: Vec<bool>,
}

/// Whether an input or an output has a column or a row: of coordinates, as many as there are tangents.
fn is_tangent(charts: &[Chart], position: usize) -> bool {
    Chart::of(charts, position).is_none_or(|chart| position - chart.first < chart.manifold.tangents())
}

/// The seed itself.
#[derive(Default)]
pub(super) struct Seed {
    /// Its entries.
    entries: Vec<Term>,
    /// The sources that are no inputs: that of a tangent, those of the columns of a loop.
    sources: Vec<VertexId>,
    /// By argument of a loop: what stands for its companions; by output of an arm: for its adjoints.
    companions: Vec<Vec<Term>>,
}

impl Seed {
    /// Declares the inputs of the seed. Nothing but the inputs of another seed is in `draft` yet.
    pub(super) fn new(kind: SeedKind, interface: Interface<'_>, function: &CodeList, draft: &mut Draft) -> Seed {
        let Interface { is_active, charts, first_dependent, .. } = interface;
        let dependents = || {
            let outputs = function.outputs()[first_dependent..].iter().copied().enumerate();
            outputs.filter(|(position, _)| is_tangent(&charts.outputs, *position)).map(|(_, output)| output)
        };
        let is_column = |(id, is_active): &(ValueId, bool)| *is_active && function.kind(*id) == Kind::Float;
        let mut seed = Seed::default();
        match kind {
            SeedKind::None => {}
            SeedKind::Tangent => {
                let inputs = function.inputs().iter().copied().zip(is_active.iter().copied()).enumerate();
                let inputs = inputs.filter(|(position, _)| is_tangent(&charts.inputs, *position));
                let inputs = inputs.map(|(_, input)| input).filter(is_column);
                seed.declare(inputs.map(|(id, _)| id), "dot", function, draft);
                seed.sources.push(draft.add_seed(Role::Independent));
            }
            SeedKind::Cotangent => seed.declare(dependents(), "bar", function, draft),
            SeedKind::Sum => seed.entries.extend(dependents().map(|_| Term::ONE)),
            SeedKind::Iteration(iteration) => seed.declare_iteration(iteration, function, draft),
            SeedKind::Adjoints { of_results, .. } => {
                let name = |output: usize| Some(format!("{}_bar", function.name(function.outputs()[output])?));
                seed.companions = declare_companions(of_results, &name, draft);
            }
        }
        seed
    }

    /// Declares the companions before an iteration.
    fn declare_iteration(&mut self, iteration: &Iteration, function: &CodeList, draft: &mut Draft) {
        let read = iteration.read.len();
        let name = |input: usize| Some(format!("d{}", function.name(function.inputs()[input])?));
        let carried = declare_companions(&iteration.companions, &|value| name(read + value), draft);
        self.companions = declare_companions(&iteration.read, &name, draft);
        self.companions.extend(carried);
        self.sources.extend((0..iteration.columns).map(|_| draft.add_seed(Role::Independent)));
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
            _ => Role::Independent,
        }
    }

    /// Says of the input at this position whether it may be infinite or no number.
    pub(super) fn note_bounds(interface: Interface<'_>, position: usize, value: ValueId, draft: &mut Draft) {
        if let SeedKind::Iteration(iteration) = interface.seed
            && position.checked_sub(iteration.read.len()).is_some_and(|value| iteration.is_unbounded[value])
        {
            draft.algebra.set_unbounded(value);
        }
    }

    /// Connects the vertex of the input of an iteration at this position to the sources.
    pub(super) fn connect(&self, interface: Interface<'_>, position: usize, vertex: VertexId, draft: &mut Draft) {
        let SeedKind::Iteration(_) = interface.seed else { return };
        let labels = self.sources.iter().zip(&self.companions[position]);
        for (&source, &companion) in labels.filter(|(_, companion)| !companion.is_zero()) {
            draft.add_edge(source, vertex, companion);
        }
    }

    /// By vertex of an input or of a source, in order: the columns that it depends on, with its derivatives by these.
    pub(super) fn rows_of_inputs(&self, interface: Interface<'_>, inputs: &[VertexId]) -> Vec<(VertexId, usize, Term)> {
        let own = inputs.iter().copied().enumerate();
        match interface.seed {
            // Loops may have been differentiated by the direction itself already.
            SeedKind::Tangent => {
                let inputs = own.map(|(place, input)| (input, 0, self.entries[place]));
                inputs.chain([(self.sources[0], 0, Term::ONE)]).collect()
            }
            SeedKind::Iteration(_) => {
                self.sources.iter().enumerate().map(|(column, &source)| (source, column, Term::ONE)).collect()
            }
            _ => own.map(|(column, input)| (input, column, Term::ONE)).collect(),
        }
    }

    /// The vertices of the columns so far, where those of the inputs are `inputs`.
    pub(super) fn sources(&self, interface: Interface<'_>, inputs: &[VertexId]) -> Vec<VertexId> {
        match interface.seed {
            SeedKind::Tangent | SeedKind::Iteration(_) => self.sources.clone(),
            _ => inputs.to_vec(),
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
            _ => inputs,
        }
    }

    /// The sinks of a matrix of adjoints with this many rows.
    pub(super) fn sinks(
        &self,
        rows: usize,
        dependents: &[Option<VertexId>],
        draft: &mut Draft,
    ) -> Vec<Option<VertexId>> {
        let of_row = |row: usize| self.companions.iter().map(|adjoints| adjoints[row]).collect::<Vec<_>>();
        (0..rows).map(|row| sink(dependents, &of_row(row), draft)).collect()
    }

    /// The sink of a cotangent, to which it connects the vertices of the dependents.
    pub(super) fn sink(&self, dependents: &[Option<VertexId>], draft: &mut Draft) -> Option<VertexId> {
        sink(dependents, &self.entries, draft)
    }
}

/// A sink, to which the vertices of the dependents are connected by edges with these labels.
fn sink(dependents: &[Option<VertexId>], labels: &[Term], draft: &mut Draft) -> Option<VertexId> {
    let mut edges = Vec::new();
    for (&vertex, &label) in dependents.iter().zip(labels) {
        if let Some(vertex) = vertex.filter(|_| !label.is_zero()) {
            draft.gather(&mut edges, vertex, label);
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

/// Declares the variable entries of a matrix, of which the rows have these names, after all of them their masks.
fn declare_companions(
    companions: &[Vec<Companion>],
    name: &dyn Fn(usize) -> Option<String>,
    draft: &mut Draft,
) -> Vec<Vec<Term>> {
    let (mut masked, mut rows) = (Vec::new(), Vec::with_capacity(companions.len()));
    for (value, row) in companions.iter().enumerate() {
        let mut terms = Vec::with_capacity(row.len());
        for companion in row {
            terms.push(match *companion {
                Companion::Zero => Term::ZERO,
                Companion::One => Term::ONE,
                Companion::Carried { is_unbounded, is_masked } => {
                    let entry = draft.algebra.function_statement(Statement::Input(Kind::Float));
                    if let Some(name) = name(value) {
                        draft.algebra.list_mut().set_name(entry, &name);
                    }
                    if is_unbounded {
                        draft.algebra.set_unbounded(entry);
                    }
                    if is_masked {
                        masked.push(entry);
                    }
                    draft.algebra.term(entry)
                }
            });
        }
        rows.push(terms);
    }
    for entry in masked {
        let mask = draft.algebra.function_statement(Statement::Input(Kind::Float));
        draft.algebra.list_mut().set_name(mask, "mask");
        draft.algebra.set_mask(entry, draft.algebra.term(mask));
    }
    rows
}
