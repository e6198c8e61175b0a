//! Loops whose items are known when the function is expanded: they are unrolled.

use syn::{Expr, ExprForLoop};

use super::Flattener;
use super::sequence::Sequence;
use super::value::Value;

/// What a loop that cannot be unrolled is refused with.
const UNKNOWN: &str = "the items of this loop are not known here; loops over arrays and over ranges of known bounds are \
    unrolled: take an array, such as `&[f64; 3]`, or index it by a range of known bounds";

const BOUNDS: &str = "the bounds of this loop must be known here, for it is unrolled";

impl Flattener<'_> {
    /// `for`: the body once for each item.
    pub(super) fn for_loop(&mut self, repetition: &ExprForLoop) -> Value {
        if let Some(why) = self.inline {
            return self.refuse(repetition, why);
        }
        let Some(items) = self.loop_items(&repetition.expr) else { return Value::Error };
        let outer = self.repeats(|| repetition.for_token.span, "loop", items.length());
        let value = self.rest_of_loop(repetition, items);
        self.budget.restore(outer);
        value
    }

    /// The items of a loop. None if an error has been reported.
    fn loop_items(&mut self, expression: &Expr) -> Option<Sequence> {
        let value = self.expression(expression);
        if value.is_error() {
            return None;
        }
        let items = self.items_of(value.clone());
        if items.is_none() {
            let message = match value {
                Value::Range(_) => self.not_known(BOUNDS, expression, &value),
                _ => UNKNOWN.to_string(),
            };
            self.errors.at(expression, message);
        }
        items
    }

    /// What is left of a loop whose items are these.
    pub(super) fn rest_of_loop(&mut self, repetition: &ExprForLoop, mut items: Sequence) -> Value {
        let before = self.errors.count();
        while let Some(item) = self.pull(&mut items) {
            self.trip(repetition, item);
            if !self.goes_on(repetition.label.as_ref()) || self.errors.count() > before {
                break;
            }
        }
        match self.exit {
            Some(_) => Value::Error,
            None => Value::unit(),
        }
    }

    fn trip(&mut self, repetition: &ExprForLoop, item: Value) {
        self.scopes.enter();
        self.bind(&repetition.pat, item, None);
        let value = self.block(&repetition.body);
        self.discard(&value);
        self.scopes.leave();
    }
}
