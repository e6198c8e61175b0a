//! What runs of a code list at a point: branches are replaced by the arms that they take.

use jacobian_core::block::Body;
use jacobian_core::code_list::{CodeList, Statement, ValueId};
use jacobian_core::evaluate::{Domain, arm, evaluate, select};

/// The statements of `function` that run at a point, those of arms in place: a list without branches, with the same inputs
/// and outputs.
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
        let Body::Branch { selector, arms, .. } = &block.body else {
            let new = self.list.block(block.clone().map_args(|arg| moved[arg.index()]));
            return (0..block.results()).map(|index| self.list.part(new, index)).collect();
        };
        let taken = arm(self.domain, list.kind(*selector), values[selector.index()], arms.len());
        self.outputs(&arms[taken], Some(&select(moved, &block.args)), &select(values, &block.args))
    }
}
