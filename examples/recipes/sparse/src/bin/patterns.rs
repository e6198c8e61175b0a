//! A pattern and its entries are what the constructors of faer, sprs and nalgebra-sparse take and check. faer and sprs
//! borrow the arrays, nalgebra-sparse wants vectors of its own. What they hold is compared with the dense Jacobian.
//!
//!     cargo run -p sparse --bin patterns

use faer::sparse::{SparseColMatRef, SparseRowMatRef, SymbolicSparseColMatRef, SymbolicSparseRowMatRef};
use jacobian::jacobian;
use nalgebra_sparse::{CscMatrix, CsrMatrix};
use sprs::CsMatView;

// One function by columns, and the same by rows. Its last row has no entries.

#[jacobian(forms(jac, jac_sparse))]
fn columns(x: &[f64; 4]) -> [f64; 5] {
    [x[0] * x[1], x[3].sin(), x[1] * x[2] * x[3], x[1], 7.0]
}

#[jacobian(forms(jac_sparse), layout = "csr")]
fn rows(x: &[f64; 4]) -> [f64; 5] {
    [x[0] * x[1], x[3].sin(), x[1] * x[2] * x[3], x[1], 7.0]
}

static COLUMNS: ([usize; 5], [usize; 7]) = columns_jac_pattern();
static ROWS: ([usize; 6], [usize; 7]) = rows_jac_pattern();

fn main() {
    let x = [1.0, 2.0, 3.0, 4.0];
    let dense = columns_jac(&x).1;
    let check = |matrix: &str, entry: &dyn Fn(usize, usize) -> f64| {
        let found: [[f64; 4]; 5] = core::array::from_fn(|i| core::array::from_fn(|j| entry(i, j)));
        assert_eq!(found, dense, "{matrix}");
        println!("{matrix}: as the dense Jacobian");
    };

    let (starts, indices) = &COLUMNS;
    let (_, entries) = columns_jac_sparse(&x);
    let symbolic = SymbolicSparseColMatRef::new_checked(5, 4, starts, None, indices);
    let faer = SparseColMatRef::new(symbolic, &entries);
    check("SparseColMatRef of faer", &|i, j| faer.get(i, j).copied().unwrap_or(0.0));
    let sprs = CsMatView::new_csc((5, 4), &starts[..], &indices[..], &entries[..]);
    check("CsMatView of sprs", &|i, j| sprs.get(i, j).copied().unwrap_or(0.0));
    let nalgebra = CscMatrix::try_from_csc_data(5, 4, starts.to_vec(), indices.to_vec(), entries.to_vec())
        .expect("its columns are compressed");
    check("CscMatrix of nalgebra-sparse", &|i, j| nalgebra.get_entry(i, j).expect("it is inside").into_value());

    let (starts, indices) = &ROWS;
    let (_, entries) = rows_jac_sparse(&x);
    let symbolic = SymbolicSparseRowMatRef::new_checked(5, 4, starts, None, indices);
    let faer = SparseRowMatRef::new(symbolic, &entries);
    check("SparseRowMatRef of faer", &|i, j| faer.get(i, j).copied().unwrap_or(0.0));
    let sprs = CsMatView::new((5, 4), &starts[..], &indices[..], &entries[..]);
    check("CsMatView of sprs, by rows", &|i, j| sprs.get(i, j).copied().unwrap_or(0.0));
    let nalgebra = CsrMatrix::try_from_csr_data(5, 4, starts.to_vec(), indices.to_vec(), entries.to_vec())
        .expect("its rows are compressed");
    check("CsrMatrix of nalgebra-sparse", &|i, j| nalgebra.get_entry(i, j).expect("it is inside").into_value());
}
