//! What the attribute accepts, beside what it makes of it: every file of `tests/pass` is a program of a function with
//! the attribute and, in `mod expansion`, its expansion as plain code. The programs compare the two and run. After a
//! change of what is generated, `UPDATE_EXPANSIONS=1 cargo test --test pass` writes the expansions anew.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Item, Meta};

/// Stands in front of the expansion.
const HEADER: &str = "\n/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.\n";

#[test]
fn the_expansions_are_those_that_are_shown() {
    for path in programs() {
        let text = fs::read_to_string(&path).expect("a readable program");
        let own = text.split_once(HEADER).map_or(text.as_str(), |(own, _)| own);
        let written = format!("{own}{HEADER}{}", expansion(own));
        if std::env::var_os("UPDATE_EXPANSIONS").is_some() {
            fs::write(&path, written).expect("the program can be written");
        } else {
            let hint = "run `UPDATE_EXPANSIONS=1 cargo test --test pass`";
            assert!(text == written, "{}: the expansion is another one: {hint}", path.display());
        }
    }
}

#[test]
fn the_expansions_are_what_the_attribute_computes() {
    trybuild::TestCases::new().pass("tests/pass/*.rs");
}

fn programs() -> Vec<PathBuf> {
    let directory = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pass")).expect("the directory");
    let mut programs: Vec<_> = directory.map(|entry| entry.expect("an entry of the directory").path()).collect();
    programs.sort();
    assert!(!programs.is_empty());
    programs
}

/// A module of what the attribute makes of every item of a program that has it.
fn expansion(program: &str) -> String {
    let program = syn::parse_file(program).expect("the program is Rust");
    let expansions: TokenStream = program.items.into_iter().filter_map(expanded).collect();
    prettyplease::unparse(&syn::parse2(quote!(mod expansion { #expansions })).expect("the expansion is Rust"))
}

/// What the attribute makes of an item, if it has it.
fn expanded(mut item: Item) -> Option<TokenStream> {
    let attributes = match &mut item {
        Item::Fn(function) => &mut function.attrs,
        Item::Mod(module) => &mut module.attrs,
        _ => return None,
    };
    let place = attributes.iter().position(|attribute| attribute.path().is_ident("jacobian"))?;
    let options = options(&attributes.remove(place));
    Some(jacobian_expand::expand(options, item.into_token_stream()))
}

/// What stands in the brackets of an attribute.
fn options(attribute: &Attribute) -> TokenStream {
    match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}
