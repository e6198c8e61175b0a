//! Constants and functions that are named by a type whose traits are known, `T::NAME`: with the trait that has them,
//! `<T as Trait>::NAME`, they mean the same where the type is known and has others of that name.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Generics, Ident, Item, ItemTrait, TraitItem, TypeParamBound, WherePredicate};

use super::super::tokens::{grouped, is_path, is_punct};

/// The tokens of a generic item, in which parts of its parameters are named with the traits of the module that have them.
pub fn of_parameters(tokens: TokenStream, generics: &Generics, items: &[Item]) -> TokenStream {
    with_traits(tokens, &|parameter, part| trait_of_parameter(parameter, part, generics, items))
}

/// The body of a method that a trait provides, in which its own parts, and those of traits that it requires, are named
/// with these: they are those of the implementation.
pub fn of_self(body: TokenStream, declared: &ItemTrait, items: &[Item]) -> TokenStream {
    with_traits(body, &|own, part| if own == "Self" { trait_of_self(declared, items, part) } else { None })
}

fn with_traits(tokens: TokenStream, trait_of: &dyn Fn(&Ident, &Ident) -> Option<TokenStream>) -> TokenStream {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut written = TokenStream::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_first = at == 0 || !is_punct(tokens.get(at - 1), ':');
        match (token, tokens.get(at + 3)) {
            (TokenTree::Ident(ty), Some(TokenTree::Ident(part)))
                if is_first
                    && is_path(&tokens, at + 1)
                    && let Some(trait_) = trait_of(ty, part) =>
            {
                written.extend(quote!(<#ty as #trait_>));
            }
            (TokenTree::Group(group), _) => written.extend([grouped(group, with_traits(group.stream(), trait_of))]),
            (token, _) => written.extend([token.clone()]),
        }
    }
    written
}

/// The trait that has a part of this name, as it is written: this one, or the only one that it requires and that has one.
fn trait_of_self(declared: &ItemTrait, items: &[Item], name: &Ident) -> Option<TokenStream> {
    if has_part(declared, name) {
        let (trait_, (_, arguments, _)) = (&declared.ident, declared.generics.split_for_impl());
        return Some(quote!(#trait_ #arguments));
    }
    match &required_with(declared, items, name)[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// The only trait of the module by which a parameter is bounded, or that such a trait requires, which has a part of this
/// name.
fn trait_of_parameter(parameter: &Ident, part: &Ident, generics: &Generics, items: &[Item]) -> Option<TokenStream> {
    let own = generics.type_params().find(|own| own.ident == *parameter)?;
    let clauses =
        generics.where_clause.iter().flat_map(|clause| &clause.predicates).filter_map(|clause| match clause {
            WherePredicate::Type(clause) if *parameter == clause.bounded_ty.to_token_stream().to_string() => {
                Some(&clause.bounds)
            }
            _ => None,
        });
    let mut found = Vec::new();
    for bound in own.bounds.iter().chain(clauses.flatten()) {
        let TypeParamBound::Trait(bound) = bound else { continue };
        let Some(declared) = declared_trait(&bound.path, items) else { continue };
        if has_part(declared, part) {
            found.push(bound.path.to_token_stream());
        }
        found.extend(required_with(declared, items, part));
    }
    match &found[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// The traits without parameters that a trait requires and that have a part of this name.
fn required_with(declared: &ItemTrait, items: &[Item], part: &Ident) -> Vec<TokenStream> {
    let required = declared.supertraits.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => declared_trait(&bound.path, items),
        _ => None,
    });
    let required = required.filter(|own| own.generics.params.is_empty() && has_part(own, part));
    required.map(|own| own.ident.to_token_stream()).collect()
}

/// The trait of the module that a path names.
fn declared_trait<'i>(path: &syn::Path, items: &'i [Item]) -> Option<&'i ItemTrait> {
    let name = path.segments.first().filter(|_| path.segments.len() == 1)?;
    items.iter().find_map(|item| match item {
        Item::Trait(item) if item.ident == name.ident => Some(item),
        _ => None,
    })
}

/// Whether a trait has a constant of this name, or a function that takes no `self`.
fn has_part(declared: &ItemTrait, name: &Ident) -> bool {
    declared.items.iter().any(|part| match part {
        TraitItem::Const(own) => own.ident == *name,
        TraitItem::Fn(own) => own.sig.ident == *name && own.sig.receiver().is_none(),
        _ => false,
    })
}
