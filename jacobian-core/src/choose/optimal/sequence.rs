//! The best sequence of edges, faces, or pairs of labels, by branch and bound over states.
//!
//! What the rest of an elimination costs depends on the state alone, not on the steps that led there, so the search
//! keeps for every state what the rest costs at least. It goes depth first, with a budget that starts at the lower
//! bound and rises to the least that could do; a branch ends where what has been spent and what the rest costs at least
//! are above the budget. So it looks into no state that could not belong to a better sequence, and needs memory for a
//! key and a number a state.
//!
//! What the rest costs at least is known from three sources, each of which is valid for the state whichever branch
//! found it: the mode's own bounds on the state; what each vertex costs at least in the whole elimination
//! ([`crate::choose::bound`]), less what the branch has spent at it; and what the search has found below the state.

use std::collections::HashMap;
use std::marker::PhantomData;

use super::limits::{Limits, heuristic_eliminations};
use super::state::{Rest, Searchable, Values};
use crate::choose::bound::Cuts;
use crate::eliminate::Elimination;
use crate::error::Error;
use crate::error::TooLarge;
use crate::graph::program::{Measure, Program};
use crate::graph::{Graph, Role};

/// The fewest multiplications of all eliminations of `graph` in the mode `M`; its labels and the expressions that led
/// to it are in `program`. `known` may be an elimination, in any mode, that is known to be good: the search looks only
/// for better ones, and returns it if there is none.
///
/// It is found without a search where the lower bound proves a heuristic or the known elimination best.
///
/// # Errors
/// Where the search reaches one of its `limits`, and where the graph is too large for the mode.
pub fn sequence<M: Searchable>(
    graph: &Graph,
    program: Program,
    measure: Measure,
    known: Option<Elimination>,
    limits: Limits,
) -> Result<Elimination, Error> {
    // Equal labels of different edges must not make different states look the same.
    let graph = &if M::IS_LOCAL { graph.with_own_labels() } else { graph.clone() };
    let cost = |elimination: &Elimination| elimination.program.multiplications(measure);
    let too_large = TooLarge::States { mode: M::NAME, limit: limits.states };
    let start = Reached::<M>::new(graph, program.clone())?;
    if start.weight() > limits.states {
        return Err(too_large.into());
    }
    let heuristics = heuristic_eliminations::<M>(graph, &program, STEPS_OF_TARGETS / start.size());
    let best = known.into_iter().chain(heuristics).min_by_key(cost).ok_or(too_large)?;
    let known = cost(&best) - program.multiplications(measure);
    let better =
        SequenceSearch::new(graph, &start, measure, limits).below(known, &start).map_err(|OutOfStates| too_large)?;
    Ok(better.unwrap_or(best))
}

/// What states and steps take is measured by the number of targets, in units of this many.
const TARGETS: usize = 100;

/// The accumulation expressions of the heuristics that are tried for a good elimination to begin with, for a graph of
/// [`TARGETS`]: the more targets, the longer a step takes.
const STEPS_OF_TARGETS: usize = 30_000;

/// There are more states than allowed.
struct OutOfStates;

/// A state, and how it was reached.
#[derive(Clone)]
struct Reached<M> {
    mode: M,
    program: Program,
    values: Values,
    /// The multiplications on the way.
    spent: usize,
    /// By vertex: those of labels that meet there.
    spent_at: Vec<usize>,
}

impl<M: Searchable> Reached<M> {
    fn new(graph: &Graph, mut program: Program) -> Result<Self, Error> {
        let mode = M::new(graph, &mut program)?;
        let values = Values::new(&program);
        Ok(Reached { mode, program, values, spent: 0, spent_at: vec![0; graph.vertex_count()] })
    }

    fn size(&self) -> usize {
        self.mode.targets().len().div_ceil(TARGETS).max(1)
    }

    /// How many states it counts as: the time that one takes is as the square of its size.
    fn weight(&self) -> usize {
        self.size().pow(2)
    }

    /// The state after the elimination of `target`.
    fn after(&self, target: M::Target, measure: Measure) -> Self {
        let mut state = self.clone();
        let (centre, length) = (self.mode.centre(target), self.program.accumulations().len());
        state.mode.eliminate(target, &mut state.program);
        state.values.extend(&state.program);
        let step = state.program.multiplications_after(length, measure);
        state.spent += step;
        if let Some(centre) = centre {
            state.spent_at[centre.index()] += step;
        }
        state
    }
}

/// A state on the branch that is looked into.
struct Level<M: Searchable> {
    state: Reached<M>,
    key: u128,
    /// The targets that have not been tried, the last first.
    untried: Vec<M::Target>,
    /// The target that is tried.
    tried: Option<M::Target>,
    /// What the whole costs at least, by those that have been tried.
    least: usize,
}

impl<M: Searchable> Level<M> {
    fn new(state: Reached<M>, key: u128) -> Self {
        let mut untried = state.mode.first_targets();
        untried.reverse();
        Level { state, key, untried, tried: None, least: usize::MAX }
    }
}

struct SequenceSearch<M> {
    measure: Measure,
    /// By vertex: what it costs at least in the whole elimination.
    at_vertices: Vec<usize>,
    /// By the key of a state: what the rest costs at least.
    rest: HashMap<u128, usize>,
    /// How many states may still be made, each counted by its weight.
    left: usize,
    weight: usize,
    mode: PhantomData<M>,
}

impl<M: Searchable> SequenceSearch<M> {
    fn new(graph: &Graph, start: &Reached<M>, measure: Measure, limits: Limits) -> Self {
        let inner: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Intermediate).collect();
        let bounds = Cuts::new(graph, &start.program, measure).lower_bounds(&inner);
        let mut at_vertices = vec![0; graph.vertex_count()];
        for (vertex, bound) in inner.iter().zip(bounds) {
            at_vertices[vertex.index()] = bound;
        }
        SequenceSearch {
            measure,
            at_vertices,
            rest: HashMap::new(),
            left: limits.states,
            weight: start.weight(),
            mode: PhantomData,
        }
    }

    /// A best elimination, if there is one that costs less than `known`.
    fn below(&mut self, known: usize, start: &Reached<M>) -> Result<Option<Elimination>, OutOfStates> {
        let key = self.key(start);
        loop {
            let budget = self.lower_bound(start, key, usize::MAX);
            if budget >= known {
                return Ok(None);
            }
            if let Some(elimination) = self.within(budget, start, key)? {
                return Ok(Some(elimination));
            }
        }
    }

    /// An elimination from `start` on that costs no more than `budget`; if there is none, the lower bound of `start`
    /// is raised above it.
    fn within(&mut self, budget: usize, start: &Reached<M>, key: u128) -> Result<Option<Elimination>, OutOfStates> {
        let mut branch = vec![Level::new(start.clone(), key)];
        while let Some(level) = branch.last_mut() {
            let Some(target) = level.untried.pop() else {
                let least = self.leave(branch.pop().expect("a level"));
                if let Some(above) = branch.last_mut() {
                    above.least = above.least.min(least);
                }
                continue;
            };
            level.tried = Some(target);
            self.left = self.left.checked_sub(self.weight).ok_or(OutOfStates)?;
            let state = level.state.after(target, self.measure);
            let key = self.key(&state);
            let least = self.lower_bound(&state, key, budget);
            if least > budget {
                level.least = level.least.min(least);
                continue;
            }
            let next = Level::new(state, key);
            if next.untried.is_empty() {
                return Ok(Some(elimination(branch, next.state)));
            }
            branch.push(next);
        }
        Ok(None)
    }

    fn key(&self, state: &Reached<M>) -> u128 {
        state.mode.key(&state.program, &state.values, self.measure)
    }

    /// What the whole costs at least that begins with the way to this state; not the most that is known where less is
    /// above the budget.
    fn lower_bound(&mut self, state: &Reached<M>, key: u128, budget: usize) -> usize {
        let found = state.spent + self.rest.get(&key).copied().unwrap_or(0);
        if found > budget {
            return found;
        }
        let Rest { at_vertices, for_entries } = state.mode.rest(&state.program, self.measure);
        let at_each = self.at_vertices.iter().zip(&state.spent_at).zip(at_vertices);
        let at_all = at_each.map(|((&all, &spent), rest)| all.saturating_sub(spent).max(rest)).sum();
        found.max(state.spent + for_entries.max(at_all))
    }

    /// Keeps what has been found below a state. Returns what the whole costs at least by way of it.
    fn leave(&mut self, level: Level<M>) -> usize {
        let rest = self.rest.entry(level.key).or_insert(0);
        *rest = (*rest).max(level.least - level.state.spent);
        level.least
    }
}

/// The elimination along a branch to its end.
fn elimination<M: Searchable>(branch: Vec<Level<M>>, end: Reached<M>) -> Elimination {
    let describe = |level: &Level<M>| level.tried.map(|target| level.state.mode.describe(target));
    let sequence = branch.iter().filter_map(describe).collect();
    let mut program = end.program;
    program.set_entries(end.mode.entries());
    Elimination { sequence, program }
}
