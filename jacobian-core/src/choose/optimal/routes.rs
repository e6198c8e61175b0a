//! What the entries of the Jacobian need at least.
//!
//! Call an entry open while a path of two labels or more leads from its independent `x` to its dependent `y`. An open
//! entry needs a *final* product, of a label that starts at `x` with one that ends at `y`, and that is none of another
//! entry's. Where such a path has three labels or more, it also needs a product that is not final, and either starts at
//! `x` and ends before `y` or starts after `x` and ends at `y`. That may serve all entries of a column or of a row, but
//! no two of a *matching*, a set of entries of which no two share a row or a column. So the rest takes at least as many
//! multiplications as there are open entries, and as there are in a matching of those with long paths.
//!
//! Where a path from `x` to `y` has only two labels, it takes a final product at the vertex where they meet, its
//! *centre*. So an entry takes a final product for each centre of its own. Let a long path of the entry end with a
//! label that starts at no such centre. Either it is part of one more final product, at another vertex; or of that at a
//! centre where it has more than one label left, which takes a product that is not final, starts there, and ends at
//! `y`. So each row with such an entry takes one multiplication more, beside those of a matching of the entries in the
//! other rows.
//!
//! What the [parts](super::parts) of a dual graph take is added up.
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
    /// The centres of its paths of two labels.
    centres: usize,
    /// Whether one of its long paths ends with a label that starts at none of them, and there are some.
    is_mixed: bool,
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

    /// The multiplications that the entries need at least, where `part` says to which part the entries of a column
    /// belong.
    pub(super) fn multiplications(&self, part: impl Fn(VertexId) -> Option<DualId>) -> usize {
        let mut entries = self.open_entries();
        entries.sort_by_key(|entry| part(entry.column));
        let by_part = entries.chunk_by(|one, other| part(one.column) == part(other.column));
        match self.labels.iter().all(|label| label.weight == Weight::Heavy) {
            true => by_part.map(heavy_multiplications).sum(),
            false => by_part.map(|entries| self.multiplications_of(entries)).sum(),
        }
    }

    fn multiplications_of(&self, entries: &[Open]) -> usize {
        let between = self.lightest(|label| {
            let ends = [self.role(label.ends.source), self.role(label.ends.target)];
            (ends == [Role::Intermediate; 2]).then_some(VertexId(0))
        });
        let between = between.first().copied().flatten().unwrap_or(Weight::Heavy);
        let after = self.lightest(|label| Some(label.ends.source));
        let before = self.lightest(|label| Some(label.ends.target));
        let (mut finals, mut long) = (0, Vec::new());
        for &Open { column, row, is_long, .. } in entries {
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
        let mut by_row: Vec<Vec<(u8, VertexId)>> = vec![Vec::new(); self.roles.len()];
        for (place, label) in self.labels.iter().enumerate() {
            let length = lengths[place].max(u8::from(label.ends.source == column));
            if length == 0 {
                continue;
            }
            for &next in &label.next {
                lengths[next] = lengths[next].max((length + 1).min(3));
            }
            if length > 1 && self.role(label.ends.target) == Role::Dependent {
                by_row[label.ends.target.index()].push((length, label.ends.source));
            }
        }
        let centres = self.centres(column);
        for (row, last) in by_row.into_iter().enumerate().filter(|(_, last)| !last.is_empty()) {
            let row = VertexId(row as u32);
            let is_centre = |vertex: VertexId| centres.binary_search(&(row, vertex)).is_ok();
            let long = || last.iter().filter(|(length, _)| *length > 2);
            let centres = centres.iter().filter(|(of, _)| *of == row).count();
            let is_mixed = centres > 0 && long().any(|&(_, start)| !is_centre(start));
            open.push(Open { column, row, is_long: long().next().is_some(), centres, is_mixed });
        }
    }

    /// By row, the vertices where the labels of paths of two from `column` meet.
    fn centres(&self, column: VertexId) -> Vec<(VertexId, VertexId)> {
        let mut centres = Vec::new();
        for first in self.labels.iter().filter(|label| label.ends.source == column) {
            let last = first.next.iter().map(|&next| self.labels[next].ends);
            let last = last.filter(|last| self.role(last.target) == Role::Dependent);
            centres.extend(last.map(|last| (last.target, last.source)));
        }
        centres.sort();
        centres.dedup();
        centres
    }
}

/// The multiplications that entries need at least where all products are multiplications.
fn heavy_multiplications(entries: &[Open]) -> usize {
    let finals: usize = entries.iter().map(|entry| entry.centres.max(1)).sum();
    let mut mixed: Vec<_> = entries.iter().filter(|entry| entry.is_mixed).map(|entry| entry.row).collect();
    mixed.sort();
    mixed.dedup();
    let long = |has_row: &dyn Fn(VertexId) -> bool| {
        let long = entries.iter().filter(|entry| entry.is_long && has_row(entry.row));
        size_of_matching(&long.map(|entry| (entry.column, entry.row)).collect::<Vec<_>>())
    };
    finals + long(&|_| true).max(mixed.len() + long(&|row| mixed.binary_search(&row).is_err()))
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
