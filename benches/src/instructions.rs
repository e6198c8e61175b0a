//! Instructions, counted by Valgrind's callgrind: a figure without noise, though not one of time.

use std::process::Command;

use crate::case::{Case, points_of_a_pass};

/// The passes of the shorter and of the longer run. Their difference is free of what happens once.
const PASSES: [usize; 2] = [4, 12];

/// The instructions of each column for one point; none where callgrind is not installed.
pub fn counts(case: &Case) -> Vec<Option<f64>> {
    case.ways.iter().map(|way| count(case.name, &way.name)).collect()
}

fn count(case: &str, way: &str) -> Option<f64> {
    let [short, long] = PASSES.map(|passes| collected(case, way, passes));
    let points = (PASSES[1] - PASSES[0]) * points_of_a_pass();
    Some((long? - short?) / points as f64)
}

/// The instructions of a run of this program that only repeats one column.
fn collected(case: &str, way: &str, passes: usize) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["repeat", case, way, &passes.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stderr).ok()?;
    let line = text.lines().find_map(|line| line.split_once("Collected : "))?;
    line.1.trim().parse().ok()
}
