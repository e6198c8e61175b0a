//! Code lists over dual numbers in `f64`: forward mode, with partials that are not those of the catalogue.

use std::cell::Cell;

use jacobian_core::CodeList;
use jacobian_core::catalogue::Intrinsic;
use jacobian_core::code_list::{Constant, Kind, Precision};
use jacobian_core::evaluate::{Domain, Floats, Given, evaluate, select};

use crate::dual::dual64::{Dual, c, chain, variable};

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
        let are_tame = is_tame(dual.re) && dual.derivative.is_finite() && dual.magnitude.is_finite();
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
        let found = FUNCTIONS.iter().find(|(name, _)| *name == row.name);
        let (_, function) = found.unwrap_or_else(|| {
            panic!("the row `{}` has no line in jacobian-core/tests/support/duals.rs: add one", row.name)
        });
        self.checked(function(args))
    }

    fn as_index(&self, number: Dual) -> Option<usize> {
        Floats(Precision::F64).as_index(number.re)
    }

    fn call(&self, origin: u32, _: bool, args: &[Dual]) -> Vec<Dual> {
        let list = &self.callees[origin as usize];
        select(&evaluate(list, self, args), list.outputs())
    }
}

/// A function of a row's arguments.
type Function = fn(&[Dual]) -> Dual;

/// By the names of the rows.
const FUNCTIONS: &[(&str, Function)] = &[
    // Arithmetic.
    ("add", |a| a[0] + a[1]),
    ("sub", |a| a[0] - a[1]),
    ("mul", |a| a[0] * a[1]),
    ("div", |a| a[0] / a[1]),
    ("rem", |a| a[0] % a[1]),
    ("neg", |a| -a[0]),
    ("mul_add", |a| a[0].mul_add(a[1], a[2])),
    ("recip", |a| a[0].recip()),
    ("midpoint", |a| a[0].midpoint(a[1])),
    ("to_degrees", |a| a[0].to_degrees()),
    ("to_radians", |a| a[0].to_radians()),
    // Powers and roots.
    ("sqrt", |a| a[0].sqrt()),
    ("cbrt", |a| chain(a[0].re.cbrt(), [a[0]], [a[0].re.cbrt().powi(-2) / 3.0])),
    ("powi", |a| a[0].powi(a[1].re as i32)),
    ("powf", |a| a[0].powf(a[1])),
    ("hypot", |a| a[0].hypot(a[1])),
    // Exponentials and logarithms.
    ("exp", |a| a[0].exp()),
    ("exp2", |a| a[0].exp2()),
    ("exp_m1", |a| a[0].exp_m1()),
    ("ln", |a| a[0].ln()),
    ("log2", |a| a[0].log2()),
    ("log10", |a| a[0].log10()),
    ("ln_1p", |a| a[0].ln_1p()),
    ("log", |a| a[0].log(a[1])),
    // Trigonometric functions.
    ("sin", |a| a[0].sin()),
    ("cos", |a| a[0].cos()),
    ("tan", |a| a[0].tan()),
    ("asin", |a| a[0].asin()),
    ("acos", |a| a[0].acos()),
    ("atan", |a| a[0].atan()),
    ("atan2", |a| a[0].atan2(a[1])),
    // Hyperbolic functions.
    ("sinh", |a| a[0].sinh()),
    ("cosh", |a| a[0].cosh()),
    ("tanh", |a| a[0].tanh()),
    ("asinh", |a| a[0].asinh()),
    ("acosh", |a| a[0].acosh()),
    ("atanh", |a| a[0].atanh()),
    // Piecewise smooth.
    ("abs", |a| a[0].abs()),
    ("max", |a| a[0].max(a[1])),
    ("min", |a| a[0].min(a[1])),
    ("clamp", |a| a[0].clamp(a[1], a[2])),
    ("copysign", |a| a[0].copysign(a[1])),
    ("fract", |a| a[0].fract()),
    ("rem_euclid", |a| a[0].rem_euclid(a[1])),
    ("abs_sub", |a| a[0].abs_sub(a[1])),
    // Piecewise constant.
    ("floor", |a| a[0].floor()),
    ("ceil", |a| a[0].ceil()),
    ("round", |a| a[0].round()),
    ("round_ties_even", |a| a[0].round_ties_even()),
    ("trunc", |a| a[0].trunc()),
    ("signum", |a| a[0].signum()),
    ("div_euclid", |a| a[0].div_euclid(a[1])),
];
