//! What is written besides the statements of a code list: passive statements in the order in which they run, and how
//! the user wrote the blocks.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};

use super::super::shape::Shape;
use super::prologue::{self, Line, identifiers};

/// The code of a function or of an arm, beside its list.
#[derive(Default)]
pub struct Code {
    /// The passive statements and the places of the blocks, in the order in which they run.
    pub lines: Vec<Line>,
    /// The passive values of the list.
    pub passive: Vec<PassiveValue>,
    /// The blocks of the list: the position is their origin.
    pub blocks: Vec<BlockCode>,
    /// What the lines have become, when the code has been closed.
    pieces: Vec<Piece>,
    /// How many of the lines stay in any case, those in the blocks included.
    required: usize,
}

/// The statement that stands behind the declaration of a variable, if there is one.
pub type Note<'n> = &'n dyn Fn(&str) -> Option<TokenStream>;

/// A passive value of a list, in order.
pub enum PassiveValue {
    /// How it is written.
    Operand(TokenStream),
    /// Those in the arms of the block with this number, which are values of the list where the block is gone.
    Block(usize),
}

/// A line in the form in which it is written.
pub enum Piece {
    /// A statement.
    Statement(TokenStream),
    /// The block with this number.
    Block(usize),
}

/// How a block is written.
pub struct BlockCode {
    /// What stands in front of the arms.
    pub head: Head,
    /// The arms.
    pub arms: Vec<ArmCode>,
    /// The variables for the results that are no values of the list.
    pub results: Vec<Ident>,
    /// Whether an arm does more than to compute the block's results.
    pub is_kept: bool,
}

/// What kind of branch a block is.
pub enum Head {
    /// `if` with the selector as its condition.
    If,
    /// `if let` with the pattern of the first arm, on a passive expression.
    IfLet(TokenStream),
    /// `&&`: the second arm is `false`.
    And,
    /// `||`: the first arm is `true`.
    Or,
    /// `match` on a passive expression.
    Match(TokenStream),
    /// The call of a function with a Jacobian of its own.
    Call(Call),
}

/// The call of a function with a Jacobian of its own.
pub struct Call {
    /// The function.
    pub function: TokenStream,
    /// Its Jacobian.
    pub jacobian: TokenStream,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The number of floats in them.
    pub columns: usize,
    /// What it returns.
    pub returned: Returned,
}

/// How an argument of a call is written.
pub enum Argument {
    /// The next float.
    Float,
    /// An array.
    Array(Vec<Argument>),
    /// A reference.
    Reference(Box<Argument>),
    /// What is no float.
    Passive(TokenStream),
}

/// What a function returns.
#[derive(Clone)]
pub enum Returned {
    /// A float or an array of floats.
    Unknown,
    /// A float.
    Float,
    /// An array of floats, of this shape where it is known.
    Array(Option<Shape>),
}

/// An arm of a branch.
#[derive(Default)]
pub struct ArmCode {
    /// The pattern, with its guard, of an arm of `match`.
    pub pattern: TokenStream,
    /// What is written besides its list.
    pub code: Code,
    /// The results that are no values of the list.
    pub results: Vec<TokenStream>,
    /// Whether it never ends, but panics.
    pub diverges: bool,
}

impl Code {
    /// Adds a passive statement.
    pub fn line(&mut self, line: Line) {
        self.required += usize::from(line.is_required());
        self.lines.push(line);
    }

    /// Adds passive statements in front of all others.
    pub fn prepend(&mut self, mut lines: Vec<Line>) {
        self.required += lines.iter().filter(|line| line.is_required()).count();
        lines.append(&mut self.lines);
        self.lines = lines;
    }

    /// Adds a block, whose number it returns, at this place.
    pub fn block(&mut self, block: BlockCode) -> usize {
        let number = self.blocks.len();
        self.required += block.arms.iter().map(|arm| arm.code.required).sum::<usize>();
        self.blocks.push(block);
        self.passive.push(PassiveValue::Block(number));
        self.line(Line::block(number));
        number
    }

    /// How many passive statements there are that stay in any case, those in the blocks included.
    pub fn required(&self) -> usize {
        self.required
    }

    /// Whether something runs here besides the statements of the list.
    pub fn has_effects(&self) -> bool {
        self.lines.iter().any(|line| line.as_block().is_none_or(|number| self.blocks[number].is_kept))
    }

    /// Removes the declarations of variables that nothing uses, which are numbers that stand in the code list as such and
    /// results of blocks, and brings the lines into the form in which they are written. Behind the declaration of a variable
    /// stands what `note` says of it.
    pub fn close(&mut self, note: Note<'_>) {
        self.keep_used(&mut HashSet::new(), note);
        self.cut(&[]);
    }

    fn keep_used(&mut self, used: &mut HashSet<String>, note: Note<'_>) {
        self.operands().for_each(|operand| identifiers(operand.clone(), used));
        let (items, lines): (Vec<_>, Vec<_>) = std::mem::take(&mut self.lines).into_iter().partition(Line::is_item);
        // Constants come behind those that they mention. As items, they may stand in front of all.
        for line in lines.into_iter().rev().chain(items.into_iter().rev()) {
            if line.is_used(used) {
                match line.as_block() {
                    Some(number) => self.blocks[number].keep_used(used, note),
                    None => identifiers(line.tokens().clone(), used),
                }
                if !line.is_item() {
                    self.lines.extend(line.names().iter().find_map(|name| note(&name.to_string())).map(Line::effect));
                }
                self.lines.push(line);
            }
        }
        self.lines.reverse();
    }

    /// Brings the lines into the form in which they are written; `results` are written behind them.
    fn cut(&mut self, results: &[TokenStream]) {
        let mut used_behind = HashSet::new();
        if prologue::is_long(self.lines.len()) {
            results.iter().chain(self.operands()).for_each(|tokens| identifiers(tokens.clone(), &mut used_behind));
            self.blocks.iter().for_each(|block| block.identifiers(&mut used_behind));
        }
        self.pieces = prologue::pieces(std::mem::take(&mut self.lines), &used_behind);
        for arm in self.blocks.iter_mut().flat_map(|block| &mut block.arms) {
            arm.code.cut(&arm.results);
        }
    }

    /// The most passive statements, and blocks that are kept, one behind the other here or in an arm, when the code has been
    /// closed.
    pub fn length(&self) -> usize {
        let is_kept = |piece: &&Piece| match piece {
            Piece::Statement(_) => true,
            Piece::Block(number) => self.blocks[*number].is_kept,
        };
        let own = self.pieces.iter().filter(is_kept).count();
        let arms = self.blocks.iter().flat_map(|block| &block.arms);
        arms.map(|arm| arm.code.length()).fold(own, usize::max)
    }

    /// The lines in the form in which they are written, used up.
    pub fn take_pieces(&mut self) -> Vec<Piece> {
        std::mem::take(&mut self.pieces)
    }

    /// The passive values of the list that are not those of blocks.
    fn operands(&self) -> impl Iterator<Item = &TokenStream> {
        self.passive.iter().filter_map(|value| match value {
            PassiveValue::Operand(operand) => Some(operand),
            PassiveValue::Block(_) => None,
        })
    }

    /// Adds the identifiers in it to `found`.
    fn identifiers(&self, found: &mut HashSet<String>) {
        self.operands()
            .chain(self.lines.iter().map(Line::tokens))
            .for_each(|tokens| identifiers(tokens.clone(), found));
        self.blocks.iter().for_each(|block| block.identifiers(found));
    }

    /// How the passive values of the list are written, of whose blocks those with `is_there` are in it.
    pub fn take_passive(&mut self, is_there: impl Fn(usize) -> bool) -> Vec<TokenStream> {
        let mut operands = Vec::new();
        for value in std::mem::take(&mut self.passive) {
            match value {
                PassiveValue::Operand(operand) => operands.push(operand),
                PassiveValue::Block(number) if is_there(number) => {}
                PassiveValue::Block(number) => {
                    let arms = self.blocks[number].arms.iter();
                    let count = arms.map(|arm| arm.code.passive_count()).sum::<usize>();
                    operands.resize(operands.len() + count, TokenStream::new());
                }
            }
        }
        operands
    }

    /// The number of passive values of the list, those in arms included.
    fn passive_count(&self) -> usize {
        let count = |value: &PassiveValue| match value {
            PassiveValue::Operand(_) => 1,
            PassiveValue::Block(number) => self.blocks[*number].arms.iter().map(|arm| arm.code.passive_count()).sum(),
        };
        self.passive.iter().map(count).sum()
    }
}

impl BlockCode {
    fn keep_used(&mut self, used: &mut HashSet<String>, note: Note<'_>) {
        let is_used: Vec<_> = self.results.iter().map(|result| used.contains(&result.to_string())).collect();
        let mut flags = is_used.iter();
        self.results.retain(|_| flags.next() == Some(&true));
        for arm in &mut self.arms {
            let mut flags = is_used.iter();
            arm.results.retain(|_| flags.next() == Some(&true));
            arm.results.iter().for_each(|result| identifiers(result.clone(), used));
            arm.code.keep_used(used, note);
            identifiers(arm.pattern.clone(), used);
        }
        self.head.identifiers(used);
    }

    fn identifiers(&self, found: &mut HashSet<String>) {
        for arm in &self.arms {
            arm.code.identifiers(found);
            arm.results.iter().chain([&arm.pattern]).for_each(|tokens| identifiers(tokens.clone(), found));
        }
        self.head.identifiers(found);
    }
}

impl Head {
    fn identifiers(&self, found: &mut HashSet<String>) {
        match self {
            Head::Match(tokens) | Head::IfLet(tokens) => identifiers(tokens.clone(), found),
            Head::Call(call) => call.arguments.iter().for_each(|argument| argument.identifiers(found)),
            Head::If | Head::And | Head::Or => {}
        }
    }
}

impl Argument {
    fn identifiers(&self, found: &mut HashSet<String>) {
        match self {
            Argument::Float => {}
            Argument::Array(elements) => elements.iter().for_each(|element| element.identifiers(found)),
            Argument::Reference(target) => target.identifiers(found),
            Argument::Passive(tokens) => identifiers(tokens.clone(), found),
        }
    }
}
