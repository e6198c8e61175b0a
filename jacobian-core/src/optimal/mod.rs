//! Proven optima: eliminations with the fewest multiplications.
//!
//! [`vertex()`] finds the best order of vertices. Where the lower bound proves a good order best, it is proven whatever its
//! size; else it takes a search, and all searches here are bounded by the number of states that they look through: which
//! functions are too large depends on their structure more than on their length.

mod reduce;
mod routes;
pub mod sequence;
pub mod state;
pub mod vertex;

use std::fmt;
use std::rc::Rc;

use crate::eliminate::Elimination;
use crate::error::Error;
use crate::linearize::Linearization;
use crate::program::Measure;
use crate::search::Objective;
use crate::strategy::Order;

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

    fn minimising(&self, objective: Objective, _: Option<usize>) -> Option<Rc<dyn Order>> {
        let measure = match objective {
            Objective::Counted(measure) => measure,
            Objective::Multiplications | Objective::Operations => Measure::Folded,
        };
        Some(Rc::new(Optimal { measure, ..*self }))
    }
}

/// `vertex: optimal`.
pub fn best_order(linearization: &Linearization, measure: Measure) -> Result<Elimination, Error> {
    Ok(vertex(&linearization.graph, linearization.program.clone(), measure, None, Limits::default())?)
}

/// `edge: optimal` or `face: optimal`. The best order of vertices is a start for these.
pub fn best_sequence<M: Searchable>(linearization: &Linearization, measure: Measure) -> Result<Elimination, Error> {
    let known = best_order(linearization, measure).ok();
    sequence::<M>(&linearization.graph, linearization.program.clone(), measure, known, Limits::default())
}

/// How far a search goes before it gives up.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most states that are looked through.
    pub states: usize,
}

/// The most states by default: a second or two without optimization.
const DEFAULT_STATES: usize = 20_000;

impl Default for Limits {
    fn default() -> Self {
        Limits { states: DEFAULT_STATES }
    }
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
    /// Too many vertices hang together.
    Vertices {
        /// How many at most can be searched.
        limit: usize,
    },
}

impl fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self {
            TooLarge::States { mode, limit } => {
                write!(formatter, "`{mode}: optimal` has more than {limit} states to look through")?;
                mode
            }
            TooLarge::Vertices { limit } => {
                write!(formatter, "`vertex: optimal` takes at most {limit} intermediate vertices that hang together")?;
                "vertex"
            }
        };
        write!(formatter, "; `{mode}: search` finds a good order without proof")
    }
}

impl std::error::Error for TooLarge {}
