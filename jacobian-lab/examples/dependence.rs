//! What it is worth to know that labels are equal: the multiplications of the code of function and Jacobian that two
//! searches find with as many steps. One counts every product of two labels, as the literature does; the other counts
//! those that are written, of which equal ones are one (algebraic dependence, and the terms of an ensemble computation).
//! On functions of textbooks, and by vertices, edges and faces.
//!
//! `cargo run --release -p jacobian-lab --example dependence [STEPS]`

use std::error::Error;
use std::fs;
use std::path::Path;

use jacobian_core::CodeList;
use jacobian_core::accumulate::accumulate;
use jacobian_core::cost::OperationCount;
use jacobian_core::graph::program::Measure;
use jacobian_core::linearize::Linearization;
use jacobian_core::pipeline::linearize;
use jacobian_core::search::{Budget, Objective, Search, Space};

/// Plans that each search evaluates.
const STEPS: usize = 1_000;

const SPACES: [(&str, Space); 3] = [("vertices", Space::Vertices), ("edges", Space::Edges), ("faces", Space::Faces)];

fn main() -> Result<(), Box<dyn Error>> {
    let steps = std::env::args().nth(1).map_or(Ok(STEPS), |steps| steps.parse())?;
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("functions");
    let mut files: Vec<_> =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    println!("| function | {} |", SPACES.map(|(name, _)| format!("{name}, counted | written")).join(" | "));
    println!("|---|{}", "---|".repeat(2 * SPACES.len()));
    let mut gains = [0.0; SPACES.len()];
    for file in &files {
        let function: CodeList = fs::read_to_string(file)?.parse()?;
        let linearization = linearize(&function);
        let mut cells = Vec::new();
        for ((_, space), gain) in SPACES.into_iter().zip(&mut gains) {
            let found = |objective| {
                written(&linearization, Search { objective, steps: Some(steps), ..Search::in_space(space) })
            };
            let (counted, written) = (found(Objective::Counted(Measure::Folded))?, found(Objective::Multiplications)?);
            *gain += (written as f64 / counted as f64).ln();
            cells.push(format!("{counted} | {written}"));
        }
        println!("| {} | {} |", file.file_stem().unwrap_or_default().to_string_lossy(), cells.join(" | "));
    }
    let means = gains.map(|sum| format!("1.000 | {:.3}", (sum / files.len() as f64).exp()));
    println!("| geometric mean | {} |", means.join(" | "));
    Ok(())
}

/// The multiplications of the code of what a search finds.
fn written(linearization: &Linearization, search: Search) -> Result<usize, Box<dyn Error>> {
    let budget = Budget::of_search(linearization.graph.vertex_count());
    let elimination = search.find(linearization, usize::MAX, budget)?.elimination;
    Ok(OperationCount::of(&accumulate(linearization.clone(), &elimination.program).list).multiplications)
}
