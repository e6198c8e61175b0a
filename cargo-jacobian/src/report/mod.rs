//! `cargo jacobian report`: all that is known of a function, as one page or as JSON.

mod graph;
mod origin;
pub mod strategies;
mod svg;

use jacobian_core::Strategy;
use jacobian_core::cost::OperationCount;
use jacobian_core::derivative::Pattern;
use jacobian_core::eliminate::Elimination;
use jacobian_core::linearize::Linearization;
use serde::Serialize;

use self::graph::Drawing;
use self::strategies::{Bound, Row};
use super::expand::code;
use super::lcg::linearization;
use super::select::Function;

/// The page, into which the report is written as JSON.
const PAGE: &str = include_str!("page.html");

/// Where the page has the report.
const PLACE: &str = "\"the report\"";

/// The report.
#[derive(Serialize)]
pub struct Report {
    function: String,
    file: String,
    /// The number of the first line of `source` in the file.
    first_line: usize,
    /// The lines of the file from the first to the last that the function comes from, its signature included.
    source: Vec<String>,
    forms: Vec<FormReport>,
    graph: Drawing,
    pattern: Sparsity,
    bound: Bound,
    strategies: Vec<Row>,
}

/// A form, and how it is generated.
#[derive(Serialize)]
struct FormReport {
    form: &'static str,
    /// The strategy that was used.
    strategy: String,
    /// The order that it took, where that is short.
    order: Option<String>,
    function_operations: Operations,
    operations: Operations,
    code: Vec<Line>,
}

/// A line of the generated code, and the lines of the file from which it comes.
#[derive(Serialize)]
struct Line {
    text: String,
    from: Vec<[usize; 2]>,
}

#[derive(Serialize)]
struct Operations {
    multiplications: usize,
    additions: usize,
    divisions: usize,
    negations: usize,
    calls: usize,
}

/// Where the Jacobian is not zero by structure.
#[derive(Serialize)]
struct Sparsity {
    rows: usize,
    columns: usize,
    entries: Vec<[usize; 2]>,
}

impl From<OperationCount> for Operations {
    fn from(count: OperationCount) -> Self {
        let OperationCount { additions, multiplications, divisions, negations, calls } = count;
        Operations { multiplications, additions, divisions, negations, calls }
    }
}

impl Sparsity {
    fn of(pattern: &Pattern) -> Self {
        let row = |row| pattern.row(row).iter().map(move |&column| [row, column]);
        Sparsity { rows: pattern.rows, columns: pattern.columns, entries: (0..pattern.rows).flat_map(row).collect() }
    }
}

/// The report on a function.
///
/// # Errors
/// Where its Jacobian cannot be computed.
pub fn of(function: &Function) -> Result<Report, String> {
    let linearization = linearization(function)?;
    let first = &function.forms[0];
    let (drawing, elimination) = drawing(&linearization, &first.settings.strategy)?;
    let derivative = jacobian_core::accumulate::accumulate(linearization.clone(), &elimination.program);
    let strategies = strategies::rows(&linearization);
    let bound = Bound::of(&first.list, &linearization, &strategies);
    let forms: Vec<_> = function.forms.iter().map(form).collect();
    // What is inlined may be elsewhere in the file.
    let lines = || function.forms.iter().flat_map(|form| &form.lines).filter(|lines| lines.start > 0);
    let start = lines().map(|lines| lines.start).fold(first.first_line, usize::min);
    let end = lines().map(|lines| lines.end).fold(first.end_line, usize::max);
    let text: Vec<_> = function.source.lines().collect();
    let source = text.iter().take(end - 1).skip(start - 1);
    Ok(Report {
        function: function.path.clone(),
        file: function.file.clone(),
        first_line: start,
        source: source.map(|line| (*line).to_string()).collect(),
        forms,
        graph: drawing,
        pattern: Sparsity::of(derivative.matrices.last().ok_or("there is no Jacobian")?),
        bound,
        strategies,
    })
}

fn drawing(linearization: &Linearization, strategy: &Strategy) -> Result<(Drawing, Elimination), String> {
    let (strategy, elimination) = strategy.eliminate(linearization).map_err(|error| error.to_string())?;
    Ok((Drawing::of(linearization, &strategy, &elimination), elimination))
}

/// The graph before the elimination and after each step, as a picture.
///
/// # Errors
/// Where it cannot be eliminated, and where it is too large.
pub fn picture(linearization: &Linearization, strategy: &Strategy) -> Result<String, String> {
    svg::svg(&drawing(linearization, strategy)?.0)
}

fn form(generated: &jacobian_expand::tools::Generated) -> FormReport {
    let (text, jacobian) = (code(generated), &generated.jacobian);
    let from = origin::of_lines(generated, &text);
    let line = |(text, from): (&str, origin::Lines)| Line { text: text.to_string(), from: ranges(&from) };
    FormReport {
        form: generated.form().name(),
        strategy: jacobian.strategy.to_string(),
        order: jacobian.order.as_ref().map(|taken| taken.order.to_string()),
        function_operations: jacobian.function_operations.into(),
        operations: jacobian.operations.into(),
        code: text.lines().zip(from).map(line).collect(),
    }
}

/// Lines as ranges, the last line included.
fn ranges(lines: &origin::Lines) -> Vec<[usize; 2]> {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for &line in lines {
        match ranges.last_mut().filter(|range| range[1] + 1 == line) {
            Some(range) => range[1] = line,
            None => ranges.push([line, line]),
        }
    }
    ranges
}

impl Report {
    /// As JSON, in one line.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("all keys are texts")
    }

    /// As one page, which needs nothing else.
    pub fn page(&self) -> String {
        // No text in it ends the element.
        let title = self.function.replace('&', "&amp;").replace('<', "&lt;");
        PAGE.replacen("the title", &title, 1).replacen(PLACE, &self.json().replace('<', "\\u003c"), 1)
    }
}
