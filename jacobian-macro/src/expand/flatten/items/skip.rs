//! `skip`.

use super::{Adaptor, AnyItems, End, Flattener, Items, Length, Takes, Value};

pub(super) const SKIP: Adaptor =
    Adaptor { names: &["skip"], takes: Takes::Count(|items, count| Ok(Box::new(Skip { items, count }))) };

#[derive(Clone)]
struct Skip {
    items: AnyItems,
    /// How many are still to be skipped.
    count: usize,
}

impl Items for Skip {
    fn next(&mut self, end: End, flattener: &mut Flattener<'_>) -> Option<Value> {
        match end {
            End::Front => {
                let count = std::mem::take(&mut self.count);
                flattener.nth(&mut self.items, end, count)
            }
            End::Back if self.items.length().exact()? > self.count => flattener.next(&mut self.items, end),
            End::Back => None,
        }
    }

    fn length(&self) -> Length {
        self.items.length().map(|length| length.saturating_sub(self.count))
    }
}
