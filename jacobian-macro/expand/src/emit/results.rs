//! Emission of what the function hands over: what it assigns, writes in place and returns, part by part of its form.

use std::collections::{HashMap, HashSet};

use jacobian_core::code_list::{Constant, ValueId};
use jacobian_core::derivative::Derivative;
use jacobian_lower::read::shape::Shape;
use proc_macro2::{Delimiter, Ident, Literal, TokenStream};
use quote::quote;

use super::super::form::{Generated, Order, Part, Place, together};
use super::number::Position;
use super::writer::Writer;
use super::{Emitter, Statements};

/// An array of arrays with at least this many zeros, which are at least half of its entries, is filled with zeros first
/// when it is written in place. Measured 20 to 25 % slower for 8 x 8 with three entries in a row, as fast for 14 x 14,
/// and 10 to 30 % faster for 20 x 20 and 24 x 24.
const MANY: usize = 150;

/// A float of a part; none is a structural zero.
type Cell = Option<ValueId>;

/// What is done with the results of a function.
#[derive(Default)]
pub(super) struct Results {
    /// What is filled with zeros before the statements.
    pub(super) filled: TokenStream,
    /// By value: where it is stored once it is there, so that it need not be kept. What does not fit into the registers
    /// would be stored twice.
    pub(super) stored: HashMap<ValueId, TokenStream>,
    /// What is stored, assigned and returned after the statements.
    pub(super) last: TokenStream,
}

impl Results {
    /// All tokens.
    pub(super) fn all(&self) -> impl Iterator<Item = &TokenStream> {
        [&self.filled, &self.last].into_iter().chain(self.stored.values())
    }
}

impl Emitter<'_> {
    /// What a function stores, assigns and returns.
    pub(super) fn results(&self, generated: &Generated, derivative: &Derivative, all: &Statements) -> Results {
        let parts = &generated.parts;
        let ready: HashSet<_> = all.ready.iter().map(|(_, id)| *id).collect();
        let mut results = Results::default();
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
                Place::Written if !ready.is_empty() && is_array(shape) => {
                    statements.push(self.early(name, shape, cells, &ready, &mut results));
                }
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
        results.last = quote!(#(#statements)* #returned);
        results
    }

    /// Stores each float once it is there; returns what is left to be stored at the end.
    fn early(
        &self,
        place: &Ident,
        shape: &Shape,
        cells: &[Cell],
        ready: &HashSet<ValueId>,
        results: &mut Results,
    ) -> TokenStream {
        let is_filled = self.is_filled(shape, cells);
        if is_filled {
            results.filled.extend(self.zeros(place, shape));
        }
        let mut last = TokenStream::new();
        for (cell, place) in cells.iter().zip(places(quote!(#place), shape)) {
            let value = self.cell(*cell).into_stream();
            match cell {
                Some(id) if ready.contains(id) => {
                    results.stored.entry(*id).or_default().extend(quote!(#place = #value;));
                }
                cell if is_filled && self.is_zero(*cell) => {}
                _ => last.extend(quote!(#place = #value;)),
            }
        }
        last
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
            Shape::Passive(_) | Shape::Opaque(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => {
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
        if !self.is_filled(shape, &cells[..shape.count()]) {
            return self.stored(quote!(#place), true, shape, cells);
        }
        let mut out = self.zeros(place, shape);
        for (cell, place) in take(cells, shape.count()).iter().zip(places(quote!(#place), shape)) {
            if !self.is_zero(*cell) {
                let value = self.cell(*cell).into_stream();
                out.extend(quote!(#place = #value;));
            }
        }
        out
    }

    /// Whether an array of arrays is filled with zeros first.
    fn is_filled(&self, shape: &Shape, cells: &[Cell]) -> bool {
        let zeros = cells.iter().filter(|cell| self.is_zero(**cell)).count();
        let is_matrix = matches!(shape, Shape::Array(row, _) if matches!(**row, Shape::Array(..)) && is_array(row));
        is_matrix && zeros >= MANY && 2 * zeros >= shape.count()
    }

    /// Fills an array with zeros.
    fn zeros(&self, place: &Ident, shape: &Shape) -> TokenStream {
        let mut zeros = self.cell(None).into_stream();
        let mut lengths = Vec::new();
        let mut inner = shape;
        while let Shape::Array(element, length) = inner {
            lengths.push(Literal::usize_unsuffixed(*length));
            inner = element;
        }
        for length in lengths.iter().rev() {
            zeros = quote!([#zeros; #length]);
        }
        quote!(*#place = #zeros;)
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

/// Whether it is an array of floats, or of such arrays.
fn is_array(shape: &Shape) -> bool {
    matches!(shape, Shape::Array(element, _) if matches!(**element, Shape::Float(_)) || is_array(element))
}

/// The floats of an array, in order.
fn places(place: TokenStream, shape: &Shape) -> Vec<TokenStream> {
    match shape {
        Shape::Array(element, length) => {
            let index = |at| Literal::usize_unsuffixed(at);
            (0..*length).map(index).flat_map(|at| places(quote!(#place[#at]), element)).collect()
        }
        _ => vec![place],
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
