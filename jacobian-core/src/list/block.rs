//! Blocks: what a code list runs that has several results, or that the engine does not look into. The results are statements
//! of their own, [`Statement::Part`](crate::list::code_list::Statement::Part), behind the statement that runs the block.
//!
//! Blocks keep their order among each other, for each may have effects.

use std::sync::Arc;

use crate::list::code_list::{CodeList, Kind, ValueId};

/// The position of a block in the table of its code list.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(u32);

impl BlockId {
    /// The block at `index`.
    pub(crate) fn new(index: usize) -> Self {
        BlockId(u32::try_from(index).expect("a code list has fewer than 2^32 blocks"))
    }

    /// The position in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How deep branches may nest, the arms of a chain of `else if` among them: the engine follows them by recursion.
pub const MAX_DEPTH: usize = 100;

/// What a statement runs that has several results.
#[derive(Clone, Debug)]
pub struct Block {
    /// The values that the block reads, in the order of the inputs of its arms or of the parameters of the function.
    pub args: Vec<ValueId>,
    /// What runs.
    pub body: Body,
    /// Whether it stays although no output needs it: it has effects of its own, or may panic. A branch has the effects of
    /// its arms.
    pub is_kept: bool,
    /// The front end's number for the way in which the user wrote it.
    pub origin: u32,
}

/// What a block runs.
#[derive(Clone, Debug)]
pub enum Body {
    /// Exactly one of several arms.
    Branch {
        /// A truth value, then there are two arms and the first one runs where it holds; or an integer, the number of the
        /// arm, the last one for all numbers that no other has.
        selector: ValueId,
        /// Each has an input for every argument of the block, and an output for every result.
        arms: Vec<Arc<CodeList>>,
        /// The number of results.
        results: usize,
    },
    /// A function whose Jacobian is known to the front end. What it is differentiated by and its results are floats.
    Call {
        /// The number of results of the function.
        results: usize,
        /// How many arguments, the first ones, are those of the function. What stands behind them is passive, and is
        /// only read.
        columns: usize,
        /// Whether the partials are results of the block, too, behind those of the function, row by row: with `n`
        /// columns, that of the result `r` with respect to the argument `c` is the part `results + r * n + c`.
        with_jacobian: bool,
    },
    /// What depends on no active value, written as the front end knows by the origin.
    Opaque {
        /// The kinds of the results.
        gives: Vec<Kind>,
    },
}

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
            let arms = lists.iter().flat_map(|list| list.blocks()).flat_map(Block::arms);
            lists = arms.map(|arm| &**arm).collect();
            if lists.is_empty() {
                return depth;
            }
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
