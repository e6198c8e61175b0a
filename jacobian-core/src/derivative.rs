//! What differentiation gives: the code list of a function and of its derivatives, with the places of these in it.

use std::collections::BTreeSet;

use jacobian_list::code_list::{CodeList, Constant, ValueId};

/// An entry that is not there.
const ZERO: Constant = Constant::Float(0.0);

/// A function and what a [form](jacobian_list::form::Form) asks for of its derivatives, in one code list.
#[derive(Clone, Debug)]
pub struct Derivative {
    /// The statements. The outputs are the results, then the entries of each matrix. The inputs are those of the seed,
    /// then those of the function.
    pub list: CodeList,
    /// The number of results that are outputs.
    pub values: usize,
    /// Where the entries of the matrices are. The last one is what the form is named after; a Hessian has the gradient
    /// before it, the only row of its matrix.
    pub matrices: Vec<Pattern>,
}

/// Where the entries of a matrix are that are not zero by structure, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The number of rows of the matrix.
    pub rows: usize,
    /// The number of columns of the matrix.
    pub columns: usize,
    /// Whether the matrix is symmetric. Then no entry is above its diagonal.
    pub is_symmetric: bool,
    /// By row: the place of its first entry; then the number of entries.
    row_starts: Vec<usize>,
    /// The columns of the entries, ascending in each row.
    entry_columns: Vec<usize>,
}

impl Pattern {
    /// A matrix without rows.
    pub fn new(columns: usize, is_symmetric: bool) -> Self {
        Pattern { rows: 0, columns, is_symmetric, row_starts: vec![0], entry_columns: Vec::new() }
    }

    /// A matrix all of whose entries are there.
    pub fn dense(rows: usize, columns: usize) -> Self {
        let mut pattern = Pattern::new(columns, false);
        for _ in 0..rows {
            pattern.add_row(0..columns);
        }
        pattern
    }

    /// The entries of matrices of one shape, together.
    pub(crate) fn union<'a>(matrices: impl Iterator<Item = &'a Pattern> + Clone) -> Option<Self> {
        let Pattern { rows, columns, is_symmetric, .. } = *matrices.clone().next()?;
        let mut union = Pattern::new(columns, is_symmetric);
        for row in 0..rows {
            let columns: BTreeSet<_> = matrices.clone().flat_map(|matrix| matrix.row(row)).copied().collect();
            union.add_row(columns);
        }
        Some(union)
    }

    /// Adds a row with entries in these columns, which ascend.
    pub fn add_row(&mut self, columns: impl IntoIterator<Item = usize>) {
        self.rows += 1;
        self.entry_columns.extend(columns);
        self.row_starts.push(self.entry_columns.len());
    }

    /// The number of entries.
    pub fn count(&self) -> usize {
        self.entry_columns.len()
    }

    /// The places of the entries of a row.
    pub fn row_places(&self, row: usize) -> std::ops::Range<usize> {
        self.row_starts[row]..self.row_starts[row + 1]
    }

    /// The columns of the entries of a row.
    pub fn row(&self, row: usize) -> &[usize] {
        &self.entry_columns[self.row_places(row)]
    }

    /// The place of an entry; that of a symmetric matrix is known by the one below the diagonal.
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        let (row, column) = if self.is_symmetric && column > row { (column, row) } else { (row, column) };
        Some(self.row_starts[row] + self.row(row).binary_search(&column).ok()?)
    }

    /// The entries in the order of the rows.
    pub fn by_rows(&self) -> Compressed {
        Compressed {
            starts: self.row_starts.clone(),
            indices: self.entry_columns.clone(),
            places: (0..self.count()).collect(),
        }
    }

    /// The entries in the order of the columns.
    pub fn by_columns(&self) -> Compressed {
        let mut columns = vec![Vec::new(); self.columns];
        for row in 0..self.rows {
            for place in self.row_places(row) {
                columns[self.entry_columns[place]].push((row, place));
            }
        }
        let mut compressed = Compressed { starts: vec![0], ..Compressed::default() };
        for column in columns {
            for (row, place) in column {
                compressed.indices.push(row);
                compressed.places.push(place);
            }
            compressed.starts.push(compressed.indices.len());
        }
        compressed
    }
}

/// The entries of a matrix in the order of its rows or of its columns, the outer dimension.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Compressed {
    /// By row or column: where its entries begin; then the number of entries.
    pub starts: Vec<usize>,
    /// By entry: where it is in the other dimension.
    pub indices: Vec<usize>,
    /// By entry: its place in the pattern.
    pub places: Vec<usize>,
}

impl Derivative {
    /// The results of the function.
    pub fn values(&self) -> &[ValueId] {
        &self.list.outputs()[..self.values]
    }

    /// The entries of a matrix, in the order of its pattern.
    pub fn entries(&self, matrix: usize) -> &[ValueId] {
        let before: usize = self.matrices[..matrix].iter().map(Pattern::count).sum();
        &self.list.outputs()[self.values + before..][..self.matrices[matrix].count()]
    }

    /// The entries of the last matrix, each with its row and its column.
    pub fn jacobian(&self) -> impl Iterator<Item = (usize, usize, ValueId)> + '_ {
        let last = self.matrices.len() - 1;
        let pattern = &self.matrices[last];
        let places = (0..pattern.rows).flat_map(|row| pattern.row(row).iter().map(move |&column| (row, column)));
        places.zip(self.entries(last)).map(|((row, column), &value)| (row, column, value))
    }

    /// The entries of all matrices, row by row or column by column.
    pub(crate) fn slices(&self, order: fn(&Pattern) -> Compressed) -> Vec<Vec<ValueId>> {
        let mut slices = Vec::new();
        for (matrix, pattern) in self.matrices.iter().enumerate() {
            let (entries, Compressed { starts, places, .. }) = (self.entries(matrix), order(pattern));
            let slice = |ends: &[usize]| places[ends[0]..ends[1]].iter().map(|&place| entries[place]).collect();
            slices.extend(starts.windows(2).map(slice));
        }
        slices
    }

    /// The same, of which all entries are outputs: the zeros, too, and those above the diagonal of a symmetric matrix.
    pub fn dense(&self) -> Derivative {
        self.widened(self.matrices.iter().map(|pattern| Pattern::dense(pattern.rows, pattern.columns)).collect())
    }

    /// The same with these patterns, which have more entries: zeros, or those of a symmetric matrix once more.
    pub(crate) fn widened(&self, matrices: Vec<Pattern>) -> Derivative {
        let mut list = self.list.clone();
        list.truncate(list.statements().len());
        self.values().iter().for_each(|&value| list.output(value));
        let is_zero = |id: &ValueId| list.as_constant(*id).is_some_and(|number| number.key() == ZERO.key());
        let mut zero = list.ids().find(is_zero);
        for (matrix, (own, wide)) in self.matrices.iter().zip(&matrices).enumerate() {
            let entries = self.entries(matrix);
            for row in 0..wide.rows {
                for &column in wide.row(row) {
                    let entry = own.place(row, column).map(|place| entries[place]);
                    let entry = entry.unwrap_or_else(|| *zero.get_or_insert_with(|| list.constant(ZERO)));
                    list.output(entry);
                }
            }
        }
        Derivative { list, values: self.values, matrices }
    }
}
