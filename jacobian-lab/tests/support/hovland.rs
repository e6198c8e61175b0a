//! Graphs with the numbers of the examples of Hovland 2016, and those of their representations.

use jacobian_core::graph::Graph;
use jacobian_lab::lcg::LabelledGraph;

/// A graph and how many edges its representations have.
pub struct Example {
    text: &'static str,
    /// After each vertex that is eliminated, in topological order.
    pub forward: &'static [usize],
    /// In reverse topological order.
    pub reverse: &'static [usize],
    /// The fewest.
    pub least: usize,
}

impl Example {
    pub fn graph(&self) -> Graph {
        self.text.parse::<LabelledGraph>().expect("a graph").linearize().graph
    }
}

/// Graphs with the numbers of the three examples of Hovland 2016.
pub const EXAMPLES: &[Example] = &[
    Example {
        text: include_str!("../../benchmarks/hovland_1.lcg"),
        forward: &[7, 6, 9],
        reverse: &[7, 6, 9],
        least: 6,
    },
    Example {
        text: include_str!("../../benchmarks/hovland_2.lcg"),
        forward: &[12, 15, 16, 14, 9],
        reverse: &[12, 11, 9, 6, 9],
        least: 6,
    },
    Example {
        text: include_str!("../../benchmarks/hovland_3.lcg"),
        forward: &[16, 16, 13, 12, 11, 8, 5, 6],
        reverse: &[16, 19, 18, 19, 15, 16, 11, 6],
        least: 5,
    },
];
