//! `copied` and `cloned`.

use super::{Adaptor, AnyItems, End, Flattener, Items, Length, Takes, Value};

pub(super) const COPIED: Adaptor =
    Adaptor { names: &["copied", "cloned"], takes: Takes::Nothing(|items| Box::new(Copied(items))) };

#[derive(Clone)]
struct Copied(AnyItems);

impl Items for Copied {
    fn next(&mut self, end: End, flattener: &mut Flattener<'_>) -> Option<Value> {
        let item = flattener.next(&mut self.0, end)?;
        Some(flattener.dereference(item))
    }

    fn length(&self) -> Length {
        self.0.length()
    }
}
