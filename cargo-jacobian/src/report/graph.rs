//! The linearized graph in layers, and its elimination step by step.

use std::collections::BTreeMap;

use jacobian_core::Strategy;
use jacobian_core::eliminate::{Elimination, Target};
use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::linearize::Linearization;
use jacobian_core::program::Measure;
use jacobian_lab::digraph::with_partials;
use rust_sugiyama::configure::Config;
use rust_sugiyama::from_vertices_and_edges;
use serde::Serialize;

/// More vertices are not drawn one by one.
const MAX_VERTICES: usize = 150;

/// Nor are more edges.
const MAX_EDGES: usize = 400;

/// The most steps that are listed of a graph that is not folded.
const MAX_STEPS: usize = 600;

/// The layers of a folded graph.
const FOLDED_LAYERS: usize = 30;

/// The graph and its elimination, to be drawn.
#[derive(Serialize)]
pub struct Drawing {
    vertices: usize,
    edges: usize,
    /// Whether a node stands for all vertices of some layers.
    is_folded: bool,
    pub nodes: Vec<Node>,
    pub arcs: Vec<Arc>,
    strategy: String,
    pub steps: Vec<Step>,
    /// How many steps there are, of which these are the first.
    step_count: usize,
    /// Why the steps do not say which edges they change, if they do not.
    pub why_no_edges: Option<&'static str>,
}

/// What is drawn for a vertex, or for those of some layers.
#[derive(Serialize)]
pub struct Node {
    pub id: usize,
    pub label: String,
    pub role: &'static str,
    pub x: f64,
    pub y: f64,
}

/// An edge, or how many there are between two folded nodes.
#[derive(Serialize)]
pub struct Arc {
    pub source: usize,
    pub target: usize,
    pub label: String,
}

/// An elimination.
#[derive(Serialize)]
pub struct Step {
    pub target: String,
    /// What the function calls the vertices of the target.
    pub name: Option<String>,
    pub removed: Vec<[u32; 2]>,
    pub added: Vec<[u32; 2]>,
    /// After it: the edges that are left, and the multiplications so far.
    edges: Option<usize>,
    pub multiplications: Option<usize>,
}

impl Drawing {
    /// The graph of a function, and what `strategy` has made of it.
    pub fn of(linearization: &Linearization, strategy: &Strategy, elimination: &Elimination) -> Self {
        let graph = &linearization.graph;
        let (vertices, edges) = (graph.vertex_count(), edges(graph).len());
        let is_folded = vertices > MAX_VERTICES || edges > MAX_EDGES;
        let (nodes, arcs) = if is_folded { folded(graph) } else { whole(linearization) };
        let (steps, why_no_edges) = steps(linearization, elimination, is_folded);
        Drawing {
            vertices,
            edges,
            is_folded,
            nodes: if is_folded { nodes } else { placed(nodes, &arcs) },
            arcs,
            strategy: strategy.to_string(),
            step_count: elimination.sequence.len(),
            steps,
            why_no_edges,
        }
    }
}

fn edges(graph: &Graph) -> Vec<[u32; 2]> {
    let outgoing = graph.vertices().flat_map(|vertex| graph.outgoing(vertex));
    outgoing.map(|&edge| [graph.edge(edge).source.0, graph.edge(edge).target.0]).collect()
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Independent => "independent",
        Role::Intermediate | Role::Image => "intermediate",
        Role::Dependent => "dependent",
    }
}

fn node(id: usize, label: String, role: &'static str) -> Node {
    Node { id, label, role, x: 0.0, y: 0.0 }
}

/// Every vertex and every edge, but for vertices on no path.
fn whole(linearization: &Linearization) -> (Vec<Node>, Vec<Arc>) {
    let digraph = with_partials(linearization);
    let is_there = |vertex: &VertexId| {
        let graph = &linearization.graph;
        let is_inner = matches!(graph.role(*vertex), Role::Intermediate | Role::Image);
        !is_inner || !graph.incoming(*vertex).is_empty()
    };
    let nodes = linearization.graph.vertices().filter(is_there).map(|vertex| {
        let label = linearization.name(vertex).map_or_else(|| vertex.0.to_string(), str::to_string);
        node(vertex.index(), label, role(linearization.graph.role(vertex)))
    });
    let arcs = digraph.edge_indices().filter_map(|edge| {
        let (source, target) = digraph.edge_endpoints(edge)?;
        Some(Arc { source: source.index(), target: target.index(), label: digraph[edge].clone() })
    });
    (nodes.collect(), arcs.collect())
}

/// A node for the vertices of one role in some layers, and an edge for all between two of them.
fn folded(graph: &Graph) -> (Vec<Node>, Vec<Arc>) {
    let mut layers = vec![0_usize; graph.vertex_count()];
    for vertex in graph.vertices() {
        for &edge in graph.incoming(vertex) {
            let source = graph.edge(edge).source;
            layers[vertex.index()] = layers[vertex.index()].max(layers[source.index()] + 1);
        }
    }
    let depth = layers.iter().max().map_or(1, |last| last + 1);
    let mut groups: BTreeMap<(usize, &'static str), usize> = BTreeMap::new();
    let group =
        |vertex: VertexId| (layers[vertex.index()] * FOLDED_LAYERS.min(depth) / depth, role(graph.role(vertex)));
    for vertex in graph.vertices() {
        *groups.entry(group(vertex)).or_default() += 1;
    }
    let place: BTreeMap<_, _> = groups.keys().copied().zip(0..).collect();
    let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for [source, target] in edges(graph) {
        let ends = (place[&group(VertexId(source))], place[&group(VertexId(target))]);
        *counts.entry(ends).or_default() += 1;
    }
    let nodes = groups.iter().map(|(&(layer, role), count)| {
        let x =
            ["independent", "intermediate", "dependent"].iter().position(|other| *other == role).unwrap_or_default();
        let label = format!("{count} {role}");
        Node { x: 260.0 * x as f64, y: 64.0 * layer as f64, ..node(place[&(layer, role)], label, role) }
    });
    let is_between = |(ends, _): &(&(usize, usize), &usize)| ends.0 != ends.1;
    let arcs = counts.iter().filter(is_between).map(|(&(source, target), count)| {
        let edges = if *count == 1 { "edge" } else { "edges" };
        Arc { source, target, label: format!("{count} {edges}") }
    });
    (nodes.collect(), arcs.collect())
}

/// The nodes with their places: layers from above to below.
fn placed(mut nodes: Vec<Node>, arcs: &[Arc]) -> Vec<Node> {
    let width = |node: &Node| 24.0 + 7.5 * node.label.chars().count().min(24) as f64;
    // The library takes nodes that are numbered without a gap.
    let numbers: BTreeMap<_, _> = nodes.iter().map(|node| node.id).zip(0_u32..).collect();
    let sizes: Vec<_> = nodes.iter().map(|node| (numbers[&node.id], (width(node), 26.0))).collect();
    let ends: Vec<_> = arcs.iter().map(|arc| (numbers[&arc.source], numbers[&arc.target])).collect();
    let config = Config { vertex_spacing: 24.0, ..Config::default() };
    let (mut left, mut places) = (0.0, BTreeMap::new());
    for (layout, ..) in from_vertices_and_edges(&sizes, &ends, &config) {
        let least = layout.iter().map(|(_, (x, _))| *x).fold(f64::INFINITY, f64::min);
        let most = layout.iter().map(|(_, (x, _))| *x).fold(f64::NEG_INFINITY, f64::max);
        let top = layout.iter().map(|(_, (_, y))| y.abs()).fold(f64::INFINITY, f64::min);
        for (number, (x, y)) in layout {
            places.insert(number, (x - least + left, y.abs() - top));
        }
        left += most - least + 180.0;
    }
    for node in &mut nodes {
        (node.x, node.y) = places[&(numbers[&node.id] as usize)];
    }
    nodes
}

/// The elimination, target by target; its edges as long as these are few, and the targets are those of a graph.
fn steps(
    linearization: &Linearization,
    elimination: &Elimination,
    is_folded: bool,
) -> (Vec<Step>, Option<&'static str>) {
    let (mut graph, mut program) = (linearization.graph.clone(), linearization.program.clone());
    let is_of_graph = |target: &Target| matches!(target, Target::Vertex(_) | Target::Front(_) | Target::Back(_));
    let why = match elimination.sequence.iter().all(is_of_graph) {
        false => {
            Some("Faces and pairs of labels are not eliminated on this graph: the steps are listed without edges.")
        }
        true if is_folded => Some("The graph is too large to show what becomes of its edges."),
        true => None,
    };
    let (mut steps, mut multiplications) = (Vec::new(), program.multiplications(Measure::Folded));
    let is_followed = elimination.sequence.iter().all(is_of_graph);
    for target in elimination.sequence.iter().take(if is_folded { usize::MAX } else { MAX_STEPS }) {
        let before = if why.is_none() { edges(&graph) } else { Vec::new() };
        let done = program.accumulations().len();
        if is_followed {
            target.eliminate_from(&mut graph, &mut program);
        }
        multiplications += program.multiplications_after(done, Measure::Folded);
        let after = if why.is_none() { edges(&graph) } else { Vec::new() };
        let without = |these: &[[u32; 2]], others: &[[u32; 2]]| {
            these.iter().filter(|edge| !others.contains(edge)).copied().collect::<Vec<_>>()
        };
        let name = match target {
            Target::Vertex(vertex) => linearization.name(*vertex).map(str::to_string),
            _ => None,
        };
        steps.push(Step {
            target: target.to_string(),
            name,
            removed: without(&before, &after),
            added: without(&after, &before),
            edges: is_followed.then(|| edges(&graph).len()),
            multiplications: is_followed.then_some(multiplications),
        });
    }
    (steps, why)
}
