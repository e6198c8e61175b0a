//! Which values may be infinite or no number though all inputs are finite: those of divisions, roots, logarithms,
//! powers and exponentials, and what is computed from them. (That a sum or product of bounded values may overflow does
//! not count.)

use std::collections::{HashMap, HashSet};

use jacobian_list::block::{Block, Body};
use jacobian_list::catalogue::{Class, Intrinsic, known};
use jacobian_list::code_list::{CodeList, Statement, ValueId};

/// The values of a growing list that may be infinite or no number.
#[derive(Clone, Default)]
pub(crate) struct Unbounded {
    /// By statement.
    values: Vec<bool>,
    /// By block, the parts.
    parts: HashMap<ValueId, Vec<bool>>,
    /// The inputs among them.
    inputs: HashSet<ValueId>,
}

impl Unbounded {
    /// Examines the statements that have been added to `list`.
    pub(crate) fn extend(&mut self, list: &CodeList) {
        // (Skipping those before would take a step for each.)
        for index in self.values.len()..list.statements().len() {
            let input = self.inputs.contains(&ValueId::new(index));
            self.statement(list, ValueId::new(index), |_| input);
        }
    }

    /// Examines a block once more, which has further parts now.
    pub(crate) fn change(&mut self, list: &CodeList, block: ValueId) {
        if self.parts.contains_key(&block) {
            self.parts.insert(block, self.parts_of(list.block_of(block)));
        }
    }

    /// Says that an input may be one of them, before it is examined.
    pub(crate) fn input(&mut self, input: ValueId) {
        self.inputs.insert(input);
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
        let mut args: Vec<_> = block.args.iter().map(|&arg| self.has(arg)).collect();
        match &block.body {
            Body::Branch { arms, results, .. } => {
                let mut parts = vec![false; *results];
                for arm in arms {
                    parts.iter_mut().zip(outputs(arm, &args)).for_each(|(part, output)| *part |= output);
                }
                parts
            }
            Body::Loop { body, carried, .. } => {
                let read = args.len() - carried;
                unbounded_iterations(body, read, &mut args);
                args.split_off(read)
            }
            Body::Call { .. } | Body::Opaque { .. } => vec![!block.is_opaque(); block.results()],
        }
    }
}

/// Adds to those inputs of the body of a loop that may be infinite or no number, the first `read` of which are the same
/// in all iterations, those that become so.
pub(crate) fn unbounded_iterations(body: &CodeList, read: usize, inputs: &mut [bool]) {
    loop {
        let before = inputs.to_vec();
        inputs[read..].iter_mut().zip(outputs(body, &before)).for_each(|(input, output)| *input |= output);
        if before == inputs {
            return;
        }
    }
}

/// The outputs of a list that may be infinite or no number where these inputs may.
fn outputs(list: &CodeList, inputs: &[bool]) -> Vec<bool> {
    let mut by_value = vec![false; list.statements().len()];
    for (input, &is_unbounded) in list.inputs().iter().zip(inputs) {
        by_value[input.index()] = is_unbounded;
    }
    let mut within = Unbounded::default();
    for id in list.ids() {
        within.statement(list, id, |input| by_value[input.index()]);
    }
    list.outputs().iter().map(|output| within.has(*output)).collect()
}
