//! Emission of calls of functions that have a Jacobian of their own.

use jacobian_core::block::{Body, call_parts};
use jacobian_core::code_list::{Constant, ValueId};
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::form;
use super::super::lower::{Argument, Call, Returned};
use super::super::names::Names;
use super::super::read::shape::Shape;
use super::implicit::Equation;
use super::number::{self, Position};
use super::writer::Writer;
use super::{Chunk, Emitter};

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
        let Body::Call { results, columns, order } = self.list.block_of(id).body else { return };
        let wish = self.list.name(id).map_or_else(|| call.function.to_string(), str::to_string);
        let firsts = [0, 1].map(|order| call_parts(results, columns, order));
        let [seconds, partials] =
            [firsts[1], firsts[0]].map(|first| live.partition_point(|&(part, _)| (part as usize) < first));
        let value = match self.variable(out, &live[..partials], &wish, names) {
            None if call.is_implicit && partials < live.len() => Some(names.like(&wish)),
            value => value,
        };
        let jacobian = self.variable(out, &live[partials..seconds], &format!("d{wish}"), names);
        let hessians = self.variable(out, &live[seconds..], &format!("dd{wish}"), names);
        let column = |part: u32| (part as usize - firsts[0]) % columns;
        // The columns that the system of an equation is solved for.
        let mut solved: Vec<_> = live[partials..seconds].iter().map(|&(part, _)| column(part)).collect();
        solved.sort_unstable();
        solved.dedup();
        let is_of_each = match order {
            0 | 1 => matches!(call.returned, Returned::Array(_)),
            _ => weighted(&call.returned).is_some(),
        };
        for &(index, own) in live {
            let part = index as usize;
            let operand = if part < firsts[0] {
                element(value.as_ref(), &call.returned, part)
            } else if part < firsts[1] && call.is_implicit {
                let place = call.returned.rows() + solved.partition_point(|known| *known < column(index));
                partial(jacobian.as_ref(), true, (part - firsts[0]) / columns, &[place])
            } else if part < firsts[1] {
                let entry = part - firsts[0];
                partial(jacobian.as_ref(), is_of_each, entry / columns, &[entry % columns])
            } else {
                let triangle = columns * (columns + 1) / 2;
                let entry = part - firsts[1];
                partial(hessians.as_ref(), is_of_each, entry / triangle, &place_in_triangle(entry % triangle))
            };
            self.operands[own.index()] = operand.into();
        }
        let mut floats = self.list.block_of(id).args.iter().map(|arg| &self.operands[arg.index()]);
        let arguments = call_arguments(&call.arguments, &mut floats);
        if call.is_implicit {
            let (variable, ty) = (together(std::slice::from_ref(&value)), self.types(call, 0));
            let (function, arguments) = (&call.function, arguments.into_iter().map(Writer::into_stream));
            let arguments = quote!(#(#arguments,)*);
            out.statements.stream(quote_spanned!(Span::mixed_site()=> let #variable #ty = #function(#arguments);));
            if let Some(jacobian) = jacobian {
                let equation = Equation { call, arguments: quote!(#arguments #value), columns: &solved };
                out.statements.stream(equation.differentiated(&jacobian, self.written.scalar, names));
            }
            return;
        }
        let variables = [value, jacobian, hessians];
        let (variables, types) = (together(&variables[..=usize::from(order)]), self.types(call, order));
        let calls = match weighted(&call.returned).filter(|_| order > 1) {
            None => {
                let (function, arguments) = (call.of_order(order), Writer::list(arguments).into_stream());
                quote_spanned!(Span::mixed_site()=> #function(#arguments))
            }
            Some(results) => self.weighted_calls(call, results, arguments, names),
        };
        out.statements.stream(quote_spanned!(Span::mixed_site()=> let #variables #types = #calls;));
    }

    /// A call of the Hessian for each of several results, whose weight is 1. The arguments are evaluated once.
    fn weighted_calls(&self, call: &Call, results: usize, arguments: Vec<Writer>, names: &Names) -> TokenStream {
        let mut names = names.clone();
        let (mut statements, mut bound) = (TokenStream::new(), TokenStream::new());
        for argument in arguments {
            let (name, argument) = (names.fresh("argument"), argument.into_stream());
            statements.extend(quote_spanned!(Span::mixed_site()=> let #name = #argument;));
            bound.extend(quote!(#name,));
        }
        let value = names.fresh("value");
        let (mut rows, mut hessians) = (Vec::new(), Vec::new());
        for result in 0..results {
            let weight = |other: usize| Constant::Float(if other == result { 1.0 } else { 0.0 });
            let weights =
                (0..results).map(|other| number::constant(self.written.scalar, weight(other), Position::Alone));
            let (weights, function) = (Writer::list(weights).into_stream(), &call.hessian);
            rows.push(names.fresh("row"));
            hessians.push(names.fresh("hessian"));
            let value = if result == 0 { quote!(#value) } else { quote!(_) };
            let (row, hessian) = (&rows[result], &hessians[result]);
            statements.extend(quote_spanned!(Span::mixed_site()=>
                let (#value, #row, #hessian) = #function(#bound &[#weights]);
            ));
        }
        quote!({ #statements (#value, [#(#rows),*], [#(#hessians),*]) })
    }

    /// The variable that holds these parts, if there are any.
    fn variable(&self, out: &mut Chunk, parts: &[(u32, ValueId)], wish: &str, names: &mut Names) -> Option<Ident> {
        let last_use = parts.iter().map(|(_, part)| self.last_uses[part.index()]).max()?;
        let name = names.like(wish);
        out.declared.push((last_use, name.clone()));
        Some(name)
    }

    /// The type of what is called, as far as it is known, after a colon: it holds the columns in place.
    fn types(&self, call: &Call, order: u8) -> TokenStream {
        let float = self.written.scalar.ty();
        let columns = Literal::usize_unsuffixed(call.columns);
        let (row, matrix) = (quote!([#float; #columns]), quote!([[#float; #columns]; #columns]));
        let (value, jacobian) = match &call.returned {
            Returned::Unknown => return TokenStream::new(),
            Returned::Float => (float, row.clone()),
            Returned::Array(None) => (quote!(_), quote!([#row; _])),
            Returned::Array(Some(shape)) => {
                let rows = Literal::usize_unsuffixed(shape.count());
                (quote!(_), quote!([#row; #rows]))
            }
        };
        match (order, weighted(&call.returned)) {
            (0, _) => quote!(: #value),
            (1, _) => quote!(: (#value, #jacobian)),
            (_, None) => quote!(: (#value, #row, #matrix)),
            (_, Some(results)) => {
                let results = Literal::usize_unsuffixed(results);
                quote!(: (#value, #jacobian, [#matrix; #results]))
            }
        }
    }
}

impl Returned {
    /// The number of floats, of an array whose shape is known.
    pub(super) fn rows(&self) -> usize {
        match self {
            Returned::Array(Some(shape)) => shape.count(),
            _ => 1,
        }
    }
}

/// The number of results, where the Hessian takes weights for them.
fn weighted(returned: &Returned) -> Option<usize> {
    match returned {
        Returned::Array(Some(shape)) => Some(shape.count()).filter(|&count| count > 1),
        Returned::Array(None) | Returned::Float | Returned::Unknown => None,
    }
}

/// The variables of a call.
fn together(variables: &[Option<Ident>]) -> TokenStream {
    let variables = variables.iter().map(|name| name.as_ref().map_or_else(|| quote!(_), |name| quote!(#name)));
    form::together(&variables.collect::<Vec<_>>())
}

/// The entry at these indices of the derivatives of a result, which are among those of each of them, or by themselves.
fn partial(variable: Option<&Ident>, is_of_each: bool, result: usize, indices: &[usize]) -> TokenStream {
    let indices = is_of_each.then_some(&result).into_iter().chain(indices).copied().map(Literal::usize_unsuffixed);
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
        Returned::Array(Some(shape @ Shape::Array(..))) => nested(quote!(#variable), shape, index),
        Returned::Array(_) => quote!(#variable[#literal]),
    }
}

/// The float number `index` of an array.
fn nested(array: TokenStream, shape: &Shape, index: usize) -> TokenStream {
    let Shape::Array(element, _) = shape else { return array };
    let count = element.count().max(1);
    let literal = Literal::usize_unsuffixed(index / count);
    nested(quote!(#array[#literal]), element, index % count)
}

/// Arguments; `floats` are those in them.
fn call_arguments(arguments: &[Argument], floats: &mut dyn Iterator<Item = &Writer>) -> Vec<Writer> {
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
                out.append(Writer::list(call_arguments(elements, floats)).within(Delimiter::Bracket))
            }
            Argument::Float | Argument::Reference(_) => {
                out.all(floats.next().expect("an argument of the block for every float"))
            }
        };
        written.push(out);
    }
    written
}
