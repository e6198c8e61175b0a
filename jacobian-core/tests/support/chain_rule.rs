//! The chain rule, statement by statement, modulo 2^61 - 1: tangents through the partials as the catalogue prints them,
//! without graph, folding or numbering. It knows nothing of the linearization that it checks.

use jacobian_core::CodeList;
use jacobian_core::catalogue::{CATALOGUE, Intrinsic, NAMED_CONSTANTS, Row};
use jacobian_core::code_list::{Constant, Statement};
use jacobian_core::evaluate::{Domain, Modular, evaluate};
use jacobian_core::expression::{self, Expression};

/// The partials of all rows, read.
pub struct ChainRule(Vec<Vec<Expression>>);

/// What a partial is evaluated over.
struct Place<'a> {
    list: &'a CodeList,
    row: &'static Row,
    args: Vec<u64>,
    result: u64,
}

impl ChainRule {
    pub fn new() -> Self {
        let read = |partial: &&str| expression::parse(partial).expect("partials are expressions");
        ChainRule(CATALOGUE.iter().map(|row| row.partials.iter().map(read).collect()).collect())
    }

    /// The Jacobian of `list`, row by row.
    pub fn jacobian(&self, list: &CodeList, inputs: &[u64], passive: &[u64]) -> Vec<Vec<u64>> {
        let values = evaluate(list, &Modular, inputs, passive);
        let mut tangents: Vec<Vec<u64>> = Vec::with_capacity(values.len());
        for id in list.ids() {
            let mut tangent = vec![0; list.inputs().len()];
            match list.statement(id) {
                Statement::Input(_) => {
                    let column = list.inputs().iter().position(|&input| input == id);
                    tangent[column.expect("an input is among the inputs")] = 1;
                }
                Statement::Apply { intrinsic, args, .. } => {
                    let result = values[id.index()];
                    let numbers = args.iter().map(|arg| values[arg.index()]).collect();
                    let place = Place { list, row: intrinsic.row(), args: numbers, result };
                    for (partial, arg) in self.0[intrinsic.index()].iter().zip(args.iter()) {
                        add_multiple(&mut tangent, &tangents[arg.index()], || place.evaluate(partial));
                    }
                }
                _ => {}
            }
            tangents.push(tangent);
        }
        list.outputs().iter().map(|output| tangents[output.index()].clone()).collect()
    }
}

/// `sum += factor * tangent`.
fn add_multiple(sum: &mut [u64], tangent: &[u64], factor: impl Fn() -> u64) {
    if tangent.iter().all(|&entry| entry == 0) {
        return;
    }
    let factor = factor();
    for (entry, &other) in sum.iter_mut().zip(tangent) {
        *entry = Modular::add(*entry, Modular::mul(factor, other));
    }
}

impl Place<'_> {
    fn evaluate(&self, expression: &Expression) -> u64 {
        match expression {
            Expression::Number(number) => self.constant(*number),
            Expression::Name(name) => self.named(name),
            Expression::Apply(intrinsic, operands) => self.apply(*intrinsic, operands),
        }
    }

    fn apply(&self, intrinsic: Intrinsic, operands: &[Expression]) -> u64 {
        let args: Vec<_> = operands.iter().map(|operand| self.evaluate(operand)).collect();
        Modular.apply(intrinsic, &args)
    }

    fn named(&self, name: &str) -> u64 {
        let parameter = self.row.parameters.iter().position(|parameter| *parameter == name);
        let constant = || NAMED_CONSTANTS.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        match parameter {
            Some(position) => self.args[position],
            None if name == "v" => self.result,
            None => self.constant(constant().expect("partials name parameters and constants")),
        }
    }

    fn constant(&self, value: f64) -> u64 {
        Modular.constant(Constant::Float(self.list.round(value)))
    }
}
