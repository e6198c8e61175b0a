//! The types of the generated function.

use jacobian_core::code_list::Precision;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{FnArg, ItemFn, Pat, PatType, ReturnType, Type};

use super::super::read::options::Options;
use super::super::read::scalar::{self, Scalar};
use super::super::read::shape::{self, Reader, Shape};
use super::super::read::signature::Signature;
use super::super::syntax;

/// The types of what the generated function computes.
pub struct Computed {
    /// That of the value; none where parameters are assigned only.
    pub value: Option<TokenStream>,
    /// That of the Jacobian.
    pub jacobian: TokenStream,
}

impl Computed {
    /// The types in order.
    pub fn types(&self) -> impl Iterator<Item = &TokenStream> {
        self.value.iter().chain([&self.jacobian])
    }

    /// What a function returns that returns it all: value and Jacobian, or the Jacobian alone.
    pub fn returned(&self) -> TokenStream {
        let Computed { value, jacobian } = self;
        match value {
            Some(value) => quote!((#value, #jacobian)),
            None => jacobian.clone(),
        }
    }
}

/// The types of what the generated function computes.
pub fn computed(signature: &Signature) -> Computed {
    Computed {
        value: signature.has_value().then(|| shape_type(&signature.result)),
        jacobian: jacobian_type(&signature.scalar, signature.is_gradient(), signature.rows(), signature.columns()),
    }
}

/// What the generated function would compute if the errors of its signature were mended, as likely as can be told, so that
/// the stub fits where it is called.
pub fn likely_computed(function: &ItemFn, options: &Options) -> Computed {
    let reader = Reader::new(scalar::parameter(function));
    let (outputs, inputs): (Vec<_>, Vec<_>) = typed_parameters(function).partition(|typed| is_mutable(&typed.ty));
    let is_named = |typed: &&&PatType| {
        let Pat::Ident(pattern) = &*typed.pat else { return options.wrt.is_none() };
        options.wrt.as_ref().is_none_or(|names| names.contains(&pattern.ident.unraw()))
    };
    let likely = |typed: &&PatType| reader.likely(&syntax::ty(&typed.ty));
    let mut columns: Vec<_> = inputs.iter().filter(is_named).filter_map(likely).collect();
    if columns.is_empty() {
        columns = inputs.iter().filter_map(likely).collect();
    }
    let (value, result) = match &function.sig.output {
        ReturnType::Default => (None, None),
        ReturnType::Type(_, ty) => match &**ty {
            Type::ImplTrait(_) | Type::Never(_) => (Some(quote!(())), reader.likely(&syntax::ty(ty))),
            ty => (Some(ty.to_token_stream()), reader.likely(&syntax::ty(ty))),
        },
    };
    let mut rows: Vec<_> = result.into_iter().chain(outputs.iter().filter_map(likely)).collect();
    let scalar = columns.iter().chain(&rows).find_map(Shape::scalar).cloned();
    let scalar = scalar.unwrap_or(Scalar::Primitive(Precision::F64));
    let is_gradient = matches!(rows[..], [Shape::Float(_)]);
    if rows.is_empty() {
        rows.push(Shape::Float(scalar.clone()));
    }
    let count = |shapes: &[Shape]| shapes.iter().map(Shape::count).fold(0, usize::saturating_add);
    let jacobian = jacobian_type(&scalar, is_gradient, count(&rows), count(&columns));
    let value = value.or_else(|| outputs.is_empty().then(|| quote!(())));
    Computed { value, jacobian }
}

fn typed_parameters(function: &ItemFn) -> impl Iterator<Item = &PatType> {
    function.sig.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    })
}

fn is_mutable(ty: &Type) -> bool {
    matches!(shape::unwrapped(ty), Type::Reference(reference) if reference.mutability.is_some())
}

/// The type of the Jacobian: an array of `columns`, or of rows of these.
fn jacobian_type(scalar: &Scalar, is_gradient: bool, rows: usize, columns: usize) -> TokenStream {
    let float = scalar.ty();
    let [rows, columns] = [rows, columns].map(Literal::usize_unsuffixed);
    match is_gradient {
        true => quote!([#float; #columns]),
        false => quote!([[#float; #columns]; #rows]),
    }
}

/// The type of a value, of primitive floats whatever the user calls so: a derivative of theirs is no other type's.
fn shape_type(shape: &Shape) -> TokenStream {
    match shape {
        Shape::Float(scalar) => scalar.ty(),
        Shape::Reference(target) => shape_type(target),
        Shape::Vector(vector) => vector.tokens.clone(),
        Shape::Array(element, length) => {
            let (element, length) = (shape_type(element), Literal::usize_unsuffixed(*length));
            quote!([#element; #length])
        }
        Shape::Tuple(elements) => {
            let elements = elements.iter().map(shape_type);
            quote!((#(#elements,)*))
        }
    }
}
