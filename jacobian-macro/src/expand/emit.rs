//! Emission: a derivative as a Rust function. The code needs no `#[allow]`, no `unsafe`, no allocation, and no path but
//! those into `core`. Its variables have the hygiene of the macro, so that they meet no name of the user.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use jacobian_core::catalogue::Spelling;
use jacobian_core::code_list::{CodeList, Constant, Precision, Statement, ValueId};
use jacobian_core::{Derivative, Jacobian};
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{FnArg, ItemFn};

use super::flatten::{Flattened, Form, Names, emitted};
use super::options::Options;
use super::shape::Shape;
use super::signature::{Signature, float_type, jacobian_type, likely_types, value_type};
use super::writer::Writer;

/// How many statements a function may have as a sequence of `let`s. rustc recurses over such a sequence, and its stack
/// ends at about 3,000.
const MAX_LETS: usize = 1_000;

/// How many statements a block of a longer function has. (Variables that are declared first and assigned later would not
/// be recursed over either, but rustc takes a time for them that grows as the square of their number.)
const BLOCK: usize = 256;

/// The constants in the partials of the catalogue that have names.
const MATHEMATICAL: &[(f64, &str)] = &[(LN_2, "LN_2"), (LOG2_E, "LOG2_E"), (LOG10_E, "LOG10_E")];

/// The generated function.
pub fn function(
    item: &ItemFn,
    name: &Ident,
    signature: &Signature,
    documentation: &str,
    flattened: Flattened,
    jacobian: &Jacobian,
) -> TokenStream {
    let header = header(item, name, signature, documentation);
    let Flattened { prologue, inputs, passive, forms, names, .. } = flattened;
    let mut emitter = Emitter::new(&jacobian.derivative.list, inputs, passive, forms);
    let statements = emitter.statements(names, prologue.len());
    let result = emitter.result(&signature.result, &jacobian.derivative);
    quote! {
        #header {
            #(#prologue)*
            #statements
            #result
        }
    }
}

/// A function with the right signature that stands for the one which could not be generated.
pub fn stub(item: &ItemFn, name: &Ident, options: &Options, signature: Option<&Signature>) -> TokenStream {
    let attributes = kept_attributes(item);
    let (visibility, constness, generics) = (&item.vis, &item.sig.constness, &item.sig.generics);
    let clause = &item.sig.generics.where_clause;
    let parameters = item.sig.inputs.iter().map(|argument| match argument {
        FnArg::Receiver(receiver) => receiver.to_token_stream(),
        FnArg::Typed(typed) => {
            let ty = &typed.ty;
            quote!(_: #ty)
        }
    });
    let (value, jacobian) = match signature {
        Some(signature) => (value_type(signature), jacobian_type(signature)),
        None => likely_types(item, options),
    };
    quote_spanned! {Span::mixed_site()=>
        #(#attributes)*
        #[doc = "Not generated: see the errors."]
        #visibility #constness fn #name #generics(#(#parameters),*) -> (#value, #jacobian) #clause {
            ::core::unreachable!()
        }
    }
}

/// The attributes of the function that its Jacobian has, too.
fn kept_attributes(item: &ItemFn) -> Vec<syn::Attribute> {
    let kept = ["cfg", "allow", "warn", "deny", "forbid", "deprecated"];
    let is_hidden = |attribute: &syn::Attribute| {
        attribute.path().is_ident("doc") && attribute.parse_args::<Ident>().is_ok_and(|argument| argument == "hidden")
    };
    let is_kept =
        |attribute: &&syn::Attribute| kept.iter().any(|name| attribute.path().is_ident(name)) || is_hidden(attribute);
    let outer = |attribute: &syn::Attribute| syn::Attribute { style: syn::AttrStyle::Outer, ..attribute.clone() };
    item.attrs.iter().filter(is_kept).map(outer).collect()
}

/// Everything in front of the body.
fn header(item: &ItemFn, name: &Ident, signature: &Signature, documentation: &str) -> TokenStream {
    let attributes = kept_attributes(item);
    let (visibility, constness, generics) = (&item.vis, &item.sig.constness, &item.sig.generics);
    let clause = &item.sig.generics.where_clause;
    let receiver = item.sig.inputs.iter().filter(|argument| matches!(argument, FnArg::Receiver(_)));
    let receiver = receiver.map(ToTokens::to_token_stream);
    let parameters = signature.parameters.iter().map(|parameter| {
        let (name, ty) = (emitted(&parameter.name), &parameter.ty);
        quote!(#name: #ty)
    });
    let parameters = receiver.chain(parameters);
    let (value, jacobian) = (value_type(signature), jacobian_type(signature));
    let documentation = documentation.lines().map(|line| format!(" {line}"));
    quote_spanned! {Span::mixed_site()=>
        #(#attributes)*
        #(#[doc = #documentation])*
        #[inline]
        #visibility #constness fn #name #generics(#(#parameters),*) -> (#value, #jacobian) #clause
    }
}

struct Emitter<'a> {
    list: &'a CodeList,
    forms: Vec<Form>,
    /// How each value is written where it is used.
    operands: Vec<Writer>,
    inputs: std::vec::IntoIter<TokenStream>,
    passive: std::vec::IntoIter<TokenStream>,
}

impl<'a> Emitter<'a> {
    fn new(list: &'a CodeList, inputs: Vec<TokenStream>, passive: Vec<TokenStream>, forms: Vec<Form>) -> Self {
        Emitter {
            list,
            forms,
            operands: Vec::with_capacity(list.statements().len()),
            inputs: inputs.into_iter(),
            passive: passive.into_iter(),
        }
    }

    /// All statements, in order, behind so many others.
    fn statements(&mut self, mut names: Names, in_front: usize) -> TokenStream {
        let is_long = self.list.statements().len() + in_front > MAX_LETS;
        let (mut statements, mut block, last_uses) = (Writer::default(), Block::default(), last_uses(self.list));
        for id in self.list.ids() {
            let operand = match self.list.statement(id) {
                Statement::Input => self.inputs.next().unwrap_or_default().into(),
                Statement::Passive(_) => self.passive.next().unwrap_or_default().into(),
                Statement::Constant(constant) => self.constant(*constant, false),
                Statement::Apply { .. } => {
                    let name = match self.list.name(id) {
                        Some(wish) => names.like(wish),
                        None => names.numbered(id.index()),
                    };
                    self.binding(&mut block.statements, id, &name);
                    let mut operand = Writer::default();
                    operand.token(name.clone());
                    block.declared.push((id, name));
                    operand
                }
            };
            self.operands.push(operand);
            if is_long && block.declared.len() == BLOCK {
                std::mem::take(&mut block).close(&mut statements, |declared| last_uses[declared.index()] > id.index());
            }
        }
        statements.append(block.statements);
        statements.into_stream()
    }

    fn binding(&self, statements: &mut Writer, id: ValueId, name: &Ident) {
        statements.word("let").token(name.clone());
        let args = self.list.statement(id).args();
        if args.iter().all(|&arg| self.list.as_constant(arg).is_some()) {
            // Nothing but literals: only the annotation says of which type they are.
            statements.punct(":").stream(float_type(self.list.precision()));
        }
        statements.punct("=");
        self.application(statements, id);
        statements.punct(";");
    }

    /// A number as an operand: in parentheses if it is negative. With its type, it can be the receiver of a method.
    fn constant(&self, constant: Constant, with_type: bool) -> Writer {
        let mut out = Writer::default();
        match is_negative(constant) {
            true => {
                out.group(Delimiter::Parenthesis, |inner| self.bare_constant(inner, constant, with_type));
            }
            false => self.bare_constant(&mut out, constant, with_type),
        }
        out
    }

    fn bare_constant(&self, out: &mut Writer, constant: Constant, with_type: bool) {
        if is_negative(constant) {
            out.punct("-");
        }
        match constant {
            Constant::Int(value) => out.token(Literal::u32_unsuffixed(value.unsigned_abs())),
            Constant::Float(value) if !value.is_finite() => out.all(&self.special(value)),
            Constant::Float(value) => match self.mathematical(value.abs()) {
                Some(path) => out.all(&path),
                None => out.token(self.float_literal(value.abs(), with_type)),
            },
        };
    }

    /// A constant of the partials that the standard library has a name for. Clippy wants it to be used.
    fn mathematical(&self, magnitude: f64) -> Option<Writer> {
        let module = match self.list.precision() {
            Precision::F64 => "f64",
            Precision::F32 => "f32",
        };
        let (_, name) = MATHEMATICAL.iter().find(|(value, _)| match self.list.precision() {
            Precision::F64 => *value == magnitude,
            Precision::F32 => *value as f32 == magnitude as f32,
        })?;
        let mut path = Writer::default();
        for part in ["core", module, "consts", name] {
            path.punct("::").word(part);
        }
        Some(path)
    }

    /// A finite float in the fewest digits that tell it from its neighbours, `2.5e-7` rather than `0.00000025`.
    fn float_literal(&self, magnitude: f64, with_type: bool) -> Literal {
        let (digits, suffix) = match self.list.precision() {
            Precision::F64 => (format!("{magnitude:?}"), "f64"),
            Precision::F32 => (format!("{:?}", magnitude as f32), "f32"),
        };
        let text = if with_type { digits + suffix } else { digits };
        text.parse().expect("the debug form of a finite float is a literal")
    }

    /// A NaN or the magnitude of an infinity.
    fn special(&self, value: f64) -> Writer {
        let mut path = Writer::from(float_type(self.list.precision()));
        path.punct("::").word(if value.is_nan() { "NAN" } else { "INFINITY" });
        path
    }

    /// Writes the expression of a statement.
    fn application(&self, out: &mut Writer, id: ValueId) {
        let Statement::Apply { intrinsic, dialect, args } = self.list.statement(id) else {
            return;
        };
        let row = intrinsic.row();
        let operand = |position: usize| &self.operands[args[position].index()];
        match (row.spelling, &self.forms[usize::from(dialect.0)], row.libm) {
            (_, Form::Libm(prefix), Some(name)) => {
                let suffix = if self.list.precision() == Precision::F32 { "f" } else { "" };
                self.path_call(out, prefix, &format!("{name}{suffix}"), args);
            }
            (Spelling::Call, Form::Path { prefix, .. }, _) => self.path_call(out, prefix, row.name, args),
            (Spelling::Call, ..) => self.method_call(out, row.name, args),
            (Spelling::Infix(symbol), ..) => {
                for (position, arg) in args.iter().enumerate() {
                    if position > 0 {
                        out.punct(symbol);
                    }
                    match self.list.as_constant(*arg) {
                        Some(constant) if symbol == "*" && constant.as_float() == -1.0 => self.minus_one(out),
                        _ => drop(out.all(operand(position))),
                    }
                }
            }
            (Spelling::Prefix(symbol), ..) => {
                out.punct(symbol).all(operand(0));
            }
            (Spelling::Select(symbol), ..) => {
                out.word("if").all(operand(0)).punct(symbol).all(operand(1));
                braced(out, operand(2));
                out.word("else");
                braced(out, operand(3));
            }
            (Spelling::FloatFromInt, ..) => {
                out.all(operand(0)).word("as").stream(float_type(self.list.precision()));
            }
            (Spelling::Predecessor, ..) => {
                out.all(operand(0)).punct(".").word("saturating_sub").group(Delimiter::Parenthesis, |arguments| {
                    arguments.token(Literal::i32_unsuffixed(1));
                });
            }
        }
    }

    /// A factor of -1 that the function has: it is no change of sign, which a NaN would show, but Clippy wants one.
    fn minus_one(&self, out: &mut Writer) {
        out.group(Delimiter::Parenthesis, |inner| {
            inner.token(self.float_literal(0.0, false)).punct("-").token(self.float_literal(1.0, false));
        });
    }

    fn method_call(&self, out: &mut Writer, name: &str, args: &[ValueId]) {
        match self.list.as_constant(args[0]) {
            Some(constant) => out.all(&self.constant(constant, true)),
            None => out.all(&self.operands[args[0].index()]),
        };
        out.punct(".").word(name);
        self.arguments(out, &args[1..]);
    }

    fn path_call(&self, out: &mut Writer, prefix: &TokenStream, name: &str, args: &[ValueId]) {
        out.stream(prefix.clone()).punct("::").word(name);
        self.arguments(out, args);
    }

    fn arguments(&self, out: &mut Writer, args: &[ValueId]) {
        out.group(Delimiter::Parenthesis, |inner| self.separated(inner, args));
    }

    /// Writes values with commas between them.
    fn separated(&self, out: &mut Writer, ids: &[ValueId]) {
        for (index, &id) in ids.iter().enumerate() {
            if index > 0 {
                out.punct(",");
            }
            match self.list.as_constant(id) {
                Some(constant) => self.bare_constant(out, constant, false),
                None => {
                    out.all(&self.operands[id.index()]);
                }
            }
        }
    }

    /// The pair of value and Jacobian.
    fn result(&self, shape: &Shape, derivative: &Derivative) -> TokenStream {
        let mut values = derivative.values().iter().map(|id| self.operands[id.index()].clone().into_stream());
        let value = shaped(shape, &mut values);
        let row = |row: usize| {
            let mut entries = Writer::default();
            entries.group(Delimiter::Bracket, |inner| self.separated(inner, derivative.row(row)));
            entries.into_stream()
        };
        let jacobian = match shape {
            Shape::Float(_) => row(0),
            _ => {
                let rows = (0..derivative.rows).map(row);
                quote!([#(#rows),*])
            }
        };
        quote!((#value, #jacobian))
    }
}

/// Whether a number is written with a minus.
fn is_negative(constant: Constant) -> bool {
    match constant {
        Constant::Int(value) => value < 0,
        Constant::Float(value) => value.is_sign_negative() && !value.is_nan(),
    }
}

/// Statements that are written as a block.
#[derive(Default)]
struct Block {
    statements: Writer,
    /// The variables that they declare.
    declared: Vec<(ValueId, Ident)>,
}

impl Block {
    /// Appends `let (a, b) = { ...; (a, b) };` with the variables that are used behind the block.
    fn close(mut self, out: &mut Writer, is_used: impl Fn(ValueId) -> bool) {
        let mut used = Writer::default();
        for (_, name) in self.declared.iter().filter(|(id, _)| is_used(*id)) {
            used.token(name.clone()).punct(",");
        }
        out.word("let").group(Delimiter::Parenthesis, |inner| {
            inner.all(&used);
        });
        self.statements.group(Delimiter::Parenthesis, |inner| inner.append(used));
        out.punct("=").group(Delimiter::Brace, |inner| inner.append(self.statements)).punct(";");
    }
}

/// By value: the position of the last statement that uses it, or what is behind all of them if it is an output.
fn last_uses(list: &CodeList) -> Vec<usize> {
    let mut last = vec![0; list.statements().len()];
    for id in list.ids() {
        for arg in list.statement(id).args() {
            last[arg.index()] = id.index();
        }
    }
    for output in list.outputs() {
        last[output.index()] = usize::MAX;
    }
    last
}

fn braced(out: &mut Writer, value: &Writer) {
    out.group(Delimiter::Brace, |inner| {
        inner.all(value);
    });
}

/// The floats in `values` in the shape of the result.
fn shaped(shape: &Shape, values: &mut impl Iterator<Item = TokenStream>) -> TokenStream {
    match shape {
        Shape::Float(_) => values.next().unwrap_or_default(),
        Shape::Reference(target) => shaped(target, values),
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
