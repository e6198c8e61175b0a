//! Accumulates the Jacobian of a linearized computational graph, and counts.
//!
//! `cargo run --release -p jacobian-lab --example lcg -- FILE.lcg --strategy "vertex: markowitz > reverse"` reads a
//! graph in the format of `jacobian_lab::lcg`; `--help` says what is printed.

mod compare;
mod options;
mod report;

use std::io::{self, Write};
use std::process::ExitCode;

use jacobian_lab::lcg::LabelledGraph;

use options::{HELP, Request};

fn main() -> ExitCode {
    let arguments: Result<Vec<_>, _> = std::env::args_os().skip(1).map(std::ffi::OsString::into_string).collect();
    let output = match arguments {
        Ok(arguments) => answer(arguments.into_iter()),
        Err(argument) => Err(format!("the argument {argument:?} is no Unicode text")),
    };
    match output.and_then(|text| io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// What is printed for these arguments, or why nothing is.
///
/// # Errors
/// Where the arguments or the file are wrong: a message for the user.
pub fn answer(arguments: impl Iterator<Item = String>) -> Result<String, String> {
    let options = match Request::read(arguments)? {
        Request::Help => return Ok(HELP.to_string()),
        Request::Report(options) => options,
    };
    let in_file = |error: &dyn std::error::Error| format!("{}: {error}", options.file);
    let text = std::fs::read_to_string(&options.file).map_err(|error| in_file(&error))?;
    let graph: LabelledGraph = text.parse().map_err(|error| in_file(&error))?;
    match options.compare {
        true => Ok(compare::table(&graph)),
        false => report::report(&graph, &options).map_err(|error| error.to_string()),
    }
}
