//! Emission of what the function hands over: what it assigns, writes in place and returns, part by part of its form.

use jacobian_core::code_list::{Constant, ValueId};
use proc_macro2::{Delimiter, Ident, Literal, TokenStream};
use quote::quote;

use super::super::form::{Part, Place, together};
use super::super::read::shape::Shape;
use super::Emitter;
use super::number::Position;
use super::writer::Writer;

/// An array of arrays with at least so many zeros, which are at least half of its entries, is filled with zeros first when it is
/// written in place. Measured 20 to 25 % slower for 8 x 8 with three entries in a row, as fast for 14 x 14, and 10 to 30 % faster
/// for 20 x 20 and 24 x 24.
const MANY: usize = 150;

impl Emitter<'_> {
    /// The statements at the end of a function, and what it returns.
    pub(super) fn results(&self, parts: &[Part]) -> TokenStream {
        let (mut ids, mut statements, mut returned) = (self.list.outputs(), Vec::new(), Vec::new());
        for Part { name, shape, place, .. } in parts {
            match place {
                Place::Returned => returned.push(self.shaped(shape, &mut ids)),
                Place::Written => statements.push(self.written(name, shape, &mut ids)),
                Place::Read => {}
                Place::Assigned => {
                    let value = self.shaped(shape, &mut ids);
                    statements.push(quote!(*#name = #value;));
                }
            }
        }
        if parts[0].place == Place::Written {
            // Compilers pack what is stored first, and fit the rest to that: measured up to 12 % faster than value first.
            statements.rotate_left(1);
        }
        let returned = if returned.is_empty() { TokenStream::new() } else { together(&returned) };
        quote!(#(#statements)* #returned)
    }

    /// The first floats of `ids`, which are taken away there, in this shape.
    fn shaped(&self, shape: &Shape, ids: &mut &[ValueId]) -> TokenStream {
        match shape {
            Shape::Float(_) => self.alone(take(ids, 1)[0]).into_stream(),
            Shape::Reference(target) => self.shaped(target, ids),
            Shape::Vector(vector) => {
                let floats = take(ids, vector.layout.count()).iter().map(|id| self.alone(*id).into_stream());
                vector.value(&floats.collect::<Vec<_>>())
            }
            Shape::Array(element, length) if matches!(**element, Shape::Float(_)) => self.row(take(ids, *length)),
            Shape::Array(element, length) => {
                let elements = (0..*length).map(|_| self.shaped(element, ids));
                quote!([#(#elements),*])
            }
            Shape::Tuple(shapes) => {
                let elements = shapes.iter().map(|shape| self.shaped(shape, ids));
                quote!((#(#elements,)*))
            }
        }
    }

    fn row(&self, entries: &[ValueId]) -> TokenStream {
        let single = || self.separated(entries).within(Delimiter::Bracket).into_stream();
        self.packs.whole(entries).unwrap_or_else(single)
    }

    /// Assignments of the first floats of `ids`, which are taken away there, to what `place` refers to.
    fn written(&self, place: &Ident, shape: &Shape, ids: &mut &[ValueId]) -> TokenStream {
        let zeros = ids[..shape.count()].iter().filter(|id| self.is_zero(**id)).count();
        match shape {
            Shape::Array(row, rows) if zeros >= MANY && 2 * zeros >= shape.count() => match **row {
                Shape::Array(ref entry, columns) if matches!(**entry, Shape::Float(_)) => {
                    self.entries(place, columns, take(ids, rows * columns))
                }
                _ => self.stored(quote!(#place), true, shape, ids),
            },
            shape => self.stored(quote!(#place), true, shape, ids),
        }
    }

    /// Zeros, and then the entries that are not zero.
    fn entries(&self, place: &Ident, columns: usize, entries: &[ValueId]) -> TokenStream {
        let zero = self.number(Constant::Float(0.0), Position::Alone).into_stream();
        let [rows, width] = [entries.len() / columns, columns].map(Literal::usize_unsuffixed);
        let mut out = Writer::from(quote!(*#place = [[#zero; #width]; #rows];));
        for (index, &entry) in entries.iter().enumerate().filter(|(_, entry)| !self.is_zero(**entry)) {
            let [row, column] = [index / columns, index % columns].map(Literal::usize_unsuffixed);
            out.stream(quote!(#place[#row][#column] =)).append(self.alone(entry)).punct(";");
        }
        out.into_stream()
    }

    /// Assignments to a place, part by part; or to what it refers to.
    fn stored(&self, place: TokenStream, is_reference: bool, shape: &Shape, ids: &mut &[ValueId]) -> TokenStream {
        match shape {
            Shape::Array(element, length) if !matches!(**element, Shape::Float(_)) => {
                let mut parts = TokenStream::new();
                for index in 0..*length {
                    let index = Literal::usize_unsuffixed(index);
                    parts.extend(self.stored(quote!(#place[#index]), false, element, ids));
                }
                parts
            }
            Shape::Tuple(shapes) => {
                let mut parts = TokenStream::new();
                for (index, shape) in shapes.iter().enumerate() {
                    let index = Literal::usize_unsuffixed(index);
                    parts.extend(self.stored(quote!(#place.#index), false, shape, ids));
                }
                parts
            }
            shape => {
                let (value, deref) = (self.shaped(shape, ids), is_reference.then(|| quote!(*)));
                quote!(#deref #place = #value;)
            }
        }
    }

    fn is_zero(&self, id: ValueId) -> bool {
        matches!(self.list.as_constant(id), Some(Constant::Float(value)) if value.to_bits() == 0)
    }
}

/// The first of `ids`, which are taken away there.
fn take<'i>(ids: &mut &'i [ValueId], count: usize) -> &'i [ValueId] {
    let (taken, rest) = ids.split_at(count);
    *ids = rest;
    taken
}
