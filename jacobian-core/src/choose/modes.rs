//! The table of modes: what each can eliminate, and the ways to an order in it.

use std::rc::Rc;

use crate::choose::given::Given;
use crate::choose::hierarchy::Hierarchy;
use crate::choose::optimal::Optimal;
use crate::choose::order::Order;
use crate::choose::search::{Search, Space};
use crate::eliminate::edge::Edge;
use crate::eliminate::face::Face;
use crate::eliminate::path::Path;
use crate::eliminate::vertex::Vertex;
use crate::eliminate::{Heuristic, Mode, Scope, Target};

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
    /// The hierarchy of the filters with these places in the table; `reverse` is appended where the last is no total
    /// order.
    pub hierarchy: fn(&[usize]) -> Rc<dyn Order>,
    /// How an order that is given names the targets, in words.
    pub written: &'static str,
    /// The order of these targets; none where some are of no use to the mode.
    pub given: fn(&[Target]) -> Option<Rc<dyn Order>>,
    /// The proven optimum.
    pub optimal: Optimal,
    /// The search.
    pub search: Search,
}

/// A heuristic of any mode.
pub struct Filter {
    /// The name in a strategy.
    pub name: &'static str,
    /// What it keeps.
    pub keeps: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether a hierarchy may end in it.
    pub is_total: bool,
    /// What its keys depend on, which decides the work of a step.
    pub scope: Scope,
}

/// Every mode. What one of the first three eliminates, the next can eliminate in parts.
pub const MODES: &[ModeRow] = &[
    ModeRow {
        eliminates: "a vertex: all pairs of an edge to it and an edge from it",
        source: "Griewank and Reese 1991",
        use_when: "always, unless one of the others is cheaper",
        ..row::<Vertex>(Optimal::VERTEX, Space::Vertices)
    },
    ModeRow {
        eliminates: "an edge: all pairs of it and an edge from its target (front) or to its source (back)",
        source: "Naumann 2004",
        use_when: "a few inputs or results join paths that are shared by many: no order of vertices is as cheap",
        ..row::<Edge>(Optimal::of::<Edge>(), Space::Edges)
    },
    ModeRow {
        eliminates: "a face: one pair of labels on a path",
        source: "Naumann 2004",
        use_when: "small functions of that kind; it takes several times as long as the others",
        ..row::<Face>(Optimal::of::<Face>(), Space::Faces)
    },
    ModeRow {
        eliminates: "a pair of labels: their product takes their place on every path that has both",
        source: "Lyons, A new graph construction for the optimal Jacobian accumulation problem",
        use_when: "small functions in which the same partial occurs at several places",
        ..row::<Path>(Optimal::of::<Path>(), Space::Paths)
    },
];

const fn row<M: Mode>(optimal: Optimal, space: Space) -> ModeRow {
    ModeRow {
        name: M::NAME,
        eliminates: "",
        source: "",
        use_when: "",
        filters: filters::<M>,
        hierarchy: hierarchy::<M>,
        written: M::WRITTEN,
        given: given::<M>,
        optimal,
        search: Search::in_space(space),
    }
}

fn filters<M: Mode>() -> Vec<Filter> {
    M::HEURISTICS
        .iter()
        .map(|&Heuristic { name, keeps, source, is_total, scope, .. }| Filter { name, keeps, source, is_total, scope })
        .collect()
}

fn hierarchy<M: Mode>(filters: &[usize]) -> Rc<dyn Order> {
    let mut filters: Vec<_> = filters.iter().map(|&place| &M::HEURISTICS[place]).collect();
    if filters.last().is_none_or(|last| !last.is_total) {
        filters.push(M::REVERSE);
    }
    Rc::new(Hierarchy::new(filters))
}

fn given<M: Mode>(targets: &[Target]) -> Option<Rc<dyn Order>> {
    targets.iter().all(|&target| M::may_name(target)).then(|| Rc::new(Given::<M>::new(targets)) as Rc<dyn Order>)
}

impl ModeRow {
    /// The orders besides its hierarchies and those that are given.
    pub fn searches(&self) -> [Rc<dyn Order>; 2] {
        [Rc::new(self.optimal), Rc::new(self.search)]
    }
}
