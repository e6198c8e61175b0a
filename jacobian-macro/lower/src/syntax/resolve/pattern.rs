//! Patterns. A plain name in a pattern that may not match is that of a constant where there is one.

use syn::{Ident, Member, Pat};

use super::super::key::key;
use super::super::place::Placed;
use super::super::tree::{Binding, Path, Pattern, PatternKind, PatternVariable};
use super::Reader;

impl Reader<'_> {
    /// A pattern that always matches; its names are declared.
    pub(super) fn pattern(&mut self, pattern: &Pat) -> Pattern {
        self.any_pattern(pattern, false)
    }

    /// A pattern that may not match; its names are declared.
    pub(super) fn refutable(&mut self, pattern: &Pat) -> Pattern {
        self.any_pattern(pattern, true)
    }

    fn any_pattern(&mut self, pattern: &Pat, may_fail: bool) -> Pattern {
        let place = pattern.place();
        let kind = match pattern {
            Pat::Wild(_) => PatternKind::Wild,
            Pat::Rest(_) => PatternKind::Rest,
            Pat::Ident(ident) if !ident.attrs.is_empty() => {
                let plain = Pat::Ident(syn::PatIdent { attrs: Vec::new(), ..ident.clone() });
                PatternKind::Refused(self.any_pattern(&plain, false).into())
            }
            Pat::Ident(ident) => match self.constant_named(ident).filter(|_| may_fail) {
                Some(path) => PatternKind::Path(path),
                None => {
                    let inner = ident.subpat.as_ref().map(|(_, inner)| self.any_pattern(inner, may_fail).into());
                    let (by_ref, is_mut) = (ident.by_ref.is_some(), ident.mutability.is_some());
                    let id = self.declare(&ident.ident, is_mut && !by_ref);
                    PatternKind::Variable(PatternVariable { id, ident: ident.ident.clone(), by_ref, is_mut, inner })
                }
            },
            Pat::Path(path) => PatternKind::Path(self.path(path)),
            Pat::Lit(literal) => PatternKind::Literal(self.expr(&syn::Expr::Lit(literal.clone()))),
            Pat::Range(range) => {
                let mut bound = |bound: &Option<Box<syn::Expr>>| bound.as_ref().map(|bound| self.expr(bound));
                let (start, end) = (bound(&range.start), bound(&range.end));
                PatternKind::Range(start, end, matches!(range.limits, syn::RangeLimits::Closed(_)))
            }
            Pat::Tuple(tuple) => PatternKind::Tuple(self.patterns(&tuple.elems, may_fail)),
            Pat::Slice(slice) => PatternKind::Slice(self.patterns(&slice.elems, may_fail)),
            Pat::Reference(reference) => {
                let inner = self.any_pattern(&reference.pat, may_fail);
                PatternKind::Reference(reference.mutability.is_some(), inner.into())
            }
            Pat::Or(or) => self.or_pattern(or, may_fail),
            Pat::TupleStruct(tuple) => {
                let path = self.plain_path(&tuple.path);
                PatternKind::TupleStruct(path, self.patterns(&tuple.elems, may_fail))
            }
            Pat::Struct(pattern) if pattern.fields.iter().any(|field| !field.attrs.is_empty()) => PatternKind::Other,
            Pat::Struct(pattern) => {
                let path = self.struct_path(&pattern.path);
                let field = |field: &syn::FieldPat| (field.member.clone(), self.any_pattern(&field.pat, may_fail));
                let fields: Vec<(Member, Pattern)> = pattern.fields.iter().map(field).collect();
                PatternKind::Struct(path, fields, pattern.rest.is_some())
            }
            Pat::Paren(inner) => PatternKind::Paren(self.any_pattern(&inner.pat, may_fail).into()),
            Pat::Type(typed) if typed.attrs.is_empty() => {
                let ty = self.ty(&typed.ty);
                PatternKind::Typed(self.any_pattern(&typed.pat, may_fail).into(), ty.into())
            }
            _ => PatternKind::Other,
        };
        Pattern::new(kind, place)
    }

    fn patterns<'p>(&mut self, patterns: impl IntoIterator<Item = &'p Pat>, may_fail: bool) -> Vec<Pattern> {
        patterns.into_iter().map(|pattern| self.any_pattern(pattern, may_fail)).collect()
    }

    /// The alternatives bind the same names: those of the first one.
    fn or_pattern(&mut self, or: &syn::PatOr, may_fail: bool) -> PatternKind {
        let mut cases = Vec::new();
        let outer = self.alternatives.take();
        for case in &or.cases {
            let read = self.any_pattern(case, may_fail);
            let mut variables = Vec::new();
            read.variables(&mut variables);
            let known = variables.iter().map(|variable| (key(&variable.ident), variable.id)).collect();
            self.alternatives.get_or_insert(known);
            cases.push(read);
        }
        self.alternatives = outer;
        PatternKind::Or(cases)
    }

    /// The constant that a name in a pattern means: one that is seen here, or one from outside, as its capital letter
    /// says.
    fn constant_named(&mut self, pattern: &syn::PatIdent) -> Option<Path> {
        if pattern.by_ref.is_some() || pattern.mutability.is_some() || pattern.subpat.is_some() {
            return None;
        }
        let is_constant = match self.find(&pattern.ident) {
            Binding::Constant(_) => true,
            Binding::Item => self.items.constants.contains(&pattern.ident.to_string()),
            // No variable can have the name of a constant that is seen.
            Binding::Variable(_) => false,
            Binding::Import(_) | Binding::Local(_) | Binding::Outside | Binding::Unclear | Binding::Generic => {
                starts_with_capital(&pattern.ident)
            }
        };
        is_constant.then(|| self.plain_path(&pattern.ident.clone().into()))
    }

    pub(super) fn plain_path(&mut self, path: &syn::Path) -> Path {
        self.path(&syn::ExprPath { attrs: Vec::new(), qself: None, path: path.clone() })
    }
}

/// Whether a name is, by convention, none of a variable.
pub(super) fn starts_with_capital(ident: &Ident) -> bool {
    ident.to_string().starts_with(char::is_uppercase)
}

impl PatternVariable {
    /// Whether its name alone binds the field with this name.
    pub fn is_shorthand_of(&self, member: &Member) -> bool {
        self.inner.is_none() && matches!(member, Member::Named(name) if *name == self.ident)
    }
}

impl Pattern {
    /// Whether it is `..` or `name @ ..`.
    pub fn is_rest(&self) -> bool {
        match &self.kind {
            PatternKind::Rest => true,
            PatternKind::Variable(variable) => {
                variable.inner.as_ref().is_some_and(|inner| matches!(inner.kind, PatternKind::Rest))
            }
            _ => false,
        }
    }

    /// The variables that it declares.
    pub fn variables<'p>(&'p self, found: &mut Vec<&'p PatternVariable>) {
        match &self.kind {
            PatternKind::Variable(variable) => {
                found.push(variable);
                variable.inner.iter().for_each(|inner| inner.variables(found));
            }
            PatternKind::Tuple(parts) | PatternKind::Slice(parts) | PatternKind::TupleStruct(_, parts) => {
                parts.iter().for_each(|part| part.variables(found));
            }
            PatternKind::Or(cases) => cases.iter().for_each(|case| case.variables(found)),
            PatternKind::Struct(_, fields, _) => fields.iter().for_each(|(_, part)| part.variables(found)),
            PatternKind::Reference(_, inner)
            | PatternKind::Paren(inner)
            | PatternKind::Refused(inner)
            | PatternKind::Typed(inner, _) => {
                inner.variables(found);
            }
            PatternKind::Wild
            | PatternKind::Rest
            | PatternKind::Path(_)
            | PatternKind::Literal(_)
            | PatternKind::Range(..)
            | PatternKind::Other => {}
        }
    }
}
