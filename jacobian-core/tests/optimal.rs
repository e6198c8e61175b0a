//! Proven optima: against all orders, where these can be tried, against the counts that are known, and against each other.

use jacobian_core::bound::lower_bound;
use jacobian_core::eliminate::vertex::Vertex;
use jacobian_core::eliminate::{Elimination, Mode};
use jacobian_core::graph::{Graph, VertexId};
use jacobian_core::lcg::LabelledGraph;
use jacobian_core::linearize::Linearization;
use jacobian_core::optimal::{self, Limits, TooLarge};
use jacobian_core::program::{Measure, Program};

use support::graphs::random_graph;
use support::random::Random;

mod support {
    pub mod graphs;
    pub mod random;
}

const MEASURES: [Measure; 2] = [Measure::Textbook, Measure::Folded];

/// Enough for what the tests give.
const LIMITS: Limits = Limits { states: 100_000 };

fn benchmark(name: &str) -> Linearization {
    let path = format!("{}/benchmarks/{name}.lcg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a benchmark");
    text.parse::<LabelledGraph>().expect("a graph").linearize()
}

fn best_order(graph: &Graph, measure: Measure) -> Elimination {
    optimal::vertex(graph, Program::new(graph), measure, None, LIMITS).expect("a small graph")
}

/// The fewest multiplications of all orders of the vertices.
fn fewest_of_all_orders(mode: &Vertex, targets: &[VertexId], program: &Program, measure: Measure) -> usize {
    let least = targets.iter().enumerate().map(|(place, &vertex)| {
        let (mut mode, mut program) = (mode.clone(), program.clone());
        mode.eliminate(vertex, &mut program);
        let rest = [&targets[..place], &targets[place + 1..]].concat();
        fewest_of_all_orders(&mode, &rest, &program, measure)
    });
    least.min().unwrap_or_else(|| program.multiplications(measure))
}

#[test]
fn no_order_of_vertices_is_better() {
    for seed in 0..2_000 {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(if seed % 50 == 0 { 6 } else { 5 });
        let graph = random_graph(random, intermediates);
        let mode = Vertex::new(&graph, &mut Program::new(&graph)).expect("vertices can always be eliminated");
        for measure in MEASURES {
            let program = Program::new(&graph);
            let fewest = fewest_of_all_orders(&mode, &mode.targets(), &program, measure);
            let found = best_order(&graph, measure).program.multiplications(measure);
            assert_eq!(found, fewest, "seed {seed}, {measure:?}\n{graph}");
            assert!(lower_bound(&graph, &program, measure) <= fewest, "seed {seed}, {measure:?}\n{graph}");
        }
    }
}

#[test]
fn lower_bounds_of_the_benchmarks() {
    for (name, bound) in
        [("roeflux_1d", 223), ("robotarm_6dof", 221), ("humanheartdipole", 148), ("propanecombustion", 88)]
    {
        let Linearization { graph, program, .. } = benchmark(name);
        assert_eq!(lower_bound(&graph, &program, Measure::Textbook), bound, "{name}");
    }
}

/// The lower bound proves them at once, so they take no state.
#[test]
fn vertex_optima_of_the_benchmarks() {
    for (name, optimum) in [("robotarm_6dof", 221), ("humanheartdipole", 148), ("propanecombustion", 88)] {
        let Linearization { graph, program, .. } = benchmark(name);
        let found = optimal::vertex(&graph, program, Measure::Textbook, None, Limits { states: 0 });
        assert_eq!(found.map(|found| found.program.multiplications(Measure::Textbook)), Ok(optimum), "{name}");
    }
}

#[test]
fn too_large_names_the_limit_and_the_search() {
    let Linearization { graph, program, .. } = benchmark("roeflux_1d");
    let error = optimal::vertex(&graph, program, Measure::Textbook, None, Limits { states: 10 }).unwrap_err();
    assert_eq!(error, TooLarge::States { mode: "vertex", limit: 10 });
    assert_eq!(
        error.to_string(),
        "`vertex: optimal` has more than 10 states to look through; `vertex: search` finds a good order without proof"
    );
}
