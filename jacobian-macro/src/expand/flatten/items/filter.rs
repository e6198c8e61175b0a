//! `filter`, by conditions that are known.

use super::{Adaptor, AnyItems, Callee, End, Flattener, Items, Length, Takes, Value};

pub(super) const FILTER: Adaptor =
    Adaptor { names: &["filter"], takes: Takes::Callee(|items, callee| Box::new(Filter { items, callee })) };

#[derive(Clone)]
struct Filter {
    items: AnyItems,
    callee: Callee,
}

impl Items for Filter {
    fn next(&mut self, end: End, flattener: &mut Flattener<'_>) -> Option<Value> {
        loop {
            let item = flattener.next(&mut self.items, end)?;
            let shared = flattener.shared(item.clone());
            if flattener.condition_for(&self.callee, shared) {
                return Some(item);
            }
        }
    }

    fn length(&self) -> Length {
        self.items.length().undecided()
    }
}
