//! How the user wrote what the engine does not look into: the passive pieces of the code, the heads of branches, calls.
//!
//! There is one table for the function and all arms. The position of an entry is the origin of the block of the code
//! list that is written so.

use std::collections::{HashMap, HashSet};

use jacobian_list::block::counted;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::super::super::read::layout::Layout;
use super::super::super::read::shape::Shape;
use super::super::super::syntax::ConstantId;
use super::super::value::{Passive, has_call};

/// How the blocks of a function are written.
pub struct Code {
    entries: Vec<Written>,
    items: Vec<Item>,
    /// How that is written which the engine adds.
    counted: [(u32, Written); 4],
}

impl Default for Code {
    fn default() -> Self {
        let counted = [
            (counted::NONE, Written::Operand(quote!(0))),
            (counted::NEXT, Written::Next),
            (counted::LOOP, Written::Loop(LoopHead::Counted)),
            (counted::BRANCH, Written::Branch(Branch { head: Head::Number, arms: Vec::new(), variables: Vec::new() })),
        ];
        Code { entries: Vec::new(), items: Vec::new(), counted }
    }
}

/// How a block is written.
pub enum Written {
    /// A passive statement.
    Line(Line),
    /// Not by itself: a passive expression is written where its value is used. That of the number of an arm is the head
    /// of its branch.
    Operand(TokenStream),
    /// The declaration of a variable of this type that holds the number which an active value is: what is passive reads
    /// it there.
    Copy(Ident, TokenStream),
    /// A branch.
    Branch(Branch),
    /// A loop.
    Loop(LoopHead),
    /// The declaration of a variable that is one more than the number which it reads.
    Next,
    /// The call of a function with a Jacobian of its own.
    Call(Call),
    /// The beginning of a block of the user at whose end something may be given back: a lock, a borrow.
    Open,
    /// The end of the innermost such block.
    Close,
}

/// A passive statement. The results of its block are the variables that it declares.
pub struct Line {
    names: Vec<Ident>,
    tokens: TokenStream,
    /// What follows it.
    note: Option<TokenStream>,
    is_owned: bool,
    is_optional: bool,
    /// Whether a function may be called in it, or something is changed.
    has_call: bool,
    /// Whether it does nothing but to give a value, although a method is called in it.
    is_read: bool,
    /// The variable that it moves into another one, if any.
    moved: Option<String>,
}

/// An item inside of the function.
pub struct Item {
    /// The name of a constant, which is left out where nothing mentions it.
    pub name: Option<Ident>,
    /// The item.
    pub tokens: TokenStream,
    /// Which constant it is, if it is one: of which function, and its number there.
    constant: Option<(usize, ConstantId)>,
}

/// A branch.
pub struct Branch {
    /// What precedes the arms.
    pub head: Head,
    /// The arms; none of a branch of the engine.
    pub arms: Vec<ArmCode>,
    /// The variables for the results that are no numbers of the list. The parts of the block bear their names.
    pub variables: Vec<Ident>,
}

/// What kind of branch it is.
pub enum Head {
    /// `if` with the selector as its condition.
    If,
    /// `if` with this condition, which has patterns in it: `let Some(n) = n`.
    IfLet(TokenStream),
    /// `&&`: the second arm is `false`.
    And,
    /// `||`: the first arm is `true`.
    Or,
    /// `match` on a passive expression.
    Match(TokenStream),
    /// `match` on the number of the arm, which this variable holds.
    Index(TokenStream),
    /// `if`, or `match` on the number of the arm. So a branch of the engine is written, with as many arms as it has.
    Number,
}

/// What precedes the body of a loop.
pub enum LoopHead {
    /// `for` with this pattern and these items.
    For {
        /// What an item is bound to.
        pattern: TokenStream,
        /// The items.
        items: TokenStream,
    },
    /// `while` with this condition, which changes nothing.
    While(TokenStream),
    /// `loop`.
    Endless,
    /// As often as a number says.
    Counted,
}

/// What is written of an arm besides its list.
pub struct ArmCode {
    /// The pattern, with its guard, of an arm of `match`.
    pub pattern: TokenStream,
    /// Whether it never ends, but panics.
    pub diverges: bool,
}

/// The call of a function with derivatives of its own.
pub struct Call {
    /// The function.
    pub function: TokenStream,
    /// Whether it is a method of the first argument.
    pub is_method: bool,
    /// Where its derivatives are from.
    pub source: Source,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The number of floats in them.
    pub columns: usize,
    /// What it returns, or this and what it assigns through mutable references.
    pub returned: Returned,
    /// The shapes of what it assigns.
    pub outputs: Vec<Shape>,
    /// Whether it returns a value beside that.
    pub has_value: bool,
    /// Whether what it returns is in an `Option` or a `Result`, out of which nothing has taken it so far.
    pub is_wrapped: bool,
    /// What is written after it to take it out: `?`, `.unwrap()`.
    pub taken_out: TokenStream,
}

/// Where the derivatives of a function are from that is called.
pub enum Source {
    /// Functions return them.
    Returned {
        /// What returns the value and the Jacobian.
        jacobian: TokenStream,
        /// What returns its second derivatives; nothing where these are not known.
        hessian: TokenStream,
        /// How the Jacobian is stored.
        layout: Layout,
        /// What returns the value and the entries of the Jacobian that are not zero, if there is such a function.
        sparse: Option<Sparse>,
    },
    /// The function solves an equation: this is the Jacobian of what is zero.
    Implicit(TokenStream),
    /// The list has them.
    List,
}

/// A Jacobian that is returned as the list of its entries.
pub struct Sparse {
    /// What returns it, after the value.
    pub function: TokenStream,
    /// By row and column: the place of an entry.
    pub places: HashMap<(usize, usize), usize>,
}

/// How an argument of a call is written.
pub enum Argument {
    /// The next float.
    Float,
    /// An array.
    Array(Vec<Argument>),
    /// A vector, a tuple or a struct, of this shape: its parts in order.
    Whole(Shape, Vec<Argument>),
    /// A reference.
    Reference(Box<Argument>),
    /// A mutable reference to the next of what the function assigns, and what it holds before.
    Output(Box<Argument>),
    /// What is not read, of this shape.
    Unread(Shape),
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
    /// An array or a tuple of floats, of this shape where it is known.
    Array(Option<Shape>),
}

impl Returned {
    /// The number of floats, of what has a shape that is known.
    pub fn rows(&self) -> usize {
        match self {
            Returned::Array(Some(shape)) => shape.count(),
            _ => 1,
        }
    }
}

impl Code {
    /// Adds an entry, and returns its origin.
    pub fn add(&mut self, written: Written) -> u32 {
        let origin = self.next();
        self.entries.push(written);
        origin
    }

    /// The origin of the entry that is added next.
    pub fn next(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The entry with this origin.
    pub fn at(&self, origin: u32) -> &Written {
        match self.counted.iter().find(|(own, _)| *own == origin) {
            Some((_, written)) => written,
            None => &self.entries[origin as usize],
        }
    }

    /// The entry with this origin, to change it.
    pub fn at_mut(&mut self, origin: u32) -> &mut Written {
        &mut self.entries[origin as usize]
    }

    /// Adds an item that is no constant.
    pub fn item(&mut self, name: Option<Ident>, tokens: TokenStream) {
        self.items.push(Item { name, tokens, constant: None });
    }

    /// Adds a constant, before those that are declared after it in the same function.
    pub fn constant(&mut self, own: (usize, ConstantId), name: Ident, tokens: TokenStream) {
        let is_after = |item: &Item| item.constant.is_some_and(|(of, id)| of == own.0 && id > own.1);
        let place = self.items.iter().position(is_after).unwrap_or(self.items.len());
        self.items.insert(place, Item { name: Some(name), tokens, constant: Some(own) });
    }

    /// The items.
    pub fn items(&self) -> &[Item] {
        &self.items
    }
}

impl Written {
    /// The passive pieces of code in it.
    pub fn tokens(&self) -> Vec<&TokenStream> {
        match self {
            Written::Line(line) => vec![&line.tokens],
            Written::Operand(tokens) => vec![tokens],
            Written::Branch(Branch { head, arms, .. }) => {
                let scrutinee = match head {
                    Head::IfLet(tokens) | Head::Match(tokens) | Head::Index(tokens) => Some(tokens),
                    Head::If | Head::And | Head::Or | Head::Number => None,
                };
                arms.iter().map(|arm| &arm.pattern).chain(scrutinee).collect()
            }
            Written::Loop(LoopHead::For { pattern, items }) => vec![pattern, items],
            Written::Loop(LoopHead::While(condition)) => vec![condition],
            Written::Call(call) => call.arguments.iter().flat_map(Argument::passive).collect(),
            Written::Copy(..) | Written::Next | Written::Open | Written::Close => Vec::new(),
            Written::Loop(LoopHead::Endless | LoopHead::Counted) => Vec::new(),
        }
    }
}

impl Line {
    /// A statement that declares nothing.
    pub fn effect(tokens: TokenStream) -> Self {
        let has_call = has_call(tokens.clone());
        Line {
            names: Vec::new(),
            tokens,
            note: None,
            is_owned: false,
            is_optional: false,
            has_call,
            is_read: false,
            moved: None,
        }
    }

    /// The declaration of variables by a pattern.
    pub fn pattern(names: Vec<Ident>, tokens: TokenStream) -> Self {
        Line { names, ..Line::effect(tokens) }
    }

    /// The declaration of a variable, which may borrow from others if it is not owned.
    pub fn variable(name: &Ident, is_owned: bool, tokens: TokenStream) -> Self {
        Line { names: vec![name.clone()], is_owned, ..Line::effect(tokens) }
    }

    /// The declaration, which may be left out if nothing uses what it declares.
    pub fn optional(self, is_optional: bool) -> Self {
        Line { is_optional, ..self }
    }

    /// The statement, which may change what others read although it calls nothing.
    pub fn changing(self) -> Self {
        Line { has_call: true, ..self }
    }

    /// The statement, which does nothing but to give a value, if it does nothing else.
    pub fn reading(self, is_read: bool) -> Self {
        Line { is_read, ..self }
    }

    /// The declaration by this value, which perhaps moves a variable.
    pub fn of(self, value: &Passive) -> Self {
        Line { moved: value.moved(), ..self }
    }

    /// The declaration after that of a variable of its own, which nothing else mentions.
    pub fn after(self, declaration: TokenStream) -> Self {
        let tokens = self.tokens;
        Line { tokens: quote!(#declaration #tokens), ..self }
    }

    /// The declaration of a variable for a number of this type.
    pub fn number(name: &Ident, ty: &TokenStream, value: &TokenStream) -> Self {
        Line::variable(name, true, quote_spanned!(Span::mixed_site()=> let #name: #ty = #value;))
    }

    /// Says what follows the statement, unless that has been said.
    pub fn note(&mut self, note: TokenStream) {
        self.note.get_or_insert(note);
    }

    /// The variables that it declares.
    pub fn names(&self) -> &[Ident] {
        &self.names
    }

    /// Those of the variables that are declared as `mut`.
    pub fn mutable(&self) -> impl Iterator<Item = &Ident> {
        self.names.iter().filter(|name| is_mut(self.tokens.clone(), name))
    }

    /// The statement.
    pub fn tokens(&self) -> &TokenStream {
        &self.tokens
    }

    /// What follows the statement, if anything.
    pub fn noted(&self) -> Option<&TokenStream> {
        self.note.as_ref()
    }

    /// Whether it may do more than to give a value.
    pub fn has_effect(&self) -> bool {
        self.has_call && !self.is_read
    }

    /// Whether it may be left out if nothing uses what it declares.
    pub fn is_optional(&self) -> bool {
        self.is_optional
    }

    /// Whether a function may be called in it, or something is changed.
    pub fn has_call(&self) -> bool {
        self.has_call
    }

    /// Whether what it declares may do something when it is dropped. What a call returns may, and what one of these
    /// variables is moved into.
    pub fn may_hold(&self, holding: &HashSet<String>) -> bool {
        let is_given = self.has_call || self.moved.as_ref().is_some_and(|moved| holding.contains(moved));
        is_given && self.may_borrow() && !self.is_optional
    }

    /// Whether what it declares may borrow from other variables.
    pub fn may_borrow(&self) -> bool {
        !self.is_owned && !self.names.is_empty()
    }
}

impl Call {
    /// The list of entries that the Jacobian is returned as, if that is what a call up to this order returns.
    pub fn sparse(&self, order: u8) -> Option<&Sparse> {
        match &self.source {
            Source::Returned { sparse, .. } => sparse.as_ref().filter(|_| order == 1),
            Source::Implicit(_) | Source::List => None,
        }
    }

    /// How the Jacobian is stored that a call up to this order returns.
    pub fn layout(&self, order: u8) -> Layout {
        match &self.source {
            Source::Returned { layout, .. } if order == 1 => *layout,
            _ => Layout::Default,
        }
    }

    /// Whether the Jacobian is a row by itself, for a single float is all that the function computes.
    pub fn is_gradient(&self) -> bool {
        match (&self.returned, &self.outputs[..]) {
            (Returned::Float | Returned::Unknown, _) => true,
            (Returned::Array(_), [Shape::Float(_)]) => !self.has_value,
            (Returned::Array(_), _) => false,
        }
    }

    /// Whether the function solves an equation.
    pub fn is_implicit(&self) -> bool {
        matches!(self.source, Source::Implicit(_))
    }

    /// The function that gives derivatives up to this order.
    pub fn of_order(&self, order: u8) -> &TokenStream {
        match (&self.source, order) {
            (_, 0) | (Source::List, _) => &self.function,
            (Source::Returned { hessian, .. }, 2..) => hessian,
            (Source::Returned { sparse: Some(sparse), .. }, _) => &sparse.function,
            (Source::Returned { jacobian, .. } | Source::Implicit(jacobian), _) => jacobian,
        }
    }
}

impl Argument {
    /// The passive expressions in it.
    pub fn passive(&self) -> Vec<&TokenStream> {
        match self {
            Argument::Float | Argument::Unread(_) => Vec::new(),
            Argument::Array(parts) | Argument::Whole(_, parts) => parts.iter().flat_map(Argument::passive).collect(),
            Argument::Reference(target) | Argument::Output(target) => target.passive(),
            Argument::Passive(tokens) => vec![tokens],
        }
    }
}

/// Whether the pattern of a declaration says `mut` before this name.
fn is_mut(declaration: TokenStream, name: &Ident) -> bool {
    let mut is_after_mut = false;
    for token in declaration {
        is_after_mut = match token {
            TokenTree::Punct(punct) if punct.as_char() == '=' => return false,
            TokenTree::Group(group) if is_mut(group.stream(), name) => return true,
            TokenTree::Ident(ident) if is_after_mut && ident == *name => return true,
            TokenTree::Ident(ident) => ident == "mut",
            _ => false,
        };
    }
    false
}
