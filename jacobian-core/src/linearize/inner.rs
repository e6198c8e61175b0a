//! What the derivative of a block is, and what it is made of: the derivatives of the code lists in it.

use super::draft::Linearization;
use super::seed::Interface;
use crate::derivative::Derivative;
use crate::error::Error;
use crate::list::block::Block;
use crate::list::code_list::CodeList;

/// What becomes of the code lists in blocks.
pub trait Inner {
    /// Linearizes a list.
    ///
    /// # Errors
    /// As [`linearize_by`](super::linearize_by).
    fn linearize(&self, list: &CodeList, interface: Interface<'_>) -> Result<Box<Linearization>, Error>;

    /// Accumulates the local Jacobian of a list, and masks for it.
    ///
    /// # Errors
    /// Those of the linearization and of the strategy.
    fn differentiate(&self, list: &CodeList, interface: Interface<'_>) -> Result<Derivative, Error>;
}

/// The derivative of a block.
pub(crate) struct DerivedBlock {
    /// Its first parts are those of the block itself, the others are partials.
    pub(crate) block: Block,
    /// By part of the block: its partials with respect to active arguments, but for those that are zero by structure.
    pub(crate) partials: Vec<Vec<(usize, BlockPartial)>>,
    /// The parts that are structural zeros in some arms, each with the part that is its mask.
    pub(crate) masks: Vec<(usize, usize)>,
}

/// A partial of a block.
#[derive(Copy, Clone)]
pub(crate) enum BlockPartial {
    /// The same number in all arms.
    Constant(f64),
    /// This part of the derivative.
    Part(usize),
    /// This output of the rule that the block has for its partials.
    OfRule(usize),
}
