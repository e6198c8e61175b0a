//! The functions of the page in a form of choice.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, ImplItem, Item, ItemMod, Meta, parse_quote};

/// What options say how a form is called, and how it is laid out.
const OF_A_FORM: [&str; 4] = ["forms", "into", "layout", "name"];

/// The code, whose functions and methods ask for this form, and for no other.
pub fn in_form(form: &str, code: &str) -> String {
    let mut file = syn::parse_file(code).unwrap_or_else(|error| panic!("{error} in\n{code}"));
    ask_for(&form.parse().expect("a form is a word"), &mut file.items);
    file.into_token_stream().to_string()
}

fn ask_for(form: &TokenStream, items: &mut [Item]) {
    for item in items {
        match item {
            Item::Fn(function) => ask_in(&mut function.attrs, form),
            Item::Mod(ItemMod { content: Some((_, items)), .. }) => ask_for(form, items),
            Item::Impl(block) => {
                for item in &mut block.items {
                    let ImplItem::Fn(method) = item else { continue };
                    ask_in(&mut method.attrs, form);
                }
            }
            _ => {}
        }
    }
}

fn ask_in(attributes: &mut [Attribute], form: &TokenStream) {
    for attribute in attributes.iter_mut().filter(|attribute| attribute.path().is_ident("jacobian")) {
        let options = match &attribute.meta {
            Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        let others = separated(options).into_iter().filter(|option| {
            let word = option.clone().into_iter().next();
            word.is_some_and(|word| !OF_A_FORM.contains(&word.to_string().as_str()))
        });
        *attribute = parse_quote!(#[jacobian(#(#others,)* forms(#form))]);
    }
}

/// The options between commas.
fn separated(options: TokenStream) -> Vec<TokenStream> {
    let mut separated = vec![TokenStream::new()];
    for token in options {
        match (&token, separated.last_mut()) {
            (TokenTree::Punct(mark), _) if mark.as_char() == ',' => separated.push(TokenStream::new()),
            (_, Some(last)) => last.extend(quote!(#token)),
            (_, None) => {}
        }
    }
    separated
}
