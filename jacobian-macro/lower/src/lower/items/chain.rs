//! `chain`.

use super::{Adaptor, AnyItems, End, Flow, Items, Length, Lowering, Takes, Value};

pub(super) const CHAIN: Adaptor = Adaptor {
    names: &["chain"],
    takes: Takes::Items(|first, second| Ok(Box::new(Chain { first: first.items, second: second.items }))),
};

#[derive(Clone)]
struct Chain {
    first: AnyItems,
    second: AnyItems,
}

impl Items for Chain {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        let (near, far) = match end {
            End::Front => (&mut self.first, &mut self.second),
            End::Back => (&mut self.second, &mut self.first),
        };
        match lowering.next(near, end)? {
            Some(item) => Ok(Some(item)),
            None => lowering.next(far, end),
        }
    }

    fn length(&self) -> Length {
        self.first.length().with(self.second.length(), usize::saturating_add)
    }
}
