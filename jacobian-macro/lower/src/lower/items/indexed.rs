//! Items of a known number of active values beside run-time items: a loop goes over their indices, and each
//! chooses one.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::super::super::read::shape::Shape;
use super::super::super::syntax::{Expr, Placed};
use super::super::emitted;
use super::super::value::{Passive, Place};
use super::{End, Flow, Head, Items, Length, Lowering, Rest, Sequence, Value, refuse};

/// Values that are there before the loop.
#[derive(Clone)]
struct Indexed {
    values: Vec<Value>,
    /// The indices of those that are items, or that items begin with, as an iterator.
    indices: TokenStream,
    /// How many of them an item is a slice of, if it is one.
    size: Option<usize>,
}

impl Items for Indexed {
    fn next(&mut self, _: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        lowering.refuse_item(None, refuse::UNKNOWN_ITEMS)
    }

    fn length(&self) -> Length {
        Length::exactly(self.values.len()).undecided()
    }

    fn head(&self) -> Result<Head, &'static str> {
        Ok(Head::of(self.indices.clone()))
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        let place = lowering.place_of_items(None);
        let before = lowering.program.frame.effects();
        let index = item.to_passive().unwrap_or_else(|| Passive::simple(quote!()));
        let index = lowering.index_variable(&index, &place)?;
        let item = match self.size {
            None => lowering.chosen_item(&self.values, &index, &place)?,
            Some(size) => lowering.chosen_slice(&self.values, &index, size, &place)?,
        };
        lowering.program.frame.excuse(before);
        rest(lowering, item)
    }
}

impl Sequence {
    /// The values with these indices, or slices of `size` values that begin there.
    pub(in super::super) fn of_indices(values: Vec<Value>, indices: TokenStream, size: Option<usize>) -> Sequence {
        let items = Box::new(Indexed { values, indices, size });
        Sequence { items, written: None, is_known: false, calls: false, is_run_time: true, size: 1 }
    }
}

impl Lowering<'_> {
    /// Items that a run-time loop can go over, if these are values that are there already.
    pub(in super::super) fn indexed(&mut self, mut items: Sequence, place: &dyn Placed) -> Flow<Sequence> {
        if items.is_run_time || items.calls || items.has_head() {
            return Ok(items);
        }
        let mut values = Vec::new();
        while let Some(value) = self.pull(&mut items)? {
            values.push(value);
        }
        if let Some(items) = self.passive_items(&values) {
            return Ok(items);
        }
        if values.is_empty() || !self.can_be_chosen(&values) {
            return self.refuse(place, refuse::MUTABLE_ITEMS_OF_RUN_TIME);
        }
        let length = Literal::usize_unsuffixed(values.len());
        Ok(Sequence { size: items.size, ..Sequence::of_indices(values, quote!((0..#length)), None) })
    }

    /// These values as run-time items, if all of them are passive.
    fn passive_items(&mut self, values: &[Value]) -> Option<Sequence> {
        if values.is_empty() || self.inline.is_some() {
            return None;
        }
        let all = values.iter().map(Value::to_passive).collect::<Option<Vec<_>>>()?;
        let item = all[0].shape.clone();
        let all = all.iter().map(Passive::tokens);
        let name = emitted(&format_ident!("elements"));
        let elements = self.let_passive(&name, &Passive::simple(quote!([#(#all),*])), None).operand();
        let items = quote_spanned!(Span::mixed_site()=> ::core::iter::IntoIterator::into_iter(#elements));
        let shape = item.map(|item| Shape::Items(Box::new(item)));
        Some(Sequence::of_run_time(&Passive::simple(items).with_shape(shape)))
    }

    /// The one of these values whose number `index` holds.
    pub(in super::super) fn chosen_item(&mut self, values: &[Value], index: &Ident, place: &Expr) -> Flow {
        if let Some(row) = self.row_of(values) {
            let chosen = self.chosen_of_row(&row, index, place)?;
            return Ok(Value::Mutable(self.followed(chosen, place)?));
        }
        if let Some(elements) = self.elements_of_slices(values) {
            let chosen = elements.iter().map(|row| self.chosen_of_row(row, index, place)).collect::<Flow<Vec<_>>>()?;
            return Ok(Value::Mutable(self.slice_of_places(chosen, place)?));
        }
        if let (Some(count), true) = (parts(values), values.iter().any(has_reference)) {
            let item = (0..count).map(|part| self.chosen_item(&part_of_each(values, part), index, place));
            return Ok(Value::Tuple(item.collect::<Flow<Vec<_>>>()?.into()));
        }
        if !values.iter().any(|value| matches!(value, Value::Reference(_))) {
            return self.selected(values.to_vec(), index, place);
        }
        let elements = values.iter().map(|value| self.dereference(value.clone())).collect();
        let element = self.selected(elements, index, place)?;
        Ok(self.shared(element))
    }

    /// Those of these values whose numbers are `index` and the next ones, as a slice.
    fn chosen_slice(&mut self, values: &[Value], index: &Ident, size: usize, place: &Expr) -> Flow {
        let element = |offset: usize| {
            let offset = Literal::usize_unsuffixed(offset);
            let index = Passive::operation(quote_spanned!(Span::mixed_site()=> #index + #offset));
            let index = self.index_variable(&index, place)?;
            let element = self.chosen_item(values, &index, place)?;
            Ok(self.dereference(element))
        };
        let elements = (0..size).map(element).collect::<Flow<Vec<_>>>()?;
        Ok(self.shared(Value::Array(elements.into())))
    }

    /// Whether one of these values can be chosen by an index: mutable references in them are to elements of one array, in
    /// which there are floats.
    pub(in super::super) fn can_be_chosen(&mut self, values: &[Value]) -> bool {
        !values.iter().any(has_mutable)
            || self.row_of(values).is_some_and(|row| self.may_hold_active(&row))
            || self.elements_of_slices(values).is_some_and(|rows| rows.iter().all(|row| self.may_hold_active(row)))
            || parts(values).is_some_and(|count| (0..count).all(|part| self.can_be_chosen(&part_of_each(values, part))))
    }

    /// Whether elements of the array may be active: one of them may tell of which type they are.
    fn may_hold_active(&mut self, row: &Row) -> bool {
        (0..row.length).any(|index| self.may_become_active(&row.array.part(index)))
    }

    /// What mutable references refer to, if that is a row.
    fn row_of(&mut self, values: &[Value]) -> Option<Row> {
        let (mut arrays, mut indices) = (Vec::with_capacity(values.len()), Vec::with_capacity(values.len()));
        for value in values {
            let Value::Mutable(place) = value else { return None };
            let mut array = place.clone();
            indices.push(array.steps.pop()? as isize);
            arrays.push(array);
        }
        let (first, step) = match indices[..] {
            [] => return None,
            [first] => (first, 1),
            [first, second, ..] => (first, second - first),
        };
        let is_even = indices.windows(2).all(|pair| pair[1] - pair[0] == step);
        let array = arrays.pop().filter(|array| is_even && arrays.iter().all(|other| other == array))?;
        let whole = self.read(&array);
        let length = match &whole {
            Value::Vector(vector) => vector.layout.count(),
            whole => self.length_of(whole)?,
        };
        Some(Row { array, length, first: first as usize, step })
    }

    /// What the elements of mutable slices of one length are, the first ones, the second ones, and so on, if these are
    /// rows.
    fn elements_of_slices(&mut self, values: &[Value]) -> Option<Vec<Row>> {
        let mut by_slice = Vec::with_capacity(values.len());
        for value in values {
            let Value::Mutable(place) = value else { return None };
            by_slice.push(self.places_of_slice(place)?.to_vec());
        }
        let length = by_slice.first()?.len();
        if by_slice.iter().any(|elements| elements.len() != length) {
            return None;
        }
        let row = |index: usize| {
            let elements: Vec<_> = by_slice.iter().map(|elements| Value::Mutable(elements[index].clone())).collect();
            self.row_of(&elements)
        };
        (0..length).map(row).collect()
    }

    /// The element that is chosen by its number in the row.
    fn chosen_of_row(&mut self, row: &Row, number: &Ident, place: &Expr) -> Flow<Place> {
        let [first, step] = [row.first, row.step.unsigned_abs()].map(Literal::usize_unsuffixed);
        let index = match (row.first, row.step) {
            (0, 1) => return Ok(row.array.part_at(number.clone(), row.length)),
            (_, 0..) => quote!(#first + #number * #step),
            (_, _) => quote!(#first - #number * #step),
        };
        let index = self.index_variable(&Passive::operation(index), place)?;
        Ok(row.array.part_at(index, row.length))
    }
}

/// Elements of one array, at indices that are equally far from each other.
struct Row {
    array: Place,
    /// The number of elements of the array.
    length: usize,
    /// The index of the first.
    first: usize,
    /// From one index to the next.
    step: isize,
}

/// How many parts each of these values has, if they are tuples.
fn parts(values: &[Value]) -> Option<usize> {
    match values.first()? {
        Value::Tuple(parts) if parts.definition().is_none() => Some(parts.len()),
        _ => None,
    }
}

fn part_of_each(values: &[Value], part: usize) -> Vec<Value> {
    let of = |value: &Value| match value {
        Value::Tuple(parts) => parts.get(part).cloned(),
        _ => None,
    };
    values.iter().filter_map(of).collect()
}

/// Whether a reference is in a value.
fn has_reference(value: &Value) -> bool {
    match value {
        Value::Mutable(_) | Value::Reference(_) => true,
        Value::Tuple(parts) => parts.iter().any(has_reference),
        _ => false,
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
