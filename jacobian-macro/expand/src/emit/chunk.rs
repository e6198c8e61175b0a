//! Blocks of statements: those of the user at whose end something is given back, and chunks, which are some hundred
//! statements of a long function.
//!
//! rustc recurses over a sequence of `let`s. What is used after a chunk is its value: `let (a, b) = { ...; (a, b) };`.
//! That needs values which do not borrow from variables of their chunk; a statement that may declare such a one begins
//! a chunk.

use jacobian_core::CodeList;
use jacobian_core::code_list::{Kind, Statement, ValueId};
use jacobian_lower::refuse;
use jacobian_lower::{Code, Lowered, Written};
use proc_macro2::{Delimiter, Ident};
use quote::quote;

use super::writer::Writer;

/// How many statements a function may have as a sequence of `let`s. The stack of rustc ends at about 3,000.
pub const MAX_LETS: usize = 1_000;

/// How many statements a chunk has. (Variables that are declared first and assigned later would not be recursed over
/// either, but rustc takes a time for them that grows as the square of their number.)
const LENGTH: usize = 256;

/// How many chunks of a function may be ended early, for what is after them may borrow from variables in them: they are
/// statements, too.
const MAX_BORROWS: usize = 1_000;

/// Statements that are written as a block, if there are enough of them that rustc needs it.
#[derive(Default)]
pub struct Chunk {
    pub statements: Writer,
    /// The variables that they declare, with the position of the last use of each.
    pub declared: Vec<(usize, Ident)>,
    /// Those of them that are declared as `mut`, and may be changed after it.
    pub mutable: Vec<Ident>,
    /// The position of the first statement.
    start: usize,
    /// The number of statements that declare nothing.
    effects: usize,
}

impl Chunk {
    /// How much has been written, and the number of variables.
    pub fn written(&self) -> (usize, usize) {
        (self.statements.len(), self.declared.len())
    }

    /// Counts the statement that may have been written since then, if it declares nothing.
    pub fn count(&mut self, (tokens, declared): (usize, usize)) {
        self.effects += usize::from(self.statements.len() > tokens && self.declared.len() == declared);
    }

    /// Whether it is as long as chunks are.
    pub fn is_full(&self) -> bool {
        self.declared.len() + self.effects >= LENGTH
    }

    /// Whether what the statement `id` declares may borrow from a variable that has been declared here.
    pub fn is_borrowed_by(&self, list: &CodeList, code: &Code, id: ValueId) -> bool {
        may_borrow(list, code, id, self.start)
    }

    /// Writes the chunk, which ends before the position `end`, and begins the next one there. Returns the
    /// variables that are used after it.
    fn close(&mut self, out: &mut Writer, end: usize) -> (Vec<(usize, Ident)>, Vec<Ident>) {
        let chunk = std::mem::replace(self, Chunk { start: end, ..Chunk::default() });
        if chunk.declared.is_empty() && chunk.effects == 0 {
            return (Vec::new(), Vec::new());
        }
        let mut used = chunk.declared;
        used.retain(|(last_use, _)| *last_use >= end);
        write_block(out, chunk.statements, (&used, &chunk.mutable), chunk.effects == 0);
        (used, chunk.mutable)
    }
}

/// What is written of the body or of a block in it so far.
#[derive(Default)]
pub struct Level {
    /// The chunks that have been closed.
    out: Writer,
    /// The variables in these that are used after them, with the position of the last use of each.
    used: Vec<(usize, Ident)>,
    /// Those that are declared as `mut`.
    mutable: Vec<Ident>,
    /// The statements that are being written.
    pub chunk: Chunk,
}

impl Level {
    /// A block that begins at this position.
    pub fn new(start: usize) -> Self {
        Level { chunk: Chunk { start, ..Chunk::default() }, ..Level::default() }
    }

    /// Begins another chunk at the position `end`.
    pub fn cut(&mut self, end: usize) {
        let (used, mutable) = self.chunk.close(&mut self.out, end);
        self.used.extend(used);
        self.mutable.extend(mutable);
    }

    /// The statements.
    pub fn into_statements(mut self) -> Writer {
        self.out.append(self.chunk.statements);
        self.out
    }

    /// Writes a block that ends at the position `end` as a statement of this one.
    pub fn write(&mut self, mut inner: Level, end: usize) {
        let mut used = std::mem::take(&mut inner.used);
        used.append(&mut inner.chunk.declared);
        used.retain(|(last_use, _)| *last_use > end);
        let mut mutable = std::mem::take(&mut inner.mutable);
        mutable.append(&mut inner.chunk.mutable);
        write_block(&mut self.chunk.statements, inner.into_statements(), (&used, &mutable), false);
        self.chunk.effects += 1;
        self.chunk.mutable.append(&mut mutable);
        self.chunk.declared.append(&mut used);
    }
}

/// Writes `let (a, b) = { ...; (a, b) };`, or `{ ... }` where no variable is used after the block and this need not be
/// a `let`. What is declared as `mut` is so after the block, too: it may be changed in either, or in both.
fn write_block(out: &mut Writer, mut statements: Writer, (used, mutable): (&[(usize, Ident)], &[Ident]), is_let: bool) {
    if used.is_empty() && !is_let {
        out.append(statements.within(Delimiter::Brace));
        return;
    }
    let (mut names, mut pattern) = (Writer::default(), Writer::default());
    let mut is_mutable = false;
    for (_, name) in used {
        if mutable.contains(name) {
            is_mutable = true;
            pattern.word("mut");
        }
        pattern.token(name.clone()).punct(",");
        names.token(name.clone()).punct(",");
    }
    statements.all(&names.within(Delimiter::Parenthesis));
    if is_mutable {
        out.stream(quote!(#[allow(unused_mut)]));
    }
    let names = pattern.within(Delimiter::Parenthesis);
    out.word("let").append(names).punct("=").append(statements.within(Delimiter::Brace)).punct(";");
}

/// Whether what the statement `id` declares may borrow from a variable that is declared from the position `start` on.
fn may_borrow(list: &CodeList, code: &Code, id: ValueId, start: usize) -> bool {
    let Statement::Block(_) = list.statement(id) else { return false };
    let block = list.block_of(id);
    let may_borrow = match code.at(block.origin) {
        Written::Line(line) => line.may_borrow(),
        Written::Branch(_) => (0..block.results()).any(|part| block.kind(part) == Kind::Opaque),
        Written::Operand(_) | Written::Copy(..) | Written::Loop(_) | Written::Call(_) => false,
        Written::Next | Written::Open | Written::Close => false,
    };
    may_borrow && list.args(id).any(|arg| arg.index() >= start)
}

/// Why a function is not generated, if too many of its chunks would be ended early.
pub fn too_many_borrows(lowered: &Lowered) -> Option<String> {
    let is_long = |list: &&CodeList| list.statements().len() > MAX_LETS;
    if !lowered.list.with_inner().iter().any(is_long) {
        return None;
    }
    let list = lowered.list.remove_dead_code();
    let is_over = |list: &&CodeList| is_long(list) && borrows(list, &lowered.code) > MAX_BORROWS;
    list.with_inner().iter().any(is_over).then(|| refuse::many_borrows(MAX_BORROWS))
}

/// How many chunks of a list are ended early.
fn borrows(list: &CodeList, code: &Code) -> usize {
    let (mut start, mut count) = (0, 0);
    for id in list.ids().filter(|id| matches!(list.statement(*id), Statement::Block(_))) {
        if may_borrow(list, code, id, start) {
            (start, count) = (id.index(), count + 1);
        }
    }
    count
}
