//! The figures by which the literature judges how local an elimination is (xaifBooster, data locality heuristics):
//! whether a step goes on with what the step before it has touched, which may still be in a cache.
//!
//! What a step touches are the vertices `P` where its products start and `S` to which they lead: of a vertex, its
//! predecessors and successors; of a front, the source and the successors of the target; of a back, the predecessors of
//! the source and the target; of a face, the first and the last vertex. What a pair of labels touches has no such
//! place.

use jacobian_core::eliminate::{Elimination, Target};
use jacobian_core::graph::VertexId;
use jacobian_core::linearize::Linearization;
use jacobian_core::program::{LabelId, Operation, Program};

/// The figures of an elimination.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Locality {
    /// The sum, over all steps, of the sibling degree to the step before, `|P ∩ P'| |S ∩ S'|`: that many products may
    /// be added to what that step has computed.
    pub siblings: usize,
    /// How many steps eliminate at a vertex that the step before has touched (successor/predecessor).
    pub neighbours: usize,
    /// How many products are added to a label that is there.
    pub absorptions: usize,
    /// How many different labels are used, on average, between two uses of the same: the mean LRU stack distance over
    /// the accumulation expressions; none where no label is used again.
    pub reuse_distance: Option<f64>,
}

impl Locality {
    /// The figures of an elimination of this graph.
    pub fn of(linearization: &Linearization, elimination: &Elimination) -> Locality {
        let (siblings, neighbours) = steps(linearization, &elimination.sequence);
        let is_absorption = |operation| matches!(operation, Operation::Absorption { .. });
        let operations = elimination.program.accumulations().iter().map(|accumulation| accumulation.operation);
        let absorptions = operations.filter(|&operation| is_absorption(operation)).count();
        Locality { siblings, neighbours, absorptions, reuse_distance: reuse_distance(&elimination.program) }
    }
}

/// What a step touches.
#[derive(Default)]
struct Touched {
    centre: Option<VertexId>,
    sources: Vec<VertexId>,
    targets: Vec<VertexId>,
}

/// The sum of the sibling degrees, and the number of steps to neighbours.
fn steps(linearization: &Linearization, sequence: &[Target]) -> (usize, usize) {
    let (mut graph, mut program) = (linearization.graph.clone(), linearization.program.clone());
    let (mut previous, mut siblings, mut neighbours) = (Touched::default(), 0, 0);
    for &target in sequence {
        let touched = match target {
            Target::Vertex(vertex) => Touched {
                centre: Some(vertex),
                sources: graph.predecessors(vertex).collect(),
                targets: graph.successors(vertex).collect(),
            },
            Target::Front(ends) => Touched {
                centre: Some(ends.target),
                sources: vec![ends.source],
                targets: graph.successors(ends.target).collect(),
            },
            Target::Back(ends) => Touched {
                centre: Some(ends.source),
                sources: graph.predecessors(ends.source).collect(),
                targets: vec![ends.target],
            },
            Target::Face { source, centre, target, .. } => {
                Touched { centre: Some(centre), sources: vec![source], targets: vec![target] }
            }
            Target::Pair(..) => Touched::default(),
        };
        siblings += common(&touched.sources, &previous.sources) * common(&touched.targets, &previous.targets);
        let is_touched = |vertex| previous.sources.contains(&vertex) || previous.targets.contains(&vertex);
        neighbours += usize::from(touched.centre.is_some_and(is_touched));
        match target {
            Target::Vertex(vertex) => graph.eliminate_vertex(vertex, &mut program),
            Target::Front(ends) => {
                let edge = graph.find_edge(ends.source, ends.target).expect("the elimination has been done");
                graph.eliminate_front(edge, &mut program);
            }
            Target::Back(ends) => {
                let edge = graph.find_edge(ends.source, ends.target).expect("the elimination has been done");
                graph.eliminate_back(edge, &mut program);
            }
            Target::Face { .. } | Target::Pair(..) => {}
        }
        previous = touched;
    }
    (siblings, neighbours)
}

fn common(some: &[VertexId], others: &[VertexId]) -> usize {
    some.iter().filter(|vertex| others.contains(vertex)).count()
}

fn reuse_distance(program: &Program) -> Option<f64> {
    // The labels that have been used, the last one last.
    let mut stack: Vec<LabelId> = Vec::new();
    let (mut reuses, mut distances) = (0, 0);
    for (accumulation, label) in program.accumulations().iter().zip(program.given() as u32..) {
        for used in accumulation.operation.labels().chain([LabelId(label)]) {
            if let Some(place) = stack.iter().rposition(|&other| other == used) {
                stack.remove(place);
                distances += stack.len() - place;
                reuses += 1;
            }
            stack.push(used);
        }
    }
    (reuses > 0).then(|| distances as f64 / f64::from(reuses))
}

#[cfg(test)]
mod tests {
    use jacobian_core::Strategy;

    use super::*;
    use crate::lcg::LabelledGraph;

    fn locality(graph: &str, strategy: &str) -> Locality {
        let linearization = graph.parse::<LabelledGraph>().expect("a graph").linearize();
        let strategy: Strategy = strategy.parse().expect("a strategy");
        Locality::of(&linearization, &strategy.eliminate(&linearization).expect("a small graph").1)
    }

    /// The first example of the heuristics' paper: v4 shares a predecessor and a successor with v3, v5 is a predecessor
    /// of v4, v6 a successor of v5. (Vertices: v3 is 2, v4 is 4, v5 is 3, v6 is 5.)
    const EXAMPLE: &str = "vertices 8\nindep 0 1\ndep 6 7\nedge 0 2 var\nedge 0 4 var\nedge 1 3 var\nedge 1 5 var\n\
                           edge 2 6 var\nedge 3 4 var\nedge 3 5 var\nedge 4 6 var\nedge 5 7 var";

    #[test]
    fn siblings_and_neighbours_are_those_of_the_example() {
        let own = locality(EXAMPLE, "vertex: order(2, 4, 3, 5)");
        assert_eq!((own.siblings, own.neighbours, own.absorptions), (1, 2, 2));
        // Only v5 is a neighbour of what goes before it.
        let other = locality(EXAMPLE, "vertex: order(5, 4, 3, 2)");
        assert_eq!((other.siblings, other.neighbours), (0, 1));
    }

    #[test]
    fn edges_and_faces_touch_what_they_connect() {
        let lion = include_str!("../benchmarks/lion.lcg");
        // The fronts to 2 share their targets, not their sources.
        let edges = locality(lion, "edge: order((3,7)b, (0,2)f, (1,2)f, (0,3)f, (1,3)f)");
        assert_eq!((edges.siblings, edges.neighbours, edges.absorptions), (0, 2, 1));
        let faces = locality(lion, "face: order((2,3,7), (0,2,7), (1,2,7), 2, 3)");
        assert_eq!((faces.siblings, faces.absorptions), (0, 1));
    }

    #[test]
    fn the_reuse_distance_counts_the_labels_between_two_uses() {
        // a*b, then a*c: between the two uses of a there are b and the first product.
        let text = "vertices 4\nindep 0\ndep 2 3\nedge 0 1 var\nedge 1 2 var\nedge 1 3 var";
        assert_eq!(locality(text, "forward").reuse_distance, Some(2.0));
        // (a*b)*c: the product is used at once.
        let chain = "vertices 4\nindep 0\ndep 3\nedge 0 1 var\nedge 1 2 var\nedge 2 3 var";
        assert_eq!(locality(chain, "forward").reuse_distance, Some(0.0));
        assert_eq!(locality("vertices 2\nindep 0\ndep 1\nedge 0 1 var", "forward").reuse_distance, None);
    }
}
