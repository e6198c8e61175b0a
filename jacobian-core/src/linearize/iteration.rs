//! The derivatives of loops, forward from iteration to iteration, without a tape: what a loop carries gets its
//! derivatives as companions, which are carried, too: those by the loop's own arguments, or by the columns of the graph
//! around it (`before.rs`). The derivative of the loop is a loop again, and an elemental of that graph, as that of a
//! branch is.
//!
//! In the graph of an iteration, the companions are the labels of edges: from a source for each column to the vertex of
//! each value that is carried, or that the loop reads. So the Jacobian of this graph has the companions
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
use std::rc::Rc;
use std::sync::Arc;

use jacobian_list::block::{Block, Body};
use jacobian_list::code_list::{CodeList, Constant, Kind, ValueId};

use super::draft::{Draft, Linearization, LoopPaths};
use super::inner::{BlockPartial, DerivedBlock, Inner};
use super::seed::{Companion, Interface, Iteration, SeedKind};
use crate::algebra::Term;
use crate::algebra::unbounded::unbounded_iterations;
use crate::bits::Sets;
use crate::derivative::Derivative;
use crate::error::Error;
use crate::graph::VertexId;

/// The most products that the derivative of a loop may take in forward order, each of which is a statement or two: what
/// is longer takes the expansion seconds, and the compiler minutes.
const MAX_PRODUCTS: usize = 20_000;

/// The same in a graph that is only to say how many products something takes.
const MAX_OUTLINED: usize = 50 * MAX_PRODUCTS;

/// What stands for more products than these: a number that can be multiplied, for nobody asks how many there are.
const TOO_MANY: usize = usize::MAX / 1_000;

/// What a loop is differentiated by: the derivatives of its arguments before it.
pub(super) struct Before {
    /// The number of columns.
    pub columns: usize,
    /// By argument, by column.
    pub rows: Vec<Vec<Entry>>,
}

/// The derivative of an argument by a column.
#[derive(Copy, Clone)]
pub(super) struct Entry {
    /// What is known of it.
    pub companion: Companion,
    /// What it is.
    pub value: ValueId,
    /// 0 where it is a structural zero.
    pub mask: ValueId,
}

/// A loop: what decides on the iterations, its body, and the number of values that it carries.
pub(super) type Loop<'b> = (Option<ValueId>, &'b Arc<CodeList>, usize);

/// What is known of the companions of a loop before its iterations, and how many products they take.
pub(super) struct Plan {
    companions: Vec<Vec<Companion>>,
    pub products: usize,
}

impl Before {
    /// The variable entries of the arguments that are the same in all iterations, and after them their masks.
    fn args(&self, constant: &[Place]) -> Vec<ValueId> {
        let mut args: Vec<_> = constant.iter().map(|&(argument, column)| self.rows[argument][column].value).collect();
        args.extend(self.masked(constant).map(|entry| entry.mask));
        args
    }

    fn masked(&self, constant: &[Place]) -> impl Iterator<Item = &Entry> {
        constant.iter().map(|&(argument, column)| &self.rows[argument][column]).filter(|entry| entry.is_masked())
    }

    /// All variable entries, and after them their masks.
    pub(super) fn seeds(&self) -> Vec<ValueId> {
        self.args(&places(&self.known()))
    }

    /// What an arm of a branch that has these arguments is differentiated with.
    pub(super) fn of_arms(&self) -> Iteration {
        Iteration { columns: self.columns, read: self.known(), companions: Vec::new(), is_unbounded: Vec::new() }
    }

    /// By argument, by column, what is known.
    pub(super) fn known(&self) -> Vec<Vec<Companion>> {
        self.rows.iter().map(|row| row.iter().map(|entry| entry.companion).collect()).collect()
    }
}

impl Plan {
    /// The columns of the derivatives of the loop that are no structural zeros, one by one.
    pub(super) fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows().flatten().map(|(column, _)| column)
    }

    /// By value that the loop carries: the columns by which its derivative is no structural zero, and what that is.
    pub(super) fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = (usize, Companion)>> {
        let is_there = |(_, companion): &(usize, Companion)| *companion != Companion::Zero;
        self.companions.iter().map(move |row| row.iter().copied().enumerate().filter(is_there))
    }

    /// Whether the derivative is longer than what is written.
    fn is_too_long(&self) -> bool {
        self.products > MAX_PRODUCTS
    }

    /// Whether it is too long, and known all the same.
    pub(super) fn is_outlined(&self) -> bool {
        self.is_too_long() && self.products < TOO_MANY
    }
}

impl Entry {
    /// A derivative that is no variable.
    pub(super) fn number(companion: Companion) -> Entry {
        let term = if companion == Companion::One { Term::ONE } else { Term::ZERO };
        Entry { companion, value: term.id(), mask: term.id() }
    }

    /// A derivative that has been accumulated.
    pub(super) fn of(term: Term, draft: &mut Draft) -> Entry {
        match draft.algebra.value(term) {
            _ if term.is_zero() => Entry::number(Companion::Zero),
            Some(1.0) => Entry::number(Companion::One),
            _ => Entry::carried(term, draft),
        }
    }

    /// The same, of which nothing more is known.
    pub(super) fn carried(term: Term, draft: &mut Draft) -> Entry {
        let mask = draft.algebra.mask(term);
        let value = draft.algebra.materialize(term, false);
        let is_unbounded = draft.algebra.is_unbounded(value);
        Entry { companion: Companion::Carried { is_unbounded, is_masked: mask != Term::ONE }, value, mask: mask.id() }
    }

    fn is_masked(&self) -> bool {
        matches!(self.companion, Companion::Carried { is_masked: true, .. })
    }
}

/// The derivatives of the active arguments by themselves, and by column the place of the first argument that has it,
/// among the active ones. The columns are in the order in which the arguments are computed, as those of the function
/// are: what is carried beside one another is then written beside one another, which is what compilers pack.
pub(super) fn own_columns(block: &Block, is_active: &[bool]) -> (Before, Vec<usize>) {
    let active = block.args.iter().zip(is_active).filter(|(_, is_active)| **is_active);
    let mut first: Vec<_> = active.enumerate().map(|(place, (&arg, _))| (arg, place)).collect();
    first.sort_unstable();
    first.dedup_by_key(|(arg, _)| *arg);
    let places: Vec<_> = first.iter().map(|(_, place)| *place).collect();
    let column = |arg: &ValueId| first.binary_search_by_key(arg, |(first, _)| *first).ok();
    let columns = block.args.iter().zip(is_active).map(|(arg, is_active)| column(arg).filter(|_| *is_active));
    let entry = |own: Option<usize>, column: usize| Entry::number(Companion::of(own == Some(column)));
    let row = |own: Option<usize>| (0..places.len()).map(|column| entry(own, column)).collect();
    (Before { columns: places.len(), rows: columns.map(row).collect() }, places)
}

/// The derivative of a loop. Its partials are those by the columns.
pub(super) fn derive_loop(
    block: &Block,
    (iterations, body, carried): Loop<'_>,
    before: &Before,
    plan: Plan,
    inner: &dyn Inner,
) -> Result<DerivedBlock, Error> {
    if plan.is_too_long() {
        return Err(Error::LongLoop { columns: before.columns, limit: MAX_PRODUCTS });
    }
    let read = block.args.len() - carried;
    let mut known = before.known();
    known.truncate(read);
    let (columns, companions) = (before.columns, plan.companions);
    let mut iteration = Iteration { columns, read: known, companions, is_unbounded: vec![false; carried] };
    loop {
        let own = iteration.is_active();
        let interface = Interface { seed: SeedKind::Iteration(&iteration), ..Interface::all(&own) };
        let derivative = inner.differentiate(body, interface)?.dense();
        if iteration.carry_what_changes(&derivative) {
            continue;
        }
        let (places, constant) = (places(&iteration.companions), places(&iteration.read));
        let of_read = before.args(&constant).len();
        let body = body_with_companions(&derivative, carried, &places, of_read);
        if iteration.note_bounds(&body, &places, &constant, before) {
            continue;
        }
        return Ok(iteration.derived(block, (iterations, body, carried), before, [&places, &constant]));
    }
}

/// The graph of an iteration.
pub(super) struct Paths {
    pub linearization: Rc<Linearization>,
    /// By input of the body: whether it is a column of the graph.
    pub is_column: Vec<bool>,
}

impl Paths {
    /// That of a loop, of whose arguments these are active. The first `read` are the same in all iterations.
    pub(super) fn of(body: &Arc<CodeList>, read: usize, is_active: &[bool], inner: &dyn Inner) -> Result<Paths, Error> {
        let is_carried = |input: usize| input >= read && body.kind(body.inputs()[input]) == Kind::Float;
        let is_column: Vec<_> = (0..is_active.len()).map(|input| is_active[input] || is_carried(input)).collect();
        let interface = Interface { is_outline: true, ..Interface::all(&is_column) };
        Ok(Paths { linearization: inner.linearize(body, interface)?, is_column })
    }
}

/// What is known of the companions, as far as zeros and ones in the graph of an iteration tell it.
pub(super) fn plan(paths: &Paths, read: usize, columns: usize, rows: &[Vec<Companion>]) -> Plan {
    let Paths { linearization, is_column } = paths;
    let mut plan = Plan { companions: vec![Vec::new(); rows.len() - read], products: 0 };
    let (mut edges, mut local) = (Edges::of(linearization), LocalJacobian::of(linearization));
    for column in 0..columns {
        let known = |row: &Vec<Companion>| if row[column].is_carried() { Companion::CARRIED } else { row[column] };
        let mut present: Vec<_> = rows.iter().map(known).collect();
        loop {
            let of_columns = present.iter().zip(is_column).filter(|(_, is_column)| **is_column);
            let seeds: Vec<_> = of_columns.map(|(companion, _)| *companion).collect();
            let Followed { next, carrying, found } = followed(linearization, &seeds);
            let before = present.clone();
            for (present, next) in present[read..].iter_mut().zip(next) {
                *present = if *present == next { next } else { Companion::CARRIED };
            }
            if before == present {
                carrying.into_iter().for_each(|target| edges.add(target));
                local.multiply(&found);
                break;
            }
        }
        let (inner, other) = edges.products(column + 1);
        plan.products = inner + other.min(local.products);
        if plan.products > MAX_OUTLINED {
            plan.products = TOO_MANY;
            break;
        }
        plan.companions.iter_mut().zip(&present[read..]).for_each(|(row, companion)| row.push(*companion));
    }
    plan
}

/// The edges of the graph of an iteration that carry something, those to the results of each loop by themselves.
struct Edges<'l> {
    loops: &'l [LoopPaths],
    /// By vertex, the number of the loop that it is a result of.
    loop_of: HashMap<VertexId, usize>,
    /// By loop, and at last for all else, the number of edges.
    counts: Vec<usize>,
}

impl<'l> Edges<'l> {
    fn of(linearization: &'l Linearization) -> Self {
        let loops = &linearization.loops[..];
        let mut loop_of = HashMap::new();
        for (number, inner) in loops.iter().enumerate() {
            loop_of.extend(inner.results.iter().map(|&vertex| (vertex, number)));
        }
        Edges { loops, loop_of, counts: vec![0; loops.len() + 1] }
    }

    /// One more, which leads to this vertex.
    fn add(&mut self, target: VertexId) {
        let number = self.loop_of.get(&target).copied().unwrap_or(self.loops.len());
        self.counts[number] += 1;
    }

    /// How many products they take for this many columns, those to results of loops and the others. An inner loop is
    /// differentiated by these columns, where that takes fewer than to multiply with its derivatives.
    fn products(&self, columns: usize) -> (usize, usize) {
        let (inner, other) = self.counts.split_at(self.loops.len());
        let of_loop =
            |(inner, &count): (&LoopPaths, &usize)| count.min(inner.products * columns / inner.columns.max(1));
        (self.loops.iter().zip(inner).map(of_loop).sum(), other[0])
    }
}

/// The other way to take an iteration, where its edges are many: what is between the columns, the loops within and the
/// rows has its local Jacobian accumulated, and that is then multiplied by the companions.
struct LocalJacobian {
    /// The columns, and the results of the loops.
    sources: Vec<VertexId>,
    /// By row, and by vertex that a loop reads, the places of the sources that it depends on.
    entries: Vec<Vec<usize>>,
    products: usize,
}

impl LocalJacobian {
    /// Accumulated in forward order.
    fn of(linearization: &Linearization) -> Self {
        let Linearization { graph, columns, rows, loops, .. } = linearization;
        let results = loops.iter().flat_map(|inner| &inner.results);
        let sources: Vec<_> = columns.iter().chain(results.clone()).copied().collect();
        let mut is_source = vec![false; graph.vertex_count()];
        let mut sets = Sets::new(graph.vertex_count(), sources.len());
        for (place, source) in sources.iter().enumerate() {
            is_source[source.index()] = true;
            sets.insert(source.index(), place);
        }
        let mut products = 0;
        for vertex in graph.vertices().filter(|vertex| !is_source[vertex.index()]) {
            products += graph.predecessors(vertex).map(|source| sets.count(source.index())).sum::<usize>();
            sets.unite(vertex.index(), graph.predecessors(vertex).map(VertexId::index));
        }
        let mut targets: Vec<_> = rows.iter().flatten().copied().collect();
        results.for_each(|&result| targets.extend(graph.predecessors(result)));
        targets.retain(|target| !is_source[target.index()]);
        targets.sort_unstable();
        targets.dedup();
        let places = |target: VertexId| (0..sources.len()).filter(|&place| sets.has(target.index(), place)).collect();
        LocalJacobian { entries: targets.into_iter().map(places).collect(), sources, products }
    }

    /// Multiplies it by a column of companions: `found` are the derivatives of the vertices by that.
    fn multiply(&mut self, found: &[Companion]) {
        let is_there = |place: &&usize| found[self.sources[**place].index()] != Companion::Zero;
        self.products += self.entries.iter().flatten().filter(is_there).count();
    }
}

/// What becomes of companions in an iteration.
struct Followed {
    /// The derivatives of the rows.
    next: Vec<Companion>,
    /// The targets of the edges that carry something.
    carrying: Vec<VertexId>,
    /// By vertex, its derivative.
    found: Vec<Companion>,
}

/// What becomes of the derivatives `seeds` of the columns.
fn followed(linearization: &Linearization, seeds: &[Companion]) -> Followed {
    let Linearization { algebra, graph, labels, columns, rows, .. } = linearization;
    let mut found = vec![Companion::Zero; graph.vertex_count()];
    for (column, seed) in columns.iter().zip(seeds) {
        found[column.index()] = *seed;
    }
    let mut carrying = Vec::new();
    for vertex in graph.vertices() {
        for edge in graph.incoming(vertex).iter().map(|&edge| graph.edge(edge)) {
            let path = found[edge.source.index()].along(algebra.value(labels[edge.label.index()]));
            if path != Companion::Zero {
                carrying.push(vertex);
            }
            found[vertex.index()] = found[vertex.index()].and(path);
        }
    }
    let next = rows.iter().map(|row| row.map_or(Companion::Zero, |row| found[row.index()])).collect();
    Followed { next, carrying, found }
}

/// A companion that is carried: its value and its column.
type Place = (usize, usize);

impl Companion {
    pub(super) const CARRIED: Companion = Companion::Carried { is_unbounded: false, is_masked: true };

    /// That of a value before the first iteration, of itself or of another.
    fn of(is_own: bool) -> Self {
        if is_own { Companion::One } else { Companion::Zero }
    }

    pub(super) fn is_carried(self) -> bool {
        matches!(self, Companion::Carried { .. })
    }

    /// The derivative of what an edge with this label leads to, if the label is a number.
    pub(super) fn along(self, label: Option<f64>) -> Self {
        match self {
            Companion::One if label == Some(1.0) => Companion::One,
            Companion::Zero => Companion::Zero,
            _ => Companion::CARRIED,
        }
    }

    /// The sum over two paths.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (sum, Companion::Zero) | (Companion::Zero, sum) => sum,
            _ => Companion::CARRIED,
        }
    }
}

/// The companions that are variables, in order.
fn places(companions: &[Vec<Companion>]) -> Vec<Place> {
    let mut places = Vec::new();
    for (value, row) in companions.iter().enumerate() {
        places.extend((0..row.len()).filter(|&column| row[column].is_carried()).map(|column| (value, column)));
    }
    places
}

impl Iteration {
    /// By input of the body: whether it is active.
    pub(super) fn is_active(&self) -> Vec<bool> {
        let is_active = |row: &Vec<Companion>| row.iter().any(|companion| *companion != Companion::Zero);
        self.read.iter().chain(&self.companions).map(is_active).collect()
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
    /// What is so before the loop is so in it.
    fn note_bounds(&mut self, body: &CodeList, places: &[Place], constant: &[Place], before: &Before) -> bool {
        let (read, carried) = (self.read.len(), self.companions.len());
        let is_unbounded = |argument: usize, column: usize| {
            matches!(before.rows[argument][column].companion, Companion::Carried { is_unbounded: true, .. })
        };
        let mut inputs: Vec<_> = constant.iter().map(|&(value, column)| is_unbounded(value, column)).collect();
        // Those of the masks, and of the arguments.
        let read = read + before.masked(constant).count();
        inputs.extend(vec![false; read + carried]);
        inputs.extend(places.iter().map(|&(value, column)| is_unbounded(self.read.len() + value, column)));
        inputs.resize(body.inputs().len(), false);
        let read = constant.len() + read;
        unbounded_iterations(body, read, &mut inputs);
        let (values, companions) = inputs[read..].split_at(carried);
        let mut changed = self.is_unbounded != values;
        self.is_unbounded = values.to_vec();
        for (&(value, column), &is_unbounded) in places.iter().zip(companions) {
            let new = Companion::Carried { is_unbounded, is_masked: true };
            changed |= std::mem::replace(&mut self.companions[value][column], new) != new;
        }
        changed
    }

    /// The derivative of the loop with this body.
    fn derived(
        &self,
        block: &Block,
        (iterations, body, carried): (Option<ValueId>, CodeList, usize),
        before: &Before,
        [places, constant]: [&[Place]; 2],
    ) -> DerivedBlock {
        let (read, count) = (self.read.len(), places.len());
        let of_carried = |&(value, column): &Place| before.rows[read + value][column];
        let mut args = before.args(constant);
        args.extend(&block.args);
        args.extend(places.iter().map(|place| of_carried(place).value));
        args.extend(places.iter().map(|place| of_carried(place).mask));
        let partial = |value: usize, column: usize| match self.companions[value][column] {
            Companion::Zero => None,
            Companion::One => Some((column, BlockPartial::Constant(1.0))),
            Companion::Carried { .. } => {
                let place = places.binary_search(&(value, column)).expect("it is carried");
                Some((column, BlockPartial::Part(carried + place)))
            }
        };
        let row = |value: usize| (0..self.columns).filter_map(|column| partial(value, column)).collect();
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

/// The body of the derivative, whose inputs are the companions that are constant and their masks, this many together, the
/// inputs of the body, the companions that are carried and their masks, and which gives the next ones.
fn body_with_companions(derivative: &Derivative, carried: usize, places: &[Place], of_read: usize) -> CodeList {
    let (seeds, own) = derivative.list.inputs().split_at(2 * places.len());
    let (of_read, own) = own.split_at(of_read);
    let inputs: Vec<_> = of_read.iter().chain(own).chain(seeds).copied().collect();
    let mut list = derivative.list.clone();
    list.truncate(list.statements().len());
    let (values, ending) = derivative.values().split_at(carried);
    values.iter().for_each(|&value| list.output(value));
    places.iter().for_each(|&(value, column)| list.output(entry(derivative, value, column)));
    places.iter().for_each(|&(value, column)| list.output(mask(derivative, value, column)));
    ending.iter().for_each(|&ending| list.output(ending));
    let names: Vec<_> = inputs.iter().map(|&id| list.name(id).unwrap_or_default().to_string()).collect();
    let inputs = inputs.iter().zip(&names).map(|(&id, name)| (list.kind(id), name.as_str(), Some(id)));
    list.with_inputs(inputs.collect::<Vec<_>>())
}
