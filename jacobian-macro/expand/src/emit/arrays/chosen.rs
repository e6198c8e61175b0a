//! What is chosen by a run-time index, and which arrays a loop is asked for by that.

use std::collections::{HashMap, HashSet};

use jacobian_core::block::{Block, Body, Choice};
use jacobian_core::code_list::{CodeList, Constant, Kind, Statement, ValueId};
use jacobian_lower::{Branch, Code, Head, Written};
use proc_macro2::TokenStream;

/// The fewest elements that are kept in an array: with fewer, the compiler computes all of them without a jump.
const FEWEST: usize = 4;

/// Elements in the order of the index; none for what is not known.
pub type Cells = Vec<Option<Choice>>;

/// A branch that computes nothing, whose arms are numbered by an index.
pub struct Selection<'a> {
    pub index: Index<'a>,
    /// By part, by arm.
    pub choices: Vec<Vec<Choice>>,
}

/// What holds an index.
pub enum Index<'a> {
    /// A variable of the generated code.
    Variable(&'a TokenStream),
    /// An integer of the list.
    Value(ValueId),
}

/// What a part of a selection is.
pub enum Access {
    /// The element that is chosen from these.
    Read(Cells),
    /// The element `cell` after the one that is chosen has been replaced by `new`; before that it is `old`.
    Write { cell: usize, old: Choice, new: Choice },
    /// The number of the arm.
    Number,
    /// Something else.
    Other,
}

impl<'a> Selection<'a> {
    /// The selection that the statement `id` runs, if it runs one.
    pub fn at(list: &CodeList, id: ValueId, code: &'a Code) -> Option<Self> {
        let block = list.block_of(id);
        let Body::Branch { selector, arms, .. } = &block.body else { return None };
        if arms.len() < FEWEST {
            return None;
        }
        let index = match code.at(block.origin) {
            Written::Branch(Branch { head: Head::Index(variable), .. }) => Index::Variable(variable),
            Written::Branch(Branch { head: Head::Number, .. }) if list.kind(*selector) == Kind::Int => {
                Index::Value(*selector)
            }
            _ => return None,
        };
        Some(Selection { index, choices: block.choices()? })
    }

    /// How many arms there are.
    pub fn arms(&self) -> usize {
        self.choices.first().map_or(0, Vec::len)
    }

    /// What a part is.
    pub fn access(&self, part: usize) -> Access {
        let choices = &self.choices[part];
        let is_number = |(arm, choice): (usize, &Choice)| matches!(choice, Choice::Constant(Constant::Int(number)) if usize::try_from(*number) == Ok(arm));
        if choices.iter().enumerate().all(is_number) {
            return Access::Number;
        }
        let (usual, others) = usual(choices);
        match others.as_slice() {
            [] => Access::Other,
            [cell] => Access::Write { cell: *cell, old: choices[usual], new: choices[*cell] },
            _ if choices.iter().all(|choice| choice.value().is_none()) => Access::Other,
            _ => Access::Read(choices.iter().copied().map(Some).collect()),
        }
    }
}

impl Selection<'_> {
    /// What it chooses from: the elements that are read, and those of which one is replaced.
    fn demands(&self, demands: &mut Vec<Demand>) {
        let mut replaced: Vec<(Choice, Cells)> = Vec::new();
        for part in 0..self.choices.len() {
            match self.access(part) {
                Access::Read(cells) => demands.push(Demand { cells, is_read: true }),
                Access::Write { cell, old, new } => {
                    let is_same = |(other, cells): &&mut (Choice, Cells)| *other == new && cells[cell].is_none();
                    match replaced.iter_mut().find(is_same) {
                        Some((_, cells)) => cells[cell] = Some(old),
                        None => {
                            let mut cells = vec![None; self.choices[part].len()];
                            cells[cell] = Some(old);
                            replaced.push((new, cells));
                        }
                    }
                }
                Access::Number | Access::Other => {}
            }
        }
        demands.extend(replaced.into_iter().map(|(_, cells)| Demand { cells, is_read: false }));
    }
}

/// An arm that gives what most arms give, if there are such, and the arms that give something else.
pub fn usual(by_arm: &[Choice]) -> (usize, Vec<usize>) {
    // What most arms give is what is left when each cancels one that gives something else.
    let (mut usual, mut lead) = (0, 0);
    for (arm, choice) in by_arm.iter().enumerate() {
        match *choice == by_arm[usual] {
            true => lead += 1,
            false if lead == 0 => (usual, lead) = (arm, 1),
            false => lead -= 1,
        }
    }
    (usual, (0..by_arm.len()).filter(|&arm| by_arm[arm] != by_arm[usual]).collect())
}

/// An array that the body of a loop is asked for.
pub struct Group {
    /// Its elements when an iteration begins, as inputs of the body.
    pub cells: Cells,
    /// Whether the loop changes any of them.
    pub is_changed: bool,
}

impl Group {
    /// What kind of values its elements are.
    pub fn kind(&self, body: &CodeList) -> Kind {
        let first = self.cells.iter().flatten().find_map(Choice::value);
        first.map_or(Kind::Float, |value| body.kind(value))
    }

    /// The name of its elements, without their numbers.
    pub fn name<'l>(&self, body: &'l CodeList) -> &'l str {
        let mut name = self.cells.iter().flatten().find_map(|choice| body.name(choice.value()?)).unwrap_or("elements");
        while let Some((stem, number)) = name.rsplit_once('_')
            && !stem.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            name = stem;
        }
        name
    }
}

/// The arrays that the body of a loop is asked for. No element that the loop changes is in two of them.
pub fn groups(block: &Block, code: &Code) -> Vec<Group> {
    let Body::Loop { body, carried, .. } = &block.body else { return Vec::new() };
    let first = body.inputs().len() - carried;
    let changed: HashSet<_> = body.inputs()[first..]
        .iter()
        .zip(body.outputs())
        .filter(|(input, output)| input != output)
        .map(|(input, _)| *input)
        .collect();
    let inputs: HashMap<_, _> = body.inputs().iter().map(|input| (*input, *input)).collect();
    let mut all: Vec<Demand> = Vec::new();
    for demand in demands(body, code) {
        let demand = demand.mapped(&inputs);
        match all.iter_mut().find(|other| other.shares(&demand)) {
            Some(group) => {
                group.is_read |= demand.is_read && demand.cells.iter().all(Option::is_some);
                for (own, cell) in group.cells.iter_mut().zip(demand.cells) {
                    *own = own.or(cell);
                }
            }
            None if 2 * demand.values().count() >= demand.cells.len() => {
                let is_read = demand.is_read && demand.cells.iter().all(Option::is_some);
                all.push(Demand { is_read, ..demand });
            }
            None => {}
        }
    }
    let mut taken = HashSet::new();
    let mut groups = Vec::new();
    for demand in all {
        let is_changed = demand.values().any(|value| changed.contains(&value));
        let is_free = |value: ValueId| !changed.contains(&value) || taken.insert(value);
        if if is_changed { demand.values().all(is_free) } else { demand.is_read } {
            groups.push(Group { cells: demand.cells, is_changed });
        }
    }
    groups
}

/// What a selection chooses from.
struct Demand {
    cells: Cells,
    /// Whether an element is read.
    is_read: bool,
}

impl Demand {
    fn values(&self) -> impl Iterator<Item = ValueId> {
        self.cells.iter().flatten().filter_map(Choice::value)
    }

    /// Whether a value is the same element of both.
    fn shares(&self, other: &Demand) -> bool {
        let is_same = |(one, other): (&Option<Choice>, &Option<Choice>)| {
            one == other && one.is_some_and(|choice| choice.value().is_some())
        };
        self.cells.len() == other.cells.len() && self.cells.iter().zip(&other.cells).any(is_same)
    }

    fn mapped(self, values: &HashMap<ValueId, ValueId>) -> Self {
        Demand { cells: mapped(&self.cells, values), ..self }
    }
}

/// What is chosen from in a list, in order, as far as these are its values: also in arms and bodies.
fn demands(list: &CodeList, code: &Code) -> Vec<Demand> {
    let mut demands = Vec::new();
    for id in list.ids().filter(|id| matches!(list.statement(*id), Statement::Block(_))) {
        if let Some(selection) = Selection::at(list, id, code) {
            selection.demands(&mut demands);
            continue;
        }
        let block = list.block_of(id);
        for inner in block.lists() {
            let outer = inner.inputs().iter().copied().zip(block.args.iter().copied()).collect();
            demands.extend(self::demands(inner, code).into_iter().map(|demand| demand.mapped(&outer)));
        }
    }
    demands
}

/// The same elements as values of another list, as far as they are there; constants are the same in both.
pub fn mapped(cells: &Cells, values: &HashMap<ValueId, ValueId>) -> Cells {
    let other = |choice: Choice| match choice {
        Choice::Value(value) => values.get(&value).copied().map(Choice::Value),
        Choice::Constant(_) => Some(choice),
    };
    cells.iter().map(|cell| cell.and_then(other)).collect()
}
