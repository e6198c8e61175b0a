//! Branches that compute nothing: their arms choose among values. Each result is on its own, so that such a branch can be
//! cut into one of some results and one of the others.

use std::collections::HashMap;
use std::sync::Arc;

use jacobian_list::block::{Block, Body, Choice};
use jacobian_list::code_list::{CodeList, Statement, ValueId};

/// The branches of a list that compute nothing.
pub(super) struct Selections<'a> {
    list: &'a CodeList,
    /// By branch, by part, by arm: what it gives.
    choices: HashMap<ValueId, Vec<Vec<Choice>>>,
}

impl<'a> Selections<'a> {
    pub(super) fn of(list: &'a CodeList) -> Self {
        let choices = |id: ValueId| match list.statement(id) {
            Statement::Block(_) => Some((id, list.block_of(id).choices()?)),
            _ => None,
        };
        Selections { list, choices: list.ids().filter_map(choices).collect() }
    }

    /// What the arms give for a part of such a branch. None of another value.
    pub(super) fn choices(&self, id: ValueId) -> Option<&[Choice]> {
        let Statement::Part { block, index } = self.list.statement(id) else { return None };
        self.choices.get(block).map(|parts| &parts[*index as usize][..])
    }

    /// What a statement reads; of such a branch, each part what it is chosen from.
    pub(super) fn reads(&self, id: ValueId) -> Vec<ValueId> {
        if let Some(choices) = self.choices(id) {
            let mut values: Vec<_> = choices.iter().filter_map(|choice| choice.value()).collect();
            values.sort_unstable();
            values.dedup();
            return values;
        }
        match self.choices.contains_key(&id) {
            true => self.list.block_of(id).decider().into_iter().collect(),
            false => self.list.args(id).collect(),
        }
    }

    /// Whether a statement may be somewhere else: it has no effect, and is no block.
    pub(super) fn is_movable(&self, id: ValueId) -> bool {
        match self.list.statement(id) {
            Statement::Apply { .. } => !self.list.has_effect(id),
            Statement::Part { block, .. } => self.choices.contains_key(block),
            _ => false,
        }
    }

    /// Some parts of a branch, by themselves.
    pub(super) fn cut(&self, block: ValueId, parts: &[usize]) -> Cut {
        let (choices, list) = (&self.choices[&block], self.list);
        let (mut args, mut places) = (Vec::new(), HashMap::new());
        for value in parts.iter().flat_map(|&part| &choices[part]).filter_map(Choice::value) {
            places.entry(value).or_insert_with(|| {
                args.push(value);
                args.len() - 1
            });
        }
        let arm = |number: usize| {
            let mut arm = CodeList::new(list.precision());
            let inputs: Vec<_> = args.iter().map(|&arg| arm.push(Statement::Input(list.kind(arg)))).collect();
            for &part in parts {
                let output = match choices[part][number] {
                    Choice::Value(value) => inputs[places[&value]],
                    Choice::Constant(constant) => arm.constant(constant),
                };
                arm.output(output);
            }
            arm
        };
        let arms = (0..list.block_of(block).lists().len()).map(arm).collect();
        Cut { args, arms }
    }
}

/// Some parts of a branch that computes nothing: which of its arguments they are chosen from, and arms that give them.
pub(super) struct Cut {
    pub args: Vec<ValueId>,
    pub arms: Vec<CodeList>,
}

impl Cut {
    /// The branch with these arguments, that goes by a value.
    pub(super) fn block(self, args: Vec<ValueId>, selector: ValueId, origin: u32) -> Block {
        let results = self.arms[0].outputs().len();
        let arms = self.arms.into_iter().map(Arc::new).collect();
        Block { args, body: Body::Branch { selector, arms, results }, is_kept: false, origin }
    }
}
