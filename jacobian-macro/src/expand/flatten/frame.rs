//! A code list in the making, together with the passive statements that run in front of its own: the function's, or that
//! of an arm of a branch.

use std::collections::{BTreeMap, HashMap, HashSet};

use jacobian_core::CodeList;
use jacobian_core::code_list::{Constant, Kind, Precision, ValueId};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

use super::prologue;
use super::value::{Binding, has_call};

pub use super::prologue::Line;

/// A code list in the making.
pub struct Frame {
    /// The statements on active values.
    pub list: CodeList,
    /// The statements on passive values.
    pub prologue: Vec<Line>,
    /// How many of these stay in any case.
    required: usize,
    /// The variable of each passive value of the list.
    pub passive: Vec<TokenStream>,
    /// The passive values that are in the list already, by their tokens. All variables of the prologue are assigned
    /// once, so that equal tokens have equal values, unless they call something.
    captured: HashMap<(Kind, String), ValueId>,
    constants: HashMap<(bool, u64), ValueId>,
    /// The input that stands for a value of the frame around this one.
    imported: HashMap<ValueId, ValueId>,
    /// The values of the frame around this one that the inputs stand for.
    pub arguments: Vec<ValueId>,
    /// The number of variables in scope when the frame was opened.
    base: usize,
    /// The variables from outside that have been assigned here, with what they were before, by their number.
    pub saved: BTreeMap<usize, Binding>,
}

impl Frame {
    /// An empty frame, opened with so many variables in scope.
    pub fn new(precision: Precision, base: usize) -> Self {
        Frame {
            list: CodeList::new(precision),
            prologue: Vec::new(),
            required: 0,
            passive: Vec::new(),
            captured: HashMap::new(),
            constants: HashMap::new(),
            imported: HashMap::new(),
            arguments: Vec::new(),
            base,
            saved: BTreeMap::new(),
        }
    }

    /// A constant of the list.
    pub fn constant(&mut self, constant: Constant) -> ValueId {
        let list = &mut self.list;
        *self.constants.entry(constant.key()).or_insert_with(|| list.constant(constant))
    }

    /// The input that stands for a value of the frame around this one, which bears `name`.
    pub fn import(&mut self, value: ValueId, name: &str) -> ValueId {
        let (list, arguments) = (&mut self.list, &mut self.arguments);
        *self.imported.entry(value).or_insert_with(|| {
            arguments.push(value);
            list.input(name)
        })
    }

    /// Adds a statement to the prologue. After a call, what could be read before may have changed.
    pub fn line(&mut self, line: Line) {
        if line.has_call() {
            self.captured.clear();
        }
        self.required += usize::from(line.is_required());
        self.prologue.push(line);
    }

    /// The number of statements so far.
    pub fn length(&self) -> usize {
        self.list.statements().len() + self.required
    }

    /// The value of the list that these passive tokens are, if they are captured already.
    pub fn captured(&self, kind: Kind, tokens: &str) -> Option<ValueId> {
        self.captured.get(&(kind, tokens.to_string())).copied()
    }

    /// Evaluates a passive number, which the user wrote as `source`, in the prologue as the variable `name` of type `ty`.
    pub fn capture(&mut self, kind: Kind, source: String, name: Ident, ty: TokenStream, value: TokenStream) -> ValueId {
        let is_repeatable = !has_call(value.clone());
        self.line(Line::capture(&name, ty, value));
        let id = self.list.passive(kind, &name.to_string());
        self.passive.push(name.to_token_stream());
        if is_repeatable {
            self.captured.insert((kind, source), id);
        }
        id
    }

    /// Keeps what the variable with this number was before, if it is one from outside.
    pub fn save(&mut self, variable: usize, binding: &Binding) {
        if variable < self.base {
            self.saved.entry(variable).or_insert_with(|| binding.clone());
        }
    }

    /// The statements of the prologue.
    pub fn take_prologue(&mut self) -> Vec<TokenStream> {
        prologue::statements(std::mem::take(&mut self.prologue))
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
