//! What an elimination did can be given as an order, in words: it then does the same, target by target. And a vertex in
//! an order of edges or faces is all of its parts.

use jacobian_core::Strategy;
use jacobian_core::eliminate::edge::Edge;
use jacobian_core::eliminate::face::Face;
use jacobian_core::eliminate::path::Path;
use jacobian_core::eliminate::vertex::Vertex;
use jacobian_core::eliminate::{Elimination, Mode, Target};
use jacobian_core::linearize::Linearization;
use jacobian_core::pipeline::linearize;
use jacobian_core::program::{Ends, Measure, Program};
use jacobian_core::strategy::{MODES, all};

use jacobian_lab::lcg::LabelledGraph;
use support::lists::random_list;
use support::random::Random;

mod support {
    #[allow(dead_code, reason = "other tests need more of it")]
    pub mod lists;
    #[allow(dead_code, reason = "other tests need more of it")]
    pub mod random;
}

const LISTS: u64 = 40;

/// The elimination in the order of `sequence`, which is given as a text.
fn given(mode: &str, sequence: &[Target], linearization: &Linearization) -> Elimination {
    let targets: Vec<_> = sequence.iter().map(Target::to_string).collect();
    let text = format!("{mode}: order({})", targets.join(", "));
    let strategy: Strategy = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(strategy.to_string(), text);
    strategy.eliminate(linearization).unwrap_or_else(|error| panic!("{text}: {error}")).1
}

/// The first mode that can name all targets of a sequence, or a finer one: they may be none.
fn mode_of(strategy: &Strategy, sequence: &[Target]) -> &'static str {
    let is_able = |mode: &&str| MODES.iter().any(|row| row.name == *mode && (row.given)(sequence).is_some());
    let coarsest = MODES.iter().map(|mode| mode.name).find(&is_able);
    strategy.mode().filter(&is_able).or(coarsest).expect("a mode for all of these")
}

#[test]
fn every_elimination_can_be_given_as_an_order() {
    let searches = all().into_iter().map(|strategy| strategy.with_steps(20).unwrap_or(strategy));
    let strategies: Vec<_> = searches.filter(|strategy| strategy.to_string() != "paths").collect();
    for seed in 0..LISTS {
        let random = &mut Random::new(seed);
        let linearization = linearize(&random_list(random, 5 + seed as usize % 15));
        for strategy in &strategies {
            let Ok((used, elimination)) = strategy.eliminate(&linearization) else { continue };
            let sequence = &elimination.sequence;
            let again = given(mode_of(&used, sequence), sequence, &linearization);
            assert_eq!(ends(&again.program), ends(&elimination.program), "`{strategy}` in {seed}");
            for measure in [Measure::Textbook, Measure::Folded] {
                let count = |elimination: &Elimination| elimination.program.multiplications(measure);
                assert_eq!(count(&again), count(&elimination), "`{strategy}` in {seed}");
            }
        }
    }
}

/// Where the paths of every expression begin and end.
fn ends(program: &Program) -> Vec<Option<Ends>> {
    program.accumulations().iter().map(|accumulation| accumulation.ends).collect()
}

/// Once the path 2 -> 3 -> 4 is cut, the product along 1 -> 2 -> 3 cannot be added to 1 -> 3, and is its twin.
const TWINS: &str = "vertices 6\nindep 0\ndep 4 5\nedge 0 1 var\nedge 1 2 var\nedge 1 3 var\nedge 2 3 var\n\
                     edge 3 4 var\nedge 3 5 var";

/// Eliminates in random orders; how many faces there are among the targets that only their age tells from others.
fn random_orders_can_be_given<M: Mode>() -> usize {
    let mut younger = 0;
    let twins = TWINS.parse::<LabelledGraph>().expect("a graph").linearize();
    for seed in 0..20 * LISTS {
        let random = &mut Random::new(seed);
        let linearization = if seed % 20 == 0 { linearize(&random_list(random, 12)) } else { twins.clone() };
        let mut program = linearization.program.clone();
        let mut mode = M::new(&linearization.graph, &mut program).expect("a small graph");
        let mut sequence = Vec::new();
        while let targets @ [_, ..] = &mode.targets()[..] {
            let target = targets[random.below(targets.len())];
            sequence.push(mode.describe(target));
            mode.eliminate(target, &mut program);
        }
        younger += sequence.iter().filter(|target| matches!(target, Target::Face { older: 1.., .. })).count();
        program.set_entries(mode.entries());
        assert_eq!(given(M::NAME, &sequence, &linearization).program, program, "seed {seed}");
    }
    younger
}

#[test]
fn every_order_can_be_given() {
    random_orders_can_be_given::<Vertex>();
    random_orders_can_be_given::<Edge>();
    random_orders_can_be_given::<Path>();
    assert!(random_orders_can_be_given::<Face>() > 0, "no face is told from another by its age");
}

#[test]
fn a_vertex_is_all_of_its_edges_and_all_of_its_faces() {
    for seed in 0..LISTS {
        let linearization = linearize(&random_list(&mut Random::new(seed), 20));
        let strategy: Strategy = "vertex: markowitz".parse().expect("a strategy");
        let vertices = strategy.eliminate(&linearization).expect("no paths are enumerated").1;
        for mode in ["edge", "face"] {
            let parts = given(mode, &vertices.sequence, &linearization);
            assert!(parts.sequence.iter().all(|target| !matches!(target, Target::Vertex(_))));
            assert_eq!(
                parts.program.multiplications(Measure::Textbook),
                vertices.program.multiplications(Measure::Textbook)
            );
            assert_eq!(parts.program.entries().len(), vertices.program.entries().len());
        }
    }
}
