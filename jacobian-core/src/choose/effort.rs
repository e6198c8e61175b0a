//! What an elimination takes, beside what forward and reverse order take, and below what none is: for readers, so of
//! graphs that are small enough to cost a build nothing.

use std::fmt;

use crate::choose::bound::lower_bound;
use crate::choose::strategy::Strategy;
use crate::eliminate::path::Path;
use crate::eliminate::{Elimination, Mode};
use crate::graph::Role;
use crate::graph::program::Measure;
use crate::linearize::Linearization;

/// With more intermediate vertices, nothing is said.
const MAX_VERTICES: usize = 30;

/// With more edges, nothing is said.
const MAX_EDGES: usize = 200;

/// Multiplications that are no products with one or of two constants.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Those of the elimination.
    pub taken: usize,
    /// Those of forward order.
    pub forward: usize,
    /// Those of reverse order.
    pub reverse: usize,
    /// No elimination of vertices, edges or faces takes fewer.
    pub bound: Option<usize>,
}

impl Effort {
    /// What `elimination` takes that `strategy` has found; none where it takes nothing, or where there is
    /// too much.
    pub fn of(linearization: &Linearization, strategy: &Strategy, elimination: &Elimination) -> Option<Effort> {
        let Linearization { graph, program, .. } = linearization;
        let inner = graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Intermediate).count();
        let edges: usize = graph.vertices().map(|vertex| graph.outgoing(vertex).len()).sum();
        if !(1..=MAX_VERTICES).contains(&inner) || edges > MAX_EDGES {
            return None;
        }
        let of = |strategy: Strategy| {
            let (_, elimination) = strategy.eliminate(linearization).ok()?;
            Some(elimination.program.multiplications(Measure::Folded))
        };
        let (forward, reverse) = (of(Strategy::forward())?, of(Strategy::reverse())?);
        // Pairs of labels that are no neighbours take fewer.
        let is_bounded = strategy.mode().is_some_and(|mode| mode != Path::NAME);
        let taken = elimination.program.multiplications(Measure::Folded);
        if taken == 0 {
            return None;
        }
        Some(Effort {
            taken,
            forward,
            reverse,
            bound: is_bounded.then(|| lower_bound(graph, program, Measure::Folded)),
        })
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Effort { taken, forward, reverse, bound } = *self;
        let plural = if taken == 1 { "" } else { "s" };
        write!(formatter, "{taken} multiplication{plural}; forward {forward}, reverse {reverse}")?;
        match bound {
            Some(bound) if bound == taken => write!(formatter, ", no order below that"),
            Some(0) => Ok(()),
            Some(bound) => write!(formatter, ", no order below {bound}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{CodeList, Strategy, differentiate};

    fn told(list: &str, strategy: &str) -> Option<String> {
        let list: CodeList = list.parse().expect("a code list");
        let strategy: Strategy = strategy.parse().expect("a strategy");
        Some(differentiate(&list, &strategy).expect("it is small").effort?.to_string())
    }

    #[test]
    fn what_is_told_is_what_each_order_takes() {
        // One result: reverse takes a product for each input, forward one for each input and factor.
        let product = "input a b c d\np = a * b\nq = p * c\nr = q * d\noutput r";
        assert_eq!(
            told(product, "reverse").as_deref(),
            Some("4 multiplications; forward 5, reverse 4, no order below that")
        );
        assert_eq!(
            told(product, "forward").as_deref(),
            Some("5 multiplications; forward 5, reverse 4, no order below 4")
        );
        // Pairs of labels that are no neighbours are bounded by nothing.
        assert_eq!(told(product, "paths").as_deref(), Some("5 multiplications; forward 5, reverse 4"));
        assert_eq!(told("input a b\np = a * b\noutput p", "reverse"), None);
        let long =
            (0..40).fold("input a b\nv0 = a * b\n".to_string(), |text, i| format!("{text}v{} = v{i} * b\n", i + 1));
        assert_eq!(told(&format!("{long}output v40"), "reverse"), None);
    }
}
