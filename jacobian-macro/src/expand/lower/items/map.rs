//! `map`.

use super::{Adaptor, AnyItems, Callee, End, Items, Length, Lowering, Takes, Value};

pub(super) const MAP: Adaptor =
    Adaptor { names: &["map"], takes: Takes::Callee(|items, callee| Box::new(Map { items, callee })) };

#[derive(Clone)]
struct Map {
    items: AnyItems,
    callee: Callee,
}

impl Items for Map {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Option<Value> {
        let item = lowering.next(&mut self.items, end)?;
        Some(lowering.call_for(&self.callee, item))
    }

    fn length(&self) -> Length {
        self.items.length()
    }
}
