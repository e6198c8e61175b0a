//! The derivatives of blocks, by preaccumulation of basic blocks (Utke et al. 2008, OpenAD/F): each arm of a branch is
//! a graph of its own, and its local Jacobian is accumulated inside of it. The derivative of the branch is a branch
//! again, so that nothing is evaluated that belongs to an arm which does not run. That of a loop is a loop
//! (`iteration.rs`), that of a call a call with the Jacobian.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

use jacobian_list::block::{Block, Body, Local, call_parts};
use jacobian_list::code_list::{CodeList, Constant, ValueId};

use super::inner::{BlockPartial, DerivedBlock, Inner};
use super::iteration::Before;
use super::seed::{Interface, SeedKind};
use super::selection::derive_selection;
use crate::derivative::{Derivative, Pattern};
use crate::error::Error;

/// Differentiates a block that is no loop with respect to the arguments that are active.
pub(crate) fn derive(block: &Block, is_active: &[bool], inner: &dyn Inner) -> Result<DerivedBlock, Error> {
    match &block.body {
        Body::Call { order: 2.., .. } | Body::Call { local: Local::Unwanted, .. } => Err(Error::NoThirdDerivative),
        Body::Call { results, columns, local: Local::Rule(rule), .. } => {
            Ok(derive_by_rule(block, (*results, *columns), rule, is_active))
        }
        Body::Call { results, columns, order, local } => {
            Ok(derive_call(block, (*results, *columns, *order), local, is_active))
        }
        Body::Opaque { .. } => Err(Error::ActiveInOpaque),
        Body::Loop { .. } => unreachable!("loops are differentiated by columns, in `iteration.rs`"),
        Body::Branch { arms, .. } => derive_branch(block, arms, Interface::all(is_active), inner),
    }
}

/// Differentiates a branch by the columns of the graph around it.
pub(crate) fn derive_by_columns(block: &Block, before: &Before, inner: &dyn Inner) -> Result<DerivedBlock, Error> {
    if let Some(derived) = derive_selection(block, before) {
        return Ok(derived);
    }
    let (iteration, mut args) = (before.of_arms(), before.seeds());
    args.extend(&block.args);
    let own = iteration.is_active();
    let interface = Interface { seed: SeedKind::Iteration(&iteration), ..Interface::all(&own) };
    derive_branch(&Block { args, ..block.clone() }, block.lists(), interface, inner)
}

/// The branch with the derivatives of its arms, which have inputs for all of its arguments.
fn derive_branch(
    block: &Block,
    arms: &[Arc<CodeList>],
    interface: Interface<'_>,
    inner: &dyn Inner,
) -> Result<DerivedBlock, Error> {
    let arms = arms.iter().map(|arm| inner.differentiate(arm, interface)).collect::<Result<Vec<_>, _>>()?;
    Ok(merge(block, &arms))
}

/// The call with derivatives of one order more. The second partials by two arguments, either way, are one part.
fn derive_call(
    block: &Block,
    (results, columns, order): (usize, usize, u8),
    local: &Local,
    is_active: &[bool],
) -> DerivedBlock {
    let entry = |result: usize, column: usize| match local {
        Local::Entries(rows) => {
            let row = &rows[result];
            row.binary_search_by_key(&column, |&(column, _)| column).ok().map(|place| row[place].1)
        }
        _ => Some(None),
    };
    let active: Vec<_> = (0..columns).filter(|&column| is_active[column]).collect();
    let mut partials: Vec<Vec<_>> = Vec::new();
    for result in 0..results {
        let partial = |(argument, &column): (usize, &usize)| {
            Some((
                argument,
                match entry(result, column)? {
                    Some(number) => BlockPartial::Constant(number),
                    None => BlockPartial::Part(results + result * columns + column),
                },
            ))
        };
        partials.push(active.iter().enumerate().filter_map(partial).collect());
    }
    if order == 1 {
        let place = |one: usize, other: usize| one.max(other) * (one.max(other) + 1) / 2 + one.min(other);
        let varies = |result: usize, column: usize| entry(result, column) == Some(None);
        for result in 0..results {
            let first = call_parts(results, columns, 1) + result * (columns * (columns + 1) / 2);
            for of in 0..columns {
                let partial = |(argument, &column): (usize, &usize)| {
                    let is_there = varies(result, of) && varies(result, column);
                    is_there.then(|| (argument, BlockPartial::Part(first + place(of, column))))
                };
                partials.push(active.iter().enumerate().filter_map(partial).collect());
            }
        }
    }
    let body = Body::Call { results, columns, order: order + 1, local: local.clone() };
    DerivedBlock { block: Block { body, ..block.clone() }, partials, masks: Vec::new() }
}

/// The call as it is, whose partials are those that a rule gives, but for zeros.
fn derive_by_rule(
    block: &Block,
    (results, columns): (usize, usize),
    rule: &CodeList,
    is_active: &[bool],
) -> DerivedBlock {
    let zero = Constant::Float(0.0).key();
    let is_zero = |output: usize| rule.as_constant(rule.outputs()[output]).is_some_and(|number| number.key() == zero);
    let active: Vec<_> = (0..columns).filter(|&column| is_active[column]).collect();
    let row = |result: usize| {
        let outputs = active.iter().map(|column| result * columns + column).enumerate();
        outputs.filter(|&(_, output)| !is_zero(output)).map(|(at, output)| (at, BlockPartial::OfRule(output))).collect()
    };
    DerivedBlock { block: block.clone(), partials: (0..results).map(row).collect(), masks: Vec::new() }
}

/// Makes a block of the derivatives of all arms.
pub(super) fn merge(block: &Block, arms: &[impl Borrow<Derivative>]) -> DerivedBlock {
    let rows = block.results();
    let arms = arms.iter().map(Borrow::borrow);
    let pattern = Pattern::union(arms.clone().map(|arm| &arm.matrices[0])).unwrap_or_else(|| Pattern::new(0, false));
    let arms: Vec<_> = arms.map(|arm| arm.widened(vec![pattern.clone(); arm.matrices.len()])).collect();
    let count = pattern.count();
    let is_part = vec![false; rows + 2 * count];
    let mut parts = Parts { arms: &arms, is_part, places: HashMap::new(), length: 0 };
    for row in 0..rows {
        parts.add(row);
    }
    let row = |parts: &mut Parts<'_>, row: usize| {
        let entries = pattern.row(row).iter().zip(pattern.row_places(row));
        entries.map(|(&column, place)| (column, parts.partial(rows + place))).collect()
    };
    let partials = (0..pattern.rows).map(|index| row(&mut parts, index)).collect();
    let masks = (rows..rows + count).filter_map(|entry| parts.masked(entry, entry + count)).collect();
    let is_input = vec![true; block.args.len()];
    let reduced = arms.iter().map(|arm| Arc::new(arm.list.reduced(&parts.is_part, &is_input))).collect();
    let selector = block.decider().expect("a branch has a selector");
    let body = Body::Branch { selector, arms: reduced, results: parts.length };
    DerivedBlock { block: Block { body, ..block.clone() }, partials, masks }
}

/// The outputs of the derivatives of arms that become parts of the block: the results, then each partial that is not
/// the same number in all arms, and not the same value in all arms as a part before it, then the masks of partials
/// likewise.
struct Parts<'a> {
    arms: &'a [Derivative],
    /// By output of each derivative.
    is_part: Vec<bool>,
    /// The part for these values of the derivatives.
    places: HashMap<Vec<ValueId>, usize>,
    length: usize,
}

impl Parts<'_> {
    fn values(&self, output: usize) -> Vec<ValueId> {
        self.arms.iter().map(|arm| arm.list.outputs()[output]).collect()
    }

    fn add(&mut self, output: usize) -> usize {
        let place = self.length;
        self.places.entry(self.values(output)).or_insert(place);
        self.is_part[output] = true;
        self.length += 1;
        place
    }

    fn partial(&mut self, output: usize) -> BlockPartial {
        if let Some(number) = common_number(self.arms, output) {
            return BlockPartial::Constant(number);
        }
        let known = self.places.get(&self.values(output)).copied();
        BlockPartial::Part(known.unwrap_or_else(|| self.add(output)))
    }

    /// The part of an entry with that of its mask, unless one of them is a number in all arms.
    fn masked(&mut self, entry: usize, mask: usize) -> Option<(usize, usize)> {
        match (self.partial(entry), self.partial(mask)) {
            (BlockPartial::Part(part), BlockPartial::Part(mask)) => Some((part, mask)),
            _ => None,
        }
    }
}

/// The number that an output is in all arms.
fn common_number(arms: &[Derivative], output: usize) -> Option<f64> {
    let mut numbers = arms.iter().map(|arm| arm.list.as_constant(arm.list.outputs()[output]));
    let first = numbers.next()??;
    let is_same = |number: Option<Constant>| number.is_some_and(|number| number.key() == first.key());
    numbers.all(is_same).then(|| first.as_float())
}
