//! An oracle that shares no code with the engine: what the engine says of graphs against the algorithms of petgraph.

mod conversion;
mod dominators;
mod figures;
mod flows;
mod paths;

#[path = "../support"]
mod support {
    #[allow(dead_code, reason = "other tests need more of it")]
    #[path = "../../../jacobian-core/tests/support/case_file.rs"]
    pub mod case_file;
    #[path = "../../../jacobian-core/tests/support/graphs.rs"]
    pub mod graphs;
    #[allow(dead_code, reason = "other tests need more of it")]
    pub mod hovland;
    #[path = "../../../jacobian-core/tests/support/random.rs"]
    pub mod random;
    #[path = "../../../jacobian-core/tests/support/strategies.rs"]
    pub mod strategies;
    pub mod texts;
}

use jacobian_core::graph::Graph;
use jacobian_lab::lcg::LabelledGraph;

use support::graphs::random_graph;
use support::random::Random;

/// Random graphs of up to this many intermediates, and the generator that made each of them.
fn random_graphs(count: u64, most: usize) -> impl Iterator<Item = (Graph, Random)> {
    (0..count).map(move |seed| {
        let mut random = Random::new(seed);
        let intermediates = random.below(most + 1);
        (random_graph(&mut random, intermediates), random)
    })
}

/// The graphs in `benchmarks`, by their names.
fn benchmarks() -> Vec<LabelledGraph> {
    let directory = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/benchmarks")).expect("the benchmarks");
    let files = directory.map(|entry| entry.expect("an entry of the directory").path());
    let mut files: Vec<_> = files.filter(|file| file.extension().is_some_and(|extension| extension == "lcg")).collect();
    files.sort();
    let read = |file| std::fs::read_to_string(file).expect("a readable file");
    files.into_iter().map(|file| read(file).parse().unwrap_or_else(|error| panic!("{error}"))).collect()
}
