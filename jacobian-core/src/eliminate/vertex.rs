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
        let ancestors = reachable(graph, graph.vertices(), Role::Independent);
        let descendants = reachable(graph, graph.vertices().rev(), Role::Dependent);
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

/// For every vertex, how many vertices with `role` it is connected to by a path, the vertices being given so that the
/// nearer to that role come first. One bit for each such vertex.
fn reachable(graph: &Graph, order: impl Iterator<Item = VertexId>, role: Role) -> Vec<i64> {
    let ends: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) == role).collect();
    let words = ends.len().div_ceil(64);
    let mut sets = vec![0_u64; graph.vertex_count() * words];
    for (bit, end) in ends.iter().enumerate() {
        sets[end.index() * words + bit / 64] |= 1 << (bit % 64);
    }
    for vertex in order {
        let neighbours: Vec<_> = match role {
            Role::Independent => graph.incoming(vertex).iter().map(|&edge| graph.edge(edge).source).collect(),
            _ => graph.outgoing(vertex).iter().map(|&edge| graph.edge(edge).target).collect(),
        };
        for neighbour in neighbours {
            for word in 0..words {
                sets[vertex.index() * words + word] |= sets[neighbour.index() * words + word];
            }
        }
    }
    let count = |index: usize| sets[index * words..(index + 1) * words].iter().map(|word| i64::from(word.count_ones()));
    (0..graph.vertex_count()).map(|index| count(index).sum()).collect()
}
