//! Functions that take closures and functions, and functions of arrays of any length.

use std::rc::Rc;

use super::super::tree::*;
use super::function::Wish;
use super::scope::{Kind, Level, Variable};
use super::{Callable, Generator};

/// What the length of an array is called: not like a constant.
const LENGTH: &str = "SIZE";

/// What a call adds.
const COST: usize = 20;

impl Generator {
    /// Some of these functions, which can then be called.
    pub fn takers(&mut self) -> Vec<Function> {
        let mut functions = Vec::new();
        for number in 0..1 + self.random.below(2) {
            let name = format!("taker{number}");
            let function = if self.random.percent(50) { self.applying(&name) } else { self.of_any_length(&name) };
            self.callable.push(Callable {
                name: function.name.clone(),
                parameters: function.parameters.iter().map(|parameter| parameter.ty.clone()).collect(),
                result: function.result.clone(),
                cost: COST,
                is_differentiated: true,
                is_declared: true,
                is_method: false,
                is_taker: true,
            });
            functions.push(function);
        }
        functions
    }

    /// A function that calls what it is given.
    fn applying(&mut self, name: &str) -> Function {
        let count = 1 + self.random.below(2);
        let mut types = vec![Type::Closure(count), Type::Float];
        if self.random.percent(40) {
            types.push(Type::array(Type::Float, 2));
        }
        let result = if self.random.percent(60) { Type::Float } else { Type::array(Type::Float, 2) };
        let mut parameters = self.parameters(types);
        parameters[0].name = "arg_f".into();
        let active = vec![true; parameters.len()];
        let derivative = Derivative::None;
        let wish = Wish { name, parameters, active, result, statements: 2, rounds: 0, budget: 16, derivative };
        let mut function = self.function(wish);
        // It is called in any case.
        let argument = || Expression::binary(Operator::Mul, Expression::Float(0.5), Expression::variable("arg1"));
        let call = Expression::call("arg_f", (0..count).map(|_| argument()).collect());
        let certain = Statement::bind("arg1", call);
        function.parameters[1].is_mutable = false;
        function.body.statements.insert(0, shadowing(certain, &function));
        function
    }

    /// A function of an array of any length.
    fn of_any_length(&mut self, name: &str) -> Function {
        let length: Name = LENGTH.into();
        let ty = Type::Sized(Box::new(Type::Float), length.clone());
        let is_borrowed = self.random.percent(40);
        let array = if is_borrowed { Type::Reference(Box::new(ty.clone())) } else { ty.clone() };
        let parameter = |name: &str, ty: Type| Parameter { name: name.into(), ty, is_mutable: false };
        let parameters = vec![parameter("arg0", array), parameter("arg1", Type::Float)];
        let gives_array = self.random.percent(40);
        self.budget = 30;
        self.scopes.enter(Kind::Block);
        self.outside.clone().into_iter().for_each(|constant| self.declare(constant));
        self.declare(Variable::new("arg1", Type::Float, Level::Active));
        let variable = |name: &str| Expression::variable(name);
        let sum = Statement::variable("total_0", self.float(1));
        self.declare(Variable::new("total_0", Type::Float, Level::Active));
        let item = self.in_scope(Kind::Loop, |generator| {
            generator.declare(Variable::new("each", Type::Float, Level::Active));
            generator.float(2)
        });
        let bind = Statement::bind("each", variable("arg0").index(variable("count")));
        let half = Expression::binary(Operator::Mul, Expression::Float(0.5), variable("total_0"));
        let item = Expression::binary(Operator::Add, item, variable("each"));
        let mut body =
            vec![bind, Statement::Assign(variable("total_0"), None, Expression::binary(Operator::Add, half, item))];
        let mut statements = vec![sum];
        if gives_array {
            let zeros = Expression::repeated(Expression::Float(0.0), variable(LENGTH));
            let name = Pattern::Name("all_0".into(), true);
            statements.push(Statement::Let(name, Some(ty.clone()), Some(zeros)));
            let place = variable("all_0").index(variable("count"));
            body.push(Statement::Assign(place, None, variable("total_0")));
        }
        self.scopes.leave();
        let items = Items::Range(Expression::usize(0), variable(LENGTH), false);
        let pattern = Pattern::Name("count".into(), false);
        let body = Block { statements: body, value: None };
        statements.push(Statement::For(Rc::new(For { label: None, pattern, items, body })));
        let value = if gives_array { variable("all_0") } else { variable("total_0") };
        let body = Block { statements, value: Some(Box::new(value)) };
        let result = if gives_array { ty } else { Type::Float };
        let generics = vec![(length, -1)];
        Function { cfg: None, name: name.into(), generics, parameters, result, body, derivative: Derivative::None }
    }

    /// `let y = taker0(|a| ..., x);`.
    pub fn let_taken(&mut self, _: usize) -> Vec<Statement> {
        let takers: Vec<_> = self.callable.iter().filter(|callable| callable.is_taker).cloned().collect();
        let callable = takers[self.random.below(takers.len())].clone();
        if !self.spend(callable.cost) {
            return Vec::new();
        }
        let length = 1 + self.random.below(4);
        let sized = |ty: &Type| match ty {
            Type::Sized(element, _) => Type::Array(element.clone(), length),
            other => other.clone(),
        };
        let mut arguments = Vec::new();
        for ty in &callable.parameters {
            let ty = match ty {
                Type::Reference(target) => Type::Reference(Box::new(sized(target))),
                ty => sized(ty),
            };
            // A closure among them may read what another one must not assign then.
            arguments.push(self.in_scope(Kind::Inline, |generator| generator.of_type(&ty, 1)));
        }
        let call = Expression::Call(callable.name.clone(), arguments);
        vec![self.bind(sized(&callable.result), call)]
    }

    /// Something that can be called with this many floats.
    pub fn callable_value(&mut self, count: usize) -> Expression {
        let ty = Type::Closure(count);
        if self.random.percent(30)
            && let Some(variable) = self.variable_of(&ty)
        {
            return variable.borrowed();
        }
        let is_one = |callable: &&Callable| {
            let floats = callable.parameters.iter().filter(|ty| **ty == Type::Float).count();
            let is_of_floats = floats == count && callable.parameters.len() == count && callable.result == Type::Float;
            is_of_floats && callable.is_differentiated && !callable.is_method && !callable.is_taker
        };
        let functions: Vec<_> = self.callable.iter().filter(is_one).map(|callable| callable.name.clone()).collect();
        if !functions.is_empty() && !self.has_glob && self.random.percent(60) {
            return Expression::Variable(functions[self.random.below(functions.len())].clone());
        }
        self.in_scope(Kind::Inline, |generator| {
            let mut parameters = Vec::new();
            for _ in 0..count {
                let name = generator.fresh("given");
                generator.declare(Variable::new(&name, Type::Float, Level::Active));
                parameters.push((Pattern::Name(name.as_str().into(), false), Some(Type::Float)));
            }
            let body = generator.float(2);
            Expression::Closure(Rc::new(Closure { is_move: false, parameters, body }))
        })
    }
}

/// The statement, with a variable that is mutable where the parameter that it shadows is.
fn shadowing(statement: Statement, function: &Function) -> Statement {
    match statement {
        Statement::Let(Pattern::Name(name, _), ty, value) => {
            let is_assigned = format!("{:?}", function.body).contains("Assign");
            Statement::Let(Pattern::Name(name, is_assigned), ty, value)
        }
        other => other,
    }
}
