//! Numbers of the generated code: literals of a primitive float, and what stands for them where the floats are of a
//! type parameter.

use jacobian_core::catalogue::{STANDARD_CONSTANTS, known};
use jacobian_core::code_list::{CodeList, Constant, Precision, Statement};
use jacobian_lower::read::scalar::{Conversion, Scalar, TypeParameter};
use jacobian_lower::refuse;
use proc_macro2::{Delimiter, Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::writer::Writer;

/// Where a number is.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Position {
    /// By itself, between commas.
    Alone,
    /// As an operand: in parentheses if it is negative.
    Operand,
    /// As the receiver of a method: as an operand, and its type can be seen.
    Receiver,
}

/// A number at `position`.
pub fn constant(scalar: &Scalar, constant: Constant, position: Position) -> Writer {
    let mut out = Writer::default();
    if is_negative(constant) {
        out.punct("-");
    }
    match (constant, scalar) {
        (Constant::Bool(value), _) => out.word(if value { "true" } else { "false" }),
        (Constant::Int(value), _) => out.token(Literal::u32_unsuffixed(value.unsigned_abs())),
        (Constant::Float(value), Scalar::Parameter(parameter)) => {
            out.stream(of_parameter(parameter, value.abs()).unwrap_or_default())
        }
        (Constant::Float(value), scalar) => out.append(primitive(scalar, value.abs(), position)),
    };
    if position == Position::Alone || !is_negative(constant) {
        return out;
    }
    out.within(Delimiter::Parenthesis)
}

/// Whether a number is written with a minus.
fn is_negative(constant: Constant) -> bool {
    match constant {
        Constant::Bool(_) => false,
        Constant::Int(value) => value < 0,
        Constant::Float(value) => value.is_sign_negative() && !value.is_nan(),
    }
}

/// A magnitude, or a NaN, as a primitive float.
fn primitive(scalar: &Scalar, magnitude: f64, position: Position) -> Writer {
    if !magnitude.is_finite() {
        let mut path = Writer::from(scalar.ty());
        path.punct("::").word(if magnitude.is_nan() { "NAN" } else { "INFINITY" });
        return path;
    }
    if let Some(path) = mathematical(scalar.precision(), magnitude) {
        return path;
    }
    let mut literal = Writer::default();
    literal.token(float_literal(scalar, magnitude, position == Position::Receiver));
    literal
}

/// A constant of the partials that the standard library has a name for. Clippy wants it to be used.
fn mathematical(precision: Precision, magnitude: f64) -> Option<Writer> {
    let (module, same): (_, fn(f64, f64) -> bool) = match precision {
        Precision::F32 => ("f32", |known, magnitude| known as f32 == magnitude as f32),
        _ => ("f64", |known, magnitude| known == magnitude),
    };
    let (name, _) = STANDARD_CONSTANTS.iter().find(|(_, value)| same(*value, magnitude))?;
    let mut path = Writer::default();
    for part in ["core", module, "consts", name] {
        path.punct("::").word(part);
    }
    Some(path)
}

/// A finite float in the fewest digits that tell it from its neighbours, `2.5e-7` rather than `0.00000025`.
fn float_literal(scalar: &Scalar, magnitude: f64, with_type: bool) -> Literal {
    let digits = match scalar.precision() {
        Precision::F32 => format!("{:?}", magnitude as f32),
        _ => format!("{magnitude:?}"),
    };
    let suffix = scalar.suffix().filter(|_| with_type).unwrap_or_default();
    (digits + suffix).parse().expect("the debug form of a finite float is a literal")
}

/// A magnitude, or a NaN, as a number of a type parameter; none where no bound offers it.
fn of_parameter(parameter: &TypeParameter, magnitude: f64) -> Option<TokenStream> {
    let (name, span) = (&parameter.name, parameter.span());
    let double = primitive(&Scalar::Primitive(Precision::F64), magnitude, Position::Alone).into_stream();
    let converted = |conversion| match conversion {
        Conversion::NumCast => Some(quote_spanned!(span=> #name::from(#double).unwrap())),
        Conversion::FromPrimitive => Some(quote_spanned!(span=> #name::from_f64(#double).unwrap())),
        Conversion::FromF64 => Some(from(parameter, Precision::F64, double.clone())),
        Conversion::FromF32 => (f64::from(magnitude as f32) == magnitude).then(|| {
            let single = primitive(&Scalar::Primitive(Precision::F32), magnitude, Position::Alone);
            from(parameter, Precision::F32, single.into_stream())
        }),
    };
    match unit(parameter, magnitude) {
        Some(unit) if parameter.has_units() => Some(unit),
        unit => parameter.conversions().find_map(converted).or(unit.filter(|_| !parameter.is_plain())),
    }
}

/// Zero or one.
fn unit(parameter: &TypeParameter, magnitude: f64) -> Option<TokenStream> {
    let (name, span) = (&parameter.name, parameter.span());
    match magnitude {
        0.0 => Some(quote_spanned!(span=> #name::zero())),
        1.0 => Some(quote_spanned!(span=> #name::one())),
        _ => None,
    }
}

/// `float` converted by `From`.
fn from(parameter: &TypeParameter, precision: Precision, float: TokenStream) -> TokenStream {
    let (name, span) = (&parameter.name, parameter.span());
    let ty = Scalar::Primitive(precision).ty();
    quote_spanned!(span=> <#name as ::core::convert::From<#ty>>::from(#float))
}

/// An `i32` as a float; nothing where no bound offers it.
pub fn from_int(scalar: &Scalar, int: TokenStream) -> Option<TokenStream> {
    let Scalar::Parameter(parameter) = scalar else {
        let ty = scalar.ty();
        return Some(quote!(#int as #ty));
    };
    let (name, span) = (&parameter.name, parameter.span());
    parameter.conversions().find_map(|conversion| match conversion {
        Conversion::NumCast => Some(quote_spanned!(span=> #name::from(#int).unwrap())),
        Conversion::FromPrimitive => Some(quote_spanned!(span=> #name::from_i32(#int).unwrap())),
        Conversion::FromF64 => {
            let double = Scalar::Primitive(Precision::F64).ty();
            Some(from(parameter, Precision::F64, quote_spanned!(span=> #double::from(#int))))
        }
        Conversion::FromF32 => None,
    })
}

/// The first number or operator of a list, or of an arm in it, that the floats do not offer, and what to write.
pub fn missing(scalar: &Scalar, list: &CodeList) -> Option<String> {
    let Scalar::Parameter(parameter) = scalar else { return None };
    let mut statements = list.with_inner().into_iter().flat_map(CodeList::statements);
    statements.find_map(|statement| missing_in(parameter, scalar, statement))
}

fn missing_in(parameter: &TypeParameter, scalar: &Scalar, statement: &Statement) -> Option<String> {
    let name = &parameter.name;
    match statement {
        Statement::Constant(Constant::Float(value)) if of_parameter(parameter, value.abs()).is_none() => {
            Some(refuse::no_number(name, format_args!("the number {value:?}")))
        }
        Statement::Apply { intrinsic: known::FLOAT, .. } if from_int(scalar, TokenStream::new()).is_none() => {
            Some(refuse::no_number(name, "an integer"))
        }
        Statement::Apply { intrinsic, .. } => {
            let (operator, bound) = parameter.lacks(*intrinsic)?;
            Some(refuse::no_operator(name, operator, bound))
        }
        _ => None,
    }
}
