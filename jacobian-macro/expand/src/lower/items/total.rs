//! `sum` and `product`: from the first item on, for the start of the standard library, -0.0 or 1, changes nothing.

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
        let (call, mut total) = (consumed.call, None);
        self.each_item(consumed.items, |lowering, item| {
            let item = lowering.without_reference(item);
            let sum = match total.take() {
                Some(total) => lowering.operated(&op, (total, &call.receiver), (item, &call.receiver), &call.name)?,
                None => item,
            };
            total = Some(lowering.evaluated(sum));
            Ok(())
        })?;
        let turbofish = call.turbofish.as_ref().and_then(|turbofish| turbofish.only.as_ref());
        let ty = turbofish.filter(|ty| !matches!(ty.kind, TypeKind::Infer));
        match total {
            Some(total) => self.of_type(call, total, ty),
            None => {
                let expected = ty.map_or_else(|| consumed.expected.clone(), |ty| Expected::Type(ty.clone()));
                self.total_of_nothing(call, nothing, &expected)
            }
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
