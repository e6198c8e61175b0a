//! Arrays of known length: their elements, slices and methods.

use std::rc::Rc;

use std::ops;

use proc_macro2::{Ident, Literal, Span};
use quote::{ToTokens, quote, quote_spanned};

use super::super::read::shape::Shape;
use super::super::refuse;
use super::super::syntax::{Collections, Expr, Method};
use super::Lowering;
use super::closure::Callee;
use super::control::Flow;
use super::expected::Expected;
use super::expression::MAX_ELEMENTS;
use super::items::{Access, Sequence};
use super::numbers::Number;
use super::numbers::integer::Types;
use super::range::Range;
use super::value::{Elements, Passive, Value};

impl Lowering<'_> {
    /// The number of elements of an array, where it is known.
    pub(super) fn length_of(&self, array: &Value) -> Option<usize> {
        match array {
            Value::Array(elements) => Some(elements.len()),
            Value::Reference(target) => self.length_of(target),
            Value::Passive(passive) => passive.length(),
            _ => None,
        }
    }

    /// The element of an array, or of a tuple.
    pub(super) fn element_of(&mut self, array: &Value, index: usize) -> Value {
        match array {
            Value::Array(elements) | Value::Tuple(elements) => elements.get(index).cloned().unwrap_or(Value::Unset),
            Value::Vector(vector) => vector.elements.get(index).cloned().unwrap_or(Value::Unset),
            Value::Reference(target) => self.element_of(target, index),
            Value::Mutable(place) => self.read(&place.part(index)),
            Value::Optional(of) => of.part(index).cloned().unwrap_or(Value::Unset),
            Value::Passive(passive) => {
                let element = element_of(passive, index);
                Value::Passive(match element.number.clone() {
                    Some(number) => self.numbers.known(number, element),
                    None => element,
                })
            }
            _ => Value::Unset,
        }
    }

    /// `base[index]`.
    pub(super) fn index(&mut self, (indexed, place): (&Expr, &Expr), base: Value, index: &Value) -> Flow {
        let base = match base {
            Value::Mutable(place) => self.read(&place),
            base => base,
        };
        if let Value::Into(_) = base {
            return self.refuse(indexed, refuse::INTO);
        }
        // One of a struct with active parts may be passive, and taken apart.
        let is_kept = matches!(base.behind_references(), Value::Passive(_)) && index.is_passive();
        if base.definition().is_some() && !is_kept {
            return self.struct_indexed(base, index, [indexed, place]);
        }
        if let (Value::Called(call), Some(at)) = (&base, index.as_int().and_then(|at| usize::try_from(at).ok())) {
            return self.called_element(*call, at, place);
        }
        if let Value::Vector(vector) = &base
            && (is_known_index(index) || !index.is_passive() || !base.is_passive())
        {
            return self.vector_index(place, vector, index);
        }
        if let Value::Window(window) = &base {
            return self.index_of_window(window, index, place);
        }
        let length = self.length_of(&base);
        if let (Value::Range(range), Some(length)) = (index, length) {
            match (range.bounds(length), range.within(length)) {
                (Some(_), Some(bounds)) => return self.slice(&base, bounds.start, bounds.end),
                (Some(_), None) => return self.refuse(place, refuse::range_out_of_range(length)),
                (None, _) if base.is_passive() => {}
                (None, _) => return self.window(&base, length, range, place),
            }
        }
        match (length, index.as_int()) {
            (Some(length), Some(at)) => {
                self.is_index(index);
                match usize::try_from(at).ok().filter(|&at| at < length) {
                    Some(at) => Ok(self.element_of(&base, at)),
                    None => self.refuse(place, refuse::index_out_of_range(at, length)),
                }
            }
            _ => self.index_at_run_time(base, index, place),
        }
    }

    /// Notes that a value is an index of an array: it is a `usize`, unless it already is something else.
    pub(super) fn is_index(&mut self, value: &Value) {
        if let (Some(Number::Int(int)), Some(types)) = (value.number(), Types::named("usize")) {
            self.numbers.types.narrow(int.ty, types);
        }
    }

    fn index_at_run_time(&mut self, base: Value, index: &Value, place: &Expr) -> Flow {
        if !matches!(base, Value::Array(_) | Value::Vector(_) | Value::Passive(_) | Value::Reference(_)) {
            return self.refuse(place, refuse::ONLY_ARRAYS);
        }
        let is_range = matches!(index, Value::Range(_));
        let index = &self.given_without_conditions(index, place)?;
        let of_known = match self.shape_of_floats(&base) {
            Some(Shape::Array(element, _)) if matches!(*element, Shape::Float(_)) && !is_range => Some(*element),
            _ => None,
        };
        match (base.to_passive(), index.to_passive()) {
            (Some(base), Some(index)) => {
                let operand = base.operand();
                let index = index.tokens();
                let shape = match base.shape.as_ref().map(Shape::behind_references) {
                    Some(items @ Shape::Items(_)) if is_range => Some(items.clone()),
                    Some(Shape::Items(item)) => Some((**item).clone()),
                    Some(Shape::Array(element, _)) if !is_range => Some((**element).clone()),
                    Some(Shape::Vector(ty)) => Some(Shape::Float(ty.scalar.clone())),
                    _ => None,
                };
                Ok(Value::Passive(Passive::simple(quote!(#operand[#index])).with_shape(shape.or(of_known))))
            }
            _ => match (self.length_of(&base), index) {
                (Some(length), Value::Passive(at)) if length > 0 => {
                    let at = self.index_within(at, length, place)?;
                    let elements = (0..length).map(|index| self.element_of(&base, index)).collect();
                    self.selected(elements, &at, place)
                }
                _ => {
                    let message = self.not_known(refuse::INDEX_KNOWN, place, index);
                    self.refuse(place, message)
                }
            },
        }
    }

    /// The elements of an array from `start` to before `end`.
    pub(super) fn slice(&mut self, array: &Value, start: usize, end: usize) -> Flow {
        self.takes(end - start)?;
        Ok(match array {
            Value::Reference(target) => self.slice(target, start, end)?,
            Value::Passive(passive) => Value::Passive(slice_of(passive, start, end)),
            array => Value::Array((start..end).map(|index| self.element_of(array, index)).collect()),
        })
    }

    /// A method of an array, if it is one that is known; `receiver` may be a reference to it.
    pub(super) fn array_method(&mut self, call: &Method, receiver: &Value, args: &[Value]) -> Flow<Option<Value>> {
        if let Value::Window(_) = receiver {
            return self.method_of_window(call, receiver, args);
        }
        let Some(length) = self.length_of(receiver) else { return Ok(None) };
        let (array, is_reference) = match receiver {
            Value::Reference(target) => ((**target).clone(), true),
            Value::Passive(passive) => (receiver.clone(), passive.is_reference()),
            other => (other.clone(), false),
        };
        let items = |items: Sequence| Value::Iterator(Box::new(items));
        Ok(Some(match (call.name.to_string().as_str(), args) {
            ("len", []) => Value::Passive(self.numbers.usize(length)),
            ("is_empty", []) => {
                Value::Passive(self.numbers.known(Number::Bool(length == 0), Passive::simple(quote!())))
            }
            ("iter", []) => items(self.borrowed_items(array, length)),
            ("into_iter", []) if is_reference => items(self.borrowed_items(array, length)),
            ("into_iter", []) => items(self.owned_items(array, length)),
            ("first", []) if length == 0 || !array.is_passive() => self.element_if_any(&array, 0),
            ("last", []) if length == 0 || !array.is_passive() => self.element_if_any(&array, length.wrapping_sub(1)),
            ("get", [index]) if length == 0 || !array.is_passive() => {
                self.element_if_within(call, &array, length, index)?
            }
            ("map", [callee]) => self.map_array(call, &array, length, callee)?,
            ("windows" | "chunks" | "chunks_exact", [size]) => self.slices(call, array, length, size)?,
            ("split_at", [at]) if at.as_int().is_none() => {
                if array.is_passive() && at.is_passive() {
                    return Ok(None);
                }
                let whole = Range { start: None, end: None, is_inclusive: false };
                let whole = self.window(&array, length, &whole, &call.receiver)?;
                return self.method_of_window(call, &whole, args);
            }
            ("split_at", [at]) => self.split_at(call, &array, length, at)?,
            ("split_first", []) if length == 0 || !array.is_passive() => self.split_off(&array, 0..1, 1..length)?,
            ("split_last", []) if length == 0 || !array.is_passive() => {
                self.split_off(&array, length.saturating_sub(1)..length, 0..length.saturating_sub(1))?
            }
            ("try_into", []) if !matches!(receiver, Value::Passive(_)) || !is_reference => {
                self.there(Value::Into(Box::new(array)))
            }
            ("as_slice" | "as_ref", []) if !receiver.is_passive() => self.shared(array),
            ("each_ref", []) if !receiver.is_passive() => {
                self.all_of(Sequence::of_array(array, length, Access::Reference), None)?
            }
            ("to_vec", []) if self.collections == Collections::Arrays && array.is_cloned_as_it_is() => array,
            ("clone" | "to_owned", []) if !receiver.is_passive() && array.is_cloned_as_it_is() => array,
            _ => return Ok(None),
        }))
    }

    /// A reference to the element of an array at an index that is known, if it has one there.
    fn element_if_any(&mut self, array: &Value, index: usize) -> Value {
        match self.length_of(array) {
            Some(length) if index < length => {
                let element = self.element_of(array, index);
                let element = self.shared(element);
                self.there(element)
            }
            _ => self.missing(),
        }
    }

    /// References to an element of an array and to the others, if it has one.
    fn split_off(&mut self, array: &Value, element: ops::Range<usize>, others: ops::Range<usize>) -> Flow {
        if element.is_empty() || self.length_of(array) == Some(0) {
            return Ok(self.missing());
        }
        let element = self.element_of(array, element.start);
        let others = self.slice(array, others.start, others.end)?;
        let both = [element, others].map(|part| self.shared(part));
        Ok(self.there(Value::Tuple(both.to_vec().into())))
    }

    /// `array.get(index)`.
    fn element_if_within(&mut self, call: &Method, array: &Value, length: usize, index: &Value) -> Flow {
        self.is_index(index);
        if let Some(at) = index.as_int() {
            return Ok(self.element_if_any(array, usize::try_from(at).unwrap_or(usize::MAX)));
        }
        let Some((is_within, number)) = self.number_if_within(call, length, index)? else { return Ok(self.missing()) };
        let elements = (0..length).map(|index| self.element_of(array, index)).collect();
        let element = self.selected(elements, &number, &call.args[0])?;
        let element = self.shared(element);
        Ok(Value::there_if(is_within, element))
    }

    /// Whether an index that is known at run time only is less than `length`, and a variable that holds it if it is. If
    /// it is not, the variable holds another that is; none if no index is.
    pub(super) fn number_if_within(
        &mut self,
        call: &Method,
        length: usize,
        index: &Value,
    ) -> Flow<Option<(Value, Ident)>> {
        let place = &call.args[0];
        let Value::Passive(index) = index else { return self.refuse(place, refuse::SLICE_KNOWN) };
        if length == 0 {
            self.discard(&Value::Passive(index.clone()));
            return Ok(None);
        }
        let index = self.index_variable(index, place)?;
        let [bound, last] = [length, length - 1].map(Literal::usize_unsuffixed);
        let is_within = Passive::operation(quote_spanned!(Span::mixed_site()=> #index < #bound));
        let chosen = quote_spanned!(Span::mixed_site()=> if #index < #last { #index } else { #last });
        let chosen = self.index_variable(&Passive::operation(chosen), place)?;
        Ok(Some((Value::Passive(is_within), chosen)))
    }

    /// Says which methods of arrays are known.
    pub(super) fn refuse_array_method(&mut self, call: &Method) -> Flow {
        self.refuse(&call.name, refuse::ARRAY_METHOD)
    }

    /// `array.map(callee)`: called for one element after the other.
    fn map_array(&mut self, call: &Method, array: &Value, length: usize, callee: &Value) -> Flow {
        let callee = self.callee(&call.args[0], callee)?;
        let outer = self.repeats(|| call.name.span(), "`map`", Some(length));
        let elements = self.owned_items(array.clone(), length);
        let elements = self.all_of(elements, Some(&callee));
        self.budget.restore(outer);
        elements
    }

    /// The array of all items, or of what is called for these.
    pub(super) fn all_of(&mut self, items: Sequence, callee: Option<&Callee>) -> Flow {
        let mut elements = Vec::new();
        self.each_item(items, |lowering, item| {
            elements.push(match callee {
                Some(callee) => lowering.call_for(callee, item)?,
                None => item,
            });
            Ok(())
        })?;
        Ok(self.tied(Value::Array(elements.into())))
    }

    /// `core::array::from_fn(callee)`, of as many elements as are expected.
    pub(super) fn array_from_fn(
        &mut self,
        call: &Expr,
        function: &Expr,
        args: &[Expr],
        length: Option<usize>,
        expected: &Expected,
    ) -> Flow {
        let length = match length {
            Some(length) if length <= MAX_ELEMENTS => length,
            Some(_) => return self.refuse(call, refuse::array_of_more(MAX_ELEMENTS)),
            None => return self.refuse(call, refuse::ARRAY_LENGTH),
        };
        let values = self.in_order(None, args)?;
        let (Some(value), Some(place)) = (values.first(), args.first()) else {
            return self.refuse(call, refuse::CLOSURE_EXPECTED);
        };
        let callee = self.callee(place, value)?;
        let outer = self.repeats(|| function.place.span(), "`from_fn`", Some(length));
        let element = |index: usize| {
            let argument = Value::Passive(self.numbers.usize(index));
            let value = self.invoke(&callee, vec![argument], expected.element(index))?;
            let element = self.evaluated(value);
            self.program.frame.end_user_statement(&function.place);
            Ok(element)
        };
        let elements = (0..length).map(element).collect::<Flow<Elements>>();
        self.budget.restore(outer);
        let array = self.tied(Value::Array(elements?));
        self.limited(array, call)
    }

    fn split_at(&mut self, call: &Method, array: &Value, length: usize, at: &Value) -> Flow {
        match at.as_int().and_then(|at| usize::try_from(at).ok()).filter(|&at| at <= length) {
            Some(at) => {
                let halves = [self.slice(array, 0, at)?, self.slice(array, at, length)?];
                Ok(Value::Tuple(halves.map(|half| self.shared(half)).to_vec().into()))
            }
            None => self.refuse(&call.args[0], refuse::split_index(length)),
        }
    }
}

/// Whether an index is known, or the row and the column that it is of.
pub(super) fn is_known_index(index: &Value) -> bool {
    match index {
        Value::Tuple(parts) => parts.iter().all(|part| part.number().is_some()),
        index => index.number().is_some(),
    }
}

/// The element at `index` of a passive array or tuple, or the field of a passive struct.
pub(super) fn element_of(passive: &Passive, index: usize) -> Passive {
    let array = passive.operand();
    if let Some(Shape::Struct(definition)) = passive.shape.as_ref().map(Shape::behind_references)
        && let Some(field) = definition.fields.get(index)
    {
        let member = &field.member;
        let shape = Some(field.shape.clone()).filter(|shape| !matches!(shape, Shape::Passive(_)));
        return Passive::simple(quote!(#array.#member)).with_shape(shape).known_in(passive, index).part_of(passive);
    }
    let literal = Literal::usize_unsuffixed(index);
    let (access, shape) = match passive.shape.as_ref().map(Shape::behind_references) {
        Some(Shape::Array(element, _) | Shape::Items(element)) => (quote!([#literal]), Some((**element).clone())),
        Some(Shape::Tuple(parts)) => (quote!(.#literal), parts.get(index).cloned()),
        Some(Shape::Vector(ty)) if index < ty.layout.count() => {
            (ty.layout.access(index), Some(Shape::Float(ty.scalar.clone())))
        }
        _ => (quote!([#literal]), None),
    };
    let shape = shape.filter(|shape| !matches!(shape, Shape::Passive(_)));
    let number = match &passive.number {
        Some(Number::Table(table)) => table.get(index).cloned(),
        _ => None,
    };
    let element = Passive::simple(quote!(#array #access)).with_shape(shape).with_number(number);
    element.known_in(passive, index).part_of(passive)
}

/// A slice of a passive array.
fn slice_of(passive: &Passive, start: usize, end: usize) -> Passive {
    let array = passive.operand();
    let [first, last] = [start, end].map(|bound| Literal::usize_unsuffixed(bound).to_token_stream());
    let shape = match passive.shape.as_ref().map(Shape::behind_references) {
        Some(Shape::Array(element, _)) => Some(Shape::Array(element.clone(), end - start)),
        _ => None,
    };
    let number = match &passive.number {
        Some(Number::Table(table)) => Some(Number::Table(table[start..end].into())),
        _ => None,
    };
    let parts = passive.parts().and_then(|parts| parts.get(start..end)).map(|parts| Rc::new(parts.to_vec()));
    Passive::simple(quote!(#array[#first..#last])).with_shape(shape).with_number(number).with_parts(parts)
}

/// A passive array whose length is known, a passive struct, or a tuple of whose parts something is known, part by part.
pub(super) fn taken_apart(passive: &Passive) -> Option<Value> {
    match passive.shape.as_ref().map(Shape::behind_references) {
        Some(Shape::Tuple(shapes)) if passive.parts().is_some() => {
            Some(Value::Tuple((0..shapes.len()).map(|index| Value::Passive(element_of(passive, index))).collect()))
        }
        Some(Shape::Struct(definition)) => {
            let fields = (0..definition.fields.len()).map(|index| Value::Passive(element_of(passive, index)));
            Some(Value::Tuple(Elements::of_struct(fields.collect(), definition)))
        }
        _ => Some(Value::Array(array_elements(passive)?.into())),
    }
}

/// The elements of a passive array whose length is known.
pub(super) fn array_elements(passive: &Passive) -> Option<Vec<Value>> {
    let length = passive.length()?;
    Some((0..length).map(|index| Value::Passive(element_of(passive, index))).collect())
}
