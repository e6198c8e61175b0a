//! What hides behind a name: statements of the generated code that compile only where names mean what the macro takes
//! them for.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{ItemFn, WherePredicate};

use super::super::module::Owner;
use super::super::names::identifier;
use super::super::read::scalar::Scalar;
use super::super::read::signature::{Role, Signature};
use super::super::refuse;
use super::super::syntax::{self, Type, TypeKind};
use super::Lowering;
use super::call::Notation;
use super::control::Flow;
use super::generics::{Argument, Given, text};
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

    /// Refuses a function that knows a type by traits only and names a constant or a function of one of these, `T::NAME`,
    /// where the type has one of that name itself: in the generated code, where the type is known, that would be meant.
    /// Makes that code fail to compile where it is not seen here that the type has.
    pub(super) fn require_parts_of_traits(&mut self, function: &ItemFn, given: &Given) -> Flow<()> {
        let generics = &function.sig.generics;
        let given = generics.type_params().filter_map(|parameter| match given.get(&text(&parameter.ident)) {
            Some(Argument::Type(ty)) => Some((parameter.ident.to_token_stream(), ty.clone(), true)),
            _ => None,
        });
        let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let known = clauses.filter_map(|clause| match clause {
            WherePredicate::Type(clause) => Some(clause.bounded_ty.to_token_stream()),
            _ => None,
        });
        for (written, ty, is_parameter) in given.chain(known.map(|ty| (ty.clone(), ty, false))) {
            let Some(TokenTree::Ident(owner)) = ty.into_iter().last() else { continue };
            let written: Vec<_> = written.into_iter().map(|token| token.to_string()).collect();
            let mut named = Vec::new();
            parts_named(&written, function.block.to_token_stream(), &mut named);
            for (name, is_called) in named {
                // Those of a parameter are called by the name of the trait.
                if is_parameter && is_called && self.is_part_of_plain_trait(&owner, &name) {
                    continue;
                }
                self.require_part_of_trait(&owner.unraw().to_string(), &name, is_called)?;
            }
        }
        Ok(())
    }

    fn is_part_of_plain_trait(&self, owner: &Ident, name: &Ident) -> bool {
        let methods = self.module.declared().methods();
        let (own, name) = (Owner::Struct(owner.unraw().to_string()), name.unraw().to_string());
        let traits = methods.named(&own, &name).filter_map(|member| member.trait_.as_deref());
        matches!(traits.collect::<Vec<_>>()[..], [trait_] if methods.is_plain_trait(trait_))
    }

    fn require_part_of_trait(&mut self, owner: &str, name: &Ident, is_called: bool) -> Flow<()> {
        let (methods, structs) = (self.module.declared().methods(), self.module.declared().structs());
        // Of the functions of floats, it is known elsewhere which are called.
        let is_of_float = !is_called && CONSTANTS_OF_FLOATS.iter().any(|known| name == known);
        let is_own = match owner {
            "f64" | "f32" => is_of_float,
            owner => methods.has_own(owner, name),
        };
        if is_own {
            return self.refuse(name, refuse::part_unclear(name, owner));
        }
        let own = Owner::Struct(owner.to_string());
        if let Some(member) = methods.named(&own, &name.unraw().to_string()).next() {
            self.require_of_trait(member);
            return Ok(());
        }
        let written = match structs.opaque.get(owner) {
            Some(own) => own.ty(&quote!('static)),
            None if structs.read.contains_key(owner) => identifier(owner, Span::call_site()).to_token_stream(),
            None => return Ok(()),
        };
        if !is_called {
            let module = format_ident!("seen_{}_{}", owner.to_lowercase(), name.unraw().to_string().to_lowercase());
            let check = quote! {
                #[no_implicit_prelude]
                mod #module {
                    struct Seen;
                    trait Own {
                        const #name: Seen;
                    }
                    impl Own for super::#written {
                        const #name: Seen = Seen;
                    }
                    const _: Seen = <super::#written>::#name;
                }
            };
            self.program.require(module.to_string(), check);
        }
        Ok(())
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

/// The constants that floats have themselves.
const CONSTANTS_OF_FLOATS: &[&str] = &[
    "RADIX",
    "MANTISSA_DIGITS",
    "DIGITS",
    "EPSILON",
    "MIN",
    "MIN_POSITIVE",
    "MAX",
    "MIN_EXP",
    "MAX_EXP",
    "MIN_10_EXP",
    "MAX_10_EXP",
    "NAN",
    "INFINITY",
    "NEG_INFINITY",
];

/// Adds what is named as a part of a type, `T::NAME` or `<T>::NAME`, and whether that is called.
fn parts_named(ty: &[String], tokens: TokenStream, found: &mut Vec<(Ident, bool)>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.to_string() == text);
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            parts_named(ty, group.stream(), found);
        }
        if !ty.iter().enumerate().all(|(index, text)| is(at + index, text)) || at > 0 && is(at - 1, ":") {
            continue;
        }
        let end = at + ty.len();
        let end = if at > 0 && is(at - 1, "<") && is(end, ">") { end + 1 } else { end };
        if let (true, true, Some(TokenTree::Ident(name))) = (is(end, ":"), is(end + 1, ":"), tokens.get(end + 2)) {
            let is_call = |group: &Group| group.delimiter() == Delimiter::Parenthesis;
            let is_called = matches!(tokens.get(end + 3), Some(TokenTree::Group(group)) if is_call(group));
            found.push((name.clone(), is_called || is(end + 3, ":")));
        }
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
