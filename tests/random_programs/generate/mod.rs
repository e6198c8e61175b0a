//! Random programs: valid Rust, and nothing that the macro refuses.

mod branch;
mod call;
mod carried;
mod condition;
mod configured;
mod constants;
mod data;
mod effects;
mod feature;
mod float;
mod function;
mod generic;
mod integer;
mod items;
mod jump;
mod known;
mod late;
mod optional;
mod passive;
mod program;
mod repeat;
mod rolled;
mod scope;
mod statement;
mod structs;
mod takers;
mod unused;
mod uses;

use std::rc::Rc;

use self::scope::{Kind, Scopes, Variable};
use super::random::Random;
use super::tree::*;

pub use self::program::program;

/// Makes the functions of a program.
struct Generator {
    random: Random,
    /// The type of floats.
    float: &'static str,
    /// Whether variables in the patterns of arms may shadow others. In what is generated, they are told apart by the
    /// hygiene of macros alone, which source text does not show.
    may_shadow: bool,
    /// Whether all operations are rounded correctly.
    is_exact: bool,
    scopes: Scopes,
    /// Whether nothing may have an effect or panic: a Jacobian has none that its function does not have.
    is_quiet: bool,
    /// Whether loops of known bounds stay loops.
    keeps_loops: bool,
    /// Whether the functions are in a module with the attribute.
    is_module: bool,
    /// Whether the function that is made may have a glob: it is not inlined.
    may_have_glob: bool,
    /// Whether it has one, so that what a name means outside of it is not certain.
    has_glob: bool,
    /// The constants around the functions.
    outside: Vec<Variable>,
    /// The structs of the module.
    structs: Vec<Rc<Struct>>,
    /// What is implemented for them by operators.
    operators: Vec<structs::Implementation>,
    /// The struct that `Self` is.
    owner: Option<Rc<Struct>>,
    /// The generic parameters of the function that is made.
    generics: Vec<(Name, i128)>,
    /// The functions that can be called.
    callable: Vec<Callable>,
    /// Whether there are options of variables.
    has_options: bool,
    /// The functions that give these.
    optional: Vec<Callable>,
    /// The result of the function that is made.
    result: Type,
    /// Whether the program is one of the many small ones, and none of the few larger ones.
    is_small: bool,
    /// How many operations the function may still execute.
    budget: usize,
    /// The operations that the last function executes at most, as far as they are counted.
    spent: usize,
    /// How often this place is executed.
    repetitions: usize,
    /// The labels of the loops around this place, with the number of scopes around each.
    labels: Vec<(usize, Option<Name>)>,
    next_name: usize,
    next_branch: usize,
}

/// A function that can be called.
#[derive(Clone)]
struct Callable {
    name: Name,
    parameters: Vec<Type>,
    result: Type,
    /// The operations that a call adds.
    cost: usize,
    /// Whether its arguments may depend on variables.
    is_differentiated: bool,
    /// Whether the macro is told its type.
    is_declared: bool,
    /// Whether the first parameter is what a method is called on.
    is_method: bool,
    /// Whether it takes closures, or arrays of any length.
    is_taker: bool,
}

/// Names of variables: few, so that they shadow each other, and such as the expansion might choose.
const NAMES: [&str; 22] = [
    "x", "y", "z", "w", "u", "t", "a", "b", "q", "s", "r", "v1", "v2", "v_3", "sin", "value", "element", "r#type",
    "arg0", "x_0", "chosen", "total",
];

impl Generator {
    /// A name that other variables may have, too.
    fn name(&mut self) -> String {
        if self.random.percent(50) {
            return self.fresh("p");
        }
        (*self.random.pick(&NAMES)).to_string()
    }

    /// A name that no other variable has.
    fn fresh(&mut self, stem: &str) -> String {
        self.next_name += 1;
        format!("{stem}{}", self.next_name)
    }

    fn branch_number(&mut self) -> Branch {
        self.next_branch += 1;
        Branch(self.next_branch)
    }

    /// Runs `make` in a scope of its own.
    fn in_scope<T>(&mut self, kind: Kind, make: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.enter(kind);
        let made = make(self);
        self.scopes.leave();
        made
    }

    /// Takes operations from what the function may execute. False if there are not enough left.
    fn spend(&mut self, operations: usize) -> bool {
        let rest = self.budget.checked_sub(operations * self.repetitions);
        self.budget = rest.unwrap_or(self.budget);
        rest.is_some()
    }

    fn declare(&mut self, variable: Variable) {
        self.scopes.declare(variable);
    }

    /// One of several things to make, with the weights before them.
    fn weighted<T: Copy>(&mut self, choices: &[(usize, T)]) -> T {
        let mut number = self.random.below(choices.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in choices {
            match number.checked_sub(*weight) {
                Some(rest) => number = rest,
                None => return *choice,
            }
        }
        unreachable!("the number is less than the sum of the weights")
    }
}
