//! The derivatives of loops, forward from iteration to iteration, without a tape: what a loop carries gets its
//! derivatives with respect to the loop's own arguments as companions, which are carried, too. The derivative of the
//! loop is a loop again, and an elemental of the graph around it, as that of a branch is.
//!
//! In the graph of an iteration, the companions are the labels of edges: from a source for each active value among the
//! arguments of the loop to the vertex of each value that is carried. So the Jacobian of this graph has the companions
//! of the next iteration, and what is eliminated between the sources and the results, across companions and local
//! partials, in whatever order, is their update.
//!
//! A companion that is 0 or 1 before the first iteration and stays so is a number, and not carried: what no path
//! leads to is not computed, and the derivative of a sum by its own first value is 1. The others are found by following
//! zeros and ones through the graph of an iteration until nothing changes.
//!
//! A companion that is carried may be a structural zero before some iterations. Beside it goes a mask, 0 where it
//! is one and 1 elsewhere, for what is multiplied by it and has no bound. Where there is no such thing, nothing needs
//! the mask, and it is not carried.

use std::collections::HashMap;
use std::sync::Arc;

use super::draft::Linearization;
use super::inner::{BlockPartial, DerivedBlock, Inner};
use super::seed::{Companion, Interface, Iteration, SeedKind, count};
use crate::algebra::Term;
use crate::algebra::unbounded::unbounded_iterations;
use crate::derivative::Derivative;
use crate::error::Error;
use crate::list::block::{Block, Body};
use crate::list::catalogue::known;
use crate::list::code_list::{CodeList, Constant, Dialect, Kind, ValueId};

/// The derivative of a loop with respect to the arguments that are active.
pub(super) fn derive_loop(
    block: &Block,
    (iterations, body, carried): (Option<ValueId>, &CodeList, usize),
    is_active: &[bool],
    inner: &dyn Inner,
) -> Result<DerivedBlock, Error> {
    let read = block.args.len() - carried;
    let columns = columns_of(block, is_active);
    let companions = pattern(body, read, &columns, inner)?;
    let mut iteration = Iteration { read, columns, companions, is_unbounded: vec![false; carried] };
    loop {
        let own = iteration.is_active();
        let interface = Interface { seed: SeedKind::Iteration(&iteration), ..Interface::all(&own) };
        let derivative = inner.differentiate(body, interface)?.dense();
        if iteration.carry_what_changes(&derivative) {
            continue;
        }
        let places = iteration.places();
        let body = body_with_companions(&derivative, carried, &places);
        if iteration.note_bounds(&body, &places) {
            continue;
        }
        return Ok(iteration.derived(block, iterations, body, &places));
    }
}

/// By argument of a loop: its column, where it is active.
fn columns_of(block: &Block, is_active: &[bool]) -> Vec<Option<usize>> {
    let mut known = HashMap::new();
    let column = |(&arg, &is_active): (&ValueId, &bool)| {
        let next = known.len();
        is_active.then(|| *known.entry(arg).or_insert(next))
    };
    block.args.iter().zip(is_active).map(column).collect()
}

/// What is known of the companions, as far as zeros and ones in the graph of an iteration tell it.
fn pattern(
    body: &CodeList,
    read: usize,
    columns: &[Option<usize>],
    inner: &dyn Inner,
) -> Result<Vec<Vec<Companion>>, Error> {
    let is_carried = |input: usize| input >= read && body.kind(body.inputs()[input]) == Kind::Float;
    let all: Vec<_> = (0..columns.len()).map(|input| columns[input].is_some() || is_carried(input)).collect();
    let linearization = inner.linearize(body, Interface::all(&all))?;
    let mut companions = vec![Vec::new(); columns.len() - read];
    for column in 0..count(columns) {
        let mut present: Vec<_> = columns.iter().map(|own| Companion::of(*own == Some(column))).collect();
        loop {
            let of_active = present.iter().zip(&all).filter(|(_, is_active)| **is_active);
            let seeds: Vec<_> = of_active.map(|(companion, _)| *companion).collect();
            let next = followed(&linearization, &seeds);
            let before = present.clone();
            for (present, next) in present[read..].iter_mut().zip(next) {
                *present = if *present == next { next } else { Companion::CARRIED };
            }
            if before == present {
                break;
            }
        }
        companions.iter_mut().zip(&present[read..]).for_each(|(row, companion)| row.push(*companion));
    }
    Ok(companions)
}

/// The derivatives of the rows where those of the columns are `seeds`.
fn followed(linearization: &Linearization, seeds: &[Companion]) -> Vec<Companion> {
    let Linearization { algebra, graph, labels, columns, rows, .. } = linearization;
    let mut found = vec![Companion::Zero; graph.vertex_count()];
    for (column, seed) in columns.iter().zip(seeds) {
        found[column.index()] = *seed;
    }
    for vertex in graph.vertices() {
        for edge in graph.incoming(vertex).iter().map(|&edge| graph.edge(edge)) {
            let path = match found[edge.source.index()] {
                Companion::One if algebra.value(labels[edge.label.index()]) == Some(1.0) => Companion::One,
                Companion::Zero => Companion::Zero,
                _ => Companion::CARRIED,
            };
            found[vertex.index()] = match (found[vertex.index()], path) {
                (sum, Companion::Zero) | (Companion::Zero, sum) => sum,
                _ => Companion::CARRIED,
            };
        }
    }
    rows.iter().map(|row| row.map_or(Companion::Zero, |row| found[row.index()])).collect()
}

/// A companion that is carried: its value and its column.
type Place = (usize, usize);

impl Companion {
    const CARRIED: Companion = Companion::Carried { is_unbounded: false };

    /// That of a value before the first iteration, of itself or of another.
    fn of(is_own: bool) -> Self {
        if is_own { Companion::One } else { Companion::Zero }
    }

    fn is_carried(self) -> bool {
        matches!(self, Companion::Carried { .. })
    }
}

impl Iteration {
    /// By input of the body: whether it is active.
    fn is_active(&self) -> Vec<bool> {
        let of_carried = |row: &Vec<Companion>| row.iter().any(|companion| *companion != Companion::Zero);
        let read = self.columns[..self.read].iter().map(Option::is_some);
        read.chain(self.companions.iter().map(of_carried)).collect()
    }

    /// The companions that are carried, in order.
    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for (value, row) in self.companions.iter().enumerate() {
            places.extend((0..row.len()).filter(|&column| row[column].is_carried()).map(|column| (value, column)));
        }
        places
    }

    /// Carries the companions that turn out to be no numbers, and says whether there are any.
    fn carry_what_changes(&mut self, derivative: &Derivative) -> bool {
        let mut changed = false;
        for (value, row) in self.companions.iter_mut().enumerate() {
            for (column, companion) in row.iter_mut().enumerate() {
                let number = match companion {
                    Companion::Zero => Constant::Float(0.0),
                    Companion::One => Constant::Float(1.0),
                    Companion::Carried { .. } => continue,
                };
                let next = derivative.list.as_constant(entry(derivative, value, column));
                if next.is_none_or(|next| next.key() != number.key()) {
                    *companion = Companion::CARRIED;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Notes what may become infinite or no number in the body of the derivative, and says whether that was not known.
    fn note_bounds(&mut self, body: &CodeList, places: &[Place]) -> bool {
        let mut inputs = vec![false; body.inputs().len()];
        unbounded_iterations(body, self.read, &mut inputs);
        let (values, companions) = inputs[self.read..].split_at(self.companions.len());
        let mut changed = self.is_unbounded != values;
        self.is_unbounded = values.to_vec();
        for (&(value, column), &is_unbounded) in places.iter().zip(companions) {
            let known = std::mem::replace(&mut self.companions[value][column], Companion::Carried { is_unbounded });
            changed |= known != Companion::Carried { is_unbounded };
        }
        changed
    }

    /// The derivative of the loop with this body.
    fn derived(&self, block: &Block, iterations: Option<ValueId>, body: CodeList, places: &[Place]) -> DerivedBlock {
        let (carried, count) = (self.companions.len(), places.len());
        let first = places.iter().map(|&(value, column)| match self.columns[self.read + value] == Some(column) {
            true => Term::ONE.id(),
            false => Term::ZERO.id(),
        });
        let first: Vec<_> = first.collect();
        let args = [&block.args[..], &first, &first].concat();
        // By column: the place of the first argument that has it, among the active ones.
        let mut arguments = Vec::new();
        for (argument, column) in self.columns.iter().flatten().enumerate() {
            if *column == arguments.len() {
                arguments.push(argument);
            }
        }
        let partial = |value: usize, column: usize| match self.companions[value][column] {
            Companion::Zero => None,
            Companion::One => Some((arguments[column], BlockPartial::Constant(1.0))),
            Companion::Carried { .. } => {
                let place = places.binary_search(&(value, column)).expect("it is carried");
                Some((arguments[column], BlockPartial::Part(carried + place)))
            }
        };
        let row = |value: usize| (0..arguments.len()).filter_map(|column| partial(value, column)).collect();
        let body = Body::Loop { iterations, body: Arc::new(body), carried: carried + 2 * count };
        DerivedBlock {
            block: Block { args, body, ..block.clone() },
            partials: (0..carried).map(row).collect(),
            masks: (carried..carried + count).map(|part| (part, part + count)).collect(),
        }
    }
}

/// The derivative of a result of the body in a column; all entries are there.
fn entry(derivative: &Derivative, value: usize, column: usize) -> ValueId {
    derivative.entries(0)[value * derivative.matrices[0].columns + column]
}

/// The mask of that.
fn mask(derivative: &Derivative, value: usize, column: usize) -> ValueId {
    derivative.entries(1)[value * derivative.matrices[1].columns + column]
}

/// The body of the derivative, whose inputs are those of the body, the companions and their masks, and which gives the
/// next ones.
fn body_with_companions(derivative: &Derivative, carried: usize, places: &[Place]) -> CodeList {
    let (seeds, own) = derivative.list.inputs().split_at(2 * places.len());
    let inputs: Vec<_> = own.iter().chain(seeds).copied().collect();
    let mut list = derivative.list.clone();
    list.truncate(list.statements().len());
    let [zero, one] = [0.0, 1.0].map(|number| list.constant(Constant::Float(number)));
    let (values, ending) = derivative.values().split_at(carried);
    values.iter().for_each(|&value| list.output(value));
    places.iter().for_each(|&(value, column)| list.output(entry(derivative, value, column)));
    for &(value, column) in places {
        let mask = mask(derivative, value, column);
        // It is 0 or 1, or it would grow from iteration to iteration.
        let mask = match list.as_constant(mask) {
            Some(mask) if mask.as_float() == 0.0 => zero,
            Some(_) => one,
            None => list.apply(known::SELECT_EQ, Dialect::default(), &[mask, zero, zero, one]),
        };
        list.output(mask);
    }
    ending.iter().for_each(|&ending| list.output(ending));
    let names: Vec<_> = inputs.iter().map(|&id| list.name(id).unwrap_or_default().to_string()).collect();
    let inputs = inputs.iter().zip(&names).map(|(&id, name)| (list.kind(id), name.as_str(), Some(id)));
    list.with_inputs(inputs.collect::<Vec<_>>())
}
