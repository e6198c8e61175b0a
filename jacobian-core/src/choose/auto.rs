//! What a strategy does: takes a linearized function, gives its elimination and the strategy that was used. `auto` is a
//! bounded search.

use crate::accumulate::draft;
use crate::choose::order::MAX_ACCUMULATIONS;
use crate::choose::search::{Budget, Found, Search, Space};
use crate::choose::strategy::Strategy;
use crate::eliminate::Elimination;
use crate::error::Error;
use crate::linearize::Linearization;
use crate::write::cost::OperationCount;

impl Strategy {
    /// Eliminates everything. The strategy that comes with the result is the one that was used: for `auto`, the one
    /// that it chose.
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

/// The cheapest code that a bounded search finds, by the time that it is estimated to take: it begins with hierarchies,
/// of which large functions are tried with a few only, and goes on by annealing where there is something left to spend.
/// On a symmetric graph, it is not taken if it has more multiplications than reverse order, which has no more than edge
/// pushing.
fn auto(linearization: &Linearization) -> Result<(Strategy, Elimination), Error> {
    let search = Search::in_space(Space::Edges);
    let budget = Budget::of_auto(linearization.graph.vertex_count());
    let Found { order, elimination } = search.find(linearization, MAX_ACCUMULATIONS, budget)?;
    let found = (Strategy::Order(order), elimination);
    if linearization.graph.axis().is_none() {
        return Ok(found);
    }
    let reverse = Strategy::reverse().eliminate(linearization)?;
    let [of_found, of_reverse] = [&found, &reverse].map(|(_, elimination)| {
        OperationCount::of(&draft(linearization.clone(), &elimination.program)).multiplications
    });
    Ok(if of_found <= of_reverse { found } else { reverse })
}
