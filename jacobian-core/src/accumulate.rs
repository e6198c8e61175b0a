//! Accumulation: the expressions of an elimination as statements of the code list, and from them the derivative.

use crate::algebra::Term;
use crate::code_list::{CodeList, ValueId};
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
        linearization.accumulate(accumulation, graph);
    }
    let values = std::mem::take(&mut linearization.values);
    for &value in &values {
        linearization.algebra.list_mut().output(value);
    }
    for row in std::mem::take(&mut linearization.rows) {
        for column in 0..linearization.columns.len() {
            let entry = linearization.entry(graph, row, column);
            linearization.algebra.list_mut().output(entry);
        }
    }
    Derivative {
        list: linearization.algebra.list().remove_dead_code(),
        rows: values.len(),
        columns: linearization.columns.len(),
    }
}

impl Linearization {
    fn accumulate(&mut self, accumulation: &Accumulation, graph: &Graph) {
        let label = |edge: EdgeId| self.labels[edge.index()];
        let product = self.algebra.mul(label(accumulation.first), label(accumulation.second));
        let target = accumulation.target;
        if accumulation.absorbs {
            let sum = self.algebra.add(self.labels[target.index()], product);
            self.labels[target.index()] = sum;
        } else {
            debug_assert_eq!(target.index(), self.labels.len());
            self.labels.push(product);
        }
        self.name(self.labels[target.index()], graph, target);
    }

    /// Names the value of a label after its edge, `d{target}_d{source}`, if it has no name.
    fn name(&mut self, label: Term, graph: &Graph, edge: EdgeId) {
        let edge = graph.edge(edge);
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
