//! Items of a known number of active values beside items of the run time: a loop goes over their indices, and each
//! chooses one.

use proc_macro2::Literal;
use quote::quote;

use super::super::super::syntax::Method;
use super::super::value::Passive;
use super::{End, Flow, Head, Items, Length, Lowering, Rest, Sequence, Value, refuse};

/// Values that are there before the loop.
#[derive(Clone)]
struct Indexed(Vec<Value>);

impl Items for Indexed {
    fn next(&mut self, _: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        lowering.refuse_item(None, refuse::UNKNOWN_ITEMS)
    }

    fn length(&self) -> Length {
        Length::exactly(self.0.len())
    }

    fn head(&self) -> Result<Head, &'static str> {
        let length = Literal::usize_unsuffixed(self.0.len());
        Ok(Head::of(quote!((0..#length))))
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        let place = lowering.place_of_items(None);
        let index = item.to_passive().unwrap_or_else(|| Passive::simple(quote!()));
        let index = lowering.index_variable(&index, &place)?;
        let is_reference = self.0.iter().any(|value| matches!(value, Value::Reference(_)));
        let elements = self.0.iter().map(|value| lowering.dereference(value.clone())).collect();
        let element = lowering.selected(elements, &index, &place)?;
        let element = if is_reference { lowering.shared(element) } else { element };
        rest(lowering, element)
    }
}

impl Lowering<'_> {
    /// Items that a loop of the run time can go over, if these are values that are there already.
    pub(super) fn indexed(&mut self, mut items: Sequence, call: &Method) -> Flow<Sequence> {
        if items.is_run_time || items.calls || items.has_head() {
            return Ok(items);
        }
        let mut values = Vec::new();
        while let Some(value) = self.pull(&mut items)? {
            if has_mutable(&value) {
                return self.refuse(&call.name, refuse::MUTABLE_ITEMS_OF_RUN_TIME);
            }
            values.push(value);
        }
        Ok(Sequence { items: Box::new(Indexed(values)), written: None, is_run_time: true, ..items })
    }
}

/// Whether a mutable reference is in a value.
fn has_mutable(value: &Value) -> bool {
    match value {
        Value::Mutable(_) => true,
        Value::Tuple(parts) => parts.iter().any(has_mutable),
        _ => false,
    }
}
