//! Elements of arrays that are chosen by a run-time index: they are read, or replaced.

use jacobian_core::block::Choice;
use jacobian_core::code_list::{Kind, ValueId};
use jacobian_lower::names::Names;
use proc_macro2::Span;
use quote::quote_spanned;

use super::super::writer::Writer;
use super::super::{Chunk, Emitter};
use super::chosen::{Access, Cells, Index, Selection};
use super::{Array, Kept};

/// What is left of a selection when what it reads from arrays has been written.
pub struct Chosen {
    /// The parts that are written otherwise.
    pub left: Vec<(u32, ValueId)>,
    writes: Vec<Write>,
    index: Writer,
}

/// The element of an array that is chosen is replaced.
struct Write {
    array: usize,
    new: Choice,
    /// By element that is a result: the part, and what it was before.
    parts: Vec<(usize, ValueId, Choice)>,
}

impl Emitter<'_> {
    /// Reads what this selection chooses from arrays.
    pub fn read_chosen(
        &mut self,
        out: &mut Chunk,
        id: ValueId,
        selection: &Selection<'_>,
        live: Vec<(u32, ValueId)>,
        names: &mut Names,
    ) -> Chosen {
        let index = match selection.index {
            Index::Variable(variable) => variable.clone().into(),
            Index::Value(value) => {
                let value = self.alone(value).into_stream();
                quote_spanned!(Span::mixed_site()=> #value as ::core::primitive::usize).into()
            }
        };
        let mut chosen = Chosen { left: Vec::new(), writes: Vec::new(), index };
        if self.arrays.is_empty() {
            chosen.left = live;
            return chosen;
        }
        let (mut numbers, mut replaced) = (Vec::new(), Vec::new());
        for (index, part) in live {
            match selection.access(index as usize) {
                Access::Read(cells) => match self.array_of(part, &cells) {
                    Some(array) => {
                        let kept = Kept { after: id.index() - 1, at: id.index(), also: &[], changing: &[array] };
                        self.fill(out, array, &cells, kept, names);
                        let value = self.chosen_element(array, &chosen.index);
                        self.bind(out, part, value, names);
                    }
                    None => chosen.left.push((index, part)),
                },
                Access::Write { cell, old, new } => replaced.push(Replaced { index, part, cell, old, new }),
                Access::Number if matches!(selection.index, Index::Variable(_)) => numbers.push((index, part)),
                Access::Number | Access::Other => chosen.left.push((index, part)),
            }
        }
        self.find_writes(&mut chosen, replaced, selection.arms());
        if chosen.left.is_empty() {
            for (_, part) in numbers {
                let mut value = chosen.index.clone();
                value.word("as").stream(self.type_of(Kind::Int));
                self.bind(out, part, value, names);
            }
        } else {
            chosen.left.extend(numbers);
        }
        chosen
    }

    /// The array that holds these elements, or one in which few are to be assigned for that.
    fn array_of(&self, part: ValueId, cells: &Cells) -> Option<usize> {
        let is_like = |array: &Array| array.kind == self.list.kind(part) && array.cells.len() == cells.len();
        let differing = |array: &Array| array.cells.iter().zip(cells).filter(|(one, other)| one != other).count();
        let all = self.arrays.iter().enumerate().filter(|(_, array)| is_like(array));
        let (number, array) = all.min_by_key(|(_, array)| differing(array))?;
        let is_near = |array: &Array| array.is_mutable && 4 * differing(array) <= cells.len();
        (differing(array) == 0 || is_near(array)).then_some(number)
    }

    /// Finds which arrays the replaced elements are in, for an index of this many values.
    fn find_writes(&self, chosen: &mut Chosen, replaced: Vec<Replaced>, count: usize) {
        let mut writes: Vec<Write> = Vec::new();
        let mut unknown = Vec::new();
        for it in replaced {
            // A number may be in any array.
            let is_there = |array: &Array| {
                it.old.value().is_some()
                    && array.is_mutable
                    && array.kind == self.list.kind(it.part)
                    && array.cells.len() == count
                    && array.cells[it.cell] == Some(it.old)
            };
            let is_own =
                |write: &&mut Write| write.new == it.new && is_there(&self.arrays[write.array]) && write.lacks(it.cell);
            if let Some(write) = writes.iter_mut().find(is_own) {
                write.parts.push((it.cell, it.part, it.old));
                continue;
            }
            let is_free = |array: &usize| writes.iter().all(|write| write.array != *array);
            match (0..self.arrays.len()).filter(is_free).find(|array| is_there(&self.arrays[*array])) {
                Some(array) => writes.push(Write { array, new: it.new, parts: vec![(it.cell, it.part, it.old)] }),
                None => unknown.push(it),
            }
        }
        for it in unknown {
            let is_own = |write: &&mut Write| {
                let is_like = self.arrays[write.array].kind == self.list.kind(it.part);
                is_like && write.new == it.new && write.lacks(it.cell)
            };
            match writes.iter_mut().find(is_own) {
                Some(write) => write.parts.push((it.cell, it.part, it.old)),
                None => chosen.left.push((it.index, it.part)),
            }
        }
        chosen.writes = writes;
    }

    /// Replaces what is chosen, when all that reads the elements before has been written.
    pub fn write_chosen(&mut self, out: &mut Chunk, id: ValueId, chosen: Chosen, names: &mut Names) {
        let changing: Vec<_> = chosen.writes.iter().map(|write| write.array).collect();
        let news: Vec<_> = chosen.writes.iter().filter_map(|write| write.new.value()).collect();
        // What is replaced first may be what another array is assigned.
        let also: &[ValueId] = if news.len() > 1 { &news } else { &[] };
        for Write { array, parts, .. } in &chosen.writes {
            let mut wanted = vec![None; self.arrays[*array].cells.len()];
            parts.iter().for_each(|(cell, _, old)| wanted[*cell] = Some(*old));
            self.fill(
                out,
                *array,
                &wanted,
                Kept { after: id.index() - 1, at: id.index(), also: &news, changing: &changing },
                names,
            );
        }
        for Write { array, new, parts } in chosen.writes {
            let cells: Vec<_> = (0..self.arrays[array].cells.len()).collect();
            self.keep(out, array, &cells, Kept { after: id.index(), at: id.index(), also, changing: &changing }, names);
            let (place, new) = (self.chosen_element(array, &chosen.index), self.choice(new));
            out.statements.append(place).punct("=").append(new).punct(";");
            for cell in cells {
                let part = parts.iter().find(|(own, ..)| *own == cell).map(|(_, part, _)| *part);
                self.hold(array, cell, part);
            }
        }
    }
}

/// A part of a selection that is an element after one has been replaced.
struct Replaced {
    index: u32,
    part: ValueId,
    cell: usize,
    old: Choice,
    new: Choice,
}

impl Write {
    /// Whether no part is this element.
    fn lacks(&self, cell: usize) -> bool {
        self.parts.iter().all(|(own, ..)| *own != cell)
    }
}
