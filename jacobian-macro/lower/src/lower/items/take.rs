//! `take`.

use super::{Adaptor, AnyItems, End, Flow, Items, Length, Lowering, Takes, Value};

pub(super) const TAKE: Adaptor =
    Adaptor { names: &["take"], takes: Takes::Count(|items, count| Ok(Box::new(Take { items, count }))) };

#[derive(Clone)]
struct Take {
    items: AnyItems,
    /// How many are still to be taken.
    count: usize,
}

impl Items for Take {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        let dropped = match (end, self.items.length().exact()) {
            (End::Front, _) => 0,
            (End::Back, Some(length)) => length.saturating_sub(self.count),
            (End::Back, None) => return Ok(None),
        };
        let Some(left) = self.count.checked_sub(1) else { return Ok(None) };
        self.count = left;
        lowering.nth(&mut self.items, end, dropped)
    }

    fn length(&self) -> Length {
        self.items.length().map(|length| length.min(self.count))
    }
}
