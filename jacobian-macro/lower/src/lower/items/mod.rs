//! Iterators. Each source and each adaptor is a file, and yields what that of the standard library yields, so that
//! closures are called for the same items and in the same order.
//!
//! Where the items are known one by one, they are taken off one by one. Where they are known only at run time, or where
//! the loop is not to be unrolled, there is one loop over the head of the chain, in whose body an item of the head is
//! fed through all that is called for it (`head.rs`, `rolled.rs`).
//!
//! To add an adaptor is to write its file and to name its row in `adapt.rs`; what uses iterators up has its rows in
//! `consume.rs`. Dispatch and messages are derived from these.

mod adapt;
mod arrays;
mod called;
mod chain;
mod consume;
mod copied;
mod enumerate;
mod filter;
mod filter_map;
mod find;
mod flat;
mod fold;
mod head;
mod indexed;
mod length;
mod map;
mod numbers;
mod pick;
mod reduce;
mod rev;
mod rolled;
mod skip;
mod source;
mod step_by;
mod take;
mod take_while;
mod total;
mod zip;

use proc_macro2::{Ident, TokenStream};

use self::adapt::{Adaptor, Takes};
use self::head::Head;
use super::super::refuse;
use super::Lowering;
use super::closure::Callee;
use super::control::Flow;
use super::value::Value;

pub(super) use self::adapt::takes_items;
pub use self::arrays::Access;
pub(super) use self::consume::MethodOfItems;
pub(super) use self::head::with_source;
pub use self::length::{ENDLESS, Length};

/// What yields items, from both ends.
pub(super) trait Items: Duplicate {
    /// Takes the item off that is the next at an end.
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>>;

    /// How many items are left.
    fn length(&self) -> Length;

    /// What a run-time loop goes over that has these items, or why there is none.
    fn head(&self) -> Result<Head, &'static str> {
        Err(refuse::ITEMS_OF_RUN_TIME)
    }

    /// In such a loop, gives the items that `item` of the head stands for to `rest`, one after the other. Its value says
    /// whether another one is wanted, as that of `rest` does.
    fn feed(&self, _item: Value, lowering: &mut Lowering<'_>, _rest: &mut Rest<'_>) -> Flow {
        lowering.refuse_item(None, refuse::ITEMS_OF_RUN_TIME)
    }
}

/// What is done with an item in a run-time loop, and whether another one is wanted.
pub(super) type Rest<'r> = dyn FnMut(&mut Lowering<'_>, Value) -> Flow + 'r;

/// What yields items, whatever it is.
pub(super) type AnyItems = Box<dyn Items>;

/// Makes a copy of what yields items, for it is cloned with the iterator.
pub(super) trait Duplicate {
    fn duplicate(&self) -> AnyItems;
}

impl<T: Items + Clone + 'static> Duplicate for T {
    fn duplicate(&self) -> AnyItems {
        Box::new(self.clone())
    }
}

impl Clone for AnyItems {
    fn clone(&self) -> Self {
        (**self).duplicate()
    }
}

/// Where items are taken off.
#[derive(Copy, Clone)]
pub(super) enum End {
    /// `next`.
    Front,
    /// `next_back`, which the standard library does not have where it needs a length that is not known.
    Back,
}

/// An iterator.
#[derive(Clone)]
pub struct Sequence {
    items: AnyItems,
    /// The iterator as the user wrote it, part by part, if all of it but its closures is passive.
    written: Option<Vec<Part>>,
    /// Whether all its items come from numbers that are known.
    is_known: bool,
    /// Whether something is called for its items.
    calls: bool,
    /// Whether they are not known one by one, but in a run-time loop.
    is_run_time: bool,
    /// How many sources and adaptors it consists of.
    size: usize,
}

/// A part of an iterator as the user wrote it.
#[derive(Clone)]
enum Part {
    /// What it comes from, or a method that calls nothing.
    Written(TokenStream),
    /// A method, and what it calls for each item.
    Calling(Ident, Callee),
}

impl Sequence {
    /// How many items are left.
    pub fn length(&self) -> Length {
        self.items.length()
    }

    /// The iterator as the user wrote it, if all of it is passive and no closure is in it.
    pub fn as_written(&self) -> Option<TokenStream> {
        let mut written = TokenStream::new();
        for part in self.written.as_ref()? {
            let Part::Written(tokens) = part else { return None };
            written.extend(tokens.clone());
        }
        Some(written)
    }
}

impl Lowering<'_> {
    /// The items of a value that a loop can go over; none if they are not known one by one.
    pub(super) fn items_of(&mut self, value: Value) -> Option<Sequence> {
        let length = self.length_of(&value);
        match (value, length) {
            (Value::Iterator(items), _) => Some(*items),
            (Value::Range(range), _) => self.numbers(&range),
            (Value::Window(window), _) => Some(window.items()),
            (Value::Reference(target), Some(length)) => {
                Some(Sequence::of_array((*target).clone(), length, Access::Reference))
            }
            (Value::Mutable(place), _) => {
                let target = self.read(&place);
                let length = self.length_of(&target)?;
                Some(Sequence::of_places((0..length).map(|index| place.part(index)).collect()))
            }
            (Value::Passive(passive), Some(length)) if passive.is_reference() => {
                Some(self.borrowed_items(Value::Passive(passive), length))
            }
            (array @ (Value::Passive(_) | Value::Array(_)), Some(length)) => Some(self.owned_items(array, length)),
            _ => None,
        }
    }

    /// The next item, for which something is evaluated.
    pub(super) fn pull(&mut self, items: &mut Sequence) -> Flow<Option<Value>> {
        self.pull_from(items, End::Front)
    }

    /// The next item at an end, for which something is evaluated.
    pub(super) fn pull_from(&mut self, items: &mut Sequence, end: End) -> Flow<Option<Value>> {
        self.takes_item();
        self.next(&mut items.items, end)
    }

    /// Runs for each item that is left.
    pub(super) fn each_item(
        &mut self,
        mut items: Sequence,
        mut run: impl FnMut(&mut Self, Value) -> Flow<()>,
    ) -> Flow<()> {
        self.will_take(items.length())?;
        while let Some(item) = self.pull(&mut items)? {
            run(self, item)?;
            self.program.frame.list.end_user_statement();
        }
        Ok(())
    }

    /// The next item at an end.
    fn next(&mut self, items: &mut AnyItems, end: End) -> Flow<Option<Value>> {
        self.takes(1)?;
        items.next(end, self)
    }

    /// The item after the next `count` at an end, which are dropped.
    fn nth(&mut self, items: &mut AnyItems, end: End, count: usize) -> Flow<Option<Value>> {
        self.drop_items(items, end, count)?;
        self.next(items, end)
    }

    /// Drops `count` items at an end, if there are that many.
    fn drop_items(&mut self, items: &mut AnyItems, end: End, count: usize) -> Flow<()> {
        for _ in 0..count {
            if self.next(items, end)?.is_none() {
                break;
            }
        }
        Ok(())
    }
}
