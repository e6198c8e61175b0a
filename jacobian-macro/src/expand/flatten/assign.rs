//! Assignments to variables and to their elements.

use proc_macro2::Ident;
use quote::quote;
use syn::{BinOp, Expr, ExprBinary, Type};

use super::Flattener;
use super::code::Line;
use super::expected::Expected;
use super::value::{Passive, Place, Value, Vector};
use super::vector::elements_of_vector;

use super::super::shape::Shape;

impl Flattener<'_> {
    /// `target = value`. The value is evaluated first.
    pub(super) fn assignment(&mut self, assign: &syn::ExprAssign) -> Value {
        let expected = match &*assign.left {
            Expr::Path(path) => match path.path.get_ident().and_then(|ident| self.scopes.find(ident)) {
                Some(binding) => Expected::Value(binding.value.clone()),
                None => Expected::Anything,
            },
            _ => Expected::Anything,
        };
        let value = self.expected(&assign.right, expected);
        self.assign(&assign.left, value);
        Value::unit()
    }

    /// `left op= right`. The right-hand side is evaluated first, as Rust does it for numbers.
    pub(super) fn op_assign(&mut self, binary: &ExprBinary) -> Value {
        let Some(op) = operator_of_assignment(&binary.op) else {
            return self.refuse(binary, "this operator is not supported");
        };
        let right = self.expression(&binary.right);
        if let Some(why) = self.inline {
            return self.refuse(&binary.left, why);
        }
        let Some(place) = self.place(&binary.left) else {
            self.discard(&right);
            return Value::unit();
        };
        let left = self.read(&place);
        let left = self.assigned(left, &binary.left);
        if !left.is_error() {
            let operation = ExprBinary { op, ..binary.clone() };
            let value = self.binary(&operation, left, right);
            self.write(&place, value, &binary.left);
        }
        Value::unit()
    }

    /// Assigns `value` to the place that `target` names, or takes it apart if `target` is a tuple or an array.
    pub(super) fn assign(&mut self, target: &Expr, value: Value) {
        if self.exit.is_some() {
            return;
        }
        if let Some(why) = self.inline {
            return self.errors.at(target, why);
        }
        match target {
            Expr::Paren(paren) => self.assign(&paren.expr, value),
            Expr::Group(group) => self.assign(&group.expr, value),
            Expr::Infer(_) => self.discard(&value),
            Expr::Tuple(tuple) => self.assign_elements(target, tuple.elems.iter(), value),
            Expr::Array(array) => self.assign_elements(target, array.elems.iter(), value),
            _ => match self.place(target) {
                Some(place) => self.write(&place, value, target),
                None => self.discard(&value),
            },
        }
    }

    fn assign_elements<'e>(&mut self, whole: &Expr, targets: impl ExactSizeIterator<Item = &'e Expr>, value: Value) {
        let elements = match value {
            Value::Tuple(elements) | Value::Array(elements) if elements.len() == targets.len() => elements,
            Value::Passive(passive) if passive.length() == Some(targets.len()) => {
                (0..targets.len()).map(|index| self.element_of(&Value::Passive(passive.clone()), index)).collect()
            }
            Value::Error => vec![Value::Error; targets.len()].into(),
            _ => {
                return self.errors.at(whole, "a tuple or an array of as many known elements is expected on the right");
            }
        };
        for (target, element) in targets.zip(elements) {
            self.assign(target, element);
        }
    }

    /// Assigns `value` to `place`, which is written as `target`.
    pub(super) fn write(&mut self, place: &Place, value: Value, target: &Expr) {
        if self.exit.is_some() {
            return;
        }
        if matches!(value, Value::Closure(_) | Value::Mutable(_)) {
            self.errors.at(target, "closures and mutable references cannot be assigned; bind them with `let`");
            *self.variable_at(place.variable) = Value::Error;
            return;
        }
        if self.scopes.is_moved(place.variable) {
            return self
                .errors
                .at(target, "a `move` closure that changes what it has captured is not supported; leave out `move`");
        }
        let name = self.scopes.name(place.variable);
        let value = match self.converted_for(value, place) {
            Value::Passive(passive) => {
                let old = self.read(place);
                let ty = self.scopes.get(place.variable).ty.clone().filter(|_| place.steps.is_empty());
                Value::Passive(self.renewed(&name, &passive, old, ty))
            }
            value => self.settle(value, &name, None),
        };
        let value = self.limited(value, target);
        if let Some(part) = descend(self.variable_at(place.variable), &place.steps) {
            *part = value;
        } else if !self.scopes.get(place.variable).value.is_error() {
            self.errors.at(target, "this place cannot be assigned: only variables, and elements of arrays and tuples whose length is known here");
        }
    }

    /// The value that is assigned to `place`, where `into` makes it one of the place's type.
    fn converted_for(&mut self, value: Value, place: &Place) -> Value {
        let Value::Into(source) = &value else { return value };
        if let Some(ty) = self.scopes.get(place.variable).ty.clone().filter(|_| place.steps.is_empty()) {
            return self.declared(value, Some(&ty));
        }
        match self.read(place) {
            Value::Vector(present) => self.converted_like(source, &present).unwrap_or(value),
            _ => value,
        }
    }

    /// The value of the variable with this number, to assign to it.
    fn variable_at(&mut self, number: usize) -> &mut Value {
        let binding = self.scopes.at(number);
        self.frame.save(number, binding);
        &mut binding.value
    }

    /// What a place is that is assigned a passive value: a literal, or a new variable. It has the type of
    /// the old value.
    fn renewed(&mut self, name: &Ident, passive: &Passive, old: Value, ty: Option<Type>) -> Passive {
        if let Some(ty) = &ty {
            return self.settled(passive.clone(), name, Some(ty));
        }
        if let (Some(old), Some(new)) = (old.number(), &passive.number) {
            self.same_type(old, new);
        }
        match old {
            _ if passive.number.as_ref().is_some_and(|number| self.is_literal(number)) => {
                self.settled(passive.clone(), name, None)
            }
            Value::Passive(old) if old.shape.is_none() => {
                let (variable, old, tokens) = (self.variable(name), old.tokens(), passive.tokens());
                let line = quote!(let mut #variable = #old; #variable = #tokens;);
                self.line(Line::variable(&variable, passive.is_owned, line).optional(passive.number.is_some()));
                let renewed = Passive::simple(quote!(#variable)).with_number(passive.number.clone());
                renewed.owned(passive.is_owned).lacking_type(passive.lacks_type)
            }
            Value::Active(_) => {
                let ty = Type::Verbatim(self.scalar.ty());
                self.settled(passive.clone(), name, Some(&ty))
            }
            _ => self.settled(passive.clone(), name, None),
        }
    }
}

/// The operator behind `+=` and its like.
pub(super) fn operator_of_assignment(op: &BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::AddAssign(token) => BinOp::Add(syn::Token![+](token.spans[0])),
        BinOp::SubAssign(token) => BinOp::Sub(syn::Token![-](token.spans[0])),
        BinOp::MulAssign(token) => BinOp::Mul(syn::Token![*](token.spans[0])),
        BinOp::DivAssign(token) => BinOp::Div(syn::Token![/](token.spans[0])),
        BinOp::RemAssign(token) => BinOp::Rem(syn::Token![%](token.spans[0])),
        BinOp::BitXorAssign(token) => BinOp::BitXor(syn::Token![^](token.spans[0])),
        BinOp::BitAndAssign(token) => BinOp::BitAnd(syn::Token![&](token.spans[0])),
        BinOp::BitOrAssign(token) => BinOp::BitOr(syn::Token![|](token.spans[0])),
        BinOp::ShlAssign(token) => BinOp::Shl(syn::Token![<<]([token.spans[0], token.spans[1]])),
        BinOp::ShrAssign(token) => BinOp::Shr(syn::Token![>>]([token.spans[0], token.spans[1]])),
        _ => return None,
    })
}

/// The part of `value` that `steps` lead to.
fn descend<'v>(value: &'v mut Value, steps: &[usize]) -> Option<&'v mut Value> {
    let mut place = value;
    for &step in steps {
        if let Value::Passive(passive) = place {
            *place = match passive.shape.as_ref().map(Shape::behind_references) {
                Some(Shape::Vector(ty)) => Value::Vector(elements_of_vector(passive, ty)),
                _ => Value::Array(super::array::array_elements(passive)?.into()),
            };
        }
        place = match place {
            Value::Array(elements) | Value::Tuple(elements) => elements.get_mut(step)?,
            Value::Vector(Vector { elements, .. }) => elements.get_mut(step)?,
            _ => return None,
        };
    }
    Some(place)
}
