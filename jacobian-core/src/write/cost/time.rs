//! The time that code is estimated to take, by which orders of elimination are compared.

use jacobian_list::block::{Block, Body};
use jacobian_list::catalogue::Class;
use jacobian_list::code_list::{CodeList, Statement, ValueId};
use jacobian_list::evaluate::constants;
use jacobian_list::live::Needs;

/// What an operation of a class costs: one row of [`COSTS`].
pub struct ClassCost {
    /// The class.
    pub class: Class,
    /// How long it keeps the processor busy, in halves of the time of an addition.
    pub work: usize,
    /// How long its result takes, in the same unit.
    pub latency: usize,
}

/// What operations cost on processors of today, as far as orders of elimination are compared: an addition is issued
/// twice a cycle and takes four, a division is issued every fourth cycle and takes thirteen, a call of the mathematical
/// library takes some ten nanoseconds (Fog, Instruction tables; the benchmark of this crate checks what comes of it).
pub const COSTS: &[ClassCost] = &[
    ClassCost { class: Class::Addition, work: 2, latency: 6 },
    ClassCost { class: Class::Multiplication, work: 2, latency: 6 },
    ClassCost { class: Class::Division, work: 10, latency: 26 },
    ClassCost { class: Class::Negation, work: 1, latency: 2 },
    ClassCost { class: Class::Light, work: 1, latency: 2 },
    ClassCost { class: Class::Root, work: 10, latency: 40 },
    ClassCost { class: Class::Call, work: 40, latency: 90 },
];

/// How many iterations a loop is taken to make: enough for what is in it to count for more than what is around it.
const ITERATIONS: usize = 10;

/// What an operation costs in a single statement of a large function, with its loads and stores, in the same unit.
pub(crate) const SINGLE: isize = COSTS[Class::Addition as usize].work as isize;

/// What it costs in a lane of a pack: two are computed at once.
pub(crate) const LANE: isize = SINGLE / 2;

/// What the call costs that computes a pack, of a function that is written beside it.
pub(crate) const CALL_OF_PACK: isize = 10;

/// What it costs to store a value in an array, for the lane of a pack to read.
pub(crate) const GATHER: isize = 3;

impl ClassCost {
    /// The row of a class.
    pub fn of(class: Class) -> &'static ClassCost {
        &COSTS[class as usize]
    }
}

/// The time that a code list is estimated to take, in halves of the time of an addition: the work of its operations
/// and, for what waits for one another, its critical path.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Estimate {
    /// The work of all operations.
    pub work: usize,
    /// The longest chain of operations, each of which needs the one before.
    pub path: usize,
}

impl Estimate {
    /// The estimate of what the outputs of `list` need.
    pub fn of(list: &CodeList) -> Self {
        Estimate::needed(list, &list.needs(list.outputs().iter().copied()))
    }

    /// What an operation of a class takes.
    pub(crate) fn of_class(class: Class) -> Self {
        let ClassCost { work, latency, .. } = *ClassCost::of(class);
        Estimate { work, path: latency }
    }

    /// By statement of `list`: what it takes by itself. What no output needs, and what is a constant, takes nothing.
    pub fn of_each(list: &CodeList) -> Vec<Estimate> {
        Estimate::each_needed(list, &list.needs(list.outputs().iter().copied()))
    }

    fn each_needed(list: &CodeList, needs: &Needs) -> Vec<Estimate> {
        let constants = constants(list);
        let own = |id: ValueId| match list.statement(id) {
            _ if !needs.live[id.index()] || constants[id.index()] => Estimate::default(),
            Statement::Apply { intrinsic, .. } => Estimate::of_class(intrinsic.row().class),
            Statement::Block(block) => Estimate::of_block(list.block_of(id), &needs.blocks[block.index()].parts),
            _ => Estimate::default(),
        };
        list.ids().map(own).collect()
    }

    fn needed(list: &CodeList, needs: &Needs) -> Self {
        let (mut work, mut depths) = (0, Vec::with_capacity(list.statements().len()));
        for (id, own) in list.ids().zip(Estimate::each_needed(list, needs)) {
            let depth: usize = list.args(id).map(|arg| depths[arg.index()]).max().unwrap_or(0);
            work += own.work;
            depths.push(depth + own.path);
        }
        Estimate { work, path: depths.into_iter().max().unwrap_or(0) }
    }

    /// The estimate of the arm of a branch that takes the longest, or of some iterations of a loop.
    fn of_block(block: &Block, parts: &[bool]) -> Self {
        match &block.body {
            Body::Call { .. } => Estimate::of_class(Class::Call),
            Body::Opaque { .. } => Estimate::default(),
            Body::Branch { arms, .. } => {
                let of_arm = |arm: &CodeList| Estimate::needed(arm, &arm.needs_for(parts));
                arms.iter().map(|arm| of_arm(arm)).max_by_key(Estimate::total).unwrap_or_default()
            }
            Body::Loop { body, .. } => {
                let Estimate { work, path } = Estimate::needed(body, &body.needs_for(parts));
                Estimate { work: work.saturating_mul(ITERATIONS), path: path.saturating_mul(ITERATIONS) }
            }
        }
    }

    /// What is compared between strategies.
    pub fn total(&self) -> usize {
        self.work + self.path
    }
}
