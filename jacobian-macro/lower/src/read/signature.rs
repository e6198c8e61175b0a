//! The signature: which parameters are active, what the result is.

use std::rc::Rc;

use jacobian_list::chart::{Chart, Charts};
use jacobian_list::code_list::Precision;
use jacobian_list::form::Form;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{FnArg, ItemFn, Member, Pat, PatIdent, ReturnType, Type, parse_quote};

use super::super::diagnostics::Errors;
use super::super::names::emitted;
use super::super::refuse;
use super::super::syntax::{self, Fallible};
use super::layout;
use super::options::{self, Named, Options};
use super::scalar::{self, Scalar};
use super::shape::{self, Reader, Reading, Shape, Structs};
use super::ty::{OF_STD, is_mutable_reference, unwrapped};
use super::vector::{Layout, VectorType};

/// What a parameter is to the differentiation.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Role {
    /// The function is differentiated with respect to it.
    Active,
    /// It is passed through.
    Passive,
    /// A mutable reference to floats that the function assigns: they are rows of the Jacobian.
    Output,
    /// The same, by which the function is differentiated, too: what they are before is columns.
    Changed,
}

impl Role {
    /// Whether the function assigns it.
    pub fn is_output(self) -> bool {
        matches!(self, Role::Output | Role::Changed)
    }

    /// Whether the function is differentiated with respect to it.
    fn is_active(self) -> bool {
        matches!(self, Role::Active | Role::Changed)
    }
}

/// A parameter other than `self`.
pub struct Parameter {
    /// Its name in the generated function.
    pub name: Ident,
    /// The pattern that the user wrote.
    pub pattern: Pat,
    /// Its type.
    pub ty: Type,
    /// The shape, where it consists of floats; of an output, the shape behind the reference.
    pub shape: Option<Shape>,
    /// What it is to the differentiation.
    pub role: Role,
}

/// Floats by which the function is differentiated: a parameter, or a field of one.
pub struct Independent {
    /// What readers call it.
    pub name: String,
    /// The parameter, or `self`, as it is written in the generated function.
    pub root: Ident,
    /// The type of that parameter.
    pub root_type: Type,
    /// The fields that lead from it to the floats.
    pub fields: Vec<Member>,
    /// The shape of the floats.
    pub shape: Shape,
}

impl Independent {
    /// It as an expression of the generated function.
    pub fn tokens(&self) -> TokenStream {
        let (root, fields) = (&self.root, &self.fields);
        quote!(#root #(.#fields)*)
    }
}

/// What the signature says.
pub struct Signature {
    /// The parameters in order, without `self`.
    pub parameters: Vec<Parameter>,
    /// The shape of `self`, where it is a struct of the module.
    pub receiver: Option<Shape>,
    /// The shape of the result, or of what is in it if it is an `Option` or a `Result`; an empty tuple where only
    /// parameters are assigned.
    pub result: Shape,
    /// The type of the result, where it is such a one.
    pub fallible: Option<Fallible>,
    /// The type of all active floats.
    pub scalar: Scalar,
    /// What the function is differentiated by, in the order of the columns: that of `wrt`, if there is one.
    active: Vec<Independent>,
    /// What is differentiated by its tangents.
    pub charts: Charts,
}

impl Signature {
    /// What the function is differentiated by, in the order of the columns.
    pub fn active(&self) -> &[Independent] {
        &self.active
    }

    /// The shape of a parameter, or of `self`, of this name in the generated function.
    pub fn shape_of_root(&self, root: &str) -> Option<&Shape> {
        match self.parameters.iter().find(|parameter| emitted(&parameter.name) == root) {
            Some(parameter) => parameter.shape.as_ref(),
            None => self.receiver.as_ref().filter(|_| root == "self"),
        }
    }

    /// Whether a parameter of this name, or `self`, is a struct of the module whose parts are known.
    pub fn is_struct(&self, root: &Ident) -> bool {
        let shape = self.shape_of_root(&root.to_string()).map(Shape::behind_references);
        matches!(shape, Some(Shape::Struct(_)))
    }

    /// The outputs in order.
    pub fn outputs(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.role.is_output())
    }

    fn active_shapes(&self) -> impl Iterator<Item = &Shape> {
        self.active.iter().map(|independent| &independent.shape)
    }

    /// The number of columns of the Jacobian.
    pub fn columns(&self) -> usize {
        self.active_shapes().map(Shape::count).fold(0, usize::saturating_add) - shape::surplus(&self.charts.inputs)
    }

    /// The shapes of what is differentiated, in the order of the rows: of the result, then of the outputs.
    pub fn dependents(&self) -> impl Iterator<Item = &Shape> {
        std::iter::once(&self.result).chain(self.outputs().filter_map(|output| output.shape.as_ref()))
    }

    /// The types of vectors that active parameters and dependents have.
    pub fn vectors(&self) -> Vec<&VectorType> {
        let mut found = Vec::new();
        self.active_shapes().chain(self.dependents()).for_each(|shape| shape.vectors(&mut found));
        found
    }

    /// The number of rows of the Jacobian.
    pub fn rows(&self) -> usize {
        self.dependents().map(Shape::count).fold(0, usize::saturating_add) - shape::surplus(&self.charts.outputs)
    }

    /// Whether the function returns a value, beside what it assigns.
    pub fn has_value(&self) -> bool {
        self.result.count() > 0
    }

    /// The path before the names of nalgebra, as it is written for one of its types here; that of the crate if none has
    /// one.
    pub fn vector_prefix(&self) -> TokenStream {
        let mut vectors = Vec::new();
        let shapes = self.parameters.iter().filter_map(|parameter| parameter.shape.as_ref());
        shapes.chain([&self.result]).chain(self.active_shapes()).for_each(|shape| shape.vectors(&mut vectors));
        let prefixes = vectors.iter().filter_map(|vector| vector.path.rsplit_once("::")?.0.parse::<TokenStream>().ok());
        let prefix = prefixes.into_iter().next().unwrap_or_else(|| quote!(::nalgebra));
        quote!(#prefix::)
    }

    /// Whether a single float is all that the function computes, so that the Jacobian is a row by itself.
    pub fn is_gradient(&self) -> bool {
        let mut dependents = self.dependents().filter(|shape| shape.count() > 0);
        matches!((dependents.next(), dependents.next()), (Some(Shape::Float(_)), None))
    }
}

/// The most derivatives that a form gives. Beyond, the expansion takes minutes and the array overflows stacks.
pub const MAX_ENTRIES: usize = 100_000;

/// Reads the signature of `function`; none if an error was found that leaves it unknown.
pub fn read(
    function: &ItemFn,
    options: &Options,
    (structs, own): (&Rc<Structs>, Option<&Shape>),
    errors: &mut Errors,
) -> Option<Signature> {
    check_qualifiers(function, options, errors);
    let reader = Reader::new(scalar::parameter(function)).with(structs).behind(&function.sig.generics);
    let parameters = read_parameters(function, &reader, options, errors);
    let has_output = parameters.iter().flatten().any(|parameter| parameter.role.is_output());
    let result = read_result(function, &reader, has_output || parameters.is_none(), errors);
    let known = parameters.as_deref().unwrap_or_default();
    let receiver = receiver_shape(function, own);
    let (fields, is_complete) = read_fields((function, receiver.as_ref()), known, (&reader, options), errors);
    let active_receiver = receiver.as_ref().filter(|shape| wrt_receiver(options).is_some() && shape.opaque().is_none());
    if let (Some(named), None) = (wrt_receiver(options), active_receiver) {
        errors.at(named, refuse::wrt_struct("self"));
        return None;
    }
    let scalar = scalar(known, (&fields, result.as_ref(), active_receiver), (function, &reader), errors);
    let (parameters, result, scalar) = (parameters?, result?, scalar.filter(|_| is_complete)?);
    if let Scalar::Parameter(parameter) = &scalar {
        parameter.check_copy(errors);
    }
    let active = active(function, (&parameters, &fields, active_receiver), &scalar, options);
    let (fallible, charts) = (fallible(function), Charts::default());
    let mut signature = Signature { parameters, receiver, result, fallible, scalar, active, charts };
    signature.charts = charts_of(&signature, options, errors);
    if let (Some(_), Some(output)) = (&signature.fallible, signature.outputs().next()) {
        errors.at(&output.ty, refuse::FALLIBLE_OUTPUT);
        return None;
    }
    check_dependents(function, &signature, options, errors)?;
    Some(signature)
}

/// The signature that `function` would have if its errors were mended, as likely as can be told, so that a stub fits
/// where it is called. Parameters without floats are left out.
pub fn likely(function: &ItemFn, options: &Options) -> Signature {
    let reader = Reader::new(scalar::parameter(function));
    let mut parameters = Vec::new();
    for (index, argument) in function.sig.inputs.iter().enumerate() {
        let FnArg::Typed(typed) = argument else { continue };
        let Some(shape) = reader.likely(&syntax::ty(&typed.ty)) else { continue };
        let name = parameter_name(function, typed, index);
        let role =
            match unwrapped(&typed.ty) {
                Type::Reference(reference) if reference.mutability.is_some() => {
                    if is_named(options, &name) == Some(true) { Role::Changed } else { Role::Output }
                }
                _ if is_named(options, &name).unwrap_or(true) => Role::Active,
                _ => Role::Passive,
            };
        let (pattern, ty) = ((*typed.pat).clone(), (*typed.ty).clone());
        parameters.push(Parameter { name, pattern, ty, shape: Some(shape), role });
    }
    let is_any = |parameters: &[Parameter], is: fn(Role) -> bool| parameters.iter().any(|it| is(it.role));
    let fields: Vec<_> = named_fields(options).map(|named| (named, None)).collect();
    if !is_any(&parameters, Role::is_active) && fields.is_empty() {
        let passive = parameters.iter_mut().filter(|parameter| parameter.role == Role::Passive);
        passive.for_each(|parameter| parameter.role = Role::Active);
    }
    let fallible = fallible(function);
    let ty = match (&function.sig.output, &fallible) {
        (_, Some(fallible)) => Some(&fallible.value),
        (ReturnType::Type(_, ty), None) => Some(&**ty),
        (ReturnType::Default, None) => None,
    };
    let result = ty.and_then(|ty| reader.likely(&syntax::ty(ty)));
    let is_active = |parameter: &&Parameter| parameter.role.is_active();
    let shapes = parameters.iter().filter(is_active).filter_map(|parameter| parameter.shape.as_ref());
    let outputs = parameters.iter().filter_map(|parameter| parameter.shape.as_ref());
    let scalar = shapes.chain(&result).chain(outputs).find_map(Shape::scalar).cloned();
    let scalar = scalar.unwrap_or(Scalar::Primitive(Precision::F64));
    let active = active(function, (&parameters, &fields, None), &scalar, options);
    let has_output = is_any(&parameters, Role::is_output);
    let result = match (ty, result) {
        (None, _) if has_output => Shape::Tuple(Vec::new()),
        (Some(ty), Some(shape))
            if matches!(reader.read(&syntax::ty(ty)), Reading::Floats(_)) && (shape.count() > 0 || has_output) =>
        {
            shape
        }
        (_, shape) => {
            let written = ty.filter(|ty| !matches!(ty, Type::ImplTrait(_) | Type::Never(_)));
            let tokens = written.map_or_else(|| quote!(()), ToTokens::to_token_stream);
            let rows = shape.map_or(1, |shape| shape.count().max(1));
            let layout = Layout::matrix(rows, 1);
            Shape::Vector(Box::new(VectorType::new(layout, scalar.clone(), String::new(), tokens)))
        }
    };
    let charts = Charts::default();
    let mut signature = Signature { parameters, receiver: None, result, fallible, scalar, active, charts };
    signature.charts = charts_of(&signature, options, &mut Errors::default());
    signature
}

/// The rotations that `retract(...)` names.
fn charts_of(signature: &Signature, options: &Options, errors: &mut Errors) -> Charts {
    let (mut charts, retract) = (Charts::default(), &options.retract);
    if let Some(place) = retract.result {
        signature.result.charts(0, &mut charts.outputs);
        if charts.outputs.is_empty() {
            errors.at_span(place, refuse::RETRACT_OTHER);
        }
    }
    for named in &retract.names {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let (mut is_known, mut first) = (false, 0);
        for active in &signature.active {
            is_known |= charts_in(
                named,
                (active.name.trim_start_matches("r#"), &active.fields),
                (&active.shape, first),
                &mut inputs,
            );
            first += active.shape.count();
        }
        first = signature.result.count();
        for output in signature.outputs() {
            let Some(shape) = &output.shape else { continue };
            is_known |= charts_in(named, (&output.name.unraw().to_string(), &[]), (shape, first), &mut outputs);
            first += shape.count();
        }
        match (is_known, inputs.is_empty() && outputs.is_empty()) {
            (false, _) => errors.at(named, refuse::RETRACT_UNKNOWN),
            (true, true) => errors.at(named, refuse::RETRACT_OTHER),
            (true, false) => {}
        }
        charts.inputs.extend(inputs);
        charts.outputs.extend(outputs);
    }
    for charts in [&mut charts.inputs, &mut charts.outputs] {
        charts.sort_by_key(|chart| chart.first);
        charts.dedup();
    }
    let place = retract.names.first().map(|named| named.parameter.span()).or(retract.result);
    let forms: Vec<_> = options.requests().into_iter().map(|request| request.form).collect();
    if let Some(place) = place {
        if options.is_second_order() {
            errors.at_span(place, refuse::RETRACT_SECOND);
        } else if forms.contains(&Form::NormalEquations) && !charts.outputs.is_empty() {
            errors.at_span(place, refuse::RETRACT_NORMAL);
        }
    }
    charts
}

/// Adds the rotations that `named` names of what is called `name`, a parameter or these fields of one, and whose
/// coordinates begin at `first`. Whether it names a part of it, or all of it and more.
fn charts_in(
    named: &Named,
    (name, fields): (&str, &[Member]),
    (shape, first): (&Shape, usize),
    found: &mut Vec<Chart>,
) -> bool {
    let (own, inner) = (named.to_string(), |whole: &str, part: &str| part.starts_with(&format!("{whole}.")));
    let part = match named.fields.get(fields.len()..) {
        Some(rest) if own == name || inner(name, &own) => shape.part(rest),
        _ => inner(&own, name).then_some((0, shape)),
    };
    if let Some((place, part)) = part {
        part.charts(first + place, found);
    }
    part.is_some()
}

/// A field that `wrt` names, and its shape, where its type is written or its struct is one of the module.
type Field<'o> = (&'o Named, Option<Shape>);

/// What the function is differentiated by, in the order of the columns. Fields whose type is not known are floats.
fn active(
    function: &ItemFn,
    (parameters, fields, own): (&[Parameter], &[Field<'_>], Option<&Shape>),
    scalar: &Scalar,
    options: &Options,
) -> Vec<Independent> {
    let mut active = Vec::new();
    if let (Some((root, root_type)), Some(shape)) = (receiver(function), own) {
        let rank = options.wrt.iter().flatten().position(|named| named.parameter == "self");
        let (name, shape) = ("self".to_string(), shape.clone());
        active.push((rank, Independent { name, root, root_type, fields: Vec::new(), shape }));
    }
    for parameter in parameters.iter().filter(|parameter| parameter.role.is_active()) {
        let Some(shape) = parameter.shape.clone() else { continue };
        let rank = options.wrt.iter().flatten().position(|named| named.is_parameter(&parameter.name.unraw()));
        let (name, root, root_type) = (parameter.name.to_string(), emitted(&parameter.name), parameter.ty.clone());
        active.push((rank, Independent { name, root, root_type, fields: Vec::new(), shape }));
    }
    for (named, shape) in fields {
        let is_root = |parameter: &&Parameter| parameter.name.unraw() == named.parameter;
        let parameter =
            parameters.iter().find(is_root).map(|parameter| (emitted(&parameter.name), parameter.ty.clone()));
        let Some((mut root, root_type)) = parameter.or_else(|| receiver(function)) else { continue };
        // What is wrong with the field is seen where it is named.
        root.set_span(root.span().located_at(named.parameter.span()));
        let shape = shape.clone().unwrap_or_else(|| Shape::Float(scalar.clone()));
        let rank = options.wrt.iter().flatten().position(|other| std::ptr::eq(other, *named));
        let (name, fields) = (named.to_string(), named.fields.clone());
        active.push((rank, Independent { name, root, root_type, fields, shape }));
    }
    active.sort_by_key(|(rank, _)| *rank);
    active.into_iter().map(|(_, independent)| independent).collect()
}

/// `self`, if it is a parameter, and its type.
fn receiver(function: &ItemFn) -> Option<(Ident, Type)> {
    let receiver = function.sig.receiver()?;
    let ty = match &receiver.kind {
        syn::ReceiverKind::Reference(..) => parse_quote!(&Self),
        // A smart pointer has no fields: those that are read behind it are those of the type.
        _ => parse_quote!(Self),
    };
    Some((Ident::new("self", receiver.self_token.span), ty))
}

/// The shape of `self`, if it is a parameter of this type.
fn receiver_shape(function: &ItemFn, own: Option<&Shape>) -> Option<Shape> {
    let (receiver, own) = (function.sig.receiver()?, own?.clone());
    match &receiver.kind {
        syn::ReceiverKind::Value => Some(own),
        syn::ReceiverKind::Reference(..) => Some(Shape::Reference(Box::new(own))),
        _ => None,
    }
}

/// `self`, if `wrt` names all of it.
fn wrt_receiver(options: &Options) -> Option<&Named> {
    options.wrt.iter().flatten().find(|named| named.fields.is_empty() && named.parameter == "self")
}

/// The fields that `wrt` names.
fn named_fields(options: &Options) -> impl Iterator<Item = &Named> {
    options.wrt.iter().flatten().filter(|named| !named.fields.is_empty())
}

/// Whether `wrt` names all of a parameter, if there is one.
fn is_named(options: &Options, parameter: &Ident) -> Option<bool> {
    let parameter = parameter.unraw();
    options.wrt.as_ref().map(|names| names.iter().any(|named| named.is_parameter(&parameter)))
}

/// The fields that `wrt` names, with what their types say, and whether all of them are understood.
fn read_fields<'o>(
    (function, own): (&ItemFn, Option<&Shape>),
    parameters: &[Parameter],
    (reader, options): (&Reader, &'o Options),
    errors: &mut Errors,
) -> (Vec<Field<'o>>, bool) {
    let (mut fields, mut is_complete) = (Vec::new(), true);
    for named in named_fields(options) {
        let parameter = parameters.iter().find(|parameter| parameter.name.unraw() == named.parameter);
        match (parameter, function.sig.receiver()) {
            (Some(Parameter { pattern: Pat::Ident(PatIdent { mutability: Some(_), .. }), .. }), _) => {
                errors.at(named, refuse::WRT_FIELD_OF_MUTABLE);
            }
            (Some(parameter), _) if is_mutable_reference(&parameter.ty) => {
                errors.at(named, refuse::WRT_FIELD_OF_MUTABLE);
            }
            (Some(Parameter { pattern: Pat::Ident(PatIdent { by_ref: None, subpat: None, .. }), .. }), _) => {}
            (Some(parameter), _) => errors.at(&parameter.pattern, refuse::WRT_FIELD_OF_PATTERN),
            (None, Some(receiver)) if receiver.mutability.is_some() => errors.at(named, refuse::WRT_FIELD_OF_MUTABLE),
            _ => {}
        }
        let root = match parameter {
            Some(parameter) => parameter.shape.clone().or_else(|| reader.passive(&syntax::ty(&parameter.ty))),
            None => own.cloned(),
        };
        let seen = root.and_then(|root| field_of(&root, &named.fields, reader)).map(|field| match field {
            Shape::Opaque(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_) | Shape::Passive(_) => {
                Reading::Other
            }
            field => Reading::Floats(field),
        });
        let (reading, place) = match &named.ty {
            Some(ty) => (Some(reader.read(&syntax::ty(ty))), ty.to_token_stream()),
            None => (seen, named.to_token_stream()),
        };
        let shape = match reading {
            Some(Reading::Floats(shape)) if !shape.has_tuple() && !shape.has_reference() && shape.count() > 0 => {
                Some(shape)
            }
            Some(Reading::Unclear(why)) => {
                errors.at(&place, why);
                is_complete = false;
                None
            }
            Some(Reading::Floats(_) | Reading::Other) => {
                errors.at(&place, refuse::WRT_FIELD_TYPE);
                is_complete = false;
                None
            }
            None => None,
        };
        fields.push((named, shape));
    }
    (fields, is_complete)
}

/// The shape of a field of a field of what has this shape, as far as it is seen.
fn field_of(shape: &Shape, fields: &[Member], reader: &Reader) -> Option<Shape> {
    let Some((first, rest)) = fields.split_first() else { return Some(shape.clone()) };
    match (shape.behind_references(), first) {
        (Shape::Opaque(own), member) => field_of(&reader.passive(&syntax::ty(own.field(member)?))?, rest, reader),
        (Shape::Tuple(elements), Member::Unnamed(index)) => field_of(elements.get(index.index as usize)?, rest, reader),
        (shape, _) => shape.part(fields).map(|(_, part)| part.clone()),
    }
}

/// The floats of the result and of the outputs are those of the active parameters, and not too many.
fn check_dependents(function: &ItemFn, signature: &Signature, options: &Options, errors: &mut Errors) -> Option<()> {
    if !signature.result.is_all(&signature.scalar) {
        errors.at(&function.sig.output, refuse::RESULT_FLOATS);
        return None;
    }
    for output in signature.outputs() {
        if !output.shape.as_ref()?.is_all(&signature.scalar) {
            errors.at(&output.ty, refuse::OUTPUT_FLOATS);
            return None;
        }
    }
    let (rows, columns) = (signature.rows(), signature.columns());
    let dense = options.requests().into_iter().filter(|request| !request.is_sparse);
    let mut forms = dense.map(|request| request.form);
    if let Some(form) = forms.find(|form| form.entries(rows, columns) > MAX_ENTRIES) {
        let what = if form.is_second_order() { "Hessian" } else { "Jacobian" };
        errors.at(&function.sig.ident, refuse::many_entries(what, MAX_ENTRIES));
        return None;
    }
    Some(())
}

fn check_qualifiers(function: &ItemFn, options: &Options, errors: &mut Errors) {
    let signature = &function.sig;
    if let Some(token) = signature.constness.filter(|_| options.layout == layout::Layout::Matrix) {
        errors.at(&token, refuse::CONST_MATRIX);
    }
    if let Some(token) = &signature.asyncness {
        errors.at(token, refuse::ASYNC_FUNCTION);
    }
    if let syn::Safety::Unsafe(token) = &signature.safety {
        errors.at(token, refuse::UNSAFE_FUNCTION);
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, refuse::FOREIGN_ABI);
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, refuse::VARIADIC);
    }
}

fn read_parameters(
    function: &ItemFn,
    reader: &Reader,
    options: &Options,
    errors: &mut Errors,
) -> Option<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut complete = true;
    for (index, argument) in function.sig.inputs.iter().enumerate() {
        match argument {
            FnArg::Receiver(receiver) => check_receiver(receiver, errors),
            FnArg::Typed(typed) => match read_parameter(function, typed, index, (reader, options), errors) {
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
    let receiver = function.sig.receiver().map(|_| "self".to_string());
    let names: Vec<_> = parameters.iter().map(|parameter| parameter.name.unraw().to_string()).chain(receiver).collect();
    if complete {
        options::check_wrt(options, &names, errors);
    }
    complete.then_some(parameters)
}

/// The name of a parameter in the generated function.
fn parameter_name(function: &ItemFn, typed: &syn::PatType, index: usize) -> Ident {
    match &*typed.pat {
        Pat::Ident(ident) => ident.ident.clone(),
        _ => unused_name(&format!("arg{index}"), function, &[]),
    }
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
        errors.at(receiver, refuse::MUTABLE_SELF);
    }
    check_attributes(&receiver.attrs, errors);
}

fn check_attributes(attributes: &[syn::Attribute], errors: &mut Errors) {
    for attribute in attributes {
        errors.at(attribute, refuse::PARAMETER_ATTRIBUTE);
    }
}

fn read_parameter(
    function: &ItemFn,
    typed: &syn::PatType,
    index: usize,
    (reader, options): (&Reader, &Options),
    errors: &mut Errors,
) -> Option<Parameter> {
    check_attributes(&typed.attrs, errors);
    let name = parameter_name(function, typed, index);
    // A slice is no column: what is generated for a call is given those that are passive.
    let is_data =
        || options.is_for_calls && matches!(reader.read(&syntax::ty(&typed.ty)), Reading::Unclear(refuse::SLICE));
    let named = is_named(options, &name).or_else(|| is_data().then_some(false));
    let (role, shape) = match unwrapped(&typed.ty) {
        Type::Reference(reference) if reference.mutability.is_some() => {
            match read_output(typed, &reference.elem, reader, named, errors)? {
                Some(shape) if named == Some(true) => (Role::Changed, Some(shape)),
                Some(shape) => (Role::Output, Some(shape)),
                None => (Role::Passive, None),
            }
        }
        _ => match read_input((&name, typed), (reader, function), named, errors)? {
            Some(shape) if named.unwrap_or(!shape.has_passive()) => (Role::Active, Some(shape)),
            shape => (Role::Passive, shape),
        },
    };
    Some(Parameter { name, pattern: (*typed.pat).clone(), ty: (*typed.ty).clone(), role, shape })
}

/// The shape of a parameter that is read only, if it consists of floats; `named` says whether `wrt` names it.
fn read_input(
    (name, typed): (&Ident, &syn::PatType),
    (reader, function): (&Reader, &ItemFn),
    named: Option<bool>,
    errors: &mut Errors,
) -> Option<Option<Shape>> {
    let ty = &*typed.ty;
    match (reader.read(&syntax::ty(ty)), named) {
        (Reading::Floats(shape), _) if !shape.has_tuple() => Some(Some(shape)),
        (Reading::Floats(shape), Some(false)) => Some(Some(shape)),
        (Reading::Floats(_), _) => {
            errors.at(ty, refusal(refuse::ACTIVE_TUPLE, named));
            None
        }
        (Reading::Unclear(why), None | Some(true)) => {
            let unknown = reader.why_unknown(ty);
            errors.at(ty, refusal(unknown.as_deref().unwrap_or(why), named));
            None
        }
        (Reading::Other, Some(true)) => {
            let why = reader.why_unknown(ty).filter(|_| is_struct(ty, function));
            errors.at(
                ty,
                match is_struct(ty, function) {
                    true => why.unwrap_or_else(|| refuse::wrt_struct(name)),
                    false => refuse::WRT_OTHER.to_string(),
                },
            );
            None
        }
        (Reading::Unclear(_) | Reading::Other, _) => Some(None),
    }
}

/// The shape of what a mutable reference refers to, if it consists of floats; `named` says whether `wrt` names it.
fn read_output(
    typed: &syn::PatType,
    target: &Type,
    reader: &Reader,
    named: Option<bool>,
    errors: &mut Errors,
) -> Option<Option<Shape>> {
    let shape = match (reader.read(&syntax::ty(target)), named) {
        (Reading::Floats(shape), named) if shape.has_passive() && named != Some(true) => return Some(None),
        (Reading::Floats(shape), _) if !shape.has_reference() && shape.count() > 0 => shape,
        (Reading::Unclear(_) | Reading::Other, Some(false)) | (Reading::Other, None) => return Some(None),
        (Reading::Unclear(why), _) => {
            let why = if why == refuse::SLICE { refuse::SLICE_OUTPUT } else { why };
            errors.at(&typed.ty, refusal(why, named));
            return None;
        }
        _ => {
            errors.at(&typed.ty, refuse::MUTABLE_TARGET);
            return None;
        }
    };
    if named == Some(true) && (shape.has_struct() || shape.has_tuple()) {
        errors.at(&typed.ty, refuse::WRT_OUTPUT);
        return None;
    }
    let is_name = matches!(
        &*typed.pat,
        Pat::Ident(PatIdent { by_ref: None, mutability: None, subpat: None, attrs, .. }) if attrs.is_empty()
    );
    if !is_name {
        errors.at(&typed.pat, refuse::OUTPUT_PATTERN);
        return None;
    }
    Some(Some(shape))
}

/// Whether a type has a name like a struct, and is no type parameter of the function.
fn is_struct(ty: &Type, function: &ItemFn) -> bool {
    match unwrapped(ty) {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            let is_parameter = function.sig.generics.type_params().any(|parameter| parameter.ident == last.ident);
            name.starts_with(char::is_uppercase) && !is_parameter && !OF_STD.contains(&name.as_str())
        }),
        Type::Reference(reference) => is_struct(&reference.elem, function),
        _ => false,
    }
}

fn refusal(why: &str, named: Option<bool>) -> String {
    match named {
        None => refuse::or_name_active(why),
        Some(_) => why.to_string(),
    }
}

/// What a function gives that is differentiated, if it is an `Option` or a `Result`: what is in it is to be floats.
fn fallible(function: &ItemFn) -> Option<Fallible> {
    Fallible::of(&function.sig, &|_| true)
}

/// The shape of the result. It may be missing where a parameter `has_output`.
fn read_result(function: &ItemFn, reader: &Reader, has_output: bool, errors: &mut Errors) -> Option<Shape> {
    let nothing = Shape::Tuple(Vec::new());
    let ReturnType::Type(_, ty) = &function.sig.output else {
        if !has_output {
            errors.at(&function.sig.ident, refuse::NO_RESULT);
        }
        return has_output.then_some(nothing);
    };
    let fallible = fallible(function);
    let ty = fallible.as_ref().map_or(&**ty, |fallible| &fallible.value);
    match reader.read(&syntax::ty(ty)) {
        Reading::Floats(shape) if shape.has_passive() => errors.at(ty, refuse::STRUCT_RESULT_PASSIVE),
        Reading::Floats(shape) if !shape.has_reference() && shape.count() > 0 => return Some(shape),
        Reading::Floats(Shape::Tuple(elements)) if elements.is_empty() && has_output => return Some(nothing),
        Reading::Unclear(why) => errors.at(ty, reader.why_unknown(ty).unwrap_or_else(|| why.to_string())),
        Reading::Other if is_struct(ty, function) => match reader.why_unknown(ty) {
            Some(why) => errors.at(ty, why),
            None => errors.at(ty, refuse::STRUCT_RESULT),
        },
        _ => errors.at(ty, refuse::RESULT_TYPE),
    }
    None
}

/// Reports that nothing is active, by what there is.
fn no_active(function: &ItemFn, reader: &Reader, errors: &mut Errors) {
    for input in &function.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        if let Some(why) = reader.why_unknown(&typed.ty) {
            return errors.at(&typed.ty, why);
        }
        if reader.mentions_struct(&typed.ty) {
            return errors.at(&typed.ty, refuse::STRUCT_INSIDE);
        }
        if let (true, Pat::Ident(pattern)) = (is_struct(&typed.ty, function), &*typed.pat) {
            return errors.at(&typed.ty, refuse::no_active_struct(&pattern.ident));
        }
    }
    match function.sig.receiver() {
        Some(receiver) => errors.at(receiver, refuse::NO_ACTIVE_SELF),
        None => errors.at(&function.sig.ident, refuse::NO_ACTIVE),
    }
}

/// The type of all active floats. Where only fields are active and none has a type, that of the result.
fn scalar(
    parameters: &[Parameter],
    (fields, result, receiver): (&[Field<'_>], Option<&Shape>, Option<&Shape>),
    (function, reader): (&ItemFn, &Reader),
    errors: &mut Errors,
) -> Option<Scalar> {
    let mut found = None;
    if let Some(shape) = receiver {
        let expected = found.get_or_insert(shape.scalar()?.clone());
        if !shape.is_all(expected) {
            errors.at(&function.sig.ident, refuse::FLOAT_TYPES);
            return None;
        }
    }
    for parameter in parameters.iter().filter(|parameter| parameter.role.is_active()) {
        let shape = parameter.shape.as_ref()?;
        let expected = found.get_or_insert(shape.scalar()?.clone());
        if !shape.is_all(expected) {
            errors.at(&parameter.ty, refuse::FLOAT_TYPES);
            return None;
        }
    }
    for (named, shape) in fields {
        let Some(shape) = shape else { continue };
        let expected = found.get_or_insert(shape.scalar()?.clone());
        if !shape.is_all(expected) {
            errors.at(*named, refuse::FLOAT_TYPES);
            return None;
        }
    }
    if !fields.is_empty() {
        let outputs = parameters.iter().filter(|parameter| parameter.role.is_output());
        let dependents = result.into_iter().chain(outputs.filter_map(|output| output.shape.as_ref()));
        found = found.or(dependents.into_iter().find_map(Shape::scalar).cloned());
    }
    if found.is_none() && errors.is_empty() {
        no_active(function, reader, errors);
    }
    found
}
