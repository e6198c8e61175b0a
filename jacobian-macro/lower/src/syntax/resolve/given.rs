//! What functions give whose result is an `Option` or a `Result` of floats (`fallible.rs`): `Some(x)` and `Ok(x)` are
//! `x`, `None` and `Err(e)` leave the function, and any other expression is one with a `?` after it.

use std::rc::Rc;

use quote::quote;

use super::super::build::{Own, block_of, none, of_option};
use super::super::place::Place;
use super::super::tree::{
    Action, Arm, Block, Closure, Expr, ExprKind, If, Let, Method, Pattern, PatternKind, Statement, While,
};
use super::Reader;
use super::passed_on::given_on;

impl Reader<'_> {
    /// The block of a function, whose value is what is in the `Some` or the `Ok`.
    pub(super) fn given_by_block(&mut self, block: &Block) -> Block {
        let mut statements = block.statements.clone();
        if let Some(Statement::Expr(last, is_value)) = statements.last_mut()
            && (*is_value || is_branch(last))
        {
            (*last, *is_value) = (self.given(last), true);
        }
        Block { statements, place: block.place }
    }

    /// `return value`.
    pub(super) fn given_by_return(&mut self, value: Option<Expr>, place: Place) -> Expr {
        let value = value.map(|value| self.given(&value));
        match value {
            Some(leave) if matches!(&*leave.kind, ExprKind::Leave(_)) => leave,
            value => Expr::new(ExprKind::Return(value), place),
        }
    }

    /// What is in the `Some` or the `Ok` that an expression is.
    fn given(&mut self, expression: &Expr) -> Expr {
        let place = expression.place;
        let kind = match &*expression.kind {
            ExprKind::Paren(inner) => return self.given(inner),
            ExprKind::Path(path) if path.is_variant("None") => ExprKind::Leave(expression.clone()),
            ExprKind::Call(function, args) => match (&*function.unwrapped().kind, &args[..]) {
                (ExprKind::Path(path), [value]) if ["Some", "Ok"].iter().any(|name| path.is_variant(name)) => {
                    return value.clone();
                }
                (ExprKind::Path(path), [_]) if path.is_variant("Err") => ExprKind::Leave(expression.clone()),
                _ => ExprKind::Try(expression.clone()),
            },
            ExprKind::Block(block) => ExprKind::Block(self.given_by_block(block)),
            ExprKind::If(If { condition, then, otherwise: Some(otherwise) }) => {
                let (then, otherwise) = (self.given_by_block(then), Some(self.given(otherwise)));
                ExprKind::If(If { condition: condition.clone(), then, otherwise })
            }
            ExprKind::Match(subject, arms) if let Some((pattern, body)) = given_on(arms) => {
                let value = Some(Expr::new(ExprKind::Try(subject.clone()), place));
                let pattern = pattern.clone();
                let bound = Statement::Let(Rc::new(Let { pattern, ty: None, value, otherwise: None, place }));
                return block_of(vec![bound, Statement::Expr(self.given(body), true)], place);
            }
            ExprKind::Match(subject, arms) => {
                let mut given = |arm: &Arm| Arm { body: self.given(&arm.body), ..arm.clone() };
                ExprKind::Match(subject.clone(), arms.iter().map(&mut given).collect())
            }
            ExprKind::Method(call) => match self.given_by_method(call, place) {
                Some(given) => return given,
                None => ExprKind::Try(expression.clone()),
            },
            // A loop that is left by `return` only.
            ExprKind::While(repetition) if repetition.condition.is_none() && !is_left(repetition) => {
                return expression.clone();
            }
            ExprKind::Macro(call) if matches!(call.action, Action::Panic) => return expression.clone(),
            ExprKind::Return(_)
            | ExprKind::Leave(_)
            | ExprKind::Refused(_)
            | ExprKind::Break(..)
            | ExprKind::Continue(_) => return expression.clone(),
            _ => ExprKind::Try(expression.clone()),
        };
        Expr::new(kind, place)
    }

    /// An error, or a closure that makes one, as one of the type of the function's: it is not converted.
    fn of_error(&mut self, error: &Expr) -> Option<Expr> {
        let place = error.place;
        if let ExprKind::Closure(closure) = &*error.unwrapped().kind {
            let body = self.of_error(&closure.body)?;
            let closure = Closure { body, ..(**closure).clone() };
            return Some(Expr::new(ExprKind::Closure(Rc::new(closure)), place));
        }
        let ty = self.body.fallible.as_ref()?.error()?;
        let (ty, own) = (self.ty(&ty), Own::new("error", &mut self.body.variables));
        let pattern = own.pattern(false, place);
        let bound = Let { pattern, ty: Some(ty), value: Some(error.clone()), otherwise: None, place };
        Some(block_of(vec![Statement::Let(Rc::new(bound)), Statement::Expr(own.read(place), true)], place))
    }

    /// `a.map(|v| b)` is `{ let v = a?; b }`, and `c.then(|| b)` is `if c { b } else { None }`; so is `c.then_some(b)`, but
    /// that `b` is evaluated in any case, after `c`.
    fn given_by_method(&mut self, call: &Method, place: Place) -> Option<Expr> {
        let [callee] = &call.args[..] else { return None };
        if call.name == "then_some" {
            let leave = Expr::new(ExprKind::Leave(none(place)), place);
            let variables = &mut self.body.variables;
            let (is_given, value) = (Own::new("is_given", variables), Own::new("value", variables));
            let statements = vec![Statement::Expr(value.read(place), true)];
            let (condition, then) = (is_given.read(place), Block { statements, place });
            let branch = Expr::new(ExprKind::If(If { condition, then, otherwise: Some(leave) }), place);
            let bound = [is_given.bound(call.receiver.clone()), value.bound(callee.clone())];
            return Some(block_of([&bound[..], &[Statement::Expr(branch, true)]].concat(), place));
        }
        if call.name == "ok_or" || call.name == "ok_or_else" {
            let args = vec![self.of_error(callee)?];
            let typed = Expr::new(ExprKind::Method(Method { args, ..call.clone() }), place);
            return Some(Expr::new(ExprKind::Try(typed), place));
        }
        let ExprKind::Closure(closure) = &*callee.unwrapped().kind else { return None };
        let Closure { parameters, body, output: None, .. } = &**closure else { return None };
        let block = |body: Expr| match &*body.kind {
            ExprKind::Block(block) => block.clone(),
            _ => Block { place: body.place, statements: vec![Statement::Expr(body, true)] },
        };
        match (call.name.to_string().as_str(), &parameters[..]) {
            ("then", []) => {
                let leave = Expr::new(ExprKind::Leave(none(place)), place);
                let (condition, then) = (call.receiver.clone(), block(body.clone()));
                Some(Expr::new(ExprKind::If(If { condition, then, otherwise: Some(leave) }), place))
            }
            ("map" | "and_then", [(pattern, ty)]) => {
                let value = Some(Expr::new(ExprKind::Try(call.receiver.clone()), place));
                let (pattern, ty) = (pattern.clone(), ty.clone());
                let bound = Statement::Let(Rc::new(Let { pattern, ty, value, otherwise: None, place }));
                let body = if call.name == "map" { body.clone() } else { self.given(body) };
                let mut rest = block(body);
                rest.statements.insert(0, bound);
                Some(Expr::new(ExprKind::Block(rest), place))
            }
            _ => None,
        }
    }
}

/// `match option { Some(pattern) => there, None => missing }`.
pub(super) fn some_or(option: Expr, pattern: Pattern, there: Expr, missing: Expr) -> Expr {
    let place = option.place;
    let some = Pattern::new(PatternKind::TupleStruct(of_option(&quote!(Some)), vec![pattern]), place);
    let nothing = Pattern::new(PatternKind::Path(of_option(&quote!(None))), place);
    let arm = |pattern: Pattern, body: Expr| Arm { pattern, guard: None, body };
    Expr::new(ExprKind::Match(option, vec![arm(some, there), arm(nothing, missing)]), place)
}

/// Whether an expression is a branch, which may be the value of a block although a semicolon follows: one that never
/// ends.
fn is_branch(expression: &Expr) -> bool {
    matches!(&*expression.kind, ExprKind::Return(_) | ExprKind::Leave(_))
}

/// Whether a loop is left by a `break` of its own.
pub(super) fn is_left(repetition: &While) -> bool {
    let own = Some(repetition.target);
    repetition.body.has(&|inner: &Expr| matches!(&*inner.kind, ExprKind::Break(target, _) if *target == own))
}
