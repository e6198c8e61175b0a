//! How matrices are stored: those that a function generates, and the Jacobians of functions that it calls.

/// How matrices are stored.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Layout {
    /// Dense ones row by row; of sparse ones the entries by columns.
    #[default]
    Default,
    /// Dense ones column by column.
    Columns,
    /// Dense ones as matrices of nalgebra.
    Matrix,
    /// Of sparse ones the entries by rows.
    CompressedRows,
}

/// The names of the layouts.
pub const LAYOUTS: &[(&str, Layout)] =
    &[("columns", Layout::Columns), ("matrix", Layout::Matrix), ("csr", Layout::CompressedRows)];
