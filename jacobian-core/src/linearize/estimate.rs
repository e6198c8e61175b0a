//! How many products the derivatives of the arms of a branch take, as far as their statements tell: nothing is
//! linearized for it, as that would be done once more for each level of arms in arms.

use jacobian_list::block::{Block, Body};
use jacobian_list::catalogue::Class;
use jacobian_list::code_list::{CodeList, Kind, Statement, ValueId};

use super::before::ITERATIONS;
use crate::bits;

/// What is estimated of a list or of a block. Of arms, the largest numbers count.
#[derive(Default)]
pub(super) struct Estimate {
    /// By result: the active arguments that it may depend on, as a set.
    pub depends: Vec<Vec<u64>>,
    /// How many edges of the graph have labels that are not 1.
    pub edges: usize,
    /// How many products the local Jacobian takes in forward order.
    pub forward: usize,
}

impl Estimate {
    /// That of a branch of which these arguments are active.
    pub(super) fn of_branch(block: &Block, is_active: &[bool]) -> Estimate {
        let mut args = vec![vec![0; bits::words(is_active.len())]; is_active.len()];
        for (argument, set) in args.iter_mut().enumerate().filter(|(argument, _)| is_active[*argument]) {
            bits::write(set, [argument]);
        }
        Estimate::of_block(block, &args)
    }

    /// The number of results that depend on an argument, and of the pairs of both.
    pub(super) fn results_and_pairs(&self) -> (usize, usize) {
        let counts = || self.depends.iter().map(|set| bits::count(set) as usize);
        (counts().filter(|count| *count > 0).count(), counts().sum())
    }

    fn of_block(block: &Block, args: &[Vec<u64>]) -> Estimate {
        let all = union(args, args.first().map_or(1, Vec::len));
        let (active, columns) = (args.iter().filter(|set| bits::count(set) > 0).count(), bits::count(&all) as usize);
        let mut estimate = Estimate { depends: vec![all; block.results()], ..Estimate::default() };
        match &block.body {
            Body::Opaque { .. } => estimate.depends.iter_mut().for_each(|set| set.fill(0)),
            Body::Call { .. } => {
                (estimate.edges, estimate.forward) = (block.results() * active, block.results() * columns)
            }
            // It is carried forward whatever the order around it is.
            Body::Loop { body, .. } => {
                let products = ITERATIONS * columns * (body.statements().len() + body.inner_length());
                (estimate.edges, estimate.forward) = (products, products);
            }
            Body::Branch { arms, .. } => {
                estimate.depends.iter_mut().for_each(|set| set.fill(0));
                for arm in arms {
                    let of_arm = Estimate::of_list(arm, args);
                    for (set, own) in estimate.depends.iter_mut().zip(&of_arm.depends) {
                        add(set, own);
                    }
                    estimate.edges = estimate.edges.max(of_arm.edges);
                    estimate.forward = estimate.forward.max(of_arm.forward);
                }
            }
        }
        estimate
    }

    fn of_list(list: &CodeList, inputs: &[Vec<u64>]) -> Estimate {
        let words = inputs.first().map_or(1, Vec::len);
        let mut estimate = Estimate::default();
        let mut values: Vec<Vec<u64>> = Vec::with_capacity(list.statements().len());
        let (mut next, mut parts) = (0, Vec::with_capacity(list.blocks().len()));
        for id in list.ids() {
            values.push(match *list.statement(id) {
                Statement::Input(_) => {
                    next += 1;
                    inputs[next - 1].clone()
                }
                Statement::Constant(_) => vec![0; words],
                Statement::Apply { intrinsic, args, .. } => {
                    let row = intrinsic.row();
                    let mut set = vec![0; words];
                    for &arg in args.iter().filter(|_| row.gives == Kind::Float) {
                        let own = &values[arg.index()];
                        add(&mut set, own);
                        let count = bits::count(own) as usize;
                        if count > 0 && !matches!(row.class, Class::Addition | Class::Negation) {
                            estimate.edges += 1;
                            // The derivative of an input by itself is 1.
                            estimate.forward +=
                                if matches!(list.statement(arg), Statement::Input(_)) { 0 } else { count };
                        }
                    }
                    set
                }
                Statement::Block(_) => {
                    let block = list.block_of(id);
                    let args: Vec<_> = block.args.iter().map(|arg: &ValueId| values[arg.index()].clone()).collect();
                    let inner = Estimate::of_block(block, &args);
                    estimate.edges += inner.edges;
                    estimate.forward += inner.forward;
                    parts.push(inner.depends);
                    Vec::new()
                }
                Statement::Part { block, index } => parts[list.block_id(block).index()][index as usize].clone(),
            });
        }
        estimate.depends = list.outputs().iter().map(|output| values[output.index()].clone()).collect();
        estimate
    }
}

fn union(sets: &[Vec<u64>], words: usize) -> Vec<u64> {
    let mut union = vec![0; words];
    sets.iter().for_each(|set| add(&mut union, set));
    union
}

fn add(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}
