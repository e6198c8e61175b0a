//! What tells identifiers of one name from each other.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

/// A name together with the macro expansion that the identifier comes from: in a `macro_rules!` macro, two variables of
/// the same name can be different ones.
pub type Key = (String, String);

/// The key of an identifier. The context of a span is not accessible on stable Rust, but its debug form shows it; with
/// the location made the same, nothing else is left in which two spans can differ.
pub fn key(ident: &Ident) -> Key {
    let context = ident.span().located_at(Span::call_site());
    (ident.unraw().to_string(), format!("{context:?}"))
}
