//! The type of all floats of a function: a primitive float, or a type parameter whose bounds say what it can do.

use std::rc::Rc;
use std::sync::LazyLock;

use jacobian_list::catalogue::CATALOGUE;
use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::Precision;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{FnArg, GenericParam, ItemFn, Type, TypeParamBound, WherePredicate};

use super::super::diagnostics::Errors;
use super::super::refuse;
use super::ty::{mentions, unwrapped};

/// The type of the floats of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// `f64` or `f32`.
    Primitive(Precision),
    /// A type parameter.
    Parameter(Rc<TypeParameter>),
}

/// A type parameter with bounds.
#[derive(PartialEq, Eq, Debug)]
pub struct TypeParameter {
    /// Its name, where it is declared.
    pub name: Ident,
    /// The last segments of the bounds' paths, `From<f64>` for `core::convert::From<f64>`.
    bounds: Vec<String>,
    /// Whether the function declares it, so that all of its bounds are seen.
    is_own: bool,
}

/// Bounds that imply `Copy`.
const COPY: &[&str] = &["Copy", "Float", "FloatCore", "Real"];

/// Bounds that imply `T::zero()` and `T::one()`.
const UNITS: &[&str] = &["Float", "FloatCore", "Real", "RealField", "ComplexField", "Num", "Zero", "One"];

/// Traits that say nothing of operators, numbers and functions, beside those of [`OPERATORS`].
const PLAIN: &[&str] = &[
    "Copy",
    "Clone",
    "Debug",
    "Display",
    "Default",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sync",
    "Sized",
    "Into",
    "From",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
    "Sum",
    "Product",
    "FromPrimitive",
];

/// The operators and their traits.
const OPERATORS: &[(Intrinsic, &str, &str)] = &[
    (known::ADD, "+", "Add"),
    (known::SUB, "-", "Sub"),
    (known::MUL, "*", "Mul"),
    (known::DIV, "/", "Div"),
    (known::REM, "%", "Rem"),
    (known::NEG, "-", "Neg"),
];

/// Bounds that imply an order.
const ORDERED: &[&str] = &["PartialOrd", "Ord", "Float", "FloatCore", "Real", "RealField"];

/// Bounds by which floats are commonly meant, and which do not imply `Copy`.
const NOT_COPY: &[&str] = &["RealField", "ComplexField"];

/// Traits of the ecosystem that have the functions of floats under the names of the standard library.
const FLOAT_TRAITS: &[&str] = &["Float", "FloatCore", "Real", "ComplexField"];

/// The functions that nalgebra's `RealField` has itself.
static OF_REAL_FIELD: LazyLock<Vec<&str>> =
    LazyLock::new(|| CATALOGUE.iter().filter(|row| row.is_of_real_field).map(|row| row.name).collect());

/// How a number becomes one of a type parameter.
#[derive(Copy, Clone)]
pub enum Conversion {
    /// `T::from(c).unwrap()`, from `num_traits::NumCast`.
    NumCast,
    /// `T::from_f64(c).unwrap()`, from `num_traits::FromPrimitive`.
    FromPrimitive,
    /// `<T as From<f64>>::from(c)`.
    FromF64,
    /// `<T as From<f32>>::from(c)`.
    FromF32,
}

/// The bounds that offer a conversion, the best first: `T::from` is ambiguous where there is `From` as well.
const CONVERSIONS: &[(&str, Conversion)] = &[
    ("From<f64>", Conversion::FromF64),
    ("From<f32>", Conversion::FromF32),
    ("Float", Conversion::NumCast),
    ("FloatCore", Conversion::NumCast),
    ("Real", Conversion::NumCast),
    ("NumCast", Conversion::NumCast),
    ("RealField", Conversion::FromPrimitive),
    ("ComplexField", Conversion::FromPrimitive),
    ("FromPrimitive", Conversion::FromPrimitive),
];

impl Scalar {
    /// The precision of a code list of such floats.
    pub fn precision(&self) -> Precision {
        match self {
            Scalar::Primitive(precision) => *precision,
            Scalar::Parameter(_) => Precision::Generic,
        }
    }

    /// The type: the path of a primitive float, whatever else the user calls so, or the type parameter.
    pub fn ty(&self) -> TokenStream {
        match self {
            Scalar::Primitive(Precision::F32) => quote_spanned!(Span::mixed_site()=> ::core::primitive::f32),
            Scalar::Primitive(_) => quote_spanned!(Span::mixed_site()=> ::core::primitive::f64),
            Scalar::Parameter(parameter) => parameter.name.to_token_stream(),
        }
    }

    /// What the type is called in a message.
    pub fn name(&self) -> String {
        match self {
            Scalar::Parameter(parameter) => parameter.name.to_string(),
            primitive => primitive.suffix().unwrap_or_default().to_string(),
        }
    }

    /// The suffix of its literals, where it has literals.
    pub fn suffix(&self) -> Option<&'static str> {
        match self {
            Scalar::Primitive(Precision::F32) => Some("f32"),
            Scalar::Primitive(_) => Some("f64"),
            Scalar::Parameter(_) => None,
        }
    }

    /// Whether it is a type parameter with a bound of this name.
    pub fn is_bound_by(&self, bound: &str) -> bool {
        matches!(self, Scalar::Parameter(parameter) if parameter.has(&[bound]))
    }

    /// Whether complex numbers are of this type, too, as far as is known.
    pub fn is_complex(&self) -> bool {
        self.is_bound_by("ComplexField") && !self.is_bound_by("RealField")
    }

    /// A statement that compiles where values of the type have an order, which complex numbers have not; none where its
    /// bounds say that they have one.
    pub fn require_order(&self) -> Option<TokenStream> {
        let Scalar::Parameter(parameter) = self else { return None };
        let (name, span) = (&parameter.name, parameter.span());
        (!parameter.has(ORDERED)).then(|| quote_spanned!(span=> let _ = <#name as ::core::cmp::PartialOrd>::lt;))
    }

    /// A statement that compiles where values of the type can be copied only; none where its bounds say that they can.
    pub fn require_copy(&self) -> Option<TokenStream> {
        let Scalar::Parameter(parameter) = self else { return None };
        let (name, span) = (&parameter.name, parameter.span());
        (!parameter.has(COPY)).then(|| quote_spanned!(span=> let _ = ::core::option::Option::<&#name>::copied;))
    }
}

impl TypeParameter {
    /// Where it is declared, for generated code.
    pub fn span(&self) -> Span {
        Span::mixed_site().located_at(self.name.span())
    }

    fn has(&self, bounds: &[&str]) -> bool {
        self.bounds.iter().any(|bound| bounds.contains(&bound.as_str()))
    }

    /// How a number becomes one of this type: what its bounds offer, the best first.
    pub fn conversions(&self) -> impl Iterator<Item = Conversion> {
        CONVERSIONS.iter().filter(|(bound, _)| self.has(&[bound])).map(|(_, conversion)| *conversion)
    }

    /// Whether `T::zero()` and `T::one()` are known to be there.
    pub fn has_units(&self) -> bool {
        self.has(UNITS)
    }

    /// Whether the bounds are known to offer nothing but operators and conversions.
    pub fn is_plain(&self) -> bool {
        let is_plain = |name: &str| PLAIN.contains(&name) || OPERATORS.iter().any(|(.., known)| *known == name);
        self.is_own && self.bounds.iter().all(|bound| is_plain(without_arguments(bound)))
    }

    /// An operator that the bounds are known not to offer, and its trait.
    pub fn lacks(&self, operator: Intrinsic) -> Option<(&'static str, &'static str)> {
        let (_, symbol, name) = OPERATORS.iter().find(|(known, ..)| *known == operator)?;
        let is_offered = self.bounds.iter().any(|bound| without_arguments(bound) == *name);
        (self.is_plain() && !is_offered).then_some((*symbol, *name))
    }

    /// Reports that values of the type cannot be copied, where that is known.
    pub fn check_copy(&self, errors: &mut Errors) {
        if self.has(NOT_COPY) && !self.has(COPY) {
            let (name, bounds) = (&self.name, self.bounds.join(" + "));
            errors.at(name, refuse::not_copy(name, bounds));
        }
    }
}

/// Whether a trait with this name is known to offer the functions of floats; if so, those that it has where it has not
/// all.
pub fn float_trait(name: &str) -> Option<Option<&'static [&'static str]>> {
    match name {
        "RealField" => Some(Some(&OF_REAL_FIELD)),
        _ => FLOAT_TRAITS.contains(&name).then_some(None),
    }
}

/// The type parameter that the floats of `function` are of: the first with a bound that the result or what a mutable
/// reference refers to mentions. One of the surrounding `impl` counts if the where-clause repeats its bound.
pub fn parameter(function: &ItemFn) -> Option<Rc<TypeParameter>> {
    let mut results = function.sig.output.to_token_stream();
    for argument in &function.sig.inputs {
        if let FnArg::Typed(typed) = argument
            && let Type::Reference(reference) = unwrapped(&typed.ty)
            && reference.mutability.is_some()
        {
            results.extend(reference.elem.to_token_stream());
        }
    }
    let candidates = candidates(function).into_iter();
    candidates.filter(|candidate| mentions(results.clone(), &[&candidate.name.to_string()])).map(Rc::new).next()
}

/// The type parameters with bounds, in the order of their declaration.
fn candidates(function: &ItemFn) -> Vec<TypeParameter> {
    let generics = &function.sig.generics;
    let mut found: Vec<TypeParameter> = Vec::new();
    for parameter in &generics.params {
        if let GenericParam::Type(parameter) = parameter {
            found.push(TypeParameter { name: parameter.ident.clone(), bounds: names(&parameter.bounds), is_own: true });
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        let WherePredicate::Type(predicate) = predicate else { continue };
        let Type::Path(path) = &predicate.bounded_ty else { continue };
        let is_parameter = |name: &&Ident| path.qself.is_none() && ["f64", "f32"].iter().all(|float| **name != float);
        let Some(name) = path.path.get_ident().filter(is_parameter) else { continue };
        match found.iter_mut().find(|parameter| parameter.name == *name) {
            Some(parameter) => parameter.bounds.extend(names(&predicate.bounds)),
            None => found.push(TypeParameter { name: name.clone(), bounds: names(&predicate.bounds), is_own: false }),
        }
    }
    found.retain(|parameter| !parameter.bounds.is_empty());
    found
}

/// `Add` of `Add<Output=T>`.
fn without_arguments(bound: &str) -> &str {
    bound.split('<').next().unwrap_or(bound)
}

/// The last segments of the traits among `bounds`.
fn names<'b>(bounds: impl IntoIterator<Item = &'b TypeParamBound>) -> Vec<String> {
    let name = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) if bound.maybe.is_none() => {
            let text = bound.path.segments.last()?.to_token_stream().to_string();
            Some(text.replace(' ', ""))
        }
        _ => None,
    };
    bounds.into_iter().filter_map(name).collect()
}
