//! Strategies: their names, their syntax, and the tables of modes and presets.
//!
//! ```text
//! strategy = preset | mode ":" order
//! order    = filter { ">" filter } | "optimal" | search
//! search   = "search" [ "(" "steps" "=" number ")" ]
//! ```

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

pub use crate::choose::hierarchy::{Hierarchy, PORTFOLIO};
use crate::choose::optimal::{self, Optimal};
pub use crate::choose::order::{MAX_ACCUMULATIONS, Objective, Order};
use crate::choose::paths::Paths;
use crate::choose::search::{Search, Space};
use crate::eliminate::edge::Edge;
use crate::eliminate::face::Face;
use crate::eliminate::path::Path;
use crate::eliminate::vertex::{REVERSE, Vertex};
use crate::eliminate::{Heuristic, MAX_FILTERS, Mode, Sight};
use crate::graph::program::Measure;

/// How the order of the chain-rule operations is found.
#[derive(Clone, Debug, Default)]
pub enum Strategy {
    /// The cheapest code that a bounded search finds which begins with the [`PORTFOLIO`], by the time that it is estimated
    /// to take.
    #[default]
    Auto,
    /// By this order.
    Order(Rc<dyn Order>),
}

/// A mode: one row of [`MODES`].
pub struct ModeRow {
    /// The name in a strategy.
    pub name: &'static str,
    /// What is eliminated.
    pub eliminates: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// When to use it.
    pub use_when: &'static str,
    /// Its filters.
    pub filters: fn() -> Vec<Filter>,
    /// Finds a proven optimum, if the mode has a way to.
    optimal: Option<optimal::Find>,
    /// What a search may eliminate, if the mode has one.
    search: Option<Space>,
    /// Reads a hierarchy.
    hierarchy: fn(&str) -> Result<Rc<dyn Order>, StrategyError>,
}

/// A heuristic of any mode.
pub struct Filter {
    /// The name in a strategy.
    pub name: &'static str,
    /// What it keeps.
    pub keeps: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What its keys depend on, which decides the work of a step.
    pub sight: Sight,
}

/// Every mode.
pub const MODES: &[ModeRow] = &[
    ModeRow {
        eliminates: "a vertex: all pairs of an edge to it and an edge from it",
        source: "Griewank and Reese 1991",
        use_when: "always, unless one of the others is cheaper",
        optimal: Some(optimal::best_order),
        search: Some(Space::Vertices),
        ..row::<Vertex>()
    },
    ModeRow {
        eliminates: "an edge: all pairs of it and an edge from its target (front) or to its source (back)",
        source: "Naumann 2004",
        use_when: "a few inputs or results join paths that are shared by many: no order of vertices is as cheap",
        optimal: Some(optimal::best_sequence::<Edge>),
        search: Some(Space::Edges),
        ..row::<Edge>()
    },
    ModeRow {
        eliminates: "a face: one pair of labels on a path",
        source: "Naumann 2004",
        use_when: "small functions of that kind; it takes several times as long as the others",
        optimal: Some(optimal::best_sequence::<Face>),
        search: Some(Space::Faces),
        ..row::<Face>()
    },
    ModeRow {
        eliminates: "a pair of labels: their product takes their place on every path that has both",
        source: "Lyons, A new graph construction for the optimal Jacobian accumulation problem",
        use_when: "small functions in which the same partial occurs at several places",
        optimal: Some(optimal::best_sequence::<Path>),
        ..row::<Path>()
    },
];

const fn row<M: Mode>() -> ModeRow {
    ModeRow {
        name: M::NAME,
        eliminates: "",
        source: "",
        use_when: "",
        filters: filters::<M>,
        optimal: None,
        search: None,
        hierarchy: hierarchy::<M>,
    }
}

fn filters<M: Mode>() -> Vec<Filter> {
    M::HEURISTICS
        .iter()
        .map(|&Heuristic { name, keeps, source, sight, .. }| Filter { name, keeps, source, sight })
        .collect()
}

fn hierarchy<M: Mode>(filters: &str) -> Result<Rc<dyn Order>, StrategyError> {
    Ok(Rc::new(filters.parse::<Hierarchy<M>>()?))
}

/// A name for a strategy: one row of [`PRESETS`].
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it stands for.
    pub meaning: Meaning,
    /// What it makes small.
    pub minimises: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The work of the engine for a graph of `V` vertices and `E` edges, where the program has `A` expressions.
    pub complexity: &'static str,
    /// When to use it.
    pub use_when: &'static str,
}

/// What a preset stands for.
#[derive(Copy, Clone, Debug)]
pub enum Meaning {
    /// [`Strategy::Auto`].
    Auto,
    /// [`Paths`].
    Paths,
    /// A mode, and what stands behind it.
    Of(&'static str, &'static str),
}

/// Every preset.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "auto",
        meaning: Meaning::Auto,
        minimises: "the time that the emitted code is estimated to take: its operations and its critical path",
        source: "simulated annealing from the best of several hierarchies",
        complexity: "that of some hierarchies and of some hundred steps, fewer for large functions",
        use_when: "always, unless you study orders or want a fixed one",
    },
    Preset {
        name: "forward",
        meaning: Meaning::Of("vertex", "forward"),
        minimises: "nothing: a fixed order",
        source: "Griewank and Reese 1991",
        complexity: "A + V log V",
        use_when: "few inputs, many results",
    },
    Preset {
        name: "reverse",
        meaning: Meaning::Of("vertex", "reverse"),
        minimises: "nothing: a fixed order",
        source: "Griewank and Reese 1991",
        complexity: "A + V log V",
        use_when: "many inputs, few results",
    },
    Preset {
        name: "markowitz",
        meaning: Meaning::Of("vertex", "markowitz > reverse"),
        minimises: "the products of each step",
        source: "Griewank and Reese 1991",
        complexity: "A log V",
        use_when: "about as many inputs as results",
    },
    Preset {
        name: "vlr",
        meaning: Meaning::Of("vertex", "vlr > reverse"),
        minimises: "the products of each step beyond those that no order avoids",
        source: "Forth, Tadjouddine, Pryce and Reid 2004",
        complexity: "A log V + E V / 64",
        use_when: "as markowitz, where some vertices lie on most paths",
    },
    Preset {
        name: "locality",
        meaning: Meaning::Of("vertex", "sibling > successor-predecessor > markowitz > reverse"),
        minimises: "the distance between a label's statement and its use",
        source: "xaifBooster, data locality heuristics",
        complexity: "A d log V, where d is the degree of the neighbours",
        use_when: "the data do not fit into the cache",
    },
    Preset {
        name: "optimal",
        meaning: Meaning::Of("vertex", "optimal"),
        minimises: "the multiplications that are left when ones and constants are folded: proven least, or an error",
        source: "branch and bound over connected sets of vertices; Naumann 2004 for edges and faces, Lyons for paths",
        complexity: "V E to prove a good order by the lower bound, for up to some thousand vertices; else exponential in V",
        use_when: "small functions that are called very often",
    },
    Preset {
        name: "search",
        meaning: Meaning::Of("vertex", "search"),
        minimises: "the time that the emitted code is estimated to take",
        source: "simulated annealing; logarithmic cooling for elimination orders in Naumann and Gottschling 2003",
        complexity: "A for each step",
        use_when: "the function is called very often and is worth a second or, by `search(steps = N)`, more",
    },
    Preset {
        name: "paths",
        meaning: Meaning::Paths,
        minimises: "nothing: all paths are multiplied out",
        source: "Bauer 1974",
        complexity: "the sum of the lengths of all paths, which may be exponential in V",
        use_when: "as the yardstick of the others, on small functions",
    },
];

/// Every strategy that does not search: presets, the hierarchies of the portfolio, and every filter alone; each once, in
/// the order of the tables.
pub fn fixed() -> Vec<Strategy> {
    let is_fixed = |preset: &&Preset| match preset.meaning {
        Meaning::Auto => false,
        Meaning::Paths => true,
        Meaning::Of(_, order) => !["optimal", "search"].contains(&order),
    };
    let presets = PRESETS.iter().filter(is_fixed).map(|preset| preset.name.to_string());
    let portfolio = PORTFOLIO.iter().map(|hierarchy| hierarchy.to_string());
    let filters = MODES.iter().flat_map(|mode| (mode.filters)().into_iter().map(|filter| (mode.name, filter.name)));
    let filters = filters.map(|(mode, filter)| format!("{mode}: {filter}"));
    let mut different: Vec<Strategy> = Vec::new();
    for text in presets.chain(portfolio).chain(filters) {
        let strategy: Strategy = text.parse().expect("the tables hold strategies");
        if different.iter().all(|other| other.to_string() != strategy.to_string()) {
            different.push(strategy);
        }
    }
    different
}

/// Every strategy: `auto`, those that are fixed, and the searches of all modes.
pub fn all() -> Vec<Strategy> {
    let searches = MODES.iter().flat_map(|mode| mode.searches().map(|order| format!("{}: {order}", mode.name)));
    let searches = searches.map(|text| text.parse().expect("the modes have these"));
    [Strategy::Auto].into_iter().chain(fixed()).chain(searches).collect()
}

/// Why a text names no strategy. Its message lists what is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyError(String);

impl fmt::Display for StrategyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for StrategyError {}

impl Strategy {
    /// `vertex: reverse`.
    pub fn reverse() -> Strategy {
        Strategy::Order(Rc::new(Hierarchy::fixed(&[&REVERSE])))
    }

    /// The strategy with another objective, where it has one.
    pub fn minimising(&self, objective: Objective) -> Option<Strategy> {
        match self {
            Strategy::Auto => None,
            Strategy::Order(order) => order.minimising(objective).map(Strategy::Order),
        }
    }

    /// The strategy with a number of steps, if it is a search.
    pub fn with_steps(&self, steps: usize) -> Option<Strategy> {
        match self {
            Strategy::Auto => None,
            Strategy::Order(order) => order.with_steps(steps).map(Strategy::Order),
        }
    }
}

impl FromStr for Strategy {
    type Err = StrategyError;

    fn from_str(text: &str) -> Result<Self, StrategyError> {
        let Some((mode, order)) = text.split_once(':') else { return preset(text.trim()) };
        let Some(row) = MODES.iter().find(|row| row.name == mode.trim()) else {
            let known = list(MODES.iter().map(|row| row.name));
            return Err(StrategyError(format!("unknown mode `{}`; known: {known}", mode.trim())));
        };
        Ok(Strategy::Order(row.order(order.trim())?))
    }
}

impl ModeRow {
    /// Reads what stands behind the mode.
    fn order(&self, text: &str) -> Result<Rc<dyn Order>, StrategyError> {
        let missing = |what| Err(StrategyError(format!("the mode `{}` has no {what}", self.name)));
        let (word, steps) = with_steps(text)?;
        match (word, self.optimal, self.search) {
            ("optimal", Some(find), _) => Ok(Rc::new(Optimal { mode: self.name, measure: Measure::default(), find })),
            ("optimal", None, _) => missing("proven optimum"),
            ("search", _, Some(space)) => Ok(Rc::new(Search { space, objective: Objective::default(), steps })),
            ("search", _, None) => missing("search"),
            _ => (self.hierarchy)(text),
        }
    }

    /// The orders besides its hierarchies: `optimal` and `search`, where the mode has them.
    pub fn searches(&self) -> impl Iterator<Item = &'static str> {
        [self.optimal.map(|_| "optimal"), self.search.map(|_| "search")].into_iter().flatten()
    }
}

/// The most steps that a search can be told to take: hours, for a function of a hundred statements without optimization.
pub const MAX_STEPS: usize = 10_000_000;

/// Splits `search(steps = N)` into `search` and the number.
fn with_steps(text: &str) -> Result<(&str, Option<usize>), StrategyError> {
    let Some((word, rest)) = text.split_once('(').filter(|(word, _)| word.trim() == "search") else {
        return Ok((text, None));
    };
    let number = rest.trim().strip_suffix(')').and_then(|rest| {
        let (name, number) = rest.split_once('=')?;
        let number = number.trim().replace('_', "");
        let is_number = number.chars().all(|digit| digit.is_ascii_digit()) && !number.is_empty();
        (name.trim() == "steps" && is_number).then(|| number.parse().unwrap_or(usize::MAX))
    });
    match number {
        Some(steps) if steps > MAX_STEPS => Err(StrategyError(format!("a search takes at most {MAX_STEPS} steps"))),
        Some(steps) => Ok((word.trim(), Some(steps))),
        None => Err(StrategyError(format!("a search is written `search` or `search(steps = 1000)`, not `{text}`"))),
    }
}

fn preset(name: &str) -> Result<Strategy, StrategyError> {
    let word = with_steps(name)?.0;
    if MODES.iter().any(|row| row.name == word) {
        return Err(StrategyError(format!(
            "`{word}` is a mode: filters stand behind it, for instance `{word}: forward`"
        )));
    }
    let preset = PRESETS.iter().find(|preset| preset.name == word).ok_or_else(|| {
        StrategyError(format!(
            "unknown strategy `{name}`; known: {}, or a hierarchy such as `vertex: pre > markowitz > reverse` of the filters {}",
            list(PRESETS.iter().map(|preset| preset.name)),
            list(Vertex::HEURISTICS.iter().map(|row| row.name)),
        ))
    })?;
    match preset.meaning {
        Meaning::Auto => Ok(Strategy::Auto),
        Meaning::Paths => Ok(Strategy::Order(Rc::new(Paths))),
        Meaning::Of(mode, _) if word == "search" => format!("{mode}: {name}").parse(),
        Meaning::Of(mode, order) => format!("{mode}: {order}").parse(),
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl<M: Mode> FromStr for Hierarchy<M> {
    type Err = StrategyError;

    /// Reads `filter > filter > ...` and appends `reverse` where the last filter is no total order.
    fn from_str(text: &str) -> Result<Self, StrategyError> {
        let mut filters = text.split('>').map(|name| find(name.trim())).collect::<Result<Vec<_>, _>>()?;
        if filters.last().is_none_or(|last| !last.is_total) {
            filters.push(find("reverse")?);
        }
        if filters.len() > MAX_FILTERS {
            return Err(StrategyError(format!("a hierarchy has at most {MAX_FILTERS} filters")));
        }
        Ok(Hierarchy::new(filters))
    }
}

fn find<M: Mode>(name: &str) -> Result<&'static Heuristic<M>, StrategyError> {
    if ["", "optimal", "search"].contains(&name) {
        let problem = match name {
            "" => "a filter is missing".to_string(),
            _ => format!("`{name}` stands alone behind the mode, and is no filter"),
        };
        let known = list(M::HEURISTICS.iter().map(|row| row.name));
        return Err(StrategyError(format!("{problem}; the filters of the mode `{}` are {known}", M::NAME)));
    }
    M::HEURISTICS.iter().find(|row| row.name == name).ok_or_else(|| {
        StrategyError(format!(
            "unknown filter `{name}` of the mode `{}`; known: {}",
            M::NAME,
            list(M::HEURISTICS.iter().map(|row| row.name)),
        ))
    })
}

impl fmt::Display for Strategy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Auto => formatter.write_str("auto"),
            Strategy::Order(order) => order.fmt(formatter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Strategy, String> {
        text.parse().map_err(|error: StrategyError| error.to_string())
    }

    #[test]
    fn presets_and_the_portfolio_are_strategies() {
        for preset in PRESETS {
            parse(preset.name).unwrap();
        }
        for hierarchy in PORTFOLIO {
            assert_eq!(parse(&hierarchy.to_string()).unwrap().to_string(), hierarchy.to_string());
        }
    }

    #[test]
    fn a_total_order_is_appended() {
        assert_eq!(parse("vertex:pre>markowitz").unwrap().to_string(), "vertex: pre > markowitz > reverse");
        assert_eq!(parse(" vertex : forward ").unwrap().to_string(), "vertex: forward");
    }

    #[test]
    fn errors_list_what_is_known() {
        assert!(parse("fast").unwrap_err().contains("`auto`, `forward`"));
        assert!(parse("vertex: fast").unwrap_err().contains("known: `forward`, `reverse`, `markowitz`"));
        assert!(parse("vortex: forward").unwrap_err().contains("known: `vertex`"));
        assert!(parse("vertex:").is_err());
        assert!(parse("vertex: pre > pre > pre > pre > pre > pre").unwrap_err().contains("at most 6"));
    }
}
