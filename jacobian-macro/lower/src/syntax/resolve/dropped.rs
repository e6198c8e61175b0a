//! A function that gives a `Result`, read as one that gives an `Option`: `Ok(v)` is `Some(v)`, `Err(e)` is `None` after `e`,
//! which is made and dropped.

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use quote::{quote, quote_spanned};
use syn::{ItemFn, parse_quote};

use super::super::build::{Own, block_of, none, of_core, of_result, some, statement};
use super::super::fallible::Fallible;
use super::super::place::Place;
use super::super::tree::{
    Action, Arm, Block, Closure, Expr, ExprKind, If, Method, Pattern, PatternKind, Statement, Type,
};
use super::super::walk::{GIVING_VALUES, Node};
use super::Reader;
use super::given::{is_left, some_or};
use super::passed_on::is_passed_on;
use super::pattern::starts_with_capital;

impl Reader<'_> {
    /// Notes that a function is read as one that gives an `Option`, if it gives a `Result`.
    pub(super) fn drop_errors_of(&mut self, function: &ItemFn) {
        let fallible = Fallible::of(&function.sig, &|name| self.items.structs.contains(name));
        let Some(fallible) = fallible.filter(|fallible| !fallible.is_option()) else { return };
        let (value, span) = (&fallible.value, Span::mixed_site());
        let error = fallible.around(&quote_spanned!(span=> ::core::convert::Infallible));
        let option = syn::parse2(quote_spanned!(span=> ::core::option::Option<#value>));
        if let (Ok(option), Ok(error)) = (option, syn::parse2(error)) {
            self.body.output = Some(self.ty(&option));
            self.dropped = Some(Rc::new(self.ty(&error)));
        }
    }

    /// The value of a block as an `Option`.
    pub(super) fn as_option_by_block(&mut self, block: &Block) -> Block {
        let mut statements = block.statements.clone();
        if let Some(Statement::Expr(last, true)) = statements.last_mut() {
            *last = self.as_option(last);
        }
        Block { statements, place: block.place }
    }

    /// A `Result` as an `Option`, in a function that gives a `Result` and is read as one that gives an `Option`.
    pub(super) fn as_option(&mut self, result: &Expr) -> Expr {
        let (Some(ty), place) = (self.dropped.clone(), result.place) else { return result.clone() };
        let kind = match &*result.kind {
            ExprKind::Paren(inner) => return self.as_option(inner),
            ExprKind::Call(function, args) => match (&*function.unwrapped().kind, &args[..]) {
                (ExprKind::Path(path), [value]) if path.is_variant("Ok") => return some(value.clone(), place),
                (ExprKind::Path(path), [error]) if path.is_variant("Err") => {
                    return match &*error.unwrapped().kind {
                        ExprKind::Literal(_) | ExprKind::Path(_) => none(place),
                        _ => after_error(result.clone(), ty, none(place)),
                    };
                }
                _ => without_error(result),
            },
            ExprKind::Block(block) => ExprKind::Block(self.as_option_by_block(block)),
            ExprKind::If(If { condition, then, otherwise: Some(otherwise) }) => {
                let (then, otherwise) = (self.as_option_by_block(then), Some(self.as_option(otherwise)));
                ExprKind::If(If { condition: condition.clone(), then, otherwise })
            }
            ExprKind::Match(subject, arms) => {
                let mut given = |arm: &Arm| match (is_passed_on(arm), &arm.pattern) {
                    (true, Pattern { kind: PatternKind::TupleStruct(err, _), place }) => {
                        self.body.converts_errors = true;
                        let wild = Pattern::new(PatternKind::Wild, *place);
                        let pattern = Pattern::new(PatternKind::TupleStruct(err.clone(), vec![wild]), *place);
                        Arm { pattern, guard: None, body: none(arm.body.place) }
                    }
                    _ => Arm { body: self.as_option(&arm.body), ..arm.clone() },
                };
                ExprKind::Match(subject.clone(), arms.iter().map(&mut given).collect())
            }
            ExprKind::Method(call) => match self.option_of(call, ty, place, &|error| error) {
                Some(option) => return option,
                None => without_error(result),
            },
            ExprKind::Macro(call) if matches!(call.action, Action::Panic) => return result.clone(),
            ExprKind::While(repetition) if repetition.condition.is_none() && !is_left(repetition) => {
                return result.clone();
            }
            ExprKind::Return(_) | ExprKind::Refused(_) | ExprKind::Break(..) | ExprKind::Continue(_) => {
                return result.clone();
            }
            _ => without_error(result),
        };
        Expr::new(kind, place)
    }

    /// The same of what a `?` follows, which converts the error.
    pub(super) fn tried_as_option(&mut self, result: &Expr) -> Expr {
        let (Some(ty), place) = (self.dropped.clone(), result.place) else { return result.clone() };
        self.body.converts_errors = true;
        let converted = |error: Expr| {
            let from = Expr::new(ExprKind::Path(of_core(parse_quote!(::core::convert::From::from))), place);
            Expr::new(ExprKind::Call(from, vec![error]), place)
        };
        let option = match &*result.unwrapped().kind {
            ExprKind::Method(call) => self.option_of(call, ty, place, &converted),
            _ => None,
        };
        option.unwrap_or_else(|| self.as_option(result))
    }

    /// `a.ok_or(e)` is `a` after which `e` is made in any case; `a.ok_or_else(|| e)` and `a.map_err(|_| e)` make it where `a`
    /// is missing. An error is converted as `converted` says.
    fn option_of(
        &mut self,
        call: &Method,
        ty: Rc<Type>,
        place: Place,
        converted: &dyn Fn(Expr) -> Expr,
    ) -> Option<Expr> {
        let [error] = &call.args[..] else { return None };
        let err = |error: &Expr| {
            let err = Expr::new(ExprKind::Path(of_result(&quote!(Err))), place);
            Expr::new(ExprKind::Call(err, vec![converted(error.clone())]), place)
        };
        match (call.name.to_string().as_str(), &*error.unwrapped().kind) {
            ("ok_or", _) => {
                let own = Own::new("option", &mut self.body.variables);
                let dropped = statement(Expr::new(ExprKind::Dropped(err(error), ty), place));
                let bound = own.bound(call.receiver.clone());
                Some(block_of(vec![bound, dropped, Statement::Expr(own.read(place), true)], place))
            }
            (name @ ("ok_or_else" | "map_err"), ExprKind::Closure(closure)) => {
                let Closure { parameters, body, output: None, .. } = &**closure else { return None };
                let subject = if name == "map_err" { self.as_option(&call.receiver) } else { call.receiver.clone() };
                match (name, &parameters[..]) {
                    ("ok_or_else", []) | ("map_err", [(Pattern { kind: PatternKind::Wild, .. }, _)]) => {}
                    ("map_err", [_]) if does_nothing(body) => return Some(subject),
                    _ => return None,
                }
                let own = Own::new("value", &mut self.body.variables);
                let there = some(own.read(place), place);
                let missing = after_error(err(body), ty, none(place));
                Some(some_or(subject, own.pattern(false, place), there, missing))
            }
            ("map_err", ExprKind::Path(path))
                if path.path.path.segments.last().is_some_and(|it| starts_with_capital(&it.ident)) =>
            {
                Some(self.as_option(&call.receiver))
            }
            _ => None,
        }
    }
}

/// Whether an error is made by constructors, texts and conversions of the standard library alone.
fn does_nothing(error: &Expr) -> bool {
    let mut does_nothing = true;
    error.walk(&mut |node| {
        let Node::Expr(part) = node else { return };
        does_nothing &= match &*part.kind {
            ExprKind::Call(function, _) => match &*function.unwrapped().kind {
                ExprKind::Path(path) => {
                    path.path.path.segments.last().is_some_and(|last| starts_with_capital(&last.ident))
                }
                _ => false,
            },
            ExprKind::Method(call) => GIVING_VALUES.iter().any(|name| call.name == name),
            ExprKind::Macro(call) => call.path.is_ident("format"),
            ExprKind::Literal(_)
            | ExprKind::Variable(..)
            | ExprKind::Path(_)
            | ExprKind::Field(..)
            | ExprKind::Paren(_)
            | ExprKind::Shared(_)
            | ExprKind::Struct(_)
            | ExprKind::Tuple(_) => true,
            _ => false,
        };
    });
    does_nothing
}

/// What there is after an error of this type.
fn after_error(error: Expr, ty: Rc<Type>, then: Expr) -> Expr {
    let place = error.place;
    let dropped = statement(Expr::new(ExprKind::Dropped(error, ty), place));
    block_of(vec![dropped, Statement::Expr(then, true)], place)
}

/// `result.ok()`.
fn without_error(result: &Expr) -> ExprKind {
    let name = Ident::new("ok", result.place.span());
    ExprKind::Method(Method { receiver: result.clone(), name, turbofish: None, args: Vec::new() })
}
