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
    sequence STRATEGY    what was eliminated, as an order that can be given: `--strategy STRATEGY` does the same
    siblings N           the pairs of a predecessor and a successor that an elimination shares with the one before it
    neighbours N         the eliminations at a vertex which the one before it has touched
    absorptions N        the products that are added to a label which is there
    reuse-distance X     the labels that are used between two uses of the same, on average; `none` if there are none

The last four are the figures of `jacobian_lab::locality`. Where vertices have no part in it, as in `path: search`, there are
no siblings and no neighbours; `paths`, which eliminates nothing, has no sequence.

A strategy that minimises something (`MODE: search`, `MODE: optimal`) is run once for the multiplications of the emitted
code, which the program and all lines but `textbook` and `optimal` show, and once for the textbook count. Where only the
least textbook count can be proven, all lines are those of its elimination. A search takes a few seconds, unless it is told the steps.

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
    pub program: bool,
    pub dot: bool,
    pub compare: bool,
}

impl Request {
    /// Reads the arguments after the name of the program. An error is a message for the user.
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
        let strategy = strategy.map_or(Ok(Strategy::Auto), |strategy| strategy.parse());
        let strategy = strategy.map_err(|error| format!("--strategy: {error}"))?;
        let strategy = match steps {
            Some(steps) => with_steps(&strategy, &steps)?,
            None => strategy,
        };
        Ok(Request::Report(Options { file, strategy, program, dot, compare }))
    }
}

/// The strategy, which must be a search without steps, with that number of steps.
fn with_steps(strategy: &Strategy, steps: &str) -> Result<Strategy, String> {
    if strategy.steps().is_some() {
        return Err("the steps are given twice".to_string());
    }
    if strategy.with_steps(0).is_none() {
        return Err(format!("`--steps` is for searches, and `{strategy}` is none"));
    }
    let number = steps.parse().map_err(|_| format!("--steps: expected a number, found `{steps}`"))?;
    Ok(strategy.with_steps(number).expect("a search takes steps"))
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
