//! What may be missing: functions that give options, options that branches and loops keep, and what takes them apart.

use std::rc::Rc;

use super::super::tree::*;
use super::function::Wish;
use super::scope::{Kind, Level, Variable};
use super::{Callable, Generator};

/// The operations that the body of such a function may execute.
const BUDGET: usize = 14;

/// Makes an option of what is of a type.
type Make = fn(&mut Generator, &Type, usize) -> Option<Expression>;

/// Options that say their type themselves.
const OPTIONS: [(usize, Make); 9] = [
    (5, |generator, inner, _| generator.variable_of(&Type::option(inner.clone()))),
    (5, Generator::optional_call),
    (3, |generator, inner, depth| Some(generator.of_type(inner, depth - 1).some())),
    (2, Generator::optional_if),
    (2, Generator::optional_then),
    (2, Generator::optional_taken),
    (2, Generator::optional_mapped),
    (2, Generator::optional_other),
    (2, Generator::optional_reduced),
];

impl Generator {
    /// Functions that give options, which can then be called; the second one may try the first.
    pub fn optional_functions(&mut self) -> Vec<Function> {
        let mut functions = Vec::new();
        for number in 0..1 + self.random.below(2) {
            let more = [Type::Float, Type::array(Type::Float, 2), Type::Usize, Type::Bool];
            let more = more[self.random.below(more.len())].clone();
            let types = if self.random.percent(60) { vec![Type::Float, more] } else { vec![Type::Float] };
            let (parameters, result) = (self.parameters(types), Type::option(self.optional_content()));
            let (name, active, derivative) = (format!("maybe{number}"), vec![true; parameters.len()], Derivative::None);
            let statements = 1 + self.random.below(2);
            let wish =
                Wish { name: &name, parameters, active, result, statements, rounds: 0, budget: BUDGET, derivative };
            let function = self.function(wish);
            self.optional.push(Callable {
                name: function.name.clone(),
                parameters: function.parameters.iter().map(|parameter| parameter.ty.clone()).collect(),
                result: function.result.clone(),
                cost: self.spent,
                is_differentiated: true,
                is_declared: true,
                is_method: false,
                is_taker: false,
            });
            functions.push(function);
        }
        functions
    }

    /// What may be missing.
    fn optional_content(&mut self) -> Type {
        match self.random.below(6) {
            0 => Type::array(Type::Float, 2),
            1 => Type::Tuple(vec![Type::Float, Type::Float]),
            _ => Type::Float,
        }
    }

    /// An option.
    pub fn optional(&mut self, inner: &Type, depth: usize) -> Expression {
        match self.random.percent(20) {
            true => Expression::Option(None),
            false => self.known_optional(inner, depth),
        }
    }

    /// One that says its type itself.
    pub fn known_optional(&mut self, inner: &Type, depth: usize) -> Expression {
        let made = (depth > 0 && self.spend(1)).then(|| self.weighted(&OPTIONS));
        match made.and_then(|make| make(self, inner, depth)) {
            Some(made) => made,
            None => self.of_type(inner, depth.saturating_sub(1)).some(),
        }
    }

    fn optional_call(&mut self, inner: &Type, depth: usize) -> Option<Expression> {
        let gives = |callable: &&Callable| callable.result == Type::option(inner.clone());
        let wanted: Vec<_> = self.optional.iter().filter(gives).cloned().collect();
        let callable = (!wanted.is_empty()).then(|| wanted[self.random.below(wanted.len())].clone())?;
        self.spend(callable.cost).then(|| self.call(&callable, depth))
    }

    fn optional_if(&mut self, inner: &Type, depth: usize) -> Option<Expression> {
        let (condition, branch) = (self.condition(1), self.branch_number());
        let then = self.in_scope(Kind::Arm, |generator| generator.known_optional(inner, depth - 1));
        let otherwise = self.in_scope(Kind::Arm, |generator| generator.optional(inner, depth - 1));
        let [then, otherwise] =
            [then, otherwise].map(|value| Block { value: Some(Box::new(value)), ..Block::default() });
        let otherwise = Some(Expression::Block(otherwise));
        Some(Expression::If(Box::new(If { branch, condition, then, otherwise })))
    }

    fn optional_then(&mut self, inner: &Type, depth: usize) -> Option<Expression> {
        let condition = self.condition(1);
        let value = self.closure_with(Vec::new(), &|generator| generator.of_type(inner, depth - 1));
        Some(Expression::method("then", vec![condition, value]))
    }

    /// `kept.take()`, or `kept.replace(value)`.
    fn optional_taken(&mut self, inner: &Type, depth: usize) -> Option<Expression> {
        let place = self.kept_option(Some(inner))?.0;
        match self.random.percent(70) {
            true => Some(Expression::method("take", vec![Expression::Variable(place)])),
            false => {
                let value = self.of_type(inner, depth - 1);
                Some(Expression::method("replace", vec![Expression::Variable(place), value]))
            }
        }
    }

    /// `option.map(...)`, `and_then` and `filter`.
    fn optional_mapped(&mut self, inner: &Type, depth: usize) -> Option<Expression> {
        let of = self.known_optional(&Type::Float, depth - 1);
        let name = self.fresh("held");
        let (pattern, held) =
            (Pattern::Name(name.as_str().into(), false), |ty| Variable::new(&name, ty, Level::Active));
        let (method, closure) = match self.random.below(3) {
            0 => ("map", self.closure_with(vec![(pattern, held(Type::Float))], &|it| it.of_type(inner, depth - 1))),
            1 => {
                let make = |generator: &mut Self| generator.known_optional(inner, depth - 1);
                ("and_then", self.closure_with(vec![(pattern, held(Type::Float))], &make))
            }
            _ if *inner == Type::Float => {
                let held = held(Type::Reference(Box::new(Type::Float)));
                (
                    "filter",
                    self.closure_with(vec![(pattern, held.clone())], &|generator| generator.comparison_of(&held)),
                )
            }
            _ => return None,
        };
        Some(Expression::method(method, vec![of, closure]))
    }

    fn optional_other(&mut self, inner: &Type, depth: usize) -> Option<Expression> {
        // What has parts, and is passive in one of them, is known to have these only where it is written.
        if *inner != Type::Float {
            return None;
        }
        let operands = vec![self.known_optional(inner, depth - 1), self.optional(inner, depth - 1)];
        Some(Expression::method("or", operands))
    }

    /// `items.map(...).reduce(...)`.
    fn optional_reduced(&mut self, inner: &Type, _: usize) -> Option<Expression> {
        if *inner != Type::Float {
            return None;
        }
        let items = match self.mapped_slice() {
            Some(items) => items,
            None => {
                let source = self.source(Kind::Inline);
                if !self.spend(4 * source.count) {
                    return None;
                }
                let closure = self.closure_of(&source, Kind::Inline, 1);
                Items::Map(Box::new(source.items), Rc::new(closure))
            }
        };
        let names = [self.fresh("so_far"), self.fresh("next")];
        let parameters = names.each_ref().map(|name| {
            let pattern = Pattern::Name(name.as_str().into(), false);
            (pattern, Variable::new(name, Type::Float, Level::Active))
        });
        let closure = self.closure_with(parameters.into(), &|generator| {
            let half = Expression::binary(Operator::Mul, Expression::variable(&names[0]), Expression::Float(0.5));
            Expression::binary(Operator::Add, half, generator.float(1))
        });
        let Expression::Closure(closure) = closure else { return None };
        Some(Expression::Consume(Box::new(items), Consumer::Reduce(closure)))
    }

    /// A closure that is called where it is.
    fn closure_with(
        &mut self,
        parameters: Vec<(Pattern, Variable)>,
        value: &dyn Fn(&mut Self) -> Expression,
    ) -> Expression {
        self.in_scope(Kind::Inline, |generator| {
            let declared = parameters.into_iter().map(|(pattern, variable)| {
                generator.declare(variable);
                (pattern, None)
            });
            let parameters = declared.collect();
            Expression::Closure(Rc::new(Closure { is_move: false, parameters, body: value(generator) }))
        })
    }

    /// A variable that keeps an option and can be changed here, and what may be in it.
    fn kept_option(&mut self, inner: Option<&Type>) -> Option<(Name, Type)> {
        let kept = self.scopes.assignable(Level::Active).into_iter().filter_map(|variable| match variable.ty {
            Type::Option(own) if inner.is_none_or(|inner| *own == *inner) => Some((variable.name, *own)),
            _ => None,
        });
        let kept: Vec<_> = kept.collect();
        (!kept.is_empty()).then(|| kept[self.random.below(kept.len())].clone())
    }

    /// What a function gives that may be missing: mostly, a condition decides.
    pub fn optional_result(&mut self, inner: &Type) -> Expression {
        if self.random.percent(25) {
            return self.optional(inner, 2);
        }
        let (condition, branch) = (self.condition(1), self.branch_number());
        let missing = self.in_scope(Kind::Arm, |generator| match generator.random.percent(70) {
            true => Expression::Option(None),
            false => generator.optional(inner, 1),
        });
        let some = self.in_scope(Kind::Arm, |generator| generator.result_of(inner).some());
        let mut values = [missing, some];
        if self.random.percent(50) {
            values.reverse();
        }
        let [then, otherwise] = values.map(|value| Block { value: Some(Box::new(value)), ..Block::default() });
        let otherwise = Some(Expression::Block(otherwise));
        Expression::If(Box::new(If { branch, condition, then, otherwise }))
    }

    /// A float that is taken out of an option, in programs with these.
    pub fn float_of_option(&mut self, depth: usize) -> Option<Expression> {
        if !self.has_options || !self.random.percent(10) || !self.spend(2) {
            return None;
        }
        let float = |generator: &mut Self| generator.float(depth - 1);
        Some(match self.random.below(4) {
            0 => Expression::method("unwrap_or", vec![self.known_optional(&Type::Float, depth), self.float(depth - 1)]),
            1 => {
                let inner = self.optional_content();
                let (value, other) = (self.known_optional(&inner, depth), self.float(depth - 1));
                let (pattern, bound) = self.pattern_of_content(&inner);
                let closure = self.in_scope(Kind::Inline, |generator| {
                    bound.into_iter().for_each(|variable| generator.declare(variable));
                    let body = generator.float(depth - 1);
                    Rc::new(Closure { is_move: false, parameters: vec![(pattern, None)], body })
                });
                Expression::method("map_or", vec![value, other, Expression::Closure(closure)])
            }
            2 => self.match_of_option(depth, &float),
            _ => self.in_scope(Kind::Value, |generator| {
                let some = |generator: &mut Self| Block { value: Some(Box::new(float(generator))), ..Block::default() };
                generator.if_some(depth, &some, Some(&some))
            }),
        })
    }

    /// A condition that says whether something is in an option, in programs with these.
    pub fn condition_on_option(&mut self, depth: usize) -> Option<Expression> {
        if !self.has_options || !self.random.percent(15) || !self.spend(1) {
            return None;
        }
        let inner = self.optional_content();
        let value = self.known_optional(&inner, depth);
        Some(match self.random.below(3) {
            0 if inner == Type::Float => {
                let name = self.fresh("held");
                let held = (Pattern::Name(name.as_str().into(), false), Variable::new(&name, inner, Level::Active));
                let closure = self.closure_with(vec![held], &|generator| generator.condition(0));
                Expression::method("is_some_and", vec![value, closure])
            }
            1 => Expression::method("is_none", vec![value]),
            _ => Expression::method("is_some", vec![value]),
        })
    }

    /// A comparison with a number of a variable that a pattern binds.
    fn comparison_of_bound(&mut self, bound: &[Variable]) -> Option<Expression> {
        let chosen = (!bound.is_empty()).then(|| self.random.below(bound.len()))?;
        Some(self.comparison_of(&bound[chosen]))
    }

    fn comparison_of(&mut self, variable: &Variable) -> Expression {
        let operator = if self.random.percent(50) { Operator::Less } else { Operator::GreaterEqual };
        let bound = *self.random.pick(&[-0.25, 0.25, 0.5, 1.0].each_ref());
        Expression::binary(operator, self.part(variable), Expression::Float(bound))
    }

    /// A pattern for what is in an option, and its variables.
    fn pattern_of_content(&mut self, inner: &Type) -> (Pattern, Vec<Variable>) {
        if *inner != Type::Float {
            let mut bound = Vec::new();
            return (self.pattern(inner, &mut bound), bound);
        }
        let name = self.name_in_pattern();
        let variable = Variable::new(&name, Type::Float, Level::Active);
        (Pattern::Name(name.as_str().into(), false), vec![variable])
    }

    /// `if let Some(v) = option { ... } else { ... }`, at times with a condition more.
    fn if_some(
        &mut self,
        depth: usize,
        then: &dyn Fn(&mut Self) -> Block,
        otherwise: Option<&dyn Fn(&mut Self) -> Block>,
    ) -> Expression {
        let (inner, branch) = (self.optional_content(), self.branch_number());
        let value = self.known_optional(&inner, depth);
        // Calls with variables are none of a condition that has more in it.
        let is_named = matches!(value, Expression::Variable(_));
        let (pattern, bound) = self.pattern_of_content(&inner);
        let condition = Expression::Let(Pattern::Some(Box::new(pattern)), Box::new(value));
        let (condition, then) = self.in_scope(Kind::Arm, |generator| {
            bound.iter().for_each(|variable| generator.declare(variable.clone()));
            let more = (is_named && generator.random.percent(40)).then(|| generator.comparison_of_bound(&bound));
            let condition = match more.flatten() {
                Some(more) => Expression::Binary(Operator::And, Box::new([condition, more]), generator.branch_number()),
                None => condition,
            };
            (condition, then(generator))
        });
        let otherwise = otherwise.map(|otherwise| Expression::Block(self.in_scope(Kind::Arm, otherwise)));
        Expression::If(Box::new(If { branch, condition, then, otherwise }))
    }

    /// `match option { Some(v) if condition => ..., Some(v) => ..., None => ... }`.
    fn match_of_option(&mut self, depth: usize, body: &dyn Fn(&mut Self) -> Expression) -> Expression {
        let (inner, branch) = (self.optional_content(), self.branch_number());
        let scrutinee = self.known_optional(&inner, depth);
        let mut arms = Vec::new();
        for has_guard in [true, false] {
            if has_guard && self.random.percent(50) {
                continue;
            }
            let (pattern, bound) = self.pattern_of_content(&inner);
            arms.push(self.in_scope(Kind::Arm, |generator| {
                bound.iter().for_each(|variable| generator.declare(variable.clone()));
                let guard = has_guard.then(|| generator.comparison_of_bound(&bound)).flatten();
                Arm { pattern: Pattern::Some(Box::new(pattern)), guard, body: body(generator) }
            }));
        }
        let body = self.in_scope(Kind::Arm, body);
        let pattern = if self.random.percent(60) { Pattern::None } else { Pattern::Any };
        arms.push(Arm { pattern, guard: None, body });
        // Where nothing is, may be said first.
        if arms.last().is_some_and(|arm| arm.pattern == Pattern::None) && self.random.percent(30) {
            arms.rotate_right(1);
        }
        Expression::Match(Box::new(Match { branch, scrutinee, arms }))
    }

    /// `let mut kept: Option<f64> = ...;`.
    pub fn let_option(&mut self, _: usize) -> Vec<Statement> {
        let inner = self.optional_content();
        let (value, ty) = (self.optional(&inner, 2), Type::option(inner));
        let (name, is_mutable) = (self.fresh("kept"), self.random.percent(75));
        let is_said = value == Expression::Option(None) || self.random.percent(40);
        self.declare(Variable::new(&name, ty.clone(), Level::Active).mutable(is_mutable));
        vec![Statement::Let(Pattern::Name(name.as_str().into(), is_mutable), is_said.then_some(ty), Some(value))]
    }

    /// `kept = Some(x);`, or a change of what is in it: `if let Some(v) = &mut kept { *v *= x; }`.
    pub fn change_of_option(&mut self, depth: usize) -> Vec<Statement> {
        match self.assignment_of_option(depth) {
            Some(change) => vec![change],
            None => self.let_option(depth),
        }
    }

    /// The same, if there is an option that can be changed here.
    pub fn assignment_of_option(&mut self, depth: usize) -> Option<Statement> {
        let (name, inner) = self.kept_option(None)?;
        if inner != Type::Float || self.random.percent(65) {
            let value = self.optional(&inner, 2);
            return Some(Statement::Assign(Expression::Variable(name), None, value));
        }
        let (branch, bound) = (self.branch_number(), self.fresh("inside"));
        let value = Expression::Prefix(Prefix::Exclusive, Box::new(Expression::Variable(name.clone())));
        let pattern = Pattern::Some(Box::new(Pattern::Name(bound.as_str().into(), false)));
        let condition = Expression::Let(pattern, Box::new(value));
        self.scopes.set_hidden(&name, true);
        let then = self.in_scope(Kind::Arm, |generator| {
            generator.declare(mutable_reference(&bound));
            generator.block_changing(&bound, depth)
        });
        self.scopes.set_hidden(&name, false);
        Some(Statement::Run(Expression::If(Box::new(If { branch, condition, then, otherwise: None }))))
    }

    /// A branch on whether something is there.
    pub fn branch_on_option(&mut self, depth: usize) -> Vec<Statement> {
        let inner = depth.saturating_sub(1);
        let arm = |generator: &mut Self| generator.arm_of_statements(inner);
        let branch = match self.random.below(3) {
            0 => self.match_of_option(2, &|generator| Expression::Block(arm(generator))),
            1 => self.if_some(2, &arm, None),
            _ => self.if_some(2, &arm, Some(&arm)),
        };
        vec![Statement::Run(branch)]
    }

    /// `let Some(v) = option else { break };`, with any jump that can be here.
    pub fn let_else(&mut self, depth: usize) -> Vec<Statement> {
        let Some(jump) = self.any_jump() else { return self.branch_on_option(depth) };
        let (branch, inner) = (self.branch_number(), self.optional_content());
        let value = self.known_optional(&inner, 2);
        let otherwise = self.in_scope(Kind::Arm, |generator| {
            let mut statements = if generator.random.percent(40) { generator.statements(1, 0) } else { Vec::new() };
            statements.extend(jump(generator));
            Block { statements, value: None }
        });
        let (pattern, bound) = self.pattern_of_content(&inner);
        bound.into_iter().for_each(|variable| self.declare(variable));
        let pattern = Pattern::Some(Box::new(pattern));
        vec![Statement::LetElse(Box::new(LetElse { branch, pattern, value, otherwise }))]
    }

    /// `let v = option?;`, or `let v = option? * option?;`, where the function gives an option.
    pub fn tried(&mut self, depth: usize) -> Vec<Statement> {
        if !matches!(self.result, Type::Option(_)) || !self.scopes.leavable().1 {
            return self.let_else(depth);
        }
        let inner = self.optional_content();
        let mut value = Expression::Try(Box::new(self.known_optional(&inner, 2)));
        if inner == Type::Float && self.random.percent(50) {
            let other = Expression::Try(Box::new(self.known_optional(&inner, 2)));
            value = Expression::binary(Operator::Mul, value, other);
        }
        vec![self.bind(inner, value)]
    }

    /// `let e = &mut a[k]; *e += x;`, at an index that may be known only when the program runs.
    pub fn element_reference(&mut self, depth: usize) -> Vec<Statement> {
        let mut places = self.scopes.assignable(Level::Active);
        places.retain(|variable| matches!(&variable.ty, Type::Array(element, _) if **element == Type::Float));
        if places.is_empty() {
            return Vec::new();
        }
        let Variable { name, ty, .. } = places.swap_remove(self.random.below(places.len()));
        let Type::Array(_, length) = ty else { return Vec::new() };
        let element = Expression::Variable(name.clone()).index(self.index(length, Level::Passive));
        let bound = self.fresh("place");
        let value = Expression::Prefix(Prefix::Exclusive, Box::new(element));
        let mut statements = vec![Statement::bind(&bound, value)];
        self.scopes.set_hidden(&name, true);
        self.declare(mutable_reference(&bound));
        statements.extend(self.block_changing(&bound, depth.min(1)).statements);
        self.scopes.set_hidden(&bound, true);
        self.scopes.set_hidden(&name, false);
        statements
    }

    /// Statements the last of which changes what this mutable reference refers to.
    fn block_changing(&mut self, name: &str, depth: usize) -> Block {
        let mut statements = if self.random.percent(40) { self.statements(1, depth) } else { Vec::new() };
        let operator = self.weighted(&[(2, None), (3, Some(Operator::Add)), (2, Some(Operator::Mul))]);
        let value = self.float(2);
        statements.push(Statement::Assign(Expression::variable(name).dereferenced(), operator, value));
        Block { statements, value: None }
    }
}

/// A variable that is a mutable reference to a float.
fn mutable_reference(name: &str) -> Variable {
    Variable::new(name, Type::Reference(Box::new(Type::Float)), Level::Active).mutable(true)
}
