//! Emission of derivatives by the implicit function theorem: where `g(x, y) = 0`, the Jacobian of `y` by `x` is
//! `-(dg/dy)^-1 dg/dx`. The system is solved where it is, by the elimination of Gauss and Jordan with the largest pivot
//! of each column; where there is none but zero, all entries are infinite or NaN, as the divisions give them.

use jacobian_lower::names::Names;
use jacobian_lower::read::scalar::Scalar;
use jacobian_lower::{Call, Returned};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::call::{Parts, entry, together};
use super::writer::Writer;
use super::{Chunk, Emitter};

/// The equation that a called function solves.
struct Equation<'a> {
    /// The call.
    call: &'a Call,
    /// The Jacobian of the residual.
    jacobian: &'a TokenStream,
    /// What the residual's Jacobian takes: the arguments, and the solution.
    arguments: TokenStream,
    /// The columns of the arguments that are wanted, in order.
    columns: &'a [usize],
}

impl Emitter<'_> {
    /// Writes the call as it is, and the derivatives that the system has as its solution.
    pub(super) fn solution(
        &mut self,
        out: &mut Chunk,
        parts: &Parts<'_>,
        residual: &TokenStream,
        arguments: Vec<Writer>,
        names: &mut Names,
    ) {
        let call = parts.call;
        let [value, jacobian, _] = self.variables(out, parts, names);
        let value = value.or_else(|| jacobian.is_some().then(|| names.like(&parts.wish)));
        self.results_of_call(parts, value.as_ref());
        let mut solved: Vec<_> = parts.partials().map(|partial| partial.columns[0]).collect();
        solved.sort_unstable();
        solved.dedup();
        for partial in parts.partials() {
            let place = call.returned.rows() + solved.partition_point(|known| *known < partial.columns[0]);
            self.operands[partial.id.index()] = entry(jacobian.as_ref(), Some(partial.result), &[place]).into();
        }
        let (variable, ty) = (together(std::slice::from_ref(&value)), self.types(call, 0));
        let (function, arguments) = (&call.function, arguments.into_iter().map(Writer::into_stream));
        let taken_out = &call.taken_out;
        let arguments = quote!(#(#arguments,)*);
        out.statements
            .stream(quote_spanned!(Span::mixed_site()=> let #variable #ty = #function(#arguments) #taken_out;));
        if let Some(jacobian) = jacobian {
            let equation =
                Equation { call, jacobian: residual, arguments: quote!(#arguments #value), columns: &solved };
            out.statements.stream(equation.differentiated(&jacobian, self.written.scalar, names));
        }
    }
}

impl Equation<'_> {
    /// The statement that defines `derivative`. In its rows are, after what is left of the system, the wanted columns.
    fn differentiated(&self, derivative: &Ident, scalar: &Scalar, names: &mut Names) -> TokenStream {
        let (float, jacobian, arguments) = (scalar.ty(), self.jacobian, &self.arguments);
        let (rows, given) = (self.call.returned.rows(), self.call.columns);
        let [partials, system, column, pivot, row, at] =
            ["partials", "system", "column", "pivot", "row", "at"].map(|name| names.fresh(name));
        let [found, largest, factor] = ["found", "largest", "factor"].map(|name| names.fresh(name));
        let number = Literal::usize_unsuffixed;
        let (count, width) = (number(rows), number(given + rows));
        // It is of another type where the residual is not of the solution's size: an error at its name.
        let place = jacobian.span().resolved_at(Span::mixed_site());
        let is_array = matches!(self.call.returned, Returned::Array(_));
        let ty = match is_array {
            true => quote_spanned!(place=> (_, [[#float; #width]; #count])),
            false => quote_spanned!(place=> (#float, [#float; #width])),
        };
        let columns: Vec<_> = (given..given + rows).chain(self.columns.iter().copied()).map(number).collect();
        let line = |row: Literal| match is_array {
            true => quote_spanned!(Span::mixed_site()=> [#(#partials[#row][#columns]),*]),
            false => quote_spanned!(Span::mixed_site()=> [#(#partials[#columns]),*]),
        };
        let (lines, all) = ((0..rows).map(number).map(line), number(columns.len()));
        quote_spanned! {Span::mixed_site()=>
            let #derivative: [[#float; #all]; #count] = {
                let (_, #partials): #ty = #jacobian(#arguments);
                let mut #system = [#(#lines),*];
                let mut #column = 0;
                while #column < #count {
                    let (mut #pivot, mut #row) = (#column, #column + 1);
                    while #row < #count {
                        let (#found, #largest) = (#system[#row][#column], #system[#pivot][#column]);
                        if #found > #largest && #found > -#largest || #found < #largest && #found < -#largest {
                            #pivot = #row;
                        }
                        #row += 1;
                    }
                    #system.swap(#column, #pivot);
                    #row = 0;
                    while #row < #count {
                        if #row != #column {
                            let #factor = #system[#row][#column] / #system[#column][#column];
                            let mut #at = #column + 1;
                            while #at < #all {
                                let #found = #system[#row][#at];
                                #system[#row][#at] = #found - #factor * #system[#column][#at];
                                #at += 1;
                            }
                        }
                        #row += 1;
                    }
                    #column += 1;
                }
                #column = 0;
                while #column < #count {
                    let mut #at = #count;
                    while #at < #all {
                        #system[#column][#at] = -#system[#column][#at] / #system[#column][#column];
                        #at += 1;
                    }
                    #column += 1;
                }
                #system
            };
        }
    }
}
