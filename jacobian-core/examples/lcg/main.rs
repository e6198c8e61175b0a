//! Accumulates the Jacobian of a linearized computational graph, and counts.
//!
//! `cargo run --release -p jacobian-core --example lcg -- FILE.lcg --strategy "vertex: markowitz > reverse"` reads a graph in
//! the format of `jacobian_core::lcg`; `--help` says what is printed.

mod compare;
mod options;
mod report;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use jacobian_core::lcg::LabelledGraph;

use options::{HELP, Options, Request};

fn main() -> ExitCode {
    let text = match Request::read(std::env::args().skip(1)) {
        Ok(Request::Help) => Ok(HELP.to_string()),
        Ok(Request::Report(options)) => report(&options).map_err(|error| error.to_string()),
        Err(message) => Err(message),
    };
    match text.and_then(|text| io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn report(options: &Options) -> Result<String, Box<dyn Error>> {
    let file = &options.file;
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let graph: LabelledGraph = text.parse().map_err(|error| format!("{file}: {error}"))?;
    match options.compare {
        true => Ok(compare::table(&graph)),
        false => report::report(&graph, options),
    }
}
