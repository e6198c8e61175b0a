//! Methods that change how long a `Vec` is: of one that is read as an array, whose length is known.

use super::super::refuse;
use super::super::syntax::{Collections, Expr, Method};
use super::Lowering;
use super::control::Flow;
use super::value::Value;

/// These methods.
const METHODS: &[&str] =
    &["push", "pop", "extend", "extend_from_slice", "insert", "remove", "truncate", "clear", "resize"];

impl Lowering<'_> {
    /// Whether a call is one of such a method.
    pub(super) fn is_resizing(&self, call: &Method) -> bool {
        self.collections == Collections::Arrays
            && METHODS.iter().any(|name| call.name == name)
            && !self.is_keeping(&call.receiver)
    }

    /// Whether a place is in a variable in which a `Vec` stays what it is.
    pub(super) fn is_keeping(&self, place: &Expr) -> bool {
        place.root().is_some_and(|(id, _)| self.activation.body.keeping.contains(&id))
    }

    /// What is lowered as it is: what is given to such a variable.
    pub(super) fn keeping<T>(&mut self, is_kept: bool, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.collections;
        if is_kept {
            self.collections = Collections::Kept;
        }
        let value = lower(self);
        self.collections = outer;
        value
    }

    /// A call of such a method.
    pub(super) fn resize(&mut self, call: &Method) -> Flow {
        let place = self.place(&call.receiver)?;
        let args = self.in_order(None, &call.args)?;
        let array = self.read(&place);
        let Some(length) = self.length_of(&array) else { return self.refuse(&call.receiver, refuse::COLLECTION) };
        let mut elements: Vec<_> = (0..length).map(|index| self.element_of(&array, index)).collect();
        let at = |index: &Value| index.as_int().and_then(|at| usize::try_from(at).ok());
        let mut result = Value::unit();
        match (call.name.to_string().as_str(), &args[..]) {
            ("push", [value]) => elements.push(self.evaluated(value.clone())),
            ("pop", []) => {
                result = match elements.pop() {
                    Some(last) => self.there(last),
                    None => self.missing(),
                };
            }
            ("clear", []) => elements.clear(),
            ("extend" | "extend_from_slice", [items]) => self.extend(call, &mut elements, items)?,
            ("insert", [index, value]) if let Some(at) = at(index).filter(|at| *at <= length) => {
                self.is_index(index);
                elements.insert(at, self.evaluated(value.clone()));
            }
            ("remove", [index]) if let Some(at) = at(index).filter(|at| *at < length) => {
                self.is_index(index);
                result = elements.remove(at);
            }
            ("truncate", [count]) if let Some(count) = at(count) => {
                self.is_index(&args[0]);
                elements.truncate(count);
            }
            ("resize", [count, value]) if let Some(count) = at(count) => {
                self.is_index(&args[0]);
                self.takes(count)?;
                let value = self.evaluated(value.clone());
                elements.resize(count, value);
            }
            _ => return self.refuse(&call.name, refuse::RESIZED),
        }
        self.takes(elements.len())?;
        self.write(&place, Value::Array(elements.into()), &call.receiver)?;
        Ok(result)
    }

    /// `vec.extend(items)`: what is given by reference is copied, unless all elements are references.
    fn extend(&mut self, call: &Method, elements: &mut Vec<Value>, items: &Value) -> Flow<()> {
        let Some(items) = self.items_of(items.clone()) else {
            return self.refuse(&call.args[0], refuse::RESIZED);
        };
        let are_values = elements.iter().all(|element| !matches!(element, Value::Reference(_)));
        self.each_item(items, |_, item| {
            elements.push(match item {
                Value::Reference(target) if are_values => (*target).clone(),
                item => item,
            });
            Ok(())
        })
    }
}
