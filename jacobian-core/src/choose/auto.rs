//! What a strategy does: takes a linearized function, gives its elimination and the strategy that was used. `auto` is a
//! bounded search.

use crate::choose::order::MAX_ACCUMULATIONS;
use crate::choose::search::{Budget, Found, SEED, Search, Space};
use crate::choose::strategy::Strategy;
use crate::eliminate::Elimination;
use crate::error::Error;
use crate::linearize::Linearization;

/// What `auto` spends, in accumulation expressions that are evaluated, of which six take a microsecond without optimization:
/// on each vertex of the graph, but at least and at most so much.
const EFFORT_OF_A_VERTEX: usize = 1_000;
const LEAST_EFFORT: usize = 140_000;
const MOST_EFFORT: usize = 4_000_000;
const STEPS_OF_A_TARGET: usize = 16;

/// What must be gained, in per cent: estimates that are nearer to one another tell nothing, and the compiler packs the code
/// of plain sweeps best, whose every part is like the others.
const MARGIN: usize = 1;

/// The same of what annealing finds and a sweep, for nothing is regular in that.
const MARGIN_OF_ANNEALING: usize = 3;

impl Strategy {
    /// Eliminates everything. The strategy that comes with the result is the one that was used: for `auto`, the one that
    /// it chose.
    ///
    /// # Errors
    /// Where the strategy gives up: what it takes or looks through grows too fast for this function.
    pub fn eliminate(&self, linearization: &Linearization) -> Result<(Strategy, Elimination), Error> {
        match self {
            Strategy::Auto => auto(linearization),
            Strategy::Order(order) => Ok((self.clone(), order.eliminate(linearization, MAX_ACCUMULATIONS)?)),
        }
    }
}

/// The cheapest code that a bounded search finds, by the time that it is estimated to take: it begins with hierarchies, of
/// which large functions are tried with a few only, and goes on by annealing where there is something left to spend.
fn auto(linearization: &Linearization) -> Result<(Strategy, Elimination), Error> {
    let search = Search::in_space(Space::Edges);
    let effort = (linearization.graph.vertex_count() * EFFORT_OF_A_VERTEX).clamp(LEAST_EFFORT, MOST_EFFORT);
    let budget = Budget {
        effort,
        steps_of_a_target: STEPS_OF_A_TARGET,
        margin: MARGIN,
        margin_of_annealing: MARGIN_OF_ANNEALING,
        seed: SEED,
    };
    let Found { order, elimination } = search.find(linearization, MAX_ACCUMULATIONS, budget)?;
    Ok((Strategy::Order(order), elimination))
}
