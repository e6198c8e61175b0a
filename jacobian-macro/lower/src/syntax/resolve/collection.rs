//! `Vec`s read as arrays: of a function that is refused as it is written, for one of its `Vec`s holds active values. As long
//! as such a `Vec` is, the array is.

use std::borrow::Cow;
use std::collections::HashSet;

use quote::{ToTokens, quote};
use syn::{Expr as Source, Ident, ItemFn, Lit, Pat, ReturnType, Stmt, Type, parse_quote};

use super::super::super::names::each_identifier;
use super::super::build::{block_of, statement};
use super::super::place::Placed;
use super::super::reaching::unreached;
use super::super::tree::{Binding, Collections, Expr, ExprKind, Statement, is_called_vec};
use super::item::INTEGERS;
use super::pattern::starts_with_capital;
use super::{Items, Reader, delimited};

/// Whether there may be `Vec`s in a function.
pub(super) fn may_be_in(function: &ItemFn) -> bool {
    let mut is_named = false;
    each_identifier(function.to_token_stream(), &mut |name| {
        is_named |= ["vec", "Vec", "to_vec"].iter().any(|known| name == known);
    });
    is_named
}

/// The variables of a function in which `Vec`s stay what they are, for nothing active reaches them.
pub(super) fn kept(function: &ItemFn, items: &Items) -> HashSet<String> {
    let body = super::function(function, items, Collections::Kept);
    unreached(&body).into_iter().map(|id| declared(&body.variables[id.0 as usize].ident)).collect()
}

/// What tells a variable from others: its name, and where it is declared.
pub(super) fn declared(ident: &Ident) -> String {
    format!("{ident}{:?}", ident.span())
}

impl Reader<'_> {
    /// Whether what a pattern binds stays what it is: each of its variables does.
    pub(super) fn is_kept_by(&self, pattern: &Pat) -> bool {
        let mut found = Vec::new();
        each_identifier(pattern.to_token_stream(), &mut |ident| {
            if ident != "mut" && !starts_with_capital(&ident) {
                found.push(self.kept.contains(&declared(&ident)));
            }
        });
        self.collections == Collections::Arrays && !found.is_empty() && found.into_iter().all(|is_kept| is_kept)
    }

    /// What is read as it is: what is given to a variable that stays what it is.
    pub(super) fn keeping<T>(&mut self, is_kept: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.collections;
        if is_kept {
            self.collections = Collections::Kept;
        }
        let value = read(self);
        self.collections = outer;
        value
    }

    /// Whether a variable is one of those.
    pub(super) fn is_keeping(&self, place: &Expr) -> bool {
        place.root().is_some_and(|(id, _)| self.body.keeping.contains(&id))
    }

    /// The array that `vec![...]` stands for; of integers, it stays what it is.
    pub(super) fn array_of_vec(&mut self, call: &syn::Macro) -> Option<Expr> {
        if self.collections == Collections::Kept {
            return None;
        }
        let elements = &call.tokens;
        let array: Source = syn::parse2(quote!([#elements])).ok()?;
        if are_integers(&array) {
            return None;
        }
        let array = self.expr(&array);
        Some(Expr::new((*array.kind).clone(), call.place()))
    }

    /// The empty array that `Vec::new()` and `Vec::with_capacity(n)` stand for.
    pub(super) fn empty_vec(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let Source::Path(path) = &*call.func else { return None };
        let mut ty = path.path.clone();
        let function = ty.segments.pop()?.ident;
        ty.segments.pop_punct();
        let is_known = match call.args.len() {
            0 => function == "new",
            1 => function == "with_capacity",
            _ => false,
        };
        if self.collections == Collections::Kept || path.qself.is_some() || !is_known || !self.is_vec(&ty) {
            return None;
        }
        let place = path.place().to(delimited(&call.paren_token.span));
        let empty = Expr::new(ExprKind::Array(Vec::new()), place);
        Some(match call.args.first() {
            None | Some(Source::Lit(_) | Source::Path(_)) => empty,
            // It may panic.
            Some(capacity) => block_of(vec![statement(self.expr(capacity)), Statement::Expr(empty, true)], place),
        })
    }

    /// A value of this type, in which `collect` says of what type what it makes is: as far as that follows from the one
    /// of the value.
    pub(super) fn collecting<'s>(&self, value: &'s Source, ty: Option<&Type>) -> Cow<'s, Source> {
        match ty {
            Some(ty) if self.collections == Collections::Arrays => {
                let mut value = value.clone();
                tell(&mut value, ty);
                Cow::Owned(value)
            }
            _ => Cow::Borrowed(value),
        }
    }

    /// The same of the body of a function that gives such a value.
    pub(super) fn collecting_block<'s>(&self, block: &'s syn::Block, ty: &Type) -> Cow<'s, syn::Block> {
        if self.collections == Collections::Kept {
            return Cow::Borrowed(block);
        }
        let mut block = block.clone();
        tell_last(&mut block, ty);
        Cow::Owned(block)
    }

    /// Whether a path means the `Vec` of the standard library, as far as is seen.
    fn is_vec(&self, path: &syn::Path) -> bool {
        let is_outside = |name| matches!(self.scopes.find_type(name), Binding::Outside | Binding::Unclear);
        is_called_vec(path)
            && path.segments.first().is_some_and(|first| path.segments.len() > 1 || is_outside(&first.ident))
    }
}

/// Writes this type where `collect` makes a value of it.
fn tell(value: &mut Source, ty: &Type) {
    match value {
        Source::Paren(inner) => tell(&mut inner.expr, ty),
        Source::Block(inner) => tell_last(&mut inner.block, ty),
        Source::If(branch) => {
            tell_last(&mut branch.then_branch, ty);
            if let Some((_, otherwise)) = &mut branch.else_branch {
                tell(otherwise, ty);
            }
        }
        Source::MethodCall(call) if call.method == "collect" && call.turbofish.is_none() => {
            call.turbofish = Some(parse_quote!(::<#ty>));
            let element = super::ty(ty).element_of_vec().cloned();
            if let (Some(element), Source::MethodCall(map)) = (element, &mut *call.receiver)
                && map.method == "map"
                && let Some(Source::Closure(closure)) = map.args.first_mut()
                && let ReturnType::Default = closure.output
            {
                tell(&mut closure.body, &element);
            }
        }
        _ => {}
    }
}

fn tell_last(block: &mut syn::Block, ty: &Type) {
    if let Some(Stmt::Expr(last, None)) = block.stmts.last_mut() {
        tell(last, ty);
    }
}

/// Whether the elements of an array are written as integers or truth values.
fn are_integers(array: &Source) -> bool {
    match array {
        Source::Array(array) => !array.elems.is_empty() && array.elems.iter().all(are_integers),
        Source::Repeat(repeat) => are_integers(&repeat.expr),
        Source::Unary(inner) => are_integers(&inner.expr),
        Source::Paren(inner) => are_integers(&inner.expr),
        Source::Cast(cast) => INTEGERS.contains(&cast.ty.to_token_stream().to_string().as_str()),
        Source::Macro(inner) if inner.mac.path.is_ident("vec") => {
            let elements = &inner.mac.tokens;
            syn::parse2(quote!([#elements])).is_ok_and(|array| are_integers(&array))
        }
        Source::Lit(literal) => matches!(literal.lit, Lit::Int(_) | Lit::Bool(_)),
        _ => false,
    }
}
