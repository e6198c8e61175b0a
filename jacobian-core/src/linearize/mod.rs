//! Linearization: a code list in, its linearized computational graph out, with the local partials written after the
//! statements that they belong to.
//!
//! A dependent that other statements use as well, and an independent that is a dependent, get a vertex of their own
//! after an edge with label 1, so that every dependent is a sink (which costs no operation: ones are folded).
//!
//! The derivative of a [block](jacobian_list::block) takes its place in the code; in the graph, a result of it is a
//! vertex like any other, after edges from the arguments that it depends on.
//!
//! Edges whose partials are the same term, such as those from `a` and `b` in `a * c` and `b * c`, share the label of
//! the first of them.

mod adjoint;
mod before;
mod chart;
mod derive;
mod draft;
mod estimate;
mod gradient;
mod inner;
mod iteration;
mod partials;
mod reverse;
mod seed;
mod selection;

use jacobian_list::block::{Block, Body, Local};
pub use jacobian_list::chart::{Chart, Charts, Manifold};
use jacobian_list::code_list::{CodeList, Kind, Statement, ValueId};

use self::adjoint::{DeferredBranch, reversed_results};
use self::before::{Columns, ITERATIONS, Known, before_branch, before_loop, chosen_pairs};
use self::derive::{derive, derive_by_columns};
pub use self::draft::{Draft, Linearization, LoopPaths};
use self::gradient::{Gradient, Nonlinear};
use self::inner::DerivedBlock;
pub use self::inner::Inner;
use self::iteration::{Before, Paths, Plan, derive_loop};
use self::partials::{Operation, Partials};
use self::reverse::{Deferred, Transposed, counting};
use self::seed::Seed;
pub use self::seed::{Companion, Interface, Iteration, Reversed, SeedKind};
use crate::algebra::{Algebra, Term};
use crate::error::Error;
use crate::graph::{Role, VertexId};

/// How fine the graph is. It is written `code-list` or `statement`.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Level {
    /// A vertex for every operation.
    #[default]
    CodeList,
    /// A vertex for every statement of the user: their gradients are accumulated ahead of time.
    Statement,
}

/// The names of the levels, in the order of their variants.
pub const LEVELS: &[(&str, Level)] = &[("code-list", Level::CodeList), ("statement", Level::Statement)];

/// Linearizes `function`, every operation by itself. The inputs of the seed come before those of the function.
/// The lists in a block are differentiated, by `inner`, before what follows the block is linearized. What is
/// large is in boxes: this recurs for nested blocks.
///
/// # Errors
/// Those of an arm, where a function is called with its Jacobian, which has no derivative, where an opaque statement
/// makes a float of an active value, and where a second partial is not known.
pub fn linearize_by(
    function: &CodeList,
    interface: Interface<'_>,
    inner: &dyn Inner,
) -> Result<Box<Linearization>, Error> {
    let mut linearizer = Linearizer::boxed(function, interface, inner);
    for id in function.ids() {
        linearizer.statement(id)?;
    }
    linearizer.finish_boxed()
}

struct Linearizer<'a> {
    function: &'a CodeList,
    interface: Interface<'a>,
    inner: &'a dyn Inner,
    /// The inputs of the seed, and its sources.
    seed: Seed,
    /// The weights of the results, where the gradient is differentiated.
    weights: Seed,
    /// For the gradient: the operations that are not linear.
    nonlinear: Vec<Nonlinear>,
    /// The sources of the tangents of the chart whose coordinates are being read, and these.
    open_chart: (Vec<VertexId>, Vec<(ValueId, VertexId)>),
    /// Whether the inputs that are still to come are active.
    is_active: std::slice::Iter<'a, bool>,
    useful: Vec<bool>,
    /// By statement of the function: of how many statements it divides the partials.
    divides: Vec<u32>,
    partials: Partials,
    draft: Draft,
    columns: Vec<VertexId>,
    /// By statement of the function: its value in the algebra's list.
    values: Vec<ValueId>,
    /// By value of the algebra's list: its vertex, where it is active.
    vertices: Vec<Option<VertexId>>,
    /// The derivatives by the columns that have been accumulated.
    known: Known,
    /// The blocks whose derivatives run in reverse order, after all else.
    deferred: Vec<Later>,
}

/// What is differentiated after all that follows it.
enum Later {
    Loop(Box<Deferred>),
    Branch(Box<DeferredBranch>),
}

/// How a loop is differentiated.
enum LoopDerivative {
    /// In its place, by the columns with these vertices, with this many products in an iteration.
    Forward(DerivedBlock, Vec<VertexId>, usize),
    /// At the end of the list.
    Reverse(Transposed),
    /// Not at all: where its edges lead by the columns with these vertices.
    Outline(Plan, Vec<VertexId>),
}

impl<'a> Linearizer<'a> {
    fn new(function: &'a CodeList, interface: Interface<'a>, inner: &'a dyn Inner) -> Self {
        let (useful, mut partials) = (function.useful(), Partials::new());
        let mut divides = vec![0; useful.len()];
        for id in function.ids().filter(|id| useful[id.index()]) {
            if let Some(divisor) = partials.divisor(function.statement(id)) {
                divides[divisor.index()] += 1;
            }
        }
        let mut draft = Draft::new(Algebra::new(function));
        Linearizer {
            function,
            interface,
            inner,
            seed: Seed::new(interface.seed, interface, function, &mut draft),
            weights: Seed::new(interface.gradient_of, interface, function, &mut draft),
            nonlinear: Vec::new(),
            open_chart: (Vec::new(), Vec::new()),
            is_active: interface.is_active.iter(),
            useful,
            divides,
            partials,
            draft,
            columns: Vec::new(),
            values: Vec::with_capacity(function.statements().len()),
            vertices: Vec::new(),
            known: Known::default(),
            deferred: Vec::new(),
        }
    }

    /// Not in the frame of the caller, which stays while inner lists are differentiated.
    #[inline(never)]
    fn boxed(function: &'a CodeList, interface: Interface<'a>, inner: &'a dyn Inner) -> Box<Self> {
        Box::new(Linearizer::new(function, interface, inner))
    }

    #[inline(never)]
    fn finish_boxed(self: Box<Self>) -> Result<Box<Linearization>, Error> {
        Ok(Box::new(self.finish()?))
    }

    fn statement(&mut self, id: ValueId) -> Result<(), Error> {
        self.draft.user_statement = self.function.user_statement(id);
        let moved = |arg: ValueId| self.values[arg.index()];
        let value = match self.function.statement(id) {
            Statement::Block(_) => self.block(id, self.function.block_of(id).clone().map_args(moved))?,
            statement => self.draft.algebra.function_statement(statement.map_args(moved)),
        };
        self.values.push(value);
        self.name(id, value);
        match *self.draft.algebra.list().statement(value) {
            Statement::Input(kind) => self.input(value, kind),
            Statement::Apply { intrinsic, notation, args }
                if self.useful[id.index()] && self.vertex(value).is_none() =>
            {
                self.share_reciprocal(id, value);
                self.differentiate(Operation { intrinsic, notation, args, value });
            }
            _ => {}
        }
        Ok(())
    }

    /// Computes the reciprocal of what divides the partials of an active statement, if it divides those of others, too.
    fn share_reciprocal(&mut self, id: ValueId, value: ValueId) {
        if let Some(divisor) = self.partials.divisor(self.function.statement(id))
            && self.divides[divisor.index()] > 1
            && self.draft.algebra.list().args(value).any(|arg| self.vertex(arg).is_some())
        {
            self.draft.algebra.share_reciprocal(self.values[divisor.index()], value);
        }
    }

    /// Names a value after a statement of the function, if it has no name.
    fn name(&mut self, id: ValueId, value: ValueId) {
        if let Some(name) = self.function.name(id)
            && self.draft.algebra.list().name(value).is_none()
        {
            self.draft.algebra.list_mut().set_name(value, name);
        }
    }

    fn input(&mut self, value: ValueId, kind: Kind) {
        let position = self.interface.is_active.len() - self.is_active.len();
        let is_active = self.is_active.next() == Some(&true);
        Seed::note_bounds(self.interface, position, value, &mut self.draft);
        if let Some(chart) = Chart::of(&self.interface.charts.inputs, position) {
            self.coordinate(chart, position, value);
        } else if is_active && kind == Kind::Float {
            let column = self.add_vertex(value, Seed::role_of_inputs(self.interface));
            self.seed.connect(self.interface, position, column, &mut self.draft);
            self.columns.push(column);
        }
    }

    /// The input at this position, which is a coordinate: the columns are those of its chart's tangents.
    fn coordinate(&mut self, chart: Chart, position: usize, value: ValueId) {
        if position == chart.first {
            let sources = chart::sources(chart, Seed::role_of_inputs(self.interface), &mut self.draft);
            self.columns.extend(&sources);
            self.open_chart = (sources, Vec::new());
        }
        let vertex = self.add_vertex(value, Role::Intermediate);
        self.open_chart.1.push((value, vertex));
        if position + 1 == chart.first + chart.manifold.coordinates() {
            let (tangents, coordinates) = std::mem::take(&mut self.open_chart);
            chart::connect(chart, &tangents, &coordinates, &mut self.draft);
        }
    }

    fn vertex(&self, value: ValueId) -> Option<VertexId> {
        self.vertices.get(value.index()).copied().flatten()
    }

    fn add_vertex(&mut self, value: ValueId, role: Role) -> VertexId {
        let vertex = self.draft.add_vertex(value, role);
        let length = self.vertices.len().max(value.index() + 1);
        self.vertices.resize(length, None);
        self.vertices[value.index()] = Some(vertex);
        vertex
    }

    /// Adds the vertex and the edges of an active statement.
    fn differentiate(&mut self, operation: Operation) {
        let mut edges: Vec<(VertexId, Term)> = Vec::with_capacity(operation.args.len());
        let mut sources = Vec::with_capacity(operation.args.len());
        for (position, &arg) in operation.args.iter().enumerate() {
            let source = self.vertex(arg);
            sources.push(source);
            let Some(source) = source else { continue };
            self.draft.algebra.list_mut().begin_entry();
            let label = self.partials.first(&mut self.draft.algebra, &operation, position);
            self.draft.algebra.mask_selection(label);
            self.draft.gather(&mut edges, source, label);
        }
        self.draft.algebra.list_mut().resume_entry(None);
        self.add_active(operation.value, edges);
        if self.interface.gradient_of != SeedKind::None
            && !operation.intrinsic.row().seconds.is_empty()
            && let Some(vertex) = self.vertex(operation.value)
        {
            self.nonlinear.push(Nonlinear { vertex, operation, sources });
        }
    }

    /// Adds a vertex with these edges, unless it would have none.
    fn add_active(&mut self, value: ValueId, mut edges: Vec<(VertexId, Term)>) {
        edges.retain(|&(_, label)| !label.is_zero());
        if edges.is_empty() {
            return;
        }
        let vertex = self.add_vertex(value, Role::Intermediate);
        for (source, label) in edges {
            self.draft.add_edge(source, vertex, label);
        }
    }

    /// Adds the derivative of a block in its place, or the block itself where nothing of it is active.
    fn block(&mut self, id: ValueId, block: Block) -> Result<ValueId, Error> {
        let (mut sources, mut is_active) = (Vec::new(), Vec::with_capacity(block.args.len()));
        for &arg in &block.args {
            let source = self.vertex(arg);
            is_active.push(source.is_some());
            sources.extend(source);
        }
        let gives_floats = (0..block.results()).any(|part| block.kind(part) == Kind::Float);
        let is_differentiated = gives_floats && (self.useful[id.index()] || block.is_opaque());
        if !is_differentiated || sources.is_empty() {
            return Ok(self.draft.algebra.block(block));
        }
        let (DerivedBlock { block, partials, masks }, sources, products) = match &block.body {
            Body::Loop { .. } => match self.derived_loop(id, &block)? {
                LoopDerivative::Forward(derived, sources, products) => (derived, sources, Some(products)),
                LoopDerivative::Reverse(transposed) => return Ok(self.defer(&block, transposed)),
                LoopDerivative::Outline(plan, sources) => return Ok(self.outline(block, &plan, &sources)),
            },
            Body::Branch { .. } if let Some(is_reached) = self.reversed_branch(id, &block, &is_active) => {
                return Ok(self.defer_branch(block, &is_reached));
            }
            Body::Branch { .. } => match self.before_branch(&block) {
                Some((before, columns)) => (derive_by_columns(&block, &before, self.inner)?, columns, None),
                None => (derive(&block, &is_active, self.inner)?, sources, None),
            },
            _ => (derive(&block, &is_active, self.inner)?, sources, None),
        };
        let value = self.draft.algebra.block(block);
        let by_rule = self.partials_by_rule(value);
        self.draft.algebra.mask_parts(value, &masks);
        let mut results = Vec::new();
        for (part, partials) in partials.iter().enumerate() {
            let mut edges = Vec::with_capacity(sources.len());
            for &(argument, partial) in partials {
                let label = partial.label(value, &by_rule, &mut self.draft);
                self.draft.gather(&mut edges, sources[argument], label);
            }
            let part = self.draft.algebra.part(value, part);
            self.add_active(part, edges);
            results.extend(self.vertex(part));
        }
        if let Some(products) = products {
            self.draft.loops.push(LoopPaths { results, products, columns: sources.len(), is_derived: true });
        }
        Ok(value)
    }

    /// Adds a loop whose derivative is left out.
    fn outline(&mut self, block: Block, plan: &Plan, sources: &[VertexId]) -> ValueId {
        let value = self.draft.algebra.block(block);
        let mut results = Vec::new();
        for (part, row) in plan.rows().enumerate() {
            let part = self.draft.algebra.part(value, part);
            let any = self.draft.algebra.term(part);
            let mut edges = Vec::new();
            for (column, companion) in row {
                let label = if companion == Companion::One { Term::ONE } else { any };
                self.draft.gather(&mut edges, sources[column], label);
            }
            self.add_active(part, edges);
            results.extend(self.vertex(part));
        }
        let (products, columns) = (plan.products, sources.len());
        self.draft.loops.push(LoopPaths { results, products, columns, is_derived: false });
        value
    }

    /// The derivative of a loop, by the order that takes fewer products.
    fn derived_loop(&mut self, id: ValueId, block: &Block) -> Result<LoopDerivative, Error> {
        let Body::Loop { iterations, body, carried } = &block.body else { unreachable!("it is a loop") };
        let vertices: Vec<_> = block.args.iter().map(|&arg| self.vertex(arg)).collect();
        let read = block.args.len() - carried;
        let is_active: Vec<_> = vertices.iter().map(Option::is_some).collect();
        let paths = Paths::of(body, read, &is_active, self.inner)?;
        let transposed = self.may_reverse(id, Reversed::All).then(|| Transposed::of(&paths, body, read)).flatten();
        let products = transposed.as_ref().map_or(usize::MAX, |transposed| self.reverse_products(id, transposed));
        // No path is known yet from the columns through what is differentiated after all else.
        let columns = self.deferred.is_empty().then(|| self.columns_so_far());
        let of_graph = (&mut self.known, &mut self.draft);
        match (before_loop(block, (&paths, read), &vertices, columns, products, of_graph), transposed) {
            (None, Some(transposed)) => Ok(LoopDerivative::Reverse(transposed)),
            (before, _) => {
                let (before, plan, sources) = before.expect("the forward order takes fewer products than there are");
                if self.interface.is_outline && plan.is_outlined() {
                    return Ok(LoopDerivative::Outline(plan, sources));
                }
                let products = plan.products;
                let derived = derive_loop(block, (*iterations, body, *carried), &before, plan, self.inner)?;
                Ok(LoopDerivative::Forward(derived, sources, products))
            }
        }
    }

    /// The columns of the graph.
    fn columns_so_far(&self) -> Columns {
        Columns {
            sources: self.seed.sources(self.interface, &self.columns),
            given: self.seed.rows_of_inputs(self.interface, &self.columns),
            rows: self.rows(),
        }
    }

    /// What a branch is differentiated by instead of its own arguments, and the vertices of these columns.
    fn before_branch(&mut self, block: &Block) -> Option<(Before, Vec<VertexId>)> {
        // The derivatives by the columns are not known of what comes after all else.
        if !self.deferred.is_empty() {
            return None;
        }
        let vertices: Vec<_> = block.args.iter().map(|&arg| self.vertex(arg)).collect();
        let columns = self.columns_so_far();
        let most = match self.interface.seed {
            // What an arm of a selection carries along takes no products, however many columns there are.
            SeedKind::Iteration(_) if block.is_selection() => None,
            _ if chosen_pairs(block).is_some_and(|pairs| columns.sources.len() * block.results() > pairs) => {
                return None;
            }
            _ => Some(block.results().min(self.rows())),
        };
        let before = before_branch(&vertices, &columns, most, &mut self.known, &mut self.draft)?;
        Some((before, columns.sources))
    }

    /// The number of rows of the graph.
    fn rows(&self) -> usize {
        match self.interface.seed {
            SeedKind::Cotangent | SeedKind::Sum => return 1,
            SeedKind::Adjoints { rows, .. } => return rows,
            SeedKind::None | SeedKind::Tangent | SeedKind::Iteration(_) => {}
        }
        let mut rows: Vec<_> = self.function.outputs()[self.interface.first_dependent..].to_vec();
        rows.sort_unstable();
        rows.dedup();
        rows.len()
    }

    /// The results of a branch that depend on what is active, if its derivative comes after all else.
    fn reversed_branch(&self, id: ValueId, block: &Block, is_active: &[bool]) -> Option<Vec<bool>> {
        self.may_reverse(id, Reversed::Branches).then(|| reversed_results(block, is_active, self.rows())).flatten()
    }

    /// Whether the derivative of the block that a statement runs, which is one of these, may come after all else: the rows
    /// are known by then. A loop that follows a branch could not be differentiated by the columns any more.
    fn may_reverse(&self, id: ValueId, what: Reversed) -> bool {
        let Interface { may_reverse, seed, .. } = self.interface;
        let has_rows = !matches!(seed, SeedKind::Tangent | SeedKind::Iteration(_));
        let is_loop = |later: ValueId| match self.function.statement(later) {
            Statement::Block(_) => matches!(self.function.block_of(later).body, Body::Loop { .. }),
            _ => false,
        };
        let is_followed = || self.function.ids().skip(id.index() + 1).any(is_loop);
        may_reverse >= what && has_rows && !(what == Reversed::Branches && is_followed())
    }

    /// How many products the reverse order takes at most, in as many iterations as a loop is taken to make. The loops
    /// after it are differentiated by what they depend on then, which may be more than there are columns.
    fn reverse_products(&self, id: ValueId, transposed: &Transposed) -> usize {
        let (mut after, mut of_loops) = (0, 0);
        for later in self.function.ids().skip(id.index() + 1) {
            after += 2;
            if let Statement::Block(_) = self.function.statement(later)
                && let Block { args, body: Body::Loop { body, .. }, .. } = self.function.block_of(later)
            {
                let own = args.iter().filter(|&&arg| self.function.kind(arg) == Kind::Float).count();
                of_loops += ITERATIONS * own.saturating_sub(self.columns.len()) * body.statements().len();
            }
        }
        self.rows() * (ITERATIONS * transposed.edges + after) + of_loops
    }

    /// Adds a loop whose derivative comes after all else. Its results are vertices that no edge leads to yet.
    fn defer(&mut self, block: &Block, transposed: Transposed) -> ValueId {
        let Body::Loop { carried, .. } = block.body else { unreachable!("it is a loop") };
        let vertices: Vec<_> = block.args.iter().map(|&arg| self.vertex(arg)).collect();
        let is_active: Vec<_> = vertices.iter().map(Option::is_some).collect();
        let is_reached = transposed.active_results(&is_active, carried);
        let counting = counting(block, &mut self.draft);
        let value = self.draft.algebra.block(counting);
        let mut results = Vec::with_capacity(carried);
        for (part, is_reached) in is_reached.into_iter().enumerate() {
            let part = self.draft.algebra.part(value, part);
            results.push(is_reached.then(|| self.add_vertex(part, Role::Intermediate)));
        }
        let count = self.draft.algebra.part(value, carried);
        vertices.iter().flatten().for_each(|&vertex| self.draft.expect_edge(vertex));
        let deferred = Deferred { args: block.args.clone(), vertices, carried, results, count, transposed };
        self.deferred.push(Later::Loop(Box::new(deferred)));
        value
    }

    /// The same for a branch, of whose results these depend on what is active.
    fn defer_branch(&mut self, block: Block, is_reached: &[bool]) -> ValueId {
        let vertices: Vec<_> = block.args.iter().map(|&arg| self.vertex(arg)).collect();
        let value = self.draft.algebra.block(block.clone());
        let mut results = Vec::with_capacity(is_reached.len());
        for (part, is_reached) in is_reached.iter().enumerate() {
            let part = self.draft.algebra.part(value, part);
            results.push(is_reached.then(|| self.add_vertex(part, Role::Intermediate)));
        }
        vertices.iter().flatten().for_each(|&vertex| self.draft.expect_edge(vertex));
        self.deferred.push(Later::Branch(Box::new(DeferredBranch { value, block, vertices, results })));
        value
    }

    /// The partials of a call that has a rule for them.
    fn partials_by_rule(&mut self, call: ValueId) -> Vec<Term> {
        let algebra = &mut self.draft.algebra;
        let Block { args, body, .. } = algebra.list().block_of(call);
        let Body::Call { results, columns, local: Local::Rule(rule), .. } = body else { return Vec::new() };
        let (rule, mut inputs) = (rule.clone(), args[..*columns].to_vec());
        let others = args[args.len() + columns + results - rule.inputs().len()..].to_vec();
        inputs.extend((0..*results).map(|part| algebra.part(call, part)));
        inputs.extend(others);
        algebra.list_mut().begin_entry();
        let partials = algebra.partials(&rule, &inputs);
        algebra.list_mut().resume_entry(None);
        partials
    }

    fn finish(self) -> Result<Linearization, Error> {
        let values: Vec<_> = self.function.outputs().iter().map(|id| self.values[id.index()]).collect();
        let results = &values[self.interface.first_dependent..];
        let dependents: Vec<_> = results.iter().map(|&value| self.vertex(value)).collect();
        let Linearizer {
            interface, inner, seed, weights, nonlinear, mut partials, mut draft, columns, deferred, ..
        } = self;
        let dependents = chart::of_results(&interface.charts.outputs, results, &dependents, &mut draft);
        let values = if interface.has_values { values } else { Vec::new() };
        if interface.gradient_of != SeedKind::None {
            let gradient = Gradient::new(&mut draft, &dependents, &weights, nonlinear, &mut partials)?;
            let adjoints = gradient.adjoints(&columns);
            let is_symmetric = interface.seed == SeedKind::None;
            let rows = gradient.reflect(&mut draft, &columns, is_symmetric);
            let columns = seed.columns(interface, columns, &mut draft);
            let rows = rows.into_iter().map(Some).collect();
            return Ok(Linearization { gradient: Some(adjoints), is_symmetric, ..draft.finish(columns, rows, values) });
        }
        let columns = seed.columns(interface, columns, &mut draft);
        let rows = match interface.seed {
            SeedKind::None | SeedKind::Tangent | SeedKind::Iteration(_) => draft.rows(&dependents),
            SeedKind::Cotangent | SeedKind::Sum => vec![seed.sink(&dependents, &mut draft)],
            SeedKind::Adjoints { rows, .. } => seed.sinks(rows, &dependents, &mut draft),
        };
        let mut sinks: Vec<_> = rows.iter().copied().flatten().collect();
        sinks.sort_unstable();
        sinks.dedup();
        for later in deferred.iter().rev() {
            match later {
                Later::Loop(deferred) => deferred.connect(&sinks, &mut draft, inner)?,
                Later::Branch(deferred) => deferred.connect(&sinks, &mut draft, inner)?,
            }
        }
        Ok(Linearization { is_symmetric: interface.is_symmetric, ..draft.finish(columns, rows, values) })
    }
}
