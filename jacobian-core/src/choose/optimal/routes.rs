//! What the entries of the Jacobian need at least.
//!
//! Call an entry open while a path of two labels or more leads from its independent `x` to its dependent `y`. An open entry
//! needs a *final* product, of a label that starts at `x` with one that ends at `y`, and that is none of another entry's.
//! Where such a path has three labels or more, it also needs a product that is not final, and either starts at `x` and ends
//! before `y` or starts behind `x` and ends at `y`. That may serve all entries of a column or of a row, but no two of
//! a *matching*, a set of entries of which no two share a row or a column. So the rest takes at least as many
//! multiplications as there are open entries, and as there are in a matching of those with long paths.
//!
//! A label that comes to start at `x` sums up paths that begin with labels there, so has at least the weight of the
//! lightest of these; so have those that come to end at `y`, and those between. By these weights is decided which
//! products count.

use std::collections::HashMap;

use crate::choose::bound::Weight;
use crate::graph::dual_graph::{DualGraph, DualId, DualVertex};
use crate::graph::program::{Ends, Measure, Program};
use crate::graph::{EdgeId, Graph, Role, VertexId};

/// The labels of a state and how they follow each other.
pub(super) struct Routes {
    /// In topological order of their sources.
    labels: Vec<Label>,
    roles: Vec<Role>,
}

struct Label {
    ends: Ends,
    weight: Weight,
    /// Those which follow it.
    next: Vec<usize>,
}

/// An entry that is open.
struct Open {
    column: VertexId,
    row: VertexId,
    is_long: bool,
}

impl Routes {
    /// The edges of a graph.
    pub(super) fn of_graph(graph: &Graph, program: &Program, measure: Measure) -> Self {
        let mut edges: Vec<EdgeId> = Vec::new();
        for vertex in graph.vertices() {
            edges.extend_from_slice(graph.outgoing(vertex));
        }
        let mut places = vec![0; graph.edge_capacity()];
        for (place, edge) in edges.iter().enumerate() {
            places[edge.index()] = place;
        }
        let label = |&id: &EdgeId| {
            let edge = graph.edge(id);
            Label {
                ends: Ends { source: edge.source, target: edge.target },
                weight: Weight::of(program.kind(edge.label), measure),
                next: graph.outgoing(edge.target).iter().map(|next| places[next.index()]).collect(),
            }
        };
        let roles = graph.vertices().map(|vertex| graph.role(vertex)).collect();
        Routes { labels: edges.iter().map(label).collect(), roles }
    }

    /// The dual vertices of a dual graph between its sources and its sinks.
    pub(super) fn of_dual_graph(dual: &DualGraph, program: &Program, measure: Measure) -> Self {
        let is_there = |&id: &DualId| !dual.incoming(id).is_empty() && !dual.outgoing(id).is_empty();
        let roles = dual.roles();
        let mut by_source = vec![Vec::new(); roles.len()];
        for id in dual.vertices().filter(is_there) {
            by_source[dual.vertex(id).ends.source.index()].push(id);
        }
        let ids = by_source.concat();
        let mut places = vec![None; dual.vertices().len()];
        for (place, id) in ids.iter().enumerate() {
            places[id.index()] = Some(place);
        }
        let label = |&id: &DualId| {
            let DualVertex { ends, label } = dual.vertex(id);
            Label {
                ends,
                weight: Weight::of(program.kind(label.expect("it is between a source and a sink")), measure),
                next: dual.successors(id).filter_map(|next| places[next.index()]).collect(),
            }
        };
        Routes { labels: ids.iter().map(label).collect(), roles }
    }

    fn role(&self, vertex: VertexId) -> Role {
        self.roles[vertex.index()]
    }

    /// By vertex: the final products of labels that meet there and are there now.
    pub(super) fn final_products(&self) -> Vec<usize> {
        let mut products = HashMap::new();
        let columns = self.labels.iter().filter(|label| self.role(label.ends.source) == Role::Independent);
        for first in columns {
            let next = first.next.iter().map(|&next| &self.labels[next]);
            for second in next.filter(|label| self.role(label.ends.target) == Role::Dependent) {
                // Labels with the same ends may yet merge.
                let counts = products.entry((first.ends, second.ends)).or_insert(true);
                *counts &= first.weight.multiplies(second.weight);
            }
        }
        let mut at_vertices = vec![0; self.roles.len()];
        for ((first, _), counts) in products {
            at_vertices[first.target.index()] += usize::from(counts);
        }
        at_vertices
    }

    /// The multiplications that the entries need at least.
    pub(super) fn multiplications(&self) -> usize {
        let between = self.lightest(|label| {
            let ends = [self.role(label.ends.source), self.role(label.ends.target)];
            (ends == [Role::Intermediate; 2]).then_some(VertexId(0))
        });
        let between = between.first().copied().flatten().unwrap_or(Weight::Heavy);
        let after = self.lightest(|label| Some(label.ends.source));
        let before = self.lightest(|label| Some(label.ends.target));
        let (mut finals, mut long) = (0, Vec::new());
        for Open { column, row, is_long } in self.open_entries() {
            let (Some(first), Some(last)) = (after[column.index()], before[row.index()]) else { continue };
            finals += usize::from(first.multiplies(last));
            if is_long && first.multiplies(between) && between.multiplies(last) {
                long.push((column, row));
            }
        }
        finals + size_of_matching(&long)
    }

    /// By vertex: the lightest of the labels that belong to it.
    fn lightest(&self, vertex_of: impl Fn(&Label) -> Option<VertexId>) -> Vec<Option<Weight>> {
        let mut lightest = vec![None; self.roles.len()];
        for label in &self.labels {
            if let Some(vertex) = vertex_of(label) {
                let weight = &mut lightest[vertex.index()];
                *weight = Some(weight.map_or(label.weight, |weight: Weight| weight.min(label.weight)));
            }
        }
        lightest
    }

    fn open_entries(&self) -> Vec<Open> {
        let mut open = Vec::new();
        for (column, role) in self.roles.iter().enumerate() {
            if *role == Role::Independent {
                self.open_entries_of(VertexId(column as u32), &mut open);
            }
        }
        open
    }

    fn open_entries_of(&self, column: VertexId, open: &mut Vec<Open>) {
        // By label: the most labels on a path from the column that ends with it; more than three are as good as three.
        let mut lengths = vec![0_u8; self.labels.len()];
        let mut longest = vec![0; self.roles.len()];
        for (place, label) in self.labels.iter().enumerate() {
            let length = lengths[place].max(u8::from(label.ends.source == column));
            if length == 0 {
                continue;
            }
            for &next in &label.next {
                lengths[next] = lengths[next].max((length + 1).min(3));
            }
            if length > 1 && self.role(label.ends.target) == Role::Dependent {
                let longest = &mut longest[label.ends.target.index()];
                *longest = length.max(*longest);
            }
        }
        for (row, length) in longest.into_iter().enumerate() {
            if length > 0 {
                open.push(Open { column, row: VertexId(row as u32), is_long: length > 2 });
            }
        }
    }
}

/// The most of these pairs of which no two have the same first or the same second vertex, by augmenting paths.
pub(super) fn size_of_matching(pairs: &[(VertexId, VertexId)]) -> usize {
    let vertices = pairs.iter().map(|(column, row)| column.index().max(row.index()) + 1).max().unwrap_or(0);
    let mut rows = vec![Vec::new(); vertices];
    for &(column, row) in pairs {
        rows[column.index()].push(row);
    }
    let mut partner_of_row = vec![None; vertices];
    let columns = (0..vertices as u32).map(VertexId);
    columns.filter(|&column| augment(column, &rows, &mut partner_of_row)).count()
}

/// Finds a row for a column, for which others may be given other rows.
fn augment(start: VertexId, rows: &[Vec<VertexId>], partner_of_row: &mut [Option<VertexId>]) -> bool {
    let mut origin = vec![None; rows.len()];
    let mut stack = vec![start];
    while let Some(column) = stack.pop() {
        for &row in &rows[column.index()] {
            if origin[row.index()].is_none() {
                origin[row.index()] = Some(column);
                match partner_of_row[row.index()] {
                    Some(partner) => stack.push(partner),
                    None => {
                        hand_over(row, &origin, partner_of_row);
                        return true;
                    }
                }
            }
        }
    }
    false
}

/// Gives `row` to the column from which it was found, the row of that to the one from which that was found, and so on.
fn hand_over(row: VertexId, origin: &[Option<VertexId>], partner_of_row: &mut [Option<VertexId>]) {
    let mut row = Some(row);
    while let Some(taken) = row {
        let column = origin[taken.index()].expect("it has been found");
        row = partner_of_row.iter().position(|&partner| partner == Some(column)).map(|row| VertexId(row as u32));
        partner_of_row[taken.index()] = Some(column);
    }
}
