//! The code list: the one intermediate representation of the crate.
//!
//! A code list is a sequence of statements in single-assignment form. The function, its local partials and the
//! accumulated Jacobian are statements of the same list, so that numbering, folding, dead-code removal, printing and
//! evaluation exist once, and the derivative of a code list is a code list again.
//!
//! What has several results, a branch or a call, and what the front end alone knows, is a statement that runs a
//! [block](crate::block); each result is a statement after it.
//!
//! Invariant: an argument of a statement comes before it.

use std::sync::Arc;

use crate::catalogue::Intrinsic;
pub use crate::value::{BlockId, Constant, EntryId, Kind, NotationId, PRECISIONS, Precision, ValueId};

/// What a statement runs that has several results.
#[derive(Clone, Debug)]
pub struct Block {
    /// The values that the block reads, in the order of the inputs of its arms or of the parameters of the function.
    pub args: Vec<ValueId>,
    /// What runs.
    pub body: Body,
    /// Whether it stays although no output needs it: it has effects of its own, or may panic. A branch has the effects
    /// of its arms, a loop those of its body.
    pub is_kept: bool,
    /// The front end's number for the way in which the user wrote it.
    pub origin: u32,
}

/// What a block runs.
#[derive(Clone, Debug)]
pub enum Body {
    /// Exactly one of several arms.
    Branch {
        /// A truth value, then there are two arms and the first one runs where it holds; or an integer, the number of
        /// the arm, the last one for all numbers that no other has.
        selector: ValueId,
        /// Each has an input for every argument of the block, and an output for every result.
        arms: Vec<Arc<CodeList>>,
        /// The number of results.
        results: usize,
    },
    /// Iterations, one after the other, that carry some values along.
    Loop {
        /// An integer, the number of the iterations, or what the front end knows to decide on it. Without it, the body
        /// does.
        iterations: Option<ValueId>,
        /// An iteration. It has an input for every argument of the block, and an output for every value that is
        /// carried. If it has one more, that is a truth value: whether another iteration follows.
        body: Arc<CodeList>,
        /// How many arguments, the last ones, are the first values of what is carried. The last values are the results;
        /// the arguments before them are the same in each iteration.
        carried: usize,
    },
    /// A function whose derivatives are known to the front end. What it is differentiated by and its results are floats.
    Call {
        /// The number of results of the function.
        results: usize,
        /// How many arguments, the first ones, are those of the function. What follows them is passive, and is
        /// only read.
        columns: usize,
        /// Up to which order derivatives are results of the block, too, at most 2. From order 1 on the partials are
        /// after the results of the function, row by row: with `n` columns, that of the result `r` with respect to the
        /// argument `c` is the part `results + r * n + c`. After these are, of order 2, the second partials, of each
        /// result the lower triangle row by row.
        order: u8,
        /// What is known of its partials.
        local: Local,
    },
    /// What depends on no active value, written as the front end knows by the origin.
    Opaque {
        /// The kinds of the results.
        gives: Vec<Kind>,
    },
}

/// Columns, ascending, each with a number if that is known.
pub type KnownRow = Vec<(usize, Option<f64>)>;

/// What is known of the partials of a function that is called.
#[derive(Clone, Debug, Default)]
pub enum Local {
    /// Nothing: each of them is a part of the call of one order more.
    #[default]
    Unknown,
    /// Which of them there are, by result: the columns of those that are not zero by structure, ascending, each with the
    /// number that it always is, if it is one. The others are parts.
    Entries(Arc<[KnownRow]>),
    /// What they are, row by row: the outputs of a list, whose inputs are the columns of the call, its results, and then
    /// the last of its other arguments. No block in it is kept. The call itself has no higher order.
    Rule(Arc<CodeList>),
    /// That nothing asks for them: the call is in the partials of the highest order that is wanted.
    Unwanted,
}

/// The most arguments an intrinsic has.
pub const MAX_ARITY: usize = 4;

/// The arguments of a statement, in order.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Args {
    length: u8,
    ids: [ValueId; MAX_ARITY],
}

impl Args {
    /// The arguments in `ids`, at most [`MAX_ARITY`].
    pub fn new(ids: &[ValueId]) -> Self {
        let mut args = Args { length: ids.len() as u8, ids: [ValueId::default(); MAX_ARITY] };
        args.ids[..ids.len()].copy_from_slice(ids);
        args
    }
}

impl std::ops::Deref for Args {
    type Target = [ValueId];

    fn deref(&self) -> &[ValueId] {
        &self.ids[..usize::from(self.length)]
    }
}

impl std::fmt::Debug for Args {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

/// One statement of a code list.
#[derive(Copy, Clone, Debug)]
pub enum Statement {
    /// An argument of the code list. It is differentiated with respect to those that are floats.
    Input(Kind),
    /// A number that is known now.
    Constant(Constant),
    /// The application of an intrinsic.
    Apply {
        /// The row of the catalogue.
        intrinsic: Intrinsic,
        /// How the user wrote it.
        notation: NotationId,
        /// Its arguments.
        args: Args,
    },
    /// Runs a block. It has no value of its own: its results are its parts.
    Block(BlockId),
    /// A result of a block.
    Part {
        /// The [`Statement::Block`] that runs it.
        block: ValueId,
        /// Which of its results.
        index: u32,
    },
}

impl Statement {
    /// The statement with other values in it; those that a block reads are in its list's table.
    pub fn map_args(mut self, new: impl Fn(ValueId) -> ValueId) -> Statement {
        match &mut self {
            Statement::Apply { args, .. } => {
                for id in &mut args.ids[..usize::from(args.length)] {
                    *id = new(*id);
                }
            }
            Statement::Part { block, .. } => *block = new(*block),
            Statement::Input(_) | Statement::Constant(_) | Statement::Block(_) => {}
        }
        self
    }
}

/// A sequence of statements in single-assignment form, with its independents and dependents.
#[derive(Clone, Debug, Default)]
pub struct CodeList {
    precision: Precision,
    statements: Vec<Statement>,
    names: Vec<Option<Arc<str>>>,
    /// By statement: the accumulated entry that it helps to compute; 0 for what computes none.
    entries: Vec<u32>,
    /// The entry that the statements added next help to compute, and how many there are.
    entry: u32,
    entry_count: u32,
    blocks: Vec<Block>,
    inputs: Vec<ValueId>,
    outputs: Vec<ValueId>,
    /// How many statements there were at the end of each statement of the user.
    ends: Vec<u32>,
    /// Of a list without dead code: by input, whether some output needs it. Whatever changes the list forgets it.
    used_inputs: Option<Vec<bool>>,
}

impl CodeList {
    /// An empty list.
    pub fn new(precision: Precision) -> Self {
        CodeList { precision, ..CodeList::default() }
    }

    /// Adds a statement. Its arguments must be in the list, as many as its intrinsic takes.
    pub fn push(&mut self, statement: Statement) -> ValueId {
        let id = ValueId::new(self.statements.len());
        self.used_inputs = None;
        if let Statement::Input(_) = statement {
            self.inputs.push(id);
        }
        self.statements.push(statement);
        self.names.push(None);
        self.entries.push(self.entry);
        debug_assert!(self.args(id).all(|arg| arg < id));
        id
    }

    /// Adds an independent. The columns of the Jacobian are in the order of these calls.
    pub fn input(&mut self, name: &str) -> ValueId {
        self.input_of_kind(Kind::Float, name)
    }

    /// Adds an input of any kind: an arm of a branch may take integers and truth values, too.
    pub fn input_of_kind(&mut self, kind: Kind, name: &str) -> ValueId {
        let id = self.push(Statement::Input(kind));
        self.set_name(id, name);
        id
    }

    /// Adds a passive value: the one result of an opaque statement that reads nothing.
    pub fn passive(&mut self, kind: Kind, name: &str, origin: u32) -> ValueId {
        let body = Body::Opaque { gives: vec![kind] };
        let block = self.block(Block { args: Vec::new(), body, is_kept: false, origin });
        let id = self.part(block, 0);
        self.set_name(id, name);
        id
    }

    /// Adds a constant; a float is rounded to the list's precision.
    pub fn constant(&mut self, constant: Constant) -> ValueId {
        let constant = match constant {
            Constant::Float(value) => Constant::Float(self.round(value)),
            other => other,
        };
        self.push(Statement::Constant(constant))
    }

    /// Adds the application of `intrinsic`.
    pub fn apply(&mut self, intrinsic: Intrinsic, notation: NotationId, args: &[ValueId]) -> ValueId {
        debug_assert_eq!(args.len(), intrinsic.row().arity());
        self.push(Statement::Apply { intrinsic, notation, args: Args::new(args) })
    }

    /// Adds the statement that runs `block`. What a list in it keeps, keeps the block.
    pub fn block(&mut self, mut block: Block) -> ValueId {
        debug_assert_eq!(block.problem(self), None);
        block.is_kept |= block.lists().iter().any(|list| list.ids().any(|id| list.has_effect(id)));
        let id = BlockId::new(self.blocks.len());
        self.blocks.push(block);
        self.push(Statement::Block(id))
    }

    /// The list, of which nothing is kept that no output needs, but operations that may panic.
    pub fn without_effects(&self) -> CodeList {
        let mut list = self.clone();
        list.used_inputs = None;
        for block in &mut list.blocks {
            block.is_kept = false;
            for inner in block.lists_mut() {
                *inner = Arc::new(inner.without_effects());
            }
        }
        list
    }

    /// Adds a result of the block that the statement `block` runs.
    pub fn part(&mut self, block: ValueId, index: usize) -> ValueId {
        debug_assert!(index < self.block_of(block).results(), "the block has no result {index}");
        self.push(Statement::Part { block, index: index as u32 })
    }

    /// The list with other inputs, before all other statements: of these kinds and names, each in the place of one
    /// of its own, all of which must occur, or of none.
    pub fn with_inputs<'n>(&self, inputs: impl IntoIterator<Item = (Kind, &'n str, Option<ValueId>)>) -> CodeList {
        let mut list = CodeList::new(self.precision);
        let mut moved = vec![ValueId::new(0); self.statements.len()];
        for (kind, name, old) in inputs {
            let new = list.input_of_kind(kind, name);
            if let Some(old) = old {
                moved[old.index()] = new;
            }
        }
        let mut ends = self.ends.iter().peekable();
        for id in self.ids() {
            if ends.next_if(|&&end| end as usize == id.index()).is_some() {
                list.end_user_statement();
            }
            if !matches!(self.statement(id), Statement::Input(_)) {
                moved[id.index()] = list.push_from(self, id, &moved);
            }
        }
        if ends.next().is_some() {
            list.end_user_statement();
        }
        list.outputs = self.outputs.iter().map(|id| moved[id.index()]).collect();
        list
    }

    /// The list with all of its statements in this order, in which each comes after what it reads.
    pub fn in_order(&self, order: &[ValueId]) -> CodeList {
        let mut list = CodeList::new(self.precision);
        let mut moved = vec![ValueId::new(0); self.statements.len()];
        for &id in order {
            moved[id.index()] = list.push_from(self, id, &moved);
        }
        list.outputs = self.outputs.iter().map(|id| moved[id.index()]).collect();
        list
    }

    /// Adds a statement of another list, with its name and entry, where `moved` has by value of that list what it is here.
    pub fn push_from(&mut self, other: &CodeList, id: ValueId, moved: &[ValueId]) -> ValueId {
        let moved = |arg: ValueId| moved[arg.index()];
        let new = match other.statement(id) {
            Statement::Block(_) => self.block(other.block_of(id).clone().map_args(moved)),
            statement => self.push(statement.map_args(moved)),
        };
        self.copy_marks(new, other, id);
        new
    }

    /// Declares a dependent at this place among the others.
    pub fn insert_output(&mut self, place: usize, id: ValueId) {
        self.used_inputs = None;
        self.outputs.insert(place, id);
    }

    /// Declares the next dependent. A value may be declared several times.
    pub fn output(&mut self, id: ValueId) {
        self.used_inputs = None;
        self.outputs.push(id);
    }

    /// Removes the statements from `length` on, and declares no dependents any more.
    pub fn truncate(&mut self, length: usize) {
        let is_block = |statement: &&Statement| matches!(statement, Statement::Block(_));
        self.used_inputs = None;
        self.blocks.truncate(self.blocks.len() - self.statements[length..].iter().filter(is_block).count());
        self.statements.truncate(length);
        self.names.truncate(length);
        self.entries.truncate(length);
        self.inputs.retain(|id| id.index() < length);
        self.outputs.clear();
        self.ends.retain(|&end| end as usize <= length);
    }

    /// Says that the statements since the last such call are one statement of the user.
    pub fn end_user_statement(&mut self) {
        let end = self.statements.len() as u32;
        if self.ends.last().copied().unwrap_or_default() < end {
            self.ends.push(end);
        }
    }

    /// The number of the user's statement that `id` belongs to; where none has been declared, its own.
    pub fn user_statement(&self, id: ValueId) -> usize {
        match self.ends.is_empty() {
            true => id.index(),
            false => self.ends.partition_point(|&end| end as usize <= id.index()),
        }
    }

    /// How many statements there were at the end of each statement of the user.
    pub fn user_statement_ends(&self) -> &[u32] {
        &self.ends
    }

    /// `value` in the list's precision.
    pub fn round(&self, value: f64) -> f64 {
        match self.precision {
            Precision::F32 => f64::from(value as f32),
            Precision::F64 | Precision::Generic => value,
        }
    }

    /// Whether `value` is not rounded in the list's precision, whatever that will be.
    pub fn is_exact(&self, value: f64) -> bool {
        self.precision == Precision::F64 || f64::from(value as f32) == value
    }

    /// The type of the floats.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// All statements, in order.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The statement that computes `id`.
    #[inline(always)]
    pub fn statement(&self, id: ValueId) -> &Statement {
        &self.statements[id.index()]
    }

    /// The block that the statement `id` runs.
    ///
    /// # Panics
    /// Where it is another statement.
    pub fn block_of(&self, id: ValueId) -> &Block {
        &self.blocks[self.block_id(id).index()]
    }

    /// The block that the statement `id` runs, to change it.
    ///
    /// # Panics
    /// Where it is another statement.
    pub fn block_mut(&mut self, id: ValueId) -> &mut Block {
        self.used_inputs = None;
        let block = self.block_id(id);
        &mut self.blocks[block.index()]
    }

    /// Of a list that is known to have no dead code: by input, whether some output needs it.
    pub fn used_inputs(&self) -> Option<&[bool]> {
        self.used_inputs.as_deref()
    }

    /// Says that the list has no dead code, and which inputs some output needs.
    pub fn set_used_inputs(&mut self, used: Vec<bool>) {
        self.used_inputs = Some(used);
    }

    /// The place in the table of the block that the statement `id` runs.
    pub fn block_id(&self, id: ValueId) -> BlockId {
        match *self.statement(id) {
            Statement::Block(block) => block,
            other => panic!("{other:?} runs no block"),
        }
    }

    /// The blocks, in the order of their statements.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The list and those of all arms and bodies of loops in it, each after the list that it is in.
    pub fn with_inner(&self) -> Vec<&CodeList> {
        let (mut lists, mut next) = (vec![self], 0);
        while let Some(list) = lists.get(next).copied() {
            lists.extend(list.blocks().iter().flat_map(|block| block.lists()).map(|inner| &**inner));
            next += 1;
        }
        lists
    }

    /// By value: how often it is used, by statements and as an output.
    pub fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.statements().len()];
        for value in self.ids().flat_map(|id| self.args(id)).chain(self.outputs().iter().copied()) {
            uses[value.index()] += 1;
        }
        uses
    }

    /// All values that a statement reads: its arguments, those of its block and what decides on it, or the block of
    /// which it is a part.
    pub fn args(&self, id: ValueId) -> Reads<'_> {
        let (ids, end, decider): (&[ValueId], _, _) = match self.statement(id) {
            Statement::Input(_) | Statement::Constant(_) => (&[], 0, None),
            Statement::Apply { args, .. } => (&args.ids, args.length as usize, None),
            Statement::Block(_) => {
                let block = self.block_of(id);
                (&block.args, block.args.len(), block.decider())
            }
            Statement::Part { block, .. } => (std::slice::from_ref(block), 1, None),
        };
        Reads { ids, next: 0, end, decider }
    }

    /// What kind of value a statement gives.
    ///
    /// # Panics
    /// Where it is a [`Statement::Block`], which has no value.
    pub fn kind(&self, id: ValueId) -> Kind {
        match *self.statement(id) {
            Statement::Input(kind) => kind,
            Statement::Constant(constant) => constant.kind(),
            Statement::Apply { intrinsic, .. } => intrinsic.row().gives,
            Statement::Part { block, index } => self.block_of(block).kind(index as usize),
            Statement::Block(_) => panic!("a block has no value"),
        }
    }

    /// Whether the value is a result of an opaque statement.
    pub fn is_passive(&self, id: ValueId) -> bool {
        match *self.statement(id) {
            Statement::Part { block, .. } => self.block_of(block).is_opaque(),
            _ => false,
        }
    }

    /// Whether a statement runs although no output needs it: a block that is kept, and an operation that may panic.
    pub fn has_effect(&self, id: ValueId) -> bool {
        match self.statement(id) {
            Statement::Block(_) => self.block_of(id).is_kept,
            Statement::Apply { intrinsic, .. } => intrinsic.row().may_panic(),
            Statement::Input(_) | Statement::Constant(_) | Statement::Part { .. } => false,
        }
    }

    /// Whether the statement runs a block with code lists in it.
    pub fn has_lists(&self, id: ValueId) -> bool {
        matches!(self.statement(id), Statement::Block(_)) && !self.block_of(id).lists().is_empty()
    }

    /// Whether the statement keeps its place among others of the kind.
    pub fn keeps_its_place(&self, id: ValueId) -> bool {
        matches!(self.statement(id), Statement::Block(_)) || self.has_effect(id)
    }

    /// Whether the list has no branches, no loops and no calls.
    pub fn is_straight(&self) -> bool {
        self.blocks.iter().all(Block::is_opaque)
    }

    /// The constant that `id` is, if it is one.
    pub fn as_constant(&self, id: ValueId) -> Option<Constant> {
        match self.statement(id) {
            Statement::Constant(constant) => Some(*constant),
            _ => None,
        }
    }

    /// The inputs; those that are floats are the columns of the Jacobian.
    pub fn inputs(&self) -> &[ValueId] {
        &self.inputs
    }

    /// The dependents: the rows of the Jacobian.
    pub fn outputs(&self) -> &[ValueId] {
        &self.outputs
    }

    /// The name that the value bears for readers, if it has one. Names need not be unique.
    pub fn name(&self, id: ValueId) -> Option<&str> {
        self.names[id.index()].as_deref()
    }

    /// Names the value.
    pub fn set_name(&mut self, id: ValueId, name: &str) {
        self.names[id.index()] = Some(name.into());
    }

    /// Says that the statements added from now on compute a new accumulated entry, and returns its number.
    pub fn begin_entry(&mut self) -> EntryId {
        self.entry_count += 1;
        self.entry = self.entry_count;
        EntryId(self.entry)
    }

    /// Says that the statements added from now on compute this entry, or none.
    pub fn resume_entry(&mut self, entry: Option<EntryId>) {
        self.entry = entry.map_or(0, |entry| entry.0);
    }

    /// The accumulated entry that a statement helps to compute: a partial derivative, or an initial one and a sum of
    /// products. None for the statements of the function.
    pub fn entry(&self, id: ValueId) -> Option<EntryId> {
        Some(EntryId(self.entries[id.index()])).filter(|entry| entry.0 > 0)
    }

    /// Gives a statement the name, and the entry, of one of another list.
    pub fn copy_marks(&mut self, new: ValueId, other: &CodeList, old: ValueId) {
        if let name @ Some(_) = &other.names[old.index()] {
            self.names[new.index()].clone_from(name);
        }
        self.entries[new.index()] = other.entries[old.index()];
        self.entry_count = self.entry_count.max(other.entry_count);
    }

    /// The ids of all statements, in order.
    pub fn ids(&self) -> Ids {
        Ids { next: 0, end: self.statements.len() as u32 }
    }
}

/// The values that a statement reads. (It is an iterator by hand, as [`Ids`] is: every stage asks for these, and chains
/// of adapters take ten times as long without optimization.)
pub struct Reads<'a> {
    ids: &'a [ValueId],
    next: usize,
    end: usize,
    decider: Option<ValueId>,
}

impl Iterator for Reads<'_> {
    type Item = ValueId;

    fn next(&mut self) -> Option<ValueId> {
        if self.next == self.end {
            return self.decider.take();
        }
        let id = self.ids[self.next];
        self.next += 1;
        Some(id)
    }
}

/// The ids of statements, in order.
pub struct Ids {
    next: u32,
    end: u32,
}

impl Iterator for Ids {
    type Item = ValueId;

    fn next(&mut self) -> Option<ValueId> {
        if self.next == self.end {
            return None;
        }
        self.next += 1;
        Some(ValueId(self.next - 1))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.end - self.next) as usize;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for Ids {
    fn next_back(&mut self) -> Option<ValueId> {
        if self.next == self.end {
            return None;
        }
        self.end -= 1;
        Some(ValueId(self.end))
    }
}
