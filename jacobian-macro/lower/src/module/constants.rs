//! The constants and the statics of a module: what a macro on the module can read that one on a function cannot.

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{
    FnArg, GenericParam, Generics, Item, ItemConst, ItemFn, ItemStatic, Lit, ReturnType, StaticMutability, Type,
};

use super::super::attributes;
use super::super::read::ty::{integer, integer_with};
use super::super::syntax::{self, Binding, Expr, ExprKind, TypeKind, key};
use super::super::tokens::grouped;

/// How deep constants refer to others in lengths.
const MAX_DEPTH: usize = 32;

/// The constants and the statics of a module.
#[derive(Clone, Default)]
pub struct Constants {
    items: Vec<ItemConst>,
    statics: Vec<ItemStatic>,
}

impl Constants {
    /// Those among `items`. One that is there or not by the configuration is not known, nor is a static that changes.
    pub fn read(items: &[Item]) -> Self {
        let mut constants = Constants::default();
        for item in items {
            match item {
                Item::Const(item) if attributes::conditions(&item.attrs).is_empty() => {
                    constants.items.push(item.clone());
                }
                Item::Static(item)
                    if attributes::conditions(&item.attrs).is_empty()
                        && matches!(item.mutability, StaticMutability::None) =>
                {
                    constants.statics.push(item.clone());
                }
                _ => {}
            }
        }
        constants
    }

    /// The constant with this name.
    pub fn get(&self, name: &Ident) -> Option<&ItemConst> {
        let name = name.unraw();
        let mut found = self.items.iter().filter(|item| item.ident.unraw() == name);
        found.next().filter(|_| found.next().is_none())
    }

    /// The type of the static with this name.
    pub fn type_of_static(&self, name: &Ident) -> Option<&Type> {
        let name = name.unraw();
        let mut found = self.statics.iter().filter(|item| item.ident.unraw() == name);
        found.next().filter(|_| found.next().is_none()).map(|item| &*item.ty)
    }

    /// The function with numbers for the constants in the types of its signature, in a block with these parameters.
    pub fn in_signature_of(&self, mut function: ItemFn, around: &Generics) -> ItemFn {
        if self.items.is_empty() {
            return function;
        }
        let generic = |name: &Ident| {
            function.sig.generics.params.iter().chain(&around.params).any(|parameter| match parameter {
                GenericParam::Const(parameter) => parameter.ident == *name,
                GenericParam::Type(parameter) => parameter.ident == *name,
                GenericParam::Lifetime(_) => false,
            })
        };
        let number = |name: &Ident| if generic(name) { None } else { self.length(name, MAX_DEPTH) };
        let mut sig = function.sig.clone();
        for input in &mut sig.inputs {
            if let FnArg::Typed(typed) = input {
                *typed.ty = with_numbers(&typed.ty, &number);
            }
        }
        if let ReturnType::Type(_, ty) = &mut sig.output {
            **ty = with_numbers(ty, &number);
        }
        function.sig = sig;
        function
    }

    /// The type with numbers for the constants in it.
    pub fn in_type(&self, ty: &Type) -> Type {
        if self.items.is_empty() { ty.clone() } else { with_numbers(ty, &|name| self.length(name, MAX_DEPTH)) }
    }

    /// A type in the body of a function with numbers for the constants in it, where they are those of the module.
    pub fn in_type_of_body(&self, ty: &syntax::Type) -> syntax::Type {
        let of_path = |path: &syntax::Path| {
            path.name_in_module()?;
            self.length(&path.path.path.segments.last()?.ident, MAX_DEPTH)
        };
        let kind = match &ty.kind {
            TypeKind::Array(element, length) => {
                let written = integer_with(length, &of_path).map(|number| {
                    let literal = Lit::new(Literal::usize_unsuffixed(number));
                    Expr::new(ExprKind::Literal(literal), length.place)
                });
                TypeKind::Array(self.in_type_of_body(element).into(), written.unwrap_or_else(|| length.clone()))
            }
            TypeKind::Tuple(elements) => {
                TypeKind::Tuple(elements.iter().map(|element| self.in_type_of_body(element)).collect())
            }
            TypeKind::Reference(written, is_mutable, target) => {
                TypeKind::Reference(written.clone(), *is_mutable, self.in_type_of_body(target).into())
            }
            TypeKind::Path(path, names) => {
                let is_other = |name: &Ident| {
                    names.iter().any(|(other, binding)| *other == key(name) && *binding != Binding::Item)
                };
                let number = |name: &Ident| if is_other(name) { None } else { self.length(name, MAX_DEPTH) };
                match syn::parse2(numbered(path.to_token_stream(), &number)) {
                    Ok(path) => TypeKind::Path(path, names.clone()),
                    Err(_) => return ty.clone(),
                }
            }
            TypeKind::Infer | TypeKind::Other(..) => return ty.clone(),
        };
        syntax::Type { kind, place: ty.place }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The number that the constant with this name is, as a length.
    fn length(&self, name: &Ident, depth: usize) -> Option<usize> {
        let (value, depth) = (self.get(name)?.expr.to_token_stream(), depth.checked_sub(1)?);
        integer(&syntax::expression(&syn::parse2(numbered(value, &|name| self.length(name, depth))).ok()?))
    }
}

/// The type with numbers for names.
fn with_numbers(ty: &Type, number: &dyn Fn(&Ident) -> Option<usize>) -> Type {
    syn::parse2(numbered(ty.to_token_stream(), number)).unwrap_or_else(|_| ty.clone())
}

fn numbered(tokens: TokenStream, number: &dyn Fn(&Ident) -> Option<usize>) -> TokenStream {
    let mut written = TokenStream::new();
    for token in tokens {
        written.extend([match token {
            TokenTree::Ident(name) => match number(&name) {
                Some(value) => {
                    let mut literal = Literal::usize_unsuffixed(value);
                    literal.set_span(name.span());
                    TokenTree::Literal(literal)
                }
                None => TokenTree::Ident(name),
            },
            TokenTree::Group(group) => grouped(&group, numbered(group.stream(), number)),
            other => other,
        }]);
    }
    written
}
