//! Statements that have effects, and nothing else: they note numbers, or write into a log that the function is given.

use super::super::tree::*;
use super::Generator;
use super::feature::Feature;
use super::scope::{Level, Variable};

/// The name of the log.
const LOG: &str = "log";

impl Generator {
    /// A parameter that is a log.
    pub fn log(&mut self) -> Option<Parameter> {
        let ty = Type::Reference(Box::new(Type::Cell));
        (self.has(Feature::Effects) && self.random.percent(60)).then(|| Parameter {
            name: LOG.into(),
            ty,
            is_mutable: false,
        })
    }

    /// A statement that has an effect.
    pub fn effect(&mut self, _: usize) -> Vec<Statement> {
        let is_logged = self.scopes.visible().iter().any(|variable| &*variable.name == LOG);
        if is_logged && self.random.percent(60) {
            return vec![self.logging()];
        }
        let note = self.noted();
        match self.random.below(4) {
            0 => vec![Statement::Let(Pattern::Any, None, Some(note))],
            1 => {
                let name = self.fresh("_noted");
                vec![Statement::bind(&name, note)]
            }
            2 => {
                let name = self.fresh("noted");
                self.declare(Variable::new(&name, Type::Usize, Level::Passive).within((0, LARGEST)));
                vec![Statement::bind(&name, note)]
            }
            _ => vec![Statement::Run(note)],
        }
    }

    /// `log.set(log.get() ...);`.
    fn logging(&mut self) -> Statement {
        let log = Expression::variable(LOG);
        let literal = |value: usize| Expression::Integer(value as i128, Type::U64, false);
        let get = Expression::method("get", vec![log.clone()]);
        let product = Expression::method("wrapping_mul", vec![get, literal(31)]);
        let event = match self.number_variable(Level::Passive) {
            Some((number, ..)) if self.random.percent(50) => number.cast(Type::U64),
            _ => literal(self.random.below(9)),
        };
        let value = Expression::method("wrapping_add", vec![product, event]);
        Statement::Run(Expression::method("set", vec![log, value]))
    }

    /// `note(n)`, which gives `n`.
    pub fn noted(&mut self) -> Expression {
        let number = match self.number_variable(Level::Passive) {
            Some((number, (_, high), _)) if high <= LARGEST && self.random.percent(40) => number,
            _ => Expression::usize(self.random.below(9)),
        };
        Expression::call("note", vec![number])
    }
}

/// The largest number that is noted.
const LARGEST: i64 = 8;
