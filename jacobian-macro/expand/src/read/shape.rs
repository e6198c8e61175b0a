//! The shapes of values: floats, arrays and tuples of them, as the types of a signature say.

use std::rc::Rc;

use jacobian_core::code_list::Precision;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::{BinOp, Lit};

use super::super::refuse;
use super::super::syntax::{Expr, ExprKind, Type, TypeKind};
use super::scalar::{Scalar, TypeParameter};
use super::vector::{self, VectorType};

/// The shape of a value that consists of floats.
#[derive(Clone)]
pub enum Shape {
    /// A float.
    Float(Scalar),
    /// An array of this many equal elements.
    Array(Box<Shape>, usize),
    /// A tuple.
    Tuple(Vec<Shape>),
    /// A reference.
    Reference(Box<Shape>),
    /// A vector, a matrix or a point of nalgebra.
    Vector(Box<VectorType>),
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
    /// The type of the first float; none in an empty shape.
    pub fn scalar(&self) -> Option<&Scalar> {
        match self {
            Shape::Float(scalar) => Some(scalar),
            Shape::Array(element, _) | Shape::Reference(element) => element.scalar(),
            Shape::Tuple(elements) => elements.iter().find_map(Shape::scalar),
            Shape::Vector(vector) => Some(&vector.scalar),
        }
    }

    /// Whether every float is of this type.
    pub fn is_all(&self, scalar: &Scalar) -> bool {
        match self {
            Shape::Float(own) => own == scalar,
            Shape::Array(element, _) | Shape::Reference(element) => element.is_all(scalar),
            Shape::Tuple(elements) => elements.iter().all(|element| element.is_all(scalar)),
            Shape::Vector(vector) => vector.scalar == *scalar,
        }
    }

    /// Whether tuples occur.
    pub fn has_tuple(&self) -> bool {
        match self {
            Shape::Float(_) | Shape::Vector(_) => false,
            Shape::Array(element, _) | Shape::Reference(element) => element.has_tuple(),
            Shape::Tuple(_) => true,
        }
    }

    /// Whether references occur.
    pub fn has_reference(&self) -> bool {
        match self {
            Shape::Float(_) | Shape::Vector(_) => false,
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
            Shape::Vector(vector) => vector.layout.count(),
            Shape::Tuple(elements) => elements.iter().map(Shape::count).fold(0, usize::saturating_add),
        }
    }

    /// Its type, of primitive floats whatever the user calls so: a derivative of theirs is no other type's.
    pub fn ty(&self) -> TokenStream {
        match self {
            Shape::Float(scalar) => scalar.ty(),
            Shape::Reference(target) => target.ty(),
            Shape::Vector(vector) => vector.tokens.clone(),
            Shape::Array(element, length) => {
                let (element, length) = (element.ty(), Literal::usize_unsuffixed(*length));
                quote!([#element; #length])
            }
            Shape::Tuple(elements) => {
                let elements = elements.iter().map(Shape::ty);
                quote!((#(#elements,)*))
            }
        }
    }

    /// Adds the types of vectors in it to `found`.
    pub fn vectors<'s>(&'s self, found: &mut Vec<&'s VectorType>) {
        match self {
            Shape::Float(_) => {}
            Shape::Array(element, _) | Shape::Reference(element) => element.vectors(found),
            Shape::Tuple(elements) => elements.iter().for_each(|element| element.vectors(found)),
            Shape::Vector(vector) => found.push(vector),
        }
    }
}

/// Reads the types of a signature, in which floats may also be of a type parameter.
#[derive(Clone, Default)]
pub struct Reader {
    parameter: Option<Rc<TypeParameter>>,
}

impl Reader {
    /// Reads types in which floats may be of this type parameter.
    pub fn new(parameter: Option<Rc<TypeParameter>>) -> Self {
        Reader { parameter }
    }

    /// Reads types in which floats may be of this type.
    pub fn of(scalar: &Scalar) -> Self {
        match scalar {
            Scalar::Primitive(_) => Reader::default(),
            Scalar::Parameter(parameter) => Reader::new(Some(parameter.clone())),
        }
    }

    /// Reads a type.
    pub fn read(&self, ty: &Type) -> Reading {
        match &ty.kind {
            TypeKind::Path(path, _) => self.read_path(path),
            TypeKind::Array(element, length) => match (self.read(element), integer(length)) {
                (Reading::Floats(shape), Some(length)) => Reading::Floats(Shape::Array(Box::new(shape), length)),
                (Reading::Floats(_), None) => Reading::Unclear(refuse::SHAPE_LENGTH),
                (other, _) => other,
            },
            TypeKind::Reference(_, is_mutable, target) => match self.read(target) {
                Reading::Floats(_) if *is_mutable => Reading::Unclear(refuse::MUTABLE_INSIDE),
                Reading::Floats(shape) => Reading::Floats(Shape::Reference(Box::new(shape))),
                other => other,
            },
            TypeKind::Tuple(elements) => self.read_tuple(elements.iter()),
            TypeKind::Other(other, _) => match &**other {
                syn::Type::Slice(slice) if self.mentions_float(&slice.elem) => Reading::Unclear(refuse::SLICE),
                other if self.mentions_float(other) => Reading::Unclear(refuse::FLOAT_TYPE),
                _ => Reading::Other,
            },
            TypeKind::Infer => Reading::Other,
        }
    }

    /// The shape that a type will likely have when it is one that is supported: what is wrapped or behind a reference
    /// counts, an unknown length is one.
    pub fn likely(&self, ty: &Type) -> Option<Shape> {
        match (self.read(ty), &ty.kind) {
            (Reading::Floats(shape), _) => Some(shape),
            (Reading::Other, _) => None,
            (_, TypeKind::Reference(_, _, target)) => self.likely(target),
            (_, TypeKind::Array(element, length)) => {
                Some(Shape::Array(Box::new(self.likely(element)?), integer(length).unwrap_or(1)))
            }
            (_, TypeKind::Tuple(elements)) => {
                Some(Shape::Tuple(elements.iter().filter_map(|ty| self.likely(ty)).collect()))
            }
            (_, TypeKind::Other(other, _)) => match &**other {
                syn::Type::Slice(slice) => {
                    Some(Shape::Array(Box::new(self.likely(&super::super::syntax::ty(&slice.elem))?), 1))
                }
                other => Some(Shape::Array(Box::new(Shape::Float(self.likely_scalar(other))), 1)),
            },
            (_, TypeKind::Path(path, _)) => Some(Shape::Array(Box::new(Shape::Float(self.likely_scalar(path))), 1)),
            (_, TypeKind::Infer) => None,
        }
    }

    fn likely_scalar(&self, ty: &dyn ToTokens) -> Scalar {
        match &self.parameter {
            Some(parameter) => Scalar::Parameter(parameter.clone()),
            None if mentions(ty.to_token_stream(), &["f32"]) => Scalar::Primitive(Precision::F32),
            None => Scalar::Primitive(Precision::F64),
        }
    }

    fn read_path(&self, path: &syn::TypePath) -> Reading {
        if path.qself.is_some() {
            return if self.mentions_float(path) { Reading::Unclear(refuse::FLOAT_TYPE) } else { Reading::Other };
        }
        match (self.scalar(&path.path), self.read_vector(path)) {
            (Some(scalar), _) => Reading::Floats(Shape::Float(scalar)),
            (_, Some(reading)) => reading,
            _ if self.mentions_float(path) => Reading::Unclear(wrapped(path)),
            _ => Reading::Other,
        }
    }

    /// A type with the name of one of nalgebra's and floats in it.
    fn read_vector(&self, path: &syn::TypePath) -> Option<Reading> {
        let named = vector::named(path.path.segments.last()?)?;
        let syn::Type::Path(float) = unwrapped(named.float?) else { return None };
        let scalar = self.scalar(&float.path).filter(|_| float.qself.is_none())?;
        Some(match named.layout() {
            Some(layout) => {
                let (name, tokens) = (vector::without_arguments(&path.path).to_string(), path.to_token_stream());
                Reading::Floats(Shape::Vector(Box::new(VectorType { layout, scalar, path: name, tokens })))
            }
            None => Reading::Unclear(refuse::SHAPE_LENGTH),
        })
    }

    fn read_tuple<'a>(&self, elements: impl Iterator<Item = &'a Type>) -> Reading {
        let (mut shapes, mut mixed) = (Vec::new(), false);
        for element in elements {
            match self.read(element) {
                Reading::Floats(shape) => shapes.push(shape),
                Reading::Unclear(why) => return Reading::Unclear(why),
                Reading::Other => mixed = true,
            }
        }
        match (shapes.is_empty(), mixed) {
            (true, true) => Reading::Other,
            (false, true) => Reading::Unclear(refuse::MIXED),
            (_, false) => Reading::Floats(Shape::Tuple(shapes)),
        }
    }

    /// The float that a path names: the type parameter, `f64`, `core::primitive::f64`, `std::primitive::f64`, and the
    /// same for `f32`.
    pub fn scalar(&self, path: &syn::Path) -> Option<Scalar> {
        if path.segments.iter().any(|segment| !segment.arguments.is_none()) {
            return None;
        }
        if let Some(parameter) = &self.parameter
            && path.is_ident(&parameter.name)
        {
            return Some(Scalar::Parameter(parameter.clone()));
        }
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        match names.as_slice() {
            ["f64"] | ["core" | "std", "primitive", "f64"] => Some(Scalar::Primitive(Precision::F64)),
            ["f32"] | ["core" | "std", "primitive", "f32"] => Some(Scalar::Primitive(Precision::F32)),
            _ => None,
        }
    }

    fn mentions_float(&self, ty: &dyn ToTokens) -> bool {
        let parameter = self.parameter.as_ref().map(|parameter| parameter.name.to_string());
        let names: Vec<_> = ["f64", "f32"].into_iter().chain(parameter.as_deref()).collect();
        mentions(ty.to_token_stream(), &names)
    }
}

/// Why a type around floats is refused.
fn wrapped(path: &syn::TypePath) -> &'static str {
    let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    match name.as_str() {
        "Vec" | "VecDeque" => refuse::VEC,
        "Option" | "Result" => refuse::OPTION,
        _ => refuse::FLOAT_TYPE,
    }
}

/// The type inside parentheses and what a macro has grouped.
pub fn unwrapped(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Group(group) => unwrapped(&group.elem),
        syn::Type::Paren(paren) => unwrapped(&paren.elem),
        other => other,
    }
}

/// Whether one of `names` is among the identifiers in `tokens`.
pub fn mentions(tokens: TokenStream, names: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.iter().any(|name| ident == name),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

/// The number that is written as a length: a literal, or arithmetic on these.
pub fn integer(length: &Expr) -> Option<usize> {
    match &*length.kind {
        ExprKind::Literal(Lit::Int(int)) => int.base10_parse().ok(),
        ExprKind::Paren(inner) => integer(inner),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (integer(left)?, integer(right)?);
            match op {
                BinOp::Add(_) => left.checked_add(right),
                BinOp::Sub(_) => left.checked_sub(right),
                BinOp::Mul(_) => left.checked_mul(right),
                BinOp::Div(_) => left.checked_div(right),
                _ => None,
            }
        }
        _ => None,
    }
}
