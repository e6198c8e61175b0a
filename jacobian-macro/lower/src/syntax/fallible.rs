//! Functions that give an `Option` or a `Result` of floats, or of structs of the module. What they give otherwise has no derivative: `None` and
//! `Err(e)` leave the generated function as they leave the function itself. So the values of such a body are those in
//! the `Some` or the `Ok`, and nothing but the jumps out of it tells that there are others.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{FnArg, GenericArgument, GenericParam, PathArguments, ReturnType, Signature, Type};

/// The type of what a function gives, if that is an `Option` or a `Result` of floats, or of structs of the module.
#[derive(Clone)]
pub struct Fallible {
    path: syn::TypePath,
    /// The type of the value in it.
    pub value: Type,
}

impl Fallible {
    /// That of a function with this signature, in a module where `is_struct` says which names are those of structs that
    /// hold floats.
    pub fn of(signature: &Signature, is_struct: &dyn Fn(&str) -> bool) -> Option<Fallible> {
        let ReturnType::Type(_, ty) = &signature.output else { return None };
        let Type::Path(path) = &**ty else { return None };
        let last = path.path.segments.last().filter(|last| last.ident == "Option" || last.ident == "Result")?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        let value = arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        })?;
        let own = signature.generics.params.iter().filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some(parameter.ident.unraw().to_string()),
            _ => None,
        });
        let floats: Vec<_> = own.chain(["f64", "f32"].map(String::from)).collect();
        let holds_floats = |name: &str| floats.iter().any(|own| own == name) || is_struct(name);
        // What is written behind `&mut` is given up where the function is left.
        let is_mutable = |ty: &Type| matches!(ty, Type::Reference(reference) if reference.mutability.is_some());
        let mut inputs = signature.inputs.iter();
        let may_write = inputs.any(|input| matches!(input, FnArg::Typed(typed) if is_mutable(&typed.ty)));
        let is_unit = matches!(&value, Type::Tuple(tuple) if tuple.elems.is_empty());
        let is_its = is_unit && may_write || mentions(value.to_token_stream(), &holds_floats);
        is_its.then(|| Fallible { path: path.clone(), value })
    }

    /// The type of the error, if it is written.
    pub fn error(&self) -> Option<Type> {
        let PathArguments::AngleBracketed(arguments) = &self.path.path.segments.last()?.arguments else { return None };
        let mut types = arguments.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        types.nth(1).cloned()
    }

    /// The same type around another value.
    pub fn around(&self, value: &TokenStream) -> TokenStream {
        let mut path = self.path.clone();
        if let Some(last) = path.path.segments.last_mut()
            && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
            && let Some(first) = arguments.args.iter_mut().find(|argument| matches!(argument, GenericArgument::Type(_)))
        {
            *first = GenericArgument::Type(Type::Verbatim(value.clone()));
        }
        // It is a type of the generated code, which Clippy need not judge.
        let own = |mut token: TokenTree| {
            if !matches!(&token, TokenTree::Group(_)) && token.to_string() != "$crate" {
                token.set_span(Span::mixed_site().located_at(token.span()));
            }
            token
        };
        path.into_token_stream().into_iter().map(own).collect()
    }

    /// A value as one of this type.
    pub fn given(&self, value: &TokenStream) -> TokenStream {
        let span = Span::mixed_site();
        match self.is_option() {
            true => quote_spanned!(span=> ::core::option::Option::Some(#value)),
            false => quote_spanned!(span=> ::core::result::Result::Ok(#value)),
        }
    }

    /// Whether it is an `Option`.
    pub fn is_option(&self) -> bool {
        self.path.path.segments.last().is_some_and(|last| last.ident == "Option")
    }

    /// Whether what leaves a function of the other type leaves one of this type as it is.
    pub fn is_like(&self, other: &Fallible) -> bool {
        let unit = quote!(());
        self.is_option() && other.is_option() || self.around(&unit).to_string() == other.around(&unit).to_string()
    }
}

/// Whether one of the names that are meant is among the identifiers in `tokens`.
fn mentions(tokens: TokenStream, is_meant: &dyn Fn(&str) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_meant(&ident.unraw().to_string()),
        TokenTree::Group(group) => mentions(group.stream(), is_meant),
        _ => false,
    })
}
