//! Control flow that is known when the function is expanded: conditions, blocks with labels, and the ways out of blocks.

use std::cmp::Ordering;

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{
    Arm, Block, Expr, ExprBreak, ExprContinue, ExprIf, ExprMatch, ExprReturn, Label, Lifetime, Pat, RangeLimits,
};

use super::Flattener;
use super::code::Line;
use super::expected::Expected;
use super::number::Number;
use super::scope::{Key, key};
use super::value::{Elements, Value};

/// Where control goes, if not to the next statement. Whoever evaluates statements stops where there is such.
pub enum Exit {
    /// Behind the loop or the block with this label, or behind the innermost loop.
    Break(Option<Key>, Value),
    /// To the next item of the loop with this label, or of the innermost.
    Continue(Option<Key>),
    /// To the caller of the function or of the closure.
    Return(Value),
    /// Nowhere: it panics.
    Panic,
    /// Nowhere: the function takes too much to expand, as an error says.
    Abandoned,
}

/// Whether a value matches a pattern.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Match {
    Yes,
    No,
    /// Not known when the function is expanded.
    Unknown,
}

impl Match {
    fn known(matches: bool) -> Match {
        if matches { Match::Yes } else { Match::No }
    }

    /// Whether both match.
    fn and(self, other: Match) -> Match {
        match (self, other) {
            (Match::No, _) | (_, Match::No) => Match::No,
            (Match::Yes, Match::Yes) => Match::Yes,
            _ => Match::Unknown,
        }
    }

    /// Whether one of both matches, the first of which is tried first and may bind other parts.
    fn or(self, other: Match) -> Match {
        if self == Match::No { other } else { self }
    }
}

impl Flattener<'_> {
    /// `if`: the side that is taken, where the condition is known.
    pub(super) fn if_expression(&mut self, branch: &ExprIf, expected: Expected) -> Value {
        if let Some(why) = self.inline {
            return self.refuse(branch, why);
        }
        if let Expr::Let(pattern) = &*branch.cond {
            return self.if_let(branch, pattern, &expected);
        }
        let condition = self.expression(&branch.cond);
        match (condition.as_bool(), &branch.else_branch) {
            _ if self.exit.is_some() => Value::Error,
            (Some(true), _) => self.block_of(&branch.then_branch, expected),
            (Some(false), Some((_, other))) => self.expected(other, expected),
            (Some(false), None) => Value::unit(),
            (None, _) => self.if_else(branch, &condition, &expected),
        }
    }

    /// `match`: the arm that is taken, where it is known.
    pub(super) fn match_expression(&mut self, branch: &ExprMatch, expected: Expected) -> Value {
        if let Some(why) = self.inline {
            return self.refuse(branch, why);
        }
        let Some(first) = branch.arms.first() else {
            return self.refuse(branch, "a `match` without arms is not supported");
        };
        branch.arms.iter().for_each(|arm| self.lint_attributes(&arm.attrs));
        let value = self.expression(&branch.expr);
        if value.is_error() {
            return Value::Error;
        }
        let (pattern, _) = pattern_and_guard(first);
        let value = match value {
            Value::Passive(passive) if self.matches(pattern, &Value::Passive(passive.clone())) != Match::Unknown => {
                Value::Passive(self.once(&passive))
            }
            value => value,
        };
        for arm in &branch.arms {
            match self.arm(arm, &value, &expected) {
                (_, Some(result)) => return result,
                (Match::No, None) => {}
                (_, None) => return self.match_on(branch, &value, &expected),
            }
        }
        self.refuse(branch, "none of these patterns matches the value that is known here")
    }

    /// An arm of a `match`: whether it is taken, and its result if it is.
    fn arm(&mut self, arm: &Arm, value: &Value, expected: &Expected) -> (Match, Option<Value>) {
        let (pattern, guard) = pattern_and_guard(arm);
        let mut matches = self.matches(pattern, value);
        if let (Match::Yes, Some(guard)) = (matches, guard) {
            matches = self.guard_holds(pattern, guard, value);
        }
        if matches != Match::Yes {
            return (matches, None);
        }
        self.scopes.enter();
        self.bind_matched(pattern, value.clone());
        let result = self.expected(&arm.body, expected.clone());
        (matches, Some(self.leave(result, &arm.body)))
    }

    /// Whether the guard of an arm holds, whose pattern matches. It is evaluated on trial: where it is not known, nothing of
    /// it may stay.
    fn guard_holds(&mut self, pattern: &Pat, guard: &Expr, value: &Value) -> Match {
        let guard = self.on_trial(|flattener| {
            flattener.scopes.enter();
            flattener.bind_matched(pattern, value.clone());
            let holds = flattener.expression(guard);
            flattener.leave(holds, guard)
        });
        guard.as_bool().map_or(Match::Unknown, Match::known)
    }

    /// Whether `value` matches `pattern`.
    pub(super) fn matches(&mut self, pattern: &Pat, value: &Value) -> Match {
        match (pattern, value) {
            (Pat::Wild(_) | Pat::Rest(_), _) => Match::Yes,
            (Pat::Paren(paren), _) => self.matches(&paren.pat, value),
            (Pat::Or(or), _) => or.cases.iter().fold(Match::No, |found, case| found.or(self.matches(case, value))),
            (Pat::Reference(reference), _) => {
                let value = self.dereference(value.clone());
                self.matches(&reference.pat, &value)
            }
            (Pat::Tuple(tuple), Value::Tuple(elements)) => {
                let patterns: Vec<_> = tuple.elems.iter().collect();
                self.all_match(&patterns, elements)
            }
            (Pat::Slice(slice), Value::Array(elements)) => {
                let patterns: Vec<_> = slice.elems.iter().collect();
                self.all_match(&patterns, elements)
            }
            (Pat::Ident(ident), _) => match (&ident.subpat, self.constant_named(&ident.ident)) {
                (Some((_, pattern)), _) => self.matches(pattern, value),
                (None, Some(constant)) => self.equals(value, constant.as_ref()),
                (None, None) => Match::Yes,
            },
            (Pat::Lit(literal), _) => {
                let literal = self.expression(&Expr::Lit(literal.clone()));
                self.equals(value, literal.number())
            }
            (Pat::Path(path), _) => {
                let constant = self.path(path);
                self.equals(value, constant.number())
            }
            (Pat::Range(range), _) => self.in_range(range, value),
            _ => Match::Unknown,
        }
    }

    /// Whether all elements match their patterns.
    fn all_match(&mut self, patterns: &[&Pat], elements: &Elements) -> Match {
        let rest = patterns.iter().position(|pattern| super::pattern::is_rest(pattern));
        let behind = rest.map_or(0, |rest| patterns.len() - rest - 1);
        let front = patterns.len() - behind - usize::from(rest.is_some());
        if front + behind > elements.len() || rest.is_none() && front < elements.len() {
            return Match::No;
        }
        let in_front = patterns[..front].iter().zip(&elements[..front]);
        let pairs: Vec<_> = in_front
            .chain(patterns[patterns.len() - behind..].iter().zip(&elements[elements.len() - behind..]))
            .collect();
        pairs.into_iter().fold(Match::Yes, |found, (pattern, element)| found.and(self.matches(pattern, element)))
    }

    fn in_range(&mut self, range: &syn::PatRange, value: &Value) -> Match {
        let mut bound = |bound: &Option<Box<Expr>>| match bound {
            Some(bound) => {
                let bound = self.expression(bound);
                self.compared(value, bound.number()).map(Some)
            }
            None => Some(None),
        };
        let (Some(start), Some(end)) = (bound(&range.start), bound(&range.end)) else { return Match::Unknown };
        let is_closed = matches!(range.limits, RangeLimits::Closed(_));
        let from_start = start.is_none_or(Ordering::is_ge);
        let to_end = end.is_none_or(|order| order.is_lt() || is_closed && order.is_eq());
        Match::known(from_start && to_end)
    }

    /// Whether a value is a number.
    fn equals(&mut self, value: &Value, number: Option<&Number>) -> Match {
        self.compared(value, number).map_or(Match::Unknown, |order| Match::known(order.is_eq()))
    }

    /// How a known value compares with a number.
    fn compared(&mut self, value: &Value, number: Option<&Number>) -> Option<Ordering> {
        match (value.number()?, number?) {
            (Number::Bool(value), Number::Bool(number)) => Some(value.cmp(number)),
            (Number::Int(value), Number::Int(number)) => {
                self.types.unify(value.ty, number.ty)?;
                Some(value.value.cmp(&number.value))
            }
            _ => None,
        }
    }

    /// Binds the names in a pattern that matches.
    fn bind_matched(&mut self, pattern: &Pat, value: Value) {
        match (pattern, value) {
            (Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Wild(_), _) => {}
            (Pat::Or(or), value) => {
                let case = or.cases.iter().find(|case| self.matches(case, &value) == Match::Yes);
                if let Some(case) = case {
                    self.bind_matched(case, value);
                }
            }
            (Pat::Paren(paren), value) => self.bind_matched(&paren.pat, value),
            (Pat::Reference(reference), value) => {
                let value = self.dereference(value);
                self.bind_matched(&reference.pat, value);
            }
            (Pat::Tuple(tuple), Value::Tuple(elements)) if !tuple.elems.iter().any(super::pattern::is_rest) => {
                tuple.elems.iter().zip(elements).for_each(|(pattern, element)| self.bind_matched(pattern, element));
            }
            (Pat::Ident(ident), value) => {
                if let Some((_, pattern)) = &ident.subpat {
                    self.bind_matched(pattern, value.clone());
                }
                if self.constant_named(&ident.ident).is_none() {
                    let plain = syn::PatIdent { subpat: None, ..ident.clone() };
                    self.require_variable(&ident.ident);
                    self.bind(&Pat::Ident(plain), value, None);
                }
            }
            (pattern, value) => self.bind(pattern, value, None),
        }
    }

    /// The number of the constant that a name in a pattern means; none in it if that is not known here. A name that means
    /// no constant is that of a new variable.
    fn constant_named(&mut self, ident: &Ident) -> Option<Option<Number>> {
        let is_constant = |number: &usize| self.scopes.is_constant(*number);
        match self.scopes.number(ident).filter(is_constant) {
            Some(number) => Some(self.scopes.get(number).value.number().cloned()),
            None if self.module.constant(ident).is_some() => {
                Some(self.module_constant(ident).and_then(|value| value.number().cloned()))
            }
            None => ident.to_string().starts_with(char::is_uppercase).then_some(None),
        }
    }

    /// Makes the generated code fail to compile where a name in a pattern is that of a constant outside of the function.
    fn require_variable(&mut self, ident: &Ident) {
        self.line(Line::effect(quote!(let _ = |#ident: ()| #ident;)));
    }

    /// A block with a label, which `break` leads out of.
    pub(super) fn labelled_block(&mut self, label: &Label, block: &Block, expected: Expected) -> Value {
        let value = self.block_of(block, expected);
        match self.exit.take() {
            Some(Exit::Break(Some(target), value)) if target == label_key(&label.name) => self.kept(value, block),
            other => {
                self.exit = other;
                value
            }
        }
    }

    pub(super) fn break_out(&mut self, jump: &ExprBreak) -> Value {
        let value = jump.expr.as_ref().map_or(Value::unit(), |value| self.expression(value));
        self.leave_for(jump, Exit::Break(jump.label.as_ref().map(label_key), value))
    }

    pub(super) fn continue_with(&mut self, jump: &ExprContinue) -> Value {
        self.leave_for(jump, Exit::Continue(jump.label.as_ref().map(label_key)))
    }

    pub(super) fn return_from(&mut self, jump: &ExprReturn) -> Value {
        let expected = self.returned.clone();
        let value = jump.expr.as_ref().map_or(Value::unit(), |value| self.expected(value, expected));
        self.leave_for(jump, Exit::Return(value))
    }

    /// The value of a function or a closure: that of its body, unless control has left it by `return`.
    pub(super) fn returned_value(&mut self, value: Value, body: &impl ToTokens) -> Value {
        match self.exit.take() {
            None => value,
            Some(Exit::Return(value)) => value,
            Some(Exit::Break(..) | Exit::Continue(_)) => {
                self.refuse(body, "there is no loop and no block here that this could leave")
            }
            nowhere => {
                self.exit = nowhere;
                Value::Error
            }
        }
    }

    /// Says where control goes, unless it has gone elsewhere. What is left of the statement is not evaluated.
    fn leave_for(&mut self, jump: &impl ToTokens, exit: Exit) -> Value {
        if let Some(why) = self.inline {
            return self.refuse(jump, why);
        }
        if self.exit.is_none() {
            self.jump = jump.span();
            self.exit = Some(exit);
        }
        Value::Error
    }

    /// Whether the loop with this label goes on after a trip. Where control has gone elsewhere, that is left to others.
    pub(super) fn goes_on(&mut self, label: Option<&Label>) -> bool {
        let own = label.map(|label| label_key(&label.name));
        let is_own = |target: &Option<Key>| target.is_none() || *target == own;
        match self.exit.take() {
            None => true,
            Some(Exit::Continue(target)) if is_own(&target) => true,
            Some(Exit::Break(target, _)) if is_own(&target) => false,
            other => {
                self.exit = other;
                false
            }
        }
    }
}

/// The pattern of an arm, and its guard.
fn pattern_and_guard(arm: &Arm) -> (&Pat, Option<&Expr>) {
    match &arm.pat {
        Pat::Guard(guarded) => (&guarded.pat, Some(&guarded.guard)),
        pattern => (pattern, None),
    }
}

fn label_key(label: &Lifetime) -> Key {
    key(&label.ident)
}
