//! Iterators. All items are there before the first is used, as what programs iterate over does not change meanwhile.

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::{Place, Value};
use super::{Exit, Interpreter, Outcome};

impl<R: Number> Interpreter<'_, R> {
    /// The items of an iterator.
    pub(super) fn items(&mut self, items: &Items) -> Result<Vec<Value<R>>, Exit<R>> {
        Ok(match items {
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
                (0..length).map(|index| Value::Place(element(&array, index))).collect()
            }
            Items::Elements(array, _) => self.loaded(array)?.elements().to_vec(),
            Items::Windows(array, length) => {
                let (array, length) = (self.loaded(array)?, self.loaded(length)?.index());
                array.elements().windows(length).map(|window| Value::sequence(window.to_vec())).collect()
            }
            Items::Chunks(array, length) => {
                let (array, length) = (self.loaded(array)?, self.loaded(length)?.index());
                array.elements().chunks_exact(length).map(|chunk| Value::sequence(chunk.to_vec())).collect()
            }
            Items::Reversed(items) => self.items(items)?.into_iter().rev().collect(),
            Items::StepBy(items, step) => {
                let step = self.loaded(step)?.index();
                self.items(items)?.into_iter().step_by(step).collect()
            }
            Items::Skip(items, count) => {
                let count = self.loaded(count)?.index();
                self.items(items)?.into_iter().skip(count).collect()
            }
            Items::Take(items, count) => {
                let count = self.loaded(count)?.index();
                self.items(items)?.into_iter().take(count).collect()
            }
            Items::Enumerate(items) => {
                let numbered = self.items(items)?.into_iter().enumerate();
                numbered.map(|(index, item)| Value::sequence(vec![Value::usize(index), item])).collect()
            }
            Items::Zip(items, others) => {
                let (items, others) = (self.items(items)?, self.items(others)?);
                items.into_iter().zip(others).map(|(item, other)| Value::sequence(vec![item, other])).collect()
            }
            Items::Map(items, closure) => {
                let items = self.items(items)?;
                items.into_iter().map(|item| self.invoke(closure, vec![item])).collect::<Result<_, _>>()?
            }
        })
    }

    /// What becomes of the items of an iterator. Sums of floats begin with -0.0, as those of the standard library do.
    pub(super) fn consume(&mut self, items: &Items, consumer: &Consumer) -> Outcome<R> {
        let (mut result, operator) = match consumer {
            Consumer::Sum => (Value::Float(R::constant(-0.0)), Operator::Add),
            Consumer::Product => (Value::Float(R::constant(1.0)), Operator::Mul),
            Consumer::Fold(start, closure) => {
                let mut result = self.expression(start)?;
                for item in self.items(items)? {
                    result = self.invoke(closure, vec![result, item])?;
                }
                return Ok(result);
            }
        };
        for item in self.items(items)? {
            result = self.operation(operator, &result, &item)?;
        }
        Ok(result)
    }
}

/// The place of an element.
fn element(array: &Place, index: usize) -> Place {
    let mut place = array.clone();
    place.steps.push(index);
    place
}
