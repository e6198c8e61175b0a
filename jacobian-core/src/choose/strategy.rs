//! Strategies, and the table of their presets.

use std::fmt;
use std::rc::Rc;

pub use crate::choose::hierarchy::{Hierarchy, PORTFOLIO};
pub use crate::choose::modes::{Filter, MODES, ModeRow};
use crate::choose::optimal::Optimal;
pub use crate::choose::order::{MAX_ACCUMULATIONS, Objective, Order};
use crate::choose::paths::Paths;
use crate::choose::search::{Search, Space};
use crate::eliminate::vertex::{FORWARD, MARKOWITZ, REVERSE, SIBLING, SUCCESSOR_PREDECESSOR, VLR};

/// How the order of the chain-rule operations is found.
#[derive(Clone, Debug, Default)]
pub enum Strategy {
    /// The cheapest code that a bounded search finds which begins with the [`PORTFOLIO`], by the time that it is
    /// estimated to take.
    #[default]
    Auto,
    /// By this order.
    Order(Rc<dyn Order>),
}

/// A name for a strategy: one row of [`PRESETS`].
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it stands for.
    pub strategy: fn() -> Strategy,
    /// What it makes small.
    pub minimises: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The work of the engine for a graph of `V` vertices and `E` edges, where the program has `A` expressions.
    pub complexity: &'static str,
    /// When to use it.
    pub use_when: &'static str,
}

/// Every preset.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "auto",
        strategy: || Strategy::Auto,
        minimises: "the time that the emitted code is estimated to take: its operations and its critical path",
        source: "simulated annealing from the best of several hierarchies",
        complexity: "that of some hierarchies and of some hundred steps, fewer for large functions",
        use_when: "always, unless you study orders or want a fixed one",
    },
    Preset {
        name: "forward",
        strategy: || Strategy::of(Hierarchy::fixed(&[&FORWARD])),
        minimises: "nothing: a fixed order",
        source: "Griewank and Reese 1991",
        complexity: "A + V log V",
        use_when: "few inputs, many results",
    },
    Preset {
        name: "reverse",
        strategy: Strategy::reverse,
        minimises: "nothing: a fixed order",
        source: "Griewank and Reese 1991",
        complexity: "A + V log V",
        use_when: "many inputs, few results",
    },
    Preset {
        name: "markowitz",
        strategy: || Strategy::of(Hierarchy::fixed(&[&MARKOWITZ, &REVERSE])),
        minimises: "the products of each step",
        source: "Griewank and Reese 1991",
        complexity: "A log V",
        use_when: "about as many inputs as results",
    },
    Preset {
        name: "vlr",
        strategy: || Strategy::of(Hierarchy::fixed(&[&VLR, &REVERSE])),
        minimises: "the products of each step beyond those that no order avoids",
        source: "Forth, Tadjouddine, Pryce and Reid 2004",
        complexity: "A log V + E V / 64",
        use_when: "as markowitz, where some vertices lie on most paths",
    },
    Preset {
        name: "locality",
        strategy: || Strategy::of(Hierarchy::fixed(&[&SIBLING, &SUCCESSOR_PREDECESSOR, &MARKOWITZ, &REVERSE])),
        minimises: "the distance between a label's statement and its use",
        source: "xaifBooster, data locality heuristics",
        complexity: "A d log V, where d is the degree of the neighbours",
        use_when: "to study locality: no function is known that is faster by it (docs/schedules.md)",
    },
    Preset {
        name: "optimal",
        strategy: || Strategy::of(Optimal::VERTEX),
        minimises: "the multiplications that are left when ones and constants are folded: proven least, or an error",
        source: "branch and bound over connected sets of vertices; Naumann 2004 for edges and faces, Lyons for paths",
        complexity: "V E to prove a good order by the lower bound, for up to some thousand vertices; else exponential in V",
        use_when: "small functions that are called very often",
    },
    Preset {
        name: "search",
        strategy: || Strategy::of(Search::in_space(Space::Vertices)),
        minimises: "the time that the emitted code is estimated to take",
        source: "simulated annealing; logarithmic cooling for elimination orders in Naumann and Gottschling 2003",
        complexity: "A for each step",
        use_when: "the function is called very often and is worth a second or, by `search(steps = N)`, more",
    },
    Preset {
        name: "paths",
        strategy: || Strategy::of(Paths),
        minimises: "nothing: all paths are multiplied out",
        source: "Bauer 1974",
        complexity: "the sum of the lengths of all paths, which may be exponential in V",
        use_when: "as the yardstick of the others, on small functions",
    },
];

/// The most steps that a search can be told to take: hours, for a function of a hundred statements without
/// optimization.
pub const MAX_STEPS: usize = 10_000_000;

/// Every strategy that looks for nothing: presets, the hierarchies of the portfolio, and every filter alone; each once,
/// in the order of the tables.
pub fn fixed() -> Vec<Strategy> {
    let presets = PRESETS.iter().map(|preset| (preset.strategy)()).filter(Strategy::is_fixed);
    let portfolio = PORTFOLIO.iter().map(|hierarchy| Strategy::of(hierarchy.clone()));
    let alone = |mode: &ModeRow, filter| Strategy::Order((mode.hierarchy)(&[filter]));
    let filters = MODES.iter().flat_map(|mode| (0..(mode.filters)().len()).map(move |filter| alone(mode, filter)));
    let mut different: Vec<Strategy> = Vec::new();
    for strategy in presets.chain(portfolio).chain(filters) {
        if different.iter().all(|other| other.to_string() != strategy.to_string()) {
            different.push(strategy);
        }
    }
    different
}

/// Every strategy but given orders: `auto`, those that are fixed, and the proofs and searches of all modes.
pub fn all() -> Vec<Strategy> {
    let searches = MODES.iter().flat_map(ModeRow::searches).map(Strategy::Order);
    [Strategy::Auto].into_iter().chain(fixed()).chain(searches).collect()
}

impl Strategy {
    /// The strategy with this order.
    pub fn of(order: impl Order + 'static) -> Strategy {
        Strategy::Order(Rc::new(order))
    }

    /// `vertex: forward`.
    pub fn forward() -> Strategy {
        Strategy::of(Hierarchy::fixed(&[&FORWARD]))
    }

    /// `vertex: reverse`.
    pub fn reverse() -> Strategy {
        Strategy::of(Hierarchy::fixed(&[&REVERSE]))
    }

    /// The strategy with another objective, where it has one.
    pub fn minimising(&self, objective: Objective) -> Option<Strategy> {
        match self {
            Strategy::Auto => None,
            Strategy::Order(order) => order.minimising(objective).map(Strategy::Order),
        }
    }

    /// Whether it looks for nothing: it has no objective.
    pub fn is_fixed(&self) -> bool {
        matches!(self, Strategy::Order(order) if order.minimising(Objective::default()).is_none())
    }

    /// The strategy with a number of steps, if it is a search.
    pub fn with_steps(&self, steps: usize) -> Option<Strategy> {
        match self {
            Strategy::Auto => None,
            Strategy::Order(order) => order.with_steps(steps).map(Strategy::Order),
        }
    }

    /// The strategy with other random numbers, if it is a search; the seed is not 0.
    pub fn with_seed(&self, seed: u64) -> Option<Strategy> {
        match self {
            Strategy::Auto => None,
            Strategy::Order(order) => order.with_seed(seed).map(Strategy::Order),
        }
    }

    /// The number of steps, where one is given.
    pub fn steps(&self) -> Option<usize> {
        match self {
            Strategy::Auto => None,
            Strategy::Order(order) => order.steps(),
        }
    }

    /// The name of its mode, if it has one.
    pub fn mode(&self) -> Option<&'static str> {
        match self {
            Strategy::Auto => None,
            Strategy::Order(order) => order.mode(),
        }
    }

    /// The strategy for the arms of branches, whose graphs are others.
    pub fn in_arms(&self) -> Strategy {
        match self {
            Strategy::Order(order) if order.is_of_one_graph() => Strategy::Auto,
            _ => self.clone(),
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Auto => formatter.write_str("auto"),
            Strategy::Order(order) => order.fmt(formatter),
        }
    }
}
