//! All graphs with the fewest edges that elimination can reach, or one with the fewest degrees of freedom.
//!
//! *Vertices first.* For a set `K` of intermediates and a graph `X`, let `X/K` be what the elimination of all others
//! leaves: an edge wherever a path of `X` leads from one vertex that is left to another by way of eliminated ones
//! alone. Let the elimination of edges lead from a graph `G` to a graph `S` whose intermediates are `K`. Then what it
//! can reach from `G/K` includes a part of `S`. For follow the steps, let `X` be the graph at the time, `G` at first
//! and `S = S/K` at last, and keep a part `T` of `X/K` that can be reached from `G/K`:
//!
//! - A step at a vertex outside of `K` leaves `X/K` as it is.
//! - The elimination of `(i, k)` from the front, with `k` in `K`, takes from `X/K` the edges `(a, k)` for the `a` whose
//!   paths to `k` end with `(i, k)`, all of them, and gives these `a` edges to the successors of `k`. Eliminate the
//!   same from `T`: the successors that `k` has there are among those. The same holds from the back.
//!
//! A part of `S` has fewer edges, and fewer degrees of freedom: with an intermediate go two edges at least. So what is
//! best is found among the graphs that are reached from some `G/K` when edges *bypass* vertices of `K`, each of which
//! keeps an edge on either side.
//!
//! *Bound.* With `e` edges and `k` intermediates, a graph stands for a set of Jacobians whose dimension is at most `e -
//! k`: the labels to an intermediate may be multiplied by a number, and those from it divided by the same. Elimination
//! makes that set no smaller. So where `k` vertices stay, no fewer edges than its dimension and `k` are to be had.

use std::collections::HashSet;

use super::freedom::dimension;
use super::pattern::{Bypass, End, Pattern, Problem};
use super::{By, TooManyStates};
use fixedbitset::FixedBitSet;

/// How a graph is reached.
#[derive(Clone)]
pub(super) struct Route {
    /// The vertices that are eliminated first.
    pub(super) eliminated: FixedBitSet,
    /// The edges that are eliminated then.
    pub(super) bypasses: Vec<Bypass>,
}

/// What is looked for.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Aim {
    /// All graphs with the fewest edges.
    Edges,
    /// A graph with the fewest degrees of freedom.
    Freedom,
}

/// The routes to what is looked for, in at most `states` states.
pub(super) fn search(problem: &Problem, by: By, aim: Aim, states: usize) -> Result<Vec<Route>, TooManyStates> {
    let pattern = &problem.pattern;
    let mut open: Vec<usize> = problem.intermediates.ones().collect();
    open.sort_by_key(|&vertex| pattern.predecessors(vertex).count_ones(..) * pattern.successors(vertex).count_ones(..));
    let none = FixedBitSet::with_capacity(pattern.len());
    let mut search = GraphSearch { by, aim, states, best: usize::MAX, routes: Vec::new(), kept: none.clone() };
    search.decide(pattern.clone(), &mut open, Route { eliminated: none, bypasses: Vec::new() })?;
    Ok(search.routes)
}

struct GraphSearch {
    by: By,
    aim: Aim,
    /// How many states may still be seen.
    states: usize,
    /// The least count so far.
    best: usize,
    /// The routes to graphs that have it.
    routes: Vec<Route>,
    /// The vertices that stay.
    kept: FixedBitSet,
}

impl GraphSearch {
    /// Decides on the vertices that are open, the last first.
    fn decide(&mut self, pattern: Pattern, open: &mut Vec<usize>, route: Route) -> Result<(), TooManyStates> {
        self.states = self.states.checked_sub(1).ok_or(TooManyStates)?;
        if self.is_hopeless(&pattern) {
            return Ok(());
        }
        let Some(vertex) = open.pop() else { return self.finish(pattern, route) };
        let (mut smaller, mut longer) = (pattern.clone(), route.clone());
        smaller.eliminate(vertex);
        longer.eliminated.insert(vertex);
        self.decide(smaller, open, longer)?;
        self.kept.insert(vertex);
        self.decide(pattern, open, route)?;
        self.kept.remove(vertex);
        open.push(vertex);
        Ok(())
    }

    /// Whether no graph that can be reached with the vertices that stay is wanted.
    fn is_hopeless(&self, pattern: &Pattern) -> bool {
        match self.aim {
            Aim::Edges => dimension(pattern) + self.kept.count_ones(..) > self.best,
            Aim::Freedom => dimension(pattern) >= self.best,
        }
    }

    /// All vertices have been decided on.
    fn finish(&mut self, pattern: Pattern, route: Route) -> Result<(), TooManyStates> {
        match self.by {
            By::Vertices => self.offer(&pattern, &route),
            By::Edges => self.bypass(pattern, route)?,
        }
        Ok(())
    }

    /// Sees all graphs that bypassing leads to.
    fn bypass(&mut self, pattern: Pattern, route: Route) -> Result<(), TooManyStates> {
        let mut seen = HashSet::from([pattern.clone()]);
        let mut stack = vec![(pattern, route)];
        while let Some((pattern, route)) = stack.pop() {
            self.states = self.states.checked_sub(1).ok_or(TooManyStates)?;
            self.offer(&pattern, &route);
            for bypass in self.bypasses(&pattern) {
                let mut next = pattern.clone();
                next.bypass(bypass);
                if !self.is_hopeless(&next) && seen.insert(next.clone()) {
                    let mut longer = route.clone();
                    longer.bypasses.push(bypass);
                    stack.push((next, longer));
                }
            }
        }
        Ok(())
    }

    /// What edges can bypass so that it keeps one on that side.
    fn bypasses(&self, pattern: &Pattern) -> Vec<Bypass> {
        let mut bypasses = Vec::new();
        for kept in self.kept.ones() {
            let (sources, targets) = (pattern.predecessors(kept), pattern.successors(kept));
            if sources.count_ones(..) > 1 {
                bypasses.extend(sources.ones().map(|source| Bypass { source, target: kept, end: End::Target }));
            }
            if targets.count_ones(..) > 1 {
                bypasses.extend(targets.ones().map(|target| Bypass { source: kept, target, end: End::Source }));
            }
        }
        bypasses
    }

    /// Takes a graph if it is wanted.
    fn offer(&mut self, pattern: &Pattern, route: &Route) {
        let count = match self.aim {
            Aim::Edges => pattern.edges(),
            Aim::Freedom => pattern.edges() - self.kept.count_ones(..),
        };
        if count < self.best {
            (self.best, self.routes) = (count, vec![route.clone()]);
        } else if count == self.best && self.aim == Aim::Edges {
            self.routes.push(route.clone());
        }
    }
}
