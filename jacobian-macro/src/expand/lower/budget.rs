//! What an expansion may take: a few lines can repeat so much that no compiler ends.

use proc_macro2::Span;

use super::Lowering;
use super::control::Exit;
use super::items::{ENDLESS, Length};

/// The most statements of a function, those on passive values included.
const MAX_STATEMENTS: usize = 100_000;

/// The most items of all loops and iterators of a function together. Tests that expand a hundred thousand functions have
/// less patience.
const MAX_ITEMS: usize = if cfg!(test) { 500 } else { 100_000 };

/// The most steps of the evaluation, each of which is an expression or an element of an array. Closures that call closures
/// can take a number that is exponential in the length of the code.
const MAX_STEPS: usize = 40 * MAX_ITEMS;

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
}

impl Budget {
    /// Where the outermost repetition is.
    pub fn place(&self) -> Span {
        self.repetition.map_or_else(Span::call_site, |repetition| repetition.span)
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

    /// Whether the evaluation goes on, which takes a step.
    pub(super) fn may_go_on(&mut self) -> bool {
        self.takes(1)
    }

    /// Whether the evaluation goes on, which takes so many steps.
    pub(super) fn takes(&mut self, steps: usize) -> bool {
        if self.exit.is_some() {
            return false;
        }
        self.budget.steps += steps;
        if self.frame.length() > MAX_STATEMENTS {
            self.abandon(format!("makes the function longer than {MAX_STATEMENTS} statements"));
        } else if self.budget.items > MAX_ITEMS {
            self.abandon_repetition();
        } else if self.budget.steps > MAX_STEPS {
            self.abandon("takes too long to unroll".to_string());
        }
        self.exit.is_none()
    }

    fn abandon_repetition(&mut self) {
        self.abandon(format!("is more than the {MAX_ITEMS} repetitions that are unrolled in a function"));
    }

    /// Gives up, for there is too much to evaluate.
    fn abandon(&mut self, why: String) {
        let advice = "differentiate what is repeated as a function of its own, and repeat that";
        let (span, subject) = match self.budget.repetition {
            Some(Repetition { span, what, times: Some(times) }) if times < ENDLESS => {
                (span, format!("this {what} runs {times} times, which"))
            }
            Some(Repetition { span, what, .. }) => (span, format!("this {what}")),
            None => (Span::call_site(), "the body".to_string()),
        };
        self.errors.at_span(span, format!("{subject} {why}; {advice}"));
        self.exit = Some(Exit::Abandoned);
    }

    /// Says that something is evaluated for one more item.
    pub(super) fn takes_item(&mut self) {
        self.budget.items += 1;
    }

    /// Gives up at once if closures decide on more items than can be evaluated. Items that nothing decides on are counted as
    /// they come.
    pub(super) fn will_take(&mut self, length: Length) {
        if self.exit.is_none() && length.decides_on_more_than(MAX_ITEMS) {
            self.abandon_repetition();
        }
    }
}
