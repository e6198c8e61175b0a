//! The edges of charts: sources of tangents before the vertices of coordinates, and tangents of results after them.
//! See [`jacobian_list::chart`].

use jacobian_list::chart::Chart;
use jacobian_list::code_list::{NotationId, ValueId};
use jacobian_list::expression::{self, Expression};

use crate::algebra::{Algebra, Term};
use crate::graph::{Role, VertexId};
use crate::linearize::draft::Draft;

/// Connects the sources of the tangents to the vertices of the coordinates.
pub(super) fn connect(chart: Chart, tangents: &[VertexId], coordinates: &[(ValueId, VertexId)], draft: &mut Draft) {
    let (names, rows) = chart.manifold.table();
    for ((_, vertex), partials) in coordinates.iter().zip(rows) {
        for (tangent, partial) in tangents.iter().zip(*partials) {
            let partial = expression::parse(partial).expect("a partial of a retraction is an expression");
            let label = write(&mut draft.algebra, &partial, &|name| {
                let position = names.iter().position(|own| *own == name).expect("it names coordinates");
                coordinates[position].0
            });
            if !label.is_zero() {
                draft.add_edge(*tangent, *vertex, label);
            }
        }
    }
}

/// The tangents of results with these vertices, in their places.
pub(super) fn of_results(
    charts: &[Chart],
    values: &[ValueId],
    vertices: &[Option<VertexId>],
    draft: &mut Draft,
) -> Vec<Option<VertexId>> {
    let mut results = Vec::with_capacity(vertices.len());
    let mut position = 0;
    while position < vertices.len() {
        match Chart::of(charts, position) {
            Some(chart) => {
                let coordinates = position..position + chart.manifold.coordinates();
                add_tangents(chart, &values[coordinates.clone()], &vertices[coordinates.clone()], &mut results, draft);
                position = coordinates.end;
            }
            None => {
                results.push(vertices[position]);
                position += 1;
            }
        }
    }
    results
}

/// The columns of the derivative of a retraction are orthogonal: the derivative of the logarithm is that one
/// transposed, but for the squares of their lengths.
fn add_tangents(
    chart: Chart,
    values: &[ValueId],
    vertices: &[Option<VertexId>],
    results: &mut Vec<Option<VertexId>>,
    draft: &mut Draft,
) {
    let (names, rows) = chart.manifold.table();
    for (tangent, &factor) in chart.manifold.factors().iter().enumerate() {
        let mut edges = Vec::new();
        for (vertex, partials) in vertices.iter().zip(rows) {
            let Some(vertex) = vertex else { continue };
            let partial = expression::parse(partials[tangent]).expect("a partial of a retraction is an expression");
            let partial = write(&mut draft.algebra, &partial, &|name| {
                values[names.iter().position(|own| *own == name).expect("it names coordinates")]
            });
            let factor = draft.algebra.constant(factor);
            let label = draft.algebra.path_product(partial, factor);
            draft.gather(&mut edges, *vertex, label);
        }
        edges.retain(|(_, label)| !label.is_zero());
        let sink = (!edges.is_empty()).then(|| draft.add_seed(Role::Intermediate));
        for (vertex, label) in edges {
            draft.add_edge(vertex, sink.expect("there are edges"), label);
        }
        results.push(sink);
    }
}

/// Adds a source for each tangent.
pub(super) fn sources(chart: Chart, role: Role, draft: &mut Draft) -> Vec<VertexId> {
    let statement = draft.user_statement;
    let sources = (0..chart.manifold.tangents()).map(|_| draft.add_seed(role)).collect();
    draft.user_statement = statement;
    sources
}

/// An expression over coordinates.
fn write(algebra: &mut Algebra, expression: &Expression, value: &dyn Fn(&str) -> ValueId) -> Term {
    match expression {
        Expression::Number(number) => algebra.constant(*number),
        Expression::Name(name) => algebra.term(value(name)),
        Expression::Apply(intrinsic, operands) => {
            let terms: Vec<_> = operands.iter().map(|operand| write(algebra, operand, value)).collect();
            algebra.apply(*intrinsic, NotationId::default(), &terms)
        }
    }
}
