//! Random functions: written out as the source of a crate, together with what checks them.

mod expression;
mod function;
mod random;
mod repetition;
mod shape;
mod statement;
mod text;

use jacobian_core::catalogue::{CATALOGUE, Row, Spelling};
use jacobian_core::code_list::Kind;

use self::function::{Deck, Function};
use self::random::Random;

/// The rows whose derivative `dual.rs` has a formula for. Every other callable row gets difference quotients; `cbrt` is
/// left to them so that they are in use.
const WITH_FORMULA: &str = "mul_add recip midpoint to_degrees to_radians sqrt powi powf hypot exp exp2 exp_m1 ln log2 \
    log10 ln_1p log sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh abs max min clamp copysign fract \
    rem_euclid abs_sub floor ceil round round_ties_even trunc signum div_euclid";

/// The source of a crate that checks `count` random functions of each precision, differentiated by each of `strategies`.
pub struct Source {
    /// The functions of each precision, and the rest.
    pub main: String,
    /// Functions in it.
    pub functions: usize,
    /// Rows of the catalogue that were to be called, in each form and precision, and have not been.
    pub missing: Vec<String>,
}

/// Generates the source.
pub fn generate(count: usize, points: usize, strategies: &[&str]) -> Source {
    let mut source = Source { main: String::from(FRONT), functions: 0, missing: Vec::new() };
    for (module, float) in [("double", "f64"), ("single", "f32")] {
        source.main += &functions(module, float, count, strategies, &mut source.functions, &mut source.missing);
    }
    source.main += &format!("mod libm {{\n{}}}\n\n", libm());
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
        "mod {module} {{\nuse jacobian::jacobian;\n\nuse crate::dual::dual{}::{{Dual, c, chain_with, variable}};\n\
         use crate::harness::{{Check, Place, Spoil, flat, inputs, pair}};\nuse crate::libm;\n\n{}{}",
        &float[1..],
        model(float),
        quotients(float),
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

/// The methods of dual numbers for rows without a formula.
fn quotients(float: &str) -> String {
    let known: Vec<_> = WITH_FORMULA.split_whitespace().collect();
    let rows = CATALOGUE.iter().filter(|row| row.is_callable() && !known.contains(&row.name));
    let methods: String = rows.map(|row| quotient(row, float)).collect();
    format!("impl Dual {{\n{methods}}}\n\n")
}

fn quotient(row: &Row, float: &str) -> String {
    let position = |index: usize| row.parameters[index];
    let floats: Vec<_> = (0..row.arity()).filter(|&index| row.takes[index] != Kind::Int).map(position).collect();
    let all: Vec<_> = (0..row.arity()).map(position).collect();
    let declared: Vec<_> =
        all.iter().map(|name| format!("{name}: {}", if *name == "n" { "i32" } else { "Dual" })).collect();
    let list = |items: &[&str], suffix: &str| {
        let item = |item: &&str| if *item == "n" { item.to_string() } else { format!("{item}{suffix}") };
        items.iter().map(item).collect::<Vec<_>>().join(", ")
    };
    let name = row.name;
    format!(
        "pub fn {name}({}) -> Dual {{\nlet f = |[{}]: [f64; {}]| f64::{name}({});\n\
         let partials = crate::dual::quotients(f, [{}]);\nchain_with({float}::{name}({}), [{}], partials)\n}}\n",
        declared.join(", ").replacen(&format!("{}: Dual", all[0]), "self", 1),
        list(&floats, ""),
        floats.len(),
        list(&all, ""),
        list(&floats, ".re as f64").replacen(all[0], "self", 1),
        list(&all, ".re").replacen(all[0], "self", 1),
        list(&floats, "").replacen(all[0], "self", 1),
    )
}

/// Functions with the names of the crate libm: the expansion knows them by their path and nothing else.
fn libm() -> String {
    let rows = CATALOGUE.iter().filter(|row| row.libm.is_some());
    rows.flat_map(|row| [("f64", ""), ("f32", "f")].map(|(float, suffix)| libm_function(row, float, suffix))).collect()
}

fn libm_function(row: &Row, float: &str, suffix: &str) -> String {
    let parameters: Vec<_> = row.parameters.iter().map(|name| format!("{name}: {float}")).collect();
    let (name, all) = (row.name, row.parameters);
    let value = match row.spelling {
        Spelling::Infix(symbol) => format!("{} {symbol} {}", all[0], all[1]),
        _ => format!("{}.{name}({})", all[0], all[1..].join(", ")),
    };
    let libm = row.libm.unwrap_or_default();
    format!("pub fn {libm}{suffix}({}) -> {float} {{\n{value}\n}}\n", parameters.join(", "))
}

fn main(count: usize, points: usize) -> String {
    let mut calls = String::new();
    for number in 0..2 * count {
        let module = if number < count { "double" } else { "single" };
        calls += &format!("{module}::check_{number}(&mut check, point);\n");
    }
    format!(
        "fn main() {{\nlet mut check = harness::Check::default();\nfor point in 0..{points} {{\n{calls}}}\n\
         println!(\"values {{}}, entries {{}}, nonzero {{}}, singular {{}}, worst {{:.1}}, failures {{}}\", \
         check.values, check.entries, check.nonzero, check.singular, check.worst, check.failures);\n\
         std::process::exit(i32::from(check.failures > 0));\n}}\n"
    )
}
