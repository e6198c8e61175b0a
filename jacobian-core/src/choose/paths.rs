//! Bauer's formula (Bauer 1974; Baur and Strassen 1983): an entry of the Jacobian is the sum over all paths from its
//! independent to its dependent of the products of the labels along them. Nothing is shared between paths, so this is
//! the yardstick for what elimination saves, and for small graphs only.

use std::fmt;

use crate::choose::order::Order;
use crate::eliminate::Elimination;
use crate::error::Error;
use crate::graph::program::{Ends, Entry, LabelId, Program};
use crate::graph::{EdgeId, Graph, Role, VertexId};
use crate::linearize::Linearization;

/// The strategy `paths`.
#[derive(Debug)]
pub struct Paths;

impl fmt::Display for Paths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("paths")
    }
}

impl Order for Paths {
    fn eliminate(&self, linearization: &Linearization, limit: usize) -> Result<Elimination, Error> {
        run(&linearization.graph, linearization.program.clone(), limit)
    }
}

/// Multiplies and adds along every path of `graph`. `program` has the expressions that led to `graph`, and gets at most
/// `limit` in all.
///
/// # Errors
/// Where it would get more.
pub fn run(graph: &Graph, mut program: Program, limit: usize) -> Result<Elimination, Error> {
    let mut entries = Vec::new();
    for column in graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Independent) {
        let (mut paths, mut sums) = (Walk::from(graph, column), vec![None; graph.vertex_count()]);
        while let Some(path) = paths.next() {
            let row = graph.edge(path[path.len() - 1]).target;
            let sum = sums[row.index()];
            sums[row.index()] = Some(add_product(graph, path, sum, &mut program));
            if program.accumulations().len() > limit {
                return Err(Error::TooManySteps { limit });
            }
        }
        entries.extend(graph.vertices().filter_map(|row| Some(Entry { row, column, label: sums[row.index()]? })));
    }
    program.set_entries(entries);
    Ok(Elimination { sequence: Vec::new(), program })
}

/// The product of the labels along `path`, added to `sum` if there is one.
fn add_product(graph: &Graph, path: &[EdgeId], sum: Option<LabelId>, program: &mut Program) -> LabelId {
    let label = |edge: EdgeId| graph.edge(edge).label;
    let ends = |last: EdgeId| Some(Ends { source: graph.edge(path[0]).source, target: graph.edge(last).target });
    let (&last, inner) = path.split_last().expect("a path has an edge");
    let product = |program: &mut Program| {
        let mut edges = inner.iter();
        let first = edges.next().map(|&edge| label(edge));
        edges.fold(first, |product, &edge| product.map(|product| program.product(product, label(edge), ends(edge))))
    };
    match (product(program), sum) {
        (None, None) => label(last),
        (None, Some(sum)) => program.sum(sum, label(last), ends(last)),
        (Some(product), None) => program.product(product, label(last), ends(last)),
        (Some(product), Some(sum)) => program.absorb(sum, product, label(last), ends(last)),
    }
}

/// All paths from a vertex to dependents, depth first.
struct Walk<'a> {
    graph: &'a Graph,
    /// The path so far.
    path: Vec<EdgeId>,
    /// For every vertex on it, the edges from it that are still to be followed.
    open: Vec<std::slice::Iter<'a, EdgeId>>,
}

impl<'a> Walk<'a> {
    fn from(graph: &'a Graph, start: VertexId) -> Self {
        Walk { graph, path: Vec::new(), open: vec![graph.outgoing(start).iter()] }
    }

    fn next(&mut self) -> Option<&[EdgeId]> {
        loop {
            // The edge to the vertex whose edges are on top leads the path away from the one below it.
            self.path.truncate(self.open.len() - 1);
            match self.open.last_mut()?.next() {
                Some(&edge) => {
                    self.path.push(edge);
                    let target = self.graph.edge(edge).target;
                    if self.graph.role(target) == Role::Dependent {
                        return Some(&self.path);
                    }
                    self.open.push(self.graph.outgoing(target).iter());
                }
                None if self.open.len() == 1 => return None,
                None => {
                    self.open.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::program::Measure;
    use crate::pipeline::linearize;

    /// The example of Hovland 2016: 8 multiplications and 2 additions.
    #[test]
    fn every_path_is_multiplied_out() {
        let function = "input x y\nt = sin(y)\nb = t * y\na = exp(x)\nc = a * b\nf = a * c\noutput f".parse();
        let linearization = linearize(&function.expect("a code list"));
        let program = run(&linearization.graph, linearization.program, usize::MAX).expect("there is no limit").program;
        assert_eq!((program.multiplications(Measure::Textbook), program.additions()), (8, 2), "{program}");
    }
}
