//! Preaccumulation of statements: the operations of one statement of the user are eliminated ahead of all others, so
//! that the graph has an edge for every partial of every statement (Bischof, Carle, Corliss, Griewank and Hovland 1992,
//! ADIFOR; Hovland 2016; Tadjouddine, Bodman, Pryce and Forth 2006 compare it with the code list).

use crate::choose::optimal::{self, Limits};
use crate::eliminate::Target;
use crate::graph::program::{LabelKind, Measure, Program};
use crate::graph::{Edge, EdgeId, Graph, Role, VertexId};
use crate::linearize::Linearization;

/// How far the best order is looked for, for every statement anew: some milliseconds without optimization.
const LIMITS: Limits = Limits { states: 1_000 };

/// Eliminates every vertex that only its own statement uses, in the best order for that statement.
pub fn preaccumulate(linearization: &mut Linearization) {
    for statement in inner_vertices(linearization) {
        for vertex in best_order(linearization, &statement) {
            linearization.graph.eliminate_vertex(vertex, &mut linearization.program);
        }
    }
}

/// By statement, the vertices that are no result of it: all that uses them belongs to it as well.
fn inner_vertices(linearization: &Linearization) -> Vec<Vec<VertexId>> {
    let (graph, statements) = (&linearization.graph, &linearization.user_statements);
    let stays_within = |edge: &EdgeId| {
        let Edge { source, target, label } = graph.edge(*edge);
        linearization.program.kind(label) != LabelKind::Copy && statements[source.index()] == statements[target.index()]
    };
    let is_inner = |vertex: &VertexId| {
        let uses = graph.outgoing(*vertex);
        graph.role(*vertex) == Role::Intermediate && !uses.is_empty() && uses.iter().all(stays_within)
    };
    let inner: Vec<_> = graph.vertices().filter(is_inner).collect();
    inner.chunk_by(|one, next| statements[one.index()] == statements[next.index()]).map(<[_]>::to_vec).collect()
}

/// `inner` in the order of their elimination that takes the fewest multiplications, if it can be proven; else in
/// reverse.
fn best_order(linearization: &Linearization, inner: &[VertexId]) -> Vec<VertexId> {
    if let [_] = inner {
        return inner.to_vec();
    }
    let statement = statement_graph(linearization, inner);
    let program = Program::new(&statement);
    let first = statement.vertices().find(|&vertex| statement.role(vertex) == Role::Intermediate);
    match (optimal::vertex(&statement, program, Measure::Folded, None, LIMITS), first) {
        (Ok(best), Some(first)) => {
            let place = |target: &Target| match target {
                Target::Vertex(vertex) => inner[vertex.index() - first.index()],
                other => unreachable!("{other} is no vertex"),
            };
            best.sequence.iter().map(place).collect()
        }
        _ => inner.iter().rev().copied().collect(),
    }
}

/// The graph of a statement: its inner vertices, in order, between copies of their neighbours as independents and
/// dependents. (What is a result of the statement and used further in it is both.)
fn statement_graph(linearization: &Linearization, inner: &[VertexId]) -> Graph {
    let (graph, program) = (&linearization.graph, &linearization.program);
    let outer = |ends: fn(&Graph, VertexId) -> Vec<VertexId>| {
        let mut all = Vec::new();
        for &vertex in inner {
            all.extend(ends(graph, vertex));
        }
        all.sort_unstable();
        all.dedup();
        all.retain(|vertex| inner.binary_search(vertex).is_err());
        all
    };
    let sources = outer(|graph, vertex| graph.predecessors(vertex).collect());
    let targets = outer(|graph, vertex| graph.successors(vertex).collect());
    let mut statement = Graph::default();
    // They are in the same order there.
    let mut add = |vertices: &[VertexId], role| vertices.iter().map(|_| statement.add_vertex(role)).collect::<Vec<_>>();
    let (above, between) = (add(&sources, Role::Independent), add(inner, Role::Intermediate));
    let below = add(&targets, Role::Dependent);
    let find = |vertices: &[VertexId], copies: &[VertexId], vertex: &VertexId| {
        Some(copies[vertices.binary_search(vertex).ok()?])
    };
    for &vertex in inner {
        let own = find(inner, &between, &vertex).expect("it is one of the inner ones");
        for edge in graph.incoming(vertex).iter().map(|&edge| graph.edge(edge)) {
            if let Some(source) = find(&sources, &above, &edge.source) {
                statement.add_edge(source, own, program.kind(edge.label));
            }
        }
        for edge in graph.outgoing(vertex).iter().map(|&edge| graph.edge(edge)) {
            let target = find(inner, &between, &edge.target).or_else(|| find(&targets, &below, &edge.target));
            statement.add_edge(own, target.expect("it is a neighbour"), program.kind(edge.label));
        }
    }
    statement
}

#[cfg(test)]
mod tests {
    use crate::graph::program::Measure;
    use crate::linearize::Level;
    use crate::pipeline::linearize_at;

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

    /// The example of Hovland 2016 as one statement: 5 multiplications, where forward and reverse take 6.
    #[test]
    fn a_statement_is_accumulated_in_the_best_order() {
        let function = "input x y\nf = exp(x) * (exp(x) * (sin(y) * y))\noutput f".parse().expect("a code list");
        let linearization = linearize_at(&function, Level::Statement);
        assert_eq!(linearization.program.multiplications(Measure::Textbook), 5, "{}", linearization.program);
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
