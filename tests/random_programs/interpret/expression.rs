//! Expressions.

use std::rc::Rc;

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::{Captured, Value};
use super::{Interpreter, Outcome};

impl<R: Number> Interpreter<'_, R> {
    pub(super) fn expression(&mut self, expression: &Expression) -> Outcome<R> {
        Ok(match expression {
            Expression::Float(value) => Value::Float(R::constant(*value)),
            Expression::Integer(value, ..) => Value::Integer(*value),
            Expression::Bool(value) => Value::Bool(*value),
            Expression::Variable(name) => self.variable(name),
            Expression::Index(base, index) => {
                let base = self.loaded(base)?;
                let index = self.expression(index)?.index();
                base.elements()[index].clone()
            }
            Expression::Slice(base, start, end) => {
                Value::sequence(self.loaded(base)?.elements()[*start..*end].to_vec())
            }
            Expression::Field(base, field) => self.loaded(base)?.elements()[*field].clone(),
            Expression::Prefix(prefix, operand) => self.prefix(*prefix, operand)?,
            Expression::Binary(operator, operands, branch) => self.binary(*operator, operands, *branch)?,
            Expression::Method(name, operands, _) => {
                let operands = self.all(operands)?;
                self.method(name, operands)
            }
            Expression::Cast(operand, ty) => cast(&self.loaded(operand)?, ty),
            Expression::Array(elements) | Expression::Tuple(elements) => Value::sequence(self.all(elements)?),
            Expression::Repeat(element, length) => Value::sequence(vec![self.expression(element)?; *length]),
            Expression::Block(block) => self.block(block)?,
            Expression::If(branch) => self.branch(branch)?,
            Expression::Match(branch) => self.matching(branch)?,
            Expression::Let(pattern, value) => {
                let value = self.expression(value)?;
                Value::Bool(self.binds(pattern, &value))
            }
            Expression::Call(name, arguments) => self.call_of(name, arguments)?,
            Expression::Closure(closure) => Value::Closure(closure.clone(), Rc::new(self.variables.captured())),
            Expression::Consume(items, consumer) => self.consume(items, consumer)?,
            Expression::FromFn(length, closure) => {
                let elements = (0..*length as i64).map(|index| self.invoke(closure, vec![Value::Integer(index)]));
                Value::sequence(elements.collect::<Result<_, _>>()?)
            }
            Expression::MapArray(array, closure) => {
                let array = self.loaded(array)?;
                let elements = array.elements().iter().map(|element| self.invoke(closure, vec![element.clone()]));
                Value::sequence(elements.collect::<Result<_, _>>()?)
            }
        })
    }

    /// The values of several expressions, in order.
    fn all(&mut self, expressions: &[Expression]) -> Result<Vec<Value<R>>, super::Exit<R>> {
        expressions.iter().map(|expression| self.loaded(expression)).collect()
    }

    /// The value of an expression, or what it refers to if that is mutable.
    pub(super) fn loaded(&mut self, expression: &Expression) -> Outcome<R> {
        Ok(match self.expression(expression)? {
            Value::Place(place) => self.variables.load(&place),
            value => value,
        })
    }

    fn variable(&self, name: &Name) -> Value<R> {
        let law = || (&**name == "Law::Linear").then_some(Value::Law(Law::Linear));
        let value = self.variables.get(name).cloned().or_else(law);
        value.unwrap_or_else(|| panic!("`{name}` has no value"))
    }

    fn prefix(&mut self, prefix: Prefix, operand: &Expression) -> Outcome<R> {
        let operand = self.loaded(operand)?;
        Ok(match (prefix, operand) {
            (Prefix::Negative, Value::Float(float)) => Value::Float(self.computed(float.negative())),
            (Prefix::Negative, operand) => Value::Integer(-operand.integer()),
            (Prefix::Not, operand) => Value::Bool(!operand.truth()),
            (Prefix::Reference | Prefix::Dereference, operand) => operand,
        })
    }

    fn binary(&mut self, operator: Operator, [left, right]: &[Expression; 2], branch: Branch) -> Outcome<R> {
        let left = self.loaded(left)?;
        if let Operator::And | Operator::Or = operator {
            let decides = left.truth() == (operator == Operator::Or);
            self.take(branch, usize::from(decides));
            return if decides { Ok(left) } else { self.expression(right) };
        }
        let right = self.loaded(right)?;
        Ok(self.operation(operator, &left, &right))
    }

    pub(super) fn operation(&mut self, operator: Operator, left: &Value<R>, right: &Value<R>) -> Value<R> {
        match (left, right) {
            (Value::Float(left), Value::Float(right)) => match operator {
                Operator::Add | Operator::Sub | Operator::Mul | Operator::Div | Operator::Rem => {
                    Value::Float(self.computed(R::arithmetic(operator, *left, *right)))
                }
                _ => {
                    self.compare(*left, *right);
                    Value::Bool(holds(operator, left.value(), right.value()))
                }
            },
            (Value::Integer(left), Value::Integer(right)) => match integer(operator, *left, *right) {
                Some(value) => Value::Integer(value),
                None => Value::Bool(holds(operator, *left, *right)),
            },
            (left, right) => Value::Bool(holds(operator, left.truth(), right.truth())),
        }
    }

    fn branch(&mut self, branch: &If) -> Outcome<R> {
        let scope = self.variables.enter();
        let holds = self.expression(&branch.condition)?.truth();
        self.take(branch.branch, usize::from(!holds));
        let value = match (holds, &branch.otherwise) {
            (true, _) => self.block(&branch.then),
            (false, Some(otherwise)) => self.expression(otherwise),
            (false, None) => Ok(Value::unit()),
        };
        self.variables.leave(scope);
        value
    }

    fn matching(&mut self, branch: &Match) -> Outcome<R> {
        let scrutinee = self.loaded(&branch.scrutinee)?;
        for (side, arm) in branch.arms.iter().enumerate() {
            let scope = self.variables.enter();
            let mut is_taken = self.binds(&arm.pattern, &scrutinee);
            if let Some(guard) = arm.guard.as_ref().filter(|_| is_taken) {
                is_taken = self.expression(guard)?.truth();
            }
            let value = is_taken.then(|| self.expression(&arm.body));
            self.variables.leave(scope);
            if let Some(value) = value {
                self.take(branch.branch, side);
                return value;
            }
        }
        panic!("no arm matches")
    }

    fn call_of(&mut self, name: &Name, arguments: &[Expression]) -> Outcome<R> {
        let arguments = self.all(arguments)?;
        if let Some(Value::Closure(closure, captured)) = self.variables.get(name).cloned() {
            return Ok(self.invoke_captured(&closure, &captured, arguments));
        }
        let program = self.program;
        let function = program.function(name).unwrap_or_else(|| panic!("`{name}` is no function"));
        Ok(match &function.derivative {
            Derivative::Handwritten(jacobian) if arguments.iter().any(is_variable) => {
                let jacobian = program.function(jacobian).expect("the Jacobian is a function of the program");
                self.call_with(jacobian, arguments)
            }
            _ => self.call(function, arguments),
        })
    }

    /// Calls a closure where it stands.
    pub(super) fn invoke(&mut self, closure: &Closure, arguments: Vec<Value<R>>) -> Outcome<R> {
        let scope = self.variables.enter();
        for ((pattern, _), argument) in closure.parameters.iter().zip(arguments) {
            assert!(self.binds(pattern, &argument), "the parameters of closures are irrefutable");
        }
        let value = self.expression(&closure.body);
        self.variables.leave(scope);
        value
    }

    /// Calls a closure that has been bound: it sees the variables that were there then.
    fn invoke_captured(&mut self, closure: &Closure, captured: &Captured<R>, arguments: Vec<Value<R>>) -> Value<R> {
        let mut inner = Interpreter { program: self.program, variables: Default::default(), trace: Default::default() };
        std::mem::swap(&mut inner.trace, &mut self.trace);
        for (name, value) in captured {
            inner.variables.declare(name, Some(value.clone()));
        }
        let value = inner.invoke(closure, arguments);
        self.trace = inner.trace;
        value.unwrap_or_else(|_| panic!("a jump leaves a closure"))
    }
}

fn is_variable<R: Number>(argument: &Value<R>) -> bool {
    argument.floats().into_iter().any(R::is_variable)
}

/// `value as ty`.
fn cast<R: Number>(value: &Value<R>, ty: &Type) -> Value<R> {
    match (value, ty) {
        (Value::Float(float), Type::Float) => Value::Float(*float),
        (Value::Integer(integer), Type::Float) => Value::Float(R::constant(*integer as f64)),
        (Value::Bool(truth), _) => Value::Integer((*truth).into()),
        (value, Type::Usize | Type::Int) => Value::Integer(value.integer()),
        // A conversion to the same type.
        (value, Type::Array(..)) => value.clone(),
        _ => panic!("this conversion is not part of the programs"),
    }
}

/// The result of an arithmetic operation on integers.
fn integer(operator: Operator, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        Operator::Add => left + right,
        Operator::Sub => left - right,
        Operator::Mul => left * right,
        Operator::Div => left / right,
        Operator::Rem => left % right,
        _ => return None,
    })
}

/// Whether a comparison holds.
fn holds<T: PartialOrd>(operator: Operator, left: T, right: T) -> bool {
    match operator {
        Operator::Less => left < right,
        Operator::LessEqual => left <= right,
        Operator::Greater => left > right,
        Operator::GreaterEqual => left >= right,
        Operator::Equal => left == right,
        Operator::NotEqual => left != right,
        other => panic!("{other:?} does not compare"),
    }
}
