//! `take`.

use super::{Adaptor, AnyItems, End, Items, Length, Lowering, Takes, Value};

pub(super) const TAKE: Adaptor =
    Adaptor { names: &["take"], takes: Takes::Count(|items, count| Ok(Box::new(Take { items, count }))) };

#[derive(Clone)]
struct Take {
    items: AnyItems,
    /// How many are still to be taken.
    count: usize,
}

impl Items for Take {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Option<Value> {
        let dropped = match end {
            End::Front => 0,
            End::Back => self.items.length().exact()?.saturating_sub(self.count),
        };
        self.count = self.count.checked_sub(1)?;
        lowering.nth(&mut self.items, end, dropped)
    }

    fn length(&self) -> Length {
        self.items.length().map(|length| length.min(self.count))
    }
}
