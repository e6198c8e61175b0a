//! `flat_map` and `flatten`.

use super::super::super::refuse;
use super::{Adaptor, AnyItems, Callee, End, Items, Length, Lowering, Takes, Value};

pub(super) const FLAT_MAP: Adaptor =
    Adaptor { names: &["flat_map"], takes: Takes::Callee(|outer, callee| Flat::of(outer, Some(callee))) };

pub(super) const FLATTEN: Adaptor =
    Adaptor { names: &["flatten"], takes: Takes::Nothing(|outer| Flat::of(outer, None)) };

#[derive(Clone)]
struct Flat {
    outer: AnyItems,
    /// What gives the items that an item stands for, if not the item itself.
    callee: Option<Callee>,
    /// What is begun at the front.
    front: Option<AnyItems>,
    /// What is begun at the back.
    back: Option<AnyItems>,
}

impl Flat {
    fn of(outer: AnyItems, callee: Option<Callee>) -> AnyItems {
        Box::new(Flat { outer, callee, front: None, back: None })
    }
}

impl Items for Flat {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Option<Value> {
        let (near, far) = match end {
            End::Front => (&mut self.front, &mut self.back),
            End::Back => (&mut self.back, &mut self.front),
        };
        loop {
            if let Some(item) = near.as_mut().and_then(|inner| lowering.next(inner, end)) {
                return Some(item);
            }
            let item = lowering.next(&mut self.outer, end);
            *near = item.and_then(|item| lowering.inner_items(self.callee.as_ref(), item));
            if near.is_none() {
                return far.as_mut().and_then(|inner| lowering.next(inner, end));
            }
        }
    }

    fn length(&self) -> Length {
        self.outer.length().undecided()
    }
}

impl Lowering<'_> {
    /// The items that an item stands for.
    fn inner_items(&mut self, callee: Option<&Callee>, item: Value) -> Option<AnyItems> {
        let value = match callee {
            Some(callee) => self.call_for(callee, item),
            None => item,
        };
        let is_error = value.is_error();
        let items = self.items_of(value);
        if items.is_none() && !is_error {
            self.refuse_item(callee, refuse::UNKNOWN_ITEMS);
        }
        Some(items?.items)
    }
}
