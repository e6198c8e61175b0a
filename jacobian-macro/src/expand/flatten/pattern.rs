//! Patterns: `let` with irrefutable patterns over tuples and arrays.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Ident, Pat, PatIdent, Type};

use super::super::shape::{Reader, Reading, Shape};
use super::super::signature::Parameter;
use super::code::Line;
use super::expression::MAX_ELEMENTS;
use super::value::{Active, Binding, Passive, Value, Vector};
use super::{Flattener, element_of, emitted};

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
        let value = self.called_as(value, ty);
        match (pattern, value) {
            (Pat::Ident(ident), value) => self.bind_ident(ident, value, ty),
            (Pat::Type(typed), value) if typed.attrs.is_empty() => self.bind(&typed.pat, value, Some(&typed.ty)),
            (Pat::Paren(paren), value) => self.bind(&paren.pat, value, ty),
            (Pat::Wild(_), value) => self.discard(&value),
            (Pat::Reference(reference), value) if reference.mutability.is_none() => {
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
        let value = self.declared(value, ty);
        let value = self.settle(value, &pattern.ident, ty);
        self.scopes.declare(&pattern.ident, Binding { value, ty: ty.cloned() });
    }

    /// Makes a value that can be used any number of times: what is passive gets a variable of the prologue.
    pub(super) fn settle(&mut self, value: Value, name: &Ident, ty: Option<&Type>) -> Value {
        match value {
            Value::Active(active) | Value::Condition(active) | Value::Called(active) => {
                self.name(active, name);
                value
            }
            Value::Passive(passive) => Value::Passive(self.let_passive(name, &passive, ty)),
            Value::Array(elements) => Value::Array(self.settle_all(elements, name, ty)),
            Value::Tuple(elements) => Value::Tuple(self.settle_all(elements, name, ty)),
            Value::Vector(vector) => {
                Value::Vector(Vector { elements: self.settle_all(vector.elements, name, None), ..vector })
            }
            other => other,
        }
    }

    /// Names an active value of the present list after the first variable that holds it.
    fn name(&mut self, active: Active, name: &Ident) {
        let is_local = active.level == self.outer.len();
        if is_local && self.frame.list.name(active.id).is_none() {
            self.frame.list.set_name(active.id, name.to_string().trim_start_matches("r#"));
        }
    }

    fn settle_all(&mut self, elements: Vec<Value>, name: &Ident, ty: Option<&Type>) -> Vec<Value> {
        let settle = |(index, element)| match (element, ty.and_then(|ty| element_type(ty, index))) {
            (Value::Passive(passive), None) if passive.number.is_some() => Value::Passive(passive),
            (Value::Passive(passive), Some(ty)) if passive.number.is_some() => {
                let operand = passive.operand();
                Value::Passive(Passive::compound(quote!(#operand as #ty)).with_number(passive.number))
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
        let shape = ty.and_then(|ty| self.shape_of(ty)).or_else(|| passive.shape.clone());
        let (tokens, ty) = (passive.tokens(), ty.map(|ty| quote!(: #ty)));
        let tokens = quote_spanned!(variable.span()=> let #variable #ty = #tokens;);
        self.line(match passive.number {
            Some(_) => Line::only_for(&variable, tokens),
            None => Line::always(tokens),
        });
        Passive::simple(quote!(#variable)).with_number(passive.number.clone()).with_shape(shape)
    }

    /// The shape of the values of a type, where they consist of floats.
    pub(super) fn shape_of(&self, ty: &Type) -> Option<Shape> {
        match Reader::of(&self.scalar).read(ty) {
            Reading::Floats(shape) => Some(shape),
            _ => None,
        }
    }

    /// A new variable of the prologue for what the user calls `name`.
    pub(super) fn variable(&mut self, name: &Ident) -> Ident {
        let mut variable = self.names.like(&name.to_string());
        variable.set_span(emitted(name).span());
        variable
    }

    fn bind_elements(&mut self, whole: &Pat, patterns: &[&Pat], value: Value, ty: Option<&Type>) {
        let (elements, is_array) = match value {
            Value::Tuple(elements) => (elements, false),
            Value::Array(elements) => (elements, true),
            Value::Passive(passive) => match array_elements(&passive) {
                Some(elements) => (elements, true),
                None => return self.bind_passive(whole, &passive, ty),
            },
            Value::Error => return self.declare_error(whole),
            Value::Unset if matches!(whole, Pat::Tuple(_)) => (vec![Value::Unset; patterns.len()], false),
            Value::Called(_) if rest_of(patterns).is_none() && matches!(whole, Pat::Slice(_)) => {
                match self.called_elements(&value, patterns.len(), whole) {
                    Some(elements) => (elements, true),
                    None => return self.declare_error(whole),
                }
            }
            Value::Called(_) => match self.called_known(value, whole) {
                Value::Array(elements) => (elements, true),
                _ => return self.declare_error(whole),
            },
            Value::Active(_) | Value::Condition(_) | Value::Vector(_) | Value::Into(_) | Value::Unset => {
                return self.refuse_pattern(whole);
            }
        };
        let rest = rest_of(patterns);
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
        let declared = |index: usize| ty.and_then(|ty| element_type(ty, index));
        for (index, (pattern, element)) in patterns[..split].iter().zip(&elements).enumerate() {
            self.bind(pattern, element.clone(), declared(index));
        }
        if let Some(rest) = rest {
            self.bind_rest(patterns[rest], elements[split..tail].to_vec());
            for (index, pattern) in (tail..).zip(&patterns[rest + 1..]) {
                self.bind(pattern, elements[index].clone(), declared(index));
            }
        }
    }

    /// Binds `rest @ ..` to the elements that it takes up.
    fn bind_rest(&mut self, pattern: &Pat, elements: Vec<Value>) {
        if let Pat::Ident(ident) = pattern {
            let plain = PatIdent { subpat: None, ..ident.clone() };
            self.bind_ident(&plain, Value::Array(elements), None);
        }
    }

    /// Destructures a passive value of unknown shape in the prologue.
    fn bind_passive(&mut self, pattern: &Pat, passive: &Passive, ty: Option<&Type>) {
        let Some(renamed) = self.passive_pattern(pattern) else {
            return self.refuse_pattern(pattern);
        };
        let (tokens, ty) = (passive.tokens(), ty.map(|ty| quote!(: #ty)));
        self.line(Line::always(quote!(let #renamed #ty = #tokens;)));
    }

    /// The pattern with every name in it replaced by a new variable, which is declared.
    fn passive_pattern(&mut self, pattern: &Pat) -> Option<TokenStream> {
        Some(match pattern {
            Pat::Ident(ident) if (ident.subpat.is_none() || is_rest(pattern)) && ident.attrs.is_empty() => {
                let variable = self.variable(&ident.ident);
                let passive = Passive::simple(quote!(#variable)).behind_reference();
                self.scopes.declare(&ident.ident, Binding { value: Value::Passive(passive), ty: None });
                let (by_ref, rest) = (&ident.by_ref, ident.subpat.as_ref().map(|_| quote!(@ ..)));
                quote!(#by_ref #variable #rest)
            }
            Pat::Wild(_) | Pat::Rest(_) => pattern.to_token_stream(),
            Pat::Paren(paren) => self.passive_pattern(&paren.pat)?,
            Pat::Reference(reference) if reference.mutability.is_none() => {
                let inner = self.passive_pattern(&reference.pat)?;
                quote!(&#inner)
            }
            Pat::Tuple(tuple) => {
                let elements = self.passive_patterns(tuple.elems.iter())?;
                quote!((#(#elements,)*))
            }
            Pat::Slice(slice) => {
                let elements = self.passive_patterns(slice.elems.iter())?;
                quote!([#(#elements),*])
            }
            Pat::TupleStruct(tuple) => {
                let (path, elements) = (&tuple.path, self.passive_patterns(tuple.elems.iter())?);
                quote!(#path(#(#elements),*))
            }
            Pat::Struct(pattern) if pattern.fields.iter().all(|field| field.attrs.is_empty()) => {
                let (path, rest) = (&pattern.path, &pattern.rest);
                let members = pattern.fields.iter().map(|field| &field.member);
                let elements = self.passive_patterns(pattern.fields.iter().map(|field| &*field.pat))?;
                quote!(#path { #(#members: #elements,)* #rest })
            }
            _ => return None,
        })
    }

    /// The pattern of an arm as the user wrote it. Which of its names are variables is not known here, so all stay as they
    /// are, and mean themselves in the arm.
    pub(super) fn matched_pattern(&mut self, pattern: &Pat) -> TokenStream {
        let mut names = Vec::new();
        pattern_names(pattern, &mut names);
        for name in names {
            let passive = Passive::simple(name.to_token_stream()).behind_reference();
            self.scopes.declare(&name, Binding { value: Value::Passive(passive), ty: None });
        }
        pattern.to_token_stream()
    }

    fn passive_patterns<'p>(&mut self, patterns: impl Iterator<Item = &'p Pat>) -> Option<Vec<TokenStream>> {
        patterns.map(|pattern| self.passive_pattern(pattern)).collect()
    }
}

/// Adds the names in a pattern that can be variables.
fn pattern_names(pattern: &Pat, names: &mut Vec<Ident>) {
    match pattern {
        Pat::Ident(ident) => {
            names.push(ident.ident.clone());
            if let Some((_, pattern)) = &ident.subpat {
                pattern_names(pattern, names);
            }
        }
        Pat::Paren(paren) => pattern_names(&paren.pat, names),
        Pat::Reference(reference) => pattern_names(&reference.pat, names),
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|element| pattern_names(element, names)),
        Pat::Slice(slice) => slice.elems.iter().for_each(|element| pattern_names(element, names)),
        Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|element| pattern_names(element, names)),
        Pat::Struct(pattern) => pattern.fields.iter().for_each(|field| pattern_names(&field.pat, names)),
        Pat::Or(or) => or.cases.iter().for_each(|case| pattern_names(case, names)),
        _ => {}
    }
}

/// The type of an element of an array or a tuple, where it is written.
fn element_type(ty: &Type, index: usize) -> Option<&Type> {
    let element = match ty {
        Type::Array(array) => &array.elem,
        Type::Tuple(tuple) => tuple.elems.get(index)?,
        Type::Paren(paren) => element_type(&paren.elem, index)?,
        Type::Group(group) => element_type(&group.elem, index)?,
        _ => return None,
    };
    (!matches!(element, Type::Infer(_))).then_some(element)
}

/// The position of `..` among patterns.
fn rest_of(patterns: &[&Pat]) -> Option<usize> {
    patterns.iter().position(|pattern| is_rest(pattern))
}

fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Rest(_) => true,
        Pat::Ident(ident) => ident.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_))),
        _ => false,
    }
}

/// The elements of a passive array whose length is known.
pub(super) fn array_elements(passive: &Passive) -> Option<Vec<Value>> {
    let mut shape = passive.shape.as_ref()?;
    while let Shape::Reference(target) = shape {
        shape = target;
    }
    match shape {
        Shape::Array(_, length) if *length <= MAX_ELEMENTS => {
            Some((0..*length).map(|index| element_of(passive, index)).collect())
        }
        _ => None,
    }
}
