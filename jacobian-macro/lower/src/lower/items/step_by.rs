//! `step_by`.

use super::super::super::refuse;
use super::{Adaptor, AnyItems, End, Flow, Items, Length, Lowering, Takes, Value};

pub(super) const STEP_BY: Adaptor = Adaptor {
    names: &["step_by"],
    takes: Takes::Count(|items, step| match step {
        0 => Err(refuse::STEP),
        _ => Ok(Box::new(StepBy { items, step, is_first: true })),
    }),
};

#[derive(Clone)]
struct StepBy {
    items: AnyItems,
    step: usize,
    /// Whether the next item is the first, which no others are dropped before.
    is_first: bool,
}

impl Items for StepBy {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        let dropped = match end {
            End::Front if std::mem::take(&mut self.is_first) => 0,
            End::Front => self.step - 1,
            End::Back => match (self.is_first, self.items.length().exact().map(|length| length % self.step)) {
                (_, None) => return Ok(None),
                (true, Some(0)) => self.step - 1,
                (true, Some(rest)) => rest - 1,
                (false, Some(rest)) => rest,
            },
        };
        lowering.nth(&mut self.items, end, dropped)
    }

    fn length(&self) -> Length {
        self.items.length().map(|length| if self.is_first { length.div_ceil(self.step) } else { length / self.step })
    }
}
