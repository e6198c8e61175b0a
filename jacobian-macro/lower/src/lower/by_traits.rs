//! Types that a function which is inlined knows by traits only: what it names and calls of them is that of the traits. In
//! the generated code the types are known, and what they have themselves would hide that.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{FnArg, GenericParam, Generics, ItemFn, PathArguments, TypeParamBound, WherePredicate};

use super::super::module::Owner;
use super::super::names::{each_identifier, identifier};
use super::super::refuse;
use super::super::syntax::{Collections, Expr, ExprKind, Node};
use super::Lowering;
use super::control::Flow;
use super::generics::{Argument, Given, bounds_of, text};
use super::inline::{BEHIND_TRAITS, CALLED};
use super::numbers::Numbers;
use super::numbers::integer::Types;
use super::value::Value;

impl Lowering<'_> {
    /// The trait of the module by which the present function, which is inlined, knows its parameter, and which has a constant
    /// or a function of this name, as it is written in the generated code.
    pub(super) fn trait_of(&mut self, parameter: &Ident, part: &Ident) -> Option<TokenStream> {
        let activation = self.activation.clone();
        let path = self.bound_with(&activation.body.generics, parameter, part)?;
        let written = self.with_given(path.into_token_stream(), &activation.body.generics);
        Some(quote!(self::#written))
    }

    /// The trait of the module that has a part of this name, among those by which a parameter is bounded: of one with
    /// arguments, as the bounds say it.
    fn bound_with(&self, generics: &Generics, parameter: &Ident, part: &Ident) -> Option<syn::Path> {
        let parameter = generics.type_params().find(|own| own.ident == *parameter)?;
        let bounds = bounds_of(parameter, generics).filter_map(|bound| match bound {
            // What another path leads to is none of the module.
            TypeParamBound::Trait(bound) if bound.path.segments.len() == 1 => Some(&bound.path),
            _ => None,
        });
        let bounds: Vec<_> = bounds.collect();
        let names: Vec<_> = bounds.iter().map(|path| path.segments[0].ident.to_string()).collect();
        let trait_ = self.module.declared().traits().with_part(&names, &part.unraw().to_string())?;
        if !trait_.is_generic {
            return Some(identifier(&trait_.name, Span::mixed_site()).into());
        }
        bounds.into_iter().find(|path| path.segments[0].ident == trait_.name.as_str()).cloned()
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
    pub(super) fn require_parts_of_traits(&mut self, function: &ItemFn, given: &Given) -> Flow<()> {
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
            let last = ty.into_iter().last();
            let written: Vec<_> = written.into_iter().map(|token| token.to_string()).collect();
            let mut named = Vec::new();
            parts_named(&written, function.block.to_token_stream(), &mut named);
            if let (Some(TokenTree::Group(_)), Some(part), Collections::Arrays) =
                (&last, named.first(), self.collections)
            {
                // That of a `Vec`, perhaps.
                return self.refuse(&part.name, refuse::part_unclear(&part.name, "Vec"));
            }
            let Some(TokenTree::Ident(owner)) = last else { continue };
            for Part { name, is_called, is_bracketed } in named {
                // That of a parameter is written with its trait.
                let is_named = |own: &Ident| !is_bracketed && self.bound_with(generics, own, &name).is_some();
                if parameter.is_some_and(is_named) {
                    continue;
                }
                // Of a trait from elsewhere, beside one of the module that has a part of this name.
                if parameter.is_some() && self.module.declared().traits().has_part(&name.unraw().to_string()) {
                    return self.refuse(&name, refuse::part_unclear(&name, &owner));
                }
                self.require_part_of_trait(&owner.unraw().to_string(), &name, is_called)?;
            }
        }
        Ok(())
    }

    /// Refuses a function that calls a method of a trait of the module by which it knows a type, where that is none of the
    /// module, and may have a method of that name itself: this would be called in the generated code. Which method of a
    /// float is called is known elsewhere.
    pub(super) fn require_methods_of_traits(
        &mut self,
        function: &ItemFn,
        given: &Given,
        (args, places): (&[Value], &[&Expr]),
    ) -> Flow<()> {
        let generics = &function.sig.generics;
        let mut bounds = Vec::new();
        for ((input, value), place) in function.sig.inputs.iter().zip(args).zip(places) {
            let value = match value {
                Value::Mutable(place) => &self.read(place),
                value => value,
            };
            if let FnArg::Typed(typed) = input
                && (self.is_from_elsewhere(value) || self.is_reference_to_unknown(place))
            {
                bounds.extend(bounds_in(&typed.ty, generics));
            }
        }
        for parameter in generics.type_params() {
            if let Some(Argument::Type(ty)) = given.get(&text(&parameter.ident))
                && self.is_type_from_elsewhere(ty)
            {
                bounds.extend(bounds_of(parameter, generics).map(|bound| bound.to_token_stream()).flat_map(names_in));
            }
        }
        let all: Vec<_> = generics.type_params().flat_map(|own| bounds_of(own, generics)).collect();
        let all: Vec<_> = all.into_iter().map(|bound| bound.to_token_stream()).flat_map(names_in).collect();
        let traits = self.module.declared().traits();
        let mut called = Vec::new();
        methods_called(function.block.to_token_stream(), &mut called);
        let is_unclear = |name: &&Ident| {
            let text = name.unraw().to_string();
            traits.has_method(&bounds, &text) || is_of_library(&text) && traits.has_given_method(&all, &text)
        };
        match called.iter().find(is_unclear) {
            Some(name) => self.refuse(name, refuse::method_of_library(name)),
            None => Ok(()),
        }
    }

    /// Refuses literals in arguments whose types only bounds of the parameters tell: these are not in the generated code.
    pub(super) fn require_told_types(&mut self, function: &ItemFn, places: &[&Expr]) -> Flow<()> {
        let generics = &function.sig.generics;
        for (input, place) in function.sig.inputs.iter().zip(places) {
            let FnArg::Typed(typed) = input else { continue };
            if !tells_integers(&typed.ty, generics) {
                continue;
            }
            let mut untold = None;
            let Numbers { literals, types, .. } = &mut self.numbers;
            let mut is_open = |part: &Expr| match &*part.kind {
                ExprKind::Literal(syn::Lit::Int(number)) if number.suffix().is_empty() => {
                    literals.ty(part).is_none_or(|ty| types.get(ty).only().is_none())
                }
                // What closures give may be written as it is.
                ExprKind::Closure(closure) => has_open_literal(&closure.body),
                ExprKind::Other(written, _) => has_open_integer(written.tokens.clone()),
                _ => false,
            };
            place.walk(&mut |node| {
                if let Node::Expr(part) = node
                    && untold.is_none()
                    && is_open(part)
                {
                    untold = Some(part.place);
                }
            });
            if let Some(place) = untold {
                return self.refuse(&place, refuse::UNTOLD_TYPE);
            }
        }
        Ok(())
    }

    /// Whether a value is of a type that is none of the module, nor a float, or made of these: of arrays and tuples, it is
    /// known which method is called.
    fn is_from_elsewhere(&self, value: &Value) -> bool {
        value.owner().is_none() && !value.has_struct() && self.text_of(value).is_none_or(|text| is_of_integers(&text))
    }

    /// Whether this is a reference to a passive variable of whose type nothing is known: it would be taken for one to a float.
    fn is_reference_to_unknown(&self, place: &Expr) -> bool {
        let ExprKind::Shared(inner) = &*place.unwrapped().kind else { return false };
        match &*inner.unwrapped().kind {
            ExprKind::Variable(id, _) => {
                let binding = self.bindings.find(self.activation.number(*id));
                binding
                    .is_some_and(|binding| matches!(&binding.value, Value::Passive(passive) if passive.shape.is_none()))
            }
            _ => false,
        }
    }

    fn is_type_from_elsewhere(&self, ty: &TokenStream) -> bool {
        let structs = self.module.declared().structs();
        let name = match ty.clone().into_iter().last() {
            Some(TokenTree::Ident(name)) => name.unraw().to_string(),
            // An array or a tuple.
            Some(TokenTree::Group(_)) => return is_of_integers(&ty.to_string()),
            _ => return true,
        };
        name != self.scalar.name() && !structs.read.contains_key(&name) && !structs.opaque.contains_key(&name)
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

/// Whether bounds of a parameter tell a type of integers, but for those of what is called.
fn tells_integers(ty: &syn::Type, generics: &Generics) -> bool {
    let tells = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.iter().any(|segment| {
            let is_given = matches!(segment.arguments, PathArguments::AngleBracketed(_));
            is_given && is_of_integers(&segment.arguments.to_token_stream().to_string())
        }),
        _ => false,
    };
    let names = names_in(ty.to_token_stream());
    let own = |ty: &syn::Type| match ty {
        syn::Type::ImplTrait(ty) => ty.bounds.iter().any(tells),
        syn::Type::TraitObject(ty) => ty.bounds.iter().any(tells),
        _ => false,
    };
    let mut parameters = generics.type_params().filter(|own| names.iter().any(|name| own.ident == name));
    let target = match ty {
        syn::Type::Reference(reference) => &reference.elem,
        ty => ty,
    };
    own(target) || parameters.any(|parameter| bounds_of(parameter, generics).any(tells))
}

/// Whether an integer without a type is in an expression.
fn has_open_literal(expression: &Expr) -> bool {
    let mut is_open = false;
    expression.walk(&mut |node| {
        if let Node::Expr(part) = node {
            is_open |= matches!(&*part.kind, ExprKind::Literal(syn::Lit::Int(number)) if number.suffix().is_empty());
        }
    });
    is_open
}

/// Whether an integer without a type is among these tokens.
fn has_open_integer(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_open_integer(group.stream()),
        TokenTree::Literal(literal) => {
            syn::parse2::<syn::LitInt>(literal.into_token_stream()).is_ok_and(|number| number.suffix().is_empty())
        }
        _ => false,
    })
}

/// Whether a type of integers is in the text of a type.
fn is_of_integers(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric()).any(|name| Types::named(name).is_some())
}

/// The names in the bounds by which a type of a parameter is known.
fn bounds_in(ty: &syn::Type, generics: &Generics) -> Vec<String> {
    let names = names_in(ty.to_token_stream());
    // Parameters in `impl Fn(V) -> V` are those of what it is called with.
    let is_called =
        BEHIND_TRAITS.iter().chain(CALLED).filter(|word| names.iter().any(|name| name == *word)).count() > 1;
    let of_parameters = generics.type_params().filter(|own| !is_called && names.iter().any(|name| own.ident == name));
    let bounds = of_parameters.flat_map(|own| bounds_of(own, generics)).map(|bound| bound.to_token_stream());
    let mut all: Vec<_> = bounds.flat_map(names_in).collect();
    if names.iter().any(|name| name == "impl" || name == "dyn") {
        all.extend(names);
    }
    all
}

fn names_in(tokens: TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    each_identifier(tokens, &mut |ident| names.push(ident.unraw().to_string()));
    names
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
