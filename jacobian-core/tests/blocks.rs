//! Proves that functions with branches and calls are differentiated as those without. The Jacobians of random code lists
//! with nested branches and calls, under every strategy and at both levels, equal modulo 2^61 - 1 Bauer's formula on the
//! statements that run, and the chain rule applied statement by statement to the catalogue's partials. In floats, they are
//! those of dual numbers, whose partials are not the catalogue's, within a bound; the values are the function's own bit for
//! bit. Around this core: nothing runs of an arm that is not taken, derivatives can be differentiated again, and texts read
//! back as themselves.

use jacobian_core::check::modular_jacobian_in;
use jacobian_core::code_list::Precision;
use jacobian_core::evaluate::{Floats, MODULUS, Modular, evaluate, select};
use jacobian_core::linearize::{LEVELS, Level, linearize};
use jacobian_core::running::running;
use jacobian_core::{CodeList, Derivative, Error, Strategy, differentiate_at};

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
const MAX_STATEMENTS: usize = 24;
const MAX_DEPTH: usize = 3;

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
        let blocks = Blocks { depth: 1 + random.below(MAX_DEPTH), callees: &callees };
        let statements = 1 + random.below(MAX_STATEMENTS);
        let function = random_list_with_blocks(random, precision, statements, blocks);
        Case::at_random_point(function, Callees::new(callees), random)
    }

    fn at_random_point(function: CodeList, callees: Callees, random: &mut Random) -> Self {
        let inputs = function.inputs().iter().map(|_| random.bits() % MODULUS).collect();
        let passive = passive_numbers(&function, random, |random| random.bits() % MODULUS, residue);
        Case { function, callees, inputs, passive }
    }

    fn modular(&self) -> Calling<'_, Modular> {
        Calling(Modular, &self.callees)
    }

    fn floats(&self) -> Calling<'_, Floats> {
        Calling(Floats(self.function.precision()), &self.callees)
    }

    fn outputs(&self, list: &CodeList) -> Vec<u64> {
        select(&evaluate(list, &self.modular(), &self.inputs, &self.passive), list.outputs())
    }

    /// The Jacobian by Bauer's formula, which must be that of the chain rule.
    fn jacobian(&self, chain_rule: &ChainRule) -> Vec<u64> {
        let Case { function, callees, inputs, passive } = self;
        let bauer = modular_jacobian_in(&self.modular(), function, inputs, passive);
        let chain_rule = chain_rule.jacobian_in(&self.modular(), &callees.functions, function, inputs, passive);
        assert_eq!(bauer, chain_rule, "\n{function}");
        bauer.concat()
    }

    /// The derivative, unless the function has too many paths for the strategy.
    fn differentiate(&self, level: Level, strategy: &Strategy) -> Option<Derivative> {
        match differentiate_at(level, &self.function, strategy) {
            Err(Error::TooManyPaths) => None,
            jacobian => Some(jacobian.expect("a small function").derivative),
        }
    }

    /// Checks the derivative modulo 2^61 - 1.
    fn check(&self, derivative: &Derivative, jacobian: &[u64], strategy: &Strategy) {
        let actual = self.outputs(&derivative.list);
        let (values, entries) = actual.split_at(derivative.rows);
        assert_eq!(values, self.outputs(&self.function), "values under `{strategy}` of\n{}", self.function);
        assert_eq!(entries, jacobian, "Jacobian under `{strategy}` of\n{}", self.function);
    }

    /// Checks the derivative in floats at a random point: the values by their bits, the Jacobian where all is tame. Whether
    /// it is.
    fn check_in_floats(&self, derivative: &Derivative, random: &mut Random) -> bool {
        let function = &self.function;
        let float = |random: &mut Random| function.round(random.between(-3.0, 3.0));
        let inputs: Vec<_> = function.inputs().iter().map(|_| float(random)).collect();
        let passive = passive_numbers(function, random, float, f64::from);
        let outputs = |list: &CodeList| select(&evaluate(list, &self.floats(), &inputs, &passive), list.outputs());
        let (expected, actual) = (outputs(function), outputs(&derivative.list));
        let (values, entries) = actual.split_at(derivative.rows);
        for (value, expected) in values.iter().zip(&expected) {
            let is_same = value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan();
            assert!(is_same, "{values:?} is not {expected:?} in\n{function}");
        }
        if function.precision() == Precision::F32 || !self.has_finite_partials(&inputs, &passive) {
            return false;
        }
        let Some(duals) = Duals::new(&self.callees.functions).jacobian(function, &inputs, &passive) else {
            return false;
        };
        for (index, (entry, dual)) in entries.iter().zip(&duals).enumerate() {
            let error = (entry - dual.derivative).abs();
            let is_near = error <= BOUND * dual.magnitude;
            assert!(
                is_near,
                "{entry}, entry {index}, is not {} at {inputs:?} {passive:?} in\n{function}",
                dual.derivative
            );
        }
        true
    }

    /// Whether all local partials are finite of what runs and is used: else a product of one with a zero that is computed is
    /// no number. What is not used by the arms that are taken may be anything.
    fn has_finite_partials(&self, inputs: &[f64], passive: &[f64]) -> bool {
        let running = running(&self.floats(), &self.function, inputs, passive);
        let linearization = linearize(&running);
        let values = evaluate(linearization.algebra.list(), &self.floats(), inputs, passive);
        linearization.labels.iter().all(|label| values[label.id.index()].is_finite())
    }
}

fn residue(value: i32) -> u64 {
    let magnitude = u64::from(value.unsigned_abs());
    if value < 0 { Modular::neg(magnitude) } else { magnitude }
}

#[test]
fn every_strategy_differentiates_branches_and_calls() {
    let (hierarchies, chain_rule) = (hierarchies(), ChainRule::new());
    let (mut tried, mut tame) = (0, 0);
    for (seed, strategy) in (0..LISTS).zip(hierarchies.iter().cycle()) {
        let case = Case::new(seed, 2);
        let jacobian = case.jacobian(&chain_rule);
        let level = LEVELS[seed as usize / hierarchies.len() % LEVELS.len()].1;
        let Some(derivative) = case.differentiate(level, strategy) else { continue };
        case.check(&derivative, &jacobian, strategy);
        tried += 1;
        tame += u64::from(case.check_in_floats(&derivative, &mut Random::new(!seed)));
    }
    println!("{tried} {tame}");
    assert!(tried > LISTS * 95 / 100, "only {tried} functions are small enough");
}
