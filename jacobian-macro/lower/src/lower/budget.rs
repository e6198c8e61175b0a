//! What an expansion may take: a few lines can repeat so much that no compiler ends.

use std::fmt::Display;

use proc_macro2::Span;

use super::super::refuse;
use super::Lowering;
use super::control::{Flow, Stop};
use super::items::{ENDLESS, Length};

/// The most statements of a function, those on passive values included.
const MAX_STATEMENTS: usize = 100_000;

/// The most items of all loops and iterators of a function together. Tests that expand a hundred thousand functions
/// have less patience.
const MAX_ITEMS: usize = if cfg!(test) { 500 } else { 100_000 };

/// The most steps of the evaluation, each of which is an expression or an element of an array. Closures that call
/// closures can take a number that is exponential in the length of the code.
const MAX_STEPS: usize = 40 * MAX_ITEMS;

/// The most steps of what is evaluated only to know whether it is known.
const FEW_STEPS: usize = 2_000;

/// Something that is evaluated again and again.
#[derive(Copy, Clone)]
pub struct Repetition {
    span: Span,
    /// What the user calls it.
    what: &'static str,
    /// How often, where that is known.
    times: Option<usize>,
}

/// What has been taken so far.
#[derive(Default)]
pub struct Budget {
    steps: usize,
    items: usize,
    /// The outermost repetition at present, to be named in an error.
    repetition: Option<Repetition>,
    /// Whether the function takes too much, as an error says.
    is_exceeded: bool,
}

impl Budget {
    /// One of which little is left.
    pub fn of_few_steps() -> Budget {
        Budget { steps: MAX_STEPS - FEW_STEPS, ..Budget::default() }
    }

    /// Where the outermost repetition is.
    pub fn place(&self) -> Span {
        self.repetition.map_or_else(Span::call_site, |repetition| repetition.span)
    }

    /// Ends the evaluation, after an error has been reported.
    pub fn give_up(&mut self) -> Box<Stop> {
        self.is_exceeded = true;
        Box::new(Stop::Abandoned)
    }

    /// Whether this many items of loops, or this many statements, are more than a function may have.
    pub fn is_beyond(items: usize, statements: usize) -> bool {
        items > MAX_ITEMS || statements > MAX_STATEMENTS
    }

    /// How many items have been taken.
    pub fn items(&self) -> usize {
        self.items
    }

    /// Forgets the items that have been taken on trial after there were `before`, and says how many.
    pub fn restore_items(&mut self, before: usize) -> usize {
        std::mem::replace(&mut self.items, before).saturating_sub(before)
    }

    /// Comes back to the repetition around one that has ended.
    pub fn restore(&mut self, outer: Option<Repetition>) {
        self.repetition = outer;
    }
}

impl Lowering<'_> {
    /// Enters a repetition; returns what is to be restored at its end.
    pub(super) fn repeats(
        &mut self,
        span: impl FnOnce() -> Span,
        what: &'static str,
        times: Option<usize>,
    ) -> Option<Repetition> {
        let outer = self.budget.repetition;
        self.budget.repetition.get_or_insert_with(|| Repetition { span: span(), what, times });
        outer
    }

    /// Says that the evaluation takes this many steps.
    pub(super) fn takes(&mut self, steps: usize) -> Flow<()> {
        self.budget.steps += steps;
        if self.program.frame.length() > MAX_STATEMENTS {
            self.abandon(refuse::many_statements(MAX_STATEMENTS))
        } else if self.budget.items > MAX_ITEMS {
            self.abandon_repetition()
        } else if self.budget.steps > MAX_STEPS {
            self.abandon(refuse::MANY_STEPS)
        } else if self.budget.is_exceeded {
            Err(self.budget.give_up())
        } else {
            Ok(())
        }
    }

    fn abandon_repetition(&mut self) -> Flow<()> {
        self.abandon(refuse::many_repetitions(MAX_ITEMS))
    }

    /// Gives up, for there is too much to evaluate.
    fn abandon(&mut self, why: impl Display) -> Flow<()> {
        let (span, subject) = match self.budget.repetition {
            Some(Repetition { span, what, times: Some(times) }) if times < ENDLESS => {
                (span, refuse::repetition_of_times(what, times))
            }
            Some(Repetition { span, what, .. }) => (span, refuse::repetition(what)),
            None => (Span::call_site(), refuse::BODY.to_string()),
        };
        if !self.budget.is_exceeded {
            self.errors.at_span(span, refuse::too_much(subject, why));
        }
        Err(self.budget.give_up())
    }

    /// Says that something is evaluated for one more item.
    pub(super) fn takes_item(&mut self) {
        self.budget.items += 1;
    }

    /// Gives up at once if closures decide on more items than can be evaluated. Items that nothing decides on are
    /// counted as they come.
    pub(super) fn will_take(&mut self, length: Length) -> Flow<()> {
        match length.decides_on_more_than(MAX_ITEMS) {
            true => self.abandon_repetition(),
            false => Ok(()),
        }
    }
}
