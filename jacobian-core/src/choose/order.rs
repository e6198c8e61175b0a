//! What an order of elimination is, and what it may make small.

use std::fmt;
use std::rc::Rc;

use crate::eliminate::Elimination;
use crate::error::Error;
use crate::graph::program::Measure;
use crate::linearize::Linearization;

/// The most accumulation expressions of one elimination. Code of that length takes rustc minutes.
pub const MAX_ACCUMULATIONS: usize = 1_000_000;

/// An order of elimination, or a way to find one.
pub trait Order: fmt::Display + fmt::Debug {
    /// Eliminates everything in at most `limit` accumulation expressions.
    ///
    /// # Errors
    /// Where it takes more, or more than the order may look through.
    fn eliminate(&self, linearization: &Linearization, limit: usize) -> Result<Elimination, Error>;

    /// The same with another objective, where it has one.
    fn minimising(&self, _: Objective) -> Option<Rc<dyn Order>> {
        None
    }

    /// The same with a number of steps, where it takes steps.
    fn with_steps(&self, _: usize) -> Option<Rc<dyn Order>> {
        None
    }

    /// The same with other random numbers, where it takes some.
    fn with_seed(&self, _: u64) -> Option<Rc<dyn Order>> {
        None
    }

    /// The number of steps, where one is given.
    fn steps(&self) -> Option<usize> {
        None
    }

    /// The name of its mode, if it has one.
    fn mode(&self) -> Option<&'static str> {
        None
    }

    /// Whether it names the targets of one graph, and says nothing of others.
    fn is_of_one_graph(&self) -> bool {
        false
    }
}

/// What a search makes small. Of the emitted code, the signs of entries do not count: they are placed when it is known.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Objective {
    /// The multiplications of the accumulation program.
    Counted(Measure),
    /// The multiplications of the emitted code, function included; of equal ones, the other operations.
    Multiplications,
    /// The operations of the emitted code, function included; of equal ones, divisions and calls.
    Operations,
    /// The time that the emitted code is estimated to take, function included.
    #[default]
    Time,
}
