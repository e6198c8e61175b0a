//! The variables of a function, by their names.

use std::collections::HashMap;

use super::super::tree::Name;
use super::super::value::{Place, Value};

/// The variables that there are. One of the same name as an earlier one shadows it.
pub struct Variables<R> {
    /// By name, the latest at the end; none is there where a variable has no value yet.
    values: HashMap<Name, Vec<Option<Value<R>>>>,
    /// The names in the order of their declarations.
    declared: Vec<Name>,
}

impl<R> Default for Variables<R> {
    fn default() -> Self {
        Variables { values: HashMap::new(), declared: Vec::new() }
    }
}

impl<R: Copy> Variables<R> {
    /// Enters a scope, which [`Variables::leave`] leaves.
    pub fn enter(&self) -> usize {
        self.declared.len()
    }

    pub fn leave(&mut self, scope: usize) {
        for name in self.declared.drain(scope..) {
            self.values.get_mut(&name).map(Vec::pop);
        }
    }

    pub fn declare(&mut self, name: &Name, value: Option<Value<R>>) {
        self.values.entry(name.clone()).or_default().push(value);
        self.declared.push(name.clone());
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value<R>> {
        self.values.get(name)?.last()?.as_ref()
    }

    /// The variable that a name means.
    pub fn place(&self, name: &Name) -> Place {
        let number = self.values.get(name).map_or(0, Vec::len).checked_sub(1);
        let number = number.unwrap_or_else(|| panic!("`{name}` is no variable"));
        Place { name: name.clone(), number, steps: Vec::new() }
    }

    pub fn load(&self, place: &Place) -> Value<R> {
        let variable = self.values[&place.name][place.number].as_ref().expect("the variable has a value");
        place.steps.iter().fold(variable, |value, &step| &value.elements()[step]).clone()
    }

    pub fn store(&mut self, place: &Place, value: Value<R>) {
        let variable = self.values.get_mut(&place.name).map(|values| &mut values[place.number]);
        let variable = variable.expect("the variable is there");
        match place.steps.as_slice() {
            [] => *variable = Some(value),
            steps => *part(variable.as_mut().expect("the variable has a value"), steps) = value,
        }
    }

    /// The values of all variables that can be named.
    pub fn captured(&self) -> Vec<(Name, Value<R>)> {
        let latest = |(name, values): (&Name, &Vec<Option<Value<R>>>)| Some((name.clone(), values.last()?.clone()?));
        self.values.iter().filter_map(latest).collect()
    }
}

fn part<'v, R: Copy>(value: &'v mut Value<R>, steps: &[usize]) -> &'v mut Value<R> {
    match (steps, value) {
        ([], value) => value,
        ([first, rest @ ..], Value::Sequence(elements) | Value::Struct(_, elements)) => {
            part(&mut std::rc::Rc::make_mut(elements)[*first], rest)
        }
        ([_, rest @ ..], Value::Option(Some(value))) => part(std::rc::Rc::make_mut(value), rest),
        _ => panic!("an array or a tuple is expected"),
    }
}
