//! A code list in the making, together with the passive statements that run in front of its own: the function's, or that
//! of an arm of a branch.

use std::collections::{BTreeMap, HashMap, HashSet};

use jacobian_core::CodeList;
use jacobian_core::code_list::{Constant, Kind, Precision, ValueId};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

use super::value::{Binding, has_call};

/// The most numbers that are captured by a `let` each: rustc recurses over a sequence of these.
const MAX_CAPTURES: usize = 500;

/// How many captures are declared at once where there are more.
const CHUNK: usize = 64;

/// A statement of the prologue.
pub struct Line {
    tokens: TokenStream,
    /// The variable that it declares, where the statement may be left out if nothing uses that variable.
    only_for: Option<String>,
    /// The variable that captures a number, and its type, where the tokens are the number alone.
    capture: Option<(Ident, TokenStream)>,
}

impl Line {
    /// A statement that stays.
    pub fn always(tokens: TokenStream) -> Self {
        Line { tokens, only_for: None, capture: None }
    }

    /// The declaration of a variable, which may be left out if nothing uses it.
    pub fn only_for(variable: &Ident, tokens: TokenStream) -> Self {
        Line { only_for: Some(variable.to_string()), ..Line::always(tokens) }
    }
}

/// A code list in the making.
pub struct Frame {
    /// The statements on active values.
    pub list: CodeList,
    /// The statements on passive values.
    pub prologue: Vec<Line>,
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
        if has_call(line.tokens.clone()) {
            self.captured.clear();
        }
        self.prologue.push(line);
    }

    /// The value of the list that these passive tokens are, if they are captured already.
    pub fn captured(&self, kind: Kind, tokens: &str) -> Option<ValueId> {
        self.captured.get(&(kind, tokens.to_string())).copied()
    }

    /// Evaluates a passive number, which the user wrote as `source`, in the prologue as the variable `name` of type `ty`.
    pub fn capture(&mut self, kind: Kind, source: String, name: Ident, ty: TokenStream, value: TokenStream) -> ValueId {
        let is_repeatable = !has_call(value.clone());
        self.line(Line { capture: Some((name.clone(), ty)), ..Line::always(value) });
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

    /// The statements of the prologue without the variables that nothing uses, which are numbers that stand in the code
    /// list as such; with how many of them are no captures.
    pub fn take_prologue(&mut self) -> (Vec<TokenStream>, usize) {
        let lines = used_lines(std::mem::take(&mut self.prologue));
        let others = lines.iter().filter(|line| line.capture.is_none()).count();
        (statements(lines), others)
    }
}

/// The lines without the declarations that nothing uses.
fn used_lines(lines: Vec<Line>) -> Vec<Line> {
    let mut used = HashSet::new();
    let mut kept = Vec::new();
    for line in lines.into_iter().rev() {
        if line.only_for.as_ref().is_none_or(|name| used.contains(name)) {
            identifiers(line.tokens.clone(), &mut used);
            kept.push(line);
        }
    }
    kept.reverse();
    kept
}

/// The lines as statements.
fn statements(lines: Vec<Line>) -> Vec<TokenStream> {
    let captures: Vec<_> = lines.iter().filter_map(|line| line.capture.clone()).collect();
    let is_long = captures.len() > MAX_CAPTURES;
    let declare = |captures: &[(Ident, TokenStream)]| {
        let (names, types): (Vec<_>, Vec<_>) = captures.iter().cloned().unzip();
        quote_spanned!(Span::mixed_site()=> let (#(#names,)*): (#(#types,)*);)
    };
    let mut statements: Vec<_> = captures.chunks(CHUNK).filter(|_| is_long).map(declare).collect();
    statements.extend(lines.into_iter().map(|Line { tokens, capture, .. }| match capture {
        Some((name, _)) if is_long => quote_spanned!(Span::mixed_site()=> #name = #tokens;),
        Some((name, ty)) => quote_spanned!(Span::mixed_site()=> let #name: #ty = #tokens;),
        None => tokens,
    }));
    statements
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
