//! The integer program of Hovland 2016 finds what the branch and bound proves, and its steps lead there.

use jacobian_lab::digraph::picture;
use jacobian_lab::represent::integer_program::{Steps, solve};
use jacobian_lab::represent::{Counted, Representation, least};

use support::graphs::random_graph;
use support::hovland::EXAMPLES;
use support::random::Random;

mod support {
    #[path = "../../../jacobian-core/tests/support/graphs.rs"]
    pub mod graphs;
    pub mod hovland;
    #[path = "../../../jacobian-core/tests/support/random.rs"]
    pub mod random;
}

/// Checks a solution of the program against the proven least, and returns that.
fn check(start: &Representation, steps: Steps) -> usize {
    let least = least(start, 100_000).expect("a small graph").edges(Counted::All);
    let solved = solve(start, steps).expect("every graph has a representation");
    assert_eq!(solved.representation.edges(Counted::All), solved.edges, "{steps:?}:\n{}", picture(&start.graph));
    assert_eq!(solved.edges, least, "{steps:?}:\n{}", picture(&start.graph));
    least
}

#[test]
fn the_examples_of_the_paper() {
    for example in EXAMPLES {
        let least = check(&Representation::new(&example.graph()), Steps::InOrder);
        assert_eq!(least, example.least);
        assert!(example.forward.iter().chain(example.reverse).all(|&passed| passed >= least));
    }
}

/// The third takes its solver 7.21 s in the paper.
#[test]
fn the_examples_of_the_paper_in_its_own_form() {
    for example in EXAMPLES {
        assert_eq!(check(&Representation::new(&example.graph()), Steps::Any), example.least);
    }
}

#[test]
fn random_graphs_step_by_step_in_order() {
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let intermediates = random.below(10);
        check(&Representation::new(&random_graph(random, intermediates)), Steps::InOrder);
    }
}

#[test]
fn random_graphs_with_any_vertex_in_any_step() {
    for seed in 0..100 {
        let random = &mut Random::new(seed);
        let intermediates = random.below(6);
        check(&Representation::new(&random_graph(random, intermediates)), Steps::Any);
    }
}
