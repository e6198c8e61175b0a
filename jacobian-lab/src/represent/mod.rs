//! The minimal representation of a Jacobian: the graph with the fewest edges that elimination can reach (Hovland 2016,
//! "An integer programming formulation of the minimal Jacobian representation problem"; Griewank calls it scarcity).
//!
//! The complete elimination makes an edge of every entry that is not zero. Where the Jacobian is a product of thin
//! matrices, an earlier graph has fewer edges, and it is what should be kept: a product with a vector takes one
//! multiplication for each of its edges.
//!
//! ```
//! use jacobian_core::graph::{Graph, Role};
//! use jacobian_core::program::LabelKind;
//! use jacobian_lab::represent::{Counted, Representation, least};
//!
//! // Three independents, a chain of two intermediates, three dependents: a Jacobian of 9 entries and of rank one.
//! let mut graph = Graph::default();
//! let independents: Vec<_> = (0..3).map(|_| graph.add_vertex(Role::Independent)).collect();
//! let first = graph.add_vertex(Role::Intermediate);
//! let second = graph.add_vertex(Role::Intermediate);
//! for independent in independents {
//!     graph.add_edge(independent, first, LabelKind::Variable);
//! }
//! graph.add_edge(first, second, LabelKind::Variable);
//! for _ in 0..3 {
//!     let dependent = graph.add_vertex(Role::Dependent);
//!     graph.add_edge(second, dependent, LabelKind::Variable);
//! }
//!
//! let given = Representation::new(&graph);
//! let least = least(&given, 1_000)?;
//! assert_eq!((given.edges(Counted::All), least.edges(Counted::All)), (7, 6));
//! assert_eq!(least.steps.len(), 1); // One intermediate is eliminated, one stays.
//! # Ok::<(), jacobian_lab::represent::TooManyStates>(())
//! ```
//!
//! [`along`] gives the least that any elimination passes, [`least`] the least of all vertex eliminations, proven,
//! [`best`] the best found within bounds, [`least_edges`] only how many that has, and [`all_least`] all that are least,
//! also of edge eliminations, and [`least_freedom`] one with the fewest degrees of freedom. With the feature `milp`,
//! `integer_program` solves the program of the paper.

mod all;
mod exact;
mod freedom;
#[cfg(feature = "milp")]
pub mod integer_program;
mod local;
mod pattern;

use std::fmt;

use all::Aim;

use jacobian_core::eliminate::vertex::Vertex;
use jacobian_core::eliminate::{Heuristic, Mode, Target, run};
use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::linearize::Linearization;
use jacobian_core::program::{Ends, LabelId, LabelKind, Program};
use pattern::{End, Problem};

/// The states of [`least_edges`], times the vertices of the graph: about half a second, optimized.
const WORK: usize = 500_000;

/// The most accumulation expressions of an order that the search starts from.
const MAX_ACCUMULATIONS: usize = 100_000;

/// The most vertices of a graph that is searched: the search keeps two bits for each pair of them.
const MAX_VERTICES: usize = 4_000;

/// A graph that stands for the Jacobian, and how elimination led there.
#[derive(Clone, Debug)]
pub struct Representation {
    /// What has been eliminated, in this order.
    pub steps: Vec<Target>,
    /// The expressions that the labels of the graph take. It has no entries.
    pub program: Program,
    /// The remainder graph.
    pub graph: Graph,
}

/// Which edges count.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Counted {
    /// All, as in the integer program.
    #[default]
    All,
    /// Those whose labels are not known to be one or minus one: the multiplications of a product with a vector.
    NotUnit,
    /// Those whose labels are no constants: the numbers to keep for each point.
    Variable,
}

impl Counted {
    fn counts(self, kind: LabelKind) -> bool {
        match self {
            Counted::All => true,
            Counted::NotUnit => kind > LabelKind::Unit,
            Counted::Variable => kind == LabelKind::Variable,
        }
    }
}

/// A step that cannot be taken: there is no such vertex or edge, or it is of a mode that leaves no graph behind.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Impossible(pub Target);

impl fmt::Display for Impossible {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the graph has no vertex or edge {} to eliminate", self.0)
    }
}

impl std::error::Error for Impossible {}

/// The fewest edges are not proven within the allowed number of states.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TooManyStates;

impl fmt::Display for TooManyStates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("the graph is too large to prove which representation has the fewest edges; take the best found")
    }
}

impl std::error::Error for TooManyStates {}

impl Representation {
    /// A graph of which nothing has been eliminated, less the edges on no path from an independent to a
    /// dependent.
    pub fn new(graph: &Graph) -> Self {
        let mut pruned = graph.clone();
        pruned.prune();
        Representation { steps: Vec::new(), program: Program::new(graph), graph: pruned }
    }

    /// The number of edges.
    pub fn edges(&self, counted: Counted) -> usize {
        self.labels().filter(|&label| counted.counts(self.program.kind(label))).count()
    }

    /// The degrees of freedom that the labels have: the edges less the intermediates. All labels to an intermediate may
    /// be multiplied by a number by which those from it are divided, so one label at each may be one.
    pub fn degrees_of_freedom(&self) -> usize {
        let problem = Problem::new(&self.graph);
        problem.pattern.edges() - problem.intermediates.count_ones(..)
    }

    /// The dimension of the set of all Jacobians that the graph stands for, whatever its labels. Elimination makes it
    /// no smaller, so no representation of the same Jacobian has fewer degrees of freedom. What falls short of the
    /// number of entries is Griewank's scarcity.
    pub fn dimension(&self) -> usize {
        freedom::dimension(&Problem::new(&self.graph).pattern)
    }

    /// The labels of the edges, by their sources, then targets.
    fn labels(&self) -> impl Iterator<Item = LabelId> + '_ {
        let edges = self.graph.vertices().flat_map(|vertex| self.graph.outgoing(vertex));
        edges.map(|&edge| self.graph.edge(edge).label)
    }

    /// Takes a step.
    ///
    /// # Errors
    /// Where it is impossible; nothing has changed then.
    pub fn eliminate(&mut self, target: Target) -> Result<(), Impossible> {
        if !target.eliminate_from(&mut self.graph, &mut self.program) {
            return Err(Impossible(target));
        }
        self.steps.push(target);
        Ok(())
    }

    /// Eliminates a set of vertices, each time one of the lowest Markowitz degree.
    fn eliminate_all(&self, set: &[VertexId]) -> Representation {
        let mut rest = self.graph.clone();
        for vertex in self.graph.vertices().filter(|vertex| set.binary_search(vertex).is_err()) {
            if rest.role(vertex) == Role::Intermediate {
                // No target for the mode.
                rest.set_role(vertex, Role::Dependent);
            }
        }
        let hierarchy = ["markowitz", "reverse"].map(heuristic);
        let elimination = run(&rest, &hierarchy, self.program.clone(), usize::MAX).expect("no limit");
        let mut representation = self.clone();
        for step in elimination.sequence {
            representation.eliminate(step).expect("the vertices of the set can be eliminated");
        }
        representation
    }

    fn along_route(&self, problem: &Problem, route: &all::Route) -> Representation {
        let mut representation = self.eliminate_all(&problem.vertices_of(&route.eliminated));
        for bypass in &route.bypasses {
            let [source, target] = [bypass.source, bypass.target].map(|number| problem.vertices[number]);
            let target = match bypass.end {
                End::Source => Target::Back(Ends { source, target }),
                End::Target => Target::Front(Ends { source, target }),
            };
            representation.eliminate(target).expect("the route leads along edges");
        }
        representation
    }
}

impl From<&Linearization> for Representation {
    /// The graph of a function, and the expressions that led to it.
    fn from(linearization: &Linearization) -> Self {
        Representation { steps: Vec::new(), program: linearization.program.clone(), graph: linearization.graph.clone() }
    }
}

impl Representation {
    /// A function with this representation of its Jacobian in the place of its graph: a complete elimination of that
    /// goes on from there.
    pub fn in_place_of(&self, linearization: Linearization) -> Linearization {
        Linearization { program: self.program.clone(), graph: self.graph.clone(), ..linearization }
    }
}

/// What an elimination passes on its way.
#[derive(Clone, Debug)]
pub struct Along {
    /// The number of edges before the first step, and after each.
    pub counts: Vec<usize>,
    /// The representation with the fewest edges, and among those the first.
    pub least: Representation,
}

/// Takes the steps of `sequence`, as an elimination in vertex or edge mode gives them, from `start` on. The least of
/// its representations is what the literature calls the forward minimum, the reverse minimum and so on.
///
/// # Errors
/// Where a step is impossible.
pub fn along(start: &Representation, sequence: &[Target], counted: Counted) -> Result<Along, Impossible> {
    let mut current = start.clone();
    let mut counts = vec![current.edges(counted)];
    for &step in sequence {
        current.eliminate(step)?;
        counts.push(current.edges(counted));
    }
    let fewest = counts.iter().min().expect("one count at least");
    let length = counts.iter().position(|count| count == fewest).expect("the least is among them");
    let mut least = start.clone();
    for &step in &sequence[..length] {
        least.eliminate(step)?;
    }
    Ok(Along { counts, least })
}

/// The representation with the fewest edges of all kinds that vertex elimination can reach, proven in at most `states`
/// states of a branch and bound. A thousand states of a graph of a hundred vertices take 0.1 s, optimized; where the
/// bound is good, as it mostly is for functions with few independents and dependents, fewer are enough.
///
/// # Errors
/// Where these are not enough.
pub fn least(start: &Representation, states: usize) -> Result<Representation, TooManyStates> {
    match best(start, states) {
        Best { representation, proven: true } => Ok(representation),
        Best { proven: false, .. } => Err(TooManyStates),
    }
}

/// What is eliminated.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum By {
    /// Vertices.
    Vertices,
    /// Edges, from the front and the back. The elimination of a vertex is one of all edges to it, so there are never
    /// more than by vertices.
    Edges,
}

/// All representations with the fewest edges of all kinds that elimination can reach, each graph once, proven in at
/// most `states` states of a branch and bound.
///
/// # Errors
/// Where these are not enough.
pub fn all_least(start: &Representation, by: By, states: usize) -> Result<Vec<Representation>, TooManyStates> {
    let problem = Problem::new(&start.graph);
    let routes = all::search(&problem, by, Aim::Edges, states)?;
    Ok(routes.iter().map(|route| start.along_route(&problem, route)).collect())
}

/// A representation with the fewest [degrees of freedom](Representation::degrees_of_freedom) that elimination can
/// reach, proven in at most `states` states.
///
/// # Errors
/// Where these are not enough.
pub fn least_freedom(start: &Representation, by: By, states: usize) -> Result<Representation, TooManyStates> {
    let problem = Problem::new(&start.graph);
    let routes = all::search(&problem, by, Aim::Freedom, states)?;
    Ok(start.along_route(&problem, routes.first().expect("there is a graph")))
}

/// A representation with few edges of all kinds.
#[derive(Clone, Debug)]
pub struct Best {
    /// The best found.
    pub representation: Representation,
    /// Whether vertex elimination can reach no fewer edges.
    pub proven: bool,
}

/// The best representation that a bounded search finds: along the vertex heuristics, then by branch and bound in at
/// most `states` states, and where these are not enough, by small changes of what the heuristics find. For graphs of
/// thousands of vertices, it is the best along some heuristics.
pub fn best(start: &Representation, states: usize) -> Best {
    if Problem::vertices(&start.graph).len() > MAX_VERTICES {
        let along = orders(start).map(|order| along(start, &order, Counted::All).expect("an elimination").least);
        let representation = along.min_by_key(|least| least.edges(Counted::All)).unwrap_or_else(|| start.clone());
        return Best { representation, proven: false };
    }
    let problem = Problem::new(&start.graph);
    let mut prefixes = local::prefixes(&problem, orders(start).map(|order| problem.numbers(&order)));
    let (set, proven) = match exact::search(&problem, prefixes[0].0, states) {
        Ok(better) => (better.unwrap_or_else(|| prefixes.swap_remove(0).1), true),
        Err(exact::GivenUp) => (local::search(&problem, prefixes), false),
    };
    Best { representation: start.eliminate_all(&problem.vertices_of(&set)), proven }
}

/// The orders of the vertex heuristics, but for those that take too many steps.
fn orders(start: &Representation) -> impl Iterator<Item = Vec<Target>> {
    let limit = start.program.accumulations().len() + MAX_ACCUMULATIONS;
    Vertex::HEURISTICS.iter().filter_map(move |row| {
        let elimination = run(&start.graph, &[row, heuristic("reverse")], start.program.clone(), limit);
        elimination.ok().map(|elimination| elimination.sequence)
    })
}

fn heuristic(name: &str) -> &'static Heuristic<Vertex> {
    Vertex::HEURISTICS.iter().find(|row| row.name == name).expect("a heuristic of the table")
}

/// How few edges stand for a Jacobian.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LeastEdges {
    /// The fewest found, of all kinds.
    pub edges: usize,
    /// Whether vertex elimination can reach no fewer.
    pub proven: bool,
}

/// The fewest edges that vertex elimination leaves of `graph`, of which nothing has been eliminated, as far as a search
/// of less than a second finds them (a hundred vertices, optimized).
pub fn least_edges(graph: &Graph) -> LeastEdges {
    let states = WORK / graph.vertex_count().max(1);
    let Best { representation, proven } = best(&Representation::new(graph), states);
    LeastEdges { edges: representation.edges(Counted::All), proven }
}
