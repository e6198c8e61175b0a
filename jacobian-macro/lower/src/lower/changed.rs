//! What a function that has a Jacobian of its own changes through mutable references to floats: what it is given there,
//! and what it leaves there, which are rows of that Jacobian.
//!
//! Whether it reads what is there before, the type in `with(...)` says (`Access`). What it reads is a column for each
//! float, as any other argument is. Where nothing is said, it is given what is there, which must be passive: then the
//! derivative is the same whether there are columns for it or not. What is active and is said not to be read is left
//! out: a function that read it all the same, whose derivative would lack what that was, would give no number.

use jacobian_list::code_list::ValueId;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::ReturnType;

use super::super::names::emitted;
use super::super::read::scalar::Scalar;
use super::super::read::shape::{Reader, Reading, Shape};
use super::super::read::with::{Access, Derivatives, With};
use super::super::refuse;
use super::super::syntax::{Expr, ExprKind, Type, TypeKind};
use super::Lowering;
use super::control::Flow;
use super::program::{Argument, Returned};
use super::value::{Place, Value};
use super::with::{is_returned, text};

/// What a call changes.
pub(super) struct Output {
    /// Where it is.
    pub target: Place,
    /// Its shape.
    pub shape: Shape,
    /// What it is before the call.
    before: Value,
}

impl Lowering<'_> {
    /// What is assigned through an argument that is a mutable reference to floats.
    pub(super) fn output_of_call(
        &mut self,
        with: &With,
        (arg, place): (&Value, &Expr),
        ty: Option<&Type>,
    ) -> Flow<Option<Output>> {
        let target = match (arg, &*place.unwrapped().kind) {
            (Value::Mutable(target), _) => target.clone(),
            (_, ExprKind::Mutable(target)) if target.root().is_some() => self.place(target)?,
            _ => return Ok(None),
        };
        let is_primitive = matches!(self.scalar, Scalar::Primitive(_));
        if !is_primitive || !matches!(with.derivatives, Derivatives::Returned { .. }) {
            return self.refuse(place, refuse::MUTABLE_TO_CALLED);
        }
        let declared = ty.map(|ty| match &ty.kind {
            TypeKind::Reference(_, true, target) => Reader::of(&self.scalar).read(target),
            _ => Reading::Other,
        });
        let before = self.read(&target);
        let shape = match declared {
            Some(Reading::Floats(shape)) => Some(shape),
            Some(_) => None,
            None => self.shape_of_output(&before),
        };
        match shape.filter(|shape| {
            shape.is_all(&self.scalar)
                && shape.count() > 0
                && !shape.has_vector_or_struct()
                && !shape.has_passive()
                && is_returned(shape, false)
        }) {
            Some(shape) => Ok(Some(Output { target, shape, before })),
            None => self.refuse(place, refuse::UNKNOWN_OUTPUT),
        }
    }

    /// How what an output holds before the call is written. If it is read, its floats are added to `columns`.
    pub(super) fn before_call(
        &mut self,
        (with, argument): (&With, usize),
        output: &Output,
        place: &Expr,
        columns: &mut Vec<ValueId>,
    ) -> Flow<Argument> {
        let Output { target, shape, before } = output;
        match with.access(argument) {
            Access::Changed => self.argument_of_shape(before, shape, place, columns),
            access => self.held((with, access), (before, target), shape, place),
        }
    }

    /// How what is behind a mutable reference is written, which is no column.
    fn held(
        &mut self,
        (with, access): (&With, Access),
        (value, target): (&Value, &Place),
        shape: &Shape,
        place: &Expr,
    ) -> Flow<Argument> {
        match (shape, value.behind_references()) {
            (_, Value::Passive(passive)) => Ok(Argument::Passive(self.once(passive).tokens().clone())),
            (Shape::Array(element, length), Value::Array(elements)) if elements.len() == *length => {
                let mut written = Vec::with_capacity(*length);
                for (index, value) in elements.iter().enumerate() {
                    written.push(self.held((with, access), (value, &target.part(index)), element, place)?);
                }
                Ok(Argument::Array(written))
            }
            (Shape::Float(_), Value::Unset) => Ok(match self.outputs.contains(&target.variable) {
                true => Argument::Passive(self.tokens_of_output(target)),
                false => Argument::Unread(shape.clone()),
            }),
            _ if access == Access::Assigned => Ok(Argument::Unread(shape.clone())),
            _ => self.refuse(place, refuse::active_behind_mutable(text(&with.function))),
        }
    }

    /// A part of an output of the differentiated function, as it is when that is called.
    fn tokens_of_output(&self, place: &Place) -> TokenStream {
        let name = emitted(self.bindings.ident(place.variable));
        let mut value = &self.bindings.get(place.variable).value;
        let mut tokens = quote!((*#name));
        for &step in &place.steps {
            let literal = Literal::usize_unsuffixed(step);
            let (access, part) = match value {
                Value::Array(elements) => (quote!([#literal]), elements.get(step)),
                Value::Tuple(elements) => {
                    let field = elements.definition().and_then(|definition| definition.fields.get(step));
                    let access = field.map_or_else(
                        || quote!(.#literal),
                        |field| {
                            let member = &field.member;
                            quote!(.#member)
                        },
                    );
                    (access, elements.get(step))
                }
                Value::Vector(vector) => (vector.layout.access(step), vector.elements.get(step)),
                _ => break,
            };
            tokens.extend(access);
            value = part.unwrap_or(value);
        }
        tokens
    }

    /// What a function gives that has these outputs: what it is declared to return, if it is that anything, and the outputs
    /// after that; and whether it returns something.
    pub(super) fn returned_beside(&mut self, with: &With, outputs: &[Shape]) -> Flow<(Returned, bool)> {
        let mut parts = Vec::new();
        if with.ty.as_ref().is_some_and(|ty| matches!(ty.output, ReturnType::Type(..))) {
            parts.push(match self.returned(with)? {
                Returned::Array(Some(shape)) => shape,
                Returned::Float | Returned::Array(None) | Returned::Unknown => Shape::Float(self.scalar.clone()),
            });
        }
        let has_value = !parts.is_empty();
        parts.extend_from_slice(outputs);
        Ok((Returned::Array(Some(Shape::Tuple(parts))), has_value))
    }

    /// The shape of what a function assigns. What has no value so far is a float of an output.
    fn shape_of_output(&self, present: &Value) -> Option<Shape> {
        match present {
            Value::Unset => Some(Shape::Float(self.scalar.clone())),
            Value::Array(elements) => {
                let element = self.shape_of_output(elements.first()?)?;
                Some(Shape::Array(Box::new(element), elements.len()))
            }
            present => self.shape_of_argument(present).or_else(|| self.shape_of_floats(present)),
        }
    }
}
