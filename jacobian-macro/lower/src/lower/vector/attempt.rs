//! What may be missing: the inverse of a matrix, the solution of equations, a factor of a matrix. Whether it is there is
//! known at run time only: what is done with it is a branch.

use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{Constant, NotationId};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use super::super::super::diagnostics::list;
use super::super::super::refuse;
use super::super::super::syntax::{Arm as MatchArm, Expr, ExprKind, If, Method as MethodCall, Pattern, PatternKind};
use super::super::Lowering;
use super::super::control::{Exit, Flow, Stop};
use super::super::expected::Expected;
use super::super::program::{Head, Line};
use super::super::value::{Value, Vector};

/// What may be missing.
#[derive(Clone)]
pub struct Attempt {
    /// What is found.
    pub(super) found: Found,
    /// A float that is not zero where it is there.
    pub(super) test: Value,
}

/// What is found.
#[derive(Clone)]
pub(super) enum Found {
    /// The inverse of this matrix of up to three rows, or that of which these are the cofactors, of four. `test` is
    /// the determinant.
    Inverse(Vector),
    /// This. Where it is missing, all floats of it are zero.
    Value(Value),
}

/// The methods that may give nothing.
const GIVING: &[&str] = &["try_inverse", "solve", "cholesky"];

/// The methods of what may be missing.
const METHODS: &[&str] = &["unwrap", "expect", "unwrap_or", "unwrap_or_else", "is_some", "is_none"];

impl Lowering<'_> {
    /// A method of what may be missing.
    pub(in super::super) fn attempt_method(
        &mut self,
        call: &MethodCall,
        whole: &Expr,
        of: &Attempt,
        args: &[Value],
    ) -> Flow {
        let place = &call.receiver;
        match (call.name.to_string().as_str(), args) {
            ("is_some", []) => self.exists(of, known::NE, place),
            ("is_none", []) => self.exists(of, known::EQ, place),
            ("unwrap", []) => {
                let message = quote_spanned!(Span::mixed_site()=> "called `Option::unwrap()` on a `None` value");
                self.unwrapped(of, (whole, place), message)
            }
            ("expect", [message]) => match message.to_passive() {
                Some(message) => {
                    let message = message.tokens().clone();
                    self.unwrapped(of, (whole, place), quote_spanned!(Span::mixed_site()=> "{}", #message))
                }
                None => self.refuse(&call.args[0], refuse::PRINTED),
            },
            ("unwrap_or", [other]) => {
                let other = other.clone();
                self.either(of, (whole, place), |_| Ok(other))
            }
            ("unwrap_or_else", [callee]) => {
                let callee = self.callee(&call.args[0], callee)?;
                self.either(of, (whole, place), |it| it.invoke(&callee, Vec::new(), Expected::Anything))
            }
            _ => self.refuse(&call.name, refuse::attempt_method(list(METHODS.iter().copied()))),
        }
    }

    /// Whether an expression is what may be missing, and depends on an active matrix.
    pub(in super::super) fn may_be_attempt(&mut self, subject: &Expr) -> bool {
        let is_named = match &*subject.unwrapped().kind {
            ExprKind::Method(call) => GIVING.iter().any(|name| call.name == name),
            ExprKind::Variable(..) => true,
            _ => false,
        };
        is_named && matches!(self.on_trial(|it| it.expression(subject)), Some(Value::Attempt(_)))
    }

    /// `if let Some(inverse) = m.try_inverse() { ... } else { ... }`.
    pub(in super::super) fn if_attempt(
        &mut self,
        (whole, branch): (&Expr, &If),
        (pattern, subject): (&Pattern, &Expr),
        of: &Attempt,
        expected: &Expected,
    ) -> Flow {
        let Some(inner) = some(pattern) else { return self.refuse(pattern, refuse::ATTEMPT_PATTERN) };
        let exists = self.exists(of, known::NE, subject)?;
        let selector = self.condition(&exists, subject)?;
        let then = self.in_arm(|it| {
            it.in_block(|it| {
                let value = it.found(of, subject)?;
                it.bind(inner, value, None)?;
                it.block_of(&branch.then, expected.clone())
            })
        });
        let otherwise = self.in_arm(|it| it.otherwise(branch, expected));
        self.join(Head::If, selector, vec![then?, otherwise?], whole)
    }

    /// `match m.try_inverse() { Some(inverse) => ..., None => ... }`.
    pub(in super::super) fn match_attempt(
        &mut self,
        (whole, subject): (&Expr, &Expr),
        arms: &[MatchArm],
        of: &Attempt,
        expected: &Expected,
    ) -> Flow {
        let [first, second] = arms else { return self.refuse(whole, refuse::ATTEMPT_PATTERN) };
        let (present, absent) = if some(&first.pattern).is_some() { (first, second) } else { (second, first) };
        let inner = some(&present.pattern).filter(|_| is_none(&absent.pattern));
        let (Some(inner), None, None) = (inner, &present.guard, &absent.guard) else {
            return self.refuse(whole, refuse::ATTEMPT_PATTERN);
        };
        let exists = self.exists(of, known::NE, subject)?;
        let selector = self.condition(&exists, subject)?;
        let then = self.in_arm(|it| {
            it.in_block(|it| {
                let value = it.found(of, subject)?;
                it.bind(inner, value, None)?;
                it.in_same_block(&present.body, expected.clone())
            })
        });
        let otherwise = self.in_arm(|it| it.in_block(|it| it.in_same_block(&absent.body, expected.clone())));
        self.join(Head::If, selector, vec![then?, otherwise?], whole)
    }

    /// `m.try_inverse()?` in a function that gives an `Option`, and in one that gives a `Result`
    /// `m.try_inverse().ok_or(error)?` and `m.try_inverse().ok_or_else(|| error)?`; none if it is none of these.
    pub(in super::super) fn tried_attempt(&mut self, whole: &Expr, inner: &Expr) -> Flow<Option<Value>> {
        let Some(fallible) = self.activation.body.fallible.clone() else { return Ok(None) };
        let (subject, error) = match &*inner.unwrapped().kind {
            ExprKind::Method(call) if matches!(call.name.to_string().as_str(), "ok_or" | "ok_or_else") => {
                (&call.receiver, call.args.first())
            }
            _ => (inner, None),
        };
        if !self.may_be_attempt(subject) || fallible.is_option() == error.is_some() {
            return Ok(None);
        }
        let Value::Attempt(of) = self.expression(subject)? else { return Ok(None) };
        let span = Span::mixed_site();
        let Some(error) = error else {
            let leave = |it: &mut Self| it.leave_by(quote_spanned!(span=> ::core::option::Option::None), whole);
            return self.either(&of, (whole, subject), leave).map(Some);
        };
        let given = |error: TokenStream| quote_spanned!(span=> ::core::result::Result::Err(::core::convert::From::from(#error)));
        if let ExprKind::Closure(closure) = &*error.unwrapped().kind {
            let body = closure.body.clone();
            let leave = |it: &mut Self| match it.observing_at_the_end(&body) {
                Some(error) => it.leave_by(given(error.tokens().clone()), whole),
                None => it.refuse(&body, refuse::ERROR_VALUE),
            };
            return self.either(&of, (whole, subject), leave).map(Some);
        }
        // What is given to `ok_or` is evaluated in any case.
        let Some(passive) = self.expression(error)?.to_passive() else {
            return self.refuse(error, refuse::ERROR_VALUE);
        };
        let passive = self.once(&passive);
        self.either(&of, (whole, subject), |it| it.leave_by(given(passive.tokens().clone()), whole)).map(Some)
    }

    /// Whether it is there, or whether it is not: how what tells that compares with zero.
    fn exists(&mut self, of: &Attempt, comparison: Intrinsic, place: &Expr) -> Flow {
        let test = self.float(&of.test, place)?;
        let zero = self.program.constant(Constant::Float(0.0));
        Ok(self.program.apply(comparison, NotationId::default(), &[test, zero]))
    }

    fn unwrapped(&mut self, of: &Attempt, (whole, place): (&Expr, &Expr), message: TokenStream) -> Flow {
        let panics = |it: &mut Self| {
            it.program.line(Line::effect(quote_spanned!(Span::mixed_site()=> ::core::panic!(#message);)));
            Err(Stop::jump(Exit::Panic, place))
        };
        self.either(of, (whole, place), panics)
    }

    /// What is found, or what there is without it.
    fn either(
        &mut self,
        of: &Attempt,
        (whole, place): (&Expr, &Expr),
        otherwise: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        let otherwise = self.in_arm(otherwise)?;
        // Where control does not come back, what is found outside of the branch need not go through it.
        if let (Found::Value(value), None) = (&of.found, &otherwise.value) {
            let is_missing = self.exists(of, known::EQ, place)?;
            let selector = self.condition(&is_missing, place)?;
            let arms = vec![otherwise, self.in_arm(|_| Ok(Value::unit()))?];
            self.join(Head::If, selector, arms, whole)?;
            return Ok(value.clone());
        }
        let exists = self.exists(of, known::NE, place)?;
        let selector = self.condition(&exists, place)?;
        let arms = vec![self.in_arm(|it| it.found(of, place))?, otherwise];
        self.join(Head::If, selector, arms, whole)
    }

    fn found(&mut self, of: &Attempt, place: &Expr) -> Flow {
        match &of.found {
            Found::Inverse(matrix) => self.inverse(matrix, &of.test, place),
            Found::Value(value) => Ok(value.clone()),
        }
    }
}

/// The pattern in `Some(pattern)`.
fn some(pattern: &Pattern) -> Option<&Pattern> {
    match &pattern.kind {
        PatternKind::Paren(inner) => some(inner),
        PatternKind::TupleStruct(path, parts) => match &parts[..] {
            [inner] if path.path.path.segments.last().is_some_and(|last| last.ident == "Some") => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a pattern is `None`, or `_`.
fn is_none(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Wild => true,
        PatternKind::Paren(inner) => is_none(inner),
        PatternKind::Path(path) => path.path.path.segments.last().is_some_and(|last| last.ident == "None"),
        PatternKind::Variable(variable) => variable.ident == "None",
        _ => false,
    }
}
