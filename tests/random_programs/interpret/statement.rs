//! Statements, blocks and patterns.

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::{Place, Value};
use super::items::Sequence;
use super::{Exit, Interpreter, Outcome};

impl<R: Number> Interpreter<'_, R> {
    pub(super) fn block(&mut self, block: &Block) -> Outcome<R> {
        let (scope, frame) = (self.variables.enter(), self.enter_items(block));
        let value = self.statements(block);
        self.variables.leave(scope);
        self.frame = frame;
        value
    }

    fn statements(&mut self, block: &Block) -> Outcome<R> {
        for statement in &block.statements {
            self.statement(statement)?;
        }
        match &block.value {
            Some(value) => self.expression(value),
            None => Ok(Value::unit()),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Exit<R>> {
        match statement {
            Statement::Let(pattern, ty, Some(value)) => {
                let value = self.expression(value)?;
                let ty = ty.as_ref().map(|ty| self.sized(ty));
                assert!(ty.as_ref().is_none_or(|ty| value.is_of(ty)), "this is no value of the type {ty:?}");
                assert!(self.binds(pattern, &value), "the patterns of `let` are irrefutable");
            }
            Statement::Let(pattern, _, None) => self.declare(pattern),
            Statement::LetElse(own) => {
                let value = self.expression(&own.value)?;
                let is_bound = self.binds(&own.pattern, &value);
                self.take(own.branch, usize::from(!is_bound));
                if !is_bound {
                    self.block(&own.otherwise)?;
                    panic!("what follows `else` jumps");
                }
            }
            Statement::Assign(place, operator, value) => self.assign(place, *operator, value)?,
            Statement::Run(expression) => drop(self.expression(expression)?),
            Statement::For(repeated) => self.repeat(repeated)?,
            Statement::While(repeated) => self.repeat_while(repeated)?,
            Statement::Item(_) => {}
            Statement::BreakWith(label, value) => {
                return Err(Exit::BreakWith(label.clone(), self.loaded(value)?));
            }
            Statement::Break(label) => return Err(Exit::Break(label.clone())),
            Statement::Continue(label) => return Err(Exit::Continue(label.clone())),
            Statement::Return(value) => return Err(Exit::Return(self.expression(value)?)),
            Statement::Assert(condition) => {
                if !self.expression(condition)?.truth() {
                    return Err(Exit::Panic("assertion failed".into()));
                }
            }
        }
        Ok(())
    }

    /// Declares the variables of a pattern, without values.
    fn declare(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(name, _) => self.variables.declare(name, None),
            Pattern::Tuple(patterns) => patterns.iter().for_each(|pattern| self.declare(pattern)),
            _ => panic!("only names and tuples of them are declared without a value"),
        }
    }

    fn assign(&mut self, target: &Expression, operator: Option<Operator>, value: &Expression) -> Result<(), Exit<R>> {
        let mut value = self.loaded(value)?;
        if let (None, Expression::Tuple(targets) | Expression::Array(targets)) = (operator, target) {
            for (target, element) in targets.iter().zip(value.elements()) {
                let place = self.place(target)?;
                self.variables.store(&place, element.clone());
            }
            return Ok(());
        }
        let place = self.place(target)?;
        if let Some(operator) = operator
            && let Value::Struct(..) = self.variables.load(&place)
        {
            return self.assign_by_operator(operator, &place, value);
        }
        if let Some(operator) = operator {
            value = self.operation(operator, &self.variables.load(&place), &value)?;
        }
        self.variables.store(&place, value);
        Ok(())
    }

    /// The place that an expression names. A mutable reference stands for what it refers to.
    pub(super) fn place(&mut self, target: &Expression) -> Result<Place, Exit<R>> {
        let (base, step) = match target {
            Expression::Variable(name) => {
                return Ok(match self.variables.get(name) {
                    Some(Value::Place(place)) => place.clone(),
                    _ => self.variables.place(name),
                });
            }
            Expression::Prefix(Prefix::Dereference, target) => return self.place(target),
            Expression::Index(base, index) => (base, self.loaded(index)?.index()),
            Expression::Field(base, field) => (base, *field),
            Expression::Member(base, field) => {
                let mut place = self.place(base)?;
                place.steps.push(self.field_of(&self.variables.load(&place), field));
                return Ok(place);
            }
            _ => panic!("this is no place"),
        };
        let mut place = self.place(base)?;
        place.steps.push(step);
        Ok(place)
    }

    fn repeat(&mut self, repeated: &For) -> Result<(), Exit<R>> {
        let is_own = |label: &Option<Name>| label.is_none() || *label == repeated.label;
        let Sequence { items, after } = self.items(&repeated.items)?;
        for item in items {
            let item = self.take_item(item)?;
            let scope = self.variables.enter();
            assert!(self.binds(&repeated.pattern, &item), "the patterns of loops are irrefutable");
            let outcome = self.block(&repeated.body);
            self.variables.leave(scope);
            match outcome {
                Ok(_) => {}
                Err(Exit::Continue(label)) if is_own(&label) => {}
                Err(Exit::Break(label)) if is_own(&label) => return Ok(()),
                Err(exit) => return Err(exit),
            }
        }
        self.go_past(after)
    }

    /// Whether a pattern matches. Then its variables are declared.
    pub(super) fn binds(&mut self, pattern: &Pattern, value: &Value<R>) -> bool {
        match (pattern, value) {
            (Pattern::Any, _) => true,
            (Pattern::Name(name, _), value) => {
                self.variables.declare(name, Some(value.clone()));
                true
            }
            (Pattern::Reference(pattern), value) => self.binds(pattern, value),
            (Pattern::Integer(own), value) => i128::from(*own) == value.integer(),
            (Pattern::Bool(own), value) => *own == value.truth(),
            (Pattern::Range(low, high), value) => (i128::from(*low)..=i128::from(*high)).contains(&value.integer()),
            (Pattern::Some(pattern), Value::Option(Some(value))) => self.binds(pattern, value),
            (Pattern::None, Value::Option(value)) => value.is_none(),
            // What is in a variable is changed through the pattern.
            (Pattern::Some(pattern), Value::Place(place)) => match self.variables.load(place) {
                Value::Option(Some(_)) => self.binds(pattern, &Value::Place(place.part(0))),
                _ => false,
            },
            (Pattern::Or(patterns), value) => patterns.iter().any(|pattern| self.binds(pattern, value)),
            (Pattern::Struct(_, fields, _), value) => fields
                .iter()
                .all(|(field, pattern)| self.binds(pattern, &value.elements()[self.field_of(value, field)].clone())),
            (Pattern::Tuple(patterns) | Pattern::Array(patterns) | Pattern::TupleStruct(_, patterns), value) => {
                let elements = value.elements();
                assert_eq!(patterns.len(), elements.len(), "patterns are as long as their values");
                patterns.iter().zip(elements).all(|(pattern, element)| self.binds(pattern, element))
            }
            (Pattern::Linear, Value::Law(law)) => *law == Law::Linear,
            (Pattern::Power(pattern), Value::Law(Law::Power { exponent })) => {
                self.binds(pattern, &Value::integer_of((*exponent).into(), Type::Int))
            }
            (Pattern::Scaled(fields), Value::Law(Law::Scaled(number, is_set))) => {
                self.binds(&fields[0], &Value::usize(*number)) && self.binds(&fields[1], &Value::Bool(*is_set))
            }
            _ => false,
        }
    }
}
