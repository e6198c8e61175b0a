//! Types.

use super::super::place::Placed;
use super::super::tree::{Type, TypeKind};
use super::Reader;

impl Reader<'_> {
    /// A type, without the brackets and groups around it.
    pub(super) fn ty(&mut self, ty: &syn::Type) -> Type {
        let place = ty.place();
        let kind = match ty {
            syn::Type::Paren(inner) => return self.ty(&inner.elem),
            syn::Type::Group(inner) => return self.ty(&inner.elem),
            syn::Type::Array(array) => {
                let element = self.ty(&array.elem);
                TypeKind::Array(element.into(), self.expr(&array.len))
            }
            syn::Type::Tuple(tuple) => TypeKind::Tuple(tuple.elems.iter().map(|element| self.ty(element)).collect()),
            syn::Type::Reference(reference) => {
                let target = self.ty(&reference.elem);
                TypeKind::Reference(reference.clone(), reference.mutability.is_some(), target.into())
            }
            syn::Type::Infer(_) => TypeKind::Infer,
            syn::Type::Path(path) => TypeKind::Path(path.clone(), self.written(path).names),
            other => TypeKind::Other(other.clone().into(), self.written(other).names),
        };
        Type { kind, place }
    }
}
