//! What items come from: something that has one for each index.

use std::rc::Rc;

use proc_macro2::TokenStream;

use super::{ENDLESS, End, Flow, Head, Items, Length, Lowering, Part, Rest, Sequence, Value, refuse};

/// Gives the item at an index.
type At = dyn Fn(u128, &mut Lowering<'_>) -> Flow;

/// The items that are left between both ends.
#[derive(Clone)]
struct Source {
    at: Rc<At>,
    /// As the user wrote it, if all of it is passive.
    written: Option<TokenStream>,
    front: u128,
    /// None where there is no end.
    back: Option<u128>,
}

impl Sequence {
    /// The iterator over what is `at` each index below `length`, if there is an end; with the iterator as the user
    /// wrote it, if all of it is passive, and whether the items are numbers that are known.
    pub(super) fn of(
        length: Option<u128>,
        (written, is_known): (Option<TokenStream>, bool),
        at: impl Fn(u128, &mut Lowering<'_>) -> Flow + 'static,
    ) -> Sequence {
        let items = Box::new(Source { at: Rc::new(at), written: written.clone(), front: 0, back: length });
        let written = written.map(|written| vec![Part::Written(written)]);
        Sequence { items, written, is_known, calls: false, is_run_time: false, size: 1 }
    }
}

impl Items for Source {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        let index = match (end, self.back) {
            (_, Some(back)) if back == self.front => return Ok(None),
            (End::Back, None) => return Ok(None),
            (End::Front, _) => {
                self.front += 1;
                self.front - 1
            }
            (End::Back, Some(back)) => {
                self.back = Some(back - 1);
                back - 1
            }
        };
        (self.at)(index, lowering).map(Some)
    }

    fn length(&self) -> Length {
        let left = self.back.map(|back| back - self.front);
        Length::exactly(left.and_then(|left| left.try_into().ok()).unwrap_or(ENDLESS))
    }

    fn head(&self) -> Result<Head, &'static str> {
        self.written.clone().map(Head::of).ok_or(refuse::ACTIVE_ITEMS_OF_RUN_TIME)
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        rest(lowering, item)
    }
}
