//! The elements of an array and its slices: `iter`, `into_iter`, `iter_mut`, `windows`, `chunks`, `chunks_exact`.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::super::read::shape::Shape;
use super::super::super::refuse;
use super::super::super::syntax::Method;
use super::super::control::Flow;
use super::super::emitted;
use super::super::value::{Passive, Place};
use super::{Lowering, Sequence, Value};

/// How the elements of an array are yielded.
#[derive(Copy, Clone)]
pub enum Access {
    /// By value.
    Value,
    /// As references.
    Reference,
}

impl Sequence {
    /// The elements of an array of known length.
    pub fn of_array(array: Value, length: usize, access: Access) -> Sequence {
        let facts = facts(&array, access, |array| match access {
            Access::Value => quote!(#array.into_iter()),
            Access::Reference => quote!(#array.iter()),
        });
        Sequence::of(Some(length as u128), facts, move |index, lowering| {
            let element = lowering.element_of(&array, index as usize);
            Ok(match access {
                Access::Value => element,
                Access::Reference => lowering.shared(element),
            })
        })
    }

    /// Mutable references to places.
    pub fn of_places(places: Vec<Place>) -> Sequence {
        let length = places.len() as u128;
        Sequence::of(Some(length), (None, false), move |index, _| Ok(Value::Mutable(places[index as usize].clone())))
    }
}

impl Lowering<'_> {
    /// The elements of an array, or of a reference to one, behind references. A call that leads to it is made once.
    pub(in super::super) fn borrowed_items(&mut self, array: Value, length: usize) -> Sequence {
        let array = self.borrowed_once(array);
        Sequence::of_array(array, length, Access::Reference)
    }

    fn borrowed_once(&mut self, array: Value) -> Value {
        match array {
            Value::Passive(passive) if passive.has_call() && self.inline.is_none() => {
                let name = emitted(&format_ident!("elements"));
                let (is_reference, operand) = (passive.is_reference(), passive.operand());
                let shape = passive.shape.clone().map(|shape| Shape::Reference(Box::new(shape)));
                let shared = Passive::compound(quote!(&#operand)).with_shape(shape);
                Value::Passive(self.let_passive(&name, if is_reference { &passive } else { &shared }, None))
            }
            array => array,
        }
    }

    /// The elements of an array, by value: of a copy, whatever becomes of the variable that it is in.
    pub(in super::super) fn owned_items(&mut self, array: Value, length: usize) -> Sequence {
        Sequence::of_array(self.evaluated(array), length, Access::Value)
    }

    /// `windows`, `chunks` and `chunks_exact` of an array of known length.
    pub(in super::super) fn slices(&mut self, call: &Method, array: Value, length: usize, size: &Value) -> Flow {
        let size = self.size_of_slices(call, size)?;
        let array = self.borrowed_once(array);
        let (step, count) = match call.name.to_string().as_str() {
            "windows" => (1, (length + 1).saturating_sub(size)),
            "chunks" => (size, length.div_ceil(size)),
            _ => (size, length / size),
        };
        let (name, literal) = (&call.name, Literal::usize_unsuffixed(size));
        let facts = facts(&array, Access::Reference, |array| quote!(#array.#name(#literal)));
        Ok(Value::Iterator(Box::new(Sequence::of(Some(count as u128), facts, move |index, lowering| {
            let start = index as usize * step;
            let slice = lowering.slice(&array, start, length.min(start + size))?;
            Ok(lowering.shared(slice))
        }))))
    }

    /// How many elements there are in each of the slices.
    pub(in super::super) fn size_of_slices(&mut self, call: &Method, size: &Value) -> Flow<usize> {
        match size.as_int().and_then(|size| usize::try_from(size).ok()).filter(|&size| size > 0) {
            Some(size) => Ok(size),
            None => self.refuse(&call.args[0], refuse::SLICE_SIZE),
        }
    }
}

/// An iterator over an array as the user wrote it, if that is passive, and whether its numbers are known.
fn facts(
    array: &Value,
    access: Access,
    written: impl FnOnce(TokenStream) -> TokenStream,
) -> (Option<TokenStream>, bool) {
    // An array that has been taken apart is evaluated one by one where it is used up. References to one that is written
    // again live on only if it consists of literals.
    let is_apart = matches!(array, Value::Array(_));
    // Nothing tells the type of the elements of an empty array.
    if matches!(array, Value::Array(elements) if elements.is_empty()) {
        return (None, true);
    }
    let is_there = !is_apart || matches!(access, Access::Value) || consists_of_literals(array);
    let passive = array.to_passive().filter(|_| is_there && (is_apart || matches!(array, Value::Passive(_))));
    (passive.map(|passive| written(passive.operand())), is_apart || array.number().is_some())
}

fn consists_of_literals(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(consists_of_literals),
        Value::Passive(passive) => passive.number.is_some() && !passive.is_variable(),
        _ => false,
    }
}
