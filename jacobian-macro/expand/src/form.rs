//! Forms: what the generated functions give. All that depends on it asks here: names, parameters and types, the statements at
//! the end, documentation, stubs. Value and Jacobian is the only form so far. Each form comes in two ways, by value and in place.
//!
//! A form is a constant such as [`JAC`]: its name, which is the suffix of its function, and the parts of what it gives. A part
//! takes as many outputs of the derivative's code list as its shape has floats, in order. So `jac_only`, the Jacobian without
//! the value, would be
//!
//! ```text
//! const JAC_ONLY: Form = Form { name: "jac_only", parts: |signature| vec![jacobian(signature)] };
//! ```
//!
//! Beside that, an option names it, and the engine declares no results as outputs where no part is of them: what only these need
//! is dead code. What a form takes beside the parameters of the function, a tangent for instance, would be a second list of
//! parts, each a parameter by reference that the code list has inputs for.

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

/// What a function gives.
pub struct Form {
    /// The suffix of its name.
    name: &'static str,
    parts: fn(&Signature) -> Vec<Part>,
}

/// The value, what is assigned, and the Jacobian.
pub const JAC: Form = Form {
    name: "jac",
    parts: |signature| value(signature).into_iter().chain(outputs(signature)).chain([jacobian(signature)]).collect(),
};

/// A part of what a function gives.
pub struct Part {
    /// What it is.
    pub noun: &'static str,
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
    Returned,
    /// To what a parameter refers to that the function does not have.
    Written,
    /// To an output of the function.
    Assigned,
}

fn value(signature: &Signature) -> Option<Part> {
    signature.has_value().then(|| Part::new("value", "value", signature.result.clone(), None))
}

fn outputs(signature: &Signature) -> impl Iterator<Item = Part> {
    signature.outputs().filter_map(|output| {
        let (name, shape) = (emitted(&output.name), output.shape.clone()?);
        Some(Part { noun: "output", name, shape, place: Place::Assigned, entries: None })
    })
}

/// The rows of all floats that the function computes; of a single float, its row.
fn jacobian(signature: &Signature) -> Part {
    let (rows, columns) = (signature.rows(), signature.columns());
    let row = Shape::Array(Box::new(Shape::Float(signature.scalar.clone())), columns);
    let column = format!("with respect to column `j` of {columns}");
    let of_result = if signature.outputs().next().is_none() { " of the result" } else { "" };
    let (shape, entries) = match signature.is_gradient() {
        true => (row, format!("[j]`: the partial derivative {column}")),
        false => {
            let entries = format!("[i][j]`: the partial derivative of float `i` of {rows}{of_result} {column}");
            (Shape::Array(Box::new(row), rows), entries)
        }
    };
    Part::new("Jacobian", "jacobian", shape, Some(entries))
}

impl Part {
    fn new(noun: &'static str, name: &str, shape: Shape, entries: Option<String>) -> Self {
        Part { noun, name: Ident::new(name, Span::mixed_site()), shape, place: Place::Returned, entries }
    }
}

impl Form {
    /// The name of the function that returns it.
    pub fn name(&self, function: &ItemFn, options: &Options) -> Ident {
        let own = &function.sig.ident;
        match &options.name {
            Some(name) if name != own => name.clone(),
            _ => format_ident!("{}_{}", own.unraw(), self.name, span = own.span()),
        }
    }
}

/// The name of the function that writes in place.
fn in_place(name: &Ident) -> Ident {
    format_ident!("{}_into", name.unraw(), span = name.span())
}

/// Reports a name that the function itself has.
pub fn check_names(function: &ItemFn, options: &Options, errors: &mut Errors) {
    let (own, Some(name)) = (&function.sig.ident, &options.name) else { return };
    if name == own {
        errors.at(name, refuse::OWN_NAME);
    } else if options.into && *own == in_place(name) {
        errors.at(name, refuse::own_name_in_place(own));
    }
}

/// A function that is generated.
pub struct Generated {
    pub name: Ident,
    pub parts: Vec<Part>,
}

impl Generated {
    /// The functions that the options ask for.
    pub fn all(function: &ItemFn, options: &Options, signature: &Signature, names: &mut Names) -> Vec<Self> {
        let by_value = Generated { name: JAC.name(function, options), parts: (JAC.parts)(signature) };
        let name = in_place(&by_value.name);
        if !options.into || name == function.sig.ident {
            return vec![by_value];
        }
        let mut parts = (JAC.parts)(signature);
        for part in parts.iter_mut().filter(|part| part.place == Place::Returned) {
            (part.name, part.place) = (names.fresh(&part.name.to_string()), Place::Written);
        }
        vec![by_value, Generated { name, parts }]
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
