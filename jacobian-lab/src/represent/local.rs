//! Few edges, not proven: the best prefix of several orders, improved by small changes.

use super::pattern::Problem;
use fixedbitset::FixedBitSet;

/// A set of vertices, and the number of edges that its elimination leaves.
pub(super) type Found = (usize, FixedBitSet);

/// The most sets that are tried, times the vertices to eliminate for one: 0.2 s for a hundred vertices,
/// optimized.
const WORK: usize = 200_000;

/// The numbers of edges after the best prefixes of `orders`, and their vertices; different ones, the best first.
pub(super) fn prefixes(problem: &Problem, orders: impl Iterator<Item = Vec<usize>>) -> Vec<Found> {
    let mut prefixes: Vec<_> = orders.map(|order| best_prefix(problem, &order)).collect();
    prefixes.push((problem.pattern.edges(), FixedBitSet::with_capacity(problem.pattern.len())));
    prefixes.sort_by_key(|(edges, _)| *edges);
    prefixes.dedup();
    prefixes
}

/// The best that changes of `starts` find.
pub(super) fn search(problem: &Problem, starts: Vec<Found>) -> FixedBitSet {
    let work = WORK / starts.len();
    let improved = starts.into_iter().map(|start| improve(problem, start, work));
    improved.min_by_key(|(edges, _)| *edges).expect("a start").1
}

fn best_prefix(problem: &Problem, order: &[usize]) -> Found {
    let mut pattern = problem.pattern.clone();
    let mut set = FixedBitSet::with_capacity(pattern.len());
    let mut best = (pattern.edges(), set.clone());
    for &vertex in order {
        pattern.eliminate(vertex);
        set.insert(vertex);
        if pattern.edges() < best.0 {
            best = (pattern.edges(), set.clone());
        }
    }
    best
}

/// Flips vertices, alone or two at a time, into the set or out of it, for as long as that leaves fewer edges.
fn improve(problem: &Problem, start: Found, mut work: usize) -> Found {
    let vertices: Vec<_> = problem.intermediates.ones().collect();
    let alone = vertices.iter().map(|&vertex| (vertex, None));
    let pairs = vertices.iter().flat_map(|&second| {
        let firsts = vertices.iter().take_while(move |&&first| first < second);
        firsts.map(move |&first| (first, Some(second)))
    });
    let flips: Vec<_> = alone.chain(pairs).collect();
    let (mut best, mut unsuccessful) = (start, 0);
    for &(first, second) in flips.iter().cycle() {
        let mut set = best.1.clone();
        set.toggle(first);
        second.inspect(|&second| set.toggle(second));
        let edges = problem.edges_without(&set);
        work = work.saturating_sub(set.count_ones(..));
        if edges < best.0 {
            (best, unsuccessful) = ((edges, set), 0);
        } else {
            unsuccessful += 1;
        }
        if unsuccessful == flips.len() || work == 0 {
            break;
        }
    }
    best
}
