//! What a macro cannot see of the types whose methods are called is asserted: the generated code fails to compile where a
//! method is hidden by one that is written elsewhere.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;

use super::super::super::module::{Method as Member, Owner, Passing};
use super::super::super::names::identifier;
use super::super::super::read::shape::Opaque;
use super::super::Lowering;

impl Lowering<'_> {
    /// Makes the generated code fail to compile where a method of a trait is hidden by one of the struct itself that is
    /// written elsewhere: there, with another trait of that method, it is not the other trait's that is called.
    pub(in super::super) fn require_of_trait(&mut self, member: &Member) {
        let is_seen =
            self.module.declared().methods().named(&member.owner.owner, &member.name).any(|it| it.trait_.is_none());
        if let (Some(_), Owner::Struct(ty), Ok(function)) = (&member.trait_, &member.owner.owner, &member.function)
            && !is_seen
        {
            let count = function.sig.inputs.len() - usize::from(member.receiver.is_some());
            self.require_not_own(ty, &function.sig.ident, member.receiver, count);
        }
        if let Owner::Struct(ty) = &member.owner.owner
            && let Some(own) = self.module.declared().structs().opaque.get(ty)
        {
            self.require_no_pointer(&own.clone());
        }
    }

    /// Makes the generated code fail to compile where a type that is passive as a whole can be dereferenced: a value of
    /// another type may be meant by it then.
    fn require_no_pointer(&mut self, own: &Opaque) {
        let ty = own.ty(&quote!('static));
        let check = quote! {
            const _: fn() = {
                trait HasNoDeref<Way> {
                    fn has_no_deref() {}
                }
                impl<T: ?::core::marker::Sized> HasNoDeref<()> for T {}
                impl<T: ?::core::marker::Sized + ::core::ops::Deref> HasNoDeref<::core::primitive::bool> for T {}
                <self::#ty as HasNoDeref<_>>::has_no_deref
            };
        };
        self.program.require(check.to_string(), check);
    }

    /// Makes the generated code fail to compile where a type has a function of this name itself that takes this many
    /// arguments beside `self`.
    pub(super) fn require_not_own(&mut self, ty: &str, name: &Ident, receiver: Option<Passing>, count: usize) {
        let written = match self.module.declared().structs().opaque.get(ty) {
            Some(own) => own.ty(&quote!('static)),
            None => identifier(ty, Span::call_site()).to_token_stream(),
        };
        self.require_not_own_of(&quote!(super::#written), ty, name, (receiver, count));
    }

    /// The same for a type that is written like this, and called so.
    pub(super) fn require_not_own_of(
        &mut self,
        ty: &TokenStream,
        called: &str,
        name: &Ident,
        (receiver, count): (Option<Passing>, usize),
    ) {
        let called = called.to_lowercase();
        let words: Vec<_> =
            called.split(|letter: char| !letter.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
        let module = format_ident!("seen_{}_{}", words.join("_"), name.unraw());
        let own = match receiver {
            Some(Passing::Value) => Some((quote!(self), quote!(#ty))),
            Some(Passing::Shared) => Some((quote!(&self), quote!(&#ty))),
            Some(Passing::Mutable) => Some((quote!(&mut self), quote!(&mut #ty))),
            None => None,
        };
        let (args, units) = (vec![quote!(_: ()); count], vec![quote!(()); count]);
        let (own, own_ty) = own.unzip();
        let (own, own_ty) = (own.into_iter().chain(args), own_ty.into_iter().chain(units.iter().cloned()));
        let own = own.collect::<Vec<_>>();
        let check = quote! {
            #[no_implicit_prelude]
            mod #module {
                struct Seen;
                trait Own {
                    fn #name(#(#own),*) -> Seen;
                }
                impl Own for #ty {
                    fn #name(#(#own),*) -> Seen {
                        Seen
                    }
                }
                const _: fn(#(#own_ty),*) -> Seen = <#ty>::#name;
            }
        };
        self.program.require(module.to_string(), check);
    }
}
