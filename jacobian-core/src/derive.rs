//! The derivatives of blocks, by preaccumulation of basic blocks (Naumann and Utke 2007; xaifBooster): each arm of a branch
//! is a graph of its own, and its local Jacobian is accumulated inside of it. The derivative of the branch is a branch
//! again, so that nothing is evaluated that belongs to an arm which does not run.

use std::collections::HashMap;
use std::sync::Arc;

use crate::accumulate::{Derivative, accumulate_arm};
use crate::block::{Block, Body};
use crate::code_list::{CodeList, Constant, ValueId};
use crate::error::Error;
use crate::linearize::{Level, linearize_arm};
use crate::strategy::Strategy;

/// How arms are linearized, and by which strategy their local Jacobians are accumulated.
#[derive(Copy, Clone)]
pub(crate) struct Rule<'a> {
    pub(crate) level: Level,
    pub(crate) strategy: &'a Strategy,
}

/// The derivative of a block.
pub(crate) struct DerivedBlock {
    /// Its first parts are those of the block itself, the others are partials.
    pub(crate) block: Block,
    /// The partials, a row for each part of the block, a column for each active argument.
    pub(crate) partials: Vec<Vec<BlockPartial>>,
    /// The parts that are structural zeros in some arms, each with the part that is its mask.
    pub(crate) masks: Vec<(usize, usize)>,
}

/// A partial of a block.
#[derive(Copy, Clone)]
pub(crate) enum BlockPartial {
    /// The same number in all arms; 0 where it is a structural zero in all of them.
    Constant(f64),
    /// This part of the derivative.
    Part(usize),
}

/// Differentiates a block with respect to the arguments that are active.
pub(crate) fn derive(block: &Block, is_active: &[bool], rule: Rule<'_>) -> Result<DerivedBlock, Error> {
    match &block.body {
        Body::Call { with_jacobian: true, .. } => Err(Error::NoSecondDerivative),
        Body::Call { results, .. } => Ok(derive_call(block, *results, is_active)),
        Body::Branch { arms, .. } => {
            let arms = arms.iter().map(|arm| derive_arm(arm, is_active, rule)).collect::<Result<Vec<_>, _>>()?;
            Ok(merge(block, &arms))
        }
    }
}

fn derive_call(block: &Block, results: usize, is_active: &[bool]) -> DerivedBlock {
    let columns = || (0..is_active.len()).filter(|&column| is_active[column]);
    let row =
        |row: usize| columns().map(|column| BlockPartial::Part(results + row * is_active.len() + column)).collect();
    let body = Body::Call { results, with_jacobian: true };
    DerivedBlock {
        block: Block { body, ..block.clone() },
        partials: (0..results).map(row).collect(),
        masks: Vec::new(),
    }
}

fn derive_arm(arm: &CodeList, is_active: &[bool], rule: Rule<'_>) -> Result<Derivative, Error> {
    let linearization = linearize_arm(arm, is_active, rule)?;
    let (_, elimination) = rule.strategy.eliminate(&linearization)?;
    Ok(accumulate_arm(linearization, &elimination.program))
}

/// Makes a block of the derivatives of all arms: the results, then each partial that is not the same number in all arms,
/// then the masks of those that are structural zeros in some arms.
fn merge(block: &Block, arms: &[Derivative]) -> DerivedBlock {
    let (rows, columns) = (block.results(), arms.first().map_or(0, |arm| arm.columns));
    let mut merger = Merger::new(arms, rows);
    let entry = |row: usize, column: usize| rows + row * columns + column;
    let (mut partials, mut masks) = (Vec::new(), Vec::new());
    for row in 0..rows {
        partials.push((0..columns).map(|column| merger.part(entry(row, column))).collect());
    }
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        if let BlockPartial::Part(part) = merger.part(entry(row, column))
            && let BlockPartial::Part(mask) = merger.part(entry(row, column) + rows * columns)
        {
            masks.push((part, mask));
        }
    }
    let is_input = vec![true; block.args.len()];
    let arms = arms.iter().map(|arm| Arc::new(arm.list.reduced(&merger.is_kept, &is_input))).collect();
    let selector = block.selector().expect("a branch has a selector");
    let body = Body::Branch { selector, arms, results: merger.length };
    DerivedBlock { block: Block { body, ..block.clone() }, partials, masks }
}

/// Chooses the outputs of arms that become parts of a block.
struct Merger<'a> {
    arms: &'a [Derivative],
    /// By output: whether it becomes a part.
    is_kept: Vec<bool>,
    /// The parts so far, by what they are in each arm.
    parts: HashMap<Vec<ValueId>, usize>,
    length: usize,
}

impl<'a> Merger<'a> {
    /// The first outputs are the results, which are kept as they are.
    fn new(arms: &'a [Derivative], results: usize) -> Self {
        let outputs = arms.first().map_or(0, |arm| arm.list.outputs().len());
        let mut merger = Merger { arms, is_kept: vec![false; outputs], parts: HashMap::new(), length: results };
        for result in 0..results {
            merger.is_kept[result] = true;
            merger.parts.entry(merger.in_arms(result)).or_insert(result);
        }
        merger
    }

    fn in_arms(&self, output: usize) -> Vec<ValueId> {
        self.arms.iter().map(|arm| arm.list.outputs()[output]).collect()
    }

    /// The part that an output is: a number where it is that in all arms, one in front of it where it is the same value as
    /// that in all arms.
    fn part(&mut self, output: usize) -> BlockPartial {
        if let Some(number) = common_number(self.arms, output) {
            return BlockPartial::Constant(number);
        }
        BlockPartial::Part(*self.parts.entry(self.in_arms(output)).or_insert_with(|| {
            self.is_kept[output] = true;
            self.length += 1;
            self.length - 1
        }))
    }
}

/// The number that an output is in all arms.
fn common_number(arms: &[Derivative], output: usize) -> Option<f64> {
    let mut numbers = arms.iter().map(|arm| arm.list.as_constant(arm.list.outputs()[output]));
    let first = numbers.next()??;
    let is_same = |number: Option<Constant>| number.is_some_and(|number| number.key() == first.key());
    numbers.all(is_same).then(|| first.as_float())
}
