//! How long a build takes with a long function in it: the expansion, and rustc on what comes of it. A crate is written
//! whose only content is a function of 1,000 statements with `#[jacobian]`, and a call of its Jacobian, without which
//! rustc would not generate code; `cargo build` and `cargo build --release` of it are timed against the budgets. Its
//! dependencies are built before.
//!
//! `cargo run --example build_time`. The exit code tells whether the budgets hold.

mod chain;
#[path = "../tests/scratch_crate/mod.rs"]
mod scratch_crate;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use scratch_crate::{ScratchCrate, printed};

const STATEMENTS: usize = 1_000;

/// Inputs, results, and values alive at any time.
const WIDTHS: [usize; 2] = [4, 8];

/// The profiles with their arguments of cargo, and the milliseconds that a build may take.
const PROFILES: [(&str, &[&str], u64); 2] = [("dev", &["build"], 3_000), ("release", &["build", "--release"], 8_000)];

/// Measurements of each build; the least is reported, for it is the one that other work disturbed least.
const ROUNDS: usize = 3;

fn main() -> ExitCode {
    println!("{:<10} {:<10} {:>11} {:>9} {:>9}", "function", "profile", "statements", "build", "budget");
    let mut holds = true;
    for width in WIDTHS {
        for (profile, arguments, budget) in PROFILES {
            let time = build_time(width, arguments);
            holds &= time <= Duration::from_millis(budget);
            let function = format!("{width} wide");
            println!("{function:<10} {profile:<10} {STATEMENTS:>11} {:>6} ms {budget:>6} ms", time.as_millis());
        }
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn build_time(width: usize, arguments: &[&str]) -> Duration {
    let scratch = ScratchCrate::new(&format!("build-time-{width}"), 2, "");
    let function = chain::chain(STATEMENTS, width);
    let build = |round: usize| {
        let call = format!("std::hint::black_box(chain_jac(std::hint::black_box(&[0.5; {width}])));");
        let source = format!("#[jacobian::jacobian]\n{function}\nfn main() {{\n{call}\n}}\n\n// Build {round}.\n");
        scratch.write("src/main.rs", &source);
        let start = Instant::now();
        let output = scratch.cargo(arguments);
        let time = start.elapsed();
        assert!(output.status.success(), "in {}: {}", scratch.directory().display(), printed(&output));
        time
    };
    build(0);
    (1..=ROUNDS).map(build).min().unwrap_or_default()
}
