//! A case: what is eliminated, how, and what is expected of it.

use std::path::Path;

use jacobian_core::accumulate::accumulate;
use jacobian_core::bound::lower_bound;
use jacobian_core::code_list::{CodeList, ValueId};
use jacobian_core::cost::OperationCount;
use jacobian_core::eliminate::{Elimination, Target};
use jacobian_core::evaluate::{Domain, Given, MODULUS, Modular, evaluate, select};
use jacobian_core::graph::{Graph, VertexId};
use jacobian_core::linearize::{LEVELS, Level, Linearization};
use jacobian_core::pipeline::{linearize_at, linearize_with};
use jacobian_core::program::{Accumulation, Measure, Operation};
use jacobian_core::text::ParseError;
use jacobian_core::{Derivative, Error, Strategy};
use jacobian_lab::check::{bauer, modular_jacobian_in, modular_labels_in};
use jacobian_lab::lcg::LabelledGraph;
use jacobian_lab::listing::listing;
use jacobian_lab::represent::least_edges;

use crate::support::callees::{Callees, Calling};
use crate::support::case_file::{Failure, Section, lines, sections};
use crate::support::lists::passive_numbers;
use crate::support::random::Random;

/// An expectation: the key, and what is compared with the text after it.
type Expectation = (&'static str, fn(&Run) -> String);

const EXPECTATIONS: &[Expectation] = &[
    // The targets as they are eliminated.
    ("sequence", |run| join(&run.elimination.sequence)),
    // The multiplications of the program: all, and those that are left when units and constants are folded.
    ("textbook", |run| run.elimination.program.multiplications(Measure::Textbook).to_string()),
    ("folded", |run| run.elimination.program.multiplications(Measure::Folded).to_string()),
    // The operations of the emitted code, for the Jacobian alone and with the function's values.
    ("multiplications", |run| run.jacobian_operations().multiplications.to_string()),
    ("additions", |run| run.jacobian_operations().additions.to_string()),
    ("multiplications-with-values", |run| OperationCount::of(&run.derivative.list).multiplications.to_string()),
    // How often a product makes an edge, and how often it is added to one; the edges, in order.
    ("fill", |run| run.ends_of(is_fill).len().to_string()),
    ("absorptions", |run| run.ends_of(is_absorption).len().to_string()),
    ("filled", |run| run.ends_of(is_fill).join(" ")),
    ("absorbed", |run| run.ends_of(is_absorption).join(" ")),
    // The number of edges at first and after every vertex.
    ("edges", |run| run.edge_counts()),
    ("least-edges-on-the-way", |run| {
        let counts = run.edge_counts();
        counts.split(' ').filter_map(|count| count.parse::<usize>().ok()).min().unwrap_or_default().to_string()
    }),
    // The number of entries that are not zero by structure.
    ("nonzeros", |run| run.elimination.program.entries().len().to_string()),
    // The emitted code: of the Jacobian as a listing, and all of it as a code list.
    ("program", |run| listing(&run.derivative.list, &run.entries())),
    ("derivative", |run| run.derivative.list.to_string()),
];

fn is_fill(operation: Operation) -> bool {
    matches!(operation, Operation::Product { .. })
}

fn is_absorption(operation: Operation) -> bool {
    matches!(operation, Operation::Absorption { .. })
}

/// What differs from the expectations of a case file, or is wrong with it: a line each, `LINE: MESSAGE`.
pub fn failures(text: &str) -> Vec<String> {
    let failures = check(text).unwrap_or_else(|failure| vec![failure]);
    failures.into_iter().map(|(line, message)| format!("{line}: {message}")).collect()
}

fn check(text: &str) -> Result<Vec<Failure>, Failure> {
    let (mut subject, mut runs, mut failures) = (None, 0, Vec::new());
    for section in sections(&lines(text))? {
        let at_line = |message: String| (section.line, message);
        let named = || subject.as_ref().ok_or_else(|| at_line(NO_SUBJECT.into()));
        match section.key {
            "graph" | "function" | "file" if subject.is_some() => {
                return Err(at_line("the case has a graph or a function already".into()));
            }
            "graph" | "function" | "file" => subject = Some(Subject::read(&section)?),
            "callee" => {
                let callee = section.text().parse().map_err(|error: ParseError| (error.line, error.message))?;
                subject.as_mut().ok_or_else(|| at_line(NO_SUBJECT.into()))?.callees.push(callee);
            }
            "jacobian" => {
                let entries = named()?.read_jacobian(&section)?;
                subject = subject.map(|subject| Subject { jacobian: Some(entries), ..subject });
            }
            "least-edges" | "lower-bound" => {
                runs += 1;
                let actual = named()?.number(section.key).to_string();
                if actual != section.value {
                    failures.push(at_line(format!("{}: {actual} instead of {}", section.key, section.value)));
                }
            }
            "strategy" => {
                runs += 1;
                failures.extend(named()?.run(&section)?);
            }
            key => return Err(at_line(format!("unknown section `{key}`"))),
        }
    }
    match runs {
        0 => Err((1, "no `strategy`".into())),
        _ => Ok(failures),
    }
}

const NO_SUBJECT: &str = "no graph or function stands before";

/// What is eliminated.
struct Subject {
    /// The graph as orders see it: where it is a function with branches, their arms are accumulated in reverse.
    linearization: Linearization,
    function: Option<(CodeList, Level)>,
    /// The functions that it calls, by the origins of the calls.
    callees: Vec<CodeList>,
    /// The graph, where it is no function.
    graph: Option<LabelledGraph>,
    jacobian: Option<ExpectedJacobian>,
}

struct ExpectedJacobian {
    /// The entries' names.
    names: Vec<String>,
    /// The function with the entries as outputs.
    list: CodeList,
}

impl Subject {
    fn read(section: &Section<'_>) -> Result<Subject, Failure> {
        let failure = |error: ParseError| (error.line, error.message);
        let graph: LabelledGraph = match section.key {
            "function" => {
                let function: CodeList = section.text().parse().map_err(failure)?;
                let level = LEVELS.iter().find(|(name, _)| *name == section.value || section.value.is_empty());
                let (_, level) = *level.ok_or_else(|| (section.line, "expected the name of a level".to_string()))?;
                let linearization = linearize_at(&function, level);
                let function = Some((function, level));
                return Ok(Subject { linearization, function, callees: Vec::new(), graph: None, jacobian: None });
            }
            "file" => {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(section.value);
                let text = std::fs::read_to_string(path).map_err(|error| (section.line, error.to_string()))?;
                text.parse().map_err(|error: ParseError| (section.line, error.to_string()))?
            }
            _ => section.text().parse().map_err(failure)?,
        };
        let (linearization, callees) = (graph.linearize(), Vec::new());
        Ok(Subject { linearization, function: None, callees, graph: Some(graph), jacobian: None })
    }

    /// A number that is the graph's own, whatever the order.
    fn number(&self, key: &str) -> usize {
        let Linearization { graph, program, .. } = &self.linearization;
        match key {
            "least-edges" => least_edges(graph).edges,
            _ => lower_bound(graph, program, Measure::Textbook),
        }
    }

    fn read_jacobian(&self, section: &Section<'_>) -> Result<ExpectedJacobian, Failure> {
        let list = self.linearization.algebra.list();
        let (mut text, mut names) = (list.to_string(), Vec::new());
        let own_lines = text.lines().count();
        for (index, &(line, entry)) in section.body.iter().enumerate() {
            let parts = entry.split_once('=').ok_or_else(|| (line, "expected `J[j,i] = EXPRESSION`".to_string()))?;
            names.push(parts.0.trim().to_string());
            text += &format!("entry[{index}] = {}\n", parts.1);
        }
        for index in 0..names.len() {
            text += &format!("output entry[{index}]\n");
        }
        let list = text.parse().map_err(|error: ParseError| {
            let place = section.body.get(error.line.saturating_sub(own_lines + 1));
            (place.map_or(section.line, |(line, _)| *line), error.message)
        })?;
        Ok(ExpectedJacobian { names, list })
    }

    /// Runs a strategy, and returns what differs from the expectations.
    fn run(&self, section: &Section<'_>) -> Result<Vec<Failure>, Failure> {
        let at_line = |message: String| (section.line, message);
        let expectations = sections(&section.body)?;
        if expectations.is_empty() {
            return Err(at_line("nothing is expected of this run".into()));
        }
        let strategy: Result<Strategy, _> = section.value.parse();
        let eliminated = strategy
            .map_err(|error| error.to_string())
            .and_then(|strategy| self.eliminate(&strategy).map_err(|error| error.to_string()));
        let (linearization, elimination) = match (eliminated, &expectations[..]) {
            (Err(error), [expected]) if expected.key == "error" => {
                let message = || (expected.line, format!("error: expected `{}`, found `{error}`", expected.content()));
                return Ok((error != expected.content()).then(message).into_iter().collect());
            }
            (eliminated, _) => eliminated.map_err(at_line)?,
        };
        let derivative = accumulate(linearization.clone(), &elimination.program);
        let run = Run { subject: self, linearization, elimination, derivative };
        let mut failures = run.check_exactness(section.line);
        for expectation in expectations {
            failures.extend(run.check(&expectation)?);
        }
        Ok(failures)
    }

    /// Eliminates everything by a strategy, in arms, too.
    fn eliminate(&self, strategy: &Strategy) -> Result<(Linearization, Elimination), Error> {
        let linearization = match &self.function {
            Some((function, level)) => linearize_with(function, *level, strategy)?,
            None => self.linearization.clone(),
        };
        let (_, elimination) = strategy.eliminate(&linearization)?;
        Ok((linearization, elimination))
    }
}

/// A subject, accumulated.
struct Run<'a> {
    subject: &'a Subject,
    linearization: Linearization,
    elimination: Elimination,
    derivative: Derivative,
}

impl Run<'_> {
    fn check(&self, expectation: &Section<'_>) -> Result<Option<Failure>, Failure> {
        let Section { line, key, .. } = *expectation;
        let row = EXPECTATIONS.iter().find(|(known, _)| *known == key);
        let (_, actual) = row.ok_or_else(|| (line, format!("unknown expectation `{key}`")))?;
        let (expected, actual) = (expectation.content(), without_indentation(&actual(self)));
        Ok((expected != actual).then(|| (line, format!("{key}: expected `{expected}`, found `{actual}`"))))
    }

    /// The entries that are not zero by structure.
    fn entries(&self) -> Vec<(String, ValueId)> {
        if let Some(graph) = &self.subject.graph {
            return graph.entries(&self.derivative);
        }
        self.derivative.jacobian().map(|(row, column, value)| (format!("J[{row},{column}]"), value)).collect()
    }

    /// Compares the Jacobian with Bauer's formula and with that of the case, at random points modulo 2^61 - 1.
    fn check_exactness(&self, line: usize) -> Vec<Failure> {
        // At one point, only some arms of branches run.
        let points = if self.derivative.list.blocks().is_empty() { 1 } else { 32 };
        let failures = (1..=points).map(|seed| self.failures_at(&mut Random::new(seed), line));
        failures.into_iter().find(|failures| !failures.is_empty()).unwrap_or_default()
    }

    fn failures_at(&self, random: &mut Random, line: usize) -> Vec<Failure> {
        let list = &self.derivative.dense().list;
        let residue = |random: &mut Random| random.bits() % MODULUS;
        let inputs: Vec<_> = list.inputs().iter().map(|_| residue(random)).collect();
        let passive = passive_numbers(list, random, residue, Modular::int);
        let callees = Callees::new(self.subject.callees.clone());
        let domain = Given { domain: &Calling(Modular, &callees), numbers: &passive };
        let all = select(&evaluate(list, &domain, &inputs), &list.outputs()[self.derivative.values..]);
        let mut failures = Vec::new();
        let linearization = &self.linearization;
        if all != bauer(linearization, &modular_labels_in(&domain, linearization, &inputs)).concat() {
            failures.push((line, "the Jacobian is not the sum over all paths".into()));
        }
        if let Some((function, _)) = &self.subject.function
            && all != modular_jacobian_in(&domain, function, &inputs).concat()
        {
            failures.push((line, "the Jacobian is not that of the statements that run".into()));
        }
        if let Some(jacobian) = &self.subject.jacobian {
            failures.extend(self.check_jacobian(&domain, jacobian, line, &inputs));
        }
        failures
    }

    fn check_jacobian(
        &self,
        domain: &impl Domain<Number = u64>,
        jacobian: &ExpectedJacobian,
        line: usize,
        inputs: &[u64],
    ) -> Vec<Failure> {
        let entries = self.entries();
        let names: Vec<_> = entries.iter().map(|(name, _)| name.clone()).collect();
        if names != jacobian.names {
            let message =
                format!("the Jacobian has the entries {}, the case has {}", join(&names), join(&jacobian.names));
            return vec![(line, message)];
        }
        let ids: Vec<_> = entries.iter().map(|(_, id)| *id).collect();
        let values = |list: &CodeList, ids: &[ValueId]| select(&evaluate(list, domain, inputs), ids);
        let actual = values(&self.derivative.list, &ids);
        let expected = values(&jacobian.list, jacobian.list.outputs());
        let different = (0..names.len()).filter(|&index| actual[index] != expected[index]);
        different.map(|index| (line, format!("the Jacobian's entry {} is another", names[index]))).collect()
    }

    /// The operations that the entries need.
    fn jacobian_operations(&self) -> OperationCount {
        let list = &self.derivative.list;
        let mut entries_only = list.clone();
        entries_only.truncate(list.statements().len());
        for &entry in &list.outputs()[self.derivative.values..] {
            entries_only.output(entry);
        }
        OperationCount::of(&entries_only)
    }

    /// The edges to which the operations of a kind lead, in order.
    fn ends_of(&self, is_of_kind: fn(Operation) -> bool) -> Vec<String> {
        let of_kind = |accumulation: &&Accumulation| is_of_kind(accumulation.operation);
        let accumulations = self.elimination.program.accumulations().iter().filter(of_kind);
        let text = |accumulation: &Accumulation| match accumulation.ends {
            Some(ends) => format!("{},{}", ends.source.0, ends.target.0),
            None => "-".into(),
        };
        accumulations.map(text).collect()
    }

    fn edge_counts(&self) -> String {
        let (mut graph, mut program) = (self.linearization.graph.clone(), self.linearization.program.clone());
        let mut counts = vec![edge_count(&graph)];
        for target in &self.elimination.sequence {
            let Target::Vertex(vertex) = *target else { return "(only for orders of vertices)".into() };
            graph.eliminate_vertex(vertex, &mut program);
            counts.push(edge_count(&graph));
        }
        join(&counts)
    }
}

/// The lines of a text, as [`Section::content`] gives them.
fn without_indentation(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

fn edge_count(graph: &Graph) -> usize {
    graph.vertices().map(|vertex: VertexId| graph.outgoing(vertex).len()).sum()
}

fn join<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
