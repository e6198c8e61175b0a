//! What a loop or a branch is differentiated by: its own arguments, or the columns of the graph that it is in, where that
//! takes fewer products in an iteration or an arm. The derivatives of the arguments by the columns are accumulated before
//! it, forward; after it, its results depend on the columns alone.

use jacobian_list::block::{Block, Choice};

use super::draft::Draft;
use super::iteration::{Before, Entry, Paths, Plan, own_columns, plan};
use super::seed::Companion;
use crate::algebra::Term;
use crate::graph::{EdgeId, VertexId};

/// How many iterations a loop is taken to make at least, where what is done before it is weighed against what is done in
/// it.
pub(super) const ITERATIONS: usize = 8;

/// The columns of a graph in the making, and how many rows it has.
pub(super) struct Columns {
    /// Their vertices.
    pub sources: Vec<VertexId>,
    /// The number of rows.
    pub rows: usize,
    /// The derivatives of vertices that have no edges from these: the vertex, the column, the derivative.
    pub given: Vec<(VertexId, usize, Term)>,
}

/// What a loop with this graph of an iteration is differentiated by, its plan, and the vertices of the columns. It goes
/// by its own arguments where the columns are none. None
/// where less than `most` products are not enough, in as many iterations as a loop is taken to make.
pub(super) fn before_loop(
    block: &Block,
    (paths, read): (&Paths, usize),
    vertices: &[Option<VertexId>],
    columns: Option<Columns>,
    most: usize,
    (known, draft): (&mut Known, &mut Draft),
) -> Option<(Before, Plan, Vec<VertexId>)> {
    let is_active: Vec<_> = vertices.iter().map(Option::is_some).collect();
    let (own, places) = own_columns(block, &is_active);
    let active: Vec<_> = vertices.iter().copied().flatten().collect();
    let by_own = plan(paths, read, own.columns, &own.known());
    let mut of_own = ITERATIONS * by_own.products;
    let by_columns = columns.as_ref().map(|columns| {
        let forward = Forward::new(draft, &active, columns);
        // What is eliminated after the loop: its edges with what comes before it, or with the rows.
        let after = |column: usize| forward.carried(active[places[column]]).min(columns.rows);
        of_own += by_own.edges().map(after).sum::<usize>();
        let rows: Vec<_> = vertices.iter().map(|vertex| forward.known(*vertex)).collect();
        let plan = plan(paths, read, columns.sources.len(), &rows);
        (ITERATIONS * plan.products + forward.products, forward, plan)
    });
    match by_columns {
        Some((products, ..)) if products < of_own && products >= most => None,
        Some((products, forward, plan)) if products < of_own => {
            let sources = forward.columns.sources.clone();
            let rows = forward.rows(draft, vertices, known);
            Some((Before { columns: sources.len(), rows }, plan, sources))
        }
        _ if of_own >= most => None,
        _ => Some((own, by_own, places.iter().map(|&place| active[place]).collect())),
    }
}

/// The derivatives of vertices by the columns.
struct Forward<'c> {
    columns: &'c Columns,
    /// By vertex, by column, what is known of it; nothing of what the loop does not depend on.
    found: Vec<Vec<Companion>>,
    /// How many products they take.
    products: usize,
}

impl<'c> Forward<'c> {
    /// As far as zeros and ones tell them.
    fn new(draft: &Draft, of: &[VertexId], columns: &'c Columns) -> Self {
        let (graph, count) = (draft.graph(), columns.sources.len());
        let mut is_needed = vec![false; graph.vertex_count()];
        of.iter().for_each(|vertex| is_needed[vertex.index()] = true);
        for vertex in graph.vertices().rev().filter(|vertex| !columns.sources.contains(vertex)) {
            if is_needed[vertex.index()] {
                graph.incoming(vertex).iter().for_each(|&edge| is_needed[graph.edge(edge).source.index()] = true);
            }
        }
        let (mut found, mut products) = (vec![Vec::new(); graph.vertex_count()], 0);
        for vertex in graph.vertices().filter(|vertex| is_needed[vertex.index()]) {
            let mut row = vec![Companion::Zero; count];
            for &(_, column, term) in columns.given.iter().filter(|(given, ..)| *given == vertex) {
                row[column] = Companion::One.along(draft.algebra.value(term));
            }
            for &edge in graph.incoming(vertex) {
                let (source, label) = (graph.edge(edge).source, draft.algebra.value(draft.label(edge)));
                for (sum, of_source) in row.iter_mut().zip(&found[source.index()]) {
                    let of_source: &Companion = of_source;
                    let path = of_source.along(label);
                    products += usize::from(path != Companion::Zero);
                    *sum = sum.and(path);
                }
            }
            found[vertex.index()] = row;
        }
        Forward { columns, found, products }
    }

    /// How many derivatives of a vertex are neither 0 nor 1.
    fn carried(&self, vertex: VertexId) -> usize {
        self.found[vertex.index()].iter().filter(|companion| companion.is_carried()).count()
    }

    /// What is known of the derivatives of a vertex.
    fn known(&self, vertex: Option<VertexId>) -> Vec<Companion> {
        match vertex {
            Some(vertex) => self.found[vertex.index()].clone(),
            None => vec![Companion::Zero; self.columns.sources.len()],
        }
    }

    /// The derivatives of these vertices, which are accumulated in the list.
    fn rows(&self, draft: &mut Draft, vertices: &[Option<VertexId>], known: &mut Known) -> Vec<Vec<Entry>> {
        let count = self.columns.sources.len();
        let mut rows = Vec::with_capacity(vertices.len());
        for vertex in vertices {
            let Some(vertex) = *vertex else {
                rows.push(vec![Entry::number(Companion::Zero); count]);
                continue;
            };
            known.accumulate(vertex, self.columns, draft);
            let entry = |column: usize, draft: &mut Draft| match self.found[vertex.index()][column] {
                Companion::Carried { .. } => Entry::carried(known.terms[vertex.index()][column], draft),
                number => Entry::number(number),
            };
            rows.push((0..count).map(|column| entry(column, draft)).collect());
        }
        rows
    }
}

/// The derivatives of vertices by the columns that have been accumulated. Those of one are accumulated once: no edge
/// leads to it after the first one from it.
#[derive(Default)]
pub(super) struct Known {
    /// By vertex, by column; nothing of what has not been asked for.
    terms: Vec<Vec<Term>>,
}

impl Known {
    /// Accumulates the derivatives of a vertex, after those of what it depends on.
    fn accumulate(&mut self, vertex: VertexId, columns: &Columns, draft: &mut Draft) {
        self.terms.resize(draft.graph().vertex_count(), Vec::new());
        let mut open = vec![vertex];
        while let Some(&vertex) = open.last() {
            let edges = draft.graph().incoming(vertex).to_vec();
            let before = edges.iter().map(|&edge| draft.graph().edge(edge).source);
            let unknown: Vec<_> = before.filter(|source| self.terms[source.index()].is_empty()).collect();
            if self.terms[vertex.index()].is_empty() && unknown.is_empty() {
                self.terms[vertex.index()] = self.row(vertex, &edges, columns, draft);
            }
            open.extend(unknown);
            open.pop_if(|vertex| !self.terms[vertex.index()].is_empty());
        }
        draft.algebra.list_mut().resume_entry(None);
    }

    /// The derivatives of a vertex, to which these edges lead.
    fn row(&self, vertex: VertexId, edges: &[EdgeId], columns: &Columns, draft: &mut Draft) -> Vec<Term> {
        let mut row = vec![Term::ZERO; columns.sources.len()];
        for &(_, column, term) in columns.given.iter().filter(|(given, ..)| *given == vertex) {
            row[column] = term;
        }
        for &edge in edges {
            let (source, label) = (draft.graph().edge(edge).source, draft.label(edge));
            for (sum, &of_source) in row.iter_mut().zip(&self.terms[source.index()]) {
                if !of_source.is_zero() {
                    draft.algebra.list_mut().begin_entry();
                    let product = draft.algebra.path_product(of_source, label);
                    *sum = draft.algebra.path_sum(*sum, product);
                }
            }
        }
        row
    }
}

/// The entries of the local Jacobian of a branch that computes nothing: the pairs of a result and a value that it may be.
/// None of another branch.
pub(super) fn chosen_pairs(block: &Block) -> Option<usize> {
    let distinct = |choices: Vec<Choice>| {
        let mut values: Vec<_> = choices.iter().filter_map(Choice::value).collect();
        values.sort_unstable();
        values.dedup();
        values.len()
    };
    Some(block.choices()?.into_iter().map(distinct).sum())
}

/// The derivatives of the arguments of a branch by the columns, where these are the fewer, and `most` at most, if that is
/// given, the results of the branch and the rows of the graph: then an arm that carries a derivative for each column
/// along takes fewer products than its local Jacobian and what that is multiplied by.
pub(super) fn before_branch(
    vertices: &[Option<VertexId>],
    columns: &Columns,
    most: Option<usize>,
    known: &mut Known,
    draft: &mut Draft,
) -> Option<Before> {
    let count = columns.sources.len();
    let mut own: Vec<_> = vertices.iter().copied().flatten().collect();
    own.sort_unstable();
    own.dedup();
    let is_source = |vertex: &VertexId| columns.sources.contains(vertex);
    let is_cheaper = most.is_none_or(|most| count <= most.min(own.len()));
    if count == 0 || !is_cheaper || own.iter().all(is_source) {
        return None;
    }
    let mut rows = Vec::with_capacity(vertices.len());
    for vertex in vertices {
        rows.push(match *vertex {
            None => vec![Entry::number(Companion::Zero); count],
            Some(vertex) => {
                known.accumulate(vertex, columns, draft);
                let terms = known.terms[vertex.index()].clone();
                terms.into_iter().map(|term| Entry::of(term, draft)).collect()
            }
        });
    }
    Some(Before { columns: count, rows })
}
