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

use std::collections::HashMap;
use std::sync::Arc;

use jacobian_list::block::{Block, Body, counted};
use jacobian_list::catalogue::known;
use jacobian_list::code_list::{CodeList, Constant, Kind, NotationId, Statement, ValueId};

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
        && let Some(settled) = with_branch(body, *carried)
    {
        *body = Arc::new(settled);
        *carried += 1;
        block.args.push(list.constant(Constant::Bool(false)));
    }
    block
}

/// The body of a loop that carries one value more: whether its masks are 1. None, where it has no masks, or where they
/// are not 1 for good.
fn with_branch(body: &CodeList, carried: usize) -> Option<CodeList> {
    let folded = Folded::of(body, carried)?;
    let is_in_arm = in_arms(body, &folded);
    let count = is_in_arm.iter().filter(|is_in_arm| **is_in_arm).count();
    (count <= MAX_STATEMENTS).then(|| Arms { body, carried, folded: &folded, is_in_arm }.branched())
}

/// A body with ones in the place of its masks.
struct Folded {
    /// By value: whether it is a mask, or computed from one.
    depends: Vec<bool>,
    /// By value: the number that it is then.
    numbers: Vec<Option<f64>>,
    /// By value: the one that it is then, itself or what a selection gives.
    same: Vec<ValueId>,
    /// The masks, as what is carried.
    masks: Vec<usize>,
}

impl Folded {
    /// The body with the largest set of masks. None, where no selection goes by them.
    fn of(body: &CodeList, carried: usize) -> Option<Folded> {
        let first = body.inputs().len() - carried;
        let of = |mask: usize| (body.inputs()[first + mask], body.outputs()[mask]);
        let is_float = |&mask: &usize| body.kind(of(mask).0) == Kind::Float && of(mask).0 != of(mask).1;
        let mut masks: Vec<_> = (0..carried).filter(is_float).collect();
        loop {
            let folded = Folded::with(body, masks, first);
            // What a block reads is not folded in it.
            let keeps = |id: ValueId| !matches!(body.statement(id), Statement::Apply { .. }) || body.has_effect(id);
            let mut is_kept = vec![false; body.statements().len()];
            for id in body.ids().rev().filter(|id| folded.depends[id.index()]) {
                if is_kept[id.index()] || keeps(id) {
                    body.args(id).for_each(|arg| is_kept[arg.index()] = true);
                }
            }
            let stays = |&mask: &usize| {
                let (input, next) = of(mask);
                folded.numbers[next.index()] == Some(1.0) && !is_kept[input.index()]
            };
            let left: Vec<_> = folded.masks.iter().copied().filter(stays).collect();
            if left.len() == folded.masks.len() {
                let selects = |id: ValueId| folded.same[id.index()] != id && folded.numbers[id.index()].is_none();
                return body.ids().any(|id| folded.depends[id.index()] && selects(id)).then_some(folded);
            }
            masks = left;
        }
    }

    fn with(body: &CodeList, masks: Vec<usize>, first: usize) -> Folded {
        let length = body.statements().len();
        let same: Vec<_> = body.ids().collect();
        let mut folded = Folded { depends: vec![false; length], numbers: vec![None; length], same, masks };
        for &mask in &folded.masks {
            let input = body.inputs()[first + mask].index();
            (folded.depends[input], folded.numbers[input]) = (true, Some(1.0));
        }
        body.ids().for_each(|id| folded.statement(body, id));
        folded
    }

    fn statement(&mut self, body: &CodeList, id: ValueId) {
        let index = id.index();
        self.depends[index] |= body.args(id).any(|arg| self.depends[arg.index()]);
        match body.statement(id) {
            Statement::Constant(Constant::Float(number)) => self.numbers[index] = Some(*number),
            Statement::Apply { intrinsic, args, .. } => {
                let number = |arg: ValueId| self.numbers[arg.index()];
                match (*intrinsic, &**args) {
                    (known::ADD, &[x, y]) => self.numbers[index] = number(x).zip(number(y)).map(|(x, y)| x + y),
                    (known::SELECT_EQ, &[x, y, then, other]) => {
                        if let (Some(x), Some(y)) = (number(x), number(y)) {
                            let chosen = if x == y { then } else { other };
                            (self.same[index], self.numbers[index]) = (self.same[chosen.index()], number(chosen));
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// By value: whether it is computed in the arms: the derivatives, of which the function itself needs none.
fn in_arms(body: &CodeList, folded: &Folded) -> Vec<bool> {
    let is_derivative = |id: ValueId| folded.depends[id.index()] || body.entry(id).is_some();
    let is_plain = |id: ValueId| matches!(body.statement(id), Statement::Apply { .. }) && !body.has_effect(id);
    let mut is_in_arm: Vec<_> = body.ids().map(|id| is_plain(id) && is_derivative(id)).collect();
    for id in body.ids().rev() {
        if !is_in_arm[id.index()] {
            body.args(id).for_each(|arg| is_in_arm[arg.index()] = false);
        }
    }
    is_in_arm
}

/// A body whose derivatives are computed in one of two arms.
struct Arms<'a> {
    body: &'a CodeList,
    carried: usize,
    folded: &'a Folded,
    is_in_arm: Vec<bool>,
}

impl Arms<'_> {
    fn branched(&self) -> CodeList {
        let body = self.body;
        let (mut list, mut moved) = (CodeList::new(body.precision()), vec![ValueId::new(0); body.statements().len()]);
        let is_input = |id: &ValueId| matches!(body.statement(*id), Statement::Input(_));
        let (inputs, others): (Vec<_>, Vec<_>) = body.ids().partition(is_input);
        for id in inputs {
            moved[id.index()] = list.push_from(body, id, &moved);
        }
        let is_settled = list.input_of_kind(Kind::Bool, "settled");
        for id in others.into_iter().filter(|id| !self.is_in_arm[id.index()]) {
            moved[id.index()] = list.push_from(body, id, &moved);
        }
        let (args, results) = (self.args(), self.results());
        let arms = [true, false].map(|is_settled| Arc::new(self.arm(&args, &results, is_settled)));
        let results_and_settled = results.len() + 1;
        let branch = Body::Branch { selector: is_settled, arms: arms.into(), results: results_and_settled };
        let args = args.iter().map(|arg| moved[arg.index()]).collect();
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

    /// What the arms read, but for numbers.
    fn args(&self) -> Vec<ValueId> {
        let mut is_read = vec![false; self.body.statements().len()];
        let in_arm = self.body.ids().filter(|id| self.is_in_arm[id.index()]);
        let masks = self.folded.masks.iter().flat_map(|&mask| self.mask(mask));
        in_arm.flat_map(|id| self.body.args(id)).chain(masks).for_each(|arg| is_read[arg.index()] = true);
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
            kept: HashMap::new(),
            numbers: HashMap::new(),
        };
        for &arg in args {
            let input = arm.list.push(Statement::Input(body.kind(arg)));
            arm.list.copy_marks(input, body, arg);
            arm.moved.insert(arg, input);
        }
        let folded = is_settled.then_some(self.folded);
        for id in body.ids().filter(|id| self.is_in_arm[id.index()]) {
            let is_same = |folded: &Folded| folded.same[id.index()] == id && folded.numbers[id.index()].is_none();
            let Statement::Apply { intrinsic, notation, args } = body.statement(id) else { continue };
            if folded.is_none_or(is_same) {
                let args: Vec<_> = args.iter().map(|&arg| arm.value(body, folded, arg)).collect();
                let new = arm.list.apply(*intrinsic, *notation, &args);
                arm.list.copy_marks(new, body, id);
                arm.moved.insert(id, new);
            }
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
            false => self.are_ones(&mut arm),
        });
        outputs.into_iter().for_each(|output| arm.list.output(output));
        arm.list.remove_dead_code()
    }

    /// Whether all masks of the next iteration are 1.
    fn are_ones(&self, arm: &mut Arm) -> ValueId {
        let one = arm.number(1.0);
        let mut masks: Vec<_> = self.folded.masks.iter().map(|&mask| self.mask(mask)[1]).collect();
        masks.sort_unstable();
        masks.dedup();
        let variable = masks.into_iter().filter(|&mask| self.body.as_constant(mask).is_none());
        let mut all = None;
        for mask in variable.collect::<Vec<_>>() {
            let mask = arm.value(self.body, None, mask);
            let is_one = arm.list.apply(known::EQ, NotationId::default(), &[mask, one]);
            all = Some(match all {
                None => is_one,
                Some(all) => arm.list.apply(known::AND, NotationId::default(), &[all, is_one]),
            });
        }
        all.unwrap_or_else(|| arm.list.constant(Constant::Bool(true)))
    }
}

/// An arm while it is written.
struct Arm {
    list: CodeList,
    /// By value of the body: what it is in the arm.
    moved: HashMap<ValueId, ValueId>,
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
