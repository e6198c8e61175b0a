//! `zip`.

use quote::quote;

use super::super::super::refuse;
use super::{Adaptor, AnyItems, ENDLESS, End, Flow, Head, Items, Length, Lowering, Rest, Sequence, Takes, Value};

pub(super) const ZIP: Adaptor = Adaptor { names: &["zip"], takes: Takes::Items(zipped) };

#[derive(Clone)]
struct Zip {
    first: AnyItems,
    second: AnyItems,
}

/// Whether the standard library calls closures for items that have no partner depends on the types.
fn zipped(first: Sequence, second: Sequence) -> Result<AnyItems, &'static str> {
    let longer_calls = match (first.length().exact(), second.length().exact()) {
        (Some(left), Some(right)) if left > right => first.calls,
        (Some(left), Some(right)) if left < right && right < ENDLESS => second.calls,
        _ => false,
    };
    if longer_calls { Err(refuse::LONGER) } else { Ok(Box::new(Zip { first: first.items, second: second.items })) }
}

impl Items for Zip {
    /// At the back, the longer one is shortened first.
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        let Zip { first, second } = self;
        if let End::Back = end {
            let (Some(left), Some(right)) = (first.length().exact(), second.length().exact()) else { return Ok(None) };
            lowering.drop_items(first, end, left.saturating_sub(right))?;
            lowering.drop_items(second, end, right.saturating_sub(left))?;
        }
        let Some(left) = lowering.next(first, end)? else { return Ok(None) };
        let Some(right) = lowering.next(second, end)? else { return Ok(None) };
        Ok(Some(Value::Tuple(vec![left, right].into())))
    }

    fn length(&self) -> Length {
        self.first.length().with(self.second.length(), usize::min)
    }

    fn head(&self) -> Result<Head, &'static str> {
        let (first, second) = (self.first.head()?.counted()?, self.second.head()?.counted()?);
        let other = second.tokens;
        Ok(Head { calls: first.calls || second.calls, ..first.with(&quote!(.zip(#other))) })
    }

    /// For an item that has no partner, nothing is called.
    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        let [left, right] = lowering.both_of(item);
        lowering.without_effects(&*self.first, left, &mut |lowering, left| {
            lowering.without_effects(&*self.second, right.clone(), &mut |lowering, right| {
                rest(lowering, Value::Tuple(vec![left.clone(), right].into()))
            })
        })
    }
}
