//! Types.

use quote::ToTokens;

use super::super::key::{Key, key};
use super::super::place::Placed;
use super::super::tree::{Binding, Type, TypeKind};
use super::Reader;
use super::item::is_name_of_primitive;

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
                if let Some(kind) = self.alias(path) {
                    return Type { kind, place };
                }
                let mut names = self.type_names(path);
                if let Some(first) = path.path.segments.first().filter(|_| path.qself.is_none()) {
                    let (own, binding) = (key(&first.ident), self.find_type(&first.ident));
                    // A constant may have its name.
                    names.retain(|(name, _)| *name != own);
                    // It may hide an item of the module.
                    if !matches!(binding, Binding::Outside | Binding::Item) {
                        names.push((own, binding));
                    }
                }
                TypeKind::Path(path.clone(), names)
            }
            other => TypeKind::Other(other.clone().into(), self.type_names(other)),
        };
        Type { kind, place }
    }

    /// What an alias stands for that is declared inside of the function.
    fn alias(&mut self, path: &syn::TypePath) -> Option<TypeKind> {
        let Binding::Local(id) = self.scopes.find_type(path.path.get_ident()?) else { return None };
        // One that stands for itself is an error of rustc's.
        let target = self.aliases.remove(&id)?;
        let kind = self.ty(&target).kind;
        self.aliases.insert(id, target);
        path.qself.is_none().then_some(kind)
    }

    /// The names in types. None of them is a variable, and a primitive type is what it is called, but for a constant
    /// in the length of an array.
    pub(super) fn type_names(&mut self, ty: &dyn ToTokens) -> Vec<(Key, Binding)> {
        let mut names = self.written(ty).names;
        names.retain(|((name, _), binding)| match binding {
            Binding::Variable(_) => false,
            Binding::Constant(_) => !is_name_of_primitive(name),
            _ => true,
        });
        names
    }
}
