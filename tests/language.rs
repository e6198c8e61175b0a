//! The page on the language says the truth: the functions on it are compiled and run, and have their values and their
//! derivatives; every example of a table is a part of one of these; and what is refused is refused as the page says it,
//! while what it says to write instead is accepted.

#[path = "language/page.rs"]
mod page;
#[path = "language/program.rs"]
mod program;
mod scratch_crate;

use page::{Section, code, on_one_line};
use quote::ToTokens;
use scratch_crate::{ScratchCrate, printed};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/LANGUAGE.md");

/// What the functions use.
const DEPENDENCIES: &str = "libm = \"0.2\"\nnum-traits = \"0.2\"\n\
     nalgebra = { version = \"0.34\", default-features = false, features = [\"std\", \"macros\"] }\n";

/// The beginning of the function whose body the snippets of what is refused are.
const SIGNATURE: &str = "fn f(x: f64, y: f64, a: [f64; 3], n: usize) -> f64";

/// A row of what is refused.
struct Refused {
    snippet: String,
    message: String,
    instead: String,
}

/// The sections of what is supported, and that of what is refused.
fn supported_and_refused() -> (Vec<Section>, Section) {
    let page = std::fs::read_to_string(PATH).expect("the page can be read");
    assert!(page.contains(SIGNATURE), "the page says whose body the snippets are");
    let mut sections = page::sections(&page);
    let refused = sections.pop().expect("the page has sections");
    assert_eq!(refused.title, "What is refused");
    (sections, refused)
}

fn refused() -> Vec<Refused> {
    let rows = supported_and_refused().1.rows;
    assert!(!rows.is_empty(), "nothing is refused");
    rows.into_iter()
        .map(|row| {
            let [snippet, message, instead] = &row[..] else { panic!("three cells are expected: {row:?}") };
            let whole = |cell: &str| {
                let snippet = code(cell).first().unwrap_or_else(|| panic!("no code in {row:?}")).to_string();
                if snippet.contains("#[jacobian") {
                    snippet
                } else {
                    format!("#[jacobian] {SIGNATURE} {{ {snippet} }}")
                }
            };
            assert!(!message.is_empty(), "the message is missing: {row:?}");
            Refused { snippet: whole(snippet), message: message.clone(), instead: whole(instead) }
        })
        .collect()
}

#[test]
fn every_example_is_a_part_of_a_function() {
    for section in supported_and_refused().0 {
        let functions = on_one_line(&section.blocks.join("\n"));
        for row in &section.rows {
            let [construct, example, _] = &row[..] else { panic!("three cells are expected: {row:?}") };
            let examples = code(example);
            assert!(!examples.is_empty(), "{construct}: there is no example");
            for example in examples {
                assert!(functions.contains(example), "{construct}: no function contains `{example}`");
            }
        }
    }
}

#[test]
fn functions_have_their_values_and_their_derivatives() {
    let (mut modules, mut checks, mut count) = (String::new(), String::new(), 0);
    let mut add = |name: &str, code: &str| {
        let (module, functions) = program::module(name, code);
        modules += &module;
        checks += &format!("{name}::check();\n");
        assert!(functions > 0, "nothing is differentiated in\n{code}");
        count += functions;
    };
    for (index, section) in supported_and_refused().0.iter().enumerate() {
        for (block, code) in section.blocks.iter().enumerate() {
            add(&format!("section_{index}_{block}"), code);
        }
    }
    for (index, row) in refused().iter().enumerate() {
        add(&format!("instead_{index}"), &format!("use jacobian::jacobian;\n{}", row.instead));
    }
    for (index, row) in refused().iter().enumerate() {
        modules += &format!("mod refused_{index} {{ {} }}\n", without_attributes(&row.snippet));
    }
    let scratch = ScratchCrate::new("language-page", 0, DEPENDENCIES);
    scratch.write("src/harness.rs", include_str!("language/harness.rs"));
    scratch.write("src/main.rs", &format!("#![allow(unused)]\nmod harness;\n{modules}\nfn main() {{\n{checks}}}\n"));
    let output = scratch.cargo(&["run"]);
    assert!(output.status.success(), "in {}: {}", scratch.directory().display(), printed(&output));
    println!("{count} functions");
}

#[test]
fn what_is_refused_is_refused_as_the_page_says() {
    let mut wrong = Vec::new();
    for Refused { snippet, message, .. } in refused() {
        let errors = errors(&snippet);
        if !errors.first().is_some_and(|error| error.starts_with(&message)) {
            wrong.push(format!("{snippet}\n  expected: {message}\n  errors: {errors:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The items of a snippet.
fn items(snippet: &str) -> Vec<syn::Item> {
    syn::parse_file(snippet).unwrap_or_else(|error| panic!("{error}: {snippet}")).items
}

fn attributes(item: &mut syn::Item) -> Option<&mut Vec<syn::Attribute>> {
    match item {
        syn::Item::Fn(function) => Some(&mut function.attrs),
        syn::Item::Mod(module) => Some(&mut module.attrs),
        _ => None,
    }
}

/// The code of a snippet without differentiation: it must be Rust.
fn without_attributes(snippet: &str) -> String {
    fn strip(items: &mut [syn::Item]) {
        for item in items {
            attributes(item).into_iter().for_each(Vec::clear);
            if let syn::Item::Impl(block) = item {
                for item in &mut block.items {
                    if let syn::ImplItem::Fn(method) = item {
                        method.attrs.clear();
                    }
                }
            }
            if let syn::Item::Mod(syn::ItemMod { content: Some((_, inner)), .. }) = item {
                strip(inner);
            }
        }
    }
    let mut items = items(snippet);
    strip(&mut items);
    items.iter().map(|item| item.to_token_stream().to_string()).collect::<Vec<_>>().join("\n")
}

/// What the expansion of the item that the attribute is on reports.
fn errors(snippet: &str) -> Vec<String> {
    let mut errors = Vec::new();
    for mut item in items(snippet) {
        let Some(attributes) = attributes(&mut item) else { continue };
        let Some(attribute) = program::attribute(attributes).cloned() else { continue };
        attributes.clear();
        let options = match attribute.meta {
            syn::Meta::List(list) => list.tokens,
            _ => proc_macro2::TokenStream::new(),
        };
        let expanded = syn::parse2::<syn::File>(jacobian_expand::expand(options, item.to_token_stream()));
        let expanded = expanded.expect("the expansion is Rust");
        errors.extend(expanded.items.iter().filter_map(|item| match item {
            syn::Item::Macro(call) if call.mac.path.segments.last()?.ident == "compile_error" => {
                Some(call.mac.parse_body::<syn::LitStr>().expect("the message is a string").value())
            }
            _ => None,
        }));
    }
    errors
}
