//! The shapes of values: floats, arrays and tuples of them, as the types of a signature say.

use jacobian_core::code_list::Precision;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Lit, Type};

/// The shape of a value that consists of floats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A float.
    Float(Precision),
    /// An array of so many equal elements.
    Array(Box<Shape>, usize),
    /// A tuple.
    Tuple(Vec<Shape>),
    /// A reference.
    Reference(Box<Shape>),
}

/// What a type is to the differentiation.
pub enum Reading {
    /// It consists of floats only.
    Floats(Shape),
    /// It has floats in it, but not in a way that is understood: why not.
    Unclear(&'static str),
    /// It has no float in it that can be seen.
    Other,
}

impl Shape {
    /// The precision of the first float; none in an empty shape.
    pub fn precision(&self) -> Option<Precision> {
        match self {
            Shape::Float(precision) => Some(*precision),
            Shape::Array(element, _) | Shape::Reference(element) => element.precision(),
            Shape::Tuple(elements) => elements.iter().find_map(Shape::precision),
        }
    }

    /// Whether every float is of this precision.
    pub fn is_all(&self, precision: Precision) -> bool {
        match self {
            Shape::Float(own) => *own == precision,
            Shape::Array(element, _) | Shape::Reference(element) => element.is_all(precision),
            Shape::Tuple(elements) => elements.iter().all(|element| element.is_all(precision)),
        }
    }

    /// Whether tuples occur.
    pub fn has_tuple(&self) -> bool {
        match self {
            Shape::Float(_) => false,
            Shape::Array(element, _) | Shape::Reference(element) => element.has_tuple(),
            Shape::Tuple(_) => true,
        }
    }

    /// Whether references occur.
    pub fn has_reference(&self) -> bool {
        match self {
            Shape::Float(_) => false,
            Shape::Reference(_) => true,
            Shape::Array(element, _) => element.has_reference(),
            Shape::Tuple(elements) => elements.iter().any(Shape::has_reference),
        }
    }

    /// What references lead to.
    pub fn behind_references(&self) -> &Shape {
        let mut shape = self;
        while let Shape::Reference(target) = shape {
            shape = target;
        }
        shape
    }

    /// The number of floats.
    pub fn count(&self) -> usize {
        match self {
            Shape::Float(_) => 1,
            Shape::Array(element, length) => element.count().saturating_mul(*length),
            Shape::Reference(element) => element.count(),
            Shape::Tuple(elements) => elements.iter().map(Shape::count).fold(0, usize::saturating_add),
        }
    }
}

const LENGTH: &str = "the length of this array must be an integer literal: a macro cannot read constants";
const SLICE: &str = "the length of a slice is not known here; take an array, `&[f64; 3]` for instance";
const MUTABLE: &str = "mutable references are not supported; return the result";
const WRAPPED: &str = "this type of floats is not supported; use floats and arrays of floats";

/// Reads a type.
pub fn read(ty: &Type) -> Reading {
    match ty {
        Type::Group(group) => read(&group.elem),
        Type::Paren(paren) => read(&paren.elem),
        Type::Path(path) => read_path(path),
        Type::Array(array) => match (read(&array.elem), integer_literal(&array.len)) {
            (Reading::Floats(shape), Some(length)) => Reading::Floats(Shape::Array(Box::new(shape), length)),
            (Reading::Floats(_), None) => Reading::Unclear(LENGTH),
            (other, _) => other,
        },
        Type::Reference(reference) => match read(&reference.elem) {
            Reading::Floats(_) if reference.mutability.is_some() => Reading::Unclear(MUTABLE),
            Reading::Floats(shape) => Reading::Floats(Shape::Reference(Box::new(shape))),
            other => other,
        },
        Type::Tuple(tuple) => read_tuple(tuple.elems.iter()),
        Type::Slice(slice) if mentions_float(slice.elem.to_token_stream()) => Reading::Unclear(SLICE),
        other if mentions_float(other.to_token_stream()) => Reading::Unclear(WRAPPED),
        _ => Reading::Other,
    }
}

/// The shape that a type will likely have when it is one that is supported: what is wrapped or behind a reference
/// counts, an unknown length is one.
pub fn likely(ty: &Type) -> Option<Shape> {
    match (read(ty), ty) {
        (Reading::Floats(shape), _) => Some(shape),
        (Reading::Other, _) => None,
        (_, Type::Reference(reference)) => likely(&reference.elem),
        (_, Type::Array(array)) => {
            Some(Shape::Array(Box::new(likely(&array.elem)?), integer_literal(&array.len).unwrap_or(1)))
        }
        (_, Type::Slice(slice)) => Some(Shape::Array(Box::new(likely(&slice.elem)?), 1)),
        (_, Type::Tuple(tuple)) => Some(Shape::Tuple(tuple.elems.iter().filter_map(likely).collect())),
        (_, other) => {
            let is_single = mentions(other.to_token_stream(), &["f32"]);
            Some(Shape::Array(Box::new(Shape::Float(if is_single { Precision::F32 } else { Precision::F64 })), 1))
        }
    }
}

fn read_path(path: &syn::TypePath) -> Reading {
    match float(&path.path).filter(|_| path.qself.is_none()) {
        Some(precision) => Reading::Floats(Shape::Float(precision)),
        None if mentions_float(path.to_token_stream()) => Reading::Unclear(WRAPPED),
        None => Reading::Other,
    }
}

fn read_tuple<'a>(elements: impl Iterator<Item = &'a Type>) -> Reading {
    let (mut shapes, mut mixed) = (Vec::new(), false);
    for element in elements {
        match read(element) {
            Reading::Floats(shape) => shapes.push(shape),
            Reading::Unclear(why) => return Reading::Unclear(why),
            Reading::Other => mixed = true,
        }
    }
    match (shapes.is_empty(), mixed) {
        (true, true) => Reading::Other,
        (false, true) => Reading::Unclear(WRAPPED),
        (_, false) => Reading::Floats(Shape::Tuple(shapes)),
    }
}

/// The precision that a path names: `f64`, `core::primitive::f64`, `std::primitive::f64`, and the same for `f32`.
pub fn float(path: &syn::Path) -> Option<Precision> {
    let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    if path.segments.iter().any(|segment| !segment.arguments.is_none()) {
        return None;
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["f64"] | ["core" | "std", "primitive", "f64"] => Some(Precision::F64),
        ["f32"] | ["core" | "std", "primitive", "f32"] => Some(Precision::F32),
        _ => None,
    }
}

fn mentions_float(tokens: TokenStream) -> bool {
    mentions(tokens, &["f64", "f32"])
}

fn mentions(tokens: TokenStream, names: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.iter().any(|name| ident == name),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

fn integer_literal(length: &Expr) -> Option<usize> {
    match length {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Paren(paren) => integer_literal(&paren.expr),
        Expr::Group(group) => integer_literal(&group.expr),
        _ => None,
    }
}
