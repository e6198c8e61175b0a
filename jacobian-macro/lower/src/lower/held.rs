//! What the body of an unrolled loop holds until its end: a lock, a borrow of a `RefCell`. The iterations that are left
//! are not nested in such a body, but follow it, where it has noted that the loop is not left.

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
