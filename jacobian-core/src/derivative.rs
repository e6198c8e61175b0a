//! What differentiation gives: the code list of a function and of its Jacobian, or of a product with it, with the places of
//! the results in it.

use crate::list::code_list::{CodeList, ValueId};

/// A function and its Jacobian, or what else a [form](crate::form::Form) asks for, in one code list.
#[derive(Clone, Debug)]
pub struct Derivative {
    /// The statements. The outputs are the results, then the `rows * columns` entries of the Jacobian, row by row. The inputs are
    /// those of the seed, then those of the function.
    pub list: CodeList,
    /// The number of results that are outputs.
    pub values: usize,
    /// The number of rows: that of the results; 1 for a cotangent.
    pub rows: usize,
    /// The number of columns: that of the independents; 1 for a tangent.
    pub columns: usize,
}

impl Derivative {
    /// The results of the function.
    pub fn values(&self) -> &[ValueId] {
        &self.list.outputs()[..self.values]
    }

    /// The entries of the Jacobian, row by row.
    pub fn entries(&self) -> &[ValueId] {
        &self.list.outputs()[self.values..][..self.rows * self.columns]
    }

    /// A row of the Jacobian.
    pub fn row(&self, row: usize) -> &[ValueId] {
        &self.entries()[row * self.columns..][..self.columns]
    }
}
