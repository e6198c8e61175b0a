//! Loops whose items are known when the function is expanded: they are unrolled.
//!
//! Where it is known at run time only whether a loop is left, the trips that are left stand in the arm that goes on, so that
//! each trip is nested in the one before.

use std::rc::Rc;

use quote::{ToTokens, quote};
use syn::{Expr, ExprForLoop};

use super::Flattener;
use super::scope::Captured;
use super::scope::each_identifier;
use super::sequence::Sequence;
use super::tail::without_jumps;
use super::value::Value;

/// What a loop that cannot be unrolled is refused with.
const UNKNOWN: &str = "the items of this loop are not known here; loops over arrays and over ranges of known bounds are \
    unrolled: take an array, such as `&[f64; 3]`, or index it by a range of known bounds";

const BOUNDS: &str = "the bounds of this loop must be known here, for it is unrolled";

/// The most trips, and other branches, that are nested each in the one before.
const MAX_NESTED: usize = 80;

/// Why a loop is refused that has too many of these.
const TOO_MANY: &str = "whether this loop goes on is known at run time only, so that each trip is nested in the one before, and these are \
    too many; differentiate a trip as a function of its own, and repeat that";

/// A loop.
struct Loop {
    repetition: ExprForLoop,
    /// What its body sees, where a trip may be nested in the one before; none where that cannot be.
    sees: Option<Captured>,
}

/// The trips of a loop that are left behind the present one.
pub struct Trips {
    repetition: Rc<Loop>,
    items: Sequence,
    /// The number of frames around the present trip.
    level: usize,
    /// Whether control has come to the end of the present trip.
    is_at_end: bool,
}

impl Flattener<'_> {
    /// `for`: the body once for each item.
    pub(super) fn for_loop(&mut self, repetition: &ExprForLoop) -> Value {
        if let Some(why) = self.inline {
            return self.refuse(repetition, why);
        }
        let Some(items) = self.loop_items(&repetition.expr) else { return Value::Error };
        let outer = self.repeats(|| repetition.for_token.span, "loop", items.length());
        let repetition = self.nestable(repetition);
        let value = self.rest_of_loop(&Rc::new(repetition), items);
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

    /// A loop in the body of which the trips that are left can be nested.
    fn nestable(&self, repetition: &ExprForLoop) -> Loop {
        let Some(body) = without_jumps(repetition, next_trips()) else {
            return Loop { repetition: repetition.clone(), sees: None };
        };
        let mut idents = Vec::new();
        each_identifier(repetition.body.to_token_stream(), &mut |ident| idents.push(ident));
        let sees = self.scopes.captured(&idents);
        Loop { repetition: ExprForLoop { body, ..repetition.clone() }, sees: Some(sees) }
    }

    /// What is left of a loop whose items are these.
    fn rest_of_loop(&mut self, repetition: &Rc<Loop>, mut items: Sequence) -> Value {
        let before = self.errors.count();
        while let Some(item) = self.pull(&mut items) {
            let trips = Trips {
                repetition: repetition.clone(),
                items: items.clone(),
                level: self.outer.len(),
                is_at_end: repetition.sees.is_none(),
            };
            self.trips.push(trips);
            self.trip(&repetition.repetition, item);
            let is_at_end = self.trips.pop().is_some_and(|trips| trips.is_at_end) || self.exit.is_some();
            if !self.goes_on(repetition.repetition.label.as_ref()) || !is_at_end || self.errors.count() > before {
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

    /// The end of a trip: in an arm, the trips that are left.
    pub(super) fn end_of_trip(&mut self, place: &Expr) -> Value {
        let level = self.outer.len();
        let Some(trips) = self.trips.last_mut().filter(|_| is_next_trips(place)) else {
            return self.refuse(place, super::expression::unsupported(place));
        };
        if trips.level == level {
            trips.is_at_end = true;
            return Value::unit();
        }
        let (repetition, items) = (trips.repetition.clone(), trips.items.clone());
        if level > MAX_NESTED {
            return self.refuse(&repetition.repetition.for_token, TOO_MANY);
        }
        let Some(sees) = &repetition.sees else { return Value::Error };
        // Trips are not the user's brackets.
        let (caller, depth) = (self.scopes.call(sees, 0), std::mem::take(&mut self.depth));
        let value = self.rest_of_loop(&repetition, items);
        self.depth = depth;
        self.scopes.return_to(caller);
        value
    }
}

/// An expression that no user can write.
fn next_trips() -> Expr {
    Expr::Verbatim(quote!(next trips))
}

fn is_next_trips(expression: &Expr) -> bool {
    matches!(expression, Expr::Verbatim(tokens) if tokens.to_string() == "next trips")
}
