//! The README says what the first example prints and what it expands to, and the pages in `docs` say what the tables of
//! the engine say. After a change of a table, `UPDATE_TABLES=1 cargo test --test readme` writes these pages anew.

use std::fmt::Write;

use jacobian_core::catalogue::{CATALOGUE, Row, Spelling};
use jacobian_core::code_list::Kind;
use jacobian_core::schedule::SCHEDULES;
use jacobian_core::strategy::{MODES, PRESETS};
use jacobian_core::{Schedule, Strategy};
use proc_macro2::TokenStream;
use quote::ToTokens;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

#[test]
fn the_tables_are_those_of_the_engine() {
    let tables = [
        ("strategies.md", "strategies", strategies()),
        ("strategies.md", "schedules", schedules()),
        ("accuracy.md", "catalogue", catalogue()),
    ];
    for (page, name, table) in tables {
        let path = format!("{}/docs/{page}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("the page can be read");
        let written = with_table(&text, name, &table);
        if std::env::var_os("UPDATE_TABLES").is_some() {
            std::fs::write(path, &written).expect("the page can be written");
        } else {
            assert!(text == written, "{page} is old: run `UPDATE_TABLES=1 cargo test --test readme`");
        }
    }
}

#[test]
fn the_first_example_is_the_quickstart() {
    let readme = readme();
    let example = include_str!("../examples/quickstart.rs");
    let code = example.split_once("\n\n").expect("the example has a header").1;
    assert!(
        readme.contains(&format!("```rust\n{code}```")),
        "the README's first example is not examples/quickstart.rs"
    );
}

#[test]
fn the_output_of_the_first_example_is_the_one_shown() {
    #[jacobian::jacobian]
    fn polar(r: f64, t: f64) -> [f64; 2] {
        [r * t.cos(), r * t.sin()]
    }
    let (y, j) = polar_jac(2.0, 0.5);
    assert_eq!(y, polar(2.0, 0.5));
    assert!(readme().contains(&format!("```text\ny = {y:.4?}\nj = {j:.4?}\n```")));
}

#[test]
fn the_expansion_of_the_first_example_is_the_one_shown() {
    let example = syn::parse_file(include_str!("../examples/quickstart.rs")).expect("the example is Rust");
    let polar = example.items.iter().find_map(|item| match item {
        syn::Item::Fn(function) if function.sig.ident == "polar" => Some(function.clone()),
        _ => None,
    });
    let polar = syn::ItemFn { attrs: Vec::new(), ..polar.expect("the example has the function") };
    let expanded = jacobian_expand::expand(TokenStream::new(), polar.to_token_stream());
    let expanded = syn::parse2::<syn::File>(expanded).expect("the expansion is Rust");
    let Some(syn::Item::Fn(generated)) = expanded.items.last() else { panic!("the Jacobian is the last item") };
    let is_short = |attribute: &&syn::Attribute| !attribute.path().is_ident("doc");
    let attrs = generated.attrs.iter().filter(is_short).cloned().collect();
    let generated = syn::ItemFn { attrs, ..generated.clone() }.to_token_stream().to_string();
    let readme = readme();
    let shown =
        readme.split("```rust\n").nth(2).and_then(|rest| rest.split("```").next()).expect("the README shows it");
    let shown: TokenStream = shown.parse().expect("what the README shows is Rust");
    assert_eq!(generated.replace(":: core :: primitive :: ", ""), shown.to_string());
}

fn readme() -> String {
    std::fs::read_to_string(PATH).expect("the README can be read")
}

/// `page` with `table` after the mark of this name.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let mark = format!("<!-- {name}: written by `UPDATE_TABLES=1 cargo test --test readme` -->\n");
    let (before, rest) = page.split_once(&mark).expect("the page has the mark");
    let (_, after) = rest.split_once("<!-- end -->").expect("the table has an end");
    format!("{before}{mark}{table}<!-- end -->{after}")
}

fn strategies() -> String {
    let mut table =
        String::from("| preset | stands for | minimises | source | work | use it |\n|---|---|---|---|---|---|\n");
    for row in PRESETS {
        let meaning = match (row.strategy)() {
            Strategy::Auto => "a search from the cheapest of several hierarchies".into(),
            strategy if strategy.to_string() == row.name => "Bauer's formula".into(),
            strategy => code(&strategy.to_string()),
        };
        let (name, minimises, source) = (code(row.name), row.minimises, row.source);
        writeln!(table, "| {name} | {meaning} | {minimises} | {source} | {} | {} |", row.complexity, row.use_when)
            .expect("strings can be written");
    }
    table += "\n| mode | eliminates | source | an order names | use it |\n|---|---|---|---|---|\n";
    for mode in MODES {
        let name = code(mode.name);
        writeln!(table, "| {name} | {} | {} | {} | {} |", mode.eliminates, mode.source, mode.written, mode.use_when)
            .expect("strings can be written");
    }
    table += "\n| mode | filter | keeps | source | depends on |\n|---|---|---|---|---|\n";
    for mode in MODES {
        for row in (mode.filters)() {
            let (mode, name) = (code(mode.name), code(row.name));
            writeln!(table, "| {mode} | {name} | {} | {} | {} |", row.keeps, row.source, row.scope)
                .expect("strings can be written");
        }
    }
    table
}

fn schedules() -> String {
    let mut table = String::from("| schedule | does | source |\n|---|---|---|\n");
    for row in SCHEDULES {
        writeln!(table, "| {} | {} | {} |", code(&Schedule::of(row).to_string()), row.does, row.source)
            .expect("strings can be written");
    }
    table
}

fn catalogue() -> String {
    let mut table = String::from("| function | partial derivatives | ulp | convention |\n|---|---|---|---|\n");
    for row in CATALOGUE
        .iter()
        .filter(|row| row.gives == Kind::Float)
        .filter(|row| row.is_callable() || matches!(row.spelling, Spelling::Infix(_) | Spelling::Prefix(_)))
    {
        let partials: Vec<_> = row
            .takes
            .iter()
            .zip(row.partials)
            .filter(|(kind, _)| **kind == Kind::Float)
            .map(|(_, partial)| code(partial))
            .collect();
        writeln!(table, "| {} | {} | {} | {} |", code(&usage(row)), partials.join("; "), row.ulps, row.convention)
            .expect("strings can be written");
    }
    table
}

/// How a row is written in Rust.
fn usage(row: &Row) -> String {
    match row.spelling {
        Spelling::Infix(symbol) => format!("x {symbol} y"),
        Spelling::Prefix(symbol) => format!("{symbol}x"),
        Spelling::Libm => format!("libm::{}({})", row.libm.unwrap_or_default(), row.parameters.join(", ")),
        _ => format!("{}.{}({})", row.parameters[0], row.name, row.parameters[1..].join(", ")),
    }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}
