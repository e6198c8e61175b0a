//! What is expected of an expression where its surroundings say it: the length of an array for `core::array::from_fn`,
//! the type of a sum without terms.

use super::super::read::scalar::Scalar;
use super::super::read::shape::{Reader, Reading, Shape};
use super::super::read::ty::integer;
use super::super::syntax::{self, Expr, ExprKind, Statement, Type, TypeKind};
use super::Lowering;
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
    /// An array of this length.
    Length(usize),
    /// An `Option` or a `Result`: a method of these is called on it.
    Option,
}

impl Expected {
    /// A value of this type, if one is written.
    pub fn of_type(ty: Option<&Type>) -> Expected {
        ty.cloned().map_or(Expected::Anything, Expected::Type)
    }

    /// The type, if it is known whole.
    pub fn ty(&self) -> Option<Type> {
        match self {
            Expected::Shape(
                Shape::Items(_) | Shape::Option(_) | Shape::Result(_) | Shape::Opaque(_) | Shape::Reference(_),
            ) => None,
            Expected::Shape(shape) => Some(syntax::ty(&syn::Type::Verbatim(shape.ty()))),
            Expected::Type(ty) => Some(ty.clone()),
            Expected::Anything | Expected::Value(_) | Expected::Length(_) | Expected::Option => None,
        }
    }

    /// What is expected behind this many references.
    pub fn behind(self, references: usize) -> Expected {
        let mut expected = self;
        for _ in 0..references {
            expected = match expected {
                Expected::Type(Type { kind: TypeKind::Reference(_, _, target), .. }) => Expected::Type(*target),
                Expected::Shape(Shape::Reference(target)) => Expected::Shape(*target),
                Expected::Value(Value::Reference(target)) => Expected::Value((*target).clone()),
                _ => Expected::Anything,
            };
        }
        expected
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
            Expected::Shape(_) | Expected::Value(_) | Expected::Length(_) | Expected::Option | Expected::Anything => {
                Expected::Anything
            }
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

impl Lowering<'_> {
    /// What is expected of the arms of a branch: what is expected of the branch, or an array as long as that of an arm.
    pub(super) fn expected_of_arms<'e>(
        &self,
        expected: Expected,
        mut arms: impl Iterator<Item = &'e Expr>,
    ) -> Expected {
        match expected {
            Expected::Anything => arms.find_map(|arm| self.length_of_literal(arm)).map_or(expected, Expected::Length),
            expected => expected,
        }
    }

    /// The length of the array that an expression is, where it can be seen without evaluating it.
    fn length_of_literal(&self, expression: &Expr) -> Option<usize> {
        match &*expression.kind {
            ExprKind::Array(elements) => Some(elements.len()),
            ExprKind::Repeat(_, length) => integer(length),
            ExprKind::Paren(inner) => self.length_of_literal(inner),
            ExprKind::Block(block) => match block.statements.last()? {
                Statement::Expr(last, true) => self.length_of_literal(last),
                _ => None,
            },
            ExprKind::Variable(id, _) => self.length_of(&self.bindings.find(self.activation.number(*id))?.value),
            _ => None,
        }
    }

    /// The number of elements that are expected.
    pub(super) fn expected_length(&mut self, expected: &Expected) -> Option<usize> {
        match expected {
            Expected::Shape(Shape::Array(_, length)) | Expected::Length(length) => Some(*length),
            Expected::Type(Type { kind: TypeKind::Array(_, length), .. }) => {
                usize::try_from(self.expression(length).ok()?.as_int()?).ok()
            }
            Expected::Value(Value::Array(elements)) => Some(elements.len()),
            Expected::Value(Value::Passive(passive)) => passive.length(),
            _ => None,
        }
    }
}
