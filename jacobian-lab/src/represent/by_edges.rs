//! The fewest edges that edge elimination can reach: what Hovland 2016 names as the next step after vertices. All graphs that
//! it can reach are seen, so this is for graphs of a dozen edges.

use std::collections::BTreeSet;

use super::{Counted, Representation, TooManyStates};
use jacobian_core::eliminate::Target;
use jacobian_core::graph::{Role, VertexId};
use jacobian_core::program::Ends;

/// The representation with the fewest edges of all kinds that the elimination of edges, from the front and the back, can
/// reach, where there are at most `states` graphs to see. The elimination of a vertex is one of all edges to it, so there
/// are never more than after that of vertices. Of equal ones, it is one with the fewest steps.
pub fn least_by_edges(start: &Representation, states: usize) -> Result<Representation, TooManyStates> {
    let mut seen = BTreeSet::from([ends(start)]);
    let mut best = start.clone();
    let mut level = vec![start.clone()];
    while !level.is_empty() {
        let mut next = Vec::new();
        for representation in &level {
            for target in targets(representation) {
                let mut after = representation.clone();
                after.eliminate(target).expect("the edge is there");
                if !seen.insert(ends(&after)) {
                    continue;
                }
                if seen.len() > states {
                    return Err(TooManyStates);
                }
                if after.edges(Counted::All) < best.edges(Counted::All) {
                    best = after.clone();
                }
                next.push(after);
            }
        }
        level = next;
    }
    Ok(best)
}

/// The edges, by their sources, then targets.
fn ends(representation: &Representation) -> Vec<(VertexId, VertexId)> {
    let graph = &representation.graph;
    let ends = |source| graph.successors(source).map(move |target| (source, target));
    graph.vertices().flat_map(ends).collect()
}

/// Every edge that can be eliminated, on each side on which it can be.
fn targets(representation: &Representation) -> Vec<Target> {
    let is_intermediate = |vertex| representation.graph.role(vertex) == Role::Intermediate;
    let sides = |(source, target)| {
        let front = is_intermediate(target).then_some(Target::Front(Ends { source, target }));
        let back = is_intermediate(source).then_some(Target::Back(Ends { source, target }));
        front.into_iter().chain(back)
    };
    ends(representation).into_iter().flat_map(sides).collect()
}
