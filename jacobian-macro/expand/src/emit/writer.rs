//! A list of tokens that grows. Statements by the thousand are written with it: every token stream is an exchange with
//! the compiler, a vector of tokens is not.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// Tokens in order.
#[derive(Clone, Default)]
pub struct Writer(Vec<TokenTree>);

impl Writer {
    /// Lists of tokens with commas between them.
    pub fn list(parts: impl IntoIterator<Item = Writer>) -> Self {
        let mut out = Writer::default();
        for part in parts {
            if out.len() > 0 {
                out.punct(",");
            }
            out.append(part);
        }
        out
    }

    /// Appends a token.
    pub fn token(&mut self, token: impl Into<TokenTree>) -> &mut Self {
        self.0.push(token.into());
        self
    }

    /// Appends a name or keyword of the generated code.
    pub fn word(&mut self, word: &str) -> &mut Self {
        self.token(Ident::new(word, Span::mixed_site()))
    }

    /// Appends an operator or other punctuation of one or more characters.
    pub fn punct(&mut self, symbol: &str) -> &mut Self {
        let mut characters = symbol.chars().peekable();
        while let Some(character) = characters.next() {
            let spacing = if characters.peek().is_some() { Spacing::Joint } else { Spacing::Alone };
            let mut punct = Punct::new(character, spacing);
            punct.set_span(Span::mixed_site());
            self.token(punct);
        }
        self
    }

    /// Appends all tokens of another list.
    pub fn all(&mut self, tokens: &Writer) -> &mut Self {
        self.0.extend(tokens.0.iter().cloned());
        self
    }

    /// Appends all tokens of another list, which is used up.
    pub fn append(&mut self, tokens: Writer) -> &mut Self {
        self.0.extend(tokens.0);
        self
    }

    /// Appends a stream.
    pub fn stream(&mut self, stream: TokenStream) -> &mut Self {
        self.0.extend(stream);
        self
    }

    /// The tokens in brackets.
    pub fn within(self, delimiter: Delimiter) -> Self {
        Writer(vec![Group::new(delimiter, self.into_stream()).into()])
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The tokens, one by one.
    pub fn tokens(&self) -> impl Iterator<Item = TokenTree> + '_ {
        self.0.iter().cloned()
    }

    /// The tokens as a stream.
    pub fn into_stream(self) -> TokenStream {
        self.0.into_iter().collect()
    }
}

impl From<Ident> for Writer {
    fn from(ident: Ident) -> Self {
        Writer(vec![ident.into()])
    }
}

impl From<TokenStream> for Writer {
    fn from(stream: TokenStream) -> Self {
        Writer(stream.into_iter().collect())
    }
}
