//! Assignments to variables and to their elements.

use proc_macro2::Ident;
use quote::quote;
use syn::{Expr, ExprPath, Member, UnOp};

use super::Flattener;
use super::call::unwrapped;
use super::frame::Line;
use super::pattern::array_elements;
use super::value::{Binding, Passive, Value};

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
        let value = match value {
            Value::Passive(passive) if steps.is_empty() => self.renewed(ident, &passive, &binding),
            value => self.settle(value, ident, None),
        };
        let Some(binding) = self.variable_mut(ident) else { return };
        if let Some(place) = descend(&mut binding.value, &steps) {
            *place = value;
        } else if !binding.value.is_error() {
            self.errors.at(target, "this place cannot be assigned: only variables, and elements of arrays and tuples whose length is known here");
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
    fn place<'e>(&mut self, target: &'e Expr) -> Option<(&'e Ident, Vec<usize>)> {
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
                    let known = at.as_int().and_then(|at| usize::try_from(at).ok());
                    if known.is_none() && !at.is_error() {
                        self.errors.at(&index.index, "the index of an element that is assigned must be a number that is known here: a literal, or a `const` inside the function");
                    }
                    steps.push(known?);
                    inner = &index.expr;
                }
                Expr::Field(field) => match &field.member {
                    Member::Unnamed(index) => {
                        steps.push(index.index as usize);
                        inner = &field.base;
                    }
                    Member::Named(name) => {
                        self.errors.at(name, FIELD);
                        return None;
                    }
                },
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

/// The part of `value` that `steps` lead to.
fn descend<'v>(value: &'v mut Value, steps: &[usize]) -> Option<&'v mut Value> {
    let mut place = value;
    for &step in steps {
        if let Value::Passive(passive) = place {
            *place = Value::Array(array_elements(passive)?);
        }
        place = match place {
            Value::Array(elements) | Value::Tuple(elements) => elements.get_mut(step)?,
            _ => return None,
        };
    }
    Some(place)
}
