//! How a run ends, and which effects it has had: beside its value, all that is seen of it.

use super::interpret::Trace;
use super::value::Value;

/// The end of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ending {
    /// The message of the panic, if there was one.
    pub panic: Option<String>,
    /// What has been noted, and what is in the cells of the arguments.
    pub effects: Vec<u64>,
}

impl Ending {
    pub fn of<R>(panic: Option<String>, trace: &Trace, arguments: &[Value<R>]) -> Self {
        let cells = arguments.iter().filter_map(|argument| match argument {
            Value::Cell(cell) => Some(cell.get()),
            _ => None,
        });
        Ending { panic, effects: std::iter::once(trace.effects).chain(cells).collect() }
    }

    /// Whether another run ends as this one does, whatever a panic says. What is wrong, if not.
    pub fn agrees(&self, other: &Ending) -> Result<(), String> {
        match (&self.panic, &other.panic) {
            (Some(own), None) => return Err(format!("there is no panic, but the program panics: {own}")),
            (None, Some(other)) => return Err(format!("there is a panic of its own: {other}")),
            _ => {}
        }
        match self.effects == other.effects {
            true => Ok(()),
            false => Err(format!("the effects differ: {:?}, not {:?}", other.effects, self.effects)),
        }
    }
}
