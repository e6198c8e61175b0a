//! `cargo jacobian lcg`: the linearized graph of a function, or one that has been written to a file.

use jacobian_core::Strategy;
use jacobian_core::linearize::Linearization;
use jacobian_core::pipeline::{linearize_gradient, linearize_with};
use jacobian_lab::digraph;
use jacobian_lab::lcg::LabelledGraph;

use super::report::{self, strategies};
use super::select::{Function, Place};

/// A linearized graph.
pub struct Graph {
    linearization: Linearization,
    /// By what it is eliminated.
    strategy: Strategy,
    /// What the text of the graph begins with: where it is from.
    heading: String,
}

/// The graph of the Jacobian of a function, whatever forms of it are generated.
///
/// # Errors
/// Where it cannot be linearized.
pub fn linearization(function: &Function) -> Result<Linearization, String> {
    let first = &function.forms[0];
    linearize_with(&first.list, first.settings.level, &first.settings.strategy).map_err(|error| error.to_string())
}

impl Graph {
    /// The graph of a function, or the one in a file of its text format.
    ///
    /// # Errors
    /// Where the function cannot be linearized, or the file cannot be read.
    pub fn of(place: &Place) -> Result<Self, String> {
        if place.is_graph() {
            let file = place.file().display();
            let text = std::fs::read_to_string(place.file()).map_err(|error| format!("{file}: {error}"))?;
            let graph: LabelledGraph = text.parse().map_err(|error| format!("{file}: {error}"))?;
            let heading = text.lines().next().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n"));
            return Ok(Graph {
                linearization: graph.linearize(),
                strategy: Strategy::Auto,
                heading: heading.unwrap_or_default(),
            });
        }
        let function = place.function()?;
        Ok(Graph::with(linearization(&function)?, &function))
    }

    /// The graph of the gradient of a function: of that of the weighted sum of its results, where it has several.
    ///
    /// # Errors
    /// Where the function has branches, loops or calls, or second partials that are not known.
    pub fn of_gradient(place: &Place) -> Result<Self, String> {
        let function = place.function()?;
        let list = &function.forms[0].list;
        if !list.is_straight() {
            return Err("the graph of a gradient is that of straight-line code: the function has blocks".to_string());
        }
        Ok(Graph::with(linearize_gradient(list).map_err(|error| error.to_string())?, &function))
    }

    fn with(linearization: Linearization, function: &Function) -> Self {
        Graph {
            linearization,
            strategy: function.forms[0].settings.strategy.clone(),
            heading: format!("# {}::{}\n", function.file, function.path),
        }
    }

    /// In the text format of jacobian-lab.
    ///
    /// # Errors
    /// Where no result depends on an input.
    pub fn text(&self) -> Result<String, String> {
        if self.linearization.rows.iter().flatten().next().is_none() {
            return Err("no result depends on an input: the graph has no dependents".to_string());
        }
        Ok(format!("{}{}", self.heading, LabelledGraph::of(&self.linearization)))
    }

    /// In the language of Graphviz, its edges with their partials.
    pub fn dot(&self) -> String {
        digraph::dot(&digraph::with_partials(&self.linearization))
    }

    /// A picture of it before the elimination and after each step.
    ///
    /// # Errors
    /// Where it cannot be eliminated, and where it is too large.
    pub fn picture(&self) -> Result<String, String> {
        report::picture(&self.linearization, &self.strategy)
    }

    /// A table of all strategies.
    pub fn compare(&self) -> String {
        let rows = strategies::rows(&self.linearization);
        let width = rows.iter().map(|row| row.strategy.len()).max().unwrap_or_default();
        let mut text = format!(
            "{:width$}  {:>15}  {:>9}  {:>5}  {:>14}  {:>18}\n",
            "strategy", "multiplications", "additions", "depth", "estimated time", "in the elimination"
        );
        for row in rows {
            let counts = match row.outcome {
                strategies::Outcome::Counted { multiplications, additions, depth, time, eliminated, .. } => {
                    format!("{multiplications:>15}  {additions:>9}  {depth:>5}  {time:>14}  {eliminated:>18}")
                }
                strategies::Outcome::LeftOut { why } => why,
            };
            text += &format!("{:width$}  {counts}\n", row.strategy);
        }
        text
    }
}
