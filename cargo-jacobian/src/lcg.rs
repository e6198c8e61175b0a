//! `cargo jacobian lcg`: the linearized graph of a function.

use jacobian_core::linearize::Linearization;
use jacobian_core::pipeline::linearize_with;
use jacobian_lab::digraph;
use jacobian_lab::lcg::LabelledGraph;

use super::report::strategies;
use super::select::Function;

/// The graph of the Jacobian of a function, whatever forms of it are generated.
///
/// # Errors
/// Where it cannot be linearized.
pub fn linearization(function: &Function) -> Result<Linearization, String> {
    let first = &function.forms[0];
    linearize_with(&first.list, first.settings.level, &first.settings.strategy).map_err(|error| error.to_string())
}

/// The graph in the text format of jacobian-lab.
///
/// # Errors
/// As [`linearization`], and where no result depends on an input.
pub fn text(function: &Function) -> Result<String, String> {
    let linearization = linearization(function)?;
    if linearization.rows.iter().flatten().next().is_none() {
        return Err("no result depends on an input: the graph has no dependents".to_string());
    }
    Ok(format!("# {}::{}\n{}", function.file, function.path, LabelledGraph::of(&linearization)))
}

/// The graph in the language of Graphviz, its edges with their partials.
///
/// # Errors
/// As [`linearization`].
pub fn dot(function: &Function) -> Result<String, String> {
    Ok(digraph::dot(&digraph::with_partials(&linearization(function)?)))
}

/// A table of all strategies.
///
/// # Errors
/// As [`linearization`].
pub fn compare(function: &Function) -> Result<String, String> {
    let (_, rows) = strategies::table(&linearization(function)?);
    let width = rows.iter().map(|row| row.strategy.len()).max().unwrap_or_default();
    let mut text = format!(
        "{:width$}  {:>15}  {:>9}  {:>5}  {:>14}\n",
        "strategy", "multiplications", "additions", "depth", "estimated time"
    );
    for row in rows {
        let counts = match row.outcome {
            strategies::Outcome::Counted { multiplications, additions, depth, time, .. } => {
                format!("{multiplications:>15}  {additions:>9}  {depth:>5}  {time:>14}")
            }
            strategies::Outcome::LeftOut { why } => why,
        };
        text += &format!("{:width$}  {counts}\n", row.strategy);
    }
    Ok(text)
}
