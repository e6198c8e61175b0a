//! `rev`.

use quote::quote;

use super::{Adaptor, AnyItems, End, Flow, Head, Items, Length, Lowering, Rest, Takes, Value, refuse};

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

    fn head(&self) -> Result<Head, &'static str> {
        match self.0.head()? {
            head if head.is_nested => Err(refuse::COUNTED_AT_RUN_TIME),
            head => Ok(head.with(&quote!(.rev()))),
        }
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        match self.0.head() {
            // Those at the end that it does not take are taken off first.
            Ok(head) if head.is_cut => lowering.without_effects(&*self.0, item, rest),
            _ => self.0.feed(item, lowering, rest),
        }
    }
}
