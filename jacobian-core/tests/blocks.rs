//! Proves that functions with branches and calls are differentiated as those without. The Jacobians of random code
//! lists with nested branches and calls, under every strategy and at both levels, equal modulo 2^61 - 1 Bauer's formula
//! on the statements that run, and the chain rule applied statement by statement to the catalogue's partials. In
//! floats, they are those of dual numbers, whose partials are not the catalogue's, within a bound; the values are the
//! function's own bit for bit. Around this core: nothing runs of an arm that is not taken, derivatives can be
//! differentiated again, and texts read back as themselves.

use std::sync::Arc;

use jacobian_core::accumulate::{accumulate, draft};
use jacobian_core::block::{Block, Body, MAX_DEPTH};
use jacobian_core::catalogue::known;
use jacobian_core::code_list::{Constant, Dialect, Precision};
use jacobian_core::cost::OperationCount;
use jacobian_core::evaluate::{Domain, Floats, Given, MODULUS, Modular, evaluate, select};
use jacobian_core::linearize::{LEVELS, Level};
use jacobian_core::pipeline::{linearize, linearize_with};
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

#[test]
fn texts_read_back_as_themselves() {
    let strategy = "markowitz".parse().expect("a strategy");
    for seed in 0..LISTS / 4 {
        let case = Case::new(seed, 2);
        let derivative = case.differentiate(Level::CodeList, &strategy).expect("no paths are looked at").list;
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
        let jacobian = || differentiate(&Case::new(seed, 2).function, &Strategy::Auto).expect("no paths are looked at");
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
        let product = first.apply(known::MUL, Dialect::default(), &[input, product]);
        first.output(product);
        let selector = list.apply(known::GE, Dialect::default(), &[x, number]);
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
