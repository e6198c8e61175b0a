//! Errors with the place in the user's source that they are about, collected so that they are reported together.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::Attribute;

use super::syntax::Placed;

/// The errors found so far.
#[derive(Default)]
pub struct Errors {
    /// Each with the `cfg`s of the function that it is about: it is an error where these hold.
    all: Vec<(syn::Error, Vec<Attribute>)>,
    /// The place, the text and the `cfg`s of each: what is evaluated several times is reported once.
    seen: HashSet<String>,
}

impl Errors {
    /// Reports an error at all of something.
    pub fn at(&mut self, placed: &dyn Placed, message: impl std::fmt::Display) {
        self.push(placed.place().error(&message));
    }

    /// Reports an error at `span`.
    pub fn at_span(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Reports an error.
    pub fn push(&mut self, error: syn::Error) {
        self.push_under(error, &[]);
    }

    /// Adds errors that have been collected elsewhere.
    pub fn append(&mut self, errors: Errors) {
        errors.all.into_iter().for_each(|(error, conditions)| self.push_under(error, &conditions));
    }

    /// The same, for a function under these `cfg`s.
    pub fn append_under(&mut self, errors: Errors, conditions: &[Attribute]) {
        errors.all.into_iter().for_each(|(error, _)| self.push_under(error, conditions));
    }

    fn push_under(&mut self, error: syn::Error, conditions: &[Attribute]) {
        let under = quote!(#(#conditions)*);
        for error in error {
            if self.seen.insert(format!("{:?} {error} {under}", error.span())) {
                self.all.push((error, conditions.to_vec()));
            }
        }
    }

    /// Whether there is one with this message.
    pub fn has(&self, message: &str) -> bool {
        self.all.iter().any(|(error, _)| error.to_string() == message)
    }

    /// Whether there is no error.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The errors, one by one.
    pub fn into_all(self) -> Vec<syn::Error> {
        self.all.into_iter().map(|(error, _)| error).collect()
    }

    /// The errors as code that makes the compiler report them.
    pub fn to_compile_errors(&self) -> TokenStream {
        self.all.iter().map(|(error, conditions)| compile_error(error, conditions)).collect()
    }
}

/// `compile_error! { ... }` without a path before it: in edition 2015, none with the user's spans leads to `core`.
fn compile_error(error: &syn::Error, conditions: &[Attribute]) -> TokenStream {
    let is_of_path = |token: &TokenTree| !matches!(token, TokenTree::Ident(name) if name == "compile_error");
    let tokens = error.to_compile_error().into_iter().skip_while(is_of_path);
    quote!(#(#conditions)* #(#tokens)*)
}

/// Names for a message: `` `a`, `b` ``.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut list = String::new();
    for name in names {
        let separator = if list.is_empty() { "" } else { ", " };
        list.extend([separator, "`", name, "`"]);
    }
    list
}

/// The names nearest to `name` by edit distance, at most `count`.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let mut ranked = Vec::new();
    for candidate in known {
        let rank = (edit_distance(name, candidate), candidate);
        ranked.insert(ranked.partition_point(|other| *other < rank), rank);
    }
    ranked.into_iter().take(count).map(|(_, candidate)| candidate).collect()
}

/// The least number of characters inserted, removed or replaced (Levenshtein).
fn edit_distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.chars().count()).collect();
    for (index, a) in left.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, b) in right.chars().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.chars().count()]
}
