//! What a block holds until its end: a lock, a borrow of a `RefCell`. It is dropped there. Where that is the body of an
//! unrolled loop, the iterations that are left are not nested in it, but follow it, where it has noted that the loop is
//! not left.

use std::collections::HashSet;

use super::super::names::each_variable;
use super::super::syntax::{For, Noted};
use super::Lowering;
use super::control::Flow;
use super::expected::Expected;
use super::value::Value;

/// An iteration that is lowered on trial, to find out what it holds where it ends.
pub struct Trial {
    /// The number of loops around its end.
    loops: usize,
    /// The number of frames around it.
    level: usize,
    /// Whether something is held where it ends in an arm.
    is_held: bool,
}

impl Lowering<'_> {
    /// At the end of a block, forgets the variables that it held, but those that its value or a variable mentions which
    /// was there before these declarations. What is called like one of them later, a field, a method, or what a pattern
    /// binds, is another, and must not keep it.
    pub(super) fn forget_held(&mut self, held: Vec<String>, declarations: usize, value: Option<&Value>) {
        let mut mentioned = HashSet::new();
        if value.is_some_and(|value| !add_mentioned(value, &mut mentioned)) {
            return;
        }
        for value in self.bindings.before(declarations) {
            add_mentioned(value, &mut mentioned);
        }
        for variable in held {
            if !mentioned.contains(&variable) {
                self.program.frame.forget(&variable);
            }
        }
    }

    /// Whether an iteration of a loop holds something where it ends in an arm, in which those that are left would be.
    /// In a trial, this is not asked of the loops within: their ends are none of its own.
    pub(super) fn holds_at_end(&mut self, repetition: &For, item: &Value) -> bool {
        if self.trial.is_some() {
            return false;
        }
        let (loops, level) = (self.iterations.len(), self.program.level() + 1);
        self.trial = Some(Trial { loops, level, is_held: false });
        self.on_trial(|lowering| lowering.nested_iteration(repetition, item.clone()));
        self.trial.take().is_some_and(|trial| trial.is_held)
    }

    /// At the end of the iteration of a trial, notes whether something is held there. Whether this is one.
    pub(super) fn notes_held(&mut self) -> bool {
        let level = self.program.level();
        let Some(trial) = self.trial.as_mut().filter(|trial| trial.loops == self.iterations.len()) else {
            return false;
        };
        trial.is_held |= level > trial.level && self.program.holds_since(trial.level);
        true
    }

    /// An iteration after which those follow that are left, unless it notes that there are none.
    pub(super) fn noted_iteration(&mut self, repetition: &For, noted: &Noted, item: Value) -> Flow {
        self.in_block(|lowering| {
            lowering.statements(&noted.before, Expected::Anything)?;
            lowering.in_block(|lowering| {
                lowering.bind(&repetition.pattern, item, None)?;
                let value = lowering.statements(&noted.body.statements, Expected::Anything)?;
                lowering.end_statement(&value);
                Ok(Value::unit())
            })?;
            lowering.statements(&noted.after, Expected::Anything)
        })
    }
}

/// Adds what the passive parts of a value mention. Returns whether that is all that it can mention: a closure says only
/// when it is called what it mentions.
fn add_mentioned(value: &Value, found: &mut HashSet<String>) -> bool {
    match value {
        Value::Active(_) | Value::Condition(_) | Value::Called(_) | Value::Unset | Value::Lost => true,
        Value::Array(parts) | Value::Tuple(parts) => add_all(parts.iter(), found),
        Value::Vector(vector) => add_all(vector.elements.iter(), found),
        Value::Reference(target) => add_mentioned(target, found),
        Value::Optional(of) => {
            let parts = [of.part(0), of.part(1)];
            add_all(parts.into_iter().flatten(), found) && parts.iter().all(Option::is_some)
        }
        Value::Passive(_) | Value::Range(_) | Value::Iterator(_) => {
            let Some(passive) = value.to_passive() else { return false };
            each_variable(passive.tokens().clone(), &mut |ident| {
                found.insert(ident.to_string());
            });
            true
        }
        Value::Record(_)
        | Value::Factor(_)
        | Value::Into(_)
        | Value::Window(_)
        | Value::Mutable(_)
        | Value::Closure(_) => false,
    }
}

fn add_all<'v>(parts: impl Iterator<Item = &'v Value>, found: &mut HashSet<String>) -> bool {
    let mut are_all = true;
    for part in parts {
        are_all &= add_mentioned(part, found);
    }
    are_all
}
