//! The signature: which parameters are active, what the result is, what the generated function is called.

use jacobian_core::code_list::Precision;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
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
        let counts = active.filter_map(|parameter| parameter.shape.as_ref()).map(Shape::count);
        counts.fold(0, usize::saturating_add)
    }
}

/// The most entries of a Jacobian. Beyond, the expansion takes minutes and the array overflows stacks.
const MAX_ENTRIES: usize = 100_000;

/// Reads the signature of `function`; none if an error was found that leaves it unknown.
pub fn read(function: &ItemFn, options: &Options, errors: &mut Errors) -> Option<Signature> {
    check_qualifiers(function, errors);
    if let Some(name) = options.name.as_ref().filter(|name| **name == function.sig.ident) {
        errors.at(name, "the function itself has this name");
    }
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
        errors.at(
            &function.sig.ident,
            format!("the Jacobian has more than {MAX_ENTRIES} entries, which is not supported; compute it in parts"),
        );
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
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut complete = true;
    for (index, argument) in function.sig.inputs.iter().enumerate() {
        match argument {
            FnArg::Receiver(receiver) => check_receiver(receiver, errors),
            FnArg::Typed(typed) => match read_parameter(function, typed, index, options, errors) {
                Some(mut parameter) => {
                    // In a `macro_rules!` macro, two parameters can be called the same.
                    if parameters.iter().any(|earlier| earlier.name == parameter.name) {
                        parameter.name = unused_name(&parameter.name.unraw().to_string(), function, &parameters);
                    }
                    parameters.push(parameter);
                }
                None => complete = false,
            },
        }
    }
    let names: Vec<_> = parameters.iter().map(|parameter| parameter.name.unraw().to_string()).collect();
    if complete {
        options::check_wrt(options, &names, errors);
    }
    complete.then_some(parameters)
}

/// A name that no parameter of the user has, made from `name`.
fn unused_name(name: &str, function: &ItemFn, earlier: &[Parameter]) -> Ident {
    let is_taken = |candidate: &Ident| {
        let is_users = |argument: &FnArg| match argument {
            FnArg::Typed(typed) => matches!(&*typed.pat, Pat::Ident(pattern) if pattern.ident == *candidate),
            FnArg::Receiver(_) => false,
        };
        function.sig.inputs.iter().any(is_users) || earlier.iter().any(|parameter| parameter.name == *candidate)
    };
    let mut candidate = format_ident!("{name}", span = Span::mixed_site());
    while is_taken(&candidate) {
        candidate = format_ident!("{candidate}_");
    }
    candidate
}

fn check_receiver(receiver: &syn::Receiver, errors: &mut Errors) {
    let is_mutable = match &receiver.kind {
        syn::ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
        _ => false,
    };
    let is_mutable = is_mutable
        || matches!(&receiver.kind, syn::ReceiverKind::Typed(_, ty) if matches!(&**ty, Type::Reference(reference) if reference.mutability.is_some()));
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

fn read_parameter(
    function: &ItemFn,
    typed: &syn::PatType,
    index: usize,
    options: &Options,
    errors: &mut Errors,
) -> Option<Parameter> {
    check_attributes(&typed.attrs, errors);
    let name = match &*typed.pat {
        Pat::Ident(ident) => ident.ident.clone(),
        _ => unused_name(&format!("arg{index}"), function, &[]),
    };
    let named = options.wrt.as_ref().map(|names| names.contains(&name.unraw()));
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
            errors.at(
                &parameter.ty,
                "all active parameters must be of one float type, f64 or f32; name those of one type with `wrt(...)`",
            );
            return None;
        }
    }
    if found.is_none() && errors.is_empty() {
        errors.at(
            function,
            "there is no active parameter: one of type f64 or f32, or an array of these, by value or by reference",
        );
    }
    found
}

/// The name of the generated function.
pub fn generated_name(function: &ItemFn, options: &Options) -> Ident {
    let own = &function.sig.ident;
    match &options.name {
        Some(name) if name != own => name.clone(),
        _ => {
            let name = own.to_string();
            Ident::new(&format!("{}_jac", name.trim_start_matches("r#")), own.span())
        }
    }
}

/// The types of value and Jacobian where the signature has errors: what they will likely be without these, so that the
/// stub fits where it is called.
pub fn likely_types(function: &ItemFn, options: &Options) -> (proc_macro2::TokenStream, proc_macro2::TokenStream) {
    let typed = function.sig.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    let is_named = |typed: &&syn::PatType| {
        let Pat::Ident(pattern) = &*typed.pat else { return options.wrt.is_none() };
        options.wrt.as_ref().is_none_or(|names| names.contains(&pattern.ident.unraw()))
    };
    let likely = |typed: &syn::PatType| shape::likely(&typed.ty);
    let mut shapes: Vec<_> = typed.clone().filter(is_named).filter_map(likely).collect();
    if shapes.is_empty() {
        shapes = typed.filter_map(likely).collect();
    }
    let inputs = Shape::Tuple(shapes);
    let (value, result) = match &function.sig.output {
        ReturnType::Default => (quote::quote!(()), None),
        ReturnType::Type(_, ty) => match &**ty {
            Type::ImplTrait(_) | Type::Never(_) => (quote::quote!(()), shape::likely(ty)),
            ty => (ty.to_token_stream(), shape::likely(ty)),
        },
    };
    let precision = inputs.precision().or(result.as_ref().and_then(Shape::precision)).unwrap_or(Precision::F64);
    let (float, columns) = (float_type(precision), proc_macro2::Literal::usize_unsuffixed(inputs.count()));
    let jacobian = match result {
        Some(Shape::Float(_)) => quote::quote!([#float; #columns]),
        result => {
            let rows = proc_macro2::Literal::usize_unsuffixed(result.map_or(1, |shape| shape.count()));
            quote::quote!([[#float; #columns]; #rows])
        }
    };
    (value, jacobian)
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

/// The type of the value, of primitive floats whatever the user calls so: a derivative of theirs is no other type's.
pub fn value_type(signature: &Signature) -> proc_macro2::TokenStream {
    shape_type(&signature.result)
}

fn shape_type(shape: &Shape) -> proc_macro2::TokenStream {
    match shape {
        Shape::Float(precision) => float_type(*precision),
        Shape::Reference(target) => shape_type(target),
        Shape::Array(element, length) => {
            let (element, length) = (shape_type(element), proc_macro2::Literal::usize_unsuffixed(*length));
            quote::quote!([#element; #length])
        }
        Shape::Tuple(elements) => {
            let elements = elements.iter().map(shape_type);
            quote::quote!((#(#elements,)*))
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
