//! Methods of options.

use std::rc::Rc;

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::Value;
use super::{Interpreter, Outcome};

impl<R: Number> Interpreter<'_, R> {
    /// The value of a method of an option, in which there may be something.
    pub(super) fn option_method(&mut self, name: &str, value: Option<&Value<R>>, others: &[Value<R>]) -> Outcome<R> {
        Ok(match (name, value, others) {
            ("is_some", value, []) => Value::Bool(value.is_some()),
            ("is_none", value, []) => Value::Bool(value.is_none()),
            ("unwrap_or", value, [other]) => value.unwrap_or(other).clone(),
            ("or", Some(value), [_]) => Value::Option(Some(Rc::new(value.clone()))),
            ("or", None, [other]) => other.clone(),
            _ => panic!("`{name}` is no method of options in programs"),
        })
    }

    /// The value of a method with a closure as its last argument, which sees the variables as they are where it is
    /// called: of an option, or `then` of a condition.
    pub(super) fn method_with(
        &mut self,
        name: &str,
        receiver: &Expression,
        others: &[Expression],
        closure: &Closure,
    ) -> Outcome<R> {
        let value = match self.loaded(receiver)? {
            Value::Option(value) => value,
            condition => condition.truth().then(|| Rc::new(Value::unit())),
        };
        let others = self.all(others)?;
        let Some(value) = value else {
            return Ok(match (name, others.into_iter().next()) {
                ("map_or", Some(other)) => other,
                ("is_some_and", None) => Value::Bool(false),
                ("map" | "and_then" | "filter" | "then", None) => Value::Option(None),
                _ => panic!("`{name}` is no method of options in programs"),
            });
        };
        let arguments = if name == "then" { Vec::new() } else { vec![(*value).clone()] };
        let given = self.invoke(closure, arguments)?;
        Ok(match name {
            "map" | "then" => Value::Option(Some(Rc::new(given))),
            "filter" => Value::Option(given.truth().then_some(value)),
            _ => given,
        })
    }
}
