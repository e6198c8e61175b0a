//! The pipeline: a code list and a strategy in, the Jacobian and what is to be said about it out.

use crate::accumulate::{Derivative, accumulate};
use crate::choose::search::{Budget, Found, Objective, Search, Space};
use crate::choose::strategy::Strategy;
use crate::eliminate::Elimination;
use crate::error::Error;
use crate::linearize::{Level, Linearization, linearize_with};
use crate::list::code_list::CodeList;
use crate::write::cost::OperationCount;
use crate::write::pack::Pack;
use crate::write::schedule::Schedule;

/// The most accumulation expressions of one elimination. Code of that length takes rustc minutes.
const MAX_ACCUMULATIONS: usize = 1_000_000;

/// What `auto` spends, in accumulation expressions that are evaluated, of which six take a microsecond without optimization:
/// on each vertex of the graph, but at least and at most so much.
const EFFORT_OF_A_VERTEX: usize = 1_000;
const LEAST_EFFORT: usize = 280_000;
const MOST_EFFORT: usize = 4_000_000;
const STEPS_OF_A_TARGET: usize = 16;

/// What must be gained, in per cent: estimates that are nearer to one another tell nothing, and the compiler packs the code
/// of plain sweeps best, whose every part is like the others.
const MARGIN: usize = 1;

/// The same of what annealing finds and a sweep, for nothing is regular in that.
const MARGIN_OF_ANNEALING: usize = 3;

/// A function's Jacobian, and how it came about.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// The function and its Jacobian.
    pub derivative: Derivative,
    /// The strategy that was used; for `auto`, the one that it chose.
    pub strategy: Strategy,
    /// The statements of the derivative that are computed as one.
    pub packs: Vec<Pack>,
    /// The operations of the function.
    pub function_operations: OperationCount,
    /// The operations of function and Jacobian together.
    pub operations: OperationCount,
}

impl Jacobian {
    /// The same with its statements in another order, all of them single.
    pub fn scheduled(self, schedule: &Schedule) -> Jacobian {
        Jacobian { derivative: self.derivative.scheduled(schedule), packs: Vec::new(), ..self }
    }
}

/// Differentiates `function`, every operation by itself.
pub fn differentiate(function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    differentiate_at(Level::CodeList, function, strategy)
}

/// Differentiates `function` at `level`.
pub fn differentiate_at(level: Level, function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    let linearization = linearize_with(function, level, strategy)?;
    let (strategy, elimination) = strategy.eliminate(&linearization)?;
    let derivative = accumulate(linearization, &elimination.program);
    Ok(Jacobian {
        operations: OperationCount::of(&derivative.list),
        derivative,
        packs: Vec::new(),
        strategy,
        function_operations: OperationCount::of(function),
    })
}

impl Strategy {
    /// Eliminates everything. The strategy that comes with the result is the one that was used: for `auto`, the one that
    /// it chose.
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
    let search = Search { space: Space::Edges, objective: Objective::Time, steps: None };
    let effort = (linearization.graph.vertex_count() * EFFORT_OF_A_VERTEX).clamp(LEAST_EFFORT, MOST_EFFORT);
    let budget = Budget {
        effort,
        steps_of_a_target: STEPS_OF_A_TARGET,
        margin: MARGIN,
        margin_of_annealing: MARGIN_OF_ANNEALING,
    };
    let Found { strategy, elimination } = search.find(linearization, MAX_ACCUMULATIONS, budget)?;
    Ok((strategy, elimination))
}
