//! Accumulation: the expressions of an elimination as statements of the code list, and from them the derivative.

use crate::code_list::{CodeList, ValueId};
use crate::cost::OperationCount;
use crate::graph::{Accumulation, EdgeId, Graph, VertexId};
use crate::linearize::Linearization;

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

/// Carries out `accumulations` on the labels of `linearization`; `graph` is what the elimination left.
pub fn accumulate(mut linearization: Linearization, accumulations: &[Accumulation], graph: &Graph) -> Derivative {
    for accumulation in accumulations {
        linearization.accumulate(accumulation);
        linearization.name(graph, accumulation.target);
    }
    let (rows, columns) = (linearization.rows.len(), linearization.columns.len());
    Derivative { list: linearization.declare_outputs(graph).remove_dead_code(), rows, columns }
}

/// The operations of what [`accumulate`] would return, which it takes longer to make than to count.
pub fn count(mut linearization: Linearization, accumulations: &[Accumulation], graph: &Graph) -> OperationCount {
    for accumulation in accumulations {
        linearization.accumulate(accumulation);
    }
    OperationCount::of(&linearization.declare_outputs(graph))
}

impl Linearization {
    fn accumulate(&mut self, accumulation: &Accumulation) {
        let label = |edge: EdgeId| self.labels[edge.index()];
        let product = self.algebra.mul(label(accumulation.first), label(accumulation.second));
        let target = accumulation.target.index();
        if accumulation.absorbs {
            self.labels[target] = self.algebra.add(self.labels[target], product);
        } else {
            debug_assert_eq!(target, self.labels.len());
            self.labels.push(product);
        }
    }

    /// Declares the results and the entries of the Jacobian, and returns the list.
    fn declare_outputs(mut self, graph: &Graph) -> CodeList {
        for &value in &self.values {
            self.algebra.list_mut().output(value);
        }
        for row in std::mem::take(&mut self.rows) {
            for column in 0..self.columns.len() {
                let entry = self.entry(graph, row, column);
                self.algebra.list_mut().output(entry);
            }
        }
        self.algebra.into_list()
    }

    /// Names the value of a label after its edge, `d{target}_d{source}`, if it has no name.
    fn name(&mut self, graph: &Graph, edge: EdgeId) {
        let (label, edge) = (self.labels[edge.index()], graph.edge(edge));
        let of = |vertex: VertexId| self.algebra.list().name(self.vertex_values[vertex.index()]);
        if let (None, Some(target), Some(source)) =
            (self.algebra.list().name(label.id), of(edge.target), of(edge.source))
            && self.algebra.list().as_constant(label.id).is_none()
        {
            let name = format!("d{target}_d{source}");
            self.algebra.list_mut().set_name(label.id, &name);
        }
    }

    fn entry(&mut self, graph: &Graph, row: Option<VertexId>, column: usize) -> ValueId {
        let edge = row.and_then(|row| graph.find_edge(self.columns[column], row));
        match edge {
            Some(edge) => self.algebra.materialize(self.labels[edge.index()]),
            None => self.algebra.zero().id,
        }
    }
}
