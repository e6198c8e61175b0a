//! Proves that the keys of heuristics mean what is said of them. Each is compared with its definition, recomputed on
//! random graphs after random eliminations; and what a step says that it may have changed holds all keys that it has
//! changed, whether or not the next target depends on them.

use std::collections::{BTreeMap, BTreeSet};

use jacobian_core::dual_graph::{DualGraph, DualId};
use jacobian_core::eliminate::edge::{Edge, EdgeTarget};
use jacobian_core::eliminate::face::Face;
use jacobian_core::eliminate::path::Path;
use jacobian_core::eliminate::vertex::Vertex;
use jacobian_core::eliminate::{Heuristic, Mode, Scope};
use jacobian_core::graph::{Graph, VertexId};
use jacobian_core::path_graph::{PathGraph, PathVertex};
use jacobian_core::program::Program;
use jacobian_lab::digraph::picture;

use support::graphs::random_graph;
use support::random::Random;

mod support {
    pub mod graphs;
    pub mod random;
}

/// Eliminates everything in random order, and calls `check` with the state before each step and the target of the step.
fn walk<M: Mode>(graph: &Graph, random: &mut Random, mut check: impl FnMut(&M, M::Target, &mut Random)) {
    let mut program = Program::new(graph);
    let Ok(mut mode) = M::new(graph, &mut program) else { panic!("a small graph") };
    loop {
        let targets = mode.targets();
        if targets.is_empty() {
            return;
        }
        let target = targets[random.below(targets.len())];
        check(&mode, target, random);
        mode.eliminate(target, &mut program);
    }
}

/// Checks every state on the way of random eliminations.
fn every_state<M: Mode>(graphs: u64, max_intermediates: usize, mut check: impl FnMut(&M, &mut Random)) {
    for seed in 0..graphs {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(max_intermediates);
        let graph = random_graph(random, intermediates);
        walk(&graph, random, |mode: &M, _, random| check(mode, random));
    }
}

fn heuristic<M: Mode>(name: &str) -> &'static Heuristic<M> {
    M::HEURISTICS.iter().find(|row| row.name == name).expect("a filter of the mode")
}

/// The places of numbers in their order: a filter, whatever it is applied to, is the order of its keys.
fn places<N: Ord + Copy>(numbers: &[N]) -> Vec<usize> {
    let different: BTreeSet<_> = numbers.iter().copied().collect();
    numbers.iter().map(|number| different.range(..number).count()).collect()
}

/// Checks that a filter prefers targets as `least` does.
fn check_order<M: Mode>(mode: &M, name: &str, least: impl Fn(M::Target) -> i64) {
    let targets = mode.targets();
    let key = heuristic::<M>(name).key;
    let keys: Vec<_> = targets.iter().map(|&target| key(mode, target)).collect();
    let expected: Vec<_> = targets.iter().map(|&target| least(target)).collect();
    assert_eq!(places(&keys), places(&expected), "`{name}`: {keys:?} instead of {expected:?} for {targets:?}");
}

/// What a filter leaves of some targets.
fn left_of<M: Mode>(mode: &M, name: &str, targets: &[M::Target]) -> Vec<M::Target> {
    let key = heuristic::<M>(name).key;
    let least = targets.iter().map(|&target| key(mode, target)).min();
    targets.iter().copied().filter(|&target| Some(key(mode, target)) == least).collect()
}

/// A random part of some targets, often all of them.
fn part_of<T: Copy>(targets: &[T], random: &mut Random) -> Vec<T> {
    let chance = random.below(4);
    targets.iter().copied().filter(|_| random.below(4) >= chance).collect()
}

/// The edges of a graph, as they are understood here.
#[derive(Clone)]
struct Edges(BTreeSet<(VertexId, VertexId)>);

impl Edges {
    fn of(graph: &Graph) -> Self {
        let edges = graph.vertices().flat_map(|source| graph.successors(source).map(move |target| (source, target)));
        Edges(edges.collect())
    }

    fn predecessors(&self, vertex: VertexId) -> Vec<VertexId> {
        self.0.iter().filter(|edge| edge.1 == vertex).map(|edge| edge.0).collect()
    }

    fn successors(&self, vertex: VertexId) -> Vec<VertexId> {
        self.0.iter().filter(|edge| edge.0 == vertex).map(|edge| edge.1).collect()
    }

    fn without(&self, vertex: VertexId) -> Edges {
        let through = self.predecessors(vertex).into_iter();
        let new = through.flat_map(|source| self.successors(vertex).into_iter().map(move |target| (source, target)));
        let all = self.0.iter().copied().chain(new);
        Edges(all.filter(|edge| edge.0 != vertex && edge.1 != vertex).collect())
    }

    /// The Markowitz degrees of the vertices that have one.
    fn degrees(&self) -> BTreeMap<VertexId, i64> {
        let vertices = self.0.iter().map(|edge| edge.0);
        vertices.map(|it| (it, (self.predecessors(it).len() * self.successors(it).len()) as i64)).collect()
    }
}

/// Whichever waits for the first of the vertices that have a place is next, of several the first in topological order.
#[test]
fn breadth_first_places_follow_those_of_the_last_predecessors() {
    let mut unlike_forward = 0;
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(12);
        let graph = random_graph(random, intermediates);
        let edges = Edges::of(&graph);
        let mut places: BTreeMap<VertexId, i64> = BTreeMap::new();
        while places.len() < graph.vertex_count() {
            let left = graph.vertices().filter(|vertex| !places.contains_key(vertex));
            let last_of = |vertex| edges.predecessors(vertex).iter().map(|it| places.get(it).copied()).max();
            let ready = left.filter(|&vertex| edges.predecessors(vertex).iter().all(|it| places.contains_key(it)));
            let next = ready.min_by_key(|&vertex| (last_of(vertex), vertex)).expect("the graph has no circles");
            places.insert(next, places.len() as i64);
        }
        let mode = Vertex::new(&graph, &mut Program::new(&graph)).expect("no paths are enumerated");
        check_order(&mode, "breadth-first", |vertex| places[&vertex]);
        unlike_forward += usize::from(places.values().zip(0..).any(|(&place, number)| place != number));
    }
    assert!(unlike_forward > 100, "{unlike_forward}");
}

/// The damage is the sum over the neighbours of the increase of their degrees; the degree less the damage is what the
/// sum of the degrees of all vertices decreases by.
#[test]
fn the_damage_is_what_the_degrees_of_the_neighbours_rise_by() {
    every_state(300, 10, |mode: &Vertex, _| {
        let before = Edges::of(mode.graph());
        let old = before.degrees();
        let after: BTreeMap<_, _> = mode.targets().into_iter().map(|it| (it, before.without(it).degrees())).collect();
        check_order(mode, "lmmd", |vertex| {
            let neighbours = [before.predecessors(vertex), before.successors(vertex)].concat();
            let degree_in = |degrees: &BTreeMap<_, i64>, vertex| degrees.get(&vertex).copied().unwrap_or(0);
            let rises = neighbours.into_iter().map(|it| degree_in(&after[&vertex], it) - degree_in(&old, it));
            old[&vertex] + rises.sum::<i64>()
        });
        check_order(mode, "momr", |vertex| after[&vertex].values().sum::<i64>() - old.values().sum::<i64>());
    });
}

/// Of the candidates, those on the side where the previous vertex had fewer neighbours; if there are none, or the sides
/// are equal, those on either; if there are none, all.
#[test]
fn successors_and_predecessors_are_preferred_on_the_side_where_there_were_fewer() {
    let mut kept = [0; 4];
    for seed in 0..1_000 {
        let random = &mut Random::new(seed);
        let intermediates = 2 + random.below(8);
        let graph = random_graph(random, intermediates);
        let mut previous: [Vec<VertexId>; 2] = Default::default();
        walk(&graph, random, |mode: &Vertex, target, random| {
            let [above, below] = &previous;
            let candidates = part_of(&mode.targets(), random);
            let among = |side: &[VertexId]| -> Vec<_> {
                candidates.iter().copied().filter(|candidate| side.contains(candidate)).collect()
            };
            let fewer = match above.len() as isize - below.len() as isize {
                1.. => among(below),
                0 => Vec::new(),
                _ => among(above),
            };
            let choices = [fewer, among(&[&above[..], below].concat()), candidates.clone()];
            let choice = choices.iter().position(|choice| !choice.is_empty());
            let expected = choice.map_or(Vec::new(), |choice| choices[choice].clone());
            assert_eq!(left_of(mode, "successor-predecessor", &candidates), expected, "{previous:?}");
            kept[choice.unwrap_or(3)] += usize::from(expected.len() < candidates.len());
            let edges = Edges::of(mode.graph());
            previous = [edges.predecessors(target), edges.successors(target)];
        });
    }
    assert!(kept[0] > 200 && kept[1] > 200, "{kept:?}");
}

/// Of edges, those to the only predecessor, where there was one, and those from the only successor.
#[test]
fn edges_are_preferred_that_eliminate_the_only_neighbour() {
    let mut kept = [0; 2];
    for seed in 0..1_000 {
        let random = &mut Random::new(seed);
        let intermediates = 2 + random.below(6);
        let graph = random_graph(random, intermediates);
        let mut previous: [Vec<VertexId>; 2] = Default::default();
        walk(&graph, random, |mode: &Edge, target, random| {
            let ends = |target: EdgeTarget| {
                let (EdgeTarget::Front(edge) | EdgeTarget::Back(edge)) = target;
                (mode.graph().edge(edge).source, mode.graph().edge(edge).target)
            };
            let candidates = part_of(&mode.targets(), random);
            let eliminates = |candidate: &EdgeTarget| match candidate {
                EdgeTarget::Front(_) => previous[0] == [ends(*candidate).1],
                EdgeTarget::Back(_) => previous[1] == [ends(*candidate).0],
            };
            let preferred: Vec<_> = candidates.iter().copied().filter(eliminates).collect();
            for candidate in preferred.iter().filter(|_| preferred.len() < candidates.len()) {
                kept[usize::from(matches!(candidate, EdgeTarget::Back(_)))] += 1;
            }
            let expected = if preferred.is_empty() { candidates.clone() } else { preferred };
            assert_eq!(left_of(mode, "successor-predecessor", &candidates), expected, "{previous:?}");
            let (edges, (source, end)) = (Edges::of(mode.graph()), ends(target));
            previous = match target {
                EdgeTarget::Front(_) => [vec![source], edges.successors(end)],
                EdgeTarget::Back(_) => [edges.predecessors(source), vec![end]],
            };
        });
    }
    assert!(kept.iter().all(|&kept| kept > 500), "{kept:?}");
}

/// Whether some path from a predecessor to a successor of a dual vertex does not lead through it.
fn has_detour(dual: &DualGraph, vertex: DualId) -> bool {
    let mut reached: BTreeSet<DualId> = BTreeSet::new();
    let mut next: Vec<_> = dual.predecessors(vertex).collect();
    while let Some(place) = next.pop() {
        next.extend(dual.successors(place).filter(|&it| it != vertex && reached.insert(it)));
    }
    dual.successors(vertex).any(|successor| reached.contains(&successor))
}

#[test]
fn dual_vertices_are_final_that_nothing_leads_around() {
    let mut detours = [0; 2];
    every_state(150, 6, |mode: &Face, _| {
        let dual = mode.dual();
        let is_there = |vertex: &DualId| dual.vertex(*vertex).label.is_some() && !dual.incoming(*vertex).is_empty();
        let vertices = dual.vertices().filter(is_there);
        let has_detour: BTreeMap<_, _> = vertices.map(|vertex| (vertex, has_detour(dual, vertex))).collect();
        for (&vertex, &has_detour) in &has_detour {
            assert_eq!(dual.is_final(vertex), !has_detour, "{vertex:?} of {dual:?}");
            detours[usize::from(has_detour)] += 1;
        }
        check_order(mode, "final", |face| {
            let face = dual.face(face);
            i64::from(has_detour[&face.source] && has_detour[&face.target])
        });
    });
    assert!(detours.iter().all(|&count| count > 1_000), "{detours:?}");
}

/// All cliques of a path graph: what is left of the paths.
fn cliques(graph: &PathGraph) -> Vec<&[PathVertex]> {
    let numbers = (0..graph.entry_count()).flat_map(|entry| graph.cliques_of_entry(entry));
    numbers.map(|clique| graph.clique(clique)).collect()
}

/// A label is used further if it is on some path without the other label of the pair.
#[test]
fn pairs_are_isolated_whose_labels_are_on_no_other_path() {
    let mut used = [0; 3];
    every_state(200, 6, |mode: &Path, _| {
        let graph = mode.graph();
        let cliques = cliques(graph);
        let is_used = |label, other| cliques.iter().any(|clique| clique.contains(&label) && !clique.contains(&other));
        for pair in mode.targets() {
            let (one, other) = graph.ends(pair);
            used[usize::from(is_used(one, other)) + usize::from(is_used(other, one))] += 1;
        }
        check_order(mode, "isolate", |pair| {
            let (one, other) = graph.ends(pair);
            i64::from(is_used(one, other)) + i64::from(is_used(other, one))
        });
    });
    assert!(used.iter().all(|&count| count > 1_000), "{used:?}");
}

/// By target, its keys, in the order of the heuristics.
type Keys<T> = BTreeMap<T, Vec<i64>>;

fn keys<M: Mode>(mode: &M) -> Keys<M::Target> {
    let of = |target| M::HEURISTICS.iter().map(|heuristic| (heuristic.key)(mode, target)).collect();
    mode.targets().into_iter().map(|target| (target, of(target))).collect()
}

/// What a mode says that its last step may have changed.
fn changed<M: Mode>(mode: &M, scope: Scope) -> BTreeSet<M::Target> {
    let mut changed = Vec::new();
    mode.changed(scope, &mut changed);
    changed.into_iter().collect()
}

/// Checks after every step that it has changed no key but of such targets as it names. A key that depends on the step
/// before may have changed for those that are near that one, too.
fn no_key_is_stale<M: Mode>(graphs: u64, max_intermediates: usize) {
    for seed in 0..graphs {
        let random = &mut Random::new(seed);
        let intermediates = 1 + random.below(max_intermediates);
        let graph = random_graph(random, intermediates);
        let mut before: Option<(Keys<M::Target>, M::Target)> = None;
        let mut before_near = BTreeSet::new();
        walk(&graph, random, |mode: &M, target, _| {
            let now = keys(mode);
            if let Some((before, eliminated)) = before.take() {
                let (own, near) = (changed(mode, Scope::Own), changed(mode, Scope::Near));
                let other = |target: &&M::Target| before.contains_key(target) != now.contains_key(target);
                for it in before.keys().chain(now.keys()).filter(other).filter(|it| **it != eliminated) {
                    assert!(own.contains(it) && near.contains(it), "{it:?} is new or gone in\n{}", picture(&graph));
                }
                for (it, new) in &now {
                    let Some(old) = before.get(it) else { continue };
                    for ((heuristic, new), old) in M::HEURISTICS.iter().zip(new).zip(old) {
                        let may_change = match heuristic.scope {
                            Scope::Name => false,
                            Scope::Own => own.contains(it),
                            Scope::Near => near.contains(it),
                            Scope::Previous => near.contains(it) || before_near.contains(it),
                            Scope::All => true,
                        };
                        assert!(new == old || may_change, "`{}` of {it:?} in\n{}", heuristic.name, picture(&graph));
                    }
                }
                before_near = near;
            }
            before = Some((now, target));
        });
    }
}

#[test]
fn no_key_of_a_vertex_is_stale() {
    no_key_is_stale::<Vertex>(1_500, 10);
}

#[test]
fn no_key_of_an_edge_is_stale() {
    no_key_is_stale::<Edge>(300, 8);
}

#[test]
fn no_key_of_a_face_is_stale() {
    no_key_is_stale::<Face>(300, 6);
}

#[test]
fn no_key_of_a_pair_of_labels_is_stale() {
    no_key_is_stale::<Path>(300, 6);
}
