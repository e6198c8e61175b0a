//! `filter`: of items that are known one by one, by conditions that are known; in a loop, by any.

use super::{Adaptor, AnyItems, Callee, End, Flow, Head, Items, Length, Lowering, Rest, Takes, Value};

pub(super) const FILTER: Adaptor =
    Adaptor { names: &["filter"], takes: Takes::Condition(|items, callee| Box::new(Filter { items, callee })) };

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

    fn head(&self) -> Result<Head, &'static str> {
        Ok(Head { calls: true, is_counted: false, ..self.items.head()? })
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        self.items.feed(item, lowering, &mut |lowering, item| lowering.chosen(&self.callee, item, rest, true))
    }
}
