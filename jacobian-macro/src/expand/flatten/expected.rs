//! What is expected of an expression where its surroundings say it: the length of an array for `core::array::from_fn`, the
//! type of a sum without terms.

use super::super::scalar::Scalar;
use super::super::shape::{Reader, Reading, Shape};
use super::super::syntax::{Expr, Type, TypeKind};
use super::Flattener;
use super::value::Value;

/// What an expression is expected to be.
#[derive(Clone, Default)]
pub enum Expected {
    /// Nothing is known.
    #[default]
    Anything,
    /// A value of this shape.
    Shape(Shape),
    /// A value of this type.
    Type(Type),
    /// A value like this one.
    Value(Value),
}

impl Expected {
    /// A value of this type, if one is written.
    pub fn of_type(ty: Option<&Type>) -> Expected {
        ty.cloned().map_or(Expected::Anything, Expected::Type)
    }

    /// What an element of the array or the tuple is expected to be.
    pub fn element(&self, index: usize) -> Expected {
        match self {
            Expected::Shape(Shape::Array(element, _)) => Expected::Shape((**element).clone()),
            Expected::Shape(Shape::Tuple(shapes)) => {
                shapes.get(index).cloned().map_or(Expected::Anything, Expected::Shape)
            }
            Expected::Type(ty) => Expected::of_type(super::pattern::element_type(ty, index)),
            Expected::Value(Value::Array(elements) | Value::Tuple(elements)) => {
                elements.get(index).cloned().map_or(Expected::Anything, Expected::Value)
            }
            Expected::Shape(_) | Expected::Value(_) | Expected::Anything => Expected::Anything,
        }
    }

    /// The type of the float that it is, where the function's own floats are of type `own`.
    pub fn float(&self, own: &Scalar) -> Option<Scalar> {
        match self {
            Expected::Shape(Shape::Float(scalar)) => Some(scalar.clone()),
            Expected::Value(Value::Active(_)) => Some(own.clone()),
            Expected::Type(ty) => match Reader::of(own).read(ty) {
                Reading::Floats(Shape::Float(scalar)) => Some(scalar),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Flattener<'_> {
    /// The value of an expression that is expected to be something.
    pub(super) fn expected(&mut self, expression: &Expr, expected: Expected) -> Value {
        self.expected = expected;
        self.expression(expression)
    }

    /// The number of elements that are expected.
    pub(super) fn expected_length(&mut self, expected: &Expected) -> Option<usize> {
        match expected {
            Expected::Shape(Shape::Array(_, length)) => Some(*length),
            Expected::Type(Type { kind: TypeKind::Array(_, length), .. }) => {
                usize::try_from(self.expression(length).as_int()?).ok()
            }
            Expected::Value(Value::Array(elements)) => Some(elements.len()),
            Expected::Value(Value::Passive(passive)) => passive.length(),
            _ => None,
        }
    }
}
