//! What a search for a proven optimum begins with, and where it ends: takes a graph, gives the eliminations by the
//! heuristics.

use crate::eliminate::{self, Elimination, Mode};
use crate::graph::Graph;
use crate::graph::program::Program;

/// How far a search goes before it gives up.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most states that are visited. For [`vertex()`](super::vertex()) a state is a set of vertices with one of
    /// them that may be its last, for [`sequence()`](super::sequence()) one step from the graph as it is at some time,
    /// which counts as `(n / 100)^2` where there were more than 100 targets `n` at first.
    pub states: usize,
}

impl Limits {
    /// For [`vertex()`](super::vertex()): what takes up to about two seconds without optimization.
    pub const VERTICES: Limits = Limits { states: 100_000 };

    /// For [`symmetric()`](super::symmetric()): what takes up to about two seconds without optimization.
    pub const PAIRS: Limits = Limits { states: 5_000 };

    /// For [`sequence()`](super::sequence()): what takes up to about two seconds without optimization.
    pub const SEQUENCES: Limits = Limits { states: 10_000 };
}

/// The accumulation expressions of the heuristics that are tried for a good order of vertices to begin with.
pub(super) const HEURISTIC_STEPS: usize = 100_000;

/// The eliminations by each filter, with each of the total orders after it, while they take together no more than
/// `left` accumulation expressions.
pub(super) fn heuristic_eliminations<M: Mode>(graph: &Graph, program: &Program, mut left: usize) -> Vec<Elimination> {
    let last = M::HEURISTICS.iter().filter(|heuristic| heuristic.is_total);
    let hierarchies = last.flat_map(|last| M::HEURISTICS.iter().map(move |first| [first, last]));
    let before = program.accumulations().len();
    let mut eliminations = Vec::new();
    for hierarchy in hierarchies {
        let Ok(elimination) = eliminate::run(graph, &hierarchy, program.clone(), before + left) else { break };
        left -= elimination.program.accumulations().len() - before;
        eliminations.push(elimination);
    }
    eliminations
}
