//! `filter_map` and `map_while`: of items that are known one by one, where it is known which are there; in a loop, any.

use super::{Adaptor, AnyItems, Callee, End, Flow, Head, Items, Length, Lowering, Rest, Takes, Value};
use crate::refuse;

pub(super) const FILTER_MAP: Adaptor = Adaptor {
    names: &["filter_map"],
    takes: Takes::Condition(|items, callee| Box::new(FilterMap { items, callee, is_ending: false })),
};

pub(super) const MAP_WHILE: Adaptor = Adaptor {
    names: &["map_while"],
    takes: Takes::Condition(|items, callee| Box::new(FilterMap { items, callee, is_ending: true })),
};

#[derive(Clone)]
struct FilterMap {
    items: AnyItems,
    callee: Callee,
    /// Whether the first item for which there is nothing ends it.
    is_ending: bool,
}

impl Items for FilterMap {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        while let Some(item) = lowering.next(&mut self.items, end)? {
            let value = lowering.call_for(&self.callee, item)?;
            match lowering.known_content(&value) {
                Some(Some(content)) => return Ok(Some(content)),
                Some(None) if self.is_ending => return Ok(None),
                Some(None) => {}
                None => return lowering.refuse_item(Some(&self.callee), refuse::ITEM_CONDITION),
            }
        }
        Ok(None)
    }

    fn length(&self) -> Length {
        self.items.length().undecided()
    }

    fn head(&self) -> Result<Head, &'static str> {
        let head = self.items.head()?;
        Ok(Head { calls: true, is_counted: false, may_end: head.may_end || self.is_ending, ..head })
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        let otherwise = !self.is_ending;
        self.items.feed(item, lowering, &mut |lowering, item| {
            let value = lowering.call_for(&self.callee, item)?;
            let place = lowering.place_of_items(Some(&self.callee));
            lowering.with_option(&value, &place, &mut *rest, |lowering| Ok(lowering.truth(otherwise)))
        })
    }
}
