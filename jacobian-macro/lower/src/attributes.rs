//! Attributes under conditions: a macro cannot evaluate a `cfg`, but can copy it to what it generates.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Meta, MetaList, parse_quote};

/// Those attributes that `is_wanted` says by their tokens, also those after the condition of a `cfg_attr`, with it.
pub fn filtered(attributes: &[Attribute], is_wanted: &dyn Fn(&TokenStream) -> bool) -> Vec<Attribute> {
    let kept = |attribute: &Attribute| {
        let meta = filtered_meta(attribute.meta.to_token_stream(), is_wanted)?;
        Some(Attribute { meta: syn::parse2(meta).ok()?, ..attribute.clone() })
    };
    attributes.iter().filter_map(kept).collect()
}

fn filtered_meta(meta: TokenStream, is_wanted: &dyn Fn(&TokenStream) -> bool) -> Option<TokenStream> {
    let Some(ConditionalMeta { name, condition, metas }) = ConditionalMeta::of(&meta) else {
        return is_wanted(&meta).then_some(meta);
    };
    let kept: Vec<_> = metas.into_iter().filter_map(|meta| filtered_meta(meta, is_wanted)).collect();
    (!kept.is_empty()).then(|| quote!(#name(#condition, #(#kept),*)))
}

/// The lints that are allowed somewhere in `tokens`, as they are written there.
pub fn allowed(tokens: TokenStream) -> Vec<TokenStream> {
    let mut lints = Vec::new();
    let mut is_hash = false;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let meta = group.stream();
            match is_hash && ["allow", "expect"].iter().any(|name| is_named(&meta, name)) {
                true => lints.extend(syn::parse2::<MetaList>(meta).map(|list| list.tokens)),
                false => lints.extend(allowed(meta)),
            }
        }
        is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
    }
    lints
}

/// The conditions under which an item is there at all.
pub fn conditions(attributes: &[Attribute]) -> Vec<Attribute> {
    filtered(attributes, &|meta| is_named(meta, "cfg"))
}

/// Whether an attribute that begins with these tokens has this name.
pub fn is_named(meta: &TokenStream, name: &str) -> bool {
    let mut tokens = meta.clone().into_iter();
    let is_name = matches!(tokens.next(), Some(TokenTree::Ident(ident)) if ident == name);
    is_name && !matches!(tokens.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

/// An attribute `#[jacobian]`.
pub struct Mark {
    /// Its options.
    pub options: TokenStream,
    /// Where it is in a `cfg_attr`: the condition under which it is there.
    pub condition: Option<Attribute>,
}

impl Mark {
    /// The first of those among these attributes.
    pub fn find(attributes: &[Attribute]) -> Option<Self> {
        Self::all(attributes).into_iter().next()
    }

    /// Those among these attributes.
    pub fn all(attributes: &[Attribute]) -> Vec<Self> {
        let metas = attributes.iter().map(|attribute| attribute.meta.to_token_stream());
        metas.flat_map(|meta| Self::in_meta(meta, &[])).collect()
    }

    fn in_meta(meta: TokenStream, outer: &[TokenStream]) -> Vec<Self> {
        if let Some(ConditionalMeta { condition, metas, .. }) = ConditionalMeta::of(&meta) {
            let conditions = [outer, &[condition]].concat();
            return metas.into_iter().flat_map(|meta| Self::in_meta(meta, &conditions)).collect();
        }
        if !is_mark(&meta) {
            return Vec::new();
        }
        let options = match syn::parse2(meta) {
            Ok(Meta::List(MetaList { tokens, .. })) => tokens,
            Ok(Meta::Path(_) | Meta::NameValue(_)) => TokenStream::new(),
            Err(_) => return Vec::new(),
        };
        let condition = (!outer.is_empty()).then(|| parse_quote!(#[cfg(all(#(#outer),*))]));
        vec![Mark { options, condition }]
    }
}

/// Whether an attribute with these tokens is `#[jacobian]`.
pub fn is_mark(meta: &TokenStream) -> bool {
    let path = meta.clone().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_)));
    let is_last = matches!(path.last(), Some(TokenTree::Ident(ident)) if ident == "jacobian");
    is_last && !is_named(meta, "doc")
}

/// What is in a `cfg_attr`.
struct ConditionalMeta {
    name: TokenTree,
    condition: TokenStream,
    metas: Vec<TokenStream>,
}

impl ConditionalMeta {
    fn of(meta: &TokenStream) -> Option<Self> {
        let mut tokens = meta.clone().into_iter();
        let (Some(name), Some(TokenTree::Group(arguments)), true) =
            (tokens.next(), tokens.next(), is_named(meta, "cfg_attr"))
        else {
            return None;
        };
        let mut parts = separated(&arguments).into_iter();
        Some(ConditionalMeta { name, condition: parts.next()?, metas: parts.collect() })
    }
}

/// What is between the commas of a group.
fn separated(group: &Group) -> Vec<TokenStream> {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let parts = tokens.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
    parts.filter(|part| !part.is_empty()).map(|part| part.iter().cloned().collect()).collect()
}
