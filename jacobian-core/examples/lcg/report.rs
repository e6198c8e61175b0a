//! What a strategy makes of a graph.

use std::error::Error;

use jacobian_core::accumulate::accumulate;
use jacobian_core::cost::OperationCount;
use jacobian_core::graph::Graph;
use jacobian_core::lcg::LabelledGraph;
use jacobian_core::linearize::Linearization;
use jacobian_core::listing::listing;
use jacobian_core::program::{Kind, Measure, Program};
use jacobian_core::{Derivative, Strategy};

use super::options::Options;

/// A graph, accumulated.
pub struct Run {
    pub program: Program,
    pub derivative: Derivative,
}

impl Run {
    pub fn new(linearization: &Linearization, strategy: &Strategy) -> Result<Run, jacobian_core::Error> {
        let (_, elimination) = strategy.eliminate(linearization)?;
        let derivative = accumulate(linearization.clone(), &elimination.program);
        Ok(Run { program: elimination.program, derivative })
    }

    /// The operations of the emitted code.
    pub fn operations(&self) -> OperationCount {
        OperationCount::of(&self.derivative.list)
    }

    pub fn textbook(&self) -> usize {
        self.program.multiplications(Measure::Textbook)
    }
}

/// All that `options` asks for.
pub fn report(graph: &LabelledGraph, options: &Options) -> Result<String, Box<dyn Error>> {
    let linearization = graph.linearize();
    let run = Run::new(&linearization, &options.strategy)?;
    let operations = run.operations();
    let mut text = format!(
        "multiplications {}\nadditions {}\ntextbook {}\n",
        operations.multiplications,
        operations.additions,
        run.textbook()
    );
    if options.program {
        let entries = graph.entries(&linearization.rows, &run.program, &run.derivative);
        text += &listing(&run.derivative.list, &entries);
    }
    if options.dot {
        text += &linearization.graph.to_string();
        text += &bipartite(&linearization.graph, &run.program).to_string();
    }
    Ok(text)
}

/// What is left of `graph` when all is eliminated: an edge for every entry of the Jacobian.
fn bipartite(graph: &Graph, program: &Program) -> Graph {
    let mut left = Graph::default();
    for vertex in graph.vertices() {
        left.add_vertex(graph.role(vertex));
    }
    for entry in program.entries() {
        left.add_edge(entry.column, entry.row, Kind::Variable);
    }
    left
}
