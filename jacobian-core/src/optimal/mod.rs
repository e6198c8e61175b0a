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

pub use sequence::sequence;
pub use vertex::vertex;

/// How far a search goes before it gives up.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most states that are looked through.
    pub states: usize,
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
