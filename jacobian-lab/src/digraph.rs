//! Linearized graphs as those of petgraph, for its algorithms, and back; and in the language of Graphviz.

use std::collections::BTreeMap;
use std::fmt;

use jacobian_core::graph::{Edge, EdgeId, Graph, Role, VertexId};
use jacobian_core::linearize::Linearization;
use jacobian_core::program::{LabelId, LabelKind, Program};
use jacobian_core::text::unique_names;
use petgraph::algo::toposort;
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, NodeFiltered};

/// The graph as one of petgraph: node `i` is vertex `i`, eliminated ones included. The edges are in the order of their
/// numbers, without those that have been removed.
pub fn to_petgraph(graph: &Graph) -> DiGraph<Role, LabelId> {
    let mut digraph = DiGraph::with_capacity(graph.vertex_count(), graph.edge_capacity());
    for vertex in graph.vertices() {
        digraph.add_node(graph.role(vertex));
    }
    for edge in (0..graph.edge_capacity() as u32).map(EdgeId).filter(|&edge| graph.has(edge)) {
        let Edge { source, target, label } = graph.edge(edge);
        digraph.add_edge(node(source), node(target), label);
    }
    digraph
}

/// The node of a vertex in what [`to_petgraph`] gives.
pub fn node(vertex: VertexId) -> NodeIndex {
    NodeIndex::new(vertex.index())
}

/// A graph of petgraph as one that can be eliminated, and the vertex of every node. Nodes keep their numbers where
/// these are a topological order. Edges keep theirs; those of one label share a new one, of which `kind` says what is
/// known.
///
/// # Errors
/// Where `digraph` is no linearized graph.
pub fn from_petgraph(
    digraph: &DiGraph<Role, LabelId>,
    kind: impl Fn(LabelId) -> LabelKind,
) -> Result<(Graph, Vec<VertexId>), Unfit> {
    let is_in_order = digraph.edge_references().all(|edge| edge.source() < edge.target());
    let order = match is_in_order {
        true => digraph.node_indices().collect(),
        false => toposort(digraph, None).map_err(|cycle| Unfit::Cycle(cycle.node_id()))?,
    };
    let mut graph = Graph::default();
    let mut vertices = vec![VertexId(0); order.len()];
    for node in order {
        vertices[node.index()] = graph.add_vertex(digraph[node]);
    }
    let mut labels = BTreeMap::new();
    for edge in digraph.edge_references() {
        let (source, target) = (vertices[edge.source().index()], vertices[edge.target().index()]);
        if graph.role(source) == Role::Dependent || graph.role(target) == Role::Independent {
            return Err(Unfit::Role(edge.id()));
        }
        if graph.find_edge(source, target).is_some() {
            return Err(Unfit::Parallel(edge.id()));
        }
        let added = graph.add_edge(source, target, kind(*edge.weight()));
        let label = *labels.entry(*edge.weight()).or_insert(graph.edge(added).label);
        graph.share_label(added, label);
    }
    Ok((graph, vertices))
}

/// What keeps a graph of petgraph from being a linearized one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// A node is on a cycle.
    Cycle(NodeIndex),
    /// An edge leads to an independent, or from a dependent.
    Role(EdgeIndex),
    /// An edge has the ends of an earlier one.
    Parallel(EdgeIndex),
}

impl fmt::Display for Unfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Cycle(node) => write!(formatter, "node {} is on a cycle", node.index()),
            Unfit::Role(edge) => {
                write!(formatter, "edge {} leads to an independent or from a dependent", edge.index())
            }
            Unfit::Parallel(edge) => write!(formatter, "edge {} is parallel to an earlier one", edge.index()),
        }
    }
}

impl std::error::Error for Unfit {}

/// The graph of a function, an edge with its partial as it is written in the function's code list.
pub fn with_partials(linearization: &Linearization) -> DiGraph<Role, String> {
    let values = unique_names(linearization.algebra.list());
    let accumulated = linearization.program.names();
    let name = |label: LabelId| match linearization.labels.get(label.index()) {
        Some(term) => format!("{}{}", if term.is_negative() { "-" } else { "" }, values[term.id().index()]),
        None => accumulated[label.index()].clone(),
    };
    to_petgraph(&linearization.graph).map(|_, &role| role, |_, &label| name(label))
}

/// What is left of `graph` when `program` has eliminated it: an edge for every entry of the Jacobian.
pub fn eliminated(graph: &Graph, program: &Program) -> DiGraph<Role, String> {
    let mut digraph = to_petgraph(graph).filter_map(|_, &role| Some(role), |_, _| None);
    for entry in program.entries() {
        let name = format!("J[{},{}]", entry.row.0, entry.column.0);
        digraph.add_edge(node(entry.column), node(entry.row), name);
    }
    digraph
}

/// The picture of a graph in which labels are numbers.
pub fn picture(graph: &Graph) -> String {
    dot(&to_petgraph(graph).map(|_, &role| role, |_, label| label.0))
}

/// The graph in the language of Graphviz: vertices by their numbers, independents in boxes, dependents in double
/// circles, edges with their labels. Vertices that have been eliminated are left out.
pub fn dot<L: fmt::Display>(digraph: &DiGraph<Role, L>) -> String {
    let is_there = |node| digraph[node] != Role::Intermediate || digraph.neighbors_undirected(node).next().is_some();
    let picture = NodeFiltered::from_fn(digraph, is_there);
    let dot = Dot::with_attr_getters(&picture, &[Config::NodeIndexLabel], &|_, _| String::new(), &|_, (_, &role)| {
        format!("shape = {}", shape(role))
    });
    // Nodes are labelled with their indices.
    let node_weight = |_: &Role, _: &mut fmt::Formatter<'_>| Ok(());
    fmt::from_fn(|formatter| dot.graph_fmt(formatter, node_weight, L::fmt)).to_string()
}

fn shape(role: Role) -> &'static str {
    match role {
        Role::Independent => "box",
        Role::Intermediate | Role::Image => "circle",
        Role::Dependent => "doublecircle",
    }
}
