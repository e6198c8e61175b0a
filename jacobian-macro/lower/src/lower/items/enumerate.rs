//! `enumerate`.

use quote::quote;

use super::{Adaptor, AnyItems, End, Flow, Head, Items, Length, Lowering, Rest, Takes, Value};

pub(super) const ENUMERATE: Adaptor =
    Adaptor { names: &["enumerate"], takes: Takes::Nothing(|items| Box::new(Enumerate { items, index: 0 })) };

#[derive(Clone)]
struct Enumerate {
    items: AnyItems,
    /// That of the next item at the front.
    index: usize,
}

impl Items for Enumerate {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        let Some(item) = lowering.next(&mut self.items, end)? else { return Ok(None) };
        let index = match (end, self.items.length().exact()) {
            (End::Front, _) => {
                self.index += 1;
                self.index - 1
            }
            (End::Back, Some(length)) => self.index + length,
            (End::Back, None) => return Ok(None),
        };
        Ok(Some(Value::Tuple(vec![Value::Passive(lowering.numbers.usize(index)), item].into())))
    }

    fn length(&self) -> Length {
        self.items.length()
    }

    fn head(&self) -> Result<Head, &'static str> {
        Ok(self.items.head()?.counted()?.with(&quote!(.enumerate())))
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        let [index, item] = lowering.both_of(item);
        self.items
            .feed(item, lowering, &mut |lowering, item| rest(lowering, Value::Tuple(vec![index.clone(), item].into())))
    }
}
