//! Functions of traits from elsewhere by which a function that is inlined knows its floats, as `T::one()`. What a float has
//! by that name otherwise may be another one, or none, where the type is known: such a function is called in one that
//! knows the type by the same bounds.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Generics, TypeParam, TypeParamBound};

use super::super::super::names::each_identifier;
use super::super::super::read::scalar::Scalar;
use super::super::super::read::shape::Shape;
use super::super::super::syntax::{Binding, Path};
use super::super::Lowering;
use super::super::generics::{Argument, bounds_of, text};
use super::super::numbers::Number;
use super::super::value::{Passive, Value};

impl Lowering<'_> {
    /// `T::one()`, `T::zero()`, or `T::from(2.0)`, which is an `Option`, where the bounds of `T` are no traits of the module
    /// that have these.
    pub(super) fn called_by_bounds(&mut self, path: &Path, args: &[Value]) -> Option<Value> {
        let segments = &path.path.path.segments;
        let (2, Some(parameter), Some(part)) = (segments.len(), segments.first(), segments.last()) else { return None };
        let activation = self.activation.clone();
        let Argument::Type(ty) = activation.call.as_ref()?.given.get(&text(&parameter.ident))? else { return None };
        let is_float = ty.clone().into_iter().last().is_some_and(|last| last.to_string() == self.scalar.name());
        if path.binding != Binding::Generic || !is_float || !matches!(self.scalar, Scalar::Primitive(_)) {
            return None;
        }
        let generics = &activation.body.generics;
        let own = generics.type_params().find(|own| own.ident == parameter.ident)?;
        let bounds: Vec<_> = bounds_of(own, generics).collect();
        let others: Vec<_> = generics.type_params().filter(|other| other.ident != own.ident).collect();
        if bounds.iter().any(|bound| mentions(bound, &others)) {
            return None;
        }
        let names: Vec<_> = bounds.iter().filter_map(|bound| name_of(bound)).collect();
        let name = part.ident.unraw().to_string();
        if self.module.declared().traits().with_part(&names, &name).is_some() {
            return None;
        }
        let float = Shape::Float(self.scalar.clone());
        let ((result, shape), args) = match (name.as_str(), args) {
            ("one" | "zero", []) => ((own.ident.to_token_stream(), float), None),
            ("from", [Value::Passive(arg)]) if !names.iter().any(|name| name == "From") => {
                let ident = &own.ident;
                let option = quote!(::core::option::Option<#ident>);
                ((option, Shape::Option(Box::new(float))), Some(literal(arg)?))
            }
            _ => return None,
        };
        let (own, part) = (&own.ident, &part.ident);
        let body = quote!(<#own: #(#bounds)+*>() -> #result { #own::#part(#args) });
        let function = self.inner_function((&format!("{name} {body}"), &name), |name, _| quote!(fn #name #body));
        let float = self.scalar.ty();
        Some(Value::Passive(Passive::simple(quote!(#function::<#float>())).with_shape(Some(shape))))
    }
}

/// Whether this is a path of such a function that takes a number, where `generics` say nothing of its type.
pub(in super::super) fn converts_by_bounds(path: &Path, generics: &Generics) -> bool {
    let segments = &path.path.path.segments;
    let mut has_from = false;
    each_identifier(generics.to_token_stream(), &mut |name| has_from |= name == "From");
    each_identifier(generics.where_clause.to_token_stream(), &mut |name| has_from |= name == "From");
    path.binding == Binding::Generic && segments.len() == 2 && segments[1].ident == "from" && !has_from
}

/// The last name of a trait.
fn name_of(bound: &TypeParamBound) -> Option<String> {
    match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().map(|last| last.ident.unraw().to_string()),
        _ => None,
    }
}

/// Whether a bound mentions one of these parameters.
fn mentions(bound: &TypeParamBound, parameters: &[&TypeParam]) -> bool {
    let mut is_mentioned = false;
    each_identifier(bound.to_token_stream(), &mut |name| {
        is_mentioned |= parameters.iter().any(|parameter| parameter.ident == name);
    });
    is_mentioned
}

/// A number that is known, as a literal.
fn literal(arg: &Passive) -> Option<TokenStream> {
    match arg.number.as_ref()? {
        Number::Float(digits) => digits.parse().ok(),
        number => format!("{}_i128", number.as_int()?.value).parse().ok(),
    }
}
