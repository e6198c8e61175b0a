//! The derivatives of loops, forward from trip to trip, without a tape: what a loop carries gets its derivatives with respect to
//! the loop's own arguments as companions, which are carried, too. The derivative of the loop is a loop again, and an
//! elemental of the graph around it, as that of a branch is.
//!
//! In the graph of a trip, the companions are the labels of edges: from a source for each active argument of the loop to the
//! vertex of each value that is carried. So the Jacobian of this graph has the companions of the next trip, and what is
//! eliminated between the sources and the results, across companions and local partials, in whatever order, is their update.
//!
//! A companion that is 0 or 1 in front of the first trip and stays so is a number, and not carried: what no path leads to is
//! not computed, and the derivative of a sum by its own first value is 1. The others are found by following zeros and ones
//! through the graph of a trip until nothing changes.
//!
//! A companion that is carried may be a structural zero in front of some trips. Beside it goes a mask, 0 where it is one
//! and 1 elsewhere, for what is multiplied by it and has no bound. Where there is no such thing, nothing needs the mask, and
//! it is not carried.

use std::sync::Arc;

use super::derive::{BlockPartial, DerivedBlock, Inner};
use super::draft::Linearization;
use super::seed::{Interface, SeedKind};
use crate::algebra::Term;
use crate::algebra::unbounded::unbounded_trips;
use crate::derivative::Derivative;
use crate::error::Error;
use crate::list::block::{Block, Body};
use crate::list::catalogue::known;
use crate::list::code_list::{CodeList, Constant, Dialect, Kind, ValueId};

/// What is known of a companion in front of every trip.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Companion {
    /// It is a structural zero.
    Zero,
    /// It is 1.
    One,
    /// It is a value, which may be infinite or no number.
    Carried {
        /// Whether it may be that.
        is_unbounded: bool,
    },
}

/// What stands in front of a trip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trip {
    /// The number of arguments that are the same in all trips, which are the first inputs of the body.
    pub read: usize,
    /// By value that is carried, by active argument of the loop: the derivative of the one by the other.
    pub companions: Vec<Vec<Companion>>,
    /// By value that is carried: whether it may be infinite or no number.
    pub is_unbounded: Vec<bool>,
}

/// The derivative of a loop with respect to the arguments that are active.
pub(super) fn derive_loop(
    block: &Block,
    (trips, body, carried): (Option<ValueId>, &CodeList, usize),
    is_active: &[bool],
    inner: &dyn Inner,
) -> Result<DerivedBlock, Error> {
    let read = block.args.len() - carried;
    let mut trip =
        Trip { read, companions: pattern(body, read, is_active, inner)?, is_unbounded: vec![false; carried] };
    loop {
        let own = trip.is_active(is_active);
        let interface = Interface { seed: SeedKind::Trip(&trip), ..Interface::all(&own) };
        let derivative = inner.differentiate(body, interface)?.dense();
        if trip.carry_what_changes(&derivative) {
            continue;
        }
        let places = trip.places();
        let body = body_with_companions(&derivative, carried, &places);
        if trip.note_bounds(&body, &places) {
            continue;
        }
        return Ok(trip.derived(block, trips, body, &places, is_active));
    }
}

/// What is known of the companions, as far as zeros and ones in the graph of a trip tell it.
fn pattern(body: &CodeList, read: usize, is_active: &[bool], inner: &dyn Inner) -> Result<Vec<Vec<Companion>>, Error> {
    let is_carried = |input: usize| input >= read && body.kind(body.inputs()[input]) == Kind::Float;
    let all: Vec<_> = (0..is_active.len()).map(|input| is_active[input] || is_carried(input)).collect();
    let linearization = inner.linearize(body, Interface::all(&all))?;
    // By input: its place among the columns.
    let mut columns = vec![None; all.len()];
    for (column, input) in (0..all.len()).filter(|&input| all[input]).enumerate() {
        columns[input] = Some(column);
    }
    let mut companions = vec![Vec::new(); is_active.len() - read];
    for argument in (0..is_active.len()).filter(|&argument| is_active[argument]) {
        let mut present: Vec<_> = (0..is_active.len()).map(|input| Companion::of(input == argument)).collect();
        loop {
            let mut seeds = vec![Companion::Zero; linearization.columns.len()];
            for (input, column) in columns.iter().enumerate() {
                column.into_iter().for_each(|&column| seeds[column] = present[input]);
            }
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

/// A companion that is carried: its value and its argument, among the active ones.
type Place = (usize, usize);

impl Companion {
    const CARRIED: Companion = Companion::Carried { is_unbounded: false };

    /// That of a value in front of the first trip, of itself or of another.
    fn of(is_own: bool) -> Self {
        if is_own { Companion::One } else { Companion::Zero }
    }

    fn is_carried(self) -> bool {
        matches!(self, Companion::Carried { .. })
    }
}

impl Trip {
    /// By input of the body: whether it is active.
    fn is_active(&self, arguments: &[bool]) -> Vec<bool> {
        let of_carried = |row: &Vec<Companion>| row.iter().any(|companion| *companion != Companion::Zero);
        arguments[..self.read].iter().copied().chain(self.companions.iter().map(of_carried)).collect()
    }

    /// The companions that are carried, in order.
    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for (value, row) in self.companions.iter().enumerate() {
            places.extend((0..row.len()).filter(|&argument| row[argument].is_carried()).map(|at| (value, at)));
        }
        places
    }

    /// Carries the companions that turn out to be no numbers, and says whether there are any.
    fn carry_what_changes(&mut self, derivative: &Derivative) -> bool {
        let mut changed = false;
        for (value, row) in self.companions.iter_mut().enumerate() {
            for (argument, companion) in row.iter_mut().enumerate() {
                let number = match companion {
                    Companion::Zero => Constant::Float(0.0),
                    Companion::One => Constant::Float(1.0),
                    Companion::Carried { .. } => continue,
                };
                let next = derivative.list.as_constant(entry(derivative, value, argument));
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
        unbounded_trips(body, self.read, &mut inputs);
        let (values, companions) = inputs[self.read..].split_at(self.companions.len());
        let mut changed = self.is_unbounded != values;
        self.is_unbounded = values.to_vec();
        for (&(value, argument), &is_unbounded) in places.iter().zip(companions) {
            let known = std::mem::replace(&mut self.companions[value][argument], Companion::Carried { is_unbounded });
            changed |= known != Companion::Carried { is_unbounded };
        }
        changed
    }

    /// The derivative of the loop with this body.
    fn derived(
        &self,
        block: &Block,
        trips: Option<ValueId>,
        body: CodeList,
        places: &[Place],
        is_active: &[bool],
    ) -> DerivedBlock {
        let (carried, count) = (self.companions.len(), places.len());
        let arguments: Vec<_> = (0..is_active.len()).filter(|&argument| is_active[argument]).collect();
        let first = places.iter().map(|&(value, argument)| match arguments[argument] == self.read + value {
            true => Term::ONE.id(),
            false => Term::ZERO.id(),
        });
        let first: Vec<_> = first.collect();
        let args = [&block.args[..], &first, &first].concat();
        let partial = |value: usize, argument: usize| match self.companions[value][argument] {
            Companion::Zero => None,
            Companion::One => Some((argument, BlockPartial::Constant(1.0))),
            Companion::Carried { .. } => {
                let place = places.binary_search(&(value, argument)).expect("it is carried");
                Some((argument, BlockPartial::Part(carried + place)))
            }
        };
        let row = |value: usize| (0..arguments.len()).filter_map(|argument| partial(value, argument)).collect();
        let body = Body::Loop { trips, body: Arc::new(body), carried: carried + 2 * count };
        DerivedBlock {
            block: Block { args, body, ..block.clone() },
            partials: (0..carried).map(row).collect(),
            masks: (carried..carried + count).map(|part| (part, part + count)).collect(),
        }
    }
}

/// The derivative of a result of the body by an argument of the loop; all entries are there.
fn entry(derivative: &Derivative, value: usize, argument: usize) -> ValueId {
    derivative.entries(0)[value * derivative.matrices[0].columns + argument]
}

/// The mask of that.
fn mask(derivative: &Derivative, value: usize, argument: usize) -> ValueId {
    derivative.entries(1)[value * derivative.matrices[1].columns + argument]
}

/// The body of the derivative, whose inputs are those of the body, the companions and their masks, and which gives the next ones.
fn body_with_companions(derivative: &Derivative, carried: usize, places: &[Place]) -> CodeList {
    let (seeds, own) = derivative.list.inputs().split_at(2 * places.len());
    let inputs: Vec<_> = own.iter().chain(seeds).copied().collect();
    let mut list = derivative.list.clone();
    list.truncate(list.statements().len());
    let [zero, one] = [0.0, 1.0].map(|number| list.constant(Constant::Float(number)));
    let (values, ending) = derivative.values().split_at(carried);
    values.iter().for_each(|&value| list.output(value));
    places.iter().for_each(|&(value, argument)| list.output(entry(derivative, value, argument)));
    for &(value, argument) in places {
        let mask = mask(derivative, value, argument);
        // It is 0 or 1, or it would grow from trip to trip.
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
