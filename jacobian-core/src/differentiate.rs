//! The pipeline: a code list and a strategy in, the Jacobian and what is to be said about it out.

use std::fmt;

use crate::accumulate::{Derivative, accumulate};
use crate::code_list::CodeList;
use crate::cost::OperationCount;
use crate::eliminate::{self, TooManySteps};
use crate::linearize::{Linearization, linearize};
use crate::strategy::{PORTFOLIO, Strategy};

/// The most accumulation expressions of one elimination. Code of that length takes rustc minutes.
const MAX_ACCUMULATIONS: usize = 1_000_000;

/// A function's Jacobian, and how it came about.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// The function and its Jacobian.
    pub derivative: Derivative,
    /// The strategy that was used; for `auto`, the one that it chose.
    pub strategy: Strategy,
    /// The operations of the function.
    pub function_operations: OperationCount,
    /// The operations of function and Jacobian together.
    pub operations: OperationCount,
}

/// Why a function has not been differentiated.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The elimination takes too many operations.
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TooLarge => write!(
                formatter,
                "the Jacobian takes more than {MAX_ACCUMULATIONS} accumulation steps under this strategy"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Differentiates `function`.
pub fn differentiate(function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    let linearization = linearize(function);
    let function_operations = OperationCount::of(&function.remove_dead_code());
    match strategy {
        Strategy::Auto => best_of_portfolio(&linearization, function_operations),
        strategy => follow(linearization, strategy, function_operations, MAX_ACCUMULATIONS),
    }
}

/// Follows one hierarchy.
fn follow(
    linearization: Linearization,
    strategy: &Strategy,
    function_operations: OperationCount,
    limit: usize,
) -> Result<Jacobian, Error> {
    let Strategy::Vertex(hierarchy) = strategy else {
        unreachable!("a portfolio holds hierarchies");
    };
    let elimination =
        eliminate::run(&linearization.graph, hierarchy.filters(), limit).map_err(|TooManySteps| Error::TooLarge)?;
    let derivative = accumulate(linearization, &elimination.accumulations, &elimination.graph);
    Ok(Jacobian {
        operations: OperationCount::of(&derivative.list),
        derivative,
        strategy: strategy.clone(),
        function_operations,
    })
}

/// The cheapest of the portfolio. A member that takes many more steps than the best so far is given up, and the more
/// steps an elimination takes, the fewer members are tried, so that the time stays within bounds.
fn best_of_portfolio(linearization: &Linearization, function_operations: OperationCount) -> Result<Jacobian, Error> {
    let mut best: Option<Jacobian> = None;
    for hierarchy in PORTFOLIO {
        let strategy = hierarchy.parse().expect("the portfolio holds strategies");
        let candidate = follow(linearization.clone(), &strategy, function_operations, MAX_ACCUMULATIONS);
        best = match (best, candidate) {
            (Some(best), Ok(candidate)) if candidate.operations.rank() < best.operations.rank() => Some(candidate),
            (None, candidate) => candidate.ok(),
            (best, _) => best,
        };
    }
    best.ok_or(Error::TooLarge)
}
