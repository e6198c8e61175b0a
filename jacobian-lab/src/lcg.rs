//! Linearized computational graphs as texts (`.lcg`): what elimination works on, without a function.
//!
//! ```text
//! name lion
//! vertices 8
//! indep 0 1
//! dep 4 5 6 7
//! edge 0 2 var
//! edge 1 2 one
//! edge 2 3 minus_one
//! edge 3 4 const=0.5
//! ```
//!
//! One statement a line, `#` starts a comment. Vertices have the numbers from 0; `vertices` stands before whatever
//! names one. An edge leads from a lower number to a higher one, and none leads to an independent. The `indep` and
//! `dep` lines give the columns and rows in order, all other vertices are intermediates; a dependent may have edges
//! that leave it, and may be an independent. Parallel edges are added ahead of time.

use std::fmt;
use std::str::FromStr;

use jacobian_core::accumulate::Derivative;
use jacobian_core::algebra::{Algebra, Term};
use jacobian_core::code_list::{CodeList, Kind, Precision, ValueId};
use jacobian_core::graph::{Role, VertexId};
use jacobian_core::linearize::{Draft, Linearization};
use jacobian_core::text::ParseError;

/// The most vertices of a graph that is read.
const MAX_VERTICES: u32 = 1_000_000;

/// A linearized computational graph with what is known of its labels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LabelledGraph {
    /// The name, if it has one.
    pub name: Option<String>,
    /// The number of vertices.
    vertices: u32,
    independents: Vec<VertexId>,
    dependents: Vec<VertexId>,
    edges: Vec<LabelledEdge>,
}

/// An edge.
#[derive(Copy, Clone, PartialEq, Debug)]
struct LabelledEdge {
    source: VertexId,
    target: VertexId,
    label: Label,
}

/// What is known of a label.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Label {
    One,
    MinusOne,
    Constant(f64),
    Variable,
}

impl LabelledGraph {
    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices as usize
    }

    /// The independents, in the order of the columns.
    pub fn independents(&self) -> &[VertexId] {
        &self.independents
    }

    /// The dependents, in the order of the rows.
    pub fn dependents(&self) -> &[VertexId] {
        &self.dependents
    }

    /// The graph of a linearized function, of whose labels only ones, minus ones and other finite numbers are known.
    pub fn of(linearization: &Linearization) -> Self {
        let graph = &linearization.graph;
        let mut edges = Vec::new();
        for target in graph.vertices() {
            for &edge in graph.incoming(target) {
                let (source, term) = (graph.edge(edge).source, linearization.labels[edge.index()]);
                let label = match linearization.algebra.value(term) {
                    Some(1.0) => Label::One,
                    Some(-1.0) => Label::MinusOne,
                    Some(value) if value.is_finite() => Label::Constant(value),
                    _ => Label::Variable,
                };
                edges.push(LabelledEdge { source, target, label });
            }
        }
        let mut dependents = Vec::new();
        for &row in linearization.rows.iter().flatten() {
            if !dependents.contains(&row) {
                dependents.push(row);
            }
        }
        LabelledGraph {
            name: None,
            vertices: graph.vertex_count() as u32,
            independents: linearization.columns.clone(),
            dependents,
            edges,
        }
    }

    /// The graph as a linearized function: an unknown label is the passive value `c[i,j]` (`c[i,j,2]`, `c[i,j,3]`, ...
    /// for parallel edges), and so is the value of a vertex that is no independent, `v{j}`. Every vertex keeps its
    /// number; the sinks that dependents need where they are used further are numbered after them all.
    pub fn linearize(&self) -> Linearization {
        let mut draft = Draft::new(Algebra::new(&CodeList::new(Precision::F64)));
        let mut edges = self.edges.clone();
        edges.sort_by_key(|edge| (edge.target, edge.source));
        let mut active = vec![false; self.vertex_count()];
        for &column in &self.independents {
            active[column.index()] = true;
        }
        let (mut rest, mut values) = (edges.as_slice(), Vec::with_capacity(self.vertex_count()));
        for vertex in (0..self.vertices).map(VertexId) {
            draft.user_statement = vertex.index();
            let incoming = rest.partition_point(|edge| edge.target <= vertex);
            values.push(add_vertex(&mut draft, vertex, &rest[..incoming], &mut active));
            rest = &rest[incoming..];
        }
        let results: Vec<_> = self.dependents.iter().map(|vertex| active[vertex.index()].then_some(*vertex)).collect();
        let values = self.dependents.iter().map(|vertex| values[vertex.index()]).collect();
        let rows = draft.rows(&results);
        draft.finish(self.independents.clone(), rows, values)
    }

    /// The entries of `derivative`, row by row: their names, `J[j,i]` for the dependent `j` and the independent `i`,
    /// and their values.
    pub fn entries(&self, derivative: &Derivative) -> Vec<(String, ValueId)> {
        let named = |(row, column, value): (usize, usize, _)| {
            (format!("J[{},{}]", self.dependents[row].0, self.independents[column].0), value)
        };
        derivative.jacobian().map(named).collect()
    }
}

/// Adds a vertex, and those of the edges to it that start at an active one.
fn add_vertex(draft: &mut Draft, vertex: VertexId, edges: &[LabelledEdge], active: &mut [bool]) -> ValueId {
    let name = format!("v{}", vertex.0);
    let (value, role) = match active[vertex.index()] {
        true => (draft.algebra.list_mut().input(&name), Role::Independent),
        false => (passive(&mut draft.algebra, &name), Role::Intermediate),
    };
    draft.add_vertex(value, role);
    let (mut gathered, mut parallel) = (Vec::new(), 0);
    for (position, edge) in edges.iter().enumerate() {
        let is_parallel = position > 0 && edges[position - 1].source == edge.source;
        parallel = if is_parallel { parallel + 1 } else { 1 };
        if active[edge.source.index()] {
            let label = edge.label_term(&mut draft.algebra, parallel);
            draft.gather(&mut gathered, edge.source, label);
        }
    }
    gathered.retain(|&(_, label)| !label.is_zero());
    active[vertex.index()] |= !gathered.is_empty();
    for (source, label) in gathered {
        draft.add_edge(source, vertex, label);
    }
    value
}

/// A new passive value; the origins count these.
fn passive(algebra: &mut Algebra, name: &str) -> ValueId {
    let origin = algebra.list().blocks().len() as u32;
    algebra.list_mut().passive(Kind::Float, name, origin)
}

impl LabelledEdge {
    /// The label of the edge, which is the `parallel`-th between its ends.
    fn label_term(&self, algebra: &mut Algebra, parallel: usize) -> Term {
        match self.label {
            Label::One => Term::ONE,
            Label::MinusOne => -Term::ONE,
            Label::Constant(value) => algebra.constant(value),
            Label::Variable => {
                let (source, target) = (self.source.0, self.target.0);
                let name = match parallel {
                    1 => format!("c[{source},{target}]"),
                    _ => format!("c[{source},{target},{parallel}]"),
                };
                let id = passive(algebra, &name);
                algebra.term(id)
            }
        }
    }
}

impl FromStr for LabelledGraph {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut reader = Reader::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            reader.line = index + 1;
            let line = line.split('#').next().unwrap_or_default();
            let fields: Vec<_> = line.split_whitespace().collect();
            if let Some((keyword, fields)) = fields.split_first() {
                reader.statement(keyword, fields).map_err(|message| ParseError { line: reader.line, message })?;
            }
        }
        reader.finish()
    }
}

#[derive(Default)]
struct Reader {
    /// The line that is read, counted from 1.
    line: usize,
    graph: LabelledGraph,
    /// The number of vertices, once it is known.
    vertices: Option<u32>,
    /// By vertex.
    is_independent: Vec<bool>,
    /// By vertex.
    is_dependent: Vec<bool>,
    /// By edge.
    edge_lines: Vec<usize>,
}

impl Reader {
    fn statement(&mut self, keyword: &str, fields: &[&str]) -> Result<(), String> {
        match (keyword, fields) {
            ("name", [name]) => match self.graph.name.replace((*name).into()) {
                None => Ok(()),
                Some(_) => Err("the graph has a name already".into()),
            },
            ("name", _) => Err("expected `name NAME`, a name without blanks".into()),
            ("vertices", [count]) => self.set_vertices(count),
            ("vertices", _) => Err("expected `vertices N`".into()),
            ("indep" | "dep", []) => Err(format!("expected `{keyword} VERTEX ...`")),
            ("indep", vertices) => vertices.iter().try_for_each(|vertex| self.independent(vertex)),
            ("dep", vertices) => vertices.iter().try_for_each(|vertex| self.dependent(vertex)),
            ("edge", [source, target, kind]) => self.edge(source, target, kind),
            ("edge", _) => Err("expected `edge FROM TO KIND`".into()),
            _ => Err(format!("unknown statement `{keyword}`; known: `name`, `vertices`, `indep`, `dep`, `edge`")),
        }
    }

    fn set_vertices(&mut self, count: &str) -> Result<(), String> {
        let number = count.parse().ok().filter(|&count| count <= MAX_VERTICES);
        let number = number.ok_or_else(|| format!("expected a number up to {MAX_VERTICES}, found `{count}`"))?;
        if self.vertices.replace(number).is_some() {
            return Err("the number of vertices is given already".into());
        }
        self.graph.vertices = number;
        self.is_independent = vec![false; number as usize];
        self.is_dependent = vec![false; number as usize];
        Ok(())
    }

    fn vertex(&self, text: &str) -> Result<VertexId, String> {
        let count = self.vertices.ok_or("expected `vertices N` before the first vertex is named")?;
        let number: u32 = text.parse().map_err(|_| format!("expected the number of a vertex, found `{text}`"))?;
        match number < count {
            true => Ok(VertexId(number)),
            false => Err(format!("there is no vertex {number}: the graph has {count}, counted from 0")),
        }
    }

    fn independent(&mut self, text: &str) -> Result<(), String> {
        let vertex = self.vertex(text)?;
        self.graph.independents.push(vertex);
        mark(&mut self.is_independent, vertex, "independent")
    }

    fn dependent(&mut self, text: &str) -> Result<(), String> {
        let vertex = self.vertex(text)?;
        self.graph.dependents.push(vertex);
        mark(&mut self.is_dependent, vertex, "dependent")
    }

    fn edge(&mut self, source: &str, target: &str, kind: &str) -> Result<(), String> {
        let (source, target, label) = (self.vertex(source)?, self.vertex(target)?, kind.parse()?);
        if source >= target {
            let (source, target) = (source.0, target.0);
            return Err(format!("an edge leads from a lower to a higher number, not from {source} to {target}"));
        }
        self.graph.edges.push(LabelledEdge { source, target, label });
        self.edge_lines.push(self.line);
        Ok(())
    }

    /// The graph, once all lines are read.
    fn finish(self) -> Result<LabelledGraph, ParseError> {
        let missing = match (self.vertices, self.graph.independents.as_slice(), self.graph.dependents.as_slice()) {
            (None, ..) => Some("`vertices N`"),
            (_, [], _) => Some("`indep VERTEX ...`"),
            (.., []) => Some("`dep VERTEX ...`"),
            _ => None,
        };
        if let Some(missing) = missing {
            return Err(ParseError { line: self.line + 1, message: format!("expected {missing} before the end") });
        }
        for (edge, &line) in self.graph.edges.iter().zip(&self.edge_lines) {
            if self.is_independent[edge.target.index()] {
                let message = format!("vertex {} is independent: no edge may lead to it", edge.target.0);
                return Err(ParseError { line, message });
            }
        }
        Ok(self.graph)
    }
}

fn mark(marks: &mut [bool], vertex: VertexId, role: &str) -> Result<(), String> {
    match std::mem::replace(&mut marks[vertex.index()], true) {
        false => Ok(()),
        true => Err(format!("vertex {} is {role} already", vertex.0)),
    }
}

impl FromStr for Label {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("const=")) {
            ("var", _) => Ok(Label::Variable),
            ("one", _) => Ok(Label::One),
            ("minus_one", _) => Ok(Label::MinusOne),
            (_, Some(value)) => match value.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Label::Constant(number)),
                _ => Err(format!("expected a finite number after `const=`, found `{value}`")),
            },
            _ => Err(format!("unknown kind `{text}`; known: `var`, `one`, `minus_one`, `const=VALUE`")),
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::One => formatter.write_str("one"),
            Label::MinusOne => formatter.write_str("minus_one"),
            Label::Constant(value) => write!(formatter, "const={value:?}"),
            Label::Variable => formatter.write_str("var"),
        }
    }
}

impl fmt::Display for LabelledGraph {
    /// The text from which the graph is read.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            writeln!(formatter, "name {name}")?;
        }
        writeln!(formatter, "vertices {}", self.vertices)?;
        for (keyword, vertices) in [("indep", &self.independents), ("dep", &self.dependents)] {
            let numbers: Vec<_> = vertices.iter().map(|vertex| vertex.0.to_string()).collect();
            writeln!(formatter, "{keyword} {}", numbers.join(" "))?;
        }
        for LabelledEdge { source, target, label } in &self.edges {
            writeln!(formatter, "edge {} {} {label}", source.0, target.0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jacobian_core::program::LabelKind;

    fn read(text: &str) -> LabelledGraph {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The edges of the linearized graph: source, target, kind.
    fn edges(linearization: &Linearization) -> Vec<(u32, u32, LabelKind)> {
        let graph = &linearization.graph;
        let outgoing = graph.vertices().flat_map(|vertex| graph.outgoing(vertex));
        let parts = |&edge| {
            let kind = graph.kinds()[graph.edge(edge).label.index()];
            (graph.edge(edge).source.0, graph.edge(edge).target.0, kind)
        };
        outgoing.map(parts).collect()
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let text = "name g\nvertices 4\nindep 1 0\ndep 3 1\nedge 0 2 var\nedge 0 2 const=-0.25\nedge 2 3 minus_one\n";
        assert_eq!(read(text).to_string(), text);
    }

    #[test]
    fn columns_and_rows_stand_in_the_order_of_the_file() {
        let graph = read("vertices 4\nindep 1 0\ndep 3 2\nedge 0 3 var\nedge 1 2 var");
        let linearization = graph.linearize();
        assert_eq!(linearization.columns, [VertexId(1), VertexId(0)]);
        assert_eq!(linearization.rows, [Some(VertexId(3)), Some(VertexId(2))]);
    }

    #[test]
    fn dependents_that_are_used_further_get_sinks_behind_all_vertices() {
        let graph = read("vertices 3\nindep 0\ndep 0 1 2\nedge 0 1 var\nedge 1 2 var");
        let linearization = graph.linearize();
        assert_eq!(linearization.rows, [Some(VertexId(3)), Some(VertexId(4)), Some(VertexId(2))]);
        let (copy, variable) = (LabelKind::Copy, LabelKind::Variable);
        assert_eq!(edges(&linearization), [(0, 1, variable), (0, 3, copy), (1, 2, variable), (1, 4, copy)]);
    }

    #[test]
    fn parallel_edges_are_added() {
        let graph = read("vertices 3\nindep 0\ndep 1 2\nedge 0 1 one\nedge 0 1 one\nedge 0 2 var\nedge 0 2 var");
        let linearization = graph.linearize();
        assert_eq!(edges(&linearization), [(0, 1, LabelKind::Constant), (0, 2, LabelKind::Variable)]);
        assert!(linearization.to_string().contains("= c[0,2] + c[0,2,2]\n"), "{linearization}");
    }

    #[test]
    fn what_lies_on_no_path_is_pruned() {
        let text = "vertices 6\nindep 0\ndep 3 5\nedge 0 3 var\nedge 1 3 var\nedge 0 2 var\nedge 0 4 one\n\
                    edge 0 4 minus_one\nedge 4 5 var";
        let linearization = read(text).linearize();
        assert_eq!(edges(&linearization), [(0, 3, LabelKind::Variable)]);
        assert_eq!(linearization.rows, [Some(VertexId(3)), None]);
    }

    #[test]
    fn errors_name_the_line_and_what_is_expected() {
        for (text, message) in [
            ("", "line 1: expected `vertices N` before the end"),
            ("vertices 2\ndep 1", "line 3: expected `indep VERTEX ...` before the end"),
            ("vertices 2\nindep 1", "line 3: expected `dep VERTEX ...` before the end"),
            ("# a\n\nverts 2", "line 3: unknown statement `verts`; known: `name`, `vertices`, `indep`, `dep`, `edge`"),
            ("name a b", "line 1: expected `name NAME`, a name without blanks"),
            ("name a\nname b", "line 2: the graph has a name already"),
            ("vertices", "line 1: expected `vertices N`"),
            ("vertices -1", "line 1: expected a number up to 1000000, found `-1`"),
            ("vertices 4000000000", "line 1: expected a number up to 1000000, found `4000000000`"),
            ("vertices 2\nvertices 2", "line 2: the number of vertices is given already"),
            ("indep 0", "line 1: expected `vertices N` before the first vertex is named"),
            ("vertices 2\nindep", "line 2: expected `indep VERTEX ...`"),
            ("vertices 2\nindep x", "line 2: expected the number of a vertex, found `x`"),
            ("vertices 2\nindep 0 0", "line 2: vertex 0 is independent already"),
            ("vertices 2\ndep 1\ndep 1", "line 3: vertex 1 is dependent already"),
            ("vertices 2\nedge 0 1", "line 2: expected `edge FROM TO KIND`"),
            ("vertices 2\nedge 0 2 var", "line 2: there is no vertex 2: the graph has 2, counted from 0"),
            ("vertices 2\nedge 1 0 var", "line 2: an edge leads from a lower to a higher number, not from 1 to 0"),
            ("vertices 2\nedge 1 1 var", "line 2: an edge leads from a lower to a higher number, not from 1 to 1"),
            ("vertices 2\nedge 0 1 two", "line 2: unknown kind `two`; known: `var`, `one`, `minus_one`, `const=VALUE`"),
            ("vertices 2\nedge 0 1 const=x", "line 2: expected a finite number after `const=`, found `x`"),
            ("vertices 2\nedge 0 1 const=inf", "line 2: expected a finite number after `const=`, found `inf`"),
            ("vertices 2\nedge 0 1 var\nindep 1\ndep 1", "line 2: vertex 1 is independent: no edge may lead to it"),
        ] {
            assert_eq!(text.parse::<LabelledGraph>().unwrap_err().to_string(), message);
        }
    }
}
