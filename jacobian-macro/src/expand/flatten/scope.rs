//! Names: which variable an identifier of the user means, and names for the generated code that collide with none.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;

use super::value::Binding;

/// A variable's name together with the macro expansion that the identifier comes from: in a `macro_rules!` macro, two
/// variables of the same name can be different ones.
pub type Key = (String, String);

/// A variable or constant that has been declared.
struct Variable {
    key: Key,
    /// As it stands in its declaration.
    ident: Ident,
    binding: Binding,
    is_constant: bool,
}

/// The variables in scope. Each has a number: that of variables which were declared before it and are still there.
#[derive(Default)]
pub struct Scopes {
    bindings: Vec<Variable>,
    /// The numbers of the variables with a key, in ascending order.
    numbers: HashMap<Key, Vec<usize>>,
    /// The number of variables that were there when each of the open blocks was entered.
    blocks: Vec<usize>,
    /// The names that have been declared.
    names: HashSet<String>,
    /// What is seen in the body of the closure that is called at present.
    view: Option<View>,
    /// The variables that closures have moved into themselves, during their calls.
    moved: Vec<Range<usize>>,
}

/// The variables that a closure sees, by their numbers.
#[derive(Clone, Default)]
pub struct Captured(Rc<HashMap<Key, usize>>);

impl Captured {
    /// Whether there is one that is not among the first `count`.
    pub fn needs_more_than(&self, count: usize) -> bool {
        self.0.values().any(|&number| number >= count)
    }
}

/// The variables that are seen during the call of a closure: those that it has captured and its own.
struct View {
    captured: Captured,
    /// The number of its first own variable.
    own: usize,
}

/// What the call of a closure comes back to.
pub struct Caller(Option<View>);

impl Scopes {
    /// The number of blocks around this place: the parameters are in the first, the body is the second.
    pub fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// The number of variables that are there.
    pub fn len(&self) -> usize {
        self.bindings.len()
    }

    /// Enters a block.
    pub fn enter(&mut self) {
        self.blocks.push(self.bindings.len());
    }

    /// Leaves the innermost block.
    pub fn leave(&mut self) {
        let base = self.blocks.pop().unwrap_or_default();
        for variable in self.bindings.drain(base..) {
            self.numbers.get_mut(&variable.key).map(Vec::pop);
        }
    }

    /// Declares a variable; it shadows others of its name.
    pub fn declare(&mut self, ident: &Ident, binding: Binding) {
        self.add(ident, binding, false);
    }

    /// Declares a constant.
    pub fn declare_constant(&mut self, ident: &Ident, binding: Binding) {
        self.add(ident, binding, true);
    }

    fn add(&mut self, ident: &Ident, binding: Binding, is_constant: bool) {
        let key = key(ident);
        self.names.insert(key.0.clone());
        self.numbers.entry(key.clone()).or_default().push(self.bindings.len());
        self.bindings.push(Variable { key, ident: ident.clone(), binding, is_constant });
    }

    /// Whether the variable with this number is a constant.
    pub fn is_constant(&self, number: usize) -> bool {
        self.bindings[number].is_constant
    }

    /// The name of the variable with this number.
    pub fn name(&self, number: usize) -> Ident {
        self.bindings[number].ident.clone()
    }

    /// The number of the variable that `ident` means.
    pub fn number(&self, ident: &Ident) -> Option<usize> {
        // Most identifiers that are not variables are told by their name alone, without a look at their context.
        self.names.get(&ident.unraw().to_string())?;
        self.number_of(&key(ident))
    }

    fn number_of(&self, key: &Key) -> Option<usize> {
        let last = self.numbers.get(key)?.last().copied();
        match &self.view {
            Some(view) => last.filter(|&number| number >= view.own).or_else(|| view.captured.0.get(key).copied()),
            None => last,
        }
    }

    /// The variables that a closure sees which is written here with these identifiers in it.
    pub fn captured(&self, idents: &[Ident]) -> Captured {
        let known = idents.iter().filter(|ident| self.names.contains(&ident.unraw().to_string())).map(key);
        Captured(Rc::new(known.filter_map(|key| self.number_of(&key).map(|number| (key, number))).collect()))
    }

    /// Enters the call of a closure, whose first `moved` variables are those that it has moved into itself.
    pub fn call(&mut self, captured: &Captured, moved: usize) -> Caller {
        let own = self.bindings.len();
        self.moved.push(own..own + moved);
        Caller(self.view.replace(View { captured: captured.clone(), own }))
    }

    /// Leaves the call of a closure.
    pub fn return_to(&mut self, caller: Caller) {
        self.moved.pop();
        self.view = caller.0;
    }

    /// Whether a variable is one that a closure has moved into itself.
    pub fn is_moved(&self, number: usize) -> bool {
        self.moved.iter().any(|moved| moved.contains(&number))
    }

    /// The variable that `ident` means.
    pub fn find(&self, ident: &Ident) -> Option<&Binding> {
        self.number(ident).map(|number| self.get(number))
    }

    /// The variable with this number.
    pub fn get(&self, number: usize) -> &Binding {
        &self.bindings[number].binding
    }

    /// The variable with this number, to assign to it.
    pub fn at(&mut self, number: usize) -> &mut Binding {
        &mut self.bindings[number].binding
    }
}

/// The context of a span is not accessible on stable Rust, but its debug form shows it; with the location made the same,
/// nothing else is left in which two spans can differ.
pub fn key(ident: &Ident) -> Key {
    let context = ident.span().located_at(Span::call_site());
    (ident.unraw().to_string(), format!("{context:?}"))
}

/// Makes names that stand nowhere in the user's function.
pub struct Names {
    /// Every name in use, and the number of the next name made from it; 0 where none was made.
    taken: HashMap<String, usize>,
    /// What stands before the number in the name of a value without a name.
    prefix: String,
}

impl Names {
    /// Names that do not occur in `tokens`.
    pub fn avoiding(tokens: TokenStream) -> Self {
        let mut found = HashSet::new();
        identifiers(tokens, &mut found);
        // No underscore at its end: `v_7` could also be the seventh variable that the user calls `v`.
        let mut prefix = "v".to_string();
        while found.iter().any(|name| is_numbered(name, &prefix)) {
            prefix.push('v');
        }
        let taken = found.into_iter().map(|name| (name, 0)).collect();
        Names { taken, prefix }
    }

    /// The name of the value with this number.
    pub fn numbered(&mut self, number: usize) -> Ident {
        let name = format!("{}{number}", self.prefix);
        match self.taken.get(&name).copied() {
            None => self.take(name),
            Some(next) => self.suffixed(name, next.max(1)),
        }
    }

    /// A new name like `wish`, which may be any text.
    pub fn fresh(&mut self, wish: &str) -> Ident {
        let stem = stem(wish);
        match self.taken.get(&stem).copied() {
            None => self.take(stem),
            Some(next) => self.suffixed(stem, next.max(1)),
        }
    }

    /// A name for a value that the user called `wish`: that name itself where it is first used.
    pub fn like(&mut self, wish: &str) -> Ident {
        let stem = stem(wish);
        match self.taken.get(&stem).copied() {
            None | Some(0) => self.take(stem),
            Some(next) => self.suffixed(stem, next),
        }
    }

    /// Keeps `name` for what it means already.
    pub fn reserve(&mut self, name: &Ident) {
        self.taken.insert(stem(&name.to_string()), 1);
    }

    fn take(&mut self, stem: String) -> Ident {
        let ident = Ident::new(&stem, Span::mixed_site());
        self.taken.insert(stem, 1);
        ident
    }

    /// The first free one of `stem_1`, `stem_2`, ... from `next` on.
    fn suffixed(&mut self, stem: String, mut next: usize) -> Ident {
        loop {
            let candidate = format!("{stem}_{next}");
            next += 1;
            if !self.taken.contains_key(&candidate) {
                self.taken.insert(stem, next);
                return self.take(candidate);
            }
        }
    }
}

/// Whether `name` is `prefix` and a number.
fn is_numbered(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()))
}

/// The letters, digits and underscores of a text, as an identifier that is no keyword.
fn stem(wish: &str) -> String {
    let wish = wish.trim_start_matches("r#");
    let is_plain = wish.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let stem = if is_plain { wish.to_string() } else { joined(wish) };
    let is_usable = stem.starts_with(|first: char| first.is_ascii_alphabetic()) && !is_keyword(&stem);
    if is_usable { stem } else { format!("v_{}", stem.trim_start_matches('_')) }
}

/// The words of a text with single underscores between them.
fn joined(wish: &str) -> String {
    let mut stem = String::with_capacity(wish.len());
    for character in wish.chars() {
        match character {
            character if is_of_name(character) => stem.push(character),
            _ if stem.ends_with('_') => {}
            _ => stem.push('_'),
        }
    }
    stem.truncate(stem.trim_end_matches('_').len());
    stem
}

/// Whether a character can stand inside a name.
fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || (!character.is_ascii() && syn::parse_str::<Ident>(&format!("v{character}")).is_ok())
}

/// The words that are keywords in some editions only. The user's edition may allow them as names.
const LATER_KEYWORDS: [&str; 5] = ["async", "await", "dyn", "gen", "try"];

/// A variable of the user as it is written in the generated code. The span makes it a variable of the expansion, which
/// collides with nothing, at the place that the user wrote it.
pub fn emitted(ident: &Ident) -> Ident {
    let span = Span::mixed_site().located_at(ident.span());
    let name = ident.to_string();
    if LATER_KEYWORDS.contains(&name.as_str()) {
        return Ident::new_raw(&name, span);
    }
    let mut ident = ident.clone();
    ident.set_span(span);
    ident
}

/// Whether the parser takes a word for something else than a name.
fn is_keyword(word: &str) -> bool {
    word.len() <= 8 && (LATER_KEYWORDS.contains(&word) || syn::parse_str::<Ident>(word).is_err())
}

/// Adds the identifiers in `tokens` to `found`.
fn identifiers(tokens: TokenStream, found: &mut HashSet<String>) {
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
