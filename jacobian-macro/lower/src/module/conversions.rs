//! What the module converts by `From`, as `?` does it to errors.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Ident, ImplItem, Item, Type};

use super::super::syntax::GIVING_VALUES;

/// An implementation of `From`.
struct Conversion {
    /// The last name of the type that it is for; none where it is no path.
    to: Option<Ident>,
    /// Whether it surely gives a value and does nothing else.
    is_plain: bool,
}

/// The implementations of `From` in a module.
#[derive(Default)]
pub struct Conversions {
    all: Vec<Conversion>,
}

impl Conversions {
    /// Those among `items`.
    pub fn read(items: &[Item]) -> Self {
        let conversion = |item: &Item| {
            let Item::Impl(item) = item else { return None };
            let (trait_, _) = item.trait_.as_ref()?;
            trait_.segments.last().filter(|last| last.ident == "From")?;
            let is_plain = item.items.iter().all(|item| match item {
                ImplItem::Fn(function) => makes_value(function.block.to_token_stream()),
                _ => false,
            });
            Some(Conversion { to: name_of(&item.self_ty).cloned(), is_plain })
        };
        Conversions { all: items.iter().filter_map(conversion).collect() }
    }

    /// Whether converting something to this type, if it is known, does nothing but to give a value, as far as is seen.
    pub fn are_plain(&self, to: Option<&Type>) -> bool {
        let name = to.and_then(name_of).map(IdentExt::unraw);
        let may_be = |own: &&Conversion| match (&own.to, &name) {
            (Some(own), Some(name)) => own.unraw() == *name,
            _ => true,
        };
        self.all.iter().filter(may_be).all(|own| own.is_plain)
    }
}

fn name_of(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}

/// Whether nothing is called in tokens but constructors and conversions of the standard library.
fn makes_value(tokens: TokenStream) -> bool {
    let mut name: Option<String> = None;
    tokens.into_iter().all(|token| {
        let before = name.take();
        match token {
            TokenTree::Ident(ident) => {
                name = Some(ident.to_string());
                true
            }
            TokenTree::Group(group) => {
                let is_plain = |name: &str| name.starts_with(char::is_uppercase) || GIVING_VALUES.contains(&name);
                let is_called = group.delimiter() == Delimiter::Parenthesis;
                let is_known = before.is_none_or(|name| !is_called || is_plain(&name));
                is_known && group.delimiter() != Delimiter::Bracket && makes_value(group.stream())
            }
            TokenTree::Punct(sign) => !"!+-*/%".contains(sign.as_char()),
            TokenTree::Literal(_) => true,
        }
    })
}
