//! Linearizations: a graph over a code list, and how one is made, vertex by vertex.

use std::fmt;

use jacobian_list::code_list::ValueId;
use jacobian_list::text::unique_names;

use crate::algebra::{Algebra, Term};
use crate::graph::program::{self, Program};
use crate::graph::{EdgeId, Graph, Role, VertexId};

/// A linearized function.
#[derive(Clone)]
pub struct Linearization {
    /// The function's statements and its local partials.
    pub algebra: Algebra,
    /// The graph.
    pub graph: Graph,
    /// The expressions that led to the graph: none, unless something has been eliminated ahead of time.
    pub program: Program,
    /// The labels that were there before: those of the edges of the graph that was there at first.
    pub labels: Vec<Term>,
    /// The vertex of every source, in the order of the columns: an independent, or that of a tangent.
    pub columns: Vec<VertexId>,
    /// The vertex of every sink, in the order of the rows: a dependent, or that of a cotangent; none where it depends
    /// on no independent.
    pub rows: Vec<Option<VertexId>>,
    /// The results of the function that are outputs, as values of the algebra's list.
    pub values: Vec<ValueId>,
    /// The value that each vertex stands for; that of a seed stands for none.
    pub vertex_values: Vec<Option<ValueId>>,
    /// The user's statement that each vertex comes from.
    pub user_statements: Vec<usize>,
    /// Where the gradient is differentiated: its entries, in the order of the independents.
    pub gradient: Option<Vec<Term>>,
    /// Whether the Jacobian is symmetric, and the entries above its diagonal are not computed.
    pub is_symmetric: bool,
    /// The loops that are differentiated in forward order.
    pub loops: Vec<LoopPaths>,
}

/// What the derivative of a loop in forward order is.
#[derive(Clone)]
pub struct LoopPaths {
    /// The vertices of its results.
    pub results: Vec<VertexId>,
    /// How many products it takes in an iteration.
    pub products: usize,
    /// By how many columns.
    pub columns: usize,
    /// Whether the labels of its edges are its partials: not in an [outline](super::Interface::is_outline).
    pub is_derived: bool,
}

impl Linearization {
    /// The same with a graph whose symmetry is not known.
    pub(crate) fn without_symmetry(&self) -> Linearization {
        Linearization { graph: self.graph.without_symmetry(), ..self.clone() }
    }

    /// What the function calls the value of a vertex.
    pub fn name(&self, vertex: VertexId) -> Option<&str> {
        self.algebra.list().name((*self.vertex_values.get(vertex.index())?)?)
    }
}

impl fmt::Display for Linearization {
    /// The code list, then a line `c[i,j] = label` for every edge from vertex `i` to vertex `j`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = self.algebra.list();
        let names = unique_names(list);
        write!(formatter, "{list}")?;
        for vertex in self.graph.vertices() {
            for &edge in self.graph.incoming(vertex) {
                let (source, label) = (self.graph.edge(edge).source, self.labels[edge.index()]);
                let sign = if label.is_negative() { "-" } else { "" };
                writeln!(formatter, "c[{},{}] = {sign}{}", source.0, vertex.0, names[label.id().index()])?;
            }
        }
        Ok(())
    }
}

/// A linearization in the making. Vertices are added in topological order.
pub struct Draft {
    /// The statements and the labels.
    pub algebra: Algebra,
    graph: Graph,
    labels: Vec<Term>,
    vertex_values: Vec<Option<ValueId>>,
    user_statements: Vec<usize>,
    /// The statement of the user that the vertices added next come from.
    pub user_statement: usize,
    /// The vertices from which edges will lead.
    expected: Vec<VertexId>,
    /// The loops that are differentiated in forward order.
    pub(super) loops: Vec<LoopPaths>,
}

impl Draft {
    /// A graph without vertices, over the statements of `algebra`.
    pub fn new(algebra: Algebra) -> Self {
        Draft {
            algebra,
            graph: Graph::default(),
            labels: Vec::new(),
            vertex_values: Vec::new(),
            user_statements: Vec::new(),
            user_statement: 0,
            expected: Vec::new(),
            loops: Vec::new(),
        }
    }

    /// Adds the vertex of a value.
    pub fn add_vertex(&mut self, value: ValueId, role: Role) -> VertexId {
        self.add(Some(value), role)
    }

    /// Adds the vertex of a seed, which is that of no value, and of no statement of the user.
    pub(super) fn add_seed(&mut self, role: Role) -> VertexId {
        self.user_statement = usize::MAX;
        self.add(None, role)
    }

    /// Adds the image of a vertex, which stands for this adjoint.
    pub(super) fn add_image(&mut self, of: VertexId, adjoint: Option<ValueId>, role: Role) -> VertexId {
        self.user_statement = self.user_statements[of.index()];
        self.add(adjoint, role)
    }

    fn add(&mut self, value: Option<ValueId>, role: Role) -> VertexId {
        self.vertex_values.push(value);
        self.user_statements.push(self.user_statement);
        self.graph.add_vertex(role)
    }

    /// The graph so far.
    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The label of an edge.
    pub(super) fn label(&self, edge: EdgeId) -> Term {
        self.labels[edge.index()]
    }

    /// Changes the role of a vertex.
    pub(super) fn set_role(&mut self, vertex: VertexId, role: Role) {
        self.graph.set_role(vertex, role);
    }

    /// Declares that the graph is symmetric.
    pub(super) fn set_symmetric(&mut self) {
        self.graph.set_symmetric();
    }

    /// Names the adjoint of a vertex after it, if it has no name.
    pub(super) fn name_adjoint(&mut self, vertex: VertexId, adjoint: Term) {
        let list = self.algebra.list_mut();
        if let Some(name) = self.vertex_values[vertex.index()].and_then(|value| list.name(value))
            && list.name(adjoint.id()).is_none()
            && list.as_constant(adjoint.id()).is_none()
        {
            let name = format!("{name}_bar");
            list.set_name(adjoint.id(), &name);
        }
    }

    /// Adds an edge to those that are to lead to one vertex; it becomes one with an edge that is parallel to it.
    pub fn gather(&mut self, edges: &mut Vec<(VertexId, Term)>, source: VertexId, label: Term) {
        match edges.iter_mut().find(|(other, _)| *other == source) {
            Some((_, parallel)) => *parallel = self.algebra.path_sum(*parallel, label),
            None => edges.push((source, label)),
        }
    }

    /// Says that an edge will lead from this vertex, which therefore is no sink.
    pub(super) fn expect_edge(&mut self, source: VertexId) {
        self.expected.push(source);
    }

    /// Adds an edge, which becomes one with one that is parallel to it.
    pub(super) fn add_or_join(&mut self, source: VertexId, target: VertexId, label: Term) {
        let label = match self.graph.find_edge(source, target) {
            Some(parallel) => {
                self.graph.remove_edge(parallel);
                self.algebra.path_sum(self.labels[parallel.index()], label)
            }
            None => label,
        };
        if !label.is_zero() {
            self.add_edge(source, target, label);
        }
    }

    /// Adds an edge that has no parallel.
    pub fn add_edge(&mut self, source: VertexId, target: VertexId, label: Term) {
        let kind = match self.algebra.value(label) {
            Some(value) if value.abs() == 1.0 => program::LabelKind::Unit,
            Some(_) => program::LabelKind::Constant,
            None => program::LabelKind::Variable,
        };
        self.graph.add_edge(source, target, kind);
        self.labels.push(label);
    }

    /// The sinks of results with these vertices, if they have any.
    pub fn rows(&mut self, results: &[Option<VertexId>]) -> Vec<Option<VertexId>> {
        let mut sinks: Vec<(VertexId, VertexId)> = Vec::new();
        results.iter().map(|&vertex| Some(self.row(vertex?, &mut sinks))).collect()
    }

    /// The linearization with these columns and rows, and these values as outputs.
    pub fn finish(
        mut self,
        columns: Vec<VertexId>,
        rows: Vec<Option<VertexId>>,
        values: Vec<ValueId>,
    ) -> Linearization {
        self.graph.prune();
        self.share_labels();
        Linearization {
            algebra: self.algebra,
            program: Program::new(&self.graph),
            graph: self.graph,
            labels: self.labels,
            columns,
            rows,
            values,
            vertex_values: self.vertex_values,
            user_statements: self.user_statements,
            gradient: None,
            is_symmetric: false,
            loops: self.loops,
        }
    }

    /// Lets edges with equal labels share that of the first, and notes which labels are others with the other sign. A
    /// copy is no operation, and keeps its own.
    fn share_labels(&mut self) {
        // By value, plain and negative.
        let mut first = vec![[None; 2]; self.algebra.list().statements().len()];
        for vertex in self.graph.vertices() {
            for edge in self.graph.incoming(vertex).to_vec() {
                let label = self.graph.edge(edge).label;
                if self.graph.kinds()[label.index()] != program::LabelKind::Copy {
                    let term = self.labels[label.index()];
                    let own = usize::from(term.is_negative());
                    let [same, opposite] = [own, 1 - own].map(|sign| first[term.index()][sign]);
                    match (same, opposite) {
                        (Some(shared), _) => self.graph.share_label(edge, shared),
                        (None, opposite) => {
                            first[term.index()][own] = Some(label);
                            if let Some(of) = opposite {
                                self.graph.set_opposite(label, of);
                            }
                        }
                    }
                }
            }
        }
    }

    /// The sink of a result: its own vertex where nothing else uses it, else one after it, the same for all results
    /// that are this vertex.
    fn row(&mut self, vertex: VertexId, sinks: &mut Vec<(VertexId, VertexId)>) -> VertexId {
        let is_source = !self.graph.outgoing(vertex).is_empty() || self.expected.contains(&vertex);
        if !is_source && self.graph.role(vertex) != Role::Independent {
            self.graph.set_role(vertex, Role::Dependent);
            return vertex;
        }
        if let Some(&(_, sink)) = sinks.iter().find(|(of, _)| *of == vertex) {
            return sink;
        }
        let sink = self.add(self.vertex_values[vertex.index()], Role::Dependent);
        self.graph.add_edge(vertex, sink, program::LabelKind::Copy);
        self.labels.push(Term::ONE);
        sinks.push((vertex, sink));
        sink
    }
}
