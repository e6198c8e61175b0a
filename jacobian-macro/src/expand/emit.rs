//! Emission: a derivative as a Rust function. The code needs no `#[allow]`, no `unsafe`, no allocation, and no path but
//! those into `core`. Its variables have the hygiene of the macro, so that they meet no name of the user.

use jacobian_core::catalogue::Spelling;
use jacobian_core::code_list::{CodeList, Constant, Precision, Statement, ValueId};
use jacobian_core::{Derivative, Jacobian};
use proc_macro2::{Ident, Literal, Punct, Spacing, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{FnArg, ItemFn};

use super::document;
use super::flatten::{Flattened, Form, Names};
use super::shape::Shape;
use super::signature::{Signature, float_type, jacobian_type};

/// How many statements a function may have as a sequence of `let`s. rustc recurses over such a sequence, and its stack
/// ends at about 3,000.
const MAX_LETS: usize = 1_000;

/// How many variables are declared at once in a longer function.
const CHUNK: usize = 64;

/// The generated function.
pub fn function(
    item: &ItemFn,
    name: &Ident,
    signature: &Signature,
    flattened: Flattened,
    jacobian: &Jacobian,
) -> TokenStream {
    let documentation = document::function(item, signature, jacobian);
    let header = header(item, name, signature, &documentation);
    let Flattened { prologue, inputs, passive, forms, names, .. } = flattened;
    let mut emitter = Emitter::new(&jacobian.derivative.list, inputs, passive, forms);
    let statements = emitter.statements(names);
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
pub fn stub(item: &ItemFn, name: &Ident, signature: Option<&Signature>) -> TokenStream {
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
    let result = match signature {
        Some(signature) => {
            let (value, jacobian) = (result_type(item), jacobian_type(signature));
            quote!((#value, #jacobian))
        }
        None => quote!(!),
    };
    quote_spanned! {Span::mixed_site()=>
        #(#attributes)*
        #[doc = "Not generated: see the errors."]
        #visibility #constness fn #name #generics(#(#parameters),*) -> #result #clause {
            ::core::unreachable!()
        }
    }
}

/// The attributes of the function that its Jacobian has, too.
fn kept_attributes(item: &ItemFn) -> Vec<&syn::Attribute> {
    let kept = ["cfg", "allow", "warn", "deny", "forbid", "deprecated"];
    item.attrs.iter().filter(|attribute| kept.iter().any(|name| attribute.path().is_ident(name))).collect()
}

fn result_type(item: &ItemFn) -> TokenStream {
    match &item.sig.output {
        syn::ReturnType::Type(_, ty) => ty.to_token_stream(),
        syn::ReturnType::Default => quote!(()),
    }
}

/// Everything in front of the body.
fn header(item: &ItemFn, name: &Ident, signature: &Signature, documentation: &str) -> TokenStream {
    let attributes = kept_attributes(item);
    let (visibility, constness, generics) = (&item.vis, &item.sig.constness, &item.sig.generics);
    let clause = &item.sig.generics.where_clause;
    let receiver = item.sig.inputs.iter().filter(|argument| matches!(argument, FnArg::Receiver(_)));
    let receiver = receiver.map(ToTokens::to_token_stream);
    let parameters = signature.parameters.iter().map(|parameter| {
        let mut name = parameter.name.clone();
        name.set_span(Span::mixed_site().located_at(name.span()));
        let ty = &parameter.ty;
        quote!(#name: #ty)
    });
    let parameters = receiver.chain(parameters);
    let (value, jacobian) = (result_type(item), jacobian_type(signature));
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
    operands: Vec<TokenStream>,
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

    /// All statements, in order.
    fn statements(&mut self, mut names: Names) -> TokenStream {
        let is_long = self.list.statements().len() > MAX_LETS;
        let (mut statements, mut declared) = (TokenStream::new(), Vec::new());
        for id in self.list.ids() {
            let operand = match self.list.statement(id) {
                Statement::Input => self.inputs.next().unwrap_or_default(),
                Statement::Passive(_) => self.passive.next().unwrap_or_default(),
                Statement::Constant(constant) => self.constant(*constant),
                Statement::Apply { .. } => {
                    let wish = self.list.name(id).map_or_else(|| format!("v{}", id.index()), str::to_string);
                    let name = names.like(&wish);
                    let value = self.application(id);
                    self.assignment(&mut statements, id, &name, &value, is_long);
                    declared.push(name.clone());
                    name.into_token_stream()
                }
            };
            self.operands.push(operand);
        }
        if is_long {
            let chunks = declared.chunks(CHUNK).map(|names| quote_spanned!(Span::mixed_site()=> let (#(#names,)*);));
            return quote!(#(#chunks)* #statements);
        }
        statements
    }

    fn assignment(&self, statements: &mut TokenStream, id: ValueId, name: &Ident, value: &TokenStream, is_long: bool) {
        let args = self.list.statement(id).args();
        if is_long {
            statements.extend(quote_spanned!(Span::mixed_site()=> #name = #value;));
        } else if args.iter().all(|&arg| self.list.as_constant(arg).is_some()) {
            // Nothing but literals: only the annotation says of which type they are.
            let ty = float_type(self.list.precision());
            statements.extend(quote_spanned!(Span::mixed_site()=> let #name: #ty = #value;));
        } else {
            statements.extend(quote_spanned!(Span::mixed_site()=> let #name = #value;));
        }
    }

    fn constant(&self, constant: Constant) -> TokenStream {
        let float = float_type(self.list.precision());
        let (magnitude, is_negative) = match constant {
            Constant::Float(value) if value.is_nan() => return quote_spanned!(Span::mixed_site()=> #float::NAN),
            Constant::Float(value) if value.is_infinite() => {
                (quote_spanned!(Span::mixed_site()=> #float::INFINITY), value < 0.0)
            }
            Constant::Float(value) => (self.float_literal(value.abs()), value.is_sign_negative()),
            Constant::Int(value) => (Literal::u32_unsuffixed(value.unsigned_abs()).into_token_stream(), value < 0),
        };
        if is_negative {
            let minus = Punct::new('-', Spacing::Alone);
            return quote!((#minus #magnitude));
        }
        magnitude
    }

    fn float_literal(&self, magnitude: f64) -> TokenStream {
        match self.list.precision() {
            Precision::F64 => Literal::f64_unsuffixed(magnitude),
            Precision::F32 => Literal::f32_unsuffixed(magnitude as f32),
        }
        .into_token_stream()
    }

    /// A value as a receiver or argument whose type must be plain from itself.
    fn typed(&self, id: ValueId) -> TokenStream {
        match self.list.as_constant(id) {
            Some(Constant::Float(value)) if value.is_finite() => {
                let magnitude = match self.list.precision() {
                    Precision::F64 => Literal::f64_suffixed(value.abs()),
                    Precision::F32 => Literal::f32_suffixed(value.abs() as f32),
                };
                if value.is_sign_negative() { quote!((-#magnitude)) } else { quote!(#magnitude) }
            }
            _ => self.operands[id.index()].clone(),
        }
    }

    /// The expression of a statement.
    fn application(&self, id: ValueId) -> TokenStream {
        let Statement::Apply { intrinsic, dialect, args } = self.list.statement(id) else {
            return TokenStream::new();
        };
        let row = intrinsic.row();
        let operand = |position: usize| &self.operands[args[position].index()];
        let form = &self.forms[usize::from(dialect.0)];
        if let (Form::Libm(prefix), Some(name)) = (form, row.libm) {
            return self.libm_call(prefix, name, args);
        }
        match row.spelling {
            Spelling::Infix(symbol) => {
                let (left, symbol, right) = (operand(0), punctuation(symbol), operand(1));
                quote!(#left #symbol #right)
            }
            Spelling::Prefix(symbol) => {
                let (symbol, arg) = (punctuation(symbol), operand(0));
                quote!(#symbol #arg)
            }
            Spelling::Select(symbol) => {
                let (x, symbol, y, then, otherwise) =
                    (operand(0), punctuation(symbol), operand(1), operand(2), operand(3));
                quote!(if #x #symbol #y { #then } else { #otherwise })
            }
            Spelling::FloatFromInt => {
                let (arg, float) = (operand(0), float_type(self.list.precision()));
                quote!(#arg as #float)
            }
            Spelling::Predecessor => self.method_call("saturating_sub", args, &[quote!(1)]),
            Spelling::Call => match form {
                Form::Path { prefix, .. } => {
                    let name = Ident::new(row.name, Span::mixed_site());
                    let args = args.iter().map(|arg| &self.operands[arg.index()]);
                    quote!(#prefix::#name(#(#args),*))
                }
                _ => self.method_call(row.name, args, &[]),
            },
        }
    }

    fn method_call(&self, name: &str, args: &[ValueId], further: &[TokenStream]) -> TokenStream {
        let name = Ident::new(name, Span::mixed_site());
        let receiver = self.typed(args[0]);
        let args = args[1..].iter().map(|arg| &self.operands[arg.index()]).chain(further);
        quote!(#receiver.#name(#(#args),*))
    }

    fn libm_call(&self, prefix: &TokenStream, name: &str, args: &[ValueId]) -> TokenStream {
        let suffix = if self.list.precision() == Precision::F32 { "f" } else { "" };
        let name = Ident::new(&format!("{name}{suffix}"), Span::mixed_site());
        let args = args.iter().map(|arg| &self.operands[arg.index()]);
        quote!(#prefix::#name(#(#args),*))
    }

    /// The pair of value and Jacobian.
    fn result(&self, shape: &Shape, derivative: &Derivative) -> TokenStream {
        let mut values = derivative.values().iter().map(|id| self.operands[id.index()].clone());
        let value = shaped(shape, &mut values);
        let row = |row: usize| {
            let entries = derivative.row(row).iter().map(|id| &self.operands[id.index()]);
            quote!([#(#entries),*])
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

/// An operator of one or two characters.
fn punctuation(symbol: &str) -> TokenStream {
    let last = symbol.chars().count() - 1;
    let punct = |(index, character)| Punct::new(character, if index == last { Spacing::Alone } else { Spacing::Joint });
    symbol.chars().enumerate().map(punct).map(proc_macro2::TokenTree::from).collect()
}
