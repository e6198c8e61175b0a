//! The best order of the pairs of a symmetric graph, by branch and bound over sets of vertices.
//!
//! As for single vertices, what is left of the graph does not depend on the order of those that are gone: there is an
//! edge wherever there is a path through them and their images. So of all orders of a set only the cheapest goes on,
//! and only as far as it may cost less than the best order that is known, by the [lower bound](crate::choose::bound)
//! of those that are left.

use std::collections::HashMap;

use super::limits::{HEURISTIC_STEPS, heuristic_eliminations};
use super::vertex::carry_out;
use crate::choose::bound::Cuts;
use crate::choose::search::objective::{Counting, Measuring};
use crate::choose::search::state::State;
use crate::eliminate::vertex::Vertex;
use crate::eliminate::{Elimination, Mode, Target};
use crate::error::TooLarge;
use crate::graph::elimination::Axis;
use crate::graph::program::{Measure, Program};
use crate::graph::{Graph, Role, VertexId};

/// The most vertices of a set.
const MAX_VERTICES: usize = 64;

/// The fewest multiplications of all orders of the pairs of `graph`, whose labels are in `program`, in this many states
/// at most.
///
/// # Errors
/// Where there are more states, or too many vertices.
pub fn symmetric(
    graph: &Graph,
    axis: Axis,
    program: Program,
    measure: Measure,
    states: usize,
) -> Result<Elimination, TooLarge> {
    let too_large = TooLarge::States { mode: Vertex::NAME, limit: states };
    let is_left = |&vertex: &VertexId| graph.role(vertex) == Role::Intermediate && !graph.incoming(vertex).is_empty();
    let vertices: Vec<_> = graph.vertices().filter(is_left).collect();
    let heuristics = heuristic_eliminations::<Vertex>(graph, &program, HEURISTIC_STEPS);
    let before = program.accumulations().len();
    let cost = |elimination: &Elimination| elimination.program.multiplications_after(before, measure);
    let best = heuristics.into_iter().min_by_key(cost).ok_or(too_large)?;
    let bounds = Cuts::new(graph, &program, measure).pair_bounds(&vertices, axis);
    if cost(&best) == bounds.iter().sum() {
        return Ok(best);
    }
    if vertices.len() > MAX_VERTICES {
        return Err(TooLarge::Vertices { limit: MAX_VERTICES });
    }
    let own = program.multiplications(measure);
    let mut search = PairSearch {
        bound: bounds.iter().sum(),
        bounds,
        vertices,
        state: State::new(graph, Counting::new(&program, measure)),
        order: Vec::new(),
        best: None,
        cost: own + cost(&best),
        least: HashMap::new(),
        left: states,
    };
    search.go_on(own, 0).map_err(|OutOfStates| too_large)?;
    Ok(match search.best.take() {
        Some(order) => carry_out(graph, program.clone(), &order),
        None => best,
    })
}

struct OutOfStates;

struct PairSearch<'a> {
    vertices: Vec<VertexId>,
    /// By vertex: the fewest multiplications that its elimination takes.
    bounds: Vec<usize>,
    /// The sum of the bounds of those that are left.
    bound: usize,
    /// The graph without those in `order`.
    state: State<Counting<'a>>,
    order: Vec<VertexId>,
    /// An order that is better than all that were known, and the cost of the best.
    best: Option<Vec<VertexId>>,
    cost: usize,
    /// By set: the least cost that it has been reached with.
    least: HashMap<u64, usize>,
    /// This many states may still be visited.
    left: usize,
}

impl PairSearch<'_> {
    /// Tries all orders that go on from the present one, which has this set and costs `cost` so far.
    fn go_on(&mut self, cost: usize, set: u64) -> Result<(), OutOfStates> {
        if cost + self.bound >= self.cost || self.least.get(&set).is_some_and(|&least| least <= cost) {
            return Ok(());
        }
        if self.order.len() == self.vertices.len() {
            (self.cost, self.best) = (cost, Some(self.order.clone()));
            return Ok(());
        }
        self.left = self.left.checked_sub(1).ok_or(OutOfStates)?;
        self.least.insert(set, cost);
        let mut next: Vec<(usize, usize)> = Vec::new();
        for place in (0..self.vertices.len()).filter(|place| set & 1 << place == 0) {
            let mark = self.state.mark();
            self.state.eliminate(Target::Vertex(self.vertices[place]));
            next.push((self.state.arithmetic.cost(&self.state.edges).first, place));
            self.state.reset(mark);
        }
        // What takes least beyond its bound goes first.
        next.sort_unstable_by_key(|&(cost, place)| (cost - self.bounds[place].min(cost), place));
        for (cost, place) in next {
            let mark = self.state.mark();
            self.state.eliminate(Target::Vertex(self.vertices[place]));
            self.order.push(self.vertices[place]);
            self.bound -= self.bounds[place];
            self.go_on(cost, set | 1 << place)?;
            self.bound += self.bounds[place];
            self.order.pop();
            self.state.reset(mark);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::strategy::Strategy;
    use crate::pipeline::linearize_gradient;

    /// The fewest products of all orders, one by one, and the bound is no more.
    #[test]
    fn it_is_the_best_of_all_orders() {
        for text in [
            "input x y\na = x * y\nb = sin(a)\nc = a * b\nd = exp(c) / x\noutput d",
            "input x y z\na = x * y\nb = a * z\nc = sin(b) * a\nd = c * b\ne = d * d\noutput e",
            "input x y\na = hypot(x, y)\nb = a * x\nc = a * y\nd = b / c\ne = d * b\nf = e * c\noutput f",
        ] {
            let linearization =
                linearize_gradient(&text.parse().expect("a code list")).expect("all partials are known");
            let (graph, program) = (&linearization.graph, &linearization.program);
            let axis = graph.axis().expect("it is symmetric");
            for measure in [Measure::Textbook, Measure::Folded] {
                let is_left =
                    |&vertex: &VertexId| graph.role(vertex) == Role::Intermediate && !graph.incoming(vertex).is_empty();
                let vertices: Vec<_> = graph.vertices().filter(is_left).collect();
                let bound: usize = Cuts::new(graph, program, measure).pair_bounds(&vertices, axis).iter().sum();
                let mut least = usize::MAX;
                permutations(&mut vertices.clone(), 0, &mut |order| {
                    let cost = carry_out(graph, program.clone(), order).program.multiplications(measure);
                    least = least.min(cost);
                });
                let best = symmetric(graph, axis, program.clone(), measure, 10_000).expect("a small graph");
                assert_eq!(best.program.multiplications(measure), least, "{text}");
                assert!(bound <= least && bound > 0, "{bound} {least} {text}");
                let (_, reverse) = Strategy::reverse().eliminate(&linearization).expect("a small graph");
                assert!(least <= reverse.program.multiplications(measure));
            }
        }
    }

    fn permutations(order: &mut Vec<VertexId>, from: usize, visit: &mut dyn FnMut(&[VertexId])) {
        if from == order.len() {
            return visit(order);
        }
        for place in from..order.len() {
            order.swap(from, place);
            permutations(order, from + 1, visit);
            order.swap(from, place);
        }
    }
}
