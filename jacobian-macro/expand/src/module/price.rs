//! What a call of a function of the module costs by its Jacobian, and what its body costs in the place of the call.
//!
//! A function that is short is inlined. One that is longer is called, and of its Jacobian the caller has the entries
//! that are not zero, and knows those that are numbers. That costs more than the body where the Jacobian has more
//! entries than the function's own graph has labels: then the body is inlined, too, unless it is very long.

use std::rc::Rc;

use jacobian_core::block::KnownRow;
use jacobian_core::code_list::{Constant, Statement};
use jacobian_core::derivative::Derivative;
use jacobian_core::form::Form;
use jacobian_core::pipeline::{self, Jacobian, Settings};
use jacobian_core::{CodeList, Strategy};
use jacobian_lower::read::layout::Layout;
use jacobian_lower::read::options::Options;
use jacobian_lower::read::signature::MAX_ENTRIES;
use jacobian_lower::read::with::{KnownJacobian, SparseJacobian};
use syn::Path;

/// The most statements of a function that is inlined whatever its Jacobian is like.
pub const SMALL: usize = 256;

/// The most statements of a function that is inlined because of its Jacobian.
const LARGE: usize = 2048;

/// How much more a call may cost than the body, as a part of what the body costs.
const MARGIN: f64 = 0.1;

/// Whether a product with the Jacobian costs clearly more by way of the Jacobian than by way of the body.
pub fn saves_by_inlining(list: &CodeList, jacobian: &Jacobian) -> bool {
    if list.statements().len() > LARGE || !list.is_straight() {
        return false;
    }
    let product = |form: Form| {
        let settings = Settings { form, strategy: Strategy::reverse(), ..Settings::default() };
        pipeline::run(list, &settings).ok().map(|product| product.operations.total())
    };
    let [Some(along), Some(across)] = [Form::TangentProduct, Form::CotangentProduct].map(product) else {
        return false;
    };
    let entries = entries(jacobian);
    let varying =
        entries.iter().flatten().filter(|(_, number)| number.is_none_or(|number| number.abs() != 1.0)).count();
    let (count, rows) = (entries.iter().map(Vec::len).sum::<usize>(), entries.len());
    // A product and a sum for each entry, but for the first one of a row.
    let by_jacobian = jacobian.operations.total() + varying + count.saturating_sub(rows);
    by_jacobian as f64 > (1.0 + MARGIN) * along.max(across) as f64
}

/// Whether a function that is not too long to be inlined is linear: all entries of its Jacobian are constant.
pub fn is_linear(list: &CodeList, jacobian: &Jacobian) -> bool {
    let (Derivative { list: own, .. }, mut varies) = (&jacobian.derivative, Vec::new());
    for id in own.ids() {
        let is_constant = match own.statement(id) {
            Statement::Constant(_) => true,
            Statement::Apply { .. } => !own.args(id).any(|arg| varies[arg.index()]),
            Statement::Input(_) | Statement::Block(_) | Statement::Part { .. } => false,
        };
        varies.push(!is_constant);
    }
    let mut entries = jacobian.derivative.jacobian();
    list.statements().len() <= LARGE && list.is_straight() && entries.all(|(_, _, entry)| !varies[entry.index()])
}

/// By row: the columns of the entries that are not zero, each with the number that it always is, if it is one.
fn entries(jacobian: &Jacobian) -> Vec<KnownRow> {
    let derivative = &jacobian.derivative;
    let rows = derivative.matrices.last().map_or(0, |pattern| pattern.rows);
    let mut entries = vec![Vec::new(); rows];
    for (row, column, entry) in derivative.jacobian() {
        entries[row].push((column, derivative.list.as_constant(entry).map(Constant::as_float)));
    }
    entries
}

/// What callers know of the Jacobian of a function that is called. It is returned as the list of its entries, by
/// `sparse`, where half of them or more are zero.
pub fn known(jacobian: &Jacobian, options: &Options, sparse: Option<Path>) -> KnownJacobian {
    let pattern = jacobian.derivative.matrices.last().expect("a Jacobian");
    let compressed = match options.layout {
        Layout::CompressedRows => pattern.by_rows(),
        _ => pattern.by_columns(),
    };
    let mut places = vec![0; pattern.count()];
    compressed.places.iter().enumerate().for_each(|(at, &place)| places[place] = at);
    let is_sparse = 2 * pattern.count() <= pattern.rows * pattern.columns && pattern.count() <= MAX_ENTRIES;
    let sparse = sparse.filter(|_| is_sparse).map(|function| SparseJacobian {
        function,
        places: Rc::from(places),
        written: None,
    });
    KnownJacobian { entries: entries(jacobian).into(), sparse }
}
