//! The prologue: statements that compute passive values, in front of all others.
//!
//! rustc recurses over a sequence of `let`s, and its stack ends at about 3,000. So a long prologue is cut into blocks. What is
//! used behind a block is its value: `let (a, b) = { ...; (a, b) };`. That needs values which do not borrow from variables
//! of their block; a statement that might make one is the first of a block.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::frame::{each_identifier, identifiers};
use super::value::has_call;

/// The longest prologue that is written as it is.
const MAX_LETS: usize = 500;

/// How many statements a block of a longer one has at most.
const BLOCK: usize = 128;

/// A statement of the prologue.
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

    /// Whether a function is called in it.
    pub fn has_call(&self) -> bool {
        has_call(self.tokens.clone())
    }

    /// Whether it stays even if nothing uses what it declares.
    pub fn is_required(&self) -> bool {
        !self.is_optional
    }

    fn is_item(&self) -> bool {
        matches!(self.kind, Kind::Item)
    }

    fn is_used(&self, used: &HashSet<String>) -> bool {
        !self.is_optional || self.names.iter().any(|name| used.contains(&name.to_string()))
    }

    fn into_statement(self) -> TokenStream {
        let (name, tokens) = (self.names.first(), &self.tokens);
        match self.kind {
            Kind::Number(ty) => quote_spanned!(Span::mixed_site()=> let #name: #ty = #tokens;),
            _ => self.tokens,
        }
    }
}

/// The lines as statements, without the declarations that nothing uses.
pub fn statements(lines: Vec<Line>) -> Vec<TokenStream> {
    let lines = used_lines(lines);
    if lines.len() <= MAX_LETS {
        return lines.into_iter().map(Line::into_statement).collect();
    }
    let (items, lines): (Vec<_>, Vec<_>) = lines.into_iter().partition(Line::is_item);
    let last_uses = last_uses(&lines);
    let mut statements: Vec<_> = items.into_iter().map(Line::into_statement).collect();
    let mut block = Block::default();
    for (index, line) in lines.into_iter().enumerate() {
        if block.lines.len() == BLOCK || block.is_borrowed_by(&line) {
            statements.push(std::mem::take(&mut block).close(index, &last_uses));
        }
        block.add(line);
    }
    statements.push(block.close(usize::MAX, &last_uses));
    statements
}

/// The lines without the declarations that nothing uses.
fn used_lines(lines: Vec<Line>) -> Vec<Line> {
    let mut used = HashSet::new();
    let (items, lines): (Vec<_>, Vec<_>) = lines.into_iter().partition(Line::is_item);
    let mut kept = Vec::new();
    for line in lines.into_iter().rev() {
        if line.is_used(&used) {
            identifiers(line.tokens.clone(), &mut used);
            kept.push(line);
        }
    }
    // Constants come behind those that they mention. As items, they may stand in front of all.
    for item in items.into_iter().rev() {
        if item.is_used(&used) {
            identifiers(item.tokens.clone(), &mut used);
            kept.push(item);
        }
    }
    kept.reverse();
    kept
}

/// By name: the last line that mentions it. What is used behind the prologue is used by none of its lines.
fn last_uses(lines: &[Line]) -> HashMap<String, usize> {
    let mut last = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        each_identifier(line.tokens.clone(), &mut |ident| {
            last.insert(ident.to_string(), index);
        });
    }
    for line in lines.iter().filter(|line| matches!(line.kind, Kind::Number(_))) {
        last.extend(line.names.iter().map(|name| (name.to_string(), usize::MAX)));
    }
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

    /// The block as a statement; `next` is the line behind it.
    fn close(self, next: usize, last_uses: &HashMap<String, usize>) -> TokenStream {
        let is_used = |name: &&Ident| last_uses.get(&name.to_string()).is_some_and(|&last| last >= next);
        let used: Vec<_> = self.lines.iter().flat_map(|line| &line.names).filter(is_used).cloned().collect();
        let statements = self.lines.into_iter().map(Line::into_statement);
        match used.is_empty() {
            true => quote!({ #(#statements)* }),
            false => quote!(let (#(#used,)*) = { #(#statements)* (#(#used,)*) };),
        }
    }
}
