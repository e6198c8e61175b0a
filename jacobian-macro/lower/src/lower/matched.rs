//! Patterns of the arms of run-time branches, and of closures that are not called here: they stay as the user wrote
//! them.

use std::collections::HashSet;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::super::read::options::is_same_field;
use super::super::read::shape::{Opaque, Shape};
use super::super::refuse;
use super::super::syntax::{self, Binding as Bound, Expr, Macro, Path, Pattern, PatternKind, PatternVariable};
use super::Lowering;
use super::bindings::Binding;
use super::control::{Flow, Match, variable_called};
use super::numbers::Number;
use super::value::{Passive, Value};

impl Lowering<'_> {
    /// The pattern of an arm, as it is written. Its names stay as they are, and mean themselves in the arm: which of
    /// them are those of constants outside is not known here. Those of constants of the function are written as these
    /// are.
    pub(super) fn matched_pattern(&mut self, pattern: &Pattern) -> TokenStream {
        self.declare_all(pattern);
        self.written_pattern(pattern, true)
    }

    /// The same before code that is lowered: what is assigned there is another variable.
    pub(super) fn lowered_pattern(&mut self, pattern: &Pattern, matched: Option<&Shape>) -> TokenStream {
        self.declare_all(pattern);
        let written = self.written_pattern(pattern, false);
        if let Some(matched) = matched {
            self.give_shapes(pattern, matched);
        }
        written
    }

    /// Gives the variables of a pattern their shapes, where a value of this shape is matched.
    pub(super) fn give_shapes(&mut self, pattern: &Pattern, matched: &Shape) {
        let target = matched.behind_references();
        let is_behind = matches!(matched, Shape::Reference(_));
        let part = |shape: Shape| if is_behind { Shape::Reference(Box::new(shape)) } else { shape };
        match (&pattern.kind, matched, target) {
            (PatternKind::Paren(inner), ..) => self.give_shapes(inner, matched),
            (PatternKind::Reference(_, inner), Shape::Reference(target), _) => self.give_shapes(inner, target),
            (PatternKind::Variable(variable), ..) if !matches!(matched, Shape::Passive(_)) => {
                let shape = if variable.by_ref { Shape::Reference(Box::new(matched.clone())) } else { matched.clone() };
                if let Some(Binding { value: Value::Passive(passive), .. }) =
                    self.bindings.find_mut(self.activation.number(variable.id))
                {
                    passive.shape = Some(shape);
                }
            }
            (PatternKind::Tuple(parts), _, Shape::Tuple(shapes)) if parts.len() == shapes.len() => {
                parts.iter().zip(shapes).for_each(|(pattern, shape)| self.give_shapes(pattern, &part(shape.clone())));
            }
            (PatternKind::TupleStruct(..), _, Shape::Option(content) | Shape::Result(content)) => {
                if let Some(inner) = pattern.some() {
                    self.give_shapes(inner, &part((**content).clone()));
                }
            }
            (PatternKind::TupleStruct(path, parts), _, Shape::Opaque(own)) => {
                let is_rest = |pattern: &&Pattern| matches!(pattern.kind, PatternKind::Rest);
                let first = parts.iter().take_while(|pattern| !is_rest(pattern));
                let members = first.enumerate().map(|(index, pattern)| (syn::Member::from(index), pattern));
                self.give_shapes_of_fields(path, own, members, &part);
            }
            (PatternKind::Struct(path, fields, _), _, Shape::Opaque(own)) => {
                let members = fields.iter().map(|(member, pattern)| (member.clone(), pattern));
                self.give_shapes_of_fields(path, own, members, &part);
            }
            _ => {}
        }
    }

    fn give_shapes_of_fields<'p>(
        &mut self,
        path: &Path,
        own: &Rc<Opaque>,
        patterns: impl Iterator<Item = (syn::Member, &'p Pattern)>,
        part: &dyn Fn(Shape) -> Shape,
    ) {
        let fields = self.fields_in_pattern(path, own);
        for (member, pattern) in patterns {
            let ty = fields.iter().find(|(field, _)| is_same_field(field, &member)).map(|(_, ty)| syntax::ty(ty));
            if let Some(shape) = ty.and_then(|ty| self.passive_shape_of(&ty)) {
                self.give_shapes(pattern, &part(shape));
            }
        }
    }

    pub(super) fn written_pattern(&mut self, pattern: &Pattern, is_kept: bool) -> TokenStream {
        match &pattern.kind {
            PatternKind::Wild => quote!(_),
            PatternKind::Rest => quote!(..),
            PatternKind::Variable(variable) => self.variable_of_pattern(variable, is_kept),
            PatternKind::Path(path) => self.path_in_pattern(path),
            PatternKind::Literal(literal) => self.bound_in_pattern(literal),
            PatternKind::Range(start, end, is_inclusive) => {
                let [start, end] = [start, end].map(|bound| bound.as_ref().map(|bound| self.bound_in_pattern(bound)));
                if *is_inclusive { quote!(#start..=#end) } else { quote!(#start..#end) }
            }
            PatternKind::Tuple(parts) => {
                let parts = self.written_patterns(parts, is_kept);
                match parts.len() {
                    1 => quote!((#(#parts),*,)),
                    _ => quote!((#(#parts),*)),
                }
            }
            PatternKind::Slice(parts) => {
                let parts = self.written_patterns(parts, is_kept);
                quote!([#(#parts),*])
            }
            PatternKind::Reference(is_mutable, inner) => {
                let (mutability, inner) = (is_mutable.then(|| quote!(mut)), self.written_pattern(inner, is_kept));
                quote!(&#mutability #inner)
            }
            PatternKind::Or(cases) => {
                let cases = self.written_patterns(cases, is_kept);
                quote!(#(#cases)|*)
            }
            PatternKind::TupleStruct(path, parts) => {
                let (path, parts) = (self.written_path(path), self.written_patterns(parts, is_kept));
                quote!(#path(#(#parts),*))
            }
            PatternKind::Struct(path, fields, has_rest) => {
                let path = self.written_path(path);
                let fields: Vec<_> = fields
                    .iter()
                    .map(|(member, part)| {
                        let written = self.written_pattern(part, is_kept);
                        match &part.kind {
                            PatternKind::Variable(own)
                                if own.is_shorthand_of(member) && ends_in(&written, &own.ident) =>
                            {
                                quote!(#written,)
                            }
                            _ => quote!(#member: #written,),
                        }
                    })
                    .collect();
                let rest = has_rest.then(|| quote!(..));
                quote!(#path { #(#fields)* #rest })
            }
            PatternKind::Paren(inner) => {
                let inner = self.written_pattern(inner, is_kept);
                quote!((#inner))
            }
            PatternKind::Typed(inner, ty) => {
                let (inner, ty) = (self.written_pattern(inner, is_kept), self.written_type(ty));
                quote!(#inner: #ty)
            }
            PatternKind::Refused(_) | PatternKind::Other => {
                self.errors.at(pattern, refuse::PATTERN);
                TokenStream::new()
            }
        }
    }

    fn written_patterns(&mut self, patterns: &[Pattern], is_kept: bool) -> Vec<TokenStream> {
        patterns.iter().map(|pattern| self.written_pattern(pattern, is_kept)).collect()
    }

    /// `matches!` of a passive value: known, or as the user wrote it.
    pub(super) fn matches_call(&mut self, whole: &Expr, call: &Macro, pattern: &Pattern, guard: Option<&Expr>) -> Flow {
        let subject = &call.args[0].value;
        let value = self.expression(subject)?;
        if value.number().is_some() && guard.is_none() {
            match self.matches(pattern, &value)? {
                Match::Unknown => {}
                found => {
                    self.require_macro(&call.path);
                    let mut variables = Vec::new();
                    pattern.variables(&mut variables);
                    for variable in variables {
                        self.program.require(variable.ident.to_string(), variable_called(&variable.ident));
                    }
                    let written = Passive::simple(quote!());
                    return Ok(Value::Passive(self.numbers.known(Number::Bool(found == Match::Yes), written)));
                }
            }
        }
        if self.has_optional(&value) || !value.is_passive() {
            self.require_macro(&call.path);
            return self.matches_optional(whole, (pattern, subject, &value), guard);
        }
        let Some(passive) = value.to_passive() else { return self.refuse(subject, refuse::MATCHED) };
        let outside = self.matched.len();
        let pattern = self.matched_pattern(pattern);
        let guard = guard.map(|guard| self.guard(guard)).map(|guard| quote!(if #guard));
        self.matched.truncate(outside);
        let (path, subject) = (&call.path, passive.tokens());
        Ok(Value::Passive(Passive::simple(quote!(#path!(#subject, #pattern #guard)))))
    }

    /// Declares the variables of a pattern. They are called as the user calls them, but where something else is called
    /// so, which a closure or a function that is inlined may mention here: each name means one thing.
    fn declare_all(&mut self, pattern: &Pattern) {
        let mut variables = Vec::new();
        pattern.variables(&mut variables);
        // Alternatives bind the same ones.
        let mut declared = HashSet::new();
        for variable in variables {
            if !declared.insert(variable.id) {
                continue;
            }
            let number = self.activation.number(variable.id);
            let ident = match self.bindings.is_note(number) || self.is_called(&variable.ident) {
                true => {
                    // A constant of this name would have been compared with.
                    let name = variable.ident.to_string();
                    self.program.require(name, variable_called(&variable.ident));
                    self.program.variable(&variable.ident)
                }
                false => {
                    self.program.names.keep(&variable.ident.to_string());
                    variable.ident.clone()
                }
            };
            let passive = Passive::simple(ident.to_token_stream()).behind_reference(true);
            let binding = Binding { value: Value::Passive(passive), ty: None, level: self.program.level() };
            self.bindings.declare(number, binding);
            self.program.bound.insert(number, ident.to_string());
            self.matched.push(ident.to_string());
        }
    }

    /// Whether something in the generated code that can be mentioned here is called like this.
    fn is_called(&self, ident: &Ident) -> bool {
        let name = ident.to_string();
        self.program.variable_named(&name).is_some() || self.matched.contains(&name)
    }

    /// The names that patterns bind for what is lowered after them, in the rest of the block.
    pub(super) fn keep_names(&mut self, patterns: &[&Pattern]) {
        let mut variables = Vec::new();
        patterns.iter().for_each(|pattern| pattern.variables(&mut variables));
        for variable in variables {
            let number = self.activation.number(variable.id);
            if let Some(Value::Passive(own)) = self.bindings.find(number).map(|binding| &binding.value) {
                self.matched.push(own.tokens().to_string());
            }
        }
    }

    /// A variable that has been declared.
    fn variable_of_pattern(&mut self, variable: &PatternVariable, is_kept: bool) -> TokenStream {
        let name = written(Ok(self.bindings.get(self.activation.number(variable.id)).value.clone()));
        let is_mut = variable.is_mut && (is_kept || variable.by_ref || self.is_opaque_changed(variable));
        let (by_ref, mutability) = (variable.by_ref.then(|| quote!(ref)), is_mut.then(|| quote!(mut)));
        let inner =
            variable.inner.as_ref().map(|inner| self.written_pattern(inner, is_kept)).map(|inner| quote!(@ #inner));
        quote!(#by_ref #mutability #name #inner)
    }

    fn path_in_pattern(&mut self, path: &Path) -> TokenStream {
        match path.binding {
            Bound::Constant(id) => written(self.local_constant(id)),
            _ => self.written_path(path),
        }
    }

    /// A literal, or the bound of a range.
    fn bound_in_pattern(&mut self, bound: &Expr) -> TokenStream {
        written(self.expression(bound))
    }
}

/// A passive value as it is written; nothing where an error has been reported.
pub(super) fn written(value: Flow) -> TokenStream {
    value.ok().and_then(|value| value.to_passive()).map(|passive| passive.tokens().clone()).unwrap_or_default()
}

/// Whether a variable of a pattern is called like this.
fn ends_in(written: &TokenStream, name: &Ident) -> bool {
    matches!(written.clone().into_iter().last(), Some(TokenTree::Ident(last)) if last == *name)
}
