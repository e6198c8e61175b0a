//! Values of programs.

use std::rc::Rc;

use super::tree::{Closure, Law, Name, Type};

/// A value, of floats `R`.
#[derive(Clone, Debug)]
pub enum Value<R> {
    Float(R),
    Integer(i64),
    Bool(bool),
    Law(Law),
    /// An array or a tuple. References stand for what they refer to.
    Sequence(Rc<Vec<Value<R>>>),
    /// A mutable reference.
    Place(Place),
    /// A closure, with the values of the variables around it.
    Closure(Rc<Closure>, Rc<Captured<R>>),
}

/// The variables that a closure sees.
pub type Captured<R> = Vec<(Name, Value<R>)>;

/// A variable and the way to a part of it.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: Name,
    /// Which of the variables of this name.
    pub number: usize,
    pub steps: Vec<usize>,
}

impl<R: Copy> Value<R> {
    /// The value `()`.
    pub fn unit() -> Self {
        Value::sequence(Vec::new())
    }

    pub fn sequence(values: Vec<Value<R>>) -> Self {
        Value::Sequence(Rc::new(values))
    }

    pub fn float(&self) -> R {
        match self {
            Value::Float(float) => *float,
            _ => panic!("a float is expected"),
        }
    }

    pub fn integer(&self) -> i64 {
        match self {
            Value::Integer(integer) => *integer,
            _ => panic!("an integer is expected"),
        }
    }

    pub fn index(&self) -> usize {
        usize::try_from(self.integer()).expect("an index is not negative")
    }

    pub fn truth(&self) -> bool {
        match self {
            Value::Bool(truth) => *truth,
            _ => panic!("a truth value is expected"),
        }
    }

    pub fn elements(&self) -> &[Value<R>] {
        match self {
            Value::Sequence(elements) => elements,
            _ => panic!("an array or a tuple is expected"),
        }
    }

    /// Whether the value can be of this type.
    pub fn is_of(&self, ty: &Type) -> bool {
        match (self, ty) {
            (_, Type::Inferred) => true,
            (Value::Float(_), Type::Float) | (Value::Bool(_), Type::Bool) | (Value::Law(_), Type::Law) => true,
            (Value::Integer(_), Type::Int) => true,
            (Value::Integer(integer), Type::Usize) => *integer >= 0,
            (value, Type::Reference(target)) => value.is_of(target),
            (Value::Sequence(elements), Type::Tuple(types)) => {
                elements.len() == types.len() && elements.iter().zip(types).all(|(element, ty)| element.is_of(ty))
            }
            (Value::Sequence(elements), Type::Array(element, length)) => {
                elements.len() == *length && elements.iter().all(|own| own.is_of(element))
            }
            (Value::Sequence(elements), Type::Rows(element)) => elements.iter().all(|own| own.is_of(element)),
            _ => false,
        }
    }

    /// The value with other floats.
    pub fn map<S: Copy>(&self, float: &mut impl FnMut(R) -> S) -> Value<S> {
        match self {
            Value::Float(own) => Value::Float(float(*own)),
            Value::Integer(integer) => Value::Integer(*integer),
            Value::Bool(truth) => Value::Bool(*truth),
            Value::Law(law) => Value::Law(*law),
            Value::Sequence(elements) => {
                Value::sequence(elements.iter().map(|element| element.map(&mut *float)).collect())
            }
            Value::Place(_) | Value::Closure(..) => panic!("this is neither an argument nor a result"),
        }
    }

    /// The floats in order.
    pub fn floats(&self) -> Vec<R> {
        let mut floats = Vec::new();
        self.map(&mut |float| floats.push(float));
        floats
    }
}
