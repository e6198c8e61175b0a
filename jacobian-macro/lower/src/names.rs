//! Names for the generated code that collide with none of the user's.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ItemFn;

/// Makes names that occur nowhere in the user's function.
#[derive(Clone)]
pub struct Names {
    /// Every name in use, and the number of the next name made from it; 0 where none was made.
    taken: HashMap<String, usize>,
    /// What precedes the number in the name of a value without a name.
    prefix: String,
    /// The name of the user's function. Where a name of ours is that of an item of the user's outside of the function,
    /// which a macro cannot see, `let` takes it for a pattern: rustc says what that means where it finds an identifier
    /// at this place.
    place: Span,
}

impl Names {
    /// Names that do not occur in a function.
    pub fn avoiding(function: &ItemFn) -> Self {
        let mut found = HashSet::new();
        identifiers(function.to_token_stream(), &mut found);
        // No underscore at its end: `v_7` could also be the seventh variable that the user calls `v`.
        let mut prefix = "v".to_string();
        while found.iter().any(|name| is_numbered(name, &prefix)) {
            prefix.push('v');
        }
        let taken = found.into_iter().map(|name| (name, 0)).collect();
        Names { taken, prefix, place: function.sig.ident.span() }
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

    /// A new name like that of a type.
    pub fn fresh_type(&mut self, wish: &str) -> Ident {
        let candidates = (1..).map(|number| format!("{}{number}", stem(wish)));
        let free = candidates.into_iter().find(|candidate| !self.taken.contains_key(candidate));
        self.take(free.expect("there is no end of them"))
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
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(stem(name), 1);
    }

    /// Takes a name of the user's as it is: none like it will be made.
    pub fn keep(&mut self, name: &str) {
        let next = self.taken.entry(stem(name)).or_default();
        *next = (*next).max(1);
    }

    fn take(&mut self, stem: String) -> Ident {
        let ident = Ident::new(&stem, Span::mixed_site().located_at(self.place));
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
    let stem = if is_plain(wish) { wish.to_string() } else { joined(wish) };
    let is_usable = stem.starts_with(|first: char| first.is_ascii_alphabetic()) && !is_keyword(&stem);
    if is_usable { stem } else { format!("v_{}", stem.trim_start_matches('_')) }
}

/// Whether a text is words of letters and digits with single underscores between them. (A loop: this is asked for every
/// value.)
fn is_plain(text: &str) -> bool {
    let mut is_within_word = false;
    for &byte in text.as_bytes() {
        if !byte.is_ascii_alphanumeric() && (byte != b'_' || !is_within_word) {
            return false;
        }
        is_within_word = byte != b'_';
    }
    is_within_word
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

/// Whether a character can be inside a name.
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

/// The identifier of a name that is known without its `r#`.
pub fn identifier(name: &str, span: Span) -> Ident {
    if is_keyword(name) { Ident::new_raw(name, span) } else { Ident::new(name, span) }
}

/// Whether the parser takes a word for something else than a name.
fn is_keyword(word: &str) -> bool {
    word.len() <= 8
        && word.bytes().all(|byte| byte.is_ascii_alphabetic())
        && (LATER_KEYWORDS.contains(&word) || syn::parse_str::<Ident>(word).is_err())
}

/// Adds the identifiers in `tokens` to `found`.
fn identifiers(tokens: TokenStream, found: &mut HashSet<String>) {
    each_identifier(tokens, &mut |ident| {
        found.insert(ident.to_string());
    });
}

/// Visits the identifiers in `tokens`.
pub fn each_identifier(tokens: TokenStream, visit: &mut dyn FnMut(Ident)) {
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

/// The identifiers that occur more than once.
pub fn repeated(within: &impl ToTokens) -> HashSet<String> {
    let (mut found, mut repeated) = (HashSet::new(), HashSet::new());
    each_identifier(within.to_token_stream(), &mut |ident| {
        let name = ident.to_string();
        if !found.insert(name.clone()) {
            repeated.insert(name);
        }
    });
    repeated
}

/// Visits the identifiers in `tokens` that may be variables: no fields, no methods, no parts of paths.
pub fn each_variable(tokens: TokenStream, visit: &mut dyn FnMut(Ident)) {
    each_root(tokens, &mut |ident, next| {
        if !begins_path(next) {
            visit(ident);
        }
    });
}

/// Visits the identifiers in `tokens` that may be variables or the first of paths, each with the token after it.
pub fn each_root(tokens: TokenStream, visit: &mut dyn FnMut(Ident, Option<&TokenTree>)) {
    let mut streams = vec![tokens];
    while let Some(stream) = streams.pop() {
        let (mut tokens, mut before) = (stream.into_iter().peekable(), (' ', 0));
        while let Some(token) = tokens.next() {
            let punct = match &token {
                TokenTree::Punct(punct) => punct.as_char(),
                _ => ' ',
            };
            match token {
                TokenTree::Ident(ident) => {
                    if !matches!(before, ('.', 1) | (':', 2..)) {
                        visit(ident, tokens.peek());
                    }
                }
                TokenTree::Group(group) => streams.push(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            before = (punct, if punct == before.0 { before.1 + 1 } else { 1 });
        }
    }
}

/// What precedes a token.
#[derive(Default)]
pub struct Before {
    punct: Option<char>,
    /// How many of them there are.
    count: usize,
    /// What it ends in, if that is one of these.
    word: Option<Word>,
}

/// What means something for the token after it.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Word {
    As,
    Struct,
    Stringify,
    OfStringify,
}

impl Before {
    /// Whether a word after it is a part of a value or of a path, or a lifetime.
    pub fn is_of_name(&self) -> bool {
        matches!((self.punct, self.count), (Some('.'), 1) | (Some(':'), 2..) | (Some('\''), _))
    }

    /// Whether a word after it is a type.
    pub fn is_of_type(&self) -> bool {
        self.word == Some(Word::As)
    }

    /// Whether braces after it hold the fields of a struct, as its capital letter says.
    pub fn is_of_struct(&self) -> bool {
        self.word == Some(Word::Struct)
    }

    /// Whether brackets after it hold a text: what `stringify!` is given.
    pub fn is_of_text(&self) -> bool {
        self.word == Some(Word::OfStringify)
    }

    /// Goes on after a token.
    pub fn next(&mut self, token: &TokenTree) {
        let punct = match token {
            TokenTree::Punct(punct) => Some(punct.as_char()),
            _ => None,
        };
        self.count = if punct == self.punct { self.count + 1 } else { 1 };
        self.punct = punct;
        self.word = match token {
            TokenTree::Ident(word) if word == "as" => Some(Word::As),
            TokenTree::Ident(word) if word == "stringify" => Some(Word::Stringify),
            TokenTree::Ident(word) if word.to_string().starts_with(char::is_uppercase) => Some(Word::Struct),
            TokenTree::Punct(mark) if mark.as_char() == '!' && self.word == Some(Word::Stringify) => {
                Some(Word::OfStringify)
            }
            _ => None,
        };
    }
}

/// Whether a word before this token is the first of a path, and so a type or a module.
pub fn begins_path(next: Option<&TokenTree>) -> bool {
    matches!(next, Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
}
