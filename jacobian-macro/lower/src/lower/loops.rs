//! Loops whose items are known when the function is expanded: they are unrolled, unless they are to stay loops, and can
//! (`roll.rs`). Others are in `repeat.rs`.
//!
//! Where it is known only at run time whether a loop is left, the iterations that are left are in the arm that goes
//! on, so that each iteration is nested in the one before.

use std::rc::Rc;

use super::super::read::options::Unroll;
use super::super::refuse;
use super::super::syntax::{Expr, For};
use super::Lowering;
use super::control::{Exit, Flow, Stop};
use super::expected::Expected;
use super::items::Sequence;
use super::kept::NotKept;
use super::value::{Passive, Value};

/// The most iterations, and other branches, that are nested each in the one before.
pub(super) const MAX_NESTED: usize = 80;

/// The items of a loop.
pub(super) enum LoopItems {
    /// They are known one by one.
    Known(Sequence),
    /// They are what a passive expression yields at run time.
    Passive(Passive),
    /// They are what closures give for what a passive expression yields at run time.
    Called(Sequence),
}

/// The iterations of a loop that are left after the present one.
pub struct Iterations {
    repetition: Rc<For>,
    items: Sequence,
    /// The number of frames around the present iteration.
    level: usize,
    /// How control reaches the end of the present iteration.
    end: Reached,
    /// Whether they are lowered in the arm that goes on.
    nests: bool,
}

/// How control reaches the end of an iteration.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Reached {
    /// Not at all.
    Never,
    /// In any case.
    Always,
    /// Under a run-time condition.
    Perhaps,
}

/// What follows an iteration.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// Another one.
    Iteration,
    /// None: the loop is left, or the iterations that are left are nested in this one.
    Nothing,
    /// That is known at run time only.
    Unknown,
}

impl Lowering<'_> {
    /// `for`: the body once for each item.
    pub(super) fn for_loop(&mut self, repetition: &Rc<For>, whole: &Expr) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        self.in_block(|lowering| {
            let items = match lowering.loop_items(repetition, whole)? {
                LoopItems::Known(items) => items,
                LoopItems::Passive(items) => return lowering.rolled(repetition, &items, whole),
                LoopItems::Called(items) => return lowering.for_items(repetition, &items, whole),
            };
            let outer = lowering.repeats(|| repetition.keyword.span(), "loop", items.length().exact());
            let value = lowering.rest_of_loop(repetition, items);
            lowering.budget.restore(outer);
            value
        })
    }

    /// A loop that stays one: as it is written, where nothing in it is active.
    pub(super) fn rolled(&mut self, repetition: &Rc<For>, items: &Passive, whole: &Expr) -> Flow {
        match self.kept_statement(whole) {
            Some(value) => Ok(value),
            None => self.run_time_for(repetition, items, whole),
        }
    }

    /// Whether the items of a loop are known one by one.
    pub(super) fn has_known_items(&mut self, items: &Expr) -> bool {
        let value = self.on_trial(|lowering| {
            let value = lowering.expression(items)?;
            Ok(lowering.items_of(value).map_or(Value::Unset, |_| Value::unit()))
        });
        !matches!(value, Some(Value::Unset))
    }

    /// The items of a loop.
    fn loop_items(&mut self, repetition: &Rc<For>, whole: &Expr) -> Flow<LoopItems> {
        let expression = &repetition.items;
        let value = self.expression(expression)?;
        if let Some(items) = self.items_of(value.clone()) {
            if items.length().exact() == Some(0) {
                return Ok(LoopItems::Known(items));
            }
            let rolled = match value.to_passive() {
                _ if items.is_run_time() => return Ok(LoopItems::Called(items)),
                Some(written) => Some(LoopItems::Passive(written)),
                None => items.has_head().then(|| LoopItems::Called(items.clone())),
            };
            return match (self.unroll, rolled) {
                (Unroll::Never, None) => match self.indexed(items, expression)? {
                    items if items.is_run_time() => Ok(LoopItems::Called(items)),
                    _ => self.refuse(expression, refuse::UNROLL_NEVER),
                },
                (Unroll::Never, Some(rolled)) => Ok(rolled),
                (Unroll::Auto, Some(rolled)) if self.is_loop_better_rolled(repetition, &items, &rolled, whole) => {
                    Ok(rolled)
                }
                _ => Ok(LoopItems::Known(items)),
            };
        }
        self.begin_kept(whole);
        if let Some(message) = self.refused_loop(whole) {
            return self.refuse(whole, message);
        }
        match value.to_passive() {
            Some(items) => Ok(LoopItems::Passive(items)),
            None => self.refuse(expression, refuse::LOOP_ITEMS),
        }
    }

    /// Why a loop is refused in which nothing is active.
    pub(super) fn refused_loop(&self, whole: &Expr) -> Option<&'static str> {
        match self.why_not_kept(whole)? {
            NotKept::Left => Some(refuse::LOOP_LEFT),
            NotKept::Unset => Some(refuse::LOOP_UNSET),
            NotKept::Other => None,
        }
    }

    /// What is left of a loop whose items are these.
    fn rest_of_loop(&mut self, repetition: &Rc<For>, mut items: Sequence) -> Flow {
        while let Some(item) = self.pull(&mut items)? {
            if self.one_iteration(repetition, &items, item, true)? != Next::Iteration {
                break;
            }
        }
        Ok(Value::unit())
    }

    /// The iteration for an item, with those for the items that are left nested in it, if they are to be.
    pub(super) fn one_iteration(
        &mut self,
        repetition: &Rc<For>,
        items: &Sequence,
        item: Value,
        nests: bool,
    ) -> Flow<Next> {
        let iterations = Iterations {
            repetition: repetition.clone(),
            items: items.clone(),
            level: self.program.level(),
            end: if repetition.nested.is_none() { Reached::Always } else { Reached::Never },
            nests,
        };
        self.iterations.push(iterations);
        let iteration = self.iteration(repetition, item);
        let end = self.iterations.pop().map_or(Reached::Never, |iterations| iterations.end);
        match iteration.map_err(|stop| *stop) {
            Ok(_) if end == Reached::Always => Ok(Next::Iteration),
            Ok(_) if end == Reached::Perhaps => Ok(Next::Unknown),
            Err(Stop::Jump(Exit::Continue(Some(target)), _)) if target == repetition.target => Ok(Next::Iteration),
            Ok(_) => Ok(Next::Nothing),
            Err(Stop::Jump(Exit::Break(Some(target), _), _)) if target == repetition.target => Ok(Next::Nothing),
            Err(stop) => Err(Box::new(stop)),
        }
    }

    fn iteration(&mut self, repetition: &For, item: Value) -> Flow {
        if let Some(noted) = &repetition.noted
            && self.holds_at_end(repetition, &item)
        {
            return self.noted_iteration(repetition, noted, item);
        }
        self.nested_iteration(repetition, item)
    }

    /// An iteration at whose end those that are left begin.
    pub(super) fn nested_iteration(&mut self, repetition: &For, item: Value) -> Flow {
        let body = repetition.nested.as_ref().unwrap_or(&repetition.body);
        self.in_block(|lowering| {
            lowering.bind(&repetition.pattern, item, None)?;
            let value = lowering.statements(&body.statements, Expected::Anything)?;
            lowering.end_statement(&value);
            Ok(Value::unit())
        })
    }

    /// The end of an iteration: in an arm, the iterations that are left.
    pub(super) fn end_of_iteration(&mut self, place: &Expr) -> Flow {
        if self.notes_held() {
            return Ok(Value::unit());
        }
        let level = self.program.level();
        let Some(iterations) = self.iterations.last_mut() else {
            return self.refuse(place, refuse::NOTHING_TO_LEAVE);
        };
        if iterations.level == level || !iterations.nests {
            iterations.end = if iterations.level == level { Reached::Always } else { Reached::Perhaps };
            return Ok(Value::unit());
        }
        let (repetition, items) = (iterations.repetition.clone(), iterations.items.clone());
        if level > MAX_NESTED {
            return self.refuse(&repetition.keyword, refuse::MANY_ITERATIONS);
        }
        // Iterations are not the user's brackets.
        let depth = std::mem::take(&mut self.depth);
        let value = self.rest_of_loop(&repetition, items);
        self.depth = depth;
        value
    }
}
