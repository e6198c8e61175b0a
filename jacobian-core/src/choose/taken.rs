//! The order that an elimination has taken, for readers: as it can be given, and what the function calls its vertices.

use std::collections::BTreeMap;
use std::fmt;

use crate::choose::modes::MODES;
use crate::choose::strategy::Strategy;
use crate::eliminate::Target;
use crate::eliminate::target::Factor;
use crate::graph::VertexId;
use crate::linearize::Linearization;

/// What is longer is not written out.
const MAX_TARGETS: usize = 30;

/// An order, and the names of the vertices in it that have one.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The order.
    pub order: Strategy,
    names: BTreeMap<VertexId, String>,
}

impl Taken {
    /// The order of `sequence`, unless it is empty or too long for a reader.
    pub fn of(linearization: &Linearization, sequence: &[Target]) -> Option<Taken> {
        let is_short = (1..=MAX_TARGETS).contains(&sequence.len());
        let order = MODES.iter().filter(|_| is_short).find_map(|mode| (mode.given)(sequence))?;
        let name = |vertex: VertexId| Some((vertex, linearization.name(vertex)?.to_string()));
        let names = sequence.iter().flat_map(|&target| vertices(target)).filter_map(name).collect();
        Some(Taken { order: Strategy::Order(order), names })
    }
}

/// The vertices that a target is named by.
fn vertices(target: Target) -> Vec<VertexId> {
    let of_factor = |factor| match factor {
        Factor::Edge(ends) => vec![ends.source, ends.target],
        Factor::Formed(_) => Vec::new(),
    };
    match target {
        Target::Vertex(vertex) => vec![vertex],
        Target::Front(ends) | Target::Back(ends) => vec![ends.source, ends.target],
        Target::Face { source, centre, target, .. } => vec![source, centre, target],
        Target::Pair(first, second) => [of_factor(first), of_factor(second)].concat(),
    }
}

impl fmt::Display for Taken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`", self.order)?;
        let names: Vec<_> = self.names.iter().map(|(vertex, name)| format!("{} `{name}`", vertex.0)).collect();
        if names.is_empty() { Ok(()) } else { write!(formatter, " ({})", names.join(", ")) }
    }
}
