//! Where `Option`s meet, in a branch or from iteration to iteration: what is missing in one of them gets a value of no
//! meaning, like what is there in another one, so that both have the same parts.

use jacobian_list::catalogue::known;
use jacobian_list::code_list::{Constant, NotationId};
use proc_macro2::Span;
use quote::{format_ident, quote, quote_spanned};

use super::super::super::read::shape::Shape;
use super::super::numbers::Number;
use super::super::value::{Active, Elements, Passive, Value, Variant};
use super::super::{Lowering, emitted};
use super::{Found, Optional, Test};

impl Lowering<'_> {
    /// Gives all values of one place the same parts, as far as they are `Option`s with something active. Whether the first
    /// one was another before.
    pub(in super::super) fn complete(&mut self, values: &mut [Option<Value>]) -> bool {
        let elements = |value: &Option<Value>| match value {
            Some(Value::Array(elements) | Value::Tuple(elements)) => Some(elements.len()),
            _ => None,
        };
        let lengths = values.iter().filter(|value| value.is_some()).map(elements).collect::<Option<Vec<_>>>();
        if let Some((&length, rest)) = lengths.as_deref().and_then(<[_]>::split_first)
            && rest.iter().all(|other| *other == length)
            && values.iter().flatten().any(has_optional)
        {
            return self.complete_elements(values, length);
        }
        let are_in_parts = values.iter().flatten().all(|value| match value {
            Value::Optional(of) => of.parts().is_some_and(|(_, content)| has_parts(content)),
            value => matches!(value, Value::Passive(Passive { variant: Some(Variant::None), .. })),
        });
        let content = values.iter().flatten().find_map(|value| match value {
            Value::Optional(of) if are_in_parts || !value.is_passive() => of.parts().map(|(_, content)| plain(content)),
            _ => None,
        });
        let Some(content) = content else { return false };
        let Some(first) = self.unreached_like(&content) else { return false };
        let mut is_changed = false;
        for (index, value) in values.iter_mut().enumerate() {
            let Some(Value::Passive(passive)) = value else { continue };
            if let Some(completed) = self.in_parts(passive, &content, &first) {
                is_changed |= index == 0;
                *value = Some(completed);
            }
        }
        self.complete_contents(values) || is_changed
    }

    fn complete_elements(&mut self, values: &mut [Option<Value>], length: usize) -> bool {
        let mut is_changed = false;
        for index in 0..length {
            let mut parts: Vec<_> = values.iter().map(|value| Some(part(value.as_ref()?, index)?.clone())).collect();
            let is_first = self.complete(&mut parts);
            is_changed |= is_first && values[0].is_some();
            for (value, part) in values.iter_mut().zip(parts) {
                if let (Some(Value::Array(elements) | Value::Tuple(elements)), Some(part)) = (value, part) {
                    elements[index] = part;
                }
            }
        }
        is_changed
    }

    fn complete_contents(&mut self, values: &mut [Option<Value>]) -> bool {
        let content = |value: &Option<Value>| match value {
            Some(Value::Optional(of)) => of.parts().map(|(_, content)| content.clone()),
            _ => None,
        };
        let mut contents: Vec<_> = values.iter().map(content).collect();
        if !contents.iter().flatten().any(has_optional) {
            return false;
        }
        let is_changed = self.complete(&mut contents) && contents[0].is_some();
        for (value, content) in values.iter_mut().zip(contents) {
            if let (Some(Value::Optional(of)), Some(content)) = (value, content)
                && let Some(part) = of.part_mut(1)
            {
                *part = content;
            }
        }
        is_changed
    }

    /// A passive `Option` in parts, beside one of `content`; `first` is like that, and of no meaning.
    fn in_parts(&mut self, passive: &Passive, content: &Value, first: &Value) -> Option<Value> {
        match &passive.variant {
            Some(Variant::None) => return Some(Value::there_if(self.truth(false), first.clone())),
            Some(Variant::Some(known)) => return Some(self.there((**known).clone())),
            None | Some(Variant::Either) if passive.has_call() => return None,
            None | Some(Variant::Either) => {}
        }
        let (option, other, shape) = (passive.operand(), first.to_passive()?, shape_of(self, content)?);
        let (span, other) = (Span::mixed_site(), other.tokens());
        let value = match &shape {
            // It may be an `Option` of a reference to one.
            Shape::Float(scalar) => {
                let float = scalar.ty();
                quote_spanned!(span=> #option.map_or(#other, |value| <#float as ::core::clone::Clone>::clone(&value)))
            }
            _ => quote_spanned!(span=> #option.unwrap_or(#other)),
        };
        let value = Passive::simple(value).with_shape(Some(shape));
        let value = self.with_elements(Value::Passive(value));
        Some(Value::there_if(Value::Passive(Passive::simple(quote_spanned!(span=> #option.is_some()))), value))
    }

    /// A passive `Option` of which nothing else is known in parts that are there to stay, if it is one of values that
    /// have a default.
    pub(super) fn parts_of_passive(&mut self, option: &Passive) -> Option<Value> {
        if !option.is_option() || matches!(option.variant, Some(Variant::None)) {
            return None;
        }
        let shape = option.shape.as_ref().and_then(Shape::item);
        let first = self.unreached_like(&Value::Passive(Passive::simple(quote!()).with_shape(shape.clone())))?;
        let (option, first, span) = (option.operand(), first.to_passive()?, Span::mixed_site());
        let first = first.tokens();
        let test = Passive::simple(quote_spanned!(span=> #option.is_some()));
        let test = self.let_passive(&emitted(&format_ident!("is_some")), &test, None);
        let value = Passive::simple(quote_spanned!(span=> #option.unwrap_or(#first))).with_shape(shape);
        let value = self.let_passive(&emitted(&format_ident!("content")), &value, None);
        let value = self.with_elements(Value::Passive(value));
        Some(Value::there_if(Value::Passive(test), value))
    }

    /// The value with its parts, if it may be missing: what tells that it is there is a truth value.
    pub(in super::super) fn with_parts(&mut self, of: &Optional) -> Optional {
        let (Test::NotZero(Value::Active(test)), Found::Value(_)) = (&of.test, &of.found) else { return of.clone() };
        let (test, zero) = (self.program.in_list(*test), self.program.constant(Constant::Float(0.0)));
        let test = self.program.apply(known::NE, NotationId::default(), &[test, zero]);
        Optional { test: Test::Holds(test), ..of.clone() }
    }
}

fn part(value: &Value, index: usize) -> Option<&Value> {
    match value {
        Value::Array(elements) | Value::Tuple(elements) => elements.get(index),
        _ => None,
    }
}

/// Whether an `Option` that has parts is in a value.
pub(in super::super) fn has_optional(value: &Value) -> bool {
    match value {
        Value::Optional(_) => true,
        Value::Array(elements) | Value::Tuple(elements) => elements.iter().any(has_optional),
        Value::Reference(target) => has_optional(target),
        _ => false,
    }
}

/// Whether a value is made of numbers, several of them.
fn has_parts(content: &Value) -> bool {
    let is_number = |value: &Value| match value {
        Value::Active(_) | Value::Condition(_) => true,
        Value::Passive(passive) => passive.number.is_some() || matches!(passive.shape, Some(Shape::Float(_))),
        value => has_parts(value),
    };
    match content {
        Value::Array(elements) | Value::Tuple(elements) => !elements.is_empty() && elements.iter().all(is_number),
        _ => false,
    }
}

/// What a value is or refers to.
fn plain(value: &Value) -> Value {
    match value {
        Value::Active(active) => Value::Active(Active { is_reference: false, ..*active }),
        value => value.behind_references().clone(),
    }
}

/// The shape of passive values that are like this one.
fn shape_of(lowering: &Lowering<'_>, value: &Value) -> Option<Shape> {
    let all = |elements: &Elements| -> Option<Vec<Shape>> {
        let of = |element: &Value| match element {
            Value::Passive(Passive { number: None, shape, .. }) if shape.as_ref().is_none_or(Shape::is_opaque) => {
                Some(Shape::Passive(quote!(_)))
            }
            element => shape_of(lowering, element),
        };
        elements.iter().map(of).collect()
    };
    match value {
        Value::Active(_) => Some(Shape::Float(lowering.scalar.clone())),
        Value::Array(elements) => {
            let element = elements.iter().find_map(|element| shape_of(lowering, element))?;
            Some(Shape::Array(element.into(), elements.len()))
        }
        Value::Tuple(elements) => match elements.definition() {
            Some(definition) => definition.is_copy.then(|| Shape::Struct(definition.clone())),
            None => all(elements).map(Shape::Tuple),
        },
        Value::Passive(Passive { number: Some(Number::Float(_)), .. }) => Some(Shape::Float(lowering.scalar.clone())),
        Value::Passive(passive) => passive.shape.clone().filter(|shape| !shape.is_opaque()),
        _ => None,
    }
}
