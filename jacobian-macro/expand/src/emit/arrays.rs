//! Arrays of the generated code: what a loop carries, or reads, and chooses from by an index of the run time, is kept in
//! an array. So an element is read and replaced as in the function, at a cost that does not grow with their number.
//!
//! An element is a value of the list as long as nothing replaces it. What is used after that is kept in a variable,
//! which is declared before it is replaced. So no use of an array can make the code wrong, but slower.

use std::collections::HashMap;

use jacobian_core::block::{Block, Choice};
use jacobian_core::code_list::{CodeList, Constant, Kind, ValueId};
use jacobian_lower::names::Names;
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use super::chosen::{Access, Cells, Group, Index, Selection, groups, mapped};
use super::number::Position;
use super::writer::Writer;
use super::{Chunk, Emitter, strike_out};

/// A variable that is an array of numbers.
#[derive(Clone)]
pub(super) struct Array {
    place: Writer,
    kind: Kind,
    /// What it holds, as values of this list.
    cells: Cells,
    /// Whether elements may be replaced.
    is_mutable: bool,
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
        if let Some(value) = value {
            self.operands[value.index()] = self.element(array, cell);
            self.located[value.index()] = Some(array);
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
            let name = self.name(value, names);
            out.statements.word("let").token(name.clone()).punct("=").append(self.element(array, cell)).punct(";");
            out.declared.push((last_use, name.clone()));
            self.operands[value.index()] = name.into();
            self.located[value.index()] = None;
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
        }
    }

    /// Assigns the elements that are not what is wanted when an inner list ends.
    fn fill_at_end(&mut self, statements: &mut Writer, array: usize, wanted: &Cells, names: &mut Names) {
        let mut out = Chunk::default();
        let kept = Kept { after: usize::MAX - 1, at: 0, also: &[], changing: &[array] };
        self.fill(&mut out, array, wanted, kept, names);
        statements.append(out.statements);
    }
}

// Selections.

/// What is left of a selection when what it reads from arrays has been written.
pub(super) struct Chosen {
    /// The parts that are written otherwise.
    pub(super) left: Vec<(u32, ValueId)>,
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
    pub(super) fn read_chosen(
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
        self.find_writes(&mut chosen, replaced);
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

    /// Declares a variable for a part.
    pub(super) fn bind(&mut self, out: &mut Chunk, part: ValueId, value: Writer, names: &mut Names) {
        let name = self.name(part, names);
        out.statements.word("let").token(name.clone()).punct("=").append(value).punct(";");
        out.declared.push((self.last_uses[part.index()], name.clone()));
        self.operands[part.index()] = name.into();
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

    /// Finds which arrays the replaced elements are in.
    fn find_writes(&self, chosen: &mut Chosen, replaced: Vec<Replaced>) {
        let mut writes: Vec<Write> = Vec::new();
        let mut unknown = Vec::new();
        for it in replaced {
            let is_there = |array: &Array| {
                array.is_mutable
                    && array.kind == self.list.kind(it.part)
                    && array.cells.get(it.cell) == Some(&Some(it.old))
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
                let array = &self.arrays[write.array];
                let is_like = array.kind == self.list.kind(it.part) && it.cell < array.cells.len();
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
    pub(super) fn write_chosen(&mut self, out: &mut Chunk, id: ValueId, chosen: Chosen, names: &mut Names) {
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

// Branches.

/// An arm that is being written.
pub(super) struct OpenArm<'a> {
    pub(super) emitter: Emitter<'a>,
    /// Its statements.
    pub(super) statements: Writer,
    /// Whether it never ends.
    pub(super) diverges: bool,
    /// What was in the arrays when it began.
    begun: Vec<Cells>,
}

impl<'a> OpenArm<'a> {
    /// Writes the statements of an arm.
    pub(super) fn new(mut emitter: Emitter<'a>, diverges: bool, names: &mut Names) -> Self {
        let begun = emitter.arrays.iter().map(|array| array.cells.clone()).collect();
        let statements = emitter.statements(names).tokens;
        OpenArm { emitter, statements, diverges, begun }
    }
}

impl<'a> Emitter<'a> {
    /// How an arm begins.
    pub(super) fn entry_of_arm(&self, block: &Block, list: &CodeList) -> Entry {
        self.entry(block.args.iter().zip(list.inputs()))
    }

    /// How an inner list begins that has these inputs for values of this one.
    fn entry<'i>(&self, inputs: impl Iterator<Item = (&'i ValueId, &'i ValueId)>) -> Entry {
        let (mut inner, mut located) = (HashMap::new(), Vec::new());
        for (arg, input) in inputs {
            inner.entry(*arg).or_insert(*input);
            located.push(self.located[arg.index()]);
        }
        let array = |array: &Array| Array { cells: mapped(&array.cells, &inner), ..array.clone() };
        Entry { arrays: self.arrays.iter().map(array).collect(), located }
    }

    /// Ends the arms of a branch: elements that any of them has replaced are results of the branch, as far as these are
    /// used, and all arms end alike. Returns the results that are elements.
    pub(super) fn end_arms(
        &mut self,
        out: &mut Chunk,
        id: ValueId,
        arms: &mut [OpenArm<'a>],
        live: &[(u32, ValueId)],
        names: &mut Names,
    ) -> Vec<ValueId> {
        let mut elements = Vec::new();
        for array in 0..self.arrays.len() {
            let mut replaced = Vec::new();
            for cell in 0..self.arrays[array].cells.len() {
                let is_replaced = |arm: &&OpenArm<'_>| {
                    !arm.diverges && arm.emitter.arrays[array].cells[cell] != arm.begun[array][cell]
                };
                let Some(arm) = arms.iter().find(is_replaced) else { continue };
                let now = arm.emitter.arrays[array].cells[cell].and_then(|choice| choice.value());
                let is_now = |(index, part): &&(u32, ValueId)| {
                    Some(arm.emitter.list.outputs()[*index as usize]) == now && !elements.contains(part)
                };
                let part = live.iter().find(is_now).copied();
                elements.extend(part.map(|(_, part)| part));
                replaced.push((cell, part));
            }
            if replaced.is_empty() {
                continue;
            }
            for OpenArm { emitter, statements, .. } in arms.iter_mut().filter(|arm| !arm.diverges) {
                let mut wanted = vec![None; self.arrays[array].cells.len()];
                for &(cell, part) in &replaced {
                    wanted[cell] = part.map(|(index, _)| Choice::Value(emitter.list.outputs()[index as usize]));
                }
                emitter.fill_at_end(statements, array, &wanted, names);
            }
            let cells: Vec<_> = replaced.iter().map(|(cell, _)| *cell).collect();
            self.keep(
                out,
                array,
                &cells,
                Kept { after: id.index(), at: id.index(), also: &[], changing: &[array] },
                names,
            );
            for (cell, part) in replaced {
                self.hold(array, cell, part.map(|(_, part)| part));
            }
        }
        elements
    }
}

// Loops.

/// The arrays of a loop.
pub(super) struct OfLoop {
    /// With the array of each.
    groups: Vec<(Group, usize)>,
    /// By input of the body that is an element: the array, and which one.
    elements: HashMap<ValueId, (usize, usize)>,
    /// By input that is carried: what the next iteration begins with.
    next: HashMap<ValueId, ValueId>,
    /// The declarations of arrays; with the name, where it is only read.
    declarations: Vec<(Option<Ident>, Writer)>,
    /// What is assigned before the loop.
    assignments: Writer,
    /// How many arrays there were before it.
    before: usize,
}

impl OfLoop {
    /// Whether an input is the same in all iterations.
    fn is_unchanged(&self, input: ValueId) -> bool {
        self.next.get(&input).is_none_or(|output| *output == input)
    }

    /// Writes what precedes the loop: arrays that are only read are declared if they are mentioned.
    pub(super) fn write(&mut self, out: &mut Writer, body: &Writer) {
        let mut written = vec![std::mem::take(&mut self.assignments)];
        for (name, declaration) in self.declarations.drain(..).rev() {
            let mut unused: Vec<_> = name.iter().map(Ident::to_string).collect();
            for tokens in written.iter().chain([body]) {
                strike_out(&mut tokens.tokens(), &mut unused);
            }
            if unused.is_empty() {
                written.push(declaration);
            }
        }
        for tokens in written.into_iter().rev() {
            out.append(tokens);
        }
    }
}

impl<'a> Emitter<'a> {
    /// Finds or declares the arrays of a loop.
    pub(super) fn begin_loop(&mut self, out: &mut Chunk, id: ValueId, names: &mut Names) -> OfLoop {
        let block = self.list.block_of(id);
        let (body, groups) = (&block.lists()[0], groups(block, self.written.code));
        let first = body.inputs().len() - block.results();
        let mut of_loop = OfLoop {
            groups: Vec::new(),
            elements: HashMap::new(),
            next: body.inputs()[first..].iter().copied().zip(body.outputs().iter().copied()).collect(),
            declarations: Vec::new(),
            assignments: Writer::default(),
            before: self.arrays.len(),
        };
        let outer: HashMap<_, _> = body.inputs().iter().copied().zip(block.args.iter().copied()).collect();
        let entries: Vec<_> = groups.iter().map(|group| mapped(&group.cells, &outer)).collect();
        let mut in_place: Vec<Option<usize>> = Vec::with_capacity(groups.len());
        for (group, entry) in groups.iter().zip(&entries) {
            let array = group.is_changed.then(|| self.array_to_change(group.kind(body), entry, &in_place)).flatten();
            in_place.push(array);
        }
        let changing: Vec<_> = in_place.iter().copied().flatten().collect();
        let mut assignments = Chunk::default();
        for ((group, entry), in_place) in groups.into_iter().zip(&entries).zip(in_place) {
            let is_there = |array: &usize| !changing.contains(array) && self.arrays[*array].cells == *entry;
            let there = (0..self.arrays.len()).find(is_there).filter(|_| !group.is_changed);
            let array = match in_place.or(there) {
                Some(array) => array,
                None => self.declare_array(&mut of_loop.declarations, body, &group, entry, names),
            };
            for (cell, choice) in group.cells.iter().enumerate().filter(|_| group.is_changed) {
                let input = choice.and_then(|choice| choice.value()).filter(|input| !of_loop.is_unchanged(*input));
                of_loop.elements.extend(input.map(|input| (input, (array, cell))));
            }
            of_loop.groups.push((group, array));
        }
        for (entry, (_, array)) in
            entries.iter().zip(&of_loop.groups).filter(|(_, (_, array))| changing.contains(array))
        {
            let kept = Kept { after: id.index() - 1, at: id.index(), also: &[], changing: &changing };
            self.fill(&mut assignments, *array, entry, kept, names);
        }
        let inputs = body.inputs().iter().zip(&block.args);
        let read: Vec<_> = inputs.filter(|(input, _)| of_loop.is_unchanged(**input)).map(|(_, arg)| *arg).collect();
        for &array in &changing {
            let cells: Vec<_> = (0..self.arrays[array].cells.len()).collect();
            let kept = Kept { after: id.index(), at: id.index(), also: &read, changing: &changing };
            self.keep(&mut assignments, array, &cells, kept, names);
        }
        of_loop.assignments = assignments.statements;
        out.declared.append(&mut assignments.declared);
        of_loop
    }

    /// The array whose elements are those that a loop begins with, or most of them.
    fn array_to_change(&self, kind: Kind, entry: &Cells, taken: &[Option<usize>]) -> Option<usize> {
        let is_like = |(number, array): &(usize, &Array)| {
            let is_free = array.is_mutable && !taken.contains(&Some(*number));
            is_free && array.kind == kind && array.cells.len() == entry.len()
        };
        let same =
            |array: &Array| array.cells.iter().zip(entry).filter(|(one, other)| one.is_some() && one == other).count();
        let all = self.arrays.iter().enumerate().filter(is_like);
        let (number, array) = all.max_by_key(|(_, array)| same(array))?;
        (2 * same(array) >= entry.len()).then_some(number)
    }

    /// Declares an array of a loop.
    fn declare_array(
        &mut self,
        declarations: &mut Vec<(Option<Ident>, Writer)>,
        body: &CodeList,
        group: &Group,
        entry: &Cells,
        names: &mut Names,
    ) -> usize {
        let (kind, number) = (group.kind(body), self.arrays.len());
        let array = |place| Array { place, kind, cells: entry.clone(), is_mutable: group.is_changed };
        // What nothing asks for before it is assigned may be any number.
        let any = Choice::Constant(match kind {
            Kind::Int => Constant::Int(0),
            Kind::Bool => Constant::Bool(false),
            Kind::Float | Kind::Opaque => Constant::Float(0.0),
        });
        let values: Vec<_> = entry.iter().map(|cell| self.choice(cell.unwrap_or(any))).collect();
        // What is an element of an array of ours may be replaced there.
        let is_own = entry.iter().flatten().filter_map(Choice::value).any(|value| self.is_element(value));
        if let Some(place) = common_place(&values).filter(|_| !group.is_changed && !is_own) {
            self.arrays.push(array(place));
            return number;
        }
        let name = names.like(&group.name(body));
        let same = self.arrays.iter().find(|array| array.kind == kind && array.cells == *entry);
        let (ty, length) = (self.type_of(kind), Literal::usize_unsuffixed(entry.len()));
        let constant = |cell: &Option<Choice>| match cell.unwrap_or(any) {
            Choice::Value(value) => self.list.as_constant(value),
            Choice::Constant(number) => Some(number),
        };
        let first = constant(&entry[0]).map(Constant::key);
        let value = match same {
            _ if first.is_some() && entry.iter().all(|cell| constant(cell).map(Constant::key) == first) => {
                let first = values[0].clone().into_stream();
                quote_spanned!(Span::mixed_site()=> [#first; #length]).into()
            }
            Some(same) if !entry.iter().all(|cell| constant(cell).is_some()) => same.place.clone(),
            _ => Writer::list(values).within(Delimiter::Bracket),
        };
        let mut declaration = Writer::default();
        declaration.word("let");
        if group.is_changed {
            declaration.word("mut");
        }
        declaration.token(name.clone()).punct(":").stream(quote_spanned!(Span::mixed_site()=> [#ty; #length]));
        declaration.punct("=").append(value).punct(";");
        declarations.push(((!group.is_changed).then(|| name.clone()), declaration));
        self.arrays.push(array(name.into()));
        number
    }

    /// How the body begins. It may replace elements of what the loop changes only.
    pub(super) fn entry_of_body(&self, block: &Block, body: &CodeList, of_loop: &OfLoop) -> Entry {
        let inputs = block.args.iter().zip(body.inputs());
        let mut entry = self.entry(inputs.clone().filter(|(_, input)| of_loop.is_unchanged(**input)));
        let located = |(arg, input): (&ValueId, &ValueId)| match of_loop.elements.get(input) {
            Some((array, _)) => Some(*array),
            None => self.located[arg.index()].filter(|_| of_loop.is_unchanged(*input)),
        };
        entry.located = inputs.map(located).collect();
        entry.arrays.iter_mut().for_each(|array| array.is_mutable = false);
        for (group, array) in of_loop.groups.iter().filter(|(group, _)| group.is_changed) {
            let array = &mut entry.arrays[*array];
            array.cells.clone_from(&group.cells);
            array.is_mutable = true;
        }
        entry
    }

    /// How an input of the body is written that is an element.
    pub(super) fn carried_element(&self, of_loop: &OfLoop, input: ValueId) -> Option<Writer> {
        of_loop.elements.get(&input).map(|(array, cell)| self.element(*array, *cell))
    }

    /// Assigns the elements that an iteration has left otherwise than the next one begins with.
    pub(super) fn end_iteration(&mut self, statements: &mut Writer, of_loop: &OfLoop, names: &mut Names) {
        let next = |choice: Choice| match choice {
            Choice::Value(input) => Choice::Value(of_loop.next.get(&input).copied().unwrap_or(input)),
            Choice::Constant(_) => choice,
        };
        for (group, array) in of_loop.groups.iter().filter(|(group, _)| group.is_changed) {
            let wanted = group.cells.iter().map(|cell| cell.map(next)).collect();
            self.fill_at_end(statements, *array, &wanted, names);
        }
    }

    /// Notes what the arrays of a loop are after it.
    pub(super) fn end_loop(&mut self, out: &mut Chunk, id: ValueId, of_loop: &OfLoop, live: &[(u32, ValueId)]) {
        let block = self.list.block_of(id);
        let own = &block.lists()[0].inputs()[block.args.len() - block.results()..];
        let parts: HashMap<_, _> = live.iter().map(|(index, part)| (own[*index as usize], *part)).collect();
        for (group, array) in of_loop.groups.iter().filter(|(group, _)| group.is_changed) {
            let (mut last_use, is_new) = (id.index(), *array >= of_loop.before);
            for (cell, choice) in group.cells.iter().enumerate() {
                let input = choice.and_then(|choice| choice.value());
                if choice.is_some() && input.is_none_or(|input| of_loop.is_unchanged(input)) {
                    continue;
                }
                let part = input.and_then(|input| parts.get(&input)).copied();
                self.hold(*array, cell, part);
                last_use = part.map_or(last_use, |part| last_use.max(self.last_uses[part.index()]));
            }
            if is_new {
                let name = self.arrays[*array].place.tokens().next();
                if let Some(TokenTree::Ident(name)) = name {
                    out.declared.push((last_use, name));
                }
                self.arrays[*array].is_mutable = !self.is_scoped();
            }
        }
        // What is only read is declared for the loop alone.
        for (_, array) in of_loop.groups.iter().filter(|(group, array)| !group.is_changed && *array >= of_loop.before) {
            self.arrays[*array].cells.fill(None);
        }
    }
}

/// The array whose elements these are, one after the other: `x` of `x[0]`, `x[1]`, and so on.
fn common_place(values: &[Writer]) -> Option<Writer> {
    let mut place = None;
    for (index, value) in values.iter().enumerate() {
        let mut tokens: Vec<_> = value.tokens().collect();
        let Some(TokenTree::Group(last)) = tokens.pop() else { return None };
        let is_index = last.delimiter() == Delimiter::Bracket && last.stream().to_string() == index.to_string();
        let own: TokenStream = tokens.into_iter().collect();
        let is_same = place.as_ref().is_none_or(|(_, text)| *text == own.to_string());
        if own.is_empty() || !is_index || !is_same {
            return None;
        }
        place = Some((own.clone(), own.to_string()));
    }
    place.map(|(place, _)| place.into())
}
