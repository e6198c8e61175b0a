//! Accumulation: the program of an elimination as statements of the code list, and from them the derivative.

use std::collections::HashMap;

use crate::algebra::Term;
pub use crate::derivative::Derivative;
use crate::graph::VertexId;
use crate::graph::program::{Accumulation, LabelId, Operation, Program};
use crate::linearize::Linearization;
use crate::list::code_list::CodeList;

/// Carries out `program` on the labels of `linearization`.
pub fn accumulate(mut linearization: Linearization, program: &Program) -> Derivative {
    linearization.carry_out(program);
    linearization.declare_entries(program);
    linearization.derivative()
}

/// As [`accumulate`] in an arm of a branch: an output more for each entry is its mask, 0 where it is a structural zero.
pub(crate) fn accumulate_arm(mut linearization: Linearization, program: &Program) -> Derivative {
    linearization.carry_out(program);
    for entry in linearization.declare_entries(program) {
        let mask = linearization.algebra.mask(entry);
        linearization.algebra.list_mut().output(mask.id());
    }
    linearization.derivative()
}

/// The code that [`accumulate`] would return, with dead code, without names, and without the signs of entries: what costs are
/// found out of.
pub fn draft(mut linearization: Linearization, program: &Program) -> CodeList {
    for accumulation in program.accumulations() {
        linearization.accumulate(accumulation.operation);
    }
    let entries = linearization.program_entries(program);
    linearization.declare_draft(&entries);
    linearization.algebra.into_list()
}

impl Linearization {
    /// Appends the labels of all expressions, and names them. Those that come to one value are one entry, with the
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
        };
        self.labels.push(result);
    }

    /// Declares the results, and the entries of the Jacobian that `program` says, with their signs.
    fn declare_entries(&mut self, program: &Program) -> Vec<Term> {
        let entries = self.program_entries(program);
        self.declare_values();
        let (computed, mut signed) = (self.computed_anyway(&entries), HashMap::new());
        for &entry in &entries {
            let is_computed = computed.as_ref().is_some_and(|computed| computed[entry.id().index()]);
            let of = self.algebra.list().entry(entry.id());
            self.algebra.list_mut().resume_entry(of);
            let id = *signed.entry(entry).or_insert_with(|| self.algebra.materialize(entry, is_computed));
            self.algebra.list_mut().output(id);
        }
        self.algebra.list_mut().resume_entry(None);
        entries
    }

    fn program_entries(&self, program: &Program) -> Vec<Term> {
        self.entries(|row, column| program.entry(row, column).map(|label| self.labels[label.index()]))
    }

    fn derivative(self) -> Derivative {
        let (values, rows, columns) = (self.values.len(), self.rows.len(), self.columns.len());
        Derivative { list: self.algebra.list().remove_dead_code(), values, rows, columns }
    }

    /// The entries of the Jacobian, row by row, of which `entry` knows those that are not zero by structure. Those above the
    /// diagonal of a symmetric one are those below it.
    pub(crate) fn entries(&self, entry: impl Fn(VertexId, VertexId) -> Option<Term>) -> Vec<Term> {
        let (zero, columns) = (Term::ZERO, self.columns.len());
        let mut entries = Vec::with_capacity(self.rows.len() * columns);
        for (index, &row) in self.rows.iter().enumerate() {
            let computed = if self.is_symmetric { index + 1 } else { columns };
            for &column in &self.columns[..computed] {
                entries.push(row.and_then(|row| entry(row, column)).unwrap_or(zero));
            }
            entries.resize((index + 1) * columns, zero);
        }
        if self.is_symmetric {
            for row in 0..columns {
                for column in row + 1..columns {
                    entries[row * columns + column] = entries[column * columns + row];
                }
            }
        }
        entries
    }

    /// By vertex of a row: the last column of which an entry is computed.
    pub(crate) fn last_columns(&self) -> Vec<usize> {
        let mut last = vec![usize::MAX; self.graph.vertex_count()];
        if self.is_symmetric {
            // The later row of one vertex has the longer part below the diagonal.
            for (row, vertex) in self.rows.iter().enumerate() {
                vertex.iter().for_each(|vertex| last[vertex.index()] = row);
            }
        }
        last
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

    /// Declares the results, and the entries without their signs.
    pub(crate) fn declare_draft(&mut self, entries: &[Term]) {
        self.declare_values();
        entries.iter().for_each(|entry| self.algebra.list_mut().output(entry.id()));
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
