//! The best order of vertices, by dynamic programming over sets.
//!
//! The graph after the elimination of a set of vertices is the same for every order of the set: it has an edge from `p`
//! to `s` if there is a path between them through the set, and what is known of its label follows from the edges on all
//! such paths. So what a vertex costs depends on the set of those eliminated before it, and of that set only on the
//! part that is connected to the vertex. Let `f(C)` be the least cost of eliminating a connected set `C` of
//! intermediate vertices before all others. One of `C` is its last, and the others form connected sets, of
//! which none changes what another costs:
//!
//! ```text
//! f(C) = min over v in C of (cost of v after C - v) + sum of f(D) over the connected parts D of C - v
//! ```
//!
//! A chain of `n` vertices has `n^2 / 2` connected sets in place of `2^n` sets. The search starts from the whole and
//! looks only into those sets that a better order could use: every set has a lower bound, first that of the cuts (all
//! vertices around the set count as ends of its paths), then what the search has found, and the budget rises from the
//! lower bound until an order fits in, or until only the known order is left.

use std::collections::HashMap;

use super::limits::{HEURISTIC_STEPS, Limits, heuristic_eliminations};
use super::reduce::{cost, eliminate_first, is_left};
use crate::choose::bound::{Cuts, Side, Weight, Weights};
use crate::eliminate::vertex::Vertex;
use crate::eliminate::{Elimination, Mode, Target};
use crate::error::TooLarge;
use crate::graph::program::{LabelKind, Measure, Program};
use crate::graph::{Graph, VertexId, entries};

/// The most connected vertices that can be searched: those of a [`Set`].
const MAX_VERTICES: usize = 128;

/// The lower bound takes at most as long as if it looked, for every vertex, at all others; this many take as long as a
/// state.
const VERTEX_PAIRS_OF_A_STATE: usize = 200;

/// The fewest multiplications of all vertex eliminations of `graph`, whose labels and the expressions that led to it
/// are in `program`. `known` may have an order of all vertices that is known to be good: the search looks only for
/// better ones.
///
/// It is found without a search where the lower bound proves a heuristic or the known order best. The bound of `n`
/// vertices counts as `n^2 / 200` states.
///
/// # Errors
/// Where the search reaches one of its `limits`.
pub fn vertex(
    graph: &Graph,
    program: Program,
    measure: Measure,
    known: Option<&[VertexId]>,
    limits: Limits,
) -> Result<Elimination, TooLarge> {
    let too_large = TooLarge::States { mode: Vertex::NAME, limit: limits.states };
    let vertices = graph.vertices().filter(|&vertex| is_left(graph, vertex)).count();
    let most = (limits.states * VERTEX_PAIRS_OF_A_STATE).isqrt();
    let bound = vertices * vertices / VERTEX_PAIRS_OF_A_STATE;
    let mut left = limits.states.checked_sub(bound).ok_or(TooLarge::Bound { limit: most })?;
    let (mut reduced, mut reduced_program) = (graph.clone(), program.clone());
    let mut order = eliminate_first(&mut reduced, &mut reduced_program, measure);
    let problem = Problem { graph: &reduced, program: &reduced_program, measure };
    for (part, best) in problem.parts_with_good_orders(known) {
        let best = best.ok_or(too_large)?;
        let lower = Cuts::new(&reduced, &reduced_program, measure).lower_bounds(&part).iter().sum();
        if best.cost == lower {
            order.extend(best.order);
        } else if part.len() > MAX_VERTICES {
            return Err(TooLarge::Vertices { limit: MAX_VERTICES });
        } else {
            let mut search = SubsetSearch::new(problem, &part, left);
            let better = search.below(best.cost).map_err(|OutOfStates| too_large)?;
            order.extend(better.unwrap_or(best.order));
            left = search.left;
        }
    }
    Ok(carry_out(graph, program, &order))
}

/// Eliminates the vertices in this order.
pub(super) fn carry_out(graph: &Graph, mut program: Program, order: &[VertexId]) -> Elimination {
    let mut graph = graph.clone();
    for &vertex in order {
        graph.eliminate_vertex(vertex, &mut program);
    }
    program.set_entries(entries(&graph));
    Elimination { sequence: order.iter().copied().map(Target::Vertex).collect(), program }
}

/// What is left to be ordered.
#[derive(Copy, Clone)]
struct Problem<'a> {
    graph: &'a Graph,
    program: &'a Program,
    measure: Measure,
}

/// An order of some vertices and what it costs.
struct Order {
    order: Vec<VertexId>,
    cost: usize,
}

impl Problem<'_> {
    /// The connected parts of the vertices that are left, each with the best of the good orders, if there are some.
    fn parts_with_good_orders(self, known: Option<&[VertexId]>) -> Vec<(Vec<VertexId>, Option<Order>)> {
        let parts = self.parts();
        let mut part_of = vec![usize::MAX; self.graph.vertex_count()];
        for (index, part) in parts.iter().enumerate() {
            for vertex in part {
                part_of[vertex.index()] = index;
            }
        }
        let mut best: Vec<Option<Order>> = parts.iter().map(|_| None).collect();
        if !parts.is_empty() {
            for order in self.heuristic_orders().chain(known.map(<[_]>::to_vec)) {
                let orders = self.split(&order, &part_of, parts.len());
                for ((best, part), order) in best.iter_mut().zip(&parts).zip(orders) {
                    let is_whole = order.order.len() == part.len();
                    if is_whole && best.as_ref().is_none_or(|best| order.cost < best.cost) {
                        *best = Some(order);
                    }
                }
            }
        }
        parts.into_iter().zip(best).collect()
    }

    /// The sets of intermediate vertices that are connected, whatever the direction of the edges, without independents
    /// and dependents.
    fn parts(self) -> Vec<Vec<VertexId>> {
        let mut is_seen = vec![false; self.graph.vertex_count()];
        let mut parts = Vec::new();
        for start in self.graph.vertices() {
            let (mut part, mut stack) = (Vec::new(), vec![start]);
            while let Some(vertex) = stack.pop() {
                if is_left(self.graph, vertex) && !is_seen[vertex.index()] {
                    is_seen[vertex.index()] = true;
                    part.push(vertex);
                    stack.extend(self.graph.predecessors(vertex).chain(self.graph.successors(vertex)));
                }
            }
            part.sort_unstable();
            if !part.is_empty() {
                parts.push(part);
            }
        }
        parts
    }

    /// The orders by the heuristics.
    fn heuristic_orders(self) -> impl Iterator<Item = Vec<VertexId>> {
        let vertex = |target: &Target| match target {
            Target::Vertex(vertex) => *vertex,
            other => unreachable!("{other} is no vertex"),
        };
        let eliminations = heuristic_eliminations::<Vertex>(self.graph, self.program, HEURISTIC_STEPS).into_iter();
        eliminations.map(move |elimination| elimination.sequence.iter().map(vertex).collect())
    }

    /// What an order of all vertices is for each part, and costs there.
    fn split(self, order: &[VertexId], part_of: &[usize], parts: usize) -> Vec<Order> {
        let (mut graph, mut program) = (self.graph.clone(), self.program.clone());
        let mut orders: Vec<_> = (0..parts).map(|_| Order { order: Vec::new(), cost: 0 }).collect();
        for &vertex in order {
            if let Some(part) = orders.get_mut(part_of[vertex.index()]).filter(|_| is_left(&graph, vertex)) {
                part.cost += cost(&graph, &program, self.measure, vertex);
                part.order.push(vertex);
                graph.eliminate_vertex(vertex, &mut program);
            }
        }
        orders
    }
}

/// A set of vertices of the part that is searched: one bit each.
type Set = u128;

/// A connected set of vertices.
struct Node {
    set: Set,
    /// What it costs at least; what it costs, once the best choice is known.
    lower: usize,
    /// What its vertices cost at least, once that has been computed.
    bounds: Vec<usize>,
    /// What may be last, once that has been computed.
    choices: Vec<Choice>,
    /// Which of the choices is best, once that is proven.
    best: Option<usize>,
}

/// A vertex to be eliminated as the last one of a set.
struct Choice {
    last: VertexId,
    cost: usize,
    /// The numbers of the connected parts of the others.
    rest: Vec<usize>,
}

/// There are more states than allowed.
struct OutOfStates;

/// The search in one connected part.
struct SubsetSearch<'a> {
    problem: Problem<'a>,
    /// The vertices, in topological order; their places are the bits of the sets.
    vertices: Vec<VertexId>,
    /// By vertex: the vertices of the part that are its neighbours.
    neighbours: Vec<Set>,
    /// By vertex of the graph: its bit, if it has one.
    bits: Vec<Option<u32>>,
    cuts: Cuts<'a>,
    nodes: Vec<Node>,
    numbers: HashMap<Set, usize>,
    /// By vertex of the graph: what is known of the paths between it and the vertex whose cost is computed.
    kinds: Vec<Option<LabelKind>>,
    /// How many sets may still be visited.
    left: usize,
}

impl<'a> SubsetSearch<'a> {
    fn new(problem: Problem<'a>, part: &[VertexId], left: usize) -> Self {
        let graph = problem.graph;
        let mut bits = vec![None; graph.vertex_count()];
        for (bit, vertex) in (0..).zip(part) {
            bits[vertex.index()] = Some(bit);
        }
        let neighbours = |&vertex: &VertexId| {
            let all = graph.predecessors(vertex).chain(graph.successors(vertex));
            all.filter_map(|neighbour| bits[neighbour.index()]).fold(0, |set, bit| set | 1 << bit)
        };
        SubsetSearch {
            problem,
            vertices: part.to_vec(),
            neighbours: part.iter().map(neighbours).collect(),
            bits,
            cuts: Cuts::new(graph, problem.program, problem.measure),
            nodes: Vec::new(),
            numbers: HashMap::new(),
            kinds: vec![None; graph.vertex_count()],
            left,
        }
    }

    /// A best order, if there is one that costs less than `known`.
    fn below(&mut self, known: usize) -> Result<Option<Vec<VertexId>>, OutOfStates> {
        let all = (0..self.vertices.len()).fold(0, |set, bit| set | 1 << bit);
        let root = self.number(all, 0);
        while self.nodes[root].lower < known {
            self.solve(root, self.nodes[root].lower)?;
            if self.nodes[root].best.is_some() {
                return Ok(Some(self.order(root)));
            }
        }
        Ok(None)
    }

    /// The number of a connected set, which costs at least `lower`.
    fn number(&mut self, set: Set, lower: usize) -> usize {
        let next = self.nodes.len();
        let number = *self.numbers.entry(set).or_insert(next);
        if number == next {
            self.nodes.push(Node { set, lower, bounds: Vec::new(), choices: Vec::new(), best: None });
        }
        self.nodes[number].lower = self.nodes[number].lower.max(lower);
        number
    }

    /// Finds the best order of a set if it costs no more than `budget`; else raises its lower bound above the budget.
    /// The depth of the recursion is at most the number of vertices.
    fn solve(&mut self, number: usize, budget: usize) -> Result<(), OutOfStates> {
        if self.is_decided(number, budget) {
            return Ok(());
        }
        self.find_bounds(number)?;
        if self.is_decided(number, budget) {
            return Ok(());
        }
        self.find_choices(number)?;
        let choices = std::mem::take(&mut self.nodes[number].choices);
        let (mut best, mut least) = (None, usize::MAX);
        for (index, choice) in choices.iter().enumerate() {
            let budget = budget.min(least - 1);
            let lower = self.solve_choice(choice, budget)?;
            if lower <= budget {
                best = Some(index);
            }
            least = least.min(lower);
            if best.is_some() && least == self.nodes[number].lower {
                break;
            }
        }
        let node = &mut self.nodes[number];
        (node.lower, node.choices, node.best) = (node.lower.max(least), choices, best);
        Ok(())
    }

    /// What a choice costs if that is no more than `budget`; else a lower bound above the budget.
    fn solve_choice(&mut self, choice: &Choice, budget: usize) -> Result<usize, OutOfStates> {
        let mut lower = self.lower_bound(choice);
        for &part in &choice.rest {
            if lower > budget {
                break;
            }
            let before = self.nodes[part].lower;
            self.solve(part, budget - (lower - before))?;
            lower += self.nodes[part].lower - before;
        }
        Ok(lower)
    }

    fn lower_bound(&self, choice: &Choice) -> usize {
        choice.cost + choice.rest.iter().map(|&part| self.nodes[part].lower).sum::<usize>()
    }

    fn is_decided(&self, number: usize, budget: usize) -> bool {
        self.nodes[number].best.is_some() || self.nodes[number].lower > budget
    }

    /// Finds what the vertices of a set cost at least.
    fn find_bounds(&mut self, number: usize) -> Result<(), OutOfStates> {
        if self.nodes[number].bounds.is_empty() {
            let inner: Vec<_> = members(self.nodes[number].set).map(|bit| self.vertices[bit]).collect();
            self.left = self.left.checked_sub(inner.len()).ok_or(OutOfStates)?;
            let bounds = self.cuts.lower_bounds(&inner);
            let node = &mut self.nodes[number];
            (node.lower, node.bounds) = (node.lower.max(bounds.iter().sum()), bounds);
        }
        Ok(())
    }

    /// Finds the choices of a set, the most promising first. What a vertex costs at least in the set it does so in the
    /// parts of the set, too.
    fn find_choices(&mut self, number: usize) -> Result<(), OutOfStates> {
        if !self.nodes[number].choices.is_empty() {
            return Ok(());
        }
        let set = self.nodes[number].set;
        self.left = self.left.checked_sub(set.count_ones() as usize).ok_or(OutOfStates)?;
        let mut least = vec![0; self.vertices.len()];
        for (bit, &bound) in members(set).zip(&self.nodes[number].bounds) {
            least[bit] = bound;
        }
        let mut choices = Vec::new();
        for bit in members(set) {
            let others = set & !(1 << bit);
            let parts = self.connected_parts(others).into_iter();
            let rest = parts.map(|part| self.number(part, members(part).map(|bit| least[bit]).sum())).collect();
            choices.push(Choice { last: self.vertices[bit], cost: self.cost(bit, others), rest });
        }
        let mut by_bound: Vec<Choice> = Vec::with_capacity(choices.len());
        for choice in choices {
            let bound = self.lower_bound(&choice);
            let place = by_bound.partition_point(|other| self.lower_bound(other) <= bound);
            by_bound.insert(place, choice);
        }
        self.nodes[number].choices = by_bound;
        Ok(())
    }

    fn connected_parts(&self, mut set: Set) -> Vec<Set> {
        let mut parts = Vec::new();
        while set != 0 {
            let (mut part, mut border) = (0, set & set.wrapping_neg());
            while border != 0 {
                part |= border;
                let around = members(border).fold(0, |around, bit| around | self.neighbours[bit]);
                border = around & set & !part;
            }
            parts.push(part);
            set &= !part;
        }
        parts
    }

    /// The cost of a vertex after the elimination of `others`.
    fn cost(&mut self, bit: usize, others: Set) -> usize {
        let above = self.weights(bit, others, Side::Above);
        let below = self.weights(bit, others, Side::Below);
        above.multiplications(below)
    }

    /// The edges that the vertex has on one side after the elimination of `others`: what is known of the paths through
    /// these is carried from the vertex outwards.
    fn weights(&mut self, bit: usize, others: Set, side: Side) -> Weights {
        let graph = self.problem.graph;
        let mut touched = vec![self.vertices[bit]];
        self.kinds[self.vertices[bit].index()] = Some(LabelKind::Copy);
        let mut reached: Set = 1 << bit;
        while reached != 0 {
            // In topological order or against it, so that all paths to a vertex are known when it is passed.
            let next = if side == Side::Above { reached.ilog2() } else { reached.trailing_zeros() };
            reached &= !(1 << next);
            let vertex = self.vertices[next as usize];
            let so_far = self.kinds[vertex.index()].expect("it has been reached");
            for &edge in side.edges(graph, vertex) {
                let edge = graph.edge(edge);
                let neighbour = side.end(edge);
                let path = so_far.times(self.problem.program.kind(edge.label));
                let known = &mut self.kinds[neighbour.index()];
                *known = Some(known.map_or(path, |known| known.plus(path)));
                touched.push(neighbour);
                if let Some(bit) = self.bits[neighbour.index()] {
                    reached |= (1 << bit) & others;
                }
            }
        }
        self.collect(touched, bit, others)
    }

    /// Counts the vertices that have been reached and are not eliminated, and forgets what is known of all.
    fn collect(&mut self, touched: Vec<VertexId>, start: usize, others: Set) -> Weights {
        let passed = others | 1 << start;
        let mut weights = Weights::default();
        for vertex in touched {
            let kind = self.kinds[vertex.index()].take();
            let is_passed = self.bits[vertex.index()].is_some_and(|bit| passed >> bit & 1 == 1);
            if let Some(kind) = kind.filter(|_| !is_passed) {
                weights.add(Weight::of(kind, self.problem.measure));
            }
        }
        weights
    }

    /// The order that has been proven best for a set.
    fn order(&self, number: usize) -> Vec<VertexId> {
        let (mut order, mut stack) = (Vec::new(), vec![number]);
        while let Some(number) = stack.pop() {
            let node = &self.nodes[number];
            let choice = &node.choices[node.best.expect("it has been solved")];
            order.push(choice.last);
            stack.extend(&choice.rest);
        }
        order.reverse();
        order
    }
}

/// The bits of a set, in order.
fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}
