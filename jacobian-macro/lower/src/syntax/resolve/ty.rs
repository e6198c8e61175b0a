//! Types.

use super::super::key::key;
use super::super::place::Placed;
use super::super::tree::{Binding, Type, TypeKind};
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
            syn::Type::Path(path) => {
                let mut names = self.written(path).names;
                // It may hide an item of the module.
                if let Some(first) =
                    path.path.segments.first().filter(|first| self.find(&first.ident) == Binding::Unclear)
                {
                    names.push((key(&first.ident), Binding::Unclear));
                }
                TypeKind::Path(path.clone(), names)
            }
            other => TypeKind::Other(other.clone().into(), self.written(other).names),
        };
        Type { kind, place }
    }
}
