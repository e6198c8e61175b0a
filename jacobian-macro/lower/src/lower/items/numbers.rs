//! The numbers of a range whose bounds are known.

use proc_macro2::{Ident, Literal, Span};
use quote::{ToTokens, format_ident, quote};

use super::super::emitted;
use super::super::numbers::{Int, Number};
use super::super::program::Line;
use super::super::range::Range;
use super::super::value::Passive;
use super::{Lowering, Sequence, Value};

impl Lowering<'_> {
    /// The numbers of a range, if its bounds are known.
    pub(in super::super) fn numbers(&mut self, range: &Range) -> Option<Sequence> {
        let (Int { value: first, ty }, end) = range.integers()?;
        let past = i128::from(range.is_inclusive);
        let length = match end {
            Some(end) => Some(end.value.checked_sub(first)?.checked_add(past)?.max(0) as u128),
            None => None,
        };
        let base = match self.numbers.types.get(ty).only() {
            Some(_) => None,
            None => Some(self.base_of(range)),
        };
        let written = range.to_passive().operand();
        Some(Sequence::of(length, (Some(written), true), move |index, lowering| {
            let offset = Literal::u128_unsuffixed(index);
            let written = match &base {
                Some(base) if index == 0 => Passive::simple(quote!(#base)),
                Some(base) => Passive::operation(quote!(#base + #offset)),
                None => Passive::simple(offset.to_token_stream()),
            };
            let number = Number::Int(Int { value: first + index as i128, ty });
            Ok(Value::Passive(lowering.numbers.known(number, written)))
        }))
    }

    /// A variable that holds the start of a range and has the type of both bounds: so all numbers are of one type.
    fn base_of(&mut self, range: &Range) -> Ident {
        let base = self.program.variable(&emitted(&format_ident!("start", span = Span::mixed_site())));
        let bounds: Vec<_> =
            [&range.start, &range.end].into_iter().flatten().map(|bound| bound.tokens().clone()).collect();
        let line = match &bounds[..] {
            [start, end] => quote!(let [#base, _] = [#start, #end];),
            _ => quote!(let #base = #(#bounds)*;),
        };
        self.program.line(Line::variable(&base, true, line).optional(true));
        base
    }
}
