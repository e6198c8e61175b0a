//! The fewest edges, proven: branch and bound over the sets of vertices to eliminate.
//!
//! Every vertex is *fixed* (it stays) or *open* (it may be eliminated). An edge between fixed vertices stays whatever
//! else is eliminated, so only *new* edges are left to decide on: those that touch an open vertex that will stay, and
//! those that fill in between fixed vertices. A step fixes an open vertex or eliminates it. Before each:
//!
//! - *Sure eliminations* are carried out: of a vertex with a single neighbour on one side, where that is fixed; of a
//!   vertex whose neighbours are all fixed and which fills in no more edges than it has; of a vertex with a single
//!   predecessor of which it is the single successor.
//! - The open vertices fall into *parts* that are solved one by one: no two are neighbours, and there is no pair of
//!   fixed vertices between which both may fill in the one edge.
//! - A *bound* ends a part that is not better than the best known. Take the pairs of fixed vertices that paths through
//!   open ones connect and no edge does, as the edges of a bipartite graph. In the end each pair is an edge, or edges
//!   at both of its ends lead to and from vertices that stay. So each connected component of that graph takes as many
//!   new edges as it has vertices, or as it has pairs if that is fewer, as in a tree.

use super::pattern::{Pattern, Problem};
use fixedbitset::FixedBitSet;

/// The most vertices that may be open at first: the search recurs once for each.
const MAX_OPEN: usize = 256;

/// The search has seen as many states as it may, or the graph has too many vertices.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct GivenUp;

/// What to eliminate for fewer edges than `bound`, if there is such a set, in at most `states` states.
pub(super) fn search(problem: &Problem, bound: usize, states: usize) -> Result<Option<FixedBitSet>, GivenUp> {
    let mut part = Part { pattern: problem.pattern.clone(), open: problem.intermediates.clone() };
    let mut eliminated = part.eliminate_the_sure();
    if part.open.count_ones(..) > MAX_OPEN {
        return Err(GivenUp);
    }
    let fixed = part.fixed_edges();
    let Some(bound) = bound.checked_sub(fixed) else { return Ok(None) };
    let found = SubsetSearch { states }.solve(part, bound)?;
    Ok(found.map(|solution| {
        eliminated.union_with(&solution.eliminated);
        eliminated
    }))
}

/// A way to decide on all open vertices.
struct Solution {
    /// The number of new edges.
    edges: usize,
    eliminated: FixedBitSet,
}

/// A pattern with open vertices. No others than these touch edges that are not fixed, except for those of other parts.
#[derive(Clone)]
struct Part {
    pattern: Pattern,
    open: FixedBitSet,
}

struct SubsetSearch {
    /// How many states may still be seen.
    states: usize,
}

impl SubsetSearch {
    /// The solution with the fewest new edges, if these are fewer than `bound`.
    fn solve(&mut self, mut part: Part, bound: usize) -> Result<Option<Solution>, GivenUp> {
        self.states = self.states.checked_sub(1).ok_or(GivenUp)?;
        let before = part.fixed_edges();
        let mut eliminated = part.eliminate_the_sure();
        let mut edges = part.fixed_edges() - before;
        let parts = part.parts();
        let mut bounds: usize = parts.iter().map(|(_, bound)| bound).sum();
        for (open, part_bound) in parts {
            bounds -= part_bound;
            let part = Part { pattern: part.pattern.clone(), open };
            let Some(left) = bound.checked_sub(edges + bounds) else { return Ok(None) };
            if part_bound >= left {
                return Ok(None);
            }
            let Some(solution) = self.branch(part, left)? else { return Ok(None) };
            edges += solution.edges;
            eliminated.union_with(&solution.eliminated);
        }
        Ok((edges < bound).then_some(Solution { edges, eliminated }))
    }

    /// Decides on one open vertex in both ways.
    fn branch(&mut self, part: Part, mut bound: usize) -> Result<Option<Solution>, GivenUp> {
        let vertex = part.most_connected();
        let before = part.fixed_edges();
        let mut best = None;
        for is_eliminated in [false, true] {
            let mut part = part.clone();
            part.open.remove(vertex);
            if is_eliminated {
                part.pattern.eliminate(vertex);
            }
            let fixed = part.fixed_edges() - before;
            let Some(left) = bound.checked_sub(fixed) else { continue };
            if let Some(mut solution) = self.solve(part, left)? {
                solution.edges += fixed;
                if is_eliminated {
                    solution.eliminated.insert(vertex);
                }
                bound = solution.edges;
                best = Some(solution);
            }
        }
        Ok(best)
    }
}

impl Part {
    /// The number of edges that touch no open vertex.
    fn fixed_edges(&self) -> usize {
        let at_open: usize = self.open.ones().map(|vertex| self.pattern.degree(vertex)).sum();
        let within = self.open.ones().map(|vertex| self.pattern.successors(vertex).intersection_count(&self.open));
        self.pattern.edges() + within.sum::<usize>() - at_open
    }

    /// Eliminates every open vertex that some best solution eliminates for sure, and returns them.
    fn eliminate_the_sure(&mut self) -> FixedBitSet {
        let mut eliminated = FixedBitSet::with_capacity(self.pattern.len());
        let mut to_see = self.open.clone();
        while let Some(vertex) = to_see.minimum() {
            to_see.remove(vertex);
            if self.is_sure(vertex) {
                to_see.union_with(&(self.pattern.predecessors(vertex) & &self.open));
                to_see.union_with(&(self.pattern.successors(vertex) & &self.open));
                self.pattern.eliminate(vertex);
                self.open.remove(vertex);
                eliminated.insert(vertex);
            }
        }
        eliminated
    }

    fn is_sure(&self, vertex: usize) -> bool {
        let (predecessors, successors) = (self.pattern.predecessors(vertex), self.pattern.successors(vertex));
        let are_fixed = |set: &FixedBitSet| set.is_disjoint(&self.open);
        let is_series =
            || predecessors.minimum().is_some_and(|source| self.pattern.successors(source).count_ones(..) == 1);
        match (predecessors.count_ones(..), successors.count_ones(..)) {
            (1, _) if are_fixed(predecessors) || is_series() => true,
            (_, 1) if are_fixed(successors) => true,
            _ => {
                let is_isolated = are_fixed(predecessors) && are_fixed(successors);
                is_isolated && self.pattern.fill_in(vertex) <= self.pattern.degree(vertex)
            }
        }
    }

    fn most_connected(&self) -> usize {
        let degree = |&vertex: &usize| {
            self.pattern.predecessors(vertex).count_ones(..) * self.pattern.successors(vertex).count_ones(..)
        };
        self.open.ones().max_by_key(degree).expect("a part has an open vertex")
    }

    /// The parts, each with the bound on its new edges.
    fn parts(&self) -> Vec<(FixedBitSet, usize)> {
        let mut parts: Vec<(FixedBitSet, Pairs)> = Vec::new();
        for open in self.connected() {
            let mut united = (self.pairs(&open), open);
            let (joined, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(_, pairs)| pairs.meet(&united.0));
            for (open, pairs) in joined {
                united.0.unite(pairs);
                united.1.union_with(&open);
            }
            parts = apart;
            parts.push((united.1, united.0));
        }
        parts.into_iter().map(|(open, pairs)| (open, pairs.bound())).collect()
    }

    /// The open vertices, those together that edges between them connect.
    fn connected(&self) -> Vec<FixedBitSet> {
        let mut rest = self.open.clone();
        let mut all = Vec::new();
        while let Some(first) = rest.minimum() {
            let mut component = FixedBitSet::with_capacity(self.pattern.len());
            let mut reached = FixedBitSet::with_capacity(self.pattern.len());
            reached.insert(first);
            while let Some(vertex) = reached.minimum() {
                reached.remove(vertex);
                rest.remove(vertex);
                component.insert(vertex);
                reached.union_with(&(self.pattern.predecessors(vertex) & &rest));
                reached.union_with(&(self.pattern.successors(vertex) & &rest));
            }
            all.push(component);
        }
        all
    }

    /// The pairs that paths through `open` connect and no edge does.
    fn pairs(&self, open: &FixedBitSet) -> Pairs {
        let mut targets: Vec<FixedBitSet> = vec![FixedBitSet::with_capacity(0); self.pattern.len()];
        let mut sources = FixedBitSet::with_capacity(self.pattern.len());
        // The numbers are in topological order.
        for vertex in open.ones().rev() {
            targets[vertex] = reached(self.pattern.successors(vertex), open, &targets);
            sources.extend(self.pattern.predecessors(vertex).difference(open));
        }
        let pairs = sources.ones().map(|source| {
            let successors = self.pattern.successors(source);
            (source, reached(&(successors & open), open, &targets).difference(successors).collect())
        });
        Pairs(pairs.filter(|(_, targets): &(usize, FixedBitSet)| !targets.is_clear()).collect())
    }
}

/// What is reached from a vertex with these successors: those that are not open, and what is reached from the others.
fn reached(successors: &FixedBitSet, open: &FixedBitSet, targets: &[FixedBitSet]) -> FixedBitSet {
    let mut reached: FixedBitSet = successors.difference(open).collect();
    for vertex in successors.intersection(open) {
        reached.union_with(&targets[vertex]);
    }
    reached
}

/// Pairs of vertices: the first, in order, with all that it is paired with.
struct Pairs(Vec<(usize, FixedBitSet)>);

impl Pairs {
    fn meet(&self, other: &Pairs) -> bool {
        self.0.iter().any(|(source, targets)| other.of(*source).is_some_and(|others| !targets.is_disjoint(others)))
    }

    fn of(&self, source: usize) -> Option<&FixedBitSet> {
        self.0.binary_search_by_key(&source, |(source, _)| *source).ok().map(|place| &self.0[place].1)
    }

    fn unite(&mut self, other: Pairs) {
        for (source, targets) in other.0 {
            match self.0.binary_search_by_key(&source, |(source, _)| *source) {
                Ok(place) => self.0[place].1.union_with(&targets),
                Err(place) => self.0.insert(place, (source, targets)),
            }
        }
    }

    /// The sum over the connected components of the number of their vertices, a vertex at the first place being another
    /// than the same at the second, or of pairs where these are fewer.
    fn bound(&self) -> usize {
        let mut components: Vec<(FixedBitSet, usize, usize)> = Vec::new();
        for (_, targets) in &self.0 {
            let mut united = (targets.clone(), 1, targets.count_ones(..));
            let (joined, apart): (Vec<_>, Vec<_>) =
                components.into_iter().partition(|(all, ..)| !all.is_disjoint(targets));
            for (all, sources, pairs) in joined {
                united.0.union_with(&all);
                united.1 += sources;
                united.2 += pairs;
            }
            components = apart;
            components.push(united);
        }
        components.iter().map(|(targets, sources, pairs)| (targets.count_ones(..) + sources).min(*pairs)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digraph::picture;
    use jacobian_core::graph::{Graph, Role};
    use jacobian_core::program::LabelKind;

    /// A graph of three independents, `inner` intermediates and three dependents, whose edges the bits of `seed` are.
    fn problem(inner: usize, seed: u64) -> Problem {
        let mut graph = Graph::default();
        let vertices: Vec<_> = (0..inner + 6)
            .map(|number| {
                let is_inner = (3..inner + 3).contains(&number);
                graph.add_vertex(match number {
                    _ if is_inner => Role::Intermediate,
                    0..3 => Role::Independent,
                    _ => Role::Dependent,
                })
            })
            .collect();
        let mut bits = seed;
        for target in 3..inner + 6 {
            for source in 0..target.min(inner + 3) {
                bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if bits >> 61 < 3 {
                    graph.add_edge(vertices[source], vertices[target], LabelKind::Variable);
                }
            }
        }
        graph.prune();
        Problem::new(&graph)
    }

    /// The fewest edges over all sets.
    fn brute_force(problem: &Problem) -> usize {
        let vertices: Vec<_> = problem.intermediates.ones().collect();
        let sets = 0..1_u32 << vertices.len();
        let edges = sets.map(|bits| {
            let mut set = FixedBitSet::with_capacity(problem.pattern.len());
            let members = vertices.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
            members.for_each(|(_, &vertex)| set.insert(vertex));
            problem.edges_without(&set)
        });
        edges.min().expect("the empty set is one")
    }

    #[test]
    fn the_least_is_found_from_any_bound_above_and_from_no_other() {
        for seed in 0..1_500 {
            let problem = problem(1 + seed as usize % 8, seed);
            let least = brute_force(&problem);
            for bound in [least + 1, least + 7, usize::MAX] {
                let set = search(&problem, bound, usize::MAX).expect("no limit").expect("the least is below the bound");
                assert_eq!(problem.edges_without(&set), least, "seed {seed}, bound {bound}");
            }
            assert_eq!(search(&problem, least, usize::MAX), Ok(None), "seed {seed}");
        }
    }

    #[test]
    fn more_states_than_allowed_are_an_error() {
        assert_eq!(search(&problem(12, 1), usize::MAX, 2), Err(GivenUp));
    }

    /// Calls `check` on the graphs of up to three independents, intermediates and dependents, each of which is on a
    /// path from an independent to a dependent: their numbers, and by vertex the set of those that edges lead to.
    /// Independents come first, dependents last. Of graphs that differ in the order of the independents or dependents,
    /// there is one.
    fn each_small_graph(mut check: impl FnMut([usize; 3], &[u32])) {
        for inner in 1..=3 {
            let ends: Vec<_> = (1..=3).flat_map(|count| sets_of(count, inner)).collect();
            for (sources, sinks) in ends.iter().flat_map(|sources| ends.iter().map(move |sinks| (sources, sinks))) {
                // One edge between three intermediates is the same wherever it is.
                for edges in (0..1 << (inner * (inner - 1) / 2)).filter(|edges| ![0b010, 0b100].contains(edges)) {
                    let shape = [sources.len(), inner, sinks.len()];
                    if let Some(rows) = rows(shape, sources, sinks, edges) {
                        check(shape, &rows);
                    }
                }
            }
        }
    }

    /// All multisets of this many sets, none of them empty, of the numbers below a bound.
    fn sets_of(count: usize, bound: usize) -> Vec<Vec<u32>> {
        (0..count).fold(vec![Vec::new()], |shorter, _| {
            let longer = |sets: &Vec<u32>| {
                let least = sets.last().copied().unwrap_or(1);
                (least..1 << bound).map(|last| [&sets[..], &[last]].concat()).collect::<Vec<_>>()
            };
            shorter.iter().flat_map(longer).collect()
        })
    }

    /// The rows of a graph, unless an intermediate is on no path; the bits of `edges` are the edges between
    /// intermediates.
    fn rows([above, inner, _]: [usize; 3], sources: &[u32], sinks: &[u32], edges: u32) -> Option<Vec<u32>> {
        let mut rows: Vec<u32> = sources.iter().map(|set| set << above).collect();
        let mut bits = edges;
        for place in 0..inner {
            let after = inner - place - 1;
            let within = (bits & ((1 << after) - 1)) << (above + place + 1);
            bits >>= after;
            let to_sinks = sinks.iter().zip(above + inner..).filter(|(set, _)| *set >> place & 1 == 1);
            rows.push(to_sinks.fold(within, |row, (_, sink)| row | 1 << sink));
        }
        let reached = rows.iter().fold(0, |all, row| all | row);
        let is_on_path = |place: usize| rows[above + place] != 0 && reached >> (above + place) & 1 == 1;
        (0..inner).all(is_on_path).then_some(rows)
    }

    /// The fewest edges that the elimination of a set of intermediates leaves.
    fn fewest_edges([above, inner, _]: [usize; 3], rows: &[u32]) -> usize {
        let sets = 0..1_u32 << inner;
        let edges = sets.map(|set| {
            let mut rows = rows.to_vec();
            for vertex in (0..inner).filter(|place| set >> place & 1 == 1).map(|place| above + place) {
                let row = std::mem::take(&mut rows[vertex]);
                for other in rows.iter_mut().filter(|other| **other >> vertex & 1 == 1) {
                    *other = *other & !(1 << vertex) | row;
                }
            }
            rows.iter().map(|row| row.count_ones() as usize).sum()
        });
        edges.min().expect("the empty set is one")
    }

    /// That a single predecessor alone makes no elimination sure, one random graph in 47,000 shows.
    #[test]
    fn the_least_of_every_small_graph_is_found() {
        let mut graphs = 0;
        each_small_graph(|[above, inner, below], rows| {
            let mut graph = Graph::default();
            let roles = [(above, Role::Independent), (inner, Role::Intermediate), (below, Role::Dependent)];
            let roles = roles.iter().flat_map(|&(count, role)| std::iter::repeat_n(role, count));
            let vertices: Vec<_> = roles.map(|role| graph.add_vertex(role)).collect();
            for (&source, row) in vertices.iter().zip(rows) {
                for (_, &target) in vertices.iter().enumerate().filter(|(place, _)| row >> place & 1 == 1) {
                    graph.add_edge(source, target, LabelKind::Variable);
                }
            }
            let problem = Problem::new(&graph);
            let least = fewest_edges([above, inner, below], rows);
            let set = search(&problem, least + 1, usize::MAX).expect("no limit");
            assert_eq!(set.map(|set| problem.edges_without(&set)), Some(least), "{}", picture(&graph));
            graphs += 1;
        });
        assert_eq!(graphs, 49_331);
    }
}
