//! Graphs go to petgraph and come back the same, and in a topological order if their nodes were in none. What the
//! engine prunes, and where it sees an entry of the Jacobian, follows from petgraph's paths.

use std::collections::BTreeSet;

use jacobian_core::bound::lower_bound;
use jacobian_core::graph::{Edge, EdgeId, Graph, Role, VertexId};
use jacobian_core::program::{LabelId, LabelKind, Measure, Program};
use jacobian_lab::digraph::{Unfit, from_petgraph, node, picture, to_petgraph};
use petgraph::algo::{has_path_connecting, is_isomorphic_matching, toposort};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef};

use crate::support::random::Random;
use crate::{benchmarks, random_graphs};

/// The roles, and of every edge its ends, what is known of its label, and the first edge with that label.
type Parts = (Vec<Role>, Vec<(VertexId, VertexId, LabelKind, usize)>);

fn parts(graph: &Graph) -> Parts {
    let edges = (0..graph.edge_capacity() as u32).map(EdgeId).filter(|&edge| graph.has(edge));
    let edges: Vec<_> = edges.map(|edge| graph.edge(edge)).collect();
    let first = |label| edges.iter().position(|edge| edge.label == label).expect("an edge has this label");
    let part = |edge: &Edge| (edge.source, edge.target, graph.kinds()[edge.label.index()], first(edge.label));
    (graph.vertices().map(|vertex| graph.role(vertex)).collect(), edges.iter().map(part).collect())
}

#[test]
fn graphs_come_back_the_same() {
    let linearized = benchmarks().into_iter().map(|graph| graph.linearize().graph);
    let mut shared = 0;
    for graph in random_graphs(500, 9).map(|(graph, _)| graph).chain(linearized) {
        let digraph = to_petgraph(&graph);
        let (back, vertices) = from_petgraph(&digraph, |label| graph.kinds()[label.index()]).expect("a graph of ours");
        assert_eq!(parts(&back), parts(&graph), "{}", picture(&graph));
        assert!(vertices.into_iter().eq(graph.vertices()));
        shared += parts(&graph).1.iter().enumerate().filter(|(place, edge)| edge.3 != *place).count();
    }
    assert!(shared > 50, "{shared} edges share a label");
}

/// The graph with its nodes and its edges in a random order, and the new place of every node.
fn shuffled(graph: &Graph, random: &mut Random) -> (DiGraph<Role, LabelId>, Vec<NodeIndex>) {
    let mut order: Vec<_> = graph.vertices().collect();
    shuffle(&mut order, random);
    let mut digraph = DiGraph::new();
    let mut places = vec![NodeIndex::default(); order.len()];
    for vertex in order {
        places[vertex.index()] = digraph.add_node(graph.role(vertex));
    }
    let given = to_petgraph(graph);
    let mut edges: Vec<_> = given.edge_references().collect();
    shuffle(&mut edges, random);
    for edge in edges {
        digraph.add_edge(places[edge.source().index()], places[edge.target().index()], *edge.weight());
    }
    (digraph, places)
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last + 1));
    }
}

#[test]
fn nodes_in_any_order_become_vertices_in_a_topological_order() {
    for (graph, mut random) in random_graphs(500, 9) {
        let (digraph, places) = shuffled(&graph, &mut random);
        let (other, vertices) = from_petgraph(&digraph, |label| graph.kinds()[label.index()]).expect("a graph of ours");
        let given = to_petgraph(&graph);
        for edge in given.edge_references() {
            let image = |node: NodeIndex| vertices[places[node.index()].index()];
            let (source, target) = (image(edge.source()), image(edge.target()));
            assert!(source < target && other.find_edge(source, target).is_some(), "{}", picture(&graph));
        }
        let kind = |graph: &Graph, label: &LabelId| graph.kinds()[label.index()];
        let same_kind = |one: &LabelId, two: &LabelId| kind(&graph, one) == kind(&other, two);
        assert!(is_isomorphic_matching(&given, &to_petgraph(&other), Role::eq, same_kind), "{}", picture(&graph));
        for measure in [Measure::Textbook, Measure::Folded] {
            let bound = |graph: &Graph| lower_bound(graph, &Program::new(graph), measure);
            assert_eq!(bound(&graph), bound(&other), "{measure:?}\n{}", picture(&graph));
        }
    }
}

#[test]
fn what_is_no_linearized_graph_is_told() {
    use Role::{Dependent, Independent, Intermediate};
    let roles = [Independent, Intermediate, Intermediate, Dependent];
    let unfit = |edges: &[(usize, usize)]| {
        let mut digraph = DiGraph::new();
        let nodes = roles.map(|role| digraph.add_node(role));
        for &(source, target) in edges {
            digraph.add_edge(nodes[source], nodes[target], LabelId(0));
        }
        from_petgraph(&digraph, |_| LabelKind::Variable).map(|_| ()).unwrap_err()
    };
    for (edges, expected, message) in [
        (&[(0, 1), (3, 2)][..], Unfit::Role(EdgeIndex::new(1)), "edge 1 leads to an independent or from a dependent"),
        (&[(1, 0)], Unfit::Role(EdgeIndex::new(0)), "edge 0 leads to an independent or from a dependent"),
        (&[(0, 1), (0, 2), (0, 1)], Unfit::Parallel(EdgeIndex::new(2)), "edge 2 is parallel to an earlier one"),
        (&[(1, 1)], Unfit::Cycle(NodeIndex::new(1)), "node 1 is on a cycle"),
    ] {
        assert_eq!((unfit(edges), expected.to_string().as_str()), (expected, message));
    }
    assert!(matches!(unfit(&[(1, 2), (2, 1)]), Unfit::Cycle(_)));
}

/// A graph of which edges may be on no path from an independent to a dependent.
fn loose_graph(random: &mut Random) -> Graph {
    let mut graph = Graph::default();
    let roles = [
        (1 + random.below(3), Role::Independent),
        (random.below(10), Role::Intermediate),
        (1 + random.below(3), Role::Dependent),
    ];
    for (count, role) in roles {
        for _ in 0..count {
            graph.add_vertex(role);
        }
    }
    for source in graph.vertices() {
        for target in graph.vertices().skip(source.index() + 1) {
            if graph.role(source) != Role::Dependent && graph.role(target) != Role::Independent && random.below(4) == 0
            {
                graph.add_edge(source, target, LabelKind::Variable);
            }
        }
    }
    graph
}

/// The nodes that paths from nodes of this role lead to.
fn reached<L>(digraph: &DiGraph<Role, L>, role: Role) -> BTreeSet<NodeIndex> {
    let mut walk = Dfs::empty(digraph);
    walk.stack.extend(digraph.node_indices().filter(|&node| digraph[node] == role));
    std::iter::from_fn(|| walk.next(digraph)).collect()
}

#[test]
fn edges_are_pruned_that_are_on_no_path() {
    let mut pruned = 0;
    for seed in 0..1_000 {
        let mut graph = loose_graph(&mut Random::new(seed));
        let digraph = to_petgraph(&graph);
        let mut backwards = digraph.clone();
        backwards.reverse();
        let (below, above) = (reached(&digraph, Role::Independent), reached(&backwards, Role::Dependent));
        let before = picture(&graph);
        graph.prune();
        for edge in digraph.edge_references() {
            let is_on_path = below.contains(&edge.source()) && above.contains(&edge.target());
            assert_eq!(graph.has(EdgeId(edge.id().index() as u32)), is_on_path, "{edge:?} of\n{before}");
            pruned += usize::from(!is_on_path);
        }
    }
    assert!(pruned > 1_000, "{pruned}");
}

#[test]
fn every_order_of_vertices_leaves_an_edge_where_a_path_was() {
    for (mut graph, mut random) in random_graphs(500, 9) {
        let (given, before) = (to_petgraph(&graph), picture(&graph));
        let mut program = Program::new(&graph);
        let mut order: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Intermediate).collect();
        shuffle(&mut order, &mut random);
        for vertex in order {
            graph.eliminate_vertex(vertex, &mut program);
            let digraph = to_petgraph(&graph);
            assert!(toposort(&digraph, None).is_ok() && digraph.neighbors_undirected(node(vertex)).next().is_none());
        }
        let left = to_petgraph(&graph);
        for source in left.node_indices() {
            for target in left.node_indices().filter(|&target| target != source) {
                let is_entry = given[source] == Role::Independent && given[target] == Role::Dependent;
                let is_expected = is_entry && has_path_connecting(&given, source, target, None);
                assert_eq!(left.contains_edge(source, target), is_expected, "{before}");
            }
        }
    }
}
