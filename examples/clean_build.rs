//! How long a clean build of a crate takes that uses `#[jacobian]` once, beside one that derives serde's traits once:
//! what a user notices of the dependency. Both are built in turn, from nothing, in the dev profile; what has to be
//! downloaded is downloaded before.
//!
//! `cargo run --example clean_build`. The exit code tells whether the budget holds.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use std::{env, fs};

/// The most that a build with `#[jacobian]` may take, relative to one with serde.
const BUDGET: f64 = 1.7;

/// Builds of each crate; the least is reported, for it is the one that other work disturbed least.
const ROUNDS: usize = 3;

const JACOBIAN: &str = "#[jacobian::jacobian]
pub fn polar(r: f64, t: f64) -> [f64; 2] {
    [r * t.cos(), r * t.sin()]
}
";

const SERDE: &str = "#[derive(serde::Serialize, serde::Deserialize)]
pub struct Polar {
    pub r: f64,
    pub t: f64,
}
";

fn main() -> ExitCode {
    let root = env!("CARGO_MANIFEST_DIR");
    let crates = [
        written("with-jacobian", &format!("jacobian-ad = {{ path = {root:?} }}"), JACOBIAN),
        written("with-serde", "serde = { version = \"1\", features = [\"derive\"] }", SERDE),
    ];
    crates.iter().for_each(|directory| cargo(directory, &["fetch"]));
    let mut least = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (directory, least) in crates.iter().zip(&mut least) {
            *least = (*least).min(build(directory));
        }
    }
    let [jacobian, serde] = least.map(|time| time.as_secs_f64());
    let ratio = jacobian / serde;
    println!("clean build with jacobian {jacobian:.1} s, with serde {serde:.1} s: {ratio:.2} times (budget {BUDGET})");
    if ratio <= BUDGET { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A crate with this dependency and this source.
fn written(name: &str, dependency: &str, source: &str) -> PathBuf {
    let program = env::current_exe().expect("this program is a file");
    let directory = program.with_file_name("clean-build").join(name);
    fs::create_dir_all(directory.join("src")).expect("the crate can be written");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependency}\n"
    );
    fs::write(directory.join("Cargo.toml"), manifest).expect("the crate can be written");
    fs::write(directory.join("src/lib.rs"), source).expect("the crate can be written");
    directory
}

/// The time of a build from nothing.
fn build(directory: &Path) -> Duration {
    let target = directory.join("target");
    if target.exists() {
        fs::remove_dir_all(&target).expect("what was built can be removed");
    }
    let start = Instant::now();
    cargo(directory, &["build", "--offline"]);
    start.elapsed()
}

fn cargo(directory: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).arg("--quiet").current_dir(directory).env("CARGO_TARGET_DIR", directory.join("target"));
    // Cargo compiles incrementally what it finds at a path, and not what a user downloads.
    command.env("CARGO_INCREMENTAL", "0");
    let status = command.status().expect("cargo can be run");
    assert!(status.success(), "cargo fails in {}", directory.display());
}
