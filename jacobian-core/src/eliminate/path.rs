//! Path elimination: two labels that lie on a common path are multiplied, and the product takes their place on every
//! path that has both (Lyons, "A new graph construction for the optimal Jacobian accumulation problem"). The labels
//! need not be neighbours on those paths, and labels that are known to be equal count as one: there are more ways to go
//! than by vertices, edges or faces, and there may be a shorter one among them.

use super::target::Factor;
use super::{Error, Heuristic, Mode, Scope, Target};
use crate::graph::Graph;
use crate::graph::path_graph::{PathEdge, PathGraph, PathVertex};
use crate::graph::program::{Entry, Program};

/// The bits of a number in the key of a total order. There are fewer edges in a graph, and in its path graph over time,
/// as the pairs on its paths are limited.
const NUMBER_BITS: u32 = 21;

/// The mode.
#[derive(Clone)]
pub struct Path(PathGraph);

/// The filter `reverse`.
const REVERSE: Heuristic<Path> = Heuristic {
    name: "reverse",
    keeps: "the pair that begins last: whose first label is the last in topological order",
    source: "the order of reverse mode, for pairs of labels",
    is_total: true,
    scope: Scope::Own,
    key: Path::reverse,
};

impl Mode for Path {
    type Target = PathEdge;

    const NAME: &'static str = "path";

    const WRITTEN: &'static str =
        "pairs of labels, those of edges and those formed on the way: `order({c[2,3],c[3,7]}, {c[0,2],t1})`";

    const REVERSE: &'static Heuristic<Self> = &REVERSE;

    const HEURISTICS: &'static [Heuristic<Self>] = &[
        Heuristic {
            name: "forward",
            keeps: "the pair that ends first: whose last label is the first in topological order",
            source: "the order of forward mode, for pairs of labels",
            is_total: true,
            scope: Scope::Own,
            key: Path::forward,
        },
        REVERSE,
        Heuristic {
            name: "cliques",
            keeps: "the pairs on the most paths, each of which takes a multiplication less",
            source: "Lyons, A new graph construction (section 5: edges labelled with their number of cliques)",
            is_total: false,
            scope: Scope::Own,
            key: |mode, pair| -(mode.0.multiplicity(pair) as i64),
        },
        Heuristic {
            name: "isolate",
            keeps: "the pairs of which both labels are not used further, then those of which one is not",
            source: "Lyons, A new graph construction (observations 2 and 3: fill-out, modules)",
            is_total: false,
            scope: Scope::Own,
            key: |mode, pair| -mode.isolated(pair),
        },
        Heuristic {
            name: "merge",
            keeps: "the pairs after whose contraction cliques merge, where there are some",
            source: "Lyons, A new graph construction (proposition 3: merge as soon as possible)",
            is_total: false,
            scope: Scope::Near,
            key: |mode, pair| i64::from(!mode.0.would_merge(pair)),
        },
        Heuristic {
            name: "adjacent",
            keeps: "the pairs of neighbours on a path, where there are some: the faces",
            source: "Lyons, A new graph construction (section 5: the other modes as edge contractions)",
            is_total: false,
            scope: Scope::Own,
            key: Path::gap,
        },
    ];

    fn new(graph: &Graph, program: &mut Program) -> Result<Self, Error> {
        Ok(Path(PathGraph::new(graph, program)?))
    }

    fn index(target: PathEdge) -> usize {
        target.index()
    }

    fn targets(&self) -> Vec<PathEdge> {
        self.0.edges().collect()
    }

    fn is_target(&self, target: PathEdge) -> bool {
        self.0.has(target)
    }

    fn describe(&self, target: PathEdge) -> Target {
        let (first, second) = self.0.ends(target);
        Target::Pair(self.factor(first), self.factor(second))
    }

    fn may_name(target: Target) -> bool {
        matches!(target, Target::Pair(..))
    }

    fn find(&self, description: Target) -> Option<PathEdge> {
        let Target::Pair(first, second) = description else { return None };
        self.0.find_edge(self.vertex(first)?, self.vertex(second)?)
    }

    fn eliminate(&mut self, target: PathEdge, program: &mut Program) {
        self.0.contract(target, program);
    }

    fn changed(&self, scope: Scope, changed: &mut Vec<PathEdge>) {
        let changes = self.0.changes();
        let mut pairs = changes.edges.clone();
        let mut vertices = changes.vertices.clone();
        vertices.sort_unstable();
        vertices.dedup();
        for vertex in vertices {
            self.0.edges_at(vertex, &mut pairs);
        }
        if scope == Scope::Near {
            for (clique, before) in &changes.cliques {
                self.0.edges_in(*clique, &mut pairs);
                self.0.edges_towards(*clique, before, &mut pairs);
                self.0.edges_towards(*clique, self.0.clique(*clique), &mut pairs);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        changed.extend(pairs);
    }

    fn entries(&self) -> Vec<Entry> {
        self.0.entries()
    }
}

impl Path {
    /// The path graph as it is now.
    pub fn graph(&self) -> &PathGraph {
        &self.0
    }

    /// What a vertex is called in an order.
    fn factor(&self, vertex: PathVertex) -> Factor {
        match self.0.given().get(vertex.index()) {
            Some(&ends) => Factor::Edge(ends),
            None => Factor::Formed(vertex.0 - self.0.given().len() as u32 + 1),
        }
    }

    /// The vertex that is called so; a number that no vertex has yet is in no pair.
    fn vertex(&self, factor: Factor) -> Option<PathVertex> {
        let number = match factor {
            Factor::Edge(ends) => self.0.given().binary_search(&ends).ok()? as u32,
            Factor::Formed(number) => (self.0.given().len() as u32).checked_add(number.checked_sub(1)?)?,
        };
        Some(PathVertex(number))
    }

    fn forward(&self, pair: PathEdge) -> i64 {
        let (first, second) = self.spans(pair);
        number([first.1.max(second.1), first.0, pair.0])
    }

    fn reverse(&self, pair: PathEdge) -> i64 {
        let (first, second) = self.spans(pair);
        -number([first.0, first.1.max(second.1), pair.0])
    }

    fn spans(&self, pair: PathEdge) -> ((u32, u32), (u32, u32)) {
        let (first, second) = self.0.ends(pair);
        (self.0.span(first), self.0.span(second))
    }

    /// How many of the two labels are used no further once their product is formed.
    fn isolated(&self, pair: PathEdge) -> i64 {
        let (first, second) = self.0.ends(pair);
        let is_isolated = |vertex: PathVertex| self.0.cliques_of(vertex).len() == self.0.multiplicity(pair);
        i64::from(is_isolated(first)) + i64::from(is_isolated(second))
    }

    fn gap(&self, pair: PathEdge) -> i64 {
        let (first, second) = self.0.ends(pair);
        i64::from(self.0.joint_ends(first, second).is_none())
    }
}

/// One number for three, ordered as they are.
fn number(digits: [u32; 3]) -> i64 {
    digits.iter().fold(0, |number, &digit| number << NUMBER_BITS | i64::from(digit))
}
