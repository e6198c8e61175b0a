//! What the order of statements is worth: Jacobians of four functions, under elimination orders at both levels and
//! under every schedule, are compiled at opt-level 3; their floating-point operations, loads and stores are counted in
//! the machine code, their instructions by callgrind, their time is measured, and it is fitted by either count. What it
//! has taught is in `docs/schedules.md`.
//!
//! `cargo run --release --example locality` (x86-64; callgrind where valgrind is installed); `-- --quick` for a few
//! variants, `-- heart_dipole --orders=CL-P` for some of the functions and of the orders. rustc is some minutes at it;
//! what it has compiled is not compiled again.

mod study;

use std::error::Error;

use study::functions::FUNCTIONS;
use study::{Extent, Study};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut extent, mut labels) = (Extent::Full(""), Vec::new());
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    for argument in &arguments {
        match argument.split_once('=') {
            None if argument == "--quick" => (extent, labels) = (Extent::Quick, vec![FUNCTIONS[0].label]),
            Some(("--orders", start)) => extent = Extent::Full(start),
            _ if FUNCTIONS.iter().any(|function| function.label == argument) => labels.push(argument),
            _ => {
                let known: Vec<_> = FUNCTIONS.iter().map(|function| function.label).collect();
                return Err(
                    format!("unknown: `{argument}`; known: `--quick`, `--orders=CL-P`, {}", known.join(", ")).into()
                );
            }
        }
    }
    let is_wanted = |label: &str| labels.is_empty() || labels.contains(&label);
    let functions: Vec<_> = FUNCTIONS.iter().filter(|function| is_wanted(function.label)).cloned().collect();
    print!("{}", Study::run(&functions, extent)?);
    Ok(())
}
