//! Where the functions of the catalogue are not differentiable.

use jacobian_core::catalogue::Row;
use jacobian_core::code_list::Precision;
use jacobian_core::evaluate::{Domain, Floats};
use jacobian_core::expression::{Expression, parse};

/// The values of a row's kink expressions at a point: where one of them is zero, the function has a kink or a jump.
///
/// # Panics
/// Where such an expression names something else than the row's parameters and its result.
pub fn kinks(row: &Row, args: &[f64]) -> Vec<f64> {
    let expressions = row.kinks.iter().map(|kink| parse(kink).expect("kinks are expressions"));
    expressions.map(|expression| value(&expression, row, args)).collect()
}

fn value(expression: &Expression, row: &Row, args: &[f64]) -> f64 {
    match expression {
        Expression::Number(number) => *number,
        Expression::Name(name) => match row.parameters.iter().position(|parameter| parameter == name) {
            Some(position) => args[position],
            None if name == "v" => (row.evaluate.f64)(args),
            None => panic!("`{name}` is not known in the kinks of `{}`", row.name),
        },
        Expression::Apply(intrinsic, operands) => {
            let operands: Vec<_> = operands.iter().map(|operand| value(operand, row, args)).collect();
            Floats(Precision::F64).apply(*intrinsic, &operands)
        }
    }
}
