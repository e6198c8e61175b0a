//! Where the arms of a branch meet: what a place holds after each of them becomes one value.

use std::rc::Rc;

use quote::quote;

use super::super::names::each_variable;
use super::super::read::shape::{Shape, Struct};
use super::super::read::vector::VectorType;
use super::array::{element_of, taken_apart};
use super::value::{Elements, Passive, Value, Vector};
use super::vector::elements_of_vector;

/// What the values of one place become.
pub enum Merged {
    /// The value that it has after every arm.
    Same(Value),
    /// An array.
    Array(Vec<Merged>),
    /// A tuple, or a struct.
    Tuple(Vec<Merged>, Option<Rc<Struct>>),
    /// A vector like this one, with these elements.
    Vector(Vector, Vec<Merged>),
    /// A reference to this.
    Reference(Box<Merged>),
    /// What may be missing: a truth value, and what is there.
    Optional(Box<[Merged; 2]>),
    /// The result of the block with this number.
    Result(usize),
}

/// A result of a block.
pub struct BlockResult {
    /// What it is.
    pub kind: ResultKind,
    /// Its value in every arm; none in one that does not end.
    pub values: Vec<Option<Value>>,
    /// What the user calls it.
    pub name: String,
}

impl BlockResult {
    /// Whether it is no value of the code list.
    pub fn is_passive(&self) -> bool {
        matches!(self.kind, ResultKind::Passive(_))
    }
}

/// What a result of a block is.
pub enum ResultKind {
    /// A float of the code list.
    Float,
    /// A truth value that depends on active values.
    Condition,
    /// Anything passive, and its shape, where that is known.
    Passive(Option<Shape>),
}

/// Merges the values of one place after another.
pub struct Merger<'m> {
    /// The number of frames around that of the block.
    pub level: usize,
    /// The results of the block so far.
    pub results: Vec<BlockResult>,
    /// The types of passive vectors that have been merged with others, which have to be nalgebra's.
    pub vectors: Vec<VectorType>,
    /// Whether a variable is one of an arm.
    pub is_inside: &'m dyn Fn(&str) -> bool,
}

/// The values cannot become one, for their shapes differ.
pub struct Mismatch;

impl Merger<'_> {
    /// Merges what the place called `name` holds after each arm.
    pub fn merge(&mut self, values: Vec<Option<Value>>, name: &str) -> Result<Merged, Mismatch> {
        let present: Vec<&Value> = values.iter().flatten().collect();
        let Some(&first) = present.first() else { return Ok(Merged::Same(Value::unit())) };
        if present.iter().any(|value| matches!(value, Value::Unset | Value::Lost)) {
            let is_unset = present.iter().all(|value| matches!(value, Value::Unset));
            return Ok(Merged::Same(if is_unset { Value::Unset } else { Value::Lost }));
        }
        if present.iter().all(|value| self.is_same(first, value)) {
            return Ok(Merged::Same(first.clone()));
        }
        if let Some(slices) = as_slices(&values) {
            let item = Shape::Passive(quote!(_));
            let kind = ResultKind::Passive(Some(Shape::Reference(Box::new(Shape::Items(Box::new(item))))));
            self.results.push(BlockResult { kind, values: slices, name: name.to_string() });
            return Ok(Merged::Result(self.results.len() - 1));
        }
        if present.iter().all(|value| matches!(value, Value::Reference(_))) {
            let target = |value: Option<Value>| value.map(|value| value.behind_references().clone());
            let target = self.merge(values.into_iter().map(target).collect(), name)?;
            return Ok(Merged::Reference(Box::new(target)));
        }
        if let Some((tests, contents)) = parts_of_optional(&values) {
            let test = self.merge(tests, &format!("{name}_is_some"))?;
            return Ok(Merged::Optional(Box::new([test, self.merge(contents, name)?])));
        }
        if let Some(length) = present.iter().find_map(|value| array_length(value)).or_else(|| common_length(&present)) {
            return self.in_parts(values, length, name, Merged::Array);
        }
        if let Some(tuple) = present.iter().find_map(|value| as_tuple(value)) {
            let (length, definition) = (tuple.len(), tuple.definition().cloned());
            return self.in_parts(values, length, name, |parts| Merged::Tuple(parts, definition));
        }
        if let Some(vector) = common_vector(&present) {
            self.vectors.extend(present.iter().filter_map(|value| passive_vector(value)).cloned());
            let elements = self.elements(&values, vector.layout.count(), name)?;
            return Ok(Merged::Vector(vector, elements));
        }
        let kind = kind_of(&present)?;
        self.results.push(BlockResult { kind, values, name: name.to_string() });
        Ok(Merged::Result(self.results.len() - 1))
    }

    /// Merges arrays or tuples part by part, or, if what is passive in one arm has no parts that are known, as they are.
    fn in_parts(
        &mut self,
        values: Vec<Option<Value>>,
        length: usize,
        name: &str,
        merged: impl FnOnce(Vec<Merged>) -> Merged,
    ) -> Result<Merged, Mismatch> {
        let before = (self.results.len(), self.vectors.len());
        if let Ok(parts) = self.elements(&values, length, name) {
            return Ok(merged(parts));
        }
        self.results.truncate(before.0);
        self.vectors.truncate(before.1);
        let mut passive = Vec::with_capacity(values.len());
        for value in values {
            passive.push(match value {
                Some(value) => Some(Value::Passive(value.to_passive().ok_or(Mismatch)?)),
                None => None,
            });
        }
        self.results.push(BlockResult { kind: ResultKind::Passive(None), values: passive, name: name.to_string() });
        Ok(Merged::Result(self.results.len() - 1))
    }

    /// Whether two values are one that is there outside of the arms.
    fn is_same(&self, left: &Value, right: &Value) -> bool {
        match (left, right) {
            (Value::Active(left), Value::Active(right)) | (Value::Condition(left), Value::Condition(right)) => {
                (left.level, left.id) == (right.level, right.id) && left.level <= self.level
            }
            (Value::Passive(left), Value::Passive(right)) => {
                !left.has_call() && left.tokens().to_string() == right.tokens().to_string() && self.is_outside(left)
            }
            (Value::Mutable(left), Value::Mutable(right)) => left == right,
            (Value::Closure(left), Value::Closure(right)) => Rc::ptr_eq(left, right),
            _ => false,
        }
    }

    /// Whether an expression mentions no variable of an arm.
    fn is_outside(&self, passive: &Passive) -> bool {
        let mut is_outside = true;
        each_variable(passive.tokens().clone(), &mut |ident| is_outside &= !(self.is_inside)(&ident.to_string()));
        is_outside
    }

    /// Merges the elements of arrays or tuples one by one.
    fn elements(&mut self, values: &[Option<Value>], length: usize, name: &str) -> Result<Vec<Merged>, Mismatch> {
        let mut by_place = vec![Vec::new(); length];
        let tuple = values.iter().flatten().find_map(as_tuple).cloned();
        let name_of = |index: usize| tuple.as_ref().map_or_else(|| index.to_string(), |tuple| tuple.name_of(index));
        for value in values {
            let elements = value.as_ref().map(elements_of).transpose()?;
            if elements.as_ref().is_some_and(|elements| elements.len() != length) {
                return Err(Mismatch);
            }
            for (index, values) in by_place.iter_mut().enumerate() {
                values.push(elements.as_ref().map(|elements| elements[index].clone()));
            }
        }
        let mut merged = Vec::with_capacity(length);
        for (index, values) in by_place.into_iter().enumerate() {
            merged.push(self.merge(values, &format!("{name}_{}", name_of(index)))?);
        }
        Ok(merged)
    }
}

/// The elements of an array or a tuple.
fn elements_of(value: &Value) -> Result<Vec<Value>, Mismatch> {
    match value {
        Value::Array(elements) | Value::Tuple(elements) => Ok(elements.to_vec()),
        Value::Vector(vector) => Ok(vector.elements.clone()),
        Value::Passive(passive) => match passive.shape.as_ref().map(Shape::behind_references) {
            Some(Shape::Tuple(parts)) => {
                Ok((0..parts.len()).map(|index| Value::Passive(element_of(passive, index))).collect())
            }
            Some(Shape::Vector(ty)) => Ok(elements_of_vector(passive, ty).elements),
            _ => taken_apart(passive).as_ref().ok_or(Mismatch).and_then(elements_of),
        },
        _ => Err(Mismatch),
    }
}

/// What a place holds after each arm; none in one that does not end.
type InArms = Vec<Option<Value>>;

/// The truth values and what is there, where all of these may be missing.
fn parts_of_optional(values: &[Option<Value>]) -> Option<(InArms, InArms)> {
    let parts = |value: &Option<Value>| match value {
        None => Some((None, None)),
        Some(Value::Optional(of)) => of.parts().map(|(test, content)| (Some(test.clone()), Some(content.clone()))),
        Some(_) => None,
    };
    values.iter().map(parts).collect::<Option<Vec<_>>>().map(|parts| parts.into_iter().unzip())
}

fn array_length(value: &Value) -> Option<usize> {
    match value {
        Value::Array(elements) => Some(elements.len()),
        _ => None,
    }
}

/// References to passive arrays of several lengths as what they are to the user: slices.
fn as_slices(values: &[Option<Value>]) -> Option<Vec<Option<Value>>> {
    // The length of what is referred to: none in a slice.
    let length = |value: &Value| match value {
        Value::Reference(target) => array_length(target).filter(|_| target.is_passive()).map(Some),
        Value::Passive(passive) if passive.is_reference() => match passive.shape.as_ref().map(Shape::behind_references)
        {
            Some(Shape::Array(_, length)) => Some(Some(*length)),
            Some(Shape::Items(_)) => Some(None),
            _ => None,
        },
        _ => None,
    };
    let lengths = values.iter().flatten().map(length).collect::<Option<Vec<_>>>()?;
    let (first, rest) = lengths.split_first()?;
    if rest.iter().all(|other| other == first) {
        return None;
    }
    let as_slice = |value: &Value| match length(value)? {
        Some(_) => {
            let array = value.to_passive()?.operand();
            Some(Value::Passive(Passive::compound(quote!(#array as &[_]))))
        }
        None => Some(value.clone()),
    };
    values.iter().map(|value| value.as_ref().map(as_slice).map_or(Some(None), |slice| slice.map(Some))).collect()
}

/// The length of arrays of which none has a shape by which the others are known to be like it.
fn common_length(values: &[&Value]) -> Option<usize> {
    let passive: Vec<&Passive> = values.iter().filter_map(as_passive).collect();
    let (first, is_all) = (passive.first()?, passive.len() == values.len());
    let is_like = |other: &&Passive| is_same_shape(first.shape.as_ref(), other.shape.as_ref());
    first.length().filter(|_| is_all && !passive.iter().all(is_like))
}

fn as_tuple(value: &Value) -> Option<&Elements> {
    match value {
        Value::Tuple(elements) => Some(elements),
        _ => None,
    }
}

/// The vector that all of these are one like, but for the elements, one of which at least is not passive as a whole. Where
/// the type of one is not written, it is that of the others; where it is written in two ways, both are nalgebra's of this
/// form, and one type.
fn common_vector(values: &[&Value]) -> Option<Vector> {
    let mut common: Option<Vector> = None;
    let mut is_known = false;
    for &value in values {
        let vector = match value {
            Value::Vector(vector) => vector.clone(),
            value => {
                let ty = passive_vector(value)?;
                Vector { layout: ty.layout, elements: Vec::new(), ty: ty.written() }
            }
        };
        is_known |= matches!(value, Value::Vector(_));
        common = match common {
            Some(common) if common.layout != vector.layout => return None,
            Some(common) if common.ty.is_some() || vector.ty.is_none() => Some(common),
            _ => Some(vector),
        };
    }
    common.filter(|_| is_known)
}

/// The type of a passive vector.
fn passive_vector(value: &Value) -> Option<&VectorType> {
    match as_passive(&value)?.shape.as_ref()? {
        Shape::Vector(ty) => Some(ty),
        _ => None,
    }
}

/// What a place is that holds these values, which are neither arrays nor tuples.
fn kind_of(values: &[&Value]) -> Result<ResultKind, Mismatch> {
    let (mut shapes, mut has_floats, mut has_conditions) = (Vec::new(), false, false);
    for value in values {
        match value {
            Value::Passive(passive) => shapes.push(passive.shape.as_ref()),
            value @ Value::Optional(_) if value.is_passive() => shapes.push(None),
            Value::Active(_) | Value::Called(_) => has_floats = true,
            Value::Condition(_) => has_conditions = true,
            _ => return Err(Mismatch),
        }
    }
    match (has_floats, has_conditions) {
        (true, true) => Err(Mismatch),
        (true, false) => Ok(ResultKind::Float),
        (false, true) => Ok(ResultKind::Condition),
        (false, false) => {
            let is_common = shapes.iter().all(|other| is_same_shape(shapes[0], *other));
            Ok(ResultKind::Passive(shapes[0].filter(|_| is_common).cloned()))
        }
    }
}

fn is_same_shape(left: Option<&Shape>, right: Option<&Shape>) -> bool {
    match (left, right) {
        (Some(Shape::Float(left)), Some(Shape::Float(right))) => left == right,
        (Some(Shape::Array(left, n)), Some(Shape::Array(right, m))) => n == m && is_same_shape(Some(left), Some(right)),
        (Some(Shape::Reference(left)), Some(Shape::Reference(right))) => is_same_shape(Some(left), Some(right)),
        (Some(Shape::Struct(left)), Some(Shape::Struct(right))) => left.name == right.name,
        (Some(Shape::Vector(left)), Some(Shape::Vector(right))) => left.layout == right.layout,
        (Some(Shape::Opaque(left)), Some(Shape::Opaque(right))) => Rc::ptr_eq(left, right),
        (Some(Shape::Items(left)), Some(Shape::Items(right)))
        | (Some(Shape::Option(left)), Some(Shape::Option(right)))
        | (Some(Shape::Result(left)), Some(Shape::Result(right))) => is_same_shape(Some(left), Some(right)),
        _ => false,
    }
}

fn as_passive<'v>(value: &&'v Value) -> Option<&'v Passive> {
    match value {
        Value::Passive(passive) => Some(passive),
        _ => None,
    }
}

impl Merged {
    /// The value, given those of the results.
    pub fn resolve(self, results: &[Value]) -> Value {
        match self {
            Merged::Same(value) => value,
            Merged::Result(number) => results[number].clone(),
            Merged::Array(elements) => Value::Array(resolve_all(elements, results).into()),
            Merged::Reference(target) => Value::Reference(Rc::new(target.resolve(results))),
            Merged::Optional(parts) => {
                let [test, content] = parts.map(|part| part.resolve(results));
                Value::there_if(test, content)
            }
            Merged::Vector(vector, elements) => {
                Value::Vector(Vector { elements: resolve_all(elements, results), ..vector })
            }
            Merged::Tuple(elements, definition) => {
                Value::Tuple(Elements::from(resolve_all(elements, results)).of(definition))
            }
        }
    }
}

fn resolve_all(elements: Vec<Merged>, results: &[Value]) -> Vec<Value> {
    let mut values = Vec::with_capacity(elements.len());
    for element in elements {
        values.push(element.resolve(results));
    }
    values
}
