//! `skip`.

use super::{Adaptor, AnyItems, End, Flow, Items, Length, Lowering, Takes, Value};

pub(super) const SKIP: Adaptor =
    Adaptor { names: &["skip"], takes: Takes::Count(|items, count| Ok(Box::new(Skip { items, count }))) };

#[derive(Clone)]
struct Skip {
    items: AnyItems,
    /// How many are still to be skipped.
    count: usize,
}

impl Items for Skip {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        match end {
            End::Front => {
                let count = std::mem::take(&mut self.count);
                lowering.nth(&mut self.items, end, count)
            }
            End::Back if self.items.length().exact().is_some_and(|length| length > self.count) => {
                lowering.next(&mut self.items, end)
            }
            End::Back => Ok(None),
        }
    }

    fn length(&self) -> Length {
        self.items.length().map(|length| length.saturating_sub(self.count))
    }
}
