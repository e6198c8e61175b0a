//! Face elimination: the counts of the literature's examples by explicit sequences, agreement with vertex elimination
//! where whole vertices are eliminated, exactness of every order, and the invariants of the dual graph after every
//! step.

use jacobian_core::Error;
use jacobian_core::dual_graph::{DualGraph, DualId, FaceId};
use jacobian_core::eliminate::face::Face;
use jacobian_core::eliminate::{self, Elimination, Heuristic, MAX_KEYS, Mode, Scope, Target};
use jacobian_core::evaluate::{MODULUS, Modular};
use jacobian_core::graph::{Graph, Role, VertexId, entries};
use jacobian_core::paths;
use jacobian_core::program::{LabelKind, Measure, Program};
use jacobian_lab::check::run;
use jacobian_lab::digraph::picture;

use support::graphs::random_graph;
use support::random::Random;

mod support {
    pub mod graphs;
    pub mod random;
}

/// Random graphs in each test.
const GRAPHS: u64 = 500;

/// No hierarchy takes this many expressions here.
const LIMIT: usize = 100_000;

const MAX_INTERMEDIATES: usize = 7;

fn graph(independents: u32, intermediates: u32, dependents: u32, edges: &[(u32, u32)]) -> Graph {
    let mut graph = Graph::default();
    let roles = [(independents, Role::Independent), (intermediates, Role::Intermediate), (dependents, Role::Dependent)];
    for (count, role) in roles {
        for _ in 0..count {
            graph.add_vertex(role);
        }
    }
    for &(source, target) in edges {
        graph.add_edge(VertexId(source), VertexId(target), LabelKind::Variable);
    }
    graph
}

/// The lion graph of the literature on face elimination: 12 multiplications by vertices, 11 by edges.
fn lion() -> Graph {
    graph(2, 2, 4, &[(0, 2), (1, 2), (2, 3), (2, 7), (3, 4), (3, 5), (3, 6), (3, 7)])
}

/// The bat graph: 24 multiplications by vertices, 23 by edges.
fn bat() -> Graph {
    let wings = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (4, 7), (5, 6), (5, 10)];
    graph(4, 3, 4, &[&wings[..], &[(6, 7), (6, 8), (6, 9), (6, 10)]].concat())
}

/// A graph with few vertices, for what is checked after every step is checked for every pair.
fn small_graph(random: &mut Random) -> Graph {
    let intermediates = random.below(MAX_INTERMEDIATES + 1);
    random_graph(random, intermediates)
}

/// Labels modulo 2^61 - 1 that are of the kinds of the graph's.
fn random_labels(graph: &Graph, random: &mut Random) -> Vec<u64> {
    let label = |kind: &LabelKind| match kind {
        LabelKind::Copy => 1,
        LabelKind::Unit if random.below(2) == 0 => 1,
        LabelKind::Unit => MODULUS - 1,
        LabelKind::Constant | LabelKind::Variable => random.bits() % MODULUS,
    };
    graph.kinds().iter().map(label).collect()
}

type Entries = Vec<(VertexId, VertexId, u64)>;

/// The entries as sums over all paths.
fn path_sums(graph: &Graph, labels: &[u64]) -> Entries {
    let paths = paths::run(graph, Program::new(graph), LIMIT).expect("few paths");
    values(&paths.program, labels)
}

/// The entries that a program gives.
fn values(program: &Program, labels: &[u64]) -> Entries {
    let values = run(program, labels.to_vec(), Modular::add, Modular::mul, Modular::neg);
    program.entries().iter().map(|entry| (entry.row, entry.column, values[entry.label.index()])).collect()
}

fn filter(name: &str) -> &'static Heuristic<Face> {
    Face::HEURISTICS.iter().find(|heuristic| heuristic.name == name).expect("a filter")
}

fn eliminate(graph: &Graph, filters: &[&str]) -> Elimination {
    let hierarchy: Vec<_> = filters.iter().map(|name| filter(name)).collect();
    eliminate::run(graph, &hierarchy, Program::new(graph), LIMIT).expect("few expressions")
}

/// Eliminates in the order that `choose` says, and shows `look` the mode before and after every step.
fn eliminate_by(
    graph: &Graph,
    mut choose: impl FnMut(&Face) -> FaceId,
    mut look: impl FnMut(&Face, &Face),
) -> (Face, Program) {
    let mut program = Program::new(graph);
    let mut mode = Face::new(graph, &mut program).expect("a small graph");
    while !mode.targets().is_empty() {
        let before = mode.clone();
        mode.eliminate(choose(&before), &mut program);
        look(&before, &mode);
    }
    program.set_entries(mode.entries());
    (mode, program)
}

/// Eliminates the faces of `sequence`, then the others from the last centre to the first.
fn eliminate_sequence(graph: &Graph, sequence: &[(u32, u32, u32)]) -> Program {
    let mut sequence = sequence.iter().map(|&(source, centre, target)| Target::Face {
        source: VertexId(source),
        centre: VertexId(centre),
        target: VertexId(target),
        older: 0,
    });
    let choose = |mode: &Face| match sequence.next() {
        Some(target) => mode.find(target).unwrap_or_else(|| panic!("the face {target} can be eliminated")),
        None => mode.targets().into_iter().min_by_key(|&face| (filter("reverse").key)(mode, face)).expect("a face"),
    };
    let (_, program) = eliminate_by(graph, choose, |_, _| {});
    let labels = random_labels(graph, &mut Random::new(1));
    assert_eq!(values(&program, &labels), path_sums(graph, &labels));
    program
}

/// A random target of a mode that has some.
fn any_target(mode: &Face, random: &mut Random) -> FaceId {
    let targets = mode.targets();
    targets[random.below(targets.len())]
}

#[test]
fn lion_takes_11_multiplications() {
    let program = eliminate_sequence(&lion(), &[(2, 3, 7), (0, 2, 3), (1, 2, 3)]);
    assert_eq!((program.multiplications(Measure::Textbook), program.additions()), (11, 1));
    assert_eq!(eliminate(&lion(), &["reverse"]).program.multiplications(Measure::Textbook), 12);
}

/// The two faces that absorb, then the edges to the last intermediate vertex, then the 16 products that are left.
#[test]
fn bat_takes_22_multiplications() {
    let to_body = [(0, 4, 6), (1, 4, 6), (2, 5, 6), (3, 5, 6)];
    let program = eliminate_sequence(&bat(), &[&[(4, 6, 7), (5, 6, 10)][..], &to_body].concat());
    assert_eq!((program.multiplications(Measure::Textbook), program.additions()), (22, 2));
    assert_eq!(eliminate(&bat(), &["reverse"]).program.multiplications(Measure::Textbook), 24);
}

/// Faces that absorb first, then those towards the independents: as few multiplications as by the sequences above.
#[test]
fn absorption_finds_the_sequences_of_lion_and_bat() {
    for filters in [&["absorb", "forward"][..], &["final", "absorb", "forward"]] {
        let multiplications = |graph: &Graph| eliminate(graph, filters).program.multiplications(Measure::Textbook);
        assert_eq!((multiplications(&lion()), multiplications(&bat())), (11, 22));
    }
}

/// Once 2 -> 3 -> 4 is cut, the product along 1 -> 2 -> 3 leads to 5 alone, and 1 -> 3 cannot absorb it; once
/// 1 -> 3 -> 4 is cut as well, it is merged with it.
#[test]
fn a_dual_vertex_gets_a_twin_and_is_merged_with_it() {
    let graph = graph(1, 3, 2, &[(0, 1), (1, 2), (1, 3), (2, 3), (3, 4), (3, 5)]);
    let mut program = Program::new(&graph);
    let mut mode = Face::new(&graph, &mut program).expect("a small graph");
    let face = |source, centre, target| Target::Face {
        source: VertexId(source),
        centre: VertexId(centre),
        target: VertexId(target),
        older: 0,
    };
    let is_one =
        |target| matches!(target, Target::Face { source: VertexId(0), centre: VertexId(1), target: VertexId(3), .. });
    let (first_step, mut twins) = (face(2, 3, 4), Vec::new());
    for target in [first_step, face(1, 2, 3), face(1, 3, 4), face(1, 2, 4), face(1, 3, 5), face(0, 1, 4), face(0, 1, 5)]
    {
        mode.eliminate(mode.find(target).expect("a face"), &mut program);
        twins.push(mode.targets().into_iter().filter(|&target| is_one(mode.describe(target))).count());
    }
    program.set_entries(mode.entries());
    assert_eq!(twins, [1, 2, 1, 1, 0, 0, 0]);
    assert_eq!(mode.find(first_step), None);
    assert_eq!(
        program.to_string(),
        "\
t1 = c[2,3]*c[3,4]
t2 = c[1,2]*c[2,3]
t3 = c[1,3]*c[3,4]
t4 = t2 + c[1,3]
t5 = t3 + c[1,2]*t1
t6 = t4*c[3,5]
J[4,0] = c[0,1]*t5
J[5,0] = c[0,1]*t6
"
    );
}

/// In the lion graph a path goes round the edge 2 -> 7, in the bat graph round 4 -> 7 and 5 -> 10.
#[test]
fn final_vertices_of_lion_and_bat() {
    let not_final = |graph: &Graph| -> Vec<_> {
        let dual = DualGraph::new(graph);
        let others = labelled(&dual).into_iter().filter(|&vertex| !dual.is_final(vertex));
        others.map(|vertex| dual.vertex(vertex).ends).map(|ends| (ends.source.0, ends.target.0)).collect()
    };
    assert_eq!(not_final(&lion()), [(2, 7)]);
    assert_eq!(not_final(&bat()), [(4, 7), (5, 10)]);
}

#[test]
fn whole_vertices_cost_what_they_cost_in_vertex_mode() {
    for seed in 0..GRAPHS {
        let random = &mut Random::new(seed);
        let graph = small_graph(random);
        let labels = random_labels(&graph, random);
        for filters in [&["vertex", "markowitz", "reverse"][..], &["vertex", "absorb", "distance", "forward"]] {
            let elimination = eliminate(&graph, filters);
            let mut centres: Vec<_> = elimination.sequence.iter().map(centre).collect();
            centres.dedup();
            let by_vertices = eliminate_vertices(&graph, &centres);
            for measure in [Measure::Textbook, Measure::Folded] {
                assert_eq!(elimination.program.multiplications(measure), by_vertices.multiplications(measure));
            }
            assert_eq!(elimination.program.additions(), by_vertices.additions());
            assert_eq!(values(&elimination.program, &labels), values(&by_vertices, &labels), "{}", picture(&graph));
        }
    }
}

fn centre(target: &Target) -> VertexId {
    let Target::Face { centre, .. } = *target else { panic!("{target} is a face") };
    centre
}

/// Eliminates vertices in an order that must be complete.
fn eliminate_vertices(graph: &Graph, order: &[VertexId]) -> Program {
    let (mut graph, mut program) = (graph.clone(), Program::new(graph));
    for &vertex in order {
        assert!(!graph.incoming(vertex).is_empty(), "{} is eliminated for the second time", vertex.0);
        graph.eliminate_vertex(vertex, &mut program);
    }
    program.set_entries(entries(&graph));
    program
}

#[test]
fn forward_and_reverse_are_those_of_vertices() {
    for seed in 0..GRAPHS {
        let graph = small_graph(&mut Random::new(seed));
        for name in ["forward", "reverse"] {
            let mut centres: Vec<_> = eliminate(&graph, &[name]).sequence.iter().map(centre).collect();
            centres.dedup();
            assert!(centres.is_sorted_by(|left, right| if name == "forward" { left < right } else { left > right }));
        }
    }
}

#[test]
fn every_filter_gives_the_sum_over_all_paths() {
    for seed in 0..GRAPHS {
        let random = &mut Random::new(seed);
        let graph = small_graph(random);
        let labels = random_labels(&graph, random);
        let expected = path_sums(&graph, &labels);
        for heuristic in Face::HEURISTICS {
            for last in ["forward", "reverse"] {
                let program = eliminate(&graph, &[heuristic.name, last]).program;
                assert_eq!(values(&program, &labels), expected, "{} > {last} on {}", heuristic.name, picture(&graph));
            }
        }
        let program = eliminate(&graph, &["final", "absorb", "markowitz", "reverse"]).program;
        assert_eq!(values(&program, &labels), expected, "{}", picture(&graph));
    }
}

#[test]
fn every_complete_sequence_gives_the_sum_over_all_paths() {
    for seed in 0..2 * GRAPHS {
        let random = &mut Random::new(seed);
        let graph = small_graph(random);
        let labels = random_labels(&graph, random);
        let (mode, program) =
            eliminate_by(&graph, |mode| any_target(mode, random), |_, after| check_invariants(after.dual()));
        assert_eq!(values(&program, &labels), path_sums(&graph, &labels), "{}", picture(&graph));
        check_complete(&graph, mode.dual());
    }
}

/// The dual vertices with faces that are neither sources nor sinks.
fn labelled(dual: &DualGraph) -> Vec<DualId> {
    dual.vertices().filter(|&id| dual.vertex(id).label.is_some() && !dual.incoming(id).is_empty()).collect()
}

/// The invariants that the dual graph states.
fn check_invariants(dual: &DualGraph) {
    let labelled = labelled(dual);
    for (index, &one) in labelled.iter().enumerate() {
        assert!(!dual.outgoing(one).is_empty(), "every dual vertex is on a path");
        let is_end = |&other: &DualId| dual.vertex(other).label.is_none();
        assert!(!dual.predecessors(one).any(|other| is_end(&other)) || dual.incoming(one).len() == 1);
        assert!(!dual.successors(one).any(|other| is_end(&other)) || dual.outgoing(one).len() == 1);
        for &other in &labelled[..index] {
            assert!(!dual.have_same_predecessors(one, other) || !dual.have_same_successors(one, other));
        }
    }
    for face in dual.faces() {
        let (source, target) = (dual.face(face).source, dual.face(face).target);
        assert_eq!(dual.vertex(source).ends.target, dual.vertex(target).ends.source);
    }
}

/// Every dual vertex that is left is an entry, and every entry is one of them.
fn check_complete(graph: &Graph, dual: &DualGraph) {
    let mut ends: Vec<_> = dual.entries().iter().map(|entry| (entry.row, entry.column)).collect();
    assert_eq!(ends.len(), labelled(dual).len());
    ends.sort_unstable();
    let labels = vec![1; graph.kinds().len()];
    let expected: Vec<_> = path_sums(graph, &labels).iter().map(|&(row, column, _)| (row, column)).collect();
    assert_eq!(ends, expected);
}

/// A key that changes without being said to would leave a target in the wrong place.
#[test]
fn a_mode_says_which_keys_a_step_changes() {
    for seed in 0..GRAPHS {
        let random = &mut Random::new(seed);
        let graph = small_graph(random);
        eliminate_by(&graph, |mode| any_target(mode, random), check_changed);
    }
}

fn check_changed(before: &Face, after: &Face) {
    for heuristic in Face::HEURISTICS {
        let scope = heuristic.scope.min(Scope::Near);
        let (mut changed, mut near_before) = (Vec::new(), Vec::new());
        after.changed(scope, &mut changed);
        if heuristic.scope == Scope::Previous {
            before.changed(Scope::Near, &mut near_before);
        }
        let key = |mode: &Face, face| mode.is_target(face).then(|| (heuristic.key)(mode, face));
        let faces = before.dual().faces().chain(after.dual().faces());
        for face in faces.filter(|face| !changed.contains(face) && !near_before.contains(face)) {
            assert_eq!(key(before, face), key(after, face), "the key {} of {}", heuristic.name, after.describe(face));
        }
    }
}

/// A vertex is final if without it no path leads from its predecessors to its successors: by the closure of the faces.
#[test]
fn final_vertices_are_on_all_paths_between_their_neighbours() {
    for seed in 0..GRAPHS / 2 {
        let random = &mut Random::new(seed);
        let graph = small_graph(random);
        eliminate_by(
            &graph,
            |mode| any_target(mode, random),
            |_, after| {
                let dual = after.dual();
                for vertex in labelled(dual) {
                    assert_eq!(dual.is_final(vertex), is_final_by_closure(dual, vertex));
                }
            },
        );
    }
}

fn is_final_by_closure(dual: &DualGraph, vertex: DualId) -> bool {
    let mut reached: Vec<_> = dual.predecessors(vertex).collect();
    let mut next = 0;
    while next < reached.len() {
        for other in dual.successors(reached[next]) {
            if other != vertex && !reached.contains(&other) {
                reached.push(other);
            }
        }
        next += 1;
    }
    !dual.successors(vertex).any(|successor| reached.contains(&successor))
}

/// Layers in which every vertex is joined to all of the next.
fn layers(width: usize, count: usize) -> Graph {
    let mut graph = Graph::default();
    let mut above: Vec<VertexId> = Vec::new();
    for layer in 0..count {
        let role = match layer {
            0 => Role::Independent,
            _ if layer + 1 == count => Role::Dependent,
            _ => Role::Intermediate,
        };
        let vertices: Vec<_> = (0..width).map(|_| graph.add_vertex(role)).collect();
        for &vertex in &vertices {
            for &source in &above {
                graph.add_edge(source, vertex, LabelKind::Variable);
            }
        }
        above = vertices;
    }
    graph
}

/// Orders that jump over the graph make dual vertices that are joined to very many others.
#[test]
fn the_number_of_faces_is_bounded() {
    let graph = layers(10, 12);
    let hierarchy = ["distance", "reverse"]
        .map(|name| Face::HEURISTICS.iter().find(|row| row.name == name).expect("a row of the table"));
    let refused = eliminate::run(&graph, &hierarchy, Program::new(&graph), usize::MAX).map(|_| ());
    assert_eq!(refused, Err(Error::TooManyKeys { mode: "face", limit: MAX_KEYS }));
}
