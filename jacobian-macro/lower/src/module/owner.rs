//! The types that `impl` blocks are for, and how their methods take them.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{ItemImpl, ReceiverKind, Type};

use super::super::read::shape::{Reader, Reading, Shape, Structs};
use super::super::read::ty::{integer, unwrapped};
use super::super::syntax;

/// What `impl` blocks are for.
#[derive(Clone, PartialEq, Eq)]
pub enum Owner {
    /// The struct with this name.
    Struct(String),
    /// A float.
    Float,
    /// An array or a tuple of floats and structs, with this type.
    Built(String),
    /// Anything else.
    Other,
}

/// A type, as far as operators and methods are told from each other by it.
#[derive(Clone, PartialEq, Eq)]
pub struct OwnerType {
    /// What it is behind the references.
    pub owner: Owner,
    /// The number of references around it.
    pub references: usize,
}

/// How a method takes what it is called on.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Passing {
    /// `self`.
    Value,
    /// `&self`.
    Shared,
    /// `&mut self`.
    Mutable,
}

/// What a type is, if it is a struct that is known or a float, or a reference to one.
pub fn kind(ty: &Type, structs: &Structs) -> Option<OwnerType> {
    let (mut target, mut references) = (unwrapped(ty), 0);
    while let Type::Reference(reference) = target {
        if reference.mutability.is_some() {
            return None;
        }
        (target, references) = (unwrapped(&reference.elem), references + 1);
    }
    let Type::Path(path) = target else { return None };
    if path.qself.is_none()
        && let Some(Ok(found)) = structs.find(&path.path, &[])
    {
        return Some(OwnerType { owner: Owner::Struct(found.name.unraw().to_string()), references });
    }
    if path.qself.is_none()
        && let Some(found) = structs.opaque(&path.path, &[])
    {
        return Some(OwnerType { owner: Owner::Struct(found.name.unraw().to_string()), references });
    }
    match Reader::default().read(&syntax::ty(target)) {
        Reading::Floats(Shape::Float(_)) => Some(OwnerType { owner: Owner::Float, references }),
        _ => None,
    }
}

/// An array or a tuple of floats and structs, as such a type.
pub fn built(ty: &Type, structs: &Structs) -> Option<OwnerType> {
    let (mut target, mut references) = (unwrapped(ty), 0);
    while let Type::Reference(reference) = target {
        (target, references) = (unwrapped(&reference.elem), references + 1);
    }
    let text = match target {
        Type::Array(_) | Type::Tuple(_) => text_of_type(target, structs)?,
        _ => return None,
    };
    Some(OwnerType { owner: Owner::Built(text), references })
}

/// Such a type as a text, like that of a value.
pub fn text_of_type(ty: &Type, structs: &Structs) -> Option<String> {
    match unwrapped(ty) {
        Type::Array(array) => {
            let length = integer(&syntax::expression(&array.len))?;
            Some(format!("[{}; {length}]", text_of_type(&array.elem, structs)?))
        }
        Type::Tuple(tuple) => {
            let texts = tuple.elems.iter().map(|element| text_of_type(element, structs)).collect::<Option<Vec<_>>>()?;
            Some(format!("({})", texts.join(", ")))
        }
        Type::Reference(reference) if reference.mutability.is_none() => {
            Some(format!("&{}", text_of_type(&reference.elem, structs)?))
        }
        ty => match kind(ty, structs)?.owner {
            Owner::Struct(name) => Some(name),
            _ => Some(ty.to_token_stream().to_string()),
        },
    }
}

/// How a method takes `self`; none where it is in something like a `Box`.
pub fn passing(receiver: &syn::Receiver) -> Option<Passing> {
    let is_self = |ty: &Type| matches!(unwrapped(ty), Type::Path(path) if path.path.is_ident("Self"));
    match &receiver.kind {
        ReceiverKind::Value => Some(Passing::Value),
        ReceiverKind::Reference(_, _, mutability) => {
            Some(if mutability.is_some() { Passing::Mutable } else { Passing::Shared })
        }
        ReceiverKind::Typed(_, ty) => match unwrapped(ty) {
            ty if is_self(ty) => Some(Passing::Value),
            Type::Reference(reference) if is_self(&reference.elem) => {
                Some(if reference.mutability.is_some() { Passing::Mutable } else { Passing::Shared })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether an implementation is for its own type parameter, or for references to it: for every type.
pub fn is_parameter(item: &ItemImpl) -> bool {
    let mut ty = unwrapped(&item.self_ty);
    while let Type::Reference(reference) = ty {
        ty = unwrapped(&reference.elem);
    }
    matches!(ty, Type::Path(path) if item.generics.type_params().any(|own| path.path.is_ident(&own.ident)))
}
