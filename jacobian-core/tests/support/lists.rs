//! Random code lists, made to be awkward: they share subexpressions, repeat statements, leave inputs unused, declare
//! inputs, constants and passive values as dependents, declare a dependent twice and compute further with it. Their
//! statements are drawn from the catalogue itself, so that a new row takes part without being named.
//!
//! Those with blocks have branches and loops, nested to a depth, with lists in them that are as awkward, and call
//! functions.

use std::sync::Arc;

use jacobian_core::block::{Block, Body, KnownRow, Local, counted};
use jacobian_core::catalogue::{Intrinsic, Row, known};
use jacobian_core::code_list::{Constant, Kind, NotationId, Precision, Statement, ValueId};
use jacobian_core::{CodeList, Derivative, differentiate};

use crate::support::random::Random;

/// The constants that folding treats in ways of their own, and one that is rounded.
const CONSTANTS: &[f64] = &[0.0, 1.0, -1.0, 2.0, 0.5, 0.1];

/// Names that are hard to keep apart: of intrinsics, keywords, constants, of values that have no name.
const NAMES: &[&str] = &["a", "b", "sin", "select", "output", "v7", "v12", "v12_", "LN_2", "NAN", "m[1][2]", "t.0"];

/// The operations of half of all statements.
const ARITHMETIC: &[Intrinsic] = &[known::ADD, known::SUB, known::MUL, known::DIV, known::NEG, known::RECIP];

/// The largest exponent of `powi` in size.
const MAX_EXPONENT: i32 = 9;

/// A code list of about `statements` statements.
#[allow(dead_code, reason = "some tests need blocks")]
pub fn random_list(random: &mut Random, statements: usize) -> CodeList {
    let precision = if random.below(3) == 0 { Precision::F32 } else { Precision::F64 };
    let mut builder = Builder::new(random, precision, None);
    builder.interface();
    builder.statements(statements);
    builder.outputs();
    builder.list
}

/// What blocks a random code list has.
#[derive(Copy, Clone)]
pub struct Blocks<'a> {
    /// How deep branches and loops nest at most.
    pub depth: usize,
    /// The functions that are called, each by its number.
    pub callees: &'a [CodeList],
}

/// A code list of about `statements` statements, arms aside, with blocks.
#[allow(dead_code, reason = "most tests need no blocks")]
pub fn random_list_with_blocks(
    random: &mut Random,
    precision: Precision,
    statements: usize,
    blocks: Blocks<'_>,
) -> CodeList {
    let mut builder = Builder::new(random, precision, Some(blocks));
    builder.interface();
    builder.bools = vec![builder.passive(Kind::Bool, "p"), builder.list.constant(Constant::Bool(true))];
    builder.statements(statements);
    builder.outputs();
    builder.list
}

/// A function to be called: without passive values.
#[allow(dead_code, reason = "most tests call none")]
pub fn random_callee(random: &mut Random, precision: Precision) -> CodeList {
    let mut builder = Builder::new(random, precision, None);
    for _ in 0..=builder.random.below(3) {
        builder.input();
    }
    builder.ints = vec![builder.list.constant(Constant::Int(2))];
    builder.statements(8);
    builder.outputs();
    builder.list
}

/// Numbers for the results of the opaque statements of `list`, as [`Given`](jacobian_core::evaluate::Given) takes them:
/// what `float` gives for a float and for what is no number, a small exponent for an integer.
pub fn passive_numbers<N>(
    list: &CodeList,
    random: &mut Random,
    float: impl Fn(&mut Random) -> N,
    int: impl Fn(i32) -> N,
) -> Vec<N> {
    let mut kinds = Vec::new();
    passive_kinds(list, &mut kinds);
    kinds
        .into_iter()
        .map(|kind| match kind {
            Kind::Float | Kind::Opaque => float(random),
            Kind::Int => int(exponent(random)),
            Kind::Bool => int(random.below(2) as i32),
        })
        .collect()
}

/// The kinds of the results of opaque statements, by their numbers.
fn passive_kinds(list: &CodeList, kinds: &mut Vec<Kind>) {
    for block in list.blocks() {
        // What the engine itself adds has a meaning.
        if let Body::Opaque { gives } = &block.body
            && ![counted::NONE, counted::NEXT].contains(&block.origin)
        {
            let (start, end) = (block.origin as usize, block.origin as usize + gives.len());
            kinds.resize(kinds.len().max(end), Kind::Int);
            kinds[start..end].copy_from_slice(gives);
        }
        block.lists().iter().for_each(|arm| passive_kinds(arm, kinds));
    }
}

fn exponent(random: &mut Random) -> i32 {
    random.below(2 * MAX_EXPONENT as usize + 1) as i32 - MAX_EXPONENT
}

struct Builder<'a> {
    random: &'a mut Random,
    list: CodeList,
    blocks: Option<Blocks<'a>>,
    /// Whether the inputs are given.
    is_arm: bool,
    floats: Vec<ValueId>,
    ints: Vec<ValueId>,
    bools: Vec<ValueId>,
    /// What is known at run time and depends on no input.
    passive: Vec<ValueId>,
    /// The number of results of opaque statements so far, those around an arm and in it included.
    origins: u32,
    /// Results that no statement takes as an argument so far.
    unused: Vec<ValueId>,
}

impl<'a> Builder<'a> {
    fn new(random: &'a mut Random, precision: Precision, blocks: Option<Blocks<'a>>) -> Self {
        let list = CodeList::new(precision);
        let [floats, ints, bools, passive, unused] = [const { Vec::new() }; 5];
        Builder { random, list, blocks, is_arm: false, floats, ints, bools, passive, origins: 0, unused }
    }

    fn statements(&mut self, statements: usize) {
        while self.list.statements().len() < statements {
            self.statement();
        }
    }

    /// Inputs, passive values and constants.
    fn interface(&mut self) {
        for _ in 0..=self.random.below(5) {
            self.input();
        }
        for index in 0..self.random.below(3) {
            let id = self.passive(Kind::Float, &format!("k{index}"));
            self.floats.push(id);
        }
        let passive = self.passive(Kind::Int, "n");
        let exponent = exponent(self.random);
        let constant = self.list.constant(Constant::Int(exponent));
        self.ints = vec![passive, constant];
        for _ in 0..self.random.below(4) {
            self.constant();
        }
    }

    fn input(&mut self) {
        let id = self.list.input(&format!("x[{}]", self.list.inputs().len()));
        self.floats.push(id);
    }

    fn passive(&mut self, kind: Kind, name: &str) -> ValueId {
        let id = self.list.passive(kind, name, self.origins);
        self.origins += 1;
        self.passive.push(id);
        id
    }

    fn passive_float(&mut self) {
        let id = self.passive(Kind::Float, "q");
        self.floats.push(id);
    }

    /// What reads some passive values, and gives some of any kind.
    fn opaque(&mut self) {
        let args = (0..self.random.below(3).min(self.passive.len()))
            .map(|_| self.passive[self.random.below(self.passive.len())])
            .collect();
        let kinds = [Kind::Float, Kind::Float, Kind::Int, Kind::Bool, Kind::Opaque];
        let gives: Vec<_> = (0..self.random.below(4)).map(|_| kinds[self.random.below(kinds.len())]).collect();
        let (origin, results) = (self.origins, gives.len());
        self.origins += results as u32;
        let is_kept = self.random.below(4) == 0;
        let id = self.list.block(Block { args, body: Body::Opaque { gives }, is_kept, origin });
        let first = self.list.statements().len();
        (0..results).for_each(|index| self.part(id, index));
        self.passive.extend((first..self.list.statements().len()).map(ValueId::new));
    }

    fn constant(&mut self) {
        let value = CONSTANTS[self.random.below(CONSTANTS.len())];
        let id = self.list.constant(Constant::Float(value));
        self.floats.push(id);
    }

    fn statement(&mut self) {
        if let Some(blocks) = self.blocks
            && self.random.below(if self.is_arm { 8 } else { 4 }) == 0
        {
            self.block(blocks);
        }
        match self.random.below(32) {
            0 if self.is_arm => self.passive_float(),
            0 => self.input(),
            1 => self.constant(),
            2 if !self.ints.is_empty() && !self.passive.is_empty() => self.opaque(),
            2..4 => self.repetition(),
            4..22 => {
                let intrinsic = ARITHMETIC[self.random.below(ARITHMETIC.len())];
                self.application(intrinsic);
            }
            _ => {
                let intrinsic = self.callable();
                self.application(intrinsic);
            }
        }
        if self.random.below(3) == 0 {
            self.list.end_user_statement();
        }
    }

    fn callable(&mut self) -> Intrinsic {
        let callable: Vec<_> = Intrinsic::all().filter(|&it| it.row().is_callable() || it == known::REM).collect();
        callable[self.random.below(callable.len())]
    }

    /// A statement that is there already, once more.
    fn repetition(&mut self) {
        let index = self.random.below(self.list.statements().len());
        let id = ValueId::new(index);
        if let statement @ Statement::Apply { .. } = *self.list.statement(id)
            && self.list.kind(id) == Kind::Float
        {
            let id = self.list.push(statement);
            self.result(id);
        }
    }

    fn result(&mut self, id: ValueId) {
        self.floats.push(id);
        self.unused.push(id);
    }

    fn application(&mut self, intrinsic: Intrinsic) {
        let args = if intrinsic.row().name == "clamp" { self.clamp_args() } else { self.args(intrinsic.row()) };
        let id = self.list.apply(intrinsic, NotationId::default(), &args);
        self.result(id);
        if self.random.below(3) == 0 {
            let name = NAMES[self.random.below(NAMES.len())];
            self.list.set_name(id, name);
        }
    }

    fn args(&mut self, row: &Row) -> Vec<ValueId> {
        row.takes.iter().map(|&kind| self.operand(kind)).collect()
    }

    /// A value, and bounds that no float puts in the wrong order, for `clamp` would panic.
    fn clamp_args(&mut self) -> Vec<ValueId> {
        let mut bound = |name: &str, limit: f64| {
            let operand = self.operand(Kind::Float);
            let limit = self.list.constant(Constant::Float(limit));
            let intrinsic = Intrinsic::find(name).expect("an intrinsic");
            self.list.apply(intrinsic, NotationId::default(), &[operand, limit])
        };
        let (low, high) = (bound("min", -0.5), bound("max", 0.5));
        vec![self.operand(Kind::Float), low, high]
    }

    /// An operand: mostly one that nothing has used yet, so that paths are long and few statements are dead.
    fn operand(&mut self, kind: Kind) -> ValueId {
        match kind {
            Kind::Int => return self.ints[self.random.below(self.ints.len())],
            Kind::Bool => return self.truth_value(),
            Kind::Float | Kind::Opaque => {}
        }
        if self.random.below(2) == 0 && !self.unused.is_empty() {
            return self.unused.swap_remove(self.random.below(self.unused.len()));
        }
        let window = if self.random.below(2) == 0 { self.floats.len().min(6) } else { self.floats.len() };
        self.floats[self.floats.len() - 1 - self.random.below(window)]
    }

    /// Half of what is unused, and a few values of any kind, some of them twice. More with blocks, so that few are
    /// dead.
    fn outputs(&mut self) {
        let odds = if self.blocks.is_some() { 4 } else { 2 };
        for id in std::mem::take(&mut self.unused) {
            if self.random.below(odds) != odds - 1 {
                self.list.output(id);
            }
        }
        for _ in 0..=self.random.below(3) {
            let output = self.operand(Kind::Float);
            self.list.output(output);
            if self.random.below(8) == 0 {
                self.list.output(output);
            }
        }
    }

    /// Mostly a new comparison or test.
    fn truth_value(&mut self) -> ValueId {
        if self.random.below(3) == 0 {
            return self.bools[self.random.below(self.bools.len())];
        }
        let rows: Vec<_> = Intrinsic::all().filter(|intrinsic| intrinsic.row().gives == Kind::Bool).collect();
        let intrinsic = rows[self.random.below(rows.len())];
        // No new values under the operations on truth values, so that this ends.
        let args: Vec<_> = match intrinsic.row().takes[0] {
            Kind::Bool => {
                intrinsic.row().takes.iter().map(|_| self.bools[self.random.below(self.bools.len())]).collect()
            }
            _ => self.args(intrinsic.row()),
        };
        let id = self.list.apply(intrinsic, NotationId::default(), &args);
        self.bools.push(id);
        id
    }

    fn block(&mut self, blocks: Blocks<'_>) {
        let is_call = blocks.depth == 0 || self.random.below(4) == 0;
        let (args, body, origin) = match is_call {
            true if blocks.callees.is_empty() => return,
            true => self.call(blocks.callees),
            false if self.random.below(3) == 0 => self.repetition_of_iterations(blocks),
            false => self.branch(blocks),
        };
        let is_kept = self.random.below(16) == 0;
        let id = self.list.block(Block { args, body, is_kept, origin });
        if self.random.below(3) == 0 {
            let name = NAMES[self.random.below(NAMES.len())];
            self.list.set_name(id, name);
        }
        let results = match self.list.block_of(id).body {
            Body::Branch { results, .. } | Body::Call { results, .. } | Body::Loop { carried: results, .. } => results,
            Body::Opaque { .. } => 0,
        };
        for index in 0..results {
            if self.random.below(8) > 0 {
                self.part(id, index);
            }
        }
        if self.random.below(2) == 0 {
            self.list.end_user_statement();
        }
    }

    /// Mostly once, sometimes twice.
    fn part(&mut self, block: ValueId, index: usize) {
        for _ in 0..=self.random.below(8) / 7 {
            let id = self.list.part(block, index);
            match self.list.kind(id) {
                Kind::Float => self.result(id),
                Kind::Int => self.ints.push(id),
                Kind::Bool => self.bools.push(id),
                Kind::Opaque => {}
            }
            if self.random.below(6) == 0 {
                let name = NAMES[self.random.below(NAMES.len())];
                self.list.set_name(id, name);
            }
        }
    }

    fn call(&mut self, callees: &[CodeList]) -> (Vec<ValueId>, Body, u32) {
        let origin = self.random.below(callees.len());
        let callee = &callees[origin];
        let args = callee.inputs().iter().map(|_| self.operand(Kind::Float)).collect();
        let (results, columns) = (callee.outputs().len(), callee.inputs().len());
        let local = match self.list.statements().len() % 3 {
            0 => Local::Unknown,
            1 => Local::Entries(entries(callee).into()),
            _ => Local::Rule(Arc::new(rule(callee))),
        };
        (args, Body::Call { results, columns, order: 0, local }, origin as u32)
    }

    fn branch(&mut self, blocks: Blocks<'_>) -> (Vec<ValueId>, Body, u32) {
        let kinds = [Kind::Float, Kind::Float, Kind::Float, Kind::Float, Kind::Int, Kind::Bool];
        let of_any_kind = |random: &mut Random| kinds[random.below(kinds.len())];
        let args: Vec<_> = (0..self.random.below(6))
            .map(|_| {
                let kind = of_any_kind(self.random);
                self.operand(kind)
            })
            .collect();
        let takes: Vec<_> = args.iter().map(|&arg| self.list.kind(arg)).collect();
        let gives: Vec<_> = (0..1 + self.random.below(4)).map(|_| of_any_kind(self.random)).collect();
        let (selector, arms) = match self.random.below(4) {
            0 => (self.operand(Kind::Int), 1 + self.random.below(4)),
            _ => (self.operand(Kind::Bool), 2),
        };
        let blocks = Blocks { depth: blocks.depth - 1, ..blocks };
        let mut arms: Vec<_> = (0..arms).map(|_| Arc::new(self.arm(&takes, &gives, blocks))).collect();
        if self.random.below(6) == 0 {
            let copy = arms[0].clone();
            *arms.last_mut().expect("an arm") = copy;
        }
        let results = gives.len();
        (args, Body::Branch { selector, arms, results }, self.random.below(3) as u32)
    }

    /// A loop of few iterations, which the body may end earlier.
    fn repetition_of_iterations(&mut self, blocks: Blocks<'_>) -> (Vec<ValueId>, Body, u32) {
        let kinds = [Kind::Float, Kind::Float, Kind::Float, Kind::Float, Kind::Float, Kind::Int, Kind::Bool];
        let carried = 1 + self.random.below(4);
        let args: Vec<_> = (0..carried + self.random.below(4))
            .map(|_| {
                let kind = kinds[self.random.below(kinds.len())];
                self.operand(kind)
            })
            .collect();
        let takes: Vec<_> = args.iter().map(|&arg| self.list.kind(arg)).collect();
        let mut gives = takes[takes.len() - carried..].to_vec();
        if self.random.below(3) == 0 {
            gives.push(Kind::Bool);
        }
        let iterations = match self.random.below(4) {
            0 => self.operand(Kind::Int),
            _ => {
                let number = self.random.below(6) as i32;
                self.list.constant(Constant::Int(number))
            }
        };
        let body = Arc::new(self.arm(&takes, &gives, Blocks { depth: blocks.depth - 1, ..blocks }));
        (args, Body::Loop { iterations: Some(iterations), body, carried }, self.random.below(3) as u32)
    }

    fn arm(&mut self, takes: &[Kind], gives: &[Kind], blocks: Blocks<'_>) -> CodeList {
        let precision = self.list.precision();
        let origins = self.origins;
        let mut arm = Builder { is_arm: true, origins, ..Builder::new(self.random, precision, Some(blocks)) };
        for (index, &kind) in takes.iter().enumerate() {
            let id = arm.list.input_of_kind(kind, &format!("a{index}"));
            match kind {
                Kind::Float => arm.floats.push(id),
                Kind::Int => arm.ints.push(id),
                Kind::Bool => arm.bools.push(id),
                Kind::Opaque => {}
            }
        }
        arm.constant();
        arm.ints.push(arm.list.constant(Constant::Int(3)));
        arm.bools.push(arm.list.constant(Constant::Bool(false)));
        if arm.random.below(3) == 0 {
            arm.passive_float();
        }
        let statements = arm.list.statements().len() + 2 + arm.random.below(8);
        arm.statements(statements);
        for &kind in gives {
            let output = arm.operand(kind);
            arm.list.output(output);
        }
        let (list, origins) = (arm.list, arm.origins);
        self.origins = origins;
        list
    }
}

/// The partials of a function.
fn derivative(function: &CodeList) -> Derivative {
    differentiate(function, &"reverse".parse().expect("a strategy")).expect("a small function").derivative
}

/// Which partials of a function there are, and which of them are numbers.
fn entries(function: &CodeList) -> Vec<KnownRow> {
    let derivative = derivative(function);
    let mut rows = vec![Vec::new(); function.outputs().len()];
    for (row, column, entry) in derivative.jacobian() {
        rows[row].push((column, derivative.list.as_constant(entry).map(Constant::as_float)));
    }
    rows
}

/// The partials of a function as a list over its arguments and results.
fn rule(function: &CodeList) -> CodeList {
    let derivative = derivative(function).dense();
    let (list, results) = (&derivative.list, derivative.values);
    let own = list.inputs().iter().map(|&input| (Kind::Float, "a", Some(input)));
    let mut rule = list.with_inputs(own.chain((0..results).map(|_| (Kind::Float, "y", None))));
    let entries = rule.outputs()[results..].to_vec();
    rule.truncate(rule.statements().len());
    entries.iter().for_each(|&entry| rule.output(entry));
    rule
}
