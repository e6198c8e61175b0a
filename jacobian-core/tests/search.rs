//! A search is exact, the same on every run, never worse than the hierarchies that it starts from, mostly finds the
//! best order of a small graph, and finds on the benchmark graphs what is known of them.

use std::rc::Rc;

use jacobian_core::accumulate::draft;
use jacobian_core::cost::OperationCount;
use jacobian_core::cost::time::Estimate;
use jacobian_core::eliminate::Elimination;
use jacobian_core::evaluate::MODULUS;
use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::linearize::{Level, Linearization};
use jacobian_core::pipeline::{linearize, linearize_at};
use jacobian_core::program::{LabelKind, Measure, Program};
use jacobian_core::search::{Objective, Search, Space};
use jacobian_core::strategy::{Order, PORTFOLIO};
use jacobian_core::{Error, Strategy};
use jacobian_lab::check::{modular_entries, modular_jacobian, modular_labels};
use jacobian_lab::lcg::LabelledGraph;

use support::graphs::random_graph;
use support::lists::{passive_numbers, random_list};
use support::random::Random;

mod support {
    pub mod graphs;
    pub mod lists;
    pub mod random;
}

/// Those whose plans are carried out on the graph or its dual.
const SPACES: &[Space] = &[Space::Vertices, Space::Edges, Space::Faces];

const TEXTBOOK: Objective = Objective::Counted(Measure::Textbook);
const FOLDED: Objective = Objective::Counted(Measure::Folded);
const OBJECTIVES: &[Objective] =
    &[TEXTBOOK, FOLDED, Objective::Multiplications, Objective::Operations, Objective::Time];

const BENCHMARKS: &[(&str, &str)] = &[
    ("roeflux_1d", include_str!("../../jacobian-lab/benchmarks/roeflux_1d.lcg")),
    ("robotarm_6dof", include_str!("../../jacobian-lab/benchmarks/robotarm_6dof.lcg")),
    ("humanheartdipole", include_str!("../../jacobian-lab/benchmarks/humanheartdipole.lcg")),
    ("propanecombustion", include_str!("../../jacobian-lab/benchmarks/propanecombustion.lcg")),
    ("lion", include_str!("../../jacobian-lab/benchmarks/lion.lcg")),
    ("bat", include_str!("../../jacobian-lab/benchmarks/bat.lcg")),
];

/// Some products of its local partials are constants that are not folded.
const OF_CONSTANTS: &str = "
input x[0]
input x[1]
input x[2]
input x[3]
input x[4]
t.0 = x[2] - x[4]
v12 = x[2] / 0.0
v13 = v12 / 0.0
v14 = -v13
v15 = t.0 * v14
v16 = recip(x[2])
v17 = v16 * v16
v20 = v15 - v17
b = -v17
output v20
output b
";

fn benchmark(name: &str) -> Linearization {
    let (_, text) = BENCHMARKS.iter().find(|(other, _)| *other == name).expect("a benchmark");
    text.parse::<LabelledGraph>().unwrap_or_else(|error| panic!("{name}: {error}")).linearize()
}

fn search(linearization: &Linearization, space: Space, objective: Objective, steps: usize) -> Elimination {
    let search = Search { objective, steps: Some(steps), ..Search::in_space(space) };
    search.eliminate(linearization, usize::MAX).expect("there is no limit")
}

/// What `objective` is about.
fn cost(linearization: &Linearization, program: &Program, objective: Objective) -> usize {
    let draft = || draft(linearization.clone(), program);
    match objective {
        Objective::Counted(measure) => program.multiplications(measure),
        Objective::Multiplications => OperationCount::of(&draft()).multiplications,
        Objective::Operations => OperationCount::of(&draft()).total(),
        Objective::Time => Estimate::of(&draft()).total(),
    }
}

fn searched(linearization: &Linearization, space: Space, objective: Objective, steps: usize) -> usize {
    cost(linearization, &search(linearization, space, objective, steps).program, objective)
}

fn random_linearization(random: &mut Random, statements: usize) -> Linearization {
    linearize(&random_list(random, statements))
}

/// Searches a random list of up to this many statements, linearized at `level`, and compares the programs with the sum
/// over all paths.
fn check(seed: u64, level: Level, spaces: &[Space], statements: usize, steps: usize) {
    let random = &mut Random::new(seed);
    let mut list = random_list(random, 5 + seed as usize % statements);
    list.end_user_statement();
    let residue = |random: &mut Random| random.bits() % MODULUS;
    let inputs: Vec<_> = list.inputs().iter().map(|_| residue(random)).collect();
    let passive = passive_numbers(&list, random, residue, |value| value.rem_euclid(7) as u64);
    let linearization = linearize_at(&list, level);
    let labels = modular_labels(&linearization, &inputs, &passive);
    let jacobian = modular_jacobian(&list, &inputs, &passive);
    for &space in spaces {
        for &objective in OBJECTIVES {
            let program = search(&linearization, space, objective, steps).program;
            let entries = modular_entries(&linearization, &program, &labels);
            assert_eq!(entries, jacobian, "{space:?} {objective:?} {level:?} {seed}");
        }
    }
}

#[test]
fn every_search_gives_the_sum_over_all_paths() {
    for seed in 0..200 {
        check(seed, Level::CodeList, SPACES, 40, 20);
    }
}

#[test]
fn a_search_goes_on_from_preaccumulated_statements() {
    for seed in 200..250 {
        check(seed, Level::Statement, SPACES, 40, 10);
    }
}

#[test]
fn every_search_over_pairs_of_labels_gives_the_sum_over_all_paths() {
    for seed in 250..300 {
        let level = if seed % 5 == 0 { Level::Statement } else { Level::CodeList };
        check(seed, level, &[Space::Paths], 15, 5);
    }
}

#[test]
fn the_same_search_finds_the_same() {
    let linearization = benchmark("humanheartdipole");
    for &space in SPACES {
        for &objective in OBJECTIVES {
            let sequence = || search(&linearization, space, objective, 40).sequence;
            assert_eq!(sequence(), sequence());
        }
    }
}

#[test]
fn a_search_is_never_worse_than_its_starts() {
    let benchmarks = BENCHMARKS.iter().map(|(name, _)| benchmark(name));
    let lists = (0..40).map(|seed| random_linearization(&mut Random::new(seed), 40));
    let of_constants = linearize(&OF_CONSTANTS.parse().expect("a code list"));
    let starts: Vec<Strategy> = PORTFOLIO.iter().map(|start| Strategy::Order(Rc::new(start.clone()))).collect();
    for linearization in benchmarks.chain(lists).chain([of_constants]) {
        let eliminations: Vec<_> =
            starts.iter().map(|start| start.eliminate(&linearization).expect("it is small").1).collect();
        for &objective in OBJECTIVES {
            let costs = eliminations.iter().map(|start| cost(&linearization, &start.program, objective));
            let best = costs.min().expect("there are starts");
            assert_eq!(searched(&linearization, Space::Vertices, objective, 0), best);
            for &space in SPACES {
                let found = searched(&linearization, space, objective, 15);
                assert!(found <= best, "{space:?} {objective:?} {found} {best}");
            }
        }
    }
}

#[test]
fn a_search_is_a_strategy() {
    let search = Search::in_space(Space::Edges);
    let linearization = benchmark("bat");
    let (strategy, elimination) = Strategy::Order(Rc::new(search)).eliminate(&linearization).expect("it is small");
    assert_eq!(strategy.to_string(), "edge: search");
    assert_eq!(cost(&linearization, &elimination.program, TEXTBOOK), 23);
}

#[test]
fn the_larger_the_function_the_fewer_steps() {
    // Without a bound of its own, the search would take minutes in a build that is not optimized.
    let long: String = (1..3000).map(|j| format!("x{j} = sin(x{}) * x{}\n", j - 1, j / 2)).collect();
    let list = format!("input x0\n{long}output x2999").parse().expect("a code list");
    let linearization = linearize(&list);
    for &space in SPACES {
        let search = Search { objective: Objective::Operations, ..Search::in_space(space) };
        let elimination = search.eliminate(&linearization, usize::MAX).expect("there is no limit");
        assert_eq!(elimination.program.entries().len(), 1);
    }
}

/// The least cost of all orders of the vertices, and of those that a plan of vertices can have.
struct BruteForce<'a> {
    linearization: &'a Linearization,
    objective: Objective,
    least: usize,
}

impl BruteForce<'_> {
    fn least(linearization: &Linearization, objective: Objective) -> usize {
        let mut brute_force = BruteForce { linearization, objective, least: usize::MAX };
        brute_force.visit(&linearization.graph, &linearization.program);
        brute_force.least
    }

    fn visit(&mut self, graph: &Graph, program: &Program) {
        let is_left =
            |&vertex: &VertexId| graph.role(vertex) == Role::Intermediate && !graph.incoming(vertex).is_empty();
        let left: Vec<_> = graph.vertices().filter(is_left).collect();
        if left.is_empty() {
            let mut program = program.clone();
            program.set_entries(jacobian_core::graph::entries(graph));
            self.least = self.least.min(cost(self.linearization, &program, self.objective));
        }
        for vertex in left {
            let (mut graph, mut program) = (graph.clone(), program.clone());
            graph.eliminate_vertex(vertex, &mut program);
            self.visit(&graph, &program);
        }
    }
}

/// A graph with at most this many vertices to eliminate.
fn small_graph(seed: u64, vertices: usize) -> Linearization {
    labelled(&random_graph(&mut Random::new(seed), vertices)).linearize()
}

/// The graph with labels of the kinds that it says.
fn labelled(graph: &Graph) -> LabelledGraph {
    let of_role = |role| graph.vertices().filter(move |&vertex| graph.role(vertex) == role);
    let numbers = |role| of_role(role).map(|vertex| vertex.0.to_string()).collect::<Vec<_>>().join(" ");
    let edges = graph.vertices().flat_map(|vertex| graph.outgoing(vertex)).map(|&edge| graph.edge(edge));
    let edges: String = edges
        .map(|edge| {
            let kind = match graph.kinds()[edge.label.index()] {
                LabelKind::Copy | LabelKind::Unit => "one",
                LabelKind::Constant => "const=0.5",
                LabelKind::Variable => "var",
            };
            format!("edge {} {} {kind}\n", edge.source.0, edge.target.0)
        })
        .collect();
    let (columns, rows) = (numbers(Role::Independent), numbers(Role::Dependent));
    let text = format!("vertices {}\nindep {columns}\ndep {rows}\n{edges}", graph.vertex_count());
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// How many of the searches find the least cost of all orders of the vertices. None finds less: that would be wrong.
fn optimal_searches(graphs: u64, objective: Objective) -> u64 {
    let is_optimal = |&seed: &u64| {
        let linearization = small_graph(seed, 2 + seed as usize % 5);
        let least = BruteForce::least(&linearization, objective);
        let found = searched(&linearization, Space::Vertices, objective, 300);
        assert!(found >= least, "{found} instead of {least} for {objective:?} of graph {seed}");
        found == least
    };
    (0..graphs).filter(is_optimal).count() as u64
}

#[test]
fn the_best_order_of_a_small_graph_is_mostly_found() {
    for &objective in OBJECTIVES {
        let graphs = if matches!(objective, Objective::Counted(_)) { 100 } else { 40 };
        let optimal = optimal_searches(graphs, objective);
        assert!(optimal * 20 >= graphs * 19, "{optimal} of {graphs} for {objective:?}");
    }
}

#[test]
fn edges_go_below_vertices_and_faces_below_edges() {
    let lion = benchmark("lion");
    assert_eq!(searched(&lion, Space::Vertices, TEXTBOOK, 500), 12);
    assert_eq!(searched(&lion, Space::Edges, TEXTBOOK, 500), 11);
    assert_eq!(searched(&lion, Space::Faces, TEXTBOOK, 500), 11);
    let bat = benchmark("bat");
    assert_eq!(searched(&bat, Space::Vertices, TEXTBOOK, 500), 24);
    assert_eq!(searched(&bat, Space::Edges, TEXTBOOK, 500), 23);
    assert_eq!(searched(&bat, Space::Faces, TEXTBOOK, 4000), 22);
}

/// The second function of Lyons: two partials are the same, and no order of vertices, edges or faces sees that.
#[test]
fn pairs_of_labels_go_below_faces_where_labels_are_equal() {
    let function = "input x1 x2\na = sqrt(x1)\ny1 = x2 * sin(a)\ny2 = x2 * cos(a)\noutput y1 y2";
    let linearization = linearize(&function.parse().expect("a code list"));
    assert_eq!(searched(&linearization, Space::Faces, TEXTBOOK, 500), 4);
    assert_eq!(searched(&linearization, Space::Paths, TEXTBOOK, 100), 3);
    assert_eq!(searched(&benchmark("lion"), Space::Paths, TEXTBOOK, 0), 12);
    assert_eq!(searched(&benchmark("lion"), Space::Paths, TEXTBOOK, 1000), 11);
}

#[test]
fn a_search_over_pairs_of_labels_is_for_functions_of_few_paths() {
    let doubled: String = (1..20).map(|j| format!("x{j} = sin(x{}) * x{}\n", j - 1, j - 1)).collect();
    let linearization = linearize(&format!("input x0\n{doubled}output x19").parse().expect("a code list"));
    let search = Search::in_space(Space::Paths).eliminate(&linearization, usize::MAX).map(|_| ());
    assert!(matches!(search, Err(Error::TooManyPaths { .. })), "{search:?}");
}

/// Searches a benchmark, and compares what is found with what has been found before.
fn check_benchmark(name: &str, objective: Objective, steps: usize, known: usize) {
    let found = searched(&benchmark(name), Space::Vertices, objective, steps);
    assert!(found <= known, "{name}: {found} instead of {known} for {objective:?}");
}

#[test]
fn a_short_search_finds_most_of_what_is_known_of_the_benchmarks() {
    check_benchmark("roeflux_1d", TEXTBOOK, 4000, 297);
    check_benchmark("robotarm_6dof", TEXTBOOK, 0, 221);
    check_benchmark("humanheartdipole", TEXTBOOK, 0, 148);
    check_benchmark("propanecombustion", TEXTBOOK, 0, 88);
    check_benchmark("roeflux_1d", Objective::Multiplications, 1000, 195);
    check_benchmark("robotarm_6dof", Objective::Multiplications, 1000, 156);
    check_benchmark("humanheartdipole", Objective::Multiplications, 0, 48);
    check_benchmark("propanecombustion", Objective::Multiplications, 0, 24);
}

/// About ten seconds when optimized: `cargo test --release -p jacobian-core --test search -- --ignored`.
#[test]
#[ignore = "takes minutes in a build that is not optimized"]
fn a_long_search_finds_what_is_known_of_the_benchmarks() {
    let known = [
        ("roeflux_1d", 295, 183),
        ("robotarm_6dof", 221, 150),
        ("humanheartdipole", 148, 48),
        ("propanecombustion", 88, 24),
    ];
    for (name, textbook, emitted) in known {
        check_benchmark(name, TEXTBOOK, 100_000, textbook);
        check_benchmark(name, Objective::Multiplications, 100_000, emitted);
    }
}

#[test]
fn a_seed_is_a_search_of_its_own() {
    let linearization = benchmark("roeflux_1d");
    let found = |strategy: &str| {
        let strategy: Strategy = strategy.parse().expect("a strategy");
        let (_, elimination) = strategy.eliminate(&linearization).expect("it is small");
        (Objective::Time.cost(&linearization, &elimination.program).first, elimination.sequence)
    };
    let start = PORTFOLIO.iter().map(|hierarchy| {
        let elimination = hierarchy.eliminate(&linearization, usize::MAX).expect("there is no limit");
        Objective::Time.cost(&linearization, &elimination.program).first
    });
    let start = start.min().expect("there are some");
    let of_seeds: Vec<_> = (1..=6).map(|seed| found(&format!("edge: search(steps = 300, seed = {seed})"))).collect();
    assert!(of_seeds.iter().all(|(time, _)| *time <= start), "none is worse than where it begins");
    assert!(of_seeds.iter().any(|found| *found != of_seeds[0]), "the random numbers are others");
    assert_eq!(found("edge: search(steps = 300)"), of_seeds[0], "the first is that of a search without a seed");
    assert_eq!(found("edge: search(steps = 300, seed = 4)"), of_seeds[3], "the same on every run");
}
