//! `sum` and `product`: from the first item on, for the start of the standard library, -0.0 or 1, changes nothing.

use proc_macro2::Span;
use quote::quote;
use syn::BinOp;

use super::super::super::read::scalar::Scalar;
use super::super::super::read::shape::Shape;
use super::super::super::syntax::{Method, Type, TypeKind};
use super::super::expected::Expected;
use super::super::number::{float_literal, integer_type};
use super::super::value::Passive;
use super::consume::MethodOfItems;
use super::{Lowering, Value};

/// The total of no items: an integer, or the digits of a float.
pub(super) type Nothing = (i128, &'static str);

impl Lowering<'_> {
    /// What `op` makes of all items, and `nothing` where there are none.
    pub(super) fn total(&mut self, consumed: MethodOfItems<'_>, op: fn(Span) -> BinOp, nothing: Nothing) -> Value {
        let op = op(consumed.call.name.span());
        let (call, mut total, before) = (consumed.call, None, self.errors.count());
        self.each_item(consumed.items, |lowering, item| {
            let item = lowering.without_reference(item);
            let sum = match total.take() {
                Some(total) => lowering.operated(&op, (total, &call.receiver), (item, &call.receiver), &call.name),
                None => item,
            };
            total = Some(lowering.evaluated(sum));
        });
        let turbofish = call.turbofish.as_ref().and_then(|turbofish| turbofish.only.as_ref());
        let ty = turbofish.filter(|ty| !matches!(ty.kind, TypeKind::Infer));
        match total {
            _ if self.errors.count() > before => Value::Error,
            Some(total) => self.of_type(call, total, ty),
            None => {
                let expected = ty.map_or_else(|| consumed.expected.clone(), |ty| Expected::Type(ty.clone()));
                self.total_of_nothing(call, nothing, &expected)
            }
        }
    }

    /// A total of the type that the user says.
    fn of_type(&mut self, call: &Method, total: Value, ty: Option<&Type>) -> Value {
        match (total, ty) {
            (total, None) => total,
            (Value::Passive(passive), Some(ty)) => Value::Passive(self.settled(passive, &call.name, Some(ty))),
            (total, Some(ty)) => match self.shape_of(ty) {
                Some(Shape::Float(scalar)) if scalar == self.scalar => total,
                _ => self.refuse(&ty.place, "the sum or product of active values is a float"),
            },
        }
    }

    fn total_of_nothing(&mut self, call: &Method, (integer, digits): Nothing, expected: &Expected) -> Value {
        let types = match expected {
            Expected::Type(ty) => integer_type(ty),
            _ => None,
        };
        match (types, expected.float(&self.scalar)) {
            (Some(types), _) => {
                let number = self.int(integer, types);
                Value::Passive(self.known(number, Passive::simple(quote!())))
            }
            (None, Some(Scalar::Primitive(precision))) => {
                Value::Passive(float_literal(digits, precision, &self.scalar))
            }
            (None, _) => self.refuse(
                &call.name,
                "this has no terms, and its type is not known here; write `sum::<f64>()`, for instance",
            ),
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
