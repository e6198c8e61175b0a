//! The two worked examples of the paper on xaifBooster's data locality heuristics, step by step: what each filter
//! leaves, what the elimination of the one target left takes, and the graph after it.
//!
//! The figures' graphs are rebuilt from what the text says of them. It leaves room in the first: three graphs for which
//! all of it holds are walked. Every vertex is a digit, an edge is two; the numbers of the first figure's vertices are
//! in no topological order.

use jacobian_core::eliminate::edge::Edge;
use jacobian_core::eliminate::vertex::Vertex;
use jacobian_core::eliminate::{Heuristic, Mode, Target, run};
use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::program::{LabelKind, Measure, Program};

use support::filters::selections;

mod support {
    pub mod filters;
}

/// A graph as a figure labels it.
struct Figure {
    /// The labels of the vertices in a topological order.
    vertices: &'static str,
    edges: &'static str,
}

/// One elimination.
#[derive(PartialEq, Eq, Debug)]
struct Step<Text> {
    /// All targets, and after each bar what the next filter leaves of them.
    selections: Text,
    multiplications: usize,
    absorptions: usize,
    /// The edges after it.
    edges: Text,
}

impl Figure {
    fn graph(&self) -> Graph {
        let ends: Vec<_> = self.edges.split(' ').map(|edge| edge.split_at(1)).collect();
        let mut graph = Graph::default();
        for vertex in self.vertices.split(' ') {
            let is_source = ends.iter().any(|&(source, _)| source == vertex);
            let is_target = ends.iter().any(|&(_, target)| target == vertex);
            graph.add_vertex(match (is_target, is_source) {
                (false, _) => Role::Independent,
                (true, true) => Role::Intermediate,
                (true, false) => Role::Dependent,
            });
        }
        let vertex = |label| VertexId(self.vertices.split(' ').position(|it| it == label).expect("a vertex") as u32);
        for (source, target) in ends {
            graph.add_edge(vertex(source), vertex(target), LabelKind::Variable);
        }
        graph
    }

    fn label(&self, vertex: VertexId) -> &'static str {
        self.vertices.split(' ').nth(vertex.index()).expect("a vertex")
    }

    fn target(&self, target: Target) -> String {
        match target {
            Target::Vertex(vertex) => self.label(vertex).to_string(),
            Target::Front(ends) => format!("{}{}f", self.label(ends.source), self.label(ends.target)),
            Target::Back(ends) => format!("{}{}b", self.label(ends.source), self.label(ends.target)),
            Target::Face { .. } | Target::Pair(..) => panic!("{target:?} is neither"),
        }
    }

    fn edges(&self, graph: &Graph) -> String {
        let edges = graph.vertices().flat_map(|vertex| graph.outgoing(vertex)).map(|&edge| graph.edge(edge));
        sorted(edges.map(|edge| format!("{}{}", self.label(edge.source), self.label(edge.target))))
    }
}

/// By the labels, not by the topological order.
fn sorted(names: impl Iterator<Item = String>) -> String {
    let mut names: Vec<_> = names.collect();
    names.sort();
    names.join(" ")
}

/// The filters of a mode with these names.
fn hierarchy<M: Mode>(names: &str) -> Vec<&'static Heuristic<M>> {
    let find = |name: &str| M::HEURISTICS.iter().find(|row| row.name == name).expect("a filter of the mode");
    names.split(" > ").map(find).collect()
}

/// Walks the figure's graph with all filters applied anew at every step, and sees that the loop goes the same way.
fn check_walk<M: Mode>(figure: &Figure, filters: &str, graph_of: fn(&M) -> &Graph, expected: &[Step<&str>]) {
    let (graph, hierarchy) = (figure.graph(), hierarchy::<M>(filters));
    let mut program = Program::new(&graph);
    let mut mode = M::new(&graph, &mut program).expect("a small graph");
    let mut sequence = Vec::new();
    for step in expected {
        let (multiplications, additions) = (program.multiplications(Measure::Textbook), program.additions());
        let selections = selections(&mode, &hierarchy);
        let names = |targets: &Vec<_>| sorted(targets.iter().map(|&target| figure.target(mode.describe(target))));
        let text = selections.iter().map(names).collect::<Vec<_>>().join(" | ");
        let target = selections.last().expect("a selection by each filter")[0];
        sequence.push(mode.describe(target));
        mode.eliminate(target, &mut program);
        let actual = Step {
            selections: text.as_str(),
            multiplications: program.multiplications(Measure::Textbook) - multiplications,
            absorptions: program.additions() - additions,
            edges: &figure.edges(graph_of(&mode)),
        };
        assert_eq!(actual, *step);
    }
    assert!(mode.targets().is_empty());
    let elimination = run(&graph, &hierarchy, Program::new(&graph), usize::MAX).expect("no limit");
    assert_eq!(elimination.sequence, sequence);
}

/// The filters of the first example: there is nothing to tell apart at the first step but the Markowitz degrees, the
/// highest sibling decides the second, the fewer successors the third.
const VERTEX_FILTERS: &str = "sibling > successor-predecessor > markowitz > reverse";

const VERTEX_SELECTIONS: [&str; 4] =
    ["3 4 5 6 | 3 4 5 6 | 3 4 5 6 | 3 | 3", "4 5 6 | 4 | 4 | 4 | 4", "5 6 | 5 6 | 5 | 5 | 5", "6 | 6 | 6 | 6 | 6"];

/// Checks the walk over a graph of the first figure, given what every step takes, and leaves.
fn check_vertex_walk(figure: &Figure, steps: [(usize, usize, &'static str); 4]) {
    let steps = VERTEX_SELECTIONS.iter().zip(steps);
    let steps = steps.map(|(&selections, (multiplications, absorptions, edges))| Step {
        selections,
        multiplications,
        absorptions,
        edges,
    });
    check_walk(figure, VERTEX_FILTERS, Vertex::graph, &steps.collect::<Vec<_>>());
}

#[test]
fn first_example_in_the_graph_with_an_edge_from_5_to_6() {
    check_vertex_walk(
        &Figure { vertices: "1 2 3 5 4 6 7 8", edges: "13 14 25 26 37 47 54 56 68" },
        [(1, 0, "14 17 25 26 47 54 56 68"), (2, 1, "17 25 26 56 57 68"), (2, 1, "17 26 27 68"), (1, 0, "17 27 28")],
    );
}

#[test]
fn first_example_in_the_graph_with_an_edge_from_6_to_5() {
    check_vertex_walk(
        &Figure { vertices: "1 2 3 6 5 4 7 8", edges: "13 14 25 26 37 47 54 65 68" },
        [(1, 0, "14 17 25 26 47 54 65 68"), (2, 1, "17 25 26 57 65 68"), (2, 0, "17 26 27 67 68"), (2, 1, "17 27 28")],
    );
}

#[test]
fn first_example_in_the_graph_with_an_edge_from_5_to_8() {
    check_vertex_walk(
        &Figure { vertices: "1 2 3 6 5 4 7 8", edges: "13 14 26 37 47 54 58 65 68" },
        [(1, 0, "14 17 26 47 54 58 65 68"), (2, 1, "17 26 57 58 65 68"), (2, 1, "17 26 67 68"), (2, 0, "17 27 28")],
    );
}

/// The graph of the second example.
const EDGE_FIGURE: Figure = Figure { vertices: "1 2 3 4 5 6 7", edges: "13 23 24 25 34 35 46 47 57" };

#[test]
fn second_example() {
    let steps = [
        Step {
            selections: "13f 23f 24f 25f 34b 34f 35b 35f 46b 47b 57b | 13f 23f 24f 25f 34b 34f 35b 35f 46b 47b 57b | 25f 35f | 35f",
            multiplications: 1,
            absorptions: 0,
            edges: "13 23 24 25 34 37 46 47 57",
        },
        Step {
            selections: "13f 23f 24f 25f 34b 34f 37b 46b 47b 57b | 34f 47b | 34f 47b | 47b",
            multiplications: 2,
            absorptions: 1,
            edges: "13 23 24 25 27 34 37 46 57",
        },
        Step {
            selections: "13f 23f 24f 25f 34b 34f 37b 46b 57b | 23f 25f 37b 57b | 25f 57b | 57b",
            multiplications: 1,
            absorptions: 1,
            edges: "13 23 24 27 34 37 46",
        },
        Step {
            selections: "13f 23f 24f 34b 34f 37b 46b | 23f 37b | 23f 37b | 37b",
            multiplications: 2,
            absorptions: 1,
            edges: "13 17 23 24 27 34 46",
        },
        Step {
            selections: "13f 23f 24f 34b 34f 46b | 13f 23f 24f 34b 34f 46b | 13f 23f 24f 34f | 34f",
            multiplications: 1,
            absorptions: 0,
            edges: "13 17 23 24 27 36 46",
        },
        Step {
            selections: "13f 23f 24f 36b 46b | 13f 23f 24f 36b 46b | 13f 23f 24f 46b | 46b",
            multiplications: 1,
            absorptions: 0,
            edges: "13 17 23 26 27 36",
        },
        Step {
            selections: "13f 23f 36b | 23f 36b | 23f | 23f",
            multiplications: 1,
            absorptions: 1,
            edges: "13 17 26 27 36",
        },
        Step {
            selections: "13f 36b | 13f 36b | 13f 36b | 36b",
            multiplications: 1,
            absorptions: 0,
            edges: "16 17 26 27",
        },
    ];
    check_walk(&EDGE_FIGURE, "sibling > markowitz > reverse", Edge::graph, &steps);
}

/// The paper's program took every vertex with more than one out-edge for a dependent. So it had fewer targets to choose
/// from at the first four steps; the choices are the same.
#[test]
fn second_example_where_vertices_with_several_successors_are_dependents() {
    let steps = [
        Step {
            selections: "13f 23f 24f 25f 34b 34f 35b 35f 46b 47b 57b | 25f 34b 35b 35f 46b 47b 57b | 25f 34b 35b 35f 46b 47b 57b | 25f 35f | 35f",
            multiplications: 1,
            absorptions: 0,
            edges: "13 23 24 25 34 37 46 47 57",
        },
        Step {
            selections: "13f 23f 24f 25f 34b 34f 37b 46b 47b 57b | 25f 34b 37b 46b 47b 57b | 47b | 47b | 47b",
            multiplications: 2,
            absorptions: 1,
            edges: "13 23 24 25 27 34 37 46 57",
        },
        Step {
            selections: "13f 23f 24f 25f 34b 34f 37b 46b 57b | 24f 25f 34b 34f 37b 46b 57b | 25f 37b 57b | 25f 57b | 57b",
            multiplications: 1,
            absorptions: 1,
            edges: "13 23 24 27 34 37 46",
        },
        Step {
            selections: "13f 23f 24f 34b 34f 37b 46b | 24f 34b 34f 37b 46b | 37b | 37b | 37b",
            multiplications: 2,
            absorptions: 1,
            edges: "13 17 23 24 27 34 46",
        },
        Step {
            selections: "13f 23f 24f 34b 34f 46b | 13f 23f 24f 34b 34f 46b | 13f 23f 24f 34b 34f 46b | 13f 23f 24f 34f | 34f",
            multiplications: 1,
            absorptions: 0,
            edges: "13 17 23 24 27 36 46",
        },
        Step {
            selections: "13f 23f 24f 36b 46b | 13f 23f 24f 36b 46b | 13f 23f 24f 36b 46b | 13f 23f 24f 46b | 46b",
            multiplications: 1,
            absorptions: 0,
            edges: "13 17 23 26 27 36",
        },
        Step {
            selections: "13f 23f 36b | 13f 23f 36b | 23f 36b | 23f | 23f",
            multiplications: 1,
            absorptions: 1,
            edges: "13 17 26 27 36",
        },
        Step {
            selections: "13f 36b | 13f 36b | 13f 36b | 13f 36b | 36b",
            multiplications: 1,
            absorptions: 0,
            edges: "16 17 26 27",
        },
    ];
    check_walk(&EDGE_FIGURE, "single-successor > sibling > markowitz > reverse", Edge::graph, &steps);
}
