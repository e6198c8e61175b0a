//! The table of all strategies.

use std::time::Instant;

use jacobian_core::strategy::all;
use jacobian_lab::lcg::LabelledGraph;

use super::report::Runs;

/// A line for every strategy of the tables. The time is that of elimination and accumulation.
pub fn table(graph: &LabelledGraph) -> String {
    let linearization = graph.linearize();
    let strategies = all();
    let width = strategies.iter().map(|strategy| strategy.to_string().len()).max().unwrap_or_default();
    let mut text = format!(
        "{:width$}  {:>15}  {:>9}  {:>8}  {:>9}\n",
        "strategy", "multiplications", "additions", "textbook", "time"
    );
    for strategy in strategies {
        let start = Instant::now();
        let runs = Runs::new(&linearization, &strategy);
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        let counts = match runs {
            Ok(runs) => {
                let operations = runs.emitted.operations();
                let (multiplications, additions) = (operations.multiplications, operations.additions);
                format!("{multiplications:>15}  {additions:>9}  {:>8}  {milliseconds:>6.1} ms", runs.textbook())
            }
            Err(error) => error.to_string(),
        };
        text += &format!("{:width$}  {counts}\n", strategy.to_string());
    }
    text
}
