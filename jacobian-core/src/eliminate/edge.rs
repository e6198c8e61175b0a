//! Edge elimination: an edge is multiplied with all that follow it (front) or with all that it follows (back), and
//! removed (Naumann, 2004).
//!
//! The elimination of `(i,j)` at the front replaces the paths from `i` over `j`, that of `(j,k)` at the back those over
//! `j` to `k`. Both eliminate paths over `j`, and to eliminate all of them, in any order of fronts and backs, is to
//! eliminate the vertex. Less than that gives Jacobians that no order of vertices gives as cheaply.

use std::cell::OnceCell;

use super::reach::Reach;
use super::vertex::common;
use super::{Heuristic, Mode, Scope, Target};
use crate::error::Error;
use crate::graph::program::{Ends, Entry, Program};
use crate::graph::{EdgeId, Graph, Role, VertexId, entries};

/// The mode.
///
/// The keys of [`Scope::Own`] read the edges that the target is multiplied with; those of [`Scope::Near`] read which
/// edges would absorb the products, too.
#[derive(Clone)]
pub struct Edge {
    graph: Graph,
    /// For `vlr` alone: known once its key has been asked for.
    reach: OnceCell<[Reach; 2]>,
    previous: Previous,
}

/// What is eliminated, and at which end.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EdgeTarget {
    /// The edge is multiplied with those from its target.
    Front(EdgeId),
    /// The edge is multiplied with those to its source.
    Back(EdgeId),
}

/// The previous elimination.
#[derive(Clone, Default)]
struct Previous {
    /// The vertex at which it was.
    centre: Option<VertexId>,
    /// Where the products start: for a front, the source of the edge; for a back, all predecessors of its source.
    predecessors: Vec<VertexId>,
    /// Where the products lead: for a front, all successors of the edge's target; for a back, its target.
    successors: Vec<VertexId>,
    /// The edges that hold the products, and those that are gone.
    edges: Vec<EdgeId>,
}

impl EdgeTarget {
    fn edge(self) -> EdgeId {
        match self {
            EdgeTarget::Front(edge) | EdgeTarget::Back(edge) => edge,
        }
    }
}

/// The filter `reverse`.
const REVERSE: Heuristic<Edge> = Heuristic {
    name: "reverse",
    keeps: "the edge with the last target, of these with the last source; its front elimination first",
    source: "xaifBooster, data locality heuristics",
    is_total: true,
    scope: Scope::Name,
    key: Edge::reverse,
};

impl Mode for Edge {
    type Target = EdgeTarget;

    const NAME: &'static str = "edge";

    const WRITTEN: &'static str = "edges with the side: `order((2,3)f, (0,2)b)`; a number is all of a vertex";

    const REVERSE: &'static Heuristic<Self> = &REVERSE;

    const HEURISTICS: &'static [Heuristic<Self>] = &[
        Heuristic {
            name: "forward",
            keeps: "the edge with the first source, of these with the first target; its back elimination first",
            source: "xaifBooster, data locality heuristics",
            is_total: true,
            scope: Scope::Name,
            key: Edge::forward,
        },
        REVERSE,
        Heuristic {
            name: "markowitz",
            keeps: "the fewest edges to multiply with",
            source: "Albrecht, Gottschling and Naumann 2003 (lowest Markowitz)",
            is_total: false,
            scope: Scope::Own,
            key: Edge::markowitz,
        },
        Heuristic {
            name: "vlr",
            keeps: "the fewest edges to multiply with less the number of dependents (front) or independents (back) beyond them",
            source: "Albrecht, Gottschling and Naumann 2003 (lowest relative Markowitz)",
            is_total: false,
            scope: Scope::Own,
            key: |mode, target| mode.markowitz(target) - mode.ends_after(target),
        },
        Heuristic {
            name: "fill",
            keeps: "the fewest edges filled in",
            source: "Albrecht, Gottschling and Naumann 2003 (lowest fill-in)",
            is_total: false,
            scope: Scope::Near,
            key: Edge::fill_in,
        },
        Heuristic {
            name: "single-successor",
            keeps: "the back eliminations, and the front eliminations of edges to a vertex with a single successor",
            source: "xaifBooster, data locality heuristics (where other vertices count as dependents)",
            is_total: false,
            scope: Scope::Own,
            key: |mode, target| match target {
                EdgeTarget::Front(_) => i64::from(mode.markowitz(target) != 1),
                EdgeTarget::Back(_) => 0,
            },
        },
        Heuristic {
            name: "sibling",
            keeps: "the most pairs of a predecessor and a successor shared with the previous elimination, where there are some",
            source: "xaifBooster, data locality heuristics (highest sibling)",
            is_total: false,
            scope: Scope::Previous,
            key: Edge::sibling,
        },
        Heuristic {
            name: "successor-predecessor",
            keeps: "what is eliminated at the only predecessor (front) or the only successor (back) of the previous elimination, where there is such",
            source: "xaifBooster, data locality heuristics (successor/predecessor)",
            is_total: false,
            scope: Scope::Previous,
            key: |mode, target| i64::from(!mode.is_at_the_only_neighbour(target)),
        },
        Heuristic {
            name: "vertex",
            keeps: "what is eliminated at the same vertex as the previous elimination, until that is gone: vertices are eliminated",
            source: "Albrecht, Gottschling and Naumann 2003 (emulated vertex elimination)",
            is_total: false,
            scope: Scope::Previous,
            key: |mode, target| i64::from(mode.previous.centre != Some(mode.centre(target))),
        },
    ];

    fn new(graph: &Graph, _: &mut Program) -> Result<Self, Error> {
        Ok(Edge { graph: graph.clone(), reach: OnceCell::new(), previous: Previous::default() })
    }

    fn index(target: EdgeTarget) -> usize {
        match target {
            EdgeTarget::Front(edge) => 2 * edge.index(),
            EdgeTarget::Back(edge) => 2 * edge.index() + 1,
        }
    }

    fn targets(&self) -> Vec<EdgeTarget> {
        let mut targets = Vec::new();
        for vertex in self.graph.vertices() {
            for &edge in self.graph.outgoing(vertex) {
                targets.extend([EdgeTarget::Front(edge), EdgeTarget::Back(edge)]);
            }
        }
        targets.retain(|&target| self.is_target(target));
        targets
    }

    fn is_target(&self, target: EdgeTarget) -> bool {
        self.graph.role(self.centre(target)) == Role::Intermediate && self.graph.has(target.edge())
    }

    fn describe(&self, target: EdgeTarget) -> Target {
        let edge = self.graph.edge(target.edge());
        let ends = Ends { source: edge.source, target: edge.target };
        match target {
            EdgeTarget::Front(_) => Target::Front(ends),
            EdgeTarget::Back(_) => Target::Back(ends),
        }
    }

    fn may_name(target: Target) -> bool {
        matches!(target, Target::Vertex(_) | Target::Front(_) | Target::Back(_))
    }

    /// The parts of a vertex are the fronts of the edges to it.
    fn find(&self, description: Target) -> Option<EdgeTarget> {
        let size = self.graph.vertex_count();
        let edge = |ends: Ends| match ends.source.index().max(ends.target.index()) < size {
            true => self.graph.find_edge(ends.source, ends.target),
            false => None,
        };
        let target = match description {
            Target::Vertex(vertex) if vertex.index() < size => {
                self.graph.incoming(vertex).first().copied().map(EdgeTarget::Front)
            }
            Target::Front(ends) => edge(ends).map(EdgeTarget::Front),
            Target::Back(ends) => edge(ends).map(EdgeTarget::Back),
            _ => None,
        };
        target.filter(|&target| self.is_target(target))
    }

    fn eliminate(&mut self, target: EdgeTarget, program: &mut Program) {
        let centre = self.centre(target);
        let edge = self.graph.edge(target.edge());
        let (predecessors, successors) = match target {
            EdgeTarget::Front(_) => (vec![edge.source], self.graph.successors(centre).collect()),
            EdgeTarget::Back(_) => (self.graph.predecessors(centre).collect(), vec![edge.target]),
        };
        let edges = match target {
            EdgeTarget::Front(edge) => self.graph.eliminate_front(edge, program),
            EdgeTarget::Back(edge) => self.graph.eliminate_back(edge, program),
        };
        self.previous = Previous { centre: Some(centre), predecessors, successors, edges };
        let image = self.graph.axis().map(|axis| axis.image(centre));
        if let Some([independents, dependents]) = self.reach.get_mut() {
            for vertex in [Some(centre), image].into_iter().flatten() {
                independents.renew(&self.graph, vertex);
                dependents.renew(&self.graph, vertex);
            }
        }
    }

    fn changed(&self, scope: Scope, changed: &mut Vec<EdgeTarget>) {
        let Previous { centre, predecessors, successors, edges } = &self.previous;
        for &edge in edges {
            changed.extend([EdgeTarget::Front(edge), EdgeTarget::Back(edge)]);
        }
        // Out-edges have changed at these, which the fronts of edges to them count...
        let axis = self.graph.axis();
        let images = successors.iter().filter_map(|&vertex| axis.map(|axis| axis.original(vertex)));
        for vertex in predecessors.iter().chain(centre).copied().chain(images) {
            for &edge in self.graph.incoming(vertex) {
                changed.push(EdgeTarget::Front(edge));
            }
        }
        // ...and in-edges at these, which the backs of edges from them count.
        for &vertex in successors.iter().chain(centre) {
            for &edge in self.graph.outgoing(vertex) {
                changed.push(EdgeTarget::Back(edge));
            }
        }
        if scope == Scope::Near {
            for &edge in edges {
                self.push_what_absorbs(edge, changed);
            }
        }
    }

    fn entries(&self) -> Vec<Entry> {
        entries(&self.graph)
    }
}

impl Edge {
    /// The graph as it is now.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The vertex at which `target` is eliminated.
    pub fn centre(&self, target: EdgeTarget) -> VertexId {
        match target {
            EdgeTarget::Front(edge) => self.graph.edge(edge).target,
            EdgeTarget::Back(edge) => self.graph.edge(edge).source,
        }
    }

    /// Appends every target one of whose products `edge` absorbs, or would if it were still there.
    fn push_what_absorbs(&self, edge: EdgeId, changed: &mut Vec<EdgeTarget>) {
        let crate::graph::Edge { source, target, .. } = self.graph.edge(edge);
        let (from_source, to_target) = (self.graph.outgoing(source), self.graph.incoming(target));
        let mut push = |first: EdgeId, second: EdgeId| {
            changed.extend([EdgeTarget::Front(first), EdgeTarget::Back(second)]);
        };
        if from_source.len() <= to_target.len() {
            for &first in from_source {
                let centre = self.graph.edge(first).target;
                self.graph.find_edge(centre, target).into_iter().for_each(|second| push(first, second));
            }
        } else {
            for &second in to_target {
                let centre = self.graph.edge(second).source;
                self.graph.find_edge(source, centre).into_iter().for_each(|first| push(first, second));
            }
        }
    }

    /// There are fewer than 2^31 vertices, so the key has room for two of them and a bit.
    fn forward(&self, target: EdgeTarget) -> i64 {
        let edge = self.graph.edge(target.edge());
        let is_front = i64::from(matches!(target, EdgeTarget::Front(_)));
        i64::from(edge.source.0) << 32 | i64::from(edge.target.0) << 1 | is_front
    }

    fn reverse(&self, target: EdgeTarget) -> i64 {
        let edge = self.graph.edge(target.edge());
        let is_front = i64::from(matches!(target, EdgeTarget::Front(_)));
        -(i64::from(edge.target.0) << 32 | i64::from(edge.source.0) << 1 | is_front)
    }

    /// The number of products.
    fn markowitz(&self, target: EdgeTarget) -> i64 {
        let centre = self.centre(target);
        match target {
            EdgeTarget::Front(_) => self.graph.outgoing(centre).len() as i64,
            EdgeTarget::Back(_) => self.graph.incoming(centre).len() as i64,
        }
    }

    /// The number of dependents that the products lead to, or of independents that they come from.
    fn ends_after(&self, target: EdgeTarget) -> i64 {
        let roles = [Role::Independent, Role::Dependent];
        let [independents, dependents] = self.reach.get_or_init(|| roles.map(|role| Reach::new(&self.graph, role)));
        match target {
            EdgeTarget::Front(_) => dependents.count(self.centre(target)),
            EdgeTarget::Back(_) => independents.count(self.centre(target)),
        }
    }

    fn fill_in(&self, target: EdgeTarget) -> i64 {
        let (graph, edge) = (&self.graph, self.graph.edge(target.edge()));
        let is_absent = |source, target| graph.find_edge(source, target).is_none();
        let filled = match target {
            EdgeTarget::Front(_) => graph.successors(edge.target).filter(|&to| is_absent(edge.source, to)).count(),
            EdgeTarget::Back(_) => graph.predecessors(edge.source).filter(|&from| is_absent(from, edge.target)).count(),
        };
        filled as i64
    }

    fn sibling(&self, target: EdgeTarget) -> i64 {
        let Previous { predecessors, successors, .. } = &self.previous;
        let edge = self.graph.edge(target.edge());
        let shared = match target {
            EdgeTarget::Front(_) if predecessors.binary_search(&edge.source).is_ok() => {
                common(self.graph.successors(edge.target), successors)
            }
            EdgeTarget::Back(_) if successors.binary_search(&edge.target).is_ok() => {
                common(self.graph.predecessors(edge.source), predecessors)
            }
            _ => 0,
        };
        -(shared as i64)
    }

    fn is_at_the_only_neighbour(&self, target: EdgeTarget) -> bool {
        let neighbours = match target {
            EdgeTarget::Front(_) => &self.previous.predecessors,
            EdgeTarget::Back(_) => &self.previous.successors,
        };
        **neighbours == [self.centre(target)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::program::{LabelKind, Measure};

    /// A graph with an edge for every pair; the vertices without edges to them are independents, those without edges
    /// from them dependents.
    fn graph(vertices: u32, edges: &[(u32, u32)], copies: &[(u32, u32)]) -> Graph {
        let mut graph = Graph::default();
        let all = || edges.iter().chain(copies);
        for vertex in 0..vertices {
            let (is_target, is_source) = (all().any(|edge| edge.1 == vertex), all().any(|edge| edge.0 == vertex));
            graph.add_vertex(match (is_target, is_source) {
                (false, _) => Role::Independent,
                (true, true) => Role::Intermediate,
                (true, false) => Role::Dependent,
            });
        }
        for &(source, target) in edges {
            graph.add_edge(VertexId(source), VertexId(target), LabelKind::Variable);
        }
        for &(source, target) in copies {
            graph.add_edge(VertexId(source), VertexId(target), LabelKind::Copy);
        }
        graph
    }

    /// The program of a complete sequence, written as `(0,2)f (3,4)b`.
    fn eliminate(graph: &Graph, sequence: &str) -> Program {
        let mut program = Program::new(graph);
        let mut mode = Edge::new(graph, &mut program).expect("a small graph");
        for name in sequence.split(' ') {
            let is_named = |target: &EdgeTarget| mode.describe(*target).to_string() == name;
            let target = mode.targets().into_iter().find(is_named).expect("a target");
            mode.eliminate(target, &mut program);
        }
        assert_eq!(mode.targets(), []);
        program.set_entries(mode.entries());
        program
    }

    /// One vertex between two independents and two dependents, which one path goes around.
    fn cross() -> Graph {
        graph(5, &[(0, 2), (1, 2), (2, 3), (2, 4), (0, 4)], &[])
    }

    #[test]
    fn the_front_multiplies_with_what_follows() {
        let program = eliminate(&cross(), "(0,2)f (1,2)f").to_string();
        assert_eq!(
            program,
            "J[3,0] = c[0,2]*c[2,3]\nJ[4,0] = c[0,4] + c[0,2]*c[2,4]\nJ[3,1] = c[1,2]*c[2,3]\nJ[4,1] = c[1,2]*c[2,4]\n"
        );
    }

    #[test]
    fn the_back_multiplies_with_what_goes_before() {
        let program = eliminate(&cross(), "(2,4)b (2,3)b").to_string();
        assert_eq!(
            program,
            "J[4,0] = c[0,4] + c[0,2]*c[2,4]\nJ[4,1] = c[1,2]*c[2,4]\nJ[3,0] = c[0,2]*c[2,3]\nJ[3,1] = c[1,2]*c[2,3]\n"
        );
    }

    #[test]
    fn a_copy_costs_nothing() {
        let dependent_used_further = graph(4, &[(0, 1), (1, 3)], &[(1, 2)]);
        let program = eliminate(&dependent_used_further, "(1,2)b (0,1)f");
        assert_eq!(program.to_string(), "J[3,0] = c[0,1]*c[1,3]\nJ[2,0] = c[0,1]\n");
    }

    /// Naumann's lion: 12 multiplications by either order of its two vertices, 11 by edges.
    #[test]
    fn edges_may_take_less_than_any_order_of_vertices() {
        let lion = graph(8, &[(0, 2), (1, 2), (2, 3), (2, 7), (3, 4), (3, 5), (3, 6), (3, 7)], &[]);
        let multiplications = |sequence| eliminate(&lion, sequence).multiplications(Measure::Textbook);
        assert_eq!(multiplications("(2,3)b (2,7)b (0,3)f (1,3)f"), 12);
        assert_eq!(multiplications("(2,3)f (0,2)f (1,2)f"), 12);
        assert_eq!(multiplications("(3,7)b (0,2)f (1,2)f (0,3)f (1,3)f"), 11);
    }
}
