//! The attribute macro of the crate [`jacobian`](https://docs.rs/jacobian), which documents and re-exports it.
//! Rust syntax in, Rust syntax out; the derivative is found by `jacobian-core`.

mod expand;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Generates the Jacobian of a function at compile time; see the documentation of the crate `jacobian`.
#[proc_macro_attribute]
pub fn jacobian(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(options.into(), item.into()).into()
}
