//! The figures of the literature, by the names that their texts give to the vertices, or by the functions that they
//! show: whatever the numbers are, the graphs in the case files and in `benchmarks` are isomorphic to them.

use std::collections::BTreeMap;

use jacobian_core::CodeList;
use jacobian_core::graph::{Graph, Role};
use jacobian_core::pipeline::linearize;
use jacobian_lab::digraph::{picture, to_petgraph};
use jacobian_lab::lcg::LabelledGraph;
use petgraph::algo::is_isomorphic_matching;
use petgraph::graph::DiGraph;

use crate::support::case_file::{lines, sections};
use crate::support::hovland::EXAMPLES;

/// A figure whose text names the edges.
struct Figure {
    /// The case file.
    case: &'static str,
    independents: &'static str,
    dependents: &'static str,
    /// From and to.
    edges: &'static str,
}

const FIGURES: &[Figure] = &[
    Figure { case: "lion", independents: "-1 0", dependents: "3 4 5 6", edges: "-1>1 0>1 1>6 1>2 2>3 2>4 2>5 2>6" },
    Figure {
        case: "bat",
        independents: "x1 x2 x3 x4",
        dependents: "y1 y2 y3 y4",
        edges: "t1>t3 t1>y1 t2>t3 t2>y4 t3>y1 t3>y2 t3>y3 t3>y4 x1>t1 x2>t1 x3>t2 x4>t2",
    },
    Figure { case: "naumann_figure_1", independents: "1 2", dependents: "6 7", edges: "1>3 2>3 3>4 3>5 4>5 5>6 5>7" },
    Figure {
        case: "locality_vertices_a",
        independents: "v1 v2",
        dependents: "v7 v8",
        edges: "v1>v3 v1>v4 v2>v5 v2>v6 v3>v7 v4>v7 v5>v4 v5>v6 v6>v8",
    },
    Figure {
        case: "locality_vertices_b",
        independents: "v1 v2",
        dependents: "v7 v8",
        edges: "v1>v3 v1>v4 v2>v5 v2>v6 v3>v7 v4>v7 v5>v4 v6>v5 v6>v8",
    },
    Figure {
        case: "locality_vertices_c",
        independents: "v1 v2",
        dependents: "v7 v8",
        edges: "v1>v3 v1>v4 v2>v6 v3>v7 v4>v7 v5>v4 v5>v8 v6>v5 v6>v8",
    },
    Figure {
        case: "locality_edges",
        independents: "v1 v2",
        dependents: "v6 v7",
        edges: "v1>v3 v2>v3 v3>v4 v2>v4 v3>v5 v2>v5 v4>v6 v4>v7 v5>v7",
    },
    Figure {
        case: "hovland_representation_1",
        independents: "i1 i2 i3",
        dependents: "o1 o2 o3",
        edges: "i1>m1 i2>m1 i3>m1 m1>m2 m2>o1 m2>o2 m2>o3",
    },
    Figure {
        case: "hovland_representation_2",
        independents: "i1 i2 i3",
        dependents: "o1 o2 o3",
        edges: "i1>m1 i2>m1 i3>m1 m1>m2 m1>m3 m1>m4 m2>o1 m2>o2 m3>o2 m3>o3 m4>o1 m4>o3",
    },
    Figure {
        case: "hovland_representation_3",
        independents: "i1 i2",
        dependents: "o1 o2 o3",
        edges: "i1>m1 i1>m2 i1>m3 i2>m1 i2>m2 i2>m3 m1>m4 m1>m5 m2>m5 m3>m6 m4>m7 m5>m7 m6>m7 m7>o1 m7>o2 m7>o3",
    },
];

/// Case files of graphs, and the functions that they are graphs of.
const FUNCTIONS: &[(&str, &str)] = &[
    ("lion", "input x1 x2\nt1 = x1 / x2\nt2 = cos(t1)\noutput exp(t2) 3.14*t2 sin(t2) t2*t1"),
    ("griewank_rerouting", "input x1 x2\nt3 = x1 / x2\nt4 = x1 * x2\noutput t3*t4 t3/t4"),
    ("hovland_simple", "input x y\nt0 = sin(y)\nb = t0 * y\na = exp(x)\nc = a * b\noutput a*c"),
    ("path_graph_example_2", "input x1 x2\nr = sqrt(x1)\noutput x2*sin(r) x2*cos(r)"),
    ("path_graph_example_3", "input x1 x2 x3\nv3 = sin(x1 * x3)\nv4 = exp(x1 * x2)\noutput v3*x2 v4*x3"),
    ("tadjouddine_small", "input x1 x2\nv1 = sin(x2)\nv2 = v1 - x1\noutput x1*v2 sqrt(v1)"),
];

fn file(path: &str) -> String {
    let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The graph of a case file.
fn case(name: &str) -> Graph {
    let text = file(&format!("jacobian-core/tests/cases/{name}.case"));
    let lines = lines(&text);
    let sections = sections(&lines).unwrap_or_else(|(line, message)| panic!("{name}:{line}: {message}"));
    let graph = sections.iter().find(|section| section.key == "graph").expect("the case has a graph");
    lcg(&graph.text())
}

fn lcg(text: &str) -> Graph {
    let graph: LabelledGraph = text.parse().unwrap_or_else(|error| panic!("{error}"));
    graph.linearize().graph
}

impl Figure {
    fn digraph(&self) -> DiGraph<Role, ()> {
        let (mut digraph, mut nodes) = (DiGraph::new(), BTreeMap::new());
        for (names, role) in [(self.independents, Role::Independent), (self.dependents, Role::Dependent)] {
            for name in names.split(' ') {
                nodes.insert(name, digraph.add_node(role));
            }
        }
        for edge in self.edges.split(' ') {
            let (source, target) = edge.split_once('>').expect("an edge is written `FROM>TO`");
            let [source, target] =
                [source, target].map(|name| *nodes.entry(name).or_insert_with(|| digraph.add_node(Role::Intermediate)));
            digraph.add_edge(source, target, ());
        }
        digraph
    }
}

/// Whether there is a one-to-one map between the vertices that keeps roles and edges.
fn is_isomorphic<L, M>(one: &DiGraph<Role, L>, other: &DiGraph<Role, M>) -> bool {
    is_isomorphic_matching(one, other, Role::eq, |_, _| true)
}

#[test]
fn the_cases_are_the_figures() {
    for figure in FIGURES {
        let graph = case(figure.case);
        assert!(is_isomorphic(&to_petgraph(&graph), &figure.digraph()), "{}:\n{}", figure.case, picture(&graph));
    }
}

#[test]
fn the_cases_are_the_graphs_of_their_functions() {
    for (name, function) in FUNCTIONS {
        let function: CodeList = function.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        let (graph, own) = (case(name), linearize(&function).graph);
        assert!(is_isomorphic(&to_petgraph(&graph), &to_petgraph(&own)), "{name}:\n{}", picture(&own));
    }
}

#[test]
fn no_two_figures_are_the_same() {
    for (place, one) in FIGURES.iter().enumerate() {
        for other in &FIGURES[place + 1..] {
            assert!(!is_isomorphic(&one.digraph(), &other.digraph()), "{} and {}", one.case, other.case);
        }
    }
}

/// What is written in two places is the same graph.
#[test]
fn copies_of_the_figures_are_the_figures() {
    for name in ["lion", "bat"] {
        let benchmark = lcg(&file(&format!("jacobian-lab/benchmarks/{name}.lcg")));
        assert!(is_isomorphic(&to_petgraph(&benchmark), &to_petgraph(&case(name))), "{name}");
    }
    for (example, number) in EXAMPLES.iter().zip(1..) {
        let case = case(&format!("hovland_representation_{number}"));
        assert!(is_isomorphic(&to_petgraph(&example.graph()), &to_petgraph(&case)), "example {number}");
    }
}
