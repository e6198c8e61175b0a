//! The minimal representation: the examples of Hovland 2016 on graphs that have their numbers, and, on random graphs,
//! that the proven least is the least of all sets of eliminated vertices, and that a complete elimination from there on
//! gives the Jacobian.

use jacobian_core::accumulate::accumulate;
use jacobian_core::check::{modular_jacobian, modular_values};
use jacobian_core::eliminate::Target;
use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::linearize::linearize;
use jacobian_core::represent::{Along, Counted, LeastEdges, Representation, along, best, least, least_edges};

use support::graphs::{graph, random_graph};
use support::lists::{passive_numbers, random_list};
use support::random::Random;
use support::strategies::hierarchies;

mod support {
    pub mod graphs;
    pub mod lists;
    pub mod random;
    pub mod strategies;
}

/// More states than any graph of these tests takes.
const STATES: usize = 100_000;

fn intermediates(graph: &Graph) -> Vec<VertexId> {
    graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Intermediate).collect()
}

/// The fewest edges over all sets of eliminated vertices.
fn brute_force(graph: &Graph) -> usize {
    let vertices = intermediates(graph);
    let sets = 0..1_u32 << vertices.len();
    let edges = sets.map(|set| {
        let mut representation = Representation::new(graph);
        for (bit, &vertex) in vertices.iter().enumerate() {
            if set >> bit & 1 == 1 {
                representation.eliminate(Target::Vertex(vertex)).expect("every intermediate is on a path");
            }
        }
        representation.edges(Counted::All)
    });
    edges.min().expect("the empty set is one")
}

#[test]
fn the_proven_least_is_the_least_of_all_sets() {
    for seed in 0..3_000 {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(8);
        let graph = random_graph(random, intermediates);
        let least = least(&Representation::new(&graph), STATES).expect("a small graph");
        assert_eq!(least.edges(Counted::All), brute_force(&graph), "seed {seed}:\n{graph}");
    }
}
