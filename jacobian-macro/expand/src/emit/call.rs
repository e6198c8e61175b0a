//! Emission of calls of functions that have derivatives of their own: the arguments, and the parts of the block that
//! are used. What defines these parts is written by `returned.rs` and `implicit.rs`.

use jacobian_core::block::{Body, call_parts};
use jacobian_core::code_list::ValueId;
use jacobian_lower::names::Names;
use jacobian_lower::read::shape::Shape;
use jacobian_lower::{Argument, Call, Returned, Source};
use proc_macro2::{Delimiter, Ident, Literal, TokenStream};
use quote::quote;

use super::super::form;
use super::writer::Writer;
use super::{Chunk, Emitter};

/// A call that is written, and what is used of it.
pub(super) struct Parts<'a> {
    /// How the user wrote it.
    pub call: &'a Call,
    /// What its variables are called.
    pub wish: String,
    /// Up to which order it gives derivatives.
    pub order: u8,
    /// The results, each with its number.
    pub values: &'a [(u32, ValueId)],
    partials: &'a [(u32, ValueId)],
    seconds: &'a [(u32, ValueId)],
    /// The numbers of the first partial and of the first second one.
    firsts: [usize; 2],
}

/// A derivative of a result.
pub(super) struct Partial<const ORDER: usize> {
    /// The value in the list.
    pub id: ValueId,
    /// The result.
    pub result: usize,
    /// By which columns.
    pub columns: [usize; ORDER],
}

impl Parts<'_> {
    /// The first partials that are used.
    pub fn partials(&self) -> impl Iterator<Item = Partial<1>> {
        let (columns, first) = (self.call.columns, self.firsts[0]);
        self.partials.iter().map(move |&(part, id)| {
            let entry = part as usize - first;
            Partial { id, result: entry / columns, columns: [entry % columns] }
        })
    }

    /// The second partials that are used.
    pub fn seconds(&self) -> impl Iterator<Item = Partial<2>> {
        let (columns, first) = (self.call.columns, self.firsts[1]);
        let triangle = columns * (columns + 1) / 2;
        self.seconds.iter().map(move |&(part, id)| {
            let entry = part as usize - first;
            Partial { id, result: entry / triangle, columns: place_in_triangle(entry % triangle) }
        })
    }
}

impl Emitter<'_> {
    /// Writes the call that the statement `id` makes: `let (y, dy): (f64, [f64; 2]) = g_jac(a, b);`; of a function that
    /// solves an equation, itself, and what its derivative is.
    pub(super) fn call(
        &mut self,
        out: &mut Chunk,
        id: ValueId,
        call: &Call,
        live: &[(u32, ValueId)],
        names: &mut Names,
    ) {
        let Body::Call { results, columns, order, .. } = self.list.block_of(id).body else { return };
        let firsts = [0, 1].map(|order| call_parts(results, columns, order));
        let [partials, seconds] = firsts.map(|first| live.partition_point(|&(part, _)| (part as usize) < first));
        let parts = Parts {
            call,
            wish: self.list.name(id).map_or_else(|| call.function.to_string(), str::to_string),
            order,
            values: &live[..partials],
            partials: &live[partials..seconds],
            seconds: &live[seconds..],
            firsts,
        };
        let mut floats = self.list.block_of(id).args.iter().map(|arg| &self.operands[arg.index()]);
        let mut outputs = Vec::new();
        let arguments = self.call_arguments(&call.arguments, &mut floats, (&mut outputs, names));
        match &call.source {
            Source::Implicit(residual) => self.solution(out, &parts, residual, arguments, names),
            Source::Returned { .. } | Source::List => self.returned(out, &parts, (arguments, outputs), names),
        }
    }

    /// Writes the results where they are used: they are in this variable.
    pub(super) fn results_of_call(&mut self, parts: &Parts<'_>, variable: Option<&Ident>) {
        for &(index, own) in parts.values {
            self.operands[own.index()] = element(variable, &parts.call.returned, index as usize).into();
        }
    }

    /// The variables that hold the values, the partials and the second partials, if there are any.
    pub(super) fn variables(&self, out: &mut Chunk, parts: &Parts<'_>, names: &mut Names) -> [Option<Ident>; 3] {
        let Parts { wish, values, partials, seconds, .. } = parts;
        [(values, wish.clone()), (partials, format!("d{wish}")), (seconds, format!("dd{wish}"))].map(|(of, wish)| {
            let last_use = of.iter().map(|(_, part)| self.last_uses[part.index()]).max()?;
            let name = names.like(&wish);
            out.declared.push((last_use, name.clone()));
            Some(name)
        })
    }

    /// Arguments; `floats` are those in them, `outputs` the variables that the function changes, each with what it holds
    /// before.
    fn call_arguments(
        &self,
        arguments: &[Argument],
        floats: &mut dyn Iterator<Item = &Writer>,
        (outputs, names): (&mut Vec<(Ident, Writer)>, &mut Names),
    ) -> Vec<Writer> {
        let mut written = Vec::with_capacity(arguments.len());
        for mut argument in arguments {
            let mut out = Writer::default();
            while let Argument::Reference(target) = argument {
                out.punct("&");
                argument = target;
            }
            match argument {
                Argument::Passive(tokens) => out.stream(tokens.clone()),
                Argument::Array(elements) => {
                    let elements = self.call_arguments(elements, floats, (outputs, names));
                    out.append(Writer::list(elements).within(Delimiter::Bracket))
                }
                Argument::Whole(shape, parts) => {
                    let parts = self.call_arguments(parts, floats, (outputs, names));
                    let parts: Vec<_> = parts.into_iter().map(Writer::into_stream).collect();
                    out.stream(match shape {
                        Shape::Vector(ty) => ty.value(&parts),
                        Shape::Struct(own) => own.value(&parts),
                        _ => quote!((#(#parts,)*)),
                    })
                }
                Argument::Output(before) => {
                    let before = self.call_arguments(std::slice::from_ref(before), floats, (outputs, names));
                    let output = names.fresh("output");
                    outputs.extend(before.into_iter().map(|before| (output.clone(), before)));
                    out.stream(quote!(&mut #output))
                }
                Argument::Unread(shape) => out.stream(self.no_numbers(shape)),
                Argument::Float | Argument::Reference(_) => {
                    out.all(floats.next().expect("an argument of the block for every float"))
                }
            };
            written.push(out);
        }
        written
    }
}

/// The variables of a call.
pub(super) fn together(variables: &[Option<Ident>]) -> TokenStream {
    let variables = variables.iter().map(|name| name.as_ref().map_or_else(|| quote!(_), |name| quote!(#name)));
    form::together(&variables.collect::<Vec<_>>())
}

/// The entry at these indices of the derivatives of a result, which are among those of each of them, or by themselves.
pub(super) fn entry(variable: Option<&Ident>, of: Option<usize>, indices: &[usize]) -> TokenStream {
    let indices = of.iter().chain(indices).copied().map(Literal::usize_unsuffixed);
    quote!(#variable #([#indices])*)
}

/// Row and column of an entry of a lower triangle, which is stored row by row.
fn place_in_triangle(entry: usize) -> [usize; 2] {
    let row = (0..).take_while(|row| row * (row + 1) / 2 <= entry).count() - 1;
    [row, entry - row * (row + 1) / 2]
}

/// The float number `index` of what is returned as `variable`.
fn element(variable: Option<&Ident>, returned: &Returned, index: usize) -> TokenStream {
    let literal = Literal::usize_unsuffixed(index);
    match returned {
        Returned::Float | Returned::Unknown => quote!(#variable),
        Returned::Array(Some(shape)) => nested(quote!(#variable), shape, index),
        Returned::Array(None) => quote!(#variable[#literal]),
    }
}

/// The float number `index` of an array, a tuple, a vector or a struct.
fn nested(whole: TokenStream, shape: &Shape, mut index: usize) -> TokenStream {
    match shape {
        Shape::Array(element, _) => {
            let count = element.count().max(1);
            let literal = Literal::usize_unsuffixed(index / count);
            nested(quote!(#whole[#literal]), element, index % count)
        }
        Shape::Tuple(elements) => {
            for (place, element) in elements.iter().enumerate() {
                if index < element.count() {
                    let place = Literal::usize_unsuffixed(place);
                    return nested(quote!(#whole.#place), element, index);
                }
                index -= element.count();
            }
            whole
        }
        Shape::Struct(own) => {
            for field in &own.fields {
                if index < field.shape.count() {
                    let member = &field.member;
                    return nested(quote!(#whole.#member), &field.shape, index);
                }
                index -= field.shape.count();
            }
            whole
        }
        Shape::Vector(ty) => {
            let access = ty.layout.access(index);
            quote!(#whole #access)
        }
        _ => whole,
    }
}
