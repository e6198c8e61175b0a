//! Random functions, differentiated by the attribute in a crate of their own: under every strategy and schedule, packed
//! or not, the value is bit for bit that of the function, and the Jacobian is that of the same function over dual
//! numbers, whose derivatives are formulas of their own; so are its products, and second derivatives, whose identities
//! hold, too. The functions use all of the body language and every callable row of the catalogue in every form, in both
//! precisions.

#[path = "random_functions/mod.rs"]
mod generator;
mod scratch_crate;

use scratch_crate::{ScratchCrate, printed};

/// Functions of each precision, unless the environment asks for another number: `JACOBIAN_FUNCTIONS=1000`.
const COUNT: usize = 90;

/// Points at which each function is evaluated.
const POINTS: usize = 3;

/// The first is also the one that is compared in place.
const STRATEGIES: [&str; 8] = [
    r#"strategy = "auto", into"#,
    r#"strategy = "forward", schedule = "depth-first", pack = "always""#,
    r#"strategy = "vertex: pre > markowitz > reverse""#,
    r#"strategy = "locality", schedule = "list(a = 1, b = 1)""#,
    r#"strategy = "edge: markowitz > reverse", pack = "always""#,
    r#"strategy = "face: absorb > markowitz""#,
    r#"linearize = "statement""#,
    r#"strategy = "reverse", linearize = "statement", schedule = "pressure", pack = "always""#,
];

fn count() -> usize {
    std::env::var("JACOBIAN_FUNCTIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(COUNT)
}

#[test]
fn random_functions_have_their_values_and_their_derivatives() {
    let count = count();
    let source = generator::generate(count, POINTS, &STRATEGIES);
    assert!(source.missing.is_empty(), "not called: {:?}", source.missing);
    assert_eq!(source.functions, 2 * count);
    let scratch = ScratchCrate::new("random-functions", 0, generator::DEPENDENCIES);
    scratch.write("src/dual.rs", include_str!("random_functions/dual.rs"));
    scratch.write("src/harness.rs", include_str!("random_functions/harness.rs"));
    scratch.write("src/main.rs", &source.main);
    let output = scratch.cargo(&["run"]);
    let printed = printed(&output);
    println!("{printed}");
    assert!(output.status.success(), "the functions are in {}", scratch.directory().display());
    let [values, entries, nonzero, singular, hessians, without] = counts(&printed);
    let ways = STRATEGIES.len() + 1;
    assert!(values >= (2 * count * POINTS - singular) * ways, "not every function has been compared");
    assert!(2 * nonzero > entries, "most entries are zero: the functions say little");
    assert!(20 * singular < 2 * count * POINTS, "too many functions are singular: {singular}");
    assert!(hessians > count * POINTS, "too few Hessians are compared: {hessians}");
    assert!(20 * without < hessians, "too many Hessians are singular: {without}");
}

/// The numbers of the last line.
fn counts(printed: &str) -> [usize; 6] {
    let line = printed.lines().rev().find(|line| line.starts_with("values ")).expect("the check says what it did");
    let numbers: Vec<_> = line.split(", ").filter_map(|part| part.split(' ').nth(1)?.parse().ok()).collect();
    numbers[..6].try_into().expect("six counts")
}

#[test]
fn the_same_functions_are_generated_every_time() {
    let generate = || generator::generate(10, POINTS, &STRATEGIES).main;
    assert_eq!(generate(), generate());
}
