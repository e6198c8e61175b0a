//! `filter`, by conditions that are known.

use super::{Adaptor, AnyItems, Callee, End, Flow, Items, Length, Lowering, Takes, Value};

pub(super) const FILTER: Adaptor =
    Adaptor { names: &["filter"], takes: Takes::Callee(|items, callee| Box::new(Filter { items, callee })) };

#[derive(Clone)]
struct Filter {
    items: AnyItems,
    callee: Callee,
}

impl Items for Filter {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        while let Some(item) = lowering.next(&mut self.items, end)? {
            let shared = lowering.shared(item.clone());
            if lowering.condition_for(&self.callee, shared)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn length(&self) -> Length {
        self.items.length().undecided()
    }
}
