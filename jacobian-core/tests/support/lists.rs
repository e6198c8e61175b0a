//! Random code lists, made to be awkward: they share subexpressions, repeat statements, leave inputs unused, declare
//! inputs, constants and passive values as dependents, declare a dependent twice and compute further with it. Their
//! statements are drawn from the catalogue itself, so that a new row takes part without being named.

use jacobian_core::CodeList;
use jacobian_core::catalogue::{Intrinsic, Row, known};
use jacobian_core::code_list::{Constant, Dialect, Kind, Precision, Statement, ValueId};

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
pub fn random_list(random: &mut Random, statements: usize) -> CodeList {
    let precision = if random.below(3) == 0 { Precision::F32 } else { Precision::F64 };
    let mut builder =
        Builder { random, list: CodeList::new(precision), floats: Vec::new(), ints: Vec::new(), unused: Vec::new() };
    builder.interface();
    while builder.list.statements().len() < statements {
        builder.statement();
    }
    builder.outputs();
    builder.list
}

/// Numbers for the passive values of `list`: what `float` gives for a float, a small exponent for an integer.
pub fn passive_numbers<N>(
    list: &CodeList,
    random: &mut Random,
    float: impl Fn(&mut Random) -> N,
    int: impl Fn(i32) -> N,
) -> Vec<N> {
    let kinds = list.statements().iter().filter_map(|statement| match statement {
        Statement::Passive(kind) => Some(*kind),
        _ => None,
    });
    kinds
        .map(|kind| match kind {
            Kind::Float => float(random),
            Kind::Int => int(exponent(random)),
            Kind::Bool => int(random.below(2) as i32),
        })
        .collect()
}

fn exponent(random: &mut Random) -> i32 {
    random.below(2 * MAX_EXPONENT as usize + 1) as i32 - MAX_EXPONENT
}

struct Builder<'a> {
    random: &'a mut Random,
    list: CodeList,
    floats: Vec<ValueId>,
    ints: Vec<ValueId>,
    /// Results that no statement takes as an argument so far.
    unused: Vec<ValueId>,
}

impl Builder<'_> {
    /// Inputs, passive values and constants.
    fn interface(&mut self) {
        for _ in 0..=self.random.below(5) {
            self.input();
        }
        for index in 0..self.random.below(3) {
            let id = self.list.passive(Kind::Float, &format!("k{index}"));
            self.floats.push(id);
        }
        let passive = self.list.passive(Kind::Int, "n");
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

    fn constant(&mut self) {
        let value = CONSTANTS[self.random.below(CONSTANTS.len())];
        let id = self.list.constant(Constant::Float(value));
        self.floats.push(id);
    }

    fn statement(&mut self) {
        match self.random.below(32) {
            0 => self.input(),
            1 => self.constant(),
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
        if let statement @ Statement::Apply { .. } = *self.list.statement(ValueId::new(index)) {
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
        let id = self.list.apply(intrinsic, Dialect::default(), &args);
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
            self.list.apply(intrinsic, Dialect::default(), &[operand, limit])
        };
        let (low, high) = (bound("min", -0.5), bound("max", 0.5));
        vec![self.operand(Kind::Float), low, high]
    }

    /// An operand: mostly one that nothing has used yet, so that paths are long and few statements are dead.
    fn operand(&mut self, kind: Kind) -> ValueId {
        if kind == Kind::Int {
            return self.ints[self.random.below(self.ints.len())];
        }
        if self.random.below(2) == 0 && !self.unused.is_empty() {
            return self.unused.swap_remove(self.random.below(self.unused.len()));
        }
        let window = if self.random.below(2) == 0 { self.floats.len().min(6) } else { self.floats.len() };
        self.floats[self.floats.len() - 1 - self.random.below(window)]
    }

    /// Half of what is unused, and a few values of any kind, some of them twice.
    fn outputs(&mut self) {
        for id in std::mem::take(&mut self.unused) {
            if self.random.below(2) == 0 {
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
}
