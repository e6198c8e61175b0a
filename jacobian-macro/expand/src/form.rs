//! Forms: what the generated functions take and give. All that depends on it asks here: names, parameters and types, the
//! statements at the end, documentation, stubs. Each form comes in two ways, by value and in place.
//!
//! To add a form is to add a variant and a name to the engine's [`Form`], and arms to `seeds` and `parts` here. A part takes as
//! many outputs of the derivative's code list as its shape has floats, in order; a seed, as many of its first inputs.

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

/// The vectors that derivatives are multiplied by, in the order of the engine's inputs.
fn seeds(form: Form, signature: &Signature, names: &mut Names) -> Vec<Part> {
    let columns = signature.columns();
    let mut seed = |name: &str, shape: Shape, entries: String| {
        let name = names.fresh(name);
        Part { noun: String::new(), name, shape, place: Place::Read, entries: Some(entries) }
    };
    let along = || (array(signature, columns), format!("[j]`: the factor of column `j` of {columns}"));
    let across = || match signature.is_gradient() {
        true => (per_row(signature), "`: the factor of the result".to_string()),
        false => {
            let entries = format!("[i]`: the factor of float `i` of {}{}", signature.rows(), of_result(signature));
            (per_row(signature), entries)
        }
    };
    let mut seeds = Vec::new();
    match form {
        Form::Jacobian | Form::JacobianOnly | Form::Hessian => {}
        Form::TangentProduct => seeds.push(("tangent", along())),
        Form::CotangentProduct => seeds.push(("cotangent", across())),
        Form::HessianProduct => seeds.push(("direction", along())),
    }
    if form.is_second_order() && signature.rows() > 1 {
        seeds.push(("weights", across()));
    }
    seeds.into_iter().map(|(name, (shape, entries))| seed(name, shape, entries)).collect()
}

/// What a function of this form gives, in the order of the outputs.
fn parts(form: Form, signature: &Signature, seeds: &[Part]) -> Vec<Part> {
    let mut parts = Vec::new();
    if form.has_values() {
        parts.extend(value(signature).into_iter().chain(outputs(signature)));
    }
    let (rows, columns) = (signature.rows(), signature.columns());
    let seed = seeds.first().map(|seed| seed.name.to_string()).unwrap_or_default();
    if form.is_second_order() {
        let of = if rows > 1 { "the weighted sum of the results" } else { "the result" };
        let entries = format!("[j]`: the partial derivative of {of} with respect to column `j` of {columns}");
        parts.push(Part::new("gradient", "gradient", array(signature, columns), Some(entries)));
    }
    parts.push(match form {
        Form::Jacobian | Form::JacobianOnly => jacobian(signature),
        Form::TangentProduct => {
            let entries = (!signature.is_gradient())
                .then(|| format!("[i]`: the derivative of float `i` of {rows}{} along `{seed}`", of_result(signature)));
            Part::new(format!("Jacobian times `{seed}`"), "product", per_row(signature), entries)
        }
        Form::CotangentProduct => {
            let entries = format!(
                "[j]`: the derivative of the results, weighted with `{seed}`, with respect to column `j` of {columns}"
            );
            let noun = format!("transposed Jacobian times `{seed}`");
            Part::new(noun, "product", array(signature, columns), Some(entries))
        }
        Form::Hessian => {
            let shape = Shape::Array(Box::new(array(signature, columns)), columns);
            let entries = format!("[i][j]`: the second derivative with respect to columns `i` and `j` of {columns}");
            Part::new("Hessian", "hessian", shape, Some(entries))
        }
        Form::HessianProduct => {
            let entries = format!("[j]`: the derivative of entry `j` of the gradient along `{seed}`");
            Part::new(format!("Hessian times `{seed}`"), "product", array(signature, columns), Some(entries))
        }
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
        Some(name) if name != own && !is_of_several_forms(options) => name.clone(),
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
    } else if is_of_several_forms(options) {
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

fn is_of_several_forms(options: &Options) -> bool {
    wanted(options).len() > 1
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
    /// What it takes beside the parameters of the function, in the order of the engine's inputs; the parameters are in the
    /// opposite one, so that weights stand in front of a direction.
    pub seeds: Vec<Part>,
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
        let (by_value, seeds) = (name(form, function, options), seeds(form, signature, names));
        let mut generated = Vec::new();
        for request in options.requests().into_iter().filter(|request| request.form == form) {
            let mut parts = parts(form, signature, &seeds);
            let name = if request.in_place { in_place(&by_value) } else { by_value.clone() };
            if name == function.sig.ident {
                continue;
            }
            for part in parts.iter_mut().filter(|part| request.in_place && part.place == Place::Returned) {
                (part.name, part.place) = (names.fresh(&part.name.to_string()), Place::Written);
            }
            generated.push(Generated { name, seeds: seeds.clone(), parts });
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
