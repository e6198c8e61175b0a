//! `rev`.

use super::{Adaptor, AnyItems, End, Flow, Items, Length, Lowering, Takes, Value};

pub(super) const REV: Adaptor = Adaptor { names: &["rev"], takes: Takes::Nothing(|items| Box::new(Rev(items))) };

#[derive(Clone)]
struct Rev(AnyItems);

impl Items for Rev {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        let other = match end {
            End::Front => End::Back,
            End::Back => End::Front,
        };
        lowering.next(&mut self.0, other)
    }

    fn length(&self) -> Length {
        self.0.length()
    }
}
