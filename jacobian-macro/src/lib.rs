//! The attribute macro of the crate [`jacobian`](https://docs.rs/jacobian-ad), which documents and re-exports it: the
//! compiler's door to `jacobian-expand`. That is a crate of its own so that it is compiled beside the engine, and not
//! after it as a macro would be, and so that it can be called without a compiler.

use proc_macro::TokenStream;

/// Generates the Jacobian of a function at compile time; see the documentation of the crate `jacobian`.
#[proc_macro_attribute]
pub fn jacobian(options: TokenStream, item: TokenStream) -> TokenStream {
    jacobian_expand::expand(options.into(), item.into()).into()
}
