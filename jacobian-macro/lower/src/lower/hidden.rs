//! What hides behind a name: statements of the generated code that compile only where names mean what the macro takes
//! them for.

use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote, quote_spanned};

use super::super::read::scalar::Scalar;
use super::super::read::signature::{Role, Signature};
use super::super::syntax::{self, Type, TypeKind};
use super::Lowering;
use super::call::Notation;
use super::numbers::integer::Types;
use super::program::Line;

impl Lowering<'_> {
    /// Makes the generated code fail to compile where a passive parameter consists of floats: its type is an alias
    /// then, and its columns would be missing. For a float, there are two ways to be passive, and the compiler cannot
    /// choose.
    pub(super) fn require_no_floats(&mut self, signature: &Signature) {
        let passive = signature.parameters.iter().filter(|parameter| parameter.role == Role::Passive);
        let mut types = Vec::new();
        passive.for_each(|parameter| aliases(&syntax::ty(&parameter.ty), &mut types));
        types.dedup_by_key(|ty| ty.to_token_stream().to_string());
        if types.is_empty() {
            return;
        }
        let passive = self.program.names.fresh("PassiveUnlessWrtNamesIt");
        let float = Scalar::Primitive(self.scalar.precision()).ty();
        let used = types.iter().map(|ty| {
            let span = Span::mixed_site().located_at(ty.path.segments[0].ident.span());
            quote_spanned!(span=> let _ = <#ty as #passive<_>>::is_passive;)
        });
        self.program.line(Line::effect(quote_spanned! {Span::mixed_site()=>
            {
                trait #passive<Way> { fn is_passive() {} }
                impl<T: ?::core::marker::Sized> #passive<()> for T {}
                impl #passive<::core::primitive::bool> for #float {}
                impl<T: #passive<::core::primitive::bool>, const N: ::core::primitive::usize>
                    #passive<::core::primitive::bool> for [T; N] {}
                impl<T: #passive<::core::primitive::bool>> #passive<::core::primitive::bool> for &T {}
                #(#used)*
            }
        }));
    }

    /// Makes the generated code fail to compile where a path that names a function of the floats, such as `f64::sin`,
    /// leads into a module of the user: two functions are of two types.
    pub(super) fn require_function(&mut self, notation: &Notation, name: &Ident) {
        let Notation::Path { prefix, primitive: Some(_), functions: None } = notation else { return };
        if prefix.clone().into_iter().count() == 1 {
            let float = self.scalar.ty();
            let statement = quote_spanned! {Span::mixed_site()=>
                let _ = ::core::mem::replace(&mut <#float>::#name, #prefix::#name);
            };
            self.program.require(format!("{prefix}::{name}"), statement);
        }
    }

    /// Makes the generated code fail to compile where the user calls a method on a reference to a float and a trait of
    /// theirs has it, for floats or for references to them: that wins over the method of the float. Of two traits, the
    /// compiler cannot choose.
    pub(super) fn require_method(&mut self, name: &Ident) {
        // Those of `PartialOrd` are no more theirs than the user's: the compiler cannot choose in the user's function.
        let is_of_trait = ["partial_cmp", "lt", "le", "gt", "ge", "eq", "ne"].iter().any(|of_trait| name == of_trait);
        if let (Scalar::Primitive(_), false) = (&self.scalar, is_of_trait) {
            let float = self.scalar.ty();
            let name = Ident::new(&name.to_string(), Span::mixed_site().located_at(name.span()));
            // One that takes a reference itself wins over any that a trait gives floats.
            let of_floats = (name != "total_cmp").then(|| {
                quote_spanned! {Span::mixed_site()=>
                    { trait Own { fn #name(&self) {} } impl Own for #float {} let _ = |float: &#float| float.#name(); }
                }
            });
            let statement = quote_spanned! {Span::mixed_site()=>
                #of_floats
                {
                    trait OwnOfReferences { fn #name(&self) {} }
                    impl OwnOfReferences for &#float {}
                    let _ = |float: &&#float| float.#name();
                }
            };
            self.program.require(format!(".{name}()"), statement);
        }
    }

    /// Makes the generated code fail to compile where a macro of the user has the name of one of the standard library:
    /// the compiler does not choose between a name out of a glob and one from further outside, however that came there.
    pub(super) fn require_macro(&mut self, path: &syn::Path) {
        let Some(name) = path.get_ident() else { return };
        let used = match name.to_string().as_str() {
            "matches" => quote!(|a: ::core::primitive::u8| #name!(a, 0)),
            "assert" | "debug_assert" => quote!(|a: ::core::primitive::bool| #name!(a)),
            "dbg" => quote!(|a: ::core::primitive::f64| #name!(a)),
            _ => quote!(|a: ::core::primitive::u8, b: ::core::primitive::u8| { #name!(a, b); }),
        };
        let library = if name == "dbg" { quote!(std) } else { quote!(core) };
        let statement = quote_spanned! {Span::mixed_site()=> { use ::#library::*; let _ = #used; } };
        self.program.require(format!("{name}!"), statement);
    }
}

/// Adds the paths in a type that may be aliases of floats, or of what consists of floats.
fn aliases(ty: &Type, found: &mut Vec<syn::TypePath>) {
    match &ty.kind {
        TypeKind::Array(element, _) => aliases(element, found),
        TypeKind::Reference(_, _, target) => aliases(target, found),
        TypeKind::Tuple(elements) => elements.iter().for_each(|element| aliases(element, found)),
        TypeKind::Path(path, _) if !path.path.get_ident().is_some_and(is_known) => found.push(path.clone()),
        TypeKind::Other(other, _) => {
            if let syn::Type::Slice(slice) = &**other {
                aliases(&syntax::ty(&slice.elem), found);
            }
        }
        TypeKind::Path(..) | TypeKind::Infer => {}
    }
}

/// Whether a type with this name is no alias: that of a primitive type, or of the standard library's.
fn is_known(name: &Ident) -> bool {
    let name = name.to_string();
    let others = ["f64", "f32", "bool", "char", "str", "String", "Self"];
    others.contains(&name.as_str()) || Types::named(&name).is_some()
}
