//! Methods of floats and of integers.

use std::rc::Rc;

use jacobian_core::catalogue::{Intrinsic, Row};
use jacobian_core::code_list::Kind;
use jacobian_lab::kinks::kinks;

use super::super::number::Number;
use super::super::value::Value;
use super::{Exit, Interpreter, MARGIN, Outcome};

impl<R: Number> Interpreter<'_, R> {
    /// The value of a method; the receiver is the first operand.
    pub(super) fn method(&mut self, name: &str, operands: Vec<Value<R>>) -> Outcome<R> {
        Ok(match (name, operands.as_slice()) {
            ("clone", [value]) => value.clone(),
            ("len", [array]) => Value::usize(array.elements().len()),
            ("then_some", [condition, value]) => Value::Option(condition.truth().then(|| Rc::new(value.clone()))),
            ("powi", [base, exponent]) => {
                let exponent = i32::try_from(exponent.integer()).expect("an exponent is small");
                Value::Float(self.computed(base.float().powi(exponent)))
            }
            ("sin_cos", [angle]) => {
                let functions = ["sin", "cos"];
                let parts = functions.map(|name| self.method(name, vec![angle.clone()]));
                Value::sequence(parts.into_iter().collect::<Result<_, _>>()?)
            }
            (_, [Value::Integer(receiver), others @ ..]) => self.integer_method(name, receiver, others)?,
            (_, [Value::Cell(cell), others @ ..]) => self.cell_method(name, cell, others)?,
            (_, [Value::Option(value), others @ ..]) => self.option_method(name, value.as_deref(), others)?,
            _ => {
                let row = Intrinsic::find(name).unwrap_or_else(|| panic!("`{name}` is no method of programs")).row();
                let floats: Vec<_> = operands.iter().map(Value::float).collect();
                let values: Vec<_> = floats.iter().map(|float| float.value()).collect();
                if row.gives == Kind::Bool {
                    return Ok(Value::Bool((row.evaluate.f64)(&values) != 0.0));
                }
                let is_range = |low: f64, high: f64| low <= high;
                if name == "clamp" && !is_range(values[1], values[2]) {
                    return Err(Exit::Panic("min > max, or either was NaN".into()));
                }
                // An operand near a kink or a jump, or one that does not vary, where a partial is infinite: it may be a
                // variable times zero.
                let is_near = |kink: &f64| kink.abs() < MARGIN * (1.0 + values[0].abs());
                self.trace.is_near |= match floats.iter().any(|float| float.is_variable()) {
                    true => kinks(row, &values).iter().any(is_near),
                    false => is_singular::<R>(row, &values),
                };
                Value::Float(self.computed(R::method(row, &floats)))
            }
        })
    }
}

/// Whether a partial of a function is not finite.
fn is_singular<R: Number>(row: &Row, values: &[f64]) -> bool {
    (0..values.len()).any(|index| {
        let number = |at: usize| if at == index { R::variable(values[at]) } else { R::constant(values[at]) };
        let operands: Vec<_> = (0..values.len()).map(number).collect();
        !R::method(row, &operands).parts().iter().all(|part| part.is_finite())
    })
}
