//! Iterators. What is iterated over does not change meanwhile, so that all items are known before the first is used; but
//! closures are called for an item when it is taken, and for one that is left out when the iterator goes past it.

use std::rc::Rc;

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::Value;
use super::{Exit, Interpreter, Outcome};

/// The items of an iterator, and those that it goes past after its last one.
pub struct Sequence<R> {
    pub items: Vec<Item<R>>,
    pub after: Vec<Item<R>>,
}

/// An item that has not been taken.
pub enum Item<R> {
    Value(Value<R>),
    Mapped(Box<Item<R>>, Rc<Closure>),
    /// One that is left out where the closure gives nothing.
    Filtered(Box<Item<R>>, Rc<Closure>),
    Pair(Box<[Item<R>; 2]>),
    /// One before which the iterator goes past others.
    After(Vec<Item<R>>, Box<Item<R>>),
}

impl<R: Number> Interpreter<'_, R> {
    /// The items of an iterator.
    pub(super) fn items(&mut self, items: &Items) -> Result<Sequence<R>, Exit<R>> {
        let values = match items {
            Items::Range(start, end, is_inclusive) => {
                let (Value::Integer(start), end) = (self.loaded(start)?, self.loaded(end)?.integer()) else {
                    panic!("an integer is expected")
                };
                let numbers = start.value..end + i128::from(*is_inclusive);
                numbers.map(|number| Value::integer_of(number, start.ty.clone())).collect()
            }
            Items::Elements(array, Access::Mutable | Access::MutablyBorrowed) => {
                let array = self.place(array)?;
                let length = self.variables.load(&array).elements().len();
                (0..length).map(|index| Value::Place(array.part(index))).collect()
            }
            Items::Elements(array, _) => match self.loaded(array)? {
                Value::Iterator(left) => left.iter().rev().cloned().collect(),
                array => array.elements().to_vec(),
            },
            Items::Windows(array, length) => {
                let (array, length) = (self.loaded(array)?, self.loaded(length)?.index());
                array.elements().windows(length).map(|window| Value::sequence(window.to_vec())).collect()
            }
            Items::Chunks(array, length) => {
                let (array, length) = (self.loaded(array)?, self.loaded(length)?.index());
                array.elements().chunks_exact(length).map(|chunk| Value::sequence(chunk.to_vec())).collect()
            }
            Items::Copied(items) => return self.items(items),
            // What is taken from the end calls nothing in programs.
            Items::Reversed(items) => {
                let mut values = self.values(items)?;
                values.reverse();
                values
            }
            Items::StepBy(items, step) => {
                let step = self.loaded(step)?.index();
                return Ok(self.items(items)?.stepping(0, step));
            }
            Items::Skip(items, count) => {
                let count = self.loaded(count)?.index();
                return Ok(self.items(items)?.stepping(count, 1));
            }
            Items::Take(items, count) => {
                let count = self.loaded(count)?.index();
                let Sequence { mut items, after } = self.items(items)?;
                let is_all = items.len() < count;
                items.truncate(count);
                return Ok(Sequence { items, after: if is_all { after } else { Vec::new() } });
            }
            Items::Enumerate(items) => {
                let Sequence { items, after } = self.items(items)?;
                let numbered = items.into_iter().enumerate();
                let pair = |(index, item)| Item::Pair(Box::new([Item::Value(Value::usize(index)), item]));
                return Ok(Sequence { items: numbered.map(pair).collect(), after });
            }
            Items::Zip(items, others) => {
                let (mut left, right) = (self.items(items)?, self.items(others)?);
                // The end of the second one is seen after an item of the first.
                let beyond: Vec<_> = left.items.drain(right.items.len().min(left.items.len())..).take(1).collect();
                let after =
                    if beyond.is_empty() { left.after } else { beyond.into_iter().chain(right.after).collect() };
                let pairs =
                    left.items.into_iter().zip(right.items).map(|(one, other)| Item::Pair(Box::new([one, other])));
                return Ok(Sequence { items: pairs.collect(), after });
            }
            Items::Map(items, closure) => {
                let Sequence { items, after } = self.items(items)?;
                let mapped = |item| Item::Mapped(Box::new(item), closure.clone());
                return Ok(Sequence { items: items.into_iter().map(mapped).collect(), after });
            }
            Items::FilterMap(items, closure) => {
                let Sequence { items, after } = self.items(items)?;
                let filtered = |item| Item::Filtered(Box::new(item), closure.clone());
                return Ok(Sequence { items: items.into_iter().map(filtered).collect(), after });
            }
        };
        Ok(Sequence { items: values.into_iter().map(Item::Value).collect(), after: Vec::new() })
    }

    /// Takes an item.
    pub(super) fn take_item(&mut self, item: Item<R>) -> Outcome<R> {
        Ok(match item {
            Item::Value(value) => value,
            Item::Mapped(item, closure) => {
                let item = self.take_item(*item)?;
                self.invoke(&closure, vec![item])?
            }
            Item::Filtered(..) => panic!("an iterator is around one that leaves items out"),
            Item::Pair(parts) => {
                let [one, other] = *parts;
                Value::sequence(vec![self.take_item(one)?, self.take_item(other)?])
            }
            Item::After(left_out, item) => {
                self.go_past(left_out)?;
                self.take_item(*item)?
            }
        })
    }

    /// Takes an item, which may be left out.
    fn take_kept(&mut self, item: Item<R>) -> Result<Option<Value<R>>, Exit<R>> {
        let Item::Filtered(item, closure) = item else { return self.take_item(item).map(Some) };
        let item = self.take_item(*item)?;
        match self.invoke(&closure, vec![item])? {
            Value::Option(value) => Ok(value.map(|value| (*value).clone())),
            _ => panic!("an option is expected"),
        }
    }

    /// Goes past items.
    pub(super) fn go_past(&mut self, items: Vec<Item<R>>) -> Result<(), Exit<R>> {
        items.into_iter().try_for_each(|item| self.take_item(item).map(drop))
    }

    /// The items of an iterator, all of which are taken.
    pub(super) fn values(&mut self, items: &Items) -> Result<Vec<Value<R>>, Exit<R>> {
        let Sequence { items, after } = self.items(items)?;
        let values = items.into_iter().map(|item| self.take_item(item)).collect::<Result<_, _>>()?;
        self.go_past(after)?;
        Ok(values)
    }

    /// What becomes of the items of an iterator. Sums of floats begin with -0.0, as those of the standard library do.
    pub(super) fn consume(&mut self, items: &Items, consumer: &Consumer) -> Outcome<R> {
        // The iterator is there before what a fold begins with.
        let Sequence { items, after } = self.items(items)?;
        let mut result = match consumer {
            Consumer::Sum => Value::Float(R::constant(-0.0)),
            Consumer::Product => Value::Float(R::constant(1.0)),
            Consumer::Fold(start, _) => self.expression(start)?,
            Consumer::Reduce(_) => Value::Option(None),
        };
        for item in items {
            let Some(item) = self.take_kept(item)? else { continue };
            result = match consumer {
                Consumer::Sum => self.operation(Operator::Add, &result, &item)?,
                Consumer::Product => self.operation(Operator::Mul, &result, &item)?,
                Consumer::Fold(_, closure) => self.invoke(closure, vec![result, item])?,
                Consumer::Reduce(closure) => {
                    let next = match result {
                        Value::Option(Some(before)) => self.invoke(closure, vec![(*before).clone(), item])?,
                        _ => item,
                    };
                    Value::Option(Some(Rc::new(next)))
                }
            };
        }
        self.go_past(after)?;
        Ok(result)
    }
}

impl<R> Sequence<R> {
    /// The items after the first `count`, and of those only every `step`th.
    fn stepping(self, count: usize, step: usize) -> Sequence<R> {
        let (mut items, mut left_out) = (Vec::new(), Vec::new());
        for (index, item) in self.items.into_iter().enumerate() {
            if index < count || !(index - count).is_multiple_of(step) {
                left_out.push(item);
                continue;
            }
            items.push(match left_out.is_empty() {
                true => item,
                false => Item::After(std::mem::take(&mut left_out), Box::new(item)),
            });
        }
        left_out.extend(self.after);
        Sequence { items, after: left_out }
    }
}
