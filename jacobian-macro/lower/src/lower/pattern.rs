//! Patterns: `let` with irrefutable patterns over tuples and arrays.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::super::read::shape::Shape;
use super::super::read::ty::mentions;
use super::super::refuse;
use super::super::syntax::{self, Expr, ExprKind, Pattern, PatternKind, PatternVariable, Type, TypeKind, VariableId};
use super::Lowering;
use super::array::taken_apart;
use super::bindings::Binding;
use super::control::Flow;
use super::inline::BEHIND_TRAITS;
use super::items::Access;
use super::kept::is_opaque;
use super::program::Line;
use super::value::{Elements, Passive, Value, Variant};

impl Lowering<'_> {
    /// Binds the pattern of a parameter. A parameter with a plain name keeps it.
    pub(super) fn bind_parameter(&mut self, pattern: &Pattern, ty: &Type, value: Value) -> Flow<()> {
        match &pattern.kind {
            PatternKind::Variable(variable) if !variable.by_ref && variable.inner.is_none() => {
                let value = match value {
                    Value::Passive(passive) if self.is_opaque_changed(variable) && is_opaque(&passive) => {
                        Value::Passive(self.home(&variable.ident, &passive, None, None))
                    }
                    value => value,
                };
                self.declare(variable, value, Some(ty));
                Ok(())
            }
            _ => self.bind(pattern, value, None),
        }
    }

    /// Whether the user changes a variable otherwise than by assignments.
    fn is_changed(&self, variable: &PatternVariable) -> bool {
        variable.is_mut && !variable.by_ref && self.activation.body.changed.contains(&variable.id)
    }

    /// Whether the user changes a variable of which nothing is known, not even what its methods do.
    pub(super) fn is_opaque_changed(&self, variable: &PatternVariable) -> bool {
        let is_read = variable.is_mut && !variable.by_ref && self.activation.body.read.contains(&variable.id);
        is_read || self.is_changed(variable)
    }

    /// Declares a variable with this value.
    pub(super) fn declare(&mut self, variable: &PatternVariable, value: Value, ty: Option<&Type>) {
        let binding = Binding { value, ty: ty.cloned(), level: self.program.level() };
        self.bindings.declare(self.activation.number(variable.id), binding);
    }

    /// Binds a pattern of which it has been asked whether `value` matches it.
    pub(super) fn bind_tested(&mut self, pattern: &Pattern, value: Value) -> Flow<()> {
        self.is_tested = true;
        let bound = self.bind(pattern, value, None);
        self.is_tested = false;
        bound
    }

    /// Binds `pattern`, declared with the type `ty`, to `value`.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Value, ty: Option<&Type>) -> Flow<()> {
        let value = self.called_as(value, ty);
        let value = match (&pattern.kind, value) {
            (PatternKind::Variable(_), value) => value,
            // What is taken apart is of the type that the pattern names.
            (PatternKind::Struct(path, ..) | PatternKind::TupleStruct(path, _), value @ Value::Into(_))
                if ty.is_none() =>
            {
                let named =
                    syn::Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path: path.path.path.clone() });
                self.declared(value, Some(&syntax::ty(&named)))?
            }
            (_, value) => self.declared(value, ty)?,
        };
        if let Some(ty) = ty.filter(|ty| is_behind_trait(ty) && value.has_struct()) {
            return self.refuse(ty, refuse::STRUCT_BEHIND_TRAIT);
        }
        if let Some(bound) = self.bind_optional(pattern, &value) {
            return bound;
        }
        match (&pattern.kind, value) {
            (_, Value::Record(record)) => self.bind_record(pattern, *record, ty),
            (PatternKind::Variable(variable), value) => self.bind_variable(pattern, variable, value, ty),
            (PatternKind::Typed(inner, ty), value) => self.bind(inner, value, Some(ty)),
            (PatternKind::Paren(inner), value) => self.bind(inner, value, ty),
            (PatternKind::Wild, value) => {
                self.discard(&value);
                Ok(())
            }
            // Whether it matches has been asked before.
            (PatternKind::Literal(_) | PatternKind::Range(..) | PatternKind::Path(_), _) => Ok(()),
            (PatternKind::Or(_), _) if pattern.binds_nothing() => Ok(()),
            (PatternKind::Reference(_, inner), value) => {
                let value = self.dereference(value);
                self.bind(inner, value, None)
            }
            (PatternKind::Tuple(patterns) | PatternKind::Slice(patterns), value) => {
                self.bind_elements(pattern, patterns, value, ty)
            }
            (PatternKind::Struct(_, fields, _), value) if value.definition().is_some() || is_place(&value) => {
                self.bind_struct(pattern, fields, value)
            }
            (PatternKind::TupleStruct(_, parts), value) if value.definition().is_some() || is_place(&value) => {
                self.bind_elements(pattern, parts, value, ty)
            }
            (PatternKind::Struct(..) | PatternKind::TupleStruct(..) | PatternKind::Or(_), Value::Passive(passive)) => {
                self.bind_passive(pattern, &passive, ty)
            }
            _ => self.refuse(pattern, refuse::PATTERN),
        }
    }

    fn bind_variable(
        &mut self,
        pattern: &Pattern,
        variable: &PatternVariable,
        value: Value,
        ty: Option<&Type>,
    ) -> Flow<()> {
        if variable.by_ref && variable.is_mut {
            return self.refuse(pattern, refuse::PATTERN);
        }
        if let Some(inner) = &variable.inner {
            let plain = PatternVariable { inner: None, ..variable.clone() };
            self.bind_variable(pattern, &plain, value, ty)?;
            let whole = self.variable_value(self.activation.number(variable.id), &variable.ident)?;
            return self.bind(inner, whole, None);
        }
        let value = match value {
            Value::Passive(_) if variable.by_ref => self.shared(value),
            value => value,
        };
        let is_known = ty.is_some_and(|ty| self.shape_of(ty).is_some());
        let value = match self.declared(value, ty)? {
            // An iterator that the user advances.
            items @ (Value::Iterator(_) | Value::Range(_)) if self.is_changed(variable) => match items.to_passive() {
                Some(passive) => Value::Passive(self.home(&variable.ident, &passive, None, None)),
                None => items,
            },
            // What is surely `None` may become active.
            Value::Passive(passive)
                if self.is_opaque_changed(variable)
                    && is_opaque(&passive)
                    && !is_known
                    && !passive.variant.as_ref().is_some_and(Variant::is_known) =>
            {
                let shape = ty.and_then(|ty| self.passive_shape_of(ty)).filter(Shape::is_opaque);
                let ty = ty.map(|ty| self.written_type(ty));
                Value::Passive(self.home(&variable.ident, &passive, ty, shape))
            }
            value => self.let_bind(value, &variable.ident, ty)?,
        };
        self.declare(variable, value, ty);
        Ok(())
    }

    fn bind_elements(&mut self, whole: &Pattern, patterns: &[Pattern], value: Value, ty: Option<&Type>) -> Flow<()> {
        let unset = |value: &Value| matches!((value, &whole.kind), (Value::Unset, PatternKind::Tuple(_)));
        let (elements, access, is_array) = match value {
            value if unset(&value) => (vec![Value::Unset; patterns.len()].into(), Access::Value, false),
            call @ Value::Called(_) => (self.called_parts(whole, patterns, call)?, Access::Value, true),
            value => match (self.elements(&value), value) {
                (Some(elements), _) => elements,
                (None, Value::Passive(passive)) => return self.bind_passive(whole, &passive, ty),
                _ => return self.refuse(whole, refuse::PATTERN),
            },
        };
        let rest = patterns.iter().position(Pattern::is_rest);
        let fits = match rest {
            Some(_) => patterns.len() <= elements.len() + 1,
            None => patterns.len() == elements.len(),
        };
        if !fits || is_array != matches!(whole.kind, PatternKind::Slice(_)) {
            return self.refuse(whole, refuse::pattern_length(elements.len()));
        }
        let after = rest.map_or(0, |rest| patterns.len() - rest - 1);
        let split = rest.unwrap_or(patterns.len());
        let tail = elements.len() - after;
        let declared = |index: usize| ty.and_then(|ty| element_type(ty, index));
        self.bind_each(&patterns[..split], &elements[..split], access, declared)?;
        if let Some(rest) = rest {
            self.bind_rest(&patterns[rest], &elements[split..tail], access)?;
            self.bind_each(&patterns[rest + 1..], &elements[tail..], access, |index| declared(tail + index))?;
        }
        Ok(())
    }

    /// The elements of an array or a tuple, how a pattern binds them, and whether it is an array.
    pub(super) fn elements(&mut self, value: &Value) -> Option<(Elements, Access, bool)> {
        match value {
            Value::Tuple(elements) => Some((elements.clone(), Access::Value, false)),
            Value::Array(elements) => Some((elements.clone(), Access::Value, true)),
            Value::Passive(passive) => {
                let access = if passive.is_reference() { Access::Reference } else { Access::Value };
                taken_apart(passive)?;
                match taken_apart(&self.once(passive))? {
                    Value::Tuple(fields) => Some((fields, access, false)),
                    Value::Array(elements) => Some((elements, access, true)),
                    _ => None,
                }
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
        patterns: &[Pattern],
        elements: &[Value],
        access: Access,
        declared: impl Fn(usize) -> Option<&'t Type>,
    ) -> Flow<()> {
        for (index, (pattern, element)) in patterns.iter().zip(elements).enumerate() {
            let element = match access {
                Access::Value => element.clone(),
                Access::Reference => self.shared(element.clone()),
            };
            self.bind(pattern, element, declared(index))?;
        }
        Ok(())
    }

    /// The elements of the array that a call returns, which these patterns take apart.
    fn called_parts(&mut self, whole: &Pattern, patterns: &[Pattern], call: Value) -> Flow<Elements> {
        if !patterns.iter().any(Pattern::is_rest) && matches!(whole.kind, PatternKind::Slice(_)) {
            return self.called_elements(&call, patterns.len(), whole).map(Elements::from);
        }
        match self.called_known(call, whole)? {
            Value::Array(elements) => Ok(elements),
            _ => self.refuse(whole, refuse::PATTERN),
        }
    }

    /// Binds `rest @ ..` to the elements that it takes up.
    fn bind_rest(&mut self, pattern: &Pattern, elements: &[Value], access: Access) -> Flow<()> {
        let PatternKind::Variable(variable) = &pattern.kind else { return Ok(()) };
        let plain = PatternVariable { inner: None, ..variable.clone() };
        let place_of = |element: &Value| match element {
            Value::Mutable(place) => Some(place.clone()),
            _ => None,
        };
        let places: Vec<_> = elements.iter().filter_map(place_of).collect();
        let rest = Value::Array(elements.to_vec().into());
        let rest = match access {
            Access::Value if !places.is_empty() => {
                let place = Expr::new(ExprKind::Infer, pattern.place);
                Value::Mutable(self.slice_of_places(places, &place)?)
            }
            Access::Value => rest,
            Access::Reference => self.shared(rest),
        };
        self.bind_variable(pattern, &plain, rest, None)
    }

    /// Destructures a passive value of unknown shape.
    pub(super) fn bind_passive(&mut self, pattern: &Pattern, passive: &Passive, ty: Option<&Type>) -> Flow<()> {
        let mut bound = Vec::new();
        let Some(renamed) = self.passive_pattern(pattern, &mut bound) else {
            return self.refuse(pattern, refuse::PATTERN);
        };
        let names = bound.into_iter().map(|(_, name)| name).collect();
        let ty = ty.map(|ty| self.written_type(ty)).map(|ty| quote!(: #ty));
        let tokens = passive.tokens();
        let written = match self.is_tested {
            true => quote_spanned!(Span::mixed_site()=>
                #[allow(irrefutable_let_patterns)]
                let #renamed #ty = #tokens else { ::core::unreachable!() };
            ),
            false => quote!(let #renamed #ty = #tokens;),
        };
        let line = Line::pattern(names, written).of(passive);
        self.program.line(line.reading(!passive.has_call()));
        if let Some(shape) = &passive.shape {
            self.give_shapes(pattern, shape);
        }
        Ok(())
    }

    /// The pattern with every name in it replaced by a new variable, which is declared. Alternatives bind the same ones.
    fn passive_pattern(&mut self, pattern: &Pattern, names: &mut Vec<(VariableId, Ident)>) -> Option<TokenStream> {
        Some(match &pattern.kind {
            PatternKind::Variable(variable) if variable.inner.is_none() || pattern.is_rest() => {
                let name = match names.iter().find(|(id, _)| *id == variable.id) {
                    Some((_, name)) => name.clone(),
                    None => {
                        let name = self.program.variable(&variable.ident);
                        names.push((variable.id, name.clone()));
                        name
                    }
                };
                let is_home = self.is_opaque_changed(variable);
                let value = Passive::simple(quote!(#name)).settled().behind_reference(true).changing(is_home);
                self.declare(variable, Value::Passive(value), None);
                let mutability = is_home.then(|| quote!(mut));
                let (by_ref, rest) =
                    (variable.by_ref.then(|| quote!(ref)), variable.inner.as_ref().map(|_| quote!(@ ..)));
                quote!(#by_ref #mutability #name #rest)
            }
            PatternKind::Variable(variable)
                if self.is_tested
                    && !variable.by_ref
                    && let Some(inner) = &variable.inner =>
            {
                let plain = PatternKind::Variable(PatternVariable { inner: None, ..variable.clone() });
                let whole = self.passive_pattern(&Pattern::new(plain, pattern.place), names)?;
                let inner = self.passive_pattern(inner, names)?;
                quote!(#whole @ #inner)
            }
            PatternKind::Wild => quote!(_),
            PatternKind::Rest => quote!(..),
            PatternKind::Paren(inner) => self.passive_pattern(inner, names)?,
            PatternKind::Or(cases) => {
                let cases = self.passive_patterns(cases.iter(), names)?;
                quote!((#(#cases)|*))
            }
            PatternKind::Reference(false, inner) => {
                let inner = self.passive_pattern(inner, names)?;
                quote!(&#inner)
            }
            PatternKind::Tuple(parts) => {
                let elements = self.passive_patterns(parts.iter(), names)?;
                quote!((#(#elements,)*))
            }
            PatternKind::Slice(parts) => {
                let elements = self.passive_patterns(parts.iter(), names)?;
                quote!([#(#elements),*])
            }
            PatternKind::TupleStruct(path, parts) => {
                let (path, elements) = (self.written_path(path), self.passive_patterns(parts.iter(), names)?);
                quote!(#path(#(#elements),*))
            }
            PatternKind::Struct(path, fields, has_rest) => {
                let (path, rest) = (self.written_path(path), has_rest.then(|| quote!(..)));
                let members = fields.iter().map(|(member, _)| member);
                let elements = self.passive_patterns(fields.iter().map(|(_, part)| part), names)?;
                quote!(#path { #(#members: #elements,)* #rest })
            }
            PatternKind::Literal(_) | PatternKind::Range(..) | PatternKind::Path(_) if self.is_tested => {
                self.written_pattern(pattern, true)
            }
            _ => return None,
        })
    }

    fn passive_patterns<'p>(
        &mut self,
        patterns: impl Iterator<Item = &'p Pattern>,
        names: &mut Vec<(VariableId, Ident)>,
    ) -> Option<Vec<TokenStream>> {
        patterns.map(|pattern| self.passive_pattern(pattern, names)).collect()
    }
}

/// Whether a value is a mutable reference, whose target is looked at elsewhere.
fn is_place(value: &Value) -> bool {
    matches!(value, Value::Mutable(_))
}

/// The type of an element of an array or a tuple, where it is written.
pub(super) fn element_type(ty: &Type, index: usize) -> Option<&Type> {
    let element = match &ty.kind {
        TypeKind::Array(element, _) => element,
        TypeKind::Tuple(elements) => elements.get(index)?,
        _ => return None,
    };
    (!matches!(element.kind, TypeKind::Infer)).then_some(element)
}

/// Whether a type has one in it that is known by its traits only.
pub(super) fn is_behind_trait(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Reference(_, _, inner) | TypeKind::Array(inner, _) => is_behind_trait(inner),
        TypeKind::Tuple(elements) => elements.iter().any(is_behind_trait),
        TypeKind::Other(ty, _) => mentions(ty.to_token_stream(), BEHIND_TRAITS),
        _ => false,
    }
}

/// The type of what a reference of this type refers to.
pub(super) fn target_type(ty: &Type) -> Option<&Type> {
    match &ty.kind {
        TypeKind::Reference(_, _, target) => Some(target),
        _ => None,
    }
}
