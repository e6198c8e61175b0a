//! Settle: what the derivatives in the body of a loop are once its masks are 1, for the iterations from then on.
//!
//! A mask (`linearize/iteration.rs`) tells of a derivative that a loop carries whether it is a structural zero, for what
//! multiplies it and may be infinite. Most are 0 in a few iterations, until every path has been taken once, and then 1
//! for good; to test each in every iteration takes longer than the derivatives do. So the body gets a branch: one arm
//! tests the masks, and says when all are 1, and the other arm, that of all iterations after that, has none. Both give
//! the same, bit for bit.
//!
//! Nothing here asks what a mask is. Any numbers that a loop carries will do that stay 1 once all of them are, as the
//! body itself says when it is folded with ones in their places.
//!
//! A branch of the body that computes nothing, as that of an element at a run-time index, chooses derivatives
//! and masks beside values. It is cut in two: the values are chosen where they were, and with them the number of the
//! arm, by which the rest is chosen among the derivatives.

mod folded;
mod selections;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jacobian_list::block::{Block, Body, counted};
use jacobian_list::catalogue::known;
use jacobian_list::code_list::{CodeList, Constant, Kind, NotationId, Statement, ValueId};

use self::folded::{Folded, is_selection};
use self::selections::Selections;

/// The most statements of a body that are written twice.
const MAX_STATEMENTS: usize = 5_000;

/// The list with all loops that are in it settled.
pub fn settled(list: &CodeList) -> CodeList {
    let mut new = CodeList::new(list.precision());
    let mut moved = vec![ValueId::new(0); list.statements().len()];
    for id in list.ids() {
        moved[id.index()] = match list.has_lists(id) {
            false => new.push_from(list, id, &moved),
            true => {
                let block = list.block_of(id).clone().map_args(|arg| moved[arg.index()]);
                let block = settled_block(block, &mut new);
                let block = new.block(block);
                new.copy_marks(block, list, id);
                block
            }
        };
    }
    list.outputs().iter().for_each(|output| new.output(moved[output.index()]));
    new
}

/// A block of `list` with the loops in it settled, and itself, if it is one.
fn settled_block(mut block: Block, list: &mut CodeList) -> Block {
    for inner in block.lists_mut() {
        *inner = Arc::new(settled(inner));
    }
    if let Body::Loop { body, carried, .. } = &mut block.body
        && let Some((settled, masks)) = with_branch(body, *carried)
    {
        let first = block.args.len() - *carried;
        *body = Arc::new(settled);
        *carried += 1;
        // A loop in a loop that is settled is so from its first iteration on.
        let is_settled = are_ones(list, masks.iter().map(|&mask| block.args[first + mask]).collect());
        block.args.push(is_settled);
    }
    block
}

/// The body of a loop that carries one value more: whether its masks are 1; and which of the values are masks. None, where
/// there are none, or where they are not 1 for good.
fn with_branch(body: &CodeList, carried: usize) -> Option<(CodeList, Vec<usize>)> {
    if !body.ids().any(|id| is_selection(body, id)) {
        return None;
    }
    let chosen = Selections::of(body);
    let folded = Folded::of(body, carried, &chosen)?;
    let is_in_arm = in_arms(body, &folded, &chosen);
    let count = is_in_arm.iter().filter(|is_in_arm| **is_in_arm).count();
    let is_short = count <= MAX_STATEMENTS;
    let branched = is_short.then(|| Arms::of((body, carried), &folded, &chosen, is_in_arm).branched())?;
    Some((branched, folded.masks))
}

/// Whether all of these masks are 1.
fn are_ones(list: &mut CodeList, mut masks: Vec<ValueId>) -> ValueId {
    masks.sort_unstable();
    masks.dedup();
    let is_one = |mask: &ValueId| list.as_constant(*mask).map(|number| number.as_float() == 1.0);
    if masks.iter().any(|mask| is_one(mask) == Some(false)) {
        return list.constant(Constant::Bool(false));
    }
    masks.retain(|mask| is_one(mask).is_none());
    let one = list.constant(Constant::Float(1.0));
    let mut all = None;
    // What loops go through in order is complete when its last element is, or its first: these are asked for first.
    let (first, last) = masks.split_at(masks.len() / 2);
    let mut from_ends: Vec<_> = last.iter().rev().zip(first).flat_map(|(last, first)| [*last, *first]).collect();
    from_ends.extend((masks.len() % 2 == 1).then(|| last[0]));
    for mask in from_ends {
        let is_one = list.apply(known::EQ, NotationId::default(), &[mask, one]);
        all = Some(match all {
            None => is_one,
            Some(all) => list.apply(known::AND, NotationId::default(), &[all, is_one]),
        });
    }
    all.unwrap_or_else(|| list.constant(Constant::Bool(true)))
}

/// By value: whether it is computed in the arms: the derivatives, of which the function itself needs none.
fn in_arms(body: &CodeList, folded: &Folded, chosen: &Selections<'_>) -> Vec<bool> {
    let is_derivative = |id: ValueId| folded.depends[id.index()] || body.entry(id).is_some();
    let mut is_in_arm: Vec<_> = body.ids().map(|id| chosen.is_movable(id) && is_derivative(id)).collect();
    for id in body.ids().rev() {
        if !is_in_arm[id.index()] {
            chosen.reads(id).into_iter().for_each(|arg| is_in_arm[arg.index()] = false);
        }
    }
    is_in_arm
}

/// A body whose derivatives are computed in one of two arms.
struct Arms<'a> {
    body: &'a CodeList,
    carried: usize,
    folded: &'a Folded,
    chosen: &'a Selections<'a>,
    is_in_arm: Vec<bool>,
    /// The branches that are cut, in order.
    cut: BTreeMap<ValueId, Parts>,
}

/// The parts of a branch that are computed in its place, and in the arms.
#[derive(Default)]
struct Parts {
    in_place: Vec<usize>,
    in_arm: Vec<usize>,
}

impl<'a> Arms<'a> {
    fn of(
        (body, carried): (&'a CodeList, usize),
        folded: &'a Folded,
        chosen: &'a Selections<'a>,
        is_in_arm: Vec<bool>,
    ) -> Self {
        let mut cut: BTreeMap<ValueId, Parts> = BTreeMap::new();
        for id in body.ids() {
            if let Statement::Part { block, index } = *body.statement(id) {
                let Parts { in_place, in_arm } = cut.entry(block).or_default();
                let parts = if is_in_arm[id.index()] { in_arm } else { in_place };
                parts.push(index as usize);
            }
        }
        cut.retain(|_, parts| !parts.in_arm.is_empty());
        Arms { body, carried, folded, chosen, is_in_arm, cut }
    }

    fn branched(&self) -> CodeList {
        let body = self.body;
        let (mut list, mut moved) = (CodeList::new(body.precision()), vec![ValueId::new(0); body.statements().len()]);
        let is_input = |id: &ValueId| matches!(body.statement(*id), Statement::Input(_));
        let (inputs, others): (Vec<_>, Vec<_>) = body.ids().partition(is_input);
        for id in inputs {
            moved[id.index()] = list.push_from(body, id, &moved);
        }
        let is_settled = list.input_of_kind(Kind::Bool, "settled");
        let mut numbers = Vec::new();
        for id in others.into_iter().filter(|id| !self.is_in_arm[id.index()]) {
            moved[id.index()] = match *body.statement(id) {
                Statement::Block(_) if let Some(Parts { in_place, .. }) = self.cut.get(&id) => {
                    let block = self.in_place(id, in_place, &moved, &mut list);
                    numbers.push(list.part(block, in_place.len()));
                    block
                }
                Statement::Part { block, index } if let Some(Parts { in_place, .. }) = self.cut.get(&block) => {
                    let part = list.part(moved[block.index()], place_of(in_place, index));
                    list.copy_marks(part, body, id);
                    part
                }
                _ => list.push_from(body, id, &moved),
            };
        }
        let (args, results) = (self.args(), self.results());
        let arms = [true, false].map(|is_settled| Arc::new(self.arm(&args, &results, is_settled)));
        let results_and_settled = results.len() + 1;
        let branch = Body::Branch { selector: is_settled, arms: arms.into(), results: results_and_settled };
        let args = args.iter().map(|arg| moved[arg.index()]).chain(numbers).collect();
        let branch = list.block(Block { args, body: branch, is_kept: false, origin: counted::BRANCH });
        for (part, &result) in results.iter().enumerate() {
            moved[result.index()] = list.part(branch, part);
            list.copy_marks(moved[result.index()], body, result);
        }
        let is_settled = list.part(branch, results.len());
        body.outputs().iter().for_each(|output| list.output(moved[output.index()]));
        list.insert_output(self.carried, is_settled);
        list
    }

    /// What is left of a branch whose other parts are in the arms; its last part is the number of its arm.
    fn in_place(&self, id: ValueId, parts: &[usize], moved: &[ValueId], list: &mut CodeList) -> ValueId {
        let selector = self.body.block_of(id).decider().expect("it is a branch");
        let mut cut = self.chosen.cut(id, parts);
        let has_two = cut.arms.len() == 2;
        for (number, arm) in cut.arms.iter_mut().enumerate() {
            let number = arm.constant(if has_two { Constant::Bool(number == 0) } else { Constant::Int(number as i32) });
            arm.output(number);
        }
        let args = cut.args.iter().map(|arg| moved[arg.index()]).collect();
        let block = list.block(cut.block(args, moved[selector.index()], self.body.block_of(id).origin));
        list.copy_marks(block, self.body, id);
        block
    }

    /// What the arms read, but for numbers, and for the numbers of the arms of branches that are cut.
    fn args(&self) -> Vec<ValueId> {
        let mut is_read = vec![false; self.body.statements().len()];
        let in_arm = self.body.ids().filter(|id| self.is_in_arm[id.index()]);
        let masks = self.folded.masks.iter().flat_map(|&mask| self.mask(mask));
        in_arm.flat_map(|id| self.chosen.reads(id)).chain(masks).for_each(|arg| is_read[arg.index()] = true);
        let is_arg = |id: &ValueId| is_read[id.index()] && !self.is_in_arm[id.index()];
        self.body.ids().filter(is_arg).filter(|&id| self.body.as_constant(id).is_none()).collect()
    }

    /// A mask before the iteration and after it.
    fn mask(&self, mask: usize) -> [ValueId; 2] {
        let first = self.body.inputs().len() - self.carried;
        [self.body.inputs()[first + mask], self.body.outputs()[mask]]
    }

    /// What the arms give, but for whether all masks are 1.
    fn results(&self) -> Vec<ValueId> {
        let mut results: Vec<_> =
            self.body.outputs().iter().copied().filter(|output| self.is_in_arm[output.index()]).collect();
        results.sort_unstable();
        results.dedup();
        results
    }

    fn arm(&self, args: &[ValueId], results: &[ValueId], is_settled: bool) -> CodeList {
        let body = self.body;
        let mut arm = Arm {
            list: CodeList::new(body.precision()),
            moved: HashMap::new(),
            blocks: HashMap::new(),
            kept: HashMap::new(),
            numbers: HashMap::new(),
        };
        for &arg in args {
            let input = arm.list.push(Statement::Input(body.kind(arg)));
            arm.list.copy_marks(input, body, arg);
            arm.moved.insert(arg, input);
        }
        let number_of = |block: &ValueId| {
            let kind = if body.block_of(*block).lists().len() == 2 { Kind::Bool } else { Kind::Int };
            (*block, arm.list.push(Statement::Input(kind)))
        };
        let numbers: HashMap<_, _> = self.cut.keys().map(number_of).collect();
        let folded = is_settled.then_some(self.folded);
        for id in body.ids().filter(|id| self.is_in_arm[id.index()]) {
            let is_same = |folded: &Folded| folded.same[id.index()] == id && folded.numbers[id.index()].is_none();
            if !folded.is_none_or(is_same) {
                continue;
            }
            let new = match body.statement(id) {
                Statement::Apply { intrinsic, notation, args } => {
                    let args: Vec<_> = args.iter().map(|&arg| arm.value(body, folded, arg)).collect();
                    arm.list.apply(*intrinsic, *notation, &args)
                }
                // The parts of a branch are beside one another, and what they are chosen from before the first.
                &Statement::Part { block, index } => {
                    let parts = &self.cut[&block].in_arm;
                    let new = match arm.blocks.get(&block) {
                        Some(&new) => new,
                        None => {
                            let cut = self.chosen.cut(block, parts);
                            let args: Vec<_> = cut.args.iter().map(|&arg| arm.value(body, folded, arg)).collect();
                            let new = arm.list.block(cut.block(args, numbers[&block], counted::BRANCH));
                            arm.blocks.insert(block, new);
                            new
                        }
                    };
                    arm.list.part(new, place_of(parts, index))
                }
                _ => continue,
            };
            arm.list.copy_marks(new, body, id);
            arm.moved.insert(id, new);
        }
        if is_settled {
            // The masks are not changed, which costs nothing; to make ones of ones does.
            for &mask in &self.folded.masks {
                let [now, next] = self.mask(mask);
                arm.kept.insert(next, now);
            }
        }
        let mut outputs: Vec<_> = results.iter().map(|&result| arm.result(body, folded, result)).collect();
        outputs.push(match is_settled {
            true => arm.list.constant(Constant::Bool(true)),
            false => {
                let masks = self.folded.masks.iter().map(|&mask| arm.value(body, None, self.mask(mask)[1]));
                let masks = masks.collect();
                are_ones(&mut arm.list, masks)
            }
        });
        outputs.into_iter().for_each(|output| arm.list.output(output));
        arm.list.remove_dead_code()
    }
}

/// The place of a part among those that are computed together.
fn place_of(parts: &[usize], part: u32) -> usize {
    parts.iter().position(|&other| other == part as usize).expect("the part is one of these")
}

/// An arm while it is written.
struct Arm {
    list: CodeList,
    /// By value of the body: what it is in the arm.
    moved: HashMap<ValueId, ValueId>,
    /// By branch of the body of which it has parts: the statement that chooses these.
    blocks: HashMap<ValueId, ValueId>,
    /// By mask of the next iteration: the one that it was before.
    kept: HashMap<ValueId, ValueId>,
    numbers: HashMap<u64, ValueId>,
}

impl Arm {
    /// A value of the body, as it is where this is known of the masks.
    fn value(&mut self, body: &CodeList, folded: Option<&Folded>, id: ValueId) -> ValueId {
        if let Some(number) = folded.and_then(|folded| folded.numbers[id.index()]) {
            return self.number(number);
        }
        let id = folded.map_or(id, |folded| folded.same[id.index()]);
        match body.as_constant(id) {
            Some(Constant::Float(number)) => self.number(number),
            Some(other) => self.list.constant(other),
            None => self.moved[&id],
        }
    }

    fn result(&mut self, body: &CodeList, folded: Option<&Folded>, id: ValueId) -> ValueId {
        match self.kept.get(&id) {
            Some(mask) => self.moved[mask],
            None => self.value(body, folded, id),
        }
    }

    fn number(&mut self, number: f64) -> ValueId {
        let list = &mut self.list;
        *self.numbers.entry(number.to_bits()).or_insert_with(|| list.constant(Constant::Float(number)))
    }
}
