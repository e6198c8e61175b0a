//! Search for a cheap elimination of a graph too large for the proven best: simulated annealing from the best of
//! several hierarchies.
//!
//! A *plan* is a list of targets: all vertices in the order of their elimination, and, where edges, faces or pairs of
//! labels may be eliminated one by one, some of these ahead of them. A search changes the plan at random, one target at
//! a time, and evaluates it; on the graph itself, that takes up where two plans begin to differ. A search is bounded by
//! its number of steps, an evaluation each, and not by time, so that it finds the same on every machine.

mod affected;
mod anneal;
mod budget;
mod edges;
mod evaluate;
mod faces;
mod interned;
mod moves;
pub(super) mod objective;
mod on_graph;
mod pairs;
mod random;
pub(super) mod state;

use std::fmt;
use std::rc::Rc;

use crate::choose::hierarchy::{Hierarchy, PORTFOLIO};
use crate::choose::order::Order;
use crate::eliminate::vertex::Vertex;
use crate::eliminate::{Elimination, Target};
use crate::error::Error;
use crate::graph::dual_graph::DualGraph;
use crate::graph::{Role, entries};
use crate::linearize::Linearization;

pub use anneal::SEED;
pub use budget::Budget;
pub use moves::Space;
pub use objective::{Cost, Objective};

use anneal::anneal;
use budget::{FEW, HIERARCHY, MIN_STEPS};
use edges::MAX_VERTICES;
use evaluate::Evaluate;
use faces::OnDualGraph;
use interned::Interned;
use objective::{Counting, Emitting};
use on_graph::OnGraph;
use pairs::OnPathGraph;

/// A search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Search {
    /// What may be eliminated.
    pub space: Space,
    /// What is minimised.
    pub objective: Objective,
    /// The number of plans that are evaluated; if none is given, the fewer the larger the function is.
    pub steps: Option<usize>,
    /// What the random numbers begin with; not 0.
    pub seed: u64,
}

impl Search {
    /// `MODE: search`.
    pub const fn in_space(space: Space) -> Search {
        Search { space, objective: Objective::Time, steps: None, seed: SEED }
    }
}

impl fmt::Display for Search {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: search", self.space.name())?;
        match (self.steps, self.seed) {
            (None, SEED) => Ok(()),
            (Some(steps), SEED) => write!(formatter, "(steps = {steps})"),
            (None, seed) => write!(formatter, "(seed = {seed})"),
            (Some(steps), seed) => write!(formatter, "(steps = {steps}, seed = {seed})"),
        }
    }
}

impl Order for Search {
    /// Eliminates everything, at no higher cost than the best of the [`PORTFOLIO`], as far as these take `limit`
    /// accumulation expressions at most.
    ///
    /// # Errors
    /// Where all of these take more; and, in [`Space::Paths`], where there are too many paths.
    fn eliminate(&self, linearization: &Linearization, limit: usize) -> Result<Elimination, Error> {
        let budget = Budget::of_search(linearization.graph.vertex_count());
        Ok(self.find(linearization, limit, budget)?.elimination)
    }

    fn minimising(&self, objective: Objective) -> Option<Rc<dyn Order>> {
        Some(Rc::new(Search { objective, ..*self }))
    }

    fn with_steps(&self, steps: usize) -> Option<Rc<dyn Order>> {
        Some(Rc::new(Search { steps: Some(steps), ..*self }))
    }

    fn with_seed(&self, seed: u64) -> Option<Rc<dyn Order>> {
        Some(Rc::new(Search { seed, ..*self }))
    }

    fn steps(&self) -> Option<usize> {
        self.steps
    }

    fn mode(&self) -> Option<&'static str> {
        Some(self.space.name())
    }
}

/// What a search has found.
pub struct Found {
    /// The order that is worth a name: the search with its steps, or the hierarchy than which it has found nothing
    /// better.
    pub order: Rc<dyn Order>,
    /// The elimination.
    pub elimination: Elimination,
}

impl Search {
    /// Eliminates everything, within `budget` unless the search has a number of steps.
    ///
    /// # Errors
    /// As [`Search::eliminate`].
    pub fn find(&self, linearization: &Linearization, limit: usize, budget: Budget) -> Result<Found, Error> {
        let is_on_graph = matches!(self.space, Space::Vertices | Space::Edges);
        if !is_on_graph && linearization.graph.axis().is_some() {
            return self.find(&linearization.without_symmetry(), limit, budget);
        }
        let mut evaluate = match !is_on_graph || linearization.graph.vertex_count() <= MAX_VERTICES {
            true => Some(evaluator(linearization, self.space, self.objective)?),
            false => None,
        };
        // Nodes know nothing of masks, which cost something where there are any.
        let is_exact = self.slowness(linearization) == 1 && !linearization.algebra.has_masks();
        let start = self.start(linearization, limit, budget.work, evaluate.as_deref_mut().filter(|_| is_exact))?;
        let found = evaluate.as_deref_mut().and_then(|evaluate| self.go_on(linearization, &start, budget, evaluate));
        let found = found.filter(|(_, found)| found.program.accumulations().len() <= limit);
        let exact = evaluate.as_deref_mut().filter(|_| is_exact);
        let cost = found.as_ref().map(|(_, found)| self.cost(linearization, found, exact));
        let least = cost.map_or(start.cheapest().cost, |cost| cost.min(start.cheapest().cost));
        let plain = start.tried.into_iter().find(|tried| !least.is_less(tried.cost, budget.margin));
        Ok(match (plain, found) {
            (None, Some((steps, elimination))) => {
                Found { order: Rc::new(Search { steps: Some(steps), ..*self }), elimination }
            }
            (plain, _) => {
                let Tried { hierarchy, elimination, .. } = plain.expect("the cheapest is one of these");
                Found { order: Rc::new(hierarchy.clone()), elimination }
            }
        })
    }

    /// What annealing makes of the start, and in how many steps, 0 where it finds nothing better; none if it can, or may,
    /// change nothing.
    fn go_on(
        &self,
        linearization: &Linearization,
        start: &Start,
        budget: Budget,
        evaluate: &mut dyn Evaluate,
    ) -> Option<(usize, Elimination)> {
        let sequence = &start.cheapest().elimination.sequence;
        let (targets, pairs) = (sequence.len(), evaluate.pairs().len());
        let steps = self.steps.unwrap_or_else(|| self.affordable(linearization, start, targets, pairs, budget));
        if sequence.is_empty() || self.steps.is_none() && steps < MIN_STEPS.max(targets) {
            return None;
        }
        let begin = evaluate.cost(sequence);
        let annealed = anneal(evaluate, self.space, sequence.clone(), steps, self.seed);
        let is_better = evaluate.cost(&annealed).is_less(begin, budget.margin_of_annealing);
        let (steps, plan) = if is_better { (steps, annealed) } else { (0, sequence.clone()) };
        let elimination = match self.space {
            Space::Vertices | Space::Edges => carry_out(&plan, linearization),
            Space::Faces => faces::carry_out(&plan, linearization, DualGraph::new(&linearization.graph)),
            Space::Paths => pairs::carry_out(&plan, linearization).ok()?,
        };
        Some((steps, elimination))
    }

    /// The number of steps that the budget allows after the start, for a plan of this many targets; where pairs of
    /// labels are in it, all of them are examined for each target.
    fn affordable(
        &self,
        linearization: &Linearization,
        start: &Start,
        targets: usize,
        pairs: usize,
        budget: Budget,
    ) -> usize {
        // Whatever a plan does, all the code is counted, that in the arms of branches, too.
        let in_arms = linearization.algebra.list().inner_length();
        let slowness = self.slowness(linearization) * pairs.max(1);
        let of_a_step = slowness * (start.cheapest().length() + targets).max(1) + in_arms;
        let steps = budget.work.saturating_sub(start.work) / of_a_step;
        steps.min(budget.steps_of_a_target * targets)
    }

    /// How much longer it takes to evaluate a plan than one of vertices and edges whose values are nodes.
    fn slowness(&self, linearization: &Linearization) -> usize {
        match (self.space, self.objective) {
            (Space::Vertices | Space::Edges, Objective::Counted(_)) => 1,
            (Space::Vertices | Space::Edges, Objective::Time) if linearization.algebra.list().is_straight() => 1,
            (Space::Vertices | Space::Edges, _) => 90,
            (Space::Faces, _) => 240,
            // For each pair of labels.
            (Space::Paths, _) => 3,
        }
    }

    /// What an elimination costs, by an evaluation that is exact if there is one, which takes less time.
    fn cost(
        &self,
        linearization: &Linearization,
        elimination: &Elimination,
        evaluate: Option<&mut (dyn Evaluate + '_)>,
    ) -> Cost {
        match evaluate {
            Some(evaluate) => evaluate.cost(&elimination.sequence),
            None => self.objective.cost(linearization, &elimination.program),
        }
    }

    /// Tries the hierarchies. One that takes far more expressions than the best so far is given up; and unless steps
    /// are to be made in any case, none is begun that may use up the budget; but for the second, which is the opposite
    /// of the first: it may take a fraction of that, and is given up where it does not take less than half.
    fn start(
        &self,
        linearization: &Linearization,
        limit: usize,
        work: usize,
        mut evaluate: Option<&mut (dyn Evaluate + '_)>,
    ) -> Result<Start, Error> {
        let (mut start, mut dearer) = (Start::default(), Vec::<Elimination>::new());
        for (place, hierarchy) in PORTFOLIO.iter().enumerate() {
            let mut limit = start.tried.last().map_or(limit, |best| limit.min(2 * best.length() + FEW));
            if let Some(best) = start.tried.last()
                && self.steps.is_none()
                && start.work + HIERARCHY * limit > work
            {
                if place != 1 {
                    break;
                }
                limit = best.length() / 2;
            }
            let Ok(elimination) = hierarchy.eliminate(linearization, limit) else {
                start.work += HIERARCHY * limit.min(work);
                continue;
            };
            start.work += HIERARCHY * elimination.program.accumulations().len();
            // In small graphs, many hierarchies give the same.
            let mut known = start.tried.iter().map(|tried| &tried.elimination).chain(&dearer);
            if known.any(|known| known.program == elimination.program) {
                continue;
            }
            let cost = self.cost(linearization, &elimination, evaluate.as_deref_mut());
            if start.tried.last().is_none_or(|best| cost < best.cost) {
                start.tried.push(Tried { hierarchy, elimination, cost });
            } else {
                dearer.push(elimination);
            }
        }
        if start.tried.is_empty() { Err(Error::TooManySteps { limit }) } else { Ok(start) }
    }
}

/// Where a search begins.
#[derive(Default)]
struct Start {
    /// The hierarchies that were cheaper than all before them, in the order of the portfolio. There is one.
    tried: Vec<Tried>,
    /// What all the hierarchies have cost.
    work: usize,
}

/// A hierarchy.
struct Tried {
    hierarchy: &'static Hierarchy<Vertex>,
    elimination: Elimination,
    cost: Cost,
}

impl Start {
    fn cheapest(&self) -> &Tried {
        self.tried.last().expect("a hierarchy has been tried")
    }
}

impl Tried {
    /// The accumulation expressions that it takes.
    fn length(&self) -> usize {
        self.elimination.program.accumulations().len()
    }
}

/// The evaluator of plans in `space`.
///
/// # Errors
/// Where it enumerates paths, and there are too many.
fn evaluator<'a>(
    linearization: &'a Linearization,
    space: Space,
    objective: Objective,
) -> Result<Box<dyn Evaluate + 'a>, Error> {
    let Linearization { graph, program, .. } = linearization;
    Ok(match (space, objective) {
        (Space::Paths, _) => Box::new(OnPathGraph::new(linearization, objective)?),
        (Space::Faces, _) => Box::new(OnDualGraph::new(linearization, objective)),
        (_, Objective::Counted(measure)) => Box::new(OnGraph::new(graph, Counting::new(program, measure))),
        (_, Objective::Time) if linearization.algebra.list().is_straight() => {
            Box::new(OnGraph::new(graph, Interned::new(linearization)))
        }
        (_, Objective::Multiplications | Objective::Operations | Objective::Time) => {
            Box::new(OnGraph::new(graph, Emitting::new(linearization, objective)))
        }
    })
}

/// The elimination that `plan` gives.
fn carry_out(plan: &[Target], linearization: &Linearization) -> Elimination {
    let (mut graph, mut program) = (linearization.graph.clone(), linearization.program.clone());
    let sequence = plan.iter().copied().filter(|target| target.eliminate_from(&mut graph, &mut program)).collect();
    let mut inner = graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Intermediate);
    assert!(inner.all(|vertex| graph.incoming(vertex).is_empty()), "the plan leaves paths");
    program.set_entries(entries(&graph));
    Elimination { sequence, program }
}
