//! Proven optima: against all orders, where these can be tried, against the counts that are known, and against each
//! other.

use std::collections::{BTreeSet, HashMap};

use jacobian_core::Error;
use jacobian_core::bound::lower_bound;
use jacobian_core::dual_graph::{DualVertex, FaceId};
use jacobian_core::eliminate::edge::Edge;
use jacobian_core::eliminate::face::Face;
use jacobian_core::eliminate::path::Path;
use jacobian_core::eliminate::vertex::Vertex;
use jacobian_core::eliminate::{self, Elimination, Mode};
use jacobian_core::evaluate::{MODULUS, Modular};
use jacobian_core::graph::{EdgeId, Graph, Role, VertexId};
use jacobian_core::linearize::Linearization;
use jacobian_core::optimal::state::Searchable;
use jacobian_core::optimal::{self, Limits, TooLarge};
use jacobian_core::program::{LabelKind, Measure, Program};
use jacobian_lab::check::run;
use jacobian_lab::digraph::picture;
use jacobian_lab::lcg::LabelledGraph;

use support::graphs::random_graph;
use support::random::Random;

mod support {
    pub mod graphs;
    pub mod random;
}

const MEASURES: [Measure; 2] = [Measure::Textbook, Measure::Folded];

/// Enough for what the tests give.
const LIMITS: Limits = Limits { states: 10_000_000 };

fn benchmark(name: &str) -> Linearization {
    let path = format!("{}/../jacobian-lab/benchmarks/{name}.lcg", env!("CARGO_MANIFEST_DIR"));
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
            assert_eq!(found, fewest, "seed {seed}, {measure:?}\n{}", picture(&graph));
            assert!(lower_bound(&graph, &program, measure) <= fewest, "seed {seed}, {measure:?}\n{}", picture(&graph));
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

/// The lower bound proves them, so they take no search.
#[test]
fn vertex_optima_of_the_benchmarks() {
    for (name, optimum) in [("robotarm_6dof", 221), ("humanheartdipole", 148), ("propanecombustion", 88)] {
        let Linearization { graph, program, .. } = benchmark(name);
        let found = optimal::vertex(&graph, program, Measure::Textbook, None, Limits { states: 200 });
        assert_eq!(found.map(|found| found.program.multiplications(Measure::Textbook)), Ok(optimum), "{name}");
    }
}

#[test]
fn too_large_names_the_limit_and_the_search() {
    let Linearization { graph, program, .. } = benchmark("roeflux_1d");
    let error = optimal::vertex(&graph, program, Measure::Textbook, None, Limits { states: 1_000 }).unwrap_err();
    assert_eq!(error, TooLarge::States { mode: "vertex", limit: 1_000 });
    assert_eq!(
        error.to_string(),
        "`vertex: optimal` has more than 1000 states to look through; `vertex: search` finds a good order without proof"
    );
}

/// The fewest multiplications of a mode.
fn fewest<M: Searchable>(graph: &Graph, measure: Measure) -> usize {
    let found = optimal::sequence::<M>(graph, Program::new(graph), measure, None, LIMITS);
    found.expect("a small graph").program.multiplications(measure)
}

/// Small graphs of the literature with their fewest multiplications by vertices, edges, faces, and pairs of labels,
/// which exhaustive searches have found.
const KNOWN: &[(&str, &str, [usize; 4])] = &[
    ("Naumann's lion", "indep 0 1; dep 4 5 6 7; 0 2, 1 2, 2 3, 2 7, 3 4, 3 5, 3 6, 3 7", [12, 11, 11, 11]),
    ("Hovland 2016, simple example", "indep 0 1; dep 6; 4 5, 4 6, 3 5, 5 6, 2 3, 0 4, 1 3, 1 2", [5, 5, 5, 5]),
    ("Naumann 2004, Fig. 1", "indep 0 1; dep 5 6; 0 2, 1 2, 2 3, 2 4, 3 4, 4 5, 4 6", [7, 7, 7, 7]),
    ("two inputs, two rows", "indep 0 1; dep 4 5; 0 3, 0 4, 1 2, 2 3, 2 5, 3 4", [4, 4, 4, 4]),
    ("Lyons, example 2", "indep 0 1; dep 5 6; 0 2, 1 5, 1 6, 2 3, 2 4, 3 5, 4 6", [4, 4, 4, 4]),
    ("Lyons, example 3", "indep 0 1 2; dep 7 8; 1 3, 1 7, 0 3, 0 4, 2 4, 2 8, 3 6, 4 5, 5 7, 6 8", [6, 6, 6, 6]),
    ("two by two by two", "indep 0 1; dep 4 5; 2 4, 2 5, 3 4, 3 5, 0 2, 0 3, 1 2, 1 3", [8, 8, 8, 8]),
];

/// The graph of a row of [`KNOWN`].
fn known_graph(text: &str) -> Graph {
    let (ends, edges) = text.rsplit_once(';').expect("the edges come last");
    let mut lines = vec!["vertices 9".to_string()];
    lines.extend(ends.split(';').map(str::to_string));
    lines.extend(edges.split(',').map(|edge| format!("edge {} var", edge.trim())));
    lines.join("\n").parse::<LabelledGraph>().expect("a graph").linearize().graph
}

#[test]
fn known_optima() {
    for &(name, text, expected) in KNOWN {
        let (graph, measure) = (known_graph(text), Measure::Textbook);
        let vertices = best_order(&graph, measure).program.multiplications(measure);
        let pairs = fewest::<Path>(&graph, measure);
        let found = [vertices, fewest::<Edge>(&graph, measure), fewest::<Face>(&graph, measure), pairs];
        assert_eq!(found, expected, "{name}");
    }
}

/// The fewest multiplications that complete an elimination, by trying all sequences.
fn fewest_of_all_sequences<M: Searchable>(mode: &M, program: &Program, measure: Measure) -> usize {
    let least = mode.targets().into_iter().map(|target| {
        let (mut mode, mut program) = (mode.clone(), program.clone());
        mode.eliminate(target, &mut program);
        fewest_of_all_sequences(&mode, &program, measure)
    });
    least.min().unwrap_or_else(|| program.multiplications(measure))
}

/// Compares with all sequences where there are at most `most` targets at the start. Whether it has.
fn compare_with_all_sequences<M: Searchable>(graph: &Graph, measure: Measure, most: usize, seed: u64) -> bool {
    let mut program = Program::new(graph);
    let mode = M::new(graph, &mut program).expect("a small graph");
    if mode.targets().len() > most {
        return false;
    }
    let least = fewest_of_all_sequences(&mode, &program, measure);
    assert_eq!(fewest::<M>(graph, measure), least, "{} of seed {seed}, {measure:?}\n{}", M::NAME, picture(graph));
    true
}

#[test]
fn no_sequence_is_better() {
    let mut compared = [0, 0, 0, 0];
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(3);
        let graph = random_graph(random, intermediates);
        let equal = with_equal_labels(&graph, random);
        for measure in MEASURES {
            let done = [
                compare_with_all_sequences::<Edge>(&graph, measure, 7, seed),
                compare_with_all_sequences::<Face>(&graph, measure, 6, seed),
                compare_with_all_sequences::<Path>(&graph, measure, 6, seed),
                compare_with_all_sequences::<Path>(&equal, measure, 6, seed),
            ];
            for (compared, done) in compared.iter_mut().zip(done) {
                *compared += usize::from(done);
            }
        }
    }
    assert!(compared.iter().all(|&compared| compared >= 200), "{compared:?}");
}

/// The graph with some of its variables equal.
fn with_equal_labels(graph: &Graph, random: &mut Random) -> Graph {
    let (mut graph, kinds) = (graph.clone(), graph.kinds());
    let is_variable = |edge: &EdgeId| kinds[edge.index()] == LabelKind::Variable;
    let edges: Vec<_> =
        graph.vertices().flat_map(|vertex| graph.outgoing(vertex).to_vec()).filter(is_variable).collect();
    for (place, &edge) in edges.iter().enumerate() {
        let label = graph.edge(edges[random.below(place + 1)]).label;
        if random.below(3) == 0 {
            graph.share_label(edge, label);
        }
    }
    graph
}

/// Lyons, example 2: sin and cos of a root, both times the other input, which is the label of two edges.
#[test]
fn equal_labels_may_save_a_multiplication() {
    let mut graph = known_graph(KNOWN[4].1);
    let [one, other] = [(3, 5), (4, 6)].map(|(source, target)| graph.find_edge(VertexId(source), VertexId(target)));
    graph.share_label(other.expect("an edge"), graph.edge(one.expect("an edge")).label);
    assert_eq!(fewest::<Path>(&graph, Measure::Textbook), 3);
    assert_eq!(fewest::<Face>(&graph, Measure::Textbook), 4);
}

#[test]
fn bat_by_vertices_edges_and_faces() {
    let graph = benchmark("bat").graph;
    assert_eq!(best_order(&graph, Measure::Textbook).program.multiplications(Measure::Textbook), 24);
    assert_eq!(fewest::<Edge>(&graph, Measure::Textbook), 23);
    assert_eq!(fewest::<Face>(&graph, Measure::Textbook), 22);
}

/// The intermediate faces, each by the ends and the values of its labels: what the rest of an elimination depends on.
type Faces = BTreeSet<[(VertexId, VertexId, u64); 2]>;

/// The fewest multiplications that complete an elimination of faces, by trying all, with what is known of the rest.
/// Every product counts. Checks the bound on the rest, and the targets that are tried first, in every state.
fn fewest_of_all_states(mode: &Face, program: &Program, given: &[u64], rest: &mut HashMap<Faces, usize>) -> usize {
    let values = run(program, given.to_vec(), Modular::add, Modular::mul, Modular::neg);
    let named = |vertex| {
        let DualVertex { ends, label } = mode.dual().vertex(vertex);
        (ends.source, ends.target, values[label.expect("the face is intermediate").index()])
    };
    let faces = mode.targets().into_iter().map(|face| mode.dual().face(face));
    let key: Faces = faces.map(|face| [named(face.source), named(face.target)]).collect();
    if let Some(&known) = rest.get(&key) {
        return known;
    }
    let mut fewest_of = |targets: Vec<FaceId>| {
        let fewest = targets.into_iter().map(|target| {
            let (mut mode, mut program) = (mode.clone(), program.clone());
            mode.eliminate(target, &mut program);
            1 + fewest_of_all_states(&mode, &program, given, rest)
        });
        fewest.min().unwrap_or(0)
    };
    let fewest = fewest_of(mode.targets());
    assert_eq!(fewest_of(mode.first_targets()), fewest);
    let bound = mode.rest(program, Measure::Textbook);
    assert!(bound.for_entries.max(bound.at_vertices.iter().sum()) <= fewest);
    rest.insert(key, fewest);
    fewest
}

#[test]
fn no_elimination_of_faces_is_better() {
    let mut compared = 0;
    for seed in 0..500 {
        let random = &mut Random::new(seed);
        let intermediates = 2 + random.below(3);
        let graph = with_unknown_labels(&random_graph(random, intermediates));
        let mut program = Program::new(&graph);
        let mode = Face::new(&graph, &mut program).expect("a small graph");
        if (5..=8).contains(&mode.targets().len()) {
            let given: Vec<_> = graph.kinds().iter().map(|_| random.bits() % MODULUS).collect();
            let fewest_of_all = fewest_of_all_states(&mode, &program, &given, &mut HashMap::new());
            assert_eq!(fewest::<Face>(&graph, Measure::Textbook), fewest_of_all, "seed {seed}\n{}", picture(&graph));
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

/// The same graph, of whose labels nothing is known.
fn with_unknown_labels(graph: &Graph) -> Graph {
    let mut unknown = Graph::default();
    for vertex in graph.vertices() {
        unknown.add_vertex(graph.role(vertex));
    }
    for edge in graph.edges().filter(|edge| graph.find_edge(edge.source, edge.target).is_some()) {
        unknown.add_edge(edge.source, edge.target, LabelKind::Variable);
    }
    unknown
}

fn least_of_heuristics<M: Mode>(graph: &Graph, measure: Measure) -> usize {
    let totals = || M::HEURISTICS.iter().filter(|heuristic| heuristic.is_total);
    let hierarchies = M::HEURISTICS.iter().flat_map(|first| totals().map(move |last| [first, last]));
    let run = |hierarchy: [_; 2]| eliminate::run(graph, &hierarchy, Program::new(graph), usize::MAX).expect("no limit");
    hierarchies.map(|hierarchy| run(hierarchy).program.multiplications(measure)).min().expect("there are heuristics")
}

/// The least counts by vertices, edges, faces and pairs of labels, where short searches prove them.
fn optima(graph: &Graph, measure: Measure) -> Result<[usize; 4], Error> {
    let (program, limits) = (|| Program::new(graph), Limits { states: 4_000 });
    let found = [
        optimal::vertex(graph, program(), measure, None, limits)?,
        optimal::sequence::<Edge>(graph, program(), measure, None, limits)?,
        optimal::sequence::<Face>(graph, program(), measure, None, limits)?,
        optimal::sequence::<Path>(graph, program(), measure, None, limits)?,
    ];
    Ok(found.map(|elimination| elimination.program.multiplications(measure)))
}

/// The paths of a pair of labels with a gap between them are no part of a face, and the bound does not hold for them.
#[test]
fn finer_modes_are_no_worse_and_heuristics_no_better() {
    let mut proven = [0; MEASURES.len()];
    // For the last graph, a bound for paths once proved too much.
    for seed in (0..620).chain([1_215]) {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(4);
        let graph = random_graph(random, intermediates);
        for (measure, proven) in MEASURES.into_iter().zip(&mut proven) {
            let Ok([vertex, edge, face, path]) = optima(&graph, measure) else { continue };
            let bound = lower_bound(&graph, &Program::new(&graph), measure);
            let context =
                format!("seed {seed}, {measure:?}: {vertex} {edge} {face} {path} {bound}\n{}", picture(&graph));
            assert!(bound <= face && path <= face && face <= edge && edge <= vertex, "{context}");
            assert!(least_of_heuristics::<Vertex>(&graph, measure) >= vertex, "{context}");
            assert!(least_of_heuristics::<Edge>(&graph, measure) >= edge, "{context}");
            assert!(least_of_heuristics::<Face>(&graph, measure) >= face, "{context}");
            assert!(least_of_heuristics::<Path>(&graph, measure) >= path, "{context}");
            *proven += 1;
        }
    }
    assert!(proven.iter().all(|&proven| proven >= 500), "{proven:?}");
}

/// The entries of a complete elimination for random labels, by column, then row.
fn entries(elimination: &Elimination, given: &[u64]) -> Vec<(VertexId, VertexId, u64)> {
    let program = &elimination.program;
    let labels = run(program, given.to_vec(), Modular::add, Modular::mul, Modular::neg);
    let mut entries: Vec<_> =
        program.entries().iter().map(|entry| (entry.column, entry.row, labels[entry.label.index()])).collect();
    entries.sort_unstable();
    entries
}

/// The sums over all paths.
fn path_sums(graph: &Graph, given: &[u64]) -> Vec<(VertexId, VertexId, u64)> {
    let of_role = |role| graph.vertices().filter(move |&vertex| graph.role(vertex) == role);
    let mut entries = Vec::new();
    for column in of_role(Role::Independent) {
        let mut sums = vec![None; graph.vertex_count()];
        sums[column.index()] = Some(1);
        for vertex in graph.vertices() {
            for edge in graph.outgoing(vertex).iter().map(|&edge| graph.edge(edge)) {
                let Some(sum) = sums[vertex.index()] else { continue };
                let (product, target) = (Modular::mul(sum, given[edge.label.index()]), edge.target.index());
                sums[target] = Some(sums[target].map_or(product, |sum| Modular::add(sum, product)));
            }
        }
        entries.extend(of_role(Role::Dependent).filter_map(|row| Some((column, row, sums[row.index()]?))));
    }
    entries
}

#[test]
fn optima_give_the_sums_over_all_paths() {
    let mut compared = 0;
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(5);
        let graph = random_graph(random, intermediates);
        let graph = with_equal_labels(&graph, random);
        let residue = |kind: &LabelKind| if *kind == LabelKind::Copy { 1 } else { random.bits() % MODULUS };
        let mut given: Vec<_> = graph.kinds().iter().map(residue).collect();
        // The own label of an edge, which has its number, is as good as the equal one.
        for (own, edge) in graph.edges().enumerate() {
            given[own] = given[edge.label.index()];
        }
        let (program, limits) = (|| Program::new(&graph), Limits { states: 2_000 });
        let measure = MEASURES[seed as usize % 2];
        let found = [
            optimal::vertex(&graph, program(), measure, None, limits).map_err(Error::from),
            optimal::sequence::<Edge>(&graph, program(), measure, None, limits),
            optimal::sequence::<Face>(&graph, program(), measure, None, limits),
            optimal::sequence::<Path>(&graph, program(), measure, None, limits),
        ];
        let sums = path_sums(&graph, &given);
        for elimination in found.iter().flatten() {
            assert_eq!(entries(elimination, &given), sums, "seed {seed}\n{}{elimination}", picture(&graph));
            compared += 1;
        }
    }
    assert!(compared >= 1_000, "{compared}");
}
