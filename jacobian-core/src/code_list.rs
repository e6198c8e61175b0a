//! The code list: the one intermediate representation of the crate.
//!
//! A code list is a sequence of statements in single-assignment form. The function, its local partials and the
//! accumulated Jacobian are statements of the same list, so that numbering, folding, dead-code removal, printing and
//! evaluation exist once, and the derivative of a code list is a code list again.
//!
//! Invariant: an argument of a statement stands before the statement.

use std::sync::Arc;

use crate::catalogue::Intrinsic;

/// The position of a statement in its code list, and the value that this statement computes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ValueId(u32);

impl ValueId {
    /// The value of the statement at `index`.
    pub fn new(index: usize) -> Self {
        ValueId(u32::try_from(index).expect("a code list has fewer than 2^32 statements"))
    }

    /// The position of the statement.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The type of all floats of a code list.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Precision {
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    #[default]
    F64,
    /// A type parameter: binary32 or a finer type, which one is known when the code runs. Constants are rounded then, and
    /// evaluation is in binary64.
    Generic,
}

/// The names of the precisions.
pub const PRECISIONS: &[(&str, Precision)] =
    &[("f32", Precision::F32), ("f64", Precision::F64), ("generic", Precision::Generic)];

/// What kind of number a value is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A float of the list's precision.
    Float,
    /// An `i32`, the exponent of `powi`.
    Int,
}

/// A number that is known when the code is generated.
#[derive(Copy, Clone, Debug)]
pub enum Constant {
    /// A float; under `Precision::F32` a value that `f32` holds exactly.
    Float(f64),
    /// An integer.
    Int(i32),
}

impl Constant {
    /// The bits that tell constants apart: 0.0 and -0.0 differ, a NaN equals itself.
    pub fn key(self) -> (bool, u64) {
        match self {
            Constant::Float(value) => (true, value.to_bits()),
            Constant::Int(value) => (false, value as u64),
        }
    }

    /// The constant as a float.
    pub fn as_float(self) -> f64 {
        match self {
            Constant::Float(value) => value,
            Constant::Int(value) => f64::from(value),
        }
    }
}

/// Where the functions that a statement names are to be found: the front end's number for the way in which the user
/// wrote a call (`x.sin()`, `f64::sin(x)`, `libm::sin(x)`). Partials inherit the dialect of their intrinsic.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dialect(pub u16);

/// The most arguments an intrinsic has.
pub const MAX_ARITY: usize = 4;

/// The arguments of a statement, in order.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Args {
    length: u8,
    ids: [ValueId; MAX_ARITY],
}

impl Args {
    /// The arguments in `ids`, at most [`MAX_ARITY`].
    pub fn new(ids: &[ValueId]) -> Self {
        let mut args = Args { length: ids.len() as u8, ids: [ValueId(0); MAX_ARITY] };
        args.ids[..ids.len()].copy_from_slice(ids);
        args
    }
}

impl std::ops::Deref for Args {
    type Target = [ValueId];

    fn deref(&self) -> &[ValueId] {
        &self.ids[..usize::from(self.length)]
    }
}

impl std::fmt::Debug for Args {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

/// One statement of a code list.
#[derive(Copy, Clone, Debug)]
pub enum Statement {
    /// An independent: the code list is differentiated with respect to it.
    Input,
    /// A number that is known when the code runs and that is not differentiated.
    Passive(Kind),
    /// A number that is known now.
    Constant(Constant),
    /// The application of an intrinsic.
    Apply {
        /// The row of the catalogue.
        intrinsic: Intrinsic,
        /// How the user wrote it.
        dialect: Dialect,
        /// Its arguments.
        args: Args,
    },
}

impl Statement {
    /// The arguments of the statement; none for inputs, passive values and constants.
    pub fn args(&self) -> &[ValueId] {
        match self {
            Statement::Apply { args, .. } => args,
            _ => &[],
        }
    }

    /// The statement with other arguments.
    pub fn map_args(mut self, new: impl Fn(ValueId) -> ValueId) -> Statement {
        if let Statement::Apply { args, .. } = &mut self {
            for id in &mut args.ids[..usize::from(args.length)] {
                *id = new(*id);
            }
        }
        self
    }
}

/// A sequence of statements in single-assignment form, with its independents and dependents.
#[derive(Clone, Debug, Default)]
pub struct CodeList {
    precision: Precision,
    statements: Vec<Statement>,
    names: Vec<Option<Arc<str>>>,
    inputs: Vec<ValueId>,
    outputs: Vec<ValueId>,
    /// How many statements there were at the end of each statement of the user.
    ends: Vec<u32>,
}

impl CodeList {
    /// An empty list.
    pub fn new(precision: Precision) -> Self {
        CodeList { precision, ..CodeList::default() }
    }

    /// Adds a statement. Its arguments must be in the list, as many as its intrinsic takes.
    pub fn push(&mut self, statement: Statement) -> ValueId {
        let id = ValueId::new(self.statements.len());
        debug_assert!(statement.args().iter().all(|&arg| arg < id));
        if let Statement::Input = statement {
            self.inputs.push(id);
        }
        self.statements.push(statement);
        self.names.push(None);
        id
    }

    /// Adds an independent. The columns of the Jacobian are in the order of these calls.
    pub fn input(&mut self, name: &str) -> ValueId {
        let id = self.push(Statement::Input);
        self.set_name(id, name);
        id
    }

    /// Adds a passive value.
    pub fn passive(&mut self, kind: Kind, name: &str) -> ValueId {
        let id = self.push(Statement::Passive(kind));
        self.set_name(id, name);
        id
    }

    /// Adds a constant; a float is rounded to the list's precision.
    pub fn constant(&mut self, constant: Constant) -> ValueId {
        let constant = match constant {
            Constant::Float(value) => Constant::Float(self.round(value)),
            int => int,
        };
        self.push(Statement::Constant(constant))
    }

    /// Adds the application of `intrinsic`.
    pub fn apply(&mut self, intrinsic: Intrinsic, dialect: Dialect, args: &[ValueId]) -> ValueId {
        debug_assert_eq!(args.len(), intrinsic.row().arity());
        self.push(Statement::Apply { intrinsic, dialect, args: Args::new(args) })
    }

    /// Declares the next dependent. A value may be declared several times.
    pub fn output(&mut self, id: ValueId) {
        self.outputs.push(id);
    }

    /// Removes the statements from `length` on, and declares no dependents any more.
    pub fn truncate(&mut self, length: usize) {
        self.statements.truncate(length);
        self.names.truncate(length);
        self.inputs.retain(|id| id.index() < length);
        self.outputs.clear();
        self.ends.retain(|&end| end as usize <= length);
    }

    /// Says that the statements since the last such call are one statement of the user.
    pub fn end_user_statement(&mut self) {
        let end = self.statements.len() as u32;
        if self.ends.last().copied().unwrap_or_default() < end {
            self.ends.push(end);
        }
    }

    /// The number of the user's statement that `id` belongs to; where none has been declared, its own.
    pub fn user_statement(&self, id: ValueId) -> usize {
        match self.ends.is_empty() {
            true => id.index(),
            false => self.ends.partition_point(|&end| end as usize <= id.index()),
        }
    }

    /// `value` in the list's precision.
    pub fn round(&self, value: f64) -> f64 {
        match self.precision {
            Precision::F32 => f64::from(value as f32),
            Precision::F64 | Precision::Generic => value,
        }
    }

    /// Whether `value` is not rounded in the list's precision, whatever that will be.
    pub fn is_exact(&self, value: f64) -> bool {
        self.precision == Precision::F64 || f64::from(value as f32) == value
    }

    /// The type of the floats.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// All statements, in order.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The statement that computes `id`.
    pub fn statement(&self, id: ValueId) -> &Statement {
        &self.statements[id.index()]
    }

    /// The constant that `id` is, if it is one.
    pub fn as_constant(&self, id: ValueId) -> Option<Constant> {
        match self.statement(id) {
            Statement::Constant(constant) => Some(*constant),
            _ => None,
        }
    }

    /// The independents: the columns of the Jacobian.
    pub fn inputs(&self) -> &[ValueId] {
        &self.inputs
    }

    /// The dependents: the rows of the Jacobian.
    pub fn outputs(&self) -> &[ValueId] {
        &self.outputs
    }

    /// The name that the value bears for readers, if it has one. Names need not be unique.
    pub fn name(&self, id: ValueId) -> Option<&str> {
        self.names[id.index()].as_deref()
    }

    /// Names the value.
    pub fn set_name(&mut self, id: ValueId, name: &str) {
        self.names[id.index()] = Some(name.into());
    }

    /// The ids of all statements, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ValueId> + use<> {
        (0..self.statements.len()).map(ValueId::new)
    }

    /// Removes every statement that no output needs. Inputs and passive values stay: they are the list's interface.
    pub fn remove_dead_code(&self) -> CodeList {
        let live = self.live();
        let mut kept = CodeList::new(self.precision);
        let mut moved = vec![ValueId::new(0); self.statements.len()];
        let mut ends = self.ends.iter().peekable();
        for id in self.ids() {
            if ends.next_if(|&&end| end as usize == id.index()).is_some() {
                kept.end_user_statement();
            }
            if !live[id.index()] {
                continue;
            }
            let new = kept.push(self.statement(id).map_args(|arg| moved[arg.index()]));
            kept.names[new.index()].clone_from(&self.names[id.index()]);
            moved[id.index()] = new;
        }
        if ends.next().is_some() {
            kept.end_user_statement();
        }
        kept.outputs = self.outputs.iter().map(|id| moved[id.index()]).collect();
        kept
    }

    /// Which statements some output needs, by position; inputs and passive values always count.
    pub fn live(&self) -> Vec<bool> {
        self.needed_by(self.outputs.iter().copied())
    }

    /// Which statements some of these values need, by position; inputs and passive values always count.
    pub fn needed_by(&self, values: impl Iterator<Item = ValueId>) -> Vec<bool> {
        let mut live = vec![false; self.statements.len()];
        for value in values {
            live[value.index()] = true;
        }
        for id in self.ids().rev() {
            match self.statement(id) {
                Statement::Input | Statement::Passive(_) => live[id.index()] = true,
                statement if live[id.index()] => {
                    for arg in statement.args() {
                        live[arg.index()] = true;
                    }
                }
                _ => {}
            }
        }
        live
    }
}
