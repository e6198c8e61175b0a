//! The arrays of a loop: those that are there when it begins and that it may change in place, and those that are
//! declared for it.

use std::collections::HashMap;

use jacobian_core::block::{Block, Choice};
use jacobian_core::code_list::{CodeList, Constant, Kind, ValueId};
use jacobian_lower::names::Names;
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use super::super::writer::Writer;
use super::super::{Chunk, Emitter, strike_out};
use super::chosen::{Cells, Group, groups, mapped};
use super::{Array, Entry, Kept};

/// The arrays of a loop.
pub struct OfLoop {
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
    pub fn write(&mut self, out: &mut Writer, body: &Writer) {
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
    pub fn begin_loop(&mut self, out: &mut Chunk, id: ValueId, names: &mut Names) -> OfLoop {
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
        let array = |place, is_declared| {
            let is_mutable = group.is_changed;
            Array { place, kind, cells: entry.clone(), replaced: vec![false; entry.len()], is_mutable, is_declared }
        };
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
            self.arrays.push(array(place, false));
            return number;
        }
        let name = names.like(group.name(body));
        let is_same = |array: &&Array| array.is_declared && array.kind == kind && array.cells == *entry;
        let same = self.arrays.iter().find(is_same);
        let (ty, length) = (self.type_of(kind), Literal::usize_unsuffixed(entry.len()));
        let choice = |cell: &Option<Choice>| match cell.unwrap_or(any) {
            Choice::Value(value) => self.list.as_constant(value).map_or(Choice::Value(value), Choice::Constant),
            number => number,
        };
        let choices: Vec<_> = entry.iter().map(choice).collect();
        let value = match same {
            _ if choices.iter().all(|choice| *choice == choices[0]) => {
                let first = values[0].clone().into_stream();
                quote_spanned!(Span::mixed_site()=> [#first; #length]).into()
            }
            Some(same) if choices.iter().any(|choice| choice.value().is_some()) => same.place.clone(),
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
        self.arrays.push(array(name.into(), true));
        number
    }

    /// How the body begins. It may replace elements of what the loop changes only.
    pub fn entry_of_body(&self, block: &Block, body: &CodeList, of_loop: &OfLoop) -> Entry {
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
    pub fn carried_element(&self, of_loop: &OfLoop, input: ValueId) -> Option<Writer> {
        of_loop.elements.get(&input).map(|(array, cell)| self.element(*array, *cell))
    }

    /// Assigns the elements that an iteration has left otherwise than the next one begins with.
    pub fn end_iteration(&mut self, statements: &mut Writer, of_loop: &OfLoop, names: &mut Names) {
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
    pub fn end_loop(&mut self, out: &mut Chunk, id: ValueId, of_loop: &OfLoop, live: &[(u32, ValueId)]) {
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
