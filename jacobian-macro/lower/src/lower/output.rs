//! Outputs: parameters behind `&mut`, which the function assigns. What they refer to has no value until then, unless the
//! function is differentiated by what it is before; at the end, every float of it must have one.

use super::super::read::shape::Shape;
use super::super::read::signature::Signature;
use super::super::refuse;
use super::super::syntax::{Expr, ExprKind, Pattern, PatternKind, Type};
use super::Lowering;
use super::control::Flow;
use super::pattern::target_type;
use super::value::{Elements, Value, Vector};

impl Lowering<'_> {
    /// Declares an output, with what it holds when the function is called.
    pub(super) fn output(&mut self, pattern: &Pattern, ty: &Type, value: Value) {
        let PatternKind::Variable(variable) = &pattern.kind else { return };
        self.outputs.push(self.activation.number(variable.id));
        self.declare(variable, value, target_type(ty));
    }

    /// Declares the floats of the outputs as dependents, as they are at present.
    pub(super) fn output_results(&mut self, signature: &Signature) -> Flow<()> {
        let values: Vec<_> = self.outputs.iter().map(|&number| self.bindings.get(number).value.clone()).collect();
        let mut all = Ok(());
        for (parameter, value) in signature.outputs().zip(&values) {
            let Some(shape) = &parameter.shape else { continue };
            let mut missing = Vec::new();
            let name = parameter.name.to_string();
            find_unset(value, if matches!(shape, Shape::Float(_)) { format!("*{name}") } else { name }, &mut missing);
            all = all.and(match &missing[..] {
                [] => self.results(value, shape, &parameter.pattern),
                [first, ..] => self.refuse(&parameter.pattern, refuse::never_assigned(first)),
            });
        }
        all
    }

    /// Whether an expression is the name of an output.
    pub(super) fn is_output(&self, expression: &Expr) -> bool {
        match &*expression.kind {
            ExprKind::Variable(id, _) => self.outputs.contains(&self.activation.number(*id)),
            _ => false,
        }
    }

    /// Whether what surrounds the name of an output, innermost last, reads a part of it, or all of it. Anything else
    /// would be a second way to what it refers to.
    pub(super) fn is_read(around: &[&Expr]) -> bool {
        let mut around = around.iter().rev().map(|outer| &*outer.kind);
        match around.find(|outer| !matches!(outer, ExprKind::Paren(_))) {
            Some(ExprKind::Unary(op, _)) => matches!(op, syn::UnOp::Deref(_)),
            Some(outer) => matches!(outer, ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Method(_)),
            None => false,
        }
    }
}

/// A value of this shape in which nothing is assigned.
pub(super) fn unset(shape: &Shape) -> Value {
    match shape {
        Shape::Float(_)
        | Shape::Passive(_)
        | Shape::Opaque(_)
        | Shape::Items(_)
        | Shape::Option(_)
        | Shape::Result(_) => Value::Unset,
        Shape::Struct(own) => {
            let fields = own.fields.iter().map(|field| unset(&field.shape)).collect();
            Value::Tuple(Elements::of_struct(fields, own))
        }
        Shape::Reference(target) => unset(target),
        Shape::Array(element, length) => Value::Array(vec![unset(element); *length].into()),
        Shape::Tuple(elements) => Value::Tuple(elements.iter().map(unset).collect()),
        Shape::Vector(ty) => {
            let elements = vec![Value::Unset; ty.layout.count()];
            Value::Vector(Vector { layout: ty.layout, elements, ty: ty.written() })
        }
    }
}

/// The names of the parts that are not assigned of what is called `name`.
fn find_unset(value: &Value, name: String, found: &mut Vec<String>) {
    match value {
        Value::Unset | Value::Lost => found.push(name),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                find_unset(element, format!("{name}[{index}]"), found);
            }
        }
        Value::Tuple(elements) => {
            for (index, element) in elements.iter().enumerate() {
                find_unset(element, format!("{name}.{}", elements.name_of(index)), found);
            }
        }
        Value::Vector(vector) => {
            for (position, element) in vector.elements.iter().enumerate() {
                find_unset(element, format!("{name}{}", vector.layout.label(position)), found);
            }
        }
        _ => {}
    }
}
