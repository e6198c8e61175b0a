//! The pipeline: a code list and a strategy in, the Jacobian and what is to be said about it out.

use crate::accumulate::{Derivative, accumulate, count};
use crate::code_list::CodeList;
use crate::cost::OperationCount;
use crate::eliminate::Elimination;
use crate::error::Error;
use crate::linearize::{Level, Linearization, linearize_with};
use crate::schedule::Schedule;
use crate::strategy::{PORTFOLIO, Strategy};

/// The most accumulation expressions of one elimination. Code of that length takes rustc minutes.
const MAX_ACCUMULATIONS: usize = 1_000_000;

/// The accumulation expressions after which `auto` begins no further member of its portfolio: about 0.2 s without
/// optimization.
const EFFORT: usize = 50_000;

/// So many expressions are tried in any case, whatever the best member takes.
const FEW: usize = 100;

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

impl Jacobian {
    /// The same with its statements in another order.
    pub fn scheduled(self, schedule: &Schedule) -> Jacobian {
        Jacobian { derivative: self.derivative.scheduled(schedule), ..self }
    }
}

/// Differentiates `function`, every operation by itself.
pub fn differentiate(function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    differentiate_at(Level::CodeList, function, strategy)
}

/// Differentiates `function` at `level`.
pub fn differentiate_at(level: Level, function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    let linearization = linearize_with(function, level, strategy)?;
    let (strategy, elimination) = strategy.eliminate(&linearization)?;
    let derivative = accumulate(linearization, &elimination.program);
    Ok(Jacobian {
        operations: OperationCount::of(&derivative.list),
        derivative,
        strategy,
        function_operations: OperationCount::of(function),
    })
}

impl Strategy {
    /// Eliminates everything. The strategy that comes with the result is the one that was used: for `auto`, the one that
    /// it chose.
    pub fn eliminate(&self, linearization: &Linearization) -> Result<(Strategy, Elimination), Error> {
        match self {
            Strategy::Auto => best_of_portfolio(linearization),
            Strategy::Order(order) => Ok((self.clone(), order.eliminate(linearization, MAX_ACCUMULATIONS)?)),
        }
    }
}

/// The cheapest of the portfolio by the number of emitted operations. Small functions are tried with every member. The
/// larger the function, the fewer: none is begun after [`EFFORT`] expressions, and one that takes far more expressions
/// than the best so far is given up.
fn best_of_portfolio(linearization: &Linearization) -> Result<(Strategy, Elimination), Error> {
    let mut best: Option<((usize, usize), Strategy, Elimination)> = None;
    let (mut spent, mut tried) = (0, Vec::new());
    for hierarchy in PORTFOLIO {
        let length = |elimination: &Elimination| elimination.program.accumulations().len();
        let limit = best.as_ref().map_or(MAX_ACCUMULATIONS, |(.., best)| length(best) * 3 / 2 + FEW);
        if best.is_some() && spent + limit > EFFORT {
            break;
        }
        let strategy: Strategy = hierarchy.parse().expect("the portfolio holds strategies");
        let Strategy::Order(order) = &strategy else { unreachable!("the portfolio holds hierarchies") };
        let Ok(elimination) = order.eliminate(linearization, limit) else {
            spent += limit;
            continue;
        };
        spent += length(&elimination);
        if tried.contains(&elimination.sequence) {
            continue;
        }
        tried.push(elimination.sequence.clone());
        let operations = count(linearization.clone(), &elimination.program);
        if best.as_ref().is_none_or(|(rank, ..)| operations.rank() < *rank) {
            best = Some((operations.rank(), strategy, elimination));
        }
    }
    best.map(|(_, strategy, elimination)| (strategy, elimination))
        .ok_or(Error::TooManySteps { limit: MAX_ACCUMULATIONS })
}
