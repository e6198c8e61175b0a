//! Patterns: `let` with irrefutable patterns over tuples and arrays.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, Pat, PatIdent, Type};

use super::super::signature::Parameter;
use super::Flattener;
use super::array::array_elements;
use super::code::Line;
use super::sequence::Access;
use super::value::{Binding, Elements, Passive, Value};

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
        let value = self.declared(value, ty);
        let value = self.settle(value, &pattern.ident, ty);
        self.scopes.declare(&pattern.ident, Binding { value, ty: ty.cloned() });
    }

    fn bind_elements(&mut self, whole: &Pat, patterns: &[&Pat], value: Value, ty: Option<&Type>) {
        let unset = |value: &Value| matches!((value, whole), (Value::Unset, Pat::Tuple(_)));
        let (elements, access, is_array) = match value {
            Value::Error => return self.declare_error(whole),
            value if unset(&value) => (vec![Value::Unset; patterns.len()].into(), Access::Value, false),
            call @ Value::Called(_) => match self.called_parts(whole, patterns, call) {
                Some(elements) => (elements, Access::Value, true),
                None => return self.declare_error(whole),
            },
            value => match (self.elements(&value), value) {
                (Some(elements), _) => elements,
                (None, Value::Passive(passive)) => return self.bind_passive(whole, &passive, ty),
                _ => return self.refuse_pattern(whole),
            },
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
        self.bind_each(&patterns[..split], &elements[..split], access, declared);
        if let Some(rest) = rest {
            self.bind_rest(patterns[rest], &elements[split..tail], access);
            self.bind_each(&patterns[rest + 1..], &elements[tail..], access, |index| declared(tail + index));
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

    fn bind_each<'t>(
        &mut self,
        patterns: &[&Pat],
        elements: &[Value],
        access: Access,
        declared: impl Fn(usize) -> Option<&'t Type>,
    ) {
        for (index, (pattern, element)) in patterns.iter().zip(elements).enumerate() {
            let element = match access {
                Access::Value => element.clone(),
                Access::Reference => self.shared(element.clone()),
            };
            self.bind(pattern, element, declared(index));
        }
    }

    /// The elements of the array that a call returns, which these patterns take apart. None if an error has been reported.
    fn called_parts(&mut self, whole: &Pat, patterns: &[&Pat], call: Value) -> Option<Elements> {
        if rest_of(patterns).is_none() && matches!(whole, Pat::Slice(_)) {
            return self.called_elements(&call, patterns.len(), whole).map(Elements::from);
        }
        match self.called_known(call, whole) {
            Value::Array(elements) => Some(elements),
            _ => None,
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

    /// Destructures a passive value of unknown shape.
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

/// The type of what a reference of this type refers to.
pub(super) fn target_type(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) => Some(&reference.elem),
        Type::Paren(paren) => target_type(&paren.elem),
        Type::Group(group) => target_type(&group.elem),
        _ => None,
    }
}

/// The position of `..` among patterns.
fn rest_of(patterns: &[&Pat]) -> Option<usize> {
    patterns.iter().position(|pattern| is_rest(pattern))
}

pub(super) fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Rest(_) => true,
        Pat::Ident(ident) => ident.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_))),
        _ => false,
    }
}
