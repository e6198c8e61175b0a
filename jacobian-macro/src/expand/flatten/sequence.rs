//! Iterators: what they have left, and how they yield it. Each adaptor does what that of the standard library does, so that
//! closures are called for the same items and in the same order.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::Flattener;
use super::closure::Callee;
use super::expected::Expected;
use super::range::Numbers;
use super::value::{Elements, Passive, Value};

/// How many items are left at both ends of something that is indexed.
#[derive(Copy, Clone)]
pub struct Count {
    next: usize,
    /// None where there is no end.
    end: Option<usize>,
}

impl Count {
    /// So many; without an end if that is none.
    pub fn new(length: Option<usize>) -> Self {
        Count { next: 0, end: length }
    }

    fn left(&self) -> usize {
        self.end.map_or(ENDLESS, |end| end - self.next)
    }

    /// The index of the next item.
    fn front(&mut self) -> Option<usize> {
        let index = self.next;
        (self.left() > 0).then(|| {
            self.next += 1;
            index
        })
    }

    /// The index of the last item.
    fn back(&mut self) -> Option<usize> {
        let last = self.end.filter(|_| self.left() > 0)? - 1;
        self.end = Some(last);
        Some(last)
    }
}

/// The length of what has no end.
pub const ENDLESS: usize = usize::MAX;

/// How the elements of an array are yielded.
#[derive(Copy, Clone)]
pub enum Access {
    /// By value.
    Value,
    /// As references.
    Reference,
}

/// An iterator.
#[derive(Clone)]
pub enum Sequence {
    /// The elements of an array.
    Elements { array: Value, access: Access, count: Count },
    /// Places that are known one by one, as mutable references.
    Places { places: Elements, count: Count },
    /// The slices of `size` elements of an array that begin at every multiple of `step`.
    Slices { array: Value, size: usize, step: usize, count: Count },
    /// The numbers of a range.
    Numbers(Numbers),
    /// `copied` and `cloned`.
    Copied(Box<Sequence>),
    /// `map`.
    Map(Box<Sequence>, Callee),
    /// `filter`.
    Filter(Box<Sequence>, Callee),
    /// `flat_map`, and `flatten` where nothing is called; with what is begun at the front and at the back.
    Flat { outer: Box<Sequence>, callee: Option<Callee>, front: Option<Box<Sequence>>, back: Option<Box<Sequence>> },
    /// `zip`.
    Zip(Box<[Sequence; 2]>),
    /// `chain`.
    Chain(Box<[Sequence; 2]>),
    /// `enumerate`, with the next index.
    Enumerate(Box<Sequence>, usize),
    /// `rev`.
    Rev(Box<Sequence>),
    /// `skip`, with how many are still to be skipped.
    Skip(Box<Sequence>, usize),
    /// `take`, with how many are still to be taken.
    Take(Box<Sequence>, usize),
    /// `step_by`.
    StepBy { inner: Box<Sequence>, step: usize, is_first: bool },
}

impl Sequence {
    /// The elements of an array of known length.
    pub fn of_array(array: Value, length: usize, access: Access) -> Sequence {
        Sequence::Elements { array, access, count: Count::new(Some(length)) }
    }

    /// How many items are left, where that does not depend on closures; [`ENDLESS`] where there is no end.
    pub fn length(&self) -> Option<usize> {
        Some(match self {
            Sequence::Elements { count, .. } | Sequence::Places { count, .. } | Sequence::Slices { count, .. } => {
                count.left()
            }
            Sequence::Numbers(numbers) => numbers.count.left(),
            Sequence::Copied(inner) | Sequence::Map(inner, _) => inner.length()?,
            Sequence::Enumerate(inner, _) | Sequence::Rev(inner) => inner.length()?,
            Sequence::Zip(both) => both[0].length()?.min(both[1].length()?),
            Sequence::Chain(both) => both[0].length()?.saturating_add(both[1].length()?),
            Sequence::Skip(inner, count) => inner.length()?.saturating_sub(*count),
            Sequence::Take(inner, count) => inner.length()?.min(*count),
            Sequence::StepBy { inner, step, is_first: true } => inner.length()?.div_ceil(*step),
            Sequence::StepBy { inner, step, is_first: false } => inner.length()? / step,
            Sequence::Filter(..) | Sequence::Flat { .. } => return None,
        })
    }

    /// What is left of it, if there is no other iterator below it.
    fn count(&mut self) -> Option<&mut Count> {
        match self {
            Sequence::Elements { count, .. } | Sequence::Places { count, .. } | Sequence::Slices { count, .. } => {
                Some(count)
            }
            Sequence::Numbers(numbers) => Some(&mut numbers.count),
            _ => None,
        }
    }

    /// Those that it takes its items from.
    fn sources(&self) -> &[Sequence] {
        match self {
            Sequence::Elements { .. } | Sequence::Places { .. } | Sequence::Slices { .. } | Sequence::Numbers(_) => &[],
            Sequence::Copied(inner)
            | Sequence::Map(inner, _)
            | Sequence::Filter(inner, _)
            | Sequence::Flat { outer: inner, .. }
            | Sequence::Enumerate(inner, _)
            | Sequence::Rev(inner)
            | Sequence::Skip(inner, _)
            | Sequence::Take(inner, _)
            | Sequence::StepBy { inner, .. } => std::slice::from_ref(inner),
            Sequence::Zip(both) | Sequence::Chain(both) => &both[..],
        }
    }

    /// How many adaptors and arrays it consists of.
    pub fn size(&self) -> usize {
        1 + self.sources().iter().map(Sequence::size).sum::<usize>()
    }

    /// What is called for its items, here or below.
    pub fn callees(&self) -> Vec<&Callee> {
        let own = match self {
            Sequence::Map(_, callee) | Sequence::Filter(_, callee) => Some(callee),
            Sequence::Flat { callee, .. } => callee.as_ref(),
            _ => None,
        };
        own.into_iter().chain(self.sources().iter().flat_map(Sequence::callees)).collect()
    }

    /// Whether all its items come from numbers that are known.
    pub fn is_known(&self) -> bool {
        match self {
            Sequence::Elements { array, .. } | Sequence::Slices { array, .. } => array.number().is_some(),
            Sequence::Places { .. } => false,
            other => other.sources().iter().all(Sequence::is_known),
        }
    }

    /// The iterator as the user wrote it, if all of it is passive and no closure is in it.
    pub fn as_written(&self) -> Option<TokenStream> {
        let inner = self.sources().iter().map(Sequence::as_written).collect::<Option<Vec<_>>>()?;
        let method = |name: &str, argument: Option<TokenStream>| {
            let (receiver, name) = (&inner[0], format_ident!("{name}"));
            quote!(#receiver.#name(#argument))
        };
        let number = |value: &usize| Some(Literal::usize_unsuffixed(*value).to_token_stream());
        Some(match self {
            Sequence::Elements { array: Value::Passive(array), access, .. } => array_as_written(array, *access),
            Sequence::Slices { array: Value::Passive(array), size, step, .. } => {
                let (array, name) = (array.operand(), if step == size { "chunks_exact" } else { "windows" });
                let (name, size) = (format_ident!("{name}"), number(size));
                quote!(#array.#name(#size))
            }
            Sequence::Numbers(numbers) => numbers.written.clone(),
            Sequence::Copied(_) => method("copied", None),
            Sequence::Zip(_) => method("zip", Some(inner[1].clone())),
            Sequence::Chain(_) => method("chain", Some(inner[1].clone())),
            Sequence::Enumerate(..) => method("enumerate", None),
            Sequence::Rev(_) => method("rev", None),
            Sequence::Skip(_, count) => method("skip", number(count)),
            Sequence::Take(_, count) => method("take", number(count)),
            Sequence::StepBy { step, .. } => method("step_by", number(step)),
            _ => return None,
        })
    }
}

/// The iterator over a passive array.
fn array_as_written(array: &Passive, access: Access) -> TokenStream {
    let array = array.operand();
    match access {
        Access::Value => quote!(#array.into_iter()),
        Access::Reference => quote!(#array.iter()),
    }
}

impl Flattener<'_> {
    /// The next item.
    pub(super) fn next(&mut self, items: &mut Sequence) -> Option<Value> {
        if !self.may_go_on() {
            return None;
        }
        if let Some(count) = items.count() {
            let index = count.front()?;
            return Some(self.item_at(items, index));
        }
        match items {
            Sequence::Copied(inner) => {
                let item = self.next(inner)?;
                Some(self.dereference(item))
            }
            Sequence::Map(inner, callee) => {
                let item = self.next(inner)?;
                Some(self.call_for(callee, item))
            }
            Sequence::Filter(inner, callee) => loop {
                let item = self.next(inner)?;
                if self.is_kept(callee, &item) {
                    return Some(item);
                }
            },
            Sequence::Zip(both) => {
                let [first, second] = &mut **both;
                let pair = vec![self.next(first)?, self.next(second)?];
                Some(Value::Tuple(pair.into()))
            }
            Sequence::Chain(both) => {
                let [first, second] = &mut **both;
                self.next(first).or_else(|| self.next(second))
            }
            Sequence::Enumerate(inner, index) => {
                let item = self.next(inner)?;
                *index += 1;
                Some(self.numbered(*index - 1, item))
            }
            Sequence::Rev(inner) => self.next_back(inner),
            Sequence::Skip(inner, count) => {
                let count = std::mem::take(count);
                self.nth(inner, count)
            }
            Sequence::Take(inner, count) => {
                *count = count.checked_sub(1)?;
                self.next(inner)
            }
            Sequence::StepBy { inner, step, is_first } => {
                let skipped = if std::mem::take(is_first) { 0 } else { *step - 1 };
                self.nth(inner, skipped)
            }
            other => self.next_flat(other),
        }
    }

    /// The last item. Of what has no known length, the standard library has no last item where the length counts.
    fn next_back(&mut self, items: &mut Sequence) -> Option<Value> {
        if !self.may_go_on() {
            return None;
        }
        if let Some(count) = items.count() {
            let index = count.back()?;
            return Some(self.item_at(items, index));
        }
        match items {
            Sequence::Copied(inner) => {
                let item = self.next_back(inner)?;
                Some(self.dereference(item))
            }
            Sequence::Map(inner, callee) => {
                let item = self.next_back(inner)?;
                Some(self.call_for(callee, item))
            }
            Sequence::Filter(inner, callee) => loop {
                let item = self.next_back(inner)?;
                if self.is_kept(callee, &item) {
                    return Some(item);
                }
            },
            Sequence::Zip(both) => self.last_pair(both),
            Sequence::Chain(both) => {
                let [first, second] = &mut **both;
                self.next_back(second).or_else(|| self.next_back(first))
            }
            Sequence::Enumerate(inner, index) => {
                let item = self.next_back(inner)?;
                let index = *index + inner.length()?;
                Some(self.numbered(index, item))
            }
            Sequence::Rev(inner) => self.next(inner),
            Sequence::Skip(inner, count) => match inner.length()? > *count {
                true => self.next_back(inner),
                false => None,
            },
            Sequence::Take(inner, count) => {
                let behind = inner.length()?.saturating_sub(*count);
                *count = count.checked_sub(1)?;
                self.nth_back(inner, behind)
            }
            Sequence::StepBy { inner, step, is_first } => {
                let behind = match (*is_first, inner.length()? % *step) {
                    (true, 0) => *step - 1,
                    (true, rest) => rest - 1,
                    (false, rest) => rest,
                };
                self.nth_back(inner, behind)
            }
            other => self.next_flat_back(other),
        }
    }

    /// The item at an index of what has no other iterator below it.
    fn item_at(&mut self, items: &Sequence, index: usize) -> Value {
        match items {
            Sequence::Elements { array, access, .. } => self.element_by(array, access, index),
            Sequence::Places { places, .. } => places[index].clone(),
            Sequence::Slices { array, size, step, .. } => self.window(array, index * step, *size),
            Sequence::Numbers(numbers) => self.number_at(numbers, index),
            _ => Value::Error,
        }
    }

    /// The last items of two iterators, of which the longer one is shortened first.
    fn last_pair(&mut self, both: &mut [Sequence; 2]) -> Option<Value> {
        let [first, second] = both;
        let (left, right) = (first.length()?, second.length()?);
        self.drop_back(first, left.saturating_sub(right));
        self.drop_back(second, right.saturating_sub(left));
        let pair = vec![self.next_back(first)?, self.next_back(second)?];
        Some(Value::Tuple(pair.into()))
    }

    /// The item behind the next `count`, which are dropped.
    fn nth(&mut self, items: &mut Sequence, count: usize) -> Option<Value> {
        for _ in 0..count {
            self.next(items)?;
        }
        self.next(items)
    }

    fn nth_back(&mut self, items: &mut Sequence, count: usize) -> Option<Value> {
        self.drop_back(items, count)?;
        self.next_back(items)
    }

    fn drop_back(&mut self, items: &mut Sequence, count: usize) -> Option<()> {
        (0..count).try_for_each(|_| self.next_back(items).map(drop))
    }

    fn next_flat(&mut self, items: &mut Sequence) -> Option<Value> {
        let Sequence::Flat { outer, callee, front, back } = items else { return None };
        loop {
            if let Some(item) = front.as_mut().and_then(|inner| self.next(inner)) {
                return Some(item);
            }
            *front = self.next(outer).and_then(|item| self.inner_items(callee.as_ref(), item));
            if front.is_none() {
                return back.as_mut().and_then(|inner| self.next(inner));
            }
        }
    }

    fn next_flat_back(&mut self, items: &mut Sequence) -> Option<Value> {
        let Sequence::Flat { outer, callee, front, back } = items else { return None };
        loop {
            if let Some(item) = back.as_mut().and_then(|inner| self.next_back(inner)) {
                return Some(item);
            }
            *back = self.next_back(outer).and_then(|item| self.inner_items(callee.as_ref(), item));
            if back.is_none() {
                return front.as_mut().and_then(|inner| self.next_back(inner));
            }
        }
    }

    /// The items that an item of a `flat_map` stands for.
    fn inner_items(&mut self, callee: Option<&Callee>, item: Value) -> Option<Box<Sequence>> {
        let value = match callee {
            Some(callee) => self.call_for(callee, item),
            None => item,
        };
        let is_error = value.is_error();
        let items = self.items_of(value);
        if items.is_none() && !is_error {
            self.refuse_item(callee, "the items of this are not known here, one by one");
        }
        items.map(Box::new)
    }

    /// Calls what is called for an item. What that calls is called now.
    fn call_for(&mut self, callee: &Callee, item: Value) -> Value {
        let value = self.invoke(callee, vec![item], Expected::Anything);
        self.evaluated(value)
    }

    /// Whether `filter` keeps an item.
    fn is_kept(&mut self, callee: &Callee, item: &Value) -> bool {
        let item = self.shared(item.clone());
        let condition = self.invoke(callee, vec![item], Expected::Anything);
        self.known_condition(&condition, callee)
    }

    /// An item with its index.
    fn numbered(&mut self, index: usize, item: Value) -> Value {
        let index = Value::Passive(self.usize(index));
        Value::Tuple(vec![index, item].into())
    }

    fn element_by(&mut self, array: &Value, access: &Access, index: usize) -> Value {
        match access {
            Access::Value => self.element_of(array, index),
            Access::Reference => {
                let element = self.element_of(array, index);
                self.shared(element)
            }
        }
    }

    fn window(&mut self, array: &Value, start: usize, size: usize) -> Value {
        let slice = self.slice(array, start, start + size);
        self.shared(slice)
    }
}
