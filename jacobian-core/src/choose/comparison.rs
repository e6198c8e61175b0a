//! The multiplications of an elimination, beside those of forward and of reverse order, and what no order is below: for
//! readers, so within what costs a build next to nothing.

use std::fmt;

use jacobian_list::block::Body;
use jacobian_list::code_list::CodeList;

use crate::choose::bound::lower_bound;
use crate::choose::search::objective::{Counting, Measuring};
use crate::choose::search::state::State;
use crate::choose::strategy::Strategy;
use crate::eliminate::path::Path;
use crate::eliminate::{Elimination, Mode, Target};
use crate::graph::elimination::Eliminate;
use crate::graph::program::{Measure, Program};
use crate::graph::{Graph, Role, VertexId};
use crate::linearize::Linearization;

/// With more vertices, forward and reverse order are not counted: the matrix of their edges takes some megabytes.
const MAX_VERTICES: usize = 2_000;

/// The most products of an order that is counted: some tens of milliseconds without optimization.
const MAX_PRODUCTS: usize = 200_000;

/// With more intermediate vertices, or with more edges, no bound is computed.
const MAX_BOUNDED: usize = 30;
const MAX_BOUNDED_EDGES: usize = 200;

/// Multiplications that are no products with one or of two constants.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Those of the elimination.
    pub taken: usize,
    /// Those of forward order, where these are counted.
    pub forward: Option<usize>,
    /// Those of reverse order, where these are counted.
    pub reverse: Option<usize>,
    /// No elimination of vertices, edges or faces takes fewer. It is not known of large graphs, and not told of those in
    /// which a block is one vertex.
    pub bound: Option<usize>,
    /// What is not counted in any of these.
    pub blocks: Blocks,
}

impl Comparison {
    /// What `elimination` takes, which `strategy` has found for `function`.
    pub fn of(
        function: &CodeList,
        linearization: &Linearization,
        strategy: &Strategy,
        elimination: &Elimination,
    ) -> Comparison {
        let Linearization { graph, program, .. } = linearization;
        let inner: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Intermediate).collect();
        let blocks = Blocks::of(function);
        // Pairs of labels that are no neighbours take fewer.
        let is_bounded = blocks == Blocks::default()
            && strategy.mode().is_some_and(|mode| mode != Path::NAME)
            && inner.len() <= MAX_BOUNDED
            && graph.vertices().map(|vertex| graph.outgoing(vertex).len()).sum::<usize>() <= MAX_BOUNDED_EDGES;
        let [forward, reverse] = sweeps(graph, program, &inner);
        Comparison {
            taken: elimination.program.multiplications(Measure::Folded),
            forward,
            reverse,
            bound: is_bounded.then(|| lower_bound(graph, program, Measure::Folded)),
            blocks,
        }
    }
}

/// What forward and reverse order take.
fn sweeps(graph: &Graph, program: &Program, inner: &[VertexId]) -> [Option<usize>; 2] {
    if graph.vertex_count() > MAX_VERTICES {
        return [None, None];
    }
    let mut state = State::new(graph, Counting::new(program, Measure::Folded));
    let start = state.mark();
    let forward = counted(&mut state, &mut inner.iter());
    state.reset(start);
    [forward, counted(&mut state, &mut inner.iter().rev())]
}

/// What the elimination of these vertices in turn takes, unless it is too long.
fn counted(state: &mut State<Counting<'_>>, order: &mut dyn Iterator<Item = &VertexId>) -> Option<usize> {
    let mut products = 0;
    for &vertex in order {
        products += state.list_incoming(vertex) * state.list_outgoing(vertex);
        if products > MAX_PRODUCTS {
            return None;
        }
        state.eliminate(Target::Vertex(vertex));
    }
    Some(state.arithmetic.cost(&state.edges).first)
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison { taken, forward, reverse, bound, blocks } = *self;
        write!(formatter, "{}", number(taken, "multiplication", "s"))?;
        if blocks != Blocks::default() {
            write!(formatter, " outside of {blocks}")?;
        }
        if [forward, reverse, bound.or(Some(0))].iter().all(|count| *count == Some(taken)) && taken == 0 {
            return Ok(());
        }
        let counts = [("forward", forward), ("reverse", reverse), ("no order below", bound.filter(|bound| *bound > 0))];
        let mut separator = "; ";
        for (name, count) in counts {
            let Some(count) = count else { continue };
            let count = if bound == Some(taken) && name.starts_with("no") { "that".into() } else { count.to_string() };
            write!(formatter, "{separator}{name} {count}")?;
            separator = ", ";
        }
        Ok(())
    }
}

/// The blocks of a function, each of which is one vertex of its graph: what is multiplied in them is not counted there.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Blocks {
    /// Run-time loops.
    pub loops: usize,
    /// Branches.
    pub branches: usize,
    /// Calls of functions with a Jacobian of their own.
    pub calls: usize,
}

impl Blocks {
    /// The blocks of `list`, without those that are in one of them.
    pub fn of(list: &CodeList) -> Blocks {
        let mut blocks = Blocks::default();
        for block in list.blocks() {
            match block.body {
                Body::Loop { .. } => blocks.loops += 1,
                Body::Branch { .. } => blocks.branches += 1,
                Body::Call { .. } => blocks.calls += 1,
                Body::Opaque { .. } => {}
            }
        }
        blocks
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Blocks { loops, branches, calls } = *self;
        let kinds = [(loops, "loop", "s"), (branches, "branch", "es"), (calls, "call", "s")];
        let mut text = String::new();
        for (count, name, plural) in kinds.into_iter().rev().filter(|(count, ..)| *count > 0) {
            let separator = match text.as_str() {
                "" => "",
                rest if rest.contains(" and ") => ", ",
                _ => " and ",
            };
            text = format!("{}{separator}{text}", number(count, name, plural));
        }
        formatter.write_str(&text)
    }
}

/// A number of things.
fn number(count: usize, name: &str, plural: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { plural })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{differentiate, linearize, linearize_gradient};

    fn told(list: &str, strategy: &str) -> String {
        let list: CodeList = list.parse().expect("a code list");
        let strategy: Strategy = strategy.parse().expect("a strategy");
        differentiate(&list, &strategy).expect("it is small").comparison.expect("it is a Jacobian").to_string()
    }

    /// A chain of this many statements.
    fn chain(statements: usize) -> String {
        let mut text = "input a b\nv0 = a * b\n".to_string();
        for i in 1..statements {
            text += &match i % 3 {
                0 => format!("v{i} = v{} * b\n", i - 1),
                1 => format!("v{i} = sin(v{})\n", i - 1),
                _ => format!("v{i} = v{} + v{}\n", i - 1, i.saturating_sub(5)),
            };
        }
        format!("{text}output v{}", statements - 1)
    }

    #[test]
    fn what_is_told_is_what_each_order_takes() {
        // One result: reverse takes a product for each input, forward one for each input and factor.
        let product = "input a b c d\np = a * b\nq = p * c\nr = q * d\noutput r";
        assert_eq!(told(product, "reverse"), "4 multiplications; forward 5, reverse 4, no order below that");
        assert_eq!(told(product, "forward"), "5 multiplications; forward 5, reverse 4, no order below 4");
        // Pairs of labels that are no neighbours are bounded by nothing.
        assert_eq!(told(product, "paths"), "5 multiplications; forward 5, reverse 4");
        assert_eq!(told("input a b\np = a * b\noutput p", "reverse"), "0 multiplications");
        // No bound is told of what is long.
        let long = told(&chain(60), "reverse");
        assert!(long.contains("; forward ") && long.contains(", reverse ") && !long.contains("below"), "{long}");
        assert!(!told(&chain(2_100), "reverse").contains("forward"));
    }

    #[test]
    fn the_counts_are_those_of_the_strategies() {
        let turned = "input t x y\nc = cos(t)\ns = sin(t)\nu = c * x - s * y\nv = s * x + c * y\nd = u - v\n\
                      r = sqrt(d * d + 1)\nq = -v / r\ne = q * u - x\noutput u v q e";
        for list in [turned, &chain(400)] {
            let list: CodeList = list.parse().expect("a code list");
            for linearization in [linearize(&list), linearize_gradient(&list).expect("all partials are known")] {
                let taken = |strategy: Strategy| {
                    let (_, elimination) = strategy.eliminate(&linearization).expect("it is small");
                    (elimination.program.multiplications(Measure::Folded), elimination)
                };
                let (forward, _) = taken(Strategy::forward());
                let (reverse, elimination) = taken(Strategy::reverse());
                let comparison = Comparison::of(&list, &linearization, &Strategy::reverse(), &elimination);
                assert_eq!((comparison.forward, comparison.reverse), (Some(forward), Some(reverse)));
                assert_eq!(comparison.taken, reverse);
            }
        }
    }

    #[test]
    fn what_is_in_blocks_is_not_counted_and_said() {
        let blocks = Blocks { loops: 2, branches: 1, calls: 3 };
        assert_eq!(blocks.to_string(), "2 loops, 1 branch and 3 calls");
        assert_eq!(Blocks { calls: 0, ..blocks }.to_string(), "2 loops and 1 branch");
        let comparison = Comparison { taken: 1, forward: Some(4), reverse: None, bound: None, blocks };
        assert_eq!(comparison.to_string(), "1 multiplication outside of 2 loops, 1 branch and 3 calls; forward 4");
        let nothing = Comparison { taken: 0, forward: Some(0), reverse: Some(0), ..comparison };
        assert_eq!(nothing.to_string(), "0 multiplications outside of 2 loops, 1 branch and 3 calls");
    }
}
