//! The command line.

use jacobian_core::Strategy;

pub const HELP: &str = "\
usage: lcg FILE.lcg [--strategy STRATEGY] [--steps N] [--program] [--dot] [--compare]

Accumulates the Jacobian of the linearized computational graph in FILE.lcg, and prints, one a line:
    multiplications N    in the code that is emitted: units and constants folded, equal operations shared
    additions N          in the same code, subtractions among them
    textbook N           products of two labels, whatever they are: the count of the literature
    optimal yes|no|unknown
                         whether no vertex, edge or face elimination takes fewer than the textbook count (for a
                         strategy `MODE: optimal`: whether none of its mode does)
    lower-bound N        no such elimination takes fewer
    least-edges N        the edges of the smallest graph that vertex elimination reaches: exact for small graphs, else
                         the least that a bounded search finds

A strategy that minimises something (`MODE: search`, `MODE: optimal`) is run once for the multiplications of the emitted
code, which the first two lines and the program show, and once for the textbook count. Where only the least textbook
count can be proven, all lines are those of its elimination. A search takes a few seconds, unless it is told the steps.

    --strategy STRATEGY  a preset or a hierarchy, for instance \"vertex: markowitz > reverse\"; `auto` by default
    --steps N            the orders that `search` or `MODE: search` tries
    --program            prints the code, too: c[i,j] is the label of the edge i -> j, J[j,i] the derivative of the
                         dependent j with respect to the independent i
    --dot                prints two pictures instead, in the language of Graphviz: the graph before and after the
                         elimination, with the labels of the edges
    --compare            prints a table of all strategies instead
";

/// What is asked for.
pub enum Request {
    Help,
    Report(Options),
}

pub struct Options {
    pub file: String,
    pub strategy: Strategy,
    /// Of a search.
    pub steps: Option<usize>,
    /// Whether it is for us to choose the steps of a search.
    pub may_choose_steps: bool,
    pub program: bool,
    pub dot: bool,
    pub compare: bool,
}

impl Request {
    /// Reads the arguments behind the name of the program. An error is a message for the user.
    pub fn read(mut arguments: impl Iterator<Item = String>) -> Result<Request, String> {
        let (mut file, mut strategy, mut steps) = (None, None, None);
        let (mut program, mut dot, mut compare) = (false, false, false);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--help" | "-h" => return Ok(Request::Help),
                "--program" => program = true,
                "--dot" => dot = true,
                "--compare" => compare = true,
                "--strategy" => set(&mut strategy, "--strategy", value("--strategy", &mut arguments)?)?,
                "--steps" => set(&mut steps, "--steps", value("--steps", &mut arguments)?)?,
                option if option.starts_with('-') => return Err(format!("unknown option `{option}`\n\n{HELP}")),
                _ if file.is_some() => return Err(format!("expected one file only, found `{argument}` as well")),
                _ => file = Some(argument),
            }
        }
        let file = file.ok_or_else(|| format!("expected the name of a file\n\n{HELP}"))?;
        if compare && (strategy.is_some() || program || dot) {
            return Err("`--compare` prints a table of all strategies and nothing else".to_string());
        }
        if dot && program {
            return Err("`--dot` prints two pictures and nothing else".to_string());
        }
        let strategy = strategy.unwrap_or_else(|| "auto".into());
        let steps = steps.map(|steps| steps_of(&strategy, &steps)).transpose()?;
        let may_choose_steps = steps.is_none() && is_search(&strategy);
        let strategy = strategy.parse().map_err(|error| format!("--strategy: {error}"))?;
        Ok(Request::Report(Options { file, strategy, steps, may_choose_steps, program, dot, compare }))
    }
}

/// Whether a strategy is a search of which the steps are not given.
fn is_search(strategy: &str) -> bool {
    strategy.trim().ends_with("search")
}

/// The number of steps for a strategy, which must be a search.
fn steps_of(strategy: &str, steps: &str) -> Result<usize, String> {
    match steps.parse() {
        _ if strategy.contains("steps") => Err("the steps are given twice".to_string()),
        _ if !is_search(strategy) => Err(format!("`--steps` is for searches, and `{strategy}` is none")),
        Ok(steps) => Ok(steps),
        Err(_) => Err(format!("--steps: expected a number, found `{steps}`")),
    }
}

fn value(option: &str, arguments: &mut impl Iterator<Item = String>) -> Result<String, String> {
    arguments.next().ok_or_else(|| format!("`{option}` takes a value"))
}

fn set(place: &mut Option<String>, name: &str, value: String) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("`{name}` is given twice")),
    }
}
