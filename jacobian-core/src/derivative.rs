//! What differentiation gives: the code list of a function and of its Jacobian, with the places of the results in it.

use crate::list::code_list::{CodeList, ValueId};

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

    /// The entries of the Jacobian, row by row.
    pub fn entries(&self) -> &[ValueId] {
        &self.list.outputs()[self.rows..][..self.rows * self.columns]
    }

    /// A row of the Jacobian.
    pub fn row(&self, row: usize) -> &[ValueId] {
        &self.entries()[row * self.columns..][..self.columns]
    }
}
