//! `determinant` and `try_inverse`: nalgebra's closed forms, up to four rows. Whether there is an inverse is known at run
//! time only: what is done with it is a branch.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use jacobian_core::catalogue::known;
use jacobian_core::code_list::{Constant, Dialect};

use super::super::super::diagnostics::list;
use super::super::super::refuse;
use super::super::super::syntax::{Arm as MatchArm, Expr, ExprKind, If, Method as MethodCall, Pattern, PatternKind};
use super::super::Lowering;
use super::super::control::{Exit, Flow, Stop};
use super::super::expected::Expected;
use super::super::program::{Head, Line};
use super::super::value::{Value, Vector};
use super::geometry::made;

/// What `try_inverse` gives.
#[derive(Clone)]
pub struct Inverse {
    /// The matrix; of four rows, its cofactors.
    matrix: Vector,
    determinant: Value,
}

/// The methods of what `try_inverse` gives.
const METHODS: &[&str] = &["unwrap", "expect", "unwrap_or", "unwrap_or_else", "is_some", "is_none"];

impl Lowering<'_> {
    pub(super) fn determinant(&mut self, own: &Vector, place: &Expr) -> Flow {
        match (own.layout.rows, own.layout.columns) {
            (1, 1) => Ok(own.elements[0].clone()),
            (2, 2) => self.computed("determinant_2", &[own], place),
            (3, 3) => self.computed("determinant_3", &[own], place),
            (rows, columns) if rows == columns => self.refuse(place, refuse::LARGE_DETERMINANT),
            _ => self.refuse(place, refuse::NOT_SQUARE),
        }
    }

    pub(super) fn try_inverse(&mut self, own: &Vector, place: &Expr) -> Flow {
        let (matrix, determinant) = match (own.layout.rows, own.layout.columns) {
            (1..=3, columns) if columns == own.layout.rows => (own.clone(), self.determinant(own, place)?),
            (4, 4) => {
                let cofactors = self.made_by("cofactors_4", &[own], own.layout, place)?;
                let Some(cofactors) = self.vector(&cofactors) else { return Ok(cofactors) };
                let determinant = self.computed("determinant_by_cofactors", &[own, &cofactors], place)?;
                (cofactors, determinant)
            }
            (rows, columns) if rows == columns => return self.refuse(place, refuse::LARGE_INVERSE),
            _ => return self.refuse(place, refuse::NOT_SQUARE),
        };
        Ok(Value::Inverse(Box::new(Inverse { matrix, determinant })))
    }

    /// A method of what `try_inverse` gives.
    pub(in super::super) fn inverse_method(
        &mut self,
        call: &MethodCall,
        whole: &Expr,
        of: &Inverse,
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
            _ => self.refuse(&call.name, refuse::inverse_method(list(METHODS.iter().copied()))),
        }
    }

    /// Whether an expression is what `try_inverse` of an active matrix gives.
    pub(in super::super) fn may_be_inverse(&mut self, subject: &Expr) -> bool {
        let is_named = match &*subject.unwrapped().kind {
            ExprKind::Method(call) => call.name == "try_inverse",
            ExprKind::Variable(..) => true,
            _ => false,
        };
        is_named && matches!(self.on_trial(|it| it.expression(subject)), Some(Value::Inverse(_)))
    }

    /// `if let Some(inverse) = m.try_inverse() { ... } else { ... }`.
    pub(in super::super) fn if_inverse(
        &mut self,
        (whole, branch): (&Expr, &If),
        (pattern, subject): (&Pattern, &Expr),
        of: &Inverse,
        expected: &Expected,
    ) -> Flow {
        let Some(inner) = some(pattern) else { return self.refuse(pattern, refuse::INVERSE_PATTERN) };
        let exists = self.exists(of, known::NE, subject)?;
        let selector = self.condition(&exists, subject)?;
        let then = self.in_arm(|it| {
            it.in_block(|it| {
                let value = it.entries(of, subject)?;
                it.bind(inner, value, None)?;
                it.block_of(&branch.then, expected.clone())
            })
        });
        let otherwise = self.in_arm(|it| it.otherwise(branch, expected));
        self.join(Head::If, selector, vec![then?, otherwise?], whole)
    }

    /// `match m.try_inverse() { Some(inverse) => ..., None => ... }`.
    pub(in super::super) fn match_inverse(
        &mut self,
        (whole, subject): (&Expr, &Expr),
        arms: &[MatchArm],
        of: &Inverse,
        expected: &Expected,
    ) -> Flow {
        let [first, second] = arms else { return self.refuse(whole, refuse::INVERSE_PATTERN) };
        let (present, absent) = if some(&first.pattern).is_some() { (first, second) } else { (second, first) };
        let inner = some(&present.pattern).filter(|_| is_none(&absent.pattern));
        let (Some(inner), None, None) = (inner, &present.guard, &absent.guard) else {
            return self.refuse(whole, refuse::INVERSE_PATTERN);
        };
        let exists = self.exists(of, known::NE, subject)?;
        let selector = self.condition(&exists, subject)?;
        let then = self.in_arm(|it| {
            it.in_block(|it| {
                let value = it.entries(of, subject)?;
                it.bind(inner, value, None)?;
                it.in_same_block(&present.body, expected.clone())
            })
        });
        let otherwise = self.in_arm(|it| it.in_block(|it| it.in_same_block(&absent.body, expected.clone())));
        self.join(Head::If, selector, vec![then?, otherwise?], whole)
    }

    /// `m.try_inverse()?` in a function that gives an `Option`, and in one that gives a `Result`
    /// `m.try_inverse().ok_or(error)?` and `m.try_inverse().ok_or_else(|| error)?`; none if it is none of these.
    pub(in super::super) fn tried_inverse(&mut self, whole: &Expr, inner: &Expr) -> Flow<Option<Value>> {
        let Some(fallible) = self.activation.body.fallible.clone() else { return Ok(None) };
        let (subject, error) = match &*inner.unwrapped().kind {
            ExprKind::Method(call) if matches!(call.name.to_string().as_str(), "ok_or" | "ok_or_else") => {
                (&call.receiver, call.args.first())
            }
            _ => (inner, None),
        };
        if !self.may_be_inverse(subject) || fallible.is_option() == error.is_some() {
            return Ok(None);
        }
        let Value::Inverse(of) = self.expression(subject)? else { return Ok(None) };
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

    /// Whether there is an inverse, or whether there is none: how the determinant compares with zero.
    fn exists(&mut self, of: &Inverse, comparison: jacobian_core::catalogue::Intrinsic, place: &Expr) -> Flow {
        let determinant = self.float(&of.determinant, place)?;
        let zero = self.program.constant(Constant::Float(0.0));
        Ok(self.program.apply(comparison, Dialect::default(), &[determinant, zero]))
    }

    /// The inverse, where there is one.
    fn entries(&mut self, of: &Inverse, place: &Expr) -> Flow {
        let layout = of.matrix.layout;
        let formula = ["inverse_1", "inverse_2", "inverse_3", "inverse_4"][layout.rows - 1];
        let matrix = Value::Array(of.matrix.elements.clone().into());
        let value = self.formula(formula, vec![matrix, of.determinant.clone()], place)?;
        match value {
            Value::Array(elements) => Ok(made(layout, elements.to_vec())),
            other => Ok(other),
        }
    }

    fn unwrapped(&mut self, of: &Inverse, (whole, place): (&Expr, &Expr), message: TokenStream) -> Flow {
        let panics = |it: &mut Self| {
            it.program.line(Line::effect(quote_spanned!(Span::mixed_site()=> ::core::panic!(#message);)));
            Err(Stop::jump(Exit::Panic, place))
        };
        self.either(of, (whole, place), panics)
    }

    /// The inverse, or what there is without one.
    fn either(
        &mut self,
        of: &Inverse,
        (whole, place): (&Expr, &Expr),
        otherwise: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        let exists = self.exists(of, known::NE, place)?;
        let selector = self.condition(&exists, place)?;
        let arms = vec![self.in_arm(|it| it.entries(of, place))?, self.in_arm(otherwise)?];
        self.join(Head::If, selector, arms, whole)
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
