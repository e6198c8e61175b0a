//! Types that a function which is inlined knows by traits only: what it names and calls of them is that of the traits. In
//! the generated code the types are known, and what they have themselves would hide that.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{FnArg, GenericParam, Generics, ItemFn, TypeParamBound, WherePredicate};

use super::super::module::Owner;
use super::super::names::{each_identifier, identifier};
use super::super::refuse;
use super::Lowering;
use super::control::Flow;
use super::generics::{Argument, Given, bounds_of, text};
use super::numbers::integer::Types;
use super::value::Value;

impl Lowering<'_> {
    /// The trait by which the present function, which is inlined, knows its parameter, and which has a constant or a
    /// function of this name, as it is written in the generated code.
    pub(super) fn trait_of(&mut self, parameter: &Ident, part: &Ident) -> Option<TokenStream> {
        let activation = self.activation.clone();
        let bounds = activation.call.as_ref()?.bounds.as_ref()?;
        let path = self.bound_with(&activation.body.generics, bounds, parameter, part)?;
        let first = path.segments.first()?.ident.to_string();
        let is_item = path.leading_colon.is_none() && self.module.declared().items().names.contains(&first);
        let module = is_item.then(|| quote!(self::));
        let written = self.with_given(path.into_token_stream(), &activation.body.generics);
        Some(quote!(#module #written))
    }

    /// The trait of the module that has a part of this name, among those by which the function knows types: of one with
    /// arguments, as the bounds of the parameter say it.
    fn bound_with(&self, generics: &Generics, bounds: &[String], parameter: &Ident, part: &Ident) -> Option<syn::Path> {
        let trait_ = self.module.declared().methods().trait_with(bounds, &part.unraw().to_string())?;
        if !trait_.is_generic {
            return Some(identifier(&trait_.name, Span::mixed_site()).into());
        }
        let parameter = generics.type_params().find(|own| own.ident == *parameter)?;
        bounds_of(parameter, generics).find_map(|bound| match bound {
            TypeParamBound::Trait(bound) => Some(bound.path.clone())
                .filter(|path| path.segments.last().is_some_and(|last| last.ident == trait_.name.as_str())),
            _ => None,
        })
    }

    /// The tokens with what is given for generic parameters.
    fn with_given(&mut self, tokens: TokenStream, generics: &Generics) -> TokenStream {
        let mut written = TokenStream::new();
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if generics.params.iter().any(|own| is_called(own, &ident)) => {
                    written.extend(self.given_tokens(&ident));
                }
                TokenTree::Group(group) => {
                    let inner = self.with_given(group.stream(), generics);
                    written.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
                }
                token => written.extend([token]),
            }
        }
        written
    }

    /// Refuses a function that knows a type by traits only and names a constant or a function of one of these, `T::NAME`,
    /// where the type has one of that name itself: in the generated code, where the type is known, that would be meant.
    /// Makes that code fail to compile where it is not seen here that the type has. If the trait is known, it is named there.
    pub(super) fn require_parts_of_traits(&mut self, function: &ItemFn, given: &Given, bounds: &[String]) -> Flow<()> {
        let generics = &function.sig.generics;
        let given = generics.type_params().filter_map(|parameter| match given.get(&text(&parameter.ident)) {
            Some(Argument::Type(ty)) => Some((parameter.ident.to_token_stream(), ty.clone(), Some(&parameter.ident))),
            _ => None,
        });
        let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let known = clauses.filter_map(|clause| match clause {
            WherePredicate::Type(clause) => Some(clause.bounded_ty.to_token_stream()),
            _ => None,
        });
        for (written, ty, parameter) in given.chain(known.map(|ty| (ty.clone(), ty, None))) {
            let Some(TokenTree::Ident(owner)) = ty.into_iter().last() else { continue };
            let written: Vec<_> = written.into_iter().map(|token| token.to_string()).collect();
            let mut named = Vec::new();
            parts_named(&written, function.block.to_token_stream(), &mut named);
            for Part { name, is_called, is_bracketed } in named {
                // That of a parameter is written with its trait.
                let is_named = |own: &Ident| !is_bracketed && self.bound_with(generics, bounds, own, &name).is_some();
                if !parameter.is_some_and(is_named) {
                    self.require_part_of_trait(&owner.unraw().to_string(), &name, is_called)?;
                }
            }
        }
        Ok(())
    }

    /// Refuses a function that calls a method of a trait of the module by which it knows a type, where that is one of the
    /// standard library's or of nalgebra, which may have a method of that name itself: this would be called in the generated
    /// code. Which method of a float is called is known elsewhere.
    pub(super) fn require_methods_of_traits(
        &mut self,
        function: &ItemFn,
        bounds: &[String],
        args: &[Value],
    ) -> Flow<()> {
        let methods = self.module.declared().methods();
        let is_generic = |ty: &syn::Type| {
            let mut is_named = false;
            each_identifier(ty.to_token_stream(), &mut |ident| {
                let is_parameter = function.sig.generics.type_params().any(|own| own.ident == ident);
                is_named |= is_parameter || ident == "impl" || ident == "dyn";
            });
            is_named
        };
        let is_other = |(input, value): (&FnArg, &Value)| match input {
            FnArg::Typed(typed) if is_generic(&typed.ty) => {
                let is_float =
                    self.text_of(value).is_some_and(|text| text.trim_start_matches('&') == self.scalar.name());
                value.owner().is_none() && !value.has_struct() && !is_float
            }
            _ => false,
        };
        if !function.sig.inputs.iter().zip(args).any(is_other) {
            return Ok(());
        }
        let mut called = Vec::new();
        methods_called(function.block.to_token_stream(), &mut called);
        let is_unclear = |name: &&Ident| {
            let text = name.unraw().to_string();
            is_of_library(&text) && methods.has_trait_with_method(bounds, &text)
        };
        match called.iter().find(is_unclear) {
            Some(name) => self.refuse(name, refuse::method_of_library(name)),
            None => Ok(()),
        }
    }

    fn require_part_of_trait(&mut self, owner: &str, name: &Ident, is_called: bool) -> Flow<()> {
        let (methods, structs) = (self.module.declared().methods(), self.module.declared().structs());
        let is_number = ["f64", "f32"].contains(&owner) || Types::named(owner).is_some();
        // Of the functions of floats, it is known elsewhere which are called.
        let is_own = match is_number {
            true => !is_called && CONSTANTS_OF_NUMBERS.iter().any(|known| name == known),
            false => methods.has_own(owner, name),
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
}

/// Whether a generic parameter is called so.
fn is_called(parameter: &GenericParam, name: &Ident) -> bool {
    match parameter {
        GenericParam::Type(own) => own.ident == *name,
        GenericParam::Const(own) => own.ident == *name,
        GenericParam::Lifetime(_) => false,
    }
}

/// The constants that numbers have themselves.
const CONSTANTS_OF_NUMBERS: &[&str] = &[
    "BITS",
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

/// Methods that types of the standard library and of nalgebra have themselves, which traits of users may have, too.
const LIBRARY_METHODS: &str = "\
    abs abs_diff abs_sub acos adjoint all amax amin and and_then angle any append apply as_bytes as_mut as_ref \
    as_slice as_str asin atan atan2 ceil chain chars checked_add checked_div checked_mul checked_sub chunks \
    chunks_exact clamp clear clone cloned cmp collect column component_mul concat contains copied copy_from cos cosh \
    count count_ones cross determinant diagonal div_euclid dot drain ends_with enumerate eq exp expect extend fill \
    filter filter_map find first flat_map flatten floor fold for_each fract ge get get_mut get_or_insert gt hypot \
    insert inverse is_empty is_err is_finite is_nan is_negative is_none is_ok is_positive is_some is_sorted iter \
    iter_mut join keys last le leading_zeros len ln log lt magnitude map map_or max max_by mean min min_by mul_add \
    ne neg next norm norm_squared normalize nth ok ok_or or or_else partial_cmp pop position pow powf powi product \
    push rank recip reduce rem_euclid remove replace resize retain rev reverse rotate_left rotate_right round row \
    saturating_add saturating_sub scale signum sin sin_cos sinh skip sort sort_by split split_at split_first \
    split_last sqrt starts_with step_by sum swap take take_while tan tanh to_degrees to_owned to_radians to_string \
    to_vec total_cmp trace trailing_zeros transform transpose trim trunc truncate try_inverse unwrap unwrap_or \
    unwrap_or_default unwrap_or_else values variance windows wrapping_add wrapping_mul wrapping_sub zip";

/// Whether types of the standard library or of nalgebra have a method of this name themselves.
pub(super) fn is_of_library(name: &str) -> bool {
    LIBRARY_METHODS.split(' ').any(|method| method == name)
}

/// Adds the names of the methods that are called.
fn methods_called(tokens: TokenStream, found: &mut Vec<Ident>) {
    let mut is_member = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) => methods_called(group.stream(), found),
            TokenTree::Ident(name) if is_member => found.push(name.clone()),
            _ => {}
        }
        is_member = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
    }
}

/// What is named as a part of a type, `T::NAME` or `<T>::NAME`.
struct Part {
    name: Ident,
    is_called: bool,
    /// Whether the type is in brackets.
    is_bracketed: bool,
}

/// Adds the parts of a type that are named.
fn parts_named(ty: &[String], tokens: TokenStream, found: &mut Vec<Part>) {
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
        let is_bracketed = at > 0 && is(at - 1, "<") && is(end, ">");
        let end = end + usize::from(is_bracketed);
        if let (true, true, Some(TokenTree::Ident(name))) = (is(end, ":"), is(end + 1, ":"), tokens.get(end + 2)) {
            let is_call = |group: &Group| group.delimiter() == Delimiter::Parenthesis;
            let is_called = matches!(tokens.get(end + 3), Some(TokenTree::Group(group)) if is_call(group));
            let is_called = is_called || is(end + 3, ":");
            found.push(Part { name: name.clone(), is_called, is_bracketed });
        }
    }
}
