//! Proves that edge elimination which keeps to a vertex is vertex elimination: it works off one vertex after the other, and
//! takes the operations that the same order of vertices takes.

use jacobian_core::eliminate::edge::Edge;
use jacobian_core::eliminate::{Heuristic, Mode, Target, run};
use jacobian_core::graph::{Graph, VertexId};
use jacobian_core::program::{Measure, Program};

use support::graphs::random_graph;
use support::random::Random;

mod support {
    pub mod graphs;
    pub mod random;
}

const GRAPHS: u64 = 1_000;
const MAX_INTERMEDIATES: usize = 14;

fn filter(name: &str) -> &'static Heuristic<Edge> {
    Edge::HEURISTICS.iter().find(|row| row.name == name).expect("a filter of the mode")
}

/// The vertices that a sequence works off; one is named again where the sequence comes back to it.
fn vertices(sequence: &[Target]) -> Vec<VertexId> {
    let mut vertices: Vec<_> = sequence
        .iter()
        .map(|target| match target {
            Target::Front(ends) => ends.target,
            Target::Back(ends) => ends.source,
            _ => panic!("{target} is no edge"),
        })
        .collect();
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
    for (seed, heuristic) in (0..GRAPHS).zip(Edge::HEURISTICS.iter().cycle()) {
        let random = &mut Random::new(seed);
        let intermediates = random.below(MAX_INTERMEDIATES + 1);
        let graph = random_graph(random, intermediates);
        let hierarchy = [filter("vertex"), heuristic, filter("reverse")];
        let elimination = run(&graph, &hierarchy, Program::new(&graph), usize::MAX).expect("no limit");
        let order = vertices(&elimination.sequence);
        let mut left: Vec<_> = graph.vertices().filter(|&vertex| !order.contains(&vertex)).collect();
        left.extend(&order);
        assert_eq!(left.len(), graph.vertex_count(), "{hierarchy:?} comes back to a vertex: {elimination}");
        let expected = vertex_elimination(&graph, &order);
        assert_eq!(operations(&elimination.program), operations(&expected), "{hierarchy:?} on\n{graph}");
    }
}
