//! Tokens, where what they mean is not asked.

use proc_macro2::{Group, TokenStream, TokenTree};

/// Whether a token is this sign.
pub fn is_punct(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Whether a token is this word.
pub fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// Whether `::` begins at a token.
pub fn is_path(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}

/// The group with these tokens in it.
pub fn grouped(group: &Group, stream: TokenStream) -> TokenTree {
    let mut inner = Group::new(group.delimiter(), stream);
    inner.set_span(group.span());
    TokenTree::Group(inner)
}
