//! Values that are bound: what is passive gets a variable, so that it is evaluated once, in its turn.

use std::rc::Rc;

use proc_macro2::{Ident, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use super::super::read::shape::{Reader, Reading, Shape};
use super::super::syntax::{self, Type, TypeKind};
use super::array::element_of;
use super::constant::is_of_primitives;
use super::control::Flow;
use super::numbers::Number;
use super::optional::{Optional, content_of_option};
use super::pattern::{element_type, is_behind_trait, target_type};
use super::program::Line;
use super::value::{Active, Elements, Passive, Value, Variant, Vector};
use super::{Lowering, emitted};

impl Lowering<'_> {
    /// Makes a value that can be used any number of times: what is passive gets a variable.
    pub(super) fn let_bind(&mut self, value: Value, name: &Ident, ty: Option<&Type>) -> Flow {
        Ok(match value {
            Value::Active(active) | Value::Condition(active) | Value::Called(active) => {
                self.name(active, name);
                value
            }
            Value::Passive(passive) => Value::Passive(self.let_bound(passive, name, ty)),
            Value::Array(elements) => match self.table_of(&elements) {
                Some(passive) => Value::Passive(self.let_bound(passive, name, ty)),
                None => Value::Array(self.let_bind_all(elements, name, ty)?),
            },
            Value::Range(range) => {
                let bound = self.let_bind_range(&range, name);
                if self.numbers.literals.open.are_some() {
                    // Where it is not used, it may still be what tells the type of a literal.
                    self.discard(&bound);
                }
                bound
            }
            Value::Tuple(elements) => Value::Tuple(self.let_bind_all(elements, name, ty)?),
            Value::Optional(of) => self.let_bind_optional(&of, name, ty)?,
            Value::Vector(vector) => {
                let elements = self.let_bind_all(vector.elements.into(), name, None)?;
                Value::Vector(Vector { elements: elements.to_vec(), ..vector })
            }
            Value::Reference(target) => self.let_bind_target(target, name, ty.and_then(target_type))?,
            Value::Iterator(items) => Value::Iterator(Box::new(self.with_bound_head(*items, name))),
            other => other,
        })
    }

    /// The same of what may be missing.
    fn let_bind_optional(&mut self, of: &Optional, name: &Ident, ty: Option<&Type>) -> Flow {
        let Some((test, content)) = of.parts() else { return Ok(Value::optional(of.clone())) };
        let ty = match ty.map(|ty| &ty.kind) {
            Some(TypeKind::Path(path, _)) => content_of_option(path).map(syntax::ty),
            _ => None,
        };
        let own = name.to_string();
        let is_some = Ident::new(&format!("{}_is_some", own.trim_start_matches("r#")), name.span());
        let test = self.let_bind(test.clone(), &is_some, None)?;
        Ok(Value::there_if(test, self.let_bind(content.clone(), name, ty.as_ref())?))
    }

    /// An array of passive values, of which only some are numbers: these are written as parts of the array, for only
    /// together do the elements tell of which type they are.
    pub(super) fn tied(&mut self, array: Value) -> Value {
        if self.inline.is_some()
            || !is_array_of_passive(&array)
            || !self.has_number(&array)
            || self.table(&array).is_some()
        {
            return array;
        }
        let Some(whole) = array.to_passive() else { return array };
        let variable = self.program.variable(&emitted(&quote::format_ident!("list")));
        let tokens = whole.tokens();
        // Where it is not used, it may still be what tells the type of a literal.
        let is_optional = !self.numbers.literals.open.are_some();
        self.program.line(Line::variable(&variable, false, quote!(let #variable = #tokens;)).optional(is_optional));
        self.with_numbers_of(array, &Passive::simple(quote!(#variable)))
    }

    /// Whether a number is in a value that is no literal with a type.
    fn has_number(&mut self, value: &Value) -> bool {
        match value {
            Value::Array(elements) => elements.iter().any(|element| self.has_number(element)),
            value => value.number().is_some_and(|number| !self.numbers.is_literal(number)),
        }
    }

    /// The value with its numbers written as parts of `whole`.
    fn with_numbers_of(&mut self, value: Value, whole: &Passive) -> Value {
        match value {
            Value::Array(elements) => {
                let part = |(index, element)| self.with_numbers_of(element, &element_of(whole, index));
                Value::Array(elements.into_iter().enumerate().map(part).collect())
            }
            Value::Passive(Passive { number: Some(number), .. }) => {
                Value::Passive(self.numbers.known(number, whole.clone()))
            }
            other => other,
        }
    }

    /// A passive value that can be used any number of times: a literal, or a variable.
    pub(super) fn let_bound(&mut self, passive: Passive, name: &Ident, ty: Option<&Type>) -> Passive {
        let number = match (passive.number.clone(), ty) {
            (Some(number), Some(ty)) => self.numbers.typed(number, ty),
            (number, _) => number,
        };
        if let (Some(Number::Int(int)), Some(ty)) = (&number, ty)
            && !matches!(ty.kind, TypeKind::Infer)
            && self.numbers.types.get(int.ty).only().is_none()
        {
            // Perhaps the variable is left out, but what its type says of the number has to stay.
            let (ty, tokens) = (self.written_type(ty), passive.tokens());
            self.program.line(Line::effect(quote!(let _: #ty = #tokens;)));
        }
        match number {
            Some(number) if self.numbers.is_literal(&number) && !passive.is_reference() => {
                self.numbers.known(number, passive)
            }
            number => self.let_passive(name, &passive.with_number(number), ty),
        }
    }

    /// What is behind a reference is there to stay, unless it is an expression, or a number whose type is said here.
    fn let_bind_target(&mut self, target: Rc<Value>, name: &Ident, ty: Option<&Type>) -> Flow {
        let is_bound = match &*target {
            Value::Array(elements) | Value::Tuple(elements) => {
                elements.iter().all(|element| is_fixed(element) && (ty.is_none() || element.number().is_none()))
            }
            _ => true,
        };
        if is_bound {
            return Ok(Value::Reference(target));
        }
        Ok(Value::Reference(Rc::new(match &*target {
            Value::Array(elements) => Value::Array(self.let_bind_all(elements.clone(), name, ty)?),
            Value::Tuple(elements) => Value::Tuple(self.let_bind_all(elements.clone(), name, ty)?),
            other => other.clone(),
        })))
    }

    /// The numbers that a value is, if all of it is known.
    pub(super) fn table(&mut self, value: &Value) -> Option<Number> {
        let Value::Array(elements) = value else { return value.number().cloned() };
        let numbers = elements.iter().map(|element| self.table(element)).collect::<Option<Vec<_>>>()?;
        if let Some((first, others)) = numbers.split_first() {
            others.iter().for_each(|other| self.numbers.same_type(first, other));
        }
        Some(Number::Table(numbers.into()))
    }

    /// An array of known numbers as one expression.
    fn table_of(&mut self, elements: &Elements) -> Option<Passive> {
        let array = Value::Array(elements.clone());
        let table = self.table(&array).filter(|_| !elements.is_empty())?;
        Some(array.to_passive()?.owned(true).with_number(Some(table)))
    }

    /// Names an active value of the present list after the first variable that holds it.
    fn name(&mut self, active: Active, name: &Ident) {
        let is_local = active.level == self.program.level();
        if is_local && self.program.frame.list.name(active.id).is_none() {
            self.program.frame.list.set_name(active.id, name.to_string().trim_start_matches("r#"));
        }
    }

    fn let_bind_all(&mut self, elements: Elements, name: &Ident, ty: Option<&Type>) -> Flow<Elements> {
        self.takes(elements.len())?;
        let whole = elements.clone();
        let held: usize = elements.iter().map(|element| self.held_in(element)).sum();
        let bind_element = |(index, element)| match (element, ty.and_then(|ty| element_type(ty, index))) {
            (Value::Passive(passive), None) if passive.number.is_some() => Ok(Value::Passive(passive)),
            (Value::Passive(passive), Some(ty)) if passive.number.is_some() => {
                let (operand, number) =
                    (passive.operand(), passive.number.and_then(|number| self.numbers.typed(number, ty)));
                let written_type = self.written_type(ty);
                let written = Passive::operation(quote!(#operand as #written_type));
                Ok(Value::Passive(match number {
                    Some(number) => self.numbers.known(number, written),
                    None => written,
                }))
            }
            (element, ty) => {
                let own = name.to_string();
                let part = format!("{}_{}", own.trim_start_matches("r#"), whole.name_of(index));
                self.let_bind(element, &Ident::new(&part, name.span()), ty)
            }
        };
        // Variables are dropped from the last to the first, elements from the first to the last.
        let bound = match held {
            0..2 => elements.into_iter().enumerate().map(bind_element).collect::<Flow<Vec<_>>>()?,
            _ => {
                let last_first: Vec<_> = elements.into_iter().enumerate().rev().collect();
                let bound = last_first.into_iter().map(bind_element).collect::<Flow<Vec<_>>>()?;
                bound.into_iter().rev().collect()
            }
        };
        Ok(Elements::from(bound).of(whole.definition().cloned()))
    }

    /// The number of variables in a value that may do something when they are dropped.
    fn held_in(&self, value: &Value) -> usize {
        match value {
            Value::Passive(passive) => usize::from(self.program.is_held(passive)),
            Value::Array(elements) | Value::Tuple(elements) => elements.iter().map(|part| self.held_in(part)).sum(),
            _ => 0,
        }
    }

    /// A variable that holds `passive`.
    pub(super) fn let_passive(&mut self, name: &Ident, passive: &Passive, ty: Option<&Type>) -> Passive {
        let (line, bound) = match self.with_referent(name, passive) {
            Some(reference) => self.declaration(name, &reference, ty),
            None => self.declaration(name, passive, ty),
        };
        let is_float = passive.is_float() || matches!(bound.shape, Some(Shape::Float(_)));
        self.program.declare(line, passive, is_float);
        bound.floating(is_float)
    }

    /// A reference to what a call gives, as one to a variable that holds it: what lives as long as its `let` does could
    /// not leave a chunk of a long function.
    fn with_referent(&mut self, name: &Ident, passive: &Passive) -> Option<Passive> {
        let tokens = passive.tokens().clone();
        if !matches!(tokens.clone().into_iter().next(), Some(TokenTree::Punct(first)) if first.as_char() == '&') {
            return None;
        }
        let Ok(syn::Expr::Reference(reference)) = syn::parse2(tokens) else { return None };
        if reference.mutability.is_some() || !matches!(*reference.expr, syn::Expr::Call(_) | syn::Expr::MethodCall(_)) {
            return None;
        }
        let (line, referent) = self.declaration(name, &Passive::simple(reference.expr.to_token_stream()), None);
        self.program.line(line);
        let referent = referent.tokens();
        Some(Passive::compound(quote!(&#referent)).with_shape(passive.shape.clone()))
    }

    /// The declaration of a variable that holds `passive`, and the variable.
    pub(super) fn declaration(&mut self, name: &Ident, passive: &Passive, ty: Option<&Type>) -> (Line, Passive) {
        let variable = self.program.variable(name);
        let shape = ty.and_then(|ty| self.shape_of_typed(ty, passive.length())).or_else(|| {
            let is_hidden = ty.is_some_and(is_behind_trait) && passive.shape.as_ref().is_some_and(Shape::is_opaque);
            passive.shape.clone().filter(|_| !is_hidden)
        });
        let is_number = ty.is_some_and(is_of_primitives);
        let (tokens, ty) = (passive.tokens(), ty.map(|ty| self.written_type(ty)));
        let annotation = ty.map(|ty| quote!(: #ty));
        let tokens = quote_spanned!(variable.span()=> let #variable #annotation = #tokens;);
        let line = Line::variable(&variable, passive.is_owned || is_number, tokens).of(passive);
        let is_known = passive.number.is_some()
            || passive.parts().is_some()
            || passive.variant.as_ref().is_some_and(Variant::is_known);
        let line = line.optional(is_known || passive.is_made());
        let line = if passive.is_statement { line.changing() } else { line };
        let bound = Passive::simple(quote!(#variable)).with_number(passive.number.clone());
        let bound = bound.with_parts(passive.parts().cloned());
        let bound = bound.with_variant(passive.variant.clone()).made(passive.is_made());
        // With a type, a reference is one by its shape.
        let bound = match annotation {
            None => bound.behind_reference(passive.may_refer).given(passive.is_given),
            Some(_) => bound,
        };
        let bound = bound.shared(passive.is_shared());
        (line, bound.with_shape(shape).owned(passive.is_owned).lacking_type(passive.lacks_type))
    }

    /// The shape of the values of a type, where they consist of floats.
    pub(super) fn shape_of(&self, ty: &Type) -> Option<Shape> {
        let reader = self.reader();
        match reader.read(ty) {
            Reading::Floats(shape) => Some(shape),
            Reading::Other => None,
            Reading::Unclear(_) => {
                let known = self.with_given_numbers(ty).or_else(|| self.module.declared().with_numbers(ty))?;
                match reader.read(&known) {
                    Reading::Floats(shape) => Some(shape),
                    Reading::Unclear(_) | Reading::Other => None,
                }
            }
        }
    }

    /// The shape of the passive values of a type, as far as it is known.
    pub(super) fn passive_shape_of(&self, ty: &Type) -> Option<Shape> {
        self.shape_of(ty).or_else(|| self.reader().passive(ty))
    }

    /// The same of a value that has a type: an array whose length is a parameter there is as long as the value is.
    pub(super) fn shape_of_typed(&self, ty: &Type, length: Option<usize>) -> Option<Shape> {
        match (self.passive_shape_of(ty)?, &ty.kind, length) {
            (Shape::Items(item), TypeKind::Array(..), Some(length)) if matches!(*item, Shape::Float(_)) => {
                Some(Shape::Array(item, length))
            }
            (shape, ..) => Some(shape),
        }
    }

    /// Reads types of the present function.
    pub(super) fn reader(&self) -> Reader {
        Reader::of(&self.scalar).with(self.module.declared().structs())
    }
}

/// Whether a value is no expression that is yet to be evaluated.
fn is_fixed(value: &Value) -> bool {
    !matches!(value, Value::Passive(passive) if !passive.is_fixed())
}

/// Whether a value consists of passive values and of arrays of them.
fn is_array_of_passive(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(is_array_of_passive),
        value => matches!(value, Value::Passive(_)),
    }
}
