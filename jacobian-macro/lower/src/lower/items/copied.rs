//! `copied` and `cloned`.

use super::{Adaptor, AnyItems, End, Flow, Head, Items, Length, Lowering, Rest, Takes, Value};

pub(super) const COPIED: Adaptor =
    Adaptor { names: &["copied", "cloned"], takes: Takes::Nothing(|items| Box::new(Copied(items))) };

#[derive(Clone)]
struct Copied(AnyItems);

impl Items for Copied {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        Ok(lowering.next(&mut self.0, end)?.map(|item| lowering.dereference(item)))
    }

    fn length(&self) -> Length {
        self.0.length()
    }

    fn head(&self) -> Result<Head, &'static str> {
        self.0.head()
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        self.0.feed(item, lowering, &mut |lowering, item| {
            let item = lowering.dereference(item);
            rest(lowering, item)
        })
    }
}
