//! What second derivatives cost, for each function in `jacobian-lab/hessians`.
//!
//! `cargo run --release -p jacobian-lab --example hessians` prints two tables: the operations of value, gradient and
//! Hessian by `auto`, and of value, gradient and the product of the Hessian with a direction; and the products of
//! eliminations of the graph of the gradient, by the count of the literature: by edge pushing, in reverse order, by the
//! best of all hierarchies of vertices, by the best order, which is proven, and at least.
//!
//! `... --example hessians -- dot NAME` prints the picture of such a graph, in the language of Graphviz.

use std::error::Error;
use std::fs;
use std::path::Path;

use jacobian_core::bound::lower_bound;
use jacobian_core::cost::OperationCount;
use jacobian_core::graph::{Graph, Role};
use jacobian_core::linearize::Level;
use jacobian_core::optimal::symmetric;
use jacobian_core::pipeline::{differentiate_for, linearize_gradient};
use jacobian_core::program::Measure;
use jacobian_core::strategy::fixed;
use jacobian_core::{CodeList, Form, Strategy};
use jacobian_lab::check::edge_pushing;
use jacobian_lab::digraph::picture;

/// The most states of the search for the best order.
const STATES: usize = 1_000_000;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("hessians");
    let mut files: Vec<_> = fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    let mut functions: Vec<(String, CodeList)> = Vec::new();
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        functions.push((name.into(), fs::read_to_string(file)?.parse()?));
    }
    if let [_, asked] = &arguments[..] {
        for (_, function) in functions.iter().filter(|(name, _)| name == asked) {
            println!("{}", picture(&linearize_gradient(function)?.graph));
        }
        return Ok(());
    }
    println!("| function | alone | with gradient and Hessian | with gradient and product |\n|---|---|---|---|");
    for (name, function) in &functions {
        let count = |form| -> Result<String> {
            Ok(text(differentiate_for(form, Level::CodeList, function, &Strategy::Auto)?.operations))
        };
        let own = text(OperationCount::of(function));
        println!("| {name} | {own} | {} | {} |", count(Form::Hessian)?, count(Form::HessianProduct)?);
    }
    println!("\n| function | columns | pairs | edge pushing | reverse | best hierarchy | best order | at least |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, function) in &functions {
        println!("| {name} | {} |", products(function)?);
    }
    Ok(())
}

/// A row of the second table.
fn products(function: &CodeList) -> Result<String> {
    let linearization = linearize_gradient(function)?;
    let (graph, program) = (&linearization.graph, &linearization.program);
    let axis = graph.axis().ok_or("the graph is not symmetric")?;
    let count = |strategy: &Strategy| -> Result<usize> {
        Ok(strategy.eliminate(&linearization)?.1.program.multiplications(Measure::Textbook))
    };
    let mut best = usize::MAX;
    for strategy in fixed().iter().filter(|strategy| strategy.mode() == Some("vertex")) {
        best = best.min(count(strategy)?);
    }
    let proven = symmetric(graph, axis, program.clone(), Measure::Textbook, STATES);
    let proven = proven.map_or("-".to_string(), |found| found.program.multiplications(Measure::Textbook).to_string());
    let bound = lower_bound(graph, program, Measure::Textbook);
    let (pushed, reverse) = (edge_pushing(graph), count(&Strategy::reverse())?);
    let (columns, pairs) = (linearization.columns.len(), pairs(graph));
    Ok(format!("{columns} | {pairs} | {pushed} | {reverse} | {best} | {proven} | {bound}"))
}

/// The vertices that are eliminated, each with its image.
fn pairs(graph: &Graph) -> usize {
    let is_left = |vertex: &_| graph.role(*vertex) == Role::Intermediate && !graph.incoming(*vertex).is_empty();
    graph.vertices().filter(is_left).count()
}

/// Additions, multiplications and divisions together, and calls.
fn text(count: OperationCount) -> String {
    let arithmetic = count.additions + count.multiplications + count.divisions;
    let parts = format!("{} mul, {} add, {} div", count.multiplications, count.additions, count.divisions);
    format!("{arithmetic} ({parts}), {} calls", count.calls)
}
