//! The table of all strategies.

use std::time::Instant;

use jacobian_core::strategy::all;
use jacobian_lab::lcg::LabelledGraph;
use jacobian_lab::locality::Locality;

use super::report::{Runs, distance};

/// A line for every strategy of the tables, with its operations and how local it is. The time is that of elimination
/// and accumulation.
pub fn table(graph: &LabelledGraph) -> String {
    let linearization = graph.linearize();
    let strategies = all();
    let width = strategies.iter().map(|strategy| strategy.to_string().len()).max().unwrap_or_default();
    let mut text = format!(
        "{:width$}  {:>15}  {:>9}  {:>8}  {:>11}  {:>8}  {:>5}  {:>9}\n",
        "strategy", "multiplications", "additions", "textbook", "absorptions", "siblings", "reuse", "time"
    );
    for strategy in strategies {
        let start = Instant::now();
        let runs = Runs::new(&linearization, &strategy);
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        let counts = match runs {
            Ok(runs) => {
                let operations = runs.emitted.operations();
                let (multiplications, additions) = (operations.multiplications, operations.additions);
                let Locality { siblings, absorptions, reuse_distance, .. } = runs.emitted.locality(&linearization);
                let (textbook, reuse) = (runs.textbook(), distance(reuse_distance));
                format!(
                    "{multiplications:>15}  {additions:>9}  {textbook:>8}  {absorptions:>11}  {siblings:>8}  {reuse:>5}  \
                     {milliseconds:>6.1} ms"
                )
            }
            Err(error) => error.to_string(),
        };
        text += &format!("{:width$}  {counts}\n", strategy.to_string());
    }
    text
}
