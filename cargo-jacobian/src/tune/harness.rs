//! The code that calls the candidates, in the module of the function: it makes the arguments, and hands a closure for
//! every candidate to the [runtime](super::scratch).

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, GenericArgument, GenericParam, Item, ItemFn, PathArguments, ReceiverKind, Type};

/// What the user says of the arguments.
#[derive(Clone, Default)]
pub struct Given {
    /// Expressions for parameters.
    pub values: Vec<(String, String)>,
    /// Ranges of random numbers, of a parameter or of all.
    pub ranges: Vec<(Option<String>, (f64, f64))>,
    /// Whether there is a file of points.
    pub has_points: bool,
}

/// How an argument is passed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Pass {
    Value,
    Reference,
    Mutable,
    Slice,
}

/// What an argument is.
enum Argument {
    /// A value of this type, made of numbers.
    Filled { ty: Box<Type>, pass: Pass, range: TokenStream },
    /// An expression of the user's.
    Given { expression: TokenStream, pass: Pass },
}

const NUMBERS: [&str; 14] =
    ["f64", "f32", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// What is known of the function.
pub struct Harness<'a> {
    function: &'a ItemFn,
    /// The type that it is a method of.
    of_type: Option<&'a Ident>,
    /// The expression for `self`, and whether it is passed by value or to be changed.
    receiver: Option<(TokenStream, bool)>,
    arguments: Vec<Argument>,
    generics: HashSet<String>,
}

impl<'a> Harness<'a> {
    /// Looks at the parameters.
    ///
    /// # Errors
    /// Where an argument cannot be made: what the user can do.
    pub fn of(function: &'a ItemFn, of_type: Option<&'a Ident>, items: &[Item], given: &Given) -> Result<Self, String> {
        let generics = function.sig.generics.params.iter().filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
            _ => None,
        });
        let generics: HashSet<_> = generics.collect();
        let (mut receiver, mut arguments) = (None, Vec::new());
        let mut names = Vec::new();
        for input in &function.sig.inputs {
            match input {
                FnArg::Receiver(own) => {
                    names.push("self".to_string());
                    let value = value(given, "self")?.ok_or("`self` is no number: give it by --value 'self=...'")?;
                    receiver = Some((value, !matches!(own.kind, ReceiverKind::Reference(_, _, None))));
                }
                FnArg::Typed(typed) => {
                    let name = typed.pat.to_token_stream().to_string().replace("mut ", "");
                    let argument = argument(&name, &typed.ty, &generics, items, given)?;
                    names.push(name);
                    arguments.push(argument);
                }
            }
        }
        let named = given.values.iter().map(|(name, _)| name);
        let mut named = named.chain(given.ranges.iter().filter_map(|(name, _)| name.as_ref()));
        if let Some(unknown) = named.find(|named| !names.contains(named)) {
            return Err(format!("there is no parameter `{unknown}`; there are {}", names.join(", ")));
        }
        Ok(Harness { function, of_type, receiver, arguments, generics })
    }

    /// The function that times all candidates. Their closures come in an order that is another for every `build`: it is
    /// that of their machine code.
    pub fn code(&self, timed: &[&ItemFn], build: usize) -> TokenStream {
        let given = self.arguments.iter().enumerate().filter_map(|(index, argument)| match argument {
            Argument::Given { expression, .. } => Some((format_ident!("given_{index}"), expression)),
            Argument::Filled { .. } => None,
        });
        let given: Vec<_> = given.collect();
        let declared = given.iter().map(|(name, expression)| quote!(let #name = #expression;));
        let receiver = self.receiver.iter().map(|(expression, _)| quote!(let given_self = #expression;));
        let filled = self.arguments.iter().map(|argument| match argument {
            Argument::Filled { ty, range, .. } => {
                let value = self.filled(ty);
                quote!({ source.between(#range); #value })
            }
            Argument::Given { .. } => quote!(()),
        });
        let hidden = given.iter().map(|(name, _)| name.clone());
        let hidden = hidden.chain(self.receiver.iter().map(|_| format_ident!("given_self")));
        let hidden = quote!(#(let #hidden = ::core::hint::black_box(&#hidden);)*);
        let own = self.called(&self.function.sig.ident, &[]);
        let names: Vec<_> = (0..timed.len()).map(|index| format_ident!("variant_{index}")).collect();
        let variants = timed.iter().map(|timed| self.variant(timed, &hidden));
        let mut variants: Vec<_> =
            names.iter().zip(variants).map(|(name, variant)| quote!(let #name = #variant;)).collect();
        variants.rotate_right(build % timed.len().max(1));
        quote! {
            pub(crate) fn jacobian_tune_all() {
                let asked = crate::jacobian_tune::asked();
                #(#declared)*
                #(#receiver)*
                let points = crate::jacobian_tune::points(
                    &asked,
                    &|source: &mut crate::jacobian_tune::Source| -> ::core::result::Result<_, ::std::string::String> {
                        ::core::result::Result::Ok((#(#filled,)*))
                    },
                    &|point| { #hidden #own },
                );
                let points = &points[..];
                #(#variants)*
                let variants = ::std::vec![#(#names),*];
                crate::jacobian_tune::run(&asked, points.len(), variants);
            }
        }
    }

    /// An expression for a value of numbers from `source`.
    fn filled(&self, ty: &Type) -> TokenStream {
        let tokens = self.with_floats(ty.to_token_stream());
        match vector(ty) {
            Some(true) => quote!({
                let mut point = <#tokens>::origin();
                for number in point.coords.iter_mut() { *number = crate::jacobian_tune::Fill::fill(source)?; }
                point
            }),
            Some(false) => quote!({
                let mut matrix = <#tokens>::zeros();
                for number in matrix.iter_mut() { *number = crate::jacobian_tune::Fill::fill(source)?; }
                matrix
            }),
            None => quote!(<#tokens as crate::jacobian_tune::Fill>::fill(source)?),
        }
    }

    /// Tokens with f64 for the type parameters, and the type for `Self`.
    fn with_floats(&self, tokens: TokenStream) -> TokenStream {
        let one = |token| match token {
            TokenTree::Ident(name) if self.generics.contains(&name.to_string()) => quote!(f64),
            TokenTree::Ident(name) if name == "Self" => self.of_type.map_or(quote!(Self), |ty| quote!(#ty)),
            TokenTree::Group(group) => {
                let inner = self.with_floats(group.stream());
                TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner)).into_token_stream()
            }
            other => other.into_token_stream(),
        };
        tokens.into_iter().map(one).collect()
    }

    /// The closures that call a candidate.
    fn variant(&self, timed: &ItemFn, hidden: &TokenStream) -> TokenStream {
        let name = &timed.sig.ident;
        let skipped = self.function.sig.inputs.len();
        let (mut before, mut more) = (TokenStream::new(), Vec::new());
        for (index, input) in timed.sig.inputs.iter().enumerate().skip(skipped) {
            let FnArg::Typed(typed) = input else { continue };
            let Type::Reference(reference) = &*typed.ty else { continue };
            let (name, value) = (format_ident!("more_{index}"), self.filled(&reference.elem));
            let (is_mutable, range) = match reference.mutability {
                Some(_) => (quote!(mut), quote!(0.0, 0.0)),
                None => (quote!(), quote!(-1.0, 1.0)),
            };
            before.extend(quote! {
                let #is_mutable #name = {
                    let filled = |source: &mut crate::jacobian_tune::Source|
                        -> ::core::result::Result<_, ::std::string::String> { ::core::result::Result::Ok(#value) };
                    let mut source = crate::jacobian_tune::Source::random(2);
                    source.between(::core::option::Option::Some((#range)));
                    filled(&mut source).unwrap()
                };
            });
            more.push((name, reference.mutability.is_some()));
        }
        let timed = self.called_in(
            name,
            &more,
            &|result, outs| quote!(let result = #result; ::core::hint::black_box((&result, #(&#outs),*));),
        );
        let results = self.called(name, &more);
        quote! {
            crate::jacobian_tune::Variant {
                time: ::std::boxed::Box::new(|passes: usize| {
                    #hidden
                    #before
                    for _ in 0..passes {
                        for point in points {
                            let point = ::core::hint::black_box(point);
                            #timed
                        }
                    }
                }),
                results: ::std::boxed::Box::new(|point: usize| {
                    let point = &points[point];
                    #hidden
                    #before
                    #results
                }),
            }
        }
    }

    /// A call at `point`, as a block of its numbers.
    fn called(&self, name: &Ident, more: &[(Ident, bool)]) -> TokenStream {
        let numbers = self.called_in(name, more, &|result, outs| {
            quote! {
                let result = #result;
                let mut numbers = crate::jacobian_tune::numbers(&result);
                #(numbers.extend(crate::jacobian_tune::numbers(&#outs));)*
                numbers
            }
        });
        quote!({ #numbers })
    }

    /// What is made of a call and of what it writes to, after what it needs.
    fn called_in(
        &self,
        name: &Ident,
        more: &[(Ident, bool)],
        made: &dyn Fn(TokenStream, &[Ident]) -> TokenStream,
    ) -> TokenStream {
        let (mut before, mut arguments, mut outs) = (TokenStream::new(), Vec::new(), Vec::new());
        for (index, argument) in self.arguments.iter().enumerate() {
            let (pass, value) = match argument {
                Argument::Filled { pass, .. } => {
                    let index = syn::Index::from(index);
                    (*pass, quote!(point.#index))
                }
                Argument::Given { pass, .. } => {
                    let given = format_ident!("given_{index}");
                    (*pass, quote!((*#given)))
                }
            };
            let is_given = matches!(argument, Argument::Given { .. });
            arguments.push(match pass {
                Pass::Value => quote!(#value.clone()),
                Pass::Reference | Pass::Slice if is_given => value,
                Pass::Reference => quote!(&#value),
                Pass::Slice => quote!(&#value[..]),
                Pass::Mutable => {
                    let out = format_ident!("out_{index}");
                    before.extend(quote!(let mut #out = #value.clone();));
                    outs.push(out.clone());
                    quote!(&mut #out)
                }
            });
        }
        // The order of the numbers is the same for all ways to call.
        let mut written = Vec::new();
        for (name, is_mutable) in more {
            if *is_mutable {
                written.push(name.clone());
                arguments.push(quote!(&mut #name));
            } else {
                arguments.push(quote!(::core::hint::black_box(&#name)));
            }
        }
        let called = match (&self.receiver, self.of_type) {
            (Some((_, false)), _) => quote!(given_self.#name(#(#arguments),*)),
            (Some((_, true)), _) => {
                before.extend(quote!(let mut this = given_self.clone();));
                quote!(this.#name(#(#arguments),*))
            }
            (None, Some(ty)) => quote!(#ty::#name(#(#arguments),*)),
            (None, None) => quote!(#name(#(#arguments),*)),
        };
        written.append(&mut outs);
        let made = made(called, &written);
        quote!(#before #made)
    }
}

/// The expression that the user gives for a parameter.
fn value(given: &Given, name: &str) -> Result<Option<TokenStream>, String> {
    let own = given.values.iter().find(|(own, _)| own == name);
    let parsed = |(_, text): &(String, String)| match syn::parse_str::<syn::Expr>(text) {
        Ok(expression) => Ok(expression.into_token_stream()),
        Err(error) => Err(format!("--value {name}={text}: {error}")),
    };
    own.map(parsed).transpose()
}

fn argument(
    name: &str,
    ty: &Type,
    generics: &HashSet<String>,
    items: &[Item],
    given: &Given,
) -> Result<Argument, String> {
    let (inner, pass) = match ty {
        Type::Reference(reference) => match (&*reference.elem, reference.mutability) {
            (_, Some(_)) => (&*reference.elem, Pass::Mutable),
            (Type::Slice(_), None) => (&*reference.elem, Pass::Slice),
            (elem, None) => (elem, Pass::Reference),
        },
        ty => (ty, Pass::Value),
    };
    if let Some(expression) = value(given, name)? {
        return Ok(Argument::Given { expression, pass });
    }
    let (ty, what) = match inner {
        Type::Slice(slice) => {
            let element = &slice.elem;
            (syn::parse_quote!(::std::vec::Vec<#element>), fillable(element, generics, items, false))
        }
        inner => (inner.clone(), fillable(inner, generics, items, true)),
    };
    let own = given.ranges.iter().rev().find(|(own, _)| own.as_deref() == Some(name));
    let range = own.or(given.ranges.iter().rev().find(|(own, _)| own.is_none())).map(|(_, range)| *range);
    let text = ty_text(ty_of(inner));
    match what {
        None => Err(format!("`{name}: {text}` is not made of numbers: give it by --value '{name}=...', an expression")),
        Some(Fillable::Integers) if !given.has_points && own.is_none() => Err(format!(
            "`{name}: {text}` has no usual value: give it by --value '{name}=...', by --range {name}=0..10, or by --points"
        )),
        Some(_) if pass == Pass::Slice && !given.has_points => {
            Err(format!("`{name}` has no known length: give it by --value '{name}=&[...]', or by --points"))
        }
        Some(_) => {
            let range = match range {
                Some((low, high)) => quote!(::core::option::Option::Some((#low, #high))),
                None => quote!(::core::option::Option::None),
            };
            Ok(Argument::Filled { ty: Box::new(ty), pass, range })
        }
    }
}

fn ty_of(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ty_of(&group.elem),
        Type::Paren(paren) => ty_of(&paren.elem),
        other => other,
    }
}

fn ty_text(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}

/// What values are made of.
#[derive(PartialEq, Eq)]
enum Fillable {
    Floats,
    Integers,
}

/// What values of a type are made of, if it is numbers.
fn fillable(ty: &Type, generics: &HashSet<String>, items: &[Item], is_outer: bool) -> Option<Fillable> {
    match ty_of(ty) {
        ty if vector(ty).is_some() => is_outer.then_some(Fillable::Floats),
        Type::Array(array) => fillable(&array.elem, generics, items, false),
        Type::Tuple(tuple) => {
            let all = tuple.elems.iter().map(|ty| fillable(ty, generics, items, false));
            let all = all.collect::<Option<Vec<_>>>()?;
            let has_integers = all.contains(&Fillable::Integers);
            Some(if has_integers { Fillable::Integers } else { Fillable::Floats })
        }
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let name = last.ident.to_string();
            if ["f64", "f32"].contains(&name.as_str()) || generics.contains(&name) {
                return Some(Fillable::Floats);
            }
            if NUMBERS.contains(&name.as_str()) || name == "bool" {
                return Some(Fillable::Integers);
            }
            items.iter().find_map(|item| match item {
                Item::Type(alias) if alias.ident == name => fillable(&alias.ty, generics, items, false),
                Item::Mod(module) => {
                    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    fillable(ty, generics, items, false)
                }
                _ => None,
            })
        }
        _ => None,
    }
}

/// Whether a type has the name of one of nalgebra's and floats in it, and then whether it is a point.
fn vector(ty: &Type) -> Option<bool> {
    let Type::Path(path) = ty_of(ty) else { return None };
    let last = path.path.segments.last()?;
    let name = last.ident.to_string();
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let has_type = arguments.args.iter().any(|argument| matches!(argument, GenericArgument::Type(_)));
    let is_matrix = ["Vector", "RowVector", "Matrix", "SVector", "RowSVector", "SMatrix"];
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == 'x');
    match stem.trim_end_matches(|letter: char| letter.is_ascii_digit()) {
        _ if !has_type => None,
        "Point" => Some(true),
        stem if is_matrix.contains(&stem) || is_matrix.contains(&name.as_str()) => Some(false),
        _ => None,
    }
}
