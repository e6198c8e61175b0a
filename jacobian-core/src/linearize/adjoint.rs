//! Branches whose derivative runs in reverse order: where fewer rows of the graph depend on a branch than it has results,
//! the adjoints of its arguments take fewer products than its local Jacobian does.
//!
//! They are computed in a second branch, after all that the results of the first one are used for. It is the derivative
//! of the rows by these that it begins with. An arm is differentiated with a sink for each row, to which an edge leads
//! from each result, labelled with that derivative; what is eliminated between its inputs and these sinks is what is
//! wanted, in whatever order. What comes of that is cut in two: what does not depend on the adjoints stays in the first
//! branch, the function itself and its partials; what does is the arm of the second one. What the one computes and the
//! other reads is a further result of the first branch, and so is the number of the arm. So nothing is computed twice,
//! and what panics or has effects is where it was.
//!
//! In the graph, the results of the branch are vertices that no edge leads to, as those of a loop (`reverse.rs`) are.

use std::rc::Rc;
use std::sync::Arc;

use jacobian_list::block::{Block, Body, counted};
use jacobian_list::code_list::{CodeList, Constant, Kind, Statement, ValueId};

use super::derive::merge;
use super::draft::Draft;
use super::estimate::Estimate;
use super::inner::Inner;
use super::iteration::Before;
use super::reverse::{connect_rows, derivatives_of};
use super::seed::{Interface, Reversed, SeedKind};
use crate::algebra::Term;
use crate::derivative::Derivative;
use crate::error::Error;
use crate::graph::VertexId;

/// What the second branch, and what crosses from the first one, is taken to cost, in products.
const SECOND_BRANCH: usize = 16;

/// A branch that has been written down, and whose derivative is still to come.
pub(super) struct DeferredBranch {
    /// The statement that runs it, and what that ran.
    pub value: ValueId,
    pub block: Block,
    /// The vertices of its arguments and of its results.
    pub vertices: Vec<Option<VertexId>>,
    pub results: Vec<Option<VertexId>>,
}

/// Whether the adjoints of the arguments of a branch take fewer products than its local Jacobian, with which each of so
/// many rows is multiplied: then the results that depend on what is active.
pub(super) fn reversed_results(block: &Block, is_active: &[bool], rows: usize) -> Option<Vec<bool>> {
    if rows >= block.results() {
        return None;
    }
    let estimate = Estimate::of_branch(block, is_active);
    let (results, pairs) = estimate.results_and_pairs();
    let local = estimate.forward.min(results * estimate.edges);
    let is_less = rows * estimate.edges + SECOND_BRANCH < local + rows * pairs;
    let is_reached =
        |(part, set): (usize, &Vec<u64>)| block.kind(part) == Kind::Float && set.iter().any(|word| *word > 0);
    is_less.then(|| estimate.depends.iter().enumerate().map(is_reached).collect())
}

impl DeferredBranch {
    /// Adds the branch of the adjoints, and the edges from the arguments of the branch to the vertices of the rows.
    pub(super) fn connect(&self, rows: &[VertexId], draft: &mut Draft, inner: &dyn Inner) -> Result<(), Error> {
        let before = Before { columns: rows.len(), rows: derivatives_of(&self.results, rows, draft) };
        let of_results = before.known();
        let is_active: Vec<_> = self.vertices.iter().map(Option::is_some).collect();
        let seed = SeedKind::Adjoints { rows: rows.len(), of_results: &of_results };
        let interface = Interface { seed, may_reverse: Reversed::Branches, ..Interface::all(&is_active) };
        let (seeds, mut halves) = (before.seeds(), Vec::with_capacity(self.block.lists().len()));
        for arm in self.block.lists() {
            halves.push(Halves::of(inner.differentiate(arm, interface)?, seeds.len()));
        }
        let room = KINDS.map(|kind| halves.iter().map(|half| half.crossing_of(kind).len()).max().unwrap_or(0));
        let number = |arm: usize| if halves.len() == 2 { Constant::Bool(arm == 0) } else { Constant::Int(arm as i32) };
        let first = halves.iter().enumerate().map(|(arm, half)| Arc::new(half.first(&room, number(arm)))).collect();
        let (own, crossing) = (self.block.results(), room.iter().sum::<usize>());
        draft.algebra.set_arms(self.value, first);
        let reads: Vec<_> = (0..is_active.len()).filter(|&at| halves.iter().any(|half| half.reads(at))).collect();
        let mut args = seeds;
        args.extend(reads.iter().map(|&argument| self.block.args[argument]));
        args.extend((own..own + crossing).map(|part| draft.algebra.part(self.value, part)));
        let selector = draft.algebra.part(self.value, own + crossing);
        let second: Vec<_> = halves.iter().map(|half| half.second(&reads, &room)).collect();
        let body = Body::Branch { selector, arms: Vec::new(), results: 0 };
        let derived = merge(&Block { args, body, is_kept: false, origin: counted::BRANCH }, &second);
        let sources: Vec<_> = self.vertices.iter().copied().flatten().collect();
        let by_vertex =
            |row: Vec<(usize, Term)>| row.into_iter().map(|(place, label)| (sources[place], label)).collect();
        let partials = derived.write(draft).into_iter().map(by_vertex).collect();
        connect_rows(rows, partials, draft);
        Ok(())
    }
}

/// The kinds of what crosses.
const KINDS: [Kind; 3] = [Kind::Float, Kind::Int, Kind::Bool];

/// The derivative of an arm, cut in two.
struct Halves {
    derivative: Rc<Derivative>,
    /// How many of its inputs are adjoints and their masks.
    seeds: usize,
    /// By statement: whether it depends on these.
    is_second: Vec<bool>,
    /// What does not, is no number and is needed by what does, or as an adjoint.
    crossing: Vec<ValueId>,
}

impl Halves {
    fn of(derivative: Rc<Derivative>, seeds: usize) -> Halves {
        let list = &derivative.list;
        let (mut is_second, mut is_read) = (vec![false; list.statements().len()], vec![false; list.statements().len()]);
        list.inputs()[..seeds].iter().for_each(|seed| is_second[seed.index()] = true);
        for id in list.ids() {
            if list.args(id).any(|arg| is_second[arg.index()]) {
                is_second[id.index()] = true;
                list.args(id).for_each(|arg| is_read[arg.index()] = true);
            }
        }
        list.outputs()[derivative.values..].iter().for_each(|output| is_read[output.index()] = true);
        let crosses = |id: &ValueId| is_read[id.index()] && !is_second[id.index()] && list.as_constant(*id).is_none();
        let crossing = list.ids().filter(crosses).collect();
        Halves { is_second, crossing, seeds, derivative }
    }

    fn own_inputs(&self) -> &[ValueId] {
        &self.derivative.list.inputs()[self.seeds..]
    }

    /// Whether the second half reads this argument of the branch.
    fn reads(&self, argument: usize) -> bool {
        self.crossing.binary_search(&self.own_inputs()[argument]).is_ok()
    }

    /// What of a kind crosses that is no argument of the branch.
    fn crossing_of(&self, kind: Kind) -> Vec<ValueId> {
        let list = &self.derivative.list;
        let is_result = |id: &ValueId| !matches!(list.statement(*id), Statement::Input(_)) && list.kind(*id) == kind;
        self.crossing.iter().copied().filter(is_result).collect()
    }

    /// The arm of the first branch: its results, then what crosses, with room for what does so in other arms, then its
    /// number.
    fn first(&self, room: &[usize; 3], number: Constant) -> CodeList {
        let from = &self.derivative.list;
        let mut half = Half::new(from);
        self.own_inputs().iter().for_each(|&input| half.input(input));
        from.ids().filter(|id| !self.is_second[id.index()]).for_each(|id| half.copy(id));
        let nothing = [Constant::Float(0.0), Constant::Int(0), Constant::Bool(false)];
        let nothing = nothing.map(|constant| half.list.constant(constant));
        self.derivative.values().iter().for_each(|&value| half.output(value));
        for ((kind, &room), nothing) in KINDS.into_iter().zip(room).zip(nothing) {
            let crossing = self.crossing_of(kind);
            crossing.iter().for_each(|&value| half.output(value));
            (crossing.len()..room).for_each(|_| half.list.output(nothing));
        }
        let number = half.list.constant(number);
        half.list.output(number);
        half.list
    }

    /// The arm of the second branch.
    fn second(&self, reads: &[usize], room: &[usize; 3]) -> Derivative {
        let from = &self.derivative.list;
        let mut half = Half::new(from);
        from.inputs()[..self.seeds].iter().for_each(|&input| half.input(input));
        reads.iter().for_each(|&argument| half.input(self.own_inputs()[argument]));
        for (kind, &room) in KINDS.into_iter().zip(room) {
            let crossing = self.crossing_of(kind);
            crossing.iter().for_each(|&value| half.input(value));
            (crossing.len()..room).for_each(|_| {
                half.list.input_of_kind(kind, "");
            });
        }
        let is_needed = |id: &ValueId| self.is_second[id.index()] || from.as_constant(*id).is_some();
        from.ids().filter(is_needed).for_each(|id| half.copy(id));
        from.outputs()[self.derivative.values..].iter().for_each(|&entry| half.output(entry));
        Derivative { list: half.list, values: 0, matrices: self.derivative.matrices.clone() }
    }
}

/// A list in the making, of what another one has.
struct Half<'l> {
    from: &'l CodeList,
    list: CodeList,
    /// By value of the other list.
    moved: Vec<ValueId>,
}

impl<'l> Half<'l> {
    fn new(from: &'l CodeList) -> Self {
        let moved = vec![ValueId::default(); from.statements().len()];
        Half { from, list: CodeList::new(from.precision()), moved }
    }

    /// Makes an input of a value.
    fn input(&mut self, value: ValueId) {
        let name = self.from.name(value).unwrap_or_default();
        self.moved[value.index()] = self.list.input_of_kind(self.from.kind(value), name);
    }

    /// Copies a statement that is no input.
    fn copy(&mut self, id: ValueId) {
        if !matches!(self.from.statement(id), Statement::Input(_)) {
            self.moved[id.index()] = self.list.push_from(self.from, id, &self.moved);
        }
    }

    fn output(&mut self, value: ValueId) {
        self.list.output(self.moved[value.index()]);
    }
}
