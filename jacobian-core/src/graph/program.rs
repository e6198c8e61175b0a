//! Accumulation programs: the result of every elimination, whatever it eliminates.
//!
//! The *labels* are numbered: first those of the graph's edges, then one for every *accumulation expression*. An
//! expression is a product, a product added to a label (absorption), a sum (of labels that two vertices of a dual or a
//! path graph carried), or a label with the other sign. No label changes, so the order of the expressions matters only as far as one uses another.

use std::fmt;

use crate::graph::label::VertexId;
pub use crate::graph::label::{Ends, Entry, LabelId, LabelKind, Measure};

/// The right-hand side of an accumulation expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `first * second`: fill-in.
    Product {
        /// The label towards the independents.
        first: LabelId,
        /// The label towards the dependents.
        second: LabelId,
    },
    /// `addend + first * second`: absorption.
    Absorption {
        /// The label that absorbs the product.
        addend: LabelId,
        /// The label towards the independents.
        first: LabelId,
        /// The label towards the dependents.
        second: LabelId,
    },
    /// `first + second`: two labels merge.
    Sum {
        /// The one label.
        first: LabelId,
        /// The other.
        second: LabelId,
    },
    /// `-of`: a sign, and no operation of the chain rule.
    Negation {
        /// The label.
        of: LabelId,
    },
}

/// A Jacobian accumulation expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Accumulation {
    /// What is computed.
    pub operation: Operation,
    /// The ends of its paths; none where factors with a gap between them are multiplied ahead of time.
    pub ends: Option<Ends>,
}

/// An accumulation program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The ends of the given labels, those of the graph's edges.
    given: Vec<Ends>,
    /// By label.
    kinds: Vec<LabelKind>,
    accumulations: Vec<Accumulation>,
    /// By row, then column.
    entries: Vec<Entry>,
}

impl Program {
    /// A program over labels with these ends, of which that is known.
    pub(crate) fn over(given: Vec<Ends>, kinds: Vec<LabelKind>) -> Self {
        Program { given, kinds, accumulations: Vec::new(), entries: Vec::new() }
    }

    /// The number of given labels.
    pub fn given(&self) -> usize {
        self.given.len()
    }

    /// The expressions; the first gives the label after the given ones.
    pub fn accumulations(&self) -> &[Accumulation] {
        &self.accumulations
    }

    /// What is known of a label.
    pub fn kind(&self, label: LabelId) -> LabelKind {
        self.kinds[label.index()]
    }

    /// The ends of the paths in a label, where it has no gaps.
    pub fn ends(&self, label: LabelId) -> Option<Ends> {
        let given = self.given.get(label.index()).copied();
        given.or_else(|| self.accumulations[label.index() - self.given.len()].ends)
    }

    /// Appends `first * second`, and returns its label: the other factor where one is a copy.
    pub fn product(&mut self, first: LabelId, second: LabelId, ends: Option<Ends>) -> LabelId {
        match (self.kind(first), self.kind(second)) {
            (LabelKind::Copy, _) => second,
            (_, LabelKind::Copy) => first,
            (left, right) => self.push(Operation::Product { first, second }, left.times(right), ends),
        }
    }

    /// Appends `addend + first * second`, and returns its label.
    pub fn absorb(&mut self, addend: LabelId, first: LabelId, second: LabelId, ends: Option<Ends>) -> LabelId {
        match (self.kind(first), self.kind(second)) {
            (LabelKind::Copy, _) => self.sum(addend, second, ends),
            (_, LabelKind::Copy) => self.sum(addend, first, ends),
            (left, right) => {
                let kind = self.kind(addend).plus(left.times(right));
                self.push(Operation::Absorption { addend, first, second }, kind, ends)
            }
        }
    }

    /// Appends `first + second`, and returns its label.
    pub fn sum(&mut self, first: LabelId, second: LabelId, ends: Option<Ends>) -> LabelId {
        let kind = self.kind(first).plus(self.kind(second));
        self.push(Operation::Sum { first, second }, kind, ends)
    }

    /// Appends `-of`, and returns its label.
    pub fn negation(&mut self, of: LabelId) -> LabelId {
        self.push(Operation::Negation { of }, self.kind(of), self.ends(of))
    }

    fn push(&mut self, operation: Operation, kind: LabelKind, ends: Option<Ends>) -> LabelId {
        self.accumulations.push(Accumulation { operation, ends });
        self.kinds.push(kind);
        LabelId(self.kinds.len() as u32 - 1)
    }

    /// Declares the entries of the Jacobian that are not zero by structure.
    pub fn set_entries(&mut self, mut entries: Vec<Entry>) {
        entries.sort_unstable();
        self.entries = entries;
    }

    /// The entries, by row, then column.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries of a row, by column.
    pub fn row(&self, row: VertexId) -> &[Entry] {
        let first = self.entries.partition_point(|entry| entry.row < row);
        let end = self.entries.partition_point(|entry| entry.row <= row);
        &self.entries[first..end]
    }

    /// The label of an entry; none where it is zero by structure.
    pub fn entry(&self, row: VertexId, column: VertexId) -> Option<LabelId> {
        let place = self.entries.binary_search_by(|entry| (entry.row, entry.column).cmp(&(row, column)));
        place.ok().map(|place| self.entries[place].label)
    }

    /// The multiplications.
    pub fn multiplications(&self, measure: Measure) -> usize {
        self.multiplications_after(0, measure)
    }

    /// The multiplications without those of the first `count` expressions.
    pub fn multiplications_after(&self, count: usize, measure: Measure) -> usize {
        let products = self.accumulations[count..].iter().filter_map(|accumulation| match accumulation.operation {
            Operation::Product { first, second } | Operation::Absorption { first, second, .. } => Some((first, second)),
            Operation::Sum { .. } | Operation::Negation { .. } => None,
        });
        products.map(|(first, second)| self.kind(first).multiplications(self.kind(second), measure)).sum()
    }

    /// The additions, those of numbers included.
    pub fn additions(&self) -> usize {
        let is_addition = |accumulation: &&Accumulation| {
            matches!(accumulation.operation, Operation::Absorption { .. } | Operation::Sum { .. })
        };
        self.accumulations.iter().filter(is_addition).count()
    }

    /// The name of every label: `c[i,j]` for that of the edge from vertex `i` to vertex `j`, `J[j,i]` for an expression
    /// that is nothing but the entry in the row of the dependent `j` and the column of the independent `i`, else `t1`,
    /// `t2`, and so on.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            self.given.iter().map(|ends| format!("c[{},{}]", ends.source.0, ends.target.0)).collect();
        let mut temporaries = 0;
        for uses in &self.uses()[self.given.len()..] {
            names.push(match uses {
                (0, Some(entry)) => entry.name(),
                _ => {
                    temporaries += 1;
                    format!("t{temporaries}")
                }
            });
        }
        names
    }

    /// By label: the label with the final value of the entry. It is another one where nothing else than the next
    /// expression of the entry uses the label.
    pub fn final_labels(&self) -> Vec<LabelId> {
        let uses = self.uses();
        let mut finals: Vec<_> = (0..uses.len()).map(|label| LabelId(label as u32)).collect();
        for (index, accumulation) in self.accumulations().iter().enumerate().rev() {
            let own = finals[self.given() + index];
            let mut is_added = |addend: LabelId| {
                if let (1, None) = uses[addend.index()]
                    && self.kind(addend) != LabelKind::Copy
                {
                    finals[addend.index()] = own;
                }
            };
            match accumulation.operation {
                Operation::Product { .. } | Operation::Negation { .. } => {}
                Operation::Absorption { addend, .. } => is_added(addend),
                Operation::Sum { first, second } => {
                    is_added(first);
                    is_added(second);
                }
            }
        }
        finals
    }

    /// How often each label is used: by expressions, and as an entry.
    pub fn uses(&self) -> Vec<(usize, Option<Entry>)> {
        let mut uses = vec![(0, None); self.kinds.len()];
        for accumulation in &self.accumulations {
            for label in accumulation.operation.labels() {
                uses[label.index()].0 += 1;
            }
        }
        for entry in &self.entries {
            let (count, of) = &mut uses[entry.label.index()];
            *count += usize::from(of.replace(*entry).is_some());
        }
        uses
    }
}

impl Entry {
    fn name(&self) -> String {
        format!("J[{},{}]", self.row.0, self.column.0)
    }
}

impl Operation {
    /// The labels that it uses.
    pub fn labels(self) -> impl Iterator<Item = LabelId> {
        let labels = match self {
            Operation::Product { first, second } | Operation::Sum { first, second } => {
                [None, Some(first), Some(second)]
            }
            Operation::Absorption { addend, first, second } => [Some(addend), Some(first), Some(second)],
            Operation::Negation { of } => [None, None, Some(of)],
        };
        labels.into_iter().flatten()
    }
}

impl fmt::Display for Program {
    /// A line for every expression and for every entry: `t1 = c[0,2]*c[2,3]`, `t2 = c[2,7] + c[2,3]*c[3,7]`,
    /// `J[7,0] = c[0,2]*t2`; the names are those of [`Program::names`].
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        let of = |label: LabelId| &names[label.index()];
        for (accumulation, name) in self.accumulations.iter().zip(&names[self.given.len()..]) {
            match accumulation.operation {
                Operation::Product { first, second } => writeln!(formatter, "{name} = {}*{}", of(first), of(second))?,
                Operation::Absorption { addend, first, second } => {
                    writeln!(formatter, "{name} = {} + {}*{}", of(addend), of(first), of(second))?;
                }
                Operation::Sum { first, second } => writeln!(formatter, "{name} = {} + {}", of(first), of(second))?,
                Operation::Negation { of: label } => writeln!(formatter, "{name} = -{}", of(label))?,
            }
        }
        for entry in self.entries.iter().filter(|entry| *of(entry.label) != entry.name()) {
            writeln!(formatter, "{} = {}", entry.name(), of(entry.label))?;
        }
        Ok(())
    }
}
