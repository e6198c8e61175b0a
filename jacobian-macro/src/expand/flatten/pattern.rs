//! Patterns: `let` with irrefutable patterns over tuples and arrays.

use std::rc::Rc;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Ident, Pat, PatIdent, Type};

use super::super::signature::Parameter;
use super::array::{array_elements, element_of};
use super::frame::Line;
use super::number::Number;
use super::sequence::Access;
use super::value::{Active, Binding, Elements, Passive, Value};
use super::{Flattener, emitted};

impl Flattener<'_> {
    /// Binds the pattern of a parameter. A parameter with a plain name keeps it.
    pub(super) fn bind_parameter(&mut self, parameter: &Parameter, value: Value) {
        match &parameter.pattern {
            Pat::Ident(PatIdent { ident, by_ref: None, subpat: None, attrs, .. }) if attrs.is_empty() => {
                let ty = Some(parameter.ty.clone());
                self.scopes.declare(ident, Binding { value, ty });
            }
            pattern => self.bind(pattern, value, None),
        }
    }

    /// Binds `pattern`, declared with the type `ty`, to `value`.
    pub(super) fn bind(&mut self, pattern: &Pat, value: Value, ty: Option<&Type>) {
        match (pattern, value) {
            (Pat::Ident(ident), value) => self.bind_ident(ident, value, ty),
            (Pat::Type(typed), value) if typed.attrs.is_empty() => self.bind(&typed.pat, value, Some(&typed.ty)),
            (Pat::Paren(paren), value) => self.bind(&paren.pat, value, ty),
            (Pat::Wild(_), value) => self.discard(&value),
            (Pat::Reference(reference), value) => {
                let value = self.dereference(value);
                self.bind(&reference.pat, value, None);
            }
            (Pat::Tuple(tuple), value) => {
                let patterns: Vec<_> = tuple.elems.iter().collect();
                self.bind_elements(pattern, &patterns, value, ty);
            }
            (Pat::Slice(slice), value) => {
                let patterns: Vec<_> = slice.elems.iter().collect();
                self.bind_elements(pattern, &patterns, value, ty);
            }
            (Pat::Struct(_) | Pat::TupleStruct(_), Value::Passive(passive)) => {
                self.bind_passive(pattern, &passive, ty);
            }
            (pattern, _) => self.refuse_pattern(pattern),
        }
    }

    fn refuse_pattern(&mut self, pattern: &Pat) {
        self.errors.at(
            pattern,
            "this pattern is not supported; bind names, tuples and arrays of them, and references to those",
        );
        self.declare_error(pattern);
    }

    /// Declares the names of a pattern that has been refused, so that their uses are not reported as well.
    fn declare_error(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Ident(ident) => {
                self.scopes.declare(&ident.ident, Binding { value: Value::Error, ty: None });
                if let Some((_, pattern)) = &ident.subpat {
                    self.declare_error(pattern);
                }
            }
            Pat::Type(typed) => self.declare_error(&typed.pat),
            Pat::Paren(paren) => self.declare_error(&paren.pat),
            Pat::Reference(reference) => self.declare_error(&reference.pat),
            Pat::Tuple(tuple) => tuple.elems.iter().for_each(|element| self.declare_error(element)),
            Pat::Slice(slice) => slice.elems.iter().for_each(|element| self.declare_error(element)),
            Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|element| self.declare_error(element)),
            Pat::Struct(pattern) => pattern.fields.iter().for_each(|field| self.declare_error(&field.pat)),
            Pat::Or(or) => or.cases.iter().for_each(|case| self.declare_error(case)),
            _ => {}
        }
    }

    fn bind_ident(&mut self, pattern: &PatIdent, value: Value, ty: Option<&Type>) {
        let is_mutable_reference = pattern.by_ref.is_some() && pattern.mutability.is_some();
        if is_mutable_reference || pattern.subpat.is_some() || !pattern.attrs.is_empty() {
            return self.refuse_pattern(&Pat::Ident(pattern.clone()));
        }
        let value = self.settle(value, &pattern.ident, ty);
        self.scopes.declare(&pattern.ident, Binding { value, ty: ty.cloned() });
    }

    /// Makes a value that can be used any number of times: what is passive gets a variable of the prologue.
    pub(super) fn settle(&mut self, value: Value, name: &Ident, ty: Option<&Type>) -> Value {
        match value {
            Value::Active(active) => {
                self.name(active, name);
                value
            }
            Value::Passive(passive) => Value::Passive(self.settled(passive, name, ty)),
            Value::Array(elements) => match self.table_of(&elements) {
                Some(passive) => Value::Passive(self.settled(passive, name, ty)),
                None => Value::Array(self.settle_all(elements, name, ty)),
            },
            Value::Range(range) => self.settle_range(&range, name),
            Value::Tuple(elements) => Value::Tuple(self.settle_all(elements, name, ty)),
            Value::Reference(target) => self.settle_behind(target, name),
            other => other,
        }
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
        let variable = self.variable(&emitted(&quote::format_ident!("list")));
        let tokens = whole.tokens();
        self.line(Line::variable(&variable, false, quote!(let #variable = #tokens;)).optional(true));
        self.with_numbers_of(array, &Passive::simple(quote!(#variable)))
    }

    /// Whether a number is in a value that is no literal with a type.
    fn has_number(&mut self, value: &Value) -> bool {
        match value {
            Value::Array(elements) => elements.iter().any(|element| self.has_number(element)),
            value => value.number().is_some_and(|number| !self.is_literal(number)),
        }
    }

    /// The value with its numbers written as parts of `whole`.
    fn with_numbers_of(&mut self, value: Value, whole: &Passive) -> Value {
        match value {
            Value::Array(elements) => {
                let part = |(index, element)| self.with_numbers_of(element, &element_of(whole, index));
                Value::Array(elements.into_iter().enumerate().map(part).collect())
            }
            Value::Passive(Passive { number: Some(number), .. }) => Value::Passive(self.known(number, whole.clone())),
            other => other,
        }
    }

    /// A passive value that can be used any number of times: a literal, or a variable.
    pub(super) fn settled(&mut self, passive: Passive, name: &Ident, ty: Option<&Type>) -> Passive {
        let number = match (passive.number.clone(), ty) {
            (Some(number), Some(ty)) => self.typed(number, ty),
            (number, _) => number,
        };
        match number {
            Some(number) if self.is_literal(&number) && !passive.is_reference() => self.known(number, passive),
            number => self.let_passive(name, &passive.with_number(number), ty),
        }
    }

    /// What is behind a reference is there to stay, unless it is an expression.
    fn settle_behind(&mut self, target: Rc<Value>, name: &Ident) -> Value {
        let is_settled = |value: &Value| !matches!(value, Value::Passive(passive) if !passive.is_fixed());
        match &*target {
            Value::Array(elements) if !elements.iter().all(is_settled) => {
                let elements = self.settle_all(elements.clone(), name, None);
                Value::Reference(Rc::new(Value::Array(elements)))
            }
            Value::Tuple(elements) if !elements.iter().all(is_settled) => {
                let elements = self.settle_all(elements.clone(), name, None);
                Value::Reference(Rc::new(Value::Tuple(elements)))
            }
            _ => Value::Reference(target),
        }
    }

    /// The numbers that a value is, if all of it is known.
    pub(super) fn table(&mut self, value: &Value) -> Option<Number> {
        let Value::Array(elements) = value else { return value.number().cloned() };
        let numbers = elements.iter().map(|element| self.table(element)).collect::<Option<Vec<_>>>()?;
        if let Some((first, others)) = numbers.split_first() {
            others.iter().for_each(|other| self.same_type(first, other));
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
        let is_local = active.level == self.outer.len();
        if is_local && self.frame.list.name(active.id).is_none() {
            self.frame.list.set_name(active.id, name.to_string().trim_start_matches("r#"));
        }
    }

    fn settle_all(&mut self, elements: Elements, name: &Ident, ty: Option<&Type>) -> Elements {
        self.takes(elements.len());
        let settle = |(index, element)| match (element, ty.and_then(|ty| element_type(ty, index))) {
            (Value::Passive(passive), None) if passive.number.is_some() => Value::Passive(passive),
            (Value::Passive(passive), Some(ty)) if passive.number.is_some() => {
                let (operand, number) = (passive.operand(), passive.number.and_then(|number| self.typed(number, ty)));
                let written = Passive::operation(quote!(#operand as #ty));
                Value::Passive(match number {
                    Some(number) => self.known(number, written),
                    None => written,
                })
            }
            (element, ty) => {
                let part = Ident::new(&format!("{}_{index}", name.to_string().trim_start_matches("r#")), name.span());
                self.settle(element, &part, ty)
            }
        };
        elements.into_iter().enumerate().map(settle).collect()
    }

    /// A variable of the prologue that holds `passive`.
    pub(super) fn let_passive(&mut self, name: &Ident, passive: &Passive, ty: Option<&Type>) -> Passive {
        let variable = self.variable(name);
        let (tokens, ty) = (passive.tokens(), ty.map(|ty| self.written_type(ty)));
        let annotation = ty.map(|ty| quote!(: #ty));
        let tokens = quote_spanned!(variable.span()=> let #variable #annotation = #tokens;);
        self.line(Line::variable(&variable, passive.is_owned, tokens).optional(passive.number.is_some()));
        let settled = Passive::simple(quote!(#variable)).with_number(passive.number.clone());
        settled.with_shape(passive.shape.clone()).owned(passive.is_owned).lacking_type(passive.lacks_type)
    }

    /// A type as it is written in the generated code, where constants of the function may bear other names.
    pub(super) fn written_type(&mut self, ty: &Type) -> TokenStream {
        match ty {
            Type::Array(array) => {
                let element = self.written_type(&array.elem);
                let length = match self.expression(&array.len).as_int().and_then(|length| usize::try_from(length).ok())
                {
                    Some(length) => Literal::usize_unsuffixed(length).to_token_stream(),
                    None => array.len.to_token_stream(),
                };
                quote!([#element; #length])
            }
            Type::Tuple(tuple) => {
                let elements = tuple.elems.iter().map(|element| self.written_type(element));
                quote!((#(#elements,)*))
            }
            other => other.to_token_stream(),
        }
    }

    /// A new variable of the prologue for what the user calls `name`.
    pub(super) fn variable(&mut self, name: &Ident) -> Ident {
        let mut variable = self.names.like(&name.to_string());
        variable.set_span(emitted(name).span());
        variable
    }

    fn bind_elements(&mut self, whole: &Pat, patterns: &[&Pat], value: Value, ty: Option<&Type>) {
        let unset = |value: &Value| matches!((value, whole), (Value::Unset, Pat::Tuple(_)));
        let (elements, access, is_array) = match value {
            Value::Error => return self.declare_error(whole),
            value if unset(&value) => (vec![Value::Unset; patterns.len()].into(), Access::Value, false),
            value => match (self.elements(&value), value) {
                (Some(elements), _) => elements,
                (None, Value::Passive(passive)) => return self.bind_passive(whole, &passive, ty),
                _ => return self.refuse_pattern(whole),
            },
        };
        let rest = patterns.iter().position(|pattern| is_rest(pattern));
        let fits = match rest {
            Some(_) => patterns.len() <= elements.len() + 1,
            None => patterns.len() == elements.len(),
        };
        if !fits || is_array != matches!(whole, Pat::Slice(_)) {
            self.errors.at(whole, format!("this pattern does not fit a value of {} elements", elements.len()));
            return self.declare_error(whole);
        }
        let behind = rest.map_or(0, |rest| patterns.len() - rest - 1);
        let split = rest.unwrap_or(patterns.len());
        let tail = elements.len() - behind;
        self.bind_each(&patterns[..split], &elements[..split], access);
        if let Some(rest) = rest {
            self.bind_rest(patterns[rest], &elements[split..tail], access);
            self.bind_each(&patterns[rest + 1..], &elements[tail..], access);
        }
    }

    /// The elements of an array or a tuple, how a pattern binds them, and whether it is an array.
    fn elements(&mut self, value: &Value) -> Option<(Elements, Access, bool)> {
        match value {
            Value::Tuple(elements) => Some((elements.clone(), Access::Value, false)),
            Value::Array(elements) => Some((elements.clone(), Access::Value, true)),
            Value::Passive(passive) => {
                let access = if passive.is_reference() { Access::Reference } else { Access::Value };
                Some((array_elements(passive)?.into(), access, true))
            }
            Value::Reference(target) => {
                let (elements, _, is_array) = self.elements(target)?;
                Some((elements, Access::Reference, is_array))
            }
            Value::Mutable(place) => {
                let target = self.read(place);
                let (elements, _, is_array) = self.elements(&target)?;
                let parts = (0..elements.len()).map(|index| Value::Mutable(place.part(index)));
                Some((parts.collect(), Access::Value, is_array))
            }
            _ => None,
        }
    }

    fn bind_each(&mut self, patterns: &[&Pat], elements: &[Value], access: Access) {
        for (pattern, element) in patterns.iter().zip(elements) {
            let element = match access {
                Access::Value => element.clone(),
                Access::Reference => self.shared(element.clone()),
            };
            self.bind(pattern, element, None);
        }
    }

    /// Binds `rest @ ..` to the elements that it takes up.
    fn bind_rest(&mut self, pattern: &Pat, elements: &[Value], access: Access) {
        if let Pat::Ident(ident) = pattern {
            let plain = PatIdent { subpat: None, ..ident.clone() };
            let rest = Value::Array(elements.to_vec().into());
            let rest = match access {
                Access::Value => rest,
                Access::Reference => self.shared(rest),
            };
            self.bind_ident(&plain, rest, None);
        }
    }

    /// Destructures a passive value of unknown shape in the prologue.
    fn bind_passive(&mut self, pattern: &Pat, passive: &Passive, ty: Option<&Type>) {
        let mut names = Vec::new();
        let Some(renamed) = self.passive_pattern(pattern, &mut names) else {
            return self.refuse_pattern(pattern);
        };
        let (tokens, ty) = (passive.tokens(), ty.map(|ty| quote!(: #ty)));
        self.line(Line::pattern(names, quote!(let #renamed #ty = #tokens;)));
    }

    /// The pattern with every name in it replaced by a new variable, which is declared.
    fn passive_pattern(&mut self, pattern: &Pat, names: &mut Vec<Ident>) -> Option<TokenStream> {
        Some(match pattern {
            Pat::Ident(ident) if (ident.subpat.is_none() || is_rest(pattern)) && ident.attrs.is_empty() => {
                let variable = self.variable(&ident.ident);
                names.push(variable.clone());
                let passive = Passive::simple(quote!(#variable)).behind_reference();
                self.scopes.declare(&ident.ident, Binding { value: Value::Passive(passive), ty: None });
                let (by_ref, rest) = (&ident.by_ref, ident.subpat.as_ref().map(|_| quote!(@ ..)));
                quote!(#by_ref #variable #rest)
            }
            Pat::Wild(_) | Pat::Rest(_) => pattern.to_token_stream(),
            Pat::Paren(paren) => self.passive_pattern(&paren.pat, names)?,
            Pat::Reference(reference) if reference.mutability.is_none() => {
                let inner = self.passive_pattern(&reference.pat, names)?;
                quote!(&#inner)
            }
            Pat::Tuple(tuple) => {
                let elements = self.passive_patterns(tuple.elems.iter(), names)?;
                quote!((#(#elements,)*))
            }
            Pat::Slice(slice) => {
                let elements = self.passive_patterns(slice.elems.iter(), names)?;
                quote!([#(#elements),*])
            }
            Pat::TupleStruct(tuple) => {
                let (path, elements) = (&tuple.path, self.passive_patterns(tuple.elems.iter(), names)?);
                quote!(#path(#(#elements),*))
            }
            Pat::Struct(pattern) if pattern.fields.iter().all(|field| field.attrs.is_empty()) => {
                let (path, rest) = (&pattern.path, &pattern.rest);
                let members = pattern.fields.iter().map(|field| &field.member);
                let elements = self.passive_patterns(pattern.fields.iter().map(|field| &*field.pat), names)?;
                quote!(#path { #(#members: #elements,)* #rest })
            }
            _ => return None,
        })
    }

    fn passive_patterns<'p>(
        &mut self,
        patterns: impl Iterator<Item = &'p Pat>,
        names: &mut Vec<Ident>,
    ) -> Option<Vec<TokenStream>> {
        patterns.map(|pattern| self.passive_pattern(pattern, names)).collect()
    }
}

/// Whether a value consists of passive values and of arrays of them.
fn is_array_of_passive(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(is_array_of_passive),
        value => matches!(value, Value::Passive(_)),
    }
}

/// The type of an element of an array or a tuple, where it is written.
pub(super) fn element_type(ty: &Type, index: usize) -> Option<&Type> {
    let element = match ty {
        Type::Array(array) => &array.elem,
        Type::Tuple(tuple) => tuple.elems.get(index)?,
        Type::Paren(paren) => element_type(&paren.elem, index)?,
        Type::Group(group) => element_type(&group.elem, index)?,
        _ => return None,
    };
    (!matches!(element, Type::Infer(_))).then_some(element)
}

pub(super) fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Rest(_) => true,
        Pat::Ident(ident) => ident.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_))),
        _ => false,
    }
}
