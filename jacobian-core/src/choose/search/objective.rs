//! What a search makes small, and the arithmetics that measure it.

use jacobian_list::code_list::CodeList;

use super::edges::Edges;
use super::state::Reversible;
use crate::accumulate::draft;
use crate::algebra::Term;
pub use crate::choose::order::Objective;
use crate::graph::elimination::Arithmetic;
use crate::graph::program::{Ends, LabelId, LabelKind, Measure, Program};
use crate::linearize::Linearization;
use crate::write::cost::OperationCount;
use crate::write::cost::time::Estimate;

impl Objective {
    /// The cost of an elimination with this program.
    pub fn cost(self, linearization: &Linearization, program: &Program) -> Cost {
        match self {
            Objective::Counted(measure) => Cost { first: program.multiplications(measure), second: 0 },
            _ => self.rank(&draft(linearization.clone(), program)),
        }
    }

    /// The cost of the code of `list`.
    pub fn rank(self, list: &CodeList) -> Cost {
        let (first, second) = match self {
            Objective::Time => (Estimate::of(list).total(), 0),
            Objective::Operations => OperationCount::of(list).rank(),
            Objective::Counted(_) | Objective::Multiplications => {
                let count = OperationCount::of(list);
                (count.multiplications, count.total() - count.multiplications)
            }
        };
        Cost { first, second }
    }
}

/// What an elimination costs: less in the first place is better, whatever is in the second.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Cost {
    /// What the objective is about.
    pub first: usize,
    /// What decides between equal ones.
    pub second: usize,
}

impl Cost {
    /// Whether the cost is less than another one, by more than this many per cent.
    pub fn is_less(self, than: Cost, margin: usize) -> bool {
        self < than && 100 * self.first <= (100 - margin) * than.first
    }

    /// The cost as one number, in which a few of the second weigh less than one of the first.
    pub fn energy(self) -> f64 {
        self.first as f64 + self.second as f64 / 64.0
    }
}

/// An arithmetic that knows what it has cost.
pub trait Measuring: Reversible {
    /// The cost of a complete elimination, which has led to these edges.
    fn cost(&mut self, edges: &Edges<Self::Label>) -> Cost;
}

/// Counts the multiplications of an accumulation program that it does not write.
pub struct Counting<'a> {
    before: &'a Program,
    measure: Measure,
    multiplications: usize,
}

impl<'a> Counting<'a> {
    /// Goes on from `before`.
    pub fn new(before: &'a Program, measure: Measure) -> Self {
        Counting { before, measure, multiplications: before.multiplications(measure) }
    }
}

impl Arithmetic for Counting<'_> {
    type Label = LabelKind;

    fn product(&mut self, first: LabelKind, second: LabelKind, _: Ends) -> LabelKind {
        self.multiplications += first.multiplications(second, self.measure);
        first.times(second)
    }

    fn absorb(&mut self, addend: LabelKind, first: LabelKind, second: LabelKind, ends: Ends) -> LabelKind {
        addend.plus(self.product(first, second, ends))
    }

    fn sum(&mut self, first: LabelKind, second: LabelKind, _: Ends) -> LabelKind {
        first.plus(second)
    }
}

impl Reversible for Counting<'_> {
    type Mark = usize;

    fn given(&self, label: LabelId) -> LabelKind {
        self.before.kind(label)
    }

    fn mark(&self) -> usize {
        self.multiplications
    }

    fn reset(&mut self, mark: usize) {
        self.multiplications = mark;
    }
}

impl Measuring for Counting<'_> {
    fn cost(&mut self, _: &Edges<LabelKind>) -> Cost {
        Cost { first: self.multiplications, second: 0 }
    }
}

/// Writes the code, folded and numbered, as [`accumulate`](crate::accumulate::accumulate) would.
pub struct Emitting {
    linearization: Linearization,
    objective: Objective,
}

impl Emitting {
    /// Writes after the statements of `linearization`.
    pub fn new(linearization: &Linearization, objective: Objective) -> Self {
        Emitting { linearization: linearization.with_program(), objective }
    }
}

impl Arithmetic for Emitting {
    type Label = Term;

    fn product(&mut self, first: Term, second: Term, _: Ends) -> Term {
        self.linearization.algebra.path_product(first, second)
    }

    fn absorb(&mut self, addend: Term, first: Term, second: Term, ends: Ends) -> Term {
        let product = self.product(first, second, ends);
        self.linearization.algebra.path_sum(addend, product)
    }

    fn sum(&mut self, first: Term, second: Term, _: Ends) -> Term {
        self.linearization.algebra.path_sum(first, second)
    }
}

impl Reversible for Emitting {
    /// The length of the list.
    type Mark = usize;

    fn given(&self, label: LabelId) -> Term {
        self.linearization.labels[label.index()]
    }

    fn mark(&self) -> usize {
        self.linearization.algebra.list().statements().len()
    }

    fn reset(&mut self, mark: usize) {
        self.linearization.algebra.truncate(mark);
    }
}

impl Measuring for Emitting {
    fn cost(&mut self, edges: &Edges<Term>) -> Cost {
        let mark = self.mark();
        let mut ends = vec![Ends::default(); self.linearization.graph.vertex_count()];
        let entries = self.linearization.entries(|row, add| {
            let count = edges.list_incoming(row, &mut ends);
            ends[..count].iter().for_each(|edge| add(edge.source, edges.label(*edge)));
        });
        self.linearization.declare_draft(&entries.terms);
        let cost = self.objective.rank(self.linearization.algebra.list());
        self.reset(mark);
        cost
    }
}
