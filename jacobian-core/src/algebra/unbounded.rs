//! Which values may be infinite or no number though all inputs are finite: those of divisions, roots, logarithms, powers and
//! exponentials, and what is computed from them. (That a sum or product of bounded values may overflow does not count.)

use std::collections::HashMap;

use crate::list::block::{Block, Body};
use crate::list::catalogue::{Class, Intrinsic, known};
use crate::list::code_list::{CodeList, Statement, ValueId};

/// The values of a growing list that may be infinite or no number.
#[derive(Clone, Default)]
pub(crate) struct Unbounded {
    /// By statement.
    values: Vec<bool>,
    /// By block, the parts.
    parts: HashMap<ValueId, Vec<bool>>,
}

impl Unbounded {
    /// Looks at the statements that have been added to `list`.
    pub(crate) fn extend(&mut self, list: &CodeList) {
        let inputs = |_: ValueId| false;
        // (Skipping those before would take a step for each.)
        for index in self.values.len()..list.statements().len() {
            self.statement(list, ValueId::new(index), inputs);
        }
    }

    /// Forgets the statements from `length` on.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.values.truncate(length);
        self.parts.retain(|block, _| block.index() < length);
    }

    /// Whether this value is one of them.
    pub(crate) fn has(&self, value: ValueId) -> bool {
        self.values[value.index()]
    }

    fn statement(&mut self, list: &CodeList, id: ValueId, input: impl Fn(ValueId) -> bool) {
        let is_unbounded = match *list.statement(id) {
            Statement::Input(_) => input(id),
            Statement::Constant(_) => false,
            Statement::Apply { intrinsic, .. } => {
                self.can_leave_bounds(list, id, intrinsic) || list.args(id).any(|arg| self.has(arg))
            }
            Statement::Block(_) => {
                self.parts.insert(id, self.parts_of(list.block_of(id)));
                false
            }
            Statement::Part { block, index } => self.parts[&block][index as usize],
        };
        self.values.push(is_unbounded);
    }

    /// Whether an operation on finite numbers may give none.
    fn can_leave_bounds(&self, list: &CodeList, id: ValueId, intrinsic: Intrinsic) -> bool {
        let row = intrinsic.row();
        match row.class {
            Class::Addition | Class::Multiplication | Class::Negation | Class::Light => false,
            Class::Division if intrinsic == known::DIV => {
                let divisor = list.args(id).nth(1).and_then(|divisor| list.as_constant(divisor));
                divisor.is_none_or(|divisor| divisor.as_float() == 0.0)
            }
            Class::Division | Class::Root | Class::Call => !row.is_bounded,
        }
    }

    /// The parts of a block that may be infinite or no number. What a function returns may be anything; a passive value
    /// is taken for finite, as inputs are.
    fn parts_of(&self, block: &Block) -> Vec<bool> {
        let Body::Branch { arms, results, .. } = &block.body else {
            return vec![!block.is_opaque(); block.results()];
        };
        let mut parts = vec![false; *results];
        for arm in arms {
            let mut args = vec![None; arm.statements().len()];
            for (input, &arg) in arm.inputs().iter().zip(&block.args) {
                args[input.index()] = Some(arg);
            }
            let mut within = Unbounded::default();
            for id in arm.ids() {
                within.statement(arm, id, |input| args[input.index()].is_some_and(|arg| self.has(arg)));
            }
            for (part, output) in parts.iter_mut().zip(arm.outputs()) {
                *part |= within.has(*output);
            }
        }
        parts
    }
}
