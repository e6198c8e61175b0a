//! Names: which variable an identifier of the user means, and names for the generated code that collide with none.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};

use super::value::Binding;

/// A variable's name together with the macro expansion that the identifier comes from: in a `macro_rules!` macro, two
/// variables of the same name can be different ones.
type Key = (String, String);

/// The variables in scope, the innermost block last.
#[derive(Default)]
pub struct Scopes {
    blocks: Vec<HashMap<Key, Binding>>,
    contexts: HashMap<String, ()>,
}

impl Scopes {
    /// Enters a block.
    pub fn enter(&mut self) {
        self.blocks.push(HashMap::new());
    }

    /// Leaves the innermost block.
    pub fn leave(&mut self) {
        self.blocks.pop();
    }

    /// Declares a variable; it shadows others of its name.
    pub fn declare(&mut self, ident: &Ident, binding: Binding) {
        self.contexts.insert(ident.to_string(), ());
        if let Some(block) = self.blocks.last_mut() {
            block.insert(key(ident), binding);
        }
    }

    /// The variable that `ident` means.
    pub fn find(&self, ident: &Ident) -> Option<&Binding> {
        // Most identifiers that are not variables are told by their name alone, without a look at their context.
        self.contexts.get(&ident.to_string())?;
        let key = key(ident);
        self.blocks.iter().rev().find_map(|block| block.get(&key))
    }

    /// The variable that `ident` means, to assign to it.
    pub fn find_mut(&mut self, ident: &Ident) -> Option<&mut Binding> {
        let key = key(ident);
        self.blocks.iter_mut().rev().find_map(|block| block.get_mut(&key))
    }
}

/// The context of a span is not accessible on stable Rust, but its debug form shows it; with the location made the same,
/// nothing else is left in which two spans can differ.
fn key(ident: &Ident) -> Key {
    let context = ident.span().located_at(Span::call_site());
    (ident.to_string(), format!("{context:?}"))
}

/// Makes names that stand nowhere in the user's function.
pub struct Names {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Names {
    /// Names that do not occur in `tokens`.
    pub fn avoiding(tokens: TokenStream) -> Self {
        let mut taken = HashSet::new();
        super::identifiers(tokens, &mut taken);
        Names { taken, next: HashMap::new() }
    }

    /// A new name like `wish`, which may be any text.
    pub fn fresh(&mut self, wish: &str) -> Ident {
        let stem = stem(wish);
        let next = self.next.entry(stem.clone()).or_insert(0);
        loop {
            let candidate = if *next == 0 { stem.clone() } else { format!("{stem}_{next}") };
            *next += 1;
            if self.taken.insert(candidate.clone()) {
                return Ident::new(&candidate, Span::mixed_site());
            }
        }
    }

    /// A name for a value that the user called `wish`: that name itself where it is first used.
    pub fn like(&mut self, wish: &str) -> Ident {
        let stem = stem(wish);
        if !self.next.contains_key(&stem) && is_identifier(&stem) {
            self.next.insert(stem.clone(), 1);
            self.taken.insert(stem.clone());
            return Ident::new(&stem, Span::mixed_site());
        }
        self.fresh(wish)
    }

    /// Keeps `name` for what it means already.
    pub fn reserve(&mut self, name: &Ident) {
        self.next.insert(stem(&name.to_string()), 1);
        self.taken.insert(name.to_string());
    }
}

fn is_identifier(name: &str) -> bool {
    syn::parse_str::<Ident>(name).is_ok()
}

/// The letters, digits and underscores of a text, in lower case, so that no convention on names is violated.
fn stem(wish: &str) -> String {
    let mut stem = String::new();
    for character in wish.trim_start_matches("r#").chars() {
        match character {
            character if character.is_alphanumeric() => stem.extend(character.to_lowercase()),
            _ if stem.ends_with('_') => {}
            _ => stem.push('_'),
        }
    }
    let trimmed = stem.trim_end_matches('_');
    let is_usable = trimmed.chars().next().is_some_and(char::is_alphabetic) && is_identifier(trimmed);
    if is_usable { trimmed.to_string() } else { format!("v{}", trimmed.trim_start_matches('_')) }
}
