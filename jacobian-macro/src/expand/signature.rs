//! The signature: which parameters are active, what the result is, what the generated function is called.

use jacobian_core::code_list::Precision;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use syn::{FnArg, ItemFn, Pat, ReturnType, Type};

use super::diagnostics::Errors;
use super::options::{self, Options};
use super::shape::{self, Reading, Shape};

/// A parameter other than `self`.
pub struct Parameter {
    /// Its name in the generated function.
    pub name: Ident,
    /// The pattern that the user wrote.
    pub pattern: Pat,
    /// Its type.
    pub ty: Type,
    /// The shape, where it consists of floats.
    pub shape: Option<Shape>,
    /// Whether the function is differentiated with respect to it.
    pub is_active: bool,
}

/// What the signature says.
pub struct Signature {
    /// The parameters in order, without `self`.
    pub parameters: Vec<Parameter>,
    /// The shape of the result.
    pub result: Shape,
    /// The precision of all active floats.
    pub precision: Precision,
}

impl Signature {
    /// The number of columns of the Jacobian.
    pub fn columns(&self) -> usize {
        let active = self.parameters.iter().filter(|parameter| parameter.is_active);
        active.filter_map(|parameter| parameter.shape.as_ref()).map(Shape::count).sum()
    }
}

/// The most entries of a Jacobian. Beyond, the array alone overflows stacks.
const MAX_ENTRIES: usize = 1_000_000;

/// Reads the signature of `function`; none if an error was found that leaves it unknown.
pub fn read(function: &ItemFn, options: &Options, errors: &mut Errors) -> Option<Signature> {
    check_qualifiers(function, errors);
    let parameters = read_parameters(function, options, errors);
    let result = read_result(function, errors);
    let precision = precision(parameters.as_deref().unwrap_or_default(), &function.sig.ident, errors);
    let (parameters, result, precision) = (parameters?, result?, precision?);
    if !result.is_all(precision) || result.precision().is_none() {
        errors.at(&function.sig.output, "the result must be of floats of the same type as the active parameters");
        return None;
    }
    let signature = Signature { parameters, result, precision };
    if signature.columns().saturating_mul(signature.result.count()) > MAX_ENTRIES {
        errors.at(&function.sig.ident, format!("the Jacobian has more than {MAX_ENTRIES} entries"));
        return None;
    }
    Some(signature)
}

fn check_qualifiers(function: &ItemFn, errors: &mut Errors) {
    let signature = &function.sig;
    if let Some(token) = &signature.asyncness {
        errors.at(token, "`async` functions are not supported: a Jacobian is of a plain function");
    }
    if let syn::Safety::Unsafe(token) = &signature.safety {
        errors.at(token, "`unsafe` functions are not supported: the generated function is safe");
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "a foreign ABI is not supported; annotate a plain function and call it from the foreign one");
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, "variadic functions are not supported");
    }
}

fn read_parameters(function: &ItemFn, options: &Options, errors: &mut Errors) -> Option<Vec<Parameter>> {
    let mut parameters = Vec::new();
    let mut complete = true;
    for (index, argument) in function.sig.inputs.iter().enumerate() {
        match argument {
            FnArg::Receiver(receiver) => check_receiver(receiver, errors),
            FnArg::Typed(typed) => match read_parameter(typed, index, options, errors) {
                Some(parameter) => parameters.push(parameter),
                None => complete = false,
            },
        }
    }
    let names: Vec<_> = parameters.iter().map(|parameter| parameter.name.to_string()).collect();
    if complete {
        options::check_wrt(options, &names, errors);
    }
    complete.then_some(parameters)
}

fn check_receiver(receiver: &syn::Receiver, errors: &mut Errors) {
    let is_mutable = match &receiver.kind {
        syn::ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
        _ => false,
    };
    if is_mutable {
        errors.at(
            receiver,
            "`&mut self` is not supported: the generated function would repeat the changes; take `&self`",
        );
    }
    check_attributes(&receiver.attrs, errors);
}

fn check_attributes(attributes: &[syn::Attribute], errors: &mut Errors) {
    for attribute in attributes {
        errors.at(attribute, "attributes on parameters are not supported; put it on the function or remove it");
    }
}

fn read_parameter(typed: &syn::PatType, index: usize, options: &Options, errors: &mut Errors) -> Option<Parameter> {
    check_attributes(&typed.attrs, errors);
    let name = match &*typed.pat {
        Pat::Ident(ident) => ident.ident.clone(),
        _ => format_ident!("arg{index}", span = Span::mixed_site()),
    };
    let named = options.wrt.as_ref().map(|names| names.contains(&name));
    let shape = match (shape::read(&typed.ty), named) {
        (Reading::Floats(shape), _) if !shape.has_tuple() => Some(shape),
        (Reading::Floats(shape), Some(false)) => Some(shape),
        (Reading::Floats(_), _) => {
            errors.at(
                &typed.ty,
                refusal("a tuple as an active parameter is not supported; use an array or several parameters", named),
            );
            return None;
        }
        (Reading::Unclear(why), None | Some(true)) => {
            errors.at(&typed.ty, refusal(why, named));
            return None;
        }
        (Reading::Other, Some(true)) => {
            errors.at(&typed.ty, "`wrt` names this parameter, but it is neither a float nor an array of floats");
            return None;
        }
        (Reading::Unclear(_) | Reading::Other, _) => None,
    };
    Some(Parameter {
        name,
        pattern: (*typed.pat).clone(),
        ty: (*typed.ty).clone(),
        is_active: shape.is_some() && named.unwrap_or(true),
        shape,
    })
}

fn refusal(why: &str, named: Option<bool>) -> String {
    match named {
        None => format!("{why} (or name the active parameters with `wrt(...)`, which leaves this one passive)"),
        Some(_) => why.to_string(),
    }
}

fn read_result(function: &ItemFn, errors: &mut Errors) -> Option<Shape> {
    let ReturnType::Type(_, ty) = &function.sig.output else {
        errors.at(
            &function.sig.ident,
            "a function without a result has no Jacobian; return a float, an array or a tuple of floats",
        );
        return None;
    };
    match shape::read(ty) {
        Reading::Floats(shape) if !shape.has_reference() && shape.count() > 0 => return Some(shape),
        Reading::Unclear(why) => errors.at(ty, why),
        _ => errors.at(ty, "the result must be a float, an array of floats, or a tuple of those"),
    }
    None
}

fn precision(parameters: &[Parameter], function: &Ident, errors: &mut Errors) -> Option<Precision> {
    let mut found = None;
    for parameter in parameters.iter().filter(|parameter| parameter.is_active) {
        let shape = parameter.shape.as_ref()?;
        let expected = *found.get_or_insert(shape.precision()?);
        if !shape.is_all(expected) {
            errors.at(&parameter.ty, "all active parameters must be of one float type, f64 or f32");
            return None;
        }
    }
    if found.is_none() && errors.is_empty() {
        errors.at(function, "there is no active parameter: a float or an array of floats, by value or by reference");
    }
    found
}

/// The name of the generated function.
pub fn generated_name(function: &ItemFn, options: &Options) -> Ident {
    let own = &function.sig.ident;
    match &options.name {
        Some(name) => name.clone(),
        None => {
            let name = own.to_string();
            Ident::new(&format!("{}_jac", name.trim_start_matches("r#")), own.span())
        }
    }
}

/// The type of the Jacobian: an array of `columns`, or of rows of these where the result is not a single float.
pub fn jacobian_type(signature: &Signature) -> proc_macro2::TokenStream {
    let float = float_type(signature.precision);
    let columns = proc_macro2::Literal::usize_unsuffixed(signature.columns());
    match &signature.result {
        Shape::Float(_) => quote::quote!([#float; #columns]),
        result => {
            let rows = proc_macro2::Literal::usize_unsuffixed(result.count());
            quote::quote!([[#float; #columns]; #rows])
        }
    }
}

/// The path of a primitive float, whatever else the user calls so.
pub fn float_type(precision: Precision) -> proc_macro2::TokenStream {
    match precision {
        Precision::F64 => quote::quote_spanned!(Span::mixed_site()=> ::core::primitive::f64),
        Precision::F32 => quote::quote_spanned!(Span::mixed_site()=> ::core::primitive::f32),
    }
    .to_token_stream()
}
