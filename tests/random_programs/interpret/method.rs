//! Methods of floats and of integers.

use super::super::number::Number;
use super::super::value::Value;
use super::{Exit, Interpreter, MARGIN, Outcome};

impl<R: Number> Interpreter<'_, R> {
    /// The value of a method; the receiver is the first operand.
    pub(super) fn method(&mut self, name: &str, operands: Vec<Value<R>>) -> Outcome<R> {
        Ok(match (name, operands.as_slice()) {
            ("clone", [value]) => value.clone(),
            ("len", [array]) => Value::usize(array.elements().len()),
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
            (_, [Value::Float(receiver)]) if name.starts_with("is_") => Value::Bool(test(name, receiver.value())),
            _ => {
                let floats: Vec<_> = operands.iter().map(Value::float).collect();
                let is_range = |low: R, high: R| low.value() <= high.value();
                if name == "clamp" && !is_range(floats[1], floats[2]) {
                    return Err(Exit::Panic("min > max, or either was NaN".into()));
                }
                self.kinks(name, &floats);
                let result = R::method(name, &floats);
                Value::Float(self.computed(result.unwrap_or_else(|| panic!("`{name}` is no method of programs"))))
            }
        })
    }

    /// Notes operands that are near a kink or a jump of a function.
    fn kinks(&mut self, name: &str, operands: &[R]) {
        let at = |index: usize| operands[index];
        match name {
            "abs" | "signum" => self.compare(at(0), R::constant(0.0)),
            "copysign" => operands.iter().for_each(|&operand| self.compare(operand, R::constant(0.0))),
            "max" | "min" | "abs_sub" => self.compare(at(0), at(1)),
            "clamp" => (1..3).for_each(|bound| self.compare(at(0), at(bound))),
            "hypot" => self.compare(R::chain(at(0).value().abs() + at(1).value().abs(), &[]), R::constant(0.0)),
            "floor" | "ceil" | "trunc" | "fract" | "round" | "round_ties_even" => {
                let halves = 2.0 * at(0).value();
                self.trace.is_near |= at(0).is_variable() && (halves - halves.round()).abs() < MARGIN;
            }
            _ => {}
        }
    }
}

fn test(name: &str, value: f64) -> bool {
    match name {
        "is_nan" => value.is_nan(),
        "is_finite" => value.is_finite(),
        "is_infinite" => value.is_infinite(),
        "is_sign_positive" => value.is_sign_positive(),
        "is_sign_negative" => value.is_sign_negative(),
        _ => panic!("`{name}` is no test of programs"),
    }
}
