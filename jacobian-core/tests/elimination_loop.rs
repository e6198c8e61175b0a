//! Proves that the loop, which renews only the keys that a step can change, eliminates what the filters select: its
//! sequence is that of filters applied one after the other to all targets, with all keys computed anew at every step.

use jacobian_core::eliminate::edge::Edge;
use jacobian_core::eliminate::face::Face;
use jacobian_core::eliminate::path::Path;
use jacobian_core::eliminate::vertex::Vertex;
use jacobian_core::eliminate::{Heuristic, MAX_FILTERS, Mode, Target, run};
use jacobian_core::graph::Graph;
use jacobian_core::program::Program;
use jacobian_lab::digraph::picture;

use support::filters::selections;
use support::graphs::random_graph;
use support::random::Random;

mod support {
    pub mod filters;
    pub mod graphs;
    pub mod random;
}

const GRAPHS: u64 = 2_000;
const MAX_INTERMEDIATES: usize = 14;

/// A graph has many more faces, and pairs of labels, than edges, and some hierarchies make many more of them.
const MAX_INTERMEDIATES_OF_FACES: usize = 9;

/// Up to as many filters as there may be, the last a total order.
fn random_hierarchy<M: Mode>(random: &mut Random) -> Vec<&'static Heuristic<M>> {
    let total: Vec<_> = M::HEURISTICS.iter().filter(|heuristic| heuristic.is_total).collect();
    let partial: Vec<_> = M::HEURISTICS.iter().filter(|heuristic| !heuristic.is_total).collect();
    let mut hierarchy: Vec<_> = (0..random.below(MAX_FILTERS)).map(|_| partial[random.below(partial.len())]).collect();
    hierarchy.push(total[random.below(total.len())]);
    hierarchy
}

fn sequence_of_filters<M: Mode>(graph: &Graph, hierarchy: &[&Heuristic<M>]) -> Vec<Target> {
    let mut program = Program::new(graph);
    let mut mode = M::new(graph, &mut program).expect("a small graph");
    let mut sequence = Vec::new();
    loop {
        match selections(&mode, hierarchy).pop().as_deref() {
            Some([]) | None => return sequence,
            Some(several @ &[first, ..]) => {
                let target = several.iter().copied().min().unwrap_or(first);
                let is_same = |&other: &M::Target| place(mode.describe(other)) == place(mode.describe(first));
                assert!(several.iter().all(is_same), "{hierarchy:?} is no total order of {several:?}");
                sequence.push(mode.describe(target));
                mode.eliminate(target, &mut program);
            }
        }
    }
}

/// The target, whatever its age.
fn place(target: Target) -> Target {
    match target {
        Target::Face { source, centre, target, .. } => Target::Face { source, centre, target, older: 0 },
        _ => target,
    }
}

fn the_loop_follows_the_filters<M: Mode>(max_intermediates: usize) {
    for seed in 0..GRAPHS {
        let random = &mut Random::new(seed);
        let intermediates = random.below(max_intermediates + 1);
        let (graph, hierarchy) = (random_graph(random, intermediates), random_hierarchy::<M>(random));
        let elimination = run(&graph, &hierarchy, Program::new(&graph), usize::MAX).expect("no limit");
        assert_eq!(
            elimination.sequence,
            sequence_of_filters(&graph, &hierarchy),
            "{hierarchy:?} on\n{}",
            picture(&graph)
        );
    }
}

#[test]
fn over_vertices() {
    the_loop_follows_the_filters::<Vertex>(MAX_INTERMEDIATES);
}

#[test]
fn over_edges() {
    the_loop_follows_the_filters::<Edge>(MAX_INTERMEDIATES);
}

#[test]
fn over_pairs_of_labels() {
    the_loop_follows_the_filters::<Path>(MAX_INTERMEDIATES_OF_FACES);
}

#[test]
fn over_faces() {
    the_loop_follows_the_filters::<Face>(MAX_INTERMEDIATES_OF_FACES);
}
