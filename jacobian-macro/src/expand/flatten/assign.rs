//! Assignments to variables and to their elements.

use proc_macro2::Ident;
use quote::quote;
use syn::{Expr, ExprPath, Member, UnOp};

use super::super::shape::Shape;
use super::super::vector::VectorType;
use super::Flattener;
use super::call::unwrapped;
use super::code::Line;
use super::pattern::array_elements;
use super::value::{Binding, Passive, Value, Vector};
use super::vector::elements_of_vector;

const FIELD: &str = "assignment to a field is not supported; use a variable";

impl Flattener<'_> {
    /// Assigns `value` to the place that `target` names, or takes it apart if `target` is a tuple or an array.
    pub(super) fn assign(&mut self, target: &Expr, value: Value) {
        if let Some(why) = self.inline {
            return self.errors.at(target, why);
        }
        match target {
            Expr::Paren(paren) => self.assign(&paren.expr, value),
            Expr::Group(group) => self.assign(&group.expr, value),
            Expr::Infer(_) => self.discard(&value),
            Expr::Tuple(tuple) => self.assign_elements(target, tuple.elems.iter(), value),
            Expr::Array(array) => self.assign_elements(target, array.elems.iter(), value),
            _ => self.assign_place(target, value),
        }
    }

    fn assign_elements<'e>(&mut self, whole: &Expr, targets: impl ExactSizeIterator<Item = &'e Expr>, value: Value) {
        let elements = match value {
            Value::Tuple(elements) | Value::Array(elements) if elements.len() == targets.len() => elements,
            Value::Error => vec![Value::Error; targets.len()],
            _ => {
                return self.errors.at(whole, "a tuple or an array of as many known elements is expected on the right");
            }
        };
        for (target, element) in targets.zip(elements) {
            self.assign(target, element);
        }
    }

    fn assign_place(&mut self, target: &Expr, value: Value) {
        let Some((ident, steps)) = self.place(target) else { return };
        let Some(binding) = self.scopes.find(ident).cloned() else {
            if ident == "self" {
                return self.errors.at(target, FIELD);
            }
            return self.errors.at(target, format!("`{ident}` is no variable of this function"));
        };
        let value = match self.converted_for(value, &binding, &steps) {
            Value::Passive(passive) if steps.is_empty() => self.renewed(ident, &passive, &binding),
            value => self.settle(value, ident, None),
        };
        let Some(binding) = self.variable_mut(ident) else { return };
        let mut vectors = Vec::new();
        if let Some(place) = descend(&mut binding.value, &steps, &mut vectors) {
            *place = value;
        } else if !binding.value.is_error() {
            match field_of(target) {
                Some(name) => self.errors.at(name, FIELD),
                None => self.errors.at(target, "this place cannot be assigned: only variables, and elements of arrays and tuples whose length is known here"),
            }
        }
        self.require_vectors(&vectors.iter().collect::<Vec<_>>());
    }

    /// The value that is assigned to the place that `steps` lead to, where `into` makes it one of the place's type.
    fn converted_for(&mut self, value: Value, binding: &Binding, steps: &[Step]) -> Value {
        let Value::Into(source) = &value else { return value };
        if let Some(ty) = binding.ty.as_ref().filter(|_| steps.is_empty()) {
            return self.declared(value, Some(ty));
        }
        let mut present = binding.value.clone();
        match descend(&mut present, steps, &mut Vec::new()) {
            Some(Value::Vector(present)) => self.converted_like(source, present).unwrap_or(value),
            _ => value,
        }
    }

    /// The variable that `ident` means, to assign to it.
    pub(super) fn variable_mut(&mut self, ident: &Ident) -> Option<&mut Binding> {
        let number = self.scopes.number(ident)?;
        let binding = self.scopes.at(number);
        self.frame.save(number, binding);
        Some(binding)
    }

    /// The variable in which a place lies, and the way to the place in it.
    fn place<'e>(&mut self, target: &'e Expr) -> Option<(&'e Ident, Vec<Step>)> {
        let mut steps = Vec::new();
        let mut inner = target;
        loop {
            match inner {
                Expr::Path(ExprPath { qself: None, path, .. }) if path.get_ident().is_some() => {
                    steps.reverse();
                    return Some((path.get_ident()?, steps));
                }
                Expr::Paren(paren) => inner = &paren.expr,
                Expr::Group(group) => inner = &group.expr,
                Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) && self.is_output(unwrapped(&unary.expr)) => {
                    inner = &unary.expr;
                }
                Expr::Index(index) => {
                    let at = self.expression(&index.index);
                    let known = Step::at(&at);
                    if known.is_none() && !at.is_error() {
                        self.errors.at(&index.index, "the index of an element that is assigned must be a number that is known here: a literal, or a `const` inside the function");
                    }
                    steps.push(known?);
                    inner = &index.expr;
                }
                Expr::Field(field) => {
                    steps.push(match &field.member {
                        Member::Unnamed(index) => Step::Index(index.index as usize),
                        Member::Named(name) => Step::Field(name.to_string()),
                    });
                    inner = &field.base;
                }
                other => {
                    self.errors.at(other, "this place cannot be assigned: only variables and their elements can");
                    return None;
                }
            }
        }
    }

    /// A new variable of the prologue for a variable that is assigned a passive value. It has the type of the old one.
    fn renewed(&mut self, ident: &Ident, passive: &Passive, binding: &Binding) -> Value {
        if let Some(ty) = &binding.ty {
            return Value::Passive(self.let_passive(ident, passive, Some(ty)));
        }
        let tokens = passive.tokens();
        match &binding.value {
            Value::Passive(old) if old.shape.is_none() => {
                let (variable, old) = (self.variable(ident), old.tokens());
                self.line(Line::always(quote!(let mut #variable = #old; #variable = #tokens;)));
                Value::Passive(Passive::simple(quote!(#variable)).with_number(passive.number.clone()))
            }
            Value::Active(_) => {
                let ty = syn::Type::Verbatim(self.scalar.ty());
                Value::Passive(self.let_passive(ident, passive, Some(&ty)))
            }
            _ => Value::Passive(self.let_passive(ident, passive, None)),
        }
    }
}

/// The field in a place that is assigned.
fn field_of(place: &Expr) -> Option<&Ident> {
    match place {
        Expr::Field(field) => match &field.member {
            Member::Named(name) => field_of(&field.base).or(Some(name)),
            Member::Unnamed(_) => field_of(&field.base),
        },
        Expr::Index(index) => field_of(&index.expr),
        Expr::Paren(paren) => field_of(&paren.expr),
        Expr::Group(group) => field_of(&group.expr),
        _ => None,
    }
}

/// A step from a value to a part of it.
enum Step {
    /// An element of an array, a tuple or a vector.
    Index(usize),
    /// The row and the column of an element.
    Entry(usize, usize),
    /// A field.
    Field(String),
}

impl Step {
    /// The step that this value between brackets means, if it is known.
    fn at(index: &Value) -> Option<Self> {
        let known = |index: &Value| index.as_int().and_then(|at| usize::try_from(at).ok());
        match index {
            Value::Tuple(entry) if entry.len() == 2 => Some(Step::Entry(known(&entry[0])?, known(&entry[1])?)),
            index => known(index).map(Step::Index),
        }
    }
}

/// The part of `value` that `steps` lead to. Types of vectors on the way that are taken for nalgebra's are added to `vectors`.
fn descend<'v>(value: &'v mut Value, steps: &[Step], vectors: &mut Vec<VectorType>) -> Option<&'v mut Value> {
    let mut place = value;
    for step in steps {
        if let Value::Passive(passive) = place {
            let ty = passive.shape.as_ref().map(Shape::behind_references);
            *place = match ty {
                Some(Shape::Vector(ty)) => {
                    vectors.push((**ty).clone());
                    Value::Vector(elements_of_vector(passive, ty))
                }
                _ => Value::Array(array_elements(passive)?),
            };
        }
        place = match (place, step) {
            (Value::Array(elements) | Value::Tuple(elements), Step::Index(index)) => elements.get_mut(*index)?,
            (Value::Vector(Vector { layout, elements, .. }), step) => {
                let position = match step {
                    Step::Index(index) => Some(*index),
                    Step::Entry(row, column) => layout.position(*row, *column),
                    Step::Field(name) => layout.field(name),
                };
                elements.get_mut(position?)?
            }
            _ => return None,
        };
    }
    Some(place)
}
