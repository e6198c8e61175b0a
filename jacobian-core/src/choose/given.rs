//! Orders that are given, target by target: from the literature, by a search of another tool, or by hand.

use std::fmt;
use std::marker::PhantomData;

use crate::choose::order::Order;
use crate::eliminate::{Elimination, Mode, Target};
use crate::error::{Absence, Error, Left};
use crate::graph::program::Ends;
use crate::graph::{Graph, Role, VertexId};
use crate::linearize::Linearization;

/// The order of these targets in the mode `M`, which may name them all. A vertex, in a finer mode, stands for its
/// parts.
pub struct Given<M> {
    targets: Vec<Target>,
    mode: PhantomData<M>,
}

impl<M: Mode> Given<M> {
    /// The order of these targets.
    pub fn new(targets: &[Target]) -> Self {
        Given { targets: targets.to_vec(), mode: PhantomData }
    }
}

impl<M: Mode> Order for Given<M> {
    /// # Errors
    /// Where a target is not there in its turn, or something is left at the end.
    fn eliminate(&self, linearization: &Linearization, limit: usize) -> Result<Elimination, Error> {
        let mut program = linearization.program.clone();
        let mut mode = M::new(&linearization.graph, &mut program)?;
        let mut sequence = Vec::new();
        for &target in &self.targets {
            let mut part = Some(mode.find(target).ok_or_else(|| not_there::<M>(target, &linearization.graph))?);
            while let Some(eliminated) = part {
                sequence.push(mode.describe(eliminated));
                mode.eliminate(eliminated, &mut program);
                if program.accumulations().len() > limit {
                    return Err(Error::TooManySteps { limit });
                }
                part = if let Target::Vertex(_) = target { mode.find(target) } else { None };
            }
        }
        let left = mode.targets();
        if !left.is_empty() {
            let name = |&target: &M::Target| name(linearization, mode.describe(target));
            let named = left.iter().take(Left::NAMED).map(name).collect();
            return Err(Error::LeftByOrder { mode: M::NAME, left: Left { named, count: left.len() } });
        }
        program.set_entries(mode.entries());
        Ok(Elimination { sequence, program })
    }

    fn mode(&self) -> Option<&'static str> {
        Some(M::NAME)
    }

    fn is_of_one_graph(&self) -> bool {
        true
    }
}

/// Why a target is not there in its turn.
fn not_there<M: Mode>(target: Target, graph: &Graph) -> Error {
    let (vertices, centre) = match target {
        Target::Vertex(vertex) => (vec![vertex], Some(vertex)),
        Target::Front(Ends { source, target }) => (vec![source, target], Some(target)),
        Target::Back(Ends { source, target }) => (vec![source, target], Some(source)),
        Target::Face { source, centre, target, .. } => (vec![source, centre, target], Some(centre)),
        Target::Pair(..) => (Vec::new(), None),
    };
    let is_unknown = |vertex: &VertexId| vertex.index() >= graph.vertex_count();
    let is_end = |vertex: &VertexId| graph.role(*vertex) != Role::Intermediate;
    let why = match vertices.into_iter().find(is_unknown) {
        Some(vertex) => Absence::NoVertex { vertex, count: graph.vertex_count() },
        None => centre.filter(is_end).map_or(Absence::Gone, |vertex| Absence::NotIntermediate { vertex }),
    };
    Error::NotThere { mode: M::NAME, target, why }
}

/// A target, and what the function calls it.
fn name(linearization: &Linearization, target: Target) -> String {
    let name = match target {
        Target::Vertex(vertex) => linearization.name(vertex),
        _ => None,
    };
    name.map_or_else(|| target.to_string(), |name| format!("{target} (`{name}`)"))
}

impl<M: Mode> fmt::Display for Given<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let targets: Vec<_> = self.targets.iter().map(Target::to_string).collect();
        write!(formatter, "{}: order({})", M::NAME, targets.join(", "))
    }
}

impl<M: Mode> fmt::Debug for Given<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
