//! The Jacobian as a linear map of few numbers: takes a linearized function, gives the labels of a graph that stands
//! for its Jacobian, and the products with that.
//!
//! A complete elimination makes a label of every entry that is not zero. Where the Jacobian is a sum or a product of
//! thin matrices, an earlier graph has fewer (Hovland 2016, "An integer programming formulation of the minimal Jacobian
//! representation problem"; Griewank calls it scarcity): those are kept for many products at one point, each of which
//! takes a multiplication an edge at most. Which graph has the fewest is a hard problem. Here it is the best one that
//! some orders of vertices pass, after which vertices are eliminated as long as that saves labels.

use jacobian_list::code_list::{CodeList, ValueId};

use crate::algebra::rules::Rules;
use crate::algebra::{Algebra, Term};
use crate::derivative::{Derivative, Pattern};
use crate::eliminate::vertex::{FORWARD, MARKOWITZ, REDUCING, REVERSE, Vertex};
use crate::eliminate::{Heuristic, Target, run};
use crate::graph::program::{LabelKind, Program};
use crate::graph::{EdgeId, Graph, Role, VertexId};
use crate::linearize::Linearization;

/// A function's value and Jacobian at a point, the latter as a linear map.
#[derive(Clone, Debug)]
pub struct Representation {
    /// The function, and the labels as the only row of a matrix: no constants, no two the same or of opposite signs.
    pub function: Derivative,
    /// `J v` as the only column of a matrix. The inputs are `v`, then the labels.
    pub tangent: Derivative,
    /// `Jᵀ w` as the only row of a matrix. The inputs are `w`, then the labels.
    pub cotangent: Derivative,
}

impl Representation {
    /// The number of labels.
    pub fn labels(&self) -> usize {
        self.function.matrices[0].count()
    }
}

/// The orders that are followed.
const ORDERS: &[&[&Heuristic<Vertex>]] = &[&[&REDUCING, &REVERSE], &[&MARKOWITZ, &REVERSE], &[&FORWARD], &[&REVERSE]];

/// The most accumulation expressions of an order: 0.1 s without optimization.
const MAX_ACCUMULATIONS: usize = 20_000;

/// Represents the Jacobian of a function by few labels.
pub fn represent(mut linearization: Linearization) -> Representation {
    let Remainder { graph, program, .. } = Remainder::fewest(&linearization);
    linearization.carry_out(&program);
    let edges = graph.vertices().flat_map(|vertex| graph.outgoing(vertex)).map(|&edge| graph.edge(edge));
    let edges: Vec<_> =
        edges.map(|edge| (edge.source, edge.target, linearization.labels[edge.label.index()])).collect();
    let algebra = &linearization.algebra;
    let is_constant = |term: &Term| algebra.value(*term).is_some();
    let mut labels: Vec<ValueId> =
        edges.iter().filter(|(_, _, term)| !is_constant(term)).map(|(_, _, term)| term.id()).collect();
    labels.sort();
    labels.dedup();
    let map = Map { linearization: &linearization, edges: &edges, labels: &labels };
    let (tangent, cotangent) = (map.tangent(), map.cotangent());
    let (values, row) = (linearization.values.len(), Pattern::dense(1, labels.len()));
    let outputs: Vec<_> = linearization.values.iter().copied().chain(labels).collect();
    let list = linearization.algebra.list_mut();
    outputs.into_iter().for_each(|value| list.output(value));
    let function = Derivative { list: list.remove_dead_code(), values, matrices: vec![row] };
    Representation { function, tangent, cotangent }
}

/// What eliminations leave.
#[derive(Clone)]
struct Remainder {
    graph: Graph,
    program: Program,
    /// The number of edges whose labels are no constants.
    labels: usize,
}

impl Remainder {
    /// One with few labels.
    fn fewest(linearization: &Linearization) -> Remainder {
        let Linearization { graph, program, .. } = linearization;
        let is_label = |edge: &&EdgeId| program.kind(graph.edge(**edge).label) == LabelKind::Variable;
        let labels = graph.vertices().flat_map(|vertex| graph.outgoing(vertex)).filter(is_label).count();
        let start = Remainder { graph: graph.clone(), program: program.clone(), labels };
        let limit = program.accumulations().len() + MAX_ACCUMULATIONS;
        let mut best = start.clone();
        for hierarchy in ORDERS {
            let Ok(elimination) = run(graph, hierarchy, program.clone(), limit) else { continue };
            let order = elimination.sequence.into_iter().filter_map(|target| match target {
                Target::Vertex(vertex) => Some(vertex),
                _ => None,
            });
            start.follow(&order.collect::<Vec<_>>(), &mut best);
        }
        best.reduce();
        best
    }

    /// Eliminates in this order; `best` becomes what has the fewest labels on the way, if these are fewer.
    fn follow(&self, order: &[VertexId], best: &mut Remainder) {
        let (mut current, mut length, mut fewest) = (self.clone(), None, best.labels);
        for (place, &vertex) in order.iter().enumerate() {
            current.eliminate(vertex);
            if current.labels < fewest {
                (length, fewest) = (Some(place + 1), current.labels);
            }
        }
        if let Some(length) = length {
            *best = self.clone();
            order[..length].iter().for_each(|&vertex| best.eliminate(vertex));
        }
    }

    /// Eliminates vertices as long as that leaves fewer labels.
    fn reduce(&mut self) {
        loop {
            let labels = self.labels;
            for vertex in self.graph.vertices() {
                let is_left = self.graph.role(vertex) == Role::Intermediate && !self.graph.incoming(vertex).is_empty();
                if is_left && self.labels_after(vertex) < self.labels {
                    self.eliminate(vertex);
                }
            }
            if self.labels == labels {
                return;
            }
        }
    }

    fn eliminate(&mut self, vertex: VertexId) {
        self.labels = self.labels_after(vertex);
        self.graph.eliminate_vertex(vertex, &mut self.program);
    }

    /// The number of labels after the elimination of `vertex`.
    fn labels_after(&self, vertex: VertexId) -> usize {
        let kind = |edge: EdgeId| self.program.kind(self.graph.edge(edge).label);
        let (incoming, outgoing) = (self.graph.incoming(vertex), self.graph.outgoing(vertex));
        let gone = incoming.iter().chain(outgoing).filter(|&&edge| kind(edge) == LabelKind::Variable).count();
        let mut new = 0;
        for &first in incoming {
            for &second in outgoing {
                let product = kind(first).times(kind(second));
                let existing = self.graph.find_edge(self.graph.edge(first).source, self.graph.edge(second).target);
                let becomes_one = match existing.map(kind) {
                    Some(existing) => existing != LabelKind::Variable && existing.plus(product) == LabelKind::Variable,
                    None => product == LabelKind::Variable,
                };
                new += usize::from(becomes_one);
            }
        }
        self.labels + new - gone
    }
}

/// The linear map that a graph stands for.
struct Map<'a> {
    linearization: &'a Linearization,
    /// Source, target and label, by source.
    edges: &'a [(VertexId, VertexId, Term)],
    labels: &'a [ValueId],
}

impl Map<'_> {
    fn tangent(&self) -> Derivative {
        let Linearization { columns, rows, .. } = self.linearization;
        let columns: Vec<_> = columns.iter().copied().map(Some).collect();
        let edges = self.edges.iter().copied();
        let list = self.product("v", &columns, rows, edges);
        Derivative { list, values: 0, matrices: vec![Pattern::dense(rows.len(), 1)] }
    }

    fn cotangent(&self) -> Derivative {
        let Linearization { columns, rows, .. } = self.linearization;
        let columns: Vec<_> = columns.iter().copied().map(Some).collect();
        let edges = self.edges.iter().rev().map(|&(source, target, label)| (target, source, label));
        let list = self.product("w", rows, &columns, edges);
        Derivative { list, values: 0, matrices: vec![Pattern::dense(1, columns.len())] }
    }

    /// The sums over all paths from the vertices `from`, each with an input, to the vertices `to`, along edges that
    /// come after all that lead to their first vertex.
    fn product(
        &self,
        input: &str,
        from: &[Option<VertexId>],
        to: &[Option<VertexId>],
        edges: impl Iterator<Item = (VertexId, VertexId, Term)>,
    ) -> CodeList {
        let mut algebra = Algebra::new(&CodeList::new(self.linearization.algebra.list().precision()));
        let mut inputs = |name: &str, count: usize| {
            let ids = (0..count).map(|number| algebra.list_mut().input(&format!("{name}{number}")));
            ids.collect::<Vec<_>>()
        };
        let (seeds, labels) = (inputs(input, from.len()), inputs("label", self.labels.len()));
        let mut sums = vec![Term::ZERO; self.linearization.graph.vertex_count()];
        for (vertex, &seed) in from.iter().zip(&seeds) {
            if let Some(vertex) = vertex {
                let seed = algebra.term(seed);
                sums[vertex.index()] = algebra.add(sums[vertex.index()], seed);
            }
        }
        for (first, second, label) in edges {
            let factor = match self.linearization.algebra.value(label) {
                Some(number) => algebra.constant(number),
                None => {
                    let place = self.labels.binary_search(&label.id()).expect("it is among them");
                    let term = algebra.term(labels[place]);
                    if label.is_negative() { -term } else { term }
                }
            };
            let product = algebra.mul(factor, sums[first.index()]);
            sums[second.index()] = algebra.add(sums[second.index()], product);
        }
        for vertex in to {
            let sum = vertex.map_or(Term::ZERO, |vertex| sums[vertex.index()]);
            let result = algebra.materialize(sum, false);
            algebra.list_mut().output(result);
        }
        algebra.list().remove_dead_code()
    }
}
