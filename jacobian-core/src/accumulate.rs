//! Accumulation: the program of an elimination as statements of the code list, and from them the derivative.

use std::collections::{BTreeMap, HashMap};

use jacobian_list::code_list::CodeList;

use crate::algebra::Term;
pub use crate::derivative::Derivative;
use crate::derivative::Pattern;
use crate::graph::VertexId;
use crate::graph::program::{Accumulation, LabelId, Operation, Program};
use crate::linearize::Linearization;

/// Carries out `program` on the labels of `linearization`.
pub fn accumulate(mut linearization: Linearization, program: &Program) -> Derivative {
    linearization.carry_out(program);
    let entries = linearization.program_entries(program);
    let gradient = linearization.gradient.take();
    let row = gradient.as_ref().map(|gradient| Pattern::dense(1, gradient.len()));
    linearization.declare(&[gradient.unwrap_or_default(), entries.terms].concat());
    linearization.derivative(row.into_iter().chain([entries.pattern]).collect())
}

/// As [`accumulate`] in an arm of a branch: a second matrix has the mask of each entry, 0 where it is a structural
/// zero.
pub(crate) fn accumulate_arm(mut linearization: Linearization, program: &Program) -> Derivative {
    linearization.carry_out(program);
    let entries = linearization.program_entries(program);
    linearization.declare(&entries.terms);
    for entry in entries.terms {
        let mask = linearization.algebra.mask(entry);
        linearization.algebra.list_mut().output(mask.id());
    }
    linearization.derivative(vec![entries.pattern.clone(), entries.pattern])
}

/// As [`accumulate`], then `Jᵀ r` for the results `r`, and `Jᵀ J` instead of `J`: sums over the rows, each with as many
/// products as it has entries, or pairs of them.
pub(crate) fn accumulate_normal(mut linearization: Linearization, program: &Program) -> Derivative {
    linearization.carry_out(program);
    let entries = linearization.program_entries(program);
    let (gradient, square) = linearization.normal(&entries);
    let terms = [gradient.terms, square.terms].concat();
    linearization.declare(&terms);
    linearization.derivative(vec![gradient.pattern, square.pattern])
}

/// The code that [`accumulate`] would return, with dead code, without names, and without the signs of entries: from
/// which costs are computed.
pub fn draft(mut linearization: Linearization, program: &Program) -> CodeList {
    for accumulation in program.accumulations() {
        linearization.accumulate(accumulation.operation);
    }
    let entries = linearization.program_entries(program);
    linearization.declare_draft(&entries.terms);
    linearization.algebra.into_list()
}

/// The entries of a Jacobian that are not zero by structure, row by row.
pub(crate) struct Entries {
    pub(crate) pattern: Pattern,
    pub(crate) terms: Vec<Term>,
}

impl Entries {
    /// The entries of rows, by their columns.
    fn of(columns: usize, is_symmetric: bool, rows: Vec<BTreeMap<usize, Term>>) -> Self {
        let mut entries = Entries { pattern: Pattern::new(columns, is_symmetric), terms: Vec::new() };
        for row in rows {
            let row = row.into_iter().filter(|(_, term)| !term.is_zero());
            let (columns, terms): (Vec<_>, Vec<_>) = row.unzip();
            entries.pattern.add_row(columns);
            entries.terms.extend(terms);
        }
        entries
    }
}

impl Linearization {
    /// Appends the labels of all expressions, and names them. Those that have one value are one entry, with the
    /// partial that they are added to.
    pub(crate) fn carry_out(&mut self, program: &Program) {
        let finals = program.final_labels();
        let mut entries = vec![None; finals.len()];
        for (label, term) in self.labels.iter().enumerate().filter(|(label, _)| finals[*label].index() != *label) {
            entries[finals[label].index()] = self.algebra.list().entry(term.id());
        }
        for accumulation in program.accumulations() {
            let entry = &mut entries[finals[self.labels.len()].index()];
            let list = self.algebra.list_mut();
            match entry {
                Some(_) => list.resume_entry(*entry),
                None => *entry = Some(list.begin_entry()),
            }
            self.accumulate(accumulation.operation);
            self.name_label(accumulation);
        }
        self.algebra.list_mut().resume_entry(None);
    }

    /// With the labels of what has been eliminated ahead of time.
    pub(crate) fn with_program(&self) -> Self {
        let mut linearization = self.clone();
        for accumulation in self.program.accumulations() {
            linearization.accumulate(accumulation.operation);
        }
        linearization
    }

    /// Appends the label that `operation` gives.
    pub(crate) fn accumulate(&mut self, operation: Operation) {
        let label = |id: LabelId| self.labels[id.index()];
        let result = match operation {
            Operation::Product { first, second } => self.algebra.path_product(label(first), label(second)),
            Operation::Absorption { addend, first, second } => {
                let product = self.algebra.path_product(label(first), label(second));
                self.algebra.path_sum(label(addend), product)
            }
            Operation::Sum { first, second } => self.algebra.path_sum(label(first), label(second)),
            Operation::Negation { of } => -label(of),
        };
        self.labels.push(result);
    }

    /// Declares the results, and these entries with their signs.
    fn declare(&mut self, entries: &[Term]) {
        self.declare_values();
        let (computed, mut signed) = (self.computed_anyway(entries), HashMap::new());
        for &entry in entries {
            let is_computed = computed.as_ref().is_some_and(|computed| computed[entry.id().index()]);
            let of = self.algebra.list().entry(entry.id());
            self.algebra.list_mut().resume_entry(of);
            let id = *signed.entry(entry).or_insert_with(|| self.algebra.materialize(entry, is_computed));
            self.algebra.list_mut().output(id);
        }
        self.algebra.list_mut().resume_entry(None);
    }

    fn program_entries(&self, program: &Program) -> Entries {
        self.entries(|row, add| {
            program.row(row).iter().for_each(|entry| add(entry.column, self.labels[entry.label.index()]));
        })
    }

    fn derivative(self, matrices: Vec<Pattern>) -> Derivative {
        Derivative { list: self.algebra.list().remove_dead_code(), values: self.values.len(), matrices }
    }

    /// The entries of the Jacobian, of which `of_row` knows those in a row, by their columns. Those above the diagonal
    /// of a symmetric one are those below it.
    pub(crate) fn entries(&self, mut of_row: impl FnMut(VertexId, &mut dyn FnMut(VertexId, Term))) -> Entries {
        let mut place = vec![0; self.graph.vertex_count()];
        for (column, vertex) in self.columns.iter().enumerate() {
            place[vertex.index()] = column;
        }
        let rows = self.rows.iter().enumerate().map(|(index, &vertex)| {
            let mut row = BTreeMap::new();
            if let Some(vertex) = vertex {
                of_row(vertex, &mut |column, term| {
                    let column = place[column.index()];
                    if !self.is_symmetric || column <= index {
                        row.insert(column, term);
                    }
                });
            }
            row
        });
        Entries::of(self.columns.len(), self.is_symmetric, rows.collect())
    }

    /// The normal equations of the results with these entries of their Jacobian: the only row of `Jᵀ r`, and `Jᵀ J`.
    fn normal(&mut self, entries: &Entries) -> (Entries, Entries) {
        let (columns, pattern) = (self.columns.len(), &entries.pattern);
        let (mut gradient, mut square) = (BTreeMap::new(), vec![BTreeMap::new(); columns]);
        for (row, value) in self.values.clone().into_iter().enumerate() {
            let value = self.algebra.term(value);
            let row = pattern.row(row).iter().zip(&entries.terms[pattern.row_places(row)]);
            for (at, (&column, &entry)) in row.clone().enumerate() {
                self.add_product(gradient.entry(column).or_insert(Term::ZERO), entry, value);
                for (&other, &factor) in row.clone().take(at + 1) {
                    self.add_product(square[column].entry(other).or_insert(Term::ZERO), entry, factor);
                }
            }
        }
        (Entries::of(columns, false, vec![gradient]), Entries::of(columns, true, square))
    }

    fn add_product(&mut self, sum: &mut Term, first: Term, second: Term) {
        let product = self.algebra.path_product(first, second);
        *sum = self.algebra.path_sum(*sum, product);
    }

    fn declare_values(&mut self) {
        for &value in &self.values {
            self.algebra.list_mut().output(value);
        }
    }

    /// Which values are computed whatever becomes of the signs of the negative entries, if there are such entries.
    fn computed_anyway(&self, entries: &[Term]) -> Option<Vec<bool>> {
        if !entries.iter().any(|entry| entry.is_negative()) {
            return None;
        }
        let list = self.algebra.list();
        let (negative, positive): (Vec<Term>, Vec<Term>) =
            entries.iter().copied().partition(|entry| entry.is_negative());
        let below_signs = negative.iter().flat_map(|entry| list.args(entry.id()));
        let values = positive.iter().map(|entry| entry.id()).chain(self.values.iter().copied());
        Some(list.needed_by(values.chain(below_signs)))
    }

    /// Declares the results, and the entries without their signs, those of a gradient that is differentiated among
    /// them.
    pub(crate) fn declare_draft(&mut self, entries: &[Term]) {
        self.declare_values();
        let gradient = self.gradient.clone();
        gradient.iter().flatten().chain(entries).for_each(|entry| self.algebra.list_mut().output(entry.id()));
    }

    /// Names the label that was appended last after its ends, `d{target}_d{source}`, if it has no name.
    fn name_label(&mut self, accumulation: &Accumulation) {
        let (Some(label), Some(ends)) = (self.labels.last(), accumulation.ends) else { return };
        if let (None, Some(target), Some(source)) =
            (self.algebra.list().name(label.id()), self.name(ends.target), self.name(ends.source))
            && self.algebra.list().as_constant(label.id()).is_none()
        {
            let name = format!("d{target}_d{source}");
            self.algebra.list_mut().set_name(label.id(), &name);
        }
    }
}
