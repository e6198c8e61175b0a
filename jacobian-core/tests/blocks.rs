//! Proves that functions with branches and calls are differentiated as those without. The Jacobians of random code
//! lists with nested branches and calls, under every strategy and at both levels, equal modulo 2^61 - 1 Bauer's formula
//! on the statements that run, and the chain rule applied statement by statement to the catalogue's partials. In
//! floats, they are those of dual numbers, whose partials are not the catalogue's, within a bound; the values are the
//! function's own bit for bit. Around this core: nothing runs of an arm that is not taken, derivatives can be
//! differentiated again, and texts read back as themselves.

use std::fmt::Write;
use std::sync::Arc;

use jacobian_core::accumulate::{accumulate, draft};
use jacobian_core::block::{Block, Body, MAX_DEPTH, counted};
use jacobian_core::catalogue::known;
use jacobian_core::code_list::{Constant, NotationId, Precision};
use jacobian_core::cost::OperationCount;
use jacobian_core::evaluate::{Domain, Floats, Given, MODULUS, Modular, evaluate, select};
use jacobian_core::form::Form;
use jacobian_core::linearize::{LEVELS, Level};
use jacobian_core::pipeline::{differentiate_for, linearize, linearize_with};
use jacobian_core::strategy::{MODES, ModeRow};
use jacobian_core::{CodeList, Derivative, Error, Strategy, differentiate, differentiate_at};
use jacobian_lab::check::{float_values, modular_jacobian_in, modular_values};
use jacobian_lab::running::running;

use support::callees::{Callees, Calling};
use support::chain_rule::ChainRule;
use support::duals::Duals;
use support::lists::{Blocks, passive_numbers, random_callee, random_list_with_blocks};
use support::random::Random;
use support::strategies::hierarchies;

#[allow(dead_code, reason = "the functions of Rust programs need more of it")]
#[path = "../../tests/random_functions/dual.rs"]
mod dual;
mod support {
    pub mod callees;
    pub mod chain_rule;
    pub mod duals;
    pub mod lists;
    pub mod random;
    pub mod strategies;
}

/// Code lists in the main test, of what size they are at most, and how deep their branches nest.
const LISTS: u64 = 20_000;
const MAX_STATEMENTS: usize = 40;
const DEPTH: usize = 3;

/// The largest error of an entry, as a part of the sum over all paths of the sizes of the products along them.
const BOUND: f64 = 1e-9;

/// A function, the functions that it calls, and a point modulo 2^61 - 1.
struct Case {
    function: CodeList,
    callees: Callees,
    inputs: Vec<u64>,
    passive: Vec<u64>,
}

impl Case {
    fn new(seed: u64, callees: usize) -> Self {
        let random = &mut Random::new(seed);
        let precision = if random.below(3) == 0 { Precision::F32 } else { Precision::F64 };
        let callees: Vec<_> = (0..callees).map(|_| random_callee(random, precision)).collect();
        let blocks = Blocks { depth: 1 + random.below(DEPTH), callees: &callees };
        let statements = MAX_STATEMENTS / 4 + random.below(MAX_STATEMENTS);
        let function = random_list_with_blocks(random, precision, statements, blocks);
        Case::at_random_point(function, Callees::new(callees), random)
    }

    fn at_random_point(function: CodeList, callees: Callees, random: &mut Random) -> Self {
        let inputs = function.inputs().iter().map(|_| random.bits() % MODULUS).collect();
        let passive = passive_numbers(&function, random, |random| random.bits() % MODULUS, Modular::int);
        Case { function, callees, inputs, passive }
    }

    fn floats(&self) -> Calling<'_, Floats> {
        Calling(Floats(self.function.precision()), &self.callees)
    }

    fn outputs(&self, list: &CodeList) -> Vec<u64> {
        let domain = Given { domain: &Calling(Modular, &self.callees), numbers: &self.passive };
        select(&evaluate(list, &domain, &self.inputs), list.outputs())
    }

    /// The Jacobian by Bauer's formula, which must be that of the chain rule.
    fn jacobian(&self, chain_rule: &ChainRule) -> Vec<u64> {
        let Case { function, callees, inputs, passive } = self;
        let domain = Given { domain: &Calling(Modular, callees), numbers: passive };
        let bauer = modular_jacobian_in(&domain, function, inputs);
        let chain_rule = chain_rule.jacobian_in(&domain, &callees.by_order(), function, inputs);
        assert_eq!(bauer, chain_rule, "\n{function}");
        bauer.concat()
    }

    /// The derivative, unless the function has too many paths for the strategy, or takes too many steps.
    fn differentiate(&self, level: Level, strategy: &Strategy) -> Option<Derivative> {
        match differentiate_at(level, &self.function, strategy) {
            Err(Error::TooManyPaths { .. } | Error::TooManySteps { .. }) => None,
            jacobian => Some(jacobian.expect("a small function").derivative.dense()),
        }
    }

    /// Checks the derivative modulo 2^61 - 1.
    fn check(&self, derivative: &Derivative, jacobian: &[u64], strategy: &Strategy) {
        let actual = self.outputs(&derivative.list);
        let (values, entries) = actual.split_at(derivative.values);
        assert_eq!(values, self.outputs(&self.function), "values under `{strategy}` of\n{}", self.function);
        assert_eq!(entries, jacobian, "Jacobian under `{strategy}` of\n{}", self.function);
    }

    /// Checks the derivative in floats at a random point: the values by their bits, the Jacobian where all is tame.
    /// Whether it is.
    fn check_in_floats(&self, derivative: &Derivative, random: &mut Random) -> bool {
        let function = &self.function;
        let (low, high) = if random.below(3) == 0 { (-3.0, 3.0) } else { (0.5, 1.5) };
        let float = |random: &mut Random| function.round(random.between(low, high));
        let inputs: Vec<_> = function.inputs().iter().map(|_| float(random)).collect();
        let passive = passive_numbers(function, random, float, f64::from);
        let domain = Given { domain: &self.floats(), numbers: &passive };
        let outputs = |list: &CodeList| select(&evaluate(list, &domain, &inputs), list.outputs());
        let (expected, actual) = (outputs(function), outputs(&derivative.list));
        let (values, entries) = actual.split_at(derivative.values);
        for (value, expected) in values.iter().zip(&expected) {
            let is_same = value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan();
            assert!(is_same, "{values:?} is not {expected:?} in\n{function}");
        }
        if function.precision() == Precision::F32 || !self.has_finite_partials(&domain, &inputs) {
            return false;
        }
        let Some(duals) = Duals::new(&self.callees.functions).jacobian(function, &inputs, &passive) else {
            return false;
        };
        for (index, (entry, dual)) in entries.iter().zip(&duals).enumerate() {
            let error = (entry - dual.along.derivative).abs();
            let is_near = error <= BOUND * dual.along.magnitude;
            assert!(
                is_near,
                "{entry}, entry {index}, is not {} at {inputs:?} {passive:?} in\n{function}",
                dual.along.derivative
            );
        }
        true
    }

    /// Whether all local partials are finite of what runs and is used: else a product of one with a zero that is
    /// computed is no number. What is not used by the arms that are taken may be anything.
    fn has_finite_partials(&self, domain: &impl Domain<Number = f64>, inputs: &[f64]) -> bool {
        let linearization = linearize(&running(domain, &self.function, inputs));
        let values = evaluate(linearization.algebra.list(), domain, inputs);
        linearization.labels.iter().all(|label| values[label.id().index()].is_finite())
    }
}

/// A code list, and the floats that it gives without passive values.
fn values(text: &str, inputs: &[f64]) -> Vec<f64> {
    let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
    float_values(&list, list.outputs(), inputs, &[])
}

/// The Jacobian of a code list, row by row.
fn jacobian(text: &str, inputs: &[f64]) -> Vec<f64> {
    let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let derivative = differentiate(&list, &Strategy::Auto).expect("a small function").derivative.dense();
    float_values(&derivative.list, &derivative.list.outputs()[derivative.values..], inputs, &[])
}

#[test]
fn every_strategy_differentiates_branches_and_calls() {
    let (hierarchies, chain_rule) = (hierarchies(), ChainRule::new());
    let (mut tried, mut tame) = (0, 0);
    for (seed, strategy) in (0..LISTS).zip(hierarchies.iter().cycle()) {
        let case = Case::new(seed, 2);
        let level = LEVELS[seed as usize / hierarchies.len() % LEVELS.len()].1;
        let Some(derivative) = case.differentiate(level, strategy) else { continue };
        case.check(&derivative, &case.jacobian(&chain_rule), strategy);
        tried += 1;
        tame += u64::from(case.check_in_floats(&derivative, &mut Random::new(!seed)));
    }
    assert!(tried > LISTS * 95 / 100, "only {tried} functions are small enough");

    assert!(tame > LISTS / 6, "only {tame} points are tame");
}

#[test]
fn auto_and_searches_differentiate_branches_and_calls() {
    let searches = MODES.iter().flat_map(ModeRow::searches).map(Strategy::Order);
    let searches = searches.map(|search| search.with_steps(3).unwrap_or(search));
    let strategies: Vec<_> = searches.chain([Strategy::Auto]).collect();
    let chain_rule = ChainRule::new();
    for (seed, strategy) in (0..LISTS / 50).zip(strategies.iter().cycle()) {
        let case = Case::new(seed, 2);
        let jacobian = case.jacobian(&chain_rule);
        match differentiate_at(Level::CodeList, &case.function, strategy) {
            Err(Error::TooManyPaths { .. } | Error::NotProven(_)) => {}
            derivative => case.check(&derivative.expect("a small function").derivative.dense(), &jacobian, strategy),
        }
    }
}

#[test]
fn a_derivative_can_be_differentiated_again() {
    let (hierarchies, chain_rule) = (hierarchies(), ChainRule::new());
    for (seed, strategy) in (0..LISTS / 20).zip(hierarchies.iter().cycle()) {
        let function = Case::new(seed, 2);
        let Some(first) = function.differentiate(Level::CodeList, strategy) else { continue };
        let case = Case::at_random_point(first.list, function.callees, &mut Random::new(!seed));
        let Some(second) = case.differentiate(Level::CodeList, strategy) else { continue };
        case.check(&second, &case.jacobian(&chain_rule), strategy);
    }
}

/// What a form gives of the function of a case, unless that is too much; none of what has no second partials.
fn of_form(case: &Case, form: Form, strategy: &Strategy) -> Option<Derivative> {
    match differentiate_for(form, Level::CodeList, &case.function, strategy) {
        Err(
            Error::TooManyPaths { .. }
            | Error::TooManySteps { .. }
            | Error::LongLoop { .. }
            | Error::NoSecondPartials { .. }
            | Error::NoDerivativeOf { .. },
        ) => None,
        derivative => Some(derivative.unwrap_or_else(|error| panic!("{error}\n{}", case.function)).derivative.dense()),
    }
}

/// The values of the outputs, and those of the entries of a matrix, with these numbers for the inputs of the seed.
fn with_seed(case: &Case, derivative: &Derivative, seed: &[u64]) -> Vec<Vec<u64>> {
    let inputs: Vec<_> = seed.iter().chain(&case.inputs).copied().collect();
    let domain = Given { domain: &Calling(Modular, &case.callees), numbers: &case.passive };
    let values = evaluate(&derivative.list, &domain, &inputs);
    let entries = (0..derivative.matrices.len()).map(|matrix| select(&values, derivative.entries(matrix)));
    [select(&values, derivative.values())].into_iter().chain(entries).collect()
}

fn product(rows: &[Vec<u64>], vector: &[u64]) -> Vec<u64> {
    let sum = |row: &Vec<u64>| row.iter().zip(vector).fold(0, |sum, (&a, &b)| Modular::add(sum, Modular::mul(a, b)));
    rows.iter().map(sum).collect()
}

fn transposed(rows: &[Vec<u64>], columns: usize) -> Vec<Vec<u64>> {
    (0..columns).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

/// A function with the branches of a case of its own, and with wide ones: what they compute has many results, of which
/// all arms but the last read and change most.
fn wide_case(seed: u64) -> Case {
    let random = &mut Random::new(seed);
    let width = 4 + random.below(4);
    let mut text = String::new();
    let names = |name: &str, count: usize| (0..count).map(|at| format!("{name}{at} ")).collect::<String>();
    writeln!(text, "input {}\npassive p: bool\npassive n: int", names("x", width)).unwrap();
    let mut before: Vec<_> = (0..width).map(|at| format!("x{at}")).collect();
    for stage in 0..1 + random.below(3) {
        let (kind, arms) = if random.below(2) == 0 { ("p", 2) } else { ("n", 2 + random.below(2)) };
        let selector = if random.below(3) == 0 { format!("c{stage}") } else { kind.to_string() };
        let arms = if selector == kind { arms } else { 2 };
        writeln!(text, "c{stage} = {} < {}", before[0], before[1]).unwrap();
        let branch = Wide { width, depth: random.below(3), name: format!("b{stage}") };
        branch.write(&mut text, random, &before, (&selector, arms));
        before = (0..width).map(|at| format!("b{stage}.{at}")).collect();
        for (at, name) in before.iter_mut().enumerate().filter(|_| random.below(2) == 0) {
            writeln!(text, "m{stage}_{at} = sin({name})").unwrap();
            *name = format!("m{stage}_{at}");
        }
    }
    let outputs = (0..1 + random.below(2)).map(|_| before[random.below(width)].as_str()).collect::<Vec<_>>();
    writeln!(text, "output {}", outputs.join(" ")).unwrap();
    let function = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    Case::at_random_point(function, Callees::new(Vec::new()), random)
}

/// A branch that reads and gives this many values.
struct Wide {
    width: usize,
    /// How deep others nest in it.
    depth: usize,
    name: String,
}

impl Wide {
    fn write(&self, text: &mut String, random: &mut Random, args: &[String], (selector, arms): (&str, usize)) {
        let Wide { width, name, .. } = self;
        writeln!(text, "branch {name} on {selector} ({})", args.join(" ")).unwrap();
        for _ in 0..arms {
            let inputs: Vec<_> = (0..*width).map(|at| format!("a{at}")).collect();
            writeln!(text, "arm\ninput {}", inputs.join(" ")).unwrap();
            let mut values = inputs.clone();
            for step in 0..10 + random.below(10) {
                let [one, other] = [0, 1].map(|_| values[random.below(values.len())].clone());
                let new = ["sin", "exp", "mul", "mul", "mul", "add", "kept"][random.below(7)];
                match new {
                    "mul" => writeln!(text, "v{step} = {one} * {other}").unwrap(),
                    "add" => writeln!(text, "v{step} = {one} - {other}").unwrap(),
                    "kept" => writeln!(text, "opaque g{step} ({one}) kept\nv{step} = {one} / 2").unwrap(),
                    call => writeln!(text, "v{step} = {call}({one})").unwrap(),
                }
                values.push(format!("v{step}"));
            }
            let inner = Wide { depth: self.depth.saturating_sub(1), name: format!("{name}i"), ..*self };
            let latest = |random: &mut Random, values: &[String]| {
                values[values.len() - 1 - random.below(values.len().min(2 * width))].clone()
            };
            if self.depth > 0 {
                let args: Vec<_> = (0..*width).map(|_| latest(random, &values)).collect();
                match random.below(3) {
                    0 => {
                        writeln!(text, "loop {name}i on 2i32 ({}) carries {width}\nbody", args.join(" ")).unwrap();
                        writeln!(text, "input {}", inputs.join(" ")).unwrap();
                        let turned = Wide { depth: self.depth - 1, name: format!("{name}j"), ..*self };
                        writeln!(text, "w = a0 * a1\nq = a0 < a1").unwrap();
                        turned.write(text, random, &inputs, ("q", 2));
                        let next = (1..*width).map(|at| format!("{name}j.{at} ")).collect::<String>();
                        writeln!(text, "output w {next}\nend").unwrap();
                    }
                    _ => {
                        writeln!(text, "q = {} < {}", args[0], args[1]).unwrap();
                        inner.write(text, random, &args, ("q", 2));
                    }
                }
                values.extend((0..*width).map(|at| format!("{name}i.{at}")));
            }
            let outputs: Vec<_> = (0..*width).map(|_| latest(random, &values)).collect();
            writeln!(text, "output {}", outputs.join(" ")).unwrap();
        }
        writeln!(text, "end").unwrap();
    }
}

/// How many branches there are that compute adjoints.
fn reversed(derivative: &Derivative) -> usize {
    let lists = derivative.list.with_inner();
    lists.iter().flat_map(|list| list.blocks()).filter(|block| block.origin == counted::BRANCH).count()
}

/// Products, the gradient and second derivatives, each against the Jacobian by Bauer's formula: that of the function, and
/// that of the code list of the gradient.
#[test]
fn every_form_goes_through_branches() {
    let (mut tried, mut adjoints) = ([0; 2], [0; 2]);
    for seed in 0..LISTS / 200 {
        let is_wide = seed % 2 == 0;
        let case = if is_wide { wide_case(seed) } else { Case::new(seed, 2) };
        let random = &mut Random::new(!seed);
        let strategy =
            [Strategy::reverse(), "forward".parse().expect("a strategy"), Strategy::Auto][random.below(3)].clone();
        let Case { function, callees, inputs, passive } = &case;
        let (columns, rows) = (inputs.len(), function.outputs().len());
        let domain = Given { domain: &Calling(Modular, callees), numbers: passive };
        let jacobian = modular_jacobian_in(&domain, function, inputs);
        let mut numbers = |count: usize| (0..count).map(|_| random.bits() % MODULUS).collect::<Vec<_>>();
        let (direction, weights) = (numbers(columns), numbers(rows));
        let values = case.outputs(function);
        let text = || format!("under `{strategy}` of\n{function}");
        let Some(whole) = of_form(&case, Form::Jacobian, &strategy) else { continue };
        assert_eq!(with_seed(&case, &whole, &[]), [values.clone(), jacobian.concat()], "{}", text());
        let along = of_form(&case, Form::TangentProduct, &strategy).expect("a small function");
        assert_eq!(
            with_seed(&case, &along, &direction),
            [values.clone(), product(&jacobian, &direction)],
            "{}",
            text()
        );
        let across = of_form(&case, Form::CotangentProduct, &strategy).expect("a small function");
        let gradient = product(&transposed(&jacobian, columns), &weights);
        assert_eq!(with_seed(&case, &across, &weights), [values.clone(), gradient.clone()], "{}", text());
        for derivative in [&whole, &along, &across] {
            assert_eq!(kept(&derivative.list), kept(function), "{}", text());
        }
        adjoints[0] += reversed(&whole) + reversed(&across);
        tried[0] += 1;
        let Some(hessian) = of_form(&case, Form::Hessian, &strategy) else { continue };
        let Some(along) = of_form(&case, Form::HessianProduct, &strategy) else { continue };
        // The code list of the gradient, with which nothing of the second stage has been done.
        let at: Vec<_> = weights.iter().chain(inputs).copied().collect();
        let second = modular_jacobian_in(&domain, &across.list, &at).split_off(rows);
        let of_one = rows == 1;
        let second: Vec<_> = second.iter().map(|row| row[rows..].to_vec()).collect();
        let seed = if of_one { Vec::new() } else { weights.clone() };
        let scaled = |rows: Vec<u64>| match of_one {
            // A single result has no weight.
            true => rows.into_iter().map(|entry| Modular::mul(entry, weights[0])).collect(),
            false => rows,
        };
        let [own, first, entries] = with_seed(&case, &hessian, &seed).try_into().expect("value, gradient, Hessian");
        assert_eq!((own, scaled(first)), (values.clone(), gradient.clone()), "{}", text());
        // Second partials by two arguments, either way, are one, where those of the gradient may be two modulo the prime.
        for ((row, entries), expected) in scaled(entries).chunks(columns).enumerate().zip(&second) {
            assert_eq!(entries[..=row], expected[..=row], "{}", text());
        }
        let seed: Vec<_> = direction.iter().chain(&seed).copied().collect();
        let [own, first, entries] = with_seed(&case, &along, &seed).try_into().expect("value, gradient, product");
        let expected = product(&second, &direction);
        assert_eq!((own, scaled(first), scaled(entries)), (values, gradient, expected), "{}", text());
        for derivative in [&hessian, &along] {
            assert_eq!(kept(&derivative.list), kept(function), "{}", text());
        }
        adjoints[1] += reversed(&hessian) + reversed(&along);
        tried[1] += 1;
    }
    assert!(tried[0] > LISTS / 250 && tried[1] > LISTS / 300, "only {tried:?} functions are small enough");
    assert!(adjoints.iter().all(|count| *count > LISTS as usize / 600), "only {adjoints:?} branches are reversed");
}

#[test]
fn texts_read_back_as_themselves() {
    let strategy = "markowitz".parse().expect("a strategy");
    for seed in 0..LISTS / 4 {
        let case = Case::new(seed, 2);
        let derivative = case.differentiate(Level::CodeList, &strategy).expect("no paths are enumerated").list;
        for list in [&case.function, &derivative] {
            let text = list.to_string();
            let read: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.to_string(), text);
            assert_eq!(case.outputs(&read), case.outputs(list), "\n{text}");
        }
    }
}

#[test]
fn the_same_input_gives_the_same_text_and_the_operations_that_it_has() {
    for seed in 0..LISTS / 20 {
        let jacobian =
            || differentiate(&Case::new(seed, 2).function, &Strategy::Auto).expect("no paths are enumerated");
        let (one, other) = (jacobian(), jacobian());
        assert_eq!(one.derivative.list.to_string(), other.derivative.list.to_string());
        let linearization = linearize_with(&Case::new(seed, 2).function, Level::CodeList, &one.strategy);
        let linearization = linearization.expect("a small function");
        let (_, elimination) = one.strategy.eliminate(&linearization).expect("a small function");
        let without_signs = |list: &CodeList| OperationCount { negations: 0, ..OperationCount::of(list) };
        let operations = without_signs(&draft(linearization.clone(), &elimination.program));
        assert_eq!(operations, without_signs(&accumulate(linearization, &elimination.program).list));
    }
}

/// The opaque statements that are kept, in order.
fn kept(list: &CodeList) -> Vec<u32> {
    let of = |block: &Block| match block.is_opaque() {
        true => vec![block.origin; usize::from(block.is_kept)],
        false => block.lists().iter().flat_map(|arm| kept(arm)).collect(),
    };
    list.blocks().iter().flat_map(of).collect()
}

#[test]
fn an_opaque_statement_makes_no_float_of_what_is_active() {
    let of = |text: &str| differentiate(&text.parse().expect("a code list"), &Strategy::Auto).map(|_| ());
    assert_eq!(of("input x\ny = 2 * x\nopaque g (y) gives float kept\noutput y"), Err(Error::ActiveInOpaque));
    assert_eq!(of("input x\ny = 2 * x\nopaque g (y) kept\nopaque h (x) gives int kept\noutput y"), Ok(()));
    let in_an_arm = "arm\ninput x\nopaque g (x) gives float\ny = g.0 * x\noutput y\n".repeat(2);
    let branch = format!("passive p: bool\nbranch b on p (x)\n{in_an_arm}end\noutput b.0");
    assert_eq!(of(&format!("input x\n{branch}")), Err(Error::ActiveInOpaque));
    assert_eq!(of(&format!("input z\npassive x: float\n{branch}")), Ok(()));
}

#[test]
fn dead_code_goes_and_nothing_else() {
    for seed in 0..LISTS / 4 {
        let case = Case::new(seed, 2);
        let reduced = case.function.remove_dead_code();
        assert_eq!(kept(&reduced), kept(&case.function), "\n{}", case.function);
        assert_eq!(case.outputs(&reduced), case.outputs(&case.function), "\n{}", case.function);
        assert_eq!(reduced.remove_dead_code().to_string(), reduced.to_string());
        assert_eq!(OperationCount::of(&reduced), OperationCount::of(&case.function), "\n{}", case.function);
    }
}

/// The numbers of the arms that run, by their number of arms.
#[test]
fn comparisons_take_all_arms_modulo_the_prime() {
    let list: CodeList =
        "input x y\np = x < y\nbranch b on p (x)\narm\ninput x\noutput 1\narm\ninput x\noutput 2\nend\n\
                          output b.0"
            .parse()
            .expect("a code list");
    let random = &mut Random::new(1);
    let mut value =
        || modular_values(&list, list.outputs(), &[random.bits() % MODULUS, random.bits() % MODULUS], &[])[0];
    let values: Vec<_> = (0..100).map(|_| value()).collect();
    assert!(values.contains(&1) && values.contains(&2));
}

/// `if x > 0 { sqrt(x) } else { 0 }`, and the same where the zero is a value of the outer list.
#[test]
fn no_infinity_comes_from_an_arm_that_is_not_taken() {
    let root = "input x\np = x > 0\nbranch b on p (x 0)\narm\ninput x z\nr = sqrt(x)\noutput r\n\
                arm\ninput x z\noutput z\nend\noutput b.0";
    assert_eq!(jacobian(root, &[0.0]), [0.0]);
    assert_eq!(jacobian(root, &[-1.0]), [0.0]);
    assert_eq!(jacobian(root, &[4.0]), [0.25]);
    let squared = format!("{}z = b.0 * b.0\noutput z", root.strip_suffix("output b.0").expect("the output"));
    assert_eq!(jacobian(&squared, &[0.0]), [0.0]);
}

/// `clamp` panics where its bounds are in the wrong order: so does the arm in which it is, and only that.
const CLAMPED: &str = "input x low high\np = low <= high\nbranch b on p (x low high)\n\
                       arm\ninput x low high\nc = clamp(x, low, high)\noutput c\n\
                       arm\ninput x low high\noutput x\nend\noutput b.0";

#[test]
fn an_arm_that_is_not_taken_does_not_run() {
    assert_eq!(values(CLAMPED, &[5.0, 2.0, 1.0]), [5.0]);
    assert_eq!(jacobian(CLAMPED, &[5.0, 2.0, 1.0]), [1.0, 0.0, 0.0]);
    assert_eq!(jacobian(CLAMPED, &[5.0, 1.0, 2.0]), [0.0, 0.0, 1.0]);
}

#[test]
#[should_panic(expected = "min > max")]
fn an_arm_that_is_taken_runs() {
    values(&CLAMPED.replace("low <= high", "low >= high"), &[5.0, 2.0, 1.0]);
}

#[test]
fn an_integer_selects_the_arm_of_its_number_or_the_last() {
    let text = "input x\npassive n: int\nbranch b on n (x)\narm\ninput x\noutput x\narm\ninput x\ny = 2 * x\noutput y\n\
                arm\ninput x\ny = 3 * x\noutput y\nend\noutput b.0";
    let list: CodeList = text.parse().expect("a code list");
    let derivative = differentiate(&list, &Strategy::Auto).expect("a small function").derivative.dense();
    let partial = |n: f64| float_values(&derivative.list, derivative.entries(0), &[1.0], &[n])[0];
    assert_eq!([0.0, 1.0, 2.0, 3.0, -1.0, -2147483648.0].map(partial), [1.0, 2.0, 3.0, 3.0, 3.0, 3.0]);
}

/// A chain of `else if`: arms in arms.
fn chain(length: usize) -> CodeList {
    let mut list = CodeList::new(Precision::F64);
    let x = list.input("x");
    let (mut value, number) = (x, list.constant(Constant::Float(length as f64)));
    if length > 0 {
        let mut first = CodeList::new(Precision::F64);
        let input = first.input("x");
        let product = first.constant(Constant::Float(length as f64));
        let product = first.apply(known::MUL, NotationId::default(), &[input, product]);
        first.output(product);
        let selector = list.apply(known::GE, NotationId::default(), &[x, number]);
        let arms = vec![Arc::new(first), Arc::new(chain(length - 1))];
        let body = Body::Branch { selector, arms, results: 1 };
        let block = list.block(Block { args: vec![x], body, is_kept: false, origin: 0 });
        value = list.part(block, 0);
    }
    list.output(value);
    list
}

#[test]
fn chains_nest_up_to_a_limit() {
    let derivative = differentiate(&chain(MAX_DEPTH), &Strategy::Auto).expect("just within the limit").derivative;
    for (x, expected) in [(200.5, 100.0), (99.5, 99.0), (3.5, 3.0), (0.5, 1.0)] {
        assert_eq!(float_values(&derivative.list, derivative.entries(0), &[x], &[]), [expected]);
    }
    let error = differentiate(&chain(MAX_DEPTH + 1), &Strategy::Auto).map(|_| ());
    assert_eq!(error, Err(Error::TooDeep { limit: MAX_DEPTH }));
}

#[test]
fn the_second_partials_of_a_call_have_no_derivative() {
    let of = |text: &str| differentiate(&text.parse().expect("a code list"), &Strategy::Auto).map(|_| ());
    let call = "call f (x) gives 1 with hessians";
    assert_eq!(of(&format!("input x\n{call}\noutput f.2")), Err(Error::NoThirdDerivative));
    let in_an_arm = format!("arm\ninput x\n{call}\noutput f.2\n").repeat(2);
    let branch = format!("passive p: bool\nbranch b on p (x)\n{in_an_arm}end\noutput b.0");
    assert_eq!(of(&format!("input x\n{branch}")), Err(Error::NoThirdDerivative));
    // What nothing needs, and what is not active, needs no derivative.
    let both = branch.replace("output f.2", "output f.2 x").replace("output b.0", "output b.1");
    assert_eq!(of(&format!("input x\n{both}")), Ok(()));
    assert_eq!(of(&format!("input x\n{call}\noutput x")), Ok(()));
    assert_eq!(of(&format!("input y\npassive x: float\n{call}\nz = f.2 * y\noutput z")), Ok(()));
}

/// What only has an effect is not differentiated: the function is called, not its Jacobian.
#[test]
fn what_has_an_effect_is_not_useful_for_that() {
    let list = "input x y\nu = sin(x)\ncall f (u y) gives 1 kept\nc = clamp(f.0, x, y)\noutput y";
    let list = list.parse::<CodeList>().unwrap_or_else(|error| panic!("{error}"));
    let derivative =
        differentiate(&list, &Strategy::Auto).unwrap_or_else(|error| panic!("{error}")).derivative.dense().list;
    let own = "input x\ninput y\nu = sin(x)\ncall f (u y) gives 1 kept\nc = clamp(f.0, x, y)\n";
    assert_eq!(derivative.to_string(), format!("{own}output y\noutput 0.0\noutput 1.0\n"));
}

/// A loop that reads one of eight elements and replaces one, at run-time indices: the derivatives of the elements
/// are chosen as these are, and not multiplied by which one it is.
#[test]
fn an_element_that_is_chosen_takes_no_products() {
    const ELEMENTS: usize = 8;
    let names = (0..ELEMENTS).map(|element| format!("h{element}")).collect::<Vec<_>>().join(" ");
    let firsts = ["b"; ELEMENTS].join(" ");
    let mut text = format!("input a b\npassive n: int\nloop l on n (a {firsts}) carries {ELEMENTS}\nbody\n");
    writeln!(text, "input a {names}\npassive i: int\npassive j: int\nbranch c on i ({names})").unwrap();
    (0..ELEMENTS).for_each(|element| writeln!(text, "arm\ninput {names}\noutput h{element}").unwrap());
    writeln!(text, "end\ny = a * c.0").unwrap();
    for element in 0..ELEMENTS {
        let arms = |taken: usize| if taken == element { "y" } else { "h" };
        writeln!(text, "branch w{element} on j (y h{element})").unwrap();
        (0..ELEMENTS).for_each(|taken| write!(text, "arm\ninput y h\noutput {}\n", arms(taken)).unwrap());
        writeln!(text, "end").unwrap();
    }
    let next = (0..ELEMENTS).map(|element| format!("w{element}.0")).collect::<Vec<_>>().join(" ");
    let last = (0..ELEMENTS).map(|element| format!("l.{element}")).collect::<Vec<_>>().join(" ");
    write!(text, "output {next}\nend\noutput {last}").unwrap();
    let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error} in\n{text}"));
    for strategy in ["auto", "forward", "reverse"] {
        let strategy: Strategy = strategy.parse().expect("a strategy");
        let jacobian = differentiate(&list, &strategy).expect("a loop");
        // The function itself, and its derivatives by `a` and by `b`.
        assert_eq!(jacobian.operations.multiplications, 3, "{strategy}:\n{}", jacobian.derivative.list);
    }
}
