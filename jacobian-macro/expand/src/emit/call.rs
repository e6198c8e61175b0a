//! Emission of calls of functions that have a Jacobian of their own.

use jacobian_core::block::Body;
use jacobian_core::code_list::ValueId;
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::lower::{Argument, Call, Returned};
use super::super::names::Names;
use super::super::read::shape::Shape;
use super::implicit::Equation;
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
        let Body::Call { results, with_jacobian, .. } = self.list.block_of(id).body else { return };
        let wish = self.list.name(id).map_or_else(|| call.function.to_string(), str::to_string);
        let (values, partials) = live.split_at(live.partition_point(|&(part, _)| (part as usize) < results));
        let value = match self.variable(out, values, &wish, names) {
            None if call.is_implicit && !partials.is_empty() => Some(names.like(&wish)),
            value => value,
        };
        let jacobian = self.variable(out, partials, &format!("d{wish}"), names);
        let column = |part: u32| (part as usize - results) % call.columns;
        let mut columns: Vec<_> = partials.iter().map(|&(part, _)| column(part)).collect();
        columns.sort_unstable();
        columns.dedup();
        for &(part, own) in live {
            let operand = match (part as usize).checked_sub(results) {
                None => element(value.as_ref(), &call.returned, part as usize),
                Some(entry) if call.is_implicit => {
                    let place = call.returned.rows() + columns.partition_point(|known| *known < column(part));
                    let [row, column] = [entry / call.columns, place].map(Literal::usize_unsuffixed);
                    quote!(#jacobian[#row][#column])
                }
                Some(entry) => {
                    let row = element(jacobian.as_ref(), &call.returned.row(), entry / call.columns);
                    let column = Literal::usize_unsuffixed(entry % call.columns);
                    quote!(#row[#column])
                }
            };
            self.operands[own.index()] = operand.into();
        }
        let mut floats = self.list.block_of(id).args.iter().map(|arg| &self.operands[arg.index()]);
        let arguments = call_arguments(&call.arguments, &mut floats).into_stream();
        if call.is_implicit {
            let (variable, ty, function) = (pair(value.clone(), None, false), self.types(call, false), &call.function);
            out.statements.stream(quote_spanned!(Span::mixed_site()=> let #variable #ty = #function(#arguments);));
            if let Some(jacobian) = jacobian {
                let equation = Equation { call, arguments: quote!(#arguments #value), columns: &columns };
                out.statements.stream(equation.differentiated(&jacobian, self.written.scalar, names));
            }
            return;
        }
        let (variables, types) = (pair(value, jacobian, with_jacobian), self.types(call, with_jacobian));
        let function = if with_jacobian { &call.jacobian } else { &call.function };
        out.statements.stream(quote_spanned!(Span::mixed_site()=> let #variables #types = #function(#arguments);));
    }

    /// The variable that holds these parts, if there are any.
    fn variable(&self, out: &mut Chunk, parts: &[(u32, ValueId)], wish: &str, names: &mut Names) -> Option<Ident> {
        let last_use = parts.iter().map(|(_, part)| self.last_uses[part.index()]).max()?;
        let name = names.like(wish);
        out.declared.push((last_use, name.clone()));
        Some(name)
    }

    /// The type of what is called, as far as it is known, after a colon: it holds the columns in place.
    fn types(&self, call: &Call, with_jacobian: bool) -> TokenStream {
        let float = self.written.scalar.ty();
        let columns = Literal::usize_unsuffixed(call.columns);
        let (value, jacobian) = match &call.returned {
            Returned::Unknown => return TokenStream::new(),
            Returned::Float => (float.clone(), quote!([#float; #columns])),
            Returned::Array(None) => (quote!(_), quote!([[#float; #columns]; _])),
            Returned::Array(Some(shape)) => {
                let rows = Literal::usize_unsuffixed(shape.count());
                (quote!(_), quote!([[#float; #columns]; #rows]))
            }
        };
        if with_jacobian { quote!(: (#value, #jacobian)) } else { quote!(: #value) }
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

    /// What the rows of the Jacobian lie in.
    fn row(&self) -> Returned {
        match self {
            Returned::Array(_) => Returned::Array(None),
            other => other.clone(),
        }
    }
}

/// The variables of a call.
fn pair(value: Option<Ident>, jacobian: Option<Ident>, with_jacobian: bool) -> TokenStream {
    let name = |name: Option<Ident>| name.map_or_else(|| quote!(_), |name| quote!(#name));
    let (value, jacobian) = (name(value), name(jacobian));
    if with_jacobian { quote!((#value, #jacobian)) } else { value }
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

/// Arguments, each with a comma after it; `floats` are those in them.
fn call_arguments<'w>(arguments: &[Argument], floats: &mut impl Iterator<Item = &'w Writer>) -> Writer {
    let mut out = Writer::default();
    for mut argument in arguments {
        while let Argument::Reference(target) = argument {
            out.punct("&");
            argument = target;
        }
        match argument {
            Argument::Passive(tokens) => out.stream(tokens.clone()),
            Argument::Array(elements) => out.append(call_arguments(elements, floats).within(Delimiter::Bracket)),
            Argument::Float | Argument::Reference(_) => {
                out.all(floats.next().expect("an argument of the block for every float"))
            }
        };
        out.punct(",");
    }
    out
}
