//! What items come from: something that has one for each index.

use std::rc::Rc;

use proc_macro2::TokenStream;

use super::{ENDLESS, End, Items, Length, Lowering, Sequence, Value};

/// Gives the item at an index.
type At = dyn Fn(u128, &mut Lowering<'_>) -> Value;

/// The items that are left between both ends.
#[derive(Clone)]
struct Source {
    at: Rc<At>,
    front: u128,
    /// None where there is no end.
    back: Option<u128>,
}

impl Sequence {
    /// The iterator over what is `at` each index below `length`, if there is an end; with the iterator as the user wrote it,
    /// if all of it is passive, and whether the items are numbers that are known.
    pub(super) fn of(
        length: Option<u128>,
        (written, is_known): (Option<TokenStream>, bool),
        at: impl Fn(u128, &mut Lowering<'_>) -> Value + 'static,
    ) -> Sequence {
        let items = Box::new(Source { at: Rc::new(at), front: 0, back: length });
        Sequence { items, written, is_known, calls: false, size: 1 }
    }
}

impl Items for Source {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Option<Value> {
        if self.back == Some(self.front) {
            return None;
        }
        let index = match end {
            End::Front => self.front,
            End::Back => self.back? - 1,
        };
        match end {
            End::Front => self.front += 1,
            End::Back => self.back = Some(index),
        }
        Some((self.at)(index, lowering))
    }

    fn length(&self) -> Length {
        let left = self.back.map(|back| back - self.front);
        Length::exactly(left.and_then(|left| left.try_into().ok()).unwrap_or(ENDLESS))
    }
}
