//! Functions.

use std::rc::Rc;

use super::super::point::{INTS, USIZES};
use super::super::tree::*;
use super::Generator;
use super::scope::{Kind, Level, Origin, Variable};

/// What is asked of a function.
pub struct Wish<'a> {
    pub name: &'a str,
    pub parameters: Vec<Parameter>,
    /// Which of the parameters are differentiated.
    pub active: Vec<bool>,
    pub result: Type,
    /// The number of its statements.
    pub statements: usize,
    /// How often it repeats something that makes it long.
    pub rounds: usize,
    /// How many operations it may execute.
    pub budget: usize,
    pub derivative: Derivative,
}

impl Generator {
    pub fn function(&mut self, wish: Wish<'_>) -> Function {
        (self.budget, self.repetitions) = (wish.budget, 1);
        self.result = wish.result.clone();
        (self.may_have_glob, self.has_glob) = (matches!(wish.derivative, Derivative::Attribute(_)), false);
        self.scopes.enter(Kind::Block);
        self.outside.clone().into_iter().for_each(|constant| self.declare(constant));
        let generics = std::mem::take(&mut self.generics);
        for (name, number) in &generics {
            let range = (*number as i64, *number as i64);
            self.declare(Variable::new(name, Type::Usize, Level::Passive).within(range).of(Origin::Generic));
        }
        for (parameter, is_active) in wish.parameters.iter().zip(&wish.active) {
            let variable = parameter_variable(parameter, *is_active);
            self.declare(variable);
        }
        let body = self.in_scope(Kind::Block, |generator| generator.with_items(|generator| generator.body(&wish)));
        self.scopes.leave();
        self.spent = (wish.budget + RESERVE + wish.rounds * ROUND).saturating_sub(self.budget);
        let Wish { name, parameters, result, derivative, .. } = wish;
        Function { cfg: None, generics, name: name.into(), parameters, result, body, derivative }
    }

    fn body(&mut self, wish: &Wish<'_>) -> Block {
        let mut statements = self.mixtures();
        if self.random.percent(60) {
            statements.extend(self.let_call());
        }
        statements.extend(self.new_beginning());
        if wish.rounds > 0 {
            statements.extend(self.rounds(wish.rounds));
        }
        while statements.len() < wish.statements {
            let more = self.statements(1, 2);
            if more.is_empty() && !self.spend(1) {
                break;
            }
            statements.extend(more);
        }
        self.budget = self.budget.max(RESERVE);
        let value = self.result_of(&wish.result);
        if self.random.percent(15) {
            statements.push(Statement::Return(value));
            return Block { statements, value: None };
        }
        Block { statements, value: Some(Box::new(value)) }
    }

    /// Two variables that depend on all parameters: one that keeps its value, and one that is mutable.
    fn mixtures(&mut self) -> Vec<Statement> {
        let of_parameter = |variable: &Variable| variable.ty.floats() > 0 && variable.origin == Origin::Local;
        let parameters = self.scopes.visible().into_iter().filter(of_parameter);
        let parameters: Vec<_> = parameters.collect();
        let names = [self.fresh("base"), self.fresh("mix")];
        let sums = [(); 2].map(|()| self.mixture(&parameters));
        let mut statements = Vec::new();
        for ((name, sum), is_mutable) in names.into_iter().zip(sums).zip([false, true]) {
            self.declare(Variable::new(&name, Type::Float, Level::Active).mutable(is_mutable));
            statements.push(Statement::Let(Pattern::Name(name.as_str().into(), is_mutable), None, Some(sum)));
        }
        statements
    }

    fn mixture(&mut self, variables: &[Variable]) -> Expression {
        let mut sum: Option<Expression> = None;
        for variable in variables {
            let (part, other) = (self.part(variable), self.part(variable));
            let term = if self.random.percent(40) { Expression::binary(Operator::Mul, part, other) } else { part };
            sum = Some(match sum {
                Some(sum) => Expression::binary(Operator::Add, sum, term),
                None => term,
            });
        }
        sum.unwrap_or(Expression::Float(1.0))
    }

    /// A loop that makes a function long, and nothing large, if there is something to assign.
    fn rounds(&mut self, rounds: usize) -> Option<Statement> {
        let mut places = self.scopes.assignable(Level::Active);
        places.retain(|variable| variable.name.starts_with("mix"));
        let place = Expression::Variable(places.into_iter().next()?.name);
        let budget = std::mem::replace(&mut self.budget, ROUND);
        let value = self.in_scope(Kind::Loop, |generator| generator.float(3));
        self.budget = budget;
        let name = self.fresh("term");
        let term = Expression::variable(&name);
        let square = Expression::binary(Operator::Mul, term.clone(), term.clone());
        let bounded =
            Expression::binary(Operator::Div, term, Expression::binary(Operator::Add, square, Expression::Float(0.5)));
        let part = Expression::binary(Operator::Mul, Expression::Float(0.25), place.clone());
        let term = Statement::Let(Pattern::Name(name.as_str().into(), false), None, Some(value));
        let sum = Expression::binary(Operator::Add, part, bounded);
        let statements = vec![term, Statement::Assign(place, None, sum)];
        let items = Items::Range(Expression::usize(0), Expression::usize(rounds), false);
        let body = Block { statements, value: None };
        Some(Statement::For(Rc::new(For { label: None, pattern: Pattern::Any, items, body })))
    }

    /// The result: every float of it is mixed from variables.
    pub fn result_of(&mut self, ty: &Type) -> Expression {
        match ty {
            Type::Float => {
                let parts = [self.variable_float(), self.float(2), self.variable_float()];
                let [first, second, third] = parts;
                let product = Expression::binary(Operator::Mul, first, second);
                Expression::binary(Operator::Add, product, third)
            }
            Type::Array(element, length) => Expression::Array((0..*length).map(|_| self.result_of(element)).collect()),
            Type::Tuple(elements) => {
                Expression::Tuple(elements.iter().map(|element| self.result_of(element)).collect())
            }
            Type::Struct(own) => {
                let values = own.fields.iter().map(|(_, ty)| self.result_of(ty)).collect();
                self.built(own, values)
            }
            Type::Option(inner) => self.optional_result(inner),
            ty if ty.has_integers() => self.of_type(ty, 1),
            _ => unreachable!("results are of floats"),
        }
    }
}

/// The operations of a round of a long loop.
const ROUND: usize = 8;

/// The operations that are left for the result.
const RESERVE: usize = 12;

fn parameter_variable(parameter: &Parameter, is_active: bool) -> Variable {
    // What is assigned may be active, whatever the variable was.
    let level = if is_active || parameter.is_mutable { Level::Active } else { Level::Passive };
    let range = match parameter.ty {
        Type::Usize => USIZES,
        Type::Int => INTS,
        _ => (0, 0),
    };
    let (ty, is_mutable) = match &parameter.ty {
        Type::Exclusive(target) => (Type::Reference(target.clone()), true),
        ty => (ty.clone(), parameter.is_mutable),
    };
    Variable::new(&parameter.name, ty, level).within(range).mutable(is_mutable)
}
