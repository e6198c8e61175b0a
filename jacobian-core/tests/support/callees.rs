//! Evaluation of code lists that call functions: these are code lists as well.

use jacobian_core::catalogue::Intrinsic;
use jacobian_core::code_list::{Constant, Kind};
use jacobian_core::evaluate::{Domain, evaluate, select};
use jacobian_core::{CodeList, differentiate};

/// The functions that are called, by the origins of the calls, and their derivatives.
pub struct Callees {
    pub functions: Vec<CodeList>,
    derivatives: Vec<CodeList>,
}

impl Callees {
    pub fn new(functions: Vec<CodeList>) -> Self {
        let forward = "forward".parse().expect("a strategy");
        let derivative =
            |function| differentiate(function, &forward).expect("a small function").derivative.dense().list;
        let derivatives = functions.iter().map(derivative).collect();
        Callees { functions, derivatives }
    }
}

/// A domain that knows functions.
pub struct Calling<'a, D>(pub D, pub &'a Callees);

impl<D: Domain> Domain for Calling<'_, D> {
    type Number = D::Number;

    fn constant(&self, constant: Constant) -> D::Number {
        self.0.constant(constant)
    }

    fn apply(&self, intrinsic: Intrinsic, args: &[D::Number]) -> D::Number {
        self.0.apply(intrinsic, args)
    }

    fn as_index(&self, number: D::Number) -> Option<usize> {
        self.0.as_index(number)
    }

    fn call(&self, origin: u32, with_jacobian: bool, args: &[D::Number]) -> Vec<D::Number> {
        let lists = if with_jacobian { &self.1.derivatives } else { &self.1.functions };
        let list = &lists[origin as usize];
        select(&evaluate(list, self, args), list.outputs())
    }

    fn opaque(&self, origin: u32, gives: &[Kind], args: &[D::Number]) -> Vec<D::Number> {
        self.0.opaque(origin, gives, args)
    }
}
