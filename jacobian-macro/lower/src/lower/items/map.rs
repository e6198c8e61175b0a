//! `map`.

use super::{Adaptor, AnyItems, Callee, End, Flow, Head, Items, Length, Lowering, Rest, Takes, Value};

pub(super) const MAP: Adaptor =
    Adaptor { names: &["map"], takes: Takes::Callee(|items, callee| Box::new(Map { items, callee })) };

#[derive(Clone)]
struct Map {
    items: AnyItems,
    callee: Callee,
}

impl Items for Map {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        let Some(item) = lowering.next(&mut self.items, end)? else { return Ok(None) };
        lowering.call_for(&self.callee, item).map(Some)
    }

    fn length(&self) -> Length {
        self.items.length()
    }

    fn head(&self) -> Result<Head, &'static str> {
        Ok(Head { calls: true, ..self.items.head()? })
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        self.items.feed(item, lowering, &mut |lowering, item| {
            let item = lowering.call_for(&self.callee, item)?;
            rest(lowering, item)
        })
    }
}
