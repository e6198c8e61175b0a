//! Why a function has not been differentiated. Every stage gives these errors; this file knows none of the stages.

use std::fmt;

use crate::eliminate::target::Target;
use crate::graph::label::VertexId;

/// Why a function has not been differentiated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The elimination takes more accumulation expressions than allowed.
    TooManySteps {
        /// How many were allowed.
        limit: usize,
    },
    /// The strategy computes too many keys.
    TooManyKeys {
        /// The name of the mode.
        mode: &'static str,
        /// How many it may compute.
        limit: usize,
    },
    /// The mode works on paths, and the graph has too many.
    TooManyPaths {
        /// How many pairs of labels it may have.
        limit: usize,
    },
    /// No optimum could be proven.
    NotProven(TooLarge),
    /// The order that is given names a target that is not there in its turn.
    NotThere {
        /// The name of the mode.
        mode: &'static str,
        /// The target.
        target: Target,
        /// Why it is not there.
        why: Absence,
    },
    /// The order that is given is not complete.
    LeftByOrder {
        /// The name of the mode.
        mode: &'static str,
        /// What is left.
        left: Left,
    },
    /// Branches nest too deeply.
    TooDeep {
        /// How deeply they may.
        limit: usize,
    },
    /// Loops nest too deeply.
    LoopsTooDeep {
        /// How deeply they may.
        limit: usize,
    },
    /// The derivative of a loop is too long.
    LongLoop {
        /// The number of values that the loop depends on.
        columns: usize,
        /// How many products it may take.
        limit: usize,
    },
    /// The function calls another one with its second partials, of which no derivative is known.
    NoThirdDerivative,
    /// Second derivatives are asked for by tangents.
    TangentsOfSecondOrder,
    /// The normal equations are asked for of results that are coordinates.
    TangentsOfResiduals,
    /// The second partials of an operation are not known.
    NoSecondPartials {
        /// Its name.
        name: &'static str,
    },
    /// The gradient calls a function of which no derivative is known.
    NoDerivativeOf {
        /// Its name.
        name: &'static str,
    },
    /// An opaque statement makes a float of an active value: its derivative is not known.
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
            Error::TooManyKeys { mode, limit } => write!(
                formatter,
                "a strategy of the mode `{mode}` compares candidates more than {limit} times in this function, which takes too \
                 long; split the function, or try another strategy"
            ),
            Error::TooManyPaths { limit } => write!(
                formatter,
                "the mode `path` is for small functions: the paths from the inputs to the results of this one have more \
                 than {limit} pairs of labels; split the function, or try another mode"
            ),
            Error::NotProven(reason) => reason.fmt(formatter),
            Error::NotThere { mode, target, why } => {
                write!(formatter, "`{mode}: order(...)` cannot eliminate {target} in its turn: {why}")
            }
            Error::LeftByOrder { mode, left } => write!(formatter, "`{mode}: order(...)` is not complete: {left}"),
            Error::TooDeep { limit } => write!(
                formatter,
                "branches nest more than {limit} deep, those of a chain of `else if` included; split the function"
            ),
            Error::LoopsTooDeep { limit } => write!(
                formatter,
                "loops that are not unrolled nest more than {limit} deep; differentiate the inner ones as a function of their own, \
                 in `with(...)`"
            ),
            Error::LongLoop { columns, limit } => write!(
                formatter,
                "a loop carries the derivatives of its state by each of the {columns} values that it depends on, more than {limit} \
                 products an iteration; differentiate its body as a function of its own and multiply in a loop over arrays, or \
                 name fewer parameters with `wrt(...)`"
            ),
            Error::NoThirdDerivative => write!(
                formatter,
                "third derivatives of a function that is called are needed here, and it has two; write it out, or let it be \
                 inlined"
            ),
            Error::TangentsOfSecondOrder => write!(
                formatter,
                "second derivatives by tangents are not supported: take `hess` without `retract(...)`, or `jac` with it"
            ),
            Error::TangentsOfResiduals => write!(
                formatter,
                "a rotation is no residual, so that there are no normal equations of it: return its logarithm, \
                 `scaled_axis()`"
            ),
            Error::NoSecondPartials { name } => write!(
                formatter,
                "the second derivative of `{name}` is not known; leave out `hess` and `hvp`, or write out what it computes"
            ),
            Error::NoDerivativeOf { name } => write!(
                formatter,
                "the gradient needs `{name}`, of which the derivative is not known; leave out `hess` and `hvp`, or write out \
                 what is differentiated"
            ),
            Error::ActiveInOpaque => write!(
                formatter,
                "a statement that is kept as it is written makes a float of an active value, whose derivative would be lost; write \
                 it with arithmetic and methods of floats"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// Whether the order that is given does not fit the function.
    pub fn is_of_order(&self) -> bool {
        matches!(self, Error::NotThere { .. } | Error::LeftByOrder { .. })
    }
}

/// Why a target is not there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Absence {
    /// It names no vertex.
    NoVertex {
        /// The number.
        vertex: VertexId,
        /// The number of vertices.
        count: usize,
    },
    /// What is to be eliminated is a row or a column.
    NotIntermediate {
        /// The vertex.
        vertex: VertexId,
    },
    /// It has been eliminated, is still to be formed, or lies on no path.
    Gone,
}

impl fmt::Display for Absence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Absence::NoVertex { vertex, count } => {
                write!(formatter, "there are {count} vertices, numbered from 0, and {} is none of them", vertex.0)
            }
            Absence::NotIntermediate { vertex } => {
                write!(formatter, "the vertex {} is an input or a result, and these stay", vertex.0)
            }
            Absence::Gone => formatter.write_str("it lies on no path by then"),
        }
    }
}

/// What an order has left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    /// The first targets, as an order names them, with what the function calls them.
    pub named: Vec<String>,
    /// How many there are.
    pub count: usize,
}

impl Left {
    /// This many are named.
    pub const NAMED: usize = 20;
}

impl fmt::Display for Left {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.named.join(", "))?;
        match self.count - self.named.len() {
            0 => {}
            more => write!(formatter, " and {more} more")?,
        }
        formatter.write_str(if self.count == 1 { " is left" } else { " are left" })
    }
}

impl From<TooLarge> for Error {
    fn from(reason: TooLarge) -> Self {
        Error::NotProven(reason)
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
    /// There are too many vertices for the lower bound.
    Bound {
        /// How many may be left to order.
        limit: usize,
    },
    /// Too many vertices are connected.
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
                "vertex"
            }
            TooLarge::Vertices { limit } => {
                write!(formatter, "`vertex: optimal` takes at most {limit} intermediate vertices that are connected")?;
                "vertex"
            }
        };
        write!(formatter, "; `{mode}: search` finds a good order without proof")
    }
}

impl std::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most characters of a message.
    const MAX_LENGTH: usize = 260;

    /// One of each; the arm of a new one does not compile until it is in the list, too.
    fn all() -> Vec<Error> {
        let (mode, limit, target) = ("vertex", 1000, Target::Vertex(VertexId(9)));
        let there = |why| Error::NotThere { mode, target, why };
        let all = vec![
            Error::TooManySteps { limit },
            Error::TooManyKeys { mode, limit },
            Error::TooManyPaths { limit },
            Error::NotProven(TooLarge::States { mode, limit }),
            Error::NotProven(TooLarge::Bound { limit }),
            Error::NotProven(TooLarge::Vertices { limit }),
            there(Absence::NoVertex { vertex: VertexId(9), count: 7 }),
            there(Absence::NotIntermediate { vertex: VertexId(9) }),
            there(Absence::Gone),
            Error::LeftByOrder { mode, left: Left { named: vec!["3 (`s`)".to_string(), "4".to_string()], count: 3 } },
            Error::TooDeep { limit },
            Error::LoopsTooDeep { limit },
            Error::LongLoop { columns: 50, limit },
            Error::NoThirdDerivative,
            Error::TangentsOfSecondOrder,
            Error::TangentsOfResiduals,
            Error::NoSecondPartials { name: "tgamma" },
            Error::NoDerivativeOf { name: "digamma" },
            Error::ActiveInOpaque,
        ];
        let kinds: std::collections::BTreeSet<_> = all.iter().map(number).collect();
        assert_eq!(kinds.len(), 15, "one of each");
        all
    }

    fn number(error: &Error) -> usize {
        match error {
            Error::TooManySteps { .. } => 0,
            Error::TooManyKeys { .. } => 1,
            Error::TooManyPaths { .. } => 2,
            Error::NotProven(TooLarge::States { .. } | TooLarge::Bound { .. } | TooLarge::Vertices { .. }) => 3,
            Error::NotThere {
                why: Absence::NoVertex { .. } | Absence::NotIntermediate { .. } | Absence::Gone, ..
            } => 4,
            Error::LeftByOrder { .. } => 5,
            Error::TooDeep { .. } => 6,
            Error::LoopsTooDeep { .. } => 7,
            Error::LongLoop { .. } => 8,
            Error::NoThirdDerivative => 9,
            Error::TangentsOfSecondOrder => 10,
            Error::TangentsOfResiduals => 11,
            Error::NoSecondPartials { .. } => 12,
            Error::NoDerivativeOf { .. } => 13,
            Error::ActiveInOpaque => 14,
        }
    }

    /// `cargo test -p jacobian-core -p jacobian-expand --lib messages -- --nocapture` prints all messages of both.
    #[test]
    fn messages_are_short_and_have_no_full_stop() {
        for error in all() {
            let message = error.to_string();
            println!("{error:?}\n    {message}\n");
            assert!(!message.ends_with(['.', ' ', ';', ':']) && !message.contains("  "), "{message}");
            assert!(message.chars().count() <= MAX_LENGTH, "{message}");
        }
    }
}
