//! Vertex elimination: the products of all edges to a vertex with all edges from it go to the edges between its
//! neighbours, then it is removed (Griewank and Reese, 1991).

use super::{Heuristic, Mode};
use crate::graph::{Accumulation, Graph, Role, VertexId};

/// The mode, with the numbers of independents that reach each vertex and of dependents that it reaches. Elimination
/// changes neither.
pub struct Vertex {
    reach: Vec<i64>,
}

impl Mode for Vertex {
    type Target = VertexId;

    const NAME: &'static str = "vertex";

    const HEURISTICS: &'static [Heuristic<Self>] = &[
        Heuristic {
            name: "forward",
            keeps: "the first vertex in topological order",
            source: "Griewank and Reese 1991",
            is_total: true,
            key: |_, _, vertex| i64::from(vertex.0),
        },
        Heuristic {
            name: "reverse",
            keeps: "the last vertex in topological order",
            source: "Griewank and Reese 1991",
            is_total: true,
            key: |_, _, vertex| -i64::from(vertex.0),
        },
        Heuristic {
            name: "markowitz",
            keeps: "the least Markowitz degree, predecessors times successors",
            source: "Griewank and Reese 1991",
            is_total: false,
            key: |_, graph, vertex| markowitz(graph, vertex),
        },
        Heuristic {
            name: "vlr",
            keeps: "the least Markowitz degree less the number of entries of the Jacobian that lead through the vertex",
            source: "Forth, Tadjouddine, Pryce and Reid 2004; lowest relative Markowitz in Albrecht, Gottschling and Naumann 2003",
            is_total: false,
            key: |mode, graph, vertex| markowitz(graph, vertex) - mode.reach[vertex.index()],
        },
        Heuristic {
            name: "pre",
            keeps: "the vertices with a single successor, where there are some",
            source: "Forth, Tadjouddine, Pryce and Reid 2004 (pre-elimination)",
            is_total: false,
            key: |_, graph, vertex| i64::from(graph.outgoing(vertex).len() != 1),
        },
    ];

    fn new(graph: &Graph) -> Self {
        let downwards: Vec<_> = graph.vertices().collect();
        let upwards: Vec<_> = graph.vertices().rev().collect();
        let ancestors = reachable(graph, &downwards, Role::Independent);
        let descendants = reachable(graph, &upwards, Role::Dependent);
        let products = ancestors.iter().zip(&descendants);
        Vertex { reach: products.map(|(above, below)| above * below).collect() }
    }

    fn index(target: VertexId) -> usize {
        target.index()
    }

    fn targets(&self, graph: &Graph) -> Vec<VertexId> {
        let intermediate = |vertex: &VertexId| graph.role(*vertex) == Role::Intermediate;
        graph.vertices().filter(intermediate).collect()
    }

    fn eliminate(
        &self,
        graph: &mut Graph,
        target: VertexId,
        accumulations: &mut Vec<Accumulation>,
        touched: &mut Vec<VertexId>,
    ) {
        let incoming = graph.incoming(target).to_vec();
        let outgoing = graph.outgoing(target).to_vec();
        for &first in &incoming {
            for &second in &outgoing {
                accumulations.push(graph.accumulate(first, second));
            }
        }
        graph.isolate(target);
        touched.extend(incoming.iter().map(|&edge| graph.edge(edge).source));
        touched.extend(outgoing.iter().map(|&edge| graph.edge(edge).target));
    }
}

fn markowitz(graph: &Graph, vertex: VertexId) -> i64 {
    (graph.incoming(vertex).len() * graph.outgoing(vertex).len()) as i64
}

/// For every vertex, how many vertices with `role` it is connected to by a path. In `order`, the nearer to that role come
/// first. One bit for each such vertex, 64 of them at a time.
fn reachable(graph: &Graph, order: &[VertexId], role: Role) -> Vec<i64> {
    let ends: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) == role).collect();
    let mut counts = vec![0; graph.vertex_count()];
    for some in ends.chunks(64) {
        let mut sets = vec![0_u64; graph.vertex_count()];
        for (bit, end) in some.iter().enumerate() {
            sets[end.index()] = 1 << bit;
        }
        for &vertex in order {
            sets[vertex.index()] |= union(graph, vertex, role, &sets);
            counts[vertex.index()] += i64::from(sets[vertex.index()].count_ones());
        }
    }
    counts
}

/// The union of the sets of the neighbours of a vertex on the side of `role`.
fn union(graph: &Graph, vertex: VertexId, role: Role, sets: &[u64]) -> u64 {
    let towards_columns = role == Role::Independent;
    let edges = if towards_columns { graph.incoming(vertex) } else { graph.outgoing(vertex) };
    edges.iter().fold(0, |union, &edge| {
        let edge = graph.edge(edge);
        union | sets[if towards_columns { edge.source } else { edge.target }.index()]
    })
}
