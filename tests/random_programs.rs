//! Random programs of branches, loops, iterators, closures, structs with their methods and operators, and calls of
//! functions, against an interpreter over dual numbers that runs them as Rust does. What the macro generates is run in
//! two ways: by the compiler, and, for many more programs, by the same interpreter, which reads it as the source text
//! that it is. The value must be the program's own bit for bit, and the Jacobian that of the dual numbers up to
//! round-off.
//!
//! `JACOBIAN_PROGRAMS=20000 cargo test --release --test random_programs expanded` runs more of them, in all forms, by
//! value and in place, too, and `JACOBIAN_PROGRAMS=17..18` only the one with the number 17; so does `compiled`. The first
//! takes about four minutes of two processors for the Jacobians, and a quarter of an hour for all forms.
//!
//! Parts of the language have switches in `random_programs/generate/feature.rs`: programs use those that are on there,
//! and those that the environment names, as in `JACOBIAN_FEATURES=constants,uses`, or `all` of them. A program that the
//! macro refuses, or whose Jacobian does not compile, fails; the compiled ones are then run by themselves, so that the
//! interpreter is compared with the compiler in any case.

#[path = "random_programs/mod.rs"]
mod programs;
mod scratch_crate;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use programs::check::Counts;
use programs::compiled::{self, NOT_COMPILED};
use programs::examine::{self, Failure, Findings, Subject, is_refusal};
use programs::reached::Reached;
use scratch_crate::{ScratchCrate, printed};

/// Programs that are expanded, and those that are compiled, unless the environment asks for other numbers. What is not
/// optimized expands slowly.
const EXPANDED: u64 = if cfg!(debug_assertions) { 1_500 } else { 20_000 };
const COMPILED: u64 = 450;

/// Points at which each program is compared.
const POINTS: usize = 6;

/// The numbers of the programs that are examined.
fn seeds(usual: u64) -> Range<u64> {
    let asked = std::env::var("JACOBIAN_PROGRAMS").ok().and_then(|text| {
        let (first, end) = text.split_once("..").unwrap_or(("0", &text));
        Some(first.parse().ok()?..end.parse().ok()?)
    });
    asked.unwrap_or(0..usual)
}

/// Fails where something is wrong, or where little has been compared.
fn judge(findings: &Findings, failures: &[Failure]) {
    println!("{findings}");
    let refused = failures.iter().filter(|failure| is_refusal(failure)).count();
    println!("{} programs fail, {refused} of which the macro or the compiler refuses", failures.len());
    failures.iter().filter_map(|failure| failure.lines().next()).for_each(|line| println!("{line:.300}"));
    assert!(failures.is_empty(), "{} programs fail; the first is\n{}", failures.len(), failures[0]);
    let Findings { programs, counts, near, wild, few, sides, taken } = findings;
    assert!(counts.points > 2 * programs, "too few points");
    assert!(2 * counts.nonzero > counts.entries, "most entries are zero: the programs say little");
    assert!(20 * taken > 9 * sides, "too many sides of branches are never taken");
    assert!(10 * few < *programs && near + wild < 6 * programs, "too many points are not compared");
}

/// The number of a program, which is printed where the examination itself panics.
struct Numbered(u64);

impl Drop for Numbered {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("the examination of program {} panics", self.0);
        }
    }
}

/// Runs `examine` for every number, on all processors.
fn in_parallel<T: Send>(seeds: Range<u64>, examine: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let (next, results) = (AtomicU64::new(seeds.start), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            let numbered = Numbered(seed);
            let result = examine(seed);
            drop(numbered);
            results.lock().expect("no examination panics").push((seed, result));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut results = results.into_inner().expect("no examination panics");
    results.sort_by_key(|(seed, _)| *seed);
    results.into_iter().map(|(_, result)| result).collect()
}

#[test]
fn expanded_programs_have_their_values_and_their_derivatives() {
    let results = in_parallel(seeds(EXPANDED), |seed| {
        let mut findings = Findings::default();
        let subject = findings.subject(seed, false, POINTS);
        let failure = subject.expand(jacobian_expand::expand).map(|counts| findings.counts.add(counts)).err();
        (findings, failure.map(|failure| (seed, failure)))
    });
    let (mut findings, mut failures) = (Findings::default(), Vec::new());
    for (own, failure) in results {
        findings.add(&own);
        failures.extend(failure);
    }
    if let Some((seed, failure)) = failures.first_mut() {
        let subject = Findings::default().subject(*seed, false, POINTS);
        // The smaller programs on the way panic in many ways, about which nobody wants to read.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        *failure +=
            &format!("A smaller one, with which the same is wrong:\n{}", subject.smaller(jacobian_expand::expand));
        std::panic::set_hook(hook);
    }
    judge(&findings, &failures.into_iter().map(|(_, failure)| failure).collect::<Vec<_>>());
}

#[test]
fn expanded_programs_have_their_forms() {
    let results = in_parallel(seeds(EXPANDED / 4), |seed| {
        let mut findings = Findings::default();
        let subject = findings.subject(seed, false, POINTS / 2);
        match subject.expand_forms(jacobian_expand::expand) {
            Ok([first, second]) => {
                findings.counts.add(first);
                (findings, second, None)
            }
            Err(failure) => (findings, Counts::default(), Some(failure)),
        }
    });
    let (mut findings, mut second, mut failures) = (Findings::default(), Counts::default(), Vec::new());
    for (own, counts, failure) in results {
        findings.add(&own);
        second.add(counts);
        failures.extend(failure);
    }
    println!("{findings}\nsecond derivatives: {second:?}");
    failures.iter().filter_map(|failure| failure.lines().next()).for_each(|line| println!("{line:.300}"));
    assert!(failures.is_empty(), "{} programs fail; the first is\n{}", failures.len(), failures[0]);
    assert!(2 * findings.counts.nonzero > findings.counts.entries, "most entries are zero: the programs say little");
    assert!(2 * second.points > findings.programs, "too few second derivatives: {second:?}");
    assert!(4 * second.nonzero > second.entries, "most second derivatives are zero: {second:?}");
}

/// What the programs print, and those that do not compile with what is generated for them: these run by themselves.
fn run(scratch: &ScratchCrate, subjects: &[Subject]) -> (String, BTreeMap<u64, String>) {
    let mut refused = BTreeMap::new();
    loop {
        for (path, text) in compiled::files(subjects, &|seed| refused.contains_key(&seed)) {
            scratch.write(&path, &text);
        }
        let output = scratch.cargo(&["run"]);
        let printed = printed(&output);
        if output.status.success() {
            return (printed, refused);
        }
        let before = refused.len();
        refused.extend(compiled::broken(&printed));
        assert!(refused.len() > before, "{}\n{printed}", scratch.directory().display());
    }
}

#[test]
fn compiled_programs_have_their_values_and_their_derivatives() {
    let (mut findings, mut failures) = (Findings::default(), Vec::new());
    let seeds = seeds(COMPILED);
    let subjects: Vec<_> = seeds.clone().map(|seed| findings.subject(seed, true, POINTS)).collect();
    let scratch = ScratchCrate::new("random-programs", 0, "");
    let (printed, refused) = run(&scratch, &subjects);
    for (seed, message) in &refused {
        failures.push(subjects[(seed - seeds.start) as usize].failure(&format!("{NOT_COMPILED}: {message}")));
    }
    let (lines, mut failing) = (compiled::lines(&printed), BTreeSet::new());
    assert_eq!(
        lines.len(),
        subjects.iter().map(|subject| subject.points.len()).sum::<usize>(),
        "a line for every point"
    );
    for line in lines {
        match subjects[(line.seed - seeds.start) as usize].compare(&line) {
            Ok(counts) => findings.counts.add(counts),
            Err(failure) if failing.insert(line.seed) => failures.push(failure),
            Err(_) => {}
        }
    }
    judge(&findings, &failures);
}

#[test]
fn mistakes_in_what_is_generated_are_found() {
    let results = in_parallel(0..150, |seed| {
        Findings::default().subject(seed, false, POINTS).mistakes(jacobian_expand::expand, 20)
    });
    let [effective, found] = [0, 1].map(|index| results.iter().map(|counts| counts[index]).sum::<usize>());
    println!("{found} of {effective} mistakes are found");
    assert!(effective > 1_000, "too few mistakes change anything");
    assert!(100 * found > 98 * effective, "mistakes are not found: {found} of {effective}");
}

#[test]
fn some_functions_of_modules_are_called_and_not_inlined() {
    let calls = |seed| Findings::default().subject(seed, false, 1).calls_members(jacobian_expand::expand);
    let count = in_parallel(0..300, calls).into_iter().filter(|calls| *calls).count();
    assert!(count > 1, "only {count} programs");
}

#[test]
fn loops_and_chains_go_over_data_of_any_length() {
    let sources = in_parallel(0..4_000, examine::source);
    let lines: Vec<_> = sources.iter().flat_map(|source| source.lines()).collect();
    // A vector is called `data`, and is of any length.
    let over = |items: &str, adaptor: &str, end: &str| {
        let is_one = |line: &&&str| {
            line.match_indices("data").any(|(at, name)| {
                let rest = line[at + name.len()..].trim_start_matches(|character: char| character.is_ascii_digit());
                rest.starts_with(items) && rest.contains(adaptor) && (rest.contains(end) || line.starts_with(end))
            })
        };
        lines.iter().filter(is_one).count()
    };
    for end in [".sum::<", ".product::<", ".fold("] {
        assert!(over(".iter()", "", end) > 0, "no `{end}`");
    }
    // A loop, and a closure.
    for end in ["for ", "|"] {
        for items in [".iter()", ".windows(2)", ".chunks_exact(2)", ".len()"] {
            assert!(over(items, "", end) > 0, "no `{items}` and `{end}`");
        }
        for adaptor in [".rev()", ".skip(", ".take(", ".step_by(", ".enumerate()", ".zip(", ".copied()"] {
            assert!(over("", adaptor, end) > 0, "no `{adaptor}` and `{end}`");
        }
    }
    let slices = sources.iter().filter(|source| source.contains(": &[f") && source.contains(": &[(f"));
    assert!(slices.count() > 10, "too few slices");
}

#[test]
#[ignore = "JACOBIAN_FEATURES=options turns on what it counts"]
fn options_and_references_to_elements_are_in_programs() {
    let sources = in_parallel(0..300, examine::source);
    let constructs = [
        "-> Option<",
        "\nlet Some(",
        "if let Some(",
        "\nNone => ",
        ")?",
        ": Option<",
        "= &mut kept",
        ".take()",
        ".replace(",
        ".unwrap_or(",
        ".map_or(",
        ".map(|held",
        ".and_then(",
        ".filter(",
        ".or(",
        ".then(",
        ".is_some()",
        ".is_none()",
        ".is_some_and(",
        ".reduce(",
        ".filter_map(",
        " = &mut ",
    ];
    let mut missing = Vec::new();
    for construct in constructs {
        let count = sources.iter().filter(|source| source.contains(construct)).count();
        println!("{construct:?} in {count} programs");
        missing.extend((count < 2).then_some(construct));
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_same_programs_are_generated_every_time() {
    let source = || {
        let mut findings = Findings::default();
        let subjects: Vec<Subject> = (0..40).map(|seed| findings.subject(seed, false, POINTS)).collect();
        compiled::files(&subjects, &|_| false)
    };
    assert_eq!(source(), source());
}

#[test]
fn programs_have_helpers_that_are_generic_over_a_type_and_integers_in_structs() {
    let of = |seed| Findings::default().subject(seed, false, 2).reached();
    let mut reached = Reached::default();
    in_parallel(0..400, of).iter().for_each(|own| reached.add(own));
    println!("{reached:?}");
    let Reached { of_floats, of_structs, indices, exponents, bounds } = reached;
    assert!(of_floats > 5 && of_structs > 5, "{of_floats} programs with floats, {of_structs} with structs");
    assert!(
        indices > 5 && exponents > 5 && bounds > 2,
        "{indices} in indices, {exponents} in exponents, {bounds} in bounds"
    );
}
