//! Blocks: what a code list runs that has several results, or that the engine does not look into. The results are
//! statements of their own, [`Statement::Part`], after the statement that runs the block.
//!
//! Blocks keep their order among each other, for each may have effects.

use std::sync::Arc;

pub use crate::code_list::{Block, BlockId, Body, KnownRow, Local};
use crate::code_list::{CodeList, Constant, Statement};
use crate::value::{Kind, ValueId};

/// How deep branches and loops may nest, the arms of a chain of `else if` among them: the engine follows them by
/// recursion.
pub const MAX_DEPTH: usize = 100;

/// How deep loops may nest: what a loop carries is found by lowering its body several times, and so is what the loops in
/// it carry, each time.
pub const MAX_LOOPS: usize = 5;

/// The origins of what the engine writes itself, which are in no table of the front end: how often a loop has been
/// gone through is carried along, as a value that is no number of the list, and another loop makes as many iterations;
/// which arm has run is a result of a branch, and another branch runs that of the same number.
pub mod counted {
    /// An opaque statement that gives the number of iterations before the first one: an integer, 0.
    pub const NONE: u32 = u32::MAX;
    /// An opaque statement that gives the integer after the one that it reads.
    pub const NEXT: u32 = u32::MAX - 1;
    /// A loop that makes as many iterations as such an integer says, without items.
    pub const LOOP: u32 = u32::MAX - 2;
    /// A branch that goes by a value of the list alone.
    pub const BRANCH: u32 = u32::MAX - 3;
}

/// What an arm of a branch gives that computes nothing.
#[derive(Copy, Clone, Debug)]
pub enum Choice {
    /// A value of the list that the branch is in.
    Value(ValueId),
    /// A number.
    Constant(Constant),
}

impl Choice {
    /// The value of the list that the branch is in, if it is one.
    pub fn value(&self) -> Option<ValueId> {
        match self {
            Choice::Value(value) => Some(*value),
            Choice::Constant(_) => None,
        }
    }
}

impl PartialEq for Choice {
    fn eq(&self, other: &Choice) -> bool {
        match (self, other) {
            (Choice::Value(one), Choice::Value(other)) => one == other,
            (Choice::Constant(one), Choice::Constant(other)) => one.key() == other.key(),
            _ => false,
        }
    }
}

impl Block {
    /// What decides on it besides its arguments: which arm of a branch runs, how many iterations a loop makes.
    pub fn decider(&self) -> Option<ValueId> {
        match self.body {
            Body::Branch { selector, .. } => Some(selector),
            Body::Loop { iterations, .. } => iterations,
            Body::Call { .. } | Body::Opaque { .. } => None,
        }
    }

    /// Whether the engine does not look into it.
    pub fn is_opaque(&self) -> bool {
        matches!(self.body, Body::Opaque { .. })
    }

    /// Whether it is a branch whose arms compute nothing, but each gives some of its arguments, or constants.
    pub fn is_selection(&self) -> bool {
        let is_given = |statement: &Statement| matches!(statement, Statement::Input(_) | Statement::Constant(_));
        let Body::Branch { arms, .. } = &self.body else { return false };
        !self.is_kept && arms.iter().all(|arm| arm.statements().iter().all(is_given))
    }

    /// By part of a branch that [computes nothing](Self::is_selection), by arm: what it gives. None for other blocks.
    pub fn choices(&self) -> Option<Vec<Vec<Choice>>> {
        if !self.is_selection() {
            return None;
        }
        let mut choices = vec![Vec::with_capacity(self.lists().len()); self.results()];
        for arm in self.lists() {
            let mut given: Vec<_> = vec![None; arm.statements().len()];
            for (input, &arg) in arm.inputs().iter().zip(&self.args) {
                given[input.index()] = Some(arg);
            }
            for (choices, &output) in choices.iter_mut().zip(arm.outputs()) {
                choices.push(match (given[output.index()], arm.as_constant(output)) {
                    (Some(arg), _) => Choice::Value(arg),
                    (None, Some(constant)) => Choice::Constant(constant),
                    (None, None) => unreachable!("the arm computes nothing"),
                });
            }
        }
        Some(choices)
    }

    /// The code lists in it: the arms of a branch, the body of a loop.
    pub fn lists(&self) -> &[Arc<CodeList>] {
        match &self.body {
            Body::Branch { arms, .. } => arms,
            Body::Loop { body, .. } => std::slice::from_ref(body),
            Body::Call { .. } | Body::Opaque { .. } => &[],
        }
    }

    /// The code lists in it, to change them.
    pub fn lists_mut(&mut self) -> &mut [Arc<CodeList>] {
        match &mut self.body {
            Body::Branch { arms, .. } => arms,
            Body::Loop { body, .. } => std::slice::from_mut(body),
            Body::Call { .. } | Body::Opaque { .. } => &mut [],
        }
    }

    /// The number of parts.
    pub fn results(&self) -> usize {
        match &self.body {
            Body::Branch { results, .. } => *results,
            Body::Loop { carried, .. } => *carried,
            Body::Call { results, columns, order, .. } => call_parts(*results, *columns, *order),
            Body::Opaque { gives } => gives.len(),
        }
    }

    /// What kind of value a part is.
    pub fn kind(&self, part: usize) -> Kind {
        match &self.body {
            Body::Branch { arms, .. } => arms[0].kind(arms[0].outputs()[part]),
            Body::Loop { body, .. } => body.kind(body.outputs()[part]),
            Body::Call { .. } => Kind::Float,
            Body::Opaque { gives } => gives[part],
        }
    }

    /// The block with other values of the outer list.
    pub fn map_args(mut self, new: impl Fn(ValueId) -> ValueId) -> Block {
        match &mut self.body {
            Body::Branch { selector, .. } => *selector = new(*selector),
            Body::Loop { iterations: Some(iterations), .. } => *iterations = new(*iterations),
            Body::Loop { iterations: None, .. } | Body::Call { .. } | Body::Opaque { .. } => {}
        }
        for arg in &mut self.args {
            *arg = new(*arg);
        }
        self
    }

    /// What is wrong with a block of `list`, if anything.
    pub fn problem(&self, list: &CodeList) -> Option<String> {
        match &self.body {
            Body::Branch { selector, arms, results } => self.problem_of_branch(list, *selector, arms, *results),
            Body::Loop { iterations, body, carried } => self.problem_of_loop(list, *iterations, body, *carried),
            Body::Call { results, columns, order, local } => {
                self.problem_of_call(list, (*results, *columns, *order), local)
            }
            Body::Opaque { .. } => None,
        }
    }

    fn problem_of_call(
        &self,
        list: &CodeList,
        (results, columns, order): (usize, usize, u8),
        local: &Local,
    ) -> Option<String> {
        match local {
            _ if columns > self.args.len() => Some("a call has fewer arguments than columns".into()),
            Local::Entries(rows) if rows.len() != results => Some("a call has a row for each result".into()),
            Local::Rule(_) | Local::Unwanted if order > 0 => {
                Some("what has partials of its own is called alone".into())
            }
            Local::Rule(rule) => {
                let inputs = kinds(rule, rule.inputs());
                let takes = |others: &[ValueId]| {
                    let own = kinds(list, &self.args[..columns]).into_iter().chain(vec![Kind::Float; results]);
                    own.chain(kinds(list, others)).eq(inputs.iter().copied())
                };
                let others = inputs.len().checked_sub(columns + results).and_then(|others| {
                    self.args[columns..].len().checked_sub(others).map(|first| &self.args[columns + first..])
                });
                let is_complete = rule.outputs().len() == results * columns && rule.precision() == list.precision();
                let is_right = is_complete && others.is_some_and(takes);
                (!is_right).then(|| "a rule takes arguments and results, and gives a partial for each pair".into())
            }
            Local::Unknown | Local::Entries(_) | Local::Unwanted => None,
        }
    }

    fn problem_of_branch(
        &self,
        list: &CodeList,
        selector: ValueId,
        arms: &[Arc<CodeList>],
        results: usize,
    ) -> Option<String> {
        let Some(first) = arms.first() else { return Some("a branch has an arm".into()) };
        let (takes, gives) = (kinds(list, &self.args), kinds(first, first.outputs()));
        let is_right = |arm: &CodeList| {
            let is_complete = kinds(arm, arm.inputs()) == takes && kinds(arm, arm.outputs()) == gives;
            is_complete && gives.len() == results && arm.precision() == list.precision()
        };
        match list.kind(selector) {
            Kind::Float => Some("a float selects no arm".into()),
            Kind::Opaque => Some("what is no number selects no arm".into()),
            Kind::Bool if arms.len() != 2 => Some("a truth value selects one of two arms".into()),
            _ => {
                let wrong = arms.iter().position(|arm| !is_right(arm))?;
                Some(format!("arm {wrong} does not take the arguments of the branch or give its results"))
            }
        }
    }

    fn problem_of_loop(
        &self,
        list: &CodeList,
        iterations: Option<ValueId>,
        body: &CodeList,
        carried: usize,
    ) -> Option<String> {
        let (takes, gives) = (kinds(list, &self.args), kinds(body, body.outputs()));
        let is_complete = || kinds(body, body.inputs()) == takes && body.precision() == list.precision();
        let (Some(read), Some((values, ending))) = (takes.len().checked_sub(carried), gives.split_at_checked(carried))
        else {
            return Some("a loop carries some of its arguments, and its body gives a value for each".into());
        };
        match (iterations.map(|iterations| list.kind(iterations)), ending) {
            _ if !is_complete() => Some("the body does not take the arguments of the loop".into()),
            _ if takes[read..] != *values => Some("the body does not give the values that the loop carries".into()),
            (Some(Kind::Float | Kind::Bool), _) => Some("the number of iterations is an integer".into()),
            (None, []) => Some("nothing ends this loop".into()),
            (_, [] | [Kind::Bool]) => None,
            _ => Some("whether another iteration follows is one truth value".into()),
        }
    }

    /// Whether the body of a loop says if another iteration follows.
    pub fn ends_by_body(&self) -> bool {
        matches!(&self.body, Body::Loop { body, carried, .. } if body.outputs().len() > *carried)
    }
}

impl CodeList {
    /// How deep branches and loops nest; 0 where there are none.
    pub fn depth(&self) -> usize {
        let (mut depth, mut lists) = (0, vec![self]);
        loop {
            let mut inner = Vec::new();
            for block in lists.into_iter().flat_map(CodeList::blocks) {
                for list in block.lists() {
                    inner.push(&**list);
                }
            }
            if inner.is_empty() {
                return depth;
            }
            lists = inner;
            depth += 1;
        }
    }

    /// How deep loops nest; 0 where there are none.
    pub fn loop_depth(&self) -> usize {
        let (mut depth, mut lists) = (0, vec![(self, 0)]);
        while let Some((list, around)) = lists.pop() {
            depth = depth.max(around);
            for block in list.blocks() {
                let own = usize::from(matches!(block.body, Body::Loop { .. }));
                block.lists().iter().for_each(|list| lists.push((list, around + own)));
            }
        }
        depth
    }

    /// The number of statements in arms and bodies of loops.
    pub fn inner_length(&self) -> usize {
        let lists = self.blocks().iter().flat_map(Block::lists);
        lists.map(|list| list.statements().len() + list.inner_length()).sum()
    }
}

/// The number of parts of a call that gives derivatives up to this order.
pub fn call_parts(results: usize, columns: usize, order: u8) -> usize {
    let of_each = match order {
        0 => 1,
        1 => 1 + columns,
        _ => 1 + columns + columns * (columns + 1) / 2,
    };
    results * of_each
}

/// The kinds of some values.
fn kinds(list: &CodeList, ids: &[ValueId]) -> Vec<Kind> {
    ids.iter().map(|&id| list.kind(id)).collect()
}
