//! What derivatives by `#[jacobian]` cost, beside other ways to compute them.
//!
//!     cargo run --release                      # times: medians of interleaved rounds, in several processes
//!     cargo run --release -- times 1000        # with more rounds
//!     cargo run --release -- instructions      # counted by callgrind
//!     cargo run --release -- operations        # in the generated code, by strategy
//!     cargo run --release -- operations "edge: search(steps = 4000)"
//!     cargo run --release -- schedules         # times of functions with calls, by the order of their statements
//!     cargo run --release -- forms             # times of the forms other than value and Jacobian
//!     cargo run --release -- forms operations  # operations in the code of all forms
//!     cargo run --release -- loops             # times of run-time loops, by the number of their iterations
//!
//! Names of functions after the command restrict it to these. Every column is checked before it is measured: against
//! the dual numbers of num-dual, and ours against the value of the function to the last bit.

#[macro_use]
mod modules;

mod by_hand;
mod calls;
mod case;
mod column;
mod forms;
mod functions;
mod instructions;
mod loops;
mod number;
mod operations;
mod residuals;
mod scalars;
mod table;
mod timing;

/// What `tools/generate.py` has written.
#[cfg(feature = "tools")]
#[allow(missing_docs, unused, clippy::all)]
mod tools {
    include!("../tools/generated.rs");
}

use case::{CASES, Case, Maker, SCHEDULED};
use column::Role;
use forms::FORMS;
use table::Figures;

/// Rounds, unless the command says another number.
const ROUNDS: usize = 101;

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["operations"] => print!("{}", operations::table(&operations::STRATEGIES)),
        ["operations", ref strategies @ ..] => print!("{}", operations::table(strategies)),
        ["instructions", ref names @ ..] => {
            let figures = |case: Case| Figures { of_ways: instructions::counts(&case), case };
            let all: Vec<_> = selected(names).map(checked).map(figures).collect();
            print!("{}", table::table(&all, "instructions"));
        }
        ["schedules"] => print!("{}", table::ratios(&measured(SCHEDULED.iter(), ROUNDS), "ns")),
        ["schedules", ref names @ ..] => print!("{}", table::ratios(&measured(selected(names), ROUNDS), "ns")),
        ["forms"] => {
            for (form, makers) in FORMS {
                println!("### {form}\n\n{}", table::table(&measured(makers.iter(), ROUNDS), "ns"));
            }
        }
        ["forms", "operations"] => print!("{}", operations::tables_of_forms()),
        ["loops", ref names @ ..] => print!("{}", loops::tables(names)),
        ["repeat", name, way, passes] => repeat(name, way, passes),
        ["medians", rounds, ref names @ ..] => print_medians(names, rounds),
        ["times", rounds, ref names @ ..] if rounds.parse::<usize>().is_ok() => {
            times(names, rounds.parse().unwrap_or(ROUNDS));
        }
        ["times", ref names @ ..] => times(names, ROUNDS),
        [] => times(&[], ROUNDS),
        _ => eprintln!(
            "commands: times [ROUNDS] [FUNCTIONS], instructions [FUNCTIONS], operations [STRATEGIES], schedules [FUNCTIONS], \
             forms [operations], loops [FUNCTIONS]"
        ),
    }
}

/// The functions of these names, or all that are compared with other means.
fn selected<'n>(names: &'n [&str]) -> Box<dyn Iterator<Item = &'static Maker> + 'n> {
    match names {
        [] => Box::new(CASES.iter()),
        _ => Box::new(all().filter(|(name, _)| names.contains(name))),
    }
}

fn all() -> impl Iterator<Item = &'static Maker> {
    CASES.iter().chain(SCHEDULED).chain(FORMS.iter().flat_map(|(_, makers)| *makers))
}

/// A function whose columns have been checked. What is wrong with a column of another crate is told, and it has no
/// figures; ours must not be wrong.
fn checked((_, make): &Maker) -> Case {
    sound(make())
}

/// The case without the columns that something is wrong with.
fn sound(mut case: Case) -> Case {
    for way in case.ways.iter().filter(|way| way.failure.is_some()) {
        let failure = way.failure.as_deref().unwrap_or_default();
        eprintln!("{}, {}: {failure}", case.name, way.name);
        assert!(way.role != Role::Ours, "a generated Jacobian is wrong");
    }
    case.ways.retain(|way| way.failure.is_none());
    case
}

fn times(names: &[&str], rounds: usize) {
    print!("{}", table::table(&measured(selected(names), rounds), "ns"));
}

fn measured(makers: impl Iterator<Item = &'static Maker>, rounds: usize) -> Vec<Figures> {
    let cases: Vec<_> = makers.map(checked).collect();
    let medians = timing::medians_of_processes(&cases, rounds);
    let figures = |(case, times): (Case, Vec<f64>)| Figures { of_ways: times.into_iter().map(Some).collect(), case };
    cases.into_iter().zip(medians).map(figures).collect()
}

/// Prints the times of all columns, for the process that compares those of several.
fn print_medians(names: &[&str], rounds: &str) {
    for case in selected(names).map(checked) {
        for time in timing::medians(&case, rounds.parse().expect("a number of rounds")) {
            println!("{time}");
        }
    }
}

/// Runs one column and nothing else, under callgrind.
fn repeat(name: &str, way: &str, passes: &str) {
    let case = selected(&[name]).map(|(_, make)| make()).next().expect("there is such a function");
    let way = case.ways.iter().find(|known| known.name == way).expect("there is such a column");
    (way.repeat)(passes.parse().expect("a number of passes"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_agrees_with_the_dual_numbers() {
        for (name, make) in all() {
            for way in make().ways {
                assert_eq!(way.failure, None, "{name}, {}", way.name);
            }
        }
    }

    #[test]
    fn every_column_of_a_loop_agrees_with_the_dual_numbers() {
        for (name, case) in loops::LOOPS {
            for iterations in [0, 1, 2, 10, 100, 1_000] {
                for way in case(iterations).ways {
                    assert_eq!(way.failure, None, "{name}, {iterations} iterations, {}", way.name);
                }
            }
        }
    }

    #[test]
    fn a_few_rounds_give_a_table() {
        let case = checked(&CASES[1]);
        let count = case.ways.len();
        let of_ways = timing::medians(&case, 3).into_iter().map(Some).collect();
        let table = table::table(&[Figures { case, of_ways }], "ns");
        assert_eq!(table.lines().count(), count + 4, "{table}");
    }

    #[test]
    fn operations_are_counted_in_the_code() {
        let functions = operations::functions();
        let has_text = |name: &str| functions.iter().any(|function| function.sig.ident == name);
        assert!(CASES.iter().all(|(name, _)| has_text(name)));
        let robertson = functions.iter().find(|function| function.sig.ident == "robertson").expect("it is there");
        // Five products and three differences of the function, and three operations for its partials.
        let operations = operations::of_jacobian(robertson, "forward");
        assert_eq!(operations.arithmetic(), 11);
        assert!(operations.products >= 5 && operations.sums >= 3 && operations.quotients == 0);
        assert_eq!(operations.calls, 0);
    }

    #[test]
    fn auto_takes_no_more_operations_than_it_should() {
        let most = [("ur5_fk", 161), ("roe_flux", 370), ("heart_dipole", 142), ("propane", 100), ("ba_reproj", 260)];
        let functions = operations::functions();
        for (name, most) in most {
            let function = functions.iter().find(|function| function.sig.ident == name).expect("it is there");
            let operations = operations::of_jacobian(function, "auto").arithmetic();
            assert!(operations <= most, "{name}: {operations}");
        }
    }
}
