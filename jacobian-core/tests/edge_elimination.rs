//! Proves that edge elimination, in whatever order, gives the sum over all paths; that its keys are what they say; and
//! that the order that keeps to a vertex is vertex elimination.

use std::collections::BTreeSet;

use jacobian_core::eliminate::edge::{Edge, EdgeTarget};
use jacobian_core::eliminate::{Heuristic, Mode, Target, run};
use jacobian_core::evaluate::{MODULUS, Modular};
use jacobian_core::graph::{EdgeId, Graph, Role, VertexId};
use jacobian_core::program::{LabelKind, Measure, Program};
use jacobian_lab::check;
use jacobian_lab::digraph::picture;

use support::graphs::random_graph;
use support::random::Random;

mod support {
    pub mod graphs;
    pub mod random;
}

const GRAPHS: u64 = 1_000;
const MAX_INTERMEDIATES: usize = 14;

/// Graphs, each with a generator for what else is drawn.
fn graphs() -> impl Iterator<Item = (Graph, Random)> {
    (0..GRAPHS).map(|seed| {
        let mut random = Random::new(seed);
        let intermediates = random.below(MAX_INTERMEDIATES + 1);
        (random_graph(&mut random, intermediates), random)
    })
}

fn filter(name: &str) -> &'static Heuristic<Edge> {
    Edge::HEURISTICS.iter().find(|row| row.name == name).expect("a filter of the mode")
}

fn any_target(mode: &Edge, random: &mut Random) -> Option<EdgeTarget> {
    let targets = mode.targets();
    (!targets.is_empty()).then(|| targets[random.below(targets.len())])
}

/// A number modulo 2^61 - 1 for every label; one for a copy.
fn random_labels(graph: &Graph, random: &mut Random) -> Vec<u64> {
    let mut label = |kind: &LabelKind| if *kind == LabelKind::Copy { 1 } else { random.bits() % MODULUS };
    graph.kinds().iter().map(&mut label).collect()
}

/// The sums over all paths from `source` to every vertex.
fn path_sums(graph: &Graph, labels: &[u64], source: VertexId) -> Vec<u64> {
    let mut sums = vec![0; graph.vertex_count()];
    sums[source.index()] = 1;
    for vertex in graph.vertices() {
        for edge in graph.incoming(vertex).iter().map(|&edge| graph.edge(edge)) {
            let product = Modular::mul(sums[edge.source.index()], labels[edge.label.index()]);
            sums[vertex.index()] = Modular::add(sums[vertex.index()], product);
        }
    }
    sums
}

/// Checks that every entry is the sum over all paths, and that one which the program does not have is zero.
fn check_entries(graph: &Graph, program: &Program, given: Vec<u64>) {
    let with_role = |role| graph.vertices().filter(move |&vertex| graph.role(vertex) == role);
    let values = check::run(program, given.clone(), Modular::add, Modular::mul, Modular::neg);
    for column in with_role(Role::Independent) {
        let sums = path_sums(graph, &given, column);
        for row in with_role(Role::Dependent) {
            let entry = program.entry(row, column).map_or(0, |label| values[label.index()]);
            assert_eq!(entry, sums[row.index()], "J[{},{}] of\n{}by\n{program}", row.0, column.0, picture(graph));
        }
    }
}

#[test]
fn any_sequence_gives_the_sum_over_all_paths() {
    for (graph, mut random) in graphs() {
        let mut program = Program::new(&graph);
        let mut mode = Edge::new(&graph, &mut program).expect("a small graph");
        while let Some(target) = any_target(&mode, &mut random) {
            mode.eliminate(target, &mut program);
        }
        program.set_entries(mode.entries());
        let labels = random_labels(&graph, &mut random);
        check_entries(&graph, &program, labels);
    }
}

/// The pairs of vertices that edges connect.
fn connected(graph: &Graph) -> BTreeSet<(VertexId, VertexId)> {
    graph.vertices().flat_map(|source| graph.successors(source).map(move |target| (source, target))).collect()
}

#[test]
fn fill_and_markowitz_are_what_the_elimination_does() {
    for (graph, mut random) in graphs().map(|(graph, random)| (without_copies(&graph), random)) {
        let mut program = Program::new(&graph);
        let mut mode = Edge::new(&graph, &mut program).expect("a small graph");
        while let Some(target) = any_target(&mode, &mut random) {
            let [markowitz, fill] = ["markowitz", "fill"].map(|name| (filter(name).key)(&mode, target));
            let (products, before) = (program.accumulations().len(), connected(mode.graph()));
            mode.eliminate(target, &mut program);
            assert_eq!(markowitz, (program.accumulations().len() - products) as i64);
            assert_eq!(fill, connected(mode.graph()).difference(&before).count() as i64);
        }
    }
}

/// The graph with variables for all labels, so that every product is an expression.
fn without_copies(graph: &Graph) -> Graph {
    let mut copy = Graph::default();
    for vertex in graph.vertices() {
        copy.add_vertex(graph.role(vertex));
    }
    for (source, target) in connected(graph) {
        copy.add_edge(source, target, LabelKind::Variable);
    }
    copy
}

/// The vertices at the ends of all paths from `start`: along the edges to dependents, or against them to independents.
fn ends_of_paths(graph: &Graph, start: VertexId, role: Role) -> usize {
    let (mut found, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some(vertex) = open.pop() {
        let edges = if role == Role::Dependent { graph.outgoing(vertex) } else { graph.incoming(vertex) };
        let end =
            |&edge: &EdgeId| if role == Role::Dependent { graph.edge(edge).target } else { graph.edge(edge).source };
        open.extend(edges.iter().map(end).filter(|&end| found.insert(end)));
    }
    found.into_iter().filter(|&vertex| graph.role(vertex) == role).count()
}

#[test]
fn vlr_subtracts_the_ends_that_are_reached_in_the_graph_as_it_is() {
    for (graph, mut random) in graphs().take(200) {
        let mut program = Program::new(&graph);
        let mut mode = Edge::new(&graph, &mut program).expect("a small graph");
        while let Some(target) = any_target(&mode, &mut random) {
            for target in mode.targets() {
                let [markowitz, vlr] = ["markowitz", "vlr"].map(|name| (filter(name).key)(&mode, target));
                let reached = match mode.describe(target) {
                    Target::Front(ends) => ends_of_paths(mode.graph(), ends.target, Role::Dependent),
                    Target::Back(ends) => ends_of_paths(mode.graph(), ends.source, Role::Independent),
                    other => panic!("{other} is no edge"),
                };
                assert_eq!(markowitz - vlr, reached as i64);
            }
            mode.eliminate(target, &mut program);
        }
    }
}

/// The vertices at which a sequence eliminates; one is named again where the sequence comes back to it.
fn vertices(sequence: &[Target]) -> Vec<VertexId> {
    let worked_off = |target: &Target| match target {
        Target::Front(ends) => ends.target,
        Target::Back(ends) => ends.source,
        _ => panic!("{target} is no edge"),
    };
    let mut vertices: Vec<_> = sequence.iter().map(worked_off).collect();
    vertices.dedup();
    vertices
}

/// Multiplications by either measure, and additions.
fn operations(program: &Program) -> [usize; 3] {
    let [textbook, folded] = [Measure::Textbook, Measure::Folded].map(|measure| program.multiplications(measure));
    [textbook, folded, program.additions()]
}

fn vertex_elimination(graph: &Graph, order: &[VertexId]) -> Program {
    let (mut graph, mut program) = (graph.clone(), Program::new(graph));
    for &vertex in order {
        graph.eliminate_vertex(vertex, &mut program);
    }
    program
}

#[test]
fn keeping_to_a_vertex_is_vertex_elimination() {
    for ((graph, _), heuristic) in graphs().zip(Edge::HEURISTICS.iter().cycle()) {
        let hierarchy = [filter("vertex"), heuristic, filter("reverse")];
        let elimination = run(&graph, &hierarchy, Program::new(&graph), usize::MAX).expect("no limit");
        let order = vertices(&elimination.sequence);
        let different: BTreeSet<_> = order.iter().collect();
        assert_eq!(different.len(), order.len(), "{hierarchy:?} comes back to a vertex: {elimination}");
        let expected = vertex_elimination(&graph, &order);
        assert_eq!(operations(&elimination.program), operations(&expected), "{hierarchy:?} on\n{}", picture(&graph));
    }
}
