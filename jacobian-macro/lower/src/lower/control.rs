//! Control flow that is known when the function is expanded: conditions, blocks with labels, and the ways out of
//! blocks.

use std::cmp::Ordering;
use std::rc::Rc;

use jacobian_list::code_list::Kind;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::refuse;
use super::super::syntax::{
    Arm, Block, Expr, ExprKind, If, Labelled, Pattern, PatternKind, PatternVariable, Place, Placed, TargetId,
};
use super::Lowering;
use super::array::taken_apart;
use super::expected::Expected;
use super::numbers::{Number, Unit};
use super::optional::matches_none;
use super::program::Line;
use super::value::{Elements, Value};

/// Why control does not reach the next statement.
pub enum Stop {
    /// It goes elsewhere, by what is at this place.
    Jump(Exit, Place),
    /// There is no value, as an error says. The statements after it are lowered all the same, for their errors.
    Refused,
    /// The function takes too much to expand, as an error says.
    Abandoned,
}

/// Where control goes.
pub enum Exit {
    /// Out of a loop or a block.
    Break(Option<TargetId>, Value),
    /// To the next item of a loop.
    Continue(Option<TargetId>),
    /// To the caller of the function or of the closure.
    Return(Value),
    /// Nowhere: it panics.
    Panic,
}

/// What lowering gives, unless control leaves before.
pub type Flow<T = Value> = Result<T, Box<Stop>>;

/// What all of these give, or the first stop.
pub fn all<T>(flows: Vec<Flow<T>>) -> Flow<Vec<T>> {
    let mut all = Vec::with_capacity(flows.len());
    for flow in flows {
        all.push(flow?);
    }
    Ok(all)
}

impl Stop {
    /// Control goes elsewhere.
    pub fn jump(exit: Exit, place: &dyn Placed) -> Box<Stop> {
        Box::new(Stop::Jump(exit, place.place()))
    }
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
    pub(super) fn and(self, other: Match) -> Match {
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

impl Lowering<'_> {
    /// `if`: the side that is taken, where the condition is known.
    pub(super) fn if_expression(&mut self, whole: &Expr, branch: &If, expected: Expected) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        let arms = [Some(Expr::new(ExprKind::Block(branch.then.clone()), branch.then.place)), branch.otherwise.clone()];
        let expected = self.expected_of_arms(expected, arms.iter().flatten());
        if !branch.condition.patterns().is_empty() {
            return self.if_let(whole, branch, &expected);
        }
        let condition = self.expression(&branch.condition)?;
        match (condition.as_bool(), &branch.otherwise) {
            (Some(true), _) => self.block_of(&branch.then, expected),
            (Some(false), Some(other)) => self.expected(other, expected),
            (Some(false), None) => Ok(Value::unit()),
            (None, _) => self.if_else(whole, branch, &condition, &expected),
        }
    }

    /// `match`: the arm that is taken, where it is known.
    pub(super) fn match_expression(&mut self, whole: &Expr, subject: &Expr, arms: &[Arm], expected: Expected) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        let Some(first) = arms.first() else {
            return self.refuse(whole, refuse::EMPTY_MATCH);
        };
        let expected = self.expected_of_arms(expected, arms.iter().map(|arm| &arm.body));
        self.in_block(|lowering| {
            let bodies: Vec<_> = arms.iter().map(|arm| (&arm.pattern, &arm.body)).collect();
            let value = match lowering.matched_value(subject, &bodies)? {
                Value::Passive(passive) => {
                    let value = Value::Passive(passive.clone());
                    if lowering.matches(&first.pattern, &value)? == Match::Unknown {
                        value
                    } else if passive.number.is_none() && subject.may_hold_beside(&first.pattern) {
                        // What the subject holds is there in the arms.
                        return lowering.match_on(whole, subject, arms, &value, &expected);
                    } else {
                        Value::Passive(lowering.once(&passive))
                    }
                }
                value => value,
            };
            if lowering.has_optional(&value) {
                return lowering.match_optional((whole, subject), arms, &value, &expected);
            }
            let parts = lowering.parts_of_known(&value);
            for arm in arms {
                match lowering.arm(arm, parts.as_ref().unwrap_or(&value), &expected)? {
                    (_, Some(result)) => return Ok(result),
                    (Match::No, None) => {}
                    // Guards decide where patterns of what is active always match.
                    (_, None) if !value.is_passive() => {
                        return lowering.first_arm((whole, subject), arms, &value, &expected);
                    }
                    (_, None) => return lowering.match_on(whole, subject, arms, &value, &expected),
                }
            }
            lowering.refuse(whole, refuse::NO_ARM)
        })
    }

    /// The parts of a constant of which something is known, which may decide what it matches.
    fn parts_of_known(&self, value: &Value) -> Option<Value> {
        let Value::Passive(passive) = value else { return None };
        let parts = taken_apart(passive).filter(|_| passive.parts().is_some())?;
        Some(if passive.is_reference() { Value::Reference(Rc::new(parts)) } else { parts })
    }

    /// An arm of a `match`: whether it is taken, and its result if it is.
    fn arm(&mut self, arm: &Arm, value: &Value, expected: &Expected) -> Flow<(Match, Option<Value>)> {
        let mut matches = self.matches(&arm.pattern, value)?;
        if let (Match::Yes, Some(guard)) = (matches, &arm.guard) {
            matches = self.guard_holds(&arm.pattern, guard, value)?;
        }
        if matches != Match::Yes {
            return Ok((matches, None));
        }
        self.bind_matched(&arm.pattern, value.clone())?;
        Ok((matches, Some(self.in_same_block(&arm.body, expected.clone())?)))
    }

    /// Whether the guard of an arm holds, whose pattern matches. It is evaluated on trial first: where it is not known,
    /// nothing of it may stay.
    fn guard_holds(&mut self, pattern: &Pattern, guard: &Expr, value: &Value) -> Flow<Match> {
        let evaluate = |lowering: &mut Self| {
            lowering.bind_matched(pattern, value.clone())?;
            lowering.expression(guard)
        };
        let Ok(trial) = self.in_arm(evaluate) else { return Ok(Match::Unknown) };
        let Some(holds) = trial.value.as_ref().and_then(Value::as_bool) else { return Ok(Match::Unknown) };
        if !trial.does_nothing() {
            self.in_block(evaluate)?;
        }
        Ok(Match::known(holds))
    }

    /// Whether `value` matches `pattern`.
    pub(super) fn matches(&mut self, pattern: &Pattern, value: &Value) -> Flow<Match> {
        if let Some(found) = matches_none(pattern, value) {
            return Ok(found);
        }
        Ok(match (&pattern.kind, value) {
            (PatternKind::Wild | PatternKind::Rest, _) => Match::Yes,
            (PatternKind::Paren(inner), _) => self.matches(inner, value)?,
            (PatternKind::Or(cases), _) => cases
                .iter()
                .try_fold(Match::No, |found, case| Ok::<_, Box<Stop>>(found.or(self.matches(case, value)?)))?,
            (PatternKind::Reference(_, inner), _) => {
                let value = self.dereference(value.clone());
                self.matches(inner, &value)?
            }
            (PatternKind::Tuple(patterns), Value::Tuple(elements))
            | (PatternKind::Slice(patterns), Value::Array(elements)) => self.all_match(patterns, elements)?,
            (PatternKind::TupleStruct(_, patterns), Value::Tuple(fields)) if fields.definition().is_some() => {
                self.all_match(patterns, fields)?
            }
            (PatternKind::Struct(_, patterns, _), Value::Tuple(fields)) if fields.definition().is_some() => {
                self.fields_match(patterns, fields)?
            }
            (
                PatternKind::Tuple(_) | PatternKind::Slice(_) | PatternKind::TupleStruct(..) | PatternKind::Struct(..),
                Value::Reference(target),
            ) => self.matches(pattern, target)?,
            (
                PatternKind::Tuple(_) | PatternKind::Slice(_) | PatternKind::TupleStruct(..) | PatternKind::Struct(..),
                Value::Mutable(place),
            ) => {
                let target = self.read(place);
                self.matches(pattern, &target)?
            }
            (PatternKind::Variable(variable), _) => match (&variable.inner, value.number()) {
                (Some(inner), _) => self.matches(inner, value)?,
                (None, Some(Number::Unit(unit))) => matches_name(&variable.ident, unit),
                (None, _) => Match::Yes,
            },
            (PatternKind::Literal(literal), _) => {
                let literal = self.expression(literal)?;
                self.equals(value, literal.number())
            }
            (PatternKind::Path(path), _) => {
                let constant = self.path(path)?;
                self.equals(value, constant.number())
            }
            (PatternKind::Range(start, end, is_inclusive), _) => {
                self.in_range([start.as_ref(), end.as_ref()], *is_inclusive, value)?
            }
            _ => Match::Unknown,
        })
    }

    /// Whether all elements match their patterns.
    fn all_match(&mut self, patterns: &[Pattern], elements: &Elements) -> Flow<Match> {
        let Some(mut pairs) = in_pairs(patterns, elements) else { return Ok(Match::No) };
        pairs.try_fold(Match::Yes, |found, (pattern, element)| Ok(found.and(self.matches(pattern, element)?)))
    }

    fn in_range(&mut self, bounds: [Option<&Expr>; 2], is_inclusive: bool, value: &Value) -> Flow<Match> {
        let mut bound = |bound: Option<&Expr>| match bound {
            Some(bound) => {
                let bound = self.expression(bound)?;
                Ok(self.compared(value, bound.number()).map(Some))
            }
            None => Ok::<_, Box<Stop>>(Some(None)),
        };
        let (Some(start), Some(end)) = (bound(bounds[0])?, bound(bounds[1])?) else { return Ok(Match::Unknown) };
        let from_start = start.is_none_or(Ordering::is_ge);
        let to_end = end.is_none_or(|order| order.is_lt() || is_inclusive && order.is_eq());
        Ok(Match::known(from_start && to_end))
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
                self.numbers.types.unify(value.ty, number.ty)?;
                Some(value.value.cmp(&number.value))
            }
            (Number::Unit(value), Number::Unit(number)) => Some(value.variant.cmp(&number.variant)),
            _ => None,
        }
    }

    /// Binds the names in a pattern that matches.
    pub(super) fn bind_matched(&mut self, pattern: &Pattern, value: Value) -> Flow<()> {
        match (&pattern.kind, value) {
            (PatternKind::Literal(_) | PatternKind::Range(..) | PatternKind::Path(_) | PatternKind::Wild, _) => Ok(()),
            (PatternKind::Or(cases), value) => {
                for case in cases {
                    if self.matches(case, &value)? == Match::Yes {
                        return self.bind_matched(case, value);
                    }
                }
                Ok(())
            }
            (PatternKind::Paren(inner), value) => self.bind_matched(inner, value),
            (PatternKind::Reference(_, inner), value) => {
                let value = self.dereference(value);
                self.bind_matched(inner, value)
            }
            (PatternKind::Tuple(patterns), Value::Tuple(elements)) if !patterns.iter().any(Pattern::is_rest) => {
                patterns.iter().zip(elements).try_for_each(|(pattern, element)| self.bind_matched(pattern, element))
            }
            // An imported variant.
            (PatternKind::Variable(variable), value) if is_variant_of(&variable.ident, &value) => Ok(()),
            (PatternKind::Variable(variable), value) => {
                if let Some(inner) = &variable.inner {
                    self.bind_matched(inner, value.clone())?;
                }
                self.require_variable(&variable.ident);
                let plain = PatternVariable { inner: None, ..variable.clone() };
                self.bind(&Pattern { kind: PatternKind::Variable(plain), ..pattern.clone() }, value, None)
            }
            (_, value) => self.bind(pattern, value, None),
        }
    }

    /// Makes the generated code fail to compile where a name in a pattern is that of a constant outside of the
    /// function.
    fn require_variable(&mut self, ident: &Ident) {
        // It reads nothing, whatever is called like that in the generated code.
        let line = Line::effect(variable_called(ident));
        self.program.line_at(self.program.level(), line, Kind::Opaque, Vec::new());
    }

    /// A block with a label, which `break` leads out of.
    pub(super) fn labelled_block(&mut self, whole: &Expr, labelled: &Labelled, expected: Expected) -> Flow {
        // Whether control leaves it early may be known only at run time.
        if self.inline.is_none() && self.why_not_kept(whole).is_none() {
            let (own, body) = (labelled.target, &labelled.body);
            let trial = self.on_trial(|lowering| lowering.unlabelled_block(own, body, expected.clone()));
            if let (None, Some(kept)) = (trial, self.kept(whole)) {
                return Ok(Value::Passive(kept.statement()));
            }
        }
        self.given.push((labelled.target, expected.clone()));
        let value = self.unlabelled_block(labelled.target, &labelled.leaving, expected);
        self.given.pop();
        value
    }

    fn unlabelled_block(&mut self, own: TargetId, block: &Block, expected: Expected) -> Flow {
        self.block_of(block, expected).or_else(|stop| match *stop {
            Stop::Jump(Exit::Break(Some(target), value), _) if target == own => Ok(value),
            _ => Err(stop),
        })
    }

    pub(super) fn break_out(&mut self, jump: &Expr, target: Option<TargetId>, value: Option<&Expr>) -> Flow {
        let value = value.map_or(Ok(Value::unit()), |value| self.expression(value))?;
        self.leave_for(jump, Exit::Break(target, value))
    }

    pub(super) fn return_from(&mut self, jump: &Expr, value: Option<&Expr>) -> Flow {
        let expected = self.returned.clone();
        let value = value.map_or(Ok(Value::unit()), |value| self.expected(value, expected))?;
        self.leave_for(jump, Exit::Return(value))
    }

    /// The value of a function or a closure: that of its body, unless control has left it by `return`.
    pub(super) fn returned_value(&mut self, value: Flow, body: &dyn Placed) -> Flow {
        value.or_else(|stop| match *stop {
            Stop::Jump(Exit::Return(value), _) => Ok(value),
            Stop::Jump(Exit::Break(..) | Exit::Continue(_), _) => self.refuse(body, refuse::NOTHING_TO_LEAVE),
            _ => Err(stop),
        })
    }

    /// Says where control goes. What is left of the statement is not evaluated.
    pub(super) fn leave_for(&mut self, jump: &Expr, exit: Exit) -> Flow {
        match self.inline {
            Some(why) => self.refuse(jump, why),
            None => Err(Stop::jump(exit, jump)),
        }
    }
}

/// A statement that compiles only where a name in a pattern is that of a new variable, and not of a constant.
pub(super) fn variable_called(ident: &Ident) -> TokenStream {
    quote!(let _ = |#ident: ()| #ident;)
}

/// Whether a known variant matches what looks like a variable: where that is called like a variant of the enum, it is one
/// that is imported.
fn matches_name(name: &Ident, unit: &Unit) -> Match {
    Match::known(name == unit.name() || unit.of.unit(name).is_none())
}

/// Whether a name in a pattern is that of a variant of the enum of which a known value is.
fn is_variant_of(name: &Ident, value: &Value) -> bool {
    matches!(value.number(), Some(Number::Unit(unit)) if unit.of.unit(name).is_some())
}

/// The elements with their patterns, but for those that a `..` takes up; none if there are too few, or too many.
pub(super) fn in_pairs<'v>(
    patterns: &'v [Pattern],
    elements: &'v [Value],
) -> Option<impl Iterator<Item = (&'v Pattern, &'v Value)>> {
    let rest = patterns.iter().position(Pattern::is_rest);
    let after = rest.map_or(0, |rest| patterns.len() - rest - 1);
    let front = patterns.len() - after - usize::from(rest.is_some());
    if front + after > elements.len() || rest.is_none() && front < elements.len() {
        return None;
    }
    let in_front = patterns[..front].iter().zip(&elements[..front]);
    Some(in_front.chain(patterns[patterns.len() - after..].iter().zip(&elements[elements.len() - after..])))
}
