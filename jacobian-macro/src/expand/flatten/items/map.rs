//! `map`.

use super::{Adaptor, AnyItems, Callee, End, Flattener, Items, Length, Takes, Value};

pub(super) const MAP: Adaptor =
    Adaptor { names: &["map"], takes: Takes::Callee(|items, callee| Box::new(Map { items, callee })) };

#[derive(Clone)]
struct Map {
    items: AnyItems,
    callee: Callee,
}

impl Items for Map {
    fn next(&mut self, end: End, flattener: &mut Flattener<'_>) -> Option<Value> {
        let item = flattener.next(&mut self.items, end)?;
        Some(flattener.call_for(&self.callee, item))
    }

    fn length(&self) -> Length {
        self.items.length()
    }
}
