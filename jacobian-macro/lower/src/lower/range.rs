//! Ranges: of a loop, of an iterator, of a slice.

use std::ops;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::refuse;
use super::super::syntax::{Expr, Method};
use super::Lowering;
use super::control::Flow;
use super::numbers::{Int, Number};
use super::value::{Passive, Value};

/// A range. Its bounds are passive.
pub struct Range {
    pub start: Option<Passive>,
    pub end: Option<Passive>,
    pub is_inclusive: bool,
}

impl Range {
    /// The range as the user wrote it.
    pub fn to_passive(&self) -> Passive {
        let operand = |bound: &Option<Passive>| bound.as_ref().map(Passive::operand);
        let (start, end) = (operand(&self.start), operand(&self.end));
        Passive::compound(if self.is_inclusive { quote!(#start..=#end) } else { quote!(#start..#end) })
    }

    /// Whether a bound would be known if its type were.
    pub fn lacks_type(&self) -> bool {
        [&self.start, &self.end].into_iter().flatten().any(|bound| bound.lacks_type)
    }

    /// The first index and that after the last, where the range is taken of `length` elements; none if not all is
    /// known.
    pub fn bounds(&self, length: usize) -> Option<(i128, i128)> {
        let known = |bound: &Option<Passive>, other: i128| match bound {
            Some(passive) => passive.number.as_ref()?.as_int().map(|int| int.value),
            None => Some(other),
        };
        let end = known(&self.end, length as i128)?;
        let past = i128::from(self.is_inclusive && self.end.is_some());
        Some((known(&self.start, 0)?, end.checked_add(past)?))
    }

    /// The indices in the range, where it is taken of `length` elements; none if not all is known, or they are not
    /// within these.
    pub fn within(&self, length: usize) -> Option<ops::Range<usize>> {
        let (start, end) = self.bounds(length)?;
        let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
        (start <= end && end <= length).then_some(start..end)
    }

    /// The integers of the bounds: of the start, and of the end where there is one.
    pub fn integers(&self) -> Option<(Int, Option<Int>)> {
        let int = |passive: &Passive| passive.number.as_ref()?.as_int();
        let end = match &self.end {
            Some(end) => Some(int(end)?),
            None => None,
        };
        Some((int(self.start.as_ref()?)?, end))
    }
}

impl Lowering<'_> {
    pub(super) fn range(&mut self, range: &Expr, bounds: [Option<&Expr>; 2], is_inclusive: bool) -> Flow {
        let mut values = self.in_order(None, bounds.into_iter().flatten())?.into_iter();
        let mut passive = |bound: Option<&Expr>| match (bound, bound.and_then(|_| values.next())) {
            (Some(_), Some(value)) => value.to_passive().map(Some),
            _ => Some(None),
        };
        let [Some(start), Some(end)] = bounds.map(&mut passive) else {
            return self.refuse(range, refuse::RANGE_BOUNDS);
        };
        if let (Some(start), Some(end)) =
            (start.as_ref().and_then(|p| p.number.as_ref()), end.as_ref().and_then(|p| p.number.as_ref()))
        {
            self.numbers.same_type(&start.clone(), &end.clone());
        }
        Ok(Value::Range(std::rc::Rc::new(Range { start, end, is_inclusive })))
    }

    /// The range with bounds that can be used any number of times.
    pub(super) fn let_bind_range(&mut self, range: &Range, name: &proc_macro2::Ident) -> Value {
        let mut bound = |bound: &Option<Passive>| match bound {
            Some(passive) if !passive.is_fixed() => Some(self.let_passive(name, passive, None)),
            other => other.clone(),
        };
        let (start, end) = (bound(&range.start), bound(&range.end));
        Value::Range(std::rc::Rc::new(Range { start, end, is_inclusive: range.is_inclusive }))
    }

    /// `contains`, where it is known.
    pub(super) fn range_method(&mut self, call: &Method, receiver: &Value, args: &[Value]) -> Option<Value> {
        let (Value::Range(range), [item], true) = (receiver, args, call.name == "contains") else { return None };
        let (start, end) = range.integers()?;
        let item = item.number()?.as_int()?;
        let ty = self.numbers.types.unify(start.ty, item.ty)?;
        let is_below = match end {
            Some(end) => {
                self.numbers.types.unify(ty, end.ty)?;
                item.value < end.value || range.is_inclusive && item.value == end.value
            }
            None => true,
        };
        let number = Number::Bool(start.value <= item.value && is_below);
        Some(Value::Passive(self.numbers.known(number, Passive::simple(TokenStream::new()))))
    }
}
