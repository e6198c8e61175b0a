//! A code list in the making: the function's, or that of an arm of a branch.

use std::collections::{HashMap, HashSet};

use jacobian_list::CodeList;
use jacobian_list::block::{Block, Body};
use jacobian_list::code_list::{Constant, Kind, Precision, ValueId};

use proc_macro2::{Ident, TokenStream};

use super::super::super::syntax::{Place, Placed};
use super::super::bindings::Binding;
use super::super::value::{has_index, has_macro};
use super::code::Line;

/// A code list in the making.
pub struct Frame {
    /// Its statements.
    pub list: CodeList,
    /// The numbers that are captured already, by their tokens. All variables are assigned once, so that equal tokens
    /// have equal values, unless they call something.
    captured: HashMap<(Kind, String), ValueId>,
    constants: HashMap<(Kind, u64), ValueId>,
    /// The variables that hold the numbers which active values are.
    copies: HashMap<ValueId, Ident>,
    /// The variables that passive statements and branches have declared here.
    variables: HashMap<String, ValueId>,
    /// The number of statements of the user that run in between: passive ones, branches and calls.
    lines: usize,
    /// The number of those of them that may do more than to give a value.
    effects: usize,
    /// How many of the effects are none of the user's.
    excused: usize,
    /// The number of them, and of passive operands, that index something, those in arms included.
    indices: usize,
    /// The number of statements of the lists of arms.
    in_arms: usize,
    /// The number of statements that may turn out to be dead, or are results of others.
    uncounted: usize,
    /// The results of blocks that are in the list.
    parts: HashMap<(ValueId, usize), ValueId>,
    /// The input that stands for a value of the frame around this one.
    imported: HashMap<ValueId, ValueId>,
    /// The values of the frame around this one that the inputs stand for.
    pub arguments: Vec<ValueId>,
    /// The number of frames around it.
    level: usize,
    /// The variables from outside that have been assigned here, with what they were before, by their number.
    pub saved: HashMap<usize, Binding>,
    /// The blocks of the user that are open here.
    blocks: Vec<UserBlock>,
    /// Where its statements are from: each place with how many there were at its end.
    pub places: Vec<(usize, Place)>,
}

/// A block of the user that is open.
#[derive(Default)]
struct UserBlock {
    /// The statement that begins it, if it may have to be written.
    beginning: Option<ValueId>,
    /// The variables in it which may do something when they are dropped.
    held: Vec<String>,
    /// The variables of the user that have got a variable of the generated code in it.
    homes: Vec<usize>,
}

/// A place in a list that is kept free for a statement that declares one variable.
#[derive(Copy, Clone)]
pub struct Reserved(ValueId);

/// What is counted of the lists of arms.
#[derive(Default)]
pub struct Counts {
    /// The statements that are there to stay.
    statements: usize,
    /// The statements and passive operands that index something.
    indices: usize,
    /// The other statements that may do more than to give a value.
    effects: usize,
    /// How many of both are none of the user's.
    excused: usize,
}

impl Counts {
    /// Both together.
    pub fn and(self, other: Counts) -> Counts {
        Counts {
            statements: self.statements + other.statements,
            indices: self.indices + other.indices,
            effects: self.effects + other.effects,
            excused: self.excused + other.excused,
        }
    }
}

impl Frame {
    /// An empty frame, with this number of frames around it.
    pub fn new(precision: Precision, level: usize) -> Self {
        Frame {
            list: CodeList::new(precision),
            captured: HashMap::new(),
            constants: HashMap::new(),
            copies: HashMap::new(),
            variables: HashMap::new(),
            lines: 0,
            effects: 0,
            excused: 0,
            indices: 0,
            in_arms: 0,
            uncounted: 0,
            parts: HashMap::new(),
            imported: HashMap::new(),
            arguments: Vec::new(),
            level,
            saved: HashMap::new(),
            blocks: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Ends the statement of the user at `place`.
    pub fn end_user_statement(&mut self, place: &dyn Placed) {
        self.list.end_user_statement();
        self.note_place(place);
    }

    /// Says that what has been added since the last such call is from `place`.
    pub fn note_place(&mut self, place: &dyn Placed) {
        let end = self.list.statements().len();
        if self.places.last().is_none_or(|(last, _)| *last < end) {
            self.places.push((end, place.place()));
        }
    }

    /// A constant of the list.
    pub fn constant(&mut self, constant: Constant) -> ValueId {
        let list = &mut self.list;
        *self.constants.entry(constant.key()).or_insert_with(|| list.constant(constant))
    }

    /// The result of a block with this number.
    pub fn part(&mut self, block: ValueId, index: usize) -> ValueId {
        let list = &mut self.list;
        *self.parts.entry((block, index)).or_insert_with(|| list.part(block, index))
    }

    /// The input that stands for a value of the frame around this one, of this kind and name.
    pub fn import(&mut self, value: ValueId, kind: Kind, name: &str) -> ValueId {
        let (list, arguments) = (&mut self.list, &mut self.arguments);
        *self.imported.entry(value).or_insert_with(|| {
            arguments.push(value);
            list.input_of_kind(kind, name)
        })
    }

    /// The input for a value of the frame around this one; none where it is not used here.
    pub fn input_for(&self, value: ValueId) -> Option<ValueId> {
        self.imported.get(&value).copied()
    }

    /// The value of the variable that has been declared here with this name.
    pub fn variable(&self, name: &str) -> Option<ValueId> {
        self.variables.get(name).copied()
    }

    /// Says that a value is that of the variable with this name.
    pub fn declare(&mut self, name: String, value: ValueId) {
        self.list.set_name(value, &name);
        self.variables.insert(name, value);
    }

    /// Adds a passive statement that reads these values and declares variables of these kinds. After a call, what could
    /// be read before may have changed.
    pub fn line(&mut self, line: &Line, holds: bool, args: Vec<ValueId>, gives: Vec<Kind>, origin: u32) {
        self.runs(line, holds);
        let is_dropped = usize::from(line.is_optional());
        self.uncounted += is_dropped + gives.iter().filter(|kind| **kind == Kind::Opaque).count();
        let block = Block { args, body: Body::Opaque { gives }, is_kept: !line.is_optional(), origin };
        let block = self.list.block(block);
        for (index, name) in line.names().iter().enumerate() {
            let part = self.list.part(block, index);
            self.declare(name.to_string(), part);
        }
    }

    /// The variable that holds the number which a value is, if there is one.
    pub fn copy(&self, value: ValueId) -> Option<Ident> {
        self.copies.get(&value).cloned()
    }

    /// Adds a variable that holds the number which a value is.
    pub fn add_copy(&mut self, value: ValueId, name: &Ident, origin: u32) {
        self.lines += 1;
        self.uncounted += 2;
        let body = Body::Opaque { gives: vec![Kind::Opaque] };
        let block = self.list.block(Block { args: vec![value], body, is_kept: false, origin });
        let part = self.list.part(block, 0);
        self.declare(name.to_string(), part);
        self.copies.insert(value, name.clone());
    }

    /// Enters a block of the user.
    pub fn enter(&mut self) {
        self.blocks.push(UserBlock::default());
    }

    /// Whether a statement that declares what may do something when it is dropped is in a block that has no
    /// beginning so far. The outermost block is written in any case, as an arm or as the body.
    pub fn lacks_beginning(&self) -> bool {
        let block = self.blocks.last().filter(|_| self.blocks.len() > 1);
        block.is_some_and(|block| block.beginning.is_none())
    }

    /// Adds the beginning of the innermost block, which is written if it is kept.
    pub fn begin(&mut self, origin: u32) {
        let beginning = self.mark(origin);
        if let Some(block) = self.blocks.last_mut() {
            block.beginning = Some(beginning);
        }
    }

    /// Notes that a variable of the user has got a variable of the generated code, which statements change where it is.
    pub fn give_home(&mut self, number: usize) {
        if let Some(block) = self.blocks.last_mut() {
            block.homes.push(number);
        }
    }

    /// Whether a variable in an open block may do something when it is dropped that is not among these `numbers`.
    pub fn holds(&self, numbers: &HashSet<String>) -> bool {
        self.blocks.iter().flat_map(|block| &block.held).any(|variable| !numbers.contains(variable))
    }

    /// Leaves the innermost block. If it is to be written, for some of its variables may do something when they are dropped
    /// that are not among these `numbers`: these variables, and those of the user whose variables in the generated code
    /// end with it.
    pub fn leave(&mut self, numbers: &HashSet<String>) -> Option<(Vec<String>, Vec<usize>)> {
        let UserBlock { beginning, mut held, homes } = self.blocks.pop()?;
        held.retain(|variable| !numbers.contains(variable));
        match beginning.filter(|_| !held.is_empty()) {
            Some(beginning) => {
                self.list.block_mut(beginning).is_kept = true;
                Some((held, homes))
            }
            None => {
                self.blocks.last_mut().into_iter().for_each(|around| around.homes.extend(&homes));
                None
            }
        }
    }

    /// Forgets a variable that is dropped: what is called alike later is another one.
    pub fn forget(&mut self, name: &str) {
        self.variables.remove(name);
    }

    /// Adds the end of a block that is written.
    pub fn end(&mut self, origin: u32) {
        let end = self.mark(origin);
        self.list.block_mut(end).is_kept = true;
    }

    fn mark(&mut self, origin: u32) -> ValueId {
        self.uncounted += 1;
        let body = Body::Opaque { gives: Vec::new() };
        self.list.block(Block { args: Vec::new(), body, is_kept: false, origin })
    }

    /// Notes that a statement of the user runs here.
    fn runs(&mut self, line: &Line, holds: bool) {
        self.lines += 1;
        self.effects += usize::from(line.has_effect() || has_macro(line.tokens().clone()));
        self.note_indices(line.tokens());
        if line.has_call() {
            self.captured.clear();
        }
        if let Some(block) = self.blocks.last_mut().filter(|_| holds) {
            block.held.extend(line.names().iter().map(ToString::to_string));
        }
    }

    /// Notes whether passive tokens that run here index something.
    pub fn note_indices(&mut self, tokens: &TokenStream) {
        self.indices += usize::from(has_index(tokens.clone()));
    }

    /// A passive expression that is no statement: it is written where its value is used.
    pub fn operand(&mut self, kind: Kind, name: &str, args: Vec<ValueId>, is_kept: bool, origin: u32) -> ValueId {
        self.uncounted += 1;
        self.effects += usize::from(is_kept);
        let body = Body::Opaque { gives: vec![kind] };
        let block = self.list.block(Block { args, body, is_kept, origin });
        let id = self.list.part(block, 0);
        self.list.set_name(id, name);
        id
    }

    /// Keeps a place free for a statement, which may be needed here and reads `args` then.
    pub fn reserve(&mut self, args: Vec<ValueId>, origin: u32) -> Reserved {
        self.uncounted += 2;
        let body = Body::Opaque { gives: vec![Kind::Opaque] };
        let block = self.list.block(Block { args, body, is_kept: false, origin });
        self.list.part(block, 0);
        Reserved(block)
    }

    /// The origin of the statement for which a place is free.
    pub fn origin(&self, place: Reserved) -> u32 {
        self.list.block_of(place.0).origin
    }

    /// Puts the declaration of a variable where a place is free for it.
    pub fn fill(&mut self, place: Reserved, line: &Line, holds: bool) {
        self.runs(line, holds);
        self.list.block_mut(place.0).is_kept = !line.is_optional();
        let part = ValueId::new(place.0.index() + 1);
        line.names().iter().for_each(|name| self.declare(name.to_string(), part));
    }

    /// The number of passive statements, branches and calls so far.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// The number of statements so far that may do more than to give a value, as far as is seen: what they call may do
    /// something, what they assign is another after them, and an index may panic.
    pub fn effects(&self) -> usize {
        self.effects + self.saved.len() + self.indices - self.excused
    }

    /// Notes that what has been added since there were `before` effects does nothing that the user would see: it chooses
    /// elements by an index that is within the bounds.
    pub fn excuse(&mut self, before: usize) {
        self.excused += self.effects() - before;
    }

    /// The number of statements so far that are there to stay, those in arms included.
    pub fn length(&self) -> usize {
        self.list.statements().len() + self.in_arms - self.uncounted
    }

    /// What the list of an arm adds to the counts of the frame around it.
    pub fn counts(&self) -> Counts {
        let effects = self.effects + self.saved.len();
        Counts { statements: self.length(), indices: self.indices, effects, excused: self.excused }
    }

    /// Adds a branch, a loop or a call, the lists in which have these counts together.
    pub fn block(&mut self, block: Block, counts: Counts) -> ValueId {
        self.captured.clear();
        self.lines += 1;
        self.effects += usize::from(block.is_kept) + counts.effects;
        self.in_arms += counts.statements;
        self.indices += counts.indices;
        self.excused += counts.excused;
        self.list.block(block)
    }

    /// The value of the list that these passive tokens are, if they are captured already.
    pub fn captured(&self, kind: Kind, tokens: &str) -> Option<ValueId> {
        self.captured.get(&(kind, tokens.to_string())).copied()
    }

    /// Notes that a number which the user wrote as `source` is a value of the list.
    pub fn capture(&mut self, kind: Kind, source: String, value: ValueId) {
        self.captured.insert((kind, source), value);
    }

    /// Keeps what the variable with this number was before, if it is one from outside.
    pub fn save(&mut self, variable: usize, binding: &Binding) {
        if binding.level < self.level {
            self.saved.entry(variable).or_insert_with(|| binding.clone());
        }
    }
}
