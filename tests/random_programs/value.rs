//! Values of programs.

use std::cell::Cell;
use std::rc::Rc;

use super::tree::{Closure, Law, Name, Type};

/// A value, of floats `R`.
#[derive(Clone, Debug)]
pub enum Value<R> {
    Float(R),
    Integer(Integer),
    Bool(bool),
    Law(Law),
    /// An array or a tuple. References stand for what they refer to.
    Sequence(Rc<Vec<Value<R>>>),
    /// A value of the struct with this name, its fields in order.
    Struct(Name, Rc<Vec<Value<R>>>),
    /// A mutable reference.
    Place(Place),
    /// A closure, with the values of the variables around it.
    Closure(Rc<Closure>, Rc<Captured<R>>),
    /// A function of the program's module.
    Function(Name),
    Option(Option<Rc<Value<R>>>),
    /// What is left of an iterator, from the back to the front.
    Iterator(Rc<Vec<Value<R>>>),
    /// A `Cell<u64>`, or a reference to one.
    Cell(Rc<Cell<u64>>),
}

/// An integer of a type.
#[derive(Clone, PartialEq, Debug)]
pub struct Integer {
    pub value: i128,
    pub ty: Type,
}

/// What a closure sees: variables and items.
#[derive(Debug)]
pub struct Captured<R> {
    pub variables: Vec<(Name, Value<R>)>,
    pub frame: usize,
    pub owner: Option<Name>,
}

/// A variable and the way to a part of it.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: Name,
    /// Which of the variables of this name.
    pub number: usize,
    pub steps: Vec<usize>,
}

impl Place {
    /// The place of a part.
    pub fn part(&self, step: usize) -> Place {
        let mut place = self.clone();
        place.steps.push(step);
        place
    }
}

impl<R: Copy> Value<R> {
    /// The value `()`.
    pub fn unit() -> Self {
        Value::sequence(Vec::new())
    }

    pub fn integer_of(value: i128, ty: Type) -> Self {
        Value::Integer(Integer { value, ty })
    }

    pub fn usize(value: usize) -> Self {
        Value::integer_of(value as i128, Type::Usize)
    }

    pub fn sequence(values: Vec<Value<R>>) -> Self {
        Value::Sequence(Rc::new(values))
    }

    /// What it is called in a message.
    pub fn kind(&self) -> String {
        match self {
            Value::Struct(name, _) => name.to_string(),
            Value::Float(_) => "a float".into(),
            Value::Sequence(_) => "an array or a tuple".into(),
            _ => "something else".into(),
        }
    }

    pub fn float(&self) -> R {
        match self {
            Value::Float(float) => *float,
            _ => panic!("a float is expected"),
        }
    }

    pub fn integer(&self) -> i128 {
        match self {
            Value::Integer(integer) => integer.value,
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
            Value::Sequence(elements) | Value::Struct(_, elements) => elements,
            // What is in an option is a part of it.
            Value::Option(Some(value)) => std::slice::from_ref(value),
            _ => panic!("an array or a tuple is expected"),
        }
    }

    /// Whether the value can be of this type.
    pub fn is_of(&self, ty: &Type) -> bool {
        match (self, ty) {
            (_, Type::Inferred | Type::Parameter(_)) => true,
            (Value::Float(_), Type::Float) | (Value::Bool(_), Type::Bool) | (Value::Law(_), Type::Law) => true,
            (Value::Integer(integer), ty) if ty.limits().is_some() => integer.ty == *ty,
            (Value::Cell(_), Type::Cell) => true,
            (Value::Closure(..) | Value::Function(_), Type::Closure(_)) => true,
            (Value::Struct(name, _), Type::Struct(own)) => *name == own.name,
            (Value::Struct(name, _), Type::Named(own)) => name == own || &**own == "Self",
            (value, Type::Reference(target) | Type::Exclusive(target)) => value.is_of(target),
            (Value::Option(value), Type::Option(inner)) => value.as_ref().is_none_or(|value| value.is_of(inner)),
            (Value::Sequence(elements), Type::Tuple(types)) => {
                elements.len() == types.len() && elements.iter().zip(types).all(|(element, ty)| element.is_of(ty))
            }
            (Value::Sequence(elements), Type::Array(element, length)) => {
                elements.len() == *length && elements.iter().all(|own| own.is_of(element))
            }
            (Value::Sequence(elements), Type::Rows(element) | Type::Data(element)) => {
                elements.iter().all(|own| own.is_of(element))
            }
            _ => false,
        }
    }

    /// The value with other floats.
    pub fn map<S: Copy>(&self, float: &mut impl FnMut(R) -> S) -> Value<S> {
        match self {
            Value::Float(own) => Value::Float(float(*own)),
            Value::Integer(integer) => Value::Integer(integer.clone()),
            Value::Cell(cell) => Value::Cell(Rc::new(Cell::new(cell.get()))),
            Value::Bool(truth) => Value::Bool(*truth),
            Value::Law(law) => Value::Law(*law),
            Value::Sequence(elements) => {
                Value::sequence(elements.iter().map(|element| element.map(&mut *float)).collect())
            }
            Value::Struct(name, fields) => {
                Value::Struct(name.clone(), Rc::new(fields.iter().map(|field| field.map(&mut *float)).collect()))
            }
            _ => panic!("this is neither an argument nor a result"),
        }
    }

    /// The floats in order.
    pub fn floats(&self) -> Vec<R> {
        let mut floats = Vec::new();
        self.map(&mut |float| floats.push(float));
        floats
    }
}
