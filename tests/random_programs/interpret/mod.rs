//! An interpreter of programs over dual numbers. It runs them by the semantics of Rust, statement by statement: it
//! knows of no code lists, and unrolls, inlines and merges nothing.

mod expression;
mod integer;
mod items;
mod method;
mod optional;
mod passive;
mod scope;
mod statement;
mod structs;
mod variables;

use std::collections::BTreeSet;

use self::scope::{Frame, MODULE};
use self::variables::Variables;
use super::number::Number;
use super::tree::*;
use super::value::Value;

/// Runs functions of a program.
pub struct Interpreter<'p, R> {
    program: &'p Program,
    variables: Variables<R>,
    /// The items of modules and of blocks that have been entered, and those that are seen here.
    frames: Vec<Frame<'p>>,
    frame: usize,
    /// The struct that `Self` is.
    owner: Option<Name>,
    /// The constants that are evaluated at present.
    depth: usize,
    /// What has been seen on the way.
    pub trace: Trace,
}

/// What a run has seen.
#[derive(Default)]
pub struct Trace {
    /// The sides of branches that have been taken.
    pub taken: BTreeSet<(Branch, usize)>,
    /// Whether a comparison was nearly an equality, or a function near a kink.
    pub is_near: bool,
    /// Whether a value is not finite or very large.
    pub is_wild: bool,
    /// The operations on floats.
    pub operations: usize,
    /// A number that tells what has been noted, and in which order.
    pub effects: u64,
    /// What functions that are generic over a type have been given.
    pub generic: BTreeSet<String>,
}

/// Why the evaluation of an expression ends without a value.
pub enum Exit<R> {
    Break(Option<Name>),
    Continue(Option<Name>),
    Return(Value<R>),
    /// `break 'label value;`.
    BreakWith(Name, Value<R>),
    Panic(String),
}

/// The value of an expression.
pub type Outcome<R> = Result<Value<R>, Exit<R>>;

/// The value of a function, and what its parameters are after the call.
type Changed<R> = Result<(Value<R>, Vec<Value<R>>), Exit<R>>;

/// Numbers that are nearer than this could compare differently where functions are rounded differently.
const MARGIN: f64 = 1e-4;

/// The largest values.
const LARGE: f64 = 1e5;

impl<'p, R: Number> Interpreter<'p, R> {
    pub fn new(program: &'p Program) -> Self {
        let frames = vec![Frame::module(&program.items)];
        Interpreter {
            program,
            variables: Variables::default(),
            frames,
            frame: MODULE,
            owner: None,
            depth: 0,
            trace: Trace::default(),
        }
    }

    /// The value of a function of the program's module, or the message with which it panics.
    pub fn run(&mut self, function: &'p Function, arguments: Vec<Value<R>>) -> Result<Value<R>, String> {
        self.run_changing(function, arguments).map(|(value, _)| value)
    }

    /// The same, and what the parameters are after it.
    pub fn run_changing(
        &mut self,
        function: &'p Function,
        arguments: Vec<Value<R>>,
    ) -> Result<(Value<R>, Vec<Value<R>>), String> {
        self.call_changing(function, MODULE, arguments).map_err(|exit| match exit {
            Exit::Panic(message) => message,
            _ => unreachable!("no jump leaves a function"),
        })
    }

    /// The value of a function in the module of this frame.
    fn call(&mut self, function: &Function, module: usize, arguments: Vec<Value<R>>) -> Outcome<R> {
        self.call_changing(function, module, arguments).map(|(value, _)| value)
    }

    /// The same, and what the parameters are after it.
    fn call_changing(&mut self, function: &Function, module: usize, arguments: Vec<Value<R>>) -> Changed<R> {
        assert_eq!(arguments.len(), function.parameters.len(), "the arguments of `{}`", function.name);
        let outer = std::mem::take(&mut self.variables);
        let frame = self.enter_function(function, module, &arguments);
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if let Type::Parameter(_) = parameter.ty {
                self.trace.generic.insert(argument.kind());
            }
            let ty = self.sized(&parameter.ty);
            assert!(argument.is_of(&ty), "this is no value of the type {:?}", parameter.ty);
            self.variables.declare(&parameter.name, Some(argument));
        }
        let outcome = self.block(&function.body);
        let result = self.sized(&function.result);
        let changed = function.parameters.iter().map(|parameter| self.variables.get(&parameter.name).cloned());
        let changed = changed.collect::<Option<Vec<_>>>().expect("parameters have values");
        (self.variables, self.frame) = (outer, frame);
        match outcome {
            Ok(value) | Err(Exit::Return(value)) => {
                assert!(value.is_of(&result), "this is no value of the type {result:?}");
                Ok((value, changed))
            }
            Err(Exit::Panic(message)) => Err(Exit::Panic(message)),
            Err(_) => panic!("a jump leaves `{}`", function.name),
        }
    }

    /// The value of a function that is differentiated by its own Jacobian: the partials are what that returns.
    fn call_with(&mut self, jacobian: &'p Function, module: usize, arguments: Vec<Value<R>>) -> Outcome<R> {
        let floats: Vec<R> = arguments.iter().flat_map(Value::floats).collect();
        let passive = arguments.iter().map(|argument| argument.map(&mut |float: R| R::constant(float.value())));
        let passive = passive.collect();
        let result = self.call(jacobian, module, passive)?;
        let [value, jacobian] = result.elements() else { panic!("a Jacobian returns a pair") };
        let entries = jacobian.floats();
        let mut rows = entries.chunks(floats.len());
        Ok(value.map(&mut |float: R| {
            let row = rows.next().expect("a row for every float of the result");
            let partials: Vec<_> = floats.iter().zip(row).map(|(float, entry)| (*float, entry.value())).collect();
            R::chain(float.value(), &partials)
        }))
    }

    /// Notes that a side of a branch is taken.
    fn take(&mut self, branch: Branch, side: usize) {
        self.trace.taken.insert((branch, side));
    }

    /// Notes that two numbers are compared.
    fn compare(&mut self, left: R, right: R) {
        let (a, b) = (left.value(), right.value());
        let is_variable = left.is_variable() || right.is_variable();
        self.trace.is_near |= is_variable && (a - b).abs() < MARGIN * (1.0 + a.abs());
    }

    /// The result of an operation.
    fn computed(&mut self, number: R) -> R {
        let [value, derivative, magnitude] = number.parts();
        self.trace.operations += 1;
        let is_tame = value.abs() < LARGE && derivative.is_finite() && magnitude < LARGE * LARGE;
        self.trace.is_wild |= !is_tame;
        number
    }
}
