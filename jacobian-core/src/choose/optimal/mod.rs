//! Proven optima: eliminations with the fewest multiplications.
//!
//! [`vertex()`] finds the best order of vertices, [`symmetric()`] that of the pairs of a symmetric graph, and
//! [`sequence()`] the best sequence in a finer mode. Where the lower bound of [`crate::choose::bound`] proves a
//! heuristic best, that is all. Else it takes a search, which is bounded by the number of states that it visits:
//! which functions are too large depends on their structure more than on their length.
//!
//! What is least is the number of multiplications of an elimination, by either measure, and not the number of
//! operations that are left of it once equal ones have been merged.

mod limits;
mod parts;
mod reduce;
mod routes;
pub mod sequence;
pub mod state;
mod symmetric;
pub mod vertex;

use std::fmt;
use std::rc::Rc;

use crate::choose::order::{Objective, Order};
use crate::eliminate::vertex::Vertex;
use crate::eliminate::{Elimination, Mode};
use crate::error::Error;
use crate::graph::program::Measure;
use crate::linearize::Linearization;

pub use self::limits::Limits;
pub use crate::error::TooLarge;
pub use sequence::sequence;
pub use state::Searchable;
pub use symmetric::symmetric;
pub use vertex::vertex;

/// What `MODE: optimal` does in a mode.
pub type Find = fn(&Linearization, Measure) -> Result<Elimination, Error>;

/// The strategy `MODE: optimal`.
#[derive(Copy, Clone, Debug)]
pub struct Optimal {
    /// The name of the mode.
    pub mode: &'static str,
    /// What is least.
    pub measure: Measure,
    /// Finds it.
    pub find: Find,
}

impl Optimal {
    /// `vertex: optimal`.
    pub const VERTEX: Optimal = Optimal { mode: Vertex::NAME, measure: Measure::Folded, find: best_order };

    /// `MODE: optimal` in a finer mode.
    pub const fn of<M: Searchable>() -> Optimal {
        Optimal { mode: M::NAME, measure: Measure::Folded, find: best_sequence::<M> }
    }
}

impl fmt::Display for Optimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: optimal", self.mode)
    }
}

impl Order for Optimal {
    fn eliminate(&self, linearization: &Linearization, _: usize) -> Result<Elimination, Error> {
        (self.find)(linearization, self.measure)
    }

    fn minimising(&self, objective: Objective) -> Option<Rc<dyn Order>> {
        let measure = match objective {
            Objective::Counted(measure) => measure,
            Objective::Multiplications | Objective::Operations | Objective::Time => Measure::Folded,
        };
        Some(Rc::new(Optimal { measure, ..*self }))
    }

    fn mode(&self) -> Option<&'static str> {
        Some(self.mode)
    }
}

/// `vertex: optimal`.
///
/// # Errors
/// As [`vertex`](vertex()).
pub fn best_order(linearization: &Linearization, measure: Measure) -> Result<Elimination, Error> {
    let (graph, program) = (&linearization.graph, linearization.program.clone());
    Ok(match graph.axis() {
        Some(axis) => symmetric(graph, axis, program, measure, Limits::PAIRS.states)?,
        None => vertex(graph, program, measure, None, Limits::VERTICES)?,
    })
}

/// `edge: optimal`, `face: optimal` or `path: optimal`. The best order of vertices is a start for these.
///
/// # Errors
/// As [`sequence`](sequence()).
pub fn best_sequence<M: Searchable>(linearization: &Linearization, measure: Measure) -> Result<Elimination, Error> {
    if linearization.graph.axis().is_some() {
        return best_sequence::<M>(&linearization.without_symmetry(), measure);
    }
    let known = best_order(linearization, measure).ok();
    sequence::<M>(&linearization.graph, linearization.program.clone(), measure, known, Limits::SEQUENCES)
}
