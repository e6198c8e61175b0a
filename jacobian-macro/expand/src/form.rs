//! Forms: what the generated functions take and give. All that depends on it asks here: names, parameters and types, the
//! statements at the end, documentation, stubs. Each form comes in two ways, by value and in place.
//!
//! To add a form is to add a variant and a name to the engine's [`Form`], and an arm to [`Form`]'s seed and parts here. A part
//! takes as many outputs of the derivative's code list as its shape has floats, in order; a seed, as many of its first inputs.

use jacobian_core::form::{FORMS, Form};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ItemFn;
use syn::ext::IdentExt;

use super::diagnostics::Errors;
use super::names::{Names, emitted};
use super::read::options::Options;
use super::read::shape::Shape;
use super::read::signature::Signature;
use super::refuse;

/// A part of what a function gives, or its seed.
#[derive(Clone)]
pub struct Part {
    /// What it is.
    pub noun: String,
    /// What it is called in the documentation, and where it is a parameter.
    pub name: Ident,
    pub shape: Shape,
    pub place: Place,
    /// What the documentation says of its entries, from their indices on.
    pub entries: Option<String>,
}

/// Where a part goes.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: it is a seed, which a parameter refers to that the function does not have.
    Read,
    Returned,
    /// To what a parameter refers to that the function does not have.
    Written,
    /// To an output of the function.
    Assigned,
}

impl Part {
    fn new(noun: impl Into<String>, name: &str, shape: Shape, entries: Option<String>) -> Self {
        let name = Ident::new(name, Span::mixed_site());
        Part { noun: noun.into(), name, shape, place: Place::Returned, entries }
    }
}

/// The vector that the Jacobian is multiplied by, for the forms that have one.
fn seed(form: Form, signature: &Signature, names: &mut Names) -> Option<Part> {
    let columns = signature.columns();
    let (name, shape, entries) = match form {
        Form::Jacobian | Form::JacobianOnly => return None,
        Form::TangentProduct => {
            ("tangent", array(signature, columns), format!("[j]`: the factor of column `j` of {columns}"))
        }
        Form::CotangentProduct => {
            let entries = match signature.is_gradient() {
                true => "`: the factor of the result".to_string(),
                false => format!("[i]`: the factor of float `i` of {}{}", signature.rows(), of_result(signature)),
            };
            ("cotangent", per_row(signature), entries)
        }
    };
    let name = names.fresh(name);
    Some(Part { noun: String::new(), name, shape, place: Place::Read, entries: Some(entries) })
}

/// What a function of this form gives, in the order of the outputs.
fn parts(form: Form, signature: &Signature, seed: Option<&Part>) -> Vec<Part> {
    let mut parts = Vec::new();
    if form.has_values() {
        parts.extend(value(signature).into_iter().chain(outputs(signature)));
    }
    let (rows, columns) = (signature.rows(), signature.columns());
    let seed = seed.map(|seed| &seed.name);
    parts.push(match (form, seed) {
        (Form::TangentProduct, Some(tangent)) => {
            let entries = (!signature.is_gradient()).then(|| {
                format!("[i]`: the derivative of float `i` of {rows}{} along `{tangent}`", of_result(signature))
            });
            Part::new(format!("Jacobian times `{tangent}`"), "product", per_row(signature), entries)
        }
        (Form::CotangentProduct, Some(cotangent)) => {
            let entries = format!(
                "[j]`: the derivative of the results, weighted with `{cotangent}`, with respect to column `j` of {columns}"
            );
            let noun = format!("transposed Jacobian times `{cotangent}`");
            Part::new(noun, "product", array(signature, columns), Some(entries))
        }
        _ => jacobian(signature),
    });
    parts
}

fn value(signature: &Signature) -> Option<Part> {
    signature.has_value().then(|| Part::new("value", "value", signature.result.clone(), None))
}

fn outputs(signature: &Signature) -> impl Iterator<Item = Part> {
    signature.outputs().filter_map(|output| {
        let (name, shape) = (emitted(&output.name), output.shape.clone()?);
        Some(Part { noun: "output".to_string(), name, shape, place: Place::Assigned, entries: None })
    })
}

/// The rows of all floats that the function computes; of a single float, its row.
fn jacobian(signature: &Signature) -> Part {
    let (rows, columns) = (signature.rows(), signature.columns());
    let row = array(signature, columns);
    let column = format!("with respect to column `j` of {columns}");
    let (shape, entries) = match signature.is_gradient() {
        true => (row, format!("[j]`: the partial derivative {column}")),
        false => {
            let of_result = of_result(signature);
            let entries = format!("[i][j]`: the partial derivative of float `i` of {rows}{of_result} {column}");
            (Shape::Array(Box::new(row), rows), entries)
        }
    };
    Part::new("Jacobian", "jacobian", shape, Some(entries))
}

fn array(signature: &Signature, length: usize) -> Shape {
    Shape::Array(Box::new(Shape::Float(signature.scalar.clone())), length)
}

/// A float for every float that the function computes; of a single one, just this.
fn per_row(signature: &Signature) -> Shape {
    match signature.is_gradient() {
        true => Shape::Float(signature.scalar.clone()),
        false => array(signature, signature.rows()),
    }
}

/// What the floats that are counted belong to, where that is the result alone.
fn of_result(signature: &Signature) -> &'static str {
    if signature.outputs().next().is_none() { " of the result" } else { "" }
}

/// The name of the function of this form that returns what it gives.
pub fn name(form: Form, function: &ItemFn, options: &Options) -> Ident {
    let own = &function.sig.ident;
    match &options.name {
        Some(name) if name != own => name.clone(),
        _ => format_ident!("{}_{}", own.unraw(), suffix(form), span = own.span()),
    }
}

/// The name of the form, which is the suffix of its functions.
fn suffix(form: Form) -> &'static str {
    let mut rows = FORMS.iter().filter(|(_, known)| *known == form);
    rows.next().map_or("jac", |(name, _)| name)
}

/// The name of the function that writes in place.
fn in_place(name: &Ident) -> Ident {
    format_ident!("{}_into", name.unraw(), span = name.span())
}

/// Reports a name that the function itself has, and one that several forms would have.
pub fn check_names(function: &ItemFn, options: &Options, errors: &mut Errors) {
    let (own, Some(given)) = (&function.sig.ident, &options.name) else { return };
    let requests = options.requests();
    if given == own {
        errors.at(given, refuse::OWN_NAME);
    } else if requests.iter().any(|request| request.form != requests[0].form) {
        errors.at(given, refuse::NAME_OF_FORMS);
    } else if requests.iter().any(|request| request.in_place) && *own == in_place(given) {
        errors.at(given, refuse::own_name_in_place(own));
    }
}

/// The names of the functions that the options ask for.
pub fn names<'f>(function: &'f ItemFn, options: &'f Options) -> impl Iterator<Item = Ident> + 'f {
    options.requests().into_iter().map(|request| {
        let by_value = name(request.form, function, options);
        if request.in_place { in_place(&by_value) } else { by_value }
    })
}

/// The forms that the options ask for, each once.
pub fn wanted(options: &Options) -> Vec<Form> {
    let mut forms = Vec::new();
    for request in options.requests() {
        if !forms.contains(&request.form) {
            forms.push(request.form);
        }
    }
    forms
}

/// A function that is generated.
pub struct Generated {
    pub name: Ident,
    /// What it takes beside the parameters of the function.
    pub seed: Option<Part>,
    pub parts: Vec<Part>,
}

impl Generated {
    /// The functions of this form that the options ask for.
    pub fn all(
        form: Form,
        function: &ItemFn,
        options: &Options,
        signature: &Signature,
        names: &mut Names,
    ) -> Vec<Self> {
        let (by_value, seed) = (name(form, function, options), seed(form, signature, names));
        let mut generated = Vec::new();
        for request in options.requests().into_iter().filter(|request| request.form == form) {
            let mut parts = parts(form, signature, seed.as_ref());
            let name = if request.in_place { in_place(&by_value) } else { by_value.clone() };
            if name == function.sig.ident {
                continue;
            }
            for part in parts.iter_mut().filter(|part| request.in_place && part.place == Place::Returned) {
                (part.name, part.place) = (names.fresh(&part.name.to_string()), Place::Written);
            }
            generated.push(Generated { name, seed: seed.clone(), parts });
        }
        generated
    }

    /// The parts that go to this place.
    pub fn at(&self, place: Place) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.place == place)
    }

    /// The arrow and the type behind it, if it returns something.
    pub fn returned(&self) -> TokenStream {
        let types: Vec<_> = self.at(Place::Returned).map(|part| part.shape.ty()).collect();
        match &types[..] {
            [] => TokenStream::new(),
            types => {
                let returned = together(types);
                quote_spanned!(Span::mixed_site()=> -> #returned)
            }
        }
    }
}

/// Types or values as one.
pub fn together(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [part] => part.clone(),
        parts => quote!((#(#parts),*)),
    }
}
