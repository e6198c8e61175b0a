//! The elimination loop, one for every mode.
//!
//! A mode says what is eliminated (vertices; edges and faces fit the same trait) and how; a heuristic is a filter that
//! keeps the best of the candidate targets; a hierarchy is a list of filters, each applied to what the one before it
//! left, that ends in a total order. The loop eliminates the one target that is left, until there is none.
//!
//! A filter is given by a key: it keeps the targets whose key is least. So a hierarchy is the lexicographic order of
//! its keys, and the loop keeps the candidates in a set ordered by it; a step renews only the keys that it can change.

pub mod vertex;

use std::collections::BTreeSet;
use std::fmt;

use crate::graph::{Accumulation, Edge, EdgeId, Graph};

/// The most filters in a hierarchy.
pub const MAX_FILTERS: usize = 6;

/// A heuristic: one row of a mode's table.
pub struct Heuristic<M: Mode> {
    /// The name in a strategy.
    pub name: &'static str,
    /// What the filter keeps.
    pub keeps: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether no two targets have the same key.
    pub is_total: bool,
    /// The key; the least is best. It may depend on the target and on what touches it.
    pub key: fn(&M, &Graph, M::Target) -> i64,
}

impl<M: Mode> fmt::Debug for Heuristic<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// A way to eliminate: what the targets are and what happens to them.
pub trait Mode: Sized + 'static {
    /// What is eliminated.
    type Target: Copy + Ord + std::fmt::Debug;

    /// The name in a strategy.
    const NAME: &'static str;

    /// The table of heuristics.
    const HEURISTICS: &'static [Heuristic<Self>];

    /// Prepares what the heuristics want to know of the graph before the first step.
    fn new(graph: &Graph) -> Self;

    /// The number of a target, to index with; few numbers are unused.
    fn index(target: Self::Target) -> usize;

    /// The targets at the start.
    fn targets(&self, graph: &Graph) -> Vec<Self::Target>;

    /// Eliminates `target`. Appends the expressions to `accumulations`, and to `touched` every remaining target whose
    /// key may be another afterwards.
    fn eliminate(
        &self,
        graph: &mut Graph,
        target: Self::Target,
        accumulations: &mut Vec<Accumulation>,
        touched: &mut Vec<Self::Target>,
    );
}

/// A complete elimination: the graph that it leaves is bipartite, its edges are the entries of the Jacobian.
#[derive(Clone, Debug)]
pub struct Elimination<T> {
    /// The targets, in the order of their elimination.
    pub sequence: Vec<T>,
    /// What happened to the labels.
    pub accumulations: Vec<Accumulation>,
    /// The graph that is left.
    pub graph: Graph,
}

impl<T> fmt::Display for Elimination<T> {
    /// A line for every expression, `c[j,i] = c[k,i] * c[j,k]` or, where it absorbs, with `+=`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = |edge: EdgeId| {
            let Edge { source, target } = self.graph.edge(edge);
            format!("c[{},{}]", target.0, source.0)
        };
        for step in &self.accumulations {
            let operator = if step.absorbs { "+=" } else { "=" };
            let (first, second) = (label(step.first), label(step.second));
            writeln!(formatter, "{} {operator} {first} * {second}", label(step.target))?;
        }
        Ok(())
    }
}

/// An elimination would take more accumulation expressions than allowed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TooManySteps;

/// Eliminates all targets of `graph` in the order of `hierarchy`, in at most `limit` accumulation expressions.
pub fn run<M: Mode>(
    graph: &Graph,
    hierarchy: &[&Heuristic<M>],
    limit: usize,
) -> Result<Elimination<M::Target>, TooManySteps> {
    let mode = M::new(graph);
    let mut graph = graph.clone();
    let mut queue = Queue::new(&mode, &graph, hierarchy);
    let (mut sequence, mut accumulations, mut touched) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(target) = queue.pop() {
        mode.eliminate(&mut graph, target, &mut accumulations, &mut touched);
        sequence.push(target);
        if accumulations.len() > limit {
            return Err(TooManySteps);
        }
        for target in touched.drain(..) {
            queue.renew(&mode, &graph, target);
        }
    }
    Ok(Elimination { sequence, accumulations, graph })
}

type Keys = [i64; MAX_FILTERS];

/// The candidates, ordered by their keys.
struct Queue<'a, M: Mode> {
    hierarchy: &'a [&'a Heuristic<M>],
    ordered: BTreeSet<(Keys, M::Target)>,
    /// The keys under which each candidate stands in `ordered`, by its number.
    keys: Vec<Option<Keys>>,
}

impl<'a, M: Mode> Queue<'a, M> {
    fn new(mode: &M, graph: &Graph, hierarchy: &'a [&'a Heuristic<M>]) -> Self {
        // What stands behind a total order decides nothing.
        let length = hierarchy.iter().position(|heuristic| heuristic.is_total).map_or(hierarchy.len(), |last| last + 1);
        let mut queue = Queue { hierarchy: &hierarchy[..length], ordered: BTreeSet::new(), keys: Vec::new() };
        for target in mode.targets(graph) {
            let keys = queue.keys_of(mode, graph, target);
            queue.insert(target, keys);
        }
        queue
    }

    fn keys_of(&self, mode: &M, graph: &Graph, target: M::Target) -> Keys {
        let mut keys = [0; MAX_FILTERS];
        for (key, heuristic) in keys.iter_mut().zip(self.hierarchy) {
            *key = (heuristic.key)(mode, graph, target);
        }
        keys
    }

    fn insert(&mut self, target: M::Target, keys: Keys) {
        self.ordered.insert((keys, target));
        let index = M::index(target);
        if index >= self.keys.len() {
            self.keys.resize(index + 1, None);
        }
        self.keys[index] = Some(keys);
    }

    fn renew(&mut self, mode: &M, graph: &Graph, target: M::Target) {
        let Some(Some(old)) = self.keys.get(M::index(target)).copied() else {
            return;
        };
        let new = self.keys_of(mode, graph, target);
        if new != old {
            self.ordered.remove(&(old, target));
            self.insert(target, new);
        }
    }

    fn pop(&mut self) -> Option<M::Target> {
        let (_, target) = self.ordered.pop_first()?;
        self.keys[M::index(target)] = None;
        Some(target)
    }
}
