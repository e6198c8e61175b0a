//! Loops over passive data: their bounds are not known, they are left under run-time conditions, iterators are
//! advanced by hand, and vectors and cells are changed on the way.

use std::rc::Rc;

use super::super::tree::*;
use super::Generator;
use super::scope::{Level, Variable};

type Make = fn(&mut Generator, &str) -> Vec<Statement>;

/// Statements after which a variable of this name has a value that depends on no variable.
const LOOPS: [Make; 6] = [
    |generator, sum| generator.passive_for(sum),
    |generator, sum| generator.passive_while(sum),
    |generator, sum| generator.passive_loop(sum),
    |generator, sum| generator.advanced(sum),
    |generator, sum| generator.vector(sum),
    |generator, sum| generator.counter(sum),
];

impl Generator {
    /// A passive loop, and the variable that it computes.
    pub fn passive_repeat(&mut self, _: usize) -> Vec<Statement> {
        let sum = self.fresh("sum");
        let make = LOOPS[self.random.below(LOOPS.len())];
        let statements = make(self, &sum);
        self.declare(Variable::new(&sum, Type::Float, Level::Passive));
        statements
    }

    /// A number that is known when the program runs.
    fn count(&mut self) -> Expression {
        let (count, ..) = self.usize(Level::Passive, Some(5));
        count
    }

    /// `sum = sum * 0.5 + term;`.
    fn summing(&mut self, sum: &str, term: Expression) -> Statement {
        let (sum, other) = (Expression::variable(sum), self.passive_float());
        let half = Expression::binary(Operator::Mul, sum.clone(), Expression::Float(0.5));
        let term = if self.random.percent(50) { Expression::binary(Operator::Mul, term, other) } else { term };
        Statement::Assign(sum, None, Expression::binary(Operator::Add, half, term))
    }

    fn begin(&mut self, sum: &str) -> Statement {
        let start = Expression::Float(*self.random.pick(&[0.0, 0.25, -1.5].each_ref()));
        Statement::Let(Pattern::Name(sum.into(), true), Some(Type::Float), Some(start))
    }

    /// `if condition { break; }`, or `continue`.
    pub fn leaving(&mut self, condition: Expression, leave: Statement) -> Statement {
        let then = Block { statements: vec![leave], value: None };
        Statement::Run(Expression::If(Box::new(If { branch: self.branch_number(), condition, then, otherwise: None })))
    }

    fn passive_for(&mut self, sum: &str) -> Vec<Statement> {
        let (index, count) = (self.fresh("index"), self.count());
        let number = Expression::variable(&index);
        let mut statements = Vec::new();
        if self.random.percent(40) {
            let condition = Expression::binary(Operator::Equal, number.clone(), Expression::usize(2));
            let leave = if self.random.percent(50) { Statement::Break(None) } else { Statement::Continue(None) };
            statements.push(self.leaving(condition, leave));
        }
        statements.push(self.summing(sum, number.cast(Type::Float)));
        let items = Items::Range(Expression::usize(0), count, self.random.percent(20));
        let pattern = Pattern::Name(index.as_str().into(), false);
        let body = Block { statements, value: None };
        vec![self.begin(sum), Statement::For(Rc::new(For { label: None, pattern, items, body }))]
    }

    /// What a loop counts down, and the statement that does so.
    fn counting_down(&mut self, left: &str) -> (Statement, Statement) {
        let number = Expression::variable(left);
        let first = self.count();
        let first = Statement::Let(Pattern::Name(left.into(), true), Some(Type::Usize), Some(first));
        (first, Statement::Assign(number, Some(Operator::Sub), Expression::usize(1)))
    }

    fn passive_while(&mut self, sum: &str) -> Vec<Statement> {
        let left = self.fresh("left");
        let (first, next) = self.counting_down(&left);
        let number = Expression::variable(&left);
        let mut statements = vec![self.summing(sum, number.clone().cast(Type::Float)), next];
        if self.random.percent(40) {
            let condition = Expression::binary(Operator::Greater, Expression::variable(sum), Expression::Float(1.5));
            statements.push(self.leaving(condition, Statement::Break(None)));
        }
        let condition = Some(Expression::binary(Operator::Greater, number, Expression::usize(0)));
        let body = Block { statements, value: None };
        vec![self.begin(sum), first, Statement::While(Rc::new(While { label: None, condition, body }))]
    }

    fn passive_loop(&mut self, sum: &str) -> Vec<Statement> {
        let (left, label) = (self.fresh("left"), self.random.percent(50).then(|| self.fresh("round").as_str().into()));
        let (first, next) = self.counting_down(&left);
        let number = Expression::variable(&left);
        let is_done = Expression::binary(Operator::Equal, number.clone(), Expression::usize(0));
        let leave = self.leaving(is_done, Statement::Break(label.clone()));
        let statements = vec![leave, self.summing(sum, number.cast(Type::Float)), next];
        let body = Block { statements, value: None };
        vec![self.begin(sum), first, Statement::While(Rc::new(While { label, condition: None, body }))]
    }

    /// An iterator of which some items are taken by hand.
    fn advanced(&mut self, sum: &str) -> Vec<Statement> {
        let (iterator, item) = (self.fresh("items"), self.fresh("item"));
        let (items, value) = if self.random.percent(50) {
            let range = Items::Range(Expression::usize(0), self.count(), false);
            (Items::Reversed(Box::new(range)), Expression::variable(&item).cast(Type::Float))
        } else {
            let elements = Expression::Array((0..3).map(|_| self.passive_float()).collect());
            (Items::Elements(elements, Access::Owned), Expression::variable(&item))
        };
        let items = Expression::Items(Box::new(items));
        let next = Expression::method("next", vec![Expression::variable(&iterator)]);
        let pattern = Pattern::Some(Box::new(Pattern::Name(item.as_str().into(), false)));
        let mut statements = vec![self.begin(sum), Statement::variable(&iterator, items)];
        if self.random.percent(50) {
            statements.push(Statement::Let(Pattern::Any, None, Some(next.clone())));
        }
        let condition = Some(Expression::Let(pattern, Box::new(next)));
        let body = Block { statements: vec![self.summing(sum, value)], value: None };
        statements.push(Statement::While(Rc::new(While { label: None, condition, body })));
        statements
    }

    /// A vector that grows: how many elements it has is known when the program runs.
    pub fn grown(&mut self, vector: &str) -> [Statement; 3] {
        let index = self.fresh("index");
        let named = Expression::variable(vector);
        let term =
            Expression::binary(Operator::Mul, Expression::variable(&index).cast(Type::Float), Expression::Float(0.5));
        let push = Statement::Run(Expression::method("push", vec![named.clone(), term]));
        // What is done in no iteration that is known tells no type.
        let count = Expression::binary(Operator::Add, self.count(), Expression::usize(1));
        let items = Items::Range(Expression::usize(0), count, false);
        let pattern = Pattern::Name(index.as_str().into(), false);
        let body = Block { statements: vec![push.clone()], value: None };
        let repeated = Statement::For(Rc::new(For { label: None, pattern, items, body }));
        let more = Statement::Run(Expression::method("push", vec![named, self.passive_float()]));
        [Statement::variable(vector, Expression::call("Vec::new", Vec::new())), repeated, more]
    }

    /// What the elements of such a vector add up to.
    fn vector(&mut self, sum: &str) -> Vec<Statement> {
        let vector = self.fresh("seen");
        let [first, repeated, more] = self.grown(&vector);
        let named = Expression::variable(&vector);
        let all = Items::Elements(named.clone(), Access::Shared);
        let total = Expression::Consume(Box::new(all), Consumer::Sum);
        let length = Expression::method("len", vec![named]).cast(Type::Float);
        let value = Expression::binary(Operator::Sub, total, length);
        vec![first, repeated, more, Statement::bind(sum, value)]
    }

    /// A cell that a closure changes.
    fn counter(&mut self, sum: &str) -> Vec<Statement> {
        let (cell, tick, by) = (self.fresh("count"), self.fresh("tick"), self.fresh("by"));
        let literal = |value: usize| Expression::Integer(value as i128, Type::U64, false);
        let named = Expression::variable(&cell);
        let get = Expression::method("get", vec![named.clone()]);
        let more = Expression::binary(Operator::Add, get.clone(), Expression::variable(&by));
        let closure = Closure {
            is_move: false,
            parameters: vec![(Pattern::Name(by.as_str().into(), false), Some(Type::U64))],
            body: Expression::method("set", vec![named, more]),
        };
        let first = Statement::bind(&cell, Expression::call("core::cell::Cell::new", vec![literal(1)]));
        let mut statements = vec![first, Statement::bind(&tick, Expression::Closure(Rc::new(closure)))];
        for _ in 0..1 + self.random.below(3) {
            let call = Expression::call(&tick, vec![literal(1 + self.random.below(5))]);
            statements.push(Statement::Run(call));
        }
        statements.push(Statement::bind(sum, get.cast(Type::Float)));
        statements
    }
}
