//! What each part of `auto` gains: on functions of textbooks that no constant of it was chosen on, the portfolio of
//! hierarchies alone, and with annealing, for twenty seeds that are not its own and for
//! several budgets. Operations of function and Jacobian together, and the estimated time, which is minimised.
//!
//! `cargo run --release -p jacobian-lab --example ablation [BUDGET...]`

use std::error::Error;
use std::fs;
use std::path::Path;

use jacobian_core::accumulate::accumulate;
use jacobian_core::cost::OperationCount;
use jacobian_core::cost::time::Estimate;
use jacobian_core::linearize::Linearization;
use jacobian_core::pipeline::linearize;
use jacobian_core::search::{Budget, Objective, Search, Space};
use jacobian_core::{CodeList, Strategy};

/// Random, and not the one that `auto` has.
const SEEDS: std::ops::Range<u64> = 1_000..1_020;

/// Accumulation expressions that are evaluated: what `auto` spends on a small function, and less.
const BUDGETS: [usize; 3] = [280_000, 140_000, 70_000];

/// Operations, and the estimated time.
type Figures = (usize, usize);

fn main() -> Result<(), Box<dyn Error>> {
    let asked: Vec<usize> = std::env::args().skip(1).map(|work| work.parse()).collect::<Result<_, _>>()?;
    let budgets = if asked.is_empty() { BUDGETS.to_vec() } else { asked };
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("functions");
    let mut files: Vec<_> =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let mut heads = vec!["function".to_string(), "better of forward and reverse".into(), "portfolio".into()];
    heads.extend(budgets.iter().map(|work| format!("annealing, {work}")));
    println!("| {} |\n|{}", heads.join(" | "), "---|".repeat(heads.len()));
    // The logarithms of the ratios to the column before, for the means.
    let mut gains = vec![[0.0; 2]; heads.len() - 1];
    for file in &files {
        let function: CodeList = fs::read_to_string(file)?.parse()?;
        let linearization = linearize(&function);
        let by = |strategy: &str| -> Result<Figures, Box<dyn Error>> {
            let (_, elimination) = strategy.parse::<Strategy>()?.eliminate(&linearization)?;
            Ok(figures(&accumulate(linearization.clone(), &elimination.program).list))
        };
        let plain = by("forward")?.min_time(by("reverse")?);
        let portfolio = found(&linearization, budgets[0], 0, 0, SEEDS.start)?;
        let mut columns = vec![vec![plain], vec![portfolio]];
        for &work in &budgets {
            let mut all: Vec<_> =
                SEEDS.map(|seed| found(&linearization, work, 16, 3, seed)).collect::<Result<_, _>>()?;
            all.sort_by_key(|figures| figures.1);
            columns.push(all);
        }
        let base = portfolio;
        for (gain, column) in gains.iter_mut().zip(&columns) {
            for figures in column {
                gain[0] += (figures.0 as f64 / base.0 as f64).ln() / column.len() as f64;
                gain[1] += (figures.1 as f64 / base.1 as f64).ln() / column.len() as f64;
            }
        }
        let texts: Vec<_> = columns.iter().map(|column| text(column)).collect();
        println!("| {} | {} |", file.file_stem().unwrap_or_default().to_string_lossy(), texts.join(" | "));
    }
    let means = gains.iter().map(|gain| gain.map(|sum| (sum / files.len() as f64).exp()));
    let means: Vec<_> = means.map(|[operations, time]| format!("{operations:.3} ({time:.3})")).collect();
    println!("| geometric mean, portfolio 1 | {} |", means.join(" | "));
    Ok(())
}

/// What a search finds within this budget.
fn found(
    linearization: &Linearization,
    work: usize,
    steps_of_a_target: usize,
    margin_of_annealing: usize,
    seed: u64,
) -> Result<Figures, Box<dyn Error>> {
    let search = Search { space: Space::Edges, objective: Objective::Time, steps: None, seed };
    let budget = Budget { work, steps_of_a_target, margin: 1, margin_of_annealing };
    let elimination = search.find(linearization, usize::MAX, budget)?.elimination;
    Ok(figures(&accumulate(linearization.clone(), &elimination.program).list))
}

fn figures(list: &CodeList) -> Figures {
    (OperationCount::of(list).total(), Estimate::of(list).total())
}

trait MinTime {
    fn min_time(self, other: Self) -> Self;
}

impl MinTime for Figures {
    fn min_time(self, other: Self) -> Self {
        if other.1 < self.1 { other } else { self }
    }
}

/// Operations and estimated time; of several seeds, the best, the median and the worst by time.
fn text(sorted: &[Figures]) -> String {
    let one = |(operations, time): Figures| format!("{operations} ({time})");
    match sorted {
        [only] => one(*only),
        _ => [0, sorted.len() / 2, sorted.len() - 1].map(|place| one(sorted[place])).join(", "),
    }
}
