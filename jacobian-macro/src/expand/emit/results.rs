//! Emission of what the function hands over: the assignments to the outputs, value and Jacobian.

use jacobian_core::Derivative;
use jacobian_core::code_list::{Constant, ValueId};
use proc_macro2::{Delimiter, Ident, Literal, TokenStream};
use quote::quote;

use super::super::lower::emitted;
use super::super::read::shape::Shape;
use super::super::read::signature::Signature;
use super::number::{self, Position};
use super::writer::Writer;
use super::{Emitter, Places};

/// A Jacobian with at least so many zeros, which are at least half of its entries, is filled with zeros first when it is written
/// in place. Measured 20 to 25 % slower for 8 x 8 with three entries in a row, as fast for 14 x 14, and 10 to 30 % faster for
/// 20 x 20 and 24 x 24.
const MANY: usize = 150;

impl Emitter<'_> {
    /// The assignments to the outputs, and what the function returns or writes.
    pub(super) fn results(
        &self,
        signature: &Signature,
        derivative: &Derivative,
        places: Option<&Places>,
    ) -> TokenStream {
        let mut values = derivative.values().iter().map(|id| self.operands[id.index()].clone().into_stream());
        let value = signature.has_value().then_some(&signature.result);
        let handed_over = match places {
            Some(Places { value: place, .. }) => value.map(|shape| stored(&quote!(#place), true, shape, &mut values)),
            None => value.map(|shape| shaped(shape, &mut values)),
        };
        let assignments = signature.outputs().zip(signature.dependents().skip(1)).map(|(parameter, shape)| {
            let (name, value) = (emitted(&parameter.name), shaped(shape, &mut values));
            quote!(*#name = #value;)
        });
        let assignments = TokenStream::from_iter(assignments);
        if let Some(Places { jacobian, .. }) = places {
            let jacobian = self.stored_jacobian(jacobian, signature, derivative);
            // Compilers pack what is stored first, and fit the rest to that: measured up to 12 % faster than value first.
            return quote!(#assignments #jacobian #handed_over);
        }
        let jacobian = self.jacobian(signature, derivative);
        match handed_over {
            Some(value) => quote!(#assignments (#value, #jacobian)),
            None => quote!(#assignments #jacobian),
        }
    }

    /// The Jacobian as an expression. Zeros that are filled first would be copied with the rest.
    fn jacobian(&self, signature: &Signature, derivative: &Derivative) -> TokenStream {
        match signature.is_gradient() {
            true => self.row(derivative.row(0)),
            false => {
                let rows = (0..derivative.rows).map(|row| self.row(derivative.row(row)));
                quote!([#(#rows),*])
            }
        }
    }

    fn row(&self, entries: &[ValueId]) -> TokenStream {
        if let Some(row) = self.packs.whole(entries) {
            return row;
        }
        let mut row = Writer::default();
        row.group(Delimiter::Bracket, |inner| self.separated(inner, entries));
        row.into_stream()
    }

    /// The Jacobian as assignments to what `place` refers to.
    fn stored_jacobian(&self, place: &Ident, signature: &Signature, derivative: &Derivative) -> TokenStream {
        if signature.is_gradient() {
            let row = self.row(derivative.row(0));
            return quote!(*#place = #row;);
        }
        match self.is_sparse(derivative) {
            true => self.stored_entries(place, derivative),
            false => self.stored_rows(place, derivative),
        }
    }

    /// Whether it is cheaper to fill the Jacobian with zeros and to store the other entries than to store all.
    fn is_sparse(&self, derivative: &Derivative) -> bool {
        let count = derivative.rows * derivative.columns;
        let entries = (0..derivative.rows).flat_map(|row| derivative.row(row));
        let zeros = entries.filter(|entry| self.is_zero(**entry)).count();
        zeros >= MANY && 2 * zeros >= count
    }

    fn stored_rows(&self, place: &Ident, derivative: &Derivative) -> TokenStream {
        let rows = (0..derivative.rows).map(|row| {
            let (index, row) = (Literal::usize_unsuffixed(row), self.row(derivative.row(row)));
            quote!(#place[#index] = #row;)
        });
        rows.collect()
    }

    /// Zeros, and then the entries that are not zero.
    fn stored_entries(&self, place: &Ident, derivative: &Derivative) -> TokenStream {
        let [rows, columns] = [derivative.rows, derivative.columns].map(Literal::usize_unsuffixed);
        let zero = number::constant(self.written.scalar, Constant::Float(0.0), Position::Alone).into_stream();
        let mut out = Writer::from(quote!(*#place = [[#zero; #columns]; #rows];));
        for row in 0..derivative.rows {
            let entries = derivative.row(row).iter().enumerate().filter(|(_, entry)| !self.is_zero(**entry));
            for (column, &entry) in entries {
                let [row, column] = [row, column].map(Literal::usize_unsuffixed);
                out.stream(quote!(#place[#row][#column] =));
                self.separated(&mut out, &[entry]);
                out.punct(";");
            }
        }
        out.into_stream()
    }

    fn is_zero(&self, id: ValueId) -> bool {
        matches!(self.list.as_constant(id), Some(Constant::Float(value)) if value.to_bits() == 0)
    }
}

/// Assignments of the floats in `values` to a place of this shape, part by part; or to what it refers to.
fn stored(
    place: &TokenStream,
    is_reference: bool,
    shape: &Shape,
    values: &mut impl Iterator<Item = TokenStream>,
) -> TokenStream {
    match shape {
        Shape::Array(element, length) if !matches!(**element, Shape::Float(_)) => {
            let part = |index| stored(&quote!(#place[#index]), false, element, values);
            (0..*length).map(Literal::usize_unsuffixed).map(part).collect()
        }
        Shape::Tuple(shapes) => {
            let parts = shapes.iter().enumerate().map(|(index, shape)| {
                let index = Literal::usize_unsuffixed(index);
                stored(&quote!(#place.#index), false, shape, values)
            });
            parts.collect()
        }
        shape => {
            let (value, deref) = (shaped(shape, values), is_reference.then(|| quote!(*)));
            quote!(#deref #place = #value;)
        }
    }
}

/// The floats in `values` in the shape of the result.
fn shaped(shape: &Shape, values: &mut impl Iterator<Item = TokenStream>) -> TokenStream {
    match shape {
        Shape::Float(_) => values.next().unwrap_or_default(),
        Shape::Reference(target) => shaped(target, values),
        Shape::Vector(vector) => {
            let floats: Vec<_> = values.take(vector.layout.count()).collect();
            vector.value(&floats)
        }
        Shape::Array(element, length) => {
            let elements: Vec<_> = (0..*length).map(|_| shaped(element, values)).collect();
            quote!([#(#elements),*])
        }
        Shape::Tuple(shapes) => {
            let elements: Vec<_> = shapes.iter().map(|shape| shaped(shape, values)).collect();
            quote!((#(#elements,)*))
        }
    }
}
