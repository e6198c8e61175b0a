//! Checkers of eliminations, independent of them: Bauer's formula, the sum over all paths of the products of the
//! labels along them, the products of edge pushing, and the bound on round-off. Branches are out of the way before
//! Bauer's formula is applied: of a function with branches, the statements that run are a function without.

use std::collections::BTreeSet;

use crate::running::running;
use jacobian_core::algebra::Term;
use jacobian_core::code_list::{CodeList, ValueId};
use jacobian_core::evaluate::{Domain, Floats, Given, Modular, evaluate, select};
use jacobian_core::graph::{Edge, Graph, Role, VertexId};
use jacobian_core::linearize::Linearization;
use jacobian_core::pipeline::linearize;
use jacobian_core::program::{LabelId, Operation, Program};

/// The Jacobian of `function` modulo 2^61 - 1, row by row, by Bauer's formula on the linearized graph of the statements
/// that run. As for all functions here, the passive values are [`Given`].
pub fn modular_jacobian(function: &CodeList, inputs: &[u64], passive: &[u64]) -> Vec<Vec<u64>> {
    modular_jacobian_in(&Given { domain: &Modular, numbers: passive }, function, inputs)
}

/// What [`modular_jacobian`] gives, in a domain that knows the functions which are called and the passive values.
pub fn modular_jacobian_in<D: Domain<Number = u64>>(domain: &D, function: &CodeList, inputs: &[u64]) -> Vec<Vec<u64>> {
    let linearization = linearize(&running(domain, function, inputs));
    bauer(&linearization, &modular_labels_in(domain, &linearization, inputs))
}

/// The labels of a linearization modulo 2^61 - 1.
pub fn modular_labels(linearization: &Linearization, inputs: &[u64], passive: &[u64]) -> Vec<u64> {
    modular_labels_in(&Given { domain: &Modular, numbers: passive }, linearization, inputs)
}

/// What [`modular_labels`] gives, in a domain that knows the functions which are called and the passive values.
pub fn modular_labels_in<D: Domain<Number = u64>>(
    domain: &D,
    linearization: &Linearization,
    inputs: &[u64],
) -> Vec<u64> {
    let values = evaluate(linearization.algebra.list(), domain, inputs);
    let label = |term: &Term| {
        let value = values[term.id().index()];
        if term.is_negative() { Modular::neg(value) } else { value }
    };
    linearization.labels.iter().map(label).collect()
}

/// The Jacobian for these labels modulo 2^61 - 1, row by row, by Bauer's formula on the graph as it is.
pub fn bauer(linearization: &Linearization, labels: &[u64]) -> Vec<Vec<u64>> {
    let labels = run(&linearization.program, labels.to_vec(), Modular::add, Modular::mul, Modular::neg);
    let sums: Vec<_> =
        linearization.columns.iter().map(|&column| path_sums(&linearization.graph, &labels, column)).collect();
    let entry = |row: &Option<VertexId>, sums: &Vec<u64>| row.map_or(0, |row| sums[row.index()]);
    let rows = linearization.rows.iter();
    rows.map(|row| sums.iter().map(|sums| entry(row, sums)).collect()).collect()
}

/// The Jacobian that `program` computes from these labels modulo 2^61 - 1, row by row.
pub fn modular_entries(linearization: &Linearization, program: &Program, labels: &[u64]) -> Vec<Vec<u64>> {
    entries(linearization, program, &run(program, labels.to_vec(), Modular::add, Modular::mul, Modular::neg))
}

/// The entries of the Jacobian among all labels of a program, row by row.
fn entries<N: Copy + Default>(linearization: &Linearization, program: &Program, labels: &[N]) -> Vec<Vec<N>> {
    let entry = |row: Option<VertexId>, column: VertexId| {
        let label = row.and_then(|row| program.entry(row, column));
        label.map_or(N::default(), |label| labels[label.index()])
    };
    let rows = linearization.rows.iter();
    rows.map(|&row| linearization.columns.iter().map(|&column| entry(row, column)).collect()).collect()
}

/// For every vertex, the sum over all paths from `start`.
fn path_sums(graph: &Graph, labels: &[u64], start: VertexId) -> Vec<u64> {
    let mut sums = vec![0; graph.vertex_count()];
    sums[start.index()] = 1;
    for vertex in graph.vertices() {
        for &edge in graph.outgoing(vertex) {
            let Edge { target, label, .. } = graph.edge(edge);
            let product = Modular::mul(sums[vertex.index()], labels[label.index()]);
            sums[target.index()] = Modular::add(sums[target.index()], product);
        }
    }
    sums
}

/// Runs `program` on the absolute values of the labels of `linearization`, and returns the entries, row by row: the
/// scale on which the round-off of that elimination is measured.
pub fn absolute_jacobian(
    linearization: &Linearization,
    program: &Program,
    inputs: &[f64],
    passive: &[f64],
) -> Vec<Vec<f64>> {
    let labels: Vec<_> = linearization.labels.iter().map(|term| term.id()).collect();
    let values = float_values(linearization.algebra.list(), &labels, inputs, passive);
    let given = values.into_iter().map(f64::abs).collect();
    entries(
        linearization,
        program,
        &run(program, given, |left, right| left + right, |left, right| left * right, |of| of),
    )
}

/// All labels of a program, from those that are given.
pub fn run<N: Copy>(
    program: &Program,
    given: Vec<N>,
    add: fn(N, N) -> N,
    mul: fn(N, N) -> N,
    neg: fn(N) -> N,
) -> Vec<N> {
    let mut labels = given;
    for accumulation in program.accumulations() {
        let label = |id: LabelId| labels[id.index()];
        labels.push(match accumulation.operation {
            Operation::Product { first, second } => mul(label(first), label(second)),
            Operation::Absorption { addend, first, second } => add(label(addend), mul(label(first), label(second))),
            Operation::Sum { first, second } => add(label(first), label(second)),
            Operation::Negation { of } => neg(label(of)),
        });
    }
    labels
}

/// The values at `ids` of `list` in its own precision.
pub fn float_values(list: &CodeList, ids: &[ValueId], inputs: &[f64], passive: &[f64]) -> Vec<f64> {
    let domain = Given { domain: &Floats(list.precision()), numbers: passive };
    select(&evaluate(list, &domain, inputs), ids)
}

/// The values at `ids` of `list` modulo 2^61 - 1.
pub fn modular_values(list: &CodeList, ids: &[ValueId], inputs: &[u64], passive: &[u64]) -> Vec<u64> {
    select(&evaluate(list, &Given { domain: &Modular, numbers: passive }, inputs), ids)
}

/// The products of edge pushing on the graph of a gradient: vertices in reverse order, every arc at a vertex to its
/// predecessors, one at both ends to all pairs of them (Gower and Mello 2012).
///
/// # Panics
/// If the graph is not symmetric.
pub fn edge_pushing(graph: &Graph) -> usize {
    let axis = graph.axis().expect("the graph of a gradient is symmetric");
    let half = graph.vertex_count() / 2;
    let mut arcs = BTreeSet::new();
    for one in graph.vertices().take(half) {
        for other in graph.successors(one).filter(|other| other.index() >= half).map(|image| axis.image(image)) {
            arcs.insert((one.max(other), one.min(other)));
        }
    }
    let mut products = 0;
    for vertex in graph.vertices().rev().filter(|&vertex| graph.role(vertex) == Role::Intermediate) {
        let sources: Vec<_> = graph.predecessors(vertex).collect();
        let at_vertex: Vec<_> =
            arcs.iter().copied().filter(|(one, other)| *one == vertex || *other == vertex).collect();
        for arc in at_vertex {
            arcs.remove(&arc);
            let other = if arc.0 == vertex { arc.1 } else { arc.0 };
            let ends = if other == vertex { sources.clone() } else { vec![other] };
            for (place, &source) in sources.iter().enumerate() {
                // The factor that all pairs of a source share is formed once.
                products += usize::from(other == vertex);
                for &end in if other == vertex { &ends[place..] } else { &ends } {
                    products += 1;
                    arcs.insert((source.max(end), source.min(end)));
                }
            }
        }
    }
    let is_independent = |vertex: &VertexId| graph.role(*vertex) == Role::Independent;
    assert!(arcs.iter().all(|(one, other)| is_independent(one) && is_independent(other)));
    products
}
