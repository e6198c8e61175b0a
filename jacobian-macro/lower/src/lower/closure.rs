//! Closures: evaluated where they are called, with the variables of the function in which they were written.

use std::rc::Rc;

use super::super::refuse;
use super::super::syntax::{self, Expr, ExprKind, Path, Place, Placed, Type};
use super::Lowering;
use super::bindings::{Activation, Binding};
use super::control::Flow;
use super::expected::Expected;
use super::observe::is_condition;
use super::value::{Passive, Value};

/// A closure, or a function that is given to one of which the body is known.
pub struct Closure {
    item: Item,
    /// The function in which it was written.
    activation: Rc<Activation>,
    /// The variables that it has moved into itself, with their values.
    moved: Vec<(usize, Binding)>,
}

enum Item {
    Closure(Rc<syntax::Closure>),
    Function(Expr, Path),
}

/// What can be called for each item of an iterator.
#[derive(Clone)]
pub enum Callee {
    /// A closure.
    Closure(Rc<Closure>),
    /// A function, named by its path.
    Path(Rc<Path>),
}

impl Closure {
    /// What it evaluates.
    pub fn body(&self) -> &Expr {
        match &self.item {
            Item::Closure(item) => &item.body,
            Item::Function(expression, _) => expression,
        }
    }
}

impl Lowering<'_> {
    /// The value of a closure expression. Nothing of it is evaluated yet.
    pub(super) fn closure(&mut self, item: &Rc<syntax::Closure>) -> Value {
        let captured = if item.is_move { &item.captured[..] } else { &[] };
        let mut moved = Vec::new();
        for id in captured {
            let number = self.activation.number(*id);
            if let Some(Binding { value, ty, level }) = self.bindings.find(number).cloned() {
                moved.push((number, Binding { value: self.evaluated(value), ty, level }));
            }
        }
        let activation = self.activation.clone();
        Value::Closure(Rc::new(Closure { item: Item::Closure(item.clone()), activation, moved }))
    }

    /// The function that an expression names.
    pub(super) fn named_function(&self, expression: &Expr) -> Option<Value> {
        let mut named = expression.unwrapped();
        while let ExprKind::Shared(inner) = &*named.kind {
            named = inner.unwrapped();
        }
        let ExprKind::Path(path) = &*named.kind else { return None };
        let (item, activation) = (Item::Function(named.clone(), path.clone()), self.activation.clone());
        Some(Value::Closure(Rc::new(Closure { item, activation, moved: Vec::new() })))
    }

    /// The function or closure that an argument of a method is.
    pub(super) fn callee(&mut self, expression: &Expr, value: &Value) -> Flow<Callee> {
        match (value, &*expression.unwrapped().kind) {
            (Value::Closure(closure), _) => Ok(Callee::Closure(closure.clone())),
            (Value::Passive(_), ExprKind::Path(path)) => Ok(Callee::Path(Rc::new(path.clone()))),
            _ => self.refuse(expression, refuse::CALLABLE_EXPECTED),
        }
    }

    /// Calls what an iterator calls for each of its items.
    pub(super) fn invoke(&mut self, callee: &Callee, args: Vec<Value>, expected: Expected) -> Flow {
        match callee {
            Callee::Closure(closure) => self.call_closure(closure, args, closure.place(), expected),
            Callee::Path(path) => {
                let place = Expr::new(ExprKind::Path((**path).clone()), path.place());
                let places = vec![&place; args.len()];
                self.call_path(path, &args, &places)
            }
        }
    }

    /// Calls a closure, from `place`. Its value is that of its body, where `expected` is expected.
    pub(super) fn call_closure(
        &mut self,
        closure: &Closure,
        args: Vec<Value>,
        place: Place,
        expected: Expected,
    ) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(&place, why);
        }
        let item = match &closure.item {
            Item::Closure(item) => item,
            Item::Function(expression, path) => {
                let places = vec![expression; args.len()];
                return self.inside(closure, true, |lowering| lowering.call_path(path, &args, &places));
            }
        };
        if args.len() != item.parameters.len() {
            return self.refuse(&place, refuse::closure_arguments(item.parameters.len()));
        }
        if item.body.propagates_errors() && args.iter().all(Value::is_passive) {
            let Some(callee) = self.written_closure(closure, &place)?.to_passive() else {
                unreachable!("it is passive")
            };
            return Ok(Value::Passive(self.passive_call(&callee.operand(), &args)));
        }
        let repetition = self.repeats(|| place.span(), "call", None);
        let value = self.inside(closure, true, |lowering| {
            lowering.in_block(|lowering| {
                for ((pattern, ty), value) in item.parameters.iter().zip(args) {
                    lowering.bind(pattern, value, ty.as_ref())?;
                }
                lowering.closure_body(item, expected)
            })
        });
        self.budget.restore(repetition);
        value
    }

    /// Runs with the variables that a closure sees, which is called or is written as it is.
    fn inside<T>(&mut self, closure: &Closure, is_called: bool, run: impl FnOnce(&mut Self) -> T) -> T {
        let caller = std::mem::replace(&mut self.activation, closure.activation.clone());
        let outside = self.bindings.enter_closure(&closure.moved, is_called);
        let result = run(self);
        self.bindings.leave_closure(outside);
        self.activation = caller;
        result
    }

    /// A closure that depends on no active value as the user wrote it, for a function whose body is not known here.
    pub(super) fn written_closure(&mut self, closure: &Closure, place: &dyn Placed) -> Flow {
        let item = closure.expression();
        match self.inside(closure, false, |lowering| lowering.kept(&item)) {
            Some(passive) => Ok(Value::Passive(passive)),
            None => self.refuse(place, refuse::CLOSURE_GIVEN),
        }
    }

    /// Whether a closure depends on no active value.
    pub(super) fn may_be_written(&mut self, closure: &Closure) -> bool {
        let item = closure.expression();
        self.inside(closure, false, |lowering| lowering.why_not_kept(&item).is_none())
    }

    /// The same of one that reads active values, where it gives no float: it reads the numbers that these are.
    pub(super) fn observing_closure(&mut self, closure: &Closure) -> Option<Passive> {
        let item = closure.expression();
        self.inside(closure, false, |lowering| lowering.observing(&item))
    }

    fn closure_body(&mut self, item: &syntax::Closure, expected: Expected) -> Flow {
        let expected = match &item.output {
            Some(ty) => Expected::Type(ty.clone()),
            None => expected,
        };
        let outer = std::mem::replace(&mut self.returned, expected.clone());
        let value = self.in_same_block(&item.body, expected);
        self.returned = outer;
        let value = self.returned_value(value, &item.body)?;
        let value = self.given_back(value, &Expected::of_type(item.output.as_ref()));
        self.no_record(value, &item.body)
    }
}

impl Closure {
    /// The types of its parameters, where they are written.
    pub(super) fn parameter_types(&self) -> Vec<Option<Type>> {
        match &self.item {
            Item::Closure(item) => item.parameters.iter().map(|(_, ty)| ty.clone()).collect(),
            Item::Function(..) => Vec::new(),
        }
    }

    /// Whether it surely gives truth values, as far as it is plain.
    pub(super) fn gives_condition(&self) -> bool {
        matches!(&self.item, Item::Closure(item) if is_condition(&item.body))
    }

    /// It as an expression.
    fn expression(&self) -> Expr {
        match &self.item {
            Item::Closure(item) => Expr::new(ExprKind::Closure(item.clone()), item.place),
            Item::Function(expression, _) => expression.clone(),
        }
    }
}

impl Placed for Closure {
    fn place(&self) -> Place {
        match &self.item {
            Item::Closure(item) => item.place,
            Item::Function(expression, _) => expression.place,
        }
    }
}
