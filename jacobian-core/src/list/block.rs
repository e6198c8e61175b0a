//! Blocks: what a code list runs that has several results, or that the engine does not look into. The results are statements
//! of their own, [`Statement::Part`](crate::list::code_list::Statement::Part), behind the statement that runs the block.
//!
//! Blocks keep their order among each other, for each may have effects.

use std::sync::Arc;

use crate::list::code_list::CodeList;
pub use crate::list::code_list::{Block, BlockId, Body};
use crate::list::value::{Kind, ValueId};

/// How deep branches may nest, the arms of a chain of `else if` among them: the engine follows them by recursion.
pub const MAX_DEPTH: usize = 100;

impl Block {
    /// What decides which arm runs, if it is a branch.
    pub fn selector(&self) -> Option<ValueId> {
        match self.body {
            Body::Branch { selector, .. } => Some(selector),
            Body::Call { .. } | Body::Opaque { .. } => None,
        }
    }

    /// Whether the engine does not look into it.
    pub fn is_opaque(&self) -> bool {
        matches!(self.body, Body::Opaque { .. })
    }

    /// The arms, if it is a branch.
    pub fn arms(&self) -> &[Arc<CodeList>] {
        match &self.body {
            Body::Branch { arms, .. } => arms,
            Body::Call { .. } | Body::Opaque { .. } => &[],
        }
    }

    /// The number of parts.
    pub fn results(&self) -> usize {
        match &self.body {
            Body::Branch { results, .. } | Body::Call { results, with_jacobian: false, .. } => *results,
            Body::Call { results, columns, with_jacobian: true } => results + results * columns,
            Body::Opaque { gives } => gives.len(),
        }
    }

    /// What kind of value a part is.
    pub fn kind(&self, part: usize) -> Kind {
        match &self.body {
            Body::Branch { arms, .. } => arms[0].kind(arms[0].outputs()[part]),
            Body::Call { .. } => Kind::Float,
            Body::Opaque { gives } => gives[part],
        }
    }

    /// The block with other values of the outer list.
    pub fn map_args(mut self, new: impl Fn(ValueId) -> ValueId) -> Block {
        if let Body::Branch { selector, .. } = &mut self.body {
            *selector = new(*selector);
        }
        for arg in &mut self.args {
            *arg = new(*arg);
        }
        self
    }

    /// What is wrong with a block of `list`, if anything.
    pub fn problem(&self, list: &CodeList) -> Option<String> {
        let Body::Branch { selector, arms, results } = &self.body else { return None };
        let Some(first) = arms.first() else { return Some("a branch has an arm".into()) };
        let (takes, gives) = (kinds(list, &self.args), kinds(first, first.outputs()));
        let is_right = |arm: &CodeList| {
            let is_complete = kinds(arm, arm.inputs()) == takes && kinds(arm, arm.outputs()) == gives;
            is_complete && gives.len() == *results && arm.precision() == list.precision()
        };
        match list.kind(*selector) {
            Kind::Float => Some("a float selects no arm".into()),
            Kind::Opaque => Some("what is no number selects no arm".into()),
            Kind::Bool if arms.len() != 2 => Some("a truth value selects one of two arms".into()),
            _ => {
                let wrong = arms.iter().position(|arm| !is_right(arm))?;
                Some(format!("arm {wrong} does not take the arguments of the branch or give its results"))
            }
        }
    }
}

impl CodeList {
    /// How deep branches nest; 0 where there are none.
    pub fn depth(&self) -> usize {
        let (mut depth, mut lists) = (0, vec![self]);
        loop {
            let mut arms = Vec::new();
            for block in lists.into_iter().flat_map(CodeList::blocks) {
                for arm in block.arms() {
                    arms.push(&**arm);
                }
            }
            if arms.is_empty() {
                return depth;
            }
            lists = arms;
            depth += 1;
        }
    }

    /// The number of statements in arms.
    pub(crate) fn arm_length(&self) -> usize {
        let arms = self.blocks().iter().flat_map(Block::arms);
        arms.map(|arm| arm.statements().len() + arm.arm_length()).sum()
    }
}

/// The kinds of some values.
fn kinds(list: &CodeList, ids: &[ValueId]) -> Vec<Kind> {
    ids.iter().map(|&id| list.kind(id)).collect()
}
