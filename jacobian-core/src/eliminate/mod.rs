//! The elimination loop, one for every mode.
//!
//! A mode says what is eliminated (vertices, edges, faces, or pairs of labels) and how; a heuristic is a filter that
//! keeps the best of the candidate targets; a hierarchy is a list of filters, each applied to what the one before it
//! left, that ends in a total order (the scheme of xaifBooster's data locality heuristics). The loop eliminates the one
//! target that is left, until there is none.
//!
//! A filter is given by a key: it keeps the targets whose key is least. So a hierarchy is the lexicographic order of
//! its keys, and the loop keeps the candidates ranked by it; a step renews only the keys that it can change.

mod breadth_first;
pub mod edge;
pub mod face;
pub mod path;
mod reach;
pub mod target;
pub mod vertex;

use std::cmp::Ordering;
use std::fmt;

pub use self::target::Target;
use crate::error::Error;
use crate::graph::elimination::Eliminate;
use crate::graph::program::{Entry, Program};
use crate::graph::{Graph, Role};
use crate::ranking::Ranking;

/// The most filters in a hierarchy.
pub const MAX_FILTERS: usize = 6;

/// The most keys that an elimination computes: up to some seconds without optimization. It bounds hierarchies that look
/// far at every step, and faces, of which some orders make very many.
pub const MAX_KEYS: usize = 2_000_000;

/// A heuristic: one row of a mode's table.
pub struct Heuristic<M: Mode> {
    /// The name in a strategy.
    pub name: &'static str,
    /// What the filter keeps.
    pub keeps: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether no two targets have the same key, except faces with the same three vertices: of these, the loop takes
    /// the oldest.
    pub is_total: bool,
    /// What the key depends on.
    pub scope: Scope,
    /// The key; the least is best.
    pub key: fn(&M, M::Target) -> i64,
}

impl<M: Mode> fmt::Debug for Heuristic<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// What the keys of a heuristic depend on, so which of them a step can change.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// On which target it is, and so on nothing that a step can change.
    Name,
    /// On the target and on what touches it.
    Own,
    /// On what touches its neighbours, too.
    Near,
    /// On the previous elimination as well, and there is nothing to tell apart among targets that are not near it.
    Previous,
    /// On anything.
    All,
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Scope::Name | Scope::Own => "the target",
            Scope::Near => "the target's neighbours",
            Scope::Previous => "the previous elimination",
            Scope::All => "the whole graph",
        })
    }
}

/// A way to eliminate: the graph in the form that it works on, and what the targets are.
pub trait Mode: Sized + 'static {
    /// What is eliminated.
    type Target: Copy + Ord + fmt::Debug;

    /// The name in a strategy.
    const NAME: &'static str;

    /// How an order names its targets, in words.
    const WRITTEN: &'static str;

    /// The table of heuristics.
    const HEURISTICS: &'static [Heuristic<Self>];

    /// The total order after hierarchies that end in none.
    const REVERSE: &'static Heuristic<Self>;

    /// The state before the first elimination. What leaves no choice is done ahead of it, in `program`.
    ///
    /// # Errors
    /// Where the form that the mode works on is too large.
    fn new(graph: &Graph, program: &mut Program) -> Result<Self, Error>;

    /// The number of a target, to index with; few numbers are unused. A target that is gone gives its number to none.
    fn index(target: Self::Target) -> usize;

    /// All that can be eliminated now.
    fn targets(&self) -> Vec<Self::Target>;

    /// Whether `target` can be eliminated now.
    fn is_target(&self, target: Self::Target) -> bool;

    /// The target as the literature writes it.
    fn describe(&self, target: Self::Target) -> Target;

    /// Whether an order in this mode may name `target`: one of its own, or a vertex, where its parts are targets.
    fn may_name(target: Target) -> bool;

    /// The target that this description means, if it can be eliminated now; of a vertex, a part.
    fn find(&self, description: Target) -> Option<Self::Target>;

    /// Eliminates `target`, and appends the expressions to `program`.
    fn eliminate(&mut self, target: Self::Target, program: &mut Program);

    /// Appends every target whose key may be another after the last elimination than before, for keys of this scope
    /// ([`Scope::Near`] or less), those that are new or gone included. A target may be appended twice.
    fn changed(&self, scope: Scope, changed: &mut Vec<Self::Target>);

    /// The entries of the Jacobian, once nothing is left to eliminate.
    fn entries(&self) -> Vec<Entry>;
}

impl Target {
    /// Eliminates an intermediate vertex, or an edge at one, from a graph, and tells whether it was there.
    pub fn eliminate_from(self, graph: &mut Graph, program: &mut Program) -> bool {
        let is_inner = |vertex| graph.role(vertex) == Role::Intermediate && !graph.incoming(vertex).is_empty();
        match self {
            Target::Vertex(vertex) if is_inner(vertex) => graph.eliminate_vertex(vertex, program),
            Target::Front(ends) if is_inner(ends.target) => match graph.find_edge(ends.source, ends.target) {
                Some(edge) => graph.with(program).eliminate_front(edge),
                None => return false,
            },
            Target::Back(ends) if is_inner(ends.source) => match graph.find_edge(ends.source, ends.target) {
                Some(edge) => graph.with(program).eliminate_back(edge),
                None => return false,
            },
            _ => return false,
        }
        true
    }
}

/// A complete elimination.
#[derive(Clone, Debug)]
pub struct Elimination {
    /// The targets, in the order of their elimination.
    pub sequence: Vec<Target>,
    /// What became of the labels.
    pub program: Program,
}

impl fmt::Display for Elimination {
    /// The sequence in one line, then the program.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for target in &self.sequence {
            write!(formatter, "{target} ")?;
        }
        write!(formatter, "\n{}", self.program)
    }
}

/// Eliminates all targets of `graph` in the order of `hierarchy`. `program` has the expressions that led to `graph`,
/// and gets at most `limit` in all.
///
/// # Errors
/// Where it would get more, where too many keys would be computed, and as [`Mode::new`].
pub fn run<M: Mode>(
    graph: &Graph,
    hierarchy: &[&Heuristic<M>],
    mut program: Program,
    limit: usize,
) -> Result<Elimination, Error> {
    let mut mode = M::new(graph, &mut program)?;
    let mut queue = Queue::new(&mode, hierarchy);
    let mut sequence = Vec::new();
    while let Some(target) = queue.pop() {
        sequence.push(mode.describe(target));
        mode.eliminate(target, &mut program);
        if program.accumulations().len() > limit {
            return Err(Error::TooManySteps { limit });
        }
        queue.renew(&mode);
        if queue.computed > MAX_KEYS {
            return Err(Error::TooManyKeys { mode: M::NAME, limit: MAX_KEYS });
        }
    }
    program.set_entries(mode.entries());
    Ok(Elimination { sequence, program })
}

/// A target and its keys, by which it is ranked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Ranked<T> {
    keys: [i64; MAX_FILTERS],
    target: T,
}

impl<T: Ord> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.keys.cmp(&other.keys).then_with(|| self.target.cmp(&other.target))
    }
}

impl<T: Ord> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    /// By hand: without optimization, arrays are compared by dozens of calls.
    fn lt(&self, other: &Self) -> bool {
        let mut at = 0;
        while at < MAX_FILTERS {
            if self.keys[at] != other.keys[at] {
                return self.keys[at] < other.keys[at];
            }
            at += 1;
        }
        self.target < other.target
    }
}

/// The candidates, ordered by their keys.
struct Queue<'a, M: Mode> {
    hierarchy: &'a [&'a Heuristic<M>],
    scope: Scope,
    /// By number; of equal keys, the least target is first.
    ranking: Ranking<Ranked<M::Target>>,
    /// How many keys have been computed.
    computed: usize,
    /// The targets whose keys a step may have changed.
    changed: Vec<M::Target>,
    /// Those near the elimination before.
    previous: Vec<M::Target>,
}

impl<'a, M: Mode> Queue<'a, M> {
    fn new(mode: &M, hierarchy: &'a [&'a Heuristic<M>]) -> Self {
        // What follows a total order decides nothing.
        let length = hierarchy.iter().position(|heuristic| heuristic.is_total).map_or(hierarchy.len(), |last| last + 1);
        let hierarchy = &hierarchy[..length];
        let mut queue = Queue {
            hierarchy,
            scope: hierarchy.iter().map(|heuristic| heuristic.scope).max().unwrap_or(Scope::Name),
            ranking: Ranking::new(),
            computed: 0,
            changed: Vec::new(),
            previous: Vec::new(),
        };
        for target in mode.targets() {
            queue.renew_target(mode, target);
        }
        queue
    }

    /// Renews the keys that the last elimination may have changed.
    fn renew(&mut self, mode: &M) {
        let mut changed = std::mem::take(&mut self.changed);
        match self.scope {
            Scope::All => {
                changed.extend(self.ranking.all().map(|ranked| ranked.target));
                mode.changed(Scope::Own, &mut changed);
            }
            Scope::Previous => {
                mode.changed(Scope::Near, &mut changed);
                let near = changed.len();
                changed.append(&mut self.previous);
                self.previous.extend_from_slice(&changed[..near]);
            }
            Scope::Name | Scope::Own | Scope::Near => mode.changed(self.scope, &mut changed),
        }
        if self.scope > Scope::Own {
            // Neighbours of neighbours are appended many times.
            changed.sort_unstable();
            changed.dedup();
        }
        for target in changed.drain(..) {
            self.renew_target(mode, target);
        }
        self.changed = changed;
    }

    fn renew_target(&mut self, mode: &M, target: M::Target) {
        self.computed += 1;
        let index = M::index(target);
        if !mode.is_target(target) {
            self.ranking.remove(index);
            return;
        }
        let known = self.ranking.key(index);
        if self.scope == Scope::Name && known.is_some_and(|known| known.target == target) {
            return;
        }
        let ranked = Ranked { keys: self.keys_of(mode, target), target };
        if known.is_none_or(|known| *known != ranked) {
            self.ranking.insert(index, ranked);
        }
    }

    fn keys_of(&self, mode: &M, target: M::Target) -> [i64; MAX_FILTERS] {
        let (mut keys, mut at) = ([0; MAX_FILTERS], 0);
        while at < self.hierarchy.len() {
            keys[at] = (self.hierarchy[at].key)(mode, target);
            at += 1;
        }
        keys
    }

    fn pop(&mut self) -> Option<M::Target> {
        self.ranking.pop_first().map(|(ranked, _)| ranked.target)
    }
}
