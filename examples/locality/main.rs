//! What the order of statements is worth: Jacobians of four functions, under elimination orders at both levels and under
//! every schedule, are compiled at opt-level 3; their floating-point operations, loads and stores are counted in the machine
//! code, their instructions by callgrind, their time is measured, and it is fitted by either count. What it has taught is
//! in `docs/schedules.md`.
//!
//! `cargo run --example locality` (x86-64; callgrind where valgrind is installed); `-- --quick` for a few variants;
//! `-- heart_dipole roe_flux` for some of the functions.

#[path = "../../jacobian-macro/src/expand/mod.rs"]
mod expand;
mod study;

use std::error::Error;

use study::functions::FUNCTIONS;
use study::{Extent, Study};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--quick") {
        print!("{}", Study::run(&FUNCTIONS[..1], Extent::Quick)?);
        return Ok(());
    }
    if let Some(unknown) = arguments.iter().find(|name| FUNCTIONS.iter().all(|function| function.label != **name)) {
        let known: Vec<_> = FUNCTIONS.iter().map(|function| function.label).collect();
        return Err(format!("unknown function `{unknown}`; known: {}, or `--quick`", known.join(", ")).into());
    }
    let is_wanted = |label: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == label);
    let functions: Vec<_> = FUNCTIONS.iter().filter(|function| is_wanted(function.label)).cloned().collect();
    print!("{}", Study::run(&functions, Extent::Full)?);
    Ok(())
}
