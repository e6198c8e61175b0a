//! `flat_map` and `flatten`.

use super::super::super::refuse;
use super::{Adaptor, AnyItems, Callee, End, Flow, Head, Items, Length, Lowering, Rest, Sequence, Takes, Value};

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
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        let (near, far) = match end {
            End::Front => (&mut self.front, &mut self.back),
            End::Back => (&mut self.back, &mut self.front),
        };
        loop {
            if let Some(inner) = near
                && let Some(item) = lowering.next(inner, end)?
            {
                return Ok(Some(item));
            }
            *near = match lowering.next(&mut self.outer, end)? {
                Some(item) => Some(lowering.inner_items(self.callee.as_ref(), item)?.items),
                None => return far.as_mut().map_or(Ok(None), |inner| lowering.next(inner, end)),
            };
        }
    }

    fn length(&self) -> Length {
        self.outer.length().undecided()
    }

    fn head(&self) -> Result<Head, &'static str> {
        Ok(Head { calls: true, is_counted: false, is_nested: true, ..self.outer.head()? })
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        self.outer.feed(item, lowering, &mut |lowering, item| {
            let callee = self.callee.as_ref();
            let inner = lowering.inner_items(callee, item)?;
            let place = lowering.place_of_items(callee);
            lowering.each_of(&place, inner, &mut |lowering, item| rest(lowering, item).map(drop))?;
            Ok(lowering.truth(true))
        })
    }
}

impl Lowering<'_> {
    /// The items that an item stands for.
    fn inner_items(&mut self, callee: Option<&Callee>, item: Value) -> Flow<Sequence> {
        let value = match callee {
            Some(callee) => self.call_for(callee, item)?,
            None => item,
        };
        match (self.items_of(value.clone()), value.to_passive()) {
            (Some(items), _) => Ok(items),
            (None, Some(passive)) => Ok(Sequence::of_run_time(&passive)),
            (None, None) => self.refuse_item(callee, refuse::UNKNOWN_ITEMS),
        }
    }
}
