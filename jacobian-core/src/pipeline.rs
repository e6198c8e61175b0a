//! The pipeline, every stage in its order: a code list and what is asked for in, the code of the Jacobian and what is to be
//! said about it out.
//!
//! | stage | where | gives |
//! |---|---|---|
//! | linearize | `linearize` | the graph of the function; the arms of its branches go through the first four stages before |
//! | preaccumulate | `preaccumulate` | where it is asked for, the graph of the statements of the user |
//! | eliminate | `choose`, `eliminate` | the accumulation expressions, in the order of a strategy |
//! | accumulate | `accumulate` | one code list of the function and of its Jacobian, without dead code |
//! | schedule | `write::schedule` | the same in another order |
//! | pack | `write::pack` | the statements of it that are computed as one |
//! | fuse | `write::fuse` | the sums of it that are one operation with a product |

use crate::accumulate::{accumulate, accumulate_arm};
use crate::choose::strategy::Strategy;
use crate::choose::taken::Taken;
use crate::derivative::Derivative;
use crate::error::Error;
use crate::linearize::{Level, Linearization, linearize_by};
use crate::list::block::MAX_DEPTH;
use crate::list::code_list::CodeList;
use crate::preaccumulate::preaccumulate;
use crate::write::cost::OperationCount;
use crate::write::fuse::Fusion;
use crate::write::pack::{Pack, Packing, pack};
use crate::write::schedule::Schedule;

/// A function's Jacobian, and how it came about.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// The function and its Jacobian.
    pub derivative: Derivative,
    /// The strategy that was used; for `auto`, the one that it chose.
    pub strategy: Strategy,
    /// The order that it took, unless that is too long for a reader. The arms of branches have others.
    pub order: Option<Taken>,
    /// The statements of the derivative that are computed as one.
    pub packs: Vec<Pack>,
    /// The operations of the function.
    pub function_operations: OperationCount,
    /// The operations of function and Jacobian together.
    pub operations: OperationCount,
}

/// What is asked of the pipeline.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What one vertex of the graph is.
    pub level: Level,
    /// The order of eliminations.
    pub strategy: Strategy,
    /// The order of the statements.
    pub schedule: Schedule,
    /// Which statements are computed as one.
    pub packing: Packing,
}

/// The stages from linearize to pack; [`Jacobian::fused`] is the last one.
///
/// # Errors
/// As [`differentiate_at`].
pub fn run(function: &CodeList, settings: &Settings) -> Result<Jacobian, Error> {
    let jacobian = differentiate_at(settings.level, function, &settings.strategy)?;
    Ok(jacobian.scheduled(&settings.schedule).packed(settings.packing))
}

/// Differentiates `function`, every operation by itself.
///
/// # Errors
/// As [`differentiate_at`].
pub fn differentiate(function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    differentiate_at(Level::CodeList, function, strategy)
}

/// Differentiates `function` at `level`: the stages from linearize to accumulate.
///
/// # Errors
/// Those of [`linearize_with`] and of the strategy.
pub fn differentiate_at(level: Level, function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    let linearization = linearize_with(function, level, strategy)?;
    let (strategy, elimination) = strategy.eliminate(&linearization)?;
    let order = Taken::of(&linearization, &elimination.sequence);
    let derivative = accumulate(linearization, &elimination.program);
    Ok(Jacobian {
        operations: OperationCount::of(&derivative.list),
        derivative,
        packs: Vec::new(),
        strategy,
        order,
        function_operations: OperationCount::of(function),
    })
}

impl Jacobian {
    /// Schedule: the same with its statements in another order, all of them single.
    pub fn scheduled(self, schedule: &Schedule) -> Jacobian {
        Jacobian { derivative: self.derivative.scheduled(schedule), packs: Vec::new(), ..self }
    }

    /// Pack: the same with packed statements. Numbers of a type parameter remain single.
    pub fn packed(self, packing: Packing) -> Jacobian {
        match pack(&self.derivative, packing) {
            Some((derivative, packs)) => Jacobian { derivative, packs, ..self },
            None => self,
        }
    }

    /// Fuse: the sums that are one operation with a product, none of which is packed.
    pub fn fused(&self) -> Fusion {
        Fusion::of(&self.derivative).but_for_packs(&self.derivative.list, &self.packs)
    }
}

/// Linearizes `function`, every operation by itself.
///
/// # Panics
/// As [`linearize_at`].
pub fn linearize(function: &CodeList) -> Linearization {
    linearize_at(function, Level::CodeList)
}

/// Linearizes `function` at `level`. If it has branches, the local Jacobians of their arms are accumulated in reverse.
///
/// # Panics
/// Where [`linearize_with`] fails, which only functions with blocks make it do.
pub fn linearize_at(function: &CodeList, level: Level) -> Linearization {
    linearize_with(function, level, &Strategy::reverse()).unwrap_or_else(|error| panic!("{error}"))
}

/// Linearizes `function` at `level`. If it has branches, the local Jacobians of their arms are accumulated by `strategy`, or
/// by what it says of [arms](Strategy::in_arms).
///
/// # Errors
/// Those of the strategy in an arm, where branches nest too deeply, where a function is called with its Jacobian, which
/// has no derivative, and where an opaque statement reads an active value.
pub fn linearize_with(function: &CodeList, level: Level, strategy: &Strategy) -> Result<Linearization, Error> {
    let (is_active, in_arms) = (vec![true; function.inputs().len()], &strategy.in_arms());
    match function.is_straight() {
        true => Ok(*linearized(function, &is_active, level, in_arms)?),
        false if function.depth() > MAX_DEPTH => Err(Error::TooDeep { limit: MAX_DEPTH }),
        // Nothing is accumulated in an arm that no output needs.
        false => Ok(*linearized(&function.remove_dead_code(), &is_active, level, in_arms)?),
    }
}

/// Linearize, and preaccumulate: with respect to those inputs that are active and floats.
fn linearized(
    function: &CodeList,
    is_active: &[bool],
    level: Level,
    strategy: &Strategy,
) -> Result<Box<Linearization>, Error> {
    let differentiate_arm = |arm: &CodeList, is_active: &[bool]| differentiated_arm(arm, is_active, level, strategy);
    let mut linearization = linearize_by(function, is_active, &differentiate_arm)?;
    if level == Level::Statement {
        preaccumulate(&mut linearization);
    }
    Ok(linearization)
}

/// An arm of a branch with its local Jacobian, which is accumulated inside of it.
fn differentiated_arm(
    arm: &CodeList,
    is_active: &[bool],
    level: Level,
    strategy: &Strategy,
) -> Result<Derivative, Error> {
    accumulated_arm(linearized(arm, is_active, level, strategy)?, strategy)
}

/// Not in the frame of the caller, which stays while arms within the arm are differentiated.
#[inline(never)]
fn accumulated_arm(linearization: Box<Linearization>, strategy: &Strategy) -> Result<Derivative, Error> {
    let (_, elimination) = strategy.eliminate(&linearization)?;
    Ok(accumulate_arm(*linearization, &elimination.program))
}
