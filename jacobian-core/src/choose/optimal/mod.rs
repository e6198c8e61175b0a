//! Proven optima: eliminations with the fewest multiplications.
//!
//! [`vertex()`] finds the best order of vertices, and [`sequence()`] the best sequence in a finer mode. Where the lower
//! bound of [`crate::choose::bound`] proves a heuristic best, that is all. Else it takes a search, which is
//! bounded by the number of states that it looks at: which functions are too large depends on their structure more than
//! on their length.
//!
//! What is least is the number of multiplications of an elimination, by either measure, and not the number of operations
//! that are left of it once equal ones have been merged.

mod reduce;
mod routes;
pub mod sequence;
pub mod state;
pub mod vertex;

use std::fmt;
use std::rc::Rc;

use crate::choose::search::Objective;
use crate::choose::strategy::Order;
use crate::eliminate::face::Face;
use crate::eliminate::path::Path;
use crate::eliminate::vertex::Vertex;
use crate::eliminate::{self, Elimination, Mode};
use crate::error::Error;
use crate::graph::Graph;
use crate::graph::program::{Measure, Program};
use crate::linearize::Linearization;

pub use sequence::sequence;
pub use state::Searchable;
pub use vertex::vertex;

/// What `MODE: optimal` does in a mode.
pub type Find = fn(&Linearization, Measure) -> Result<Elimination, Error>;

/// The strategy `MODE: optimal`.
#[derive(Clone, Debug)]
pub struct Optimal {
    /// The name of the mode.
    pub mode: &'static str,
    /// What is least.
    pub measure: Measure,
    /// Finds it.
    pub find: Find,
}

impl fmt::Display for Optimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: optimal", self.mode)
    }
}

impl Order for Optimal {
    fn eliminate(&self, linearization: &Linearization, _: usize) -> Result<Elimination, Error> {
        (self.find)(linearization, self.measure)
    }

    fn minimising(&self, objective: Objective) -> Option<Rc<dyn Order>> {
        let measure = match objective {
            Objective::Counted(measure) => measure,
            Objective::Multiplications | Objective::Operations | Objective::Time => Measure::Folded,
        };
        Some(Rc::new(Optimal { measure, ..*self }))
    }
}

/// `vertex: optimal`.
pub fn best_order(linearization: &Linearization, measure: Measure) -> Result<Elimination, Error> {
    Ok(vertex(&linearization.graph, linearization.program.clone(), measure, None, Limits::VERTICES)?)
}

/// `edge: optimal`, `face: optimal` or `path: optimal`. The best order of vertices is a start for these.
pub fn best_sequence<M: Searchable>(linearization: &Linearization, measure: Measure) -> Result<Elimination, Error> {
    let known = best_order(linearization, measure).ok();
    sequence::<M>(&linearization.graph, linearization.program.clone(), measure, known, Limits::SEQUENCES)
}

/// How far a search goes before it gives up.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most states that are looked at. For [`vertex()`] a state is a set of vertices with one of them that may be its
    /// last, for [`sequence()`] one step from the graph as it is at some time, which counts as `(n / 100)^2` where
    /// there were more than 100 targets `n` at first.
    pub states: usize,
}

impl Limits {
    /// For [`vertex()`]: what takes up to about two seconds without optimization.
    pub const VERTICES: Limits = Limits { states: 100_000 };

    /// For [`sequence()`]: what takes up to about two seconds without optimization.
    pub const SEQUENCES: Limits = Limits { states: 10_000 };
}

/// Why no optimum has been proven.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// There are more states to look through than allowed.
    States {
        /// The name of the mode.
        mode: &'static str,
        /// How many were allowed.
        limit: usize,
    },
    /// There are too many vertices for the lower bound.
    Bound {
        /// How many may be left to order.
        limit: usize,
    },
    /// Too many vertices hang together.
    Vertices {
        /// How many at most can be searched.
        limit: usize,
    },
}

impl fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match *self {
            TooLarge::States { mode, limit } => {
                write!(formatter, "`{mode}: optimal` has more than {limit} states to look through")?;
                mode
            }
            TooLarge::Bound { limit } => {
                write!(formatter, "`vertex: optimal` takes at most {limit} intermediate vertices")?;
                Vertex::NAME
            }
            TooLarge::Vertices { limit } => {
                write!(formatter, "`vertex: optimal` takes at most {limit} intermediate vertices that hang together")?;
                Vertex::NAME
            }
        };
        // The path graph has no search of its own.
        let searched = if mode == Path::NAME { Face::NAME } else { mode };
        write!(formatter, "; `{searched}: search` finds a good order without proof")
    }
}

impl std::error::Error for TooLarge {}

/// The eliminations by each filter, with each of the total orders behind it, while they take together no more than `left`
/// accumulation expressions.
fn heuristic_eliminations<M: Mode>(graph: &Graph, program: &Program, mut left: usize) -> Vec<Elimination> {
    let last = M::HEURISTICS.iter().filter(|heuristic| heuristic.is_total);
    let hierarchies = last.flat_map(|last| M::HEURISTICS.iter().map(move |first| [first, last]));
    let before = program.accumulations().len();
    let mut eliminations = Vec::new();
    for hierarchy in hierarchies {
        let Ok(elimination) = eliminate::run(graph, &hierarchy, program.clone(), before + left) else { break };
        left -= elimination.program.accumulations().len() - before;
        eliminations.push(elimination);
    }
    eliminations
}
