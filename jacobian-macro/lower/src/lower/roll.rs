//! What is unrolled, of loops and chains of known length, where `unroll = "auto"` leaves that open. Whether something can
//! stay a loop, and what it would be then, is found on trial, as is how long it would become by unrolling it.

use std::rc::Rc;

use jacobian_list::block::{Block, Body};
use jacobian_list::code_list::Kind;

use super::super::read::options::Unroll;
use super::super::syntax::{Expr, For};
use super::Lowering;
use super::branch::Arm;
use super::budget::Budget;
use super::control::Flow;
use super::items::{ENDLESS, End, Sequence};
use super::loops::{LoopItems, MAX_NESTED, Next};
use super::numbers::Number;
use super::program::Frame;
use super::value::Value;

/// The most iterations of a loop that is unrolled whatever its body is, unless the function is long then.
pub(super) const MAX_ITERATIONS: usize = 8;

/// The most statements of a function whose short loops are all unrolled.
pub(super) const MAX_WRITTEN_OUT: usize = 5_000;

/// The most statements that are made of a loop by unrolling it, where it may as well stay one.
const MAX_SHORT: usize = 500;

/// The most statements that are made of it where an iteration would take longer in a loop.
const MAX_LONG: usize = 25_000;

/// How many times as long an iteration may take in a loop that may as well stay one.
const MAX_PRICE: usize = 4;

/// How many times as many statements it may have.
const MAX_GROWTH: usize = 2;

/// The most active elements that a run-time index chooses from in such a loop, unless it does in any case.
const MAX_CHOICES: usize = 8;

/// What is lowered of a loop on trial.
#[derive(Copy, Clone)]
pub(super) enum Trial {
    /// The iteration for the first item or for the last one.
    Iteration(End),
    /// All of it, as a loop.
    Loop,
}

/// From how many active elements a run-time index chooses.
pub(super) struct Choices {
    /// The most that are allowed at present.
    limit: usize,
    /// The most so far.
    largest: usize,
}

impl Choices {
    /// As many as there are.
    pub(super) const ANY: Choices = Choices { limit: usize::MAX, largest: 0 };

    /// Notes that an index chooses from this many elements, and says whether it may.
    pub(super) fn allow(&mut self, count: usize) -> bool {
        self.largest = self.largest.max(count);
        count <= self.limit
    }
}

impl Lowering<'_> {
    /// Whether a loop over known items better stays one, as which it would go over `rolled`.
    pub(super) fn is_loop_better_rolled(
        &mut self,
        repetition: &Rc<For>,
        items: &Sequence,
        rolled: &LoopItems,
        whole: &Expr,
    ) -> bool {
        let Some(iterations) = items.length().exact().filter(|&iterations| iterations > self.most_iterations) else {
            return false;
        };
        let mut run = |lowering: &mut Lowering<'_>, trial: Trial| match (trial, rolled) {
            (Trial::Iteration(end), _) => {
                let mut rest = items.clone();
                let item = lowering.pull_from(&mut rest, end)?.unwrap_or(Value::Unset);
                lowering.one_iteration(repetition, &rest, item, false).map(drop)
            }
            (Trial::Loop, LoopItems::Passive(items)) => lowering.rolled(repetition, items, whole).map(drop),
            (Trial::Loop, LoopItems::Called(items) | LoopItems::Known(items)) => {
                lowering.for_items(repetition, items, whole).map(drop)
            }
        };
        match self.after_the_first(repetition, items.clone()) {
            Next::Iteration => self.is_better_rolled(iterations, &mut run),
            Next::Nothing => false,
            Next::Unknown => {
                // What is unrolled is nested, and as long as an iteration times the number of those before it.
                let choices = if iterations > MAX_NESTED { usize::MAX } else { MAX_CHOICES };
                self.program.unrolled = usize::MAX;
                self.as_loop(choices, &mut run).is_some()
            }
        }
    }

    /// Whether a run-time loop may go over items; with `auto`, `is_better_rolled` says whether it does.
    pub(super) fn may_stay_rolled(&self, items: &Sequence) -> bool {
        let has_head = || items.has_head();
        match self.unroll {
            _ if items.is_run_time() => true,
            Unroll::Always => false,
            Unroll::Never => has_head(),
            Unroll::Auto => {
                let is_long = |iterations| iterations > self.most_iterations && iterations < ENDLESS;
                items.length().exact().is_some_and(is_long) && has_head()
            }
        }
    }

    /// Whether something that is repeated this often better stays a loop, and can.
    pub(super) fn is_better_rolled(
        &mut self,
        iterations: usize,
        run: &mut dyn FnMut(&mut Lowering<'_>, Trial) -> Flow<()>,
    ) -> bool {
        let around = std::mem::replace(&mut self.choices, Choices::ANY);
        let (before, mut items) = (self.budget.items(), 1);
        let [first, last] = [End::Front, End::Back].map(|end| {
            let arm = self.arm_of_trial(Trial::Iteration(end), run);
            items = items.max(1 + self.budget.restore_items(before));
            arm
        });
        let choices = std::mem::replace(&mut self.choices, around).largest.max(MAX_CHOICES);
        let statements = |arm: &Option<Arm>| arm.as_ref().map_or(1, |arm| arm.frame.length().max(1));
        let unrolled = statements(&first).max(statements(&last));
        let length = iterations.saturating_mul(unrolled);
        if iterations <= self.most_iterations {
            return false;
        }
        if Budget::is_beyond(iterations.saturating_mul(items), length) {
            self.program.unrolled = usize::MAX;
            return self.as_loop(usize::MAX, run).is_some();
        }
        if length <= MAX_SHORT {
            return false;
        }
        let gives_known = first.iter().flat_map(|arm| arm.changed.values()).any(|binding| has_known(&binding.value));
        let is_better = match self.as_loop(choices, run) {
            Some(_) if length > MAX_LONG => true,
            Some(frame) => !gives_known && frame.length() <= MAX_GROWTH * unrolled && self.is_cheap(&frame),
            None => false,
        };
        if is_better {
            self.program.unrolled = self.program.unrolled.max(length);
        }
        is_better
    }

    /// Whether the derivatives of what a loop carries, which go forward in it, take about as long as in any other order.
    fn is_cheap(&self, frame: &Frame) -> bool {
        let columns = self.program.inputs.len();
        let least = columns.min(self.rows).max(1);
        let mut loops = frame.list.blocks().iter().filter(|block| matches!(block.body, Body::Loop { .. }));
        loops.all(|block| floats_carried(block).min(columns) <= MAX_PRICE * least)
    }

    /// The list in which something has stayed a loop, if it can.
    fn as_loop(&mut self, choices: usize, run: &mut dyn FnMut(&mut Lowering<'_>, Trial) -> Flow<()>) -> Option<Frame> {
        let limit = choices.min(self.choices.limit);
        let around = std::mem::replace(&mut self.choices, Choices { limit, largest: 0 });
        let arm = self.arm_of_trial(Trial::Loop, run);
        self.choices = around;
        Some(arm?.frame)
    }

    /// The arm that something would be, unless it is refused.
    fn arm_of_trial(&mut self, trial: Trial, run: &mut dyn FnMut(&mut Lowering<'_>, Trial) -> Flow<()>) -> Option<Arm> {
        let errors = std::mem::take(self.errors);
        let arm = self.in_arm(|lowering| run(lowering, trial).map(|()| Value::unit()));
        let found = std::mem::replace(self.errors, errors);
        arm.ok().filter(|arm| arm.value.is_some() && found.is_empty())
    }

    /// What follows the first iterations of a loop, or one of them that is perhaps the last.
    fn after_the_first(&mut self, repetition: &Rc<For>, mut items: Sequence) -> Next {
        if repetition.nested.is_none() {
            return Next::Iteration;
        }
        let mut next = Next::Iteration;
        self.on_trial(|lowering| {
            for _ in 0..MAX_NESTED {
                let Some(item) = lowering.pull_from(&mut items, End::Front)? else { break };
                next = lowering.one_iteration(repetition, &items, item, false)?;
                if next != Next::Iteration {
                    break;
                }
            }
            Ok(Value::unit())
        });
        next
    }
}

/// The number of floats that a loop carries.
fn floats_carried(block: &Block) -> usize {
    (0..block.results()).filter(|&part| block.kind(part) == Kind::Float).count()
}

/// Whether something of a value is known that a loop would not know.
fn has_known(value: &Value) -> bool {
    match value {
        Value::Array(elements) | Value::Tuple(elements) => elements.iter().any(has_known),
        value => value.number().is_some_and(|number| !matches!(number, Number::Float(_))),
    }
}
