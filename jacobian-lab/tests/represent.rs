//! The minimal representation: the examples of Hovland 2016 on graphs that have their numbers, and, on random graphs,
//! that the proven least is the least over all sets of eliminated vertices, that no strategy passes a smaller one, and
//! that a complete elimination from a representation on gives the Jacobian.

use std::collections::BTreeSet;

use jacobian_core::accumulate::accumulate;
use jacobian_core::eliminate::Target;
use jacobian_core::evaluate::{MODULUS, Modular};
use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::linearize::Linearization;
use jacobian_core::pipeline::linearize;
use jacobian_core::program::{Ends, LabelKind};
use jacobian_core::{CodeList, Strategy};
use jacobian_lab::check::{modular_jacobian, modular_values};
use jacobian_lab::digraph::picture;
use jacobian_lab::represent::{
    Along, By, Counted, Impossible, LeastEdges, Representation, TooManyStates, all_least, along, best, least,
    least_edges, least_freedom,
};

use support::graphs::random_graph;
use support::hovland::EXAMPLES;
use support::lists::{passive_numbers, random_list};
use support::random::Random;
use support::small::{Small, all_graphs, graph};
use support::strategies::hierarchies;

mod support {
    #[path = "../../../jacobian-core/tests/support/graphs.rs"]
    pub mod graphs;
    pub mod hovland;
    #[path = "../../../jacobian-core/tests/support/lists.rs"]
    pub mod lists;
    #[path = "../../../jacobian-core/tests/support/random.rs"]
    pub mod random;
    pub mod small;
    #[path = "../../../jacobian-core/tests/support/strategies.rs"]
    pub mod strategies;
}

/// More states than any graph of these tests takes.
const STATES: usize = 100_000;

/// Naumann's lion: the independents 0 and 1, the intermediates 2 and 3, the dependents 4 to 7.
fn lion() -> Graph {
    graph([2, 2, 4], &[(0, 2), (1, 2), (2, 3), (2, 7), (3, 4), (3, 5), (3, 6), (3, 7)])
}

fn vertex(number: u32) -> Target {
    Target::Vertex(VertexId(number))
}

fn intermediates(graph: &Graph) -> Vec<Target> {
    let is_one = |vertex: &VertexId| graph.role(*vertex) == Role::Intermediate && !graph.incoming(*vertex).is_empty();
    graph.vertices().filter(is_one).map(Target::Vertex).collect()
}

fn forward(graph: &Graph) -> Along {
    along(&Representation::new(graph), &intermediates(graph), Counted::All).expect("a complete elimination")
}

fn reverse(graph: &Graph) -> Along {
    let order: Vec<_> = intermediates(graph).into_iter().rev().collect();
    along(&Representation::new(graph), &order, Counted::All).expect("a complete elimination")
}

/// The number of edges, all of them.
fn edges(representation: &Representation) -> usize {
    representation.edges(Counted::All)
}

/// The fewest edges over all sets of eliminated vertices.
fn brute_force(graph: &Graph) -> usize {
    let vertices = intermediates(graph);
    let sets = 0..1_u32 << vertices.len();
    let counts = sets.map(|set| {
        let mut representation = Representation::new(graph);
        let members = vertices.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
        members.for_each(|(_, &vertex)| representation.eliminate(vertex).expect("it is on a path"));
        edges(&representation)
    });
    counts.min().expect("the empty set is one")
}

fn residue_of_int(value: i32) -> u64 {
    let magnitude = u64::from(value.unsigned_abs());
    if value < 0 { Modular::neg(magnitude) } else { magnitude }
}

/// A random function with up to `statements` statements.
fn random_function(seed: u64, statements: usize) -> CodeList {
    random_list(&mut Random::new(seed), statements)
}

/// The strategies whose steps leave graphs behind.
fn strategies() -> Vec<Strategy> {
    let has_graphs = |name: &str| name.starts_with("vertex") || name.starts_with("edge");
    let strategies: Vec<_> = hierarchies().into_iter().filter(|strategy| has_graphs(&strategy.to_string())).collect();
    assert!(strategies.len() > 10);
    strategies
}

/// What `strategy` passes on its way through `linearization`.
fn along_strategy(linearization: &Linearization, strategy: &Strategy) -> Along {
    let (_, elimination) = strategy.eliminate(linearization).expect("a small function");
    let start = Representation::from(linearization);
    let along = along(&start, &elimination.sequence, Counted::All).expect("the strategy's own steps");
    assert_eq!(along.counts.last(), Some(&elimination.program.entries().len()), "`{strategy}` ends with the Jacobian");
    along
}

#[test]
fn the_table_of_the_paper() {
    for example in EXAMPLES {
        let graph = example.graph();
        let (forward, reverse) = (forward(&graph), reverse(&graph));
        assert_eq!((&forward.counts[..], &reverse.counts[..]), (example.forward, example.reverse));
        let least = least(&Representation::new(&graph), STATES).expect("a small graph");
        assert_eq!(edges(&least), example.least);
        assert_eq!(least_edges(&graph), LeastEdges { edges: example.least, proven: true });
    }
    let row = |graph: &Graph| {
        let minimum = |along: Along| edges(&along.least);
        let bipartite = *forward(graph).counts.last().expect("a count");
        let least = least_edges(graph).edges;
        let sizes = [graph.vertex_count(), intermediates(graph).len(), graph.edge_capacity(), least, bipartite];
        (sizes, [minimum(forward(graph)), minimum(reverse(graph))])
    };
    let rows: Vec<_> = EXAMPLES.iter().map(|example| row(&example.graph())).collect();
    let [first, second, third] = rows[..] else { panic!("three examples") };
    assert_eq!(first, ([8, 2, 7, 6, 9], [6, 6]));
    assert_eq!(second, ([10, 4, 12, 6, 9], [9, 6]));
    assert_eq!(third, ([12, 7, 16, 5, 6], [5, 6]));
}

/// As the scarcity-preserving elimination of OpenAD: t1 = x1 / x2 stays, with two edges to it and four from it.
#[test]
fn the_lion_keeps_one_vertex() {
    let least = least(&Representation::new(&lion()), STATES).expect("a small graph");
    assert_eq!(edges(&least), 6);
    assert_eq!(least.steps, [vertex(3)]);
    assert_eq!(least.graph.incoming(VertexId(2)).len(), 2);
    assert_eq!(least.graph.outgoing(VertexId(2)).len(), 4);
    assert_eq!(
        least.program.to_string(),
        "t1 = c[2,3]*c[3,4]\nt2 = c[2,3]*c[3,5]\nt3 = c[2,3]*c[3,6]\nt4 = c[2,7] + c[2,3]*c[3,7]\n"
    );
    assert_eq!(forward(&lion()).counts, [8, 8, 8]);
    assert_eq!(reverse(&lion()).counts, [8, 6, 8]);
}

#[test]
fn edges_can_be_eliminated_one_by_one() {
    let ends = |source, target| Ends { source: VertexId(source), target: VertexId(target) };
    let sequence = [Target::Back(ends(3, 4)), Target::Front(ends(2, 3)), vertex(2)];
    let along = along(&Representation::new(&lion()), &sequence, Counted::All).expect("possible steps");
    assert_eq!(along.counts, [8, 8, 6, 8]);
    assert_eq!(along.least.steps, sequence[..2]);
}

#[test]
fn edge_elimination_reaches_no_more_edges_than_vertex_elimination() {
    let example = Representation::new(&EXAMPLES[0].graph());
    assert_eq!(all_least(&example, By::Edges, 2).map(|_| ()), Err(TooManyStates));
    assert_eq!(least_freedom(&example, By::Edges, 2).map(|_| ()), Err(TooManyStates));
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(5);
        let start = Representation::new(&random_graph(random, intermediates));
        let [by_vertices, by_edges] = [By::Vertices, By::Edges].map(|by| all_least(&start, by, STATES));
        let [by_vertices, by_edges] = [by_vertices, by_edges].map(|all| edges(&all.expect("a small graph")[0]));
        assert_eq!(least(&start, STATES).map(|least| edges(&least)), Ok(by_vertices), "seed {seed}");
        assert!(by_edges <= by_vertices, "seed {seed}");
    }
}

/// A vertex that should stay, but for one independent, whose edges to all dependents absorb the paths through it.
#[test]
fn edge_elimination_may_reach_fewer_edges() {
    let edges_of_graph = [(0, 4), (1, 4), (2, 4), (3, 4), (4, 5), (4, 6), (4, 7), (0, 5), (0, 6), (0, 7)];
    let start = Representation::new(&graph([4, 1, 3], &edges_of_graph));
    let by_edges = all_least(&start, By::Edges, STATES).expect("a small graph");
    let [by_edges] = &by_edges[..] else { panic!("one graph") };
    assert_eq!(by_edges.steps, [Target::Front(Ends { source: VertexId(0), target: VertexId(4) })]);
    assert_eq!((edges(by_edges), least(&start, STATES).map(|least| edges(&least))), (9, Ok(10)));
}

/// The number of graphs with the fewest edges, and the fewest degrees of freedom, which are as few as the Jacobians
/// have.
#[test]
fn all_minimal_graphs_of_the_paper() {
    let found = |by| {
        let of_example = |graph: Graph| {
            let start = Representation::new(&graph);
            let all = all_least(&start, by, STATES).expect("a small graph");
            let freedom = least_freedom(&start, by, STATES).expect("a small graph").degrees_of_freedom();
            assert_eq!(freedom, start.dimension());
            (edges(&all[0]), all.len(), freedom)
        };
        EXAMPLES.iter().map(|example| of_example(example.graph())).collect::<Vec<_>>()
    };
    assert_eq!(found(By::Vertices), [(6, 2, 5), (6, 1, 5), (5, 1, 4)]);
    assert_eq!(found(By::Edges), found(By::Vertices));
}

#[test]
fn the_searches_see_what_all_sequences_reach() {
    let seen = compare_with_all_sequences(&[[2, 2, 2], [1, 3, 2], [2, 3, 1]], 5);
    assert!(seen > 1_000, "{seen}");
}

#[test]
#[ignore = "takes a minute, optimized"]
fn the_searches_see_what_all_sequences_reach_in_all_small_graphs() {
    let seen = compare_with_all_sequences(&[[2, 2, 2], [1, 3, 2], [2, 3, 1], [3, 2, 2], [2, 2, 3]], 1);
    assert!(seen > 100_000, "{seen}");
}

/// Compares the searches with all sequences on every graph of these sizes of which `step` divides the number. How many
/// there are.
fn compare_with_all_sequences(sizes: &[[usize; 3]], step: usize) -> usize {
    let mut seen = 0;
    for &sizes in sizes {
        for small in all_graphs(sizes, step) {
            let start = Representation::new(&small.graph());
            for by in [By::Vertices, By::Edges] {
                let reached = small.reached(by);
                let fewest = reached.iter().map(|graph| graph.edges()).min();
                let expected: BTreeSet<_> = reached.iter().filter(|graph| Some(graph.edges()) == fewest).collect();
                let found = all_least(&start, by, STATES).expect("a small graph");
                let found: Vec<_> = found.iter().map(|found| Small::new(sizes, &found.graph)).collect();
                assert_eq!(found.len(), expected.len(), "{by:?}, {small:?}");
                assert_eq!(found.iter().collect::<BTreeSet<_>>(), expected, "{by:?}, {small:?}");
                let freedom = reached.iter().map(|graph| graph.edges() - graph.intermediates()).min();
                let found = least_freedom(&start, by, STATES).expect("a small graph").degrees_of_freedom();
                assert_eq!(Some(found), freedom, "{by:?}, {small:?}");
            }
            seen += 1;
        }
    }
    seen
}

#[test]
fn impossible_steps_change_nothing() {
    let mut representation = Representation::new(&lion());
    let nowhere = Target::Front(Ends { source: VertexId(0), target: VertexId(3) });
    let face = Target::Face { source: VertexId(0), centre: VertexId(2), target: VertexId(3), older: 0 };
    for target in [vertex(0), vertex(4), nowhere, face] {
        assert_eq!(representation.eliminate(target), Err(Impossible(target)));
    }
    assert_eq!((representation.steps.len(), edges(&representation)), (0, 8));
    representation.eliminate(vertex(3)).expect("an intermediate vertex");
    assert_eq!(representation.eliminate(vertex(3)), Err(Impossible(vertex(3))));
}

#[test]
fn known_labels_need_not_count() {
    let mut graph = graph([1, 1, 0], &[(0, 1)]);
    for kind in [LabelKind::Unit, LabelKind::Constant, LabelKind::Copy] {
        let dependent = graph.add_vertex(Role::Dependent);
        graph.add_edge(VertexId(1), dependent, kind);
    }
    let counts = |representation: &Representation| {
        [Counted::All, Counted::NotUnit, Counted::Variable].map(|counted| representation.edges(counted))
    };
    let mut representation = Representation::new(&graph);
    assert_eq!(counts(&representation), [4, 2, 1]);
    representation.eliminate(vertex(1)).expect("an intermediate vertex");
    assert_eq!(counts(&representation), [3, 3, 3]);
    let along = along(&Representation::new(&graph), &[vertex(1)], Counted::Variable).expect("possible steps");
    assert_eq!((along.counts, along.least.steps.len()), (vec![1, 3], 0));
}

#[test]
fn the_proven_least_is_the_least_of_all_sets() {
    for seed in 0..2_000 {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(8);
        let graph = random_graph(random, intermediates);
        let least = least(&Representation::new(&graph), STATES).expect("a small graph");
        assert_eq!(edges(&least), brute_force(&graph), "seed {seed}:\n{}", picture(&graph));
    }
}

#[test]
fn no_strategy_of_vertices_passes_fewer_edges() {
    let strategies = strategies();
    for seed in 0..500 {
        let linearization = linearize(&random_function(seed, 40));
        let least = least(&Representation::from(&linearization), STATES).expect("a small function");
        for strategy in &strategies {
            let along = along_strategy(&linearization, strategy);
            let fewest = *along.counts.iter().min().expect("a count");
            assert_eq!(edges(&along.least), fewest);
            if strategy.to_string().starts_with("vertex") {
                assert!(edges(&least) <= fewest, "seed {seed}: `{strategy}` passes {fewest}");
            }
        }
    }
}

#[test]
fn a_search_without_states_is_not_proven() {
    let start = Representation::new(&EXAMPLES[1].graph());
    assert_eq!(least(&start, 0).map(|_| ()), Err(TooManyStates));
    let best = best(&start, 0);
    assert_eq!((edges(&best.representation), best.proven), (6, false));
}

#[test]
fn elimination_goes_on_to_the_jacobian() {
    let strategies = strategies();
    for (seed, strategy) in (0..1_000).zip(strategies.iter().cycle()) {
        let function = random_function(seed, 40);
        let random = &mut Random::new(!seed);
        let inputs: Vec<_> = function.inputs().iter().map(|_| random.bits() % MODULUS).collect();
        let passive = passive_numbers(&function, random, |random| random.bits() % MODULUS, residue_of_int);
        let expected = modular_jacobian(&function, &inputs, &passive).concat();
        let linearization = linearize(&function);
        let start = Representation::from(&linearization);
        for representation in [best(&start, 100).representation, along_strategy(&linearization, strategy).least] {
            let represented = representation.in_place_of(linearization.clone());
            let (_, elimination) = strategy.eliminate(&represented).expect("a small function");
            let list = accumulate(represented, &elimination.program).dense().list;
            let values = modular_values(&list, list.outputs(), &inputs, &passive);
            assert_eq!(values[function.outputs().len()..], expected, "seed {seed}, `{strategy}`:\n{function}");
        }
    }
}
