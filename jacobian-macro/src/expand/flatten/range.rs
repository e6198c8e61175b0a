//! Ranges: of a loop, of an iterator, of a slice.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::super::syntax::{Expr, Method};
use super::Flattener;
use super::code::Line;
use super::integer::TypeId;
use super::names::emitted;
use super::number::{Int, Number};
use super::sequence::{Count, Sequence};
use super::value::{Passive, Value};

/// A range. Its bounds are passive.
pub struct Range {
    start: Option<Passive>,
    end: Option<Passive>,
    is_inclusive: bool,
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

    /// The first index and that behind the last, where the range is taken of `length` elements; none if not all is known.
    pub fn bounds(&self, length: usize) -> Option<(i128, i128)> {
        let known = |bound: &Option<Passive>, other: i128| match bound {
            Some(passive) => passive.number.as_ref()?.as_int().map(|int| int.value),
            None => Some(other),
        };
        let end = known(&self.end, length as i128)?;
        let past = i128::from(self.is_inclusive && self.end.is_some());
        Some((known(&self.start, 0)?, end.checked_add(past)?))
    }

    /// The integers of the bounds: of the start, and of the end where there is one.
    fn integers(&self) -> Option<(Int, Option<Int>)> {
        let int = |passive: &Passive| passive.number.as_ref()?.as_int();
        let end = match &self.end {
            Some(end) => Some(int(end)?),
            None => None,
        };
        Some((int(self.start.as_ref()?)?, end))
    }
}

/// The numbers that a range yields.
#[derive(Clone)]
pub struct Numbers {
    /// How many there are left, and from where.
    pub count: Count,
    first: i128,
    ty: TypeId,
    /// A variable that holds the first number, where the type of the numbers is not known: so they are all of one.
    base: Option<proc_macro2::Ident>,
    /// The range as the user wrote it.
    pub written: TokenStream,
}

impl Flattener<'_> {
    pub(super) fn range(&mut self, range: &Expr, bounds: [Option<&Expr>; 2], is_inclusive: bool) -> Value {
        let mut values = self.in_order(None, bounds.into_iter().flatten()).into_iter();
        if values.as_slice().iter().any(Value::is_error) {
            return Value::Error;
        }
        let mut passive = |bound: Option<&Expr>| match (bound, bound.and_then(|_| values.next())) {
            (Some(_), Some(value)) => value.to_passive().map(Some),
            _ => Some(None),
        };
        let [Some(start), Some(end)] = bounds.map(&mut passive) else {
            return self.refuse(range, "the bounds of a range cannot depend on an active value");
        };
        if let (Some(start), Some(end)) =
            (start.as_ref().and_then(|p| p.number.as_ref()), end.as_ref().and_then(|p| p.number.as_ref()))
        {
            self.same_type(&start.clone(), &end.clone());
        }
        Value::Range(std::rc::Rc::new(Range { start, end, is_inclusive }))
    }

    /// The range with bounds that can be used any number of times.
    pub(super) fn settle_range(&mut self, range: &Range, name: &proc_macro2::Ident) -> Value {
        let mut bound = |bound: &Option<Passive>| match bound {
            Some(passive) if !passive.is_fixed() => Some(self.let_passive(name, passive, None)),
            other => other.clone(),
        };
        let (start, end) = (bound(&range.start), bound(&range.end));
        Value::Range(std::rc::Rc::new(Range { start, end, is_inclusive: range.is_inclusive }))
    }

    /// The numbers of a range whose bounds are known.
    pub(super) fn numbers(&mut self, range: &Range) -> Option<Sequence> {
        let (start, end) = range.integers()?;
        let past = i128::from(range.is_inclusive);
        let length = match end {
            Some(end) => Some(end.value.checked_sub(start.value)?.checked_add(past)?.max(0)),
            None => None,
        };
        let count = Count::new(length.map(|length| usize::try_from(length).unwrap_or(usize::MAX)));
        let base = match self.types.get(start.ty).only() {
            Some(_) => None,
            None => Some(self.base_of(range)),
        };
        let written = range.to_passive().operand();
        Some(Sequence::Numbers(Numbers { count, first: start.value, ty: start.ty, base, written }))
    }

    /// `contains`, where it is known.
    pub(super) fn range_method(&mut self, call: &Method, receiver: &Value, args: &[Value]) -> Option<Value> {
        let (Value::Range(range), [item], true) = (receiver, args, call.name == "contains") else { return None };
        let (start, end) = range.integers()?;
        let item = item.number()?.as_int()?;
        let ty = self.types.unify(start.ty, item.ty)?;
        let is_below = match end {
            Some(end) => {
                self.types.unify(ty, end.ty)?;
                item.value < end.value || range.is_inclusive && item.value == end.value
            }
            None => true,
        };
        let number = Number::Bool(start.value <= item.value && is_below);
        Some(Value::Passive(self.known(number, Passive::simple(TokenStream::new()))))
    }

    /// A variable that holds the start of a range and has the type of both bounds.
    fn base_of(&mut self, range: &Range) -> proc_macro2::Ident {
        let base = self.variable(&emitted(&format_ident!("start", span = Span::mixed_site())));
        let bounds: Vec<_> =
            [&range.start, &range.end].into_iter().flatten().map(|bound| bound.tokens().clone()).collect();
        let line = match &bounds[..] {
            [start, end] => quote!(let [#base, _] = [#start, #end];),
            _ => quote!(let #base = #(#bounds)*;),
        };
        self.line(Line::variable(&base, true, line).optional(true));
        base
    }

    /// The number at an index of a range.
    pub(super) fn number_at(&mut self, numbers: &Numbers, index: usize) -> Value {
        let number = Number::Int(Int { value: numbers.first + index as i128, ty: numbers.ty });
        let offset = proc_macro2::Literal::usize_unsuffixed(index);
        let written = match &numbers.base {
            Some(base) if index == 0 => Passive::simple(quote!(#base)),
            Some(base) => Passive::operation(quote!(#base + #offset)),
            None => Passive::simple(offset.to_token_stream()),
        };
        Value::Passive(self.known(number, written))
    }
}
