//! The prologue: statements that compute passive values, in front of all others.
//!
//! rustc recurses over a sequence of `let`s, and its stack ends at about 3,000. So a long prologue is cut into blocks. What is
//! used behind a block is its value: `let (a, b) = { ...; (a, b) };`. That needs values which do not borrow from variables
//! of their block; a statement that might make one is the first of a block.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::code::Piece;
use super::value::has_call;

/// The longest prologue that is written as it is.
const MAX_LETS: usize = 500;

/// How many statements a block of a longer one has at most.
const BLOCK: usize = 128;

/// A statement of the prologue, or the place of a block of the code list among these.
pub struct Line {
    /// The variables or the constant that it declares.
    names: Vec<Ident>,
    kind: Kind,
    /// Whether it may be left out if nothing uses these.
    is_optional: bool,
    tokens: TokenStream,
}

/// What a statement declares.
#[derive(Clone)]
enum Kind {
    /// An item.
    Item,
    /// A number of this type, which is used behind the prologue; the tokens are its value.
    Number(TokenStream),
    /// A value that borrows from nothing.
    Owned,
    /// Values that may borrow from others, or nothing.
    Other,
    /// The results of the block with this number.
    Block(usize),
}

impl Line {
    /// A statement that declares nothing.
    pub fn effect(tokens: TokenStream) -> Self {
        Line { names: Vec::new(), kind: Kind::Other, is_optional: false, tokens }
    }

    /// The declaration of variables by a pattern.
    pub fn pattern(names: Vec<Ident>, tokens: TokenStream) -> Self {
        Line { names, ..Line::effect(tokens) }
    }

    /// The declaration of a variable, which may borrow from others if it is not owned.
    pub fn variable(name: &Ident, is_owned: bool, tokens: TokenStream) -> Self {
        let kind = if is_owned { Kind::Owned } else { Kind::Other };
        Line { names: vec![name.clone()], kind, ..Line::effect(tokens) }
    }

    /// The declaration, which may be left out if nothing uses what it declares.
    pub fn optional(self, is_optional: bool) -> Self {
        Line { is_optional, ..self }
    }

    /// A constant. Where it is not used, it is not evaluated.
    pub fn constant(name: &Ident, tokens: TokenStream) -> Self {
        Line { names: vec![name.clone()], kind: Kind::Item, is_optional: true, tokens }
    }

    /// A `use`.
    pub fn import(tokens: TokenStream) -> Self {
        Line { kind: Kind::Item, ..Line::effect(tokens) }
    }

    /// The variable that captures a number of this type.
    pub fn capture(variable: &Ident, ty: TokenStream, value: TokenStream) -> Self {
        Line { names: vec![variable.clone()], kind: Kind::Number(ty), ..Line::effect(value) }
    }

    /// The place of the block with this number.
    pub fn block(number: usize) -> Self {
        Line { kind: Kind::Block(number), ..Line::effect(TokenStream::new()) }
    }

    /// The number of the block whose place it is.
    pub fn as_block(&self) -> Option<usize> {
        match self.kind {
            Kind::Block(number) => Some(number),
            _ => None,
        }
    }

    /// The variables or the constant that it declares.
    pub fn names(&self) -> &[Ident] {
        &self.names
    }

    /// The statement, or the value that is captured.
    pub fn tokens(&self) -> &TokenStream {
        &self.tokens
    }

    /// Whether a function may be called in it.
    pub fn has_call(&self) -> bool {
        self.as_block().is_some() || has_call(self.tokens.clone())
    }

    /// Whether it stays even if nothing uses what it declares.
    pub fn is_required(&self) -> bool {
        !self.is_optional
    }

    /// Whether it is seen in all of the block in which it stands.
    pub fn is_item(&self) -> bool {
        matches!(self.kind, Kind::Item)
    }

    /// Whether it stays, where these names are used behind it.
    pub fn is_used(&self, used: &HashSet<String>) -> bool {
        !self.is_optional || self.names.iter().any(|name| used.contains(&name.to_string()))
    }

    fn into_piece(self) -> Piece {
        match self.kind {
            Kind::Block(number) => Piece::Block(number),
            _ => Piece::Statement(self.into_statement()),
        }
    }

    fn into_statement(self) -> TokenStream {
        let (name, tokens) = (self.names.first(), &self.tokens);
        match self.kind {
            Kind::Number(ty) => quote_spanned!(Span::mixed_site()=> let #name: #ty = #tokens;),
            _ => self.tokens,
        }
    }
}

/// Whether so many lines are cut into blocks.
pub fn is_long(lines: usize) -> bool {
    lines > MAX_LETS
}

/// The lines in the form in which they are written. `used_behind` are the names that are used elsewhere than in lines.
pub fn pieces(lines: Vec<Line>, used_behind: &HashSet<String>) -> Vec<Piece> {
    if !is_long(lines.len()) {
        return lines.into_iter().map(Line::into_piece).collect();
    }
    let (items, lines): (Vec<_>, Vec<_>) = lines.into_iter().partition(Line::is_item);
    let last_uses = last_uses(&lines, used_behind);
    let mut pieces: Vec<_> = items.into_iter().map(Line::into_piece).collect();
    let mut block = Block::default();
    for (index, line) in lines.into_iter().enumerate() {
        let is_block = line.as_block().is_some();
        if is_block || block.lines.len() == BLOCK || block.is_borrowed_by(&line) {
            pieces.extend(std::mem::take(&mut block).close(index, &last_uses));
        }
        match is_block {
            true => pieces.push(line.into_piece()),
            false => block.add(line),
        }
    }
    pieces.extend(block.close(usize::MAX, &last_uses));
    pieces
}

/// By name: the last line that mentions it, or none of them if it is used behind.
fn last_uses(lines: &[Line], used_behind: &HashSet<String>) -> HashMap<String, usize> {
    let mut last = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        each_identifier(line.tokens.clone(), &mut |ident| {
            last.insert(ident.to_string(), index);
        });
    }
    last.extend(used_behind.iter().map(|name| (name.clone(), usize::MAX)));
    last
}

/// Statements that are written as a block.
#[derive(Default)]
struct Block {
    lines: Vec<Line>,
    /// The variables that they declare.
    declared: HashSet<String>,
}

impl Block {
    fn add(&mut self, line: Line) {
        self.declared.extend(line.names.iter().map(Ident::to_string));
        self.lines.push(line);
    }

    /// Whether what a line declares may borrow from a variable of this block.
    fn is_borrowed_by(&self, line: &Line) -> bool {
        let mut mentions = false;
        if matches!(line.kind, Kind::Other) && !line.names.is_empty() {
            each_identifier(line.tokens.clone(), &mut |ident| {
                mentions |= self.declared.contains(&ident.to_string());
            });
        }
        mentions
    }

    /// The block as a statement, if it is not empty; `next` is the line behind it.
    fn close(self, next: usize, last_uses: &HashMap<String, usize>) -> Option<Piece> {
        if self.lines.is_empty() {
            return None;
        }
        let is_used = |name: &&Ident| last_uses.get(&name.to_string()).is_some_and(|&last| last >= next);
        let used: Vec<_> = self.lines.iter().flat_map(|line| &line.names).filter(is_used).cloned().collect();
        let statements = self.lines.into_iter().map(Line::into_statement);
        Some(Piece::Statement(match used.is_empty() {
            true => quote!({ #(#statements)* }),
            false => quote!(let (#(#used,)*) = { #(#statements)* (#(#used,)*) };),
        }))
    }
}

/// Adds the identifiers in `tokens` to `found`.
pub fn identifiers(tokens: TokenStream, found: &mut HashSet<String>) {
    each_identifier(tokens, &mut |ident| {
        found.insert(ident.to_string());
    });
}

/// Visits the identifiers in `tokens`.
pub fn each_identifier(tokens: TokenStream, visit: &mut impl FnMut(Ident)) {
    let mut streams = vec![tokens];
    while let Some(stream) = streams.pop() {
        for token in stream {
            match token {
                TokenTree::Ident(ident) => visit(ident),
                TokenTree::Group(group) => streams.push(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}
