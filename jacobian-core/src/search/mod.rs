//! Search for a cheap elimination of a graph too large for the proven best: simulated annealing from the best of several
//! hierarchies.
//!
//! A *plan* is a list of targets: all vertices in the order of their elimination, and, where edges or faces may be
//! eliminated one by one, some of these ahead of them. A search changes the plan at random, one target at a time, and
//! evaluates it; on the graph itself, that takes up where two plans begin to differ. A search is bounded by its number of
//! steps, an evaluation each, and not by time, so that it finds the same on every machine.

mod anneal;
mod evaluate;
mod faces;
mod moves;
mod objective;
mod random;
mod state;

use std::fmt;
use std::rc::Rc;

use crate::dual_graph::DualGraph;
use crate::eliminate::{Elimination, Target};
use crate::error::Error;
use crate::linearize::Linearization;
use crate::program::Entry;
use crate::strategy::{Order, Strategy};

pub use moves::Space;
pub use objective::{Cost, Objective};

use anneal::anneal;
use evaluate::{Evaluate, evaluator};
use moves::Moves;
use objective::Recording;
use state::State;

/// The hierarchies with which a search begins, the most promising for large functions first.
pub const STARTS: &[&str] = &[
    "vertex: reverse",
    "vertex: forward",
    "vertex: pre > reverse",
    "vertex: markowitz > reverse",
    "vertex: markowitz > forward",
    "vertex: pre > markowitz > reverse",
    "vertex: vlr > reverse",
];

/// The accumulation expressions that a search by default evaluates, those of its start included: about half a second
/// without optimization.
const EFFORT: usize = 400_000;

/// The most steps of a search by default.
const MAX_STEPS: usize = 10_000;

/// How much longer it takes to run a hierarchy than to evaluate its plan.
const HIERARCHY: usize = 3;

/// So many expressions are tried in any case, whatever the best hierarchy takes.
const FEW: usize = 100;

/// A search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Search {
    /// What may be eliminated.
    pub space: Space,
    /// What is made small.
    pub objective: Objective,
    /// The number of plans that are evaluated; if none is given, the fewer the larger the function is.
    pub steps: Option<usize>,
}

impl fmt::Display for Search {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: search", self.space.name())?;
        self.steps.map_or(Ok(()), |steps| write!(formatter, "(steps = {steps})"))
    }
}

impl Order for Search {
    /// Eliminates everything, at no higher cost than the best of [`STARTS`], as far as these take `limit` accumulation
    /// expressions at most.
    fn eliminate(&self, linearization: &Linearization, limit: usize) -> Result<Elimination, Error> {
        let mut evaluate = evaluator(linearization, self.space, self.objective);
        let Start { plan, length, effort } = self.start(linearization, evaluate.as_mut(), limit)?;
        let moves = Moves::new(&linearization.graph, self.space);
        let steps = self.steps.unwrap_or_else(|| {
            // Whatever a plan does, all the code is counted, that in the arms of branches, too.
            let in_arms = linearization.algebra.list().arm_length();
            let of_a_step = self.slowness() * (length + plan.len()).max(1) + in_arms;
            (EFFORT.saturating_sub(effort) / of_a_step).min(MAX_STEPS)
        });
        let plan = match moves.is_empty(&plan) {
            true => plan,
            false => anneal(evaluate.as_mut(), &moves, plan, steps),
        };
        let elimination = match self.space {
            Space::Vertices | Space::Edges => carry_out(&plan, linearization),
            Space::Faces => faces::carry_out(&plan, linearization, DualGraph::new(&linearization.graph)),
        };
        match elimination.program.accumulations().len() > limit {
            true => Err(Error::TooManySteps { limit }),
            false => Ok(elimination),
        }
    }

    fn minimising(&self, objective: Objective) -> Option<Rc<dyn Order>> {
        Some(Rc::new(Search { objective, ..*self }))
    }

    fn with_steps(&self, steps: usize) -> Option<Rc<dyn Order>> {
        Some(Rc::new(Search { steps: Some(steps), ..*self }))
    }
}

impl Search {
    /// How much longer it takes to evaluate a plan than one of vertices.
    fn slowness(&self) -> usize {
        match self.space {
            Space::Vertices | Space::Edges => 1,
            Space::Faces => 10,
        }
    }

    /// The cheapest of the hierarchies. One that takes far more expressions than the best so far is given up; and
    /// unless steps are to be made in any case, none is begun that may leave nothing of the effort.
    fn start(&self, linearization: &Linearization, evaluate: &mut dyn Evaluate, limit: usize) -> Result<Start, Error> {
        let mut best: Option<(Cost, Start)> = None;
        let (mut effort, of_an_expression) = (0, HIERARCHY + self.slowness());
        for hierarchy in STARTS {
            let limit = best.as_ref().map_or(limit, |(_, start)| limit.min(2 * start.length + FEW));
            if best.is_some() && self.steps.is_none() && effort + of_an_expression * limit > EFFORT {
                break;
            }
            let Ok((plan, length)) = plan_of(hierarchy, linearization, limit) else {
                effort += of_an_expression * limit.min(EFFORT);
                continue;
            };
            effort += of_an_expression * length;
            let cost = evaluate.cost(&plan);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, Start { plan, length, effort: 0 }));
            }
        }
        best.map(|(_, start)| Start { effort, ..start }).ok_or(Error::TooManySteps { limit })
    }
}

/// Where a search begins.
struct Start {
    plan: Vec<Target>,
    /// The accumulation expressions that it takes.
    length: usize,
    /// What all the hierarchies have cost.
    effort: usize,
}

/// The sequence of a hierarchy, and the accumulation expressions that it takes.
fn plan_of(hierarchy: &str, linearization: &Linearization, limit: usize) -> Result<(Vec<Target>, usize), Error> {
    let strategy: Strategy = hierarchy.parse().expect("the starts are strategies");
    let Strategy::Order(order) = strategy else { unreachable!("the starts are hierarchies") };
    let elimination = order.eliminate(linearization, limit)?;
    let length = elimination.program.accumulations().len();
    Ok((elimination.sequence, length))
}

/// The elimination that `plan` comes to.
fn carry_out(plan: &[Target], linearization: &Linearization) -> Elimination {
    let mut state = State::new(&linearization.graph, Recording(linearization.program.clone()));
    let sequence = plan.iter().copied().filter(|&target| state.eliminate(target)).collect();
    let entries = linearization.columns.iter().flat_map(|&column| {
        let edges = state.edges.outgoing(column).iter();
        edges.map(move |&(row, label)| Entry { row, column, label })
    });
    let entries = entries.collect();
    let Recording(mut program) = state.arithmetic;
    program.set_entries(entries);
    Elimination { sequence, program }
}
