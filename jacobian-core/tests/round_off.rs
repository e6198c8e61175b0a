//! Proves that elimination loses no accuracy beyond its own few roundings: for every hierarchy and in both precisions,
//! each entry of the Jacobian is within 16 units of round-off of the exact sum over paths, on the scale of the same
//! elimination run on absolute values. The reference takes the local partials as the code computes them and sums
//! over the paths in double-double arithmetic, so that nothing but the elimination is measured.

use jacobian_core::accumulate::accumulate;
use jacobian_core::algebra::Term;
use jacobian_core::catalogue::known;
use jacobian_core::code_list::{Kind, NotationId, Precision};
use jacobian_core::evaluate::{Floats, Given, evaluate};
use jacobian_core::graph::VertexId;
use jacobian_core::linearize::Linearization;
use jacobian_core::pipeline::linearize;
use jacobian_core::{CodeList, Error, Strategy};
use jacobian_lab::check::{absolute_jacobian, float_values};

use support::double_double::DoubleDouble;
use support::lists::{passive_numbers, random_list};
use support::random::Random;
use support::strategies::hierarchies;

mod support {
    pub mod double_double;
    pub mod lists;
    pub mod random;
    pub mod strategies;
}

/// The bound, in units of round-off.
const BOUND: f64 = 16.0;

/// Random code lists, and the points at which each is tried.
const LISTS: u64 = 10_000;
const POINTS: usize = 2;
const MAX_STATEMENTS: usize = 60;

/// A function, linearized, with its labels at a point.
struct Case<'a> {
    function: &'a CodeList,
    linearization: &'a Linearization,
    inputs: Vec<f64>,
    passive: Vec<f64>,
    labels: Vec<f64>,
}

impl<'a> Case<'a> {
    fn new(function: &'a CodeList, linearization: &'a Linearization, random: &mut Random) -> Self {
        let float = |random: &mut Random| function.round(random.between(-3.0, 3.0));
        let inputs: Vec<_> = function.inputs().iter().map(|_| float(random)).collect();
        let passive = passive_numbers(function, random, float, f64::from);
        let list = linearization.algebra.list();
        let domain = Given { domain: &Floats(function.precision()), numbers: &passive };
        let values = evaluate(list, &domain, &inputs);
        let label = |term: &Term| {
            let value = values[term.id().index()];
            if term.is_negative() { -value } else { value }
        };
        let labels = linearization.labels.iter().map(label).collect();
        Case { function, linearization, inputs, passive, labels }
    }

    /// Whether no product of labels along a path comes near the ends of the range of exponents.
    fn is_tame(&self) -> bool {
        let graph = &self.linearization.graph;
        let mut exponents = vec![0.0; graph.vertex_count()];
        for vertex in graph.vertices() {
            for &edge in graph.outgoing(vertex) {
                let label = self.labels[edge.index()];
                let size = if label == 0.0 { 0.0 } else { label.abs().log2().abs() };
                let target = graph.edge(edge).target.index();
                exponents[target] = f64::max(exponents[target], exponents[vertex.index()] + size);
            }
        }
        let limit = match self.function.precision() {
            Precision::F32 => 100.0,
            Precision::F64 | Precision::Generic => 900.0,
        };
        self.labels.iter().all(|label| label.is_finite()) && exponents.iter().all(|&exponent| exponent < limit)
    }

    /// The entries of the Jacobian, row by row: the sums over all paths.
    fn path_sums(&self) -> Vec<DoubleDouble> {
        let columns: Vec<_> = self.linearization.columns.iter().map(|&column| self.sums_from(column)).collect();
        let zero = DoubleDouble::from(0.0);
        let rows = self.linearization.rows.iter();
        rows.flat_map(|row| columns.iter().map(move |sums| row.map_or(zero, |row| sums[row.index()]))).collect()
    }

    fn sums_from(&self, column: VertexId) -> Vec<DoubleDouble> {
        let graph = &self.linearization.graph;
        let mut sums = vec![DoubleDouble::from(0.0); graph.vertex_count()];
        sums[column.index()] = DoubleDouble::from(1.0);
        for vertex in graph.vertices() {
            for &edge in graph.outgoing(vertex) {
                let target = graph.edge(edge).target.index();
                sums[target] = sums[target] + sums[vertex.index()] * self.labels[edge.index()];
            }
        }
        sums
    }

    /// The largest error under `strategy`, in units of the bound's scale; none where there are too many paths for it.
    fn worst_error(&self, strategy: &Strategy, exact: &[DoubleDouble]) -> f64 {
        let elimination = match strategy.eliminate(self.linearization) {
            Err(Error::TooManyPaths { .. }) => return 0.0,
            elimination => elimination.expect("a small function").1,
        };
        let derivative = accumulate(self.linearization.clone(), &elimination.program).dense();
        let entries = &derivative.list.outputs()[derivative.values..];
        let actual = float_values(&derivative.list, entries, &self.inputs, &self.passive);
        let scale = absolute_jacobian(self.linearization, &elimination.program, &self.inputs, &self.passive).concat();
        let unit = match self.function.precision() {
            Precision::F32 => f64::from(f32::EPSILON) / 2.0,
            Precision::F64 | Precision::Generic => f64::EPSILON / 2.0,
        };
        let errors = actual.iter().zip(exact).map(|(&actual, &exact)| (exact - actual).to_f64().abs());
        errors
            .zip(scale)
            .map(|(error, scale)| if error == 0.0 { 0.0 } else { error / (unit * scale) })
            .fold(0.0, f64::max)
    }
}

/// `x * k0 * k1 * ...`.
fn chain(factors: usize) -> CodeList {
    let mut list = CodeList::new(Precision::F64);
    let mut product = list.input("x");
    for index in 0..factors {
        let factor = list.passive(Kind::Float, &format!("k{index}"), index as u32);
        product = list.apply(known::MUL, NotationId::default(), &[product, factor]);
    }
    list.output(product);
    list
}

#[test]
fn elimination_errs_by_at_most_16_units_of_round_off() {
    let hierarchies = hierarchies();
    let mut strategies = hierarchies.iter().cycle();
    let mut tried = 0;
    for seed in 0..LISTS {
        let random = &mut Random::new(seed);
        let function = random_list(random, MAX_STATEMENTS);
        let linearization = linearize(&function);
        for _ in 0..POINTS {
            let case = Case::new(&function, &linearization, random);
            if !case.is_tame() {
                continue;
            }
            let exact = case.path_sums();
            for strategy in strategies.by_ref().take(2) {
                let error = case.worst_error(strategy, &exact);
                assert!(error <= BOUND, "{error} units of round-off under `{strategy}` in\n{function}");
                tried += 1;
            }
        }
    }
    assert!(tried > LISTS as usize / 2, "only {tried} points are tame");
}

/// No order is within 16 units for chains of any length: 500 factors make an error of 17.
#[test]
fn a_chain_errs_by_at_most_its_length() {
    for factors in [20, 100, 500] {
        let (function, random) = (chain(factors), &mut Random::new(1));
        let linearization = linearize(&function);
        let case = Case::new(&function, &linearization, random);
        let exact = case.path_sums();
        for strategy in &hierarchies() {
            let error = case.worst_error(strategy, &exact);
            assert!(error <= factors as f64, "{error} units of round-off under `{strategy}`");
        }
    }
}
