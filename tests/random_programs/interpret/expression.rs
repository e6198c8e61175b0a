//! Expressions.

use std::rc::Rc;

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::{Captured, Value};
use super::integer::wrapped;
use super::scope::Meaning;
use super::{Exit, Interpreter, Outcome};

impl<R: Number> Interpreter<'_, R> {
    pub(super) fn expression(&mut self, expression: &Expression) -> Outcome<R> {
        Ok(match expression {
            Expression::Float(value) => Value::Float(R::constant(*value)),
            Expression::Integer(value, ty, _) => Value::integer_of(*value, ty.clone()),
            Expression::Bool(value) => Value::Bool(*value),
            Expression::Variable(name) => self.variable(name)?,
            Expression::Index(base, index) => {
                let base = self.loaded(base)?;
                let index = self.loaded(index)?;
                if let Value::Struct(..) = base {
                    return self.operator("Index", vec![base, index]);
                }
                let index = index.index();
                let element = base.elements().get(index).cloned();
                element.ok_or_else(|| Exit::Panic("index out of bounds".into()))?
            }
            Expression::Slice(base, start, end) => {
                Value::sequence(self.loaded(base)?.elements()[*start..*end].to_vec())
            }
            Expression::Field(base, field) => self.loaded(base)?.elements()[*field].clone(),
            Expression::Member(base, field) => {
                let base = self.loaded(base)?;
                base.elements()[self.field_of(&base, field)].clone()
            }
            Expression::Struct(name, fields, rest) => self.constructed(name, fields, rest.as_deref())?,
            Expression::Prefix(prefix, operand) => self.prefix(*prefix, operand)?,
            Expression::Binary(operator, operands, branch) => self.binary(*operator, operands, *branch)?,
            Expression::Method(name, operands, _) if let Some(value) = self.own_method(name, operands)? => value,
            Expression::Method(name, operands, _)
                if let [receiver, others @ .., Expression::Closure(closure)] = &operands[..] =>
            {
                self.method_with(name, receiver, others, closure)?
            }
            Expression::Method(name, operands, _) => match self.changing(name, operands)? {
                Some(value) => value,
                None => {
                    let operands = self.all(operands)?;
                    self.method(name, operands)?
                }
            },
            Expression::Cast(operand, ty) => {
                let ty = self.sized(ty);
                cast(&self.loaded(operand)?, &ty)
            }
            Expression::Array(elements) | Expression::Tuple(elements) => Value::sequence(self.all(elements)?),
            Expression::Repeat(parts) => {
                let [element, length] = &**parts;
                let element = self.loaded(element)?;
                Value::sequence(vec![element; self.loaded(length)?.index()])
            }
            Expression::Labelled(label, block) => match self.block(block) {
                Err(Exit::BreakWith(own, value)) if own == *label => value,
                outcome => outcome?,
            },
            Expression::Items(items) => {
                let mut items = self.values(items)?;
                items.reverse();
                Value::Iterator(Rc::new(items))
            }
            Expression::Option(value) => {
                let value = value.as_ref().map(|value| self.loaded(value)).transpose()?;
                Value::Option(value.map(Rc::new))
            }
            Expression::Try(value) => match self.loaded(value)? {
                Value::Option(Some(value)) => (*value).clone(),
                missing => return Err(Exit::Return(missing)),
            },
            Expression::Block(block) => self.block(block)?,
            Expression::If(branch) => self.branch(branch)?,
            Expression::Match(branch) => self.matching(branch)?,
            Expression::Let(pattern, value) => {
                let value = self.expression(value)?;
                Value::Bool(self.binds(pattern, &value))
            }
            Expression::Call(name, arguments) => self.call_of(name, arguments)?,
            Expression::Closure(closure) => Value::Closure(closure.clone(), Rc::new(self.captured())),
            Expression::Consume(items, consumer) => self.consume(items, consumer)?,
            Expression::FromFn(length, closure) => {
                let elements = (0..*length).map(|index| self.invoke(closure, vec![Value::usize(index)]));
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
    pub(super) fn all(&mut self, expressions: &[Expression]) -> Result<Vec<Value<R>>, super::Exit<R>> {
        expressions.iter().map(|expression| self.loaded(expression)).collect()
    }

    /// The value of an expression, or what it refers to if that is mutable.
    pub(super) fn loaded(&mut self, expression: &Expression) -> Outcome<R> {
        Ok(match self.expression(expression)? {
            Value::Place(place) => self.variables.load(&place),
            value => value,
        })
    }

    fn variable(&mut self, name: &Name) -> Outcome<R> {
        let law = || (&**name == "Law::Linear").then_some(Value::Law(Law::Linear));
        match self.variables.get(name).cloned().or_else(law) {
            Some(value) => Ok(value),
            None => match self.constant_of_struct(name) {
                Some(value) => Ok(value),
                None if let Some(Meaning::Function(..)) = self.meaning(name) => Ok(Value::Function(name.clone())),
                None => self.constant(name).unwrap_or_else(|| panic!("`{name}` has no value")),
            },
        }
    }

    fn captured(&self) -> Captured<R> {
        Captured { variables: self.variables.captured(), frame: self.frame, owner: self.owner.clone() }
    }

    fn prefix(&mut self, prefix: Prefix, operand: &Expression) -> Outcome<R> {
        if prefix == Prefix::Exclusive && is_place(operand) {
            return Ok(Value::Place(self.place(operand)?));
        }
        let operand = self.loaded(operand)?;
        Ok(match (prefix, operand) {
            (Prefix::Negative, Value::Float(float)) => Value::Float(self.computed(float.negative())),
            (Prefix::Negative | Prefix::Not, Value::Integer(operand)) => self.integer_prefix(prefix, &operand)?,
            (Prefix::Negative, operand @ Value::Struct(..)) => self.operator("Neg", vec![operand])?,
            (Prefix::Not, operand) => Value::Bool(!operand.truth()),
            (_, operand) => operand,
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
        self.operation(operator, &left, &right)
    }

    pub(super) fn operation(&mut self, operator: Operator, left: &Value<R>, right: &Value<R>) -> Outcome<R> {
        Ok(match (left, right) {
            (Value::Float(left), Value::Float(right)) => match operator {
                Operator::Add | Operator::Sub | Operator::Mul | Operator::Div | Operator::Rem => {
                    Value::Float(self.computed(R::arithmetic(operator, *left, *right)))
                }
                _ => {
                    self.compare(*left, *right);
                    Value::Bool(holds(operator, left.value(), right.value()))
                }
            },
            (Value::Integer(left), Value::Integer(right)) => self.integers(operator, left, right)?,
            (Value::Struct(..), _) | (_, Value::Struct(..)) => {
                self.operator(&format!("{operator:?}"), vec![left.clone(), right.clone()])?
            }
            (left, right) => Value::Bool(holds(operator, left.truth(), right.truth())),
        })
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
        if self.changes(arguments) {
            return self.call_of_changing(name, arguments);
        }
        let arguments = self.all(arguments)?;
        let name = match self.variables.get(name).cloned() {
            Some(Value::Closure(closure, captured)) => return self.invoke_captured(&closure, &captured, arguments),
            Some(Value::Function(name)) => name,
            _ => name.clone(),
        };
        let name = &name;
        if let Some((trait_, _)) =
            name.trim_start_matches("::").strip_prefix("core::ops::").and_then(|it| it.split_once("::"))
        {
            return self.operator(trait_, arguments);
        }
        if let Some(value) = self.call_of_struct(name, &arguments) {
            return value;
        }
        let Some(Meaning::Function(function, module)) = self.meaning(name) else {
            return Ok(self.builtin(name, &arguments).unwrap_or_else(|| panic!("`{name}` is no function")));
        };
        match &function.derivative {
            Derivative::Handwritten(jacobian) if arguments.iter().any(is_variable) => {
                let jacobian = self.program.function(jacobian).expect("the Jacobian is a function of the program");
                self.call_with(jacobian, module, arguments)
            }
            _ => self.call(&function, module, arguments),
        }
    }

    /// Calls a closure where it is.
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
    fn invoke_captured(&mut self, closure: &Closure, captured: &Captured<R>, arguments: Vec<Value<R>>) -> Outcome<R> {
        let outer = std::mem::take(&mut self.variables);
        let frame = std::mem::replace(&mut self.frame, captured.frame);
        let owner = std::mem::replace(&mut self.owner, captured.owner.clone());
        for (name, value) in &captured.variables {
            self.variables.declare(name, Some(value.clone()));
        }
        let value = self.invoke(closure, arguments);
        (self.variables, self.frame, self.owner) = (outer, frame, owner);
        value
    }
}

/// Whether an expression names a variable or a part of one.
fn is_place(expression: &Expression) -> bool {
    match expression {
        Expression::Variable(_) => true,
        Expression::Index(base, _) | Expression::Field(base, _) | Expression::Member(base, _) => is_place(base),
        Expression::Prefix(Prefix::Dereference, base) => is_place(base),
        _ => false,
    }
}

fn is_variable<R: Number>(argument: &Value<R>) -> bool {
    argument.floats().into_iter().any(R::is_variable)
}

/// `value as ty`.
fn cast<R: Number>(value: &Value<R>, ty: &Type) -> Value<R> {
    match (value, ty) {
        (Value::Float(float), Type::Float) => Value::Float(*float),
        (Value::Integer(integer), Type::Float) => Value::Float(R::constant(integer.value as f64)),
        (Value::Bool(truth), ty) => Value::integer_of((*truth).into(), ty.clone()),
        (Value::Integer(integer), ty) if ty.limits().is_some() => Value::Integer(wrapped(integer.value, ty)),
        // A conversion to the same type.
        (value, Type::Array(..)) => value.clone(),
        _ => panic!("this conversion is not part of the programs"),
    }
}

/// Whether a comparison holds.
pub fn holds<T: PartialOrd>(operator: Operator, left: T, right: T) -> bool {
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
