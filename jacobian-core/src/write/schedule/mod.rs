//! Schedules: in which order the statements of a derivative are written.
//!
//! ```text
//! schedule = name [ "(" parameter "=" number { "," parameter "=" number } ")" ]
//! ```
//!
//! The statements are those of the *one-hit form*: each accumulated entry gets its final value in one statement, an
//! initial partial plus a sum of products. [`Statements`] finds these in a code list whose entries have been
//! accumulated, and moves them.
//!
//! To add a schedule is to add a row to [`SCHEDULES`].

mod arrivals;
pub mod dependence;
mod depth_first;
mod latency;
mod list;
mod pressure;
mod statements;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use jacobian_list::block::Body;
use jacobian_list::catalogue::Class;
use jacobian_list::code_list::{CodeList, Statement};
use jacobian_list::evaluate::constants;

pub use self::dependence::DependenceGraph;
pub use self::statements::Statements;
use crate::derivative::Derivative;

/// How a schedule orders statements.
enum Order {
    /// They stay as they are.
    AsWritten,
    /// By the order of the statements of a graph, and the values of some parameters.
    Found(fn(&DependenceGraph, &[usize]) -> Vec<usize>),
    /// As this schedule does, which is chosen for each function.
    Chosen(fn(&CodeList) -> &'static Row),
}

/// A way to order statements: one row of [`SCHEDULES`].
pub struct Row {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub does: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The names and the default values of its parameters.
    pub parameters: &'static [(&'static str, usize)],
    /// How it does so.
    order: Order,
}

/// The schedule `source`.
const SOURCE: Row = Row {
    name: "source",
    does: "nothing: the function's statements with their partials, then the entries as they are accumulated",
    source: "",
    parameters: &[],
    order: Order::AsWritten,
};

/// The schedule `latency`.
const LATENCY: Row = Row {
    name: "latency",
    does: "hides the waiting for calls and divisions: of what could be there by now, the statement that the longest \
           chain waits for",
    source: "list scheduling by critical paths, Gibbons and Muchnick 1986",
    parameters: &[],
    order: Order::Found(|graph, _| latency::order(graph)),
};

/// Every schedule; the first is the default.
pub static SCHEDULES: &[Row] = &[
    Row {
        name: "auto",
        does: "`latency` where functions are called, of the mathematical library or others; else `source`",
        source: "docs/schedules.md",
        parameters: &[],
        order: Order::Chosen(|list| if has_calls(list) { &LATENCY } else { &SOURCE }),
    },
    SOURCE,
    LATENCY,
    Row {
        name: "depth-first",
        does: "puts what a statement uses close before it",
        source: "Tadjouddine, Forth and Pryce 2003",
        parameters: &[],
        order: Order::Found(|graph, _| depth_first::order(graph)),
    },
    Row {
        name: "list",
        does: "avoids waiting: of what is ready, the statement with the highest rank `a * depth + b * successors`",
        source: "Tadjouddine, Bodman, Pryce and Forth 2006",
        parameters: &[("a", 1), ("b", 1)],
        order: Order::Found(|graph, parameters| list::order(graph, parameters[0], parameters[1])),
    },
    Row {
        name: "pressure",
        does: "keeps few values live: from the results backwards, the statement that makes the fewest values live",
        source: "list scheduling for register pressure, bottom-up",
        parameters: &[],
        order: Order::Found(|graph, _| pressure::order(graph)),
    },
];

/// The largest value of a parameter.
const MAX_PARAMETER: usize = 1_000;

/// An order of the statements of a derivative.
#[derive(Clone)]
pub struct Schedule {
    row: &'static Row,
    /// The values of its parameters.
    parameters: Vec<usize>,
}

impl Schedule {
    /// The schedule of a row, its parameters as they are by default.
    pub fn of(row: &'static Row) -> Self {
        Schedule { row, parameters: row.parameters.iter().map(|(_, value)| *value).collect() }
    }

    /// The schedule itself, or the one that it chooses for a function.
    pub fn chosen(&self, list: &CodeList) -> Schedule {
        match self.row.order {
            Order::Chosen(choose) => Schedule::of(choose(list)),
            _ => self.clone(),
        }
    }

    /// Whether it leaves the statements of a graph as they are. One that chooses by the function does, too.
    pub fn keeps_order(&self) -> bool {
        !matches!(self.row.order, Order::Found(_))
    }

    /// The order of the statements of a graph.
    pub fn order(&self, graph: &DependenceGraph) -> Vec<usize> {
        match self.row.order {
            Order::Found(find) => find(graph, &self.parameters),
            _ => (0..graph.len()).collect(),
        }
    }

    /// The list in this order, the arms of its branches and the bodies of its loops, too.
    pub fn apply(&self, list: &CodeList) -> CodeList {
        let chosen = self.chosen(list);
        if chosen.keeps_order() { list.clone() } else { chosen.reordered(list) }
    }

    fn reordered(&self, list: &CodeList) -> CodeList {
        let statements = Statements::of(list);
        let mut ordered = statements.in_order(&self.order(statements.graph()));
        for id in ordered.ids().filter(|&id| ordered.has_lists(id)).collect::<Vec<_>>() {
            for list in ordered.block_mut(id).lists_mut() {
                *list = Arc::new(self.reordered(list));
            }
        }
        if let Some(used) = list.used_inputs() {
            ordered.set_used_inputs(used.to_vec());
        }
        ordered
    }
}

/// Whether it calls a function, of the mathematical library or another, perhaps in an arm of a branch or in a loop.
fn has_calls(list: &CodeList) -> bool {
    let constants = constants(list);
    list.ids().any(|id| match list.statement(id) {
        Statement::Apply { intrinsic, .. } => intrinsic.row().class == Class::Call && !constants[id.index()],
        Statement::Block(_) => match &list.block_of(id).body {
            Body::Call { .. } => true,
            _ => list.block_of(id).lists().iter().any(|list| has_calls(list)),
        },
        _ => false,
    })
}

impl Derivative {
    /// The derivative with its statements in another order.
    pub fn scheduled(self, schedule: &Schedule) -> Derivative {
        let chosen = schedule.chosen(&self.list);
        match chosen.keeps_order() {
            true => self,
            false => Derivative { list: chosen.reordered(&self.list), ..self },
        }
    }
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule::of(&SCHEDULES[0])
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = self.row.parameters.iter().zip(&self.parameters);
        let parameters: Vec<_> = parameters.map(|((name, _), value)| format!("{name} = {value}")).collect();
        match parameters.is_empty() {
            true => formatter.write_str(self.row.name),
            false => write!(formatter, "{}({})", self.row.name, parameters.join(", ")),
        }
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Why a text names no schedule. Its message says what is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduleError(String);

impl fmt::Display for ScheduleError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ScheduleError {}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        let (name, parameters) = match text.trim().split_once('(') {
            Some((name, rest)) => (name.trim(), Some(rest)),
            None => (text.trim(), None),
        };
        let Some(row) = SCHEDULES.iter().find(|row| row.name == name) else {
            let known: Vec<_> = SCHEDULES.iter().map(|row| format!("`{}`", Schedule::of(row))).collect();
            return Err(ScheduleError(format!("unknown schedule `{name}`; known: {}", known.join(", "))));
        };
        let mut schedule = Schedule::of(row);
        if let Some(parameters) = parameters {
            schedule.read(parameters).ok_or_else(|| {
                let written = Schedule::of(row);
                ScheduleError(format!(
                    "the schedule `{name}` is written `{written}`, with numbers up to {MAX_PARAMETER}"
                ))
            })?;
        }
        Ok(schedule)
    }
}

impl Schedule {
    /// Reads `a = 1, b = 2)`: every parameter at most once.
    fn read(&mut self, text: &str) -> Option<()> {
        let mut is_given = vec![false; self.parameters.len()];
        for parameter in text.strip_suffix(')')?.split(',') {
            let (name, value) = parameter.split_once('=')?;
            let place = self.row.parameters.iter().position(|(known, _)| *known == name.trim())?;
            let is_number = value.trim().bytes().all(|byte| byte.is_ascii_digit());
            let value = value.trim().parse().ok().filter(|&value| is_number && value <= MAX_PARAMETER)?;
            if std::mem::replace(&mut is_given[place], true) {
                return None;
            }
            self.parameters[place] = value;
        }
        Some(())
    }
}
