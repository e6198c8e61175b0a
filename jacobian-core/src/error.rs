//! Why a function has not been differentiated.

use std::fmt;

use crate::choose::optimal::TooLarge;
use crate::graph::path_graph::{MAX_PAIRS, TooManyPaths};
use crate::list::block::MAX_DEPTH;

/// Why a function has not been differentiated.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The elimination takes more accumulation expressions than allowed.
    TooManySteps {
        /// How many were allowed.
        limit: usize,
    },
    /// The strategy looks at its targets too often.
    TooManyLooks {
        /// The name of the mode.
        mode: &'static str,
        /// How often it may.
        limit: usize,
    },
    /// The mode works on paths, and the graph has too many.
    TooManyPaths,
    /// No optimum could be proven.
    NotProven(TooLarge),
    /// Branches nest too deeply.
    TooDeep,
    /// The function calls another one with its Jacobian, of which no derivative is known.
    NoSecondDerivative,
    /// An opaque statement reads an active value: what it makes of that is not known.
    ActiveInOpaque,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TooManySteps { limit } => write!(
                formatter,
                "the Jacobian takes more than {limit} accumulation steps under this strategy; split the function, or try \
                 another strategy"
            ),
            Error::TooManyLooks { mode, limit } => write!(
                formatter,
                "this strategy of the mode `{mode}` weighs its targets more than {limit} times in this function; split the \
                 function, or try another strategy"
            ),
            Error::TooManyPaths => write!(
                formatter,
                "the mode `path` is for small functions: the paths from the inputs to the results of this one have more \
                 than {MAX_PAIRS} pairs of labels; split the function, or try another mode"
            ),
            Error::NotProven(reason) => reason.fmt(formatter),
            Error::TooDeep => write!(
                formatter,
                "branches nest more than {MAX_DEPTH} deep, those of a chain of `else if` included; split the function"
            ),
            Error::NoSecondDerivative => write!(
                formatter,
                "the Jacobian of a function that is called has no derivative here: only first derivatives of it are known"
            ),
            Error::ActiveInOpaque => write!(
                formatter,
                "a statement that is kept as it is written reads a value that depends on an input: its derivative is not known"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<TooManyPaths> for Error {
    fn from(TooManyPaths: TooManyPaths) -> Self {
        Error::TooManyPaths
    }
}

impl From<TooLarge> for Error {
    fn from(reason: TooLarge) -> Self {
        Error::NotProven(reason)
    }
}
