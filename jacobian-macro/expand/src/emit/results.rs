//! Emission of what the function hands over: what it assigns, writes in place and returns, part by part of its form.

use jacobian_core::code_list::{Constant, ValueId};
use jacobian_core::derivative::Derivative;
use jacobian_lower::read::shape::Shape;
use proc_macro2::{Delimiter, Ident, Literal, TokenStream};
use quote::quote;

use super::super::form::{Generated, Order, Part, Place, together};
use super::Emitter;
use super::number::Position;
use super::writer::Writer;

/// An array of arrays with at least this many zeros, which are at least half of its entries, is filled with zeros first
/// when it is written in place. Measured 20 to 25 % slower for 8 x 8 with three entries in a row, as fast for 14 x 14,
/// and 10 to 30 % faster for 20 x 20 and 24 x 24.
const MANY: usize = 150;

/// A float of a part; none is a structural zero.
type Cell = Option<ValueId>;

impl Emitter<'_> {
    /// The statements at the end of a function, and what it returns.
    pub(super) fn results(&self, generated: &Generated, derivative: &Derivative) -> TokenStream {
        let parts = &generated.parts;
        let (mut statements, mut returned) = (Vec::new(), Vec::new());
        let (mut values, mut matrices) = (derivative.values(), 0..);
        for Part { name, shape, order, place, .. } in parts {
            let cells = match order {
                None => take(&mut values, shape.count()).iter().copied().map(Some).collect(),
                Some(order) => cells(*order, matrices.next().unwrap_or_default(), derivative),
            };
            let mut cells: &[Cell] = &cells;
            match place {
                Place::Returned => returned.push(self.shaped(shape, &mut cells)),
                Place::Written => statements.push(self.written(name, shape, &mut cells)),
                Place::Read => {}
                Place::Assigned => {
                    let value = self.shaped(shape, &mut cells);
                    statements.push(quote!(*#name = #value;));
                }
            }
        }
        if parts[0].place == Place::Written {
            // Compilers pack what is stored first, and fit the rest to that: measured up to 12 % faster than value
            // first.
            statements.rotate_left(1);
        }
        let returned = match &generated.fallible {
            Some(fallible) => fallible.given(&together(&returned)),
            None if returned.is_empty() => TokenStream::new(),
            None => together(&returned),
        };
        quote!(#(#statements)* #returned)
    }

    /// The first floats of `cells`, which are taken away there, in this shape.
    fn shaped(&self, shape: &Shape, cells: &mut &[Cell]) -> TokenStream {
        match shape {
            Shape::Float(_) => self.cell(take(cells, 1)[0]).into_stream(),
            Shape::Reference(target) => self.shaped(target, cells),
            Shape::Vector(vector) => {
                let floats = take(cells, vector.layout.count()).iter().map(|cell| self.cell(*cell).into_stream());
                vector.value(&floats.collect::<Vec<_>>())
            }
            Shape::Array(element, length) if matches!(**element, Shape::Float(_)) => self.row(take(cells, *length)),
            Shape::Array(element, length) => {
                let elements = (0..*length).map(|_| self.shaped(element, cells));
                quote!([#(#elements),*])
            }
            Shape::Tuple(shapes) => {
                let elements = shapes.iter().map(|shape| self.shaped(shape, cells));
                quote!((#(#elements,)*))
            }
            Shape::Struct(own) => {
                let mut fields = Vec::with_capacity(own.fields.len());
                for field in &own.fields {
                    fields.push(self.shaped(&field.shape, cells));
                }
                own.value(&fields)
            }
            Shape::Passive(_) | Shape::Opaque(_) | Shape::Items(_) => {
                unreachable!("the signature admits nothing else than floats in results")
            }
        }
    }

    fn row(&self, cells: &[Cell]) -> TokenStream {
        let single =
            || Writer::list(cells.iter().map(|cell| self.cell(*cell))).within(Delimiter::Bracket).into_stream();
        let ids: Option<Vec<_>> = cells.iter().copied().collect();
        ids.and_then(|ids| self.packs.whole(&ids)).unwrap_or_else(single)
    }

    fn cell(&self, cell: Cell) -> Writer {
        cell.map_or_else(|| self.number(Constant::Float(0.0), Position::Alone), |id| self.alone(id))
    }

    /// Assignments of the first floats of `cells`, which are taken away there, to what `place` refers to.
    fn written(&self, place: &Ident, shape: &Shape, cells: &mut &[Cell]) -> TokenStream {
        let zeros = cells[..shape.count()].iter().filter(|cell| self.is_zero(**cell)).count();
        match shape {
            Shape::Array(row, rows) if zeros >= MANY && 2 * zeros >= shape.count() => match **row {
                Shape::Array(ref entry, columns) if matches!(**entry, Shape::Float(_)) => {
                    self.entries(place, columns, take(cells, rows * columns))
                }
                _ => self.stored(quote!(#place), true, shape, cells),
            },
            shape => self.stored(quote!(#place), true, shape, cells),
        }
    }

    /// Zeros, and then the entries that are not zero.
    fn entries(&self, place: &Ident, columns: usize, cells: &[Cell]) -> TokenStream {
        let zero = self.cell(None).into_stream();
        let [rows, width] = [cells.len() / columns, columns].map(Literal::usize_unsuffixed);
        let mut out = Writer::from(quote!(*#place = [[#zero; #width]; #rows];));
        for (index, &cell) in cells.iter().enumerate().filter(|(_, cell)| !self.is_zero(**cell)) {
            let [row, column] = [index / columns, index % columns].map(Literal::usize_unsuffixed);
            out.stream(quote!(#place[#row][#column] =)).append(self.cell(cell)).punct(";");
        }
        out.into_stream()
    }

    /// Assignments to a place, part by part; or to what it refers to.
    fn stored(&self, place: TokenStream, is_reference: bool, shape: &Shape, cells: &mut &[Cell]) -> TokenStream {
        match shape {
            Shape::Array(element, length) if !matches!(**element, Shape::Float(_)) => {
                let mut parts = TokenStream::new();
                for index in 0..*length {
                    let index = Literal::usize_unsuffixed(index);
                    parts.extend(self.stored(quote!(#place[#index]), false, element, cells));
                }
                parts
            }
            Shape::Tuple(shapes) => {
                let mut parts = TokenStream::new();
                for (index, shape) in shapes.iter().enumerate() {
                    let index = Literal::usize_unsuffixed(index);
                    parts.extend(self.stored(quote!(#place.#index), false, shape, cells));
                }
                parts
            }
            shape => {
                let (value, deref) = (self.shaped(shape, cells), is_reference.then(|| quote!(*)));
                quote!(#deref #place = #value;)
            }
        }
    }

    fn is_zero(&self, cell: Cell) -> bool {
        let number = cell.map(|id| self.list.as_constant(id));
        number.is_none_or(|number| matches!(number, Some(Constant::Float(value)) if value.to_bits() == 0))
    }
}

/// The floats of a matrix in this order.
fn cells(order: Order, matrix: usize, derivative: &Derivative) -> Vec<Cell> {
    let (pattern, entries) = (&derivative.matrices[matrix], derivative.entries(matrix));
    let (rows, columns) = (pattern.rows, pattern.columns);
    let cell = |row, column| pattern.place(row, column).map(|place| entries[place]);
    match order {
        Order::Rows => (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (row, column)))
            .map(|(row, column)| cell(row, column))
            .collect(),
        Order::Columns => (0..columns)
            .flat_map(|column| (0..rows).map(move |row| (row, column)))
            .map(|(row, column)| cell(row, column))
            .collect(),
        Order::CompressedRows => pattern.by_rows().places.into_iter().map(|place| Some(entries[place])).collect(),
        Order::CompressedColumns => pattern.by_columns().places.into_iter().map(|place| Some(entries[place])).collect(),
    }
}

/// The first of `items`, which are taken away there.
fn take<'i, T>(items: &mut &'i [T], count: usize) -> &'i [T] {
    let (taken, rest) = items.split_at(count);
    *items = rest;
    taken
}
