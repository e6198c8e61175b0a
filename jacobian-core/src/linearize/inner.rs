//! What the derivative of a block is, and what it is made of: the derivatives of the code lists in it.

use std::rc::Rc;
use std::sync::Arc;

use jacobian_list::block::Block;
use jacobian_list::code_list::{CodeList, ValueId};

use super::draft::{Draft, Linearization};
use super::seed::Interface;
use crate::algebra::Term;
use crate::derivative::Derivative;
use crate::error::Error;

/// What becomes of the code lists in blocks.
pub trait Inner {
    /// Linearizes a list.
    ///
    /// # Errors
    /// As [`linearize_by`](super::linearize_by).
    fn linearize(&self, list: &Arc<CodeList>, interface: Interface<'_>) -> Result<Rc<Linearization>, Error>;

    /// Accumulates the local Jacobian of a list, and masks for it.
    ///
    /// # Errors
    /// Those of the linearization and of the strategy.
    fn differentiate(&self, list: &Arc<CodeList>, interface: Interface<'_>) -> Result<Rc<Derivative>, Error>;
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

impl DerivedBlock {
    /// Adds the block, and gives its partials by row.
    pub(crate) fn write(self, draft: &mut Draft) -> Vec<Vec<(usize, Term)>> {
        let value = draft.algebra.block(self.block);
        draft.algebra.mask_parts(value, &self.masks);
        let mut rows = Vec::with_capacity(self.partials.len());
        for partials in self.partials {
            rows.push(partials.iter().map(|&(column, partial)| (column, partial.label(value, &[], draft))).collect());
        }
        rows
    }
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

impl BlockPartial {
    /// The label that it is, of the block that this statement runs.
    pub(crate) fn label(self, block: ValueId, by_rule: &[Term], draft: &mut Draft) -> Term {
        match self {
            BlockPartial::Constant(number) => draft.algebra.constant(number),
            BlockPartial::OfRule(output) => by_rule[output],
            BlockPartial::Part(index) => {
                draft.algebra.list_mut().begin_entry();
                let part = draft.algebra.part(block, index);
                draft.algebra.list_mut().resume_entry(None);
                draft.algebra.term(part)
            }
        }
    }
}
