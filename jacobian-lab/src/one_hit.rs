//! The one-hit form of a derivative (Tadjouddine, Bodman, Pryce and Forth, section 1.4.2): each accumulated entry gets
//! its final value in one statement, an initial partial plus a sum of products. It is built from the elimination.
//!
//! Here, nothing is folded: the independents are copied, a partial that is a number or a value of the function is a
//! copy of it. [`Statements`](jacobian_core::schedule::Statements) are those of the code that is emitted.

use std::fmt;
use std::str::FromStr;

use jacobian_core::algebra::Term;
use jacobian_core::code_list::{CodeList, Statement, ValueId};
use jacobian_core::linearize::Linearization;
use jacobian_core::program::{LabelId, LabelKind, Program};
use jacobian_core::schedule::dependence::{COMPUTATION, COPY, DependenceGraph};
use jacobian_core::text::{ParseError, unique_names};

/// The statements of a derivative.
#[derive(Clone, Debug, Default)]
pub struct OneHit {
    /// The names of what the statements assign.
    pub names: Vec<String>,
    /// What they use of one another.
    pub graph: DependenceGraph,
}

impl OneHit {
    /// The statements of `program` over the labels of `linearization`: those of the function, the partials, then the
    /// entries in the order of their final values.
    pub fn new(linearization: &Linearization, program: &Program) -> Self {
        let mut builder = Builder::new(linearization, program);
        let list = linearization.algebra.list();
        list.ids().for_each(|id| builder.value(id));
        for label in 0..linearization.labels.len() {
            builder.partial(label);
        }
        for index in 0..program.accumulations().len() {
            builder.accumulation(index);
        }
        builder.one_hit
    }

    /// The statements in another order, in which their graph admits to write them.
    ///
    /// # Panics
    /// Where it does not.
    pub fn renumbered(&self, order: &[usize]) -> OneHit {
        assert!(self.graph.admits(order), "the order has every statement once, after what it uses");
        let mut numbers = vec![0; order.len()];
        let mut renumbered = OneHit::default();
        for &old in order {
            let uses = self.graph.predecessors(old).iter().map(|&used| numbers[used]);
            numbers[old] = renumbered.graph.push(self.graph.cycles(old), uses.collect::<Vec<_>>());
            renumbered.names.push(self.names[old].clone());
        }
        renumbered
    }
}

/// What is between what is assigned and what it uses, by the cycles of the statement.
const ASSIGNMENTS: [(&str, usize); 2] = [("=", COMPUTATION), (":=", COPY)];

impl fmt::Display for OneHit {
    /// A line for every statement, what it assigns and what it uses: `c[0,3] = c[0,1] c[1,3]`, `:=` where it copies.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (statement, name) in self.names.iter().enumerate() {
            let (sign, _) = ASSIGNMENTS[usize::from(self.graph.cycles(statement) == COPY)];
            write!(formatter, "{name} {sign}")?;
            for &used in self.graph.predecessors(statement) {
                write!(formatter, " {}", self.names[used])?;
            }
            writeln!(formatter)?;
        }
        Ok(())
    }
}

impl FromStr for OneHit {
    type Err = ParseError;

    /// Reads what is displayed.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut one_hit = OneHit::default();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            one_hit.read(line).map_err(|message| ParseError { line: index + 1, message })?;
        }
        Ok(one_hit)
    }
}

impl OneHit {
    fn read(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        let (name, sign) = (words.next().unwrap_or_default(), words.next());
        let sign = ASSIGNMENTS.iter().find(|(known, _)| Some(*known) == sign);
        let (_, cycles) = sign.ok_or("expected `NAME = USED ...`, or `NAME := USED ...` of a copy")?;
        let place = |name: &str| self.names.iter().position(|known| known == name);
        if place(name).is_some() {
            return Err(format!("`{name}` is assigned twice"));
        }
        let uses = words.map(|word| place(word).ok_or_else(|| format!("`{word}` is not assigned above")));
        let uses = uses.collect::<Result<Vec<_>, _>>()?;
        self.graph.push(*cycles, uses);
        self.names.push(name.to_string());
        Ok(())
    }
}

struct Builder<'a> {
    list: &'a CodeList,
    labels: &'a [Term],
    program: &'a Program,
    finals: Vec<LabelId>,
    is_used: Vec<bool>,
    value_names: Vec<String>,
    /// By value: the statement that it is of, where it is one of the function.
    values: Vec<Option<usize>>,
    /// By label: its statement, or what its expression reads where that is part of a later statement.
    of_labels: Vec<Vec<usize>>,
    one_hit: OneHit,
}

impl<'a> Builder<'a> {
    fn new(linearization: &'a Linearization, program: &'a Program) -> Self {
        let list = linearization.algebra.list();
        Builder {
            list,
            labels: &linearization.labels,
            program,
            finals: program.final_labels(),
            is_used: program.uses().iter().map(|(count, entry)| *count > 0 || entry.is_some()).collect(),
            value_names: unique_names(list),
            values: Vec::new(),
            of_labels: Vec::new(),
            one_hit: OneHit::default(),
        }
    }

    fn push(&mut self, name: String, cycles: usize, uses: Vec<usize>) -> usize {
        self.one_hit.names.push(name);
        self.one_hit.graph.push(cycles, uses)
    }

    /// A statement of the function. Constants are written where they are used.
    fn value(&mut self, id: ValueId) {
        let list = self.list;
        let is_opaque = matches!(list.statement(id), Statement::Block(_)) && list.block_of(id).is_opaque();
        let is_own = list.entry(id).is_none() && list.as_constant(id).is_none() && !is_opaque;
        let statement = is_own.then(|| {
            let cycles = match self.list.statement(id) {
                Statement::Input(_) => COPY,
                _ if list.is_passive(id) => COPY,
                _ => COMPUTATION,
            };
            let uses = self.read_by(self.list.args(id).collect());
            self.push(self.value_names[id.index()].clone(), cycles, uses)
        });
        self.values.push(statement);
    }

    /// The statements of the function that values need, without what those need in turn.
    fn read_by(&self, mut open: Vec<ValueId>) -> Vec<usize> {
        let mut read = Vec::new();
        while let Some(id) = open.pop() {
            match self.values[id.index()] {
                Some(statement) => read.push(statement),
                None => open.extend(self.list.args(id)),
            }
        }
        read
    }

    /// The statement of an elementary partial, unless it is part of that of an entry.
    fn partial(&mut self, label: usize) {
        let (id, term) = (LabelId(label as u32), self.labels[label]);
        let reads = self.read_by(vec![term.id()]);
        let is_statement = self.is_used[label] && self.finals[label] == id && self.program.kind(id) != LabelKind::Copy;
        let of_label = match is_statement {
            false => reads,
            true => {
                let is_copy = self.list.as_constant(term.id()).is_some()
                    || self.values[term.id().index()].is_some() && !term.is_negative();
                let cycles = if is_copy { COPY } else { COMPUTATION };
                vec![self.push(self.name(id), cycles, reads)]
            }
        };
        self.of_labels.push(of_label);
    }

    /// The statement of an entry, if this expression gives its final value.
    fn accumulation(&mut self, index: usize) {
        let id = LabelId((self.program.given() + index) as u32);
        let operation = self.program.accumulations()[index].operation;
        let uses: Vec<_> = operation.labels().flat_map(|label| self.of_labels[label.index()].iter().copied()).collect();
        let of_label = match self.finals[id.index()] == id {
            true => vec![self.push(self.name(id), COMPUTATION, uses)],
            false => uses,
        };
        self.of_labels.push(of_label);
    }

    fn name(&self, label: LabelId) -> String {
        match self.program.ends(label) {
            Some(ends) => format!("c[{},{}]", ends.source.0, ends.target.0),
            None => format!("t{}", label.0),
        }
    }
}
