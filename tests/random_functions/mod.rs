//! Random functions: written out as the source of a crate, together with what checks them.

#[allow(dead_code)]
mod dual;
mod expression;
mod function;
mod random;
mod repetition;
mod shape;
mod statement;
mod text;

use jacobian_core::catalogue::{CATALOGUE, Row, Spelling};
use jacobian_core::code_list::Kind;

use self::dual::dual64;
use self::function::{Deck, Function};
use self::random::Random;

/// The source of a crate that checks `count` random functions of each precision, differentiated by each of
/// `strategies`.
pub struct Source {
    /// The functions of each precision, and the rest.
    pub main: String,
    /// Functions in it.
    pub functions: usize,
    /// Rows of the catalogue that were to be called, in each form and precision, and have not been.
    pub missing: Vec<String>,
}

/// What the crate depends on.
pub const DEPENDENCIES: &str = "libm = \"0.2\"\n";

/// Generates the source.
pub fn generate(count: usize, points: usize, strategies: &[&str]) -> Source {
    let mut source = Source { main: String::from(FRONT), functions: 0, missing: Vec::new() };
    for (module, float) in [("double", "f64"), ("single", "f32")] {
        source.main += &functions(module, float, count, strategies, &mut source.functions, &mut source.missing);
    }
    source.main += &main(count, points);
    source
}

const FRONT: &str = "//! Random functions and what checks them. Generated.\n\n\
    #![allow(clippy::all, unused, deprecated, double_negations)]\n\n\
    mod dual;\nmod harness;\n\n";

fn functions(
    module: &str,
    float: &str,
    count: usize,
    strategies: &[&str],
    number: &mut usize,
    missing: &mut Vec<String>,
) -> String {
    let (mut random, mut deck) = (Random::new(*number as u64), Deck::default());
    let mut text = format!(
        "mod {module} {{\nuse jacobian::jacobian;\n\nuse crate::dual::dual{}::{{Dual, by_quotients, c, seeded, variable}};\n\
         use crate::harness::{{Check, Place, Spoil, factors, flat, inputs, pair, triple}};\n\n{}{}{}",
        &float[1..],
        model(float),
        quotients(float),
        by_libm(float),
    );
    for _ in 0..count {
        let Function { items, check } = function::generate(*number, float, strategies, &mut random, &mut deck);
        text += &items;
        text += &check;
        *number += 1;
    }
    let absent = Deck::all().into_iter().filter(|(row, form)| !deck.drawn.contains(&(row.name, *form)));
    missing.extend(absent.map(|(row, form)| format!("{} as {form:?} in {float}", row.name)));
    text + "}\n\n"
}

/// What is passive in the functions.
fn model(float: &str) -> String {
    format!(
        "pub struct Model {{\npub scale: {float},\npub offset: [{float}; 3],\npub order: i32,\n}}\n\n\
         impl Model {{\npub fn new() -> Self {{\nModel {{ scale: 0.75, offset: [0.5, -1.25, 2.0], order: 3 }}\n}}\n}}\n\n"
    )
}

/// The methods of dual numbers for rows that `dual.rs` has no formula for: they have difference quotients.
fn quotients(float: &str) -> String {
    let has_formula = |row: &&Row| dual64::METHODS.contains(&row.name) || row.name == "powi";
    let rows = CATALOGUE.iter().filter(|row| row.is_callable() && !has_formula(row));
    let methods: String = rows.map(|row| quotient(row, float)).collect();
    format!("impl Dual {{\n{methods}}}\n\n")
}

fn quotient(row: &Row, float: &str) -> String {
    let function = |float: &str| match (row.spelling, float) {
        (Spelling::Libm, "f32") => format!("libm::{}f", row.libm.unwrap_or_default()),
        (Spelling::Libm, _) => format!("libm::{}", row.libm.unwrap_or_default()),
        _ => format!("{float}::{}", row.name),
    };
    let (mut declared, mut operands, mut values, mut moved) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (position, (name, kind)) in row.parameters.iter().zip(row.takes).enumerate() {
        if *kind == Kind::Int {
            declared.push(format!("{name}: i32"));
            values.push(name.to_string());
            moved.push(name.to_string());
        } else {
            let name = if position == 0 { "self" } else { name };
            declared.push(if position == 0 { name.to_string() } else { format!("{name}: Dual") });
            values.push(format!("{name}.re"));
            moved.push(format!("at[{}]", operands.len()));
            operands.push(name);
        }
    }
    format!(
        "pub fn {}({}) -> Dual {{\nby_quotients({}({}), &[{}], |at| {}({}))\n}}\n",
        row.name,
        declared.join(", "),
        function(float),
        values.join(", "),
        operands.join(", "),
        function("f64"),
        moved.join(", "),
    )
}

/// The functions of the crate libm over dual numbers: its values, and the derivatives of the methods.
fn by_libm(float: &str) -> String {
    let suffix = if float == "f32" { "f" } else { "" };
    let rows = CATALOGUE.iter().filter(|row| row.libm.is_some());
    let functions: String = rows.map(|row| of_libm(row, suffix)).collect();
    format!("mod by_libm {{\nuse super::Dual;\n\n{functions}}}\n\n")
}

fn of_libm(row: &Row, suffix: &str) -> String {
    let (mut declared, mut values) = (Vec::new(), Vec::new());
    for (name, kind) in row.parameters.iter().zip(row.takes) {
        let is_int = *kind == Kind::Int;
        declared.push(format!("{name}: {}", if is_int { "i32" } else { "Dual" }));
        values.push(format!("{name}{}", if is_int { "" } else { ".re" }));
    }
    let (libm, values) = (format!("{}{suffix}", row.libm.unwrap_or_default()), values.join(", "));
    format!(
        "pub fn {libm}({}) -> Dual {{\nDual {{ re: libm::{libm}({values}), ..Dual::{}({}) }}\n}}\n",
        declared.join(", "),
        row.name,
        row.parameters.join(", ")
    )
}

fn main(count: usize, points: usize) -> String {
    let mut calls = String::new();
    for number in 0..2 * count {
        let module = if number < count { "double" } else { "single" };
        calls += &format!("{module}::check_{number}(&mut check, point);\n");
    }
    format!(
        "fn main() {{\nlet mut check = harness::Check::default();\nfor point in 0..{points} {{\n{calls}}}\n\
         println!(\"values {{}}, entries {{}}, nonzero {{}}, singular {{}}, hessians {{}}, without {{}}, worst {{:.1}}, failures {{}}\", \
         check.values, check.entries, check.nonzero, check.singular, check.hessians, check.without_second, check.worst, \
         check.failures);\n\
         std::process::exit(i32::from(check.failures > 0));\n}}\n"
    )
}
