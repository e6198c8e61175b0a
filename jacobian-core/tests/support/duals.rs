//! Code lists over dual numbers in `f64`: forward mode, with partials that are not those of the catalogue. A row
//! that has no formula there has difference quotients.

use std::cell::Cell;

use jacobian_core::CodeList;
use jacobian_core::catalogue::{Intrinsic, Row};
use jacobian_core::code_list::{Constant, Kind, Precision};
use jacobian_core::evaluate::{Domain, Floats, Given, evaluate, select};
use jacobian_lab::kinks::kinks;

use crate::dual::dual64::{Dual, by_quotients, c, method, variable};

/// The sizes of values at which both the catalogue's partials and the formulas of the dual numbers keep their digits.
const TAME: std::ops::Range<f64> = 1e-6..1e6;

/// Evaluates code lists over dual numbers.
pub struct Duals<'a> {
    /// The functions that are called, by the origins of the calls.
    pub callees: &'a [CodeList],
    is_tame: Cell<bool>,
}

impl<'a> Duals<'a> {
    pub fn new(callees: &'a [CodeList]) -> Self {
        Duals { callees, is_tame: Cell::new(true) }
    }

    /// The entries of the Jacobian, row by row; none where a value or a derivative is not tame.
    pub fn jacobian(&self, list: &CodeList, inputs: &[f64], passive: &[f64]) -> Option<Vec<Dual>> {
        let columns: Vec<_> = (0..inputs.len()).map(|column| self.column(list, column, inputs, passive)).collect();
        let rows = 0..list.outputs().len();
        let entries = rows.flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        self.is_tame.get().then_some(entries)
    }

    fn column(&self, list: &CodeList, column: usize, inputs: &[f64], passive: &[f64]) -> Vec<Dual> {
        let seed = |(index, &value): (usize, &f64)| if index == column { variable(value) } else { c(value) };
        let inputs: Vec<_> = inputs.iter().enumerate().map(seed).collect();
        let numbers: Vec<_> = passive.iter().map(|&value| c(value)).collect();
        select(&evaluate(list, &Given { domain: self, numbers: &numbers }, &inputs), list.outputs())
    }

    fn checked(&self, dual: Dual) -> Dual {
        let is_tame = |size: f64| size == 0.0 || TAME.contains(&size.abs());
        let are_tame = is_tame(dual.re) && dual.along.derivative.is_finite() && dual.along.magnitude.is_finite();
        self.is_tame.set(self.is_tame.get() && are_tame);
        dual
    }
}

impl Domain for Duals<'_> {
    type Number = Dual;

    fn constant(&self, constant: Constant) -> Dual {
        c(constant.as_float())
    }

    fn apply(&self, intrinsic: Intrinsic, args: &[Dual]) -> Dual {
        let row = intrinsic.row();
        if row.gives == Kind::Bool {
            let values: Vec<_> = args.iter().map(|arg| arg.re).collect();
            return c(Floats(Precision::F64).apply(intrinsic, &values));
        }
        self.checked(applied(row, args).unwrap_or_else(|| {
            // A difference quotient says nothing across a pole or a kink.
            let values: Vec<_> = args.iter().map(|arg| arg.re).collect();
            let is_within = |(value, &(low, high)): (&f64, &(f64, f64))| (low..=high).contains(value);
            let is_smooth = kinks(row, &values).iter().all(|kink| kink.abs() > 0.1);
            self.is_tame.set(self.is_tame.get() && is_smooth && values.iter().zip(row.domain).all(is_within));
            by_quotients((row.evaluate.f64)(&values), args, row.evaluate.f64)
        }))
    }

    fn as_index(&self, number: Dual) -> Option<usize> {
        Floats(Precision::F64).as_index(number.re)
    }

    fn call(&self, origin: u32, _: u8, args: &[Dual]) -> Vec<Dual> {
        let list = &self.callees[origin as usize];
        select(&evaluate(list, self, args), list.outputs())
    }
}

/// The application of a row that gives a float, if there is a formula for it.
fn applied(row: &Row, args: &[Dual]) -> Option<Dual> {
    Some(match (row.name, args) {
        ("add", &[x, y]) => x + y,
        ("sub", &[x, y]) => x - y,
        ("mul", &[x, y]) => x * y,
        ("div", &[x, y]) => x / y,
        ("neg", &[x]) => -x,
        ("powi", &[x, n]) => x.powi(n.re as i32),
        (name, args) => return method(name, args),
    })
}
