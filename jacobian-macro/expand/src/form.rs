//! Forms: what the generated functions take and give. All that depends on it asks here: names, parameters and types,
//! the statements at the end, documentation, stubs. Each form comes in two ways, by value and in place.
//!
//! To add a form is to add a variant and a name to the engine's [`Form`], and arms to `seeds` and `parts` here. The
//! parts that are results take as many outputs of the derivative's code list as their shapes have floats, in order; the
//! others are a matrix each; a seed takes as many of its first inputs.

use jacobian_core::derivative::{Compressed, Derivative, Pattern};
use jacobian_core::form::Form;
use jacobian_lower::diagnostics::Errors;
use jacobian_lower::names::{Names, emitted};
use jacobian_lower::read::layout::Layout;
use jacobian_lower::read::options::{self, Options, Request};
use jacobian_lower::read::shape::Shape;
use jacobian_lower::read::signature::{MAX_ENTRIES, Signature};
use jacobian_lower::read::vector::{self, VectorType};
use jacobian_lower::refuse;
use jacobian_lower::syntax::Fallible;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ItemFn;
use syn::ext::IdentExt;

/// A part of what a function gives, or its seed.
#[derive(Clone)]
pub struct Part {
    /// What it is.
    pub noun: String,
    /// What it is called in the documentation, and where it is a parameter.
    pub name: Ident,
    pub shape: Shape,
    /// The order of its floats, where it is a matrix.
    pub order: Option<Order>,
    pub place: Place,
    /// What the documentation says of its entries, from their indices on.
    pub entries: Option<String>,
}

/// The order in which the entries of a matrix are stored.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Order {
    /// All, row by row.
    Rows,
    /// All, column by column.
    Columns,
    /// Those that are not zero by structure, row by row.
    CompressedRows,
    /// Those that are not zero by structure, column by column.
    CompressedColumns,
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
    /// A matrix, row by row.
    fn new(noun: impl Into<String>, name: &str, shape: Shape, entries: Option<String>) -> Self {
        let name = Ident::new(name, Span::mixed_site());
        Part { noun: noun.into(), name, shape, order: Some(Order::Rows), place: Place::Returned, entries }
    }
}

/// How the matrices of a function are stored: what its options say, for one of the forms.
#[derive(Copy, Clone)]
struct Storage<'a> {
    layout: Layout,
    is_sparse: bool,
    /// Where the entries of the matrices are; unknown in a stub.
    matrices: &'a [Pattern],
    signature: &'a Signature,
    /// The function that knows the pattern of a sparse matrix.
    pattern: &'a Ident,
}

impl Storage<'_> {
    /// A matrix with this shape where it is stored row by row. `entry` says what an entry is, at row `i` and column
    /// `j`.
    fn matrix(self, noun: &str, name: &str, [rows, columns]: [usize; 2], shape: Shape, entry: &str) -> Part {
        let signature = self.signature;
        let is_row = !matches!(shape, Shape::Array(ref row, _) if matches!(**row, Shape::Array(..)));
        let (order, shape, index) = match (self.is_sparse, self.layout) {
            (true, layout) => {
                let order = self.compressed();
                let count = self.matrices.last().map_or(0, Pattern::count);
                let by = if layout == Layout::CompressedRows { "rows" } else { "columns" };
                let entries = format!(
                    "[k]`: {entry}, entry `k` by {by} of those which are not zero, for the places in `{}`",
                    self.pattern
                );
                return Part {
                    order: Some(order),
                    ..Part::new(format!("{noun}, sparse"), name, array(signature, count), Some(entries))
                };
            }
            (false, Layout::Matrix) => (Order::Columns, nalgebra(signature, rows, columns), "[(i, j)]`"),
            (false, Layout::Columns) if !is_row => {
                (Order::Columns, Shape::Array(Box::new(array(signature, rows)), columns), "[j][i]`")
            }
            _ if is_row => (Order::Rows, shape, "[j]`"),
            _ => (Order::Rows, shape, "[i][j]`"),
        };
        // What looks like a matrix of nalgebra, and is not one in the order of its storage.
        let is_array_of_rows = order == Order::Rows && !is_row && !self.is_sparse;
        let trap = match is_array_of_rows && !self.signature.vectors().is_empty() {
            true => "; as an array of rows, which `SMatrix::from` would transpose: take `layout = \"matrix\"`",
            false => "",
        };
        Part { order: Some(order), ..Part::new(noun, name, shape, Some(format!("{index}: {entry}{trap}"))) }
    }

    /// A vector beside a matrix, an entry for each column.
    fn vector(self, noun: &str, name: &str, entry: &str) -> Part {
        let columns = self.signature.columns();
        let shape = match self.layout {
            Layout::Matrix if !self.is_sparse => nalgebra(self.signature, columns, 1),
            _ => array(self.signature, columns),
        };
        Part::new(noun, name, shape, Some(format!("[j]`: {entry}")))
    }

    fn compressed(self) -> Order {
        match self.layout {
            Layout::CompressedRows => Order::CompressedRows,
            _ => Order::CompressedColumns,
        }
    }
}

/// A matrix of nalgebra, by the path before a vector in the signature.
fn nalgebra(signature: &Signature, rows: usize, columns: usize) -> Shape {
    let (float, [height, width]) = (signature.scalar.ty(), [rows, columns].map(Literal::usize_unsuffixed));
    let path = signature.vector_prefix();
    let tokens = quote!(#path SMatrix<#float, #height, #width>);
    let layout = vector::Layout::matrix(rows, columns);
    Shape::Vector(Box::new(VectorType::new(layout, signature.scalar.clone(), tokens.to_string(), tokens)))
}

/// The vectors that derivatives are multiplied by, in the order of the engine's inputs.
fn seeds(form: Form, signature: &Signature, derivative: Option<&Derivative>, names: &mut Names) -> Vec<Part> {
    let columns = signature.columns();
    let mut seed = |name: &str, shape: Shape, entries: String| {
        let name = names.fresh(name);
        Part { noun: String::new(), name, shape, order: None, place: Place::Read, entries: Some(entries) }
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
        Form::Jacobian | Form::JacobianOnly | Form::Hessian | Form::NormalEquations | Form::Labels => {}
        Form::TangentProduct | Form::LabelsTangentProduct => seeds.push(("tangent", along())),
        Form::CotangentProduct | Form::LabelsCotangentProduct => seeds.push(("cotangent", across())),
        Form::HessianProduct => seeds.push(("direction", along())),
    }
    if form.is_second_order() && signature.rows() > 1 {
        seeds.push(("weights", across()));
    }
    if form.is_of_labels() {
        let floats: usize = seeds.iter().map(|(_, (shape, _))| shape.count()).sum();
        let count = derivative.map_or(0, |derivative| derivative.list.inputs().len() - floats);
        seeds.push(("labels", (array(signature, count), format!("`: the {count} labels at this point"))));
    }
    seeds.into_iter().map(|(name, (shape, entries))| seed(name, shape, entries)).collect()
}

/// What a function of this form gives, in the order of the outputs.
fn parts(form: Form, storage: Storage<'_>, seeds: &[Part]) -> Vec<Part> {
    let (mut parts, signature) = (Vec::new(), storage.signature);
    if form.has_values() {
        parts.extend(value(signature).into_iter().chain(outputs(signature)));
    }
    let (rows, columns) = (signature.rows(), signature.columns());
    let seed = seeds.first().map(|seed| seed.name.to_string()).unwrap_or_default();
    if form == Form::NormalEquations {
        let entry = format!("the product of column `j` of {columns} of the Jacobian with the results");
        parts.push(storage.vector("transposed Jacobian times value", "gradient", &entry));
    }
    if form.is_second_order() {
        let of = if rows > 1 { "the weighted sum of the results" } else { "the result" };
        let entry = format!("the partial derivative of {of} with respect to column `j` of {columns}");
        parts.push(storage.vector("gradient", "gradient", &entry));
    }
    let square = || Shape::Array(Box::new(array(signature, columns)), columns);
    parts.push(match form {
        Form::Jacobian | Form::JacobianOnly => jacobian(storage),
        Form::TangentProduct | Form::LabelsTangentProduct => {
            let entries = (!signature.is_gradient())
                .then(|| format!("[i]`: the derivative of float `i` of {rows}{} along `{seed}`", of_result(signature)));
            Part::new(format!("Jacobian times `{seed}`"), "product", per_row(signature), entries)
        }
        Form::CotangentProduct | Form::LabelsCotangentProduct => {
            let entries = format!(
                "[j]`: the derivative of the results, weighted with `{seed}`, with respect to column `j` of {columns}"
            );
            let noun = format!("transposed Jacobian times `{seed}`");
            Part::new(noun, "product", array(signature, columns), Some(entries))
        }
        Form::Hessian => {
            let entry = format!("the second derivative with respect to columns `i` and `j` of {columns}");
            storage.matrix(noun(form), "hessian", [columns, columns], square(), &entry)
        }
        Form::HessianProduct => {
            let entries = format!("[j]`: the derivative of entry `j` of the gradient along `{seed}`");
            Part::new(format!("Hessian times `{seed}`"), "product", array(signature, columns), Some(entries))
        }
        Form::NormalEquations => {
            let entry = format!("the product of columns `i` and `j` of {columns} of the Jacobian");
            storage.matrix(noun(form), "normal", [columns, columns], square(), &entry)
        }
        Form::Labels => {
            let count = storage.matrices.last().map_or(0, Pattern::count);
            let entries = format!("`: {count} numbers that stand for the Jacobian");
            Part::new("Jacobian as a linear map", "labels", array(signature, count), Some(entries))
        }
    });
    parts
}

fn value(signature: &Signature) -> Option<Part> {
    signature.has_value().then(|| Part { order: None, ..Part::new("value", "value", signature.result.clone(), None) })
}

fn outputs(signature: &Signature) -> impl Iterator<Item = Part> {
    signature.outputs().filter_map(|output| {
        let (name, shape) = (emitted(&output.name), output.shape.clone()?);
        Some(Part { noun: "output".to_string(), name, shape, order: None, place: Place::Assigned, entries: None })
    })
}

/// The rows of all floats that the function computes; of a single float, its row.
fn jacobian(storage: Storage<'_>) -> Part {
    let signature = storage.signature;
    let (rows, columns) = (signature.rows(), signature.columns());
    let row = array(signature, columns);
    let column = format!("with respect to column `j` of {columns}");
    let (shape, entry) = match signature.is_gradient() {
        true => (row, format!("the partial derivative {column}")),
        false => {
            let entry = format!("the partial derivative of float `i` of {rows}{} {column}", of_result(signature));
            (Shape::Array(Box::new(row), rows), entry)
        }
    };
    storage.matrix("Jacobian", "jacobian", [rows, columns], shape, &entry)
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

/// The name of the function that generated code calls: value and Jacobian, returned.
pub fn name_of_jacobian(function: &ItemFn, options: &Options) -> Ident {
    name(options::JAC, function, options)
}

/// The name of a function that is generated.
pub fn name(request: Request, function: &ItemFn, options: &Options) -> Ident {
    let own = &function.sig.ident;
    let name = match &options.name {
        Some(name) if name != own && !is_of_several_forms(options) => name.clone(),
        _ => {
            let sparse = if request.is_sparse { "_sparse" } else { "" };
            format_ident!("{}_{}{sparse}", own.unraw(), request.form.name(), span = own.span())
        }
    };
    if request.in_place { in_place(&name) } else { name }
}

/// The name of the function that writes in place.
fn in_place(name: &Ident) -> Ident {
    format_ident!("{}_into", name.unraw(), span = name.span())
}

/// The name of the function that gives the pattern of a sparse form.
fn name_of_pattern(form: Form, function: &ItemFn, options: &Options) -> Ident {
    let dense = name(Request { form, is_sparse: false, in_place: false }, function, options);
    format_ident!("{}_pattern", dense.unraw(), span = dense.span())
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

/// The names of the functions that the options ask for, and of those that these need beside them.
pub fn names<'f>(function: &'f ItemFn, options: &'f Options) -> impl Iterator<Item = Ident> + 'f {
    let patterns = wanted(options).into_iter().filter(|&form| is_sparse(form, options));
    let patterns = patterns.map(|form| name_of_pattern(form, function, options));
    options.requests().into_iter().map(|request| name(request, function, options)).chain(patterns)
}

/// Whether one of the functions of this form gives a sparse matrix.
fn is_sparse(form: Form, options: &Options) -> bool {
    options.requests().iter().any(|request| request.form == form && request.is_sparse)
}

/// Whether the functions differ in more than in where they write.
fn is_of_several_forms(options: &Options) -> bool {
    let requests = options.requests();
    requests.iter().any(|request| (request.form, request.is_sparse) != (requests[0].form, requests[0].is_sparse))
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

/// Why what this form gives is too large, if it is: of a sparse matrix, the number of entries is only known from the
/// derivative.
pub fn too_large(form: Form, options: &Options, derivative: &Derivative) -> Option<String> {
    let count = derivative.matrices.last().filter(|_| form == Form::Labels || is_sparse(form, options))?.count();
    (count > MAX_ENTRIES).then(|| refuse::many_nonzeros(noun(form), MAX_ENTRIES))
}

/// What the matrix of a form is.
fn noun(form: Form) -> &'static str {
    match form {
        Form::Hessian => "Hessian",
        Form::NormalEquations => "transposed Jacobian times Jacobian",
        _ => "Jacobian",
    }
}

/// A function that is generated.
pub struct Generated {
    pub name: Ident,
    /// What it takes beside the parameters of the function, in the order of the engine's inputs; the parameters are in
    /// the opposite one, so that weights come before a direction.
    pub seeds: Vec<Part>,
    pub parts: Vec<Part>,
    /// Whether it takes the parameters of the function.
    pub has_parameters: bool,
    /// The type around what it returns, where the function may give none.
    pub fallible: Option<Fallible>,
}

impl Generated {
    /// The functions of this form that the options ask for. Without the derivative, they are stubs.
    pub fn all(
        form: Form,
        function: &ItemFn,
        options: &Options,
        signature: &Signature,
        derivative: Option<&Derivative>,
        names: &mut Names,
    ) -> Vec<Self> {
        let seeds = seeds(form, signature, derivative, names);
        let pattern = name_of_pattern(form, function, options);
        let matrices = derivative.map_or(&[][..], |derivative| &derivative.matrices);
        let mut generated = Vec::new();
        for request in options.requests().into_iter().filter(|request| request.form == form) {
            let is_sparse = request.is_sparse;
            let storage = Storage { layout: options.layout, is_sparse, matrices, signature, pattern: &pattern };
            let (mut parts, name) = (parts(form, storage, &seeds), name(request, function, options));
            if name == function.sig.ident {
                continue;
            }
            for part in parts.iter_mut().filter(|part| request.in_place && part.place == Place::Returned) {
                (part.name, part.place) = (names.fresh(&part.name.to_string()), Place::Written);
            }
            let has_parameters = !form.is_of_labels();
            let fallible = signature.fallible.clone().filter(|_| has_parameters);
            generated.push(Generated { name, seeds: seeds.clone(), parts, has_parameters, fallible });
        }
        generated
    }

    /// The parts that go to this place.
    pub fn at(&self, place: Place) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.place == place)
    }

    /// The arrow and the type after it, if it returns something.
    pub fn returned(&self) -> TokenStream {
        let types: Vec<_> = self.at(Place::Returned).map(|part| part.shape.ty()).collect();
        match (&types[..], &self.fallible) {
            (types, Some(fallible)) => {
                let returned = fallible.around(&together(types));
                quote_spanned!(Span::mixed_site()=> -> #returned)
            }
            ([], None) => TokenStream::new(),
            (types, None) => {
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

/// The function that gives the pattern of a sparse matrix.
pub struct PatternFunction {
    pub name: Ident,
    /// What the matrix is.
    pub noun: &'static str,
    pub is_symmetric: bool,
    pub order: Order,
    /// The numbers of rows and columns.
    pub size: [usize; 2],
    pub entries: Compressed,
}

impl PatternFunction {
    /// That of a form, if the options ask for it.
    pub fn of(form: Form, function: &ItemFn, options: &Options, pattern: &Pattern) -> Option<Self> {
        if !is_sparse(form, options) || options.is_for_calls {
            return None;
        }
        let (order, entries) = match options.layout {
            Layout::CompressedRows => (Order::CompressedRows, pattern.by_rows()),
            _ => (Order::CompressedColumns, pattern.by_columns()),
        };
        Some(PatternFunction {
            name: name_of_pattern(form, function, options),
            noun: noun(form),
            is_symmetric: pattern.is_symmetric,
            order,
            size: [pattern.rows, pattern.columns],
            entries,
        })
    }
}
