//! The page on the language says the truth: the functions on it are compiled and run, and have their values and their
//! derivatives; every example of a table is a part of one of these; and what is refused is refused as the page says it,
//! while what it says to write instead is accepted.

#[path = "language/forms.rs"]
mod forms;
#[path = "language/page.rs"]
mod page;
#[path = "language/program.rs"]
mod program;
mod scratch_crate;

use page::{Section, code, on_one_line};
use proc_macro2::TokenStream;
use quote::ToTokens;
use scratch_crate::{ScratchCrate, printed};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/LANGUAGE.md");

/// The forms that some constructs are not in, and what is said of these.
const NOT_IN: [(&str, &[&str]); 2] = [
    (
        "hess",
        &[
            "second derivatives by tangents are not supported",
            "the solution of an equation has no second derivatives",
            "the second derivatives of `",
        ],
    ),
    ("normal", &["normal equations are those of residuals, and a rotation is none"]),
];

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
fn each_construct_is_in_each_form_but_for_those_of_which_the_page_says_so() {
    let blocks: Vec<_> = supported_and_refused().0.into_iter().flat_map(|section| section.blocks).collect();
    for (form, reasons) in NOT_IN {
        let found: Vec<_> = blocks.iter().flat_map(|code| errors(&forms::in_form(form, code))).collect();
        let unknown: Vec<_> =
            found.iter().filter(|error| !reasons.iter().any(|reason| error.starts_with(reason))).collect();
        assert!(unknown.is_empty(), "{form}: {unknown:#?}");
        for reason in reasons {
            assert!(found.iter().any(|error| error.starts_with(reason)), "{form}: nothing is refused as {reason}");
        }
    }
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

/// What the expansions of the items that the attribute is on report.
fn errors(code: &str) -> Vec<String> {
    let mut errors = Vec::new();
    for mut item in items(code) {
        if let syn::Item::Impl(block) = &mut item {
            for item in &mut block.items {
                let syn::ImplItem::Fn(method) = item else { continue };
                let options = taken(&mut method.attrs);
                errors.extend(options.into_iter().flat_map(|options| reported(options, method.to_token_stream())));
            }
        }
        let options = attributes(&mut item).and_then(taken);
        errors.extend(options.into_iter().flat_map(|options| reported(options, item.to_token_stream())));
    }
    errors
}

/// The options of the attribute, if it is among these, from which it is taken.
fn taken(attributes: &mut Vec<syn::Attribute>) -> Option<TokenStream> {
    let attribute = program::attribute(attributes)?.clone();
    attributes.clear();
    Some(match attribute.meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    })
}

fn reported(options: TokenStream, item: TokenStream) -> Vec<String> {
    let expanded = syn::parse2::<syn::File>(jacobian_expand::expand(options, item)).expect("the expansion is Rust");
    let message = |item: &syn::Item| match item {
        syn::Item::Macro(call) if call.mac.path.segments.last()?.ident == "compile_error" => {
            Some(call.mac.parse_body::<syn::LitStr>().expect("the message is a string").value())
        }
        _ => None,
    };
    expanded.items.iter().filter_map(message).collect()
}
