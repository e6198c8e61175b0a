//! Loops whose derivative runs in reverse order, without a tape: those of which an iteration is linear, with the same
//! partials in all iterations. They may depend on what the loop reads, but not on what it carries, nor on an item.
//!
//! Then the adjoints of what is carried go through the transposed body, as often as the loop has been gone through. That
//! is a loop of its own, after all that the results of the first one are used for: it begins with the derivatives of the
//! rows by these, and ends with those by what the loop began with; what it reads has sums of its own. The loop itself
//! counts its iterations, and stays what it is. In the graph, its results are vertices that no edge leads to; once all
//! paths from these to the rows are known, edges lead from the loop's arguments to the rows.
//!
//! So a row costs a product for each edge of the body, however many columns there are. Whether that is less than what
//! the forward order takes is known before anything after the loop is: the adjoints are taken to be all there.
//!
//! The derivative of the loop of the adjoints by its first values is what is wanted, and as it is linear, that is the
//! loop of its companions (`iteration.rs`), which knows zeros, ones and masks.

use std::sync::Arc;

use jacobian_list::block::{Block, Body, counted};
use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{CodeList, Constant, Kind, NotationId, Statement, ValueId};

use super::draft::Draft;
use super::inner::Inner;
use super::iteration::{Before, Entry, Paths, derive_loop, plan};
use super::seed::Companion;
use crate::algebra::Term;
use crate::error::Error;
use crate::graph::{Graph, VertexId};

/// The body of a loop, transposed.
pub(super) struct Transposed {
    /// It reads what the loop reads, carries an adjoint for each argument in `of`, and gives the one before.
    body: Arc<CodeList>,
    /// The arguments of the loop that have adjoints.
    of: Vec<usize>,
    /// By value that is carried: the arguments of the loop that its next value depends on.
    depends: Vec<Vec<usize>>,
    /// How many edges the graph of an iteration has.
    pub edges: usize,
}

/// A loop that has been written down, and whose derivative is still to come.
pub(super) struct Deferred {
    /// The arguments of the loop, and their vertices.
    pub args: Vec<ValueId>,
    pub vertices: Vec<Option<VertexId>>,
    /// How many of them it carries.
    pub carried: usize,
    /// By value that is carried: the vertex of the result.
    pub results: Vec<Option<VertexId>>,
    /// How many iterations there were.
    pub count: ValueId,
    pub transposed: Transposed,
}

impl Transposed {
    /// That of a body of which the first `read` inputs are the same in all iterations; none if an iteration is not
    /// linear, or if its partials are not the same in all.
    pub(super) fn of(paths: &Paths, body: &CodeList, read: usize) -> Option<Transposed> {
        let Paths { linearization, is_column } = paths;
        let (graph, source) = (&linearization.graph, linearization.algebra.list());
        let labels: Vec<_> = graph.edges().map(|edge| linearization.labels[edge.label.index()]).collect();
        // The masks of the labels would be lost.
        if linearization.algebra.has_masks() || linearization.loops.iter().any(|inner| !inner.is_derived) {
            return None;
        }
        let is_needed = same_in_all(source, read, labels.iter().map(|label| label.id()))?;
        let mut list = CodeList::new(source.precision());
        let mut moved = vec![ValueId::new(0); source.statements().len()];
        for &input in &source.inputs()[..read] {
            moved[input.index()] = list.input_of_kind(source.kind(input), source.name(input).unwrap_or_default());
        }
        let of: Vec<_> = (read..is_column.len()).chain(0..read).filter(|&input| is_column[input]).collect();
        let mut adjoints = Vec::with_capacity(of.len());
        for &input in &of {
            let name = body.name(body.inputs()[input]).unwrap_or("carried");
            adjoints.push(list.input(&format!("{name}_bar")));
        }
        for id in source.ids().filter(|id| is_needed[id.index()]) {
            moved[id.index()] = match source.statement(id) {
                Statement::Input(_) => continue,
                statement => list.push(statement.map_args(|arg| moved[arg.index()])),
            };
        }
        let mut sweep = Sweep { list, of_vertices: vec![None; graph.vertex_count()] };
        let is_state = |input: &&usize| **input >= read;
        for (&input, &adjoint) in of.iter().zip(&adjoints).take_while(|(input, _)| is_state(input)) {
            if let Some(row) = linearization.rows[input - read] {
                sweep.add(row, adjoint, false);
            }
        }
        for vertex in graph.vertices().rev() {
            let Some(adjoint) = sweep.of_vertices[vertex.index()] else { continue };
            for edge in graph.incoming(vertex).iter().map(|&edge| graph.edge(edge)) {
                let label = linearization.labels[edge.label.index()];
                let is_one = label.id() == Term::ONE.id();
                let product =
                    if is_one { adjoint } else { sweep.apply(known::MUL, moved[label.id().index()], adjoint) };
                sweep.add(edge.source, product, label.is_negative());
            }
        }
        let columns: Vec<_> = (0..is_column.len()).filter(|&input| is_column[input]).collect();
        for (&input, &own) in of.iter().zip(&adjoints) {
            let column = linearization.columns[columns.binary_search(&input).expect("it is a column")];
            let before = match (sweep.of_vertices[column.index()], input >= read) {
                (Some(adjoint), true) => adjoint,
                (None, true) => sweep.list.constant(Constant::Float(0.0)),
                (Some(adjoint), false) => sweep.apply(known::ADD, own, adjoint),
                (None, false) => own,
            };
            sweep.list.output(before);
        }
        let depends = linearization.rows[..is_column.len() - read].iter();
        let depends = depends.map(|row| {
            let is_before = row.map_or(Vec::new(), |row| ancestors(graph, row));
            let of_column = |(&input, column): (&usize, &VertexId)| is_before.get(column.index())?.then_some(input);
            columns.iter().zip(&linearization.columns).filter_map(of_column).collect()
        });
        Some(Transposed { depends: depends.collect(), body: Arc::new(sweep.list), of, edges: labels.len() })
    }

    /// Which of the values that the loop carries depend on its active arguments in the end.
    pub(super) fn active_results(&self, is_active: &[bool], carried: usize) -> Vec<bool> {
        let (mut is_active, read) = (is_active.to_vec(), is_active.len() - carried);
        loop {
            let before = is_active.clone();
            for (value, depends) in self.depends.iter().enumerate() {
                is_active[read + value] |= depends.iter().any(|&input| before[input]);
            }
            if before == is_active {
                return is_active.split_off(read);
            }
        }
    }
}

/// By vertex: whether a path leads from it to this one.
fn ancestors(graph: &Graph, vertex: VertexId) -> Vec<bool> {
    let mut is_before = vec![false; graph.vertex_count()];
    is_before[vertex.index()] = true;
    for vertex in graph.vertices().rev().filter(|other| other.index() <= vertex.index()) {
        if is_before[vertex.index()] {
            graph.predecessors(vertex).for_each(|source| is_before[source.index()] = true);
        }
    }
    is_before
}

/// The adjoints of the vertices of an iteration.
struct Sweep {
    list: CodeList,
    /// By vertex, what is known of its adjoint so far.
    of_vertices: Vec<Option<ValueId>>,
}

impl Sweep {
    fn apply(&mut self, intrinsic: Intrinsic, left: ValueId, right: ValueId) -> ValueId {
        self.list.apply(intrinsic, NotationId::default(), &[left, right])
    }

    /// Adds a value, or minus a value, to an adjoint.
    fn add(&mut self, vertex: VertexId, value: ValueId, is_negative: bool) {
        let sum = match (self.of_vertices[vertex.index()], is_negative) {
            (None, false) => value,
            (None, true) => self.list.apply(known::NEG, NotationId::default(), &[value]),
            (Some(sum), false) => self.apply(known::ADD, sum, value),
            (Some(sum), true) => self.apply(known::SUB, sum, value),
        };
        self.of_vertices[vertex.index()] = Some(sum);
    }
}

/// What is needed of the body for these values, if they are computed by operations from its first `read` inputs: then
/// they are the same in all iterations.
fn same_in_all(list: &CodeList, read: usize, values: impl Iterator<Item = ValueId>) -> Option<Vec<bool>> {
    let mut is_needed = vec![false; list.statements().len()];
    values.for_each(|value| is_needed[value.index()] = true);
    for id in list.ids().rev() {
        if !is_needed[id.index()] {
            continue;
        }
        match list.statement(id) {
            Statement::Constant(_) => {}
            Statement::Input(_) if list.inputs()[..read].contains(&id) => {}
            Statement::Apply { .. } => list.args(id).for_each(|arg| is_needed[arg.index()] = true),
            Statement::Input(_) | Statement::Block(_) | Statement::Part { .. } => return None,
        }
    }
    Some(is_needed)
}

/// The loop with one more value, the last that it carries: how many iterations there have been.
pub(super) fn counting(block: &Block, draft: &mut Draft) -> Block {
    let Body::Loop { iterations, body, carried } = &block.body else { unreachable!("it is a loop") };
    let opaque =
        |args, origin| Block { args, body: Body::Opaque { gives: vec![Kind::Opaque] }, is_kept: false, origin };
    let none = draft.algebra.block(opaque(Vec::new(), counted::NONE));
    let mut args = block.args.clone();
    args.push(draft.algebra.part(none, 0));
    let mut list = (**body).clone();
    let count = list.input_of_kind(Kind::Opaque, "iterations");
    let next = list.block(opaque(vec![count], counted::NEXT));
    let next = list.part(next, 0);
    list.insert_output(*carried, next);
    Block { args, body: Body::Loop { iterations: *iterations, body: Arc::new(list), carried: carried + 1 }, ..*block }
}

impl Deferred {
    /// Adds the loop of the adjoints, and the edges from the arguments of the loop to the vertices of the rows.
    pub(super) fn connect(&self, rows: &[VertexId], draft: &mut Draft, inner: &dyn Inner) -> Result<(), Error> {
        let read = self.args.len() - self.carried;
        let Transposed { body, of, .. } = &self.transposed;
        let zeros = || vec![Entry::number(Companion::Zero); rows.len()];
        let result = |argument: &usize| argument.checked_sub(read).and_then(|value| self.results[value]);
        let of_adjoints = derivatives_of(&of.iter().map(result).collect::<Vec<_>>(), rows, draft);
        let before = Before { columns: rows.len(), rows: (0..read).map(|_| zeros()).chain(of_adjoints).collect() };
        let is_active: Vec<_> = (0..read + of.len()).map(|input| input >= read).collect();
        let plan = plan(&Paths::of(body, read, &is_active, inner)?, read, rows.len(), &before.known());
        let mut args = self.args[..read].to_vec();
        args.extend(of.iter().map(|_| Term::ZERO.id()));
        let whole = Body::Loop { iterations: Some(self.count), body: Arc::clone(body), carried: of.len() };
        let block = Block { args, body: whole, is_kept: false, origin: counted::LOOP };
        let derived = derive_loop(&block, (Some(self.count), body, of.len()), &before, plan, inner)?;
        let source = |(argument, labels): (&usize, Vec<(usize, Term)>)| Some((self.vertices[*argument]?, labels));
        let partials: Vec<_> = of.iter().zip(derived.write(draft)).filter_map(source).collect();
        let mut by_row = vec![Vec::new(); rows.len()];
        for (source, labels) in partials {
            labels.into_iter().for_each(|(row, label)| by_row[row].push((source, label)));
        }
        connect_rows(rows, by_row, draft);
        Ok(())
    }
}

/// Adds edges to the vertices of the rows, by row the sources with the labels.
pub(super) fn connect_rows(rows: &[VertexId], partials: Vec<Vec<(VertexId, Term)>>, draft: &mut Draft) {
    for (&row, partials) in rows.iter().zip(partials) {
        let mut edges = Vec::with_capacity(partials.len());
        partials.into_iter().for_each(|(source, label)| draft.gather(&mut edges, source, label));
        edges.into_iter().for_each(|(source, label)| draft.add_or_join(source, row, label));
    }
}

/// By result of a block, by row: the derivatives of the rows by the vertices of the results.
pub(super) fn derivatives_of(results: &[Option<VertexId>], rows: &[VertexId], draft: &mut Draft) -> Vec<Vec<Entry>> {
    let count = draft.graph().vertex_count();
    let mut is_needed = vec![false; count];
    results.iter().flatten().for_each(|result| is_needed[result.index()] = true);
    for vertex in draft.graph().vertices() {
        is_needed[vertex.index()] |= draft.graph().predecessors(vertex).any(|source| is_needed[source.index()]);
    }
    let mut terms: Vec<Vec<Term>> = vec![Vec::new(); count];
    for vertex in draft.graph().vertices().rev().filter(|vertex| is_needed[vertex.index()]) {
        let mut own: Vec<_> = rows.iter().map(|row| if *row == vertex { Term::ONE } else { Term::ZERO }).collect();
        for edge in draft.graph().outgoing(vertex).to_vec() {
            let (target, label) = (draft.graph().edge(edge).target, draft.label(edge));
            for (row, sum) in own.iter_mut().enumerate() {
                let of_target = terms[target.index()].get(row).copied().unwrap_or(Term::ZERO);
                if !of_target.is_zero() {
                    draft.algebra.list_mut().begin_entry();
                    let product = draft.algebra.path_product(label, of_target);
                    *sum = draft.algebra.path_sum(*sum, product);
                }
            }
        }
        terms[vertex.index()] = own;
    }
    draft.algebra.list_mut().resume_entry(None);
    let mut entries = Vec::with_capacity(results.len());
    for result in results {
        let terms = result.map_or(vec![Term::ZERO; rows.len()], |result| terms[result.index()].clone());
        entries.push(terms.into_iter().map(|term| Entry::of(term, draft)).collect());
    }
    entries
}
