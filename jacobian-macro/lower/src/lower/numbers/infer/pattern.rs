//! Patterns: what they say of the types of what they match.

use super::super::super::super::syntax::{Expr, Path, Pattern, PatternKind};
use syn::{Index, Member};

use super::Inference;
use super::open::Meaning;
use super::terms::{Term, TypeForm};

impl Inference<'_> {
    /// The type of what is matched is `term`.
    pub(super) fn bind(&mut self, pattern: &Pattern, term: Term) {
        match &pattern.kind {
            PatternKind::Variable(variable) => {
                match self.terms.kind(term) {
                    TypeForm::Int(id) if !self.types.get(id).is_float() => {}
                    _ => drop(self.told.insert(variable.id)),
                }
                self.unify(self.variables[variable.id.0 as usize], term);
                if let Some(inner) = &variable.inner {
                    self.bind(inner, term);
                }
            }
            PatternKind::Path(path) => {
                let constant = self.path(path);
                self.unify_silently(constant, term);
            }
            PatternKind::Literal(literal) => {
                self.bound(literal, term);
            }
            PatternKind::Range(start, end, _) => {
                start.iter().chain(end).for_each(|bound| self.bound(bound, term));
            }
            PatternKind::Tuple(parts) => self.bind_tuple(parts, term),
            PatternKind::Slice(parts) => self.bind_slice(parts, term),
            PatternKind::Or(cases) => cases.iter().for_each(|case| self.bind(case, term)),
            PatternKind::Reference(_, inner) | PatternKind::Paren(inner) | PatternKind::Refused(inner) => {
                self.bind(inner, term);
            }
            PatternKind::Typed(inner, ty) => {
                let ty = self.ty(ty);
                self.unify(ty, term);
                self.bind(inner, ty);
            }
            PatternKind::TupleStruct(path, parts) if self.is_struct(path, term) => {
                let rest = parts.iter().position(Pattern::is_rest).unwrap_or(parts.len());
                for (index, part) in parts.iter().enumerate() {
                    match index < rest {
                        true => self.bind_field(&Member::Unnamed(Index::from(index)), part, term),
                        false => self.bind_part(part, term),
                    }
                }
            }
            PatternKind::TupleStruct(..) if let Some(content) = pattern.some() => {
                let own = self.terms.unknown();
                let whole = self.terms.add(TypeForm::Items(own));
                self.unify(whole, term);
                self.bind(content, own);
            }
            PatternKind::TupleStruct(_, parts) => parts.iter().for_each(|part| self.bind_part(part, term)),
            PatternKind::Struct(path, fields, _) => {
                self.is_struct(path, term);
                fields.iter().for_each(|(member, part)| self.bind_field(member, part, term));
            }
            PatternKind::Wild | PatternKind::Rest | PatternKind::Other => {}
        }
    }

    /// A literal, or the bound of a range.
    fn bound(&mut self, bound: &Expr, term: Term) {
        let outer = std::mem::replace(&mut self.is_constant, true);
        let bound = self.expression(bound);
        self.is_constant = outer;
        self.unify(bound, term);
    }

    /// Whether something of type `whole`, of which a pattern says that it is what `path` means, is a known struct.
    fn is_struct(&mut self, path: &Path, whole: Term) -> bool {
        if let Some(Ok(definition)) = self.module.struct_named(path) {
            let named = self.terms.add(TypeForm::Struct(definition.clone()));
            self.unify(named, whole);
        }
        matches!(self.terms.kind(whole), TypeForm::Struct(_))
    }

    /// A field of something of type `whole`.
    fn bind_field(&mut self, member: &Member, pattern: &Pattern, whole: Term) {
        let field = match self.terms.kind(whole) {
            TypeForm::Struct(definition) => self.field_of(&definition, member),
            _ => None,
        };
        match field {
            Some(field) => self.bind(pattern, field),
            None => self.bind_part(pattern, whole),
        }
    }

    /// A part of something of type `whole`.
    fn bind_part(&mut self, pattern: &Pattern, whole: Term) {
        let part = self.opaque_with(Meaning::Part, &[whole]);
        self.bind(pattern, part);
    }

    fn bind_tuple(&mut self, parts: &[Pattern], term: Term) {
        let rest = parts.iter().position(Pattern::is_rest);
        let elements = match (rest, self.terms.kind(term)) {
            (None, _) => {
                let elements: Vec<_> = parts.iter().map(|_| self.terms.unknown()).collect();
                let tuple = self.terms.add(TypeForm::Tuple(elements.clone()));
                self.unify(tuple, term);
                elements
            }
            (Some(_), TypeForm::Tuple(elements)) if parts.len() <= elements.len() + 1 => elements,
            _ => return parts.iter().for_each(|part| self.bind_part(part, term)),
        };
        let (front, back) = parts.split_at(rest.unwrap_or(parts.len()));
        front.iter().zip(&elements).for_each(|(part, element)| self.bind(part, *element));
        let back = back.iter().skip(1).rev().zip(elements.iter().rev());
        back.for_each(|(part, element)| self.bind(part, *element));
    }

    fn bind_slice(&mut self, parts: &[Pattern], term: Term) {
        let element = self.terms.unknown();
        let array = self.terms.add(TypeForm::Array(element));
        self.unify(array, term);
        for part in parts {
            match &part.kind {
                PatternKind::Variable(variable) if part.is_rest() => {
                    self.unify(self.variables[variable.id.0 as usize], array);
                }
                _ => self.bind(part, element),
            }
        }
    }
}
