//! Places in the user's source: what an error points at.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// A place: from the first to the last token of something.
#[derive(Copy, Clone, Debug)]
pub struct Place {
    first: Span,
    last: Span,
}

impl Place {
    /// The place of a token.
    pub fn of(span: Span) -> Self {
        Place { first: span, last: span }
    }

    /// From the beginning of this place to the end of another.
    pub fn to(self, end: Place) -> Self {
        Place { first: self.first, last: end.last }
    }

    /// The span of its first token. (That of all of it is not to be had on stable Rust.)
    pub fn span(self) -> Span {
        self.first
    }

    /// The spans of its first and of its last token.
    pub fn ends(self) -> [Span; 2] {
        [self.first, self.last]
    }

    /// An error at this place.
    pub fn error(self, message: &dyn std::fmt::Display) -> syn::Error {
        let [first, last] = [self.first, self.last].map(|span| Ident::new("place", span));
        syn::Error::new_spanned(quote!(#first #last), message)
    }
}

/// What has a place in the user's source.
pub trait Placed {
    /// Its place.
    fn place(&self) -> Place;
}

impl<T: ToTokens> Placed for T {
    fn place(&self) -> Place {
        place_of(self.to_token_stream())
    }
}

fn place_of(tokens: TokenStream) -> Place {
    let mut tokens = tokens.into_iter();
    let Some(first) = tokens.next() else { return Place::of(Span::call_site()) };
    let last = tokens.last().map_or(first.span(), |last| last.span());
    Place { first: first.span(), last }
}

impl Placed for Place {
    fn place(&self) -> Place {
        *self
    }
}
