//! Accumulation: the program of an elimination as statements of the code list, and from them the derivative.

use crate::code_list::{CodeList, ValueId};
use crate::cost::OperationCount;
use crate::graph::VertexId;
use crate::linearize::Linearization;
use crate::program::{Accumulation, LabelId, Operation, Program};

/// A function and its Jacobian in one code list.
#[derive(Clone, Debug)]
pub struct Derivative {
    /// The statements. The outputs are the `m` results, then the `m * n` entries of the Jacobian, row by row.
    pub list: CodeList,
    /// The number `m` of results.
    pub rows: usize,
    /// The number `n` of independents.
    pub columns: usize,
}

impl Derivative {
    /// The results of the function.
    pub fn values(&self) -> &[ValueId] {
        &self.list.outputs()[..self.rows]
    }

    /// A row of the Jacobian.
    pub fn row(&self, row: usize) -> &[ValueId] {
        let start = self.rows + row * self.columns;
        &self.list.outputs()[start..start + self.columns]
    }
}

/// Carries out `program` on the labels of `linearization`.
pub fn accumulate(mut linearization: Linearization, program: &Program) -> Derivative {
    for accumulation in program.accumulations() {
        linearization.accumulate(accumulation.operation);
        linearization.name(accumulation);
    }
    let (rows, columns) = (linearization.rows.len(), linearization.columns.len());
    Derivative { list: linearization.declare_outputs(program).remove_dead_code(), rows, columns }
}

/// The operations of what [`accumulate`] would return, which it takes longer to make than to count.
pub fn count(mut linearization: Linearization, program: &Program) -> OperationCount {
    for accumulation in program.accumulations() {
        linearization.accumulate(accumulation.operation);
    }
    OperationCount::of(&linearization.declare_outputs(program))
}

impl Linearization {
    /// Appends the label that `operation` gives.
    fn accumulate(&mut self, operation: Operation) {
        let label = |id: LabelId| self.labels[id.index()];
        let result = match operation {
            Operation::Product { first, second } => self.algebra.mul(label(first), label(second)),
            Operation::Absorption { addend, first, second } => {
                let product = self.algebra.mul(label(first), label(second));
                self.algebra.add(label(addend), product)
            }
            Operation::Sum { first, second } => self.algebra.add(label(first), label(second)),
        };
        self.labels.push(result);
    }

    /// Declares the results and the entries of the Jacobian, and returns the list.
    fn declare_outputs(mut self, program: &Program) -> CodeList {
        for &value in &self.values {
            self.algebra.list_mut().output(value);
        }
        for row in std::mem::take(&mut self.rows) {
            for column in 0..self.columns.len() {
                let label = row.and_then(|row| program.entry(row, self.columns[column]));
                let entry = match label {
                    Some(label) => self.algebra.materialize(self.labels[label.index()]),
                    None => self.algebra.zero().id,
                };
                self.algebra.list_mut().output(entry);
            }
        }
        self.algebra.into_list()
    }

    /// Names the label that was appended last after its ends, `d{target}_d{source}`, if it has no name.
    fn name(&mut self, accumulation: &Accumulation) {
        let (Some(label), Some(ends)) = (self.labels.last(), accumulation.ends) else { return };
        let of = |vertex: VertexId| self.algebra.list().name(self.vertex_values[vertex.index()]);
        if let (None, Some(target), Some(source)) =
            (self.algebra.list().name(label.id), of(ends.target), of(ends.source))
            && self.algebra.list().as_constant(label.id).is_none()
        {
            let name = format!("d{target}_d{source}");
            self.algebra.list_mut().set_name(label.id, &name);
        }
    }
}
