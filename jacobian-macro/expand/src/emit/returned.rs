//! Emission of calls of functions that return their derivatives, or whose partials are in the list: one statement,
//! `let (y, dy): (f64, [f64; 2]) = g_jac(a, b);`.

use jacobian_core::code_list::Constant;
use jacobian_lower::names::Names;
use jacobian_lower::read::layout::Layout;
use jacobian_lower::read::shape::Shape;
use jacobian_lower::{Argument, Call, Returned};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::super::form;
use super::call::{Parts, entry, together};
use super::number::{self, Position};
use super::writer::Writer;
use super::{Chunk, Emitter};

impl Emitter<'_> {
    /// Writes the call of what gives the derivatives up to the order that is used.
    /// What the function changes is in variables of these names, beside what it returns.
    pub(super) fn returned(
        &mut self,
        out: &mut Chunk,
        parts: &Parts<'_>,
        (arguments, outputs): (Vec<Writer>, Vec<(Ident, Writer)>),
        names: &mut Names,
    ) {
        let Parts { call, order, .. } = *parts;
        let variables = self.variables(out, parts, names);
        let [value, jacobian, hessians] = &variables;
        self.results_of_call(parts, value.as_ref());
        let is_of_each = match order {
            0 | 1 => !call.is_gradient(),
            _ => weighted(&call.returned).is_some(),
        };
        for partial in parts.partials() {
            let ([column], row) = (partial.columns, is_of_each.then_some(partial.result));
            let place = match (call.sparse(order), call.layout(order)) {
                (Some(sparse), _) => entry(jacobian.as_ref(), None, &[sparse.places[&(partial.result, column)]]),
                (None, Layout::Matrix) => {
                    let indices = [partial.result, column].map(Literal::usize_unsuffixed);
                    quote!(#jacobian [(#(#indices),*)])
                }
                (None, Layout::Columns) if is_of_each => entry(jacobian.as_ref(), Some(column), &[partial.result]),
                (None, _) => entry(jacobian.as_ref(), row, &[column]),
            };
            self.operands[partial.id.index()] = place.into();
        }
        for second in parts.seconds() {
            let place = entry(hessians.as_ref(), is_of_each.then_some(second.result), &second.columns);
            self.operands[second.id.index()] = place.into();
        }
        let types = self.types(call, order);
        let called = match weighted(&call.returned).filter(|_| order > 1) {
            None => self.with_outputs(call, order, called(call, order, arguments), &outputs),
            Some(results) => self.weighted_calls(call, results, (arguments, &outputs), names),
        };
        let variables = together(&variables[..=usize::from(order)]);
        out.statements.stream(quote_spanned!(Span::mixed_site()=> let #variables #types = #called;));
    }

    /// A call with the variables that it changes, so that it gives these beside what it returns.
    fn with_outputs(&self, call: &Call, order: u8, called: TokenStream, outputs: &[(Ident, Writer)]) -> TokenStream {
        if outputs.is_empty() {
            return called;
        }
        let mut declared = TokenStream::new();
        for ((output, before), shape) in outputs.iter().zip(&call.outputs) {
            let (ty, before) = (shape.ty(), before.clone().into_stream());
            declared.extend(quote_spanned!(Span::mixed_site()=> let mut #output: #ty = #before;));
        }
        let parts = ["value", "jacobian", "hessian"].map(|name| Ident::new(name, Span::mixed_site()));
        let (value, derivatives) = (call.has_value.then_some(&parts[0]), &parts[1..=usize::from(order)]);
        let changed = outputs.iter().map(|(output, _)| output);
        let values = value.into_iter().chain(changed);
        let values = quote!((#(#values,)*));
        let returned: Vec<_> = value.into_iter().chain(derivatives).map(|part| quote!(#part)).collect();
        let given =
            form::together(&[&[values], &derivatives.iter().map(|it| quote!(#it)).collect::<Vec<_>>()[..]].concat());
        match &returned[..] {
            [] => quote!({ #declared #called; #given }),
            returned => {
                let returned = form::together(returned);
                quote_spanned!(Span::mixed_site()=> { #declared let #returned = #called; #given })
            }
        }
    }

    /// A value of this shape without a number in it.
    pub(super) fn no_numbers(&self, shape: &Shape) -> TokenStream {
        match shape {
            Shape::Array(element, length) => {
                let (element, length) = (self.no_numbers(element), Literal::usize_unsuffixed(*length));
                quote!([#element; #length])
            }
            _ => number::constant(self.written.scalar, Constant::Float(f64::NAN), Position::Alone).into_stream(),
        }
    }

    /// A call of the Hessian for each of several results, whose weight is 1. The arguments are evaluated once, and what
    /// is changed is before each call what it is before the first.
    fn weighted_calls(
        &self,
        call: &Call,
        results: usize,
        (arguments, outputs): (Vec<Writer>, &[(Ident, Writer)]),
        names: &Names,
    ) -> TokenStream {
        let mut names = names.clone();
        let (mut statements, mut bound) = (TokenStream::new(), TokenStream::new());
        for (written, argument) in call.arguments.iter().zip(arguments) {
            let argument = argument.into_stream();
            if let Argument::Output(_) = written {
                bound.extend(quote!(#argument,));
                continue;
            }
            let name = names.fresh("argument");
            statements.extend(quote_spanned!(Span::mixed_site()=> let #name = #argument;));
            bound.extend(quote!(#name,));
        }
        let value = names.fresh("value");
        let (mut rows, mut hessians) = (Vec::new(), Vec::new());
        for result in 0..results {
            let weight = |other: usize| Constant::Float(if other == result { 1.0 } else { 0.0 });
            let weights =
                (0..results).map(|other| number::constant(self.written.scalar, weight(other), Position::Alone));
            let (weights, function) = (Writer::list(weights).into_stream(), call.of_order(2));
            rows.push(names.fresh("row"));
            hessians.push(names.fresh("hessian"));
            let value = if result == 0 { quote!(#value) } else { quote!(_) };
            let (row, hessian) = (&rows[result], &hessians[result]);
            let taken_out = &call.taken_out;
            let called = self.with_outputs(call, 2, quote!(#function(#bound &[#weights]) #taken_out), outputs);
            statements.extend(quote_spanned!(Span::mixed_site()=> let (#value, #row, #hessian) = #called;));
        }
        quote!({ #statements (#value, [#(#rows),*], [#(#hessians),*]) })
    }

    /// The type of what is called, as far as it is known, after a colon: it holds the columns in place.
    pub(super) fn types(&self, call: &Call, order: u8) -> TokenStream {
        let float = self.written.scalar.ty();
        let columns = Literal::usize_unsuffixed(call.columns);
        let (row, matrix) = (quote!([#float; #columns]), quote!([[#float; #columns]; #columns]));
        if let Some(sparse) = call.sparse(order) {
            let entries = Literal::usize_unsuffixed(sparse.places.len());
            return quote!(: (_, [#float; #entries]));
        }
        let rows = match &call.returned {
            Returned::Array(None) => None,
            Returned::Array(Some(shape)) => Some(shape.count()),
            Returned::Float | Returned::Unknown => Some(1),
        };
        let rows = rows.map_or_else(|| quote!(_), |rows| Literal::usize_unsuffixed(rows).into_token_stream());
        match call.layout(order) {
            Layout::Matrix => {
                let path = self.written.signature.vector_prefix();
                return quote!(: (_, #path SMatrix<#float, #rows, #columns>));
            }
            Layout::Columns if !call.is_gradient() => return quote!(: (_, [[#float; #rows]; #columns])),
            _ => {}
        }
        let (value, jacobian) = match &call.returned {
            Returned::Unknown => return TokenStream::new(),
            Returned::Float => (float, row.clone()),
            Returned::Array(_) if call.is_gradient() => (quote!(_), row.clone()),
            Returned::Array(_) => (quote!(_), quote!([#row; #rows])),
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

/// The number of results, where the Hessian takes weights for them.
fn weighted(returned: &Returned) -> Option<usize> {
    match returned {
        Returned::Array(Some(shape)) => Some(shape.count()).filter(|&count| count > 1),
        Returned::Array(None) | Returned::Float | Returned::Unknown => None,
    }
}

/// The call of the function that gives derivatives up to this order.
fn called(call: &Call, order: u8, arguments: Vec<Writer>) -> TokenStream {
    let (function, mut arguments) = (call.of_order(order), arguments.into_iter());
    let receiver = if call.is_method { arguments.next() } else { None };
    let receiver = receiver.map(Writer::into_stream).map(|it| quote_spanned!(Span::mixed_site()=> #it.));
    let arguments = Writer::list(arguments).into_stream();
    let taken_out = &call.taken_out;
    quote_spanned!(Span::mixed_site()=> #receiver #function(#arguments) #taken_out)
}
