//! What is written besides the statements of a code list: passive statements in the order in which they run, and how
//! the user wrote the blocks.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use super::super::shape::Shape;
use super::value::has_call;

/// The most numbers that are captured by a `let` each: rustc recurses over a sequence of these.
const MAX_CAPTURES: usize = 500;

/// How many captures are declared at once where there are more.
const CHUNK: usize = 64;

/// The code of a function or of an arm, beside its list.
#[derive(Default)]
pub struct Code {
    /// The passive statements and the places of the blocks, in the order in which they run.
    pub lines: Vec<Line>,
    /// The passive values of the list.
    pub passive: Vec<PassiveValue>,
    /// The blocks of the list: the position is their origin.
    pub blocks: Vec<BlockCode>,
}

/// A passive value of a list, in order.
pub enum PassiveValue {
    /// How it is written.
    Operand(TokenStream),
    /// Those in the arms of the block with this number, which are values of the list where the block is gone.
    Block(usize),
}

/// A passive statement, or the place of a block among these.
pub enum Line {
    /// A statement.
    Statement {
        /// The statement.
        tokens: TokenStream,
        /// The variable that it declares, where it may be left out if nothing uses that variable.
        only_for: Option<String>,
    },
    /// A variable that captures a number for the code list.
    Capture {
        /// The variable.
        name: Ident,
        /// Its type.
        ty: TokenStream,
        /// The number.
        value: TokenStream,
    },
    /// The block with this number.
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

impl Line {
    /// A statement that stays.
    pub fn always(tokens: TokenStream) -> Self {
        Line::Statement { tokens, only_for: None }
    }

    /// The declaration of a variable, which may be left out if nothing uses it.
    pub fn only_for(variable: &Ident, tokens: TokenStream) -> Self {
        Line::Statement { tokens, only_for: Some(variable.to_string()) }
    }

    /// Whether something may be called in it.
    pub fn has_call(&self) -> bool {
        match self {
            Line::Statement { tokens, .. } | Line::Capture { value: tokens, .. } => has_call(tokens.clone()),
            Line::Block(_) => true,
        }
    }
}

impl Code {
    /// Whether something runs here besides the statements of the list.
    pub fn has_effects(&self) -> bool {
        self.lines.iter().any(|line| match line {
            Line::Block(number) => self.blocks[*number].is_kept,
            _ => true,
        })
    }

    /// The number of passive statements that are no captures.
    pub fn count(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line, Line::Statement { .. })).count()
    }

    /// Removes the declarations of variables that nothing uses: numbers which stand in the code list as such, and results
    /// of blocks.
    pub fn remove_unused(&mut self) {
        self.keep_used(&mut HashSet::new());
    }

    fn keep_used(&mut self, used: &mut HashSet<String>) {
        for value in &self.passive {
            if let PassiveValue::Operand(operand) = value {
                identifiers(operand.clone(), used);
            }
        }
        let mut kept = Vec::with_capacity(self.lines.len());
        for line in std::mem::take(&mut self.lines).into_iter().rev() {
            match &line {
                Line::Statement { only_for: Some(name), .. } if !used.contains(name) => continue,
                Line::Statement { tokens, .. } | Line::Capture { value: tokens, .. } => {
                    identifiers(tokens.clone(), used);
                }
                Line::Block(number) => self.blocks[*number].keep_used(used),
            }
            kept.push(line);
        }
        kept.reverse();
        self.lines = kept;
    }

    /// The lines in the order in which they are written, used up.
    pub fn take_pieces(&mut self) -> Vec<Piece> {
        let is_long = self.captures().count() > MAX_CAPTURES;
        let mut pieces = if is_long { self.declarations() } else { Vec::new() };
        pieces.extend(std::mem::take(&mut self.lines).into_iter().map(|line| match line {
            Line::Statement { tokens, .. } => Piece::Statement(tokens),
            Line::Capture { name, value, .. } if is_long => {
                Piece::Statement(quote_spanned!(Span::mixed_site()=> #name = #value;))
            }
            Line::Capture { name, ty, value } => {
                Piece::Statement(quote_spanned!(Span::mixed_site()=> let #name: #ty = #value;))
            }
            Line::Block(number) => Piece::Block(number),
        }));
        pieces
    }

    /// The declarations of all variables that capture a number.
    fn declarations(&self) -> Vec<Piece> {
        let (names, types): (Vec<_>, Vec<_>) = self.captures().unzip();
        let chunks = names.chunks(CHUNK).zip(types.chunks(CHUNK));
        let declare = |(names, types): (&[_], &[_])| {
            Piece::Statement(quote_spanned!(Span::mixed_site()=> let (#(#names,)*): (#(#types,)*);))
        };
        chunks.map(declare).collect()
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

    fn captures(&self) -> impl Iterator<Item = (&Ident, &TokenStream)> {
        self.lines.iter().filter_map(|line| match line {
            Line::Capture { name, ty, .. } => Some((name, ty)),
            _ => None,
        })
    }
}

impl BlockCode {
    fn keep_used(&mut self, used: &mut HashSet<String>) {
        let is_used: Vec<_> = self.results.iter().map(|result| used.contains(&result.to_string())).collect();
        let mut flags = is_used.iter();
        self.results.retain(|_| flags.next() == Some(&true));
        for arm in &mut self.arms {
            let mut flags = is_used.iter();
            arm.results.retain(|_| flags.next() == Some(&true));
            arm.results.iter().for_each(|result| identifiers(result.clone(), used));
            arm.code.keep_used(used);
            identifiers(arm.pattern.clone(), used);
        }
        match &self.head {
            Head::Match(tokens) | Head::IfLet(tokens) => identifiers(tokens.clone(), used),
            Head::Call(call) => call.arguments.iter().for_each(|argument| argument.identifiers(used)),
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

/// Adds the identifiers in `tokens` to `found`.
pub fn identifiers(tokens: TokenStream, found: &mut HashSet<String>) {
    let mut streams = vec![tokens];
    while let Some(stream) = streams.pop() {
        for token in stream {
            match token {
                TokenTree::Ident(ident) => {
                    found.insert(ident.to_string());
                }
                TokenTree::Group(group) => streams.push(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}
