//! Vertex elimination: the products of all edges to a vertex with all edges from it go to the edges between its
//! neighbours, then it is removed (Griewank and Reese, 1991).

use std::cell::OnceCell;
use std::cmp::Ordering;

use super::breadth_first;
use super::reach::Reach;
use super::{Error, Heuristic, Mode, Scope, Target};
use crate::graph::program::{Entry, Program};
use crate::graph::{Graph, Role, VertexId, entries};

/// The mode.
#[derive(Clone)]
pub struct Vertex {
    graph: Graph,
    /// The number of independents that reach each vertex times the number of dependents that it reaches: for `vlr`
    /// alone, known once its key has been asked for. Elimination changes neither.
    reach: OnceCell<Vec<i64>>,
    /// The places in the breadth-first order of the graph in which they are first asked for.
    breadth_first: OnceCell<Vec<i64>>,
    previous: Previous,
}

/// The neighbours that the vertex of the previous elimination had. (Those of its image are their images.)
#[derive(Clone, Default)]
struct Previous {
    predecessors: Vec<VertexId>,
    successors: Vec<VertexId>,
}

/// The filter `forward`.
pub const FORWARD: Heuristic<Vertex> = Heuristic {
    name: "forward",
    keeps: "the first vertex in topological order",
    source: "Griewank and Reese 1991",
    is_total: true,
    scope: Scope::Name,
    key: |_, vertex| i64::from(vertex.0),
};

/// The filter `reverse`.
pub const REVERSE: Heuristic<Vertex> = Heuristic {
    name: "reverse",
    keeps: "the last vertex in topological order",
    source: "Griewank and Reese 1991",
    is_total: true,
    scope: Scope::Name,
    key: |_, vertex| -i64::from(vertex.0),
};

/// The filter `markowitz`.
pub const MARKOWITZ: Heuristic<Vertex> = Heuristic {
    name: "markowitz",
    keeps: "the least Markowitz degree, predecessors times successors",
    source: "Griewank and Reese 1991",
    is_total: false,
    scope: Scope::Own,
    key: Vertex::markowitz,
};

/// The filter `vlr`.
pub const VLR: Heuristic<Vertex> = Heuristic {
    name: "vlr",
    keeps: "the least Markowitz degree less the number of entries of the Jacobian that lead through the vertex",
    source: "Forth, Tadjouddine, Pryce and Reid 2004; lowest relative Markowitz in Albrecht, Gottschling and Naumann 2003",
    is_total: false,
    scope: Scope::Own,
    key: |mode, vertex| mode.markowitz(vertex) - mode.reach()[vertex.index()],
};

/// The filter `reducing`.
pub const REDUCING: Heuristic<Vertex> = Heuristic {
    name: "reducing",
    keeps: "the vertex without which the graph has the fewest edges",
    source: "Hovland 2016 (minimal representation); after Griewank's scarcity",
    is_total: false,
    scope: Scope::Near,
    key: |mode, vertex| mode.fill_in(vertex) - mode.degree(vertex),
};

/// The filter `pre`.
pub const PRE: Heuristic<Vertex> = Heuristic {
    name: "pre",
    keeps: "the vertices with a single successor, where there are some",
    source: "Forth, Tadjouddine, Pryce and Reid 2004 (pre-elimination)",
    is_total: false,
    scope: Scope::Own,
    key: |mode, vertex| i64::from(mode.graph.outgoing(vertex).len() != 1),
};

/// The filter `sibling`.
pub const SIBLING: Heuristic<Vertex> = Heuristic {
    name: "sibling",
    keeps: "the most pairs of a predecessor and a successor shared with the previous vertex, where there are some",
    source: "xaifBooster, data locality heuristics (highest sibling)",
    is_total: false,
    scope: Scope::Previous,
    key: Vertex::sibling,
};

/// The filter `successor-predecessor`.
pub const SUCCESSOR_PREDECESSOR: Heuristic<Vertex> = Heuristic {
    name: "successor-predecessor",
    keeps: "the neighbours of the previous vertex on the side where it had fewer, else on the other, where there are some",
    source: "xaifBooster, data locality heuristics (successor/predecessor)",
    is_total: false,
    scope: Scope::Previous,
    key: Vertex::successor_predecessor,
};

impl Mode for Vertex {
    type Target = VertexId;

    const NAME: &'static str = "vertex";

    const WRITTEN: &'static str = "the numbers of vertices: `order(3, 2)`";

    const REVERSE: &'static Heuristic<Self> = &REVERSE;

    const HEURISTICS: &'static [Heuristic<Self>] = &[
        FORWARD,
        REVERSE,
        Heuristic {
            name: "breadth-first",
            keeps: "the first vertex in breadth-first order: from the inputs on, each brings those of its successors that wait for no other",
            source: "the manual of xaifBooster (the order of its interface to angel)",
            is_total: true,
            scope: Scope::Name,
            key: |mode, vertex| mode.breadth_first()[vertex.index()],
        },
        MARKOWITZ,
        VLR,
        Heuristic {
            name: "fill",
            keeps: "the fewest edges filled in",
            source: "Albrecht, Gottschling and Naumann 2003 (lowest fill-in)",
            is_total: false,
            scope: Scope::Near,
            key: Vertex::fill_in,
        },
        REDUCING,
        PRE,
        Heuristic {
            name: "lmmd",
            keeps: "the least Markowitz degree plus the damage, by which the elimination raises the degrees of the neighbours",
            source: "Albrecht, Gottschling and Naumann 2003 (lowest Markowitz minimal damage)",
            is_total: false,
            scope: Scope::Near,
            key: |mode, vertex| mode.markowitz(vertex) + mode.damage(vertex),
        },
        Heuristic {
            name: "momr",
            keeps: "the largest Markowitz degree less the damage: the largest decrease of the sum of all degrees",
            source: "Albrecht, Gottschling and Naumann 2003 (maximal overall Markowitz reduction)",
            is_total: false,
            scope: Scope::Near,
            key: |mode, vertex| mode.damage(vertex) - mode.markowitz(vertex),
        },
        SIBLING,
        SUCCESSOR_PREDECESSOR,
    ];

    fn new(graph: &Graph, _: &mut Program) -> Result<Self, Error> {
        let (reach, breadth_first) = (OnceCell::new(), OnceCell::new());
        Ok(Vertex { graph: graph.clone(), reach, breadth_first, previous: Previous::default() })
    }

    fn index(target: VertexId) -> usize {
        target.index()
    }

    fn targets(&self) -> Vec<VertexId> {
        self.graph.vertices().filter(|&vertex| self.is_target(vertex)).collect()
    }

    /// A vertex on no path, without edges, is one as well: its elimination does nothing.
    fn is_target(&self, target: VertexId) -> bool {
        self.graph.role(target) == Role::Intermediate && !self.graph.incoming(target).is_empty()
    }

    fn describe(&self, target: VertexId) -> Target {
        Target::Vertex(target)
    }

    fn may_name(target: Target) -> bool {
        matches!(target, Target::Vertex(_))
    }

    fn find(&self, description: Target) -> Option<VertexId> {
        match description {
            Target::Vertex(vertex) if vertex.index() < self.graph.vertex_count() && self.is_target(vertex) => {
                Some(vertex)
            }
            _ => None,
        }
    }

    fn eliminate(&mut self, target: VertexId, program: &mut Program) {
        let Previous { predecessors, successors } = &mut self.previous;
        predecessors.clear();
        predecessors.extend(self.graph.predecessors(target));
        successors.clear();
        successors.extend(self.graph.successors(target));
        self.graph.eliminate_vertex(target, program);
    }

    fn changed(&self, scope: Scope, changed: &mut Vec<VertexId>) {
        let axis = self.graph.axis();
        let original = |vertex: VertexId| axis.map_or(vertex, |axis| axis.original(vertex));
        let (first, neighbours) = (changed.len(), self.previous.predecessors.iter().chain(&self.previous.successors));
        changed.extend(neighbours.map(|&neighbour| original(neighbour)));
        if scope == Scope::Near {
            for at in first..changed.len() {
                let neighbour = changed[at];
                changed.extend(self.graph.predecessors(neighbour));
                changed.extend(self.graph.successors(neighbour).map(original));
            }
        }
    }

    fn entries(&self) -> Vec<Entry> {
        entries(&self.graph)
    }
}

impl Vertex {
    fn reach(&self) -> &[i64] {
        self.reach.get_or_init(|| {
            let [above, below] = [Role::Independent, Role::Dependent].map(|role| Reach::new(&self.graph, role));
            self.graph.vertices().map(|vertex| above.count(vertex) * below.count(vertex)).collect()
        })
    }

    fn breadth_first(&self) -> &[i64] {
        self.breadth_first.get_or_init(|| breadth_first::places(&self.graph))
    }

    /// The graph as it is now.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The number of products.
    fn markowitz(&self, vertex: VertexId) -> i64 {
        match self.graph.axis() {
            Some(axis) => self.graph.products_of_pair(vertex, axis) as i64,
            None => (self.graph.incoming(vertex).len() * self.graph.outgoing(vertex).len()) as i64,
        }
    }

    /// The number of edges at a vertex.
    fn degree(&self, vertex: VertexId) -> i64 {
        (self.graph.incoming(vertex).len() + self.graph.outgoing(vertex).len()) as i64
    }

    fn fill_in(&self, vertex: VertexId) -> i64 {
        let successors: Vec<_> = self.graph.successors(vertex).collect();
        let absent = |source| successors.len() - common(self.graph.successors(source), &successors);
        self.graph.predecessors(vertex).map(|source| absent(source) as i64).sum()
    }

    /// The sum over the neighbours of the increase of their Markowitz degrees that the elimination of `vertex` brings.
    fn damage(&self, vertex: VertexId) -> i64 {
        let graph = &self.graph;
        let predecessors: Vec<_> = graph.predecessors(vertex).collect();
        let successors: Vec<_> = graph.successors(vertex).collect();
        let above = predecessors.iter().map(|&source| {
            let filled = successors.len() - common(graph.successors(source), &successors);
            graph.incoming(source).len() as i64 * (filled as i64 - 1)
        });
        let below = successors.iter().map(|&target| {
            let filled = predecessors.len() - common(graph.predecessors(target), &predecessors);
            graph.outgoing(target).len() as i64 * (filled as i64 - 1)
        });
        above.sum::<i64>() + below.sum::<i64>()
    }

    fn sibling(&self, vertex: VertexId) -> i64 {
        let predecessors = common(self.graph.predecessors(vertex), &self.previous.predecessors);
        let successors = common(self.graph.successors(vertex), &self.previous.successors);
        -((predecessors * successors) as i64)
    }

    fn successor_predecessor(&self, vertex: VertexId) -> i64 {
        let Previous { predecessors, successors } = &self.previous;
        let is_of = |set: &[VertexId]| set.binary_search(&vertex).is_ok();
        let (first, second) = match predecessors.len().cmp(&successors.len()) {
            Ordering::Greater => (is_of(successors), is_of(predecessors)),
            Ordering::Less => (is_of(predecessors), is_of(successors)),
            Ordering::Equal => (is_of(predecessors) || is_of(successors), false),
        };
        match (first, second) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        }
    }
}

/// How many elements two sorted sequences have in common.
pub(super) fn common(some: impl Iterator<Item = VertexId>, others: &[VertexId]) -> usize {
    some.filter(|vertex| others.binary_search(vertex).is_ok()).count()
}
