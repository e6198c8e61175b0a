//! `sum` and `product`: of items that are known one by one from the first on, for the start of the standard library,
//! -0.0 or 1, changes nothing; in loops from that start.

use proc_macro2::Span;
use quote::quote;
use syn::BinOp;

use super::super::super::read::scalar::Scalar;
use super::super::super::read::shape::Shape;
use super::super::super::refuse;
use super::super::super::syntax::{Method, Type, TypeKind};
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::numbers::{float_literal, integer_type};
use super::super::value::Passive;
use super::consume::MethodOfItems;
use super::{Lowering, Value};

/// The total of no items: an integer, or the digits of a float.
pub(super) type Nothing = (i128, &'static str);

impl Lowering<'_> {
    /// What `op` makes of all items, and `nothing` where there are none.
    pub(super) fn total(&mut self, consumed: MethodOfItems<'_>, op: fn(Span) -> BinOp, nothing: Nothing) -> Flow {
        let op = op(consumed.call.name.span());
        let MethodOfItems { whole, call, items, .. } = consumed;
        let turbofish = call.turbofish.as_ref().and_then(|turbofish| turbofish.only.as_ref());
        let ty = turbofish.filter(|ty| !matches!(ty.kind, TypeKind::Infer));
        let expected = ty.map_or_else(|| consumed.expected.clone(), |ty| Expected::Type(ty.clone()));
        let first = match items.is_run_time() {
            true => self.total_of_nothing(call, nothing, &expected)?,
            false if self.may_stay_rolled(&items) => {
                let errors = std::mem::take(self.errors);
                let first = self.total_of_nothing(call, nothing, &expected);
                *self.errors = errors;
                first.unwrap_or(Value::Unset)
            }
            false => Value::Unset,
        };
        let may_stay_rolled = !matches!(first, Value::Unset);
        let total = self.total_of(&call.name, first);
        let mut add = |lowering: &mut Lowering<'_>, item: Value| {
            let item = lowering.without_reference(item);
            if item.definition().is_some() {
                // It is not `Add` that tells how they add up.
                return lowering.refuse(&call.name, refuse::STRUCT_TOTAL);
            }
            let sum = match std::mem::replace(lowering.variable_at(total), Value::Unset) {
                Value::Unset => item,
                total => lowering.operated(&op, (total, &call.receiver), (item, &call.receiver), &call.name)?,
            };
            *lowering.variable_at(total) = lowering.evaluated(sum);
            Ok(())
        };
        match may_stay_rolled {
            true => self.each_of(whole, items, &mut add)?,
            false => self.each_item(items, add)?,
        }
        match self.bindings.get(total).value.clone() {
            Value::Unset => self.total_of_nothing(call, nothing, &expected),
            total => self.of_type(call, total, ty),
        }
    }

    /// A total of the type that the user says.
    fn of_type(&mut self, call: &Method, total: Value, ty: Option<&Type>) -> Flow {
        match (total, ty) {
            (total, None) => Ok(total),
            (Value::Passive(passive), Some(ty)) => Ok(Value::Passive(self.let_bound(passive, &call.name, Some(ty)))),
            (total, Some(ty)) => match self.shape_of(ty) {
                Some(Shape::Float(scalar)) if scalar == self.scalar => Ok(total),
                _ => self.refuse(&ty.place, refuse::TOTAL),
            },
        }
    }

    fn total_of_nothing(&mut self, call: &Method, (integer, digits): Nothing, expected: &Expected) -> Flow {
        let types = match expected {
            Expected::Type(ty) => integer_type(ty),
            _ => None,
        };
        match (types, expected.float(&self.scalar)) {
            (Some(types), _) => {
                let number = self.numbers.int(integer, types);
                Ok(Value::Passive(self.numbers.known(number, Passive::simple(quote!()))))
            }
            (None, Some(Scalar::Primitive(precision))) => {
                Ok(Value::Passive(float_literal(digits, precision, &self.scalar)))
            }
            (None, _) => self.refuse(&call.name, refuse::TOTAL_OF_NOTHING),
        }
    }

    /// A number behind a reference by itself.
    fn without_reference(&mut self, value: Value) -> Value {
        match &value {
            Value::Passive(passive) if passive.is_reference() => self.dereference(value),
            Value::Mutable(_) => self.dereference(value),
            _ => value,
        }
    }
}
