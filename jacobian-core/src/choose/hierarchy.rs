//! Hierarchies: orders of elimination by filters, one after the other; and those with which searches begin.

use std::borrow::Cow;
use std::fmt;

use crate::choose::order::Order;
use crate::eliminate::vertex::{FORWARD, MARKOWITZ, PRE, REVERSE, VLR, Vertex};
use crate::eliminate::{self, Elimination, Heuristic, Mode};
use crate::error::Error;
use crate::linearize::Linearization;

/// Filters in the order of their application; the last is a total order.
pub struct Hierarchy<M: Mode>(Cow<'static, [&'static Heuristic<M>]>);

/// The hierarchies with which searches begin, the most promising for large functions first; of equal cost, the first is
/// taken.
pub static PORTFOLIO: &[Hierarchy<Vertex>] = &[
    Hierarchy::fixed(&[&REVERSE]),
    Hierarchy::fixed(&[&FORWARD]),
    Hierarchy::fixed(&[&PRE, &REVERSE]),
    Hierarchy::fixed(&[&MARKOWITZ, &REVERSE]),
    Hierarchy::fixed(&[&PRE, &FORWARD]),
    Hierarchy::fixed(&[&MARKOWITZ, &FORWARD]),
    Hierarchy::fixed(&[&VLR, &REVERSE]),
    Hierarchy::fixed(&[&PRE, &MARKOWITZ, &REVERSE]),
];

impl<M: Mode> Hierarchy<M> {
    /// The hierarchy of these filters, of which the last is a total order.
    pub(crate) const fn fixed(filters: &'static [&'static Heuristic<M>]) -> Self {
        Hierarchy(Cow::Borrowed(filters))
    }

    /// The hierarchy of these filters, of which the last is a total order.
    pub(crate) fn new(filters: Vec<&'static Heuristic<M>>) -> Self {
        Hierarchy(Cow::Owned(filters))
    }
}

impl<M: Mode> Order for Hierarchy<M> {
    fn eliminate(&self, linearization: &Linearization, limit: usize) -> Result<Elimination, Error> {
        eliminate::run(&linearization.graph, &self.0, linearization.program.clone(), limit)
    }

    fn mode(&self) -> Option<&'static str> {
        Some(M::NAME)
    }
}

impl<M: Mode> Clone for Hierarchy<M> {
    fn clone(&self) -> Self {
        Hierarchy(self.0.clone())
    }
}

impl<M: Mode> fmt::Debug for Hierarchy<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl<M: Mode> fmt::Display for Hierarchy<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|row| row.name).collect();
        write!(formatter, "{}: {}", M::NAME, names.join(" > "))
    }
}
