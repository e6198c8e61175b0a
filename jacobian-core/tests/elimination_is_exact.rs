//! Proves that no elimination order makes a wrong derivative: the Jacobians of random code lists under every strategy
//! equal, modulo 2^61 - 1, the sum over all paths (Bauer's formula), and that equals the chain rule applied statement
//! by statement to the catalogue's partials. Nothing is rounded there, so equal means equal. Around this core: the
//! values are the function's own bit for bit, the derivative's text reads back as itself, the same input gives the same
//! text, and a derivative can be differentiated again.

use jacobian_core::evaluate::{MODULUS, Modular};
use jacobian_core::linearize::Level;
use jacobian_core::pipeline::{differentiate_for, linearize};
use jacobian_core::strategy::{MODES, ModeRow};
use jacobian_core::{CodeList, Derivative, Error, Form, Strategy, differentiate_at};
use jacobian_lab::check::{bauer, float_values, modular_entries, modular_jacobian, modular_labels, modular_values};

use support::chain_rule::ChainRule;
use support::lists::{passive_numbers, random_list};
use support::random::Random;
use support::strategies::hierarchies;

mod support {
    pub mod chain_rule;
    pub mod lists;
    pub mod random;
    pub mod strategies;
}

/// Code lists in the main test, and of what size they are at most.
const LISTS: u64 = 20_000;
const MAX_STATEMENTS: usize = 60;

/// The test of the code lists gives `auto` one list in this many: it costs as much as all others, and what it chooses
/// is among them.
const AUTO_EVERY: u64 = 4;

/// A function of up to 60 statements and a point modulo 2^61 - 1.
struct Case {
    function: CodeList,
    inputs: Vec<u64>,
    passive: Vec<u64>,
}

impl Case {
    /// The smaller, the more frequent.
    fn new(seed: u64, max_statements: usize) -> Self {
        let random = &mut Random::new(seed);
        let statements = 1 + random.below(max_statements).min(random.below(max_statements));
        let function = random_list(random, statements);
        Case::at_random_point(function, random)
    }

    fn at_random_point(function: CodeList, random: &mut Random) -> Self {
        let inputs = function.inputs().iter().map(|_| residue(random)).collect();
        let passive = passive_numbers(&function, random, residue, Modular::int);
        Case { function, inputs, passive }
    }

    fn values(&self) -> Vec<u64> {
        modular_values(&self.function, self.function.outputs(), &self.inputs, &self.passive)
    }

    fn jacobian(&self) -> Vec<Vec<u64>> {
        modular_jacobian(&self.function, &self.inputs, &self.passive)
    }

    /// The derivative, unless the function has too many paths for the strategy.
    fn differentiate(&self, strategy: &Strategy) -> Option<Derivative> {
        self.differentiate_at(Level::CodeList, strategy)
    }

    fn differentiate_at(&self, level: Level, strategy: &Strategy) -> Option<Derivative> {
        match differentiate_at(level, &self.function, strategy) {
            Err(Error::TooManyPaths { .. }) => None,
            jacobian => Some(jacobian.expect("a small function").derivative.dense()),
        }
    }

    /// What `form` gives with this seed, unless the function has too many paths for the strategy.
    fn outputs(&self, form: Form, level: Level, strategy: &Strategy, seed: &[u64]) -> Option<Vec<u64>> {
        let derivative = match differentiate_for(form, level, &self.function, strategy) {
            Err(Error::TooManyPaths { .. } | Error::NoSecondPartials { .. }) => return None,
            jacobian => jacobian.expect("a small function").derivative.dense(),
        };
        let inputs = [seed, &self.inputs].concat();
        Some(modular_values(&derivative.list, derivative.list.outputs(), &inputs, &self.passive))
    }

    /// Checks a derivative against the values and the Jacobian of the function.
    fn check(&self, derivative: &Derivative, values: &[u64], jacobian: &[Vec<u64>], strategy: &Strategy) {
        let all = modular_values(&derivative.list, derivative.list.outputs(), &self.inputs, &self.passive);
        let (own, entries) = all.split_at(derivative.values);
        assert_eq!(own, values, "values under `{strategy}` of\n{}", self.function);
        assert_eq!(entries, jacobian.concat(), "Jacobian under `{strategy}` of\n{}", self.function);
    }
}

fn residue(random: &mut Random) -> u64 {
    random.bits() % MODULUS
}

/// A float from everywhere: half of them ordinary, half special.
fn float(random: &mut Random) -> f64 {
    const SPECIAL: &[f64] = &[0.0, -0.0, 1.0, -1.0, 2.5, 1e-30, 1e30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    match random.below(2) {
        0 => random.between(-3.0, 3.0),
        _ => SPECIAL[random.below(SPECIAL.len())],
    }
}

/// Equal in all bits; every NaN is equal to every NaN.
fn assert_same_bits(actual: &[f64], expected: &[f64], function: &CodeList) {
    let bits = |values: &[f64]| -> Vec<u64> {
        values.iter().map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }).collect()
    };
    assert_eq!(bits(actual), bits(expected), "{actual:?} is not {expected:?} in\n{function}");
}

/// Runs the programs of `strategies` for [`LISTS`] functions of up to `max_statements`.
fn programs_give_the_sum_over_all_paths(strategies: &[Strategy], max_statements: usize) {
    let chain_rule = ChainRule::new();
    let mut tried = vec![0; strategies.len()];
    for seed in 0..LISTS {
        let case = Case::new(seed, max_statements);
        let linearization = linearize(&case.function);
        let labels = modular_labels(&linearization, &case.inputs, &case.passive);
        let jacobian = bauer(&linearization, &labels);
        assert_eq!(chain_rule.jacobian(&case.function, &case.inputs, &case.passive), jacobian, "\n{}", case.function);
        for (strategy, count) in strategies.iter().zip(&mut tried) {
            let elimination = match strategy.eliminate(&linearization) {
                Err(Error::TooManyPaths { .. } | Error::NotProven(_)) => continue,
                elimination => elimination.expect("a small function").1,
            };
            *count += 1;
            let entries = modular_entries(&linearization, &elimination.program, &labels);
            assert_eq!(entries, jacobian, "program under `{strategy}` of\n{}", case.function);
        }
    }
    for (strategy, count) in strategies.iter().zip(tried) {
        assert!(count >= LISTS * 95 / 100, "only {count} functions are small enough for `{strategy}`");
    }
}

/// The strategies that enumerate paths, of which there may be very many, and the others.
fn on_paths_and_others() -> (Vec<Strategy>, Vec<Strategy>) {
    hierarchies().into_iter().partition(|strategy| strategy.to_string().starts_with("path"))
}

#[test]
fn every_strategy_gives_the_sum_over_all_paths() {
    programs_give_the_sum_over_all_paths(&on_paths_and_others().1, MAX_STATEMENTS);
}

#[test]
fn every_strategy_on_paths_gives_the_sum_over_all_paths() {
    programs_give_the_sum_over_all_paths(&on_paths_and_others().0, MAX_STATEMENTS / 3);
}

#[test]
fn every_search_gives_the_sum_over_all_paths() {
    let searches = MODES.iter().flat_map(ModeRow::searches).map(Strategy::Order);
    let strategies: Vec<_> = searches.map(|search| search.with_steps(3).unwrap_or(search)).collect();
    programs_give_the_sum_over_all_paths(&strategies, MAX_STATEMENTS / 4);
}

#[test]
fn every_strategy_gives_a_code_list_of_the_jacobian() {
    let hierarchies = hierarchies();
    let mut strategies = hierarchies.iter().cycle();
    for seed in 0..LISTS {
        let case = Case::new(seed, MAX_STATEMENTS);
        let (values, jacobian) = (case.values(), case.jacobian());
        let auto = seed.is_multiple_of(AUTO_EVERY).then_some(&Strategy::Auto);
        for strategy in strategies.by_ref().take(4).chain(auto) {
            if let Some(derivative) = case.differentiate(strategy) {
                case.check(&derivative, &values, &jacobian, strategy);
            }
        }
    }
}

#[test]
fn statements_may_be_preaccumulated() {
    for (seed, strategy) in (0..LISTS / 4).zip(hierarchies().iter().cycle()) {
        let case = Case::new(seed, MAX_STATEMENTS);
        if let Some(derivative) = case.differentiate_at(Level::Statement, strategy) {
            case.check(&derivative, &case.values(), &case.jacobian(), strategy);
        }
    }
}

#[test]
fn every_form_is_a_product_with_the_jacobian() {
    let hierarchies = hierarchies();
    let mut strategies = hierarchies.iter().cycle();
    for seed in 0..LISTS {
        let (case, random) = (Case::new(seed, MAX_STATEMENTS), &mut Random::new(!seed));
        let (values, jacobian) = (case.values(), case.jacobian());
        let tangent: Vec<_> = case.inputs.iter().map(|_| residue(random)).collect();
        let cotangent: Vec<_> = values.iter().map(|_| residue(random)).collect();
        let dot = |left: &mut dyn Iterator<Item = u64>, right: &[u64]| -> u64 {
            left.zip(right).fold(0, |sum, (left, &right)| Modular::add(sum, Modular::mul(left, right)))
        };
        let along_rows = jacobian.iter().map(|row| dot(&mut row.iter().copied(), &tangent));
        let column = |column: usize| jacobian.iter().map(move |row| row[column]);
        let columns = 0..case.inputs.len();
        let along_columns = columns.clone().map(|j| dot(&mut column(j), &cotangent));
        let with_values = columns.clone().map(|j| dot(&mut column(j), &values));
        let squares = columns.clone().flat_map(|i| {
            let other: Vec<_> = column(i).collect();
            columns.clone().map(move |j| dot(&mut column(j), &other))
        });
        let forms = [
            (Form::JacobianOnly, &[][..], jacobian.concat()),
            (Form::TangentProduct, &tangent, values.iter().copied().chain(along_rows).collect()),
            (Form::CotangentProduct, &cotangent, values.iter().copied().chain(along_columns).collect()),
            (Form::NormalEquations, &[], values.iter().copied().chain(with_values).chain(squares).collect()),
        ];
        let auto = seed.is_multiple_of(AUTO_EVERY).then_some(&Strategy::Auto);
        let level = if seed.is_multiple_of(2) { Level::CodeList } else { Level::Statement };
        for strategy in strategies.by_ref().take(1).chain(auto) {
            for (form, seed, expected) in &forms {
                if let Some(outputs) = case.outputs(*form, level, strategy, seed) {
                    assert_eq!(outputs, *expected, "{form:?} under `{strategy}` of\n{}", case.function);
                }
            }
        }
    }
}

/// Gradient and Hessian are those of the second-order chain rule, statement by statement.
#[test]
fn second_derivatives_are_those_of_the_chain_rule() {
    let (hierarchies, chain_rule) = (hierarchies(), ChainRule::new());
    let (mut nonzero, mut refused) = (0, 0);
    for (seed, strategy) in (0..LISTS).zip(hierarchies.iter().cycle()) {
        let (case, random) = (Case::new(seed, MAX_STATEMENTS / 2), &mut Random::new(!seed));
        let (values, columns) = (case.values(), case.inputs.len());
        let is_weighted = values.len() != 1;
        let cotangent: Vec<_> = values.iter().map(|_| if is_weighted { residue(random) } else { 1 }).collect();
        let weights = if is_weighted { &cotangent[..] } else { &[] };
        let strategy = if seed.is_multiple_of(4 * AUTO_EVERY) { &Strategy::Auto } else { strategy };
        let level = if seed.is_multiple_of(3) { Level::Statement } else { Level::CodeList };
        let Some(outputs) = case.outputs(Form::Hessian, level, strategy, weights) else {
            refused += 1;
            continue;
        };
        let (gradient, rows) = chain_rule.hessian(&case.function, &case.inputs, &case.passive, &cotangent);
        let first = [&values[..], &gradient].concat();
        let (own, hessian) = outputs.split_at(values.len() + columns);
        assert_eq!(own, first, "values and gradient under `{strategy}` of\n{}", case.function);
        for (row, expected) in rows.iter().enumerate() {
            let entries = &hessian[row * columns..][..columns];
            assert_eq!(entries, expected, "row {row} under `{strategy}` of\n{}", case.function);
            nonzero += usize::from(expected.iter().any(|&entry| entry != 0));
        }
        let direction: Vec<_> = case.inputs.iter().map(|_| residue(random)).collect();
        let seed = [&direction[..], weights].concat();
        let Some(outputs) = case.outputs(Form::HessianProduct, level, strategy, &seed) else { continue };
        let product = rows.iter().map(|row| {
            let terms = row.iter().zip(&direction).map(|(&entry, &factor)| Modular::mul(entry, factor));
            terms.fold(0, Modular::add)
        });
        let expected: Vec<_> = first.iter().copied().chain(product).collect();
        assert_eq!(outputs, expected, "the product under `{strategy}` of\n{}", case.function);
    }
    assert!(nonzero > 5_000 && refused < LISTS / 5, "only {nonzero} rows are not zero, {refused} are refused");
}

#[test]
fn values_are_the_functions_own_bit_for_bit() {
    let hierarchies = hierarchies();
    for (seed, strategy) in (0..LISTS).zip(hierarchies.iter().cycle()) {
        let (case, random) = (Case::new(seed, MAX_STATEMENTS), &mut Random::new(!seed));
        let function = &case.function;
        let Some(derivative) = case.differentiate(strategy) else { continue };
        for _ in 0..3 {
            let inputs: Vec<_> = function.inputs().iter().map(|_| function.round(float(random))).collect();
            let passive = passive_numbers(function, random, |random| function.round(float(random)), f64::from);
            let expected = float_values(function, function.outputs(), &inputs, &passive);
            let actual = float_values(&derivative.list, derivative.values(), &inputs, &passive);
            assert_same_bits(&actual, &expected, function);
        }
    }
}

#[test]
fn the_text_of_a_derivative_reads_back_as_itself() {
    let hierarchies = hierarchies();
    for (seed, strategy) in (0..LISTS / 4).zip(hierarchies.iter().cycle()) {
        let case = Case::new(seed, MAX_STATEMENTS);
        let Some(derivative) = case.differentiate(strategy) else { continue };
        let text = derivative.list.to_string();
        let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(list.to_string(), text);
        case.check(&Derivative { list, ..derivative }, &case.values(), &case.jacobian(), strategy);
    }
}

#[test]
fn the_same_input_gives_the_same_text() {
    for seed in 0..LISTS / 20 {
        let derivative =
            || Case::new(seed, MAX_STATEMENTS).differentiate(&Strategy::Auto).expect("no paths are enumerated");
        let text = || derivative().list.to_string();
        assert_eq!(text(), text());
    }
}

#[test]
fn a_derivative_can_be_differentiated_again() {
    let (hierarchies, chain_rule) = (hierarchies(), ChainRule::new());
    for (seed, strategy) in (0..LISTS / 20).zip(hierarchies.iter().cycle()) {
        let Some(first) = Case::new(seed, MAX_STATEMENTS / 2).differentiate(strategy) else { continue };
        let case = Case::at_random_point(first.list, &mut Random::new(!seed));
        let (values, jacobian) = (case.values(), case.jacobian());
        assert_eq!(chain_rule.jacobian(&case.function, &case.inputs, &case.passive), jacobian, "\n{}", case.function);
        for strategy in &hierarchies {
            if let Some(derivative) = case.differentiate(strategy) {
                case.check(&derivative, &values, &jacobian, strategy);
            }
        }
    }
}
