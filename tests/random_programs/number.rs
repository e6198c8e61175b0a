//! Floats with a derivative: the numbers over which programs are interpreted.

use jacobian_core::catalogue::Row;

use super::dual::{Part, dual32, dual64};
use super::tree::Operator;

/// A float in one of the precisions, with its derivative.
pub trait Number: Copy {
    /// The unit of roundoff.
    const UNIT: f64;

    /// A number that depends on nothing.
    fn constant(value: f64) -> Self;

    /// The variable.
    fn variable(value: f64) -> Self;

    /// A variable with its entries in two directions.
    fn seeded(value: f64, entries: [f64; 2]) -> Self;

    /// The value, the derivative, and the derivative with every partial replaced by its absolute value.
    fn parts(self) -> [f64; 3];

    /// The second derivative in both directions, and its magnitude.
    fn second(self) -> [f64; 2];

    /// A value of which the partials with respect to some numbers are known, and second ones are not.
    fn chain(value: f64, partials: &[(Self, f64)]) -> Self;

    /// An arithmetic operation.
    fn arithmetic(operator: Operator, left: Self, right: Self) -> Self;

    /// `-self`.
    fn negative(self) -> Self;

    /// A method of the catalogue, all operands of which are floats.
    fn method(row: &Row, operands: &[Self]) -> Self;

    /// `self.powi(exponent)`.
    fn powi(self, exponent: i32) -> Self;

    /// The value.
    fn value(self) -> f64 {
        self.parts()[0]
    }

    /// Whether it depends on the variable.
    fn is_variable(self) -> bool {
        self.parts()[2] != 0.0
    }
}

macro_rules! number {
    ($module:ident, $float:ident) => {
        impl Number for $module::Dual {
            const UNIT: f64 = $float::EPSILON as f64 / 2.0;

            fn constant(value: f64) -> Self {
                $module::c(value as $float)
            }

            fn variable(value: f64) -> Self {
                $module::variable(value as $float)
            }

            fn seeded(value: f64, entries: [f64; 2]) -> Self {
                $module::seeded(value as $float, entries)
            }

            fn parts(self) -> [f64; 3] {
                [self.re.into(), self.along.derivative, self.along.magnitude]
            }

            fn second(self) -> [f64; 2] {
                [self.mixed.derivative, self.mixed.magnitude]
            }

            fn chain(value: f64, partials: &[(Self, f64)]) -> Self {
                let mut result = Self::constant(value);
                for (argument, partial) in partials {
                    if argument.along.magnitude != 0.0 {
                        result.along.add(Part { derivative: *partial, magnitude: partial.abs() }, &[argument.along]);
                    }
                }
                result
            }

            fn arithmetic(operator: Operator, left: Self, right: Self) -> Self {
                match operator {
                    Operator::Add => left + right,
                    Operator::Sub => left - right,
                    Operator::Mul => left * right,
                    Operator::Div => left / right,
                    Operator::Rem => left % right,
                    other => panic!("{other:?} is not arithmetic"),
                }
            }

            fn negative(self) -> Self {
                -self
            }

            fn method(row: &Row, operands: &[Self]) -> Self {
                $module::method(row.name, operands).unwrap_or_else(|| {
                    let values: Vec<_> = operands.iter().map(|operand| operand.re).collect();
                    $module::by_quotients((row.evaluate.$float)(&values), operands, row.evaluate.f64)
                })
            }

            fn powi(self, exponent: i32) -> Self {
                $module::Dual::powi(self, exponent)
            }
        }
    };
}

number!(dual64, f64);
number!(dual32, f32);
