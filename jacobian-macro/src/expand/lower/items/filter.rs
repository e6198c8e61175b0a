//! `filter`, by conditions that are known.

use super::{Adaptor, AnyItems, Callee, End, Items, Length, Lowering, Takes, Value};

pub(super) const FILTER: Adaptor =
    Adaptor { names: &["filter"], takes: Takes::Callee(|items, callee| Box::new(Filter { items, callee })) };

#[derive(Clone)]
struct Filter {
    items: AnyItems,
    callee: Callee,
}

impl Items for Filter {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Option<Value> {
        loop {
            let item = lowering.next(&mut self.items, end)?;
            let shared = lowering.shared(item.clone());
            if lowering.condition_for(&self.callee, shared) {
                return Some(item);
            }
        }
    }

    fn length(&self) -> Length {
        self.items.length().undecided()
    }
}
