//! Calls of functions of the program.

use super::super::tree::*;
use super::scope::{Level, Variable};
use super::{Callable, Generator};

impl Generator {
    /// A call of a function, or an element of what it returns.
    pub fn float_call(&mut self, depth: usize) -> Expression {
        if self.random.percent(50)
            && let Some(call) = self.closure_call(depth)
        {
            return call;
        }
        if self.random.percent(30)
            && let Some(call) = self.local_call(depth)
        {
            return call;
        }
        let Some(callable) = self.chosen(|callable| callable.is_declared) else { return self.arithmetic(depth) };
        let call = self.call(&callable, depth);
        match &callable.result {
            Type::Array(_, length) => call.index(Expression::usize(self.random.below(*length))),
            Type::Struct(_) | Type::Tuple(_) => self.part_of(call, &callable.result, Level::Active),
            _ => call,
        }
    }

    /// `let y = g(...);`.
    pub fn let_call(&mut self) -> Option<Statement> {
        let callable = self.chosen(|_| true)?;
        let call = self.call(&callable, 1);
        let (name, ty) = (self.name(), callable.result.clone());
        let must_say = !callable.is_declared || self.may_configure_members();
        let annotation = (must_say || self.random.percent(30)).then(|| ty.clone());
        let is_mutable = self.random.percent(40);
        self.declare(Variable::new(&name, ty, Level::Active).mutable(is_mutable));
        Some(Statement::Let(Pattern::Name(name.as_str().into(), is_mutable), annotation, Some(call)))
    }

    pub fn chosen(&mut self, is_wanted: impl Fn(&Callable) -> bool) -> Option<Callable> {
        // Functions of the module that are inlined may not be hidden by a glob.
        let is_certain = |callable: &&Callable| !(self.has_glob && self.is_module && callable.is_differentiated);
        let keeps = |callable: &&Callable| {
            !callable.is_taker && callable.parameters.iter().all(|ty| !matches!(ty, Type::Exclusive(_)))
        };
        let wanted = self.callable.iter().filter(is_certain).filter(keeps).filter(|callable| is_wanted(callable));
        let wanted: Vec<_> = wanted.collect();
        let chosen = (!wanted.is_empty()).then(|| wanted[self.random.below(wanted.len())].clone())?;
        self.spend(chosen.cost).then_some(chosen)
    }

    pub fn call(&mut self, callable: &Callable, depth: usize) -> Expression {
        let argument = |ty: &Type| match (callable.is_differentiated, callable.is_declared) {
            (false, _) => self.passive_argument(ty),
            (true, true) => self.of_type(ty, depth.saturating_sub(1).min(1)),
            (true, false) => self.active_argument(ty),
        };
        let mut arguments: Vec<_> = callable.parameters.iter().map(argument).collect();
        if callable.is_method && self.random.percent(85) {
            // What is called on is borrowed by itself.
            if let Expression::Prefix(Prefix::Reference, receiver) = &arguments[0] {
                arguments[0] = (**receiver).clone();
            }
            let name = callable.name.rsplit("::").next().unwrap_or_default();
            return Expression::method(name, arguments);
        }
        Expression::Call(callable.name.clone(), arguments)
    }

    fn passive_argument(&mut self, ty: &Type) -> Expression {
        match ty {
            Type::Float => self.passive_float(),
            ty => self.of_type(ty, 0),
        }
    }

    /// An argument of floats all of which are active: that they are floats need not be declared.
    fn active_argument(&mut self, ty: &Type) -> Expression {
        match ty {
            Type::Array(element, length) => {
                Expression::Array((0..*length).map(|_| self.active_argument(element)).collect())
            }
            Type::Reference(target) => self.active_argument(target).borrowed(),
            _ => {
                let mut bases = self.scopes.visible();
                bases.retain(|variable| variable.name.starts_with("base"));
                let base = Expression::Variable(bases.remove(0).name);
                Expression::binary(Operator::Mul, base, self.float(1))
            }
        }
    }
}
