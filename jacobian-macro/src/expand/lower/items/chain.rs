//! `chain`.

use super::{Adaptor, AnyItems, End, Items, Length, Lowering, Takes, Value};

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
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Option<Value> {
        let (near, far) = match end {
            End::Front => (&mut self.first, &mut self.second),
            End::Back => (&mut self.second, &mut self.first),
        };
        lowering.next(near, end).or_else(|| lowering.next(far, end))
    }

    fn length(&self) -> Length {
        self.first.length().with(self.second.length(), usize::saturating_add)
    }
}
