//! Arrays of the generated code: what a loop carries, or reads, and chooses from by a run-time index, is kept in
//! an array. So an element is read and replaced as in the function, at a cost that does not grow with their number.
//!
//! An element is a value of the list as long as nothing replaces it. What is used after that is kept in a variable,
//! which is declared before it is replaced: an array that does not suit a loop makes its code longer, and nothing else.

pub mod access;
pub mod arms;
pub mod chosen;
pub mod loops;

use std::collections::{HashMap, HashSet};

use jacobian_core::block::Choice;
use jacobian_core::code_list::{Kind, ValueId};
use jacobian_lower::names::Names;
use proc_macro2::{Delimiter, Literal};

use self::chosen::{Cells, mapped};
use super::number::Position;
use super::writer::Writer;
use super::{Chunk, Emitter};

/// A variable that is an array of numbers.
#[derive(Clone)]
pub(super) struct Array {
    place: Writer,
    kind: Kind,
    /// What it holds, as values of this list.
    cells: Cells,
    /// Which of them have been replaced in this list: what they were may be unknown here, and used outside.
    replaced: Vec<bool>,
    /// Whether elements may be replaced.
    is_mutable: bool,
    /// Whether it has been declared as an array of these elements: else it is a parameter, which may have more of them,
    /// or be a reference or a vector.
    is_declared: bool,
}

/// What is used after elements are replaced.
#[derive(Copy, Clone)]
struct Kept<'k> {
    /// What is used after this position.
    after: usize,
    /// The statement for which they are replaced.
    at: usize,
    /// And these values.
    also: &'k [ValueId],
    /// The arrays whose elements are replaced.
    changing: &'k [usize],
}

/// How an arm or a body begins.
pub(super) struct Entry {
    arrays: Vec<Array>,
    /// By input: the array that its operand is an element of.
    located: Vec<Option<usize>>,
}

impl<'a> Emitter<'a> {
    /// The emitter of an inner list, which has the arrays of this one.
    pub(super) fn entering(mut self, entry: Entry) -> Self {
        for (input, located) in self.list.inputs().iter().zip(entry.located) {
            self.located[input.index()] = located;
        }
        self.arrays = entry.arrays;
        self
    }

    /// Whether the operand of a value is an element of an array, which may be replaced.
    pub(super) fn is_element(&self, id: ValueId) -> bool {
        self.located[id.index()].is_some()
    }

    /// Whether what is declared here may be in a block of its own.
    fn is_scoped(&self) -> bool {
        self.is_long || self.has_blocks
    }

    /// Writes `elements[3]`.
    fn element(&self, array: usize, cell: usize) -> Writer {
        let mut index = Writer::default();
        index.token(Literal::usize_unsuffixed(cell));
        self.chosen_element(array, &index)
    }

    /// Writes `elements[index]`.
    fn chosen_element(&self, array: usize, index: &Writer) -> Writer {
        let mut element = self.arrays[array].place.clone();
        element.append(index.clone().within(Delimiter::Bracket));
        element
    }

    /// Writes what is chosen.
    fn choice(&self, choice: Choice) -> Writer {
        match choice {
            Choice::Value(value) => self.alone(value),
            Choice::Constant(number) => self.number(number, Position::Alone),
        }
    }

    /// Notes that an element is this value now.
    fn hold(&mut self, array: usize, cell: usize, value: Option<ValueId>) {
        self.arrays[array].cells[cell] = value.map(Choice::Value);
        self.arrays[array].replaced[cell] = true;
        if let Some(value) = value {
            self.operands[value.index()] = self.element(array, cell);
            self.located[value.index()] = Some(array);
        }
    }

    /// Declares a variable for a value.
    pub(super) fn bind(&mut self, out: &mut Chunk, id: ValueId, value: Writer, names: &mut Names) {
        let name = self.name(id, names);
        out.statements.word("let").token(name.clone()).punct("=").append(value).punct(";");
        out.declared.push((self.last_uses[id.index()], name.clone()));
        self.operands[id.index()] = name.into();
        self.located[id.index()] = None;
    }

    /// Declares variables for the elements that a block is given more than once: in its lists, an element is one input.
    pub(super) fn separate(&mut self, out: &mut Chunk, args: &[ValueId], names: &mut Names) {
        let mut known = HashSet::new();
        for &arg in args {
            if !known.insert(arg) && self.is_element(arg) {
                let element = self.alone(arg);
                self.bind(out, arg, element, names);
            }
        }
    }

    /// Keeps what is used after these elements are replaced: in another array that holds it, or in a variable.
    fn keep(&mut self, out: &mut Chunk, array: usize, cells: &[usize], kept: Kept<'_>, names: &mut Names) {
        for &cell in cells {
            let Some(Choice::Value(value)) = self.arrays[array].cells[cell] else { continue };
            let last_use = self.last_uses[value.index()];
            if self.located[value.index()] != Some(array) || last_use <= kept.after && !kept.also.contains(&value) {
                continue;
            }
            let others = (0..self.arrays.len()).filter(|other| last_use <= kept.at && !kept.changing.contains(other));
            let held = others.filter_map(|other| Some((other, self.cell_of(other, value)?))).next();
            if let Some((other, cell)) = held {
                self.hold(other, cell, Some(value));
                continue;
            }
            let element = self.element(array, cell);
            self.bind(out, value, element, names);
        }
    }

    /// The element of an array that is this value.
    fn cell_of(&self, array: usize, value: ValueId) -> Option<usize> {
        self.arrays[array].cells.iter().position(|cell| *cell == Some(Choice::Value(value)))
    }

    /// Assigns the elements that are not what is wanted.
    fn fill(&mut self, out: &mut Chunk, array: usize, wanted: &Cells, kept: Kept<'_>, names: &mut Names) {
        let differs = |cell: &usize| wanted[*cell].is_some() && wanted[*cell] != self.arrays[array].cells[*cell];
        let cells: Vec<_> = (0..wanted.len()).filter(differs).collect();
        if cells.is_empty() {
            return;
        }
        let also: Vec<_> = kept.also.iter().copied().chain(wanted.iter().flatten().filter_map(Choice::value)).collect();
        self.keep(out, array, &cells, Kept { also: &also, ..kept }, names);
        for cell in cells {
            let place = self.element(array, cell);
            let value = wanted[cell].map(|choice| self.choice(choice)).unwrap_or_default();
            out.statements.append(place).punct("=").append(value).punct(";");
            self.arrays[array].cells[cell] = wanted[cell];
            self.arrays[array].replaced[cell] = true;
        }
    }

    /// Assigns the elements that are not what is wanted when an inner list ends.
    fn fill_at_end(&mut self, statements: &mut Writer, array: usize, wanted: &Cells, names: &mut Names) {
        let mut out = Chunk::default();
        let kept = Kept { after: usize::MAX - 1, at: 0, also: &[], changing: &[array] };
        self.fill(&mut out, array, wanted, kept, names);
        statements.append(out.statements);
    }

    /// How an inner list begins that has these inputs for values of this one.
    fn entry<'i>(&self, inputs: impl Iterator<Item = (&'i ValueId, &'i ValueId)>) -> Entry {
        let (mut inner, mut located) = (HashMap::new(), Vec::new());
        for (arg, input) in inputs {
            // Derivatives come first, which may be elements, too.
            inner.insert(*arg, *input);
            located.push(self.located[arg.index()]);
        }
        let array = |array: &Array| Array {
            cells: mapped(&array.cells, &inner),
            replaced: vec![false; array.cells.len()],
            ..array.clone()
        };
        Entry { arrays: self.arrays.iter().map(array).collect(), located }
    }
}
