//! Emission: a derivative as a Rust function. The code needs no `#[allow]`, no `unsafe`, no allocation, and no path but
//! those into `core`. Its variables have the hygiene of the macro, so that they meet no name of the user.

use jacobian_core::catalogue::Spelling;
use jacobian_core::code_list::{CodeList, Precision, Statement, ValueId};
use jacobian_core::{Derivative, Jacobian};
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{FnArg, ItemFn};

use super::flatten::{Flattened, Form, Names, emitted};
use super::number::{self, Position};
use super::options::Options;
use super::scalar::Scalar;
use super::shape::Shape;
use super::signature::{Role, Signature};
use super::types::{likely_return_type, return_type};
use super::writer::Writer;

/// How many statements a function may have as a sequence of `let`s. rustc recurses over such a sequence, and its stack
/// ends at about 3,000.
const MAX_LETS: usize = 1_000;

/// How many statements a block of a longer function has. (Variables that are declared first and assigned later would not
/// be recursed over either, but rustc takes a time for them that grows as the square of their number.)
const BLOCK: usize = 256;

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
    let mut emitter = Emitter::new(&signature.scalar, &jacobian.derivative.list, inputs, passive, forms);
    let statements = emitter.statements(names, prologue.len());
    let results = emitter.results(signature, &jacobian.derivative);
    quote! {
        #header {
            #(#prologue)*
            #statements
            #results
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
    let returned = match signature {
        Some(signature) => return_type(signature),
        None => likely_return_type(item, options),
    };
    quote_spanned! {Span::mixed_site()=>
        #(#attributes)*
        #[doc = "Not generated: see the errors."]
        #visibility #constness fn #name #generics(#(#parameters),*) -> #returned #clause {
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
    let returned = return_type(signature);
    let documentation = documentation.lines().map(|line| format!(" {line}"));
    quote_spanned! {Span::mixed_site()=>
        #(#attributes)*
        #(#[doc = #documentation])*
        #[inline]
        #visibility #constness fn #name #generics(#(#parameters),*) -> #returned #clause
    }
}

struct Emitter<'a> {
    scalar: &'a Scalar,
    list: &'a CodeList,
    forms: Vec<Form>,
    /// How each value is written where it is used.
    operands: Vec<Writer>,
    inputs: std::vec::IntoIter<TokenStream>,
    passive: std::vec::IntoIter<TokenStream>,
}

impl<'a> Emitter<'a> {
    fn new(
        scalar: &'a Scalar,
        list: &'a CodeList,
        inputs: Vec<TokenStream>,
        passive: Vec<TokenStream>,
        forms: Vec<Form>,
    ) -> Self {
        Emitter {
            scalar,
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
                Statement::Constant(constant) => number::constant(self.scalar, *constant, Position::Operand),
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
            statements.punct(":").stream(self.scalar.ty());
        }
        statements.punct("=");
        self.application(statements, id);
        statements.punct(";");
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
            (Spelling::Call, Form::Path { prefix, functions, .. }, _)
                if functions.is_none_or(|functions| functions.contains(&row.name)) =>
            {
                self.path_call(out, prefix, row.name, args);
            }
            (Spelling::Call, ..) => self.method_call(out, row.name, args),
            (Spelling::Infix(symbol), ..) => {
                out.all(operand(0)).punct(symbol).all(operand(1));
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
                let int = operand(0).clone().into_stream();
                out.stream(number::from_int(self.scalar, int).unwrap_or_default());
            }
            (Spelling::Predecessor, ..) => {
                out.all(operand(0)).punct(".").word("saturating_sub").group(Delimiter::Parenthesis, |arguments| {
                    arguments.token(Literal::i32_unsuffixed(1));
                });
            }
        }
    }

    fn method_call(&self, out: &mut Writer, name: &str, args: &[ValueId]) {
        match self.list.as_constant(args[0]) {
            Some(constant) => out.all(&number::constant(self.scalar, constant, Position::Receiver)),
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
                Some(constant) => out.append(number::constant(self.scalar, constant, Position::Alone)),
                None => {
                    out.all(&self.operands[id.index()]);
                }
            }
        }
    }

    /// The assignments to the outputs, and what the function returns.
    fn results(&self, signature: &Signature, derivative: &Derivative) -> TokenStream {
        let mut values = derivative.values().iter().map(|id| self.operands[id.index()].clone().into_stream());
        let value = signature.has_value().then(|| shaped(&signature.result, &mut values));
        let outputs = signature.parameters.iter().filter(|parameter| parameter.role == Role::Output);
        let assignments = outputs.zip(signature.dependents().skip(1)).map(|(parameter, shape)| {
            let (name, value) = (emitted(&parameter.name), shaped(shape, &mut values));
            quote!(*#name = #value;)
        });
        let assignments = TokenStream::from_iter(assignments);
        let row = |row: usize| {
            let mut entries = Writer::default();
            entries.group(Delimiter::Bracket, |inner| self.separated(inner, derivative.row(row)));
            entries.into_stream()
        };
        let jacobian = match signature.is_gradient() {
            true => row(0),
            false => {
                let rows = (0..derivative.rows).map(row);
                quote!([#(#rows),*])
            }
        };
        match value {
            Some(value) => quote!(#assignments (#value, #jacobian)),
            None => quote!(#assignments #jacobian),
        }
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
