//! Evaluation of code lists that call functions: these are code lists as well.

use jacobian_core::catalogue::Intrinsic;
use jacobian_core::code_list::{Constant, Kind};
use jacobian_core::evaluate::{Domain, evaluate, select};
use jacobian_core::{CodeList, differentiate};

/// The functions that are called, by the origins of the calls, and their derivatives.
pub struct Callees {
    pub functions: Vec<CodeList>,
    /// With the partials, and with the second partials of each result row by row.
    derivatives: [Vec<CodeList>; 2],
}

impl Callees {
    pub fn new(functions: Vec<CodeList>) -> Self {
        let forward = "forward".parse().expect("a strategy");
        let derivative =
            |function| differentiate(function, &forward).expect("a small function").derivative.dense().list;
        let firsts: Vec<_> = functions.iter().map(derivative).collect();
        let seconds = firsts.iter().map(derivative).collect();
        Callees { functions, derivatives: [firsts, seconds] }
    }

    /// The functions, and those with their partials.
    #[allow(dead_code, reason = "most tests differentiate once")]
    pub fn by_order(&self) -> [&[CodeList]; 2] {
        [&self.functions, &self.derivatives[0]]
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

    fn call(&self, origin: u32, order: u8, args: &[D::Number]) -> Vec<D::Number> {
        let Callees { functions, derivatives: [firsts, seconds] } = self.1;
        let list = &[functions, firsts, seconds][usize::from(order)][origin as usize];
        let mut outputs = select(&evaluate(list, self, args), list.outputs());
        if order == 2 {
            // After values and partials, the second derivative has the partials of the values, and those of the partials.
            let (results, columns) = (functions[origin as usize].outputs().len(), args.len());
            let seconds = outputs.split_off(results * (1 + columns)).split_off(results * columns);
            for (row, entries) in seconds.chunks(columns.max(1)).enumerate() {
                outputs.extend(&entries[..=row % columns]);
            }
        }
        outputs
    }

    fn opaque(&self, origin: u32, gives: &[Kind], args: &[D::Number]) -> Vec<D::Number> {
        self.0.opaque(origin, gives, args)
    }
}
