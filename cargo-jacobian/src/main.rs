//! `cargo jacobian`: what `#[jacobian]` makes of the functions in a file, and how fast that is.

mod expand;
mod lcg;
mod report;
mod select;
mod tune;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use select::Place;

/// Shows what `#[jacobian]` generates, and why.
#[derive(Parser)]
#[command(name = "cargo jacobian", bin_name = "cargo jacobian", version)]
struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Prints the generated code, formatted.
    Expand {
        /// `FILE::path::f`, or `FILE` for all marked functions in it.
        place: Place,
    },
    /// Writes a page about a function: its code and where it comes from, its graph, all strategies.
    Report(Report),
    /// Prints the linearized graph of a function, in the text format of jacobian-lab, or reads it from a file.
    Lcg {
        /// `FILE::path::f`, or a file `NAME.lcg` with what has been printed.
        place: Place,
        /// In the language of Graphviz instead.
        #[arg(long, group = "drawn", conflicts_with_all = ["compare", "svg"])]
        dot: bool,
        /// A picture of it before the elimination and after each step instead.
        #[arg(long, group = "drawn", conflicts_with = "compare")]
        svg: bool,
        /// A table of all strategies on the graph instead.
        #[arg(long)]
        compare: bool,
        /// With `--dot` or `--svg`: the graph of the gradient, which the Hessian is eliminated from.
        #[arg(long, conflicts_with = "compare", requires = "drawn")]
        gradient: bool,
    },
    /// Builds and times candidates on this machine, and prints the fastest attribute.
    Tune(Box<tune::Tuning>),
}

#[derive(Args)]
struct Report {
    /// `FILE::path::f`.
    place: Place,
    /// The page that is written.
    #[arg(short, long, default_value = "report.html")]
    output: PathBuf,
    /// Prints the figures as JSON instead.
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

fn main() -> ExitCode {
    // Cargo passes the name of the subcommand.
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|first| first == "jacobian") {
        arguments.remove(1);
    }
    let printed = answer(Command::parse_from(arguments).action);
    match printed.and_then(|text| io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// What is printed.
///
/// # Errors
/// Where a file cannot be read or written, or a function is refused: a message for the user.
fn answer(action: Action) -> Result<String, String> {
    match action {
        Action::Expand { place } => expand::expand(&place),
        Action::Lcg { place, dot, svg, compare, gradient } => {
            let graph = if gradient { lcg::Graph::of_gradient(&place) } else { lcg::Graph::of(&place) }?;
            match (dot, svg, compare) {
                (true, ..) => Ok(graph.dot()),
                (_, true, _) => graph.picture(),
                (.., true) => Ok(graph.compare()),
                _ => graph.text(),
            }
        }
        Action::Tune(tuning) => tune::tune(&tuning),
        Action::Report(Report { place, output, json }) => {
            let report = report::of(&place.function()?)?;
            if json {
                return Ok(report.json() + "\n");
            }
            let failed = |error: io::Error| format!("{}: {error}", output.display());
            std::fs::write(&output, report.page()).map_err(failed)?;
            Ok(format!("{}\n", output.display()))
        }
    }
}
