//! `take_while`: of items that are known one by one, by conditions that are known; in a loop, by any.

use super::{Adaptor, AnyItems, Callee, End, Flow, Head, Items, Length, Lowering, Rest, Takes, Value};

pub(super) const TAKE_WHILE: Adaptor = Adaptor {
    names: &["take_while"],
    takes: Takes::Condition(|items, callee| Box::new(TakeWhile { items, callee, is_over: false })),
};

#[derive(Clone)]
struct TakeWhile {
    items: AnyItems,
    callee: Callee,
    /// Whether the condition has failed.
    is_over: bool,
}

impl Items for TakeWhile {
    /// The standard library takes none off at the back.
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        if self.is_over {
            return Ok(None);
        }
        let Some(item) = lowering.next(&mut self.items, end)? else { return Ok(None) };
        let shared = lowering.shared(item.clone());
        self.is_over = !lowering.condition_for(&self.callee, shared)?;
        Ok((!self.is_over).then_some(item))
    }

    fn length(&self) -> Length {
        if self.is_over { Length::exactly(0) } else { self.items.length().undecided() }
    }

    fn head(&self) -> Result<Head, &'static str> {
        Ok(Head { calls: true, is_counted: false, may_end: true, ..self.items.head()? })
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        self.items.feed(item, lowering, &mut |lowering, item| lowering.chosen(&self.callee, item, rest, false))
    }
}
