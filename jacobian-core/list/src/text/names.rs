//! The names that values bear in texts.

use std::collections::{HashMap, HashSet};

use super::words::is_free_name;
use crate::catalogue::known;
use crate::code_list::{CodeList, Constant, Statement, ValueId};

/// A name for every value: its own where that is free, else one with its position; a constant's is its value, that of a
/// part without a name made of the name of its block.
pub fn unique_names(list: &CodeList) -> Vec<String> {
    let (constants, taken) = (constants(list), Taken::new(list));
    let mut names = Vec::with_capacity(list.statements().len());
    for id in list.ids() {
        names.push(match (constants[id.index()], list.statement(id), taken.own_name(list, id)) {
            (Some(constant), ..) => constant_text(constant),
            (_, Statement::Block(_), Some(name)) if !taken.has_part(name) => name.to_string(),
            (_, Statement::Block(_), _) => taken.free_name("b", id),
            (.., Some(name)) => name.to_string(),
            (_, Statement::Part { .. }, None) if !list.is_passive(id) || list.name(id).is_none() => {
                part_text(list, id, &names)
            }
            _ => taken.free_name("v", id),
        });
    }
    names
}

/// The names that values have of their own.
struct Taken<'a> {
    /// By name: the first value that has it.
    values: HashMap<&'a str, ValueId>,
    /// What precedes a point in a name.
    prefixes: HashSet<&'a str>,
}

impl<'a> Taken<'a> {
    fn new(list: &'a CodeList) -> Self {
        let mut taken = Taken { values: HashMap::new(), prefixes: HashSet::new() };
        for id in list.ids() {
            if let Some(name) = list.name(id).filter(|name| is_free_name(name)) {
                taken.values.entry(name).or_insert(id);
                taken.prefixes.extend(name.match_indices('.').map(|(place, _)| &name[..place]));
            }
        }
        taken
    }

    /// The name of a value, where it is the first that has it.
    fn own_name(&self, list: &'a CodeList, id: ValueId) -> Option<&'a str> {
        list.name(id).filter(|name| self.values.get(name) == Some(&id))
    }

    /// Whether some value has the name of a part of the block with this name.
    fn has_part(&self, name: &str) -> bool {
        self.prefixes.contains(name)
    }

    fn free_name(&self, letter: &str, id: ValueId) -> String {
        let mut name = format!("{letter}{}", id.index());
        while self.values.contains_key(name.as_str()) || self.has_part(&name) {
            name.push('_');
        }
        name
    }
}

/// The constants of a list, by position. A change of sign of a constant is one: no text tells it from the constant.
pub(super) fn constants(list: &CodeList) -> Vec<Option<Constant>> {
    let mut constants: Vec<Option<Constant>> = Vec::with_capacity(list.statements().len());
    for statement in list.statements() {
        constants.push(match statement {
            Statement::Constant(constant) => Some(*constant),
            Statement::Apply { intrinsic: known::NEG, args, .. } => {
                constants[args[0].index()].map(|constant| Constant::Float(-constant.as_float()))
            }
            _ => None,
        });
    }
    constants
}

/// The text of a constant.
pub fn constant_text(constant: Constant) -> String {
    match constant {
        Constant::Bool(value) => value.to_string(),
        Constant::Int(value) => value.to_string(),
        Constant::Float(value) if value.is_nan() => "NAN".into(),
        Constant::Float(f64::INFINITY) => "INFINITY".into(),
        Constant::Float(f64::NEG_INFINITY) => "-INFINITY".into(),
        Constant::Float(value) => format!("{value:?}"),
    }
}

/// The text of a part, made of the name of its block.
pub fn part_text(list: &CodeList, id: ValueId, names: &[String]) -> String {
    match list.statement(id) {
        Statement::Part { block, index } => format!("{}.{index}", names[block.index()]),
        other => unreachable!("{other:?} is no part"),
    }
}
