//! Plans to begin with that no order of vertices gives: sweeps over single edges, in which every column, or row, may
//! have its sums in an order of its own.
//!
//! Who sums up `((a + b) + c) + d` adds its derivatives in that order, too, if vertices are eliminated. Where the
//! independents that `a` depends on are some of those of `b`, and so on, as in a chain of joints, the order from the
//! other end shares the partial sums of the derivatives between columns. Another column may share its sums with the
//! function itself in the first order: so it goes ahead.

use super::evaluate::Evaluate;
use super::objective::Cost;
use crate::eliminate::Target;
use crate::graph::program::{Ends, LabelKind, Program};
use crate::graph::{Graph, Role, VertexId};
use crate::linearize::Linearization;

/// The cheapest of `start` and the sweeps, if there is one that is cheaper.
pub fn better(start: Cost, linearization: &Linearization, evaluate: &mut dyn Evaluate) -> Option<Vec<Target>> {
    let graph = &linearization.graph;
    let columns = linearization.columns.iter().map(|&column| ahead_forward(graph, column));
    let rows = linearization.rows.iter().flatten().map(|&row| ahead_reverse(graph, row));
    let forward = go_ahead(start, forward(graph, &linearization.program), columns, evaluate);
    let reverse = go_ahead(start, reverse(graph), rows, evaluate);
    [forward, reverse].into_iter().filter(|(cost, _)| *cost < start).min_by_key(|(cost, _)| *cost).map(|(_, plan)| plan)
}

/// How much dearer than the start, as a part of it, a sweep may be in which columns go ahead. They make up for less: of
/// the functions in jacobian-lab and of those in the benchmark, none became the cheapest by it from a fiftieth above
/// the start.
const HOPELESS: usize = 16;

/// The plan in which those columns, or rows, go ahead for which that is cheaper.
fn go_ahead(
    start: Cost,
    mut plan: Vec<Target>,
    ahead: impl Iterator<Item = Vec<Target>>,
    evaluate: &mut dyn Evaluate,
) -> (Cost, Vec<Target>) {
    let mut cost = evaluate.cost(&plan);
    if cost.first > start.first + start.first / HOPELESS {
        return (cost, plan);
    }
    for mut candidate in ahead {
        candidate.extend_from_slice(&plan);
        let new = evaluate.cost(&candidate);
        if new < cost {
            (plan, cost) = (candidate, new);
        }
    }
    (cost, plan)
}

/// Every vertex is reached from the independents before it is gone on from; sums are taken from their last addend on.
fn forward(graph: &Graph, program: &Program) -> Vec<Target> {
    let (mut graph, mut program) = (graph.clone(), program.clone());
    let mut plan = open_sums(&mut graph, &mut program);
    for target in graph.vertices() {
        let sources = intermediate(&graph, graph.predecessors(target)).rev();
        plan.extend(sources.map(|source| Target::Back(Ends { source, target })));
    }
    plan.extend(intermediate(&graph, graph.vertices()).map(Target::Vertex));
    plan
}

/// Eliminates the vertices that do nothing but to be added to one other, so that every sum has all of its addends.
fn open_sums(graph: &mut Graph, program: &mut Program) -> Vec<Target> {
    let mut opened = Vec::new();
    for vertex in graph.vertices().rev().filter(|&vertex| graph.role(vertex) == Role::Intermediate).collect::<Vec<_>>()
    {
        if let &[edge] = graph.outgoing(vertex)
            && matches!(program.kind(graph.edge(edge).label), LabelKind::Unit | LabelKind::Copy)
        {
            opened.push(Target::Vertex(vertex));
            graph.eliminate_vertex(vertex, program);
        }
    }
    opened
}

/// Every vertex leads to the dependents before it is reached; sums are taken from the first vertex that leads to them
/// on.
fn reverse(graph: &Graph) -> Vec<Target> {
    let mut plan = Vec::new();
    for source in graph.vertices().rev() {
        let targets = intermediate(graph, graph.successors(source));
        plan.extend(targets.map(|target| Target::Front(Ends { source, target })));
    }
    plan.extend(intermediate(graph, graph.vertices()).rev().map(Target::Vertex));
    plan
}

/// All that leads on from one independent.
fn ahead_forward(graph: &Graph, column: VertexId) -> Vec<Target> {
    intermediate(graph, graph.vertices()).map(|target| Target::Front(Ends { source: column, target })).collect()
}

/// All that leads to one dependent.
fn ahead_reverse(graph: &Graph, row: VertexId) -> Vec<Target> {
    intermediate(graph, graph.vertices()).rev().map(|source| Target::Back(Ends { source, target: row })).collect()
}

fn intermediate<I>(graph: &Graph, vertices: I) -> impl DoubleEndedIterator<Item = VertexId>
where
    I: Iterator<Item = VertexId>,
{
    let of_role: Vec<_> = vertices.filter(|&vertex| graph.role(vertex) == Role::Intermediate).collect();
    of_role.into_iter()
}
