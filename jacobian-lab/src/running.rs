//! What runs of a code list at a point: branches are replaced by the arms that they take, loops by the iterations that
//! they make.

use jacobian_core::block::Body;
use jacobian_core::code_list::{CodeList, Statement, ValueId};
use jacobian_core::evaluate::{Domain, arm, evaluate, select};

/// The statements of `function` that run at a point, those of arms and iterations in place: a list without branches and
/// loops, with the same inputs and outputs.
pub fn running<D: Domain>(domain: &D, function: &CodeList, inputs: &[D::Number]) -> CodeList {
    let mut running = Running { domain, list: CodeList::new(function.precision()) };
    let outputs = running.outputs(function, None, inputs);
    outputs.into_iter().for_each(|output| running.list.output(output));
    running.list
}

struct Running<'a, D> {
    domain: &'a D,
    list: CodeList,
}

impl<D: Domain> Running<'_, D> {
    /// Adds what runs of `list`, with `args` in the place of its inputs, and returns its outputs.
    fn outputs(&mut self, list: &CodeList, args: Option<&[ValueId]>, inputs: &[D::Number]) -> Vec<ValueId> {
        let (values, mut args) = (evaluate(list, self.domain, inputs), args.map(<[_]>::iter));
        let (mut moved, mut parts) = (Vec::new(), Vec::new());
        for id in list.ids() {
            let new = match *list.statement(id) {
                Statement::Input(_) if args.is_some() => *args.as_mut().and_then(Iterator::next).expect("an argument"),
                Statement::Block(_) => {
                    parts.push(self.block(list, id, &moved, &values));
                    ValueId::new(0)
                }
                Statement::Part { block, index } => parts[list.block_id(block).index()][index as usize],
                statement => self.list.push(statement.map_args(|arg: ValueId| moved[arg.index()])),
            };
            moved.push(new);
        }
        select(&moved, list.outputs())
    }

    /// Adds what runs of a block, and returns its parts.
    fn block(&mut self, list: &CodeList, id: ValueId, moved: &[ValueId], values: &[D::Number]) -> Vec<ValueId> {
        let block = list.block_of(id);
        let (args, numbers) = (select(moved, &block.args), select(values, &block.args));
        match &block.body {
            Body::Branch { selector, arms, .. } => {
                let taken = arm(self.domain, list.kind(*selector), values[selector.index()], arms.len());
                self.outputs(&arms[taken], Some(&args), &numbers)
            }
            Body::Loop { iterations, body, carried } => {
                let iterations =
                    iterations.map(|iterations| self.domain.as_index(values[iterations.index()]).unwrap_or(0));
                self.iterations(iterations, body, *carried, args, numbers)
            }
            Body::Call { .. } | Body::Opaque { .. } => {
                let new = self.list.block(block.clone().map_args(|arg| moved[arg.index()]));
                (0..block.results()).map(|index| self.list.part(new, index)).collect()
            }
        }
    }

    /// Adds the iterations of a loop, and returns what it carries after them.
    fn iterations(
        &mut self,
        mut left: Option<usize>,
        body: &CodeList,
        carried: usize,
        mut args: Vec<ValueId>,
        mut numbers: Vec<D::Number>,
    ) -> Vec<ValueId> {
        let (read, mut goes_on) = (args.len() - carried, true);
        while goes_on && left != Some(0) {
            let outputs = self.outputs(body, Some(&args), &numbers);
            let values = select(&evaluate(body, self.domain, &numbers), body.outputs());
            args[read..].copy_from_slice(&outputs[..carried]);
            numbers[read..].copy_from_slice(&values[..carried]);
            goes_on = values.get(carried).is_none_or(|&goes_on| self.domain.as_index(goes_on) != Some(0));
            left = left.map(|left| left - 1);
        }
        args.split_off(read)
    }
}
